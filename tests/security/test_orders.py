"""Every order of staff at a table, given by everybody: who may ask is asked no further, and nobody else is heard."""

from typing import Any

import msgspec
import pytest

from natural9.table.commands.orders import write
from natural9.table.commands.staff import BY_TAG
from tests.security.answers import members, refused, table
from tests.security.floor import CALLERS, Floor, together
from tests.server.people.house import PASSWORD
from tests.table.samples import sample

COMMANDS = "/api/tables/closed-to-visitors/commands"  # where nobody else looks
DECIDED = ("200", "409")  # done, or refused by the rules: which one is theirs to say


def test_every_order_has_a_row_and_every_row_an_order() -> None:
    assert set(BY_TAG) == set(table()["order"])


@together
async def test_everybody_is_answered_as_the_table_says(floor: Floor) -> None:
    wrong = []
    for tag, may in table()["order"].items():
        command = msgspec.to_builtins(write(sample(BY_TAG[tag])))
        for caller in CALLERS:
            order = {"request": f"{tag} of {caller}", "command": command, "why": "so it was"}
            words = (await floor.ask(caller, "POST", COMMANDS, order)).words
            right = words[:3] in DECIDED if caller in members(may) else words == refused(caller)
            if not right:
                wrong.append(f"{tag}: {caller} gets {words}")
    assert not wrong, "\n".join(wrong)


@together
async def test_who_signs_one_thing_at_anothers_console_needs_the_role_themselves(floor: Floor) -> None:
    """A dealer's console asks, and a password decides who it is: an auditor's is worth no more there than elsewhere."""
    for signer, words in (("auditor", "403 not-allowed"), ("none", "403 sign-in-refused"), ("pit-manager", "200")):
        order = {
            "request": f"opened by {signer}",
            "command": {"type": "open-table"},
            "sign_in": {"id": signer, "password": "seven green lamps"},
        }
        assert (await floor.ask("dealer", "POST", COMMANDS, order)).words == words, signer


SIGNED = {"id": "pit-manager", "password": PASSWORD}
CREDIT = {"type": "credit-terminal", "seat": 1, "cents": 100}


@together
async def test_whoever_may_no_more_when_the_second_has_signed_does_not_act(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A password takes its time to check: whoever asks may be dismissed, or get another role, meanwhile."""
    accounts = floor.house.accounts
    authorise = accounts.authorise
    asking = ""
    is_dismissed = False

    async def meanwhile(id: str, password: str, **more: str) -> Any:
        if id == SIGNED["id"] and is_dismissed:
            await accounts.disable(asking, by="ada")
        elif id == SIGNED["id"]:
            await accounts.change_role(asking, role="auditor", by="ada")
        return await authorise(id, password, **more)

    monkeypatch.setattr(accounts, "authorise", meanwhile)
    for is_dismissed in (True, False):
        for number, (how, path) in enumerate(
            [("own", COMMANDS), ("at another's", COMMANDS), ("own", "/api/vouchers/pay")]
        ):
            asking = f"leaves-{number}" if is_dismissed else f"moves-{number}"
            floor.knows(asking, await floor.hire(asking, "cashier"))
            body: dict[str, Any] = {"request": asking, "signature": SIGNED}
            body |= {"command": CREDIT} if path == COMMANDS else {"number": "1", "code": "none"}
            body |= {"sign_in": {"id": asking, "password": PASSWORD}} if how != "own" else {}
            words = (await floor.ask(asking if how == "own" else "dealer", "POST", path, body)).words
            gone = "401 sign-in-first" if how == "own" else "403 sign-in-refused"
            assert words == (gone if is_dismissed else "403 not-allowed"), (how, path)

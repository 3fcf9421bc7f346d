"""Every order of staff at a table, given by everybody: who may ask is asked no further, and nobody else is heard."""

import msgspec

from natural9.table.commands.orders import write
from natural9.table.commands.staff import BY_TAG
from tests.security.answers import members, refused, table
from tests.security.floor import CALLERS, Floor, together
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

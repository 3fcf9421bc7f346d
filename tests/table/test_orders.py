"""The commands of staff on the wire and in the journal: made from their declarations, bounded, and read back whole."""

from typing import Any

import msgspec
import pytest

from natural9.core.round import Refusal
from natural9.core.round import commands as round_commands
from natural9.core.round.commands import Command, command
from natural9.core.round.decide import _RULES as ROUND_RULES
from natural9.table.commands import staff
from natural9.table.commands.orders import WRITTEN, Order, StaffCommand, content, read, read_order, write
from natural9.table.commands.pit import RULES
from natural9.table.commands.staff import BY_TAG
from tests.table.live import DEALER, SUPERVISOR, live_table
from tests.table.samples import sample

decode = msgspec.json.Decoder(StaffCommand).decode


@pytest.mark.parametrize("tag", BY_TAG)
def test_every_command_is_read_as_it_was_written(tag: str) -> None:
    given = sample(BY_TAG[tag])
    body = msgspec.json.encode(write(given))
    assert msgspec.json.decode(body)["type"] == tag
    assert read(decode(body)) == given
    order = Order("r1", given, "so it was")
    assert read_order(content(order)) == order
    with pytest.raises(msgspec.ValidationError, match="surplus"):
        decode(msgspec.json.encode({**msgspec.json.decode(body), "surplus": 1}))


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ({"type": "correct-card", "place": 61, "card": "9H"}, "<= 60"),
        ({"type": "correct-card", "place": 0, "card": "9H"}, ">= 1"),
        ({"type": "correct-card", "place": 1, "card": "123456789"}, "length <= 8"),
        ({"type": "correct-card", "place": 1}, "missing required field `card`"),
        ({"type": "correct-result", "cards": []}, "length >= 1"),
        ({"type": "correct-result", "cards": ["9H"] * 7}, "length <= 6"),
        ({"type": "report", "kind": "late-bet", "detail": "x" * 501}, "length <= 500"),
        ({"type": "report", "kind": "late-bet", "seats": [0]}, ">= 1"),
        ({"type": "report", "kind": "late-bet", "seats": [1] * 101}, "length <= 100"),
        ({"type": "report", "kind": "late-bet", "about_round": 2**53 + 1}, "<= 9007199254740992"),
        ({"type": "report", "kind": "a mess"}, "Invalid enum value"),
        ({"type": "declare", "player_total": 10}, "<= 9"),
        ({"type": "credit-terminal", "seat": 1, "cents": 10**12 + 1}, "<= 1000000000000"),
        ({"type": "credit-terminal", "seat": 1, "cents": 1.5}, "Expected `int`"),
        ({"type": "change-limits", "limits": {"tie": {"min_cents": 0, "max_cents": 1}}}, ">= 1"),
        ({"type": "change-limits", "limits": {"": {"min_cents": 1, "max_cents": 1}}}, "length >= 1"),
        ({"type": "clear-fault", "fault": ""}, "length >= 1"),
        ({"type": "load-shoe", "shoe": 1, "decks": 8}, "Invalid value 'load-shoe'"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_by_its_name(body: dict[str, Any], complaint: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=complaint):
        decode(msgspec.json.encode(body))


@pytest.mark.parametrize("card", ["1X", "9"])
def test_what_is_no_card_is_named(card: str) -> None:
    refusal = read(decode(msgspec.json.encode({"type": "deal", "card": card})))
    assert isinstance(refusal, Refusal)
    assert (refusal.code, repr(card) in refusal.message) == ("bad-card", True)


def test_a_tag_is_taken_once() -> None:
    with pytest.raises(AssertionError, match="settle is taken"):

        @command("settle")
        class Again(Command):
            pass

    assert BY_TAG["settle"] is round_commands.Settle
    assert WRITTEN.keys() == set(BY_TAG.values())


@pytest.mark.parametrize(
    ("shape", "given"),
    [
        (staff.ChangeLimits, {"seat_max_cents": 5_000}),
        (staff.LockTerminal, {"seat": 1}),
        (staff.ClearFault, {"fault": "camera"}),
        (staff.FreezeRound, {"round": 1}),
        (staff.VoidVoucher, {"number": "1-1-1"}),
    ],
)
async def test_the_pit_says_why(shape: type[Command], given: dict[str, Any]) -> None:
    table = await live_table()
    await table.open()
    for why in ("", " "):
        refusal = await table.refused(shape, SUPERVISOR, why=why, **given)
        assert (refusal.code, refusal.message.startswith("Say why")) == ("bad-request", True)


async def test_the_journal_keeps_the_whole_order_and_another_reason_is_another_request() -> None:
    table = await live_table()
    await table.open()
    order = Order("pause-1", staff.PauseTable(), "a break")
    answer = await table.ask(order, SUPERVISOR)
    line = (await table.journal())[-1]
    assert line.command is not None
    assert (line.event.TAG, read_order(line.command)) == ("table-paused", order)
    again = await table.restart()
    assert await again.ask(order, SUPERVISOR) == answer
    other = await again.ask(Order("pause-1", staff.PauseTable(), "lunch"), SUPERVISOR)
    assert isinstance(other, Refusal)
    assert other.code == "request-reused"


async def test_a_card_is_named_where_no_shuffler_deals() -> None:
    table = await live_table()
    await table.open()
    await table.do(round_commands.CloseBetting, DEALER)
    refusal = await table.refused(round_commands.DealCard, DEALER)
    assert (refusal.code, "Name the card" in refusal.message) == ("bad-card", True)


def test_every_command_of_staff_leads_somewhere() -> None:
    by_the_table = {staff.StartRound, staff.LoadNewShoe, staff.SignOn, staff.SignOff}
    by_the_table |= {staff.VoidVoucher, staff.CreditTerminal, staff.HandPay, staff.ReleaseSeat}
    by_the_round = {shape for shape in BY_TAG.values() if shape.__module__ == round_commands.__name__}
    assert set(BY_TAG.values()) == by_the_table | by_the_round | set(RULES)
    assert by_the_round <= set(ROUND_RULES)

"""What the program does and what people do are never confused, whatever a person is called."""

import pytest
from msgspec import structs

from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import commands as round_commands
from natural9.core.staff import Rank
from natural9.games import load_game
from natural9.journal.line import Origin, OriginKind, encode_line, read_line
from natural9.store.contract import Written
from natural9.table.audit.recall import recall
from natural9.table.audit.verify import verify
from natural9.table.commands import staff
from natural9.table.commands.decide import Who
from natural9.table.live.answers import Accepted
from natural9.table.venue.file import ShoeSource
from tests.table.live import SUPERVISOR, LiveTable, asked, live_table, table_config
from tests.table.stories import rewritten

NAMES = ("system", "venue", "reading-shoe", "house", "terminal", "program", "demo")
every_name = pytest.mark.parametrize("name", NAMES)


async def holds(table: LiveTable) -> None:
    found = await verify(table.store, load_game=load_game)
    assert found.fault is None, found.fault


async def in_play(shoe: ShoeSource = ShoeSource.READ) -> LiveTable:
    table = await live_table(table_config(shoe=shoe))
    await table.open()
    await table.buy(1, 10_000)
    await table.bet(1, "player", 1_000)
    return table


@every_name
async def test_who_is_called_so_voids_a_round(name: str) -> None:
    table = await in_play()
    await table.do(round_commands.VoidRound, Who(name, rank=Rank.SHIFT_MANAGER), why="a power cut next door")
    await holds(table)
    told = await recall(table.store, "1", 1)
    [voided] = [step for step in told.steps if step.kind == "round-voided"]
    assert (voided.by, voided.rank) == (name, "shift-manager")


@every_name
async def test_who_is_called_so_credits_a_terminal_once_however_often_it_is_asked(name: str) -> None:
    table = await in_play()
    order = asked(staff.CreditTerminal, request="again", seat=2, cents=5_000)
    assert isinstance(await table.ask(order, Who(name)), Accepted)
    for _ in range(2):
        table = await table.restart()
        assert isinstance(await table.ask(order, Who(name)), Accepted)
        assert table.state.credit_cents(2) == 5_000
    await holds(table)


@every_name
async def test_who_is_called_so_reports_an_interruption_that_can_be_withdrawn(name: str) -> None:
    """Only what the table noticed itself is no report."""
    table = await in_play()
    person = Who(name, rank=Rank.PIT_SUPERVISOR)
    await table.do(round_commands.ReportIrregularity, person, kind=Kind.TABLE_INTERRUPTION, detail="the lights")
    [pending] = table.state.round.pending
    assert not pending.noticed
    await table.do(round_commands.WithdrawReport, SUPERVISOR, why="only the lights")
    await holds(table)


@every_name
async def test_who_is_called_so_deals(name: str) -> None:
    table = await live_table()
    dealer = Who(name, rank=Rank.DEALER)
    await table.do(staff.OpenTable, SUPERVISOR)
    await table.do(staff.SignOn, dealer)
    await table.open()
    await table.finish("9S 2H KD 5C")
    await table.do(staff.SignOff, dealer)
    await table.open()
    await table.do(round_commands.CloseBetting, dealer)
    for card in ["9H", "2D", "KS", "5D"]:  # nobody is signed on: who gave the cards dealt them
        await table.do(round_commands.DealCard, dealer, card=card)
    await holds(table)
    for round in (1, 2):
        assert (await recall(table.store, "1", round)).dealers == (name,)


async def test_what_the_table_does_by_itself_has_no_persons_name() -> None:
    table = await in_play(ShoeSource.SHUFFLER)
    await table.do(round_commands.CloseBetting, Who("system", rank=Rank.DEALER))
    table = await table.restart()
    [reported] = await table.happened("irregularity-reported")
    [decided] = await table.happened("irregularity-decided")
    assert (reported.by, decided.by, decided.remedy) == ("", "", Remedy.VOID)
    told = await recall(table.store, "1", 1)
    by = {step.kind: (step.by, step.rank) for step in told.steps}
    assert by["betting-closed"] == ("system", "dealer")
    assert by["round-voided"] == ("the program", "")
    await holds(table)


# What a forger would have to say.


@pytest.mark.parametrize(
    ("origin", "should"),
    [
        (Origin(OriginKind.PROGRAM), "the program (Dealer) may not void a round"),
        (Origin(OriginKind.PROGRAM, rank="shift-manager"), "the program asked in no rank of the pit"),
        (Origin(OriginKind.TERMINAL, "1-1", rank="shift-manager"), "terminal 1-1 asked in no rank of the pit"),
        (Origin(OriginKind.STAFF, "sam"), "sam asked in no rank of the pit"),
    ],
)
async def test_a_void_of_another_origin_does_not_follow(origin: Origin, should: str) -> None:
    table = await in_play()
    await table.do(round_commands.VoidRound, Who("sam", rank=Rank.SHIFT_MANAGER), why="a spill")

    def change(entries: list[Written]) -> list[Written]:
        return [_by(one, origin) if one.kind in ("bets-returned", "round-voided") else one for one in entries]

    found = await verify(await rewritten(table.store, change), load_game=load_game)
    assert found.fault is not None
    assert should in found.fault.words


def _by(written: Written, origin: Origin) -> Written:
    line = read_line(written)
    asked = structs.replace(origin, request=line.origin.request, command=line.origin.command)
    return written._replace(body=encode_line(line.event, asked, line.command))


def test_who_did_it_in_words() -> None:
    names = ("pat", "1-2", "", "1-2", "terminal-1-2", "root", "")
    origins = [Origin(kind, by) for kind, by in zip(OriginKind, names, strict=True)]
    assert [str(one.words) for one in origins] == [
        "pat",
        "terminal 1-2",
        "the reading shoe",
        "the bill acceptor at 1-2",
        "device terminal-1-2",
        "root at the command line",
        "the program",
    ]
    assert str(Origin(OriginKind.COMMAND_LINE).words) == "somebody at the command line"
    assert len({one.sender for one in origins}) == len(origins)
    assert [one.person for one in origins] == ["pat", "", "", "", "", "", ""]


# What a seat holds.


async def test_what_a_seat_holds_is_told_without_an_amount() -> None:
    table = await in_play()
    assert table.state.holds(1) == ("credit", "bets")
    assert table.state.holds(9) == ()
    await table.do(round_commands.VoidRound, Who("sam", rank=Rank.SHIFT_MANAGER), why="a spill")
    assert table.state.holds(1) == ("credit",)
    await table.do(staff.HandPay, Who("cass"), seat=1, why="leaves")
    assert table.state.holds(1) == ()
    table.state.terminals[1].owed_cents = 5
    assert table.state.holds(1) == ("a debt",)

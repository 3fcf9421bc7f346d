"""What the program does and what people do are never confused, whatever a person is called."""

import pytest

from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import commands as round_commands
from natural9.core.staff import Rank
from natural9.games import load_game
from natural9.table.audit.recall import recall
from natural9.table.audit.verify import verify
from natural9.table.commands import staff
from natural9.table.commands.decide import Who
from natural9.table.live.answers import Accepted
from natural9.table.venue.file import ShoeSource
from tests.table.live import SUPERVISOR, LiveTable, asked, live_table, table_config

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

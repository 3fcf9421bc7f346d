"""Anything that a table accepts must pass: commands at random, with power cuts in between."""

from itertools import count
from random import Random
from typing import Any

import pytest

from natural9.core.cards import ALL_CARDS
from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import commands as round_commands
from natural9.core.round.reporting import allowed
from natural9.core.round.state import BETWEEN_ROUNDS, DEALING, Phase
from natural9.core.table_of_play import Hand
from natural9.games import game_ids, load_game
from natural9.store.memory import MemoryStore
from natural9.table.audit.verify import verify
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from natural9.table.commands.console import shoe_is_spent
from natural9.table.commands.decide import Who
from natural9.table.live.answers import Accepted
from natural9.table.venue.file import Mode, ShoeSource
from tests.table.live import (
    CASHIER,
    DEALER,
    SHIFT_MANAGER,
    SUPERVISOR,
    LiveTable,
    Shape,
    live_table,
    read,
    table_config,
    terminal,
)

Choice = tuple[Shape, Who, dict[str, Any]]


def onward(table: LiveTable, card: str | None) -> Choice:
    """What a dealer would do next."""
    now = table.state.round
    if now.phase in BETWEEN_ROUNDS:
        return (staff.LoadNewShoe if shoe_is_spent(table.state) else staff.StartRound), DEALER, {}
    if now.phase is Phase.BETTING_OPEN:
        return round_commands.CloseBetting, DEALER, {}
    if now.window:
        return (round_commands.CloseInsurance if now.window_open else round_commands.OpenInsurance), DEALER, {}
    if now.phase in DEALING:
        return round_commands.DealCard, DEALER, {"card": card and str(now.held[0] if now.held else card)}
    return (round_commands.Settle if now.declared else round_commands.DeclareResult), DEALER, {}


def at_random(random: Random, table: LiveTable) -> Choice:
    def any_of(*shapes: Shape) -> Shape:
        return random.choice(shapes)

    seat = random.randint(1, 4)
    wagers = list(table.config.limits.by_wager)
    number = table.state.round.number
    card = None if table.config.shoe is ShoeSource.SHUFFLER else str(random.choice(ALL_CARDS))
    pending = table.state.round.pending
    choices: list[Choice] = [
        (
            taps.Bet,
            terminal(seat),
            {"round": number, "wager": random.choice(wagers), "cents": 100 * random.randint(1, 9)},
        ),
        (taps.Bet, terminal(seat), {"round": number, "wager": wagers[0], "cents": 1_000}),
        (any_of(taps.Undo, taps.Clear, taps.Double, taps.ReBet), terminal(seat), {"round": number}),
        (taps.TakeBack, terminal(seat), {"round": number, "wager": wagers[0]}),
        (taps.Insure, terminal(seat), {"round": number, "hand": random.choice(list(Hand)), "cents": 100}),
        (any_of(taps.CashOut, staff.CreditTerminal, staff.HandPay), terminal(seat), {}),
        (
            any_of(staff.StartRound, round_commands.CloseBetting, staff.LoadNewShoe, round_commands.ReportCutCard),
            SUPERVISOR,
            {"why": "at random"},
        ),
        (any_of(round_commands.OpenInsurance, round_commands.CloseInsurance), DEALER, {}),
        (round_commands.WaiveInsurance, SHIFT_MANAGER, {"seat": seat}),
        (round_commands.TakeBackWaiver, SHIFT_MANAGER, {"why": "at random"}),
        (any_of(staff.SignOn, staff.SignOff), random.choice((DEALER, SUPERVISOR)), {}),
        *[(round_commands.DealCard, DEALER, {"card": card})] * 6,
        (round_commands.DealCard, DEALER, {"card": card, "put_at": random.choice(list(Hand))}),
        *[(any_of(round_commands.DeclareResult, round_commands.Settle), DEALER, {})] * 2,
    ]
    if random.random() < 0.1:
        cards = () if table.config.shoe is ShoeSource.SHUFFLER else tuple(map(str, random.sample(ALL_CARDS, 2)))
        other = str(random.choice(ALL_CARDS))
        choices = [
            (
                round_commands.ReportIrregularity,
                DEALER,
                {"kind": random.choice(list(Kind)), "cards": random.choice((cards, ()))},
            ),
            (round_commands.VoidRound, SHIFT_MANAGER, {"why": "at random"}),
            (
                round_commands.CorrectCard,
                SHIFT_MANAGER,
                {"place": random.randint(1, 4), "card": other, "why": "at random"},
            ),
        ]
    if pending:
        one = random.choice(pending)
        remedies = [remedy for remedy, _ in allowed(table.state.round, one).remedies]
        values = {"cards": tuple(map(str, one.cards)), "replace_shoe": random.random() < 0.5, "report": one.report}
        choices = [
            (
                round_commands.DecideIrregularity,
                SHIFT_MANAGER,
                {"remedy": random.choice(remedies or list(Remedy)), "why": "at random", **values},
            ),
            (round_commands.WithdrawReport, SHIFT_MANAGER, {"report": one.report, "why": "at random"}),
        ]
    elif table.state.round.phase is Phase.BETTING_OPEN and random.random() < 0.7:
        choices = choices[:4]
    elif random.random() < 0.5:
        return onward(table, card)
    shape, who, values = random.choice(choices)
    if shape in (staff.CreditTerminal, staff.HandPay):
        return shape, CASHIER, {"seat": seat, "cents": 500}
    return shape, who, values


@pytest.mark.parametrize("seed", range(12))
async def test_whatever_a_table_accepts_passes(seed: int) -> None:
    random = Random(seed)
    game = sorted(game_ids())[seed % 9]
    shoe = ShoeSource.SHUFFLER if seed % 2 else ShoeSource.READ
    config = table_config(game, shoe=shoe, mode=Mode.DEALER)
    store = MemoryStore()
    table = await live_table(config, store, random)
    await table.do(staff.OpenTable, SUPERVISOR)
    for seat in range(1, 5):
        await table.buy(seat, 1_000_000)
    await table.open()
    for step in range(350):
        shape, who, values = at_random(random, table)
        await table.ask(read(shape, request=f"s{step}", **values), who)
        if random.random() < 0.01:
            await table.crash()
            table = await live_table(config, store, random)
    found = await verify(store, load_game=load_game)
    assert found.fault is None, found.fault.words
    assert found.rounds > 5
    assert found.cards > 20
    assert found.seats_settled > 0


@pytest.mark.parametrize("shoe", list(ShoeSource))
async def test_a_table_that_changes_its_game_between_rounds(shoe: ShoeSource) -> None:
    """Also with a shoe of the old game loaded and waiting, and limits changed before."""
    store, numbers = MemoryStore(), count(1)

    async def do(shape: Shape, who: Who, **values: Any) -> None:
        answer = await table.ask(read(shape, request=f"g{next(numbers)}", **values), who)
        assert isinstance(answer, Accepted), answer

    for number, game in enumerate(("mbs-tiger", "rws-nc", "mbs-tiger"), start=1):
        table = await live_table(table_config(game, shoe=shoe), store)
        if number == 1:
            await do(staff.OpenTable, SUPERVISOR)
            await do(staff.CreditTerminal, CASHIER, seat=1, cents=10_000)
        await do(staff.LoadNewShoe, DEALER)
        await do(staff.StartRound, DEALER)
        await do(taps.Bet, terminal(1), round=number, wager="banker", cents=200)
        while table.state.in_play:
            shape, who, values = onward(table, None if shoe is ShoeSource.SHUFFLER else "4H")
            await do(shape, who, **values)
        await do(staff.ChangeLimits, SHIFT_MANAGER, table_max_cents=1_000_000 * (1 + number), why="-")
        await do(staff.LoadNewShoe, SUPERVISOR, why="for tomorrow")
        await table.stop()
    found = await verify(store, load_game=load_game)
    assert found.fault is None, found.fault.words
    assert (found.rounds, found.seats_settled) == (3, 3)

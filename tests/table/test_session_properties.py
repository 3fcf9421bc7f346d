"""Whatever players ask, pay in, cash out and set, whenever the power goes and whatever the clock says: no accepted bet
lets a session lose or stake more than its limits, a limit is never raised early, and the journal is the state."""

import asyncio
from collections import Counter
from dataclasses import replace
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from natural9.core.round import Refusal
from natural9.core.round import commands as round_commands
from natural9.core.round.state import Phase
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from natural9.table.commands.decide import Who
from natural9.table.commands.orders import Order
from natural9.table.live.answers import Accepted, Answer
from natural9.table.state.sessions import PlayerSession
from natural9.table.venue.protection import HOUR_MS, MINUTE_MS, PlayLimits, Protection
from natural9.table.venue.venue import ShoeSource
from tests.table.live import CASHIER, DEALER, SUPERVISOR, LiveTable, asked, live_table, picture, table_config, terminal

SEATS = (1, 2)
COOLING_MS = 2 * HOUR_MS
LIMITS = (None, 500, 1_000, 2_500, 6_000)


class Books:
    """What the test itself knows of a seat's session: money in and out, its limits, and since when each holds."""

    def __init__(self) -> None:
        self.money: Counter[str] = Counter()
        self.lowered: dict[str, int] = {}  # a limit that was set, and how long the table has worked since
        self.worked_ms = 0

    def lost_cents(self, table: LiveTable, seat: int) -> int:
        """If all that lies is lost."""
        return self.money["in"] - self.money["out"] - table.state.credit_cents(seat)


def _tap(table: LiveTable, chance: Random, seat: int) -> taps.Tap | Order:
    request, number = table.request(), table.round
    wager, cents = chance.choice(("banker", "player", "tie")), chance.choice((100, 300, 1_000, 2_000))
    match chance.randrange(14):
        case 0 | 1 | 2 | 3:
            return taps.Bet(request=request, round=number, wager=wager, cents=cents)
        case 4:
            return taps.Double(request=request, round=number)
        case 5:
            again = taps.ReBet(request=request, round=number)
            return chance.choice((again, taps.LayBets(request=request, round=number, bets={wager: cents, "tie": 100})))
        case 6:
            return taps.Undo(request=request, round=number)
        case 7:
            return taps.TakeBack(request=request, round=number, wager=wager)
        case 8:
            return taps.SetPlayLimits(
                request=request,
                time_min=chance.choice((None, 60, 600)),
                loss_cents=chance.choice(LIMITS),
                stake_cents=chance.choice(LIMITS),
            )
        case 9:
            return taps.ContinuePlay(request=request)
        case 10:
            return chance.choice((taps.TakeBreak(request=request, minutes=2), taps.EndSession(request=request)))
        case 11:
            return taps.CashOut(request=request)
        case _:
            return asked(staff.CreditTerminal, request=request, seat=seat, cents=chance.choice((500, 5_000)))


def _dealers(table: LiveTable) -> Order:
    now, request = table.state.round, table.request()
    if table.state.status != "open":
        return asked(staff.OpenTable, request=request)
    if now.phase in (Phase.NO_ROUND, Phase.SETTLED, Phase.VOID):
        spent = (now.shoe is None or now.cut_card_out) and not now.new_shoe
        return asked(staff.LoadNewShoe if spent else staff.StartRound, request=request)
    if now.phase is Phase.BETTING_OPEN:
        return asked(round_commands.CloseBetting, request=request)
    if now.phase is Phase.COMPLETE:
        return asked(round_commands.Settle if now.declared else round_commands.DeclareResult, request=request)
    return asked(round_commands.DealCard, request=request)


async def _player(table: LiveTable, chance: Random, books: dict[int, Books]) -> None:
    seat = chance.choice(SEATS)
    mine, tap = books[seat], _tap(table, chance, seat)
    who: Who = CASHIER if isinstance(tap, Order) else terminal(seat)
    session, credit = table.state.terminal(seat).session, table.state.credit_cents(seat)
    before, lay = picture(table.state), table.state.round.seats[seat].staked_cents
    limits = (session.loss_cents, session.stake_cents) if session else (None, None)
    answer: Answer = await table.ask(tap, who)
    if isinstance(answer, Refusal):
        assert picture(table.state) == before, tap
        return
    assert isinstance(answer, Accepted)
    now = table.state.terminal(seat).session
    if isinstance(tap, Order):
        mine.money["in"] += table.state.credit_cents(seat) - credit
    elif isinstance(tap, taps.CashOut):
        mine.money["out"] += credit
    elif isinstance(tap, taps.BetTap) and (staked := table.state.round.seats[seat].staked_cents) > lay:
        assert limits[0] is None or mine.lost_cents(table, seat) <= limits[0], (tap, limits)
        assert limits[1] is None or staked <= limits[1], (tap, limits)
    elif isinstance(tap, taps.SetPlayLimits) and now is not None:
        for name, was, holds in zip(("loss", "stake"), limits, (now.loss_cents, now.stake_cents), strict=True):
            is_higher = was is not None and (holds is None or holds > was)
            assert not is_higher or mine.worked_ms - mine.lowered.get(name, -COOLING_MS) >= COOLING_MS, (tap, name)
            if holds != was:
                mine.lowered[name] = mine.worked_ms
    if now is None or (session and now.number != session.number):
        books[seat] = Books()
        books[seat].money["in"] = table.state.credit_cents(seat)


def lasting(table: LiveTable) -> list[PlayerSession | None]:
    """The sessions, without what a table that comes back may find due at once."""
    sessions = [table.state.terminal(seat).session for seat in SEATS]
    return [one and replace(one, waits_for="", is_watched=False) for one in sessions]


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_no_accepted_bet_breaks_a_limit(seed: int) -> None:
    async def story() -> None:
        chance = Random(seed)
        protection = Protection(
            check_ms=30 * MINUTE_MS,
            cooling_off_ms=COOLING_MS,
            default=PlayLimits(loss_cents=chance.choice(LIMITS)),
            most=PlayLimits(stake_cents=chance.choice((None, 6_000))),
        )
        table = await live_table(table_config("mbs-nc", shoe=ShoeSource.SHUFFLER, protection=protection), chance=chance)
        books = {seat: Books() for seat in SEATS}
        for _ in range(150):
            roll = chance.random()
            if roll < 0.65:
                await _player(table, chance, books)
            elif roll < 0.85:
                await table.ask(_dealers(table), SUPERVISOR if table.state.status == "closed" else DEALER)
            elif roll < 0.93:
                passed = chance.choice((1_000, MINUTE_MS, 20 * MINUTE_MS, COOLING_MS // 2))
                await table.pass_ms(passed)
                for mine in books.values():
                    mine.worked_ms += passed
            elif roll < 0.97:
                table.set_wall(chance.choice((-1, 1)) * chance.choice((HOUR_MS, 48 * HOUR_MS)))
            else:
                kept = lasting(table)
                await table.crash()
                table = await table.again(seen_ms=table.clock.play_ms())
                assert lasting(table) == kept
            for seat in SEATS:
                if table.state.terminal(seat).session is None:  # it has ended by itself
                    books[seat] = Books()
        await table.check_history()

    asyncio.run(asyncio.wait_for(story(), 60))

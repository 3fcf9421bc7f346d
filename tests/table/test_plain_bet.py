"""The bet that is seen at a glance: it is laid where `decide` would lay it, and nowhere else."""

import asyncio
from copy import copy
from dataclasses import replace
from itertools import product

import pytest

from natural9.core.irregularities import Kind
from natural9.core.round import commands as round_commands
from natural9.core.round.events import BetPlaced
from natural9.core.round.state import Limit, Pending, Phase
from natural9.core.saying import say
from natural9.journal.card_events import PlayerPlay
from natural9.store.contract import Written
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from natural9.table.commands.decide import Facts, decide
from natural9.table.live.answers import MOST_TAPS, Accepted, Answers
from natural9.table.live.plain_bets import PlainBets
from natural9.table.state.player_cards import PlayerCard
from natural9.table.state.seat_view import SeatView
from natural9.table.state.sessions import PlayerSession
from natural9.table.state.state import Status, TableState
from natural9.table.state.visits import SeatPlace
from tests.table.live import DEALER, SUPERVISOR, live_table, table_config, terminal

SEATS, CREDIT = 3, 5_000


async def betting(game: str) -> TableState:
    """Seats 1 and 2 have credit, and 300 lies on Banker at the first."""
    config = table_config(game)
    limits = {wager: Limit(200, 2_000) for wager in config.limits.by_wager}
    table = await live_table(replace(config, seats=SEATS, limits=replace(config.limits, by_wager=limits)))
    for seat in (1, 2):
        await table.buy(seat, CREDIT)
    await table.open()
    await table.bet(1, "banker", 300)
    table.state.terminal(SEATS + 1).credit_cents = CREDIT  # a seat that this table does not have any more
    return table.state


STATES = {game: asyncio.run(betting(game)) for game in ("rws-nc", "rws-nc-insurance")}


def session(*, loss_cents: int | None = None, waits_for: str = "") -> PlayerSession:
    one = PlayerSession(
        number=1,
        owner="",
        started_ms=0,
        check_ms=0,
        idle_ms=0,
        in_cents=CREDIT,
        checked_ms=0,
        time_ms=None,
        loss_cents=loss_cents,
        stake_cents=None,
        waits_for=waits_for,
    )
    one.watch()
    return one


def stands_otherwise(state: TableState, how: str) -> None:
    """One thing that may be against a bet, or not."""
    at_seat, now = state.terminal(1), state.round
    match how:
        case "phase":
            state.round = now._replace(phase=Phase.BETS_CLOSED)
        case "pending":
            state.round = now._replace(pending=(Pending(1, Kind.NOT_COVERED),))
        case "boxes":
            state.round = now._replace(boxes=1)
        case "no boxes":
            state.round = now._replace(boxes=None)
        case "offered":
            state.round = now._replace(offered=("banker",))
        case "no limit":
            state.round = now._replace(limits={})
        case "locked":
            at_seat.locked = "a door"
        case "fault":
            state.faults = {"printer": say("no paper")}
        case "closed":
            state.status = Status.CLOSED
        case "seat's maximum":
            state.limits = replace(state.limits, seat_max_cents=1_000)
        case "seat's minimum":
            state.limits = replace(state.limits, seat_min_cents=1_000)
        case "table's maximum":
            state.limits = replace(state.limits, table_max_cents=1_000)
        case "session":
            at_seat.session = session()
        case "loss limit":
            at_seat.session = session(loss_cents=700)
        case "pause":
            at_seat.session = session(waits_for="check")
        case "card" | "barred":
            at_seat.card = PlayerCard(
                player="10001", play=PlayerPlay(), points_per_100=0, counts_from=1, is_barred=how == "barred"
            )
        case "taken back":
            withdrawn = now.seats[1]._replace(withdrawn={"tie": 200})
            state.round = now._replace(seats=now.seats.with_seat(1, withdrawn))
        case "visitor":
            at_seat.home = SeatPlace("2", 7)
        case _:
            assert how == "nothing"


WAYS = (
    *("card", "barred"),
    *(
        "phase",
        "pending",
        "boxes",
        "no boxes",
        "offered",
        "no limit",
        "locked",
        "fault",
        "closed",
        "session",
        "loss limit",
    ),
    *("pause", "seat's maximum", "seat's minimum", "table's maximum", "taken back", "visitor", "nothing"),
)
AT_SEAT_1 = {"locked", "barred", "loss limit", "pause", "taken back", "visitor"}  # the others lay theirs
# Though it may be laid.
CLOSER_LOOK = {
    *("no limit", "loss limit", "seat's maximum", "seat's minimum", "table's maximum", "taken back", "visitor")
}


ASKED = tuple(
    product(
        range(SEATS + 2),
        ("banker", "player", "tie", "lucky"),
        (100, 150, 200, 250, 700, 1_700, 1_800, 2_000, 2_100, 4_900),
        (0, 1, 2),  # the round
    )
)


def lays(state: TableState, seat: int, tap: taps.Bet) -> bool:
    """Whether it is laid at a glance, at a table that stays as it is."""
    there = replace(state, laid={}, terminals={seat: copy(one) for seat, one in state.terminals.items()})
    betting = PlainBets.at(there, Answers())
    return betting is not None and betting.lay(tap, seat, terminal(seat).sender, 1, 0, "") is not None


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize("game", STATES)
def test_a_bet_at_a_glance_is_the_one_that_is_decided(game: str, how: str) -> None:
    state = replace(STATES[game], terminals={seat: replace(one) for seat, one in STATES[game].terminals.items()})
    stands_otherwise(state, how)
    many = 0
    for seat, wager, cents, number in ASKED:
        tap = taps.Bet(request="r", round=number, wager=wager, cents=cents)
        decided = decide(state, tap, terminal(seat), Facts(at_ms=0))
        if lays(state, seat, tap):
            assert decided == [BetPlaced(seat=seat, wager=wager, cents=cents)]
            many += 1
        elif isinstance(decided, list):
            assert how in CLOSER_LOOK, (seat, wager, cents)
    assert bool(many) == (how in ("nothing", "session", "card", "boxes", "no boxes", "offered") or how in AT_SEAT_1)


async def played() -> tuple[list[Written], list[SeatView], TableState]:
    """Bets among all else that seats and staff ask, over two rounds, in one batch where they can be."""
    table = await live_table(replace(table_config("rws-nc"), seats=SEATS))
    for seat in (1, 2, 3):
        await table.buy(seat, CREDIT)
    for cards in ("9H 8D 10S KC", "7H KD 2S 8C"):
        await table.open()
        for place, (seat, wager, cents) in enumerate(product((1, 2, 1, 3), ("banker", "tie"), (100, 150, 200))):
            tap = taps.Bet(request=f"{table.round}-{place}", round=table.round, wager=wager, cents=cents)
            table.writer.ask_for_terminal(tap, terminal(seat))
        undo = taps.Undo(request=f"{table.round}-undo", round=table.round)
        table.writer.ask_for_terminal(undo, terminal(1))
        await table.settle_down()
        await table.do(staff.LockTerminal, SUPERVISOR, seat=2, why="a spilt drink")
        await table.refused(taps.Bet, terminal(2), round=table.round, wager="player", cents=100)
        await table.bet(1, "player", 100)
        await table.do(staff.UnlockTerminal, SUPERVISOR, seat=2)
        await table.bet(2, "player", 100)
        await table.do(round_commands.CloseBetting, DEALER)
        await table.refused(taps.Bet, terminal(1), round=table.round, wager="player", cents=100)
        await table.finish(cards)
        await table.check_history()
    seen = [view for _, _, view in table.ears.answers if view]
    return await table.store.entries(limit=1_000), seen, table.state


async def test_a_plain_bet_is_recorded_as_any_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """The short way from a tap to its entry leaves the same journal, views and state behind as the long one."""
    short = await played()
    monkeypatch.setattr(PlainBets, "at", lambda state, answers: None)
    assert await played() == short
    assert len([entry for entry in short[0] if entry.kind == "bet-placed"]) > 30


def answered(state: TableState, *, told: int = 0) -> tuple[PlainBets, Answers]:
    answers = Answers()
    for place in range(told):
        answers.of(terminal(1).sender)[f"t{place}"] = (b"", Accepted(place))
    betting = PlainBets.at(state, answers)
    assert betting
    return betting, answers


def fresh() -> TableState:
    state = STATES["rws-nc"]
    return replace(state, laid={}, terminals={seat: copy(one) for seat, one in state.terminals.items()})


def bet(request: str, cents: int = 200) -> taps.Bet:
    return taps.Bet(request=request, round=1, wager="tie", cents=cents)


def test_a_request_that_was_answered_takes_a_closer_look() -> None:
    """In this round, in the one before, and where a seat has asked so often that nothing more is remembered."""
    sender = terminal(1).sender
    betting, _ = answered(fresh())
    assert betting.lay(bet("a"), 1, sender, 1, 0, "")
    assert not betting.lay(bet("a"), 1, sender, 2, 0, "")
    state = fresh()
    _, answers = answered(state, told=1)
    answers.next_round()
    later = PlainBets.at(state, answers)
    assert later
    assert not later.lay(bet("t0"), 1, sender, 1, 0, "")
    assert later.lay(bet("t1"), 1, sender, 1, 0, "")
    full, _ = answered(fresh(), told=MOST_TAPS)
    assert not full.lay(bet("a"), 1, sender, 1, 0, "")


def test_the_round_is_told_of_all_bets_at_once_and_views_of_before_do_not_change() -> None:
    state = fresh()
    before = state.round.seats[1].bets
    betting, _ = answered(state)
    for place, cents in enumerate((200, 300, 100)):
        assert betting.lay(bet(f"a{place}", cents), 1, terminal(1).sender, 1, 0, "")
    assert betting.finish() == [1]
    then = state.round.seats[1].bets
    assert (before, then) == ({"banker": 300}, {"banker": 300, "tie": 600})
    assert state.round.staked_cents == 900
    assert betting.finish() == []
    assert betting.lay(bet("b"), 1, terminal(1).sender, 1, 0, "")
    betting.finish()
    assert (then["tie"], state.round.seats[1].bets["tie"]) == (600, 800)

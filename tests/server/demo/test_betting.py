"""What bots bet: never over a limit or their credit, whatever the table's limits and the chance."""

from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from natural9.core.round.state import Limit, Phase
from natural9.core.table_of_play import Hand
from natural9.server.demo.betting import Move, in_this_round, is_broke, plan_insurance, plan_round
from natural9.table.state.seat_view import SeatView, one_seat_sees
from natural9.table.state.state import TableState
from natural9.table.state.view import TableView, everybody_sees
from natural9.table.venue.limits import TableLimits
from tests.table.live import table_config

WAGERS = ("player", "banker", "tie", "player-pair", "banker-pair")


def seen(game: str = "rws-nc", **changes: Any) -> tuple[TableView, SeatView]:
    state = TableState.new(table_config(game))
    return changed(everybody_sees(state), phase=Phase.BETTING_OPEN, round=7, **changes), one_seat_sees(state, 2)


def changed(view: Any, **changes: Any) -> Any:
    return type(view)(**{name: changes.get(name, getattr(view, name)) for name in view.__struct_fields__})


@st.composite
def tables(draw: st.DrawFn) -> TableView:
    """A table under any limits that a venue file may give it."""
    unit = draw(st.sampled_from((20, 50, 100, 500)))
    units = st.integers(1, 200)
    limits = {}
    for wager in WAGERS:
        least = draw(units)
        limits[wager] = Limit(least * unit, (least + draw(st.integers(0, 400))) * unit)
    floor = max(limit.min_cents for limit in limits.values())
    seat_min = draw(st.none() | st.integers(0, 300)) or 0
    seat_max = draw(st.none() | st.integers(max(floor // unit, seat_min), 2000))
    table_max = draw(st.none() | st.integers(max(floor // unit, seat_min), 3000))
    of_the_table = TableLimits(
        betting_unit_cents=unit,
        by_wager=limits,
        seat_min_cents=seat_min * unit,
        seat_max_cents=seat_max and seat_max * unit,
        table_max_cents=table_max and table_max * unit,
    )
    view, _ = seen(
        betting_unit_cents=unit,
        limits=of_the_table.by_wager,
        seat_min_cents=of_the_table.seat_min_cents,
        seat_max_cents=of_the_table.seat_max_cents,
        table_max_cents=of_the_table.table_max_cents,
        laid=draw(st.just({}) | st.builds(lambda cents: {"tie": cents * unit}, st.integers(0, 1000))),
    )
    return view


class Spots:
    """The table's own rules of laying bets, written once more: what a move leads to, and that it may."""

    def __init__(self, view: TableView, you: SeatView) -> None:
        self.view, self.credit, self.last = view, you.credit_cents, you.last_bets
        self.bets: dict[str, int] = {}
        self.before: list[dict[str, int]] = []

    def make(self, move: Move) -> None:
        after = dict(self.bets)
        if move.what == "undo":
            assert self.before, "there is nothing to undo"
            after = self.before.pop()
        else:
            self.before.append(self.bets)
            more = {"bet": {move.wager: move.cents}, "double": self.bets, "re-bet": self.last}[move.what]
            assert more, "nothing would be laid"
            assert move.what != "re-bet" or not self.bets
            for wager, cents in more.items():
                assert cents > 0
                assert cents % self.view.betting_unit_cents == 0
                after[wager] = after.get(wager, 0) + cents
        self.bets = after
        self.check()

    def check(self) -> None:
        staked = sum(self.bets.values())
        assert staked <= self.credit
        for wager, cents in self.bets.items():
            least, most = self.view.limits[wager]
            assert least <= cents <= most
        assert not self.bets or staked >= self.view.seat_min_cents
        assert self.view.seat_max_cents is None or staked <= self.view.seat_max_cents
        laid = sum(self.view.laid.values())
        assert self.view.table_max_cents is None or not staked or laid + staked <= self.view.table_max_cents


@given(
    view=tables(),
    credit=st.integers(0, 1_000_000),
    last=st.dictionaries(st.sampled_from((*WAGERS, "gone-wager")), st.integers(1, 500).map(lambda n: n * 100)),
    seed=st.integers(),
)
def test_every_move_of_a_plan_is_within_limits_and_credit(
    view: TableView, credit: int, last: dict[str, int], seed: int
) -> None:
    unit = view.betting_unit_cents
    last = {wager: cents // unit * unit or unit for wager, cents in last.items()}
    _, you = seen()
    you = changed(you, credit_cents=credit, round=7, last_bets=last)
    spots = Spots(view, you)
    moves = plan_round(Random(seed), view, you)
    assert [move.when for move in moves] == sorted(move.when for move in moves)
    for move in moves:
        assert 0 < move.when < 1
        spots.make(move)


def test_bots_mostly_bet_the_main_wagers_and_sometimes_everything_else() -> None:
    view, you = seen()
    you = changed(you, credit_cents=100_000, round=7, last_bets={"banker": 500})
    moves = [move for seed in range(2000) for move in plan_round(Random(seed), view, you)]
    laid = [move.wager for move in moves if move.what == "bet"]
    main = sum(wager in ("player", "banker") for wager in laid)
    assert 0.7 < main / len(laid) < 0.95
    assert set(laid) == set(view.limits)
    assert {move.what for move in moves} == {"bet", "undo", "double", "re-bet"}
    assert plan_round(Random(5), view, you) == plan_round(Random(5), view, you)


def test_a_seat_with_bets_plans_nothing_more_in_that_round() -> None:
    view, you = seen()
    you = changed(you, credit_cents=100_000, round=7, bets={"tie": 500})
    assert not any(plan_round(Random(seed), view, you) for seed in range(50))
    of_the_next = in_this_round(you, 8)
    assert any(plan_round(Random(seed), view, of_the_next) for seed in range(50))


@given(seed=st.integers(), credit=st.integers(0, 50_000), most=st.integers(1, 300).map(lambda n: n * 100))
def test_insurance_stays_within_what_may_be_insured(seed: int, credit: int, most: int) -> None:
    view, you = seen("rws-nc-insurance", window_open=True)
    you = changed(you, credit_cents=credit, may_insure={Hand.BANKER: most})
    taken = plan_insurance(Random(seed), view, you)
    if taken:
        assert taken[0] is Hand.BANKER
        assert 0 < taken[1] <= min(most, credit)
        assert taken[1] % view.betting_unit_cents == 0


def test_insurance_is_taken_now_and_then() -> None:
    view, you = seen("rws-nc-insurance", window_open=True)
    you = changed(you, credit_cents=100_000, may_insure={Hand.PLAYER: 4000})
    taken = [plan_insurance(Random(seed), view, you) for seed in range(400)]
    assert 100 < sum(one is not None for one in taken) < 300
    assert plan_insurance(Random(1), view, changed(you, may_insure={})) is None


def test_broke_is_less_than_the_least_main_bet() -> None:
    view, you = seen()
    assert is_broke(view, changed(you, credit_cents=99))
    assert not is_broke(view, changed(you, credit_cents=100))
    assert is_broke(changed(view, seat_min_cents=500), changed(you, credit_cents=499))

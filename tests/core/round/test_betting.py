"""Opening a round, bets while it is open, and the close."""

import pytest

from natural9.core.cards import Card
from natural9.core.round import Refusal, RoundState, commands, decide, events, what_next
from natural9.core.round.refusal import Code
from natural9.core.round.seats import MAX_SEAT
from natural9.core.round.state import Limit, Phase
from natural9.core.saying import name_of
from natural9.core.table_of_play import Hand
from natural9.games import game_ids, load_game
from tests.core.round.table import NATURAL, PIT_SUPERVISOR, Table, of, signed

rule = pytest.mark.rule

BET_COMMANDS = (commands.PlaceBet, commands.IncreaseBet, commands.TakeBackBet, commands.ClearBets)


@rule("rws-nc 3.3", "rws-nc-insurance 3.1", "rws-nc-super-six-plus 3.1", "mbs 3.1")
@pytest.mark.parametrize("game", game_ids())
def test_bets_are_taken_from_the_opening_on(game: str) -> None:
    table = Table(game)
    opens = load_game(game).document.procedure.opens
    early = table.refused(commands.PlaceBet(seat=1, wager="tie", cents=500))
    assert (early.code, early.paragraph) == (Code.BETTING_NOT_OPEN, opens)
    [opened] = of(events.BettingOpened, table.do(commands.OpenBetting(round=1, betting_unit_cents=100)))
    assert (opened.paragraph, opened.game, opened.rules_sha256) == (opens, game, load_game(game).sha256)
    assert set(BET_COMMANDS) <= set(what_next(table.state).commands)
    table.do(commands.PlaceBet(seat=1, wager="tie", cents=500))
    assert table.state.seats[1].bets == {"tie": 500}


@rule("rws-nc 3.7", "rws-nc-insurance 3.2", "rws-nc-super-six-plus 3.2", "mbs 3.2")
@pytest.mark.parametrize("game", game_ids())
def test_no_bet_is_taken_after_the_close(game: str) -> None:
    table = Table(game)
    table.open()
    [closed] = of(events.BettingClosed, table.do(commands.CloseBetting()))
    procedure = load_game(game).document.procedure
    assert (closed.paragraph, closed.staked_cents) == (procedure.closes, table.state.staked_cents)
    late = table.refused(commands.PlaceBet(seat=1, wager="banker", cents=2500))
    assert (late.code, late.paragraph) == (Code.NO_MORE_BETS, procedure.late_bet)
    assert late.message == "No more bets: betting on round 1 closed; your 25.00 on Banker was not registered"
    for command in (commands.TakeBackBet(seat=1, wager="player"), commands.ClearBets(seat=1)):
        withdrawn = table.refused(command)
        assert (withdrawn.code, withdrawn.paragraph) == (Code.NO_MORE_BETS, procedure.withdrawn_bet)
    assert not set(BET_COMMANDS) & set(what_next(table.state).commands)


@rule("rws-nc 3.5", "rws-nc 3.6", "rws-nc-insurance 3.3", "rws-nc-super-six-plus 3.3", "mbs 3.5")
@pytest.mark.parametrize("game", game_ids())
def test_any_one_or_more_of_the_wagers_may_be_bet(game: str) -> None:
    """Each alone, without a bet on Player or Banker, and all together; what the layout does not show is refused."""
    wagers = [wager.id for wager in load_game(game).wagers]
    table = Table(game)
    table.open({seat: {wager: 500} for seat, wager in enumerate(wagers, 1)})
    for wager in wagers:
        table.try_to(commands.PlaceBet(seat=20, wager=wager, cents=500))
    assert set(table.state.seats[20].bets) == set(wagers)
    refusal = table.refused(commands.PlaceBet(seat=1, wager="lucky-seven", cents=500))
    assert (refusal.code, refusal.paragraph) == (
        Code.WAGER_NOT_OFFERED,
        load_game(game).document.procedure.choice_of_wagers,
    )


@rule("mbs 4.5", "mbs 4.6", "mbs 4.9", "mbs 4.10")
@pytest.mark.parametrize("game", ["mbs-fortune-six-nc", "mbs-super-6-nc", "mbs-tiger", "mbs-tiger-nc"])
def test_optional_wagers_are_switched_before_a_shoe(game: str) -> None:
    optional = {wager.id for wager in load_game(game).wagers if wager.optional}
    assert optional
    table = Table(game, optional=frozenset())
    table.open()
    for wager in optional:
        assert table.refused(commands.PlaceBet(seat=1, wager=wager, cents=500)).code is Code.WAGER_NOT_OFFERED
    assert table.refused(commands.LoadShoe(shoe=2, decks=8)).code is Code.ROUND_OPEN
    table.deal(NATURAL)
    table.finish()
    strange = table.refused(commands.LoadShoe(shoe=2, decks=8, optional=frozenset({"player"})))
    assert strange.code is Code.BAD_TERMS
    table.do(signed(commands.LoadShoe(shoe=2, decks=8, optional=frozenset(optional)), by=PIT_SUPERVISOR, why="torn"))
    table.open({1: dict.fromkeys(optional, 500)})
    assert set(table.state.seats[1].bets) == optional


@rule("rws-nc-insurance 2.1.2")
@pytest.mark.parametrize("boxes", [layout.boxes for layout in load_game("rws-nc-insurance").layouts])
def test_no_more_seats_than_the_layout_has_boxes(boxes: int) -> None:
    table = Table("rws-nc-insurance")
    table.do(commands.OpenBetting(round=1, betting_unit_cents=100, boxes=boxes))
    table.do(commands.PlaceBet(seat=boxes, wager="tie", cents=500))
    for seat in (0, -1, boxes + 1):
        refusal = table.refused(commands.PlaceBet(seat=seat, wager="tie", cents=500))
        assert refusal.code is Code.BAD_SEAT
        assert f"1 to {boxes}" in refusal.message


def test_an_electronic_table_has_as_many_seats_as_terminals() -> None:
    table = Table("mbs-nc")
    table.open({MAX_SEAT: {"tie": 500}})
    assert table.refused(commands.PlaceBet(seat=MAX_SEAT + 1, wager="tie", cents=500)).code is Code.BAD_SEAT
    for boxes in (0, -1, MAX_SEAT + 1):
        other = Table("mbs-nc")
        assert other.refused(commands.OpenBetting(round=1, betting_unit_cents=100, boxes=boxes)).code is Code.BAD_TERMS


@rule("rws-nc 3.4", "mbs 2.2")
@pytest.mark.parametrize("game", game_ids())
def test_limits_hold_for_the_whole_bet(game: str) -> None:
    table = Table(game)
    limits = {wager.id: Limit(500, 20_000) for wager in load_game(game).wagers}
    table.do(commands.OpenBetting(round=1, betting_unit_cents=100, limits=limits))
    paragraph = load_game(game).document.procedure.limits
    for stake in (400, 20_100):
        refusal = table.refused(commands.PlaceBet(seat=1, wager="tie", cents=stake))
        assert (refusal.code, refusal.paragraph) == (Code.OUTSIDE_LIMITS, paragraph)
        assert "5.00 to 200.00" in refusal.message
    table.do(commands.PlaceBet(seat=1, wager="tie", cents=500))
    assert table.refused(commands.IncreaseBet(seat=1, wager="tie", cents=19_600)).code is Code.OUTSIDE_LIMITS
    table.do(commands.IncreaseBet(seat=1, wager="tie", cents=19_500))
    assert table.refused(commands.TakeBackBet(seat=1, wager="tie", cents=19_600)).code is Code.OUTSIDE_LIMITS
    table.do(commands.TakeBackBet(seat=1, wager="tie", cents=19_500))
    table.do(commands.TakeBackBet(seat=1, wager="tie"))  # nothing at all is no bet, whatever the least bet is
    assert table.state.seats[1].bets == {}


def test_without_any_limits_a_bet_has_none() -> None:
    table = Table("mbs-nc")
    table.do(commands.OpenBetting(round=1, betting_unit_cents=100))
    table.do(commands.PlaceBet(seat=1, wager="banker", cents=90_000_000))


@rule("rws-nc 3.4", "mbs 2.2")
@pytest.mark.parametrize("game", game_ids())
def test_where_wagers_have_limits_each_on_offer_has(game: str) -> None:
    """Or a bet on the one without would be unlimited: no round opens so."""
    table = Table(game)
    *limited, without = [wager.id for wager in load_game(game).wagers]
    limits = dict.fromkeys(limited, Limit(500, 20_000))
    refusal = table.refused(commands.OpenBetting(round=1, betting_unit_cents=100, limits=limits))
    assert (refusal.code, refusal.paragraph) == (Code.BAD_TERMS, load_game(game).document.procedure.limits)
    assert f"There are no limits on {name_of(without)}" in refusal.message
    table.do(commands.OpenBetting(round=1, betting_unit_cents=100, limits={**limits, without: Limit(500, 600)}))


@pytest.mark.parametrize(
    "limits",
    [{"tie": Limit(500, 400)}, {"tie": Limit(0, 400)}, {"tie": Limit(150, 400)}, {"no-such": Limit(100, 400)}],
)
def test_limits_that_make_no_sense_are_refused(limits: dict[str, Limit]) -> None:
    refusal = Table("mbs-nc").refused(commands.OpenBetting(round=1, betting_unit_cents=100, limits=limits))
    assert refusal.code is Code.BAD_TERMS


@pytest.mark.parametrize(
    ("game", "unit"), [("mbs-nc", 1), ("mbs-tiger", 10), ("mbs-tiger", 2), ("rws-nc-insurance", 1), ("rws-nc", 0)]
)
def test_a_unit_that_would_pay_a_fraction_of_a_cent_opens_no_table(game: str, unit: int) -> None:
    refusal = Table(game).refused(commands.OpenBetting(round=1, betting_unit_cents=unit))
    assert refusal.code is Code.BAD_TERMS
    assert "cent" in refusal.message or "nothing" in refusal.message


@pytest.mark.parametrize("stake", [0, -100, 150, 10**13, 1.5, True, None])
def test_what_is_not_a_stake_is_refused(stake: int) -> None:
    table = Table("mbs-nc")
    table.open()
    for command in (
        commands.PlaceBet(seat=3, wager="tie", cents=stake),
        commands.IncreaseBet(seat=1, wager="tie", cents=stake),
    ):
        assert table.refused(command).code is Code.BAD_STAKE
    if stake is not None:
        taken = commands.TakeBackBet(seat=1, wager="tie", cents=stake)
        assert table.refused(taken).code is Code.BAD_STAKE


def test_place_increase_take_back_clear() -> None:
    table = Table("mbs-nc")
    table.open({})
    assert table.refused(commands.IncreaseBet(seat=1, wager="tie", cents=500)).code is Code.NO_SUCH_BET
    assert table.refused(commands.TakeBackBet(seat=1, wager="tie")).code is Code.NO_SUCH_BET
    assert table.refused(commands.ClearBets(seat=1)).code is Code.NO_SUCH_BET
    table.do(commands.PlaceBet(seat=1, wager="tie", cents=500))
    exists = table.refused(commands.PlaceBet(seat=1, wager="tie", cents=500))
    assert exists.code is Code.BET_EXISTS
    assert "increase" in exists.message
    table.do(commands.IncreaseBet(seat=1, wager="tie", cents=1000))
    table.do(commands.TakeBackBet(seat=1, wager="tie", cents=300))
    table.do(commands.PlaceBet(seat=1, wager="banker", cents=2500))
    assert table.refused(commands.TakeBackBet(seat=1, wager="tie", cents=1300)).code is Code.BAD_STAKE
    assert table.state.seats[1].bets == {"tie": 1200, "banker": 2500}
    assert table.state.staked_cents == 3700
    [cleared] = of(events.BetsCleared, table.do(commands.ClearBets(seat=1)))
    assert cleared.cents == 3700
    assert table.state.staked_cents == 0
    for seat in (-1, 0, MAX_SEAT + 5):
        assert table.refused(commands.ClearBets(seat=seat)).code is Code.NO_SUCH_BET
        assert table.refused(commands.TakeBackBet(seat=seat, wager="tie")).code is Code.NO_SUCH_BET


def test_seats_do_not_touch_each_other() -> None:
    table = Table("mbs-nc")
    table.open({1: {"tie": 500}, 33: {"tie": 700}, 1025: {"tie": 900}})
    before = table.state
    table.do(commands.ClearBets(seat=33))
    assert {number: dict(seat.bets) for number, seat in table.state.seats.items()} == {
        1: {"tie": 500},
        1025: {"tie": 900},
    }
    assert before.seats[33].bets == {"tie": 700}, "the state of before is still what it was"


@rule("rws-nc 2.2.1", "rws-nc-insurance 2.2.1", "rws-nc-super-six-plus 2.2.1", "mbs 2.1")
@pytest.mark.parametrize("game", game_ids())
def test_no_shoe_of_too_few_or_too_many_decks(game: str) -> None:
    decks = load_game(game).decks
    table = Table(game, decks=decks.min)
    table.do(commands.LoadShoe(shoe=2, decks=decks.max))
    for number in (0, decks.min - 1, decks.max + 1):
        refusal = table.refused(commands.LoadShoe(shoe=3, decks=number))
        assert (refusal.code, refusal.paragraph) == (Code.BAD_TERMS, decks.paragraph)
    assert table.refused(commands.LoadShoe(shoe=2, decks=decks.max)).code is Code.BAD_TERMS


def test_rounds_are_numbered_upwards() -> None:
    table = Table("mbs-nc")
    table.play(NATURAL)
    assert table.refused(commands.OpenBetting(round=1, betting_unit_cents=100)).code is Code.BAD_ROUND_NUMBER
    table.do(commands.OpenBetting(round=7, betting_unit_cents=100))
    assert table.refused(commands.OpenBetting(round=8, betting_unit_cents=100)).code is Code.ROUND_OPEN
    assert (table.state.number, table.state.phase) == (7, Phase.BETTING_OPEN)
    early = commands.DealCard(card=Card("A", "S"), put_at=Hand.PLAYER)
    assert table.refused(early).code is Code.BETTING_STILL_OPEN


def test_no_round_opens_without_a_shoe_and_the_refusal_says_so() -> None:
    refusal = decide(RoundState(load_game("mbs-nc")), commands.OpenBetting(round=1, betting_unit_cents=100))
    assert isinstance(refusal, Refusal)
    assert (refusal.code, str(refusal)) == (Code.NO_SHOE, "There is no shoe at the table: load one first")

"""Settlement: the books balance to the cent, and every line says by which paragraph."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from natural9.core.cards import Rank
from natural9.core.errors import BadInput
from natural9.core.game import Game
from natural9.core.insurance import Window
from natural9.core.money import MAX_CENTS, Odds
from natural9.core.outcome import Outcome, reachable_outcomes
from natural9.core.settlement import InsuranceLine, InsuranceStake, Line, Settlement, settle_bet, settle_round
from natural9.core.table_of_play import Hand
from natural9.core.wagers import PayRow, Result, Wager
from natural9.games import game_ids, load_game
from natural9.games.loader import paragraphs, register
from tests.core.test_deals import rank_deals

rule = pytest.mark.rule

CITATIONS = set(paragraphs()) | {f"interpretation {entry.id}" for entry in register()}


@st.composite
def rounds(draw: st.DrawFn) -> tuple[Game, tuple[Rank, ...], dict[str, int], list[InsuranceStake]]:
    """One seat's bets on one round of some game, in units that every odds can pay, with what insurance they allow."""
    game, ranks = load_game(draw(st.sampled_from(game_ids()))), draw(rank_deals())
    stakes = st.integers(1, 100_000).map(lambda units: units * 20)
    bets = draw(st.dictionaries(st.sampled_from(list(game.wagers_by_id)), stakes))
    taken = []
    for window, hand in product(Window, Hand):
        row = game.insurance.offer(window, ranks, hand) if game.insurance else None
        # Half of the cap for each window.
        most = int(Fraction(bets.get(hand, 0), 2) / row.odds.ratio) // 20 if row else 0
        if most and draw(st.booleans()):
            taken.append(InsuranceStake(window, hand, 20 * draw(st.integers(1, most))))
    return game, ranks, bets, taken


@rule("rws-nc 3.13", "mbs 1.1.13")
@given(rounds())
@settings(deadline=None)
def test_the_books_balance(drawn: tuple[Game, tuple[Rank, ...], dict[str, int], list[InsuranceStake]]) -> None:
    game, ranks, bets, insurance = drawn
    settled = settle_round(game, ranks, bets, insurance)
    assert [(line.wager, line.stake_cents) for line in settled.lines[: len(bets)]] == list(bets.items())
    assert [line.stake_cents for line in settled.lines[len(bets) :]] == [taken.cents for taken in insurance]
    lost = [line for line in settled.lines if line.result is Result.LOSE]
    kept = [line for line in settled.lines if line.result is not Result.LOSE]
    collected, stakes_returned = sum(line.stake_cents for line in lost), sum(line.stake_cents for line in kept)
    winnings = sum(line.net_cents for line in kept)
    assert settled.staked_cents == sum(bets.values()) + sum(taken.cents for taken in insurance)
    assert settled.staked_cents == stakes_returned + collected
    assert settled.returned_cents == sum(line.returned_cents for line in settled.lines) == stakes_returned + winnings
    assert settled.net_cents == settled.returned_cents - settled.staked_cents == winnings - collected
    assert settled.outcome == Outcome.of(ranks)


@given(rounds())
@settings(deadline=None)
def test_every_line_adds_up_and_cites(
    drawn: tuple[Game, tuple[Rank, ...], dict[str, int], list[InsuranceStake]],
) -> None:
    for line in settle_round(*drawn).lines:
        assert all(type(amount) is int for amount in (line.stake_cents, line.returned_cents, line.net_cents))
        assert line.net_cents == line.returned_cents - line.stake_cents
        assert line.paragraph in CITATIONS
        match line.result:
            case Result.WIN:
                assert line.odds is not None
                assert line.net_cents == line.stake_cents * Odds.parse(line.odds).ratio > 0
            case Result.PUSH:
                assert (line.odds, line.returned_cents) == ("push", line.stake_cents)
            case Result.LOSE:
                assert (line.odds, line.returned_cents) == (None, 0)


@pytest.mark.parametrize("game_id", game_ids())
def test_every_line_that_a_game_can_write_cites_a_paragraph_of_its_own_document(game_id: str) -> None:
    game = load_game(game_id)
    for wager, outcome in product(game.wagers, reachable_outcomes()):
        line = settle_bet(wager, outcome, 2000)
        assert line.paragraph in paragraphs()
        assert line.paragraph.split()[0] == game.document.id


def line_of(game_id: str, ranks: str, wager: str, stake: int = 10_000) -> tuple[str, str | None, int, str]:
    (line,) = settle_round(load_game(game_id), ranks, {wager: stake}).lines
    return line.result, line.odds, line.returned_cents, line.paragraph


@rule("rws-nc 1.10", "rws-nc 4.1", "rws-nc 3.12", "rws-nc 3.13")
@pytest.mark.parametrize(
    ("ranks", "wager", "line"),
    [
        ("42K955", "banker", ("lose", None, 0, "rws-nc 3.11")),
        ("42K955", "player", ("win", "1:1", 20_000, "rws-nc 4.1")),
        ("56TTT", "banker", ("win", "1:2", 15_000, "rws-nc 4.1")),  # Player 5, Banker 6
        ("57TTT", "banker", ("win", "1:1", 20_000, "rws-nc 4.1")),
        ("99TT", "banker", ("push", "push", 10_000, "rws-nc 3.12")),
        ("99TT", "player", ("push", "push", 10_000, "rws-nc 3.12")),
        ("99TT", "tie", ("win", "8:1", 90_000, "rws-nc 4.1")),
        ("98TT", "tie", ("lose", None, 0, "rws-nc 1.19")),
        ("9T9K", "player-pair", ("win", "11:1", 120_000, "rws-nc 4.1")),
        ("9T9K", "banker-pair", ("lose", None, 0, "rws-nc 3.8")),
    ],
)
def test_rws_nc_by_hand(ranks: str, wager: str, line: tuple[str, str | None, int, str]) -> None:
    assert line_of("rws-nc", ranks, wager) == line


@rule("mbs 1.1.3", "mbs 1.1.3.1", "mbs 4.7")
def test_tiger_baccarat_takes_its_commission_whatever_the_total() -> None:
    for ranks in ("56TTT", "57TTT", "T9KK"):
        assert line_of("mbs-tiger", ranks, "banker") == ("win", "0.95:1", 19_500, "mbs 4.7")


@rule("mbs 4.2", "mbs 4.5", "mbs 4.6", "mbs 1.1.8", "mbs 1.1.1.1", "mbs 1.1.1.2", "mbs 1.1.9.1", "mbs 1.1.9.2")
@pytest.mark.parametrize(
    ("ranks", "wager", "result", "odds"),
    [
        ("TTTT9T", "player-dragon-bonus", "win", "30:1"),  # by nine points, on three cards
        ("9TTT", "player-dragon-bonus", "win", "1:1"),  # by nine points, but a natural
        ("7TTT4", "player-dragon-bonus", "lose", None),  # by three
        ("7TTT3", "player-dragon-bonus", "win", "1:1"),  # by four
        ("99TT", "player-dragon-bonus", "push", "push"),  # a natural tie
        ("77TT", "player-dragon-bonus", "lose", None),  # any other tie
        ("T9TT", "banker-dragon-bonus", "win", "1:1"),
        ("TTTTA9", "banker-dragon-bonus", "win", "10:1"),
        ("TTTTA9", "player-dragon-bonus", "lose", None),
        ("56TTT", "fortune-six", "win", "12:1"),
        ("TTTT56", "fortune-six", "win", "20:1"),
        ("TTTT66", "fortune-six", "lose", None),  # a tie at six
    ],
)
def test_fortune_six_by_hand(ranks: str, wager: str, result: str, odds: str | None) -> None:
    assert line_of("mbs-fortune-six-nc", ranks, wager)[:2] == (result, odds)


@rule("mbs 4.9", "mbs 4.10", "mbs 1.1.2", "mbs 1.1.14", "mbs 1.1.18", "mbs 1.1.20")
@rule("mbs 1.1.19.1", "mbs 1.1.19.2", "mbs 1.1.19.3")
@pytest.mark.parametrize(
    ("ranks", "won"),
    [
        ("56TTT", {"tiger": "12:1", "small-tiger": "22:1"}),
        ("TTTT56", {"tiger": "20:1", "big-tiger": "50:1", "tiger-pair": "100:1"}),
        ("66TT", {"tiger-tie": "35:1"}),
        ("9T9K", {"tiger-pair": "4:1"}),
        ("T9T9", {"tiger-pair": "20:1"}),
        ("9999", {"tiger-pair": "100:1"}),
        ("98TT", {}),
    ],
)
def test_tiger_by_hand(ranks: str, won: dict[str, str]) -> None:
    game = load_game("mbs-tiger-nc")
    side = {wager.id: 100 for wager in game.wagers if wager.optional}
    lines = settle_round(game, ranks, side).lines
    assert {line.wager: line.odds for line in lines if line.result is Result.WIN} == won
    assert {line.wager for line in lines if line.result is Result.LOSE} == set(side) - set(won)


def test_a_fraction_of_a_cent_is_refused_not_rounded() -> None:
    for game_id in game_ids():
        if game_id != "mbs-tiger":
            with pytest.raises(BadInput) as refused:
                settle_round(load_game(game_id), "56TTT", {"banker": 1})
            assert refused.value.code == "fraction-of-a-cent"
    with pytest.raises(BadInput) as refused:
        settle_round(load_game("mbs-tiger"), "56TTT", {"banker": 10})
    assert refused.value.code == "fraction-of-a-cent"


@pytest.mark.parametrize(
    ("stake", "code"),
    [
        (0, "bad-stake"),
        (-100, "bad-stake"),
        (MAX_CENTS + 1, "stake-too-large"),
        (1.0, "bad-stake"),
        (True, "bad-stake"),
        ("100", "bad-stake"),
        (None, "bad-stake"),
    ],
)
def test_a_bet_that_is_no_money_is_refused(stake: int, code: str) -> None:
    with pytest.raises(BadInput, match="Tie") as refused:
        settle_round(load_game("mbs-nc"), "99TT", {"banker": 100, "tie": stake})
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("game_id", "wager"),
    [("mbs-nc", "tiger"), ("mbs-tiger", "player-pair"), ("rws-nc", "Banker"), ("rws-nc", ""), ("mbs-nc", "super-6")],
)
def test_a_wager_that_the_game_does_not_offer_is_refused(game_id: str, wager: str) -> None:
    with pytest.raises(BadInput) as refused:
        settle_round(load_game(game_id), "99TT", {wager: 100})
    assert refused.value.code == "wager-not-offered"
    assert repr(wager) in str(refused.value)
    assert "player, banker, tie" in str(refused.value), "it says what is offered"


def test_insurance_is_no_bet_and_the_refusal_says_where_it_goes() -> None:
    with pytest.raises(BadInput, match="take insurance in its window"):
        settle_round(load_game("rws-nc-insurance"), "99TT", {"banker-insurance": 100})


def test_no_bets_settle_to_nothing() -> None:
    settled = settle_round(load_game("mbs-nc"), "99TT", {})
    assert (settled.lines, settled.staked_cents, settled.returned_cents, settled.net_cents) == ((), 0, 0, 0)


def test_the_largest_stake_is_paid_exactly() -> None:
    settled = settle_round(load_game("mbs-tiger"), "9999", {"tiger-pair": MAX_CENTS})
    assert settled.returned_cents == 101 * MAX_CENTS


def test_the_first_row_that_matches_pays() -> None:
    """Rows are read from the top; a push row before a paying one takes its outcomes."""
    rows = (
        PayRow({"winner": ("banker",), "banker_total": (6, 7)}, None, "mbs 6.1"),
        PayRow({"winner": ("banker",)}, Odds.parse("2:1"), "mbs 4.4"),
    )
    wager = Wager("made-up", {"en": "Made up"}, False, rows, "mbs 3.9")
    assert settle_bet(wager, Outcome.of("56TTT"), 100) == Line("made-up", 100, Result.PUSH, "push", 100, 0, "mbs 6.1")
    assert settle_bet(wager, Outcome.of("T9KK"), 100) == Line("made-up", 100, Result.WIN, "2:1", 300, 200, "mbs 4.4")
    assert settle_bet(wager, Outcome.of("9TKK"), 100) == Line("made-up", 100, Result.LOSE, None, 0, -100, "mbs 3.9")
    assert [row.pays for row in rows] == ["push", "2:1"]


def test_a_settlement_is_a_value() -> None:
    game = load_game("rws-nc-insurance")
    taken = [InsuranceStake(Window.FOUR_CARDS, Hand.BANKER, 100)]
    settled = settle_round(game, "TT4575", {"banker": 1000}, taken)
    assert settled == settle_round(game, "TT4575", {"banker": 1000}, taken)
    assert isinstance(settled, Settlement)
    assert isinstance(settled.lines[-1], InsuranceLine)

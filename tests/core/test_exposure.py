"""What the house can still lose: the product of the pay rows against every settlement there is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from natural9.core.exposure import worst_loss_cents
from natural9.core.game import Game
from natural9.core.insurance import InsuranceRow, Window
from natural9.core.outcome import completions
from natural9.core.settlement import settle_bet, settle_insurance
from natural9.core.table_of_play import Hand
from natural9.games import game_ids, load_game

GAMES = [load_game(id) for id in game_ids()]
INSURED = load_game("rws-nc-insurance")


def by_settling(game: Game, ranks: str, laid: dict[str, int], insured: dict[InsuranceRow, int]) -> int:
    """Every way to end, settled line by line."""
    worst = 0
    for outcome in completions(ranks):
        bets = [settle_bet(game.wager(wager), outcome, cents).net_cents for wager, cents in laid.items()]
        insurance = [settle_insurance(row, outcome, cents).net_cents for row, cents in insured.items()]
        worst = max(worst, sum(bets) + sum(insurance))
    return worst


@given(st.data())
def test_the_worst_is_that_of_settling_every_way_to_end(data: st.DataObject) -> None:
    game = data.draw(st.sampled_from(GAMES))
    amounts = st.integers(1, 10**6).map(lambda units: units * 100)
    laid = data.draw(st.dictionaries(st.sampled_from([wager.id for wager in game.wagers]), amounts))
    ranks = data.draw(st.text("A23456789TJQK", max_size=4))
    assert worst_loss_cents(game, tuple(ranks), laid) == by_settling(game, ranks, laid, {})


@pytest.mark.parametrize(
    "deal",
    [
        "KK45",  # Player 4, Banker 5: Banker is insured at 2:1
        "KK457",  # Player 1, Banker 5: Banker again, at 7:1
        "KK455",  # Player 9, Banker 5: Player at 8:1, which wins on a tie
    ],
)
@given(st.integers(0, 500), st.integers(0, 500), st.integers(1, 300), st.integers(1, 300))
def test_insurance_is_in_it(deal: str, banker: int, player: int, first: int, second: int) -> None:
    assert INSURED.insurance
    rows = [INSURED.insurance.offer(Window.FOUR_CARDS, deal, Hand.BANKER)]
    rows += INSURED.insurance.offers(Window.THIRD_CARD, deal)
    insured = {row: cents * 100 for row, cents in zip(rows, (first, second), strict=False) if row}
    assert len(insured) == len(deal) - 3
    laid = {"banker": banker * 100, "player": player * 100}
    assert worst_loss_cents(INSURED, tuple(deal), laid, insured) == by_settling(INSURED, deal, laid, insured)


def test_insurance_alone_can_be_the_worst() -> None:
    """100.00 on Banker, fully insured at 2:1 for 50.00: Banker at 5 costs 50.00 if it wins and nothing if it loses."""
    assert INSURED.insurance
    row = INSURED.insurance.offer(Window.FOUR_CARDS, "KK45", Hand.BANKER)
    assert row
    assert worst_loss_cents(INSURED, tuple("KK45"), {"banker": 100_00}, {row: 50_00}) == 50_00
    assert worst_loss_cents(INSURED, tuple("KK45"), {}, {row: 50_00}) == 100_00


def test_a_game_keeps_the_rows_of_so_many_deals_and_no_more() -> None:
    game = load_game("mbs-nc")
    for first in "A23456789TJQK":
        for second in "A23456789TJQK":
            for third in "A2":
                worst_loss_cents(game, (first, second, third), {"tie": 100})
    assert 0 < len(game.pay_rows) <= 256

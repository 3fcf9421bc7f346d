"""What a seat is shown to end with is what settlement brings, in every way that the round can still end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from natural9.core.game import Game
from natural9.core.insurance import InsuranceRow, Window
from natural9.core.outcome import Winner, completions
from natural9.core.resulting_net import ResultingNet, resulting_net
from natural9.core.settlement import settle_bet, settle_insurance
from natural9.games import game_ids, load_game

GAMES = [load_game(id) for id in game_ids()]
INSURED = load_game("rws-nc-insurance")
AMOUNTS = st.integers(1, 10**6).map(lambda units: units * 100)


def by_settling(
    game: Game, ranks: str, bets: dict[str, int], insured: dict[InsuranceRow, int]
) -> dict[Winner, tuple[int, ...]]:
    nets: dict[Winner, set[int]] = {}
    for outcome in completions(ranks):
        lines = [settle_bet(game.wager(wager), outcome, cents) for wager, cents in bets.items()]
        lines += [settle_insurance(row, outcome, cents) for row, cents in insured.items()]
        nets.setdefault(outcome.winner, set()).add(sum(line.net_cents for line in lines))
    return {winner: tuple(sorted(cents)) for winner, cents in nets.items()}


@given(st.data())
def test_it_is_what_settling_every_way_to_end_brings(data: st.DataObject) -> None:
    game = data.draw(st.sampled_from(GAMES))
    bets = data.draw(st.dictionaries(st.sampled_from([wager.id for wager in game.wagers]), AMOUNTS))
    ranks = data.draw(st.text("A23456789TJQK", min_size=4, max_size=4))
    ends = resulting_net(game, tuple(ranks), bets, {})
    counted = {wager: cents for wager, cents in bets.items() if wager not in ends.left_out}
    assert ends.by_winner == by_settling(game, ranks, counted, {})
    for wager in ends.left_out:  # by nothing but how the round ends, with the same winner
        assert any(len(nets) > 1 for nets in by_settling(game, ranks, {wager: 100}, {}).values())
    assert not {"player", "tie", "banker"} & set(ends.left_out)


@pytest.mark.rule("rws-nc-insurance 4.1.2")
@given(st.data())
def test_insurance_of_both_windows_is_in_it(data: st.DataObject) -> None:
    assert INSURED.insurance
    deal = data.draw(st.text("A23456789TJQK", min_size=4, max_size=5))
    rows = [*INSURED.insurance.offers(Window.FOUR_CARDS, deal[:4]), *INSURED.insurance.offers(Window.THIRD_CARD, deal)]
    ranks = deal if INSURED.insurance.offers(Window.THIRD_CARD, deal) else deal[:4]
    insured = {row: data.draw(AMOUNTS) for row in rows if data.draw(st.booleans())}
    bets = data.draw(st.dictionaries(st.sampled_from([wager.id for wager in INSURED.wagers]), AMOUNTS))
    ends = resulting_net(INSURED, tuple(ranks), bets, insured)
    assert ends == (by_settling(INSURED, ranks, bets, insured), ())  # pairs are decided by then


def test_a_banker_that_pays_half_with_six_has_a_net_for_each_way() -> None:
    """Banker leads with 6 to 5, is insured for 33.00 at 3 to 1, and the Player draws."""
    assert INSURED.insurance
    [row] = INSURED.insurance.offers(Window.FOUR_CARDS, "56KQ")
    ends = resulting_net(INSURED, tuple("56KQ"), {"banker": 100_00, "player-pair": 1_00}, {row: 33_00})
    banker = (100_00 // 2 - 33_00 - 1_00, 100_00 - 33_00 - 1_00)
    assert ends == ResultingNet(
        {Winner.PLAYER: (-100_00 + 3 * 33_00 - 1_00,), Winner.BANKER: banker, Winner.TIE: (-1_00,)}, ()
    )


def test_what_more_than_the_winner_decides_is_left_out_by_name() -> None:
    tiger = load_game("mbs-tiger")
    ends = resulting_net(tiger, tuple("56KQ"), {"player": 10_00, "small-tiger": 5_00}, {})
    assert ends.left_out == ("small-tiger",)
    assert ends.by_winner[Winner.PLAYER] == (10_00,)


def test_a_winner_that_is_no_longer_possible_is_not_told() -> None:
    ends = resulting_net(INSURED, tuple("92K6"), {"banker": 100_00}, {})  # a natural 9 against 8
    assert ends == ({Winner.PLAYER: (-100_00,)}, ())

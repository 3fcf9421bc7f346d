"""Insurance priced by totals is the average of insurance priced by cards."""

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from natural9.core.cards import RANKS
from natural9.core.insurance import Window, is_window_due
from natural9.core.outcome import Outcome, Winner
from natural9.core.table_of_play import played_count, total
from natural9.games import load_game
from natural9.odds.composition import Composition
from natural9.odds.insurance import insurance_odds, situation_weights


@given(ranks=st.lists(st.sampled_from(RANKS), min_size=7, max_size=8))
@settings(max_examples=20, deadline=None)
def test_against_every_deal_of_a_small_shoe(ranks: list[str]) -> None:
    insurance = load_game("rws-nc-insurance").insurance
    assert insurance is not None
    found: defaultdict[tuple[str, str, int, int], Counter[Winner]] = defaultdict(Counter)
    outcomes: defaultdict[tuple[Window, int, int], Counter[Outcome]] = defaultdict(Counter)
    deals = 0
    for deal in permutations(ranks, 6):
        deals += 1
        played = deal[: played_count(deal)]
        outcome = Outcome.of(played)
        for window in Window:
            player, banker = total(played[: window.cards][0::2]), total(played[1:4:2])
            if is_window_due(window, played[: window.cards]):
                outcomes[window, player, banker][outcome] += 1
            for row in insurance.offers(window, played):
                found[window, row.hand, player, banker][outcome.winner] += 1
    held = Counter(ranks)
    shoe = Composition(tuple(held[rank] for rank in RANKS))
    for (window, player, banker), weights in outcomes.items():
        assert situation_weights(shoe, window, player, banker) == weights
    priced = insurance_odds(insurance, shoe)
    assert {(line.row.window, line.row.hand, line.player_total, line.banker_total) for line in priced} == set(found)
    for line in priced:
        cases = found[line.row.window, line.row.hand, line.player_total, line.banker_total]
        assert line.arises == Fraction(cases.total(), deals)
        tie, loses = (
            Fraction(cases[Winner.TIE], cases.total()),
            Fraction(cases[Winner(line.row.hand.other)], cases.total()),
        )
        assert (line.win, line.push) == ((tie, 0) if line.row.wins_on_tie else (loses, tie))

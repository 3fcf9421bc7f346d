"""Insurance priced by totals is the average of insurance priced by cards."""

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from natural9.core.cards import RANKS
from natural9.core.insurance import Window
from natural9.core.outcome import Outcome, Winner
from natural9.core.table_of_play import played_count, total
from natural9.games import load_game
from natural9.odds import Composition
from natural9.odds.insurance import insurance_odds


@given(ranks=st.lists(st.sampled_from(RANKS), min_size=7, max_size=8))
@settings(max_examples=20, deadline=None)
def test_against_every_deal_of_a_small_shoe(ranks: list[str]) -> None:
    insurance = load_game("rws-nc-insurance").insurance
    assert insurance is not None
    found: defaultdict[tuple[str, str, int, int], Counter[Winner]] = defaultdict(Counter)
    deals = 0
    for deal in permutations(ranks, 6):
        deals += 1
        played = deal[: played_count(deal)]
        winner = Outcome.of(played).winner
        for window in Window:
            player, banker = total(played[: window.cards][0::2]), total(played[1:4:2])
            for row in insurance.offers(window, played):
                found[window, row.hand, player, banker][winner] += 1
    held = Counter(ranks)
    priced = insurance_odds(insurance, Composition(tuple(held[rank] for rank in RANKS)))
    assert {(line.row.window, line.row.hand, line.player_total, line.banker_total) for line in priced} == set(found)
    for line in priced:
        cases = found[line.row.window, line.row.hand, line.player_total, line.banker_total]
        assert line.arises == Fraction(cases.total(), deals)
        tie, loses = (
            Fraction(cases[Winner.TIE], cases.total()),
            Fraction(cases[Winner(line.row.hand.other)], cases.total()),
        )
        assert (line.win, line.push) == ((tie, 0) if line.row.wins_on_tie else (loses, tie))

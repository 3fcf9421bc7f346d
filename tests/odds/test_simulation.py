"""The simulator deals what the rules say, fairly, and the same whoever does the work."""

import tracemalloc
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from math import sqrt
from multiprocessing import get_context
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from natural9.core.cards import RANKS
from natural9.core.errors import BadInput
from natural9.core.outcome import Outcome
from natural9.core.table_of_play import POINTS, next_hand
from natural9.games import load_game
from natural9.odds.composition import Composition
from natural9.odds.distribution import OUTCOMES, PLACES, outcome_weights
from natural9.odds.kernel import SHAPE
from natural9.odds.simulation import BLOCK_ROUNDS, MOST_ROUNDS, RoundsPiece, Simulation, parse_count, play, simulate
from natural9.odds.simulation_kernel import PLACES_IN_HISTOGRAM, play_block, play_two_blocks
from natural9.odds.workers import Crew, threads

WORD = 2**64 - 1
PLACE_OF = dict(zip(OUTCOMES, PLACES.tolist(), strict=True))


# The generator and the dealing once more, by their definitions and in Python's integers.
def words(seed: int, block: int) -> Iterator[int]:
    """xoshiro256++, seeded through splitmix64."""
    at = mixed(seed + GOLD) ^ block
    a, b, c, d = (mixed(at + GOLD * place) for place in (1, 2, 3, 4))
    while True:
        yield (rotated((a + d) & WORD, 23) + a) & WORD
        shifted = b << 17 & WORD
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= shifted
        d = rotated(d, 45)


GOLD = 0x9E3779B97F4A7C15


def mixed(z: int) -> int:
    z &= WORD
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & WORD
    z = (z ^ z >> 27) * 0x94D049BB133111EB & WORD
    return z ^ z >> 31


def rotated(word: int, by: int) -> int:
    return (word << by | word >> 64 - by) & WORD


def three_places(half: int, left: int) -> tuple[int, int, int] | None:
    """Three places of a shoe from half a word, each counted from the front of what is left then; None: draw anew."""
    first, rest = divmod(half * left, 2**32)
    second, rest = divmod(rest * (left - 1), 2**32)
    third, rest = divmod(rest * (left - 2), 2**32)
    return None if rest < 2**32 % (left * (left - 1) * (left - 2)) else (first, second, third)


class Dealer:
    """A block's shoes, with the core's Table of Play to say when a round is complete."""

    def __init__(self, seed: int, block: int, *, decks: int, cut: int) -> None:
        self.words, self.shoe = words(seed, block), list(RANKS) * 4 * decks
        self.cut_card, self.at, self.shoes = len(self.shoe) - cut, 0, 1

    def new_shoe(self) -> None:
        self.at, self.shoes = 0, self.shoes + 1

    def burn(self) -> None:
        """The first card of the shoe, and as many as its points."""
        burnt = 1
        while self.at < burnt:
            self.swap(self.at, self.one_place(len(self.shoe) - self.at))
            burnt = 1 + (POINTS[self.shoe[0]] or 10)
            self.at += 1

    def swap(self, place: int, further: int) -> None:
        self.shoe[place], self.shoe[place + further] = self.shoe[place + further], self.shoe[place]

    def one_place(self, left: int) -> int:
        while True:
            place, rest = divmod((next(self.words) >> 32) * left, 2**32)
            if rest >= 2**32 % left:
                return place

    def round(self) -> list[str]:
        if self.at >= self.cut_card:
            self.new_shoe()
        for place, further in enumerate(self.six_places(len(self.shoe) - self.at), self.at):
            self.swap(place, further)
        ranks: list[str] = []
        while next_hand(ranks) is not None:
            ranks.append(self.shoe[self.at + len(ranks)])
        self.at += len(ranks)
        return ranks

    def six_places(self, left: int) -> tuple[int, ...]:
        while True:
            word = next(self.words)
            first, second = three_places(word >> 32, left), three_places(word & 0xFFFFFFFF, left - 3)
            if first and second:
                return first + second


@pytest.mark.parametrize(("seed", "block", "decks", "cut"), [(9, 0, 8, 14), (2**64 - 1, 3, 4, 6), (0, 10**9, 10, 260)])
def test_the_kernel_deals_what_python_and_the_core_deal(seed: int, block: int, decks: int, cut: int) -> None:
    slow, dealer = np.zeros(PLACES_IN_HISTOGRAM, np.int64), Dealer(seed, block, decks=decks, cut=cut)
    for _ in range(20_000):
        slow[PLACE_OF[Outcome.of(dealer.round())]] += 1
    fast = play(RoundsPiece(seed, decks, cut, block, 20_000))
    assert fast.shoes == dealer.shoes
    assert (fast.histogram == slow).all()


def test_two_blocks_at_a_time_are_the_same_two_blocks() -> None:
    together, alone = np.zeros((2, PLACES_IN_HISTOGRAM), np.int64)
    shoes = play_two_blocks(np.uint64(5), np.uint64(7), 30_000, 6, 20, together)
    for block in (7, 8):
        shoes -= play_block(np.uint64(5), np.uint64(block), 30_000, 6, 20, alone)
    assert shoes == 0
    assert (together == alone).all()


def test_every_round_alone_is_dealt_alike() -> None:
    before, dealer = np.zeros(PLACES_IN_HISTOGRAM, np.int64), Dealer(4, 0, decks=8, cut=14)
    for count in range(1, 301):
        after = play(RoundsPiece(4, 8, 14, 0, count)).histogram
        assert np.flatnonzero(after - before).tolist() == [PLACE_OF[Outcome.of(dealer.round())]]
        before = after


@pytest.mark.parametrize("left", [416, 415, 20, 10, 7, 6])
def test_three_places_are_exactly_equally_likely(left: int) -> None:
    # Of all 2**32 half words, those that give the same three places stand together, and as many of each are kept.
    product, chance = left * (left - 1) * (left - 2), Random(left)
    for _ in range(10 if left < 100 else 200):
        places = chance.randrange(left), chance.randrange(left - 1), chance.randrange(left - 2)
        which = (places[0] * (left - 1) + places[1]) * (left - 2) + places[2]
        first, beyond = -(-which * 2**32 // product), -(-(which + 1) * 2**32 // product)
        some = range(first, beyond) if beyond - first < 2000 else [first, first + 1, beyond - 1]
        kept = [three_places(half, left) for half in some]
        assert set(kept) <= {places, None}
        refused = kept[:2].count(None)  # only the first of them can be one too many
        assert beyond - first - refused == 2**32 // product


def test_a_seed_means_these_rounds_for_ever() -> None:
    played = simulate(load_game("mbs-tiger"), rounds=1_000_000, seed=9)
    places = np.arange(PLACES_IN_HISTOGRAM)
    assert played.rounds == played.histogram.sum() == 1_000_000
    assert (played.shoes, int(played.histogram @ places), int(played.histogram @ places**2)) == GOLDEN


GOLDEN = (12226, 316362378, 167379768804)


def test_the_histogram_is_laid_out_as_the_exact_weights_are() -> None:
    assert int(np.prod(SHAPE)) == PLACES_IN_HISTOGRAM


def histogram(*, crew: Crew, rounds: int = 3 * BLOCK_ROUNDS + 17) -> tuple[int, NDArray[np.int64]]:
    played = simulate(load_game("mbs-nc"), rounds=rounds, seed=21, crew=crew)
    return played.shoes, played.histogram


def test_the_crew_changes_nothing() -> None:
    with threads(1) as crew:
        shoes, one = histogram(crew=crew)
    with threads(4) as crew:
        assert histogram(crew=crew)[0] == shoes
        assert (histogram(crew=crew)[1] == one).all()
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        assert (histogram(crew=Crew(processes, 2))[1] == one).all()


def test_another_seed_is_another_simulation() -> None:
    with threads(1) as crew:
        _, one = histogram(crew=crew)
    other = simulate(load_game("mbs-nc"), rounds=int(one.sum()), seed=22)
    assert (other.histogram != one).any()


@pytest.mark.parametrize("decks", [4, 8])
def test_the_histogram_fits_the_exact_distribution(decks: int) -> None:
    rounds = 1_000_000
    counts = simulate(load_game("rws-nc"), rounds=rounds, seed=5, decks=decks).histogram
    weights = outcome_weights(Composition.of(decks=decks))
    everything = sum(weights.values())
    expected = np.array([rounds * weights.get(outcome, 0) / everything for outcome in OUTCOMES])
    seen = counts[PLACES].astype(float)
    rare = expected < 10  # too few of each to be nearly normal, so they are taken together
    expected = np.append(expected[~rare], expected[rare].sum())
    seen = np.append(seen[~rare], seen[rare].sum())
    freedom = len(seen) - 1
    assert freedom > 400
    assert abs(((seen - expected) ** 2 / expected).sum() - freedom) < 4 * sqrt(2 * freedom)


@pytest.mark.parametrize("game_id", ["mbs-tiger", "mbs-fortune-six-nc", "rws-nc-insurance", "rws-nc-super-six-plus"])
def test_every_wager_comes_near_its_exact_worth(game_id: str) -> None:
    played = simulate(load_game(game_id), rounds=2_000_000, seed=3)
    assert [wager.id for wager in played.wagers] == list(load_game(game_id).wagers_by_id)
    assert max(abs(wager.z) for wager in played.wagers) < 4
    assert min(wager.stderr for wager in played.wagers) > 0


def test_a_wrong_histogram_is_flagged() -> None:
    played = simulate(load_game("mbs-tiger"), rounds=500_000, seed=3)
    crooked = played.histogram.copy()
    crooked[PLACE_OF[Outcome(7, 6, 2, 2, False, False, False)]] += 5_000
    flagged = Simulation(played.game, 8, 14, 3, 505_000, 505_000, played.shoes, 1.0, crooked)
    assert {"player", "banker"} <= {wager.id for wager in flagged.wagers if wager.suspicious}


def test_few_rounds_without_a_win_are_no_alarm() -> None:
    played = simulate(load_game("mbs-tiger"), rounds=1, seed=3)
    assert not any(wager.suspicious for wager in played.wagers)
    assert all(wager.stderr > 0 for wager in played.wagers)


def test_memory_does_not_grow_with_the_rounds() -> None:
    game = load_game("mbs-nc")
    simulate(game, rounds=1, seed=1)  # what is loaded once does not count
    peaks = []
    for rounds in (BLOCK_ROUNDS * 4, BLOCK_ROUNDS * 256):
        with threads(2) as crew:
            tracemalloc.start()
            simulate(game, rounds=rounds, seed=1, crew=crew)
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
    # numpy reports its arrays to tracemalloc; a histogram is 16 kB and at most two for each worker are about at once.
    assert max(peaks) < 1_000_000
    assert peaks[1] < 1.5 * peaks[0] + 200_000


def test_what_was_played_until_ctrl_c_is_kept() -> None:
    def interrupt(done: int) -> None:
        if done >= 2 * BLOCK_ROUNDS:
            raise KeyboardInterrupt

    with threads(1) as crew:
        played = simulate(load_game("mbs-nc"), rounds=10**12, seed=1, crew=crew, progress=interrupt)
    assert played.interrupted
    assert 0 < played.rounds == played.histogram.sum() < 10**9


@pytest.mark.parametrize(
    ("text", "count"), [("1e8", 10**8), ("1", 1), ("2.5e3", 2500), ("1,000,000", 10**6), ("1E15", MOST_ROUNDS)]
)
def test_numbers_of_rounds(text: str, count: int) -> None:
    assert parse_count(text, "rounds", MOST_ROUNDS) == count


@pytest.mark.parametrize("text", ["0", "-5", "2.5", "1e99", "1e999999999", "nan", "inf", "many", "", "1e16", "1e-3"])
def test_nonsense_instead_of_a_number_of_rounds(text: str) -> None:
    with pytest.raises(BadInput, match="rounds"):
        parse_count(text, "rounds", MOST_ROUNDS)


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"rounds": 0}, "bad-rounds"),
        ({"rounds": 10**16}, "bad-rounds"),
        ({"decks": 0}, "bad-decks"),
        ({"decks": 11}, "bad-decks"),
        ({"cut": 5}, "bad-cut"),
        ({"cut": 416}, "bad-cut"),
        ({"cut": -1}, "bad-cut"),
        ({"seed": -1}, "bad-seed"),
        ({"seed": 2**64}, "bad-seed"),
    ],
)
def test_nonsense_is_refused(changed: dict[str, int], code: str) -> None:
    asked = {"rounds": 100, "seed": 1, "decks": 8, "cut": 14, **changed}
    rounds, seed, decks, cut = asked.values()
    with pytest.raises(BadInput) as refused:
        simulate(load_game("mbs-tiger"), rounds=rounds, seed=seed, decks=decks, cut=cut)
    assert refused.value.code == code

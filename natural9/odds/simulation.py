"""Simulation: whole shoes dealt to the cut card, and every wager priced from the histogram of their outcomes.

The work is cut into blocks of rounds, each with a generator of its own, so that a seed means the same rounds whoever
plays them. A histogram is 2,000 whole numbers however many rounds there are.

Rounds dealt to a cut card are not quite rounds from a fresh shoe: shoes of few-card rounds fit more rounds in. At 8
decks and 14 cards Big Tiger gains 0.018% of the stake and Tiger 0.011%, Player 0.0003% (docs/gpu.md has every wager).
So z drifts beyond 4 only after some 1e10 rounds; where a GPU plays that many, the effect is measured and taken off.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import cached_property
from math import hypot, sqrt
from time import perf_counter
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from natural9.core.errors import BadInput
from natural9.core.game import Game
from natural9.odds import simulation_kernel
from natural9.odds.composition import MOST_CARDS_IN_A_ROUND, Composition
from natural9.odds.cut_card import BLOCK_SHOES, FIRST_BLOCK, PIECE_BLOCKS, CutCardEffect, LatePiece, effects_of
from natural9.odds.distribution import OUTCOMES, PLACES, outcome_weights
from natural9.odds.insuring import SUSPICIOUS_Z, InsuranceResult, check_share, insurance_results
from natural9.odds.kernel import SHAPE
from natural9.odds.pricing import net_matrix, wager_odds
from natural9.odds.workers import Crew, threads, work_through

BLOCK_ROUNDS: Final = 2**18
MOST_ROUNDS: Final = 10**15  # months of a machine's work; and sums of squares stay exact enough in floats
MOST_SEED: Final = 2**64 - 1
USUAL_CUT: Final = 14
CPU: Final = "cpu"
PIECES_A_WORKER: Final = 40  # or more: who finishes first then waits for a fortieth of the time at the most
_MOST_BLOCKS_IN_A_PIECE: Final = 32
_SHOWS_THE_CUT_CARD: Final = 10**9  # rounds from which z may tell a wager dealt to the cut card from a fresh shoe's
_FEWEST_LATE_PIECES: Final = 16
_ROUNDS_FOR_A_LATE_SHOE: Final = 50_000
_MOST_BLOCKS_ON_A_GPU: Final = 2**20  # a second's work of a large one

Progress = Callable[[int], object]


class RoundsPiece(NamedTuple):
    """Some blocks of a simulation: what one worker does at a time."""

    seed: int
    decks: int
    cut: int
    first_block: int
    rounds: int
    insured: bool = False


class RoundsPlayed(NamedTuple):
    rounds: int
    shoes: int
    histogram: NDArray[np.int64]
    device: str
    paths: NDArray[np.int64] | None = None  # by simulation_kernel.PATHS, where insurance is played


@dataclass(frozen=True, slots=True)
class WagerResult:
    """What a wager came to, for each unit staked, beside its exact worth from a fresh shoe.

    `effect` is what the cut card adds to that, where it was measured.
    """

    id: str
    mean: float
    stderr: float
    exact: Fraction
    effect: CutCardEffect | None = None

    @property
    def expected(self) -> float:
        return float(self.exact) + (self.effect.value if self.effect else 0.0)

    @property
    def z(self) -> float:
        stderr = hypot(self.stderr, self.effect.stderr if self.effect else 0.0)
        return (self.mean - self.expected) / stderr if stderr else 0.0

    @property
    def suspicious(self) -> bool:
        return abs(self.z) > SUSPICIOUS_Z


@dataclass(frozen=True)
class Simulation:
    """What has been played: all of it, or less if it was interrupted."""

    game: Game
    decks: int
    cut: int
    seed: int
    asked_rounds: int
    rounds: int
    shoes: int
    seconds: float
    histogram: NDArray[np.int64]  # flat, by natural9.odds.kernel.SHAPE
    device: str = CPU
    effects: tuple[CutCardEffect, ...] = ()  # of the cut card on each wager, where it was measured
    insure: Fraction | None = None  # the share of the cap for which every offer was taken
    paths: NDArray[np.int64] | None = None

    @cached_property
    def insurance(self) -> tuple[InsuranceResult, ...]:
        """Every row of the insurance table, where it was played."""
        if self.insure is None or self.paths is None:
            return ()
        return insurance_results(self.game, self.insure, self.paths, self.rounds, self.decks)

    @property
    def interrupted(self) -> bool:
        return self.rounds < self.asked_rounds

    @property
    def rounds_per_second(self) -> float:
        return self.rounds / self.seconds if self.seconds else 0.0

    @cached_property
    def wagers(self) -> tuple[WagerResult, ...]:
        """Every wager of the game, through the pay rows that settle live rounds."""
        weights = outcome_weights(Composition.of(decks=self.decks))
        counts = self.histogram[PLACES].astype(np.float64)
        net = net_matrix(self.game)
        means, squares = net @ counts / self.rounds, net**2 @ counts / self.rounds
        results = []
        effects = self.effects or [None] * len(self.game.wagers)
        for wager, mean, square, effect in zip(
            self.game.wagers, means.tolist(), squares.tolist(), effects, strict=True
        ):
            exact = wager_odds(wager, weights)
            # Too few rounds may show no variation at all (no win yet); the exact one is then the better guess.
            variance = square - mean**2 if square - mean**2 > 1e-12 else float(exact.variance)
            results.append(WagerResult(wager.id, mean, sqrt(variance / self.rounds), exact.expected, effect))
        return tuple(results)


def simulate(
    game: Game,
    *,
    rounds: int,
    seed: int,
    decks: int = 8,
    cut: int = USUAL_CUT,
    insure: Fraction | None = None,
    gpu: bool = False,
    crew: Crew | None = None,
    progress: Progress | None = None,
) -> Simulation:
    """Play so many rounds; on Ctrl-C what has been played until then. The crew changes how long it takes, nothing else.

    `insure` takes every offer of insurance for this share of the cap. A GPU deals other rounds from the same seed, the
    same on any GPU.

    >>> from natural9.games import load_game
    >>> played = simulate(load_game("mbs-tiger"), rounds=100_000, seed=9)
    >>> int(played.histogram.sum()), any(wager.suspicious for wager in played.wagers)
    (100000, False)
    """
    check_shoe(game, decks=decks, cut=cut)
    check_count(rounds, "rounds", MOST_ROUNDS)
    check_seed(seed)
    if insure is not None:
        check_share(game, insure)
    task, most_blocks = _task(gpu)
    histogram, done, shoes, devices = np.zeros(int(np.prod(SHAPE)), np.int64), 0, 0, set[str]()
    paths, whole = np.zeros(simulation_kernel.PATHS, np.int64), RoundsPiece(seed, decks, cut, 0, 0, insure is not None)
    with crew_or_all(crew, gpu) as working:
        _load(task, whole, working, gpu)
        start = perf_counter()
        pieces = _pieces(whole._replace(rounds=rounds), working.size, most_blocks)
        try:
            for played in work_through(task, pieces, working):
                histogram += played.histogram
                done += played.rounds
                shoes += played.shoes
                devices.add(played.device)
                if played.paths is not None:
                    paths += played.paths
                if progress is not None:
                    progress(done)
        except KeyboardInterrupt:
            if not done:
                raise
        seconds = perf_counter() - start
        measured = gpu and _SHOWS_THE_CUT_CARD <= done == rounds
        effects = cut_card_effects(game, rounds, seed, decks, cut, working) if measured else ()
    device = " and ".join(sorted(devices))
    played_to = game, decks, cut, seed, rounds, done, shoes, seconds, histogram
    return Simulation(*played_to, device, effects, insure, paths if insure is not None else None)


def cut_card_effects(game: Game, rounds: int, seed: int, decks: int, cut: int, gpus: Crew) -> tuple[CutCardEffect, ...]:
    """What the cut card adds to each wager, about as sharp as so many rounds would show it."""
    from natural9.odds.gpu.late import price_late_rounds

    nets = np.zeros((len(game.wagers), int(np.prod(SHAPE))))
    nets[:, PLACES] = net_matrix(game)
    pieces = max(_FEWEST_LATE_PIECES, rounds // _ROUNDS_FOR_A_LATE_SHOE // (PIECE_BLOCKS * BLOCK_SHOES))
    asked = (
        LatePiece(seed, decks, cut, FIRST_BLOCK + number * PIECE_BLOCKS, PIECE_BLOCKS, nets) for number in range(pieces)
    )
    return tuple(effects_of(list(work_through(price_late_rounds, asked, gpus))))


def _task(gpu: bool) -> tuple[Callable[[RoundsPiece], RoundsPlayed], int]:
    """What a worker does, and how many blocks of it at a time at the most."""
    if not gpu:
        return play, _MOST_BLOCKS_IN_A_PIECE
    from natural9.odds.gpu.deal import play_on_gpu

    return play_on_gpu, _MOST_BLOCKS_ON_A_GPU


def _load(task: Callable[[RoundsPiece], object], nothing: RoundsPiece, working: Crew, gpu: bool) -> None:
    """Load the compiled code, which is none of the rounds' time."""
    if gpu:  # which may be another machine's
        for loaded in [working.executor.submit(task, nothing) for _ in range(working.size)]:
            loaded.result()
    else:
        task(nothing)


def crew_or_all(crew: Crew | None, gpu: bool = False, threads_each: int = 1) -> AbstractContextManager[Crew]:
    """Who was given, or every core of this machine, or every GPU."""
    if crew is not None:
        return nullcontext(crew)
    if not gpu:
        return threads()
    from natural9.odds.gpu.devices import gpus

    return gpus(threads_each)


def _pieces(whole: RoundsPiece, crew_size: int, most: int) -> Iterator[RoundsPiece]:
    """The whole work, in pieces large enough to be worth handing out and small enough to share evenly."""
    blocks = -(-whole.rounds // BLOCK_ROUNDS)
    in_a_piece = max(1, min(most, blocks // (PIECES_A_WORKER * crew_size) // 2 * 2))  # even: two are played at a time
    if most == _MOST_BLOCKS_ON_A_GPU:  # which would be idle with few
        in_a_piece = max(1, min(most, -(-blocks // crew_size)))
    for first in range(0, blocks, in_a_piece):
        left = whole.rounds - first * BLOCK_ROUNDS
        yield whole._replace(first_block=first, rounds=min(left, in_a_piece * BLOCK_ROUNDS))


def play(piece: RoundsPiece) -> RoundsPlayed:
    """What a worker does, here or on another machine."""
    histogram, seed, shoe = np.zeros(int(np.prod(SHAPE)), np.int64), np.uint64(piece.seed), (piece.decks, piece.cut)
    paths = np.zeros(simulation_kernel.PATHS, np.int64) if piece.insured else None
    block, left, shoes = piece.first_block, piece.rounds, 0
    while left:
        at, rounds = np.uint64(block), min(left, BLOCK_ROUNDS)
        if paths is not None:
            blocks, begun = 1, simulation_kernel.play_insured_block(seed, at, rounds, *shoe, histogram, paths)
        elif left >= 2 * BLOCK_ROUNDS:
            blocks, begun = 2, simulation_kernel.play_two_blocks(seed, at, rounds, *shoe, histogram)
        else:
            blocks, begun = 1, simulation_kernel.play_block(seed, at, rounds, *shoe, histogram)
        block, left, shoes = block + blocks, left - blocks * rounds, shoes + begun
    assert histogram.sum() == histogram[PLACES].sum(), f"an outcome that is none of the {len(OUTCOMES)}"
    return RoundsPlayed(piece.rounds, shoes, histogram, CPU, paths)


def check_shoe(game: Game, *, decks: int, cut: int) -> None:
    game.check_decks(decks)
    cards = Composition.of(decks=decks).cards
    if cards > simulation_kernel.MOST_CARDS:
        most = simulation_kernel.MOST_CARDS // 52
        raise BadInput("bad-decks", f"{decks} decks are more than the simulator deals from, {most}")
    if not MOST_CARDS_IN_A_ROUND <= cut < cards:
        raise BadInput(
            "bad-cut",
            f"a cut card {cut} cards from the end is out of range: give {MOST_CARDS_IN_A_ROUND}, which the last round "
            f"may need, to {cards - 1}",
        )


def check_seed(seed: int) -> None:
    if not 0 <= seed <= MOST_SEED:
        raise BadInput("bad-seed", f"a seed is a whole number from 0 to {MOST_SEED}, not {seed}")


def check_count(count: int, of: str, most: int) -> None:
    if not 1 <= count <= most:
        raise BadInput(f"bad-{of.split()[0]}", f"{count} {of} are out of range: give 1 to {most:,}")


def parse_count(text: str, of: str, most: int) -> int:
    """A number of rounds or sessions, as people write large ones.

    >>> parse_count("1e8", "rounds", MOST_ROUNDS), parse_count("2,500", "rounds", MOST_ROUNDS)
    (100000000, 2500)
    """
    try:
        number = Decimal(text.replace(",", ""))
    except InvalidOperation:
        number = Decimal("nan")
    if not number.is_finite():
        raise BadInput(f"bad-{of}", f"{text!r} is not a number of {of}: write 1000000 or 1e6")
    if not 1 <= number <= most:  # before it is made whole: 1e99999999 would take all memory
        raise BadInput(f"bad-{of}", f"{text} {of} are out of range: give 1 to {most:,}")
    if number != int(number):
        raise BadInput(f"bad-{of}", f"{text} is not a whole number of {of}")
    return int(number)

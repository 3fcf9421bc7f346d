"""What a GPU deals and prices: on a GPU where there is one; its sources and its bad moments anywhere."""

import ctypes
from math import sqrt
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from natural9.core.errors import BadInput
from natural9.games import load_game
from natural9.odds.composition import Composition
from natural9.odds.cut_card import BLOCK_SHOES, LatePiece, LatePriced, effects_of, sure_rounds
from natural9.odds.distribution import OUTCOMES, PLACES, outcome_weights
from natural9.odds.gpu import devices
from natural9.odds.gpu.deal import play_on_gpu
from natural9.odds.gpu.late import price_late_rounds
from natural9.odds.gpu.price import nets_apart, steps, worths_on_gpu
from natural9.odds.gpu_kernel import redeal_block, redeal_late_rounds
from natural9.odds.pricing import net_matrix
from natural9.odds.simulation import BLOCK_ROUNDS, RoundsPiece, simulate
from natural9.odds.simulation_kernel import PLACES_IN_HISTOGRAM
from natural9.odds.vulnerability import wager_vulnerability
from natural9.odds.vulnerability_kernel import worths_of
from tests.odds.cuda_on_cpu import SOURCES, compiled, deal_source, pointer

TIGER = load_game("mbs-tiger")


def missing() -> str:
    try:
        return "" if devices.gpus_here() else "none"
    except BadInput as error:
        return error.message


on_a_gpu = pytest.mark.skipif(bool(missing()), reason=f"no GPU to test with: {missing()}")


def redealt(seed: int, block: int, rounds: int, decks: int, cut: int) -> tuple[int, NDArray[np.int64]]:
    histogram = np.zeros(PLACES_IN_HISTOGRAM, np.int64)
    shoes = 0
    for left in range(rounds, 0, -BLOCK_ROUNDS):
        of_block = min(left, BLOCK_ROUNDS)
        shoes += redeal_block(np.uint64(seed), np.uint64(block), of_block, decks, cut, histogram)
        block += 1
    return shoes, histogram


def nets_of_tiger() -> NDArray[np.float64]:
    nets = np.zeros((len(TIGER.wagers), PLACES_IN_HISTOGRAM))
    nets[:, PLACES] = net_matrix(TIGER)
    return nets


def some_shoes(count: int) -> NDArray[np.uint16]:
    """Any cards that may be left, from many to few."""
    chance = np.random.default_rng(4)
    shoes = chance.integers(0, 33, (count, 13)) // chance.integers(1, 9, (count, 1))
    shoes[shoes.sum(axis=1) < 6, 5] += 6
    return shoes.astype(np.uint16)


# The dealing, once more on the processor.


def test_the_redealt_rounds_fit_the_exact_distribution() -> None:
    rounds = 4 * BLOCK_ROUNDS
    _, counts = redealt(5, 0, rounds, 8, 14)
    weights = outcome_weights(Composition.of(decks=8))
    expected = np.array([rounds * weights.get(outcome, 0) for outcome in OUTCOMES]) / sum(weights.values())
    seen, rare = counts[PLACES].astype(float), expected < 10
    expected = np.append(expected[~rare], expected[rare].sum())
    seen = np.append(seen[~rare], seen[rare].sum())
    freedom = len(seen) - 1
    assert counts.sum() == seen.sum() == rounds
    assert abs(((seen - expected) ** 2 / expected).sum() - freedom) < 4 * sqrt(2 * freedom)


def test_one_shoe_forgets_the_one_before() -> None:
    """The first rounds of a shoe and of the next, by who won: as if they had nothing to do with each other."""
    cut, shoes = 416 - 12, 60_000  # two rounds and at most one more: 416 cards, of which nearly all stay unseen
    states = np.zeros((3 * shoes, 13), np.uint16)
    count = redeal_late_rounds(np.uint64(8), np.uint64(0), shoes, 8, cut, 1, states)
    taken = 32 - states[:count].astype(int)
    seen = taken[taken.sum(axis=1) <= 6]  # after the first round
    aces = seen[:, 0] - seen[:, 0].mean()
    correlation = (aces[1:] * aces[:-1]).mean() / (aces**2).mean()
    assert abs(correlation) < 4 / sqrt(len(aces))


def test_late_rounds_are_those_after_the_sure_ones() -> None:
    sure, states = sure_rounds(8, 14), np.zeros((2000, 13), np.uint16)
    found = redeal_late_rounds(np.uint64(3), np.uint64(1), 20, 8, 14, sure, states)
    left = states[:found].sum(axis=1)
    every = np.zeros((4000, 13), np.uint16)
    rounds = redeal_late_rounds(np.uint64(3), np.uint64(1), 20, 8, 14, 0, every)
    assert rounds == found + 20 * sure
    assert (every[0] == 32).all()
    assert left.min() > 14
    assert left.max() <= 416 - 4 * sure
    assert states[:found].max() <= 32


# The CUDA sources, read by another compiler.


@pytest.mark.parametrize(("seed", "block", "decks", "cut"), [(9, 0, 8, 14), (2**64 - 1, 10**12, 10, 6), (5, 7, 4, 207)])
def test_the_source_deals_what_is_redealt(seed: int, block: int, decks: int, cut: int, tmp_path: Path) -> None:
    more = """
extern "C" u32 rounds_of(u64 seed, u64 block, u32 rounds, u32 cards, u32 cut, u32 *histogram) {
    const u32 base = 1024;
    Shoe shoe = shoe_of(base, 4 * 9, seed, block, cards);
    u32 whole = shoe.back, shoes = 1;
    for (; rounds; rounds--) {
        if (shoe.back - shoe.front <= spread(cut)) shoe.front = base, shoe.back = whole, shoes++;
        histogram[deal(shoe) / 4]++;
    }
    return shoes;
}"""
    counts = np.zeros((5, 4, 10, 16), np.uint32)
    words = ctypes.c_uint64(seed), ctypes.c_uint64(block)
    shoes = compiled(tmp_path, deal_source(), more).rounds_of(*words, 50_000, 52 * decks, cut, pointer(counts))
    assert counts[..., 10:].sum() == 0
    again = redealt(seed, block, 50_000, decks, cut)
    assert shoes == again[0]
    assert (counts[..., :10].transpose(0, 2, 3, 1).ravel() == again[1]).all()


def test_the_source_prices_as_the_kernel_does(tmp_path: Path) -> None:
    more = """
extern "C" void price_all(const unsigned short *unseen, u32 shoes, const Step *steps, const double *net,
                          const double *pair_net, double *worths) {
    for (u32 shoe = 0; shoe < shoes; shoe++) {
        blockIdx.x = shoe / THREADS, threadIdx.x = shoe % THREADS;
        price(unseen, shoes, steps, net, pair_net, worths);
    }
}"""
    nets, shoes = nets_of_tiger(), some_shoes(60)
    worths = np.zeros((len(nets), len(shoes)))
    tables: list[NDArray[Any]] = [steps(), *nets_apart(nets)]
    source = f"#define WAGERS {len(nets)}\n" + (SOURCES / "price.cu").read_text()
    library = compiled(tmp_path, source, more)
    library.price_all(pointer(shoes), len(shoes), *(pointer(table) for table in tables), pointer(worths))
    for net, worth in zip(nets, worths, strict=True):
        assert worth == pytest.approx(worths_of(shoes, net), abs=1e-14)


def test_a_wager_of_pairs_and_totals_at_once_is_refused() -> None:
    mixed = np.where(np.arange(PLACES_IN_HISTOGRAM) % 7 < 3, 1.0, -1.0)[None]
    with pytest.raises(BadInput, match="leave out --gpu"):
        nets_apart(mixed)


def test_the_effect_of_the_cut_card_from_pieces() -> None:
    pieces = [LatePriced(block, 100, np.array([gained, 0.0])) for block, gained in ((0, 3.0), (2, 1.0), (1, 2.0))]
    first, second = effects_of(pieces)
    assert first.value == pytest.approx(0.02)
    assert first.stderr == pytest.approx(0.01 / sqrt(3))
    assert (second.value, second.stderr) == (0, 0)


# Where there is no GPU to use.


def pretend(monkeypatch: pytest.MonkeyPatch, **runtime: Any) -> None:
    class CUDARuntimeError(RuntimeError):
        pass

    def count() -> int:
        raise CUDARuntimeError("cudaErrorNoDevice: no CUDA-capable device is detected\n")

    usual = {"driverGetVersion": lambda: 13000, "runtimeGetVersion": lambda: 12090, "getDeviceCount": count}
    cuda = SimpleNamespace(runtime=SimpleNamespace(CUDARuntimeError=CUDARuntimeError, **(usual | runtime)))
    monkeypatch.setattr(devices, "import_module", lambda _: SimpleNamespace(cuda=cuda))


@pytest.mark.parametrize(
    ("says", "runtime"),
    [
        ("there is no NVIDIA driver", {"driverGetVersion": lambda: 0}),
        ("too old: it is for CUDA 11.4, and cupy wants 12.9", {"driverGetVersion": lambda: 11040}),
        ("cudaErrorNoDevice: no CUDA-capable device is detected$", {}),
        ("the NVIDIA driver finds none", {"getDeviceCount": lambda: 0}),
    ],
)
def test_what_is_missing_is_one_line(says: str, runtime: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, **runtime)
    with pytest.raises(BadInput, match=says):
        simulate(TIGER, rounds=100, seed=1, gpu=True)


def test_without_cupy_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(name: str) -> Any:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(devices, "import_module", nothing)
    with pytest.raises(BadInput, match="natural9\\[gpu\\]"):
        wager_vulnerability(TIGER, "tie", shoes=2, gpu=True)


# On a GPU.


@on_a_gpu
@pytest.mark.parametrize(
    ("seed", "block", "rounds", "decks", "cut"),
    [(9, 0, 3 * BLOCK_ROUNDS + 17, 8, 14), (2**64 - 1, 10**12, 70_000, 10, 6), (1, 5, BLOCK_ROUNDS + 1, 4, 100)],
)
def test_a_gpu_deals_what_is_redealt(seed: int, block: int, rounds: int, decks: int, cut: int) -> None:
    played = play_on_gpu(RoundsPiece(seed, decks, cut, block, rounds))
    shoes, histogram = redealt(seed, block, rounds, decks, cut)
    assert played.shoes == shoes
    assert (played.histogram == histogram).all()


@on_a_gpu
def test_a_gpu_prices_as_the_processor_does() -> None:
    nets, shoes = nets_of_tiger(), some_shoes(5000)
    for net, worth in zip(nets, worths_on_gpu(shoes, nets), strict=True):
        assert worth == pytest.approx(worths_of(shoes, net), abs=1e-12)
    ours, theirs = (wager_vulnerability(TIGER, "big-tiger", shoes=100, seed=7, gpu=gpu) for gpu in (False, True))
    assert ours.largest_edge == pytest.approx(theirs.largest_edge, abs=1e-12)
    for mine, other in zip(ours.depths, theirs.depths, strict=True):
        assert mine.perfect.worth_per_shoe.value == pytest.approx(other.perfect.worth_per_shoe.value, abs=1e-12)
        assert mine.counts["linear"].worth_per_shoe.value == pytest.approx(
            other.counts["linear"].worth_per_shoe.value, abs=1e-12
        )
        assert mine.counts["linear"].bets == other.counts["linear"].bets


@on_a_gpu
def test_a_gpu_prices_the_late_rounds_that_are_redealt() -> None:
    nets, blocks, sure = nets_of_tiger(), 64, sure_rounds(8, 14)
    priced = price_late_rounds(LatePiece(3, 8, 14, 10**6, blocks, nets))
    states, gained, rounds = (
        np.zeros((BLOCK_SHOES * 40, 13), np.uint16),
        np.zeros(len(nets)),
        blocks * BLOCK_SHOES * sure,
    )
    fresh = np.full((1, 13), 32, np.uint16)
    for block in range(10**6, 10**6 + blocks):
        found = redeal_late_rounds(np.uint64(3), np.uint64(block), BLOCK_SHOES, 8, 14, sure, states)
        gained += [(worths_of(states[:found], net) - worths_of(fresh, net)).sum() for net in nets]
        rounds += found
    assert priced.rounds == rounds
    assert priced.gained == pytest.approx(gained, abs=1e-7)
    assert (price_late_rounds(LatePiece(3, 8, 14, 10**6, blocks, nets)).gained == priced.gained).all()

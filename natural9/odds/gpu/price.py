"""Shoes priced on a GPU: `price.cu`, a thread for each."""

from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from natural9.core.errors import BadInput
from natural9.odds.distribution import PLACES
from natural9.odds.gpu.devices import kernel_of, told_in_one_line
from natural9.odds.kernel import BANKER_DRAWS, PLAYER_DRAWS, SHAPE, STOOD

_THREADS: Final = 128  # as in price.cu
_NO_THIRD: Final = 16  # added to the total of a Player who does not draw
_END: Final = -1


@cache
def steps() -> NDArray[np.int32]:
    """What a Player may hold, by points, and what the Banker then does: see `Step` in price.cu."""
    listed = [
        (final, *two, (final - total) % 10, _bits(BANKER_DRAWS[total, :8, (final - total) % 10]))
        for final in range(10)
        for total in range(10)
        if PLAYER_DRAWS[total, 0]
        for two in _two_cards(total)
    ]
    assert (PLAYER_DRAWS[:, :8] == PLAYER_DRAWS[:, :1]).all(), "below eight the Banker's total is nothing to the Player"
    assert not PLAYER_DRAWS[:, 8:].any(), "a natural ends the round"
    for total in range(10):
        stands, draws = ~PLAYER_DRAWS[total], BANKER_DRAWS[total, :, STOOD]
        bits = _bits(stands & draws) | _bits(stands & ~draws) << 16
        listed += [(_NO_THIRD + total, *two, 0, bits) for two in _two_cards(total)]
    ordered = [(final, i, k, third, 1 if i == k else 2, bits) for final, i, k, third, bits in listed]
    return np.array([*ordered, (_END,) * 6], np.int32)


def _two_cards(total: int) -> list[tuple[int, int]]:
    return [(i, k) for i in range(10) for k in range(i, 10) if (i + k) % 10 == total]


def _bits(of: NDArray[np.bool_]) -> int:
    return sum(1 << place for place, is_set in enumerate(of.tolist()) if is_set)


def nets_apart(nets: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What each wager nets by totals and draws, and by pairs: one of the two, the other nothing."""
    reached = np.zeros(int(np.prod(SHAPE)), bool)
    reached[PLACES] = True
    by_totals, by_pairs = np.zeros((len(nets), 400)), np.zeros((len(nets), 5))
    shape = reached.reshape(5, 400)
    for place, net in enumerate(nets.reshape(len(nets), 5, 400)):
        totals = np.where(shape, net, -np.inf).max(axis=0, initial=-np.inf)
        pairs = np.where(shape, net, -np.inf).max(axis=1)
        if (np.where(shape, net - totals, 0.0) == 0.0).all():
            by_totals[place] = np.where(np.isfinite(totals), totals, 0.0)
        elif (np.where(shape, net - pairs[:, None], 0.0) == 0.0).all():
            by_pairs[place] = pairs
        else:
            raise BadInput(
                "no-gpu", "a wager that looks at pairs and at totals together is not priced on a GPU: leave out --gpu"
            )
    return by_totals, by_pairs


def worths_on_gpu(unseen: NDArray[np.uint16], nets: NDArray[np.float64]) -> NDArray[np.float64]:
    """What each wager, by what it nets on the kernel's classes, is worth with these cards unseen: wagers x shoes."""
    by_totals, by_pairs = nets_apart(nets)
    with told_in_one_line() as cupy, cupy.cuda.Stream(non_blocking=True):
        arrays = [cupy.asarray(array) for array in (unseen, steps(), by_totals, by_pairs)]
        worths = price(cupy, *arrays)
        found: NDArray[np.float64] = worths.get()
    return found


def price(cupy: Any, unseen: Any, steps_: Any, by_totals: Any, by_pairs: Any) -> Any:
    """The same, of arrays on the GPU."""
    shoes, wagers = len(unseen), len(by_totals)
    worths = cupy.empty((wagers, shoes))
    kernel = kernel_of("price.cu", "price", f"-DWAGERS={wagers}")
    grid = -(-shoes // _THREADS)
    kernel((grid,), (_THREADS,), (unseen, np.uint32(shoes), steps_, by_totals, by_pairs, worths))
    return worths

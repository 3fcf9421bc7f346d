"""Whole shoes dealt on a GPU: `deal.cu`, a thread for each block of rounds."""

from typing import Final

import numpy as np

from natural9.core.errors import BadInput
from natural9.odds.distribution import OUTCOMES, PLACES
from natural9.odds.gpu.devices import device_name, kernel_of, shared_memory, told_in_one_line
from natural9.odds.simulation import BLOCK_ROUNDS, RoundsPiece, RoundsPlayed

_CLASSES: Final = (5, 4, 10, 16)  # pairs, who drew, totals of Player and Banker; the last has six places to spare
_HISTOGRAM_BYTES: Final = 4 * int(np.prod(_CLASSES))
_BYTES_OF_A_DECK: Final = 52 * 32  # of the shoes of a warp of 32 threads
_MOST_WARPS: Final = 32


def play_on_gpu(piece: RoundsPiece) -> RoundsPlayed:
    """What a GPU does at a time, here or on another machine."""
    blocks = -(-piece.rounds // BLOCK_ROUNDS)
    with told_in_one_line() as cupy:
        room, shoes_bytes = shared_memory() - _HISTOGRAM_BYTES, _BYTES_OF_A_DECK * piece.decks
        warps = min(_MOST_WARPS, room // shoes_bytes)
        if warps < 1:
            raise BadInput("gpu-memory", f"{device_name()} has too little shared memory for {piece.decks} decks")
        deal, totals = kernel_of("deal.cu", "play_blocks"), cupy.zeros(1 + int(np.prod(_CLASSES)), np.uint64)
        deal.max_dynamic_shared_size_bytes = shared_memory()
        words = np.uint64(piece.seed), np.uint64(piece.first_block), np.uint64(piece.rounds)
        small = np.uint32(BLOCK_ROUNDS), np.uint32(52 * piece.decks), np.uint32(piece.cut)
        grid = max(1, -(-blocks // (32 * warps)))
        size = _HISTOGRAM_BYTES + warps * shoes_bytes
        deal((grid,), (32 * warps,), (*words, *small, totals), shared_mem=size)
        counts, name = totals.get().astype(np.int64), device_name()
    by_class = counts[:-1].reshape(_CLASSES)[..., :10]  # as natural9.odds.kernel.SHAPE has it: who drew comes last
    histogram = np.ascontiguousarray(by_class.transpose(0, 2, 3, 1)).ravel()
    assert histogram.sum() == histogram[PLACES].sum() == piece.rounds, f"an outcome that is none of the {len(OUTCOMES)}"
    return RoundsPlayed(piece.rounds, int(counts[-1]), histogram, name)

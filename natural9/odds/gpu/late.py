"""The late rounds of many shoes dealt and priced on a GPU: `late.cu`, then `price.cu`."""

from typing import Final

import numpy as np

from natural9.core.errors import BadInput
from natural9.odds.cut_card import BLOCK_SHOES, LatePiece, LatePriced, sure_rounds
from natural9.odds.gpu.devices import device_name, kernel_of, shared_memory, told_in_one_line
from natural9.odds.gpu.price import nets_apart, price, steps

_BYTES_OF_A_DECK: Final = 52 * 32  # of the shoes of a warp
_BYTES_OF_COUNTS: Final = 512
_MOST_WARPS: Final = 8
_FINE: Final = 2.0**36  # worths are added as whole numbers of this: the states come in any order


def price_late_rounds(piece: LatePiece) -> LatePriced:
    """What a GPU does at a time, here or on another machine."""
    by_totals, by_pairs = nets_apart(piece.nets)
    cards, sure = 52 * piece.decks, sure_rounds(piece.decks, piece.cut)
    most = piece.blocks * BLOCK_SHOES * ((cards - piece.cut) // 4 + 1 - sure)
    with told_in_one_line() as cupy:
        of_warp = _BYTES_OF_A_DECK * piece.decks + _BYTES_OF_COUNTS
        warps = min(_MOST_WARPS, shared_memory() // of_warp, piece.blocks // 32)
        if warps < 1 or piece.blocks % (32 * warps):
            raise BadInput("gpu-memory", f"{device_name()} has too little shared memory for {piece.decks} decks")
        states, found = cupy.empty((most, 13), np.uint16), cupy.zeros(1, np.uint32)
        deal = kernel_of("deal.cu late.cu", "late_rounds")
        deal.max_dynamic_shared_size_bytes = shared_memory()
        words = np.uint64(piece.seed), np.uint64(piece.first_block), np.uint32(BLOCK_SHOES)
        small = np.uint32(cards), np.uint32(piece.cut), np.uint32(sure)
        arguments = (*words, *small, states, found, np.uint32(most))
        deal((piece.blocks // (32 * warps),), (32 * warps,), arguments, shared_mem=warps * of_warp)
        late = int(found.get()[0])
        assert late <= most, "a round takes four cards at the least"
        tables = [cupy.asarray(array) for array in (steps(), by_totals, by_pairs)]
        fresh = price(cupy, cupy.full((1, 13), 4 * piece.decks, np.uint16), *tables)
        gained = np.zeros(len(piece.nets))
        if late:
            over = price(cupy, states[:late], *tables) - fresh
            gained = cupy.rint(over * _FINE).astype(np.int64).sum(axis=1).get() / _FINE
    return LatePriced(piece.first_block, piece.blocks * BLOCK_SHOES * sure + late, gained)

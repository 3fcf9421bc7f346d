"""Dealing and pricing on every GPU here: rounds a second with the full histogram, and exact shoes a second.

On an H200: at least 170e9 rounds/s at 8 decks, and 10e6 shoes/s with all eight wagers of mbs-tiger in float64, equal to
the processor's to 1e-12. Says so in a line, and measures nothing, where there is no GPU to use.
"""

import numpy as np

from natural9.core.errors import BadInput
from natural9.games import load_game
from natural9.odds.distribution import PLACES
from natural9.odds.gpu.devices import device_name, gpus_here, load_cupy
from natural9.odds.gpu.price import nets_apart, price, steps
from natural9.odds.kernel import SHAPE
from natural9.odds.pricing import net_matrix
from natural9.odds.simulation import simulate
from natural9.odds.vulnerability_kernel import worths_of

ROUNDS = 2 * 10**12
SHOES, COMPARED = 4_000_000, 2000


def dealing() -> None:
    played = simulate(load_game("mbs-tiger"), rounds=ROUNDS, seed=9, gpu=True)
    z = max(abs(wager.z) for wager in played.wagers)
    print(
        f"dealing  {played.rounds_per_second / 1e9:7.1f} e9 rounds/s over {ROUNDS:.0e} (aim: 170), largest |z| {z:.2f}"
    )


def pricing() -> None:
    cupy, game = load_cupy(), load_game("mbs-tiger")
    nets = np.zeros((len(game.wagers), int(np.prod(SHAPE))))
    nets[:, PLACES] = net_matrix(game)
    shoes = np.random.default_rng(9).integers(1, 33, (SHOES, 13)).astype(np.uint16)
    arrays = [cupy.asarray(array) for array in (shoes, steps(), *nets_apart(nets))]
    worths = price(cupy, *arrays)  # compiles
    first, last = cupy.cuda.Event(), cupy.cuda.Event()
    first.record()
    worths = price(cupy, *arrays)
    last.record()
    last.synchronize()
    rate = SHOES / cupy.cuda.get_elapsed_time(first, last) / 1e3
    ours = np.array([worths_of(shoes[:COMPARED], net) for net in nets])
    apart = np.abs(worths[:, :COMPARED].get() - ours).max()
    print(f"pricing  {rate:7.1f} e6 shoes/s, {len(nets)} wagers (aim: 10); apart from the processor's {apart:.0e}")


def main() -> None:
    try:
        print(f"{gpus_here()} x {device_name()}")
    except BadInput as error:
        print(error.message)
        return
    dealing()
    pricing()


if __name__ == "__main__":
    main()

"""`natural9 train`: a table where a dealer learns what to do when something goes wrong."""

import asyncio
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from natural9.cli.demo import free_port
from natural9.cli.shared import print_json
from natural9.cli.usage import a_seed, within

if TYPE_CHECKING:
    from natural9.server.demo.run import Running
    from natural9.server.training.wire import DrillResult


def train(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game's id.")] = "rws-nc",
    rounds: Annotated[int, typer.Option("--rounds", metavar="N", help="Rounds to play, each with an incident.")] = 12,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="LESSON", help="Train only this, such as late-bet; repeat it for more."),
    ] = None,
    hints: Annotated[bool, typer.Option("--hints", help="Say what to do, for beginners.")] = False,
    limit: Annotated[
        int,
        typer.Option(
            "--limit", metavar="SECONDS", callback=within("--limit", 1, 3600), help="After how long a report is late."
        ),
    ] = 90,
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", callback=a_seed, help="The same seed makes the same drill.")
    ] = 0,
    folder: Annotated[
        Path | None,
        typer.Option("--folder", metavar="FOLDER", help="Keep the venue here and continue it next time."),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            "--port", metavar="PORT", callback=within("--port", 0, 65535), help="The port; 0 takes any free one."
        ),
    ] = None,
    stop_after: Annotated[
        float | None,
        typer.Option(
            "--for", metavar="SECONDS", callback=within("--for", 0, math.inf), help="Stop after this many seconds."
        ),
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="Print the address, and at the end the score, as JSON lines.")
    ] = False,
) -> None:
    """Train a dealer at a real console, scored by clause.

    It opens one table, says which cards come, makes things go wrong and players ask, and scores by clause how you
    handle each. Ctrl-C stops it and prints the score; without --folder everything is deleted.

    Example: natural9 train mbs-tiger --rounds 6 --for 1
    """
    import logging

    from natural9.games import load_game
    from natural9.server import event_loop
    from natural9.server.demo.run import Wishes, demo_folder, run_demo
    from natural9.server.logs import configure_logs
    from natural9.server.training.drill import Wanted, check_wanted

    configure_logs(as_json=False, level=logging.WARNING)
    load_game(game)  # or it is refused, with what there is
    wanted = Wanted(seed=seed, rounds=rounds, lessons=tuple(only or ()), hints=hints, limit_s=limit)
    check_wanted(wanted)
    wishes = Wishes(
        port=free_port(port),
        bots=0,
        dealer_bot=False,
        stop_after_s=stop_after,
        training=wanted,
        training_game=game,
        only_training=True,
    )
    with demo_folder(folder) as place:
        try:
            announce = print_json if json else _announce
            results = event_loop.run(run_demo(place, wishes, announce=announce, stopping=lambda: None))
        except asyncio.CancelledError:  # Ctrl-C a second time
            raise KeyboardInterrupt from None
    for result in results:
        print_json(result) if json else _print(result)


def _announce(running: "Running") -> None:
    print(f"The training table waits at {running.address}")
    print('Open it in a browser and choose "Train as a dealer". Ctrl-C stops it and prints the score.')
    sys.stdout.flush()


def _print(result: "DrillResult") -> None:
    from natural9.games.citations import citation

    print(f"{result.game}, seed {result.seed}: " + ", ".join(f"{n} {grade}" for grade, n in result.grades.items()))
    for mark in result.marks:
        print(f"  {mark.grade:<7}{mark.seconds:>6.1f} s  {mark.happened}")
        if mark.grade != "right":
            rules = ", ".join(filter(None, map(citation, mark.paragraphs)))
            print(f"{'':17}{mark.right} ({rules})")
            for mistake in mark.mistakes:
                print(f"{'':17}{mistake}")
    if result.read_again:
        print("Read again: " + ", ".join(filter(None, map(citation, result.read_again))))

"""`natural9 demo`: a venue to look at, with a sign-in link for every role."""

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from natural9.cli.shared import print_json
from natural9.core.errors import BadInput

if TYPE_CHECKING:
    from natural9.server.demo.run import Running

USUAL_PORT = 8909


def demo(
    folder: Annotated[
        Path | None,
        typer.Option("--folder", help="Keep the venue here, and go on with it next time. Without: thrown away."),
    ] = None,
    port: Annotated[
        int | None, typer.Option("--port", min=0, max=65535, help=f"By default {USUAL_PORT}, or any that is free.")
    ] = None,
    bots: Annotated[int, typer.Option("--bots", help="How many players are played by the program.")] = 12,
    dealer_bot: Annotated[
        bool,
        typer.Option("--dealer-bot/--no-dealer-bot", help="The program deals where a dealer is needed, till you do."),
    ] = True,
    fast: Annotated[bool, typer.Option("--fast", help="Rounds of a few seconds.")] = False,
    stop_after: Annotated[
        float | None, typer.Option("--for", metavar="SECONDS", min=0, help="Stop after so many seconds.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Other numbers: other bots.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="The links as JSON on stdout, for programs.")] = False,
) -> None:
    """Run a venue with six tables, bots, and a one-time link for every role.

    Nothing is left behind unless --folder says where. Ctrl-C stops it.

    Example: natural9 demo --fast --for 5
    """
    import logging

    import uvloop

    from natural9.server.demo.run import Wishes, demo_folder, run_demo
    from natural9.server.logs import configure_logs

    configure_logs(as_json=False, level=logging.WARNING)
    for talkative in ("httpx", "picows"):  # the bots' own lines would drown everything else
        logging.getLogger(talkative).setLevel(logging.WARNING)
    wishes = Wishes(
        port=_port(port), bots=bots, fast=fast, dealer_bot=dealer_bot, seed=seed, stop_after_s=stop_after
    )  # fmt: skip
    with demo_folder(folder) as place:
        try:
            uvloop.run(run_demo(place, wishes, announce=print_json if json else _announce, stopping=_stopping))
        except asyncio.CancelledError:  # Ctrl-C a second time
            raise KeyboardInterrupt from None


def _port(port: int | None) -> int:
    """The usual one or any other; but a port that was asked for is that one or none."""
    from natural9.server.demo.run import usable_port

    if usable_port(USUAL_PORT if port is None else port):
        return USUAL_PORT if port is None else port
    if port is None:
        print(f"Port {USUAL_PORT} is in use, so this demo takes another.", file=sys.stderr)
        return 0
    raise BadInput("port-taken", f"port {port} cannot be used: take another, or --port 0 for any that is free")


def _announce(running: "Running") -> None:
    print(f"The demo runs at {running.address}")
    print("Each link lets one browser in, once. A browser is one member of staff and one terminal at a time:")
    print("open the next one in a private window.")
    print()
    for link in running.links:
        what = link.role.replace("-", " ") + (f" at {link.name}" if link.role in ("terminal", "display") else "")
        print(f"  {what:<30} {link.link}")
    print()
    print("Ctrl-C stops it. To look again at any time: " + running.address)
    sys.stdout.flush()


def _stopping() -> None:
    print("The rounds in play come to their end; Ctrl-C again does not wait for them.", file=sys.stderr)

"""`natural9 demo`: a venue to look at, with a sign-in link for every role."""

import asyncio
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from natural9.cli.shared import print_json
from natural9.cli.usage import a_seed, port_option, within
from natural9.core.errors import BadInput
from natural9.extras import check_extra

if TYPE_CHECKING:
    from natural9.server.demo.run import DemoNode, Running

USUAL_PORT = 8909
MOST_NODES = 9


def demo(
    folder: Annotated[
        Path | None,
        typer.Option("--folder", metavar="FOLDER", help="Keep the venue here and continue it next time."),
    ] = None,
    port: Annotated[int | None, port_option(f"{USUAL_PORT} if free")] = None,
    bots: Annotated[int, typer.Option("--bots", metavar="N", help="Players that the program plays.")] = 18,
    dealer_bot: Annotated[
        bool, typer.Option("--dealer-bot/--no-dealer-bot", help="Let the program deal until you do.")
    ] = True,
    nodes: Annotated[
        int | None,
        typer.Option(
            "--nodes",
            metavar="N",
            callback=within("--nodes", 2, MOST_NODES),
            help="Run it on this many nodes.",
        ),
    ] = None,
    fast: Annotated[bool, typer.Option("--fast", help="Play rounds of a few seconds.")] = False,
    stop_after: Annotated[
        float | None,
        typer.Option(
            "--for", metavar="SECONDS", callback=within("--for", 0, math.inf), help="Stop after this many seconds."
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", callback=a_seed, help="The same seed makes the same bots.")
    ] = 0,
    json: Annotated[bool, typer.Option("--json", help="Print the links as JSON on stdout, for programs.")] = False,
) -> None:
    """Run a demo venue with bots and a link for every role.

    It has a table for each of the nine games. Each link lets one browser in, once. Ctrl-C stops it and, without
    --folder, deletes everything.

    With --nodes 3 three processes play the venue, on its own PostgreSQL and NATS: kill one, and watch its tables come
    back at the others.

    Example: natural9 demo --fast --for 5
    """
    import logging

    from natural9.server import event_loop
    from natural9.server.demo.run import Wishes, demo_folder, run_demo
    from natural9.server.logs import configure_logs

    configure_logs(as_json=False, level=logging.WARNING)
    for talkative in ("httpx", "picows"):  # the bots' own lines would drown everything else
        logging.getLogger(talkative).setLevel(logging.WARNING)
    wishes = Wishes(
        port=free_port(port), bots=bots, fast=fast, dealer_bot=dealer_bot, seed=seed, stop_after_s=stop_after
    )  # fmt: skip
    announce = print_json if json else _announce
    with demo_folder(folder) as place:
        try:
            if nodes:
                check_extra("engines")  # which has asyncpg besides
                from natural9.server.demo.nodes import run_nodes

                keep = folder is not None
                several = run_nodes(place, wishes, nodes, keep=keep, announce=announce, stopping=_stopping, tell=_tell)
                event_loop.run(several)
            else:
                event_loop.run(run_demo(place, wishes, announce=announce, stopping=_stopping))
        except asyncio.CancelledError:  # Ctrl-C a second time
            raise KeyboardInterrupt from None


def free_port(port: int | None) -> int:
    """The usual one or any other; but a port that was asked for is that one or none."""
    from natural9.server.demo.run import usable_port

    if usable_port(USUAL_PORT if port is None else port):
        return USUAL_PORT if port is None else port
    if port is None:
        print(f"Port {USUAL_PORT} is in use, so the demo takes another one.", file=sys.stderr)
        return 0
    raise BadInput("port-taken", f"port {port} is in use or not allowed: choose another, or --port 0 for any free one")


def _announce(running: "Running") -> None:
    print(f"The demo runs at {running.address}")
    print("Each link lets one browser in, once. A browser is one member of staff and one terminal at a time:")
    print("open the next one in a private window.")
    print()
    for link in running.links:
        what = link.role.replace("-", " ") + (f" at {link.name}" if link.role in ("terminal", "display") else "")
        print(f"  {what:<34} {link.link}")
    print()
    if running.nodes:
        _announce_nodes(running.nodes)
    print("Ctrl-C stops it. The start page, at any time: " + running.address)
    sys.stdout.flush()


def _announce_nodes(nodes: "list[DemoNode]") -> None:
    print(f"Behind that address {len(nodes)} nodes play, each of them a process:")
    for node in nodes:
        print(f"  {node.name:<8} process {node.pid:<8} {node.url:<24} log {node.log}")
    print("Kill one, and its tables come back at the others within seconds; the pit shows which node has which table:")
    print(f"  kill -9 {nodes[0].pid}")
    print()


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _stopping() -> None:
    print("The demo stops when the rounds in play have ended; Ctrl-C again stops it now.", file=sys.stderr)

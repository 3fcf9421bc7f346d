"""One node of a demo on several, started by the demo as a process of its own: `python -m natural9.server.demo.node`."""

import sys
from pathlib import Path

from natural9.core.errors import BadInput
from natural9.server import event_loop
from natural9.server.demo.run import MARK
from natural9.server.house import House
from natural9.server.logs import configure_logs
from natural9.server.serve import serve


async def _started(house: House, address: str) -> None:
    """Whoever started it asks whether it is ready."""


def main(folder: Path, name: str, port: int) -> None:
    """Whoever reaches it may be anybody in it, so only a demo's folder is served so."""
    if not (folder / MARK).exists():
        raise BadInput("not-a-demo", f"{folder} is no demo's folder")
    configure_logs(node=name)
    event_loop.run(serve(folder, started=_started, demo=True, node=name, port=port))


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
    except BadInput as error:
        sys.exit(f"natural9: {error}")

"""`natural9 doctor`: whether this machine, and a venue on it, are ready to play."""

from pathlib import Path
from typing import Annotated, Final

import typer
from msgspec import Struct
from rich.table import Table
from rich.text import Text

from natural9.cli.doctor_findings import Finding, Health
from natural9.cli.doctor_machine import look_at_disk, look_at_handles, look_at_machine
from natural9.cli.doctor_venue import look_at_venue
from natural9.cli.records import check_venue
from natural9.cli.shared import JsonOption, console, print_json
from natural9.server.clock import machine_ms

STYLES: Final = {Health.GOOD: "green", Health.LOOK: "yellow", Health.BAD: "bold red"}


def doctor(
    venue: Annotated[Path | None, typer.Argument(metavar="[VENUE]", help="The folder of a venue.")] = None,
    json: JsonOption = False,
) -> int:
    """Check this machine and a venue; say how to fix each problem.

    It looks at what is installed, open files, the disk and the clock; with a VENUE also at its file, port, certificate
    and journal. Each line is good, look or bad. It changes nothing, and works while the server runs. Exit 1: something
    is bad.

    Example: natural9 doctor my-venue
    """
    if venue is not None:
        check_venue(venue)
        found = [*look_at_machine(), *look_at_disk(venue), *look_at_venue(venue, now_ms=machine_ms())]
    else:
        found = [*look_at_machine(), look_at_handles(seats=0), *look_at_disk(Path.cwd())]
    is_well = not any(one.verdict is Health.BAD for one in found)
    if json:
        print_json([_listed(one) for one in found])
    else:
        _show(found)
    return 0 if is_well else 1


class Listed(Struct, frozen=True):
    """For programs; `verdict` tells what somebody should look at from what is in order, where both are ok."""

    check: str
    ok: bool
    detail: str
    remedy: str
    verdict: Health


def _listed(one: Finding) -> Listed:
    return Listed(one.what, one.verdict is not Health.BAD, one.words, one.remedy, one.verdict)


def _show(found: list[Finding]) -> None:
    lines = Table.grid(padding=(0, 2, 0, 0))
    for one in found:
        words = Text(one.words)
        if one.remedy:
            words.append(f"\nRemedy: {one.remedy}", "bold")
        lines.add_row(Text(one.verdict, STYLES[one.verdict]), Text(one.what), words)
    console().print(lines)
    bad, look = (sum(one.verdict is health for one in found) for health in (Health.BAD, Health.LOOK))
    good = len(found) - bad - look
    console().print(f"\n{good} good, {look} to look at, {bad} bad.")

"""`natural9 chance`: whether the shuffler is fair, and its bytes for whoever has tests of their own."""

import sys
from random import Random
from typing import TYPE_CHECKING, Annotated

import typer

from natural9.chance.stream import raw_bytes
from natural9.cli.shared import JsonOption, console, print_json
from natural9.cli.usage import a_seed, within
from natural9.core.errors import BadInput

if TYPE_CHECKING:
    from natural9.chance.report import ChanceReport

FEWEST_SHOES, MOST_SHOES = 500, 1_000_000
USUAL_SHOES = 10_000
MOST_DECKS = 10


def chance(
    shoes: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            callback=within("--shoes", FEWEST_SHOES, MOST_SHOES),
            help=f"Shoes to shuffle.  [default: {USUAL_SHOES}]",
        ),
    ] = None,
    decks: Annotated[
        int, typer.Option(metavar="N", callback=within("--decks", 1, MOST_DECKS), help="Decks in each.")
    ] = 8,
    seed: Annotated[
        int | None,
        typer.Option(metavar="N", callback=a_seed, help="Draw from this seed instead, for a report that repeats."),
    ] = None,
    raw: Annotated[
        int | None,
        typer.Option(
            metavar="BYTES",
            callback=within("--raw", 1, 2**62),
            help="Write this many drawn bytes, and no report.",
        ),
    ] = None,
    json: JsonOption = False,
) -> int:
    """Test the shuffler, or write the bytes that it draws.

    It shuffles new shoes as a table does and counts positions, neighbours, runs, outcomes and more. All tests together
    are held to 99%: a fair shuffler fails one time in a hundred. Exit 1 if it fails.

    With --raw it writes the bytes that it draws to standard output, for dieharder, PractRand and the like.

    Example: natural9 chance --shoes 1000
    """
    if raw is not None:
        if seed is not None or json or shoes is not None:
            why = "--raw writes the bytes of the real source only: leave out --seed, --shoes and --json"
            raise BadInput("bad-usage", why)
        for part in raw_bytes(decks, raw):
            sys.stdout.buffer.write(part)
        sys.stdout.buffer.flush()
        return 0
    from natural9.chance.report import examine_shuffler  # NumPy comes with it

    source = "the operating system" if seed is None else f"seed {seed}, which no table uses"
    report = examine_shuffler(decks, shoes or USUAL_SHOES, source, None if seed is None else Random(seed).randbytes)
    if json:
        print_json(report)
    else:
        _show(report)
    return 0 if report.holds else 1


def _show(report: "ChanceReport") -> None:
    out = console()
    out.print(
        f"{report.shoes:,} shoes of {report.decks} decks from {report.source}, {report.drawn_bytes:,} bytes drawn"
    )
    for one in report.tests:
        mark = "  " if one.adjusted_p >= report.level else "! "
        out.print(f"{mark}{one.name:<23}p {one.p:.4f}  of all {one.adjusted_p:.4f}  {one.found}", soft_wrap=True)
        out.print(f"    {one.words}", soft_wrap=True, style="dim")
    exhausted = ", ".join(f"{orders} of {cards}" for cards, orders in report.exhausted.items())
    out.print(f"  Every order of a small deck comes by one sequence of draws, and only one: {exhausted} cards.")
    lowest = min(one.adjusted_p for one in report.tests)
    verdict = (
        "nothing speaks against the shuffler" if report.holds else "the shuffler is NOT fair, or this is that one time"
    )
    out.print(
        f"At 99% for all {len(report.tests)} tests together (Holm; the smallest of all is {lowest:.4f}): {verdict}.",
        soft_wrap=True,
    )

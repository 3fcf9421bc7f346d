"""`natural9 penetration`: a wager's edge and volatility by how far the shoe is dealt."""

import sys
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Console
from rich.markup import escape

from natural9.cli.plotting import PlotOption, check_plot, write_plot
from natural9.cli.progress import progress_bar
from natural9.cli.shared import GameArgument, JsonOption, console, print_json
from natural9.cli.tables import table
from natural9.games import find_game

if TYPE_CHECKING:
    from natural9.odds.penetration import Penetration


INTERRUPTED: Final = 130


def penetration(
    game: GameArgument,
    wager: Annotated[str, typer.Option(metavar="WAGER", help="A wager of the game.")],
    decks: Annotated[int, typer.Option(metavar="N", help="Decks in the shoe.")] = 8,
    shoes: Annotated[int, typer.Option(metavar="N", help="Shoes to deal.")] = 500,
    seed: Annotated[int, typer.Option(metavar="N", help="The same seed deals the same shoes.")] = 1,
    cut: Annotated[int, typer.Option(metavar="N", help="Cards behind the cut card.")] = 14,
    plot: PlotOption = None,
    json: JsonOption = False,
) -> None:
    """Show how a wager's edge varies as the shoe is dealt.

    On average the house edge stays that of a fresh shoe. The deeper the shoe, the more single shoes vary, and the more
    often the bettor has the edge. It deals whole shoes and prices the wager exactly before every round; volatility is
    the standard deviation of one bet. Ctrl-C shows what has been dealt so far.

    Example: natural9 penetration mbs-tiger --wager big-tiger --shoes 100
    """
    from natural9.odds.penetration import edge_by_penetration

    check_plot(plot)
    with progress_bar("shoes", shoes) as progress:
        found = edge_by_penetration(
            find_game(game), wager, decks=decks, shoes=shoes, seed=seed, cut=cut, progress=progress
        )
    if plot:
        from natural9.odds.parsheet.plots import CurvesPlot

        seen = [(52 * decks - sum(depth.left) / 2, depth) for depth in found.depths]
        curves = (
            ("house edge", tuple((x, depth.edge) for x, depth in seen)),
            ("its spread", tuple((x, depth.spread) for x, depth in seen)),
            ("favours the bettor", tuple((x, depth.favourable) for x, depth in seen)),
        )
        write_plot(plot, CurvesPlot("cards dealt", curves), f"{wager} of {found.game.title}")
    print_json(_data(found)) if json else _show(console(), found)
    if found.shoes < shoes:  # interrupted is what a shell expects to hear, though there was something to show
        print(f"natural9: interrupted after {found.shoes} of {shoes} shoes", file=sys.stderr)
        raise typer.Exit(INTERRUPTED)


def _data(found: "Penetration") -> dict[str, object]:
    asked = {"game": found.game.id, "wager": found.wager, "decks": found.decks, "shoes": found.shoes}
    return {**asked, "seed": found.seed, "depths": found.depths}


def _show(out: Console, found: "Penetration") -> None:
    out.print(f"[bold]{found.wager}[/bold] of {escape(found.game.title)}")
    out.print(f"{found.shoes} shoes of {found.decks} decks, seed {found.seed}\n")
    columns = ("cards left", "house edge", "spread", "favours the bettor", "volatility")
    listed = table(*columns, right=columns)
    for depth in found.depths:
        edge = f"{depth.edge:.3%} ±{100 * depth.edge_stderr:.3f}"
        left = f"{depth.left[0]} to {depth.left[1]}"
        listed.add_row(left, edge, f"{depth.spread:.3%}", f"{depth.favourable:.2%}", f"{depth.volatility:.3f}")
    out.print(listed)

"""`natural9 session`: bets that are laid together, round after round."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.console import Console
from rich.markup import escape

from natural9.cli.plotting import PlotOption, check_plot, write_plot
from natural9.cli.shared import GameArgument, JsonOption, bets_asked_for, console, print_json
from natural9.cli.tables import table
from natural9.core.errors import BadInput
from natural9.core.money import show_cents
from natural9.games import find_game

if TYPE_CHECKING:
    from natural9.odds.session import SessionOdds
    from natural9.odds.together import Together

SHARES: Final = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)


def session(
    game: GameArgument,
    bet: Annotated[list[str] | None, typer.Option(metavar="WAGER=AMOUNT", help="A bet; repeat it for more.")] = None,
    rounds: Annotated[int, typer.Option(metavar="N", help="Rounds of the same bets.")] = 80,
    decks: Annotated[int, typer.Option(metavar="N", help="Decks in the shoe.")] = 8,
    plot: PlotOption = None,
    json: JsonOption = False,
) -> None:
    """Show how a session of the same bets can end.

    One round is exact: what the bets win together, and how they correlate. Many rounds are that round's distribution,
    convolved with itself, as if each came from a fresh shoe: an approximation.

    Example: natural9 session mbs-tiger --bet banker=100 --bet tiger=10 --rounds 200
    """
    from natural9.odds.composition import Composition
    from natural9.odds.session import session_of
    from natural9.odds.together import bets_together

    check_plot(plot)
    chosen = find_game(game)
    chosen.check_decks(decks)
    if not bet:
        raise BadInput("bad-usage", "name the bets: natural9 session mbs-nc --bet banker=100 --bet tie=5")
    laid = bets_together(chosen, Composition.of(decks=decks), bets_asked_for(bet))
    ended = session_of(laid.nets, rounds=rounds)
    if plot:
        _draw(plot, laid, ended)
    print_json(session_data(laid, ended, decks)) if json else _show(console(), laid, ended, decks)


def _draw(file: Path, laid: "Together", ended: "SessionOdds") -> None:
    from natural9.odds.parsheet.plots import SessionsPlot
    from natural9.odds.session import session_of

    in_dollars = {net / 100: chance for net, chance in laid.nets.items()}
    bets = ", ".join(f"{wager} {show_cents(stake)}" for wager, stake in laid.stakes.items())
    ends = session_of(in_dollars, rounds=ended.rounds)
    write_plot(file, SessionsPlot(((f"{ended.rounds} rounds", ends),)), f"{laid.game.title}: {bets}")


def session_data(laid: "Together", ended: "SessionOdds", decks: int) -> dict[str, Any]:
    def exact(value: Any) -> str:
        return f"{value.numerator}/{value.denominator}"

    return {
        "game": laid.game.id,
        "decks": decks,
        "bets": laid.stakes,
        "round": {
            "expected": exact(laid.expected),
            "expected_float": float(laid.expected),
            "variance": exact(laid.variance),
            "standard_deviation": laid.standard_deviation,
            "results": [
                {"net": exact(net), "net_float": float(net), "probability": exact(chance)}
                for net, chance in sorted(laid.nets.items())
            ],
        },
        "covariances": [
            {"wagers": pair, "covariance": exact(value), "correlation": laid.correlation(*pair)}
            for pair, value in laid.covariances.items()
        ],
        "session": {
            "rounds": ended.rounds,
            "mean": ended.mean,
            "standard_deviation": ended.standard_deviation,
            "ahead": ended.ahead,
            "quantiles": [{"share": share, "result": ended.quantile(share)} for share in SHARES],
        },
    }


def _show(out: Console, laid: "Together", ended: "SessionOdds", decks: int) -> None:
    out.print(f"[bold]{escape(laid.game.title)}[/bold], {decks} decks\n")
    wagers = [*laid.stakes]
    money = ("stake", "expected", "house edge", "sd")
    listed = table("bet", *money, *wagers, right=(*money, *wagers))
    for wager, stake in laid.stakes.items():
        mean, spread = laid.means[wager], float(laid.covariances[wager, wager]) ** 0.5
        worth = show_cents(stake), _dollars(float(mean) * stake), f"{-float(mean):.4%}", _dollars(spread * stake)
        listed.add_row(wager, *worth, *(f"{laid.correlation(wager, other):+.3f}" for other in wagers))
    staked = sum(laid.stakes.values())
    edge = f"{-float(laid.expected) / staked:.4%}"
    whole = show_cents(staked), _dollars(float(laid.expected)), edge, _dollars(laid.standard_deviation)
    listed.add_row("together", *whole, *[""] * len(wagers), style="bold")
    out.print(listed)
    out.print("The columns on the right: how each bet goes with the others, from -1 to +1. One round is exact.\n")
    out.print(f"[bold]After {ended.rounds:,} rounds[/bold], each taken to come from a fresh shoe")
    out.print(f"expected {_dollars(ended.mean)}, standard deviation {_dollars(ended.standard_deviation)}")
    out.print(f"ahead in {ended.ahead:.2%} of sessions\n")
    columns = ("of sessions", "end with at most")
    ends = table(*columns, right=columns)
    for share in SHARES:
        ends.add_row(f"{share:.0%}", _dollars(ended.quantile(share)))
    out.print(ends)


def _dollars(cents: float) -> str:
    return f"{cents / 100:,.2f}"

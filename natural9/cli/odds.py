"""`natural9 odds`: every wager of a game, priced exactly for any shoe."""

import csv
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Final

import typer
from msgspec.structs import asdict
from rich.console import Console
from rich.markup import escape

from natural9.cli.shared import GameArgument, JsonOption, cards_with_suits, console, print_json, say_if_slower
from natural9.cli.tables import table
from natural9.core.cards import parse_ranks, split_cards
from natural9.core.errors import BadInput
from natural9.core.game import Game
from natural9.core.shoe import Shoe
from natural9.games import find_game
from natural9.games.citations import citation
from natural9.server.odds.wire import game_priced

if TYPE_CHECKING:  # the mathematics takes a moment to load, and `natural9 --help` should not wait for it
    from natural9.odds.pricing import GameOdds

MOST_SHOE_SIZES: Final = 20


def odds(
    game: GameArgument,
    decks: Annotated[str, typer.Option(metavar="N", help="Decks in the fresh shoe; 4..10 prices each size.")] = "8",
    without: Annotated[str, typer.Option(metavar="CARDS", help="Cards that have left the shoe.")] = "",
    compare: Annotated[
        list[str] | None, typer.Option(metavar="GAME", help="Another game, side by side; repeat it for more.")
    ] = None,
    what_if: Annotated[
        list[str] | None,
        typer.Option(metavar="WAGER.ROW=ODDS", help="Try other odds on a pay row, as in tiger.2=25:1."),
    ] = None,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print comma-separated values, one line a pay row.")] = False,
    json: JsonOption = False,
) -> None:
    """Price every wager of a game exactly, for any shoe.

    It shows the chances, the expectation, the house edge and the volatility of each.

    Example: natural9 odds mbs-tiger --decks 8 --without "9S 9H"
    """
    if as_csv and json:
        raise BadInput("bad-usage", "give --csv or --json, not both")
    games = [_tried(find_game(game), what_if or []), *map(find_game, compare or [])]
    shoes = _shoe_sizes(decks)
    say_if_slower()
    priced = [(size, _price(one, size, without)) for one in games for size in shoes]
    if json:
        first, *others = (game_priced(one, size) for size, one in priced)
        print_json({**asdict(first), "compared": others} if others else first)
    elif as_csv:
        _write_csv(priced)
    elif len(priced) > 1:
        _show_side_by_side(console(), priced)
    else:
        _show(console(), priced[0][1], priced[0][0])


def _shoe_sizes(decks: str) -> list[int]:
    least, dots, most = decks.partition("..")
    if not least.isdecimal() or (dots and not most.isdecimal()) or len(decks) > 8:
        raise BadInput("bad-decks", f"{decks!r} is not a number of decks: write 8, or 4..10 for each size")
    sizes = list(range(int(least), int(most or least) + 1))
    if not sizes or len(sizes) > MOST_SHOE_SIZES:
        raise BadInput(
            "bad-decks",
            f"{decks!r} is not a range of decks: write the smaller first, at most {MOST_SHOE_SIZES} sizes, as in 4..10",
        )
    return sizes


def _tried(game: Game, changes: Sequence[str]) -> Game:
    from natural9.odds.pricing import what_if

    for change in changes:
        where, _, odds = change.partition("=")
        wager, _, row = where.rpartition(".")
        if not wager or not row.isdecimal() or not odds:
            raise BadInput("bad-what-if", f"{change!r} does not change odds: write WAGER.ROW=ODDS, as in tiger.2=25:1")
        game = what_if(game, wager, int(row), odds)
    # Nobody takes what is tried for what was approved, on a screen, in a sheet or in a program.
    tried = f" with {', '.join(changes)}" if changes else ""
    return replace(game, id=game.id + tried, title=game.title + tried)


def _price(game: Game, decks: int, without: str) -> "GameOdds":
    from natural9.odds.composition import Composition
    from natural9.odds.pricing import odds

    game.check_decks(decks)
    tokens = split_cards(without)
    ranks = parse_ranks(tokens)
    Shoe.of(decks=decks).without(cards_with_suits(tokens))
    return odds(game, Composition.of(decks=decks).without(ranks))


def _show(out: Console, priced: "GameOdds", decks: int) -> None:
    out.print(f"[bold]{escape(priced.game.title)}[/bold], {decks} decks, {priced.shoe.cards} cards left\n")
    columns = ("wager", "win", "push", "lose", "expected", "house edge", "sd")
    listed = table(*columns, right=columns[1:])
    for wager in priced.wagers:
        chances = (f"{float(chance):.4%}" for chance in (wager.win, wager.push, wager.lose))
        worth = (f"{float(wager.expected):+.6f}", f"{float(wager.house_edge):.6%}", f"{wager.standard_deviation:.3f}")
        listed.add_row(wager.id, *chances, *worth)
    out.print(listed)
    rows = table("pays", "odds", "probability", "once in", "rule", right=("odds", "probability", "once in"))
    for wager in priced.wagers:
        for one in wager.rows:
            once = f"{float(1 / one.probability):,.1f}" if one.probability else "never"
            rows.add_row(wager.id, one.row.pays, f"{float(one.probability):.6%}", once, citation(one.row.paragraph))
    out.print("", rows)
    if priced.insurance:
        _show_insurance(out, priced)


def _show_insurance(out: Console, priced: "GameOdds") -> None:
    columns = ("insurance", "P v B", "odds", "arises", "win", "push", "expected", "favours")
    listed = table(*columns, right=columns[2:-1])
    for line in priced.insurance:
        chances = (f"{float(chance):.3%}" for chance in (line.arises, line.win, line.push))
        favours = "the BETTOR" if line.expected > 0 else "the house"
        where = (f"{line.row.hand} {line.row.window}", f"{line.player_total} v {line.banker_total}", line.row.odds.text)
        listed.add_row(*where, *chances, f"{float(line.expected):+.4%}", favours)
    out.print("", listed)


def _show_side_by_side(out: Console, priced: Sequence[tuple[int, "GameOdds"]]) -> None:
    """The house edge of each wager, a column for each game and number of decks."""
    several = len({size for size, _ in priced}) > 1
    names = [f"{one.game.id} {size} decks" if several else one.game.id for size, one in priced]
    listed = table("house edge", *names, right=names)
    for wager_id in dict.fromkeys(wager.id for _, one in priced for wager in one.wagers):
        edges = [{wager.id: wager.house_edge for wager in one.wagers}.get(wager_id) for _, one in priced]
        listed.add_row(wager_id, *("" if edge is None else f"{float(edge):.6%}" for edge in edges))
    out.print(listed)


def _write_csv(priced: Sequence[tuple[int, "GameOdds"]]) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(
        ("game", "decks", "cards_left", "wager", "row", "odds", "probability", "expected", "house_edge", "sd")
    )
    for size, one in priced:
        for wager in one.wagers:
            worth = (float(wager.expected), float(wager.house_edge), wager.standard_deviation)
            for place, row in enumerate(wager.rows, 1):
                where = (one.game.id, size, one.shoe.cards, wager.id, place, row.row.pays, float(row.probability))
                writer.writerow((*where, *worth))

"""`natural9 design`: a pay table made to measure."""

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Console
from rich.markup import escape

from natural9.cli.shared import GameArgument, JsonOption, console, print_json, say_if_slower
from natural9.cli.tables import points_words, table
from natural9.core.errors import BadInput
from natural9.core.game import Game
from natural9.core.table_of_play import Hand
from natural9.games import find_game

if TYPE_CHECKING:
    from natural9.core.insurance import InsuranceRow
    from natural9.odds.design import NeededOdds, PayTable
    from natural9.odds.vulnerability import InsuranceEdge, InsuranceVulnerability

SHOWN: Final = 30  # pay tables; --json has them all
SHOES: Final = 300


def design(
    game: GameArgument,
    wager: Annotated[str, typer.Option(metavar="WAGER", help="The wager to design; not with --insurance.")] = "",
    edge: Annotated[str, typer.Option(metavar="PERCENT", help="The odds that give this house edge, row by row.")] = "",
    between: Annotated[
        str, typer.Option(metavar="FROM..TO", help="Whole odds that give a house edge in this range, as in 4%..8%.")
    ] = "",
    insurance: Annotated[
        bool, typer.Option("--insurance", help="Whether each row of insurance favours the bettor, and how often.")
    ] = False,
    decks: Annotated[int, typer.Option(metavar="N", help="Decks in the shoe.")] = 8,
    json: JsonOption = False,
) -> None:
    """Find the odds that give a wager a house edge.

    It is exact, for a fresh shoe. --edge changes each row in turn and keeps the others; --between changes all rows, and
    a rarer row pays no less than a likelier one. --insurance says of every row whether it favours the bettor at the
    start of a shoe, and how often while 300 shoes are dealt.

    Example: natural9 design mbs-tiger --wager tiger --edge 10%
    """
    chosen = find_game(game)
    chosen.check_decks(decks)
    if [bool(edge), bool(between), insurance].count(True) != 1:
        raise BadInput("bad-usage", "ask for one thing: --edge 5%, --between 4%..8%, or --insurance")
    if insurance:
        _insurance(chosen, wager, decks, json)
        return
    if not wager:
        raise BadInput(
            "bad-usage", f"name the wager, as in --wager tie; {chosen.id} has {', '.join(chosen.wagers_by_id)}"
        )
    _wager(chosen, wager, edge, between, decks, json)


def _wager(game: Game, wager: str, edge: str, between: str, decks: int, json: bool) -> None:
    from natural9.odds.composition import Composition
    from natural9.odds.design import odds_for_edge, tables_between

    say_if_slower()
    shoe, chosen = Composition.of(decks=decks), game.wager(wager)
    if edge:
        needed = odds_for_edge(chosen, shoe, _share(edge))
        print_json([_needed_data(one) for one in needed]) if json else _show_needed(console(), wager, edge, needed)
        return
    least, dots, most = between.partition("..")
    if not dots:
        raise BadInput("bad-edge", f"{between!r} is not a range: write the smaller edge first, as in 4%..8%")
    tables = tables_between(chosen, shoe, _share(least), _share(most))
    if json:
        print_json([{"odds": one.odds, "house_edge": _exact(one.edge), "edge": float(one.edge)} for one in tables])
    else:
        _show_tables(console(), wager, between, tables)


def _share(text: str) -> Fraction:
    try:
        share = Fraction(text.strip().removesuffix("%")) / (100 if text.strip().endswith("%") else 1)
    except (ValueError, ZeroDivisionError):
        raise BadInput("bad-edge", f"{text!r} is not a house edge: write it in percent, as in 5% or 1.25%") from None
    if not text.strip().endswith("%") or not -10 < share < 1:
        raise BadInput("bad-edge", f"{text!r} is not a house edge: write it in percent below 100%, as in 5%")
    return share


def _exact(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"


def _needed_data(one: "NeededOdds") -> dict[str, object]:
    def whole(found: tuple[int, Fraction] | None) -> dict[str, object] | None:
        return None if found is None else {"odds": found[0], "house_edge": _exact(found[1]), "edge": float(found[1])}

    exact = None if one.exact is None else {"odds": _exact(one.exact), "odds_float": float(one.exact)}
    where = {"row": one.row, "called": one.called, "pays": one.pays, "probability": _exact(one.chance)}
    return {**where, "needed": exact, "below": whole(one.below), "above": whole(one.above)}


def _show_needed(out: Console, wager: str, edge: str, needed: "tuple[NeededOdds, ...]") -> None:
    out.print(
        f"[bold]{wager}[/bold]: what each row would have to pay for a house edge of {edge}, the others as they are\n"
    )
    right = ("pays now", "needs", "whole odds below", "whole odds above")
    listed = table("row", "when", *right, right=right)
    for one in needed:
        needs = "nothing does" if one.exact is None else f"{float(one.exact):.4f}:1"
        listed.add_row(str(one.row), escape(one.called), one.pays, needs, _whole(one.below), _whole(one.above))
    out.print(listed)


def _whole(found: tuple[int, Fraction] | None) -> str:
    return "-" if found is None else f"{found[0]}:1 ({float(found[1]):.4%})"


def _show_tables(out: Console, wager: str, between: str, tables: "list[PayTable]") -> None:
    if not tables:
        out.print(f"No whole odds give {wager} a house edge of {between}.")
        return
    many = f"{len(tables):,} pay tables" if len(tables) > 1 else "One pay table"
    out.print(
        f"[bold]{wager}[/bold]: {many} in whole odds with a house edge of {between}, nearest to the middle first\n"
    )
    listed = table("odds, row by row", "house edge", right=("house edge",))
    for one in tables[:SHOWN]:
        listed.add_row(", ".join(f"{odds}:1" for odds in one.odds), f"{float(one.edge):.4%}")
    out.print(listed)
    if len(tables) > SHOWN:
        out.print(f"and {len(tables) - SHOWN:,} more: --json has them all")


def _insurance(game: Game, wager: str, decks: int, json: bool) -> None:
    from natural9.odds.composition import Composition
    from natural9.odds.insurance import insurance_odds
    from natural9.odds.vulnerability import insurance_vulnerability

    if wager:
        raise BadInput("bad-usage", "--insurance looks at every row: leave out --wager")
    if game.insurance is None:
        raise BadInput("no-insurance", f"{game.id} has no insurance")
    fresh = insurance_odds(game.insurance, Composition.of(decks=decks))
    best = {line.row: max(float(one.expected) for one in fresh if one.row == line.row) for line in fresh}
    hands = [insurance_vulnerability(game, hand, decks=decks, shoes=SHOES) for hand in Hand]
    rows = [
        {
            "hand": line.row.hand,
            "window": line.row.window,
            "player_points": line.row.player_totals,
            "banker_points": line.row.banker_totals,
            "odds": line.row.odds.text,
            "best_fresh": best[line.row],
            "favourable": [
                {"cut": depth.cut, "share_of_offers": _favourable(depth.rows[place])} for depth in found.depths
            ],
        }
        for found in hands
        for place, line in enumerate(found.depths[0].rows)
        if line.row
    ]
    if json:
        print_json({"game": game.id, "decks": decks, "shoes": SHOES, "seed": 1, "rows": rows})
    else:
        _show_insurance(console(), game, decks, hands, best)


def _favourable(line: "InsuranceEdge") -> float:
    return line.counted.bets.value / line.offered.value if line.offered.value else 0.0


def _show_insurance(
    out: Console, game: Game, decks: int, hands: "list[InsuranceVulnerability]", best: "dict[InsuranceRow, float]"
) -> None:
    out.print(f"[bold]{escape(game.title)}[/bold], {decks} decks: how often an offer of insurance favours the bettor\n")
    cuts = [depth.cut for depth in hands[0].depths if depth.cut in (14, 52, 104, 208)]
    shares = [f"to {cut} left" for cut in cuts]
    listed = table("insurance", "P v B", "odds", "at best, fresh", *shares, right=("odds", "at best, fresh", *shares))
    for found in hands:
        for place, line in enumerate(found.depths[0].rows):
            row = line.row
            assert row is not None, "a row of its own"
            points = f"{points_words(row.player_totals)} v {points_words(row.banker_totals)}"
            often = (_favourable(depth.rows[place]) for depth in found.depths if depth.cut in cuts)
            cells = points, row.odds.text, f"{best[row]:+.3%}", *(f"{share:.2%}" for share in often)
            listed.add_row(f"{row.hand} {row.window}", *cells)
    out.print(listed)
    out.print(
        "\nAt best, fresh: the bettor's expectation at the points that suit it most, at the start of a shoe. "
        f"The rest is measured, over {SHOES} shoes: of all offers until so many cards were left."
    )

"""`natural9 games`: the approved games as data, beside the documents."""

from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.padding import Padding

from natural9.cli.shared import WHICH_GAME, JsonOption, console, print_json
from natural9.cli.tables import insurance_table, pay_table, table
from natural9.core.game import Game
from natural9.core.insurance import InsuranceRow
from natural9.core.table_of_play import Hand
from natural9.core.wagers import PayRow
from natural9.games import find_game, game_ids, load_game
from natural9.games.citations import citation
from natural9.games.loader import wager_names


def games(
    game: Annotated[str, typer.Argument(metavar="[GAME]", help=WHICH_GAME)] = "",
    json: JsonOption = False,
) -> None:
    """Show the approved games, their wagers, odds and paragraphs.

    Without GAME it lists them all. With an id it shows one game: wagers, layouts, irregularity clauses and
    interpretations, each with its paragraph. With the path of your own rule pack it checks the pack too, and names the
    file and line of the first mistake.

    Example: natural9 games mbs-tiger
    """
    chosen = [find_game(game)] if game else [load_game(name) for name in game_ids()]
    if json:
        print_json([as_data(one) for one in chosen])
    elif game:
        _show(console(), chosen[0])
    else:
        _list(console(), chosen)


def as_data(game: Game) -> dict[str, Any]:
    """A game as JSON: the contract's fields, and everything else that the pack and its document say."""
    document = game.document
    return {
        "id": game.id,
        "title": game.title,
        "operator": document.operator,
        "document": document.title,
        "document_id": document.id,
        "effective": document.effective,
        "rules_sha256": game.sha256,
        "decks": {"min": game.decks.min, "max": game.decks.max, "paragraph": game.decks.paragraph},
        "betting_unit": game.betting_unit_cents,
        "wagers": [
            {
                "id": wager.id,
                "title": wager.title,
                "names": wager.names,
                "optional": wager.optional,
                "pays": [_pay_row(row) for row in wager.rows],
                "loses": wager.paragraph,
            }
            for wager in game.wagers
        ]
        + _insurance_wagers(game),
        "layouts": game.layouts,
        "procedure": document.procedure,
        "irregularities": [
            {
                "kind": clause.kind,
                "decided_by": clause.rank.tag,
                "remedies": clause.remedies,
                "may_replace_shoe": clause.may_replace_shoe or None,
                "previous_rounds_stand": clause.previous_stand or None,
            }
            for clause in document.clauses.values()
        ],
        "interpretations": game.interpretations,
    }


def _pay_row(row: PayRow) -> dict[str, Any]:
    when = {feature: values[0] if len(values) == 1 else values for feature, values in row.when.items()}
    return {"when": when, "odds": row.pays, "paragraph": row.paragraph}


def _insurance_wagers(game: Game) -> list[dict[str, Any]]:
    """Insurance as wagers of their own: their rows also say in which window, and at which points, they are on offer."""
    if game.insurance is None:
        return []
    names = wager_names()
    return [
        {
            "id": f"{hand}-insurance",
            "title": names[f"{hand}-insurance"]["en"],
            "names": names[f"{hand}-insurance"],
            "optional": False,
            "pays": [_insurance_row(row) for row in game.insurance.rows if row.hand is hand],
            "loses": game.insurance.who_paragraph,
        }
        for hand in Hand
    ]


def _insurance_row(row: InsuranceRow) -> dict[str, Any]:
    when = {
        "window": row.window,
        "player_points": row.player_totals,
        "banker_points": row.banker_totals,
        "winner": "tie" if row.wins_on_tie else row.hand.other,
    }
    return {"when": when, "odds": row.odds.text, "paragraph": row.paragraph}


def _list(out: Console, chosen: list[Game]) -> None:
    listed = table("id", "game", "operator", "decks", "wagers", right=["wagers"])
    for game in chosen:
        decks = f"{game.decks.min}-{game.decks.max}"
        count = len(game.wagers) + (2 if game.insurance else 0)
        listed.add_row(game.id, escape(game.title), game.document.operator, decks, str(count))
    out.print(listed)
    out.print("\nnatural9 games GAME shows one with its paragraphs; --json gives all of it.")


def _show(out: Console, game: Game) -> None:
    document = game.document
    out.print(f"[bold]{escape(game.title)}[/bold] ({game.id})")
    out.print(f"{document.operator}: {document.title}, in force from {document.effective}")
    out.print(f"{game.decks.min} to {game.decks.max} decks ({citation(game.decks.paragraph)})\n")
    out.print(pay_table(game.wagers))
    if game.insurance:
        out.print("", insurance_table(game.insurance.rows))
    layouts = table("layout", "boxes", "rule", right=["boxes"])
    for layout in game.layouts:
        layouts.add_row(escape(layout.title), str(layout.boxes or "a terminal a seat"), citation(layout.paragraph))
    out.print("", layouts)
    _show_irregularities(out, game)
    out.print("\n[bold]Interpretations[/bold], below the shift manager's authority:")
    for entry in game.interpretations:
        rules = f" ({', '.join(map(citation, entry.paragraphs))})" if entry.paragraphs else ""
        out.print(Padding(f"[bold]{entry.title}[/bold]{rules}", (0, 0, 0, 2)))
        for line in (f"taken: {entry.reading}", f"rejected: {entry.rejected}", f"why: {entry.why}"):
            out.print(Padding(line, (0, 0, 0, 4)))


def _show_irregularities(out: Console, game: Game) -> None:
    clauses = table("irregularity", "remedy", "decided by", "rule")
    for clause in game.document.clauses.values():
        for place, remedy in enumerate(clause.remedies):
            condition = "" if remedy.condition == "always" else f" if {remedy.condition}"
            kind, rank = (clause.kind, clause.rank.title) if not place else ("", "")
            clauses.add_row(kind, f"{remedy.do}{condition}", rank, citation(remedy.paragraph))
    out.print("", clauses)

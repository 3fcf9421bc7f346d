"""`natural9 established`: what is already certain about a partly dealt round."""

from typing import Annotated

import typer

from natural9.cli.shared import GameArgument, JsonOption, console, print_json
from natural9.cli.tables import table
from natural9.core.cards import parse_ranks, split_cards
from natural9.core.completion import Standing, standings
from natural9.core.completion import established as is_established
from natural9.core.errors import BadInput
from natural9.core.table_of_play import played_count
from natural9.games import find_game


def established(
    game: GameArgument,
    cards: Annotated[str, typer.Argument(metavar="CARDS", help="The cards dealt so far, in dealt order.")],
    without: Annotated[
        list[str] | None,
        typer.Option(metavar="WAGER", help="An optional wager that this table does not offer; repeat it for more."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Show which wagers the cards dealt so far have decided.

    A wager is decided when no further card can change whether it wins, loses or pushes. An outcome is established when
    a wager on offer has won or lost. After a power failure a round with an established outcome is concluded; any other
    is void (rws-nc 5.1, mbs 5.9).

    Example: natural9 established mbs-tiger "9S 2H KD"
    """
    chosen = find_game(game)
    off = set(without or [])
    for wager_id in off:
        if not chosen.wager(wager_id).optional:
            raise BadInput(
                "wager-not-optional", f"{wager_id} is always on offer in {chosen.id}: only an optional wager can be off"
            )
    ranks = parse_ranks(split_cards(cards))
    if played_count(ranks) < len(ranks):
        raise BadInput("card-in-excess", f"{len(ranks)} cards: the round ends after {played_count(ranks)} of them")
    wagers = [wager for wager in chosen.wagers if wager.id not in off]
    where, whether = standings(wagers, ranks), is_established(wagers, ranks)
    if json:
        print_json({"established": whether, "wagers": where})
        return
    out = console()
    out.print(f"An outcome is {'established' if whether else 'not established'} after {len(ranks)} cards.")
    listed = table("wager", "stands")
    for wager_id, standing in where.items():
        listed.add_row(wager_id, standing, style="dim" if standing is Standing.OPEN else "")
    out.print(listed)

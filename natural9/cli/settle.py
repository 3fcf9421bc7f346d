"""`natural9 settle`: any dealt round, settled to the cent with the paragraph of every line."""

import sys
from typing import Annotated

import typer
from rich.markup import escape

from natural9.cli.settle_lines import settle_jsonl, settlement_data
from natural9.cli.shared import WHICH_GAME, JsonOption, bets_asked_for, cards_with_suits, console, print_json
from natural9.cli.tables import settlement_table
from natural9.core.cards import parse_ranks, split_cards
from natural9.core.errors import BadInput
from natural9.core.game import Game
from natural9.core.insurance import Window
from natural9.core.money import parse_cents
from natural9.core.outcome import Outcome
from natural9.core.settlement import InsuranceStake, Settlement, settle_round
from natural9.core.shoe import Shoe
from natural9.core.table_of_play import Hand
from natural9.games import find_game


def settle(
    game: Annotated[str, typer.Argument(metavar="[GAME]", help=WHICH_GAME)] = "",
    cards: Annotated[str, typer.Argument(metavar="[CARDS]", help="The cards in dealt order; suits are optional.")] = "",
    bet: Annotated[list[str] | None, typer.Option(metavar="WAGER=AMOUNT", help="A bet; repeat it for more.")] = None,
    insure: Annotated[
        list[str] | None, typer.Option(metavar="WINDOW:HAND=AMOUNT", help="Insurance, as in four-cards:banker=10.")
    ] = None,
    decks: Annotated[
        int | None, typer.Option(metavar="N", help="Decks in the shoe.  [default: the most the game allows]")
    ] = None,
    json: JsonOption = False,
    jsonl: Annotated[bool, typer.Option("--jsonl", help="Read rounds from stdin, one JSON object a line.")] = False,
) -> int:
    """Settle a round: the winner, and what each bet returns.

    Every payment is shown with its odds and its paragraph.

    With --jsonl each line of stdin is a round, {"game", "cards", "bets", "insurance"} with stakes in cents, and each
    line of stdout is its settlement or its error. Exit 1 if a line fails.

    Example: natural9 settle mbs-tiger-nc "4S 2H KD 9C 5H 5D" --bet banker=100 --bet tie=5
    """
    if jsonl:
        if game or cards or bet or insure or decks:
            raise BadInput(
                "bad-usage", "settle --jsonl reads everything from stdin: leave out the game, cards and bets"
            )
        return settle_jsonl(sys.stdin.buffer, sys.stdout.buffer)
    if not game or not cards:
        raise BadInput("bad-usage", 'settle needs a game and its cards: natural9 settle mbs-nc "9S 2H KD 5C"')
    chosen = find_game(game)
    tokens = split_cards(cards)
    ranks = parse_ranks(tokens)
    _check_shoe(chosen, tokens, decks)
    settled = settle_round(chosen, ranks, bets_asked_for(bet or []), [_insurance(text) for text in insure or []])
    if json:
        print_json(settlement_data(settled, tokens))
    else:
        _show(chosen, settled)
    return 0


def _check_shoe(game: Game, tokens: list[str], decks: int | None) -> None:
    """Whether a shoe of so many decks could have dealt these cards; one without a suit may be of any, so it can."""
    if decks is not None:
        game.check_decks(decks)
    Shoe.of(decks=decks or game.decks.max).without(cards_with_suits(tokens))


def _insurance(text: str) -> InsuranceStake:
    where, _, amount = text.partition("=")
    window, _, hand = where.partition(":")
    if window not in set(Window) or hand not in set(Hand) or not amount:
        raise BadInput(
            "bad-insurance",
            f"{text!r} is not insurance: write WINDOW:HAND=AMOUNT, as in four-cards:banker=10 or third-card:player=5",
        )
    return InsuranceStake(Window(window), Hand(hand), parse_cents(amount))


def _show(game: Game, settled: Settlement) -> None:
    out = console()
    out.print(f"{escape(game.title)}: {describe(settled.outcome)}")
    if settled.lines:
        out.print(settlement_table(settled.lines))


def describe(outcome: Outcome) -> str:
    """A round's result in words."""
    result = "tie" if outcome.winner == "tie" else f"{outcome.winner} wins"
    natural = ", natural" if outcome.natural else ""
    return f"{result}, Player {outcome.player_total}, Banker {outcome.banker_total}{natural}"

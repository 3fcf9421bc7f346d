"""The pages of `natural9 play` that are read between rounds: welcome, what may be bet, pay table, help."""

from collections.abc import Collection
from typing import Final

from rich.table import Table

from natural9.cli.play_screen import Screen
from natural9.cli.play_session import SEAT, PlaySession
from natural9.cli.play_words import short_form
from natural9.cli.tables import insurance_table, pay_table, table
from natural9.core.game import Game
from natural9.core.money import show_cents

_HELP: Final = (
    ("banker 100", "bet; typed again it adds to the bet. Several: banker 100, tie 5"),
    ("b 100", "the same: initials or the beginning of a wager will do"),
    ("take tie", "take a bet back; take tie 5 takes back some of it"),
    ("undo", "undo the last change of your bets"),
    ("clear", "take back all your bets"),
    ("rebet", "repeat the bets of your last round"),
    ("double", "double all your bets"),
    ("ENTER or deal", "no more bets: deal. Without a bet you watch the round"),
    ("bets", "what you have bet and what may be bet"),
    ("odds", "the pay table, with the paragraphs of the rules"),
    ("roads", "all five roads of this shoe"),
    ("quit", "leave the table; bets of an unfinished round are returned"),
)
_HELP_INSURANCE: Final = (
    ("When insurance is offered:", ""),
    ("25", "stake this much on it; max stakes the most allowed"),
    ("ENTER or pass", "no insurance"),
    ("squeeze", "open Banker's third card yourself; gives up the second offer"),
)


def welcome(screen: Screen, session: PlaySession, *, seed: int | None) -> None:
    game = session.state.game
    screen.say(f"{game.title} ({game.id})", "bold")
    shuffled = "" if seed is None else f" Seed {seed}."
    unit = show_cents(game.betting_unit_cents)
    screen.say(f"{game.document.operator}. {session.decks} decks, betting unit {unit}.{shuffled}")
    screen.say("Bet by typing, for example, banker 100 - then ENTER deals. Type help for more.\n")
    screen.out.print(_offered(session, [wager.id for wager in game.wagers]))


def bets_page(screen: Screen, session: PlaySession) -> None:
    screen.out.print(_offered(session, session.state.offered))
    for insured in session.state.seats[SEAT].insurance:
        screen.say(f"Insured: {insured.hand} for {show_cents(insured.cents)} ({insured.window}).")
    screen.stakes(session)


def _offered(session: PlaySession, offered: Collection[str]) -> Table:
    listed = table("wager", "type", "pays", *(["your bet"] if session.bets else []), right=["your bet"])
    for wager_id in offered:
        wager = session.state.game.wager(wager_id)
        odds = dict.fromkeys(row.odds.text for row in wager.rows if row.odds)
        stake = [show_cents(session.bets[wager_id])] if wager_id in session.bets else []
        listed.add_row(wager_id, short_form(wager_id, offered), ", ".join(odds), *stake)
    return listed


def odds_page(screen: Screen, game: Game, offered: Collection[str]) -> None:
    """The pay table: the first line that fits pays."""
    wagers = [game.wager(wager_id) for wager_id in offered]
    screen.out.print(pay_table(wagers))
    if game.insurance:
        screen.out.print("", insurance_table(game.insurance.rows))


def help_page(screen: Screen, game: Game) -> None:
    page = Table.grid(padding=(0, 3, 0, 0))
    for typed, does in _HELP + (_HELP_INSURANCE if game.insurance else ()):
        page.add_row(typed, does)
    screen.out.print(page)

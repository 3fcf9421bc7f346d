"""How `natural9 play` draws a round. Line after line, so that it reads the same in a pipe, in 80 columns, uncoloured.

Everything shown is read off the round; a colour only repeats what a word or a letter says.
"""

import sys
from collections.abc import Iterable, Iterator
from io import TextIOWrapper
from typing import Final

from rich.console import Console
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from natural9.cli.play_session import PlaySession
from natural9.cli.roads import pictures
from natural9.cli.tables import settlement_table
from natural9.core.cards import Card
from natural9.core.events import Event
from natural9.core.insurance import InsuranceRow
from natural9.core.money import show_cents
from natural9.core.notation import split_hands
from natural9.core.outcome import Outcome, Winner
from natural9.core.roads import roads
from natural9.core.round import RoundState
from natural9.core.round import events as round_events
from natural9.core.table_of_play import Hand, hand_of, total
from natural9.games.citations import citation

WIDEST: Final = 80
ROAD_COLUMNS: Final = 18  # of two characters, for two roads side by side in 80
STYLES: Final = {"player": "bold blue", "banker": "bold red", "tie": "bold green"}
_SIGNS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


def open_console() -> Console:
    """A console on which no byte that a player types, nor a poor encoding, can end the game."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    # Not `shared.console`: a table in play keeps to the 80 columns of a plain terminal, and typed text is no markup.
    return Console(highlight=False, markup=False, emoji=False)


class Screen:
    def __init__(self, out: Console) -> None:
        self.out = out

    def say(self, sentence: str, style: str = "") -> None:
        self.out.print(Text(sentence, style))

    def complain(self, sentence: str) -> None:
        self.say(sentence, "yellow")

    def opened(self, session: PlaySession, happened: Iterable[Event]) -> None:
        for event in happened:
            if isinstance(event, round_events.ShoeLoaded):
                self.say(f"\nShoe {event.shoe}: {event.decks} decks, freshly shuffled.", "bold")
        title = f"Round {session.state.number}, balance {show_cents(session.balance)}"
        self.out.print()
        self.out.print(Rule(title, align="left", style="dim"), width=min(WIDEST, self.out.width))

    def stakes(self, session: PlaySession) -> None:
        balance = f"Balance {show_cents(session.balance)}."
        if not session.bets:
            self.say(f"No bets yet. {balance}")
            return
        bets = ", ".join(f"{wager} {show_cents(stake)}" for wager, stake in session.bets.items())
        self.say(f"At stake {show_cents(session.staked)}: {bets}. {balance}")

    def dealt(self, state: RoundState, happened: Iterable[Event]) -> None:
        """The card that came, and what the dealer calls once the totals say who draws."""
        for event in happened:
            if isinstance(event, round_events.CutCardAppeared):
                self.say(f"  Cut card: this shoe's last round ({citation(event.paragraph)})", "dim")
            if isinstance(event, round_events.CardDealt):
                self.out.print(self._hand(state, event.hand))
        for call in calls(state):
            self.say(f"  {call}")

    def _hand(self, state: RoundState, hand: Hand) -> Text:
        cards = dict(zip(Hand, split_hands(state.cards), strict=True))[hand]
        line = Text("  ").append(f"{hand.title()}  ", STYLES[hand])
        for card in cards:
            line.append_text(self._card(card)).append(" ")
        line.append(" " * (4 * (3 - len(cards))))
        return line.append("  total ", "dim").append(f"{total([card.rank for card in cards])}", "bold")

    def _card(self, card: Card) -> Text:
        rank = card.rank.replace("T", "10")
        suit = _SIGNS[card.suit] if self.out.encoding.startswith("utf") else card.suit
        return Text(f"{rank + suit:>3}", "red" if card.suit in "DH" else "")

    def insurance_offer(self, state: RoundState, row: InsuranceRow, *, most: int, may_squeeze: bool) -> None:
        wins = "the round ties" if row.wins_on_tie else f"{row.hand.other.title()} wins"
        self.say(f"\nInsurance on {row.hand.title()}. {situation(state)}.", "bold")
        self.say(f"Stake up to {show_cents(most)} at {row.odds}: it wins if {wins} ({citation(row.paragraph)}).")
        self.say("Type an amount, max, or ENTER for no insurance.")
        if may_squeeze:
            self.say("Or squeeze: open Banker's third card yourself, and give up the second offer.", "dim")

    def settled(self, session: PlaySession, settled: round_events.SeatSettled | None) -> None:
        outcome = session.state.outcome
        assert outcome is not None, "a settled round has an outcome"
        self.say(f"\n  {outcome.winner[0].upper()}   {result(outcome)}\n", STYLES[outcome.winner])
        if settled is None:
            self.say("You had no bet on this round.")
        else:
            lines = (*settled.lines, *settled.insurance)
            self.out.print(settlement_table(lines))
        self.say(f"\nBalance {show_cents(session.balance)}.\n", "bold")
        self.compact_roads(session)

    def compact_roads(self, session: PlaySession) -> None:
        """Bead plate and big road, the newest columns of each."""
        side_by_side = Table.grid(padding=(0, 4, 0, 0))
        (_, beads), (_, big), *_ = pictures(roads(session.winners), columns=ROAD_COLUMNS)
        side_by_side.add_row("Bead plate", "Big road", style="dim")
        side_by_side.add_row(beads, big)
        self.out.print(side_by_side)

    def all_roads(self, session: PlaySession) -> None:
        for title, picture in pictures(roads(session.winners)):
            self.say(title, "bold")
            self.out.print(picture)

    def farewell(self, session: PlaySession, why: str, returned: int) -> None:
        self.say(why)
        if returned:
            round_number, bets = session.state.number, show_cents(returned)
            self.say(f"Round {round_number} was not finished: your bets of {bets} are returned.")
        net = session.balance - session.brought_cents
        ended = f"{show_cents(abs(net))} {'won' if net > 0 else 'lost'}" if net else "nothing won or lost"
        played = f"{session.rounds} round{'' if session.rounds == 1 else 's'} played"
        came, go = show_cents(session.brought_cents), show_cents(session.balance)
        self.say(f"{played}, {ended}: you came with {came} and leave with {go}.", "bold")


def calls(state: RoundState) -> Iterator[str]:
    """What a dealer calls after the latest card: naturals, and who draws or stands."""
    ranks, outcome = state.ranks, state.outcome
    player, banker = totals(state)
    if len(ranks) == 4 and outcome and outcome.natural:
        if outcome.player_natural:
            yield f"Player has a NATURAL {player}"
        if outcome.banker_natural:
            yield f"Banker has a NATURAL {banker}"
        return
    if len(ranks) == 4:
        yield f"Player {'draws' if state.due is Hand.PLAYER else 'stands'} on {player}"
    players_last = len(ranks) == 5 and hand_of(ranks, 4) is Hand.PLAYER
    if players_last or (len(ranks) == 4 and state.due is not Hand.PLAYER):
        yield f"Banker {'draws' if state.due else 'stands'} on {banker}"


def totals(state: RoundState) -> tuple[int, int]:
    player, banker = split_hands(state.cards)
    return total([card.rank for card in player]), total([card.rank for card in banker])


def situation(state: RoundState) -> str:
    player, banker = totals(state)
    assert state.due is not None, "insurance is offered only while a card is due"
    return f"Banker {banker}, Player {player}: {state.due.title()} draws"


def result(outcome: Outcome) -> str:
    """Who won, in words that cannot be missed."""
    player, banker = outcome.player_total, outcome.banker_total
    if outcome.winner is Winner.TIE:
        said = f"TIE, {player} to {banker}"
    elif outcome.winner is Winner.PLAYER:
        said = f"PLAYER WINS, {player} to {banker}"
    else:
        said = f"BANKER WINS, {banker} to {player}"
    pairs = [name for name, pair in (("Player", outcome.player_pair), ("Banker", outcome.banker_pair)) if pair]
    natural = ", NATURAL" if outcome.natural else ""
    return said + natural + (f", {' and '.join(pairs)} pair" if pairs else "")

"""A player at the table: what is asked and typed, from the opening of one round to the next."""

import sys
import time
from collections.abc import Callable
from importlib import import_module

from rich.text import Text

from natural9.cli.play_pages import bets_page, help_page, odds_page, welcome
from natural9.cli.play_screen import Screen
from natural9.cli.play_session import SEAT, PlaySession
from natural9.cli.play_words import PlaceBets, Take, Word, parse_betting, parse_insurance, parse_page
from natural9.core.errors import BadInput, sentence
from natural9.core.insurance import InsuranceRow
from natural9.core.money import show_cents
from natural9.core.round import commands as round_commands
from natural9.core.round import what_next
from natural9.core.round.insuring import insurable
from natural9.core.round.state import Phase
from natural9.core.table_of_play import Hand
from natural9.games.citations import cited


class Left(Exception):
    """The player asked to leave."""


class AtTable:
    def __init__(self, session: PlaySession, screen: Screen, *, pace_s: float) -> None:
        self.session = session
        self.screen = screen
        self.pace_s = pace_s

    def play(self, *, seed: int | None) -> None:
        """Round after round, until the player leaves or has nothing left to bet with."""
        session = self.session
        try:
            welcome(self.screen, session, seed=seed)
            while session.can_bet:
                self._round()
            unit = show_cents(session.state.game.betting_unit_cents)
            why = f"\nYour balance of {show_cents(session.balance)} is less than the betting unit of {unit}: game over."
        except Left:
            why = "You leave the table."
        except EOFError:
            why = "\nThe input has ended: you leave the table."
        except KeyboardInterrupt:
            why = "\nInterrupted: you leave the table."
        self.screen.farewell(session, why, session.leave())

    def _round(self) -> None:
        self.screen.opened(self.session, self.session.open_round())
        while self._ask("bet> ", self._answer_betting):
            pass
        self.session.close()
        self.screen.say("No more bets.\n")
        while self.session.state.phase is not Phase.COMPLETE:
            if self.session.state.window:
                self._insurance()
            else:
                self._card()
        self.screen.settled(self.session, self.session.settle())

    def _card(self) -> None:
        if self.session.state.waived and self.session.state.due is Hand.BANKER:
            while self._ask("ENTER opens Banker's third card> ", self._answer_squeeze):
                pass
        happened = self.session.deal()
        self.screen.dealt(self.session.state, happened)
        if self.pace_s:
            time.sleep(self.pace_s)
            _forget_typing()

    def _ask(self, prompt: str, answer: Callable[[str], bool]) -> bool:
        """Whether to ask again: what cannot be done is said in a line, and changes nothing."""
        try:
            return answer(self._read(prompt))
        except BadInput as error:
            self.screen.complain(sentence(cited(str(error), error.paragraph)))
            return True

    def _read(self, prompt: str) -> str:
        if sys.stdin is None:
            raise EOFError
        line = input(prompt)
        if not sys.stdin.isatty():
            # Nobody saw it being typed: a transcript should show it.
            echo = Text("".join(letter for letter in line if letter.isprintable()))
            echo.truncate(self.screen.out.width - len(prompt), overflow="crop")
            self.screen.out.print(echo)
        return line

    def _answer_betting(self, line: str) -> bool:
        said = parse_betting(line, self.session.state.offered)
        match said:
            case Word.DEAL:
                return False
            case PlaceBets(stakes=stakes):
                self._bet(stakes)
            case Take(wager=wager, amount=amount):
                self.session.take(wager, amount)
            case Word.UNDO:
                self.session.undo()
            case Word.CLEAR:
                self.session.clear()
            case Word.REBET:
                self.session.rebet()
            case Word.DOUBLE:
                self.session.double()
            case _:
                self._show(said)
                return True
        self.screen.stakes(self.session)
        return True

    def _bet(self, stakes: tuple[tuple[str, int], ...]) -> None:
        try:
            self.session.bet(stakes)
        except BadInput as error:
            none = " - none of these bets was placed" if len(stakes) > 1 else ""
            raise BadInput(error.code, f"{error}{none}", error.paragraph) from None

    def _answer_squeeze(self, line: str) -> bool:
        page = parse_page(line)
        if page:
            self._show(page)
        return page is not None

    def _show(self, page: Word) -> None:
        session, screen = self.session, self.screen
        match page:
            case Word.BETS:
                bets_page(screen, session)
            case Word.ODDS:
                odds_page(screen, session.state.game, session.state.offered)
            case Word.ROADS:
                screen.all_roads(session)
            case Word.HELP:
                help_page(screen, session.state.game)
            case Word.QUIT:
                raise Left
            case _:
                raise AssertionError(f"{page} shows no page")

    def _insurance(self) -> None:
        """Open the window, make each offer that this player can take, and close it."""
        session = self.session
        if not session.insurable:
            offers = ", ".join(f"{row.hand.title()} at {row.odds}" for row in session.state.offers)
            none = "your balance does not reach" if insurable(session.state, SEAT) else "you have nothing to insure"
            self.screen.say(f"  Insurance is on offer for {offers}: {none}.")
        session.open_window()
        for row in session.state.offers:
            if row.hand in session.insurable:
                self._offer(row)
        session.close_window()

    def _offer(self, row: InsuranceRow) -> None:
        session = self.session
        may_squeeze = round_commands.WaiveInsurance in what_next(session.state).commands
        most = session.insurable[row.hand]
        self.screen.insurance_offer(session.state, row, most=most, may_squeeze=may_squeeze)
        while self._ask("insure> ", lambda line: self._answer_insurance(row, line)):
            pass
        self.screen.say("")

    def _answer_insurance(self, row: InsuranceRow, line: str) -> bool:
        session = self.session
        said = parse_insurance(line)
        if said is Word.PASS:
            return False
        if said is Word.SQUEEZE:
            session.squeeze()
            self.screen.say("The dealer agrees: no insurance will be offered after Player's third card.")
            return True
        if isinstance(said, Word) and said is not Word.MAX:
            self._show(said)
            return True
        placed = session.insure(row.hand, session.insurable[row.hand] if said is Word.MAX else said)
        balance = show_cents(session.balance)
        self.screen.say(f"Insured {row.hand} for {show_cents(placed.cents)} at {placed.odds}. Balance {balance}.")
        return False


def _forget_typing() -> None:
    """What was typed while the cards came is no answer to a question that was not yet asked."""
    if sys.stdin is None or not sys.stdin.isatty():
        return
    try:
        termios = import_module("termios")
    except ImportError:  # a system without terminals of this kind
        return
    termios.tcflush(sys.stdin, termios.TCIFLUSH)

"""Bets that nothing is against, by the thousand: seen at a glance, laid, and made entries the shortest way there is.

By far the most that a table is asked. There is no rule here: whatever is laid so, `decide` would lay, too, and the same
is left behind; tests hold it to both. What takes a closer look is left to `decide`.
"""

from collections.abc import Mapping
from typing import Final

import msgspec

from natural9.core.round.events import BetPlaced
from natural9.core.round.evolve import bets_laid
from natural9.core.round.state import Limit, Phase
from natural9.journal.line import bet_line, text_of
from natural9.store.contract import Entry
from natural9.table.commands.orders import content
from natural9.table.commands.terminal import Bet
from natural9.table.live.answers import MOST_TAPS, Accepted, Answers, Told
from natural9.table.state.postings import bet_transfer
from natural9.table.state.state import Change, Status, TableState, Terminal

BET: Final = BetPlaced.TAG
_new: Final = tuple.__new__  # a named tuple of all its values: without a call of its own, in a third of the time


class PlainSeat(msgspec.Struct, gc=False):
    """A seat whose bets need no closer look but at their amount."""

    terminal: Terminal
    sender: str
    written: bytes  # its terminal's id, as a line of the journal has it
    told: dict[str, Told]  # what it was answered in this round
    bets: Mapping[str, int]  # what lies there


class PlainBets:
    """Made for a table as it stands, of which no bet changes anything but what is kept here; to be made anew once
    anything else has happened. Until `finish`, the round does not know of what was laid."""

    def __init__(self, state: TableState, answers: Answers) -> None:
        now = state.round
        self._state, self._answers = state, answers
        self._round, self._unit_cents = now.number, now.betting_unit_cents
        self._limits: dict[str, tuple[Limit, bytes]] = {
            wager: (limit, text_of(wager)) for wager, limit in now.limits.items() if wager in now.offered
        }
        self._last_seat = min(state.config.seats, now.boxes or state.config.seats)
        self._stream = f"table/{state.table}"
        self._seats: dict[int, PlainSeat] = {}
        self._laid: dict[int, dict[str, int]] = {}  # at each seat that has bet since the round was told
        self._cents = 0  # so much in all

    @staticmethod
    def at(state: TableState, answers: Answers) -> "PlainBets | None":
        """None where every bet takes a closer look, whoever makes it."""
        now, limits = state.round, state.limits
        if (
            now.phase is not Phase.BETTING_OPEN
            or now.pending
            or limits.seat_min_cents
            or limits.seat_max_cents
            or limits.table_max_cents
            or state.faults
            or state.status is Status.CLOSED
        ):
            return None
        return PlainBets(state, answers)

    def _look_at(self, number: int, sender: str) -> PlainSeat | None:
        terminal = self._state.terminals.get(number)
        if (
            terminal is None
            or not 1 <= number <= self._last_seat
            or terminal.home
            or terminal.locked
            or ((session := terminal.session) is not None and session.is_watched)
            or ((card := terminal.card) is not None and card.is_barred)
        ):
            return None
        at_seat = self._state.round.seats[number]
        if at_seat.withdrawn:  # it is laid again first
            return None
        by = sender.partition("/")[2]
        seat = PlainSeat(terminal, sender, text_of(by), self._answers.of(sender), at_seat.bets)
        self._seats[number] = seat
        return seat

    def lay(
        self, tap: Bet, number: int, sender: str, entry: int, at_ms: int, day: str
    ) -> tuple[Accepted, Entry] | None:
        """What is answered, and what is written as the entry of this number; None where it takes a closer look."""
        seat = self._seats.get(number) or self._look_at(number, sender)
        wager, cents, request = tap.wager, tap.cents, tap.request
        offered = self._limits.get(wager)
        if (
            seat is None
            or offered is None
            or tap.round != self._round
            or not 0 < cents <= seat.terminal.credit_cents
            or cents % self._unit_cents
            or request in seat.told
            or len(seat.told) >= MOST_TAPS
            or self._answers.earlier(sender, request)
        ):
            return None
        limit, named = offered
        lies = seat.bets.get(wager, 0) + cents
        if not limit[0] <= lies <= limit[1]:
            return None
        bets = self._laid.get(number)
        if bets is None:  # what the round has is never changed
            bets = seat.bets = self._laid[number] = {**seat.bets}
        bets[wager] = lies
        self._cents += cents
        state, terminal = self._state, seat.terminal
        terminal.credit_cents -= cents
        terminal.changes.append(Change(request, wager, cents))
        state.laid[wager] = state.laid.get(wager, 0) + cents
        asked, accepted = content(tap), Accepted(entry)
        seat.told[request] = (asked, accepted)
        body = bet_line(number, named, cents, seat.written, request, asked)
        moved = (bet_transfer(terminal.account, state.stakes, cents),)
        return accepted, _new(Entry, (self._stream, BET, body, at_ms, day, "", moved, (), ""))

    def finish(self) -> list[int]:
        """Tell the round; these seats have bet."""
        laid, cents = self._laid, self._cents
        if laid:
            self._laid, self._cents = {}, 0
            self._state.round = bets_laid(self._state.round, laid, cents)
        return list(laid)

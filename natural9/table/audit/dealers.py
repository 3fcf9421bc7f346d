"""Who dealt a round, by its entries, and whether a dealer's shift follows from what came before it."""

from natural9.core.events import Event
from natural9.core.round import Refusal
from natural9.core.round import commands as round_commands
from natural9.core.round import events as round_events
from natural9.journal import table_events
from natural9.journal.line import JournalLine
from natural9.table.audit.derive import Unfounded, difference, quote, who_asked
from natural9.table.commands import shift, staff
from natural9.table.state.state import TableState

Shift = table_events.DealerSignedOn | table_events.DealerSignedOff


class Dealers:
    """Who was signed on when a round opened, who signed on during it, and while nobody was on, who gave the cards."""

    def __init__(self) -> None:
        self._on = ""
        self._dealt: dict[str, None] = {}  # in order, each once

    def note(self, line: JournalLine, *, in_play: bool) -> None:
        """`in_play`: whether the round still is, after this entry."""
        match line.event:
            case round_events.BettingOpened(dealer=dealer):
                self._on = dealer
                self._add(dealer)
            case table_events.DealerSignedOn(dealer=dealer):
                self._on = dealer
                if in_play:
                    self._add(dealer)
            case table_events.DealerSignedOff():
                self._on = ""
            case round_events.CardDealt() if line.origin.command == round_commands.DealCard.TAG:
                self._add(self._on or line.origin.person)
            case _:
                pass

    def _add(self, dealer: str) -> None:
        if dealer:  # else a table or its reading shoe gave the card
            self._dealt[dealer] = None

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._dealt)


def wrong_shift(state: TableState, event: Shift, line: JournalLine) -> tuple[str, str] | None:
    """What the entry says and what it should say, if those are two things."""
    try:
        due = _due(state, event, line)
    except Unfounded as error:
        return quote(event), f"nothing: {error}"
    return None if event == due else difference(event, due)


def _due(state: TableState, event: Shift, line: JournalLine) -> Event:
    """The order given again, by who gave it in the rank that they held then."""
    decided: list[Event] | Refusal
    if isinstance(event, table_events.DealerSignedOn):
        decided = shift.sign_on(state, who_asked(line))
    elif line.origin.command == staff.CloseTable.TAG and state.dealer:
        decided = [*shift.signed_off(state, line.origin.person)]
    else:
        decided = shift.sign_off(state, staff.SignOff(dealer=event.dealer), who_asked(line))
    if isinstance(decided, Refusal):
        raise Unfounded(decided.message)
    return decided[0]

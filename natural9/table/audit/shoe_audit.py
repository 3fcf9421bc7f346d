"""The shuffler's promises held against the cards: every dealt card is the one that the revealed order has there."""

from collections.abc import Iterator
from typing import NamedTuple

from natural9.core.cards import parse_cards
from natural9.core.events import Event
from natural9.core.round import events as round_events
from natural9.core.shoe import CARDS_IN_A_DECK
from natural9.journal import table_events
from natural9.journal.mix_events import OfMix
from natural9.table.audit.mix_audit import MixAudit
from natural9.table.shoes.shuffler import check_reveal
from natural9.table.state.state import TableState


class Draw(NamedTuple):
    seq: int
    round: int
    place: int  # in the order, from 0
    card: str
    kind: str  # of the entry


class Wrong(NamedTuple):
    """Which entry is wrong, with its round and tag, what it says and what it should say."""

    seq: int
    round: int
    kind: str
    says: str
    should: str


class DrawnCards:
    """What one table has promised and dealt, from each commitment to its reveal."""

    def __init__(self) -> None:
        self.revealed = 0
        self._mixes = MixAudit()
        self._promised: dict[str, table_events.ShoeCommitted] = {}
        self._draws: dict[str, list[Draw]] = {}
        self._unreadable: set[str] = set()  # commitments whose order nobody can show any more

    def note(self, state: TableState, event: Event, seq: int) -> Wrong | None:
        """Given the state before the event."""
        if (state.mix or isinstance(event, OfMix)) and (wrong := self._mixes.wrong(state, event)):
            return Wrong(seq, state.round.number, event.TAG, *wrong)
        match event:
            case round_events.CardDealt() if state.commitment and not state.round.held:
                self._draw(state.commitment, Draw(seq, state.round.number, _out(state), event.card, event.TAG))
            case round_events.CardsBurnt() if state.next_commitment:
                self._draw(state.next_commitment, Draw(seq, state.round.number, 0, event.card, event.TAG))
            case table_events.ShoeCommitted():
                return self._commit(state, event, seq)
            case round_events.ShoeLoaded():
                return self._load(state, event, seq)
            case table_events.ShoeRevealed():
                return self._reveal(state, event, seq)
            case table_events.FaultRaised(fault="shoe-seal"):
                self._unreadable |= {state.commitment, state.next_commitment}
            case _:
                pass
        return None

    def draws_of(self, commitment: str) -> list[Draw]:
        """All that was drawn by this promise so far; who knows that a card is plain adds it here."""
        return self._draws.setdefault(commitment, [])

    def _draw(self, commitment: str, draw: Draw) -> None:
        self.draws_of(commitment).append(draw)

    def _commit(self, state: TableState, event: table_events.ShoeCommitted, seq: int) -> Wrong | None:
        if event.commitment in self._promised:
            says = f"shoe {event.shoe} is committed to by {event.commitment}"
            should = "a commitment of its own: no two shoes share an order"
            return Wrong(seq, state.round.number, event.TAG, says, should)
        self._promised[event.commitment] = event
        return None

    def _load(self, state: TableState, event: round_events.ShoeLoaded, seq: int) -> Wrong | None:
        """As it was committed to in the same decision, after the one in use was revealed; real cards are promised by
        nobody. One that is in use when its table takes up another game stays shut: no round asks for it any more."""
        if state.commitment in self._promised.keys() - self._unreadable:
            if event.rules_sha256 == state.rules_sha256:
                says, should = f"shoe {event.shoe} is loaded", f"shoe {state.round.shoe_number} is revealed first"
                return Wrong(seq, state.round.number, event.TAG, says, should)
            self._unreadable.add(state.commitment)
        promised = self._promised.get(state.next_commitment)
        if promised is None or promised.shoe != event.shoe or promised.decks == event.decks:
            return None
        says, should = (f"shoe {event.shoe} has {decks} decks" for decks in (event.decks, promised.decks))
        return Wrong(seq, state.round.number, event.TAG, says, should)

    def _reveal(self, state: TableState, event: table_events.ShoeRevealed, seq: int) -> Wrong | None:
        out = _out(state) if event.commitment == state.commitment else None
        promised = self._promised.pop(event.commitment, None)
        draws = self._draws.pop(event.commitment, [])
        self.revealed += 1
        number = state.round.number
        for says, should in _of_the_reveal(event, promised, out):
            return Wrong(seq, number, event.TAG, says, should)
        order = self._mixes.order_of(event.commitment, event.order)
        for draw in draws:
            due = order[draw.place] if draw.place < len(order) else "no card at all"
            if due != draw.card:
                done = "dealt" if draw.kind == round_events.CardDealt.TAG else "burnt"
                says = f"{draw.card} was {done} as card {draw.place + 1} of shoe {event.shoe}"
                should = f"{due}, by the order that entry {seq} reveals"
                return Wrong(draw.seq, draw.round, draw.kind, says, should)
        return None


def _out(state: TableState) -> int:
    shoe = state.round.shoe
    return shoe.decks * CARDS_IN_A_DECK - state.round.cards_left if shoe else 0


def _of_the_reveal(
    event: table_events.ShoeRevealed, promised: table_events.ShoeCommitted | None, out: int | None
) -> Iterator[tuple[str, str]]:
    """What is wrong with the reveal itself: what it says, and what it should say."""
    if promised is None or out is None:
        yield f"the order of commitment {event.commitment} is revealed", "one that was committed to and in use"
    elif (event.shoe, event.decks) != (promised.shoe, promised.decks):
        yield f"shoe {event.shoe} of {event.decks} decks", f"shoe {promised.shoe} of {promised.decks} decks"
    elif event.dealt != out:
        yield f"{event.dealt} of its cards were drawn", f"{out} of its cards were drawn"
    else:
        checks = check_reveal(event.decks, bytes.fromhex(event.salt), parse_cards(event.order), event.commitment, None)
        for check in checks:
            if not check.holds:
                yield f"the revealed order, {event.order[:40]} ...", check.words

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

# Of one card: the entry, its round, the card's place in the order (from 0), the card, and the entry's kind.
Draw = tuple[int, int, int, str, str]


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
                self._draw(state.commitment, (seq, state.round.number, _out(state), event.card, event.TAG))
            case round_events.CardsBurnt() if state.next_commitment:
                self._draw(state.next_commitment, (seq, state.round.number, 0, event.card, event.TAG))
            case round_events.BettingOpened():
                return self._open(state, event, seq)
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

    def _open(self, state: TableState, event: round_events.BettingOpened, seq: int) -> Wrong | None:
        if state.round.new_shoe or not state.commitment or state.commitment in self._promised:
            return None
        says = f"round {event.round} opens on shoe {event.shoe}, which was revealed"
        return Wrong(seq, state.round.number, event.TAG, says, "a shoe whose order nobody knows")

    def _load(self, state: TableState, event: round_events.ShoeLoaded, seq: int) -> Wrong | None:
        """As it was committed to, and listed to be mixed, in the same decision, after all before it were revealed;
        real cards are promised by nobody."""
        promised, settings = self._promised.get(state.next_commitment), state.settings
        is_promised = promised is not None and promised.shoe == event.shoe
        says, should = f"shoe {event.shoe} is loaded", ""
        for commitment, before in self._promised.items():
            if commitment not in self._unreadable and (before is not promised or not is_promised):
                should = f"shoe {before.shoe} is revealed first"
        if settings and settings.shoe == "shuffler" and not is_promised:
            should = should or "its order is committed to first: the table deals from a shuffler"
        if settings and settings.joint_shoe and (not state.mix or state.mix.commitment != state.next_commitment):
            should = should or "what its seats mix in is listed first: they mix the shoes of this table"
        if promised and is_promised and promised.decks != event.decks:
            says, should = f"{says} with {event.decks} decks", f"it has {promised.decks} decks"
        return Wrong(seq, state.round.number, event.TAG, says, should) if should else None

    def _reveal(self, state: TableState, event: table_events.ShoeRevealed, seq: int) -> Wrong | None:
        """Of the shoe in use, or of one that was loaded and is never played."""
        out = {state.next_commitment: _burnt(state), state.commitment: _out(state)}.get(event.commitment)
        promised = self._promised.pop(event.commitment, None)
        draws = self._draws.pop(event.commitment, [])
        self.revealed += 1
        number = state.round.number
        for says, should in _of_the_reveal(event, promised, out):
            return Wrong(seq, number, event.TAG, says, should)
        order = self._mixes.order_of(event.commitment, event.order)
        for its_seq, its_round, place, card, kind in draws:
            due = order[place] if place < len(order) else "no card at all"
            if due != card:
                done = "dealt" if kind == round_events.CardDealt.TAG else "burnt"
                says = f"{card} was {done} as card {place + 1} of shoe {event.shoe}"
                should = f"{due}, by the order that entry {seq} reveals"
                return Wrong(its_seq, its_round, kind, says, should)
        return None


def _burnt(state: TableState) -> int:
    new = state.round.new_shoe
    return 1 + new.face_down if new and new.burnt else 0


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

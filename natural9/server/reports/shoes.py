"""A shoe as players may check it: its commitment from the start, its order and salt once it has been revealed."""

from collections.abc import Sequence
from typing import Final, cast

from msgspec import Struct

from natural9.core.errors import BadInput
from natural9.core.events import Event
from natural9.core.round import RoundState
from natural9.core.round import events as round_events
from natural9.core.round.events import OfRound, RoundEvent
from natural9.core.round.evolve import evolve
from natural9.core.saying import say
from natural9.core.shoe import CARDS_IN_A_DECK
from natural9.journal import mix_events, table_events
from natural9.journal.labels import shoe_label
from natural9.journal.line import read_line
from natural9.server.reports.days import Rounds
from natural9.store.contract import Store, Written
from natural9.table.audit.history import PAGE
from natural9.table.shoes.mixing import MixedSeat, MixShown
from natural9.table.shoes.shuffler import FACE_DOWN

_AT_A_TIME: Final = 1_000


class ShoeShown(Struct, frozen=True, kw_only=True):
    """What `natural9 verify-shoe` takes, once it is revealed; before that, the promise alone."""

    table: str
    shoe: int
    decks: int
    commitment: str
    committed_at_ms: int
    revealed: bool
    salt: str | None
    order: str | None
    dealt: (
        str | None
    )  # the cards that came from it, - for one burnt face down; None where a person took cards out of turn
    mix: MixShown | None  # what its seats made of the order; None where they did not, or not yet
    commitments: tuple[str, ...]  # all sets of cards that this shoe has had, the newest last


async def shoe_shown(store: Store, table: str, shoe: int, *, commitment: str | None = None) -> ShoeShown:
    found = await _about(store, table, shoe)
    events = [(written, read_line(written).event) for written in found]
    promises = {
        event.commitment: (written, event) for written, event in events if isinstance(event, table_events.ShoeCommitted)
    }
    reveals = {
        event.commitment: (written, event) for written, event in events if isinstance(event, table_events.ShoeRevealed)
    }
    if not promises:
        raise BadInput(
            "no-such-shoe", say("table {table} has committed to no shoe {shoe}", table=repr(table), shoe=shoe)
        )
    chosen = commitment or list(promises)[-1]
    if chosen not in promises:
        none = say(
            "shoe {shoe} of table {table} was never committed to by {hash}",
            shoe=shoe,
            table=repr(table),
            hash=repr(chosen[:70]),
        )
        raise BadInput("no-such-shoe", none)
    written, promised = promises[chosen]
    reveal = reveals.get(chosen)
    return ShoeShown(
        table=table,
        shoe=shoe,
        decks=promised.decks,
        commitment=chosen,
        committed_at_ms=written.at_ms,
        revealed=reveal is not None,
        salt=reveal[1].salt if reveal else None,
        order=reveal[1].order if reveal else None,
        dealt=await _dealt(store, table, chosen, written, reveal[0]) if reveal else None,
        mix=_mix([event for _, event in events], chosen),
        commitments=tuple(promises),
    )


async def _about(store: Store, table: str, shoe: int) -> list[Written]:
    """All entries of a shoe: a full hall reveals by the thousand."""
    found: list[Written] = []
    while page := await store.labelled(
        shoe_label(table, shoe), before=found[-1].seq if found else None, limit=_AT_A_TIME
    ):
        found += page
    return found[::-1]


def _mix(events: Sequence[Event], commitment: str) -> MixShown | None:
    """Nothing is told of it before it is done: nobody waits with revealing to see what others have."""
    opened: mix_events.ShoeMixOpened | None = None
    nonces: dict[int, str] = {}
    for event in events:
        match event:
            case mix_events.ShoeMixOpened():
                opened, nonces = event, {}
            case mix_events.NonceRevealed():
                nonces[event.seat] = event.nonce
            case mix_events.ShoeMixed() if opened and event.commitment == commitment:
                seats = tuple([MixedSeat(seat, promised, nonces.get(seat)) for seat, promised in opened.seats])
                return MixShown(rule=opened.rule, checkpoint=opened.checkpoint, seats=seats)
            case _:
                pass
    return None


async def _dealt(store: Store, table: str, commitment: str, committed: Written, revealed: Written) -> str | None:
    """The cards of the journal that came from this set, from its first; the round that it came in is read from its
    opening, because cards that waited then are of the set before."""
    number = await Rounds(store, table).at(committed.seq)
    opened = await store.labelled(f"round/{table}/{number}", limit=1) if number else []
    after = opened[0].seq - 1 if opened else committed.seq - 1
    following = _Following(commitment)
    while after < revealed.seq and (page := await store.entries(after=after, stream=f"table/{table}", limit=PAGE)):
        for written in page:
            if written.seq < revealed.seq:
                following.note(read_line(written).event)
        after = page[-1].seq
    drawn = following.drawn
    if sorted(drawn) != list(range(len(drawn))):
        return None
    return " ".join(drawn[place] for place in range(len(drawn)))


class _Following:
    """Follows a table's cards, and keeps those of one set by their place in it."""

    def __init__(self, commitment: str) -> None:
        self.drawn: dict[int, str] = {}
        self._commitment = commitment
        self._state = RoundState()
        self._in_use = self._waits = ""
        self._replaced = False

    def note(self, event: Event) -> None:
        state = self._state
        match event:
            case round_events.CardDealt() if self._in_use == self._commitment and not state.held and state.shoe:
                self.drawn[state.shoe.decks * CARDS_IN_A_DECK - state.cards_left] = event.card
            case round_events.CardsBurnt() if self._waits == self._commitment:
                burnt = [event.card, *[FACE_DOWN] * event.face_down]
                self.drawn.update(enumerate(burnt))
            case round_events.BettingOpened() if state.new_shoe:
                self._in_use, self._waits = self._waits, ""
            case round_events.ShoeReplaced():
                self._replaced = True
            case table_events.ShoeCommitted() if self._replaced:  # in the middle of a shoe: in use at once
                self._in_use, self._replaced = event.commitment, False
            case table_events.ShoeCommitted():
                self._waits = event.commitment
            case _:
                pass
        if isinstance(event, OfRound):
            self._state = evolve(self._state, cast(RoundEvent, event))

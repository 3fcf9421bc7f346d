"""What the seats mixed into each shoe, held against what was committed to, listed and revealed."""

from collections.abc import Sequence

from natural9.core.cards import parse_cards
from natural9.core.events import Event
from natural9.core.round import events as round_events
from natural9.journal import mix_events
from natural9.table.commands.mixing import open_mix
from natural9.table.shoes.mixing import RULE, is_hash, is_nonce, mixed_order, nonce_commitment
from natural9.table.state.shoe_mix import MOST_COMMITMENTS, committed_seats, next_shoe
from natural9.table.state.state import TableState

Wrong = tuple[str, str] | None  # what an entry says, and what it should say


class MixAudit:
    """The shoes of one table that were mixed and are not yet revealed."""

    def __init__(self) -> None:
        self._messages: dict[str, bytes] = {}  # by the house's commitment

    def order_of(self, commitment: str, revealed: str) -> Sequence[str]:
        """The order in which the cards must have come, by the house's own that is revealed."""
        message = self._messages.pop(commitment, None)
        if message is None:
            return revealed.split()
        return [str(card) for card in mixed_order(parse_cards(revealed), message)]

    def wrong(self, state: TableState, event: Event) -> Wrong:
        """Given the state before the event."""
        match event:
            case mix_events.NonceCommitted():
                return _committed(state, event)
            case mix_events.ShoeMixOpened():
                return self._opened(state, event)
            case mix_events.NonceRevealed():
                return _revealed(state, event)
            case mix_events.ShoeMixed():
                return self._mixed(state, event)
            case round_events.BettingOpened() | round_events.CardsBurnt() if state.round.new_shoe:
                return _too_early(state, event)
            case _:
                return None

    def _opened(self, state: TableState, event: mix_events.ShoeMixOpened) -> Wrong:
        if not state.next_commitment or event.commitment != state.next_commitment:
            return f"the house's commitment is {event.commitment}", f"it is {state.next_commitment or 'none'}"
        if state.mix or event.commitment in self._messages:
            return f"shoe {event.shoe} is mixed again", "each shoe is mixed once"
        if event.rule != RULE:
            return f"shoe {event.shoe} is mixed by the rule {event.rule!r}", f"the rule {RULE!r}"
        return _difference(dict(event.seats), committed_seats(state, event.shoe)) or _in_order(event)

    def _mixed(self, state: TableState, event: mix_events.ShoeMixed) -> Wrong:
        mix = open_mix(state)
        if mix is None or (event.shoe, event.commitment) != (mix.shoe, mix.commitment):
            return f"shoe {event.shoe} is mixed", "one whose commitments were listed, once"
        due = tuple(sorted(mix.revealed)), tuple(mix.left_out)
        if (event.seats, event.left_out) != due:
            says = f"seats {_list(event.seats)} took part, {_list(event.left_out)} were left out"
            return says, f"{_list(due[0])} revealed, {_list(due[1])} did not"
        self._messages[event.commitment] = mix.message
        return None


def _committed(state: TableState, event: mix_events.NonceCommitted) -> Wrong:
    due = {next_shoe(state), state.round.shoe_number + 1}  # one that was loaded may be left out under other rules
    if event.shoe not in due:
        return f"seat {event.seat} commits for shoe {event.shoe}", f"for shoe {max(due)}, the next"
    before = state.terminal(event.seat).nonce
    if before and before.shoe == event.shoe and before.times >= MOST_COMMITMENTS:
        return f"seat {event.seat} commits once more for shoe {event.shoe}", f"{MOST_COMMITMENTS} times at most"
    return None if is_hash(event.commitment) else (f"the commitment {event.commitment[:70]!r}", "a SHA-256")


def _in_order(event: mix_events.ShoeMixOpened) -> Wrong:
    seats = [seat for seat, _ in event.seats]
    return None if seats == sorted(set(seats)) else (f"seats {_list(seats)}", "each once, by their numbers")


def _difference(said: dict[int, str], due: dict[int, str]) -> Wrong:
    """The first seat whose commitment the list lacks, invents or changes."""
    for seat in sorted(said.keys() | due.keys()):
        if said.get(seat) != due.get(seat):
            names = [
                f"seat {seat} has committed to {one}" if one else f"seat {seat} takes no part"
                for one in (said.get(seat), due.get(seat))
            ]
            return names[0], names[1]
    return None


def _revealed(state: TableState, event: mix_events.NonceRevealed) -> Wrong:
    mix = open_mix(state)
    says = f"seat {event.seat} reveals {event.nonce[:70]!r} for shoe {event.shoe}"
    if mix is None or mix.shoe != event.shoe:
        return says, "nothing: no commitments for that shoe are listed, or it is mixed already"
    promised = mix.listed.get(event.seat)
    if promised is None or event.seat in mix.revealed:
        return says, "nothing: it is not in the list, or has revealed already"
    made = nonce_commitment(table=state.table, shoe=event.shoe, seat=event.seat, nonce=event.nonce)
    if not is_nonce(event.nonce) or made != promised:
        return says, f"what it has committed to by {promised}"
    return None


def _too_early(state: TableState, event: Event) -> Wrong:
    mix = open_mix(state)
    if mix is None or mix.commitment != state.next_commitment:
        return None
    return f"{event.TAG} before shoe {mix.shoe} is mixed", f"shoe {mix.shoe} is mixed first"


def _list(seats: Sequence[int]) -> str:
    return ", ".join(map(str, seats)) or "none"

"""What the seats mix into a shoe: their commitments while the shoe before is played, then what they reveal.

Changed by events only.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from natural9.journal import mix_events
from natural9.journal.mix_events import MixEvent
from natural9.table.shoes.mixing import mix_message

if TYPE_CHECKING:
    from natural9.table.state.state import TableState


MOST_COMMITMENTS: Final = 8  # of a seat for one shoe: its terminal's own, and players who change their minds


class SeatNonce(NamedTuple):
    """What a seat has committed to, for a shoe that is still to come, and how often it has."""

    shoe: int
    commitment: str
    times: int = 1


@dataclass(slots=True)
class ShoeMix:
    """A shoe that is being mixed, or is mixed and waits for its first round."""

    shoe: int
    commitment: str  # the house's
    listed: dict[int, str]  # each seat's, by its number
    checkpoint: str
    reveal_ms: int
    revealed: dict[int, str] = field(default_factory=dict)
    is_done: bool = False

    @property
    def message(self) -> bytes:
        return mix_message(self.commitment, self.checkpoint, self.revealed)

    @property
    def left_out(self) -> list[int]:
        """Who has not revealed."""
        return [seat for seat in self.listed if seat not in self.revealed]


def next_shoe(state: "TableState") -> int:
    """The number of the shoe that comes after the one that is in use, or loaded."""
    new = state.round.new_shoe
    return (new.number if new else state.round.shoe_number) + 1


def committed_seats(state: "TableState", shoe: int) -> dict[int, str]:
    """The commitments for a shoe, by the numbers of their seats."""
    found = {seat: one.nonce for seat, one in state.terminals.items() if one.nonce and one.nonce.shoe == shoe}
    return {seat: found[seat].commitment for seat in sorted(found)}


def evolve_mix(state: "TableState", event: MixEvent) -> None:
    match event:
        case mix_events.NonceCommitted():
            terminal = state.terminal(event.seat)
            before = terminal.nonce.times if terminal.nonce and terminal.nonce.shoe == event.shoe else 0
            terminal.nonce = SeatNonce(event.shoe, event.commitment, before + 1)
        case mix_events.ShoeMixOpened():
            for terminal in state.terminals.values():
                if terminal.nonce and terminal.nonce.shoe <= event.shoe:
                    terminal.nonce = None
            state.mix = ShoeMix(event.shoe, event.commitment, dict(event.seats), event.checkpoint, event.reveal_ms)
        case mix_events.NonceRevealed():
            if state.mix:
                state.mix.revealed[event.seat] = event.nonce
        case mix_events.ShoeMixed():
            if state.mix:
                state.mix.is_done = True

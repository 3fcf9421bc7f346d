"""Shoes that nobody chooses alone: seats commit, all commitments are listed, seats reveal, and the shoe is mixed."""

from natural9.core.events import Event
from natural9.core.round import Refusal
from natural9.core.saying import say
from natural9.journal.mix_events import NonceCommitted, NonceRevealed, ShoeMixed, ShoeMixOpened
from natural9.table.commands import terminal
from natural9.table.commands.refusals import TableCode
from natural9.table.shoes.mixing import MOST_WORDS, RULE, is_hash, is_nonce, nonce_commitment
from natural9.table.state.shoe_mix import MOST_COMMITMENTS, ShoeMix, committed_seats, next_shoe
from natural9.table.state.state import TableState

Decision = list[Event] | Refusal


def commit(state: TableState, seat: int, tap: terminal.CommitNonce) -> Decision:
    """At any time before the shoe is due; another one takes its place until then, some few times."""
    if not state.config.joint_shoe:
        return Refusal(TableCode.NOT_JOINT, say("At this table the house alone shuffles"))
    if not is_hash(tap.commitment):
        return Refusal(TableCode.BAD_NONCE, say("The hash is 64 digits from 0 to f"))
    due = next_shoe(state)
    if tap.shoe != due:
        why = say("Shoe {shoe} is not the next: take part in shoe {due}", shoe=tap.shoe, due=due)
        return Refusal(TableCode.OTHER_SHOE, why)
    before = state.terminal(seat).nonce
    if before and before[:2] == (tap.shoe, tap.commitment):
        return Refusal(TableCode.ALREADY_MIXED, say("Seat {seat} has committed to this already", seat=seat))
    if before and before.shoe == tap.shoe and before.times >= MOST_COMMITMENTS:
        enough = say(
            "Seat {seat} has changed what it mixes into shoe {shoe} often enough: the last stands", seat=seat, shoe=due
        )
        return Refusal(TableCode.ALREADY_MIXED, enough)
    return [NonceCommitted(seat=seat, shoe=tap.shoe, commitment=tap.commitment)]


def reveal(state: TableState, seat: int, tap: terminal.RevealNonce) -> Decision:
    mix = open_mix(state)
    if mix is None or mix.shoe != tap.shoe:
        why = say("Nothing is revealed for shoe {shoe} now: nothing has changed", shoe=tap.shoe)
        return Refusal(TableCode.OTHER_SHOE, why)
    promised = mix.listed.get(seat)
    if promised is None:
        none = say("Seat {seat} has committed to nothing for shoe {shoe}", seat=seat, shoe=tap.shoe)
        return Refusal(TableCode.BAD_NONCE, none)
    if seat in mix.revealed:
        return Refusal(TableCode.ALREADY_MIXED, say("Seat {seat} has revealed already", seat=seat))
    if not is_nonce(tap.nonce):
        form = say(
            "What is mixed in is 64 digits from 0 to f, and at most {most} characters after a space", most=MOST_WORDS
        )
        return Refusal(TableCode.BAD_NONCE, form)
    if nonce_commitment(table=state.table, shoe=tap.shoe, seat=seat, nonce=tap.nonce) != promised:
        return Refusal(TableCode.BAD_NONCE, say("This is not what seat {seat} has committed to", seat=seat))
    return [NonceRevealed(seat=seat, shoe=tap.shoe, nonce=tap.nonce)]


def list_commitments(state: TableState, *, shoe: int, house: str, checkpoint: str) -> ShoeMixOpened:
    """The shoe is due: everything that was committed to, before any of it is revealed."""
    return ShoeMixOpened(
        shoe=shoe,
        commitment=house,
        seats=tuple(committed_seats(state, shoe).items()),
        rule=RULE,
        reveal_ms=round(state.config.timers.mix_s * 1000),
        checkpoint=checkpoint,
    )


def mix_shoe(state: TableState) -> Decision:
    """By the rule that was stated: with those who have revealed."""
    mix = open_mix(state)
    if mix is None:
        return Refusal(TableCode.OTHER_SHOE, say("No shoe waits to be mixed"))
    mixed = ShoeMixed(
        shoe=mix.shoe, commitment=mix.commitment, seats=tuple(sorted(mix.revealed)), left_out=tuple(mix.left_out)
    )
    return [mixed]


def open_mix(state: TableState) -> ShoeMix | None:
    """The shoe that waits for what its seats reveal."""
    return state.mix if state.mix and not state.mix.is_done else None


def to_reveal(state: TableState, seat: int) -> str:
    """The commitment that this seat is asked to reveal; "" where it is not, or has."""
    mix = open_mix(state)
    return mix.listed.get(seat, "") if mix and seat not in mix.revealed else ""


def mixes_at_ms(state: TableState) -> int | None:
    """When the shoe is mixed by the play clock: once all have revealed, or when their time is up."""
    mix = open_mix(state)
    if mix is None:
        return None
    return state.mix_since_ms + (mix.reveal_ms if mix.left_out else 0)


def not_mixed(state: TableState) -> Refusal | None:
    """Why no card of a new shoe is burnt or dealt yet."""
    mix = open_mix(state)
    if mix is None:
        return None
    why = say("Shoe {shoe} is being mixed: {count} seats still reveal", shoe=mix.shoe, count=len(mix.left_out))
    return Refusal(TableCode.NOT_MIXED, why)

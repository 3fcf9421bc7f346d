"""Burning: the first card of a new shoe is shown, and as many as its points are laid aside face down.

House procedure, not a rule of any document: a shoe that burns says so when it is loaded.
"""

from collections.abc import Sequence
from typing import Final

from natural9.core.cards import Rank
from natural9.core.round import commands, events
from natural9.core.round.refusal import Code, Refusal
from natural9.core.round.state import NewShoe, RoundState
from natural9.core.saying import say
from natural9.core.staff import Staff
from natural9.core.table_of_play import POINTS

PARAGRAPH: Final = "interpretation burning"
MOST_BURNT: Final = 11  # a ten-value card, and ten face down

Decision = Sequence[events.RoundEvent] | Refusal


def face_down(rank: Rank) -> int:
    """How many are burnt face down after this card.

    >>> face_down("A"), face_down("7"), face_down("K")
    (1, 7, 10)
    """
    return POINTS[rank] or 10


def burn_first(state: RoundState) -> Refusal | None:
    """Why the first round of a new shoe does not open yet."""
    new = state.new_shoe
    if new is None or not new.burns or (new.burnt and not new.to_come):
        return None
    if new.burnt is None:
        why = say("Shoe {shoe} burns: turn its first card face up, and burn it", shoe=new.number)
    else:
        why = say(
            "{count} of the cards burnt face down are still to be read: burn them, or say that all are burnt",
            count=new.to_come,
        )
    return Refusal(Code.BURN_FIRST, why, PARAGRAPH)


def may_burn(state: RoundState, command: commands.BurnCards | None) -> Refusal | None:
    """A new shoe waits for its first round, and burns."""
    if state.new_shoe is None or not state.new_shoe.burns:
        why = say("There is nothing to burn: a table that burns does so between rounds, from a new shoe")
        return Refusal(Code.NOTHING_TO_BURN, why, PARAGRAPH)
    return None


def burn_cards(state: RoundState, command: commands.BurnCards, by: Staff, why: str) -> Decision:
    """The card that is shown says how many follow; another one corrects it, until the first round opens."""
    new, card = state.new_shoe, command.card
    assert new is not None, "checked by may_burn"
    if card is None:
        return Refusal(Code.BAD_CARD, say("Name the card that was turned face up, as 9H"))
    if card == new.burnt:
        done = say("{card} is burnt already, with {count} face down", card=str(card), count=new.face_down)
        return Refusal(Code.ALREADY_DONE, done, PARAGRAPH)
    if new.burnt and not why.strip():
        unsaid = say("{burnt} was registered as burnt: say why it is {card}", burnt=str(new.burnt), card=str(card))
        return Refusal(Code.BAD_CORRECTION, unsaid, PARAGRAPH)
    count = face_down(card.rank)
    burnt = events.CardsBurnt(
        shoe=new.number,
        card=str(card),
        face_down=count,
        to_come=max(0, count - _already_read(new)) if new.counts_burnt else 0,
        why=why if new.burnt else "",
        paragraph=PARAGRAPH,
    )
    return (burnt,)


def _already_read(new: NewShoe) -> int:
    return new.face_down - new.to_come


def may_burn_face_down(state: RoundState, command: commands.BurnFaceDown | None) -> Refusal | None:
    """Cards are burnt face down that a device counts, and not all have come."""
    if state.new_shoe is None or not state.new_shoe.to_come:
        return Refusal(Code.NOTHING_TO_BURN, say("No card burnt face down is still to come"), PARAGRAPH)
    return None


def burn_face_down(state: RoundState, command: commands.BurnFaceDown) -> Decision:
    """One more, or all that are left."""
    new = state.new_shoe
    assert new is not None, "checked by may_burn_face_down"
    cards = new.to_come if command.rest else 1
    return (events.FaceDownBurnt(shoe=new.number, cards=cards, left=new.to_come - cards),)

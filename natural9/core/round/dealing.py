"""Cards as they come, and the cut card. The Table of Play says where each belongs, whatever the dealer's hand did."""

from typing import Final

from natural9.core.cards import Card
from natural9.core.irregularities import Kind
from natural9.core.round import commands, events
from natural9.core.round.betting import Decision
from natural9.core.round.evolve import fold
from natural9.core.round.refusal import Code, Refusal
from natural9.core.round.remedies import reported
from natural9.core.round.reporting import RECORD, cannot_be_there
from natural9.core.round.state import DEALING, Pending, Phase, RoundState, phase_after
from natural9.core.saying import say
from natural9.core.table_of_play import next_hand


def may_deal(state: RoundState, command: commands.DealCard | None) -> Refusal | None:
    """A card is due."""
    if state.phase in DEALING:
        return None
    procedure = state.game.document.procedure
    if state.phase is Phase.BETTING_OPEN:
        still = say("Bets are still open: close them before the first card")
        return Refusal(Code.BETTING_STILL_OPEN, still, procedure.closes)
    if state.window:
        why = say("Insurance {when} comes before the next card: open it and close it first", when=state.window.words)
        return Refusal(Code.INSURANCE_FIRST, why, state.game.insurance.paragraph if state.game.insurance else "")
    if state.phase is Phase.COMPLETE:
        why = say("No card is due: the round is complete. If one was drawn by mistake, report it")
        return Refusal(Code.NO_CARD_DUE, why, procedure.table_of_play)
    return Refusal(Code.NO_ROUND, say("No round is in play: open betting first"), procedure.opens)


def deal_card(state: RoundState, command: commands.DealCard) -> Decision:
    """The card goes to the hand that is due it; put in the other area, it is an irregularity."""
    card, ranks = command.card, state.ranks
    due = next_hand(ranks)
    if card is None:
        return Refusal(Code.BAD_CARD, say("Name the card that was drawn, as 9H"))
    if refusal := _cannot_come(state, card):
        return refusal
    game = state.game
    procedure = game.document.procedure
    assert due is not None, "a dealing phase has a card due"
    put_at = command.put_at or due
    dealt = events.CardDealt(
        card=str(card),
        hand=due,
        put_at=put_at,
        phase=phase_after(
            game,
            (*ranks, card.rank),
            waived=state.waived is not None,
            next_known=len(state.held) > 1,
        ),
        paragraph=procedure.initial_deal if len(ranks) < 4 else procedure.table_of_play,
    )
    if put_at is due:
        return (dealt,)
    pending = Pending(state.reported + 1, Kind.WRONG_AREA)
    detail = say(
        "{card} belongs to the {hand} hand and was put in the {area} area",
        card=str(card),
        hand=due.words,
        area=put_at.words,
    )
    return (dealt, reported(fold(state, (dealt,)), pending, detail=detail))


MOST_KNOWN: Final = 100_000  # ways that cards have come


def is_plain_card(state: RoundState, event: events.CardDealt) -> bool:
    """Whether this is what dealing its card leads to, seen at a glance; where it is not, `decide` has a closer look.

    An audit asks it by the million. It knows no rule of its own, and a property holds it to that.
    """
    card, game, shoe = Card.parse(event.card), state.game, state.shoe
    if (
        event.put_at is not event.hand
        or state.pending
        or state.held
        or state.phase not in DEALING
        or shoe is None
        or not shoe.left(card)
        or not state.cards_left
    ):
        return False
    key = ((*state.ranks, card.rank), state.waived is not None)
    due = game.dealt.get(key)
    if due is None:
        decided = deal_card(state, commands.DealCard(card=card))
        assert not isinstance(decided, Refusal), "a card is due, and this one is there"
        [dealt] = decided
        assert isinstance(dealt, events.CardDealt)
        if len(game.dealt) >= MOST_KNOWN:
            game.dealt.clear()
        due = game.dealt[key] = (dealt.hand, dealt.phase, dealt.paragraph)
    return due == (event.hand, event.phase, event.paragraph) and event.card == card.rank + card.suit


def _cannot_come(state: RoundState, card: Card) -> Refusal | None:
    if state.held:
        if card == state.held[0]:
            return None
        first = str(state.held[0])
        why = say("{first} came out earlier: it is the next card, not {card}", first=first, card=str(card))
        return Refusal(Code.NOT_THE_NEXT_CARD, why)
    assert state.shoe is not None, "no round opens without a shoe"
    if state.shoe.left(card):
        if state.cards_left:
            return None
        short = say('No card is left in the shoe: report "{kind}"', kind=Kind.INSUFFICIENT_CARDS.words)
        return Refusal(Code.CARD_TOO_MANY, short)
    return Refusal(Code.CARD_TOO_MANY, cannot_be_there(card, state.shoe.decks), RECORD)


def may_report_cut_card(state: RoundState, command: commands.ReportCutCard | None) -> Refusal | None:
    """The cut card comes once, in a round or right after it: a void round leaves the shoe as spent as a settled one."""
    if state.phase is Phase.NO_ROUND or state.new_shoe:
        return Refusal(Code.NO_ROUND, say("No round is in play: report the cut card in the round in which it comes"))
    if state.cut_card_out:
        already = say("The cut card is already reported: this is the last round of the shoe")
        return Refusal(Code.ALREADY_DONE, already)
    return None


def report_cut_card(state: RoundState, command: commands.ReportCutCard) -> Decision:
    """mbs 3.10: it is taken out and the round goes on; the next one needs a new shoe."""
    return (events.CutCardAppeared(paragraph=state.game.document.procedure.cut_card),)

"""Cards as they come, and the cut card. The Table of Play says where each belongs, whatever the dealer's hand did."""

from natural9.core.cards import Card
from natural9.core.irregularities import Kind
from natural9.core.round import commands, events
from natural9.core.round.betting import Decision
from natural9.core.round.refusal import Code, Refusal
from natural9.core.round.remedies import report
from natural9.core.round.state import BETWEEN_ROUNDS, DEALING, Phase, RoundState, phase_after
from natural9.core.shoe import one_too_many


def may_deal(state: RoundState, command: commands.DealCard | None) -> Refusal | None:
    """A card is due."""
    if state.phase in DEALING:
        return None
    procedure = state.game.document.procedure
    if state.phase is Phase.BETTING_OPEN:
        return Refusal(
            Code.BETTING_STILL_OPEN, "Bets are still open: close them before the first card", procedure.closes
        )
    if state.window:
        why = f"Insurance {state.window.words} comes before the next card: open it and close it first"
        return Refusal(Code.INSURANCE_FIRST, why, state.game.insurance.paragraph if state.game.insurance else "")
    if state.phase is Phase.COMPLETE:
        why = "No card is due: the round is complete. If one was drawn by mistake, report it"
        return Refusal(Code.NO_CARD_DUE, why, procedure.table_of_play)
    return Refusal(Code.NO_ROUND, "No round is in play: open betting first", procedure.opens)


def deal_card(state: RoundState, command: commands.DealCard) -> Decision:
    """The card goes to the hand that is due it; put in the other area, it is an irregularity."""
    card, due = command.card, state.due
    if card is None:
        return Refusal(Code.BAD_CARD, "Name the card that was drawn, as 9H")
    if refusal := _cannot_come(state, card):
        return refusal
    procedure = state.game.document.procedure
    assert due is not None, "a dealing phase has a card due"
    put_at = command.put_at or due
    dealt = events.CardDealt(
        card=str(card),
        hand=due,
        put_at=put_at,
        phase=phase_after(state.game, (*state.ranks, card.rank), waived=state.waived),
        paragraph=procedure.initial_deal if len(state.cards) < 4 else procedure.table_of_play,
    )
    if put_at is due:
        return (dealt,)
    detail = f"{card} belongs to the {due} hand and was put in the {put_at} area"
    return (dealt, report(state, Kind.WRONG_AREA, cards_dealt=len(state.cards) + 1, detail=detail))


def _cannot_come(state: RoundState, card: Card) -> Refusal | None:
    if state.held:
        if card == state.held[0]:
            return None
        why = f"{state.held[0]} came out earlier: it is the next card, not {card}"
        return Refusal(Code.NOT_THE_NEXT_CARD, why)
    assert state.shoe is not None, "no round opens without a shoe"
    if state.shoe.left(card):
        return None
    why = f'{one_too_many(card, state.shoe.decks)}. If it was really drawn, report "{Kind.SHORTAGE_OR_EXCESS.words}"'
    return Refusal(Code.CARD_TOO_MANY, why)


def may_report_cut_card(state: RoundState, command: commands.ReportCutCard | None) -> Refusal | None:
    """The cut card comes once, in a round."""
    if state.phase in BETWEEN_ROUNDS and state.phase is not Phase.SETTLED:
        return Refusal(Code.NO_ROUND, "No round is in play: report the cut card in the round in which it comes")
    if state.cut_card_out:
        return Refusal(Code.ALREADY_DONE, "The cut card is already reported: this is the last round of the shoe")
    return None


def report_cut_card(state: RoundState, command: commands.ReportCutCard) -> Decision:
    """mbs 3.10: it is taken out and the round goes on; the next one needs a new shoe."""
    return (events.CutCardAppeared(paragraph=state.game.document.procedure.cut_card),)

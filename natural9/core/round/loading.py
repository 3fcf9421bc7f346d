"""The cards at the table: a new shoe between rounds, and cards that wait to be played first and are burnt instead."""

from typing import Final

from natural9.core.cards import Card, name_cards
from natural9.core.errors import BadInput
from natural9.core.irregularities import Kind
from natural9.core.round import commands, events
from natural9.core.round.betting import Decision
from natural9.core.round.refusal import Code, Refusal, rank_too_low
from natural9.core.round.state import BETWEEN_ROUNDS, Phase, RoundState
from natural9.core.saying import name_of, named, say
from natural9.core.staff import Rank, Staff

OTHER_CARDS: Final = "interpretation other-cards-before-the-cut"
EARLY_SHOE_RANK: Final = Rank.PIT_SUPERVISOR


def may_load_shoe(state: RoundState, command: commands.LoadShoe | None) -> Refusal | None:
    """A new shoe is loaded between rounds."""
    if state.phase not in BETWEEN_ROUNDS:
        playing = say("Round {round} is in play: a new shoe is loaded between rounds", round=state.number)
        return Refusal(Code.ROUND_OPEN, playing, "interpretation optional-before-the-shoe")
    return None


def load_shoe(state: RoundState, command: commands.LoadShoe, by: Staff, why: str) -> Decision:
    """The set of cards, and the wagers that are on for as long as it lasts. Cards that wait are played first."""
    if refusal := _not_these_cards(state, command) or _before_the_cut(state, command, by, why):
        return refusal
    optional = {wager.id for wager in state.game.wagers if wager.optional}
    chosen = optional if command.optional is None else command.optional
    offered = tuple(wager.id for wager in state.game.wagers if not wager.optional or wager.id in chosen)
    loaded = events.ShoeLoaded(
        shoe=command.shoe,
        rules_sha256=state.game.sha256,
        decks=command.decks,
        offered=offered,
        burns=command.burns,
        counts_burnt=command.burns and command.counts_burnt,
    )
    if not command.discard:
        return (loaded,)
    burnt = discarded(state, command.discard, by, why)
    return burnt if isinstance(burnt, Refusal) else (*burnt, loaded)


def _not_these_cards(state: RoundState, command: commands.LoadShoe) -> Refusal | None:
    game = state.game
    try:
        game.check_decks(command.decks)
    except BadInput as error:
        return Refusal.of(Code.BAD_TERMS, error)
    last = state.new_shoe.number if state.new_shoe else state.shoe_number
    if command.shoe <= last:
        return Refusal(Code.BAD_TERMS, say("Shoe {shoe} cannot follow shoe {last}", shoe=command.shoe, last=last))
    optional = {wager.id for wager in game.wagers if wager.optional}
    if strange := sorted((command.optional or frozenset()) - optional):
        none = say(
            "{wager} is not an optional wager of {game}: those are {optional}",
            wager=name_of(strange[0]),
            game=named(game.title),
            optional=tuple(map(name_of, sorted(optional))) or (say("none"),),
        )
        return Refusal(Code.BAD_TERMS, none, game.document.procedure.choice_of_wagers)
    return None


def is_spent(state: RoundState) -> bool:
    """The cards at the table are played out, or there are none."""
    return state.shoe is None or state.cut_card_out or not state.cards_left


def _before_the_cut(state: RoundState, command: commands.LoadShoe, by: Staff, why: str) -> Refusal | None:
    """rws-nc 5.7.1: other cards in mid-shoe are the pit supervisor's decision, and burning any is one, too."""
    if (is_spent(state) or command.required) and not command.discard:
        return None
    what = say("load other cards before the cut card has come")
    if refusal := rank_too_low(by, rank_to_burn(state) if command.discard else EARLY_SHOE_RANK, what, OTHER_CARDS):
        return refusal
    if not why.strip():
        return Refusal(Code.REASON_NEEDED, say("Say why other cards come before the cut card"), OTHER_CARDS)
    return None


def may_discard(state: RoundState, command: commands.DiscardHeld | None) -> Refusal | None:
    """Cards wait, and no card of the round has been dealt."""
    if not state.held:
        return Refusal(Code.NOTHING_HELD, say("No card waits to be played first"))
    if state.phase not in BETWEEN_ROUNDS | {Phase.BETTING_OPEN, Phase.BETS_CLOSED}:
        begun = say("Round {round} has begun, and the cards that wait belong to it", round=state.number)
        return Refusal(Code.ROUND_OPEN, begun)
    return None


def discard_held(state: RoundState, command: commands.DiscardHeld, by: Staff, why: str) -> Decision:
    """By the rank that decides about drawn cards."""
    if refusal := rank_too_low(by, rank_to_burn(state), say("burn cards that wait"), _paragraph(state)):
        return refusal
    return discarded(state, command.cards, by, why)


def discarded(
    state: RoundState, cards: tuple[Card, ...], by: Staff, why: str
) -> tuple[events.CardsDiscarded, ...] | Refusal:
    """Cards that wait, burnt by name."""
    waiting = list(state.held)
    for card in cards:
        if card not in waiting:
            wrong = say("{card} does not wait: those are {held}", card=str(card), held=name_cards(state.held))
            return Refusal(Code.NOTHING_HELD, wrong)
        waiting.remove(card)
    return (
        events.CardsDiscarded(
            cards=tuple(map(str, cards)), waited=True, by=by.id, why=why, paragraph=_paragraph(state)
        ),
    )


def rank_to_burn(state: RoundState) -> Rank:
    """Who may burn cards that wait: whoever decides about drawn cards."""
    return state.game.document.clause(Kind.EXCESS_OR_EXPOSED, cards_dealt=0).rank


def _paragraph(state: RoundState) -> str:
    return state.game.document.clause(Kind.EXCESS_OR_EXPOSED, cards_dealt=0).remedies[0].paragraph

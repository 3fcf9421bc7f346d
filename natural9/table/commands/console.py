"""The dealer's console: the round's own commands with what the table knows, and what follows at the table."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from natural9.core.cards import Card, show_cards
from natural9.core.events import Event, spoken
from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import Refusal
from natural9.core.round import commands as round_commands
from natural9.core.round import events as round_events
from natural9.core.round.commands import Command
from natural9.core.round.decide import decide as decide_round
from natural9.core.round.state import BETWEEN_ROUNDS
from natural9.core.staff import Staff
from natural9.journal import table_events
from natural9.table.commands import staff
from natural9.table.commands.refusals import TableCode
from natural9.table.shoes.shuffler import Shuffled
from natural9.table.state.state import Status, TableState
from natural9.table.venue.venue import ShoeSource, offered_wagers

Decision = list[Event] | Refusal

# After a void for one of these, the same cards are not played on.
CARDS_NOT_TO_BE_TRUSTED = frozenset(
    {Kind.FOREIGN_CARD, Kind.SHORTAGE_OR_EXCESS, Kind.UNSHUFFLED_CARDS, Kind.INSUFFICIENT_CARDS}
)


class Chance(NamedTuple):
    """What the shuffler brings to a decision: the order in use, and a fresh one where a new shoe is asked for."""

    in_use: Shuffled | None = None
    fresh: Shuffled | None = None


def console(state: TableState, command: Command, by: Staff, why: str, chance: Chance) -> Decision:
    if _names_cards(command) and (refusal := no_card_can_be_named(state)):
        return refusal
    asked = _filled_in(state, command, chance)
    if isinstance(asked, Refusal):
        return asked
    decided = decide_round(state.round, asked, by, why)
    if isinstance(decided, Refusal):
        return decided
    return [*decided, *_follows(decided)]


def no_card_can_be_named(state: TableState) -> Refusal | None:
    if state.config.shoe is not ShoeSource.SHUFFLER:
        return None
    why = "This table deals from the shuffler: nobody can name its cards"
    return Refusal(TableCode.BAD_CARD, why)


def _names_cards(command: Command) -> bool:
    """Nobody can know better than the shuffler, and whether a card fits would tell what comes next."""
    return bool(getattr(command, "card", None) or getattr(command, "cards", None))


def _filled_in(state: TableState, command: Command, chance: Chance) -> Command | Refusal:
    """The round's own command, with what the table knows."""
    if isinstance(command, staff.StartRound):
        return may_open_round(state) or round_commands.OpenBetting(
            round=state.round.number + 1,
            betting_unit_cents=state.limits.betting_unit_cents,
            limits=state.limits.by_wager,
            boxes=state.config.seats,
        )
    if isinstance(command, round_commands.DealCard) and state.config.shoe is ShoeSource.SHUFFLER:
        if not state.round.held and not (state.round.shoe and state.round.shoe.cards_left):
            return Refusal(TableCode.BAD_CARD, f'No card is left to deal: report "{Kind.INSUFFICIENT_CARDS.words}"')
        if not state.round.held and chance.in_use is None:
            return Refusal(TableCode.FAULT, "The shuffler's order cannot be read: void the round, and load a new shoe")
        return replace(command, card=next_card(state, chance.in_use))
    return command


def may_open_round(state: TableState) -> Refusal | None:
    if state.faults:
        fault, detail = next(iter(state.faults.items()))
        return Refusal(
            TableCode.FAULT, f"The table has a fault, {spoken(fault)}: {detail}. No round begins until it is cleared"
        )
    if state.status is not Status.OPEN:
        return Refusal(TableCode.TABLE_NOT_OPEN, f"The table is {state.status}: no round begins")
    if state.shoe_required and not state.round.new_shoe:
        why, paragraph = state.shoe_required
        return Refusal(TableCode.NEW_SHOE_REQUIRED, f"Load a new shoe first: {why}", paragraph)
    return None


def next_card(state: TableState, shuffled: Shuffled | None) -> Card:
    """The next card of the committed order; those drawn before and still waiting come first."""
    if state.round.held:
        return state.round.held[0]
    shoe = state.round.shoe
    assert shoe is not None, "a table deals only with a shoe"
    assert shuffled is not None, "the shuffler's order is known while its shoe is in use"
    drawn = len(shuffled.order) - shoe.cards_left
    return shuffled.order[drawn]


def _follows(happened: Sequence[Event]) -> list[Event]:
    """What a decision at the round leads to around it."""
    return [
        table_events.NewShoeRequired(why=f"the last round was void, {event.kind.words}", paragraph=event.paragraph)
        for event in happened
        if isinstance(event, round_events.IrregularityDecided)
        and event.remedy is Remedy.VOID
        and event.kind in CARDS_NOT_TO_BE_TRUSTED
    ]


def new_shoe(state: TableState, chance: Chance) -> Decision:
    """Between rounds: what was left of the old shoe is revealed, the new one committed to and loaded."""
    config = state.config
    if state.round.new_shoe:
        return Refusal(
            TableCode.SHOE_NOT_SPENT, f"Shoe {state.round.new_shoe.number} is already loaded for the next round"
        )
    optional = {wager.id for wager in config.game.wagers if wager.optional}
    number = state.round.shoe_number + 1
    chosen = frozenset(offered_wagers(config.game, config.optional)) & optional
    decided = decide_round(state.round, round_commands.LoadShoe(shoe=number, decks=config.decks, optional=chosen))
    if isinstance(decided, Refusal):
        return decided
    if config.shoe is not ShoeSource.SHUFFLER:
        return list(decided)
    assert chance.fresh is not None, "the shuffler makes an order for every new shoe"
    committed = table_events.ShoeCommitted(shoe=number, decks=config.decks, commitment=chance.fresh.commitment)
    return [*reveal(state, chance.in_use), committed, *decided]


def reveal(state: TableState, shuffled: Shuffled | None) -> list[Event]:
    shoe = state.round.shoe
    if shuffled is None or shoe is None:
        return []
    return [
        table_events.ShoeRevealed(
            shoe=state.round.shoe_number,
            decks=shoe.decks,
            commitment=shuffled.commitment,
            salt=shuffled.salt.hex(),
            order=show_cards(shuffled.order),
            dealt=len(shuffled.order) - shoe.cards_left,
        )
    ]


def shoe_is_spent(state: TableState) -> bool:
    """No further round may open on the cards at the table."""
    if state.round.phase not in BETWEEN_ROUNDS or state.round.new_shoe:
        return False
    return state.round.shoe is None or state.round.cut_card_out or state.shoe_required is not None

"""The dealer's console: its words turned into the round's own commands, and what follows at the table."""

from collections.abc import Sequence
from typing import NamedTuple

from natural9.core.cards import Card, show_cards
from natural9.core.errors import BadInput
from natural9.core.events import Event
from natural9.core.irregularities import Kind, Remedy
from natural9.core.outcome import Winner
from natural9.core.round import Refusal
from natural9.core.round import commands as round_commands
from natural9.core.round import events as round_events
from natural9.core.round.decide import decide as decide_round
from natural9.core.round.refusal import Code as RoundCode
from natural9.core.round.state import BETWEEN_ROUNDS
from natural9.core.staff import Staff
from natural9.core.table_of_play import Hand
from natural9.journal import table_events
from natural9.table.commands import commands
from natural9.table.commands.refusals import Code
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


def console(state: TableState, command: commands.StaffCommand, by: Staff, chance: Chance) -> Decision:
    if _names_cards(command) and (refusal := no_card_can_be_named(state)):
        return refusal
    if _corrects_without_reason(state, command):
        return Refusal(RoundCode.BAD_CORRECTION, "A result is put right only with a reason: say why")
    try:
        asked = _round_command(state, command, by, chance)
    except BadInput as error:
        return Refusal.of(Code.BAD_CARD, error)
    if isinstance(asked, Refusal):
        return asked
    decided = decide_round(state.round, asked)
    if isinstance(decided, Refusal):
        return decided
    return [*decided, *_follows(decided)]


def no_card_can_be_named(state: TableState) -> Refusal | None:
    if state.config.shoe is not ShoeSource.SHUFFLER:
        return None
    why = "This table deals from the shuffler: its cards are the ones it dealt, and none can be named"
    return Refusal(Code.BAD_CARD, why)


def _names_cards(command: commands.StaffCommand) -> bool:
    """Nobody can know better than the shuffler, and whether a card fits would tell what comes next."""
    match command:
        case commands.CorrectCard() | commands.CorrectResult():
            return True
        case commands.Report(cards=cards) | commands.Decide(cards=cards):
            return bool(cards)
        case commands.Deal(card=card):
            return card is not None
        case _:
            return False


def _corrects_without_reason(state: TableState, command: commands.StaffCommand) -> bool:
    """A card mis-keyed before the result needs no reason; one that changes what was declared does."""
    match command:
        case commands.CorrectCard(why=why):
            return state.round.declared and not why.strip()
        case commands.CorrectResult(why=why):
            return not why.strip()
        case _:
            return False


def _round_command(
    state: TableState, command: commands.StaffCommand, by: Staff, chance: Chance
) -> round_commands.Command | Refusal:
    match command:
        case commands.OpenBetting():
            return _open_betting(state)
        case commands.CloseBetting():
            return round_commands.CloseBetting()
        case commands.Deal():
            return _deal(state, command, chance)
        case commands.CutCard():
            return round_commands.ReportCutCard()
        case commands.OpenInsurance():
            return round_commands.OpenInsurance()
        case commands.CloseInsurance():
            return round_commands.CloseInsurance()
        case commands.WaiveInsurance():
            return round_commands.WaiveInsurance(by=by)
        case commands.Declare():
            return _declare(state, command)
        case commands.Settle():
            return round_commands.Settle()
        case commands.Report():
            return round_commands.ReportIrregularity(
                kind=command.kind,
                by=by,
                detail=command.detail,
                cards=commands.cards_of(command.cards),
                seats=command.seats,
                about_round=command.about_round,
            )
        case commands.Decide():
            return round_commands.DecideIrregularity(
                remedy=command.remedy,
                by=by,
                why=command.why,
                cards=commands.cards_of(command.cards),
                replace_shoe=command.replace_shoe,
            )
        case commands.VoidRound():
            return round_commands.VoidRound(by=by, why=command.why)
        case commands.CorrectCard():
            return round_commands.CorrectCard(
                place=command.place, card=Card.parse(command.card), by=by, why=command.why
            )
        case commands.CorrectResult():
            return round_commands.CorrectResult(cards=commands.cards_of(command.cards), by=by, why=command.why)
        case _:
            raise AssertionError(f"{commands.tag_of(command)} is not the console's")


def _open_betting(state: TableState) -> round_commands.Command | Refusal:
    if refusal := may_open_round(state):
        return refusal
    return round_commands.OpenBetting(
        round=state.round.number + 1,
        betting_unit_cents=state.limits.betting_unit_cents,
        limits=state.limits.by_wager,
        boxes=state.config.seats,
    )


def may_open_round(state: TableState) -> Refusal | None:
    if state.faults:
        fault, detail = next(iter(state.faults.items()))
        return Refusal(Code.FAULT, f"No play while there is a fault: {fault}, {detail}")
    if state.status is not Status.OPEN:
        return Refusal(Code.TABLE_NOT_OPEN, f"The table is {state.status}: no round begins")
    if state.shoe_required and not state.round.new_shoe:
        why, paragraph = state.shoe_required
        return Refusal(Code.NEW_SHOE_REQUIRED, f"A new shoe comes first: {why}", paragraph)
    return None


def _deal(state: TableState, command: commands.Deal, chance: Chance) -> round_commands.Command | Refusal:
    card = Card.parse(command.card) if command.card else None
    if state.config.shoe is ShoeSource.SHUFFLER:
        if not state.round.held and not (state.round.shoe and state.round.shoe.cards_left):
            return Refusal(Code.BAD_CARD, f"There is no card left to deal: report {Kind.INSUFFICIENT_CARDS}")
        if not state.round.held and chance.in_use is None:
            return Refusal(Code.FAULT, "The shuffler's order cannot be read: void the round, and load a new shoe")
        card = next_card(state, chance.in_use)
    if card is None:
        return Refusal(Code.BAD_CARD, "Name the card that was drawn, as 9H")
    put_at = command.put_at or state.round.due or Hand.PLAYER  # with no card due the round refuses it anyway
    return round_commands.DealCard(card=card, put_at=put_at)


def next_card(state: TableState, shuffled: Shuffled | None) -> Card:
    """The next card of the committed order; those drawn before and still waiting come first."""
    if state.round.held:
        return state.round.held[0]
    shoe = state.round.shoe
    assert shoe is not None, "a table deals only with a shoe"
    assert shuffled is not None, "the shuffler's order is known while its shoe is in use"
    drawn = len(shuffled.order) - shoe.cards_left
    return shuffled.order[drawn]


def _declare(state: TableState, command: commands.Declare) -> round_commands.Command:
    shown = state.round.outcome
    if shown is None:
        return round_commands.DeclareResult(winner=Winner.TIE, player_total=0, banker_total=0)  # the round says why not
    return round_commands.DeclareResult(
        winner=shown.winner if command.winner is None else command.winner,
        player_total=shown.player_total if command.player_total is None else command.player_total,
        banker_total=shown.banker_total if command.banker_total is None else command.banker_total,
    )


def _follows(happened: Sequence[Event]) -> list[Event]:
    """What a decision at the round leads to around it."""
    return [
        table_events.NewShoeRequired(why=f"the last round was void for {event.kind}", paragraph=event.paragraph)
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
            Code.SHOE_NOT_SPENT, f"Shoe {state.round.new_shoe.number} is loaded and waits for the next round"
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

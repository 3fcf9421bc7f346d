"""The dealer's console: the round's own commands with what the table knows, and what follows at the table."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from natural9.core.cards import Card, show_cards
from natural9.core.errors import BadInput
from natural9.core.events import Event
from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import Refusal, RoundState
from natural9.core.round import commands as round_commands
from natural9.core.round import events as round_events
from natural9.core.round.commands import Command
from natural9.core.round.decide import decide as decide_round
from natural9.core.round.decide import round_meant
from natural9.core.round.state import BETWEEN_ROUNDS
from natural9.core.saying import Said, say
from natural9.core.staff import Staff
from natural9.journal import table_events
from natural9.table.commands import staff
from natural9.table.commands.mixing import list_commitments, not_mixed
from natural9.table.commands.pit import the_files_limits
from natural9.table.commands.refusals import TableCode
from natural9.table.shoes.shuffler import Shuffled
from natural9.table.state.shoe_mix import next_shoe
from natural9.table.state.state import Status, TableState
from natural9.table.venue.limits import mistakes_in_limits, offered_wagers
from natural9.table.venue.venue import Burn, ShoeSource

Decision = list[Event] | Refusal
_SETTLES: Final = frozenset({Remedy.VOID, Remedy.SETTLE_BY_CARDS})
_OF_LAST_ROUND: Final = (round_commands.CorrectCard, round_commands.CorrectResult, round_commands.RuleOnBet)
FAULT: Final = "interpretation fault-holds-the-table"
SPENT: Final = "interpretation spent-shoe"

# After a void for one of these, the same cards are not played on.
CARDS_NOT_TO_BE_TRUSTED = frozenset(
    {Kind.FOREIGN_CARD, Kind.SHORTAGE_OR_EXCESS, Kind.UNSHUFFLED_CARDS, Kind.INSUFFICIENT_CARDS}
)


class Chance(NamedTuple):
    """What the shuffler brings to a decision: the order in use, that of a new shoe which waits for its first round;
    where a new shoe is asked for, a fresh one, and that of a shoe which is played no further."""

    in_use: Shuffled | None = None
    waiting: Shuffled | None = None
    fresh: Shuffled | None = None
    retired: Shuffled | None = None


# What remains while a fault holds the table where it is: reporting, and voiding by rank.
IN_A_FAULT: Final = (
    round_commands.ReportIrregularity,
    round_commands.WithdrawReport,
    round_commands.DecideIrregularity,  # but only to void
    round_commands.VoidRound,
)


def held_by_fault(state: TableState, command: Command) -> Refusal | None:
    """Nothing is opened, closed, dealt, declared or settled until the fault is cleared."""
    if not state.faults:
        return None
    plays_on = isinstance(command, round_commands.DecideIrregularity) and command.remedy is not Remedy.VOID
    return None if isinstance(command, IN_A_FAULT) and not plays_on else fault_holds(state)


def _under_other_rules(state: TableState, command: Command) -> Refusal | None:
    """The rules have changed since the last round: it is not settled again by those of today. Once the next round is
    open, the manager rules on its bets by what they were paid."""
    if state.in_play or state.rules_sha256 in ("", state.config.game.sha256):
        return None
    settles = isinstance(command, round_commands.DecideIrregularity) and command.remedy in _SETTLES
    if (not settles and not isinstance(command, _OF_LAST_ROUND)) or round_meant(state.round, command) is not None:
        return None
    old = say(
        "Round {round} was played under other rules: rule on its bets once the next is open", round=state.round.number
    )
    return Refusal(TableCode.OTHER_RULES, old)


def fault_holds(state: TableState) -> Refusal:
    fault, detail = next(iter(state.faults.items()))
    holds = say(
        "The table has a fault, {fault}: {detail}. Clear it first", fault=table_events.fault_words(fault), detail=detail
    )
    return Refusal(TableCode.FAULT, holds, FAULT)


def console(
    state: TableState, command: Command, by: Staff, why: str, chance: Chance, earlier: RoundState | None = None
) -> Decision:
    if refusal := held_by_fault(state, command) or _under_other_rules(state, command):
        return refusal
    if _names_cards(command) and (refusal := no_card_can_be_named(state)):
        return refusal
    asked = _filled_in(state, command, chance)
    if isinstance(asked, Refusal):
        return asked
    decided = decide_round(state.round, asked, by, why, earlier)
    if isinstance(decided, Refusal):
        return decided
    return [*decided, *_follows(decided)]


def no_card_can_be_named(state: TableState) -> Refusal | None:
    if state.config.shoe is not ShoeSource.SHUFFLER:
        return None
    why = say("This table deals from the shuffler: nobody can name its cards")
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
            boxes=None if state.config.takes_visitors else state.config.seats,
            dealer=state.dealer,
        )
    if isinstance(command, round_commands.DealCard) and state.config.shoe is ShoeSource.SHUFFLER:
        if not state.round.held and not state.round.cards_left:
            none = say('No card is left to deal: report "{kind}"', kind=Kind.INSUFFICIENT_CARDS.words)
            return Refusal(TableCode.BAD_CARD, none)
        if not state.round.held and chance.in_use is None:
            why = say("The shuffler's order cannot be read: void the round, and load a new shoe")
            return Refusal(TableCode.FAULT, why)
        return replace(command, card=next_card(state, chance.in_use))
    if isinstance(command, round_commands.BurnCards) and state.config.shoe is ShoeSource.SHUFFLER:
        if refusal := not_mixed(state):
            return refusal
        if state.round.new_shoe and chance.waiting is None:
            return Refusal(TableCode.FAULT, say("The shuffler's order cannot be read: load a new shoe"))
        return replace(command, card=chance.waiting.coming[0] if chance.waiting else None)
    return command


def may_open_round(state: TableState) -> Refusal | None:
    if state.faults:
        return fault_holds(state)
    if state.status is not Status.OPEN:
        closed = say("The table is {status}: no round begins", status=state.status.words)
        return Refusal(TableCode.TABLE_NOT_OPEN, closed)
    if state.shoe_required and not state.round.new_shoe:
        kind, paragraph = state.shoe_required
        return Refusal(TableCode.NEW_SHOE_REQUIRED, say("Load a new shoe first: {why}", why=void_by(kind)), paragraph)
    if _other_cards(state):
        why = say("the table has changed its rules or its cards")
        return Refusal(TableCode.NEW_SHOE_REQUIRED, say("Load a new shoe first: {why}", why=why), SPENT)
    if refusal := not_mixed(state):
        return refusal
    if mistake := _limits_do_not_fit(state):
        why = say("Load a new shoe first: {why}", why=mistake.message)
        return Refusal(TableCode.NEW_SHOE_REQUIRED, why, mistake.paragraph)
    return None


def _other_cards(state: TableState) -> bool:
    """The cards at the table are not played on since the venue file changed."""
    return state.retired is not None or state.is_of_another_source


def _limits_do_not_fit(state: TableState) -> BadInput | None:
    """The rules have changed since the shoe was loaded; the next one brings its wagers and their limits together."""
    return next((why for _, why in mistakes_in_limits(state.config.game, state.limits, state.offered_next)), None)


def next_card(state: TableState, shuffled: Shuffled | None) -> Card:
    """The next card of the committed order; those drawn before and still waiting come first."""
    if state.round.held:
        return state.round.held[0]
    assert state.round.shoe is not None, "a table deals only with a shoe"
    assert shuffled is not None, "the shuffler's order is known while its shoe is in use"
    drawn = len(shuffled.coming) - state.round.cards_left
    return shuffled.coming[drawn]


def _follows(happened: Sequence[Event]) -> list[Event]:
    """What a decision at the round leads to around it."""
    return [
        table_events.NewShoeRequired(kind=event.kind, paragraph=SPENT)
        for event in happened
        if isinstance(event, round_events.IrregularityDecided)
        and event.remedy is Remedy.VOID
        and event.kind in CARDS_NOT_TO_BE_TRUSTED
    ]


def void_by(kind: Kind) -> Said:
    """Why the cards at the table are not played on."""
    return say("the last round was void, {kind}", kind=kind.words)


def new_shoe(
    state: TableState, command: staff.LoadNewShoe, by: Staff, why: str, chance: Chance, checkpoint: str = ""
) -> Decision:
    """Between rounds: what was left of the old shoe is revealed, the new one committed to and loaded. Where the seats
    mix it, all their commitments are listed now, before anything is revealed.

    With it come the wagers and the limits of the venue file, as one (interpretation optional-before-the-shoe).
    """
    config, waiting = state.config, state.round.new_shoe
    if state.faults:
        return fault_holds(state)
    # An order that cannot be read can be neither burnt nor dealt: only then another shoe takes its place.
    if waiting and (chance.waiting or config.shoe is not ShoeSource.SHUFFLER):
        loaded_already = say("Shoe {shoe} is already loaded for the next round", shoe=waiting.number)
        return Refusal(TableCode.SHOE_NOT_SPENT, loaded_already)
    optional = {wager.id for wager in config.game.wagers if wager.optional}
    number = next_shoe(state)
    chosen = frozenset(offered_wagers(config.game, config.optional)) & optional
    burns = config.burn is not Burn.NONE
    load = round_commands.LoadShoe(
        shoe=number,
        decks=config.decks,
        optional=chosen,
        discard=command.discard,
        required=shoe_is_spent(state),
        burns=burns,
        counts_burnt=burns and bool(config.reader),
    )
    decided = decide_round(state.round, load, by, why)
    if isinstance(decided, Refusal):
        return decided
    loaded: list[Event] = [*decided, *the_files_limits(state)]
    revealed = reveal(state, chance)
    if config.shoe is not ShoeSource.SHUFFLER:
        return [*revealed, *loaded]
    assert chance.fresh is not None, "the shuffler makes an order for every new shoe"
    committed = table_events.ShoeCommitted(shoe=number, decks=config.decks, commitment=chance.fresh.commitment)
    listed: list[Event] = []
    if config.joint_shoe:
        house = committed.commitment
        listed = [list_commitments(state, shoe=number, house=house, checkpoint=checkpoint)]
    return [*revealed, committed, *listed, *loaded]


def reveal(state: TableState, chance: Chance) -> list[Event]:
    """The shoe that is played no further; none where there was none, or nobody can read its order."""
    shoe, old = state.round.shoe, state.retired
    if old:
        return [_revealed(chance.retired, old.number, old.dealt)] if chance.retired else []
    if chance.in_use is None or shoe is None:
        return []
    dealt = len(chance.in_use.order) - state.round.cards_left
    return [_revealed(chance.in_use, state.round.shoe_number, dealt)]


def _revealed(shuffled: Shuffled, number: int, dealt: int) -> table_events.ShoeRevealed:
    return table_events.ShoeRevealed(
        shoe=number,
        decks=shuffled.decks,
        commitment=shuffled.commitment,
        salt=shuffled.salt.hex(),
        order=show_cards(shuffled.order),
        dealt=dealt,
    )


def shoe_is_spent(state: TableState) -> bool:
    """No further round may open on the cards at the table."""
    if state.round.phase not in BETWEEN_ROUNDS or state.round.new_shoe:
        return False
    if state.round.shoe is None or state.round.cut_card_out or state.shoe_required or _other_cards(state):
        return True
    return _limits_do_not_fit(state) is not None

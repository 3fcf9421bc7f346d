"""Opening a round, and bets while it is open: everybody bets on the layout of the table (rws-nc 3.5)."""

from collections.abc import Mapping, Sequence

from natural9.core.errors import BadInput
from natural9.core.money import check_stake, show_cents
from natural9.core.round import commands, events
from natural9.core.round.refusal import Code, Refusal
from natural9.core.round.seats import MAX_SEAT
from natural9.core.round.state import BETWEEN_ROUNDS, Limit, Phase, RoundState

Decision = Sequence[events.RoundEvent] | Refusal
BetCommand = commands.PlaceBet | commands.IncreaseBet | commands.TakeBackBet | commands.ClearBets


def may_load_shoe(state: RoundState, command: commands.LoadShoe | None) -> Refusal | None:
    """A new shoe is loaded between rounds."""
    if state.phase not in BETWEEN_ROUNDS:
        why = f"Round {state.number} is in play: a new shoe is loaded between rounds"
        return Refusal(Code.ROUND_OPEN, why, "interpretation optional-before-the-shoe")
    return None


def load_shoe(state: RoundState, command: commands.LoadShoe) -> Decision:
    """The set of cards, and the wagers that are on for as long as it lasts."""
    game = state.game
    try:
        game.check_decks(command.decks)
    except BadInput as error:
        return Refusal.of(Code.BAD_TERMS, error)
    last = state.new_shoe.number if state.new_shoe else state.shoe_number
    if command.shoe <= last:
        return Refusal(Code.BAD_TERMS, f"Shoe {command.shoe} cannot follow shoe {last}")
    optional = {wager.id for wager in game.wagers if wager.optional}
    chosen = optional if command.optional is None else command.optional
    if strange := sorted(chosen - optional):
        return Refusal(
            Code.BAD_TERMS,
            f"{strange[0]} is not an optional wager of {game.id}: those are {', '.join(sorted(optional)) or 'none'}",
            game.document.procedure.choice_of_wagers,
        )
    offered = tuple(wager.id for wager in game.wagers if not wager.optional or wager.id in chosen)
    return (events.ShoeLoaded(shoe=command.shoe, decks=command.decks, offered=offered),)


def may_open_betting(state: RoundState, command: commands.OpenBetting | None) -> Refusal | None:
    """A round opens when none is in play and a shoe is there that may be played on."""
    if state.phase not in BETWEEN_ROUNDS:
        return Refusal(Code.ROUND_OPEN, f"Round {state.number} is still in play")
    if state.new_shoe:
        return None
    if state.shoe is None:
        return Refusal(Code.NO_SHOE, "There is no shoe at the table: load one first")
    if state.cut_card_out:
        why = "The cut card came in the last round: load a new shoe first"
        return Refusal(Code.SHOE_SPENT, why, state.game.document.procedure.cut_card)
    return None


def open_betting(state: RoundState, command: commands.OpenBetting) -> Decision:
    """A round begins: its number follows the last, its limits fit the game."""
    if command.round <= state.number:
        return Refusal(Code.BAD_ROUND_NUMBER, f"Round {command.round} cannot follow round {state.number}")
    if command.boxes is not None and not 1 <= command.boxes <= MAX_SEAT:
        return Refusal(Code.BAD_TERMS, f"A table has from 1 to {MAX_SEAT} betting boxes, not {command.boxes}")
    try:
        state.game.check_betting_unit(command.betting_unit_cents)
        _check_limits(state, command.limits, command.betting_unit_cents)
    except BadInput as error:
        return Refusal.of(Code.BAD_TERMS, error)
    return (
        events.BettingOpened(
            round=command.round,
            game=state.game.id,
            rules_sha256=state.game.sha256,
            offered=state.new_shoe.offered if state.new_shoe else state.offered,
            betting_unit_cents=command.betting_unit_cents,
            limits=dict(command.limits),
            boxes=command.boxes,
            paragraph=state.game.document.procedure.opens,
        ),
    )


def _check_limits(state: RoundState, limits: Mapping[str, Limit], unit_cents: int) -> None:
    for wager, limit in limits.items():
        state.game.wager(wager)
        if not 0 < limit.min_cents <= limit.max_cents or limit.min_cents % unit_cents or limit.max_cents % unit_cents:
            unit = show_cents(unit_cents)
            raise BadInput(
                "bad-limits",
                f"limits {limit.words} on {wager} are not a minimum and a maximum in whole betting units of {unit}",
                state.game.document.procedure.limits,
            )


def may_bet(state: RoundState, command: BetCommand | None) -> Refusal | None:
    """Betting is open: from the opening to the close, and not while an irregularity waits."""
    if state.phase is Phase.BETTING_OPEN:
        return None
    if state.phase is Phase.NO_ROUND:
        return Refusal(Code.BETTING_NOT_OPEN, "Betting is not open yet", state.game.document.procedure.opens)
    closed = f"No more bets: betting on round {state.number} closed"
    return Refusal(Code.NO_MORE_BETS, *_too_late(state, closed, command))


def _too_late(state: RoundState, closed: str, command: BetCommand | None) -> tuple[str, str]:
    procedure = state.game.document.procedure
    match command:
        case commands.PlaceBet(wager=wager, cents=stake) | commands.IncreaseBet(wager=wager, cents=stake) if (
            type(stake) is int
        ):
            return f"{closed}; your {show_cents(stake)} on {wager} was not registered", procedure.late_bet
        case commands.TakeBackBet(wager=wager):
            return f"{closed}; your bet on {wager} stands", procedure.withdrawn_bet
        case commands.ClearBets():
            return f"{closed}; your bets stand", procedure.withdrawn_bet
        case _:
            return closed, procedure.late_bet


def place_bet(state: RoundState, command: commands.PlaceBet) -> Decision:
    """A bet where none lies yet."""
    if refusal := _check_bet(state, command.seat, command.wager, command.cents):
        return refusal
    if laid := state.seats[command.seat].bets.get(command.wager):
        why = f"{show_cents(laid)} is already on {command.wager}: increase that bet"
        return Refusal(Code.BET_EXISTS, why)
    if refusal := _outside_limits(state, command.wager, command.cents):
        return refusal
    return (events.BetPlaced(seat=command.seat, wager=command.wager, cents=command.cents),)


def increase_bet(state: RoundState, command: commands.IncreaseBet) -> Decision:
    """More on a bet that lies."""
    if refusal := _check_bet(state, command.seat, command.wager, command.cents):
        return refusal
    laid = state.seats[command.seat].bets.get(command.wager)
    if not laid:
        return Refusal(Code.NO_SUCH_BET, f"There is no bet on {command.wager} to increase: place one")
    if refusal := _outside_limits(state, command.wager, laid + command.cents):
        return refusal
    return (events.BetPlaced(seat=command.seat, wager=command.wager, cents=command.cents),)


def take_back_bet(state: RoundState, command: commands.TakeBackBet) -> Decision:
    """Part of a bet, or all of it, goes back."""
    laid = state.seats[command.seat].bets.get(command.wager) if 1 <= command.seat <= MAX_SEAT else None
    if not laid:
        return Refusal(Code.NO_SUCH_BET, f"There is no bet on {command.wager} to take back")
    amount = laid if command.cents is None else command.cents
    if refusal := _check_bet(state, command.seat, command.wager, amount):
        return refusal
    if amount > laid:
        why = f"Only {show_cents(laid)} is on {command.wager}: you cannot take back {show_cents(amount)}"
        return Refusal(Code.BAD_STAKE, why)
    if amount < laid and (refusal := _outside_limits(state, command.wager, laid - amount)):
        return refusal
    return (events.BetTakenBack(seat=command.seat, wager=command.wager, cents=amount),)


def clear_bets(state: RoundState, command: commands.ClearBets) -> Decision:
    """All bets of a seat go back."""
    staked = state.seats[command.seat].staked_cents if 1 <= command.seat <= MAX_SEAT else 0
    if not staked:
        return Refusal(Code.NO_SUCH_BET, f"Seat {command.seat} has no bet to clear")
    return (events.BetsCleared(seat=command.seat, cents=staked),)


def _check_bet(state: RoundState, seat: int, wager: str, stake: int) -> Refusal | None:
    most = state.boxes or MAX_SEAT  # a box a player, as many as the layout shows: rws-nc-insurance 2.1.2
    if not 1 <= seat <= most:
        return Refusal(Code.BAD_SEAT, f"There is no seat {seat}: this table has seats 1 to {most}")
    if wager not in state.offered:
        why = f"{wager} is not offered at this table: it offers {', '.join(state.offered)}"
        return Refusal(Code.WAGER_NOT_OFFERED, why, state.game.document.procedure.choice_of_wagers)
    return check_amount(state, wager, stake)


def check_amount(state: RoundState, wager: str, stake: int) -> Refusal | None:
    """A stake is money, and a whole multiple of the table's betting unit."""
    try:
        check_stake(stake, wager)
    except BadInput as error:
        return Refusal.of(Code.BAD_STAKE, error)
    if stake % state.betting_unit_cents:
        unit = show_cents(state.betting_unit_cents)
        why = f"{show_cents(stake)} on {wager} is not a whole multiple of the betting unit {unit}"
        return Refusal(Code.BAD_STAKE, why, "interpretation nothing-rounds")
    return None


def _outside_limits(state: RoundState, wager: str, stake: int) -> Refusal | None:
    limit = state.limits.get(wager)
    if limit is None or limit.min_cents <= stake <= limit.max_cents:
        return None
    why = f"{show_cents(stake)} on {wager} is outside its limits, {limit.words}"
    return Refusal(Code.OUTSIDE_LIMITS, why, state.game.document.procedure.limits)


def may_close_betting(state: RoundState, command: commands.CloseBetting | None) -> Refusal | None:
    """Betting closes only once, while it is open."""
    if state.phase is not Phase.BETTING_OPEN:
        return Refusal(Code.BETTING_NOT_OPEN, "Betting is not open", state.game.document.procedure.closes)
    return None


def close_betting(state: RoundState, command: commands.CloseBetting) -> Decision:
    """No more bets; what lies is at stake."""
    return (events.BettingClosed(staked_cents=state.staked_cents, paragraph=state.game.document.procedure.closes),)

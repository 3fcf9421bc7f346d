"""The result and what it pays, seat by seat."""

from collections.abc import Iterator
from functools import cache

from natural9.core.irregularities import Kind
from natural9.core.outcome import Outcome
from natural9.core.round import commands, events
from natural9.core.round.betting import Decision
from natural9.core.round.refusal import Code, Refusal
from natural9.core.round.seats import Seat
from natural9.core.round.state import Phase, RoundState
from natural9.core.settlement import InsuranceLine, Line, settle_bet, settle_insurance
from natural9.core.wagers import Result


def may_declare(state: RoundState, command: commands.DeclareResult | None) -> Refusal | None:
    """The round is complete and no result is declared."""
    if state.phase is not Phase.COMPLETE:
        why = f"There is no result to declare: {state.phase.words}"
        return Refusal(Code.NOT_COMPLETE, why, state.game.document.procedure.table_of_play)
    if state.declared:
        return Refusal(Code.ALREADY_DONE, "The result is declared: settle the round, or correct it")
    return None


def declare_result(state: RoundState, command: commands.DeclareResult) -> Decision:
    """The cards decide, not the announcement: rws-nc 5.6, mbs 6.3."""
    outcome = state.outcome
    assert outcome is not None, "a complete round has an outcome"
    announced = (command.winner, command.player_total, command.banker_total)
    shown = (outcome.winner, outcome.player_total, outcome.banker_total)
    winner, player, banker = (right if said is None else said for said, right in zip(announced, shown, strict=True))
    if (winner, player, banker) != shown:
        clause = state.game.document.clause(Kind.WRONG_RESULT, cards_dealt=len(state.cards))
        why = (
            f"The cards show {outcome.winner}, Player {outcome.player_total}, Banker {outcome.banker_total}; "
            f"you declared {winner}, Player {player}, Banker {banker}. "
            "If a card was registered wrong, correct it"
        )
        return Refusal(Code.RESULT_DIFFERS, why, clause.remedies[0].paragraph)
    return (declared(state, outcome),)


def declared(state: RoundState, outcome: Outcome) -> events.ResultDeclared:
    """The result that these cards show, and the wagers that it pays."""
    return events.ResultDeclared(
        winner=outcome.winner,
        player_total=outcome.player_total,
        banker_total=outcome.banker_total,
        won=tuple([wager.id for wager in state.wagers if wager.result(outcome) is Result.WIN]),
        paragraph=state.game.document.procedure.winner,
    )


def may_settle(state: RoundState, command: commands.Settle | None) -> Refusal | None:
    """The result is declared and not yet paid."""
    if state.phase is Phase.COMPLETE and state.declared:
        return None
    if state.phase is Phase.SETTLED:
        return Refusal(Code.ALREADY_DONE, f"Round {state.number} is already settled")
    if state.phase is Phase.COMPLETE:
        return Refusal(Code.NOT_DECLARED, "Declare the result before settling it")
    return Refusal(Code.NOT_COMPLETE, f"There is nothing to settle: {state.phase.words}")


def settle(state: RoundState, command: commands.Settle) -> Decision:
    """Every seat's lines, then the totals."""
    return tuple(settlement(state))


def settlement(state: RoundState) -> Iterator[events.RoundEvent]:
    """Every seat's lines, then the round's totals."""
    outcome = state.outcome
    assert outcome is not None, "a complete round has an outcome"
    wagers = state.game.wagers_by_id
    staked = collected = winnings = 0

    @cache  # thousands of seats lay the same few chips
    def line_of(wager: str, stake: int) -> Line:
        return settle_bet(wagers[wager], outcome, stake)

    for number, seat in state.seats.items():
        insurance = _insurance_lines(state, seat, outcome) if seat.insurance else ()
        settled = _settled(number, tuple([line_of(*bet) for bet in seat.bets.items()]), insurance)
        for line in (*settled.lines, *settled.insurance):
            if line.result is Result.LOSE:
                collected += line.stake_cents
            else:
                winnings += line.net_cents
        staked += settled.staked_cents
        yield settled
    yield events.RoundSettled(
        staked_cents=staked,
        stakes_returned_cents=staked - collected,
        collected_cents=collected,
        winnings_cents=winnings,
        paragraph=state.game.document.procedure.settlement,
    )


def _settled(number: int, lines: tuple[Line, ...], insurance: tuple[InsuranceLine, ...]) -> events.SeatSettled:
    every = (*lines, *insurance)
    return events.SeatSettled(
        seat=number,
        lines=lines,
        insurance=insurance,
        staked_cents=sum([line.stake_cents for line in every]),
        returned_cents=sum([line.returned_cents for line in every]),
    )


def _insurance_lines(state: RoundState, seat: Seat, outcome: Outcome) -> tuple[InsuranceLine, ...]:
    lines = []
    for bet in seat.insurance:
        assert state.game.insurance is not None, "only a game with insurance has insured seats"
        row = state.game.insurance.offer(bet.window, state.ranks, bet.hand)
        assert row is not None, "insurance that was never on offer was returned when the cards were corrected"
        lines.append(settle_insurance(row, outcome, bet.cents))
    return tuple(lines)


def reversal(state: RoundState, paragraph: str) -> tuple[events.SettlementReversed, ...]:
    """Take back a settlement, seat by seat, if one was made."""
    if state.phase is not Phase.SETTLED:
        return ()
    return tuple(
        events.SettlementReversed(seat=number, cents=seat.returned_cents, paragraph=paragraph)
        for number, seat in state.seats.items()
    )

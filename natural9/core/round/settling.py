"""The result and what it pays, seat by seat."""

from collections.abc import Iterator
from typing import Final, Generic, NamedTuple, TypeVar

from natural9.core.cards import Rank
from natural9.core.irregularities import Kind
from natural9.core.outcome import Outcome, Winner
from natural9.core.round import commands, events
from natural9.core.round.betting import Decision
from natural9.core.round.refusal import Code, Refusal
from natural9.core.round.seats import Seat
from natural9.core.round.state import Phase, RoundState
from natural9.core.saying import Said, say
from natural9.core.settlement import InsuranceLine, Line, settle_bet, settle_insurance
from natural9.core.wagers import Result

L = TypeVar("L", bound=Line)


def may_declare(state: RoundState, command: commands.DeclareResult | None) -> Refusal | None:
    """The round is complete and no result is declared."""
    if state.phase is not Phase.COMPLETE:
        why = say("There is no result to declare: {why}", why=state.phase.words)
        return Refusal(Code.NOT_COMPLETE, why, state.game.document.procedure.table_of_play)
    if state.declared:
        return Refusal(Code.ALREADY_DONE, say("The result is declared: settle the round, or correct it"))
    return None


def declare_result(state: RoundState, command: commands.DeclareResult) -> Decision:
    """The cards decide, not the announcement: rws-nc 5.6, mbs 6.3."""
    outcome = state.outcome
    assert outcome is not None, "a complete round has an outcome"
    shown = (outcome.winner, outcome.player_total, outcome.banker_total)
    announced = (
        outcome.winner if command.winner is None else command.winner,
        outcome.player_total if command.player_total is None else command.player_total,
        outcome.banker_total if command.banker_total is None else command.banker_total,
    )
    if announced != shown:
        clause = state.game.document.clause(Kind.WRONG_RESULT, cards_dealt=len(state.cards))
        why = say(
            "The cards show {shown}; you declared {declared}. If a card was registered wrong, correct it",
            shown=result_words(*shown),
            declared=result_words(*announced),
        )
        return Refusal(Code.RESULT_DIFFERS, why, clause.remedies[0].paragraph)
    return (declared(state, outcome),)


def result_words(winner: Winner, player: int, banker: int) -> Said:
    """A result, as it is announced."""
    return say("{winner}, Player {player}, Banker {banker}", winner=winner.words, player=player, banker=banker)


def declared(state: RoundState, outcome: Outcome) -> events.ResultDeclared:
    """The result that these cards show, and the wagers that it pays."""
    return events.ResultDeclared(
        winner=outcome.winner,
        player_total=outcome.player_total,
        banker_total=outcome.banker_total,
        won=_won(state, outcome),
        paragraph=state.game.document.procedure.winner,
    )


def _won(state: RoundState, outcome: Outcome) -> tuple[str, ...]:
    known, key = state.game.won_by, (state.offered, outcome)
    if key not in known:
        known[key] = tuple([wager.id for wager in state.wagers if wager.result(outcome) is Result.WIN])
    return known[key]


def may_settle(state: RoundState, command: commands.Settle | None) -> Refusal | None:
    """The result is declared and not yet paid."""
    if state.phase is Phase.COMPLETE and state.declared:
        return None
    if state.phase is Phase.SETTLED:
        return Refusal(Code.ALREADY_DONE, say("Round {round} is already settled", round=state.number))
    if state.phase is Phase.COMPLETE:
        return Refusal(Code.NOT_DECLARED, say("Declare the result before settling it"))
    return Refusal(Code.NOT_COMPLETE, say("There is nothing to settle: {why}", why=state.phase.words))


def settle(state: RoundState, command: commands.Settle) -> Decision:
    """Every seat's lines, then the totals."""
    return tuple(settlement(state))


def settlement(state: RoundState) -> Iterator[events.RoundEvent]:
    """Every seat's lines, then the round's totals."""
    outcome = state.outcome
    assert outcome is not None, "a complete round has an outcome"
    wagers = state.game.wagers_by_id
    staked = collected = returned = 0

    # Of ten thousand seats many lay the same chips on the same spots.
    line_of: dict[tuple[str, int], Line] = {}
    paid: dict[tuple[tuple[str, int], ...], _Paid[Line]] = {}
    for number, seat in state.seats.items():
        bets = tuple(seat.bets.items())
        lines = paid.get(bets)
        if lines is None:
            for bet in bets:
                if bet not in line_of:
                    line_of[bet] = settle_bet(wagers[bet[0]], outcome, bet[1])
            lines = paid[bets] = _Paid.of(tuple([line_of[bet] for bet in bets]))
        insurance = _Paid.of(_insurance_lines(state, seat, outcome)) if seat.insurance else _NOTHING_PAID
        settled = _settled(number, lines, insurance)
        ruled = _rulings(state, settled) if state.ruled else ()
        staked += settled.staked_cents
        returned += settled.returned_cents
        collected += lines.collected_cents + insurance.collected_cents
        yield settled
        yield from ruled
    yield events.RoundSettled(
        staked_cents=staked,
        stakes_returned_cents=staked - collected,
        collected_cents=collected,
        winnings_cents=returned - (staked - collected),
        paragraph=state.game.document.procedure.settlement,
    )


class _Paid(NamedTuple, Generic[L]):
    """Lines of a seat, and what they come to."""

    lines: tuple[L, ...]
    staked_cents: int
    returned_cents: int
    collected_cents: int

    @staticmethod
    def of(lines: tuple[L, ...]) -> "_Paid[L]":
        return _Paid(
            lines,
            sum([line.stake_cents for line in lines]),
            sum([line.returned_cents for line in lines]),
            sum([line.stake_cents for line in lines if line.result is Result.LOSE]),
        )


_NOTHING_PAID: Final[_Paid[InsuranceLine]] = _Paid((), 0, 0, 0)


def seat_settled(state: RoundState, number: int, seat: Seat, outcome: Outcome) -> events.SeatSettled:
    """What the pay table makes of one seat's bets with this outcome."""
    lines = tuple([settle_bet(state.game.wager(wager), outcome, stake) for wager, stake in seat.bets.items()])
    return _settled(number, _Paid.of(lines), _Paid.of(_insurance_lines(state, seat, outcome)))


def _rulings(state: RoundState, settled: events.SeatSettled) -> tuple[events.BetRuled, ...]:
    """A round that is settled again: what the manager ruled before stands above what the cards pay now."""
    found = []
    for (number, wager), ruling in state.ruled.items():
        lines = [line for line in (*settled.lines, *settled.insurance) if line.wager == wager]
        was = sum([line.returned_cents for line in lines])
        is_same_bet = number == settled.seat and sum([line.stake_cents for line in lines]) == ruling.stake_cents
        if is_same_bet and was != ruling.returned_cents:
            found.append(
                events.BetRuled(
                    round=state.number,
                    seat=number,
                    wager=wager,
                    stake_cents=sum([line.stake_cents for line in lines]),
                    was_cents=was,
                    returned_cents=ruling.returned_cents,
                    by=ruling.by,
                    why=ruling.why,
                    paragraph=state.game.document.procedure.ruling,
                )
            )
    return tuple(found)


def _settled(number: int, lines: _Paid[Line], insurance: _Paid[InsuranceLine]) -> events.SeatSettled:
    return events.SeatSettled(
        seat=number,
        lines=lines.lines,
        insurance=insurance.lines,
        staked_cents=lines.staked_cents + insurance.staked_cents,
        returned_cents=lines.returned_cents + insurance.returned_cents,
    )


def _insurance_lines(state: RoundState, seat: Seat, outcome: Outcome) -> tuple[InsuranceLine, ...]:
    lines = []
    for bet in seat.insurance:
        assert state.game.insurance is not None, "only a game with insurance has insured seats"
        row = state.game.insurance.offer(bet.window, state.ranks, bet.hand)
        assert row is not None, "insurance that was never on offer was returned when the cards were corrected"
        lines.append(settle_insurance(row, outcome, bet.cents))
    return tuple(lines)


def insurance_undone(state: RoundState, ranks: tuple[Rank, ...]) -> list[events.InsuranceReturned]:
    """Insurance taken on a situation that did not exist goes back (interpretation `corrected-insurance`)."""
    insurance = state.game.insurance
    if insurance is None:
        return []
    return [
        events.InsuranceReturned(
            seat=number,
            window=bet.window,
            hand=bet.hand,
            cents=bet.cents,
            paragraph="interpretation corrected-insurance",
        )
        for number, seat in state.seats.items()
        for bet in seat.insurance
        if insurance.offer(bet.window, ranks, bet.hand) is not insurance.offer(bet.window, state.ranks, bet.hand)
    ]


def reversal(state: RoundState, paragraph: str) -> tuple[events.SettlementReversed, ...]:
    """Take back a settlement, seat by seat, if one was made."""
    if state.phase is not Phase.SETTLED:
        return ()
    return tuple(
        events.SettlementReversed(seat=number, cents=seat.returned_cents, paragraph=paragraph)
        for number, seat in state.seats.items()
    )

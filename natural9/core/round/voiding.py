"""A round made void: by a clause, or by a manager outside any. All that it moved goes back."""

from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import commands, events
from natural9.core.round.betting import Decision
from natural9.core.round.refusal import Code, Refusal, rank_too_low
from natural9.core.round.settling import reversal
from natural9.core.round.state import Phase, RoundState
from natural9.core.saying import say
from natural9.core.staff import Staff


def may_void(state: RoundState, command: commands.VoidRound | None) -> Refusal | None:
    """There is a round that is not concluded yet."""
    if state.phase is Phase.NO_ROUND:
        return Refusal(Code.NO_ROUND, say("No round has been opened at this table yet"))
    if state.phase is Phase.VOID:
        return Refusal(Code.ALREADY_DONE, say("Round {round} is already void", round=state.number))
    if state.phase is Phase.SETTLED:
        stands = say("Round {round} is settled and stands: correct its cards, or rule on a bet", round=state.number)
        return Refusal(Code.ROUND_CONCLUDED, stands, "interpretation settled-round-stands")
    return None


def void_round(state: RoundState, command: commands.VoidRound, by: Staff, why: str) -> Decision:
    """Voiding outside any clause is deciding what no clause covers: rws-nc 5.12, mbs 6.1."""
    clause = state.game.document.clauses[Kind.NOT_COVERED]
    paragraph = next(remedy.paragraph for remedy in clause.remedies if remedy.do is Remedy.VOID)
    if refusal := rank_too_low(by, clause.rank, say("void a round"), paragraph):
        return refusal
    return void(state, by, why, paragraph)


def void(
    state: RoundState, by: Staff, why: str, clause: str, *, kind: Kind | None = None
) -> tuple[events.RoundEvent, ...]:
    """Every bet of the round goes back whole, insurance too (rws-nc 1.20, 5.11); a settlement is reversed first."""
    paragraph = state.game.document.procedure.void
    returned = tuple(events.BetsReturned(seat=number, cents=seat.staked_cents) for number, seat in state.seats.items())
    voided = events.RoundVoided(
        returned_cents=state.staked_cents, by=by.id, why=why, clause=clause, paragraph=paragraph, kind=kind
    )
    return (*reversal(state, clause), *_rulings_undone(state, by, why), *returned, voided)


def _rulings_undone(state: RoundState, by: Staff, why: str) -> tuple[events.BetRuled, ...]:
    """A void returns everything: also what a ruling took for a bet that had been taken away. One on a bet that lay is
    part of its settlement, which is reversed, whatever became of the bet since."""
    return tuple(
        events.BetRuled(
            round=state.number,
            seat=number,
            wager=wager,
            stake_cents=ruling.stake_cents,
            was_cents=ruling.returned_cents,
            returned_cents=ruling.stake_cents,
            by=by.id,
            why=why,
            paragraph=state.game.document.procedure.void,
        )
        for (number, wager), ruling in state.ruled.items()
        if ruling.was_away and ruling.returned_cents != ruling.stake_cents
    )

"""Which irregularities may be reported now, what a report of each must name, who decides and what may be decided.

`report_irregularity` and `decide_irregularity` refuse by these checks, and a console greys its buttons by them: there
is no second list.
"""

from typing import Final, NamedTuple

from natural9.core.cards import Card
from natural9.core.completion import established
from natural9.core.irregularities import Clause, Condition, Kind, Remedy
from natural9.core.money import show_cents
from natural9.core.round import commands
from natural9.core.round.betting import check_amount
from natural9.core.round.refusal import Code, Refusal
from natural9.core.round.seats import EMPTY_SEAT, MAX_SEAT, InsuranceBet, Seat
from natural9.core.round.state import CONCLUDED, Pending, Phase, RoundState
from natural9.core.saying import Said, name_of, say
from natural9.core.shoe import one_too_many
from natural9.core.staff import Rank
from natural9.core.table_of_play import Hand


class Needs(NamedTuple):
    """What a report names: at least so many cards, an earlier round, a bet. Seats it may name."""

    cards: int = 0
    in_order: bool = True  # those cards, as they came
    earlier_round: bool = False
    bet: bool = False
    amount: bool = False
    seats: bool = False
    may_be_earlier: bool = False  # it may be about an earlier round


_AFTER_CLOSE: Final = frozenset({Kind.LATE_BET, Kind.WITHDRAWN_BET})
_NEEDS: Final = {
    Kind.DRAWN_TOGETHER_ORDER_KNOWN: Needs(cards=2),
    Kind.DRAWN_TOGETHER_ORDER_UNKNOWN: Needs(cards=2, in_order=False),
    Kind.EXCESS_OR_EXPOSED: Needs(cards=1),
    Kind.FOUND_LATER: Needs(earlier_round=True),
    Kind.LATE_BET: Needs(bet=True),
    Kind.WITHDRAWN_BET: Needs(bet=True, amount=True),
    Kind.TERMINAL_INTERRUPTION: Needs(seats=True),
    Kind.WRONG_RESULT: Needs(may_be_earlier=True),
}
_NOTHING: Final = Needs()
# What these report may be about drawn cards. Any other would take the cards that it names out of the count for good.
_MAY_NAME_CARDS: Final = frozenset(
    {
        Kind.EXCESS_OR_EXPOSED,
        Kind.DRAWN_TOGETHER_ORDER_KNOWN,
        Kind.DRAWN_TOGETHER_ORDER_UNKNOWN,
        Kind.WRONG_NUMBER_OF_CARDS,
        Kind.ORDER_ALTERED,
        Kind.FACE_UP_IN_SHOE,
        Kind.NOT_COVERED,
    }
)
# These say in which order drawn cards come, and need some; a reconstruction may be of cards on the table as well.
_OF_DRAWN_CARDS: Final = frozenset({Remedy.DISCARD, Remedy.DECIDE_ORDER, Remedy.USE_IN_NEXT_ROUND})
# Where no clause limits the decision: drawn cards are played, burnt or void with the round, and never just forgotten.
_FORGETS_CARDS: Final = frozenset({Remedy.NO_EFFECT, Remedy.SETTLE_BY_CARDS})
# A void round has no result and no bets: what is left concerns the cards of the next.
_AFTER_VOID: Final = _OF_DRAWN_CARDS | {Remedy.CONTINUE, Remedy.NO_EFFECT, Remedy.RECONSTRUCT}
_OF_EARLIER_ROUND: Final = frozenset({Remedy.CONTINUE, Remedy.NO_EFFECT, Remedy.SETTLE_BY_CARDS})
CONFIRM: Final = "interpretation felt-decides"


class Allowed(NamedTuple):
    """What may be decided about a report, with the paragraph of each remedy, and by whom."""

    remedies: tuple[tuple[Remedy, str], ...]
    rank: Rank
    may_replace_shoe: str  # the paragraph that lets the same rank replace the set of cards
    previous_stand: str

    def paragraph(self, remedy: Remedy) -> str | None:
        """The paragraph that allows this remedy; None if none does."""
        return dict(self.remedies).get(remedy)


class Reportable(NamedTuple):
    """One kind of irregularity, as things stand: why it cannot be reported, if so; what to name; who decides."""

    kind: Kind
    refusal: Refusal | None
    needs: Needs
    rank: Rank
    remedies: tuple[tuple[Remedy, str], ...]  # that this rank may choose from, with the paragraph of each


def needs(kind: Kind) -> Needs:
    """What a report of this kind names."""
    return _NEEDS.get(kind, _NOTHING)


def clause_of(state: RoundState, kind: Kind, *, cards_dealt: int) -> Clause:
    """The clause of the game's document that governs once so many cards are dealt."""
    return state.game.document.clause(kind, cards_dealt=cards_dealt)


# What may be decided.


def allowed(state: RoundState, pending: Pending) -> Allowed:
    """What may be decided about a report as things stand now."""
    if pending.confirm:
        return Allowed(((Remedy.CONFIRM_CARDS, CONFIRM),), Rank.PIT_SUPERVISOR, "", "")
    return _allowed(
        state,
        clause_of(state, pending.kind, cards_dealt=len(state.cards)),
        _conditions(state),
        cards=bool(pending.cards),
        earlier=pending.about_round is not None,
    )


def _allowed(
    state: RoundState, clause: Clause, applies: frozenset[Condition], *, cards: bool, earlier: bool
) -> Allowed:
    forgets = _FORGETS_CARDS if cards and not earlier and clause.kind is Kind.NOT_COVERED else ()
    remedies = tuple(
        (remedy.do, remedy.paragraph)
        for remedy in clause.remedies
        if remedy.condition in applies
        and remedy.do not in forgets
        and _in_reach(state, remedy.do, cards=cards, earlier=earlier)
    )
    rank = clause.rank if not earlier else clause.rank_later or clause.rank
    return Allowed(remedies, rank, "" if earlier else clause.may_replace_shoe, clause.previous_stand)


def _in_reach(state: RoundState, remedy: Remedy, *, cards: bool, earlier: bool) -> bool:
    if earlier:
        return remedy in _OF_EARLIER_ROUND
    if not cards and (remedy in _OF_DRAWN_CARDS or (remedy is Remedy.RECONSTRUCT and state.phase in CONCLUDED)):
        return False
    return state.phase is not Phase.VOID or remedy in _AFTER_VOID


def _conditions(state: RoundState) -> frozenset[Condition]:
    """Those that hold now. A card that already lies exposed and comes next counts (interpretation known-next-card)."""
    in_play = state.phase not in CONCLUDED
    return frozenset(
        {
            Condition.ALWAYS,
            Condition.ESTABLISHED if established(state.wagers, state.known) else Condition.NOT_ESTABLISHED,
            Condition.CARD_DUE if in_play and state.due is not None else Condition.NO_CARD_DUE,
        }
        | ({Condition.IN_PLAY} if in_play else set())
    )


# What may be reported.


def what_to_report(state: RoundState, nothing: Refusal | None) -> tuple[Reportable, ...]:
    """Every kind, as things stand; `nothing`: why no report at all is taken now, if so."""
    applies = _conditions(state)
    return tuple(_reportable(state, kind, nothing, applies) for kind in Kind)


def _reportable(state: RoundState, kind: Kind, nothing: Refusal | None, applies: frozenset[Condition]) -> Reportable:
    clause = clause_of(state, kind, cards_dealt=len(state.cards))
    asked = needs(kind)
    may = _allowed(state, clause, applies, cards=bool(asked.cards), earlier=asked.earlier_round)
    return Reportable(kind, nothing or not_now(state, kind), asked, may.rank, may.remedies)


def not_now(state: RoundState, kind: Kind) -> Refusal | None:
    """Why a report of this kind about the round at the table is refused now, whatever it names."""
    if kind in _AFTER_CLOSE and state.phase is Phase.BETTING_OPEN:
        return Refusal(Code.BETTING_STILL_OPEN, say("Bets are still open: close them, then report it"))
    if kind is Kind.INSUFFICIENT_CARDS and (state.phase is Phase.BETTING_OPEN or state.due is None):
        return Refusal(Code.NO_CARD_DUE, say("No card is due, so none is missing"))
    if kind is Kind.FOUND_LATER and state.number < 2:
        only = say("Round {round} is the first: there is no earlier one", round=state.number)
        return Refusal(Code.NO_EARLIER_ROUND, only)
    if needs(kind).cards and (loaded := _of_a_loaded_shoe(state)):
        return loaded
    if state.cards_left < needs(kind).cards:
        few = say(
            'Only {count} cards are left in the shoe: report "{kind}"',
            count=state.cards_left,
            kind=Kind.SHORTAGE_OR_EXCESS.words,
        )
        return Refusal(Code.CARD_TOO_MANY, few)
    return None if needs(kind).may_be_earlier and state.number > 1 else not_of_this_round(state, kind)


def _of_a_loaded_shoe(state: RoundState) -> Refusal | None:
    """What is drawn once another shoe is loaded is none of the last round's, and nobody has counted it yet."""
    if state.new_shoe is None:
        return None
    shoe = state.new_shoe.number
    dealt = say("Shoe {shoe} is loaded: a card drawn from it is dealt in its first round", shoe=shoe)
    return Refusal(Code.ROUND_CONCLUDED, dealt)


def not_of_this_round(state: RoundState, kind: Kind) -> Refusal | None:
    """Once settled a round stands, but for what its clause leaves open until the next one commences."""
    clause = clause_of(state, kind, cards_dealt=len(state.cards))
    if kind is Kind.WRONG_RESULT and not state.cards:
        none = say("Round {round} has no card yet, so it has no result", round=state.number)
        return Refusal(Code.NOT_COMPLETE, none)
    still_open = {Phase.SETTLED: clause.until_next_round, Phase.VOID: clause.after_void}
    if kind is Kind.FOUND_LATER or state.phase not in CONCLUDED:
        return None
    if still_open[state.phase] and _some_remedy(state, kind, clause):
        return None
    late = say(
        'Round {round} is {phase} and stands: it is too late to report "{kind}"',
        round=state.number,
        phase=state.phase.word,
        kind=kind.words,
    )
    return Refusal(Code.ROUND_CONCLUDED, late, clause.previous_stand or "interpretation settled-round-stands")


def _some_remedy(state: RoundState, kind: Kind, clause: Clause) -> bool:
    """Nobody may be left with a report that nothing answers."""
    # What no clause of its own governs may be about drawn cards as well, if it names some.
    cards = bool(needs(kind).cards) or clause.kind is Kind.NOT_COVERED
    return bool(_allowed(state, clause, _conditions(state), cards=cards, earlier=False).remedies)


# What a report names.


def badly_named(state: RoundState, command: commands.ReportIrregularity) -> Refusal | None:
    """What is wrong with what a report names."""
    kind, asked = command.kind, needs(command.kind)
    if len(command.cards) < asked.cards:
        few = say("Name the cards, at least {count}: {kind}", count=asked.cards, kind=kind.words)
        return Refusal(Code.BAD_REPORT, few)
    if command.cards and kind not in _MAY_NAME_CARDS:
        none = say("This report is not about drawn cards, and names none: {kind}", kind=kind.words)
        return Refusal(Code.BAD_REPORT, none)
    if command.cards and (loaded := _of_a_loaded_shoe(state)):
        return loaded
    of_this_round = None if about_earlier(state, command) else not_of_this_round(state, kind)
    return (
        of_this_round
        or _wrong_round(state, command)
        or _wrong_bet(state, command)
        or _not_in_the_shoe(state, command.cards)
    )


def about_earlier(state: RoundState, command: commands.ReportIrregularity) -> bool:
    """Whether it is about a round before the one at the table."""
    return command.about_round not in (None, state.number)


def _wrong_round(state: RoundState, command: commands.ReportIrregularity) -> Refusal | None:
    kind, about = command.kind, command.about_round
    if needs(kind).earlier_round and not 0 < (about or 0) < state.number:
        which = say("Name the round with the error: one before round {round}", round=state.number)
        return Refusal(Code.BAD_REPORT, which)
    if not about_earlier(state, command) or needs(kind).earlier_round:
        return None
    if not 0 < (about or 0) < state.number:
        none = say("There was no round {about}: round {round} is on", about=about or 0, round=state.number)
        return Refusal(Code.NO_SUCH_ROUND, none)
    if kind is not Kind.WRONG_RESULT:
        other = say('Round {about} is not in play: report "{kind}"', about=about or 0, kind=Kind.FOUND_LATER.words)
        return Refusal(Code.BAD_REPORT, other)
    return None


def _wrong_bet(state: RoundState, command: commands.ReportIrregularity) -> Refusal | None:
    """A late bet lies, and no more than lies can be late; a withdrawn one was taken back, and so much of it."""
    if not needs(command.kind).bet:
        return None
    if command.seat is None or not command.wager:
        return Refusal(Code.BAD_REPORT, say("Name the seat and the bet: {kind}", kind=command.kind.words))
    seat = state.seats[command.seat] if command.seat <= MAX_SEAT else EMPTY_SEAT
    if command.kind is Kind.LATE_BET:
        most = lies(seat, command.wager)
        none = say("Seat {seat} has no such bet: {wager}", seat=command.seat, wager=name_of(command.wager))
        more = say(
            "Seat {seat} has {most} on {wager}", seat=command.seat, most=show_cents(most), wager=name_of(command.wager)
        )
    else:
        ruled = (command.seat, command.wager) in state.ruled
        most = 0 if ruled else seat.withdrawn.get(command.wager, 0)
        none = say("Seat {seat} has taken back no such bet: {wager}", seat=command.seat, wager=name_of(command.wager))
        more = say(
            "Seat {seat} has taken back {most} from {wager}",
            seat=command.seat,
            most=show_cents(most),
            wager=name_of(command.wager),
        )
        if command.cents is None and most:
            return Refusal(Code.BAD_REPORT, say("Say how much was taken away: {more}", more=more))
    if not most:
        return Refusal(Code.NO_SUCH_BET, none)
    waits = _reported_already(state, command)
    if waits and (command.cents or 1) > most - waits:
        twice = say("{more}, and {waits} of it is reported already", more=more, waits=show_cents(waits))
        return Refusal(Code.ALREADY_DONE, twice)
    if command.cents is not None and command.cents > most:
        return Refusal(Code.BAD_STAKE, say("{more}, not {cents}", more=more, cents=show_cents(command.cents)))
    return None if command.cents is None else check_amount(state, command.wager, command.cents)


def _reported_already(state: RoundState, command: commands.ReportIrregularity) -> int:
    """How much of the same bet waits in a report of the same kind."""
    same = (command.kind, command.seat, command.wager)
    return sum([one.cents or 0 for one in state.pending if (one.kind, one.seat, one.wager) == same])


def late_cents(state: RoundState, command: commands.ReportIrregularity) -> int | None:
    """How much a report says came late: without an amount all that lies now, and no more whatever is laid later."""
    if command.kind is not Kind.LATE_BET or command.cents is not None or command.seat is None:
        return command.cents
    return lies(state.seats[command.seat], command.wager) - _reported_already(state, command)


def lies(seat: Seat, wager: str) -> int:
    """What the seat has on this wager; of insurance, what it took in the last window."""
    if hand := insured_hand(wager):
        return sum([bet.cents for bet in insured_last(seat, hand)])
    return seat.bets.get(wager, 0)


def insured_last(seat: Seat, hand: Hand) -> list[InsuranceBet]:
    """The insurance on this hand that the seat took in the last window it took any in."""
    bets = [bet for bet in seat.insurance if bet.hand is hand]
    return [bet for bet in bets if bet.window is bets[-1].window]


def insured_hand(wager: str) -> Hand | None:
    """The hand that an insurance wager is on; None for any other wager."""
    return next((hand for hand in Hand if wager == f"{hand}-insurance"), None)


def _not_in_the_shoe(state: RoundState, cards: tuple[Card, ...]) -> Refusal | None:
    assert state.shoe is not None, "no round opens without a shoe"
    for card in set(cards):
        if cards.count(card) > state.shoe.left(card):
            return Refusal(Code.CARD_TOO_MANY, cannot_be_there(card, state.shoe.decks), RECORD)
    if len(cards) > state.cards_left:
        short = say("Only {count} cards were left in the shoe: name no more than those", count=state.cards_left)
        return Refusal(Code.CARD_TOO_MANY, short)
    return None


RECORD: Final = "interpretation record-of-a-card"


def cannot_be_there(card: Card, decks: int) -> Said:
    """By the record it cannot come: most likely an earlier card was keyed wrong, and the record is corrected first."""
    return say(
        '{too_many}. An earlier card may be keyed wrong: correct it. If the set of cards is wrong, report "{kind}"',
        too_many=one_too_many(card, decks),
        kind=Kind.SHORTAGE_OR_EXCESS.words,
    )

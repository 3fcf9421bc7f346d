"""What the four tables of clauses share: the situations, what a cell of a table says, and how a cell is checked.

A cell says for one kind of irregularity in one situation whether it is taken, who decides what by which paragraph, what
that brings both seats at once and once the table has gone on, and what is recorded. The tables themselves are written
from the rulebooks and the readings, never from the data under test.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from enum import StrEnum
from typing import Final, NamedTuple

from natural9.core.cards import Card, parse_cards
from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import Refusal, RoundState, commands, decide, events, fold, what_next, what_to_report
from natural9.core.round.refusal import Code
from natural9.core.round.state import DEALING, Phase
from natural9.core.staff import NOBODY, Rank, Staff
from natural9.core.table_of_play import Hand
from tests.core.round.table import (
    AFTER_ONE_ROUND,
    DEALER,
    EVERYBODY,
    NATURAL,
    OTHER_COMMANDS,
    PIT_SUPERVISOR,
    SHIFT_MANAGER,
    WHY,
    Asked,
    Signed,
    Table,
    decision,
    of,
    signed,
)

Recorded = type[events.RoundEvent]
Money = tuple[int, int]  # what round 2, and 3 where it is open, has brought seat 1 and seat 2

FOUR: Final = "4S 7H KD QC"  # Player 4 and to draw, Banker 7
SCRIPT: Final = "4S 7H KD QC 5H 4D"  # what comes, card by card, where no card waits: Player 9, Banker 7
OTHER_THIRD: Final = "4S 7H KD QC 2H"  # Player 6, Banker 7
OTHER_SUIT: Final = "4S 7H KD JC"  # as FOUR, with another last card

PS, SM = Rank.PIT_SUPERVISOR, Rank.SHIFT_MANAGER
STAFF: Final = {staff.rank: staff for staff in EVERYBODY}


class When(StrEnum):
    """Where the table stands when something is found."""

    OPEN = "before close"
    DEALING = "dealing"
    DECLARED = "declared"
    SETTLED = "settled"
    NEXT_OPEN = "next round open"  # and the report is about the round before
    VOID = "after a void"
    BRIEF = "after a brief restart"  # electronic
    LONG = "after a long restart"  # electronic
    REAL = "after a restart with real cards"


RESTARTS: Final = (When.BRIEF, When.LONG, When.REAL)  # the round then stands as in DEALING, and so does every cell


class Instead(StrEnum):
    """Where a report of a kind is refused: what takes its place."""

    SOMETHING_ELSE = "reported as not covered"
    EXPOSED = "reported as an exposed card, which the next round begins with"
    FOUND_LATER = "reported as an error of an earlier round"
    CLOSE_FIRST = "the same report once the bets are closed"
    BET_AGAIN = "the player lays the bet again"
    TAKE_BACK = "the player takes the bet back"
    CORRECT = "the cards are corrected"
    RULE = "the shift manager rules on the bet"
    OTHER_CARDS = "other cards are loaded"
    EARLIER_RESULT = "the same report about the round before"
    NOTHING_AT_STAKE = "every bet has gone back: the next round opens"


class Way(NamedTuple):
    """A remedy: its paragraph, what it leaves each seat with at once and in the end, what is recorded of it."""

    paragraph: str
    now: Money
    end: Money
    recorded: tuple[Recorded, ...] = ()
    reason: bool = False  # whether a reason is demanded
    cards: str = ""  # that the decision names


class Offered(NamedTuple):
    """The report is taken: who decides, and what."""

    rank: Rank
    ways: Mapping[Remedy, Way]
    stand: str = ""  # the paragraph by which the earlier rounds stand


class Refused(NamedTuple):
    """It is not: the code, the paragraph, and what is done instead."""

    code: Code
    paragraph: str
    instead: Instead


Cell = Offered | Refused
Row = Mapping[When, Cell]
Rows = Mapping[Kind, Row]

# Money, where nobody is insured: seat 1 has 100.00 on Player and 5.00 on Tie, seat 2 has 200.00 on Banker.
RETURNED: Final = (0, 0)
STAKED: Final = (-10_500, -20_000)
BY_CARDS: Final = (9_500, -20_000)  # Player 9, Banker 7
BY_OTHER_CARDS: Final = (-10_500, 20_000)  # Player 6, Banker 7
BANKER_BACK: Final = (-10_500, 0)
BANKER_BACK_BY_CARDS: Final = (9_500, 0)
RESTORED: Final = (-10_500, -30_000)
RESTORED_BY_CARDS: Final = (9_500, -30_000)
NEXT_STAKED: Final = (-1_000, -40_000)  # round 2 by its cards, and the same at stake in round 3
NEXT_BY_CARDS: Final = (19_000, -40_000)  # both rounds by their cards
OTHER_NEXT_STAKED: Final = (-21_000, 0)  # round 2 settled again, and the same at stake in round 3
OTHER_NEXT_BY_CARDS: Final = (-1_000, 0)
FIRST_CARD_5: Final = (-10_500, 20_000)  # 5H 7H KD QC 5H: Player 0, Banker 7
FIRST_CARDS_5_2: Final = (-10_500, 10_000)  # 5H 2D KD QC 5H 4D: Player 0, Banker 6, which pays half

VOIDED: Final = (events.BetsReturned, events.BetsReturned, events.RoundVoided)
REVERSED_AND_VOIDED: Final = (events.SettlementReversed, events.SettlementReversed, *VOIDED)
SETTLED_AGAIN: Final = (
    events.SettlementReversed,
    events.SettlementReversed,
    events.CardsCorrected,
    events.ResultDeclared,
    events.SeatSettled,
    events.SeatSettled,
    events.RoundSettled,
)
EARLIER_SETTLED_AGAIN: Final = (
    events.RoundTakenUp,
    events.EarlierCardsCorrected,
    events.EarlierSeatSettled,
    events.EarlierSeatSettled,
)


class Floor(Table):
    """A table that remembers its earlier rounds, as the journal does, and can be tried on a copy."""

    def __init__(self, game_id: str, *, decks: int = 8) -> None:
        self.earlier: dict[int, RoundState] = {}
        super().__init__(game_id, decks=decks)

    def fork(self) -> "Floor":
        other = copy(self)
        other.happened, other.earlier = list(self.happened), dict(self.earlier)
        return other

    def ask(self, asked: Asked) -> Sequence[events.RoundEvent] | Refusal:
        command, by, why = asked if isinstance(asked, Signed) else (asked, NOBODY, "")
        return decide(self.state, command, by, why, self.earlier.get(_round_meant(self.state, command)))

    def do(self, command: Asked) -> tuple[events.RoundEvent, ...]:
        answer = self.ask(command)
        assert not isinstance(answer, Refusal), f"{command} was refused: {answer}"
        for event in answer:
            if isinstance(event, events.BettingOpened) and self.state.number:
                self.earlier[self.state.number] = self.state
            about = getattr(event, "round", None)
            if about in self.earlier and not isinstance(event, events.BettingOpened):
                self.earlier[about] = fold(self.earlier[about], (event,))
        self.state = fold(self.state, answer)
        self.happened += answer
        return tuple(answer)

    def refused(self, command: Asked) -> Refusal:
        answer = self.ask(command)
        assert isinstance(answer, Refusal), f"{command} was accepted: {answer}"
        return answer

    def try_to(self, command: Asked) -> bool:
        if isinstance(self.ask(command), Refusal):
            return False
        self.do(command)
        return True

    def money(self) -> Money:
        """What all rounds after the first have brought both seats, or cost them, so far."""
        return self.credit(1) - AFTER_ONE_ROUND[1], self.credit(2) - AFTER_ONE_ROUND[2]

    def exactly(self) -> tuple[object, ...]:
        """All of the state but how many reports there have been."""
        return (*self.state._replace(rules=None, reported=0, seats=type(self.state.seats)()), *self.everybody())

    def everybody(self) -> tuple[object, ...]:
        return tuple(self.state.seats.everybody())

    def go_on(self) -> None:
        """Play to the end of the round: cards that wait first, then those of the script."""
        script = parse_cards(SCRIPT)
        if self.state.phase is Phase.BETTING_OPEN:
            self.do(commands.CloseBetting())
        while self.state.phase not in (Phase.COMPLETE, Phase.SETTLED, Phase.VOID):
            if self.state.window:
                self.close_window()
            assert self.state.phase in DEALING, self.state.phase
            card = self.state.held[0] if self.state.held else script[len(self.state.cards)]
            self.do(commands.DealCard(card=card))
        if self.state.phase is Phase.COMPLETE:
            if not self.state.declared:
                self.declare()
            self.do(commands.Settle())

    def opens_again(self) -> None:
        """The next round opens, and takes a bet."""
        self.open({1: {"player": 100}})


def _round_meant(state: RoundState, command: commands.Command) -> int:
    """The earlier round that a command or the report that it decides is about."""
    if isinstance(command, commands.DecideIrregularity):
        return next((one.about_round or 0 for one in state.pending if command.report in (None, one.report)), 0)
    return getattr(command, "round", None) or 0


# The commonest ways.


def row(*, betting: Cell, dealing: Cell, declared: Cell, settled: Cell, next_open: Cell, void: Cell) -> Row:
    """One kind of irregularity, through the round and after it."""
    return {
        When.OPEN: betting,
        When.DEALING: dealing,
        When.DECLARED: declared,
        When.SETTLED: settled,
        When.NEXT_OPEN: next_open,
        When.VOID: void,
    }


class Sums(NamedTuple):
    """What round 2, and 3 where it is open, comes to: right after a decision that moves no money, and at the end."""

    betting: tuple[Money, Money] = (STAKED, BY_CARDS)
    in_play: tuple[Money, Money] = (STAKED, BY_CARDS)
    settled: Money = BY_CARDS
    other: Money = BY_OTHER_CARDS  # settled by OTHER_THIRD
    next_open: tuple[Money, Money] = (NEXT_STAKED, NEXT_BY_CARDS)
    other_next: tuple[Money, Money] = (OTHER_NEXT_STAKED, OTHER_NEXT_BY_CARDS)


NOT_INSURED: Final = Sums()


def voids(paragraph: str) -> Way:
    """Every bet goes back whole."""
    return Way(paragraph, RETURNED, RETURNED, VOIDED, reason=True)


def plays(paragraph: str, *recorded: Recorded, reason: bool = False, cards: str = "") -> Way:
    """What is at stake stays there, and is settled by the cards."""
    return Way(paragraph, STAKED, BY_CARDS, recorded, reason, cards)


def stands(paragraph: str, *recorded: Recorded, reason: bool = False, cards: str = "") -> Way:
    """The settled round stays as it was settled."""
    return Way(paragraph, BY_CARDS, BY_CARDS, recorded, reason, cards)


def later(paragraph: str) -> Way:
    """The settled round stays as it was, and the next one goes on."""
    return Way(paragraph, NEXT_STAKED, NEXT_BY_CARDS)


def nothing(paragraph: str, *recorded: Recorded, reason: bool = False, cards: str = "") -> Way:
    """The void round stays void."""
    return Way(paragraph, RETURNED, RETURNED, recorded, reason, cards)


STANDS: Final = "interpretation settled-round-stands"
NOT_IN_PLAY: Final = Refused(Code.BAD_REPORT, "", Instead.FOUND_LATER)  # the round before is not at the table
VOID_ALREADY: Final = Refused(Code.ROUND_CONCLUDED, STANDS, Instead.NOTHING_AT_STAKE)


def anything(paragraph: str, sums: Sums = NOT_INSURED) -> Row:
    """What no clause limits: the shift manager decides. Nothing is void that is settled, and a void round stays so."""

    def in_play(now: Money, end: Money, by_cards: Way) -> Offered:
        return Offered(
            SM,
            {
                Remedy.CONTINUE: Way(paragraph, now, end),
                Remedy.RECONSTRUCT: Way(paragraph, now, end, (events.CardsReconstructed,)),
                Remedy.NO_EFFECT: Way(paragraph, now, end),
                Remedy.VOID: voids(paragraph),
                Remedy.SETTLE_BY_CARDS: by_cards,
            },
        )

    corrected = (events.CardsCorrected,)
    return row(
        betting=in_play(*sums.betting, Way(paragraph, *sums.betting)),
        dealing=in_play(*sums.in_play, Way(paragraph, *sums.in_play, corrected, True, OTHER_SUIT)),
        declared=in_play(*sums.in_play, Way(paragraph, sums.in_play[0], sums.other, corrected, True, OTHER_THIRD)),
        settled=Offered(
            SM,
            {
                Remedy.CONTINUE: Way(paragraph, sums.settled, sums.settled),
                Remedy.NO_EFFECT: Way(paragraph, sums.settled, sums.settled),
                Remedy.SETTLE_BY_CARDS: Way(paragraph, sums.other, sums.other, SETTLED_AGAIN, True, OTHER_THIRD),
            },
        ),
        next_open=NOT_IN_PLAY,
        void=Offered(SM, {Remedy.CONTINUE: nothing(paragraph), Remedy.NO_EFFECT: nothing(paragraph)}),
    )


def any_result(paragraph: str, sums: Sums = NOT_INSURED) -> Row:
    """The same of a wrong result: there is none before a card is dealt, and the round before can be settled again."""
    return {
        **anything(paragraph, sums),
        When.OPEN: Refused(Code.NOT_COMPLETE, "", Instead.EARLIER_RESULT),
        When.NEXT_OPEN: Offered(
            SM,
            {
                Remedy.CONTINUE: Way(paragraph, *sums.next_open),
                Remedy.NO_EFFECT: Way(paragraph, *sums.next_open),
                Remedy.SETTLE_BY_CARDS: Way(paragraph, *sums.other_next, EARLIER_SETTLED_AGAIN, True, OTHER_THIRD),
            },
        ),
    }


def anything_earlier(paragraph: str, sums: Sums = NOT_INSURED) -> Row:
    """The same of an error in an earlier round, whose money changes only by other cards."""

    def about_round_1(now: Money, end: Money) -> Offered:
        same = Way(paragraph, now, end)
        return Offered(SM, {Remedy.CONTINUE: same, Remedy.NO_EFFECT: same, Remedy.SETTLE_BY_CARDS: same})

    return row(
        betting=about_round_1(*sums.betting),
        dealing=about_round_1(*sums.in_play),
        declared=about_round_1(*sums.in_play),
        settled=about_round_1(sums.settled, sums.settled),
        next_open=any_result(paragraph, sums)[When.NEXT_OPEN],
        void=about_round_1(RETURNED, RETURNED),
    )


def anything_drawn(paragraph: str, cards: str, first: Money, sums: Sums = NOT_INSURED, *more: Recorded) -> Row:
    """The same of drawn cards: they come next, or are burnt, or the round is void; they never just disappear. `first`:
    the end if the round begins with them; `more`: what is recorded besides when the next card is known."""

    def drawn(now: Money, end: Money, burnt: Money, *recorded: Recorded) -> dict[Remedy, Way]:
        put = Way(paragraph, now, end, (events.CardsPutInOrder, *recorded), cards=cards)
        return {
            Remedy.CONTINUE: put,
            Remedy.RECONSTRUCT: put,
            Remedy.DISCARD: Way(paragraph, now, burnt, (events.CardsDiscarded,), reason=True),
        }

    void = {Remedy.VOID: voids(paragraph)}
    now, end = sums.in_play
    return row(
        betting=Offered(SM, {**drawn(sums.betting[0], first, sums.betting[1]), **void}),
        dealing=Offered(SM, {**drawn(now, end, end, *more), **void}),
        declared=Offered(SM, {**drawn(now, end, end), **void}),
        settled=Offered(SM, drawn(sums.settled, sums.settled, sums.settled)),
        next_open=NOT_IN_PLAY,
        void=Offered(SM, drawn(RETURNED, RETURNED, RETURNED)),
    )


# The situations.


def situation(game: str, when: When, *, insured: int = 0) -> Floor:
    """Round 1 is settled; in round 2 seat 2 has taken back a bet. `insured`: what seat 2 stakes on Banker insurance."""
    table = Floor(game)
    table.play(NATURAL)
    table.open()
    table.do(commands.IncreaseBet(seat=2, wager="banker", cents=10_000))
    table.do(commands.TakeBackBet(seat=2, wager="banker", cents=10_000))
    if when is When.OPEN:
        return table
    table.deal("4S 7H KD" if when is When.REAL else FOUR)
    if insured and when is not When.REAL:
        table.insure(2, Hand.BANKER, insured)
    if when in RESTARTS:
        restart(table, when)
        if insured and when is When.REAL:
            table.insure(2, Hand.BANKER, insured)
    if when in (When.DECLARED, When.SETTLED, When.NEXT_OPEN):
        table.deal("5H")
        table.declare()
    if when in (When.SETTLED, When.NEXT_OPEN):
        table.do(commands.Settle())
    if when is When.NEXT_OPEN:
        table.open()
    if when is When.VOID:
        table.do(signed(commands.VoidRound(), by=SHIFT_MANAGER, why="smoke in the hall"))
    return table


def as_far_as(game: str, cards: str | None) -> Floor:
    """Round 2, with these cards dealt; without any, its bets are open."""
    table = situation(game, When.OPEN)
    if cards is not None:
        table.deal(cards)
    return table


def restart(table: Floor, when: When) -> None:
    """The table is cut off and comes back; what then has to be decided is, by the rank that may, and it goes on."""
    real = when is When.REAL
    table.do(commands.NoteInterruption(away_ms=90_000, brief=when is When.BRIEF, real_cards=real))
    if real:
        confirm(table, FOUR)
    if table.state.pending:  # a document that is silent on interruptions
        [waits] = table.state.pending
        assert waits.kind is Kind.TABLE_INTERRUPTION
        table.remedy(Remedy.CONTINUE, by=SHIFT_MANAGER)


def confirm(table: Floor, cards: str) -> tuple[events.RoundEvent, ...]:
    """The table waits for the cards as they lie, and the pit supervisor confirms them or names more."""
    [waits] = [one for one in table.state.pending if one.confirm]
    named = decision(Remedy.CONFIRM_CARDS, DEALER, cards=cards, report=waits.report)
    assert table.refused(named).code is Code.RANK_TOO_LOW
    assert table.refused(commands.DealCard(card=Card("Q", "C"))).code is Code.IRREGULARITY_PENDING
    return table.remedy(Remedy.CONFIRM_CARDS, by=PIT_SUPERVISOR, cards=cards, report=waits.report)


_DRAWN: Final = {
    Kind.EXCESS_OR_EXPOSED: "5H",
    Kind.DRAWN_TOGETHER_ORDER_KNOWN: "5H 2D",
    Kind.DRAWN_TOGETHER_ORDER_UNKNOWN: "2D 5H",
}


def report(kind: Kind, when: When, by: Staff = DEALER) -> Signed:
    """A report of this kind with all that it has to name: drawn cards, the round before, seat 2's bet."""
    about = 2 if when is When.NEXT_OPEN else 1 if kind is Kind.FOUND_LATER else None
    bet = kind in (Kind.LATE_BET, Kind.WITHDRAWN_BET)
    return signed(
        commands.ReportIrregularity(
            kind=kind,
            detail="seen",
            cards=parse_cards(_DRAWN.get(kind, "")),
            about_round=about,
            seat=2 if bet else None,
            wager="banker" if bet else "",
            cents=10_000 if kind is Kind.WITHDRAWN_BET else None,
        ),
        by=by,
    )


# Checking a cell.


def check_cell(start: Floor, kind: Kind, when: When, cell: Cell) -> None:
    """Everything that the cell says, for every rank."""
    if isinstance(cell, Refused):
        _check_refused(start, kind, when, cell)
        return
    taken = start.fork()
    [noted] = taken.do(report(kind, when))
    _check_report(start, taken, noted, kind, cell)
    for remedy in Remedy:
        _check_remedy(taken, remedy, cell)
    _check_withdrawal(start, kind, when, cell)
    _check_console(start, kind, when, is_offered=True)


def _check_report(start: Floor, taken: Floor, noted: events.RoundEvent, kind: Kind, cell: Offered) -> None:
    assert isinstance(noted, events.IrregularityReported)
    assert {remedy: way.paragraph for remedy, way in cell.ways.items()} == dict(noted.remedies)
    assert (noted.kind, noted.rank, noted.by, noted.by_rank) == (kind, cell.rank.tag, DEALER.id, "dealer")
    assert (noted.detail, noted.report) == ("seen", start.state.reported + 1)
    assert taken.money() == start.money(), "a report moves no money"
    for command in OTHER_COMMANDS:
        assert taken.refused(command).code is Code.IRREGULARITY_PENDING
    may = what_next(taken.state).commands
    assert commands.DecideIrregularity in may
    assert commands.WithdrawReport in may


def _check_remedy(taken: Floor, remedy: Remedy, cell: Offered) -> None:
    way = cell.ways.get(remedy)
    if way is None:
        for staff in EVERYBODY:
            assert taken.refused(decision(remedy, staff)).code is Code.REMEDY_NOT_ALLOWED
        return
    for staff in EVERYBODY:
        asked = decision(remedy, staff, cards=way.cards)
        if staff.rank < cell.rank:
            refusal = taken.refused(asked)
            assert (refusal.code, refusal.paragraph) == (Code.RANK_TOO_LOW, way.paragraph)
            continue
        table = taken.fork()
        decided, *recorded = table.do(asked)
        assert decided == events.IrregularityDecided(
            report=taken.state.reported,
            kind=taken.state.pending[0].kind,
            remedy=remedy,
            by=staff.id,
            rank=staff.rank.tag,
            why=WHY,
            paragraph=way.paragraph,
            previous_stand=cell.stand,
        )
        assert tuple(map(type, recorded)) == way.recorded
        _check_signed(recorded, staff, way.paragraph)
        assert table.money() == way.now
    _check_reason(taken, remedy, way, STAFF[cell.rank])
    table = taken.fork()
    table.remedy(remedy, by=STAFF[cell.rank], cards=way.cards)
    assert not table.state.pending
    table.go_on()
    assert table.money() == way.end
    table.opens_again()


def _check_signed(recorded: Sequence[events.RoundEvent], staff: Staff, paragraph: str) -> None:
    """Whatever is recorded of a decision says who decided it, why, and by which paragraph."""
    for event in recorded:
        if isinstance(event, events.RoundVoided):
            assert (event.by, event.why, event.clause) == (staff.id, WHY, paragraph)
        elif isinstance(event, events.BetVoided | events.BetRestored):
            assert (event.why, event.paragraph) == (WHY, paragraph)
        elif isinstance(event, events.CardsCorrected | events.EarlierCardsCorrected | events.CardsDiscarded):
            assert (event.by, event.why, event.paragraph) == (staff.id, WHY, paragraph)
        elif isinstance(event, events.SettlementReversed | events.CardsPutInOrder | events.CardsReconstructed):
            assert event.paragraph == paragraph


def _check_reason(taken: Floor, remedy: Remedy, way: Way, staff: Staff) -> None:
    for why in ("", "  "):
        answer = taken.ask(decision(remedy, staff, cards=way.cards, why=why))
        if way.reason:
            assert isinstance(answer, Refusal), f"{remedy} without a reason: {answer}"
            assert answer.code is Code.REASON_NEEDED
        else:
            assert not isinstance(answer, Refusal), answer


def _check_withdrawal(start: Floor, kind: Kind, when: When, cell: Offered) -> None:
    """By the rank that decides or the pit supervisor, whichever is lower, never by less than whoever reported it."""
    for reporter in EVERYBODY:
        taken = start.fork()
        taken.do(report(kind, when, reporter))
        least = max(min(cell.rank, PS), reporter.rank)
        for staff in EVERYBODY:
            asked = signed(commands.WithdrawReport(), by=staff, why="a shadow")
            if staff.rank < least:
                assert taken.refused(asked).code is Code.RANK_TOO_LOW
                continue
            assert taken.refused(asked._replace(why=" ")).code is Code.BAD_REPORT
            table = taken.fork()
            [withdrawn] = table.do(asked)
            assert isinstance(withdrawn, events.ReportWithdrawn)
            assert (withdrawn.kind, withdrawn.by, withdrawn.rank) == (kind, staff.id, staff.rank.tag)
            assert (withdrawn.why, withdrawn.paragraph) == ("a shadow", "interpretation report-is-not-yet-a-fact")
            assert table.exactly() == start.exactly()
            assert table.money() == start.money()
            assert what_next(table.state) == what_next(start.state)


def _check_console(start: Floor, kind: Kind, when: When, *, is_offered: bool) -> None:
    """The console offers the button by the same check; a report about the round before is another question."""
    if when is When.NEXT_OPEN or kind is Kind.WRONG_RESULT:
        return
    [button] = [one for one in what_to_report(start.state) if one.kind is kind]
    assert (button.refusal is None) is is_offered


def _check_refused(start: Floor, kind: Kind, when: When, cell: Refused) -> None:
    for staff in EVERYBODY:
        refusal = start.refused(report(kind, when, staff))
        assert (refusal.code, refusal.paragraph) == (cell.code, cell.paragraph)
    _check_console(start, kind, when, is_offered=False)
    table = start.fork()
    _INSTEAD[cell.instead](table, kind, when)
    assert not table.state.pending
    table.go_on()
    table.opens_again()


# What is done instead.


def _something_else(table: Floor, kind: Kind, when: When) -> None:
    table.do(report(Kind.NOT_COVERED, When.OPEN))
    table.remedy(Remedy.NO_EFFECT, by=SHIFT_MANAGER)


def _exposed(table: Floor, kind: Kind, when: When) -> None:
    table.do(report(Kind.EXCESS_OR_EXPOSED, When.OPEN))
    offered = [remedy for remedy, _ in of(events.IrregularityReported, table.happened)[-1].remedies]
    first = Remedy.USE_IN_NEXT_ROUND if Remedy.USE_IN_NEXT_ROUND in offered else Remedy.RECONSTRUCT
    table.remedy(first, by=SHIFT_MANAGER)
    assert table.held == "5H"


def _found_later(table: Floor, kind: Kind, when: When) -> None:
    before = table.money()
    table.do(report(Kind.FOUND_LATER, when))
    table.remedy(Remedy.NO_EFFECT, by=SHIFT_MANAGER)
    assert table.money() == before


def _close_first(table: Floor, kind: Kind, when: When) -> None:
    table.do(commands.CloseBetting())
    table.do(report(kind, When.DEALING))
    table.do(signed(commands.WithdrawReport(), by=SHIFT_MANAGER, why="only to see that it is taken"))


def _bet_again(table: Floor, kind: Kind, when: When) -> None:
    table.do(commands.IncreaseBet(seat=2, wager="banker", cents=10_000))


def _take_back(table: Floor, kind: Kind, when: When) -> None:
    table.do(commands.TakeBackBet(seat=2, wager="banker"))
    assert table.money() == (-10_500, 0)


def _correct(table: Floor, kind: Kind, when: When) -> None:
    asked = signed(commands.CorrectResult(cards=parse_cards(OTHER_THIRD)), by=SHIFT_MANAGER)
    table.do(asked)
    assert table.money()[0] == -10_500


def _rule(table: Floor, kind: Kind, when: When) -> None:
    """The Banker bet of seat 2 has lost; the shift manager, and nobody else, voids it: its stake goes back."""
    before = table.money()
    for staff in EVERYBODY[:-1]:
        ruling = signed(commands.RuleOnBet(seat=2, wager="banker"), by=staff)
        assert table.refused(ruling).code is Code.RANK_TOO_LOW
    table.do(signed(commands.RuleOnBet(seat=2, wager="banker"), by=SHIFT_MANAGER))
    assert table.money() == (before[0], before[1] + 20_000)


def _other_cards(table: Floor, kind: Kind, when: When) -> None:
    loading = commands.LoadShoe(shoe=2, decks=8)
    assert table.refused(signed(loading, by=DEALER, why="it is not in order")).code is Code.RANK_TOO_LOW
    assert table.refused(signed(loading, by=PIT_SUPERVISOR, why=" ")).code is Code.REASON_NEEDED
    table.do(signed(loading, by=PIT_SUPERVISOR, why="it is not in order"))


def _earlier_result(table: Floor, kind: Kind, when: When) -> None:
    table.do(signed(commands.ReportIrregularity(kind=kind, about_round=1), by=DEALER))
    table.remedy(Remedy.SETTLE_BY_CARDS, by=SHIFT_MANAGER)


def _nothing_at_stake(table: Floor, kind: Kind, when: When) -> None:
    assert table.money() == (0, 0)
    assert table.state.staked_cents == 0


_INSTEAD: Final[Mapping[Instead, Callable[[Floor, Kind, When], None]]] = {
    Instead.SOMETHING_ELSE: _something_else,
    Instead.EXPOSED: _exposed,
    Instead.FOUND_LATER: _found_later,
    Instead.CLOSE_FIRST: _close_first,
    Instead.BET_AGAIN: _bet_again,
    Instead.TAKE_BACK: _take_back,
    Instead.CORRECT: _correct,
    Instead.RULE: _rule,
    Instead.OTHER_CARDS: _other_cards,
    Instead.EARLIER_RESULT: _earlier_result,
    Instead.NOTHING_AT_STAKE: _nothing_at_stake,
}


EVERY_CELL: Final = [(kind, when) for kind in Kind for when in When]


def cell_of(rows: Rows, kind: Kind, when: When) -> Cell:
    """After a restart a round stands as in the middle of the deal."""
    return rows[kind][When.DEALING if when in RESTARTS else when]

"""What must hold of every sequence of commands, sensible or not, in every game."""

from dataclasses import replace
from random import Random
from typing import cast, get_args

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from natural9.core.cards import ALL_CARDS
from natural9.core.insurance import Window
from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import Refusal, RoundState, commands, decide, events, fold, what_next, what_to_report
from natural9.core.round.decide import _RULES as RULES
from natural9.core.round.refusal import Code
from natural9.core.round.remedies import Names, may_be_withdrawn_by, names
from natural9.core.round.reporting import allowed
from natural9.core.round.state import BETWEEN_ROUNDS, INSURANCE_PHASES, Pending, Phase
from natural9.core.shoe import Shoe
from natural9.core.staff import Rank, Staff
from natural9.games import game_ids, load_game
from natural9.journal.line import by_staff, encode_line, read_body
from tests.core.books import Books
from tests.core.commands_at_random import MAKE, Past, ask, minimal_report, sequence
from tests.core.round.table import COMMANDS, Signed, signed

SEEDS = st.integers(0, 2**32)
GAMES = (*game_ids(), *("rws-nc-insurance", "rws-nc") * 3)  # those with the most clauses, more often
TAGS = [tag for tag in (*Kind, *Remedy, *Phase, *Window) if "-" in tag]  # for data: people are told in words
STAFF = [Staff(rank.tag, rank) for rank in Rank]
SHIFT_MANAGER = Staff("shift", Rank.SHIFT_MANAGER)
REACH_IT = (20, 127, 79, 116, 27, 67, 31, 95, 206, 238, 326)  # together all there is, today; tried first, to be quick

pytestmark = pytest.mark.no_cover  # by chance, and long to trace


def test_every_command_is_tried() -> None:
    assert set(MAKE) == set(RULES) == COMMANDS


def test_the_sequences_reach_every_event_and_every_refusal() -> None:
    """Else the properties below would hold for want of trying."""
    tags: set[tuple[str, int]] = set()
    codes: set[str] = set()
    every_tag, every_code = {(shape.TAG, shape.VERSION) for shape in get_args(events.RoundEvent)}, set(Code)
    for seed in (*REACH_IT, *range(600)):
        if (tags, codes) == (every_tag, every_code):
            break
        for step in sequence(GAMES[seed % len(GAMES)], seed, 120):
            if isinstance(step.decision, Refusal):
                codes.add(step.decision.code)
            else:
                tags |= {(event.TAG, event.VERSION) for event in step.decision}
    assert (tags, codes) == (every_tag, every_code)


def told(state: RoundState) -> tuple[object, ...]:
    """All of a state that two equal ones share, but for their rules: with what every seat took back."""
    return (*state[1:], list(state.seats.everybody()))


def check_insurance(state: RoundState) -> None:
    """None is on offer while the next card is known (interpretation known-next-card)."""
    if not state.held or state.pending:
        return
    assert state.phase not in INSURANCE_PHASES
    assert not state.window_open
    shapes = {commands.OpenInsurance, commands.PlaceInsurance}
    assert not shapes & set(what_next(state).commands)


@given(game=st.sampled_from(GAMES), seed=SEEDS)
@example(game="rws-nc-insurance", seed=176601670)  # a ruling on a bet that its player had taken away
@example(game="rws-nc-insurance", seed=216959)  # one on a bet that is void by itself when its round becomes void
@settings(max_examples=300, deadline=None)
def test_any_sequence_of_commands(game: str, seed: int) -> None:
    """Folding the stored events gives the live state; refusals change nothing; the money and the cards add up."""
    state = RoundState(load_game(game))
    journal: list[bytes] = []
    books, past = Books(game), Past(game)
    for before, asked, _, decision in sequence(game, seed, 100, past):
        assert before == state, "a refused command, or the deciding itself, changed something"
        if isinstance(decision, Refusal):
            assert decision.message
            assert not [tag for tag in TAGS if tag in decision.message], decision.message
            continue
        assert type(asked.command) in what_next(state).commands, f"{asked} was accepted, and its button was grey"
        assert decision or isinstance(asked.command, commands.DecideIrregularity), "what is accepted leaves a trace"
        journal += [encode_line(event, by_staff("dora")) for event in decision]
        if past.now:
            check_history(state, past.now)
        state = fold(state, decision)
        books.post(decision, state)
        check_insurance(state)
    read = [cast(events.RoundEvent, read_body(line).event) for line in journal]
    assert told(fold(RoundState(load_game(game)), read)) == told(state)
    assert told(fold(RoundState(), read)) == told(state), "folding needs no rules"


def check_history(lived: RoundState, read: RoundState) -> None:
    """A round folded from its own history, as one that is taken up later is, stands as it stood at the table."""
    same = ("number", "shoe_number", "phase", "cards", "offered", "won", "ruled", "staked_cents")
    for name in same:
        assert getattr(read, name) == getattr(lived, name), name
    assert list(read.seats.everybody()) == list(lived.seats.everybody())
    assert min(read.from_old_set, len(read.cards)) == min(lived.from_old_set, len(lived.cards))


@given(game=st.sampled_from(GAMES), seed=SEEDS)
@settings(max_examples=60, deadline=None)
def test_what_may_be_decided_is_what_is_taken(game: str, seed: int) -> None:
    """For every report that waits in every state, every remedy and rank; and who may withdraw it."""
    past = Past(game)
    for before, *_ in sequence(game, seed, 80, past):
        for pending in before.pending:
            check_remedies(before, pending, past)
            check_withdrawal(before, pending)


def check_remedies(state: RoundState, pending: Pending, past: Past) -> None:
    may = allowed(state, pending)
    for remedy in Remedy:
        for staff in STAFF:
            answer = ask(state, decision(pending, remedy, staff), past).decision
            if may.paragraph(remedy) is None:
                assert isinstance(answer, Refusal)
                assert answer.code is Code.REMEDY_NOT_ALLOWED
            elif staff.rank < may.rank:
                assert isinstance(answer, Refusal)
                assert answer.code is Code.RANK_TOO_LOW
            else:
                assert not isinstance(answer, Refusal), f"{remedy} was offered for {pending}, and refused: {answer}"


def decision(pending: Pending, remedy: Remedy, by: Staff) -> Signed:
    cards = pending.cards if names(pending, remedy) is Names.ORDER else ()
    return signed(
        commands.DecideIrregularity(remedy=remedy, cards=cards, report=pending.report), by=by, why="seen by the floor"
    )


def check_withdrawal(state: RoundState, pending: Pending) -> None:
    rank = may_be_withdrawn_by(state, pending)
    for staff in STAFF:
        answer = decide(state, commands.WithdrawReport(report=pending.report), staff, "a mistake")
        if rank is None or staff.rank < rank:
            assert isinstance(answer, Refusal)
            assert answer.code in (Code.REMEDY_NOT_ALLOWED, Code.RANK_TOO_LOW, Code.NO_IRREGULARITY)
        else:
            assert not isinstance(answer, Refusal), answer
            after = fold(state, answer)
            assert pending not in after.pending
            assert (after.cards, after.held, after.seats) == (state.cards, state.held, state.seats)


@given(game=st.sampled_from(GAMES), seed=SEEDS)
@settings(max_examples=100, deadline=None)
def test_a_round_can_always_be_ended(game: str, seed: int) -> None:
    """From wherever a sequence of commands leads, the shift manager can void, and then nothing is at stake."""
    state = RoundState(load_game(game))
    for step in sequence(game, seed, 40):
        state = step.before
    if state.phase not in BETWEEN_ROUNDS:
        ended = decide(state, commands.VoidRound(), SHIFT_MANAGER, "the end of the test")
        assert not isinstance(ended, Refusal)
        state = fold(state, ended)
        assert state.phase is Phase.VOID
    if state.phase is Phase.VOID:
        assert state.staked_cents == 0


@given(game=st.sampled_from(GAMES), seed=SEEDS)
@settings(max_examples=100, deadline=None)
def test_nobody_is_stuck(game: str, seed: int) -> None:
    """From wherever a sequence of commands leads, what waits is decided, the round ends, and the next can be played:
    as shortly as may be, and by playing on wherever the rules leave that open."""
    past = Past(game)
    before = [step.before for step in sequence(game, seed, 60, past)][-1]
    for play_on in (False, True):
        floor = Floor(before, replace(past, rounds=dict(past.rounds)), play_on=play_on)
        floor.to_the_next_round()
        floor.play_on = True
        floor.to_the_next_round()
        assert floor.state.phase is Phase.BETTING_OPEN


class Floor:
    """The people of the pit, up to the shift manager, who bring a table from anywhere to the next round."""

    def __init__(self, state: RoundState, past: Past, *, play_on: bool) -> None:
        self.state, self.past, self.play_on = state, past, play_on

    def do(self, command: commands.Command) -> bool:
        answer = ask(self.state, Signed(command, SHIFT_MANAGER, "so it was"), self.past).decision
        if isinstance(answer, Refusal):
            return False
        self.past.note(answer)
        self.state = fold(self.state, answer)
        return True

    def to_the_next_round(self) -> None:
        number = self.state.number
        for _ in range(80):
            if self.state.number > number:
                return
            assert self._step(), f"stuck: {self.state[1:]}"
        raise AssertionError(f"it never ends: {self.state[1:]}")

    def _step(self) -> bool:
        state = self.state
        if state.pending:
            return self._answer(state.pending[0])
        if state.phase in BETWEEN_ROUNDS:
            opening = commands.OpenBetting(round=state.number + 1, betting_unit_cents=100)
            last = state.new_shoe.number if state.new_shoe else state.shoe_number
            return self.do(opening) or self._burn() or self.do(commands.LoadShoe(shoe=last + 1, decks=8))
        return (self._move_on() if self.play_on else False) or self.do(commands.VoidRound())

    def _burn(self) -> bool:
        new = self.state.new_shoe
        if new is None or not new.burns:
            return False
        return self.do(commands.BurnFaceDown(rest=True) if new.burnt else commands.BurnCards(card=ALL_CARDS[0]))

    def _answer(self, pending: Pending) -> bool:
        """By a remedy; only a report that nothing answers any more is withdrawn."""
        remedies = sorted([remedy for remedy, _ in allowed(self.state, pending).remedies], key=self._last)
        for remedy in remedies:
            if self.do(decision(pending, remedy, SHIFT_MANAGER).command):
                return True
        return not remedies and self.do(commands.WithdrawReport(report=pending.report))

    def _last(self, remedy: Remedy) -> bool:
        return (remedy is Remedy.VOID) is self.play_on

    def _move_on(self) -> bool:
        state = self.state
        if state.phase is Phase.BETTING_OPEN:
            return self.do(commands.CloseBetting())
        if state.phase is Phase.COMPLETE:
            return self.do(commands.Settle() if state.declared else commands.DeclareResult())
        if state.phase in INSURANCE_PHASES:
            return self.do(commands.CloseInsurance() if state.window_open else commands.OpenInsurance())
        assert state.shoe
        left = [card for card in ALL_CARDS if state.shoe.left(card)]
        if not state.held and not left:
            return self.do(commands.ReportIrregularity(kind=Kind.INSUFFICIENT_CARDS))
        return self.do(commands.DealCard(card=state.held[0] if state.held else Random(len(left)).choice(left)))


@given(game=st.sampled_from(GAMES), seed=SEEDS)
@settings(max_examples=60, deadline=None)
def test_what_may_be_reported_is_what_is_taken(game: str, seed: int) -> None:
    """For every kind in every state: the refusal that is foretold, or a report with the rank and remedies foretold."""
    for state, *_ in sequence(game, seed, 80):
        for one in what_to_report(state):
            command = minimal_report(state, one.kind, one.needs)
            decided = decide(state, command)
            if one.refusal:
                assert decided == one.refusal
                continue
            if one.needs.bet and command.seat is None:  # there is none to name
                assert isinstance(decided, Refusal)
                assert decided.code is Code.BAD_REPORT
                continue
            if one.needs.bet and any((bet.kind, bet.seat) == (one.kind, command.seat) for bet in state.pending):
                continue  # it may be reported already
            assert not isinstance(decided, Refusal), f"{one.kind} was offered, and refused: {decided}"
            [reported] = decided
            assert isinstance(reported, events.IrregularityReported)
            assert reported.kind is one.kind
            if command.about_round is None or one.needs.earlier_round:
                assert (reported.rank, reported.remedies) == (one.rank.tag, one.remedies)
            for fewer in range(one.needs.cards):
                refused = decide(state, replace(command, cards=ALL_CARDS[:fewer]))
                assert isinstance(refused, Refusal)
                assert refused.code is Code.BAD_REPORT


def test_no_card_is_reported_drawn_from_a_shoe_that_holds_too_few() -> None:
    opened: list[commands.Command] = [
        commands.LoadShoe(shoe=1, decks=8),
        commands.OpenBetting(round=1, betting_unit_cents=100),
        commands.CloseBetting(),
    ]
    state = RoundState(load_game("rws-nc"))
    for command in opened:
        decided = decide(state, command)
        assert not isinstance(decided, Refusal)
        state = fold(state, decided)
    assert state.shoe
    one_left = state._replace(shoe=Shoe(8, (1, *(0 for _ in state.shoe.counts[1:]))))
    refused = {one.kind for one in what_to_report(one_left) if one.refusal and one.refusal.code is Code.CARD_TOO_MANY}
    assert refused == {Kind.DRAWN_TOGETHER_ORDER_KNOWN, Kind.DRAWN_TOGETHER_ORDER_UNKNOWN}
    for one in what_to_report(one_left):
        if one.needs.bet:  # nobody has bet
            continue
        decided = decide(one_left, minimal_report(one_left, one.kind, one.needs))
        assert (decided == one.refusal) if one.refusal else not isinstance(decided, Refusal)

"""What must hold of every sequence of commands, sensible or not, in every game."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import cast, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from natural9.core.cards import ALL_CARDS
from natural9.core.insurance import Window
from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import Refusal, RoundState, commands, decide, events, fold, what_next, what_to_report
from natural9.core.round.decide import _RULES as RULES
from natural9.core.round.refusal import Code
from natural9.core.round.reporting import Needs
from natural9.core.round.state import CONCLUDED, Phase
from natural9.core.shoe import Shoe
from natural9.core.staff import Rank, Staff
from natural9.games import game_ids, load_game
from natural9.journal.line import Origin, encode_line, read_body
from tests.core.commands_at_random import MAKE, next_command
from tests.core.round.table import COMMANDS, Asked, Signed, decided

SEEDS = st.integers(0, 2**32)
GAMES = (*game_ids(), *("rws-nc-insurance", "rws-nc") * 3)  # those with the most clauses, more often
TAGS = [tag for tag in (*Kind, *Remedy, *Phase, *Window) if "-" in tag]  # for data: people are told in words


class Books:
    """An independent account of the money, kept from the events alone."""

    def __init__(self) -> None:
        self.at_stake: Counter[int] = Counter()  # by seat, in the open round
        self.paid: Counter[int] = Counter()  # by seat, what the settlement in force has returned

    def post(self, event: events.RoundEvent) -> None:
        match event:
            case events.BettingOpened():
                self.at_stake.clear()
                self.paid.clear()
            case events.BetPlaced(seat=seat, cents=stake) | events.InsurancePlaced(seat=seat, cents=stake):
                self.at_stake[seat] += stake
            case events.BetTakenBack(seat=seat, cents=amount) | events.BetsCleared(seat=seat, cents=amount):
                self.at_stake[seat] -= amount
            case events.InsuranceReturned(seat=seat, cents=stake):
                self.at_stake[seat] -= stake
            case events.BetsReturned(seat=seat, cents=amount):
                self.at_stake[seat] -= amount
                assert self.at_stake[seat] == 0, "a void returns everything"
            case events.SeatSettled(seat=seat, staked_cents=staked, returned_cents=returned):
                assert staked == self.at_stake[seat]
                lines = (*event.lines, *event.insurance)
                assert returned == sum(line.returned_cents for line in lines) >= 0
                assert all(line.net_cents == line.returned_cents - line.stake_cents for line in lines)
                assert not self.paid[seat], "a seat is paid once"
                self.paid[seat] = returned
            case events.SettlementReversed(seat=seat, cents=returned):
                assert self.paid.pop(seat, 0) == returned
            case events.RoundSettled():
                assert event.staked_cents == event.stakes_returned_cents + event.collected_cents
                assert event.staked_cents == self.at_stake.total()
                assert self.paid.total() == event.stakes_returned_cents + event.winnings_cents
            case events.RoundVoided(returned_cents=returned):
                assert self.at_stake.total() == 0
                assert self.paid.total() == 0
            case _:
                pass
        assert min(self.at_stake.values(), default=0) >= 0, "nothing is ever negative"


def _check(state: RoundState, books: Books) -> None:
    assert state.staked_cents == books.at_stake.total()
    assert {number: seat.staked_cents for number, seat in state.seats.items()} == {
        seat: stake for seat, stake in books.at_stake.items() if stake
    }
    if state.phase in CONCLUDED or state.phase is Phase.COMPLETE:
        assert state.pending is not None or what_next(state).due is None
    if state.shoe:
        assert min(state.shoe.counts) >= 0


def sequence(
    game: str, seed: int, length: int
) -> Iterator[tuple[RoundState, Asked, Sequence[events.RoundEvent] | Refusal]]:
    """Each state, the command given in it, and what was decided."""
    chance = Random(seed)
    state = RoundState(load_game(game))
    for _ in range(length):
        command = next_command(state, chance)
        decision = decided(state, command)
        yield state, command, decision
        if not isinstance(decision, Refusal):
            state = fold(state, decision)


def test_every_command_is_tried() -> None:
    assert set(MAKE) == set(RULES) == COMMANDS


@pytest.mark.no_cover  # by chance, and long to trace
def test_the_sequences_reach_every_event_and_every_refusal() -> None:
    """Else the properties below would hold for want of trying."""
    tags, codes = set(), set()
    for seed in range(600):
        for _, _, decision in sequence(GAMES[seed % len(GAMES)], seed, 120):
            if isinstance(decision, Refusal):
                codes.add(decision.code)
            else:
                tags |= {(event.TAG, event.VERSION) for event in decision}
    assert tags == {(shape.TAG, shape.VERSION) for shape in get_args(events.RoundEvent)}
    assert codes == set(Code)


@given(game=st.sampled_from(GAMES), seed=SEEDS)
@settings(max_examples=300, deadline=None)
def test_any_sequence_of_commands(game: str, seed: int) -> None:
    """Folding the stored events gives the live state; refusals change nothing; money balances; a void returns all."""
    state = RoundState(load_game(game))
    journal: list[bytes] = []
    books = Books()
    for before, command, decision in sequence(game, seed, 80):
        assert before == state, "a refused command, or the deciding itself, changed something"
        if isinstance(decision, Refusal):
            assert decision.message
            assert not [tag for tag in TAGS if tag in decision.message], decision.message
            continue
        given = command.command if isinstance(command, Signed) else command
        assert type(given) in what_next(state).commands, f"{command} was accepted, and its button was grey"
        assert decision, "what is accepted leaves a trace"
        for event in decision:
            books.post(event)
            journal.append(encode_line(event, Origin("dora")))
        state = fold(state, decision)
        _check(state, books)
    read = [cast(events.RoundEvent, read_body(line).event) for line in journal]
    assert fold(RoundState(load_game(game)), read) == state
    assert fold(RoundState(), read) == state._replace(rules=None), "folding needs no rules"


@given(game=st.sampled_from(GAMES), seed=SEEDS)
@settings(max_examples=100, deadline=None)
def test_a_round_can_always_be_ended(game: str, seed: int) -> None:
    """From wherever a sequence of commands leads, the shift manager can void, and then nothing is at stake."""
    state = RoundState(load_game(game))
    for before, _, _ in sequence(game, seed, 40):
        state = before
    if state.phase not in (Phase.NO_ROUND, Phase.VOID):
        ended = decide(state, commands.VoidRound(), Staff("shift", Rank.SHIFT_MANAGER), "the end of the test")
        assert not isinstance(ended, Refusal)
        state = fold(state, ended)
        assert state.phase is Phase.VOID
    if state.phase is Phase.VOID:
        assert state.staked_cents == 0


def minimal_report(state: RoundState, kind: Kind, needs: Needs) -> commands.ReportIrregularity:
    """A report that names what it must and nothing else; cards come from the shoe, where it has any."""
    left = Counter({card: state.shoe.left(card) for card in ALL_CARDS} if state.shoe else {})
    cards = tuple(left.elements())[: needs.cards] or ALL_CARDS[: needs.cards]
    about = max(1, state.number - 1) if needs.earlier_round else None
    return commands.ReportIrregularity(kind=kind, cards=cards, about_round=about)


@given(game=st.sampled_from(GAMES), seed=SEEDS)
@settings(max_examples=60, deadline=None)
def test_what_may_be_reported_is_what_is_taken(game: str, seed: int) -> None:
    """For every kind in every state: the refusal that is foretold, or a report with the rank and remedies foretold."""
    for state, _, _ in sequence(game, seed, 80):
        for one in what_to_report(state):
            decided = decide(state, minimal_report(state, one.kind, one.needs))
            if one.refusal:
                assert decided == one.refusal
                continue
            assert not isinstance(decided, Refusal), f"{one.kind} was offered, and refused: {decided}"
            [reported] = decided
            assert isinstance(reported, events.IrregularityReported)
            assert (reported.kind, reported.rank, reported.remedies) == (one.kind, one.rank.tag, one.remedies)
            for fewer in range(one.needs.cards):
                short = replace(minimal_report(state, one.kind, one.needs), cards=ALL_CARDS[:fewer])
                refused = decide(state, short)
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
        decided = decide(one_left, minimal_report(one_left, one.kind, one.needs))
        assert (decided == one.refusal) if one.refusal else not isinstance(decided, Refusal)

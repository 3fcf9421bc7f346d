"""What must hold of every sequence of commands, sensible or not, in every game."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from natural9.core.round import Refusal, RoundState, decide, fold, what_next
from natural9.core.round import commands as c
from natural9.core.round import events as e
from natural9.core.round.decide import _RULES as RULES
from natural9.core.round.refusal import Code
from natural9.core.round.state import CONCLUDED, Phase
from natural9.core.staff import Rank, Staff
from natural9.games import game_ids, load_game
from natural9.table.records import from_record, to_record
from tests.core.commands_at_random import MAKE, next_command

SEEDS = st.integers(0, 2**32)
GAMES = (*game_ids(), *("rws-nc-insurance", "rws-nc") * 3)  # those with the most clauses, more often


class Books:
    """An independent account of the money, kept from the events alone."""

    def __init__(self) -> None:
        self.at_stake: Counter[int] = Counter()  # by seat, in the open round
        self.paid: Counter[int] = Counter()  # by seat, what the settlement in force has returned

    def post(self, event: e.Event) -> None:
        match event:
            case e.BettingOpened():
                self.at_stake.clear()
                self.paid.clear()
            case e.BetPlaced(seat=seat, stake=stake) | e.InsurancePlaced(seat=seat, stake=stake):
                self.at_stake[seat] += stake
            case e.BetIncreased(seat=seat, more=more):
                self.at_stake[seat] += more
            case e.BetTakenBack(seat=seat, amount=amount) | e.BetsCleared(seat=seat, returned=amount):
                self.at_stake[seat] -= amount
            case e.InsuranceReturned(seat=seat, stake=stake):
                self.at_stake[seat] -= stake
            case e.BetsReturned(seat=seat, returned=amount):
                self.at_stake[seat] -= amount
                assert self.at_stake[seat] == 0, "a void returns everything"
            case e.SeatSettled(seat=seat, staked=staked, returned=returned):
                assert staked == self.at_stake[seat]
                lines = (*event.lines, *event.insurance)
                assert returned == sum(line.returned for line in lines) >= 0
                assert all(line.net == line.returned - line.stake for line in lines)
                assert not self.paid[seat], "a seat is paid once"
                self.paid[seat] = returned
            case e.SettlementReversed(seat=seat, returned=returned):
                assert self.paid.pop(seat, 0) == returned
            case e.RoundSettled():
                assert event.staked == event.stakes_returned + event.collected
                assert event.staked == self.at_stake.total()
                assert self.paid.total() == event.stakes_returned + event.winnings
            case e.RoundVoided(returned=returned):
                assert self.at_stake.total() == 0
                assert self.paid.total() == 0
            case _:
                pass
        assert min(self.at_stake.values(), default=0) >= 0, "nothing is ever negative"


def _check(state: RoundState, books: Books) -> None:
    assert state.staked == books.at_stake.total()
    assert {number: seat.staked for number, seat in state.seats.items()} == {
        seat: stake for seat, stake in books.at_stake.items() if stake
    }
    if state.phase in CONCLUDED or state.phase is Phase.COMPLETE:
        assert state.pending is not None or what_next(state).due is None
    if state.shoe:
        assert min(state.shoe.counts) >= 0


def sequence(game: str, seed: int, length: int) -> Iterator[tuple[RoundState, c.Command, Sequence[e.Event] | Refusal]]:
    """Each state, the command given in it, and what was decided."""
    chance = Random(seed)
    state = RoundState(load_game(game))
    for _ in range(length):
        command = next_command(state, chance)
        decision = decide(state, command)
        yield state, command, decision
        if not isinstance(decision, Refusal):
            state = fold(state, decision)


def test_every_command_is_tried() -> None:
    assert set(MAKE) == set(RULES)


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
    assert tags == {key for key, shape in e.EVENTS.items() if shape.__module__ == e.__name__}
    assert codes == set(Code)


@given(game=st.sampled_from(GAMES), seed=SEEDS)
@settings(max_examples=300, deadline=None)
def test_any_sequence_of_commands(game: str, seed: int) -> None:
    """Folding the stored events gives the live state; refusals change nothing; money balances; a void returns all."""
    state = RoundState(load_game(game))
    journal: list[str] = []
    books = Books()
    for before, command, decision in sequence(game, seed, 80):
        assert before == state, "a refused command, or the deciding itself, changed something"
        if isinstance(decision, Refusal):
            assert decision.message
            continue
        assert type(command) in what_next(state).commands, f"{command} was accepted, and its button was grey"
        assert decision, "what is accepted leaves a trace"
        for event in decision:
            books.post(event)
            journal.append(json.dumps(to_record(event)))
        state = fold(state, decision)
        _check(state, books)
    replayed = fold(RoundState(load_game(game)), [from_record(json.loads(line)) for line in journal])
    assert replayed == state


@given(game=st.sampled_from(GAMES), seed=SEEDS)
@settings(max_examples=100, deadline=None)
def test_a_round_can_always_be_ended(game: str, seed: int) -> None:
    """From wherever a sequence of commands leads, the shift manager can void, and then nothing is at stake."""
    state = RoundState(load_game(game))
    for before, _, _ in sequence(game, seed, 40):
        state = before
    if state.phase not in (Phase.NO_ROUND, Phase.VOID):
        ended = decide(state, c.VoidRound(by=Staff("shift", Rank.SHIFT_MANAGER), why="the end of the test"))
        assert not isinstance(ended, Refusal)
        state = fold(state, ended)
        assert state.phase is Phase.VOID
    if state.phase is Phase.VOID:
        assert state.staked == 0

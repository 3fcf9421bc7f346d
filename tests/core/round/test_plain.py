"""The bet and the card that are seen at a glance: `decide` would say the same of each, wherever a round stands."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from natural9.core.cards import ALL_CARDS, Card
from natural9.core.round import Refusal, RoundState, commands, dealing, decide, events
from natural9.core.round.betting import is_plain_bet
from natural9.core.round.dealing import is_plain_card
from natural9.core.round.state import Phase
from natural9.core.table_of_play import Hand
from natural9.games import load_game
from tests.core.commands_at_random import Step, sequence

GAMES = ("rws-nc", "rws-nc-insurance", "mbs-tiger")
SEEDS, LENGTH = range(12), 120


def steps(game: str) -> Iterator[Step]:
    for seed in SEEDS:
        yield from sequence(game, seed, LENGTH)


def cards(step: Step) -> Iterator[events.CardDealt]:
    """The one that is dealt, and others that might be said to be."""
    decided = () if isinstance(step.decision, Refusal) else step.decision
    made_up = events.CardDealt(card="9H", hand=Hand.PLAYER, put_at=Hand.PLAYER, phase=Phase.INITIAL_DEAL, paragraph="")
    dealt = next((event for event in decided if isinstance(event, events.CardDealt)), made_up)
    yield dealt
    yield from (replace(dealt, card=str(card)) for card in ALL_CARDS[::5])
    yield from (replace(dealt, phase=phase) for phase in Phase)
    yield from (replace(dealt, hand=hand, put_at=at) for hand in Hand for at in Hand)
    yield replace(dealt, paragraph="mbs 1.1")
    yield replace(dealt, card=dealt.card.lower())


def is_due(state: RoundState, card: events.CardDealt) -> bool:
    return decide(state, commands.DealCard(card=Card.parse(card.card), put_at=card.put_at)) == (card,)


@pytest.mark.parametrize("game", GAMES)
def test_a_card_that_is_seen_at_a_glance_is_the_one_that_is_due(game: str) -> None:
    plain = 0
    for step in steps(game):
        for card in cards(step):
            if is_plain_card(step.before, card):
                plain += 1
                assert is_due(step.before, card), (step.before, card)
    assert plain > 100, "else it would hold for want of trying"


def test_what_is_known_of_cards_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dealing, "MOST_KNOWN", 3)
    load_game("rws-nc").dealt.clear()
    for step in steps("rws-nc"):
        for card in cards(step):
            if is_plain_card(step.before, card):
                assert is_due(step.before, card)
        assert len(step.before.game.dealt if step.before.rules else ()) <= 3


@pytest.mark.parametrize("game", GAMES)
def test_a_bet_that_is_seen_at_a_glance_is_taken(game: str) -> None:
    plain = 0
    for step in steps(game):
        state = step.before
        for seat in (0, 1, 2, 9, 10**7):
            for wager in ("player", "tie", "tiger", "nonsense"):
                for cents in (-100, 0, 50, 100, 2_500, 10**6, 10**13):
                    if is_plain_bet(state, seat, wager, cents):
                        plain += 1
                        laid = wager in state.seats[seat].bets
                        shape = commands.IncreaseBet if laid else commands.PlaceBet
                        placed = events.BetPlaced(seat=seat, wager=wager, cents=cents)
                        assert decide(state, shape(seat=seat, wager=wager, cents=cents)) == (placed,)
    assert plain > 100, "else it would hold for want of trying"

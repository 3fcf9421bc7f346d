"""The outcome of a finished round and the features that wagers are made of.

Everything a wager may look at is here and nowhere else, so settlement, odds, simulation and the completion solver
cannot disagree about what a pair or a margin is.
"""

from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import cache, lru_cache
from typing import Final, NamedTuple

from natural9.core.cards import RANKS, Rank
from natural9.core.errors import BadInput
from natural9.core.saying import Said, say
from natural9.core.table_of_play import POINTS, banker_draws, next_hand, played_count, player_draws

FeatureValue = str | int | bool


class Winner(StrEnum):
    """Who won."""

    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"

    @property
    def words(self) -> Said:
        """As a sentence names it."""
        return _WINNERS[self]


_WINNERS: Final = {Winner.PLAYER: say("Player"), Winner.BANKER: say("Banker"), Winner.TIE: say("Tie")}


class Outcome(NamedTuple):
    """One class of finished rounds. A pair is two first cards of one rank (mbs 3.7; interpretation `pair-is-rank`).

    >>> Outcome.of("42K953").winner
    <Winner.PLAYER: 'player'>
    """

    player_total: int
    banker_total: int
    player_cards: int
    banker_cards: int
    player_pair: bool
    banker_pair: bool
    same_pair: bool

    @property
    def winner(self) -> Winner:
        """The higher total wins: rws-nc 3.11, rws-nc-insurance 3.8, rws-nc-super-six-plus 3.9, mbs 3.9.
        The same total is a tie: mbs 1.1.16."""
        if self.player_total == self.banker_total:
            return Winner.TIE
        return Winner.PLAYER if self.player_total > self.banker_total else Winner.BANKER

    @property
    def margin(self) -> int:
        """By how many points the winner won."""
        return abs(self.player_total - self.banker_total)

    @property
    def player_natural(self) -> bool:
        """The Player has 8 or 9 with two cards."""
        return self.player_cards == 2 and self.player_total >= 8

    @property
    def banker_natural(self) -> bool:
        """The Banker has 8 or 9 with two cards."""
        return self.banker_cards == 2 and self.banker_total >= 8

    @property
    def natural(self) -> bool:
        """Either hand is a natural."""
        return self.player_natural or self.banker_natural

    @property
    def paired_hands(self) -> int:
        """How many of the two hands begin with a pair."""
        return self.player_pair + self.banker_pair

    @staticmethod
    def of(ranks: Sequence[Rank]) -> "Outcome":
        """The outcome of a whole round, from its ranks in dealt order."""
        outcome = _outcome_or_none(ranks)
        if outcome is None:
            raise _not_a_round(ranks)
        return outcome


def _outcome_or_none(ranks: Sequence[Rank]) -> Outcome | None:
    dealt = len(ranks)
    if not 4 <= dealt <= 6:
        return None
    p1, b1, p2, b2 = ranks[:4]
    player, banker = (POINTS[p1] + POINTS[p2]) % 10, (POINTS[b1] + POINTS[b2]) % 10
    player_cards, banker_cards, next_card, third = 2, 2, 4, None
    final_player, final_banker = player, banker
    if player_draws(player, banker):
        if dealt == 4:
            return None
        third, player_cards, next_card = POINTS[ranks[4]], 3, 5
        final_player = (player + third) % 10
    if banker_draws(player, banker, third):
        if dealt == next_card:
            return None
        final_banker, banker_cards, next_card = (banker + POINTS[ranks[next_card]]) % 10, 3, next_card + 1
    if next_card != dealt:
        return None
    player_pair, banker_pair = p1 == p2, b1 == b2
    same_pair = player_pair and banker_pair and p1 == b1
    return Outcome(final_player, final_banker, player_cards, banker_cards, player_pair, banker_pair, same_pair)


def _not_a_round(ranks: Sequence[Rank]) -> BadInput:
    played, due = played_count(ranks), next_hand(ranks)
    shown = " ".join(ranks) or say("no card")
    if played < len(ranks):
        return BadInput(
            "card-in-excess",
            say(
                "{count} cards ({cards}): by the Table of Play the round ends after {played} of them",
                count=len(ranks),
                cards=shown,
                played=played,
            ),
        )
    assert due is not None, "or it would be a round"
    missing = say(
        "{count} cards ({cards}): by the Table of Play the {hand} hand is due another card",
        count=len(ranks),
        cards=shown,
        hand=due.words,
    )
    return BadInput("card-missing", missing)


# What a pay row may ask of an outcome, with the values that each feature can take.
FEATURES: Final[dict[str, tuple[Callable[[Outcome], FeatureValue], frozenset[FeatureValue]]]] = {
    "winner": (lambda o: o.winner.value, frozenset(winner.value for winner in Winner)),
    "player_total": (lambda o: o.player_total, frozenset(range(10))),
    "banker_total": (lambda o: o.banker_total, frozenset(range(10))),
    "player_cards": (lambda o: o.player_cards, frozenset({2, 3})),
    "banker_cards": (lambda o: o.banker_cards, frozenset({2, 3})),
    "margin": (lambda o: o.margin, frozenset(range(10))),
    "natural": (lambda o: o.natural, frozenset({True, False})),
    "player_natural": (lambda o: o.player_natural, frozenset({True, False})),
    "banker_natural": (lambda o: o.banker_natural, frozenset({True, False})),
    "player_pair": (lambda o: o.player_pair, frozenset({True, False})),
    "banker_pair": (lambda o: o.banker_pair, frozenset({True, False})),
    "paired_hands": (lambda o: o.paired_hands, frozenset({0, 1, 2})),
    "same_pair": (lambda o: o.same_pair, frozenset({True, False})),
}


@cache
def reachable_outcomes() -> frozenset[Outcome]:
    """Every outcome that some deal can have."""
    return completions(())


def completions(ranks: Sequence[Rank]) -> frozenset[Outcome]:
    """Every outcome that a partly dealt round can still have, whatever cards come."""
    return _completions(tuple(ranks))


@lru_cache(maxsize=1024)
def _completions(ranks: tuple[Rank, ...]) -> frozenset[Outcome]:
    players, bankers = _two_card_hands(ranks[0:3:2]), _two_card_hands(ranks[1:4:2])
    starts = {
        (player, banker, p_pair is not None, b_pair is not None, p_pair is not None and p_pair == b_pair)
        for player, p_pair in players
        for banker, b_pair in bankers
    }
    drawn = tuple(POINTS[rank] for rank in ranks[4:])
    return frozenset(
        Outcome(*end, p_pair, b_pair, same)
        for player, banker, p_pair, b_pair, same in starts
        for end in _ends(player, banker, drawn)
    )


def _two_card_hands(known: Sequence[Rank]) -> frozenset[tuple[int, Rank | None]]:
    """Totals of the two-card hands that these cards can become, each with the rank of its pair, if it is one."""
    firsts = known[0] if known else RANKS
    seconds = known[1] if len(known) > 1 else RANKS
    return frozenset(
        ((POINTS[first] + POINTS[second]) % 10, first if first == second else None)
        for first in firsts
        for second in seconds
    )


@cache
def _ends(player: int, banker: int, drawn: tuple[int, ...]) -> frozenset[tuple[int, int, int, int]]:
    """Final totals and numbers of cards from both two-card totals and the points drawn since."""
    if not player_draws(player, banker):
        if not banker_draws(player, banker, None):
            return frozenset({(player, banker, 2, 2)})
        return frozenset((player, (banker + points) % 10, 2, 3) for points in drawn or range(10))
    ends = set()
    for third in drawn[:1] or range(10):
        final = (player + third) % 10
        if banker_draws(player, banker, third):
            ends |= {(final, (banker + points) % 10, 3, 3) for points in drawn[1:] or range(10)}
        else:
            ends.add((final, banker, 3, 2))
    return frozenset(ends)

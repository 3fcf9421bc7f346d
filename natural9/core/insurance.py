"""Baccarat insurance: rws-nc-insurance 3.5, 4.1.2, 4.1.3, 4.1.4.

A bet that the hand one has backed will lose, offered while a draw is still to come. Interpretations:
`insurance-while-a-draw-is-to-come`, `insurance-cap`, `tie-returns` and `squeeze-waives-the-second-window`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from natural9.core.cards import Rank
from natural9.core.money import Odds
from natural9.core.outcome import Outcome, Winner
from natural9.core.saying import Said, say
from natural9.core.staff import Rank as StaffRank
from natural9.core.table_of_play import Hand, next_hand, total
from natural9.core.wagers import Result


class Window(StrEnum):
    """When insurance is offered: after four cards, or after the Player's third."""

    FOUR_CARDS = "four-cards"
    THIRD_CARD = "third-card"

    @property
    def cards(self) -> int:
        """How many cards are on the table when it opens."""
        return 4 if self is Window.FOUR_CARDS else 5

    @property
    def words(self) -> Said:
        """When it opens: after four cards, or after the Player's third."""
        return say("after four cards") if self is Window.FOUR_CARDS else say("after the Player's third card")


@dataclass(frozen=True)
class InsuranceRow:
    """One line of 4.1.2. It wins when the insured hand loses; the starred one (`wins_on_tie`) when the round ties."""

    window: Window
    hand: Hand
    player_totals: tuple[int, ...]
    banker_totals: tuple[int, ...]
    odds: Odds
    wins_on_tie: bool
    paragraph: str
    tie_paragraph: str

    @property
    def wager(self) -> str:
        """Its name on a settlement line."""
        return f"{self.hand}-insurance"

    @property
    def wins_if(self) -> str:
        """When it wins, in words for a screen."""
        return "tie" if self.wins_on_tie else f"{self.hand.other} wins"

    def result(self, outcome: Outcome) -> Result:
        """How it ends with this outcome."""
        return self.result_for(outcome.winner)

    def result_for(self, winner: Winner) -> Result:
        """How it ends when this hand wins, or none: it looks at nothing else."""
        if winner is Winner.TIE:
            return Result.WIN if self.wins_on_tie else Result.PUSH
        hand_lost = winner.value != self.hand.value
        return Result.WIN if hand_lost and not self.wins_on_tie else Result.LOSE

    def net_cents(self, winner: Winner, stake_cents: int) -> int:
        """What a stake on it brings when this hand wins, or none."""
        result = self.result_for(winner)
        return {Result.WIN: self.odds.winnings(stake_cents), Result.PUSH: 0, Result.LOSE: -stake_cents}[result]

    def paragraph_for(self, result: Result) -> str:
        """The paragraph that this result follows from."""
        return self.tie_paragraph if result is Result.PUSH else self.paragraph


@dataclass(frozen=True)
class Insurance:
    """A game's insurance: its rows and the paragraphs of its conditions."""

    rows: tuple[InsuranceRow, ...]
    paragraph: str
    cap_paragraph: str
    who_paragraph: str
    waiver_paragraph: str
    waiver_rank: StaffRank

    def offer(self, window: Window | str, ranks: Sequence[Rank], hand: Hand | str) -> InsuranceRow | None:
        """The row on offer for this hand in this window of a round dealt so far, or further, as in `ranks`."""
        dealt = ranks[: Window(window).cards]
        if not is_window_due(Window(window), dealt):
            return None
        player, banker = total(dealt[0::2]), total(dealt[1:4:2])
        for row in self.rows:
            if (
                row.window == window
                and row.hand == hand
                and player in row.player_totals
                and banker in row.banker_totals
            ):
                return row
        return None

    def offers(self, window: Window, ranks: Sequence[Rank]) -> tuple[InsuranceRow, ...]:
        """The rows on offer in a window after these cards."""
        return tuple(row for hand in Hand if (row := self.offer(window, ranks, hand)))


def is_window_due(window: Window, ranks: Sequence[Rank]) -> bool:
    """Whether, with exactly these cards dealt, this window's draw is still to come (3.5.1)."""
    if len(ranks) != window.cards:
        return False
    if window is Window.FOUR_CARDS:
        return next_hand(ranks) is not None
    return next_hand(ranks[:4]) is Hand.PLAYER and next_hand(ranks) is Hand.BANKER


def room_under_cap(original_cents: int, insured: Sequence[tuple[int, Odds]]) -> Fraction:
    """How much more all this insurance could pay before it passes the original bet (3.5.2), over both windows."""
    return original_cents - sum((stake * odds.ratio for stake, odds in insured), Fraction())

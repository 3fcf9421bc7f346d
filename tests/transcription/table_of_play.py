"""The Table of Play as each of the four documents prints it, and the rounds it allows.

Nothing here may import the implementation: this is the other half of a double-entry check.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

RANKS = "A23456789TJQK"

HandName = Literal["player", "banker"]
Winner = Literal["player", "banker", "tie"]

# ---------------------------------------------------------------------------------------------------------------------
# Card values, per document. rws-nc 3.2.2 leaves the Ten at its face value of ten; only the last digit counts
# (rws-nc 1.16), so its zero in the Table of Play comes out the same. The other three say zero outright.

VALUES_RWS_NC = {
    "A": 1,  # 3.2.1
    "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "T": 10,  # 3.2.2
    "J": 0, "Q": 0, "K": 0,  # 3.2.3
}  # fmt: skip

VALUES_RWS_NC_INSURANCE = {
    "K": 0, "Q": 0, "J": 0, "T": 0,  # 3.8
    "A": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9,
}  # fmt: skip

VALUES_RWS_NC_SUPER_SIX_PLUS = {
    "K": 0, "Q": 0, "J": 0, "T": 0,  # 3.8
    "A": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9,
}  # fmt: skip

VALUES_MBS = {
    "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "A": 1,  # 3.3.1
    "T": 0, "J": 0, "Q": 0, "K": 0,  # 3.3.2
}  # fmt: skip

VALUES = {
    "rws-nc": VALUES_RWS_NC,
    "rws-nc-insurance": VALUES_RWS_NC_INSURANCE,
    "rws-nc-super-six-plus": VALUES_RWS_NC_SUPER_SIX_PLUS,
    "mbs": VALUES_MBS,
}


def total(ranks: Sequence[str], document: str = "mbs") -> int:
    """The last digit of the cards' summed values."""
    return sum(VALUES[document][rank] for rank in ranks) % 10


# ---------------------------------------------------------------------------------------------------------------------
# The Table of Play, per document.


def points(printed: str) -> frozenset[int]:
    """A printed list of points, "0-1-2" or "0, 1, 2", as a set."""
    return frozenset(int(character) for character in printed if character.isdigit())


@dataclass(frozen=True)
class ThirdCardRow:
    """One Banker row: the two columns as printed; None where the document prints no such column."""

    draws: frozenset[int] | None
    does_not_draw: frozenset[int] | None

    def drawing_cards(self) -> frozenset[int]:
        if self.draws is not None:
            return self.draws
        assert self.does_not_draw is not None, "a row prints at least one column"
        return frozenset(range(10)) - self.does_not_draw


@dataclass(frozen=True)
class TableOfPlay:
    player_draws: frozenset[int]
    player_stands: frozenset[int]
    player_natural: frozenset[int]
    banker_by_third_card: dict[int, ThirdCardRow]
    banker_stands: frozenset[int]
    banker_natural: frozenset[int]
    banker_draws: frozenset[int]
    banker_draws_if_player_stands: frozenset[int]
    banker_stands_if_player_stands: frozenset[int] | None


RWS_NC = TableOfPlay(  # 3.10, with 3.9 for a Player who stands
    player_draws=points("0-1-2-3-4-5"),
    player_stands=points("6-7"),
    player_natural=points("8-9"),
    banker_by_third_card={
        3: ThirdCardRow(points("0-1-2-3-4-5-6-7-9"), points("8")),
        4: ThirdCardRow(points("2-3-4-5-6-7"), points("0-1-8-9")),
        5: ThirdCardRow(points("4-5-6-7"), points("0-1-2-3-8-9")),
        6: ThirdCardRow(points("6-7"), points("0-1-2-3-4-5-8-9")),
    },
    banker_stands=points("7"),
    banker_natural=points("8-9"),
    banker_draws=points("0-1-2"),
    banker_draws_if_player_stands=points("0, 1, 2, 3, 4, 5"),
    banker_stands_if_player_stands=points("6, 7, 8, 9"),
)

RWS_NC_INSURANCE = TableOfPlay(  # 3.7, with 3.6 for a Player who stands
    player_draws=points("0-1-2-3-4-5"),
    player_stands=points("6-7"),
    player_natural=points("8-9"),
    banker_by_third_card={
        3: ThirdCardRow(points("0-1-2-3-4-5-6-7-9"), points("8")),
        4: ThirdCardRow(points("2-3-4-5-6-7"), points("0-1-8-9")),
        5: ThirdCardRow(points("4-5-6-7"), points("0-1-2-3-8-9")),
        6: ThirdCardRow(points("6-7"), points("0-1-2-3-4-5-8-9")),
    },
    banker_stands=points("7"),
    banker_natural=points("8-9"),
    banker_draws=points("0-1-2"),
    banker_draws_if_player_stands=points("0, 1, 2, 3, 4, 5"),
    banker_stands_if_player_stands=points("6"),  # 3.6 names only the 6; the 7 stands by its own row in 3.7
)

RWS_NC_SUPER_SIX_PLUS = TableOfPlay(  # 3.6, with 3.5 for a Player who stands
    player_draws=points("0-1-2-3-4-5"),
    player_stands=points("6-7"),
    player_natural=points("8-9"),
    banker_by_third_card={
        3: ThirdCardRow(points("0-1-2-3-4-5-6-7-9"), points("8")),
        4: ThirdCardRow(points("2-3-4-5-6-7"), points("0-1-8-9")),
        5: ThirdCardRow(points("4-5-6-7"), points("0-1-2-3-8-9")),
        6: ThirdCardRow(points("6-7"), points("0-1-2-3-4-5-8-9")),
    },
    banker_stands=points("7"),
    banker_natural=points("8-9"),
    banker_draws=points("0-1-2"),
    banker_draws_if_player_stands=points("0, 1, 2, 3, 4, 5"),
    banker_stands_if_player_stands=points("6, 7, 8, 9"),
)

MBS = TableOfPlay(  # 3.8; it prints one column for each Banker row, and the exception alone for a 3
    player_draws=points("0, 1, 2, 3, 4, 5"),
    player_stands=points("6, 7"),
    player_natural=points("8, 9"),
    banker_by_third_card={
        3: ThirdCardRow(None, points("8")),
        4: ThirdCardRow(points("2, 3, 4, 5, 6, 7"), None),
        5: ThirdCardRow(points("4, 5, 6, 7"), None),
        6: ThirdCardRow(points("6, 7"), None),
    },
    banker_stands=points("7"),
    banker_natural=points("8, 9"),
    banker_draws=points("0, 1, 2"),
    banker_draws_if_player_stands=points("0, 1, 2, 3, 4, 5"),
    banker_stands_if_player_stands=None,
)

TABLES = {
    "rws-nc": RWS_NC,
    "rws-nc-insurance": RWS_NC_INSURANCE,
    "rws-nc-super-six-plus": RWS_NC_SUPER_SIX_PLUS,
    "mbs": MBS,
}


def any_natural(table: TableOfPlay, player: int, banker: int) -> bool:
    return player in table.player_natural or banker in table.banker_natural


def player_takes_third(table: TableOfPlay, player: int, banker: int) -> bool:
    """Whether the Player draws, given both two-card totals."""
    return not any_natural(table, player, banker) and player in table.player_draws


def banker_takes_third(table: TableOfPlay, player: int, banker: int, player_third: int | None) -> bool:
    """Whether the Banker draws, given both two-card totals and the value of the Player's third card, if one came."""
    if any_natural(table, player, banker):
        return False
    if player_third is None:
        return banker in table.banker_draws_if_player_stands
    if banker in table.banker_by_third_card:
        return player_third in table.banker_by_third_card[banker].drawing_cards()
    return banker in table.banker_draws


# ---------------------------------------------------------------------------------------------------------------------
# Rounds. The four tables agree (test_transcription.py says so), so one of them serves.


class Features(NamedTuple):
    """What a settled round amounts to, for every wager of the nine games."""

    player_total: int
    banker_total: int
    player_cards: int
    banker_cards: int
    player_pair: bool
    banker_pair: bool
    same_pair: bool


@dataclass(frozen=True)
class Played:
    """A complete round: the ranks of both hands, in the order each received them."""

    player: tuple[str, ...]
    banker: tuple[str, ...]

    @property
    def player_total(self) -> int:
        return total(self.player)

    @property
    def banker_total(self) -> int:
        return total(self.banker)

    @property
    def winner(self) -> Winner:
        if self.player_total == self.banker_total:
            return "tie"
        return "player" if self.player_total > self.banker_total else "banker"

    @property
    def player_natural(self) -> bool:
        return len(self.player) == 2 and self.player_total in {8, 9}

    @property
    def banker_natural(self) -> bool:
        return len(self.banker) == 2 and self.banker_total in {8, 9}

    @property
    def player_pair(self) -> bool:
        """Reading 1: the same rank, so T-K is none."""
        return self.player[0] == self.player[1]

    @property
    def banker_pair(self) -> bool:
        return self.banker[0] == self.banker[1]

    @property
    def same_pair(self) -> bool:
        return self.player_pair and self.banker_pair and self.player[0] == self.banker[0]

    @property
    def features(self) -> Features:
        return Features(
            self.player_total,
            self.banker_total,
            len(self.player),
            len(self.banker),
            self.player_pair,
            self.banker_pair,
            self.same_pair,
        )


def next_to_draw(ranks: Sequence[str]) -> HandName | None:
    """Whose card comes next after these, or None when the round is complete."""
    if len(ranks) < 4:
        return "player" if len(ranks) % 2 == 0 else "banker"
    player, banker = total((ranks[0], ranks[2])), total((ranks[1], ranks[3]))
    due: list[HandName] = []
    third: int | None = None
    if player_takes_third(RWS_NC, player, banker):
        due.append("player")
        if len(ranks) == 4:
            return "player"
        third = total(ranks[4:5])
    if banker_takes_third(RWS_NC, player, banker, third):
        due.append("banker")
    dealt = len(ranks) - 4
    if dealt > len(due):
        raise ValueError(f"too many cards: {' '.join(ranks)} is complete after {4 + len(due)}")
    return due[dealt] if dealt < len(due) else None


def is_complete(ranks: Sequence[str]) -> bool:
    return next_to_draw(ranks) is None


def play(ranks: Sequence[str]) -> Played:
    """The round dealt as P B P B [P] [B]."""
    hands: dict[HandName, list[str]] = {"player": [], "banker": []}
    for index, rank in enumerate(ranks):
        hand = next_to_draw(ranks[:index])
        if hand is None:
            raise ValueError(f"too many cards: {' '.join(ranks)} is complete after {index}")
        hands[hand].append(rank)
    if not is_complete(ranks):
        raise ValueError(f"incomplete round: {' '.join(ranks)} waits for {next_to_draw(ranks)}")
    return Played(tuple(hands["player"]), tuple(hands["banker"]))

"""The pay tables of the nine games, row by row in the order each document prints them.

Rows are repeated rather than shared: a transcription that factors things out stops being one. A printed row that
covers two wagers (the pairs) is entered once for each. The returns on a tie come from section 3 and follow the table.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Final, Literal, NamedTuple

from tests.transcription.table_of_play import Played

Result = Literal["win", "push", "lose"]
PUSH: Final = "push"


class Row(NamedTuple):
    wager: str
    wording: str
    when: Callable[[Played], bool]
    odds: Fraction | Literal["push"]
    paragraph: str


def to(pays: int | str, stake: int) -> Fraction:
    """The printed "pays to stake"."""
    return Fraction(pays) / stake


# ---------------------------------------------------------------------------------------------------------------------
# What the rows say, as predicates.


def player_wins(round_: Played) -> bool:
    return round_.player_total > round_.banker_total


def banker_wins(round_: Played) -> bool:
    return round_.banker_total > round_.player_total


def tie(round_: Played) -> bool:
    return round_.player_total == round_.banker_total


def banker_wins_on_6(round_: Played) -> bool:
    return banker_wins(round_) and round_.banker_total == 6


def banker_wins_on_another_total(round_: Played) -> bool:
    return banker_wins(round_) and round_.banker_total != 6


def banker_wins_on_6_with_two(round_: Played) -> bool:
    return banker_wins(round_) and round_.banker_total == 6 and len(round_.banker) == 2


def banker_wins_on_6_with_three(round_: Played) -> bool:
    return banker_wins(round_) and round_.banker_total == 6 and len(round_.banker) == 3


def player_pair(round_: Played) -> bool:
    return round_.player[0] == round_.player[1]


def banker_pair(round_: Played) -> bool:
    return round_.banker[0] == round_.banker[1]


def both_six(round_: Played) -> bool:
    return round_.player_total == 6 and round_.banker_total == 6


def exactly_one_pair(round_: Played) -> bool:
    return player_pair(round_) != banker_pair(round_)


def two_pairs_of_different_rank(round_: Played) -> bool:
    return player_pair(round_) and banker_pair(round_) and round_.player[0] != round_.banker[0]


def two_pairs_of_one_rank(round_: Played) -> bool:
    return player_pair(round_) and banker_pair(round_) and round_.player[0] == round_.banker[0]


def natural(cards: tuple[str, ...], points: int) -> bool:
    return len(cards) == 2 and points in {8, 9}


def banker_wins_natural(round_: Played) -> bool:
    return banker_wins(round_) and natural(round_.banker, round_.banker_total)


def player_wins_natural(round_: Played) -> bool:
    return player_wins(round_) and natural(round_.player, round_.player_total)


def natural_tie(round_: Played) -> bool:
    return (
        tie(round_)
        and natural(round_.player, round_.player_total)
        and natural(round_.banker, round_.banker_total)
    )  # fmt: skip


def banker_wins_by(margin: int) -> Callable[[Played], bool]:
    """By exactly that many points, the Banker's hand being no natural."""

    def when(round_: Played) -> bool:
        return round_.banker_total - round_.player_total == margin and not natural(round_.banker, round_.banker_total)

    return when


def player_wins_by(margin: int) -> Callable[[Played], bool]:
    def when(round_: Played) -> bool:
        return round_.player_total - round_.banker_total == margin and not natural(round_.player, round_.player_total)

    return when


# ---------------------------------------------------------------------------------------------------------------------
# Resorts World Sentosa: three documents, one game each.

RWS_NC = (
    Row("banker", "Banker wins with 6", banker_wins_on_6, to(1, 2), "rws-nc 4.1"),
    Row("banker", "Banker wins with anything else", banker_wins_on_another_total, to(1, 1), "rws-nc 4.1"),
    Row("player", "Player wins", player_wins, to(1, 1), "rws-nc 4.1"),
    Row("tie", "hands level", tie, to(8, 1), "rws-nc 4.1"),
    Row("player-pair", "Player's first two pair", player_pair, to(11, 1), "rws-nc 4.1"),
    Row("banker-pair", "Banker's first two pair", banker_pair, to(11, 1), "rws-nc 4.1"),
    Row("player", "tie: stake back", tie, PUSH, "rws-nc 3.12"),
    Row("banker", "tie: stake back", tie, PUSH, "rws-nc 3.12"),
)

RWS_NC_INSURANCE = (
    Row("banker", "Banker wins with 6", banker_wins_on_6, to(1, 2), "rws-nc-insurance 4.1.1"),
    Row("banker", "Banker wins with anything else", banker_wins_on_another_total, to(1, 1), "rws-nc-insurance 4.1.1"),
    Row("player", "Player wins", player_wins, to(1, 1), "rws-nc-insurance 4.1.1"),
    Row("tie", "hands level", tie, to(8, 1), "rws-nc-insurance 4.1.1"),
    Row("player-pair", "Player's first two pair", player_pair, to(11, 1), "rws-nc-insurance 4.1.1"),
    Row("banker-pair", "Banker's first two pair", banker_pair, to(11, 1), "rws-nc-insurance 4.1.1"),
    Row("player", "tie: stake back", tie, PUSH, "rws-nc-insurance 3.9"),
    Row("banker", "tie: stake back", tie, PUSH, "rws-nc-insurance 3.9"),
)

_PLUS = "rws-nc-super-six-plus"
RWS_NC_SUPER_SIX_PLUS = (
    Row("banker", "Banker wins with 6", banker_wins_on_6, to(1, 2), f"{_PLUS} 4.1.1"),
    Row("banker", "Banker wins with anything else", banker_wins_on_another_total, to(1, 1), f"{_PLUS} 4.1.1"),
    Row("player", "Player wins", player_wins, to(1, 1), f"{_PLUS} 4.1.1"),
    Row("tie", "hands level", tie, to(8, 1), f"{_PLUS} 4.1.1"),
    Row("player-pair", "Player's first two pair", player_pair, to(11, 1), f"{_PLUS} 4.1.1"),
    Row("banker-pair", "Banker's first two pair", banker_pair, to(11, 1), f"{_PLUS} 4.1.1"),
    Row("super-six-plus", "Banker's two-card 6 wins", banker_wins_on_6_with_two, to(12, 1), f"{_PLUS} 4.1.1"),
    Row("super-six-plus", "Banker's three-card 6 wins", banker_wins_on_6_with_three, to(20, 1), f"{_PLUS} 4.1.1"),
    Row("player", "tie: stake back", tie, PUSH, f"{_PLUS} 3.10"),
    Row("banker", "tie: stake back", tie, PUSH, f"{_PLUS} 3.10"),
)

# ---------------------------------------------------------------------------------------------------------------------
# Marina Bay Sands: one document; a table for each game, then tables for the wagers that may be added to some.

MBS_4_1 = (  # Super Six No Commission
    Row("player", "Player wins", player_wins, to(1, 1), "mbs 4.1"),
    Row("banker", "Banker wins with 6", banker_wins_on_6, to(1, 2), "mbs 4.1"),
    Row("banker", "Banker wins with anything else", banker_wins_on_another_total, to(1, 1), "mbs 4.1"),
    Row("tie", "hands level", tie, to(8, 1), "mbs 4.1"),
    Row("player-pair", "Player's first two pair", player_pair, to(11, 1), "mbs 4.1"),
    Row("banker-pair", "Banker's first two pair", banker_pair, to(11, 1), "mbs 4.1"),
    Row("super-six", "Banker wins with 6", banker_wins_on_6, to(15, 1), "mbs 4.1"),
)

MBS_4_2 = (  # Fortune Six No Commission
    Row("player", "Player wins", player_wins, to(1, 1), "mbs 4.2"),
    Row("banker", "Banker wins with 6", banker_wins_on_6, to(1, 2), "mbs 4.2"),
    Row("banker", "Banker wins with anything else", banker_wins_on_another_total, to(1, 1), "mbs 4.2"),
    Row("tie", "hands level", tie, to(8, 1), "mbs 4.2"),
    Row("player-pair", "Player's first two pair", player_pair, to(11, 1), "mbs 4.2"),
    Row("banker-pair", "Banker's first two pair", banker_pair, to(11, 1), "mbs 4.2"),
    Row("fortune-six", "Banker's two-card 6 wins", banker_wins_on_6_with_two, to(12, 1), "mbs 4.2"),
    Row("fortune-six", "Banker's three-card 6 wins", banker_wins_on_6_with_three, to(20, 1), "mbs 4.2"),
)

MBS_4_3 = (  # Super 6 No Commission
    Row("player", "Player wins", player_wins, to(1, 1), "mbs 4.3"),
    Row("banker", "Banker wins with 6", banker_wins_on_6, to(1, 2), "mbs 4.3"),
    Row("banker", "Banker wins with anything else", banker_wins_on_another_total, to(1, 1), "mbs 4.3"),
    Row("tie", "hands level", tie, to(8, 1), "mbs 4.3"),
    Row("player-pair", "Player's first two pair", player_pair, to(11, 1), "mbs 4.3"),
    Row("banker-pair", "Banker's first two pair", banker_pair, to(11, 1), "mbs 4.3"),
    Row("super-6", "Banker wins with 6", banker_wins_on_6, to(15, 1), "mbs 4.3"),
)

MBS_4_4 = (  # No Commission
    Row("player", "Player wins", player_wins, to(1, 1), "mbs 4.4"),
    Row("banker", "Banker wins with 6", banker_wins_on_6, to(1, 2), "mbs 4.4"),
    Row("banker", "Banker wins with anything else", banker_wins_on_another_total, to(1, 1), "mbs 4.4"),
    Row("tie", "hands level", tie, to(8, 1), "mbs 4.4"),
    Row("player-pair", "Player's first two pair", player_pair, to(11, 1), "mbs 4.4"),
    Row("banker-pair", "Banker's first two pair", banker_pair, to(11, 1), "mbs 4.4"),
)

MBS_4_5 = (  # Banker Dragon Bonus, on Fortune Six and Super 6
    Row("banker-dragon-bonus", "by 9, no natural", banker_wins_by(9), to(30, 1), "mbs 4.5"),
    Row("banker-dragon-bonus", "by 8, no natural", banker_wins_by(8), to(10, 1), "mbs 4.5"),
    Row("banker-dragon-bonus", "by 7, no natural", banker_wins_by(7), to(6, 1), "mbs 4.5"),
    Row("banker-dragon-bonus", "by 6, no natural", banker_wins_by(6), to(4, 1), "mbs 4.5"),
    Row("banker-dragon-bonus", "by 5, no natural", banker_wins_by(5), to(2, 1), "mbs 4.5"),
    Row("banker-dragon-bonus", "by 4, no natural", banker_wins_by(4), to(1, 1), "mbs 4.5"),
    Row("banker-dragon-bonus", "wins on a natural", banker_wins_natural, to(1, 1), "mbs 4.5"),
    Row("banker-dragon-bonus", "level naturals", natural_tie, PUSH, "mbs 4.5"),
)

MBS_4_6 = (  # Player Dragon Bonus, on Fortune Six and Super 6
    Row("player-dragon-bonus", "by 9, no natural", player_wins_by(9), to(30, 1), "mbs 4.6"),
    Row("player-dragon-bonus", "by 8, no natural", player_wins_by(8), to(10, 1), "mbs 4.6"),
    Row("player-dragon-bonus", "by 7, no natural", player_wins_by(7), to(6, 1), "mbs 4.6"),
    Row("player-dragon-bonus", "by 6, no natural", player_wins_by(6), to(4, 1), "mbs 4.6"),
    Row("player-dragon-bonus", "by 5, no natural", player_wins_by(5), to(2, 1), "mbs 4.6"),
    Row("player-dragon-bonus", "by 4, no natural", player_wins_by(4), to(1, 1), "mbs 4.6"),
    Row("player-dragon-bonus", "wins on a natural", player_wins_natural, to(1, 1), "mbs 4.6"),
    Row("player-dragon-bonus", "level naturals", natural_tie, PUSH, "mbs 4.6"),
)

MBS_4_7 = (  # Tiger: the one game with commission (1.1.3.1)
    Row("player", "Player wins", player_wins, to(1, 1), "mbs 4.7"),
    Row("banker", "Banker wins", banker_wins, to("0.95", 1), "mbs 4.7"),
    Row("tie", "hands level", tie, to(8, 1), "mbs 4.7"),
)

MBS_4_8 = (  # Tiger No Commission
    Row("player", "Player wins", player_wins, to(1, 1), "mbs 4.8"),
    Row("banker", "Banker wins with 6", banker_wins_on_6, to(1, 2), "mbs 4.8"),
    Row("banker", "Banker wins with anything else", banker_wins_on_another_total, to(1, 1), "mbs 4.8"),
    Row("tie", "hands level", tie, to(8, 1), "mbs 4.8"),
)

MBS_4_9 = (  # Tiger Pair, on both Tiger games; reading 2: the best class only
    Row("tiger-pair", "one hand paired", exactly_one_pair, to(4, 1), "mbs 4.9"),
    Row("tiger-pair", "both paired, ranks differ", two_pairs_of_different_rank, to(20, 1), "mbs 4.9"),
    Row("tiger-pair", "both paired, one rank", two_pairs_of_one_rank, to(100, 1), "mbs 4.9"),
)

MBS_4_10 = (  # Tiger wagers, on both Tiger games
    Row("tiger", "Banker's two-card 6 wins", banker_wins_on_6_with_two, to(12, 1), "mbs 4.10"),
    Row("tiger", "Banker's three-card 6 wins", banker_wins_on_6_with_three, to(20, 1), "mbs 4.10"),
    Row("small-tiger", "Banker's two-card 6 wins", banker_wins_on_6_with_two, to(22, 1), "mbs 4.10"),
    Row("big-tiger", "Banker's three-card 6 wins", banker_wins_on_6_with_three, to(50, 1), "mbs 4.10"),
    Row("tiger-tie", "level at 6", both_six, to(35, 1), "mbs 4.10"),
)

MBS_3_9_1 = (
    Row("player", "tie: stake back", tie, PUSH, "mbs 3.9.1"),
    Row("banker", "tie: stake back", tie, PUSH, "mbs 3.9.1"),
)

# ---------------------------------------------------------------------------------------------------------------------
# The nine games.

PAY_TABLES: dict[str, tuple[Row, ...]] = {
    "rws-nc": RWS_NC,
    "rws-nc-insurance": RWS_NC_INSURANCE,
    "rws-nc-super-six-plus": RWS_NC_SUPER_SIX_PLUS,
    "mbs-super-six-nc": MBS_4_1 + MBS_3_9_1,
    "mbs-fortune-six-nc": MBS_4_2 + MBS_4_5 + MBS_4_6 + MBS_3_9_1,
    "mbs-super-6-nc": MBS_4_3 + MBS_4_5 + MBS_4_6 + MBS_3_9_1,
    "mbs-nc": MBS_4_4 + MBS_3_9_1,
    "mbs-tiger": MBS_4_7 + MBS_4_9 + MBS_4_10 + MBS_3_9_1,
    "mbs-tiger-nc": MBS_4_8 + MBS_4_9 + MBS_4_10 + MBS_3_9_1,
}

# What a round can be bet on when bets open. Insurance (rws-nc-insurance 3.5) comes mid-round: insurance_tables.py.
OFFERED: dict[str, tuple[str, ...]] = {
    "rws-nc": ("player", "banker", "tie", "player-pair", "banker-pair"),  # 3.6
    "rws-nc-insurance": ("player", "banker", "tie", "player-pair", "banker-pair"),  # 3.3
    "rws-nc-super-six-plus": ("player", "banker", "tie", "super-six-plus", "player-pair", "banker-pair"),  # 3.3
    "mbs-super-six-nc": ("player", "banker", "tie", "player-pair", "banker-pair", "super-six"),
    "mbs-fortune-six-nc": (
        "player", "banker", "tie", "player-pair", "banker-pair", "fortune-six",
        "banker-dragon-bonus", "player-dragon-bonus",
    ),
    "mbs-super-6-nc": (
        "player", "banker", "tie", "player-pair", "banker-pair", "super-6",
        "banker-dragon-bonus", "player-dragon-bonus",
    ),
    "mbs-nc": ("player", "banker", "tie", "player-pair", "banker-pair"),
    "mbs-tiger": ("player", "banker", "tie", "tiger-pair", "tiger", "small-tiger", "big-tiger", "tiger-tie"),
    "mbs-tiger-nc": ("player", "banker", "tie", "tiger-pair", "tiger", "small-tiger", "big-tiger", "tiger-tie"),
}  # fmt: skip

# What "may be available": mbs 4.5, 4.6, 4.9, 4.10.
OPTIONAL: dict[str, frozenset[str]] = {
    "rws-nc": frozenset(),
    "rws-nc-insurance": frozenset(),
    "rws-nc-super-six-plus": frozenset(),
    "mbs-super-six-nc": frozenset(),
    "mbs-fortune-six-nc": frozenset({"banker-dragon-bonus", "player-dragon-bonus"}),
    "mbs-super-6-nc": frozenset({"banker-dragon-bonus", "player-dragon-bonus"}),
    "mbs-nc": frozenset(),
    "mbs-tiger": frozenset({"tiger-pair", "tiger", "small-tiger", "big-tiger", "tiger-tie"}),
    "mbs-tiger-nc": frozenset({"tiger-pair", "tiger", "small-tiger", "big-tiger", "tiger-tie"}),
}


def matching_rows(game: str, wager: str, played: Played) -> tuple[Row, ...]:
    return tuple(row for row in PAY_TABLES[game] if row.wager == wager and row.when(played))


def expected(game: str, wager: str, played: Played) -> tuple[Result, Fraction | None, str]:
    """How that wager ends: the result, the odds if it wins, the paragraph of its row ("" on a loss)."""
    if wager not in OFFERED[game]:
        raise ValueError(f"{game} has no {wager} wager; it offers {', '.join(OFFERED[game])}")
    rows = matching_rows(game, wager, played)
    assert len(rows) <= 1, f"{game} {wager} {played}: {len(rows)} rows match"
    if not rows:
        return "lose", None, ""
    row = rows[0]
    if row.odds == PUSH:
        return "push", None, row.paragraph
    return "win", row.odds, row.paragraph

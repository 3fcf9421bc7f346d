"""What is left in a table's shoe, from the cards that everybody has seen: for staff who watch a game for counting.

It is counted between rounds. The cards of a round in play are not counted until it is over: one of them may still lie
to be squeezed, and what is left would tell what it is. The order of the shoe is no part of it.
"""

from typing import Final

from natural9.core.cards import ALL_CARDS, RANKS
from natural9.core.round.state import BETWEEN_ROUNDS, RoundState
from natural9.core.shoe import Shoe
from natural9.table.state.state import TableState
from natural9.table.state.view import View

_RANK_OF: Final = tuple(card.rank for card in ALL_CARDS)


class ShoeSeen(View, frozen=True):
    """`left` counts, by rank, the cards that nobody has seen; `face_down` of them were burnt, nobody knows which."""

    table: str
    shoe: int
    decks: int
    round: int  # up to and with this one; 0 before the first of the table
    in_play: bool  # the round after it, whose cards are not counted yet
    left: dict[str, int]
    face_down: int
    waiting: tuple[str, ...]  # drawn and shown already: they come first in the next round


def shoe_seen(state: TableState) -> ShoeSeen | None:
    """None before the first shoe."""
    now = state.round
    in_play = now.phase not in BETWEEN_ROUNDS
    if not in_play and now.new_shoe:
        new = now.new_shoe
        fresh = Shoe.of(decks=new.decks).without([new.burnt] if new.burnt else [])
        return _seen(state, new.number, fresh, face_down=new.face_down, in_play=False)
    if now.shoe is None:
        return None
    return _seen(state, now.shoe_number, _before(now) if in_play else now.shoe, now.burnt_face_down, in_play=in_play)


def _before(now: RoundState) -> Shoe:
    """The shoe as it was when this round opened; cards from a set since replaced were never part of it."""
    assert now.shoe is not None
    return now.shoe.with_back(now.cards[now.from_old_set :])


def _seen(state: TableState, number: int, shoe: Shoe, face_down: int, *, in_play: bool) -> ShoeSeen:
    left = dict.fromkeys(RANKS, 0)
    for rank, count in zip(_RANK_OF, shoe.counts, strict=True):
        left[rank] += count
    return ShoeSeen(
        table=state.table,
        shoe=number,
        decks=shoe.decks,
        round=state.round.number - in_play,
        in_play=in_play,
        left=left,
        face_down=face_down,
        waiting=() if in_play else tuple(map(str, state.round.held)),
    )

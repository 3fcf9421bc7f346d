"""mbs 5.1 to 5.10, 6.1 and 6.3: every kind of irregularity in every situation, for every rank.

Written from the document and the readings; the paragraph stands beside each row. No clause of 5 names a rank: where
something is judged it is the pit supervisor's, all else the dealer does. Nothing of this document reaches back into a
settled round but 6.3.
"""

from typing import Final

import pytest

from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import events
from natural9.core.round.refusal import Code
from natural9.core.staff import Rank
from tests.core.round.clauses import (
    BANKER_BACK,
    BANKER_BACK_BY_CARDS,
    BY_OTHER_CARDS,
    EARLIER_SETTLED_AGAIN,
    EVERY_CELL,
    FIRST_CARD_5,
    FIRST_CARDS_5_2,
    NOT_IN_PLAY,
    OTHER_NEXT_BY_CARDS,
    OTHER_NEXT_STAKED,
    OTHER_SUIT,
    OTHER_THIRD,
    PS,
    RESTORED,
    RESTORED_BY_CARDS,
    SETTLED_AGAIN,
    SM,
    STAKED,
    STANDS,
    VOID_ALREADY,
    Instead,
    Offered,
    Refused,
    Row,
    Rows,
    Way,
    When,
    anything,
    anything_earlier,
    cell_of,
    check_cell,
    nothing,
    plays,
    row,
    situation,
    stands,
    voids,
)

rule = pytest.mark.rule

GAME: Final = "mbs-nc"
DEALER: Final = Rank.DEALER
BEYOND: Final = "interpretation drawn-after-the-last-card"


def _wrong_cards() -> Row:
    """5.1: the current round is void (5.1.1), and all before it stand (5.1.2)."""
    void = Offered(PS, {Remedy.VOID: voids("mbs 5.1.1")}, "mbs 5.1.2")
    too_late = Refused(Code.ROUND_CONCLUDED, "mbs 5.1.2", Instead.OTHER_CARDS)
    return row(betting=void, dealing=void, declared=void, settled=too_late, next_open=NOT_IN_PLAY, void=too_late)


_WRONG_ORDER = Offered(
    PS, {Remedy.RECONSTRUCT: plays("mbs 5.7", events.CardsReconstructed), Remedy.VOID: voids("mbs 5.2")}
)
_IN_ITS_AREA = Offered(DEALER, {Remedy.RECONSTRUCT: plays("mbs 5.7", events.CardsReconstructed)})
_FACE_UP = Offered(DEALER, {Remedy.CONTINUE: plays("mbs 5.6")})
_ESTABLISHED = Offered(PS, {Remedy.CONTINUE: plays("mbs 5.9.2")})
_TERMINALS = Offered(DEALER, {Remedy.CONTINUE: plays("mbs 5.10")})
_LATE = Offered(
    DEALER, {Remedy.REFUSE_BET: Way("mbs 5.5", BANKER_BACK, BANKER_BACK_BY_CARDS, (events.BetVoided,), reason=True)}
)
_WITHDRAWN = Offered(
    DEALER, {Remedy.BET_STANDS: Way("mbs 5.4", RESTORED, RESTORED_BY_CARDS, (events.BetRestored,), reason=True)}
)
_UNKNOWN = Offered(PS, {Remedy.VOID: voids("mbs 5.8.1")})
_KNOWN = plays("mbs 5.8", events.CardsPutInOrder)

ROWS: Final[Rows] = {
    Kind.FOREIGN_CARD: _wrong_cards(),
    Kind.SHORTAGE_OR_EXCESS: _wrong_cards(),
    Kind.UNSHUFFLED_CARDS: _wrong_cards(),
    # A wrong number is an incorrect order: 5.7, or 5.2 where it cannot be reconstructed.
    Kind.WRONG_NUMBER_OF_CARDS: row(
        betting=_WRONG_ORDER,
        dealing=_WRONG_ORDER,
        declared=_WRONG_ORDER,
        settled=Refused(Code.ROUND_CONCLUDED, STANDS, Instead.CORRECT),
        next_open=NOT_IN_PLAY,
        void=Refused(Code.ROUND_CONCLUDED, STANDS, Instead.EXPOSED),
    ),
    # The same of a card too many; beyond the last card of the round it belongs to the next one.
    Kind.EXCESS_OR_EXPOSED: row(
        betting=Offered(
            PS,
            {
                Remedy.RECONSTRUCT: Way("mbs 5.7", STAKED, FIRST_CARD_5, (events.CardsPutInOrder,)),
                Remedy.VOID: voids("mbs 5.2"),
            },
        ),
        dealing=Offered(
            PS, {Remedy.RECONSTRUCT: plays("mbs 5.7", events.CardsPutInOrder), Remedy.VOID: voids("mbs 5.2")}
        ),
        declared=Offered(
            PS,
            {
                Remedy.RECONSTRUCT: plays("mbs 5.7", events.CardsPutInOrder),
                Remedy.DISCARD: plays(BEYOND, events.CardsDiscarded, reason=True),
            },
        ),
        settled=Offered(
            PS,
            {
                Remedy.RECONSTRUCT: stands("mbs 5.7", events.CardsPutInOrder),
                Remedy.DISCARD: stands(BEYOND, events.CardsDiscarded, reason=True),
            },
        ),
        next_open=NOT_IN_PLAY,
        void=Offered(
            PS,
            {
                Remedy.RECONSTRUCT: nothing("mbs 5.7", events.CardsPutInOrder),
                Remedy.DISCARD: nothing(BEYOND, events.CardsDiscarded, reason=True),
            },
        ),
    ),
    # 5.3: only a round that still takes a card can lack one.
    Kind.INSUFFICIENT_CARDS: row(
        betting=Refused(Code.NO_CARD_DUE, "", Instead.CLOSE_FIRST),
        dealing=Offered(PS, {Remedy.VOID: voids("mbs 5.3")}),
        declared=Refused(Code.NO_CARD_DUE, "", Instead.SOMETHING_ELSE),
        settled=Refused(Code.NO_CARD_DUE, "", Instead.OTHER_CARDS),
        next_open=NOT_IN_PLAY,
        void=Refused(Code.ROUND_CONCLUDED, STANDS, Instead.OTHER_CARDS),
    ),
    # 5.7: corrected by reconstruction; there is nothing to judge.
    Kind.WRONG_AREA: row(
        betting=_IN_ITS_AREA,
        dealing=_IN_ITS_AREA,
        declared=_IN_ITS_AREA,
        settled=Refused(Code.ROUND_CONCLUDED, STANDS, Instead.CORRECT),
        next_open=NOT_IN_PLAY,
        void=VOID_ALREADY,
    ),
    # 6.3 names previous rounds: the cards decide, whenever it is found.
    Kind.WRONG_RESULT: row(
        betting=Refused(Code.NOT_COMPLETE, "", Instead.EARLIER_RESULT),
        dealing=Offered(
            PS, {Remedy.SETTLE_BY_CARDS: plays("mbs 6.3", events.CardsCorrected, reason=True, cards=OTHER_SUIT)}
        ),
        declared=Offered(
            PS,
            {
                Remedy.SETTLE_BY_CARDS: Way(
                    "mbs 6.3", STAKED, BY_OTHER_CARDS, (events.CardsCorrected,), True, OTHER_THIRD
                )
            },
        ),
        settled=Offered(
            PS,
            {Remedy.SETTLE_BY_CARDS: Way("mbs 6.3", BY_OTHER_CARDS, BY_OTHER_CARDS, SETTLED_AGAIN, True, OTHER_THIRD)},
        ),
        next_open=Offered(
            SM,
            {
                Remedy.SETTLE_BY_CARDS: Way(
                    "mbs 6.3", OTHER_NEXT_STAKED, OTHER_NEXT_BY_CARDS, EARLIER_SETTLED_AGAIN, True, OTHER_THIRD
                )
            },
        ),
        void=VOID_ALREADY,
    ),
    # 5.8: the order is known, so they are reconstructed, in the next round if this one takes no card.
    Kind.DRAWN_TOGETHER_ORDER_KNOWN: row(
        betting=Offered(
            DEALER, {Remedy.RECONSTRUCT: Way("mbs 5.8", STAKED, FIRST_CARDS_5_2, (events.CardsPutInOrder,))}
        ),
        dealing=Offered(DEALER, {Remedy.RECONSTRUCT: _KNOWN}),
        declared=Offered(DEALER, {Remedy.RECONSTRUCT: _KNOWN}),
        settled=Offered(DEALER, {Remedy.RECONSTRUCT: stands("mbs 5.8", events.CardsPutInOrder)}),
        next_open=NOT_IN_PLAY,
        void=Offered(DEALER, {Remedy.RECONSTRUCT: nothing("mbs 5.8", events.CardsPutInOrder)}),
    ),
    # 5.8.1: it is not, so the round that they were drawn for is void; drawn for the next one they are burnt.
    Kind.DRAWN_TOGETHER_ORDER_UNKNOWN: row(
        betting=_UNKNOWN,
        dealing=_UNKNOWN,
        declared=Offered(PS, {Remedy.DISCARD: plays(BEYOND, events.CardsDiscarded, reason=True)}),
        settled=Offered(PS, {Remedy.DISCARD: stands(BEYOND, events.CardsDiscarded, reason=True)}),
        next_open=NOT_IN_PLAY,
        void=Offered(PS, {Remedy.DISCARD: nothing(BEYOND, events.CardsDiscarded, reason=True)}),
    ),
    # 5.2 and 5.7.
    Kind.ORDER_ALTERED: row(
        betting=_WRONG_ORDER,
        dealing=_WRONG_ORDER,
        declared=_WRONG_ORDER,
        settled=Refused(Code.ROUND_CONCLUDED, STANDS, Instead.OTHER_CARDS),
        next_open=NOT_IN_PLAY,
        void=Refused(Code.ROUND_CONCLUDED, STANDS, Instead.OTHER_CARDS),
    ),
    # 5.6 speaks of what is found after the first card; before it, 6.1. After the round: an exposed card of the next.
    Kind.FACE_UP_IN_SHOE: row(
        betting=anything("mbs 6.1")[When.OPEN],
        dealing=_FACE_UP,
        declared=_FACE_UP,
        settled=Refused(Code.ROUND_CONCLUDED, STANDS, Instead.EXPOSED),
        next_open=NOT_IN_PLAY,
        void=Refused(Code.ROUND_CONCLUDED, STANDS, Instead.EXPOSED),
    ),
    # 5.9: with four cards Player Pair is won or lost, so an outcome is established (5.9.2); before the first none is.
    Kind.TABLE_INTERRUPTION: row(
        betting=Offered(PS, {Remedy.VOID: voids("mbs 5.9.1")}),
        dealing=_ESTABLISHED,
        declared=_ESTABLISHED,
        settled=Refused(Code.ROUND_CONCLUDED, STANDS, Instead.SOMETHING_ELSE),
        next_open=NOT_IN_PLAY,
        void=VOID_ALREADY,
    ),
    # 5.10: accepted bets play, others were never made.
    Kind.TERMINAL_INTERRUPTION: row(
        betting=_TERMINALS,
        dealing=_TERMINALS,
        declared=_TERMINALS,
        settled=Refused(Code.ROUND_CONCLUDED, STANDS, Instead.RULE),
        next_open=NOT_IN_PLAY,
        void=VOID_ALREADY,
    ),
    # 5.5: none may be placed or increased.
    Kind.LATE_BET: row(
        betting=Refused(Code.BETTING_STILL_OPEN, "", Instead.TAKE_BACK),
        dealing=_LATE,
        declared=_LATE,
        settled=Refused(Code.ROUND_CONCLUDED, STANDS, Instead.RULE),
        next_open=NOT_IN_PLAY,
        void=VOID_ALREADY,
    ),
    # 5.4: none may be withdrawn.
    Kind.WITHDRAWN_BET: row(
        betting=Refused(Code.BETTING_STILL_OPEN, "", Instead.BET_AGAIN),
        dealing=_WITHDRAWN,
        declared=_WITHDRAWN,
        settled=Refused(Code.ROUND_CONCLUDED, STANDS, Instead.SOMETHING_ELSE),
        next_open=NOT_IN_PLAY,
        void=VOID_ALREADY,
    ),
    # 6.1: the Gaming Shift Manager.
    Kind.FOUND_LATER: anything_earlier("mbs 6.1"),
    Kind.NOT_COVERED: anything("mbs 6.1"),
}


@rule(
    "mbs 5.1",
    "mbs 5.1.1",
    "mbs 5.1.2",
    "mbs 5.2",
    "mbs 5.3",
    "mbs 5.4",
    "mbs 5.5",
    "mbs 5.6",
    "mbs 5.7",
    "mbs 5.8",
    "mbs 5.8.1",
    "mbs 5.9.1",
    "mbs 5.9.2",
    "mbs 5.10",
    "mbs 6.1",
    "mbs 6.2",
    "mbs 6.3",
)
@pytest.mark.parametrize(("kind", "when"), EVERY_CELL)
def test_what_is_offered_to_whom_what_it_does_to_the_money_and_what_is_recorded(kind: Kind, when: When) -> None:
    check_cell(situation(GAME, when), kind, when, cell_of(ROWS, kind, when))

"""rws-nc 3.7 and 5.1 to 5.12: every kind of irregularity in every situation, for every rank.

Written from the document and the readings; the paragraph stands beside each row.
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
    RETURNED,
    REVERSED_AND_VOIDED,
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
    cell_of,
    check_cell,
    later,
    nothing,
    plays,
    row,
    situation,
    stands,
    voids,
)

rule = pytest.mark.rule

GAME: Final = "rws-nc"
DEALER: Final = Rank.DEALER


def _wrong_cards(paragraph: str) -> Row:
    """5.3: the current round is void, and all before it stand; the void is judged, so not by the dealer."""
    void = Offered(PS, {Remedy.VOID: voids(paragraph)}, "rws-nc 5.3")
    too_late = Refused(Code.ROUND_CONCLUDED, "rws-nc 5.3", Instead.OTHER_CARDS)
    return row(betting=void, dealing=void, declared=void, settled=too_late, next_open=NOT_IN_PLAY, void=too_late)


_WRONG_NUMBER = Offered(
    PS,
    {Remedy.RECONSTRUCT: plays("rws-nc 5.4", events.CardsReconstructed), Remedy.VOID: voids("rws-nc 5.3.3")},
    "rws-nc 5.3",
)
_SHORT = Offered(PS, {Remedy.VOID: voids("rws-nc 5.3.4")}, "rws-nc 5.3")
_IN_ITS_AREA = Offered(DEALER, {Remedy.RECONSTRUCT: plays("rws-nc 5.5", events.CardsReconstructed)})
_FACE_UP = Offered(PS, {Remedy.CONTINUE: plays("rws-nc 5.4")})
_ESTABLISHED = Offered(PS, {Remedy.CONTINUE: plays("rws-nc 5.1.1")})
_TERMINALS = Offered(DEALER, {Remedy.CONTINUE: plays("rws-nc 5.2")})
_LATE = Offered(
    DEALER,
    {Remedy.REFUSE_BET: Way("rws-nc 3.7", BANKER_BACK, BANKER_BACK_BY_CARDS, (events.BetVoided,), reason=True)},
)
_WITHDRAWN = Offered(
    DEALER,
    {Remedy.BET_STANDS: Way("rws-nc 5.9", RESTORED, RESTORED_BY_CARDS, (events.BetRestored,), reason=True)},
)
_NO_EFFECT = Offered(PS, {Remedy.NO_EFFECT: plays("rws-nc 5.8")})


def _put(now: tuple[int, int], end: tuple[int, int], paragraph: str = "rws-nc 5.4", cards: str = "") -> Way:
    return Way(paragraph, now, end, (events.CardsPutInOrder,), cards=cards)


_SHIFT_MANAGER = anything("rws-nc 5.12")

ROWS: Final[Rows] = {
    Kind.FOREIGN_CARD: _wrong_cards("rws-nc 5.3.1"),
    Kind.SHORTAGE_OR_EXCESS: _wrong_cards("rws-nc 5.3.2"),
    Kind.UNSHUFFLED_CARDS: _wrong_cards("rws-nc 5.3.5"),
    # 5.3.3: noticed before the next round commences it reaches back into a settled one. 5.4: the House judges.
    Kind.WRONG_NUMBER_OF_CARDS: row(
        betting=_WRONG_NUMBER,
        dealing=_WRONG_NUMBER,
        declared=_WRONG_NUMBER,
        settled=Offered(
            PS, {Remedy.VOID: Way("rws-nc 5.3.3", RETURNED, RETURNED, REVERSED_AND_VOIDED, True)}, "rws-nc 5.3"
        ),
        next_open=NOT_IN_PLAY,
        void=Refused(Code.ROUND_CONCLUDED, "rws-nc 5.3", Instead.EXPOSED),
    ),
    # 5.3.4: only a round that still takes a card can lack one.
    Kind.INSUFFICIENT_CARDS: row(
        betting=Refused(Code.NO_CARD_DUE, "", Instead.CLOSE_FIRST),
        dealing=_SHORT,
        declared=Refused(Code.NO_CARD_DUE, "", Instead.SOMETHING_ELSE),
        settled=Refused(Code.NO_CARD_DUE, "", Instead.OTHER_CARDS),
        next_open=NOT_IN_PLAY,
        void=Refused(Code.ROUND_CONCLUDED, "rws-nc 5.3", Instead.OTHER_CARDS),
    ),
    # 5.4: reconstructed, or used in the next round; beyond the last card it belongs to that one.
    Kind.EXCESS_OR_EXPOSED: row(
        betting=Offered(PS, {Remedy.RECONSTRUCT: _put(STAKED, FIRST_CARD_5), Remedy.VOID: voids("rws-nc 5.3.3")}),
        dealing=Offered(
            PS, {Remedy.RECONSTRUCT: plays("rws-nc 5.4", events.CardsPutInOrder), Remedy.VOID: voids("rws-nc 5.3.3")}
        ),
        declared=Offered(
            PS,
            {
                Remedy.USE_IN_NEXT_ROUND: plays("rws-nc 5.4", events.CardsPutInOrder),
                Remedy.DISCARD: plays("rws-nc 5.4", events.CardsDiscarded, reason=True),
            },
        ),
        settled=Offered(
            PS,
            {
                Remedy.USE_IN_NEXT_ROUND: stands("rws-nc 5.4", events.CardsPutInOrder),
                Remedy.DISCARD: stands("rws-nc 5.4", events.CardsDiscarded, reason=True),
            },
        ),
        next_open=NOT_IN_PLAY,
        void=Offered(
            PS,
            {
                Remedy.USE_IN_NEXT_ROUND: nothing("rws-nc 5.4", events.CardsPutInOrder),
                Remedy.DISCARD: nothing("rws-nc 5.4", events.CardsDiscarded, reason=True),
            },
        ),
    ),
    # 5.5: reconstructed before play continues; there is nothing to judge.
    Kind.WRONG_AREA: row(
        betting=_IN_ITS_AREA,
        dealing=_IN_ITS_AREA,
        declared=_IN_ITS_AREA,
        settled=Refused(Code.ROUND_CONCLUDED, STANDS, Instead.CORRECT),
        next_open=NOT_IN_PLAY,
        void=VOID_ALREADY,
    ),
    # 5.6 and found late: the cards decide, whenever it is found.
    Kind.WRONG_RESULT: row(
        betting=Refused(Code.NOT_COMPLETE, "", Instead.EARLIER_RESULT),
        dealing=Offered(
            PS,
            {Remedy.SETTLE_BY_CARDS: plays("rws-nc 5.6", events.CardsCorrected, reason=True, cards=OTHER_SUIT)},
        ),
        declared=Offered(
            PS,
            {
                Remedy.SETTLE_BY_CARDS: Way(
                    "rws-nc 5.6", STAKED, BY_OTHER_CARDS, (events.CardsCorrected,), True, OTHER_THIRD
                )
            },
        ),
        settled=Offered(
            PS,
            {
                Remedy.SETTLE_BY_CARDS: Way(
                    "rws-nc 5.6", BY_OTHER_CARDS, BY_OTHER_CARDS, SETTLED_AGAIN, True, OTHER_THIRD
                )
            },
        ),
        next_open=Offered(
            SM,
            {
                Remedy.SETTLE_BY_CARDS: Way(
                    "rws-nc 5.6", OTHER_NEXT_STAKED, OTHER_NEXT_BY_CARDS, EARLIER_SETTLED_AGAIN, True, OTHER_THIRD
                )
            },
        ),
        void=VOID_ALREADY,
    ),
    # 5.4 again: the order is known.
    Kind.DRAWN_TOGETHER_ORDER_KNOWN: row(
        betting=Offered(PS, {Remedy.RECONSTRUCT: _put(STAKED, FIRST_CARDS_5_2)}),
        dealing=Offered(PS, {Remedy.RECONSTRUCT: plays("rws-nc 5.4", events.CardsPutInOrder)}),
        declared=Offered(
            PS,
            {
                Remedy.RECONSTRUCT: plays("rws-nc 5.4", events.CardsPutInOrder),
                Remedy.DISCARD: plays("rws-nc 5.4", events.CardsDiscarded, reason=True),
            },
        ),
        settled=Offered(
            PS,
            {
                Remedy.RECONSTRUCT: stands("rws-nc 5.4", events.CardsPutInOrder),
                Remedy.DISCARD: stands("rws-nc 5.4", events.CardsDiscarded, reason=True),
            },
        ),
        next_open=NOT_IN_PLAY,
        void=Offered(
            PS,
            {
                Remedy.RECONSTRUCT: nothing("rws-nc 5.4", events.CardsPutInOrder),
                Remedy.DISCARD: nothing("rws-nc 5.4", events.CardsDiscarded, reason=True),
            },
        ),
    ),
    # 5.7: the pit supervisor or above decides which came first. The cards were named 2D 5H, the decision is 5H 2D.
    Kind.DRAWN_TOGETHER_ORDER_UNKNOWN: row(
        betting=Offered(PS, {Remedy.DECIDE_ORDER: _put(STAKED, FIRST_CARDS_5_2, "rws-nc 5.7", "5H 2D")}),
        dealing=Offered(PS, {Remedy.DECIDE_ORDER: plays("rws-nc 5.7", events.CardsPutInOrder, cards="5H 2D")}),
        declared=Offered(
            PS,
            {
                Remedy.DECIDE_ORDER: plays("rws-nc 5.7", events.CardsPutInOrder, cards="5H 2D"),
                Remedy.DISCARD: plays("rws-nc 5.4", events.CardsDiscarded, reason=True),
            },
        ),
        settled=Offered(
            PS,
            {
                Remedy.DECIDE_ORDER: stands("rws-nc 5.7", events.CardsPutInOrder, cards="5H 2D"),
                Remedy.DISCARD: stands("rws-nc 5.4", events.CardsDiscarded, reason=True),
            },
        ),
        next_open=NOT_IN_PLAY,
        void=Offered(
            PS,
            {
                Remedy.DECIDE_ORDER: nothing("rws-nc 5.7", events.CardsPutInOrder, cards="5H 2D"),
                Remedy.DISCARD: nothing("rws-nc 5.4", events.CardsDiscarded, reason=True),
            },
        ),
    ),
    # Face up is exposed: 5.4. After the round it is an exposed card of the next one.
    Kind.FACE_UP_IN_SHOE: row(
        betting=_FACE_UP,
        dealing=_FACE_UP,
        declared=_FACE_UP,
        settled=Refused(Code.ROUND_CONCLUDED, STANDS, Instead.EXPOSED),
        next_open=NOT_IN_PLAY,
        void=Refused(Code.ROUND_CONCLUDED, STANDS, Instead.EXPOSED),
    ),
    # 5.1: with four cards Player Pair is won or lost, so an outcome is established (5.1.1); before the first none is.
    Kind.TABLE_INTERRUPTION: row(
        betting=Offered(PS, {Remedy.VOID: voids("rws-nc 5.1.2")}),
        dealing=_ESTABLISHED,
        declared=_ESTABLISHED,
        settled=Refused(Code.ROUND_CONCLUDED, STANDS, Instead.SOMETHING_ELSE),
        next_open=NOT_IN_PLAY,
        void=VOID_ALREADY,
    ),
    # 5.2: registered bets play, others were never made.
    Kind.TERMINAL_INTERRUPTION: row(
        betting=_TERMINALS,
        dealing=_TERMINALS,
        declared=_TERMINALS,
        settled=Refused(Code.ROUND_CONCLUDED, STANDS, Instead.RULE),
        next_open=NOT_IN_PLAY,
        void=VOID_ALREADY,
    ),
    # 3.7: no more bets after the call. The bet goes back; once it is settled only a ruling reaches it.
    Kind.LATE_BET: row(
        betting=Refused(Code.BETTING_STILL_OPEN, "", Instead.TAKE_BACK),
        dealing=_LATE,
        declared=_LATE,
        settled=Refused(Code.ROUND_CONCLUDED, STANDS, Instead.RULE),
        next_open=NOT_IN_PLAY,
        void=VOID_ALREADY,
    ),
    # 5.9: bets are settled as they lay when the bets were closed.
    Kind.WITHDRAWN_BET: row(
        betting=Refused(Code.BETTING_STILL_OPEN, "", Instead.BET_AGAIN),
        dealing=_WITHDRAWN,
        declared=_WITHDRAWN,
        settled=Refused(Code.ROUND_CONCLUDED, STANDS, Instead.SOMETHING_ELSE),
        next_open=NOT_IN_PLAY,
        void=VOID_ALREADY,
    ),
    # 5.8: no effect on the rounds after it.
    Kind.FOUND_LATER: row(
        betting=_NO_EFFECT,
        dealing=_NO_EFFECT,
        declared=_NO_EFFECT,
        settled=Offered(PS, {Remedy.NO_EFFECT: stands("rws-nc 5.8")}),
        next_open=Offered(PS, {Remedy.NO_EFFECT: later("rws-nc 5.8")}),
        void=Offered(PS, {Remedy.NO_EFFECT: nothing("rws-nc 5.8")}),
    ),
    # 5.12: the shift manager or above, and nothing is void that is settled.
    Kind.ORDER_ALTERED: _SHIFT_MANAGER,
    Kind.NOT_COVERED: _SHIFT_MANAGER,
}


@rule(
    "rws-nc 1.12",
    "rws-nc 3.7",
    "rws-nc 5.1.1",
    "rws-nc 5.1.2",
    "rws-nc 5.2",
    "rws-nc 5.3",
    "rws-nc 5.3.1",
    "rws-nc 5.3.2",
    "rws-nc 5.3.3",
    "rws-nc 5.3.4",
    "rws-nc 5.3.5",
    "rws-nc 5.4",
    "rws-nc 5.5",
    "rws-nc 5.6",
    "rws-nc 5.7",
    "rws-nc 5.8",
    "rws-nc 5.9",
    "rws-nc 5.11",
    "rws-nc 5.12",
)
@pytest.mark.parametrize(("kind", "when"), EVERY_CELL)
def test_what_is_offered_to_whom_what_it_does_to_the_money_and_what_is_recorded(kind: Kind, when: When) -> None:
    check_cell(situation(GAME, when), kind, when, cell_of(ROWS, kind, when))

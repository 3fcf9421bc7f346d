"""rws-nc-super-six-plus 3.2 and 5.1: every kind of irregularity in every situation, for every rank.

Written from the document and the readings; the paragraph stands beside each row. What the document is silent on goes to
the shift manager.
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
    EVERY_CELL,
    FIRST_CARD_5,
    FIRST_CARDS_5_2,
    NOT_IN_PLAY,
    PS,
    RESTORED,
    RESTORED_BY_CARDS,
    RETURNED,
    REVERSED_AND_VOIDED,
    STANDS,
    VOID_ALREADY,
    Instead,
    Offered,
    Refused,
    Row,
    Rows,
    Way,
    When,
    any_result,
    anything,
    anything_drawn,
    anything_earlier,
    cell_of,
    check_cell,
    plays,
    row,
    situation,
    voids,
)

rule = pytest.mark.rule

GAME: Final = "rws-nc-super-six-plus"
SILENT: Final = "interpretation shift-manager-where-silent"


def _wrong_cards(paragraph: str) -> Row:
    """5.1: the round is void, and all before it stand; the void is judged, so not by the dealer."""
    void = Offered(PS, {Remedy.VOID: voids(paragraph)}, "rws-nc-super-six-plus 5.1")
    too_late = Refused(Code.ROUND_CONCLUDED, "rws-nc-super-six-plus 5.1", Instead.OTHER_CARDS)
    return row(betting=void, dealing=void, declared=void, settled=too_late, next_open=NOT_IN_PLAY, void=too_late)


_WRONG_NUMBER = Offered(
    PS,
    {
        Remedy.RECONSTRUCT: plays("rws-nc-super-six-plus 5.1.3", events.CardsReconstructed),
        Remedy.VOID: voids("rws-nc-super-six-plus 5.1.3"),
    },
    "rws-nc-super-six-plus 5.1",
)
_LATE = Offered(
    Rank.DEALER,
    {
        Remedy.REFUSE_BET: Way(
            "rws-nc-super-six-plus 3.2", BANKER_BACK, BANKER_BACK_BY_CARDS, (events.BetVoided,), reason=True
        )
    },
)
_WITHDRAWN = Offered(
    Rank.DEALER,
    {
        Remedy.BET_STANDS: Way(
            "interpretation withdrawn-bet-stands", RESTORED, RESTORED_BY_CARDS, (events.BetRestored,), reason=True
        )
    },
)

ROWS: Final[Rows] = {
    Kind.FOREIGN_CARD: _wrong_cards("rws-nc-super-six-plus 5.1.1"),
    Kind.SHORTAGE_OR_EXCESS: _wrong_cards("rws-nc-super-six-plus 5.1.2"),
    # 5.1.3: noticed before the next round commences it reaches back into a settled one.
    Kind.WRONG_NUMBER_OF_CARDS: row(
        betting=_WRONG_NUMBER,
        dealing=_WRONG_NUMBER,
        declared=_WRONG_NUMBER,
        settled=Offered(
            PS,
            {Remedy.VOID: Way("rws-nc-super-six-plus 5.1.3", RETURNED, RETURNED, REVERSED_AND_VOIDED, True)},
            "rws-nc-super-six-plus 5.1",
        ),
        next_open=NOT_IN_PLAY,
        void=Refused(Code.ROUND_CONCLUDED, "rws-nc-super-six-plus 5.1", Instead.EXPOSED),
    ),
    # 5.1.4: only a round that still takes a card can lack one.
    Kind.INSUFFICIENT_CARDS: row(
        betting=Refused(Code.NO_CARD_DUE, "", Instead.CLOSE_FIRST),
        dealing=Offered(PS, {Remedy.VOID: voids("rws-nc-super-six-plus 5.1.4")}, "rws-nc-super-six-plus 5.1"),
        declared=Refused(Code.NO_CARD_DUE, "", Instead.SOMETHING_ELSE),
        settled=Refused(Code.NO_CARD_DUE, "", Instead.OTHER_CARDS),
        next_open=NOT_IN_PLAY,
        void=Refused(Code.ROUND_CONCLUDED, "rws-nc-super-six-plus 5.1", Instead.OTHER_CARDS),
    ),
    # 3.2: no more bets after the call.
    Kind.LATE_BET: row(
        betting=Refused(Code.BETTING_STILL_OPEN, "", Instead.TAKE_BACK),
        dealing=_LATE,
        declared=_LATE,
        settled=Refused(Code.ROUND_CONCLUDED, STANDS, Instead.RULE),
        next_open=NOT_IN_PLAY,
        void=VOID_ALREADY,
    ),
    Kind.WITHDRAWN_BET: row(
        betting=Refused(Code.BETTING_STILL_OPEN, "", Instead.BET_AGAIN),
        dealing=_WITHDRAWN,
        declared=_WITHDRAWN,
        settled=Refused(Code.ROUND_CONCLUDED, STANDS, Instead.SOMETHING_ELSE),
        next_open=NOT_IN_PLAY,
        void=VOID_ALREADY,
    ),
    # The document says nothing of what follows.
    Kind.UNSHUFFLED_CARDS: anything(SILENT),
    Kind.EXCESS_OR_EXPOSED: anything_drawn(SILENT, "", FIRST_CARD_5),
    Kind.WRONG_AREA: anything(SILENT),
    Kind.WRONG_RESULT: any_result(SILENT),
    Kind.DRAWN_TOGETHER_ORDER_KNOWN: anything_drawn(SILENT, "", FIRST_CARDS_5_2),
    Kind.DRAWN_TOGETHER_ORDER_UNKNOWN: anything_drawn(SILENT, "5H 2D", FIRST_CARDS_5_2),
    Kind.ORDER_ALTERED: anything(SILENT),
    Kind.FACE_UP_IN_SHOE: anything(SILENT),
    Kind.TABLE_INTERRUPTION: anything(SILENT),
    Kind.TERMINAL_INTERRUPTION: anything(SILENT),
    Kind.FOUND_LATER: anything_earlier(SILENT),
    Kind.NOT_COVERED: anything(SILENT),
}


@rule(
    "rws-nc-super-six-plus 3.2",
    "rws-nc-super-six-plus 5.1",
    "rws-nc-super-six-plus 5.1.1",
    "rws-nc-super-six-plus 5.1.2",
    "rws-nc-super-six-plus 5.1.3",
    "rws-nc-super-six-plus 5.1.4",
    "rws-nc-super-six-plus 1:void",
    "rws-nc-super-six-plus 1:reconstruction",
)
@pytest.mark.parametrize(("kind", "when"), EVERY_CELL)
def test_what_is_offered_to_whom_what_it_does_to_the_money_and_what_is_recorded(kind: Kind, when: When) -> None:
    check_cell(situation(GAME, when), kind, when, cell_of(ROWS, kind, when))

"""rws-nc-insurance 5.1 to 5.3: every kind of irregularity in every situation, for every rank.

Written from the document and the readings; the paragraph stands beside each row. What the document is silent on goes to
the shift manager. Once four cards lie, seat 2 has insured the Banker's 7 with 50.00 at 4 to 1.
"""

from typing import Final

import pytest

from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import events
from natural9.core.round.refusal import Code
from natural9.core.staff import Rank
from tests.core.round.clauses import (
    EVERY_CELL,
    FIRST_CARD_5,
    FIRST_CARDS_5_2,
    NOT_IN_PLAY,
    PS,
    RETURNED,
    REVERSED_AND_VOIDED,
    STANDS,
    VOID_ALREADY,
    Instead,
    Offered,
    Refused,
    Rows,
    Sums,
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

GAME: Final = "rws-nc-insurance"
SILENT: Final = "interpretation shift-manager-where-silent"

STAKED: Final = (-10_500, -25_000)
BY_CARDS: Final = (9_500, 0)  # the Banker loses 200.00, and the insurance wins 200.00
BY_OTHER_CARDS: Final = (-10_500, 15_000)  # the Banker wins 200.00, and the insurance loses 50.00
SUMS: Final = Sums(
    in_play=(STAKED, BY_CARDS),
    settled=BY_CARDS,
    other=BY_OTHER_CARDS,
    next_open=((-1_000, -20_000), (19_000, -20_000)),  # nobody insures in round 3
    other_next=((-21_000, -5_000), (-1_000, -5_000)),
)

_FOREIGN = Offered(PS, {Remedy.VOID: voids("rws-nc-insurance 5.1.1")}, "rws-nc-insurance 5.1.1")
_FOREIGN_TOO_LATE = Refused(Code.ROUND_CONCLUDED, "rws-nc-insurance 5.1.1", Instead.OTHER_CARDS)
_WRONG_NUMBER = Offered(
    PS,
    {
        Remedy.RECONSTRUCT: Way("rws-nc-insurance 5.1.2", STAKED, BY_CARDS, (events.CardsReconstructed,)),
        Remedy.VOID: voids("rws-nc-insurance 5.1.2"),
    },
)
# The insurance would pay 200.00, and nothing is left of the bet that it insures: it goes back as well.
_LATE = Offered(
    Rank.DEALER,
    {
        Remedy.REFUSE_BET: Way(
            "rws-nc-insurance 5.2",
            (-10_500, 0),
            (9_500, 0),
            (events.BetVoided, events.InsuranceReturned),
            reason=True,
        )
    },
)
# 300.00 on Banker lose, and the insurance wins 200.00.
_WITHDRAWN = Offered(
    Rank.DEALER,
    {
        Remedy.BET_STANDS: Way(
            "rws-nc-insurance 5.3", (-10_500, -35_000), (9_500, -10_000), (events.BetRestored,), reason=True
        )
    },
)

ROWS: Final[Rows] = {
    # 5.1.1: found in the progress of a game; those before stand.
    Kind.FOREIGN_CARD: row(
        betting=_FOREIGN,
        dealing=_FOREIGN,
        declared=_FOREIGN,
        settled=_FOREIGN_TOO_LATE,
        next_open=NOT_IN_PLAY,
        void=_FOREIGN_TOO_LATE,
    ),
    # 5.1.2: noticed before the next game it reaches back into a settled one.
    Kind.WRONG_NUMBER_OF_CARDS: row(
        betting=Offered(
            PS,
            {
                Remedy.RECONSTRUCT: plays("rws-nc-insurance 5.1.2", events.CardsReconstructed),
                Remedy.VOID: voids("rws-nc-insurance 5.1.2"),
            },
        ),
        dealing=_WRONG_NUMBER,
        declared=_WRONG_NUMBER,
        settled=Offered(
            PS, {Remedy.VOID: Way("rws-nc-insurance 5.1.2", RETURNED, RETURNED, REVERSED_AND_VOIDED, True)}
        ),
        next_open=NOT_IN_PLAY,
        void=Refused(Code.ROUND_CONCLUDED, STANDS, Instead.EXPOSED),
    ),
    # 5.1.3: only a round that still takes a card can lack one.
    Kind.INSUFFICIENT_CARDS: row(
        betting=Refused(Code.NO_CARD_DUE, "", Instead.CLOSE_FIRST),
        dealing=Offered(PS, {Remedy.VOID: voids("rws-nc-insurance 5.1.3")}),
        declared=Refused(Code.NO_CARD_DUE, "", Instead.SOMETHING_ELSE),
        settled=Refused(Code.NO_CARD_DUE, "", Instead.OTHER_CARDS),
        next_open=NOT_IN_PLAY,
        void=Refused(Code.ROUND_CONCLUDED, STANDS, Instead.OTHER_CARDS),
    ),
    # 5.2: not honoured.
    Kind.LATE_BET: row(
        betting=Refused(Code.BETTING_STILL_OPEN, "", Instead.TAKE_BACK),
        dealing=_LATE,
        declared=_LATE,
        settled=Refused(Code.ROUND_CONCLUDED, STANDS, Instead.RULE),
        next_open=NOT_IN_PLAY,
        void=VOID_ALREADY,
    ),
    # 5.3: won or lost by the result.
    Kind.WITHDRAWN_BET: row(
        betting=Refused(Code.BETTING_STILL_OPEN, "", Instead.BET_AGAIN),
        dealing=_WITHDRAWN,
        declared=_WITHDRAWN,
        settled=Refused(Code.ROUND_CONCLUDED, STANDS, Instead.SOMETHING_ELSE),
        next_open=NOT_IN_PLAY,
        void=VOID_ALREADY,
    ),
    # The document says nothing of what follows. A card that lies exposed ends the window that stands before it.
    Kind.SHORTAGE_OR_EXCESS: anything(SILENT, SUMS),
    Kind.UNSHUFFLED_CARDS: anything(SILENT, SUMS),
    Kind.EXCESS_OR_EXPOSED: anything_drawn(SILENT, "", FIRST_CARD_5, SUMS, events.InsuranceSkipped),
    Kind.WRONG_AREA: anything(SILENT, SUMS),
    Kind.WRONG_RESULT: any_result(SILENT, SUMS),
    Kind.DRAWN_TOGETHER_ORDER_KNOWN: anything_drawn(SILENT, "", FIRST_CARDS_5_2, SUMS, events.InsuranceSkipped),
    Kind.DRAWN_TOGETHER_ORDER_UNKNOWN: anything_drawn(SILENT, "5H 2D", FIRST_CARDS_5_2, SUMS, events.InsuranceSkipped),
    Kind.ORDER_ALTERED: anything(SILENT, SUMS),
    Kind.FACE_UP_IN_SHOE: anything(SILENT, SUMS),
    Kind.TABLE_INTERRUPTION: anything(SILENT, SUMS),
    Kind.TERMINAL_INTERRUPTION: anything(SILENT, SUMS),
    Kind.FOUND_LATER: anything_earlier(SILENT, SUMS),
    Kind.NOT_COVERED: anything(SILENT, SUMS),
}


@rule(
    "rws-nc-insurance 5.1",
    "rws-nc-insurance 5.1.1",
    "rws-nc-insurance 5.1.2",
    "rws-nc-insurance 5.1.3",
    "rws-nc-insurance 5.2",
    "rws-nc-insurance 5.3",
)
@pytest.mark.parametrize(("kind", "when"), EVERY_CELL)
def test_what_is_offered_to_whom_what_it_does_to_the_money_and_what_is_recorded(kind: Kind, when: When) -> None:
    check_cell(situation(GAME, when, insured=5_000), kind, when, cell_of(ROWS, kind, when))

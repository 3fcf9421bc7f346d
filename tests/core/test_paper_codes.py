"""What a person reads off a slip and types."""

from hypothesis import given
from hypothesis import strategies as st

from natural9.core.irregularities import Kind
from natural9.core.paper_codes import as_printed, paper_code
from natural9.core.round.events import IrregularityReported
from natural9.core.saying import verbatim
from natural9.games import load_game


def test_a_code_in_groups_and_as_somebody_types_it() -> None:
    assert paper_code(b"natural nine", letters=8, group=4) == "DSGQ-8XBJ"
    assert [as_printed(typed) for typed in ("dsgq 8xbj", "o1il-0")] == ["DSGQ8XBJ", "01110"]


@given(st.binary(min_size=10, max_size=20))
def test_a_code_has_no_letter_that_looks_like_another_and_is_typed_as_it_is_read(secret: bytes) -> None:
    code = paper_code(secret, letters=16, group=4)
    assert [len(part) for part in code.split("-")] == [4, 4, 4, 4]
    assert not set(code) & set("ILOU")
    misread = code.replace("0", "o").replace("1", "l").replace("-", " ").lower()
    assert as_printed(misread) == as_printed(code) == code.replace("-", "")


def test_a_pay_row_is_called_by_its_approved_name_or_else_by_what_it_pays_for() -> None:
    """mbs 4.9: Single, Double and Twin Tiger Pair."""
    rows = load_game("mbs-tiger").wager("tiger-pair").rows
    assert sorted([row.called.partition(" (")[0] for row in rows]) == [
        "Double Tiger Pair",
        "Single Tiger Pair",
        "Twin Tiger Pair",
    ]
    [tie] = load_game("mbs-tiger").wager("tie").rows
    assert tie.called == tie.words


def test_a_report_names_the_cards_that_it_is_about() -> None:
    report = IrregularityReported(
        report=1,
        kind=Kind.FOREIGN_CARD,
        remedies=(),
        rank="shift-manager",
        by="dora",
        by_rank="dealer",
        detail=verbatim("a blue back"),
        cards=("5H", "6S"),
        seats=(),
        about_round=None,
        bet_seat=None,
        wager="",
        cents=None,
        confirm=False,
        brief=False,
    )
    assert "(5H 6S)" in str(report.describe())

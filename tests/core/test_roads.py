"""The five roads: by hand, and against a second, naive reading of the definition."""

from itertools import groupby, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from natural9.core.errors import BadInput
from natural9.core.roads import ROWS, Cell, big_road, derived_road, parse_winners, roads


@st.composite
def shoes(draw: st.DrawFn) -> str:
    """Winners of a shoe, with the long runs that bend a road."""
    runs = draw(st.lists(st.tuples(st.sampled_from("BPT"), st.integers(1, 12)), max_size=14))
    return "".join(winner * length for winner, length in runs)


def at(winners: str) -> list[tuple[int, int]]:
    return [(cell.column, cell.row) for cell in big_road(winners)]


def naive_derived_road(winners: str, k: int) -> str:
    """Icon by icon, as the definition says it: columns and rows count from 1, and a column is a run of one winner."""
    columns: list[list[str]] = []
    icons = ""
    for winner in winners.replace("T", ""):
        if columns and columns[-1][-1] == winner:
            columns[-1].append(winner)
        else:
            columns.append([winner])
        n, m = len(columns), len(columns[-1])

        def depth(column: int, columns: list[list[str]] = columns) -> int | None:
            return len(columns[column - 1]) if column >= 1 else None

        if m >= 2:
            p = depth(n - k)
            if p is not None:
                icons += "b" if m == p + 1 else "r"
        else:
            before, further = depth(n - 1), depth(n - k - 1)
            if before is not None and further is not None:
                icons += "r" if before == further else "b"
    return icons


def test_big_eye_boy_by_hand() -> None:
    assert roads("BPBBPPPB").big_eye_boy == "rbbrbb"


def test_small_road_and_cockroach_road_by_hand() -> None:
    drawn = roads("BPBPBP")
    assert drawn.small_road == "rrr"
    assert drawn.cockroach_road == "rr"


def test_a_derived_road_begins_where_there_is_something_to_compare_with() -> None:
    """Big eye boy at row 2 of column 2 or row 1 of column 3; each of the others one column further right."""
    assert [roads("BBBB").big_eye_boy, roads("BP").big_eye_boy] == ["", ""]
    assert (roads("BPP").big_eye_boy, roads("BBPP").big_eye_boy, roads("BPB").big_eye_boy) == ("b", "r", "r")
    assert (roads("BPB").small_road, roads("BPBB").small_road, roads("BPBP").small_road) == ("", "b", "r")
    assert (roads("BPBP").cockroach_road, roads("BPBPP").cockroach_road, roads("BPBPB").cockroach_road) == (
        "",
        "b",
        "r",
    )


def test_below_the_end_of_the_compared_column_only_the_first_icon_is_blue() -> None:
    """Column 1 is two deep: row 2 has a neighbour (red), row 3 is just below it (blue), then none has (red)."""
    assert roads("BBPPPPP").big_eye_boy == "rbrr"


@given(shoes())
def test_derived_roads_equal_the_naive_reading(winners: str) -> None:
    drawn = roads(winners)
    found = (drawn.big_eye_boy, drawn.small_road, drawn.cockroach_road)
    assert found == tuple(naive_derived_road(winners, k) for k in (1, 2, 3))


@given(st.lists(st.integers(1, 9), max_size=12), st.integers(1, 3))
def test_derived_roads_of_depths(depths: list[int], gap: int) -> None:
    winners = "".join("BP"[place % 2] * depth for place, depth in enumerate(depths))
    assert derived_road(depths, gap) == naive_derived_road(winners, gap)


@given(shoes())
def test_ties_change_no_derived_road(winners: str) -> None:
    drawn, without_ties = roads(winners), roads(winners.replace("T", ""))
    assert drawn.big_eye_boy == without_ties.big_eye_boy
    assert drawn.small_road == without_ties.small_road
    assert drawn.cockroach_road == without_ties.cockroach_road
    assert [cell.winner for cell in drawn.big_road] == [cell.winner for cell in without_ties.big_road]


def test_a_change_of_winner_begins_a_column() -> None:
    assert at("BBPB") == [(1, 1), (1, 2), (2, 1), (3, 1)]


def test_a_seventh_win_turns_right_into_a_dragon_tail() -> None:
    assert at("B" * 9) == [(1, row) for row in range(1, 7)] + [(2, 6), (3, 6), (4, 6)]


def test_after_a_dragon_tail_the_next_column_starts_beside_its_column() -> None:
    assert at("B" * 9 + "P")[-1] == (2, 1)


def test_a_tail_blocked_by_an_earlier_tail_turns_above_it() -> None:
    assert at("B" * 9 + "P" * 7)[9:] == [(2, 1), (2, 2), (2, 3), (2, 4), (2, 5), (3, 5), (4, 5)]


def test_a_column_blocked_at_once_runs_along_the_top_row() -> None:
    """Five tails one above the other leave the sixth column a single row; the seventh starts past its tail."""
    runs = "B" * 7 + "P" * 6 + "B" * 5 + "P" * 4 + "B" * 3
    places = at(runs + "PPP" + "B")
    assert places[6] == (2, 6)
    assert places[12] == (3, 5)
    assert places[17] == (4, 4)
    assert places[21] == (5, 3)
    assert places[24] == (6, 2)
    assert places[25:27] == [(6, 1), (7, 1)]
    assert places[-1][1] == 1
    assert places[-1][0] > max(column for column, row in places[:-1] if row == 1)


def test_ties_are_counted_on_the_cell_before() -> None:
    assert big_road("BTTPT") == (Cell(1, 1, "B", 2), Cell(2, 1, "P", 1))
    assert big_road("BTB") == (Cell(1, 1, "B", 1), Cell(1, 2, "B", 0)), "a tie does not break a run"


def test_leading_ties_are_counted_on_the_first_cell() -> None:
    assert big_road("TTB") == (Cell(1, 1, "B", 2),)
    assert big_road("TTBTP") == (Cell(1, 1, "B", 3), Cell(2, 1, "P", 0))
    assert big_road("TT") == ()


@given(shoes())
def test_big_road_cells_never_overlap(winners: str) -> None:
    cells = big_road(winners)
    assert len({(cell.column, cell.row) for cell in cells}) == len(cells)
    assert all(cell.column >= 1 and 1 <= cell.row <= ROWS for cell in cells)


@given(shoes())
def test_the_big_road_has_an_icon_for_every_winner_and_a_mark_for_every_tie(winners: str) -> None:
    cells = big_road(winners)
    assert [cell.winner for cell in cells] == list(winners.replace("T", ""))
    assert sum(cell.ties for cell in cells) == (winners.count("T") if cells else 0)


@given(shoes())
def test_runs_start_in_the_top_row_further_right_each_time_and_hang_together(winners: str) -> None:
    starts: list[int] = []
    for _, run in groupby(big_road(winners), key=lambda cell: cell.winner):
        cells = list(run)
        assert cells[0].row == 1
        starts.append(cells[0].column)
        for cell, following in pairwise(cells):
            step = (following.column - cell.column, following.row - cell.row)
            assert step in {(0, 1), (1, 0)}, "down or right, one cell at a time"
    assert starts == sorted(set(starts))


@given(shoes())
def test_the_bead_plate_is_every_round_in_order(winners: str) -> None:
    assert roads(winners).bead_plate == tuple(winners)


def test_winners_in_any_case_and_with_spaces() -> None:
    assert parse_winners("bp t\nB") == ("B", "P", "T", "B")
    assert roads("") == roads("  ")
    assert roads("").big_road == ()


@pytest.mark.parametrize(
    ("text", "bead", "place"), [("BPX", "X", 3), ("1", "1", 1), ("B P Z T", "Z", 3), ("BPß", "S", 3)]
)
def test_what_is_not_a_winner_is_named_with_its_place(text: str, bead: str, place: int) -> None:
    with pytest.raises(BadInput) as refused:
        roads(text)
    assert refused.value.code == "bad-winner"
    assert f"{bead!r}, round {place}" in str(refused.value)

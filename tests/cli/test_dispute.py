"""`natural9 dispute`: a round on paper, from the journal of a venue."""

from pathlib import Path

import pytest

from tests.cli.venue_folder import an_evenings_venue, complaint, run


@pytest.fixture(scope="module")
def venue(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return an_evenings_venue(tmp_path_factory.mktemp("dispute") / "venue")


def test_the_same_round_gives_the_same_bytes(venue: Path, tmp_path: Path) -> None:
    for name in ("one.pdf", "two.pdf"):
        run("dispute", venue, "1", "4", "--out", tmp_path / name)
    made = (tmp_path / "one.pdf").read_bytes()
    assert made.startswith(b"%PDF-")
    assert made == (tmp_path / "two.pdf").read_bytes()
    run("dispute", venue / "journal.db", "1", "4", "--seat", "2", "--out", tmp_path / "seat.pdf")
    assert (tmp_path / "seat.pdf").read_bytes() != made


def test_bad_input_is_one_clear_line(venue: Path, tmp_path: Path) -> None:
    out = tmp_path / "x.pdf"
    assert complaint("dispute", venue, "1", "99", "--out", out) == "table '1' has no round 99: the last one is 4"
    assert complaint("dispute", venue, "1", "1", "--seat", "9", "--out", out).startswith(
        "seat 9 had no part in round 1"
    )
    assert (
        complaint("dispute", venue, "1", "1", "--out", "x.doc") == "x.doc is not a PDF: name a file that ends in .pdf"
    )
    assert "cannot be written" in complaint("dispute", venue, "1", "1", "--out", tmp_path / "none" / "x.pdf")
    assert not out.exists()

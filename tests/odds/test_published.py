"""What docs/vulnerability.md publishes: its tables are those of its data, and the data is what its commands ask for."""

from collections import Counter

import pytest

from bench.published import DATA, PAGE, Row, rows, told, written
from bench.vulnerability_tables import COLUMNS, DECKS, wagers
from natural9.games import load_game
from natural9.odds.composition import Composition
from natural9.odds.counting import best_tags, key_cards, linear_count, tag_count
from natural9.odds.vulnerability import wager_vulnerability

CUTS = ("7", "14", "20", "26", "39", "52", "78", "104")


def of_wagers() -> list[Row]:
    return [row for row in rows() if not row["row"]]


def test_the_page_shows_its_data() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert written(page) == page, "run `python -m bench.published`"


def test_every_wager_is_there_at_every_depth_by_every_way() -> None:
    assert tuple(rows()[0]) == COLUMNS
    asked = Counter((row["game"], row["wager"], row["decks"], row["cards_burnt"]) for row in of_wagers())
    settings = {(*place, str(decks), burnt) for place in wagers() for decks in DECKS for burnt in "01"}
    assert asked.keys() == settings
    assert set(asked.values()) == {6 * len(CUTS)}


def test_every_row_of_insurance_is_there() -> None:
    insured = load_game("rws-nc-insurance").insurance
    assert insured is not None
    lines = [row for row in rows() if row["row"]]
    assert {row["decks"] for row in lines} == {"4", "6", "8"}, "it is approved for no more"
    assert len(lines) == (len(insured.rows) + 2) * 3 * 2 * 2 * len(CUTS)


def test_each_row_says_how_to_make_it_again() -> None:
    for row in rows():
        burnt = " --burn" if row["cards_burnt"] == "1" else ""
        gpu = "" if row["row"] else " --gpu"
        options = f"--decks {row['decks']} --cut 7 --shoes {row['shoes']} --seed {row['seed']}{burnt}{gpu}"
        assert row["command"] == f"natural9 vulnerability {row['game']} --wager {row['wager']} {options}"


@pytest.mark.parametrize("decks", [4, 8])
def test_the_tags_are_the_best_for_that_many_decks(decks: int) -> None:
    found = {(row["game"], row["wager"], row["strategy"]): row for row in of_wagers() if row["decks"] == str(decks)}
    for game, wager in wagers():
        linear = linear_count(load_game(game).wager(wager), Composition.of(decks=decks))
        kept = {"level-2": best_tags(linear, 2), "level-1": best_tags(linear, 1), "key-cards": key_cards(linear)}
        for strategy, tags in {"tags": best_tags(linear), **kept}.items():
            row, count = found[game, wager, strategy], tag_count(linear, tags)
            assert row["tags"] == " ".join(map(str, tags))
            assert row["trigger_per_deck"] == ("" if count.trigger is None else f"{count.trigger:.4f}")


def test_a_few_shoes_of_another_seed_agree() -> None:
    few = wager_vulnerability(load_game("mbs-tiger"), "big-tiger", decks=4, cut=26, shoes=400, seed=5)
    for depth in few.depths[:2]:
        asked = {"game": "mbs-tiger", "wager": "big-tiger", "decks": "4", "cards_burnt": "0", "strategy": "perfect"}
        asked |= {"cards_behind_cut": str(depth.cut)}
        (row,) = [row for row in of_wagers() if asked.items() <= row.items()]
        assert float(row["rounds_per_shoe"]) == pytest.approx(depth.rounds_per_shoe.value, abs=1)
        worth = depth.perfect.worth_per_shoe
        assert worth.stderr is not None
        assert abs(worth.value - float(row["units_per_shoe"])) < 5 * worth.stderr


def test_the_same_rows_are_there_for_programs_that_read_parquet() -> None:
    kept = DATA.with_suffix(".parquet").read_bytes()
    assert kept[:4] == kept[-4:] == b"PAR1"
    assert all(name.encode() in kept for name in COLUMNS)


@pytest.mark.parametrize(
    ("value", "error", "shown"),
    [
        ("0.31176", "0.00047", "0.3118(5)"),
        ("0.2", "0.096", "0.2(1)"),
        ("0", "0", "0"),
        ("", "", "-"),
        ("12", "3", "12(3)"),
    ],
)
def test_an_error_stands_in_the_last_digit(value: str, error: str, shown: str) -> None:
    assert told(value, error) == shown

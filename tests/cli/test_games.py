"""`natural9 games`: the games as data and as tables for people."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from natural9.games import game_ids, load_game
from natural9.games.loader import FOLDER, paragraphs, register
from tests.cli.test_command import answer, text

GAME = ["id", "title", "operator", "document", "effective", "decks", "wagers"]
WAGER = ["id", "title", "optional", "pays"]
ROW = ["when", "odds", "paragraph"]
# What else is said of a game, beyond the contract; a key here may go only with a change of the contract.
MORE = {"document_id", "rules_sha256", "betting_unit", "layouts", "procedure", "irregularities", "interpretations"}


@cache
def all_games() -> list[dict[str, Any]]:
    games: list[dict[str, Any]] = answer("games")
    return games


def test_it_lists_all_nine() -> None:
    assert [game["id"] for game in all_games()] == list(game_ids())
    assert len(all_games()) == 9


@pytest.mark.parametrize("place", range(9))
def test_the_keys_of_the_contract(place: int) -> None:
    game = all_games()[place]
    assert set(game) == {*GAME, *MORE}
    assert {"min", "max"} <= set(game["decks"])
    for wager in game["wagers"]:
        assert set(wager) == {*WAGER, "names", "loses"}
        assert type(wager["optional"]) is bool
        for row in wager["pays"]:
            assert set(row) == set(ROW)
            assert row["odds"] == "push" or re.fullmatch(r"[\d.]+:[\d.]+", row["odds"])
            assert row["paragraph"] in paragraphs()


@pytest.mark.parametrize("place", range(9))
def test_it_says_what_the_game_is(place: int) -> None:
    shown, game = all_games()[place], load_game(game_ids()[place])
    assert (shown["title"], shown["operator"]) == (game.title, game.document.operator)
    assert (shown["document"], shown["effective"]) == (game.document.title, game.document.effective)
    assert (shown["decks"]["min"], shown["decks"]["max"]) == (game.decks.min, game.decks.max)
    assert shown["rules_sha256"] == game.sha256
    assert shown["betting_unit"] == game.betting_unit_cents
    insured = ["player-insurance", "banker-insurance"] if game.insurance else []
    assert [wager["id"] for wager in shown["wagers"]] == [*game.wagers_by_id, *insured]
    for listed, wager in zip(shown["wagers"], game.wagers, strict=False):
        found = [(row["odds"], row["paragraph"]) for row in listed["pays"]]
        assert found == [(row.pays, row.paragraph) for row in wager.rows], wager.id


def test_a_pay_row_says_when() -> None:
    tiger = next(game for game in all_games() if game["id"] == "mbs-tiger")
    pays = {wager["id"]: wager["pays"] for wager in tiger["wagers"]}
    assert pays["tiger"] == [
        {"when": {"winner": "banker", "banker_total": 6, "banker_cards": 2}, "odds": "12:1", "paragraph": "mbs 4.10"},
        {"when": {"winner": "banker", "banker_total": 6, "banker_cards": 3}, "odds": "20:1", "paragraph": "mbs 4.10"},
    ]
    assert pays["player"][1] == {"when": {"winner": "tie"}, "odds": "push", "paragraph": "mbs 3.9.1"}
    assert pays["tiger-pair"][0]["when"] == {"same_pair": True}


def test_insurance_is_listed_with_its_windows() -> None:
    game = next(game for game in all_games() if game["id"] == "rws-nc-insurance")
    rows = [row for wager in game["wagers"] if wager["id"].endswith("-insurance") for row in wager["pays"]]
    assert len(rows) == 15
    starred = [row for row in rows if row["when"]["winner"] == "tie"]
    assert [(row["when"]["window"], row["when"]["player_points"], row["odds"]) for row in starred] == [
        ("third-card", [9], "8:1")
    ]


def test_clauses_and_interpretations_are_shown() -> None:
    known = {(entry.id, document): entry for entry in register() for document in entry.documents}
    for game in all_games():
        assert any(clause["kind"] == "not-covered" for clause in game["irregularities"])
        for clause in game["irregularities"]:
            assert clause["decided_by"] in {"dealer", "pit-supervisor", "pit-manager", "shift-manager"}
            assert clause["remedies"]
        for entry in game["interpretations"]:
            assert entry["reading"] == known[entry["id"], load_game(game["id"]).document.id].reading
            assert {"rejected", "why", "paragraphs"} <= set(entry)


@pytest.mark.parametrize("game_id", ["mbs-tiger", "rws-nc-insurance"])
def test_one_game_alone_is_a_list_of_one(game_id: str) -> None:
    one = answer("games", game_id)
    assert one == [game for game in all_games() if game["id"] == game_id]


def test_a_path_is_as_good_as_an_id() -> None:
    assert answer("games", str(FOLDER / "packs" / "mbs-nc.toml")) == [
        game for game in all_games() if game["id"] == "mbs-nc"
    ]


def test_for_people_the_list() -> None:
    shown = text("games")
    for game_id in game_ids():
        assert re.search(rf"^{game_id} +\S.*\d", shown, re.MULTILINE), game_id
    assert max(map(len, shown.splitlines())) <= 100


def test_for_people_one_game() -> None:
    shown = text("games", "rws-nc-insurance")
    for words in (
        "4 to 8 decks (Rule 2.2.1)",
        "庄",
        "1:2",
        "Rule 4.1.1",
        "four-cards",
        "a tie",
    ):
        assert words in shown, words
    assert "Bean Baccarat, 9 players" in shown
    assert "not-covered" in shown
    assert "Insurance pays no more than the original bet" in shown
    assert "Shift Manager" in shown
    shown = text("games", "mbs-tiger")
    assert "tiger-pair (optional)" in shown
    assert "0.95:1" in shown
    assert "push" in shown


@pytest.mark.parametrize(
    ("command", "rest"),
    [
        ("games", ()),
        ("settle", ("9S 2H KD 5C", "--bet", "tiger=5")),
        ("odds", ()),
        ("session", ("--bet", "tiger=5", "--rounds", "2")),
        ("penetration", ("--wager", "tiger", "--shoes", "2")),
        ("design", ("--wager", "tiger", "--edge", "5%")),
        ("vulnerability", ("--wager", "tiger", "--shoes", "2")),
        ("simulate", ("--rounds", "100")),
        ("simulate", ("--strategy", "flat", "--sessions", "10")),
        ("established", ("9S",)),
        ("play", ()),
    ],
)
def test_titles_and_names_of_your_own_are_shown_as_they_are(
    command: str, rest: tuple[str, ...], tmp_path: Path
) -> None:
    """In square brackets, too, by which what draws the screen is told of bold and red."""
    pack = (FOLDER / "packs" / "mbs-tiger.toml").read_text(encoding="utf-8")
    pack = pack.replace('id = "mbs-tiger"', 'id = "house-tiger"')
    pack = re.sub('title = ".*"', 'title = "[red]a[/nope][/b]"', pack)
    pack = pack.replace('id = "tie"', 'id = "tie"\nnames = { en = "Tie", zh = "[/nope]" }')
    pack = pack.replace('odds = "8:1"', 'odds = "8:1", names = { en = "eight [/b]" }')
    path = tmp_path / "house-tiger.toml"
    path.write_text(pack, encoding="utf-8")
    shown = text(command, str(path), *rest)
    if command not in {"established", "design"}:
        assert "[red]a[/nope][/b]" in shown
    if command == "games":
        assert "[/nope]" in shown
        assert "eight [/b]" in shown

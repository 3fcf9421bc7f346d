"""A broken rule pack is refused with its file and the line of the mistake."""

from pathlib import Path

import pytest

from natural9.core.errors import BadInput
from natural9.games import load_pack
from natural9.games.files import DocumentFile
from natural9.games.loader import FOLDER, _known
from natural9.games.source import Source
from natural9.games.validator import check_document

TIGER, INSURED = "mbs-tiger", "rws-nc-insurance"


def pack_lines(game_id: str) -> list[str]:
    return (FOLDER / "packs" / f"{game_id}.toml").read_text(encoding="utf-8").splitlines()


def break_line(folder: Path, game_id: str, old: str, new: str, *, nth: int = 1) -> tuple[Path, int]:
    """A copy of a pack in which the nth line that holds `old` has `new` instead; and the number of that line."""
    lines = pack_lines(game_id)
    place = [number for number, line in enumerate(lines) if old in line][nth - 1]
    lines[place] = lines[place].replace(old, new)
    path = folder / f"{game_id}.toml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    # A new line break in `new` puts the mistake itself on the line that follows.
    return path, place + 1 + new.count("\n")


def check_refused(path: Path, line: int, *says: str) -> None:
    with pytest.raises(BadInput) as refused:
        load_pack(path)
    assert refused.value.code == "bad-pack"
    message = str(refused.value)
    for text in says:
        assert text in message
    assert message.startswith(f"{path.name}:{line}: "), f"not line {line}: {message}"


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ('title = "Tiger Baccarat"', 'title = "Tiger Baccarat"\ncolour = "green"', "colour"),
        ('paragraph = "mbs 2.2"', 'paragraph = "mbs 2.2"\nseats = 7', "seats"),
        ('optional = "mbs 4.9"', 'optional = "mbs 4.9"\ncolour = "green"', "colour"),
        ('odds = "100:1"', 'odds = "100:1", colour = "green"', "colour"),
        ("max = 10", "max = 10, most = 10", "most"),
    ],
)
def test_an_unknown_key(tmp_path: Path, old: str, new: str, key: str) -> None:
    path, line = break_line(tmp_path, TIGER, old, new)
    check_refused(path, line, f"has no key {key!r}")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('optional = "mbs 4.9"', 'optoinal = "mbs 4.9"', "[[wager]] has no key 'optoinal'; did you mean optional?"),
        ('odds = "100:1"', 'odd = "100:1"', "pays of [[wager]] has no key 'odd'; did you mean odds?"),
        ('optional = "mbs 4.9"', "betting_unit = 1", "has no key 'betting_unit': it belongs at the top of the file"),
        ('optional = "mbs 4.9"', "boxes = 7", "[[wager]] has no key 'boxes': it belongs in [[layout]]"),
        ("[[layout]]", "[[layuot]]", "the file has no section [[layuot]]; did you mean [[layout]]?"),
    ],
)
def test_a_wrong_key_is_named_with_the_right_one(tmp_path: Path, old: str, new: str, says: str) -> None:
    path, line = break_line(tmp_path, TIGER, old, new)
    check_refused(path, line, says)


def test_an_unknown_key_in_an_insurance_row(tmp_path: Path) -> None:
    path, line = break_line(tmp_path, INSURED, 'odds = "1.5:1"', 'odds = "1.5:1", starred = true')
    check_refused(path, line, "rows of [insurance] has no key 'starred': its keys are window, hand")


def test_a_missing_key_is_named_with_the_table_that_lacks_it(tmp_path: Path) -> None:
    path, line = break_line(tmp_path, TIGER, 'loses = "mbs 1.1.2"', "")
    check_refused(path, line - 3, "[[wager]] has no key 'loses': add it")


def test_an_unknown_feature_with_the_nearest_one(tmp_path: Path) -> None:
    path, line = break_line(tmp_path, TIGER, "same_pair", "same_pear")
    check_refused(path, line, "unknown feature 'same_pear'", "did you mean same_pair?")


@pytest.mark.parametrize(
    ("old", "new", "nth", "says"),
    [
        ("paired_hands = 2", "paired_hands = 3", 1, "paired_hands cannot be '3'"),
        ("banker_total = 6", "banker_total = 10", 1, "banker_total cannot be '10'"),
        ("banker_total = 6", "banker_total = -1", 3, "banker_total cannot be '-1'"),
        ("banker_total = 6", "banker_total = true", 1, "banker_total cannot be 'true'"),
        ("banker_total = 6", "banker_total = [6, 11]", 1, "banker_total cannot be '11'"),
        ("banker_total = 6", 'banker_total = "6"', 1, "banker_total cannot be '6'"),
        ("banker_cards = 2", "banker_cards = 4", 1, "banker_cards cannot be '4'"),
        ("same_pair = true", "same_pair = 1", 1, "same_pair cannot be '1'"),
        ('winner = "tie"', 'winner = "Tie"', 3, "winner cannot be"),
        ('winner = "tie"', 'winner = "house"', 1, "winner cannot be 'house'"),
    ],
)
def test_a_value_that_a_feature_cannot_have(tmp_path: Path, old: str, new: str, nth: int, says: str) -> None:
    path, line = break_line(tmp_path, TIGER, old, new, nth=nth)
    check_refused(path, line, says)


def test_an_unknown_wager_with_the_nearest_one(tmp_path: Path) -> None:
    path, line = break_line(tmp_path, TIGER, 'id = "small-tiger"', 'id = "smal-tiger"')
    check_refused(path, line, "unknown wager 'smal-tiger'", "did you mean small-tiger?", "a new wager needs a name")


def test_a_wager_that_is_there_twice(tmp_path: Path) -> None:
    path, line = break_line(tmp_path, TIGER, 'id = "big-tiger"', 'id = "tiger"')
    check_refused(path, line - 1, "wager 'tiger' is there twice")


def test_a_layout_that_is_there_twice(tmp_path: Path) -> None:
    path, line = break_line(tmp_path, INSURED, 'id = "mini-6"', 'id = "mini-7"')
    check_refused(path, line - 1, "layout 'mini-7' is there twice")


@pytest.mark.parametrize("odds", ["12", "12:0", "0:1", "1/2", "-1:1", "", "evens", "1:1:1"])
def test_odds_that_are_not_a_ratio(tmp_path: Path, odds: str) -> None:
    path, line = break_line(tmp_path, TIGER, 'odds = "35:1"', f'odds = "{odds}"')
    check_refused(path, line, f"odds {odds!r} are not a ratio")


def test_insurance_odds_that_are_not_a_ratio(tmp_path: Path) -> None:
    path, line = break_line(tmp_path, INSURED, 'odds = "1.5:1"', 'odds = "1.5"')
    check_refused(path, line, "odds '1.5' are not a ratio")


@pytest.mark.parametrize(
    "when",
    [
        '{ winner = "tie", banker_total = 6, margin = 2 }',
        '{ winner = "tie", banker_total = 6, player_total = 5 }',
        "{ paired_hands = 0, same_pair = true }",
        "{ natural = true, banker_cards = 3 }",
        "{ winner = [] }",
    ],
)
def test_a_row_that_no_outcome_can_reach(tmp_path: Path, when: str) -> None:
    path, line = break_line(tmp_path, TIGER, '{ winner = "tie", banker_total = 6 }', when)
    check_refused(path, line, "row 1 of tiger-tie can be reached by no outcome")


def test_a_row_hidden_by_an_earlier_one(tmp_path: Path) -> None:
    path, line = break_line(tmp_path, TIGER, "same_pair = true", "paired_hands = [1, 2]")
    check_refused(path, line + 1, "row 2 of tiger-pair is hidden by row 1")
    path, line = break_line(tmp_path, TIGER, "paired_hands = 1", "same_pair = true, paired_hands = 2")
    check_refused(path, line, "row 3 of tiger-pair is hidden by row 1")


@pytest.mark.parametrize(("old", "new"), [("max = 10", "max = 11"), ("min = 4", "min = 3"), ("min = 4", "min = 11")])
def test_decks_outside_the_range_of_the_document(tmp_path: Path, old: str, new: str) -> None:
    path, line = break_line(tmp_path, TIGER, old, new)
    check_refused(path, line, "outside the document's 4 to 10", "mbs 2.1")


def test_a_table_may_ask_for_less_than_the_document_allows(tmp_path: Path) -> None:
    path, _ = break_line(tmp_path, TIGER, "min = 4, max = 10", "min = 6, max = 8")
    assert (load_pack(path).decks.min, load_pack(path).decks.max) == (6, 8)


@pytest.mark.parametrize(
    ("unit", "says"),
    [
        ("0.10", "a fraction of a cent on Banker at 0.95:1"),
        ("0.01", "a fraction of a cent on Banker at 0.95:1"),
        ("0", "more than nothing"),
        ("one", "'one' is not an amount"),
        ("0.001", "not a whole number of cents"),
        ("-1", "'-1' is not an amount"),
    ],
)
def test_a_betting_unit_that_cannot_be(tmp_path: Path, unit: str, says: str) -> None:
    path, line = break_line(tmp_path, TIGER, 'betting_unit = "1.00"', f'betting_unit = "{unit}"')
    check_refused(path, line, says)


@pytest.mark.parametrize(
    ("game_id", "old", "new"),
    [
        (TIGER, 'paragraph = "mbs 4.9"', 'paragraph = "mbs 4.99"'),
        (TIGER, 'loses = "mbs 1.1.2"', 'loses = "mbs 1.1.222"'),
        (TIGER, 'optional = "mbs 4.9"', 'optional = "mbs 4.99"'),
        (TIGER, 'paragraph = "mbs 2.2"', 'paragraph = "mbs 2.22"'),
        (TIGER, 'paragraph = "mbs 2.1"', 'paragraph = "mbs 2.11"'),
        (TIGER, 'paragraph = "mbs 4.9"', 'paragraph = "4.9"'),
        (TIGER, 'paragraph = "mbs 4.9"', 'paragraph = "interpretation pair-is-suit"'),
        (INSURED, 'cap = "rws-nc-insurance 3.5.2"', 'cap = "rws-nc-insurance 3.5.9"'),
        (INSURED, 'who = "rws-nc-insurance 4.1.3"', 'who = "rws-nc-insurance 4.1.9"'),
        (INSURED, 'tie = "rws-nc-insurance 3.9"', 'tie = "rws-nc-insurance 3.99"'),
        (INSURED, 'paragraph = "rws-nc-insurance 4.1.4"', 'paragraph = "rws-nc-insurance 4.1.5"'),
        (INSURED, 'paragraph = "rws-nc-insurance 3.5.1"', 'paragraph = "rws-nc-insurance 3.5.8"'),
        (INSURED, 'odds = "1.5:1", paragraph = "rws-nc-insurance 4.1.2"', 'odds = "1.5:1", paragraph = "mbs 9.9"'),
    ],
)
def test_an_unknown_paragraph(tmp_path: Path, game_id: str, old: str, new: str) -> None:
    path, line = break_line(tmp_path, game_id, old, new)
    check_refused(path, line, "unknown paragraph")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('odds = "35:1", paragraph = "mbs 4.10"', 'odds = "35:1", paragraph = ""'),
        ('loses = "mbs 1.1.2"', 'loses = ""'),
        ('paragraph = "mbs 2.1"', 'paragraph = ""'),
    ],
)
def test_a_clause_without_a_paragraph(tmp_path: Path, old: str, new: str) -> None:
    """Every clause carries its paragraph; only `optional` may be left out or empty."""
    path, line = break_line(tmp_path, TIGER, old, new)
    check_refused(path, line, "paragraph")


def test_an_unknown_document(tmp_path: Path) -> None:
    path, line = break_line(tmp_path, TIGER, 'document = "mbs"', 'document = "mbz"')
    check_refused(path, line, "unknown document 'mbz'", "did you mean mbs?")


@pytest.mark.parametrize(
    ("document", "old", "new"),
    [
        ("rws-nc-insurance", 'dealer_announces = "rws-nc-insurance 3.1"', 'dealer_announces = "rws-nc-insurance 3.11"'),
        ("mbs", 'plays.", paragraph = "mbs 2.2"', 'plays.", paragraph = ""'),
    ],
)
def test_a_document_that_cites_no_paragraph(tmp_path: Path, document: str, old: str, new: str) -> None:
    path = tmp_path / f"{document}.toml"
    text = (FOLDER / "documents" / path.name).read_text(encoding="utf-8")
    path.write_text(text.replace(old, new), encoding="utf-8")
    source = Source(path)
    line = text[: text.index(old)].count("\n") + 1
    with pytest.raises(BadInput, match=f"^{path.name}:{line}: unknown paragraph"):
        check_document(source, source.read(DocumentFile), _known())


def test_an_id_that_is_not_the_name_of_the_file(tmp_path: Path) -> None:
    path, line = break_line(tmp_path, TIGER, 'id = "mbs-tiger"', 'id = "mbs-tigger"')
    check_refused(path, line, "'mbs-tigger'", "'mbs-tiger'")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('title = "Tiger Baccarat"', "title = Tiger Baccarat"),
        ('title = "Tiger Baccarat"', 'title = "Tiger Baccarat'),
        ('title = "Tiger Baccarat"', 'title "Tiger Baccarat"'),
        ('title = "Tiger Baccarat"', 'id = "again"'),
    ],
)
def test_broken_toml(tmp_path: Path, old: str, new: str) -> None:
    path, line = break_line(tmp_path, TIGER, old, new)
    check_refused(path, line)


def test_a_file_that_ends_too_soon(tmp_path: Path) -> None:
    lines = pack_lines(TIGER)[:-1]
    path = tmp_path / f"{TIGER}.toml"
    path.write_text("\n".join(lines), encoding="utf-8")
    check_refused(path, len(lines))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('id = "big-tiger"', "id = 5", "id must be text in quotes, not 5"),
        ("min = 4", 'min = "four"', 'min must be a whole number, not "four"'),
        ('betting_unit = "1.00"', "betting_unit = 1.00", "betting_unit must be text in quotes, not 1.0"),
        ('odds = "35:1"', "odds = 35", "odds must be text in quotes, not 35"),
        (
            "same_pair = true",
            "same_pair = 1.5",
            "when must be true or false, a whole number, text in quotes or a list, not a number",
        ),
    ],
)
def test_a_value_of_the_wrong_kind(tmp_path: Path, old: str, new: str, says: str) -> None:
    path, line = break_line(tmp_path, TIGER, old, new)
    check_refused(path, line, says)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('player = "5", banker = "4"', 'player = "8", banker = "4"', "row 4 of the insurance can never be on offer"),
        ('player = "6", banker = "0-5"', 'player = "6", banker = "6-7"', "row 5 of the insurance can never be"),
        ('player = "1", banker = "1"', 'player = "1", banker = "7"', "row 7 of the insurance can never be on offer"),
        ('player = "9", banker = "0-6"', 'player = "8", banker = "0-6"', "row 15 of the insurance is hidden by row 14"),
        ('player = "1", banker = "2-6"', 'player = "1", banker = "1"', "row 8 of the insurance is hidden by row 7"),
        ('banker = "2-6"', 'banker = "6-2"', "'6-2' are not point totals"),
        ('banker = "2-6"', 'banker = "2-10"', "'2-10' are not point totals"),
        ('banker = "2-6"', 'banker = ""', "'' are not point totals"),
        (
            'window = "third-card", hand = "banker", player = "2"',
            'window = "late", hand = "banker", player = "2"',
            "window cannot be 'late': it is one of four-cards, third-card",
        ),
        ('hand = "banker", player = "2"', 'hand = "dealer", player = "2"', "hand cannot be 'dealer'"),
        ('rank = "pit-supervisor"', 'rank = "pit-superviser"', "rank cannot be 'pit-superviser'; did you mean pit-"),
        ("boxes = 6", "boxes = 0", "at least one betting box"),
    ],
)
def test_insurance_and_layouts_that_cannot_be(tmp_path: Path, old: str, new: str, says: str) -> None:
    path, line = break_line(tmp_path, INSURED, old, new)
    check_refused(path, line, says)


def test_a_wager_that_could_never_win(tmp_path: Path) -> None:
    lines = pack_lines(TIGER)
    start = lines.index('id = "tie"')
    del lines[start + 3]
    path = tmp_path / f"{TIGER}.toml"
    path.write_text("\n".join(lines), encoding="utf-8")
    check_refused(path, start + 3, "tie has no pay row")


def test_a_remark_beside_a_table_header_does_not_hide_the_line(tmp_path: Path) -> None:
    path, line = break_line(tmp_path, TIGER, 'id = "big-tiger"', 'id = "tiger"')
    text = path.read_text(encoding="utf-8").replace("[[wager]]", "[[wager]] # the main bets first", 1)
    path.write_text(text, encoding="utf-8")
    check_refused(path, line - 1, "wager 'tiger' is there twice")


def test_a_number_too_long_to_read(tmp_path: Path) -> None:
    """Python refuses to read an integer of more than 4,300 digits; that is the file's mistake, not ours."""
    path, _ = break_line(tmp_path, TIGER, "min = 4", f"min = {'4' * 5000}")
    with pytest.raises(BadInput) as refused:
        load_pack(path)
    assert str(refused.value).startswith(path.name)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "none.toml"
    with pytest.raises(BadInput) as refused:
        load_pack(path)
    assert refused.value.code == "no-such-file"
    assert str(path) in str(refused.value)


def test_a_folder_is_not_a_pack(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as refused:
        load_pack(tmp_path)
    assert refused.value.code == "no-such-file"


def test_a_file_that_is_not_utf_8_is_named(tmp_path: Path) -> None:
    path = tmp_path / f"{TIGER}.toml"
    path.write_bytes(
        (FOLDER / "packs" / f"{TIGER}.toml").read_bytes().replace(b"Tiger Baccarat", "Tïger".encode("latin-1"))
    )
    with pytest.raises(BadInput) as refused:
        load_pack(path)
    assert refused.value.code == "bad-pack"
    assert str(path) in str(refused.value)
    assert "UTF-8" in str(refused.value)


@pytest.mark.parametrize(
    ("where", "text"),
    [
        ("$.id", 'id = "mbs-tiger"'),
        ("$.decks", "decks = {"),
        ("$.decks.min", "decks = {"),
        ("$.layout[0]", "[[layout]]"),
        ("$.layout[0].title", 'title = "Electronic Tiger'),
        ("$.wager[1].pays[1].odds", '{ when = { winner = "tie" }, odds = "push"'),
        ("$.wager[7].optional", 'optional = "mbs 4.9"'),
        ("$.wager[7].pays[2].when", "{ when = { paired_hands = 1 }"),
    ],
)
def test_where_a_value_stands(where: str, text: str) -> None:
    source = Source(FOLDER / "packs" / f"{TIGER}.toml")
    assert source.lines[source.line_of(where) - 1].strip().startswith(text)


@pytest.mark.parametrize("path", sorted((FOLDER / "packs").glob("*.toml")), ids=lambda path: path.stem)
def test_a_sound_pack_is_not_refused(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / path.name
    copy.write_bytes(path.read_bytes())
    assert load_pack(copy).id == path.stem

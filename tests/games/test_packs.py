"""The nine games as data: decks, layouts, wagers, clauses, and that everything cited is there."""

import re
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import natural9
from natural9.core.errors import BadInput
from natural9.core.irregularities import Condition, Kind, Remedy
from natural9.core.staff import Rank
from natural9.games import find_game, game_ids, load_game, load_pack, loader
from natural9.games.loader import FOLDER, load_document, paragraphs, register, wager_names

rule = pytest.mark.rule

MAIN = ["player", "banker", "tie"]
PAIRS = ["player-pair", "banker-pair"]
DRAGONS = ["player-dragon-bonus", "banker-dragon-bonus"]
TIGERS = ["tiger", "small-tiger", "big-tiger", "tiger-tie", "tiger-pair"]
WAGERS = {
    "rws-nc": [*MAIN, *PAIRS],
    "rws-nc-insurance": [*MAIN, *PAIRS],
    "rws-nc-super-six-plus": [*MAIN, *PAIRS, "super-six-plus"],
    "mbs-super-six-nc": [*MAIN, *PAIRS, "super-six"],
    "mbs-fortune-six-nc": [*MAIN, *PAIRS, "fortune-six", *DRAGONS],
    "mbs-super-6-nc": [*MAIN, *PAIRS, "super-6", *DRAGONS],
    "mbs-nc": [*MAIN, *PAIRS],
    "mbs-tiger": [*MAIN, *TIGERS],
    "mbs-tiger-nc": [*MAIN, *TIGERS],
}
MBS_GAMES = [game_id for game_id in WAGERS if game_id.startswith("mbs")]
DOCUMENTS = ["rws-nc", "rws-nc-insurance", "rws-nc-super-six-plus", "mbs"]
CITATION = re.compile(r"(?:mbs|rws-nc(?:-insurance|-super-six-plus)?) (?:\d|1:|[A-E]$)\S*|interpretation [a-z-]+")


def strings(value: object) -> Iterator[str]:
    """Every string in a data file."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)


def data_files() -> list[Path]:
    return sorted(path for folder in ("packs", "documents") for path in (FOLDER / folder).glob("*.toml"))


def test_there_are_nine_games() -> None:
    assert sorted(game_ids()) == sorted(WAGERS)
    assert len(game_ids()) == 9


@pytest.mark.parametrize("game_id", WAGERS)
def test_a_game_is_known_by_its_id(game_id: str) -> None:
    game = load_game(game_id)
    assert game.id == game_id
    assert game.title
    assert load_game(game_id) is game, "read once"
    assert find_game(game_id) is game
    by_path = find_game(str(FOLDER / "packs" / f"{game_id}.toml"))
    assert (by_path, by_path.sha256) == (game, game.sha256)


@pytest.mark.parametrize(
    ("wrong", "near"), [("mbs-tigr", "mbs-tiger"), ("rws-nv", "rws-nc"), ("mbs_tiger_nc", "mbs-tiger-nc")]
)
def test_an_unknown_game_is_answered_with_the_nearest(wrong: str, near: str) -> None:
    with pytest.raises(BadInput, match=f"did you mean {near}") as refused:
        load_game(wrong)
    assert refused.value.code == "unknown-game"


def test_a_game_like_no_other_is_answered_with_all_of_them() -> None:
    with pytest.raises(BadInput) as refused:
        load_game("../packs")
    assert all(game_id in str(refused.value) for game_id in game_ids())


@rule("rws-nc 2.2.1", "rws-nc-insurance 2.2.1", "rws-nc-super-six-plus 2.2.1")
@pytest.mark.parametrize("game_id", ["rws-nc", "rws-nc-insurance", "rws-nc-super-six-plus"])
def test_four_to_eight_decks(game_id: str) -> None:
    game = load_game(game_id)
    assert (game.decks.min, game.decks.max, game.decks.paragraph) == (4, 8, f"{game_id} 2.2.1")
    check_range(game_id, 4, 8)


@rule("mbs 2.1")
@pytest.mark.parametrize("game_id", MBS_GAMES)
def test_four_to_ten_decks(game_id: str) -> None:
    game = load_game(game_id)
    assert (game.decks.min, game.decks.max, game.decks.paragraph) == (4, 10, "mbs 2.1")
    check_range(game_id, 4, 10)


def check_range(game_id: str, least: int, most: int) -> None:
    game = load_game(game_id)
    for decks in range(least, most + 1):
        game.check_decks(decks)
    for decks in (-1, 0, least - 1, most + 1):
        with pytest.raises(BadInput, match=f"{least} to {most} decks, not {decks}") as refused:
            game.check_decks(decks)
        assert refused.value.code == "bad-decks"
        assert refused.value.paragraph == game.decks.paragraph


@rule("rws-nc-insurance 2.1.1", "rws-nc-insurance 2.1.2")
def test_the_insurance_game_has_five_layouts_with_their_boxes() -> None:
    layouts = load_game("rws-nc-insurance").layouts
    assert [(layout.id, layout.boxes) for layout in layouts] == [
        ("bean-9", 9),
        ("bean-7", 7),
        ("mini-7", 7),
        ("mini-6", 6),
        ("mini-5", 5),
    ]
    assert {layout.paragraph for layout in layouts} == {"rws-nc-insurance 2.1.1"}
    for layout in layouts:
        kind = layout.id.partition("-")[0]
        assert layout.title.lower().startswith(kind), layout.title
        assert str(layout.boxes) in layout.title


@rule("rws-nc-insurance 2.1.3")
def test_the_insurance_game_has_seven_betting_areas() -> None:
    game = load_game("rws-nc-insurance")
    assert game.insurance is not None
    insured = {row.wager for row in game.insurance.rows}
    assert {wager.title for wager in game.wagers} | {wager_names()[wager_id]["en"] for wager_id in insured} == {
        "Player",
        "Banker",
        "Tie",
        "Player Pair",
        "Banker Pair",
        "Player Insurance",
        "Banker Insurance",
    }


@rule("mbs 2.2", "rws-nc 2.1.1", "rws-nc-super-six-plus 2.1.1")
@pytest.mark.parametrize("game_id", [game_id for game_id in WAGERS if game_id != "rws-nc-insurance"])
def test_an_electronic_game_has_one_layout_and_as_many_seats_as_terminals(game_id: str) -> None:
    (layout,) = load_game(game_id).layouts
    paragraph = "mbs 2.2" if game_id in MBS_GAMES else f"{game_id} 2.1.1"
    assert (layout.id, layout.boxes, layout.paragraph) == ("electronic", None, paragraph)


@rule("rws-nc 3.6", "rws-nc-insurance 3.3", "rws-nc-super-six-plus 3.3")
@pytest.mark.parametrize("game_id", WAGERS)
def test_each_game_offers_its_own_wagers(game_id: str) -> None:
    game = load_game(game_id)
    assert [wager.id for wager in game.wagers] == WAGERS[game_id]
    for wager in game.wagers:
        assert game.wager(wager.id) is wager
        assert wager.title == wager_names()[wager.id]["en"]
        assert wager.names == wager_names()[wager.id]


@rule("mbs 4.5", "mbs 4.6", "mbs 4.9", "mbs 4.10")
@pytest.mark.parametrize("game_id", WAGERS)
def test_what_may_be_available_is_optional_and_nothing_else_is(game_id: str) -> None:
    optional = [wager.id for wager in load_game(game_id).wagers if wager.optional]
    assert optional == [wager for wager in WAGERS[game_id] if wager in (*DRAGONS, *TIGERS)]


def test_the_catalogue_names_every_wager_of_the_project() -> None:
    assert set(wager_names()) == {
        *(wager for wagers in WAGERS.values() for wager in wagers),
        "player-insurance",
        "banker-insurance",
    }
    for names in wager_names().values():
        assert list(names) == ["en", "zh"]
        assert re.search("[一-鿿]", names["zh"])


# ---------------------------------------------------------------------------------------------------------------------
# Where the documents differ, their clauses differ, as data.


def remedies(document_id: str, kind: Kind, *, cards_dealt: int = 3) -> list[tuple[str, str]]:
    clause = load_document(document_id)[0].clause(kind, cards_dealt=cards_dealt)
    return [(remedy.do, remedy.paragraph) for remedy in clause.remedies]


@rule("mbs 5.8", "mbs 5.8.1", "rws-nc 5.7", "rws-nc 5.7.1")
def test_cards_drawn_together() -> None:
    unknown, known = Kind.DRAWN_TOGETHER_ORDER_UNKNOWN, Kind.DRAWN_TOGETHER_ORDER_KNOWN
    burnt = ("discard", "interpretation drawn-after-the-last-card")  # if no card of the round is due any more
    assert remedies("mbs", unknown) == [("void", "mbs 5.8.1"), burnt]
    assert remedies("rws-nc", unknown) == [("decide-order", "rws-nc 5.7"), ("discard", "rws-nc 5.4")]
    assert remedies("mbs", known) == [("reconstruct", "mbs 5.8")]
    assert remedies("rws-nc", known) == [("reconstruct", "rws-nc 5.4"), ("discard", "rws-nc 5.4")]
    clause = load_document("rws-nc")[0].clauses[unknown]
    assert (clause.rank, clause.may_replace_shoe) == (Rank.PIT_SUPERVISOR, "rws-nc 5.7.1")
    assert load_document("mbs")[0].clauses[unknown].may_replace_shoe == ""


@rule("rws-nc 5.4", "mbs 5.7", "mbs 5.2")
def test_cards_in_excess_may_open_the_next_round_only_at_rws() -> None:
    assert remedies("rws-nc", Kind.EXCESS_OR_EXPOSED) == [
        ("reconstruct", "rws-nc 5.4"),
        ("void", "rws-nc 5.3.3"),
        ("use-in-next-round", "rws-nc 5.4"),
        ("discard", "rws-nc 5.4"),
    ]
    assert remedies("mbs", Kind.EXCESS_OR_EXPOSED) == [
        ("reconstruct", "mbs 5.7"),
        ("void", "mbs 5.2"),
        ("discard", "interpretation drawn-after-the-last-card"),
    ]


@rule("mbs 5.9", "mbs 5.9.1", "mbs 5.9.2", "rws-nc 5.1", "rws-nc 5.1.1", "rws-nc 5.1.2")
def test_an_interruption_is_concluded_or_void_by_what_is_established() -> None:
    for document_id, established, not_established in (
        ("rws-nc", "rws-nc 5.1.1", "rws-nc 5.1.2"),
        ("mbs", "mbs 5.9.2", "mbs 5.9.1"),
    ):
        clause = load_document(document_id)[0].clauses[Kind.TABLE_INTERRUPTION]
        assert {remedy.condition: (remedy.do, remedy.paragraph) for remedy in clause.remedies} == {
            Condition.ESTABLISHED: (Remedy.CONTINUE, established),
            Condition.NOT_ESTABLISHED: (Remedy.VOID, not_established),
        }


@pytest.mark.parametrize("document_id", ["rws-nc-insurance", "rws-nc-super-six-plus"])
def test_two_documents_are_silent_on_power_failures_so_the_shift_manager_decides(document_id: str) -> None:
    document, _ = load_document(document_id)
    for kind in (Kind.TABLE_INTERRUPTION, Kind.TERMINAL_INTERRUPTION, Kind.NOT_COVERED):
        clause = document.clause(kind, cards_dealt=3)
        assert clause.kind is Kind.NOT_COVERED
        assert clause.rank is Rank.SHIFT_MANAGER
        assert {remedy.paragraph for remedy in clause.remedies} == {"interpretation shift-manager-where-silent"}


@rule("rws-nc 5.12", "mbs 6.1")
@pytest.mark.parametrize(("document_id", "paragraph"), [("rws-nc", "rws-nc 5.12"), ("mbs", "mbs 6.1")])
def test_what_is_not_covered_goes_to_the_shift_manager(document_id: str, paragraph: str) -> None:
    clause = load_document(document_id)[0].clauses[Kind.NOT_COVERED]
    assert clause.rank is Rank.SHIFT_MANAGER
    assert {remedy.paragraph for remedy in clause.remedies} == {paragraph}


@rule("mbs 5.6")
def test_a_card_face_up_in_the_shoe_is_covered_by_mbs_once_the_first_card_is_dealt() -> None:
    assert remedies("mbs", Kind.FACE_UP_IN_SHOE, cards_dealt=1) == [("continue", "mbs 5.6")]
    assert load_document("mbs")[0].clause(Kind.FACE_UP_IN_SHOE, cards_dealt=0).kind is Kind.NOT_COVERED
    assert remedies("rws-nc", Kind.FACE_UP_IN_SHOE, cards_dealt=0) == [("continue", "rws-nc 5.4")]


@rule("mbs 5.1.1", "mbs 5.1.2", "rws-nc 5.3.1", "rws-nc 5.3.2", "rws-nc 5.3.5", "mbs 5.3", "rws-nc 5.3.4")
@rule("rws-nc-insurance 5.1.1", "rws-nc-insurance 5.1.3", "rws-nc-super-six-plus 5.1.1")
@rule("rws-nc-super-six-plus 5.1.2", "rws-nc-super-six-plus 5.1.4")
@pytest.mark.parametrize(
    ("kind", "voids"),
    [
        (Kind.FOREIGN_CARD, ["rws-nc 5.3.1", "rws-nc-insurance 5.1.1", "rws-nc-super-six-plus 5.1.1", "mbs 5.1.1"]),
        (Kind.SHORTAGE_OR_EXCESS, ["rws-nc 5.3.2", "", "rws-nc-super-six-plus 5.1.2", "mbs 5.1.1"]),
        (Kind.INSUFFICIENT_CARDS, ["rws-nc 5.3.4", "rws-nc-insurance 5.1.3", "rws-nc-super-six-plus 5.1.4", "mbs 5.3"]),
        (Kind.UNSHUFFLED_CARDS, ["rws-nc 5.3.5", "", "", "mbs 5.1.1"]),
    ],
)
def test_wrong_cards_void_where_the_document_says_so(kind: Kind, voids: list[str]) -> None:
    for document_id, paragraph in zip(DOCUMENTS, voids, strict=True):
        if paragraph:
            assert remedies(document_id, kind) == [("void", paragraph)]
        else:
            assert load_document(document_id)[0].clause(kind, cards_dealt=3).kind is Kind.NOT_COVERED


@rule("rws-nc 3.3", "rws-nc 3.7", "rws-nc 5.9", "rws-nc-insurance 3.1", "rws-nc-insurance 3.2")
@rule("rws-nc-super-six-plus 3.1", "rws-nc-super-six-plus 3.2", "mbs 3.1", "mbs 3.2", "mbs 5.4", "mbs 5.5")
@rule("rws-nc-insurance 5.2", "rws-nc-insurance 5.3")
def test_each_document_opens_and_closes_betting_by_its_own_paragraph() -> None:
    found = {
        document_id: (procedure.opens, procedure.closes, procedure.late_bet, procedure.withdrawn_bet)
        for document_id in DOCUMENTS
        for procedure in [load_document(document_id)[0].procedure]
    }
    plus = "rws-nc-super-six-plus"
    assert found == {
        "rws-nc": ("rws-nc 3.3", "rws-nc 3.7", "rws-nc 3.7", "rws-nc 5.9"),
        "rws-nc-insurance": tuple(f"rws-nc-insurance {number}" for number in ("3.1", "3.2", "5.2", "5.3")),
        plus: (f"{plus} 3.1", f"{plus} 3.2", f"{plus} 3.2", "interpretation withdrawn-bet-stands"),
        "mbs": ("mbs 3.1", "mbs 3.2", "mbs 5.5", "mbs 5.4"),
    }


@pytest.mark.parametrize(
    ("document_id", "operator", "effective"),
    [
        ("rws-nc", "Resorts World at Sentosa", "2020-01-29"),
        ("rws-nc-insurance", "Resorts World at Sentosa", "2013-10-22"),
        ("rws-nc-super-six-plus", "Resorts World at Sentosa", "2019-05-10"),
        ("mbs", "Marina Bay Sands", "2021-10-28"),
    ],
)
def test_the_documents_name_their_operator_and_date(document_id: str, operator: str, effective: str) -> None:
    document, _ = load_document(document_id)
    assert (document.id, document.operator, document.effective) == (document_id, operator, effective)


# ---------------------------------------------------------------------------------------------------------------------
# Citations and the register.


@pytest.mark.parametrize("path", data_files(), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_citation_in_a_data_file_exists(path: Path) -> None:
    known = set(paragraphs()) | {f"interpretation {entry.id}" for entry in register()}
    cited = {text for text in strings(tomllib.loads(path.read_text(encoding="utf-8"))) if CITATION.fullmatch(text)}
    assert cited
    assert cited <= known
    document = load_game(path.stem).document.id if path.parent.name == "packs" else path.stem
    own = {text.split()[0] for text in cited}
    assert own <= {document, "interpretation"}, "a clause binds only the game that it was approved for"


def test_every_interpretation_that_is_cited_anywhere_is_in_the_register() -> None:
    known = {entry.id for entry in register()}
    root = Path(natural9.__file__).parent
    cited: set[str] = set()
    for path in [*root.rglob("*.py"), *root.rglob("*.toml")]:
        text = path.read_text(encoding="utf-8")
        cited |= set(re.findall(r"interpretation `?([a-z]+(?:-[a-z]+)+)", text))
    assert len(cited) >= 10
    assert cited <= known


def test_the_register_is_complete() -> None:
    entries = register()
    by_document = [(entry.id, document) for entry in entries for document in entry.documents]
    assert len(set(by_document)) == len(by_document), "at one table an id has one reading"
    for entry in entries:
        assert entry.reading, entry.id
        assert entry.rejected, entry.id
        assert entry.why, entry.id
        assert entry.title, entry.id
        assert entry.paragraphs, entry.id
        assert set(entry.paragraphs) <= set(paragraphs()), entry.id
        assert entry.documents, entry.id
        assert set(entry.documents) <= set(DOCUMENTS), entry.id
        assert set(entry.wagers) <= set(wager_names()), entry.id


def test_all_seventeen_readings_are_in_the_register() -> None:
    """In the order in which the project settled them."""
    readings = [
        "pair-is-rank",
        "tiger-pair-best-class",
        "dragon-bonus-naturals",
        "tie-returns",
        "insurance-while-a-draw-is-to-come",
        "insurance-cap",
        "squeeze-waives-the-second-window",
        "outcome-established",
        "drawn-together",
        "excess-is-discretion",
        "cards-decide",
        "registered-is-durable",
        "void-returns-everything",
        "optional-before-the-shoe",
        "nothing-rounds",
        "higher-rank-may",
        "shift-manager-where-silent",
    ]
    assert [entry.id for entry in register()][:17] == readings


@pytest.mark.parametrize(
    ("game_id", "has", "has_not"),
    [
        (
            "mbs-tiger",
            {"tiger-pair-best-class", "optional-before-the-shoe"},
            {"dragon-bonus-naturals", "insurance-cap"},
        ),
        ("mbs-super-6-nc", {"dragon-bonus-naturals"}, {"tiger-pair-best-class"}),
        ("mbs-nc", {"pair-is-rank", "outcome-established"}, {"optional-before-the-shoe", "dragon-bonus-naturals"}),
        ("rws-nc-insurance", {"insurance-cap", "tie-returns"}, {"outcome-established", "tiger-pair-best-class"}),
        ("rws-nc", {"excess-is-discretion"}, {"insurance-cap", "shift-manager-where-silent"}),
    ],
)
def test_a_game_shows_the_interpretations_that_bear_on_it(game_id: str, has: set[str], has_not: set[str]) -> None:
    shown = {entry.id for entry in load_game(game_id).interpretations}
    assert has <= shown
    assert not has_not & shown


def test_every_paragraph_is_told_in_words_and_untested_ones_say_why() -> None:
    for citation, entry in paragraphs().items():
        assert CITATION.fullmatch(citation), citation
        assert entry.says.strip().endswith("."), citation
        assert not entry.untested or entry.untested.strip() == entry.untested, citation
    assert {citation.split()[0] for citation in paragraphs()} == set(DOCUMENTS)


# ---------------------------------------------------------------------------------------------------------------------
# The hash of the rules, and the betting unit.


def test_the_hash_is_of_the_file_and_changes_with_it(tmp_path: Path) -> None:
    copy = tmp_path / "mbs-tiger.toml"
    original = (FOLDER / "packs" / "mbs-tiger.toml").read_bytes()
    copy.write_bytes(original)
    assert load_pack(copy).sha256 == load_game("mbs-tiger").sha256
    for changed in (original + b"\n", original + b"# a remark\n", original.replace(b'"35:1"', b'"36:1"')):
        copy.write_bytes(changed)
        assert load_pack(copy).sha256 != load_game("mbs-tiger").sha256
    assert re.fullmatch("[0-9a-f]{64}", load_game("mbs-tiger").sha256)


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of all data files that a test may change; what was read of the original is read anew afterwards."""
    copy = tmp_path / "games"
    shutil.copytree(FOLDER, copy, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    with monkeypatch.context() as patched:
        patched.setattr(loader, "FOLDER", copy)
        forget_what_was_read()
        yield copy
    forget_what_was_read()


def forget_what_was_read() -> None:
    for read in (loader.register, loader.paragraphs, loader.wager_names, loader.load_document, loader._known):
        read.cache_clear()


def hashes(folder: Path) -> dict[str, str]:
    forget_what_was_read()
    return {path.stem: load_pack(path).sha256 for path in (folder / "packs").glob("*.toml")}


def test_the_hash_covers_our_readings_of_what_the_game_has_and_no_others(shelf: Path) -> None:
    """A reading decides what is paid, as a pay row does: rounds under another one were played by other rules."""
    before = hashes(shelf)
    readings = {
        game: {one.id for one in load_pack(shelf / "packs" / f"{game}.toml").interpretations} for game in before
    }
    file = shelf / "interpretations.toml"
    original = file.read_text(encoding="utf-8")
    head, *entries = original.split("[[interpretation]]")
    for id, old, new in (
        ("tiger-pair-best-class", 'reading = "', 'reading = "Or: '),
        ("insurance-cap", 'rejected = "', 'rejected = "Or: '),
        ("pair-is-rank", 'why = "', 'why = "Or: '),
        ("outcome-established", 'paragraphs = ["', 'paragraphs = ["mbs 1.1.1", "'),
    ):
        changed = [entry.replace(old, new) if f'id = "{id}"' in entry else entry for entry in entries]
        file.write_text("[[interpretation]]".join([head, *changed]), encoding="utf-8")
        differ = {game for game, now in hashes(shelf).items() if now != before[game]}
        shown = {game for game in before if id in readings[game]}
        assert differ == ({game for game in shown if game in MBS_GAMES} if "mbs" in new else shown)
        assert differ
    file.write_text("[[interpretation]]".join([head, *reversed(entries)]), encoding="utf-8")
    assert hashes(shelf) == before, "in another order they say the same"
    file.write_text(original.replace('title = "', 'title = "Or: '), encoding="utf-8")
    assert hashes(shelf) == before, "under another title they say the same"


@rule("mbs 2.2")
def test_only_the_layouts_of_mbs_say_what_a_malfunction_does() -> None:
    notices = {game_id: load_game(game_id).document.notice for game_id in game_ids()}
    assert {game_id for game_id, notice in notices.items() if notice} == set(MBS_GAMES)
    for notice in filter(None, notices.values()):
        assert (notice.says, notice.paragraph) == ("Malfunction voids all pays and plays.", "mbs 2.2")


def test_no_two_games_share_a_hash() -> None:
    assert len({load_game(game_id).sha256 for game_id in game_ids()}) == 9


@pytest.mark.parametrize(
    ("game_id", "unit", "refused_by"),
    [
        ("rws-nc", 1, "Banker at 1:2"),
        ("rws-nc", 2, None),
        ("mbs-tiger", 10, "Banker at 0.95:1"),
        ("mbs-tiger", 20, None),
        ("mbs-tiger", 30, "Banker at 0.95:1"),
        ("mbs-tiger-nc", 3, "Banker at 1:2"),
        ("rws-nc-insurance", 2, None),
        ("rws-nc-insurance", 5, "Banker at 1:2"),
    ],
)
def test_a_betting_unit_that_would_pay_a_fraction_of_a_cent(game_id: str, unit: int, refused_by: str | None) -> None:
    game = load_game(game_id)
    if refused_by is None:
        game.check_betting_unit(unit)
        assert all((unit * odds.ratio).denominator == 1 for _, odds in game.odds())
        return
    with pytest.raises(BadInput, match=refused_by) as refused:
        game.check_betting_unit(unit)
    assert (refused.value.code, refused.value.paragraph) == ("bad-unit", "interpretation nothing-rounds")


@pytest.mark.parametrize("unit", [0, -100])
def test_a_betting_unit_is_more_than_nothing(unit: int) -> None:
    with pytest.raises(BadInput) as refused:
        load_game("rws-nc").check_betting_unit(unit)
    assert refused.value.code == "bad-unit"


@pytest.mark.parametrize("game_id", WAGERS)
def test_every_game_comes_with_a_betting_unit_that_pays_whole_cents(game_id: str) -> None:
    game = load_game(game_id)
    game.check_betting_unit(game.betting_unit_cents)
    listed = {name for name, _ in game.odds()}
    insured = {"player-insurance", "banker-insurance"} if game.insurance else set()
    assert listed == set(WAGERS[game_id]) | insured

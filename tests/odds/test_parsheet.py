"""Par sheets: what they print is what pricing found, all of it, in every format, and the same bytes each time."""

import re
import zlib
from fractions import Fraction
from functools import cache
from html.parser import HTMLParser
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

from natural9.core.errors import BadInput
from natural9.core.game import Game
from natural9.core.outcome import Outcome
from natural9.games import game_ids, load_game, load_pack
from natural9.games.citations import citation
from natural9.odds.composition import Composition
from natural9.odds.distribution import outcome_weights
from natural9.odds.parsheet.blocks import Caution, Heading, SheetDocument, SheetTable
from natural9.odds.parsheet.document import document_of
from natural9.odds.parsheet.files import WRITERS, check_target, render, write_whole
from natural9.odds.parsheet.pdf_parts import latin
from natural9.odds.parsheet.plots import BarChart, Box, bins, draw_bars, nice_step, ticks
from natural9.odds.parsheet.sheet import ParSheet, gather, hold_after
from natural9.odds.parsheet.words import decimal, one_in, wager_name
from natural9.odds.penetration import edge_by_penetration
from natural9.odds.pricing import GameOdds, WagerOdds, odds, wager_odds
from natural9.odds.together import net_of

GAMES = game_ids()
FORMATS = tuple(WRITERS)
VOID = {"meta", "line", "rect"}


@cache
def sheet(game_id: str, decks: int = 8) -> ParSheet:
    return gather(load_game(game_id), decks=decks)


@cache
def document(game_id: str, decks: int = 8) -> SheetDocument:
    return document_of(sheet(game_id, decks))


@cache
def written(game_id: str, suffix: str) -> bytes:
    return WRITERS[suffix](document(game_id))


@cache
def priced(game_id: str, decks: int = 8) -> GameOdds:
    return odds(load_game(game_id), Composition.of(decks=decks))


@cache
def weights_of(decks: int) -> dict[Outcome, int]:
    return outcome_weights(Composition.of(decks=decks))


class Reader(HTMLParser):
    """Checks that every tag is closed in its turn, and gathers the text, the tables and whatever points outside."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []
        self.rows: list[list[str]] = []
        self.outside: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.outside += [f"{name}={value}" for name, value in attrs if name in {"src", "href", "xlink:href", "srcset"}]
        if tag not in VOID:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in {"td", "th"}:
            self.rows[-1].append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in VOID

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.text.append(data)
        if self.open and self.open[-1] in {"td", "th"}:
            self.rows[-1][-1] += data


def read_html(content: bytes) -> Reader:
    reader = Reader()
    reader.feed(content.decode())
    reader.close()
    assert not reader.open
    return reader


def html_rows(game_id: str) -> list[list[str]]:
    return read_html(written(game_id, ".html")).rows


def pdf_text(content: bytes) -> str:
    """The text that a PDF of ours shows: the strings of its pages, a space between any two."""
    shown = []
    for stream in re.findall(rb"stream\n(.*?)\nendstream", content, re.DOTALL):
        page = zlib.decompress(stream)
        strings = re.findall(rb"\(((?:[^()\\]|\\.)*)\)", page, re.DOTALL)
        shown += [re.sub(rb"\\(.)", rb"\1", string).decode("latin-1") for string in strings]
    return " ".join(" ".join(shown).split())


def text_of(game_id: str, suffix: str) -> str:
    """All that a reader of the file sees, on one line."""
    content = written(game_id, suffix)
    if suffix == ".pdf":
        return pdf_text(content)
    seen = " ".join(read_html(content).text) if suffix == ".html" else re.sub(r"\\(.)", r"\1", content.decode())
    return " ".join(seen.split())


def value(text: str) -> Fraction:
    return Fraction(text.replace("−", "-").replace(",", "").removesuffix("%"))


def tables(game_id: str, start: str, decks: int = 8) -> SheetTable:
    found = [
        one for one in document(game_id, decks).blocks if isinstance(one, SheetTable) and one.caption.startswith(start)
    ]
    assert len(found) == 1
    return found[0]


# --- the figures


@pytest.mark.parametrize("game_id", GAMES)
def test_each_wager_as_printed_is_as_priced(game_id: str) -> None:
    """Read back from the HTML: nine places of the probabilities, six of the edge in percent."""
    rows = {row[0]: row[1:] for row in html_rows(game_id) if len(row) == 8 and "1 in" in row[4]}
    found = priced(game_id)
    assert len(rows) == len(found.wagers)
    for wager, one in zip(load_game(game_id).wagers, found.wagers, strict=True):
        win, push, lose, hits, expected, edge, deviation = rows[wager_name(wager)]
        for printed, exact in ((win, one.win), (push, one.push), (lose, one.lose), (expected, one.expected)):
            assert value(printed) == round(exact, 9)
        assert value(edge) == round(100 * one.house_edge, 6)
        assert hits == f"1 in {float(1 / one.win):,.2f}"
        assert float(deviation) == pytest.approx(sqrt(one.variance), abs=5e-7)


@pytest.mark.parametrize("game_id", GAMES)
def test_each_line_of_the_pay_table_has_its_probability(game_id: str) -> None:
    printed = iter(tables(game_id, "Each line of the pay table").rows)
    for wager, one in zip(load_game(game_id).wagers, priced(game_id).wagers, strict=True):
        contributions = Fraction()
        for place, line in enumerate(one.rows):
            name, when, pays, probability, _, contribution = next(printed).cells
            assert (name, when, pays) == (wager_name(wager) if not place else "", line.row.words, line.row.pays)
            assert value(probability) == round(line.probability, 9)
            contributions += value(contribution)
        _, when, pays, probability, _, contribution = next(printed).cells
        assert (when, pays, value(probability)) == ("otherwise", "loses", round(one.lose, 9))
        assert float(contributions + value(contribution)) == pytest.approx(float(one.expected), abs=1e-8)
    assert next(printed, None) is None


@pytest.mark.parametrize("game_id", GAMES)
def test_the_house_edge_for_every_number_of_decks_that_the_game_allows(game_id: str) -> None:
    game, table = load_game(game_id), tables(game_id, "House edge of every wager")
    decks = range(game.decks.min, game.decks.max + 1)
    assert [column.title for column in table.columns[1:]] == [f"{one} decks" for one in decks]
    for place, number in enumerate(decks, 1):
        weights = weights_of(number)
        edges = [value(row.cells[place]) for row in table.rows]
        assert edges == [round(100 * wager_odds(wager, weights).house_edge, 6) for wager in game.wagers]


def test_the_known_edges() -> None:
    edges = {facts.wager.id: decimal(100 * facts.odds.house_edge, 6) for facts in sheet("mbs-tiger").wagers}
    assert edges["player"] == "1.235081"
    assert edges["banker"] == "1.057906"
    assert edges["tiger"] == "16.683572"
    assert edges["tiger-tie"] == "30.735410"


def test_the_number_of_decks_is_heard() -> None:
    assert document("rws-nc", 6).blocks != document("rws-nc").blocks
    row = next(row for row in tables("rws-nc", "Each wager", 6).rows if row.cells[0].startswith("Tie"))
    assert value(row.cells[6]) == round(100 * priced("rws-nc", 6).wager("tie").house_edge, 6)
    with pytest.raises(BadInput, match="4 to 8 decks, not 9"):
        gather(load_game("rws-nc"), decks=9)


# --- insurance


@pytest.mark.parametrize("suffix", FORMATS)
def test_insurance_that_favours_the_bettor_cannot_be_overlooked(suffix: str) -> None:
    worst = [one for one in priced("rws-nc-insurance").insurance if one.expected > 0]
    assert worst
    seen = text_of("rws-nc-insurance", suffix)
    assert len(re.findall(r"\bBETTOR\b(?!\.)", seen)) == len(worst)
    assert "FAVOUR THE" in seen
    assert "+8.439668%" in seen


def test_insurance_as_printed_is_as_priced() -> None:
    table = tables("rws-nc-insurance", "Every line of insurance")
    found = priced("rws-nc-insurance").insurance
    for row, one in zip(table.rows, found, strict=True):
        hand, _, player, banker, pays, *chances, favours = row.cells
        assert (hand.lower(), int(player), int(banker), pays) == (
            one.row.hand, one.player_total, one.banker_total, one.row.odds.text,
        )  # fmt: skip
        exact = (one.arises, one.win, one.push, one.lose, one.expected)
        assert [value(printed) for printed in chances] == [round(each, 9) for each in exact]
        assert row.warns == (one.expected > 0) == (favours == "BETTOR")


def test_a_game_without_insurance_has_no_such_section() -> None:
    assert not [one for one in document("rws-nc").blocks if isinstance(one, Heading) and "Insurance" in one.text]
    assert not [one for one in document("rws-nc").blocks if isinstance(one, Caution)]


# --- volatility


def test_the_interval_of_the_hold_by_hand() -> None:
    """A fair coin at even money: after 10,000 rounds the hold is within 1.96 hundredths of nothing, 19 times in 20."""
    coin = WagerOdds("coin", (), Fraction(1, 2), Fraction(), Fraction(1, 2), Fraction(), Fraction(1))
    hold = hold_after(coin, 10_000, 95)
    assert (hold.low, hold.high) == pytest.approx((-0.0195996, 0.0195996), abs=1e-7)
    player = priced("rws-nc").wager("player")
    narrow, wide = hold_after(player, 10**7, 90), hold_after(player, 10**3, 99)
    assert wide.low < 0 < narrow.low < float(player.house_edge) < narrow.high < wide.high


@pytest.mark.parametrize("game_id", GAMES)
def test_every_interval_is_printed(game_id: str) -> None:
    table = tables(game_id, "Confidence intervals")
    assert [column.title for column in table.columns[2:]] == [f"{10**power:,} rounds" for power in range(3, 8)]
    found = priced(game_id)
    assert [row.cells[1] for row in table.rows] == ["90%", "95%", "99%"] * len(found.wagers)
    for one, row in zip(found.wagers, table.rows[1::3], strict=True):
        for power, cell in enumerate(row.cells[2:], 3):
            low, high = (float(value(part)) for part in cell.removeprefix("* ").split(" to "))
            reach = 1.959964 * sqrt(one.variance / 10**power)
            assert (low, high) == pytest.approx(
                (100 * (float(one.house_edge) - reach), 100 * (float(one.house_edge) + reach)), abs=6e-4
            )


def test_a_rough_approximation_is_marked() -> None:
    """A twin pair comes once in 2,631 rounds: not ten times in ten thousand, but more than that in a million."""
    row = next(row for row in tables("mbs-tiger", "Confidence").rows if row.cells[0].startswith("Tiger Pair"))
    assert [cell.startswith("*") for cell in row.cells[2:]] == [True, True, False, False, False]


@pytest.mark.parametrize("game_id", GAMES)
def test_a_session_has_the_mean_and_deviation_of_its_rounds(game_id: str) -> None:
    for facts in sheet(game_id).wagers:
        session = facts.session
        results = float(session.least) + float(session.step) * np.arange(len(session.chances))
        mean = float((results * session.chances).sum())
        assert session.chances.sum() == pytest.approx(1)
        assert mean == pytest.approx(100 * float(facts.odds.expected), abs=1e-6)
        assert mean == pytest.approx(session.mean, abs=1e-6)
        assert ((results - mean) ** 2 * session.chances).sum() == pytest.approx(100 * float(facts.odds.variance))
        low, high = session.interval(0.95)
        assert session.chances[(results < low - 1e-9) | (results > high + 1e-9)].sum() <= 0.05 + 1e-12
        assert session.ahead == pytest.approx(session.chances[results > 1e-9].sum())
        assert sum(chance for *_, chance in bins(session)) == pytest.approx(1, abs=0.02)


def test_the_deviations_are_printed() -> None:
    rows = tables("mbs-tiger", "Standard deviation for").rows
    for row, one in zip(rows, priced("mbs-tiger").wagers, strict=True):
        assert value(row.cells[1]) == round(one.variance, 6)
        assert float(row.cells[2]) == pytest.approx(one.standard_deviation, abs=5e-7)
        assert float(row.cells[4]) == pytest.approx(10 * one.standard_deviation, abs=5e-5)


def test_the_least_of_a_session_is_to_lose_every_round() -> None:
    tie = next(facts for facts in sheet("rws-nc").wagers if facts.wager.id == "tie")
    assert tie.session.least == -100
    assert tie.session.step == 9
    assert tie.session.chances[0] == pytest.approx(float(tie.odds.lose) ** 100)


def test_how_wagers_go_together_is_printed() -> None:
    rows, wagers = tables("mbs-tiger", "Correlation").rows, load_game("mbs-tiger").wagers
    weights = outcome_weights(Composition.of(decks=8))
    chances = np.array([float(Fraction(weight, sum(weights.values()))) for weight in weights.values()])
    nets = [[float(net_of(wager, outcome)) for outcome in weights] for wager in wagers]
    exact = np.cov(nets, aweights=chances, bias=True)
    for one, row in enumerate(rows):
        for other, cell in enumerate(row.cells[1:]):
            if other > one:
                assert cell == ""
                continue
            assert float(value(cell)) == pytest.approx(
                exact[one, other] / sqrt(exact[one, one] * exact[other, other]), abs=6e-5
            )


def test_how_far_the_edge_strays_is_as_dealt_shoes_stray() -> None:
    printed = tables("mbs-tiger", "Standard deviation of the house edge").rows[0]
    assert len(printed.cells) == 1 + 8  # seven whole decks, and half of one
    player = next(facts for facts in sheet("mbs-tiger").wagers if facts.wager.id == "player")
    assert float(printed.cells[4]) == pytest.approx(100 * player.count.spread(208), abs=5e-4)
    dealt = edge_by_penetration(load_game("mbs-tiger"), "player", shoes=40)
    half = next(depth for depth in dealt.depths if depth.left[0] <= 208)
    assert half.spread == pytest.approx(player.count.spread(sum(half.left) // 2), rel=0.35)


# --- all of it, in every format


@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.parametrize("game_id", GAMES)
def test_everything_of_the_game_is_there(game_id: str, suffix: str) -> None:
    game, seen = load_game(game_id), text_of(game_id, suffix)
    squeezed = seen.replace(" ", "")  # a line may break anywhere that there is a space
    facts = [game.title, game.id, game.sha256, game.document.operator, game.document.title, game.document.effective]
    expected = [*facts, "natural9 0.1.0", "Prepared by", "Checked by", "natural9 odds", "4,998,398,275,503,360"]
    for wager in game.wagers:
        expected += [wager.title, wager.id, citation(wager.paragraph)]
        expected += [part for row in wager.rows for part in (row.words, row.pays, citation(row.paragraph))]
    for entry in game.interpretations:
        expected += [entry.title, *map(citation, entry.paragraphs), entry.reading, entry.rejected, entry.why]
    for row in game.insurance.rows if game.insurance else ():
        expected += [row.odds.text, citation(row.paragraph)]
    for part in expected:
        said = latin(part) if suffix == ".pdf" else part
        assert said.replace(" ", "") in squeezed, part
    for one in priced(game_id).wagers:
        assert decimal(100 * one.house_edge, 6) + "%" in squeezed


@pytest.mark.parametrize("suffix", [".html", ".md"])
def test_chinese_names_where_there_is_type_for_them(suffix: str) -> None:
    seen = text_of("mbs-tiger", suffix)
    assert all(wager.names["zh"] in seen for wager in load_game("mbs-tiger").wagers)


@pytest.mark.parametrize("suffix", FORMATS)
def test_the_same_bytes_each_time(suffix: str) -> None:
    assert render(load_game("rws-nc"), decks=8, suffix=suffix) == written("rws-nc", suffix)


@pytest.mark.parametrize("game_id", GAMES)
def test_html_stands_alone(game_id: str) -> None:
    content = written(game_id, ".html")
    reader = read_html(content)
    assert not reader.outside
    assert not reader.seen & {"script", "link", "img", "iframe", "object", "embed", "base"}
    assert "svg" in reader.seen
    for sign in (b"http:", b"https:", b"url(", b"@import", b"javascript"):
        assert sign not in content


@pytest.mark.parametrize("game_id", GAMES)
def test_a_pdf_is_whole_and_its_pages_are_numbered(game_id: str) -> None:
    content = written(game_id, ".pdf")
    assert content.startswith(b"%PDF-1.")
    assert content.rstrip().endswith(b"%%EOF")
    found = re.search(rb"/Count (\d+)", content)
    assert found
    pages = int(found[1])
    assert 4 <= pages <= 12
    seen = pdf_text(content)
    assert [int(page) for page in re.findall(r"Page (\d+) of", seen)] == list(range(1, pages + 1))
    assert set(re.findall(r"Page \d+ of (\d+)", seen)) == {str(pages)}
    assert b"20000101" in content


def test_markdown_tables_have_as_many_cells_as_headings() -> None:
    width = 0
    for line in written("rws-nc-insurance", ".md").decode().splitlines():
        if not line.startswith("|"):
            width = 0
            continue
        cells = len(re.findall(r"(?<!\\)\|", line))
        width = width or cells
        assert cells == width


# --- a pack of one's own


def own_pack(tmp_path: Path, **changes: str) -> Game:
    text = (Path(__file__).parents[2] / "natural9/games/packs/rws-nc.toml").read_text(encoding="utf-8")
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    path = tmp_path / "own.toml"
    path.write_text(text.replace('id = "rws-nc"', 'id = "own"'), encoding="utf-8")
    return load_pack(path)


def test_a_title_with_signs_that_formats_give_a_meaning(tmp_path: Path) -> None:
    game = own_pack(tmp_path, **{"Non-Commission Baccarat": "A<b>&|*_百家乐"})
    reader = read_html(render(game, decks=8, suffix=".html"))
    assert "A<b>&|*_百家乐" in reader.text
    assert r"# A\<b\>&\|\*\_百家乐" in render(game, decks=8, suffix=".md").decode()
    assert "A<b>&|*_" in pdf_text(render(game, decks=8, suffix=".pdf"))


def test_a_wager_that_favours_the_bettor_is_called_out(tmp_path: Path) -> None:
    game = own_pack(tmp_path, **{'odds = "8:1"': 'odds = "10:1"'})
    found = document_of(gather(game, decks=8))
    assert [one.text for one in found.blocks if isinstance(one, Caution)] == ["These wagers FAVOUR THE BETTOR: Tie."]
    for write in WRITERS.values():
        assert write(found)


# --- words, plots, files


@pytest.mark.parametrize(
    ("exact", "places", "printed"),
    [
        (Fraction(1, 3), 6, "0.333333"),
        (Fraction(-2, 3), 3, "−0.667"),
        (Fraction(1, 8), 2, "0.12"),
        (Fraction(3, 8), 2, "0.38"),
        (Fraction(-1, 10**9), 6, "0.000000"),
        (Fraction(12345678, 10), 2, "1,234,567.80"),
        (Fraction(999999999, 10**9), 6, "1.000000"),
    ],
)
def test_decimals_are_rounded_from_the_fraction_itself(exact: Fraction, places: int, printed: str) -> None:
    assert decimal(exact, places) == printed


def test_what_never_happens_has_no_frequency() -> None:
    assert one_in(Fraction()) == "never"


def test_latin_leaves_out_what_the_fonts_lack() -> None:
    assert latin("Player 闲 (optional)") == "Player (optional)"
    assert latin("−1 – 2 ±") == "-1 - 2 ±"


def test_ticks_are_round_numbers() -> None:
    assert ticks(0, 30.7, 6) == [0, 10, 20, 30]
    assert ticks(-1.5, 1.2, 6) == [-1.5, -1.0, -0.5, 0.0, 0.5, 1.0]
    assert nice_step(1, 10) == pytest.approx(0.1)


def test_bars_are_as_long_as_their_values() -> None:
    drawn = draw_bars(BarChart((("a", 10.0), ("b", 20.0), ("c", -5.0))))
    a, b, c = (stroke for stroke in drawn.strokes if isinstance(stroke, Box))
    assert (b.width / a.width, c.width / a.width) == pytest.approx((2, 0.5))
    assert a.x == b.x == pytest.approx(c.x + c.width)


@pytest.mark.parametrize("name", ["sheet", "sheet.txt", "sheet.html.gz", "", ".html"])
def test_an_ending_that_is_no_format(name: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"\.html, \.pdf or \.md"):
        check_target(tmp_path / name)


def test_what_cannot_be_renamed_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "taken.md").mkdir()
    with pytest.raises(BadInput, match="cannot be written"):
        write_whole(tmp_path / "taken.md", b"text")
    assert [path.name for path in tmp_path.iterdir()] == ["taken.md"]

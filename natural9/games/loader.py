"""From the data files to the values of the core. Every pack is checked whenever it is read."""

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from natural9.core.errors import BadInput, nearest
from natural9.core.game import DeckRange, Document, Game, Interpretation, Layout, Notice, Procedure
from natural9.core.insurance import Insurance, InsuranceRow
from natural9.core.irregularities import Clause, ClauseRemedy
from natural9.core.money import Odds, parse_cents
from natural9.core.saying import say
from natural9.core.staff import Rank
from natural9.core.wagers import PayRow, Wager
from natural9.games import files
from natural9.games.source import Source
from natural9.games.validator import Known, check_document, check_game, check_pack, parse_points

FOLDER: Final = Path(__file__).parent


def game_ids() -> tuple[str, ...]:
    """The games on the shelf: a new one is there as soon as its file is."""
    return tuple(sorted(path.stem for path in (FOLDER / "packs").glob("*.toml")))


@cache
def load_game(game_id: str) -> Game:
    """One of the approved games, by its id."""
    if game_id not in game_ids():
        none = say("there is no game {game}", game=repr(game_id))
        if near := nearest(game_id, game_ids()):
            raise BadInput("unknown-game", say("{what}; did you mean {near}?", what=none, near=near))
        raise BadInput("unknown-game", say("{what}; there are {games}", what=none, games=tuple(game_ids())))
    return load_pack(FOLDER / "packs" / f"{game_id}.toml")


def find_game(text: str) -> Game:
    """A game by its id, or by the path of a pack of one's own."""
    return load_pack(Path(text)) if text.endswith(".toml") else load_game(text)


def load_pack(path: Path) -> Game:
    """Read and check one rule pack."""
    source = Source(path)
    pack = source.read(files.PackFile)
    known = _known()
    check_pack(source, pack, known)
    document, document_sha256 = load_document(pack.document)
    interpretations = _interpretations_for(pack)
    game = Game(
        id=pack.id,
        title=pack.title,
        document=document,
        decks=_decks(pack.decks),
        betting_unit_cents=source.parse("$.betting_unit", parse_cents, pack.betting_unit),
        wagers=tuple(_wager(source, place, wager, known) for place, wager in enumerate(pack.wager)),
        insurance=_insurance(source, pack.insurance) if pack.insurance else None,
        layouts=tuple(Layout(lay.id, lay.title, lay.boxes, lay.paragraph) for lay in pack.layout),
        interpretations=interpretations,
        sha256=sha256((source.sha256 + document_sha256 + _sha256_of(interpretations)).encode()).hexdigest(),
    )
    check_game(source, game)
    return game


@cache
def load_document(document_id: str) -> tuple[Document, str]:
    """A rulebook's procedure and irregularity clauses, and the hash of the file they stand in."""
    source = Source(FOLDER / "documents" / f"{document_id}.toml")
    document = source.read(files.DocumentFile)
    check_document(source, document, _known())
    clauses = {entry.kind: _clause(entry) for entry in document.irregularity}
    value = Document(
        id=document.id,
        title=document.title,
        operator=document.operator,
        effective=document.effective,
        decks=_decks(document.decks),
        procedure=Procedure(**document.procedure),
        clauses=clauses,
        notice=Notice(document.notice.says, document.notice.paragraph) if document.notice else None,
        dealer_announces=document.dealer_announces,
    )
    return value, source.sha256


@cache
def paragraphs() -> dict[str, files.ParagraphFile]:
    """Every paragraph of the four documents in our own words, by its citation: the document and the number."""
    return {
        f"{path.stem} {number}": entry
        for path in sorted((FOLDER / "paragraphs").glob("*.toml"))
        for number, entry in Source(path).read(files.ParagraphsFile).paragraph.items()
    }


@cache
def register() -> tuple[files.InterpretationFile, ...]:
    """The register of interpretations."""
    return tuple(Source(FOLDER / "interpretations.toml").read(files.RegisterFile).interpretation)


@cache
def wager_names() -> dict[str, files.Names]:
    """What the wagers are called, by language."""
    return Source(FOLDER / "wagers.toml").read(files.CatalogueFile).names


@cache
def _known() -> Known:
    return Known(
        citations=frozenset(paragraphs()) | {f"interpretation {entry.id}" for entry in register()},
        wagers=wager_names(),
        documents={
            path.stem: Source(path).read(files.DocumentFile) for path in sorted((FOLDER / "documents").glob("*.toml"))
        },
    )


def _interpretations_for(pack: files.PackFile) -> tuple[Interpretation, ...]:
    insurance = {f"{row.hand}-insurance" for row in pack.insurance.rows} if pack.insurance else set()
    offered = {wager.id for wager in pack.wager} | insurance
    return tuple(
        Interpretation(
            id=entry.id,
            title=entry.title,
            paragraphs=tuple(one for one in entry.paragraphs if one.split()[0] == pack.document),
            reading=entry.reading,
            rejected=entry.rejected,
            why=entry.why,
        )
        for entry in register()
        if pack.document in entry.documents and (not entry.wagers or offered & set(entry.wagers))
    )


def _sha256_of(interpretations: tuple[Interpretation, ...]) -> str:
    """By what they say, whatever they are called, whatever else stands in the register and in which order."""
    said = sorted((one.id, one.paragraphs, one.reading, one.rejected, one.why) for one in interpretations)
    return sha256(msgspec.json.encode(said)).hexdigest()


def _decks(decks: files.DecksFile) -> DeckRange:
    return DeckRange(decks.min, decks.max, decks.paragraph)


def _wager(source: Source, place: int, wager: files.WagerFile, known: Known) -> Wager:
    return Wager(
        id=wager.id,
        names=known.wagers.get(wager.id, {}) | wager.names,
        optional=bool(wager.optional),
        rows=tuple(_row(source, f"$.wager[{place}].pays[{at}]", row) for at, row in enumerate(wager.pays)),
        paragraph=wager.loses,
    )


def _row(source: Source, where: str, row: files.RowFile) -> PayRow:
    when = {feature: tuple(value) if isinstance(value, list) else (value,) for feature, value in row.when.items()}
    odds = None if row.odds == "push" else source.parse(f"{where}.odds", Odds.parse, row.odds)
    return PayRow(when, odds, row.paragraph, row.names)


def _insurance(source: Source, insurance: files.InsuranceFile) -> Insurance:
    return Insurance(
        rows=tuple(
            _insurance_row(source, f"$.insurance.rows[{at}]", row, insurance.tie)
            for at, row in enumerate(insurance.rows)
        ),
        paragraph=insurance.paragraph,
        cap_paragraph=insurance.cap,
        who_paragraph=insurance.who,
        waiver_paragraph=insurance.waiver.paragraph,
        waiver_rank=Rank.parse(insurance.waiver.rank),
    )


def _insurance_row(source: Source, where: str, row: files.InsuranceRowFile, tie: str) -> InsuranceRow:
    return InsuranceRow(
        window=row.window,
        hand=row.hand,
        player_totals=source.parse(f"{where}.player", parse_points, row.player),
        banker_totals=source.parse(f"{where}.banker", parse_points, row.banker),
        odds=source.parse(f"{where}.odds", Odds.parse, row.odds),
        wins_on_tie=row.wins_on_tie,
        paragraph=row.paragraph,
        tie_paragraph=tie,
    )


def _clause(entry: files.IrregularityFile) -> Clause:
    return Clause(
        kind=entry.kind,
        remedies=tuple(ClauseRemedy(remedy.do, remedy.paragraph, remedy.condition) for remedy in entry.remedies),
        rank=Rank.parse(entry.rank),
        may_replace_shoe=entry.may_replace_shoe,
        after_first_card=entry.after_first_card,
        until_next_round=entry.until_next_round,
        after_void=entry.after_void,
        rank_later=Rank.parse(entry.rank_later) if entry.rank_later else None,
        previous_stand=entry.previous_stand,
    )

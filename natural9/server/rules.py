"""A table's rules as they are shown: pay table, insurance, interpretations, every line with its paragraph."""

from functools import cache
from typing import Final

from natural9.core.insurance import InsuranceRow
from natural9.core.saying import name_of
from natural9.core.wagers import Wager
from natural9.games.citations import INTERPRETATION
from natural9.games.files import InterpretationFile, ReadingFile
from natural9.games.loader import game_ids, load_document, load_game, paragraphs, register, wager_names
from natural9.server import wire
from natural9.table.venue.tables import TableConfig
from natural9.table.venue.venue import Venue

ENGLISH: Final = "en"


def game_view(config: TableConfig) -> wire.GameView:
    game = config.game
    return wire.GameView(
        id=game.id,
        title=game.title,
        operator=game.document.operator,
        document=game.document.title,
        effective=game.document.effective,
        rules_sha256=game.sha256,
        decks=config.decks,
        layout=config.layout.id,
        boxes=config.layout.boxes,
        wagers=tuple(_wager(wager) for wager in game.wagers),  # the live table tells which are on in this shoe
        insurance=tuple(_insurance(row) for row in (game.insurance.rows if game.insurance else ())),
        interpretations=tuple(
            wire.InterpretationView(
                id=one.id,
                paragraphs=one.paragraphs,
                languages=_readings(_entry(one.id, game.document.id)),
            )
            for one in game.interpretations
        ),
        notice=game.document.notice.says if game.document.notice else "",
    )


def names_by_english(venue: Venue) -> dict[str, dict[str, str]]:
    """By what a sentence calls a wager: its English name or, where only that is known, its id in words. A game is known
    to the journal by its id; the languages of the screens have its title."""
    names = {id: {ENGLISH: load_game(id).title} for id in game_ids()}
    names |= {str(name_of(id)): dict(known) for id, known in wager_names().items()}
    for table in venue.tables.values():
        names[table.game.id] = {ENGLISH: table.game.title}
        for wager in table.game.wagers:
            names |= {str(name_of(wager.id)): dict(wager.names), str(wager.title): dict(wager.names)}
    return names


@cache
def interpretation_titles() -> dict[str, dict[str, str]]:
    """By id: what people call it, by language."""
    return {entry.id: {code: one.title for code, one in _readings(entry).items()} for entry in register()}


@cache
def rule_texts() -> dict[str, list[wire.RuleText]]:
    """By citation: the paragraphs, and our readings where they leave something open."""
    texts: dict[str, list[wire.RuleText]] = {}
    for citation, paragraph in paragraphs().items():
        says = {ENGLISH: paragraph.says} | paragraph.languages
        texts[citation] = [wire.RuleText(documents=(_document(citation.split()[0]),), says=says)]
    for entry in register():
        read = wire.RuleText(
            documents=tuple(map(_document, entry.documents)),
            says={code: one.reading for code, one in _readings(entry).items()},
        )
        texts.setdefault(f"{INTERPRETATION} {entry.id}", []).append(read)
    return texts


def _document(id: str) -> str:
    document, _ = load_document(id)
    return f"{document.operator}, {document.title}"


def _entry(id: str, document: str) -> InterpretationFile:
    return next(entry for entry in register() if entry.id == id and document in entry.documents)


def _readings(entry: InterpretationFile) -> dict[str, wire.ReadingView]:
    english = ReadingFile(entry.title, entry.reading, entry.rejected, entry.why)
    return {
        code: wire.ReadingView(title=one.title, reading=one.reading, rejected=one.rejected, why=one.why)
        for code, one in ({ENGLISH: english} | entry.languages).items()
    }


def _wager(wager: Wager) -> wire.WagerView:
    return wire.WagerView(
        id=wager.id,
        title=wager.title,
        names=dict(wager.names),
        optional=wager.optional,
        pays=tuple(
            wire.PayRowView(
                names=dict(row.names),
                when=row.words,
                odds=row.odds.text if row.odds else "push",
                paragraph=row.paragraph,
            )
            for row in wager.rows
        ),
        paragraph=wager.paragraph,
    )


def _insurance(row: InsuranceRow) -> wire.InsuranceRowView:
    return wire.InsuranceRowView(
        window=row.window,
        hand=row.hand,
        player=_points(row.player_totals),
        banker=_points(row.banker_totals),
        odds=row.odds.text,
        wins_if=row.wins_if,
        paragraph=row.paragraph,
    )


def _points(totals: tuple[int, ...]) -> str:
    return ", ".join(str(total) for total in sorted(totals))

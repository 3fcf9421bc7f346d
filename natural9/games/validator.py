"""What a rule pack must not be, each mistake named with its file and line."""

import dataclasses
import re
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from natural9.core.errors import BadInput, did_you_mean
from natural9.core.game import Game, Procedure
from natural9.core.insurance import Insurance, InsuranceRow, Window, is_window_due
from natural9.core.irregularities import Kind
from natural9.core.outcome import FEATURES, reachable_outcomes
from natural9.core.table_of_play import Hand, total
from natural9.core.wagers import PayRow, Wager
from natural9.games import files
from natural9.games.source import Source


class Known(Struct, frozen=True):
    """What a pack may refer to."""

    citations: frozenset[str]
    wagers: Mapping[str, files.Names]
    documents: Mapping[str, files.DocumentFile]


def check_pack(source: Source, pack: files.PackFile, known: Known) -> None:
    """Everything that can be seen from the file alone."""
    if pack.id != source.path.stem:
        source.refuse(
            "$.id", f"the game's id is {pack.id!r} but its file is called {source.path.stem!r}: make them equal"
        )
    document = known.documents.get(pack.document)
    if document is None:
        source.refuse("$.document", f"unknown document {pack.document!r}{did_you_mean(pack.document, known.documents)}")
    _check_decks(source, pack.decks, document.decks)
    _check_once(source, "layout", [layout.id for layout in pack.layout])
    _check_once(source, "wager", [wager.id for wager in pack.wager])
    for place, layout in enumerate(pack.layout):
        if layout.boxes is not None and layout.boxes < 1:
            source.refuse(f"$.layout[{place}].boxes", f"a layout has at least one betting box, not {layout.boxes}")
    for place, wager in enumerate(pack.wager):
        _check_wager(source, f"$.wager[{place}]", wager, known)
    _check_citations(source, pack, known)


def check_document(source: Source, document: files.DocumentFile, known: Known) -> None:
    kinds = [entry.kind for entry in document.irregularity]
    _check_once(source, "irregularity", kinds)
    if Kind.NOT_COVERED not in kinds:
        source.refuse("$", f"no entry for {Kind.NOT_COVERED}: nobody would decide what the document does not cover")
    steps = {field.name for field in dataclasses.fields(Procedure)}
    if wrong := sorted(steps ^ set(document.procedure)):
        source.refuse("$.procedure", f"the procedure must name exactly {', '.join(sorted(steps))}: see {wrong[0]!r}")
    _check_citations(source, document, known)


def check_game(source: Source, game: Game) -> None:
    """What can only be seen by playing every outcome through the pay rows."""
    for place, wager in enumerate(game.wagers):
        _check_rows(source, f"$.wager[{place}]", wager)
    if game.insurance:
        _check_insurance(source, game.insurance)
    source.parse("$.betting_unit", game.check_betting_unit, game.betting_unit_cents)


def parse_points(text: str) -> tuple[int, ...]:
    """Point totals as the documents print them: ``"5"`` or ``"0-4"``."""
    match = re.fullmatch(r"(\d)(?:-(\d))?", text)
    points = tuple(range(int(match[1]), int(match[2] or match[1]) + 1)) if match else ()
    if not points:
        raise BadInput("bad-points", f"{text!r} are not point totals: write 5 or 0-4")
    return points


def _check_decks(source: Source, decks: files.DecksFile, allowed: files.DecksFile) -> None:
    if not allowed.min <= decks.min <= decks.max <= allowed.max:
        source.refuse(
            "$.decks",
            f"{decks.min} to {decks.max} decks are outside the document's {allowed.min} to {allowed.max} "
            f"({allowed.paragraph})",
        )


def _check_once(source: Source, table: str, ids: Sequence[str]) -> None:
    for place, name in enumerate(ids):
        if name in ids[:place]:
            source.refuse(f"$.{table}[{place}]", f"{table} {name!r} is there twice: remove one, or give it another id")


def _check_wager(source: Source, where: str, wager: files.WagerFile, known: Known) -> None:
    if wager.id not in known.wagers and "en" not in wager.names:
        source.refuse(
            f"{where}.id",
            f"unknown wager {wager.id!r}{did_you_mean(wager.id, known.wagers)} (a new wager needs a name: names.en)",
        )
    if not wager.pays:
        source.refuse(f"{where}.pays", f"{wager.id} has no pay row, so it could never win: add one")
    for at, row in enumerate(wager.pays):
        for feature, value in row.when.items():
            _check_feature(source, f"{where}.pays[{at}].when", feature, value)


def _check_feature(
    source: Source, where: str, feature: str, value: files.FeatureScalar | list[files.FeatureScalar]
) -> None:
    if feature not in FEATURES:
        source.refuse(where, f"unknown feature {feature!r}{did_you_mean(feature, FEATURES)}")
    allowed = FEATURES[feature][1]
    for one in value if isinstance(value, list) else [value]:
        # True == 1 in Python, and a total of true is a slip of the pen.
        if not any(one == possible and type(one) is type(possible) for possible in allowed):
            shown = ", ".join(sorted(str(possible).lower() for possible in allowed))
            source.refuse(where, f"{feature} cannot be {str(one).lower()!r}: it is one of {shown}")


def _check_citations(source: Source, file: object, known: Known) -> None:
    """Every paragraph that the file cites exists."""
    for where, citation in _citations("$", file):
        if citation not in known.citations:
            source.refuse(where, f"unknown paragraph {citation!r}{did_you_mean(citation, known.citations)}")


_MAY_BE_EMPTY = {"optional", "may_replace_shoe", "previous_stand", "dealer_announces"}
_CITING = {"paragraph", "loses", "cap", "who", "tie"} | _MAY_BE_EMPTY


def _citations(where: str, value: object) -> Iterable[tuple[str, str]]:
    if isinstance(value, list):
        for place, item in enumerate(value):
            yield from _citations(f"{where}[{place}]", item)
    elif isinstance(value, Struct):
        for field in value.__struct_fields__:
            item = getattr(value, field)
            if isinstance(item, str) and field in _CITING and (item or field not in _MAY_BE_EMPTY):
                yield f"{where}.{field}", item
            elif field == "procedure":
                yield from ((f"{where}.{field}.{step}", cited) for step, cited in item.items())
            else:
                yield from _citations(f"{where}.{field}", item)


def _check_rows(source: Source, where: str, wager: Wager) -> None:
    for at, (row, won) in enumerate(zip(wager.rows, wager.outcomes_by_row(), strict=True)):
        if not won:
            hiding = " and ".join(f"row {number}" for number in _hiding_rows(row, wager.rows[:at]))
            why = (
                f"is hidden by {hiding}, and would never pay: put it first, or remove it"
                if hiding
                else "can be reached by no outcome"
            )
            source.refuse(f"{where}.pays[{at}]", f"row {at + 1} of {wager.id} {why}")


def _hiding_rows(row: PayRow, earlier: tuple[PayRow, ...]) -> list[int]:
    """The earlier rows that take what a row left with nothing would have had; none if it never had anything."""
    taken = [outcome for outcome in reachable_outcomes() if row.matches(outcome)]
    return sorted({next(at for at, before in enumerate(earlier, 1) if before.matches(one)) for one in taken})


def _check_insurance(source: Source, insurance: Insurance) -> None:
    taken: dict[tuple[Window, Hand, int, int], int] = {}
    for at, row in enumerate(insurance.rows):
        where, situations = f"$.insurance.rows[{at}]", _situations(row)
        if not situations:
            source.refuse(where, f"row {at + 1} of the insurance can never be on offer: no card would follow")
        new = [situation for situation in situations if situation not in taken]
        if not new:
            source.refuse(
                where,
                f"row {at + 1} of the insurance is hidden by row {taken[situations[0]]}: put it first, or remove it",
            )
        taken.update(dict.fromkeys(new, at + 1))


def _situations(row: InsuranceRow) -> list[tuple[Window, Hand, int, int]]:
    return [
        (row.window, row.hand, player, banker)
        for player in row.player_totals
        for banker in row.banker_totals
        if any(
            total(ranks[0::2]) == player and is_window_due(row.window, ranks)
            for ranks in _deals(row.window, player, banker)
        )
    ]


def _deals(window: Window, player: int, banker: int) -> Iterable[str]:
    """Ranks of a deal in which the hands have these totals when the window opens."""
    ranks = "TA23456789"  # by their points
    if window is Window.FOUR_CARDS:
        yield f"{ranks[player]}{ranks[banker]}TT"
    else:
        for third in range(10):
            yield f"{ranks[(player - third) % 10]}{ranks[banker]}TT{ranks[third]}"

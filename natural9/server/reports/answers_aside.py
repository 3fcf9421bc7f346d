"""What is asked of the records over HTTP, answered as it goes over the wire: these run aside."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from natural9.games import load_game
from natural9.server.dispute.pack import VenueFacts, dispute_pack
from natural9.server.reports.asker import Asker
from natural9.server.reports.catalogue import REPORTS
from natural9.server.reports.examination import games_beside
from natural9.server.reports.export import export_round
from natural9.server.reports.player_statement import statement_report
from natural9.server.reports.sheets import as_csv
from natural9.server.reports.shoes import shoe_shown
from natural9.server.search.entry import entry_page
from natural9.server.search.found import search
from natural9.server.search.query import SearchQuery
from natural9.store.contract import Store
from natural9.table.audit.recall import Viewer, as_a_seat_sees, last_rounds, page_of, recall

_BY_NAME: Final = {report.name: report for report in REPORTS}
_encode: Final = msgspec.json.Encoder(enc_hook=str).encode  # a sentence is written as its English text


async def recalled(store: Store, table: str, number: int, viewer: Viewer | None, first_step: int) -> bytes:
    """A round as staff see it, or as a seat does."""
    if viewer is None:
        return _encode(page_of(await recall(store, table, number), first_step))
    told = await recall(store, table, number, only_seat=viewer.seat or 0)
    return _encode(page_of(as_a_seat_sees(told, viewer.seat), first_step))


async def rounds_listed(store: Store, table: str, count: int, before: int | None, viewer: Viewer | None) -> bytes:
    return _encode(await last_rounds(store, table, count, before=before, seen_by=viewer))


async def own_statement(store: Store, player: str, most: int) -> bytes:
    return _encode((await statement_report(store, player=player))[:most])


async def exported(store: Store, table: str, number: int, after: int, at_ms: int) -> bytes:
    return _encode(await export_round(store, table, number, after=after, at_ms=at_ms))


async def searched(store: Store, query: SearchQuery, before: int | None, limit: int) -> bytes:
    return _encode(await search(store, query, before=before, limit=limit))


async def entry_shown(store: Store, number: int) -> bytes:
    return _encode(await entry_page(store, number))


async def dispute(store: Store, table: str, number: int, seat: int | None, facts: VenueFacts) -> bytes:
    """A PDF."""
    from natural9.server.dispute.pdf import pack_pdf  # slow to come, and seldom asked for

    games = games_beside(store.place) if store.place else load_game
    return pack_pdf(await dispute_pack(store, table, number, seat=seat, facts=facts, load_game=games))


async def shoe(store: Store, table: str, number: int, commitment: str | None) -> bytes:
    return _encode(await shoe_shown(store, table, number, commitment=commitment))


async def reported(store: Store, name: str, asker: Asker, asked: Mapping[str, Any], sheet: str) -> bytes:
    report = _BY_NAME[name]
    rows = await report.rows(store, asker, asked)
    return _encode(rows) if sheet == "json" else as_csv(report.row, rows).encode()

"""Errands at tables of other nodes: asked there, carried out by the table's writer, and answered once durable."""

from typing import Any, Final, TypeVar

import msgspec

from natural9.core.saying import say
from natural9.server.cluster.lines import AnswerFailed, Lines, NodeAway
from natural9.server.cluster.whereabouts import Whereabouts, table_stream
from natural9.store.contract import StoreFailed
from natural9.table.live.carrier import Carrier
from natural9.table.live.errands import Errand, decode_errand, decode_outcome, encode_errand, encode_outcome

T = TypeVar("T")
ERRAND: Final = "errand"


class SentErrand(msgspec.Struct, frozen=True):
    table: str
    errand: bytes


class ErrandAnswer(msgspec.Struct, frozen=True):
    outcome: bytes = b""
    failed: str = ""  # why nobody can say what came of it


class FarTable:
    """A table's writer, wherever it is when it is asked."""

    def __init__(self, table: str, lines: Lines, whereabouts: Whereabouts) -> None:
        self._table, self._lines, self._whereabouts = table, lines, whereabouts

    async def carry_out(self, errand: Errand[T]) -> T:
        node = self._whereabouts.owner_of(table_stream(self._table))
        if node is None or node == self._whereabouts.here:
            raise StoreFailed(say("Table {table} is not at work", table=self._table))
        sent = msgspec.msgpack.encode(SentErrand(self._table, encode_errand(errand)))
        try:
            answer = msgspec.msgpack.decode(await self._lines.ask(node, ERRAND, sent), type=ErrandAnswer)
        except (NodeAway, AnswerFailed) as error:
            raise StoreFailed(say("Table {table} does not answer", table=self._table)) from error
        if answer.failed:
            raise StoreFailed(answer.failed)
        return decode_outcome(errand, answer.outcome)


class FarTables:
    """All tables that are not here, for this node's carrier; and what others ask of those that are."""

    def __init__(self, carrier: Carrier, lines: Lines, whereabouts: Whereabouts) -> None:
        self._carrier, self._lines, self._whereabouts = carrier, lines, whereabouts
        carrier.elsewhere = self.table
        lines.serve(ERRAND, self._answer)

    def table(self, table: str) -> FarTable:
        return FarTable(table, self._lines, self._whereabouts)

    async def _answer(self, node: str, body: bytes) -> bytes:
        sent = msgspec.msgpack.decode(body, type=SentErrand)
        errand: Errand[Any] = decode_errand(sent.errand)
        writer = self._carrier.writers.get(sent.table)
        try:
            if writer is None:  # one hop, and no further
                raise StoreFailed(say("Table {table} is not at work", table=sent.table))
            answer = ErrandAnswer(encode_outcome(errand, await writer.carry_out(errand)))
        except StoreFailed as error:
            answer = ErrandAnswer(failed=str(error) or "failed")
        return msgspec.msgpack.encode(answer)

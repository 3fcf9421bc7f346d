"""The same readers, fed by Hypothesis: texts, bytes and JSON of any shape, and valid ones with one part changed."""

import asyncio
import contextlib
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from natural9.core.cards import Card, parse_cards
from natural9.core.errors import BadInput
from natural9.core.money import Odds, parse_cents
from natural9.core.notation import parse_round, show_round
from natural9.journal.line import encode_line, read_body
from natural9.proof.merkle import BadProof
from natural9.proof.signed_note import BadNote, SignedNote, VerifierKey
from natural9.proof.tlog_proof import LogProof
from natural9.server import protocol
from natural9.server.people.sessions import Sessions
from natural9.store.receipt import BadReceipt, read_receipt
from natural9.table.shoes.reader import Drawn, readings
from natural9.table.shoes.shuffler import Shuffled
from tests.fuzz.messages import MESSAGES
from tests.fuzz.notation import ROUNDS, SettleLines

TEXT = st.text() | st.text(alphabet="0123456789AJQKTCDHS PB:.,-+\u0663²♥ \n", max_size=30)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)
few = settings(max_examples=60, deadline=None, derandomize=True)


@st.composite
def changed(draw: st.DrawFn, valid: Any) -> dict[str, Any]:
    """A valid object, one of whose fields is anything."""
    one = dict(draw(st.sampled_from(valid)))
    one[draw(st.sampled_from([*one]) | TEXT)] = draw(VALUES)
    return one


def as_json(value: Any) -> bytes:
    return msgspec.json.encode(value) if not isinstance(value, bytes) else value


@few
@given(TEXT)
def test_notation(text: str) -> None:
    for read in (Card.parse, parse_cards, parse_cents, Odds.parse, Shuffled.parse):
        with contextlib.suppress(BadInput):
            read(text)
    with contextlib.suppress(BadInput):
        cards = parse_round(text)
        assert parse_round(show_round(cards)) == cards


@few
@given(st.binary(max_size=200) | TEXT.map(str.encode))
def test_notes_keys_and_proofs(written: bytes) -> None:
    with contextlib.suppress(BadNote):
        SignedNote.parse(written)
    text = written.decode(errors="replace")
    with contextlib.suppress(BadNote):
        assert str(VerifierKey.parse(text)).lower() == text.lower()
    with contextlib.suppress(BadProof):
        LogProof.parse(text)
    assert Sessions(bytes(32), clock_ms=lambda: 0).read(text) is None


@few
@given(st.lists(st.binary(max_size=80), max_size=5))
def test_reader_lines(pieces: list[bytes]) -> None:
    async def read() -> int:
        stream = asyncio.StreamReader()
        for piece in pieces:
            stream.feed_data(piece)
        stream.feed_eof()
        return sum([isinstance(one, Drawn) async for one in readings(stream)])

    assert asyncio.run(read()) <= len(b"".join(pieces)) // 2


@few
@given(changed(MESSAGES) | VALUES)
def test_messages_of_terminals(value: Any) -> None:
    with contextlib.suppress(msgspec.DecodeError, RecursionError):
        command = protocol.decode_from_terminal(as_json(value))
        assert protocol.decode_from_terminal(msgspec.json.encode(command)) == command


@few
@given(changed(ROUNDS) | VALUES)
def test_rounds_to_settle(value: Any) -> None:
    asyncio.run(SettleLines().feed(as_json(value).replace(b"\n", b" ") + b"\n"))


@few
@given(VALUES | st.builds(lambda record: {"event": "bet-placed", "v": 2, "record": record, "from": "program"}, VALUES))
def test_journal_lines_and_receipts(value: Any) -> None:
    with contextlib.suppress(BadInput):
        line = read_body(as_json(value))
        assert read_body(encode_line(line.event, line.origin, line.command)).event == line.event
    with contextlib.suppress(BadReceipt):
        read_receipt(as_json(value))

"""What fuzzing has found, each once more by hand. The command that found them is `python -m bench.fuzz`."""

import asyncio
import json
import logging
import socket
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import structlog
from structlog.testing import LogCapture

from natural9.core.errors import BadInput
from natural9.games import load_pack
from natural9.journal.line import read_body
from natural9.server.cluster import lines as lines_module
from natural9.server.cluster.lines import Lines, LineSettings
from natural9.server.cluster.nats_connection import NatsConnection, NatsRefused
from natural9.server.heartbeat import FILE, away_ms, beat_now
from natural9.server.upgrade import websocket_protocol
from natural9.table.shoes.reader import Drawn, Foreign, read_line
from natural9.table.venue.venue import load_venue
from natural9.witness.memory import Memory
from natural9.witness.trouble import WitnessFailed
from tests.fuzz.a_house import FuzzedHouse
from tests.fuzz.between_nodes import Wire
from tests.fuzz.evenings import an_evening
from tests.fuzz.frames import UPGRADE, FramesListener, WebSocketFrames
from tests.lies.house import WITNESS_KEY
from verifier import natural9_verify


@pytest.mark.parametrize("blank", ["\u2028", "\xa0", "\x0b", "\x85", "\u3000"])
def test_a_reading_shoe_has_no_reason_for_strange_blanks(blank: str) -> None:
    assert isinstance(read_line(f"9D{blank}".encode()), Foreign)
    assert isinstance(read_line(b"\x00 9D\t"), Drawn)


def test_a_damaged_heartbeat_is_no_reason_not_to_start(tmp_path: Path) -> None:
    for damaged in (b'{"machine_ms":1,"boot":"\xf1","up_ms":1}', b"[" * 100_000, b"\0" * 80):
        (tmp_path / FILE).write_bytes(damaged)
        assert away_ms(tmp_path, beat_now()) is None


def test_a_witness_names_the_damaged_line_also_where_it_is_the_last_checkpoint(tmp_path: Path) -> None:
    lines = an_evening().witness_file.splitlines(keepends=True)
    last = max(number for number, line in enumerate(lines) if b'"checkpoint"' in line)
    file = tmp_path / "witness.jsonl"
    file.write_bytes(b"".join([*lines[:last], lines[last].replace("— ".encode(), b"- "), *lines[last + 1 :]]))
    with pytest.raises(WitnessFailed, match=rf"line {last + 1} cannot be read: .*; restore the file"):
        Memory(file, WITNESS_KEY.verifier, is_new=False)


@pytest.mark.parametrize(
    "sent",
    [
        b"MSG n9.x 1 five\r\nhello\r\n",
        b"MSG n9.x 1 -5\r\nhello\r\n",
        b"MSG \r\n",
        b"MSG n9.x 5\r\nhello\r\n",
        b"MSG n9.x 1 99999999999\r\n",
        b"MSG n9.\xff 1 5\r\nhello\r\n",
        b"HMSG n9.x 1 17 12\r\nNATS/1.0\r\n\r\n\r\n",
        b"HMSG n9.x 1 a.b 12\r\nNATS/1.0\r\n\r\n\r\n",
        b"INFO {}\r\n",
        b"INFO \xff\r\n",
        b"INFO " + b"[" * 5000 + b"\r\n",
        b"hello\r\nMSG n9.x 1 5\r\nhello\r\n",
    ],
)
async def test_what_is_no_nats_ends_the_connection_and_is_not_heard(sent: bytes) -> None:
    heard: list[bytes] = []
    wire = Wire()
    connection = NatsConnection(lambda subject, reply, body: heard.append(body), lambda subject: None)
    connection.connection_made(wire)
    connection.data_received(sent)
    assert wire.is_aborted
    assert not heard
    connection.info.cancel()


async def test_what_is_no_letter_is_said_without_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    said = LogCapture()
    logger = structlog.wrap_logger(None, [said], structlog.make_filtering_bound_logger(logging.INFO))
    monkeypatch.setattr(lines_module, "log", logger)
    lines = Lines(LineSettings(("nats://127.0.0.1:1",)), "venue", "b")
    lines._arrived(f"{lines._prefix}.b.news", "", b"\x97\xa1a")
    [one] = said.entries
    assert (one["event"], one["log_level"]) == ("what came is no letter of ours", "warning")
    assert "exc_info" not in one


class SmallNats(asyncio.Protocol):
    """It takes messages of 4096 bytes at most."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(b'INFO {"max_payload":4096}\r\n')

    def data_received(self, data: bytes) -> None:
        if b"PING" in data:
            self._transport.write(b"PONG\r\n")


async def test_a_nats_that_takes_too_little_is_refused_in_words() -> None:
    server = await asyncio.get_running_loop().create_server(SmallNats, "127.0.0.1", 0)
    address = f"nats://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with server:
        with pytest.raises(NatsRefused, match="its max_payload is 4096 bytes"):
            await Lines(LineSettings((address,)), "venue", "b")._connect(address)


def test_a_sentence_in_the_journal_with_a_gap_that_nothing_fills() -> None:
    why = {"template": "{a} of {b}", "values": {"a": "one"}}
    line = {"event": "program-stopped", "v": 1, "record": {"why": why}, "from": "program"}
    with pytest.raises(BadInput, match="nothing fills the gap 'b'"):
        read_body(json.dumps(line).encode())


@pytest.mark.parametrize("line", ["7", "true", "null", '"entry"', "[]", "[1]"])
def test_the_outside_verifier_names_a_line_that_is_no_object(line: str) -> None:
    head, *rest = an_evening().shown.export
    journal = natural9_verify.Journal([], [], [])
    assert natural9_verify.verify([head, line.encode(), *rest], journal).startswith("line 2 (): ")


@pytest.mark.parametrize("place", ["entry", "checkpoint", "end", "end itself"])
def test_the_outside_verifier_takes_no_field_that_nothing_hashes(place: str) -> None:
    lines = [json.loads(line) for line in an_evening().shown.export]
    at = {"entry": 1, "checkpoint": next(at for at, line in enumerate(lines) if "checkpoint" in line)}.get(place, -1)
    (lines[at]["end"] if place == "end itself" else lines[at])["note"] = "paid in full"
    journal = natural9_verify.Journal([], [], [])
    assert natural9_verify.verify([json.dumps(line).encode() for line in lines], journal)


def test_the_outside_verifier_refuses_a_receipt_that_is_nested_without_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "receipt.json"
    file.write_text("[" * 100_000)
    assert natural9_verify.main(["--receipt", str(file)]) == 2
    assert capsys.readouterr().err.startswith("natural9_verify: ")


async def test_an_upgrade_whose_headers_are_no_plain_letters_is_refused(tmp_path: Path) -> None:
    """picows quoted them in its answer, and raised where the event loop had called it."""
    target = WebSocketFrames()
    await target.open(tmp_path)
    try:
        for name in (b"Sec-WebSocket-Version: 1", b"Sec-WebSocket-Key: dGhl", b"Upgrade: web"):
            assert not await target.feed((UPGRADE.replace(name, name + b"\xe2"), [b""]))
        assert await target.feed((UPGRADE.replace(b"=abc", b"=\xe2"), [b""]))  # a cookie may be anything
    finally:
        await target.close()


async def test_a_connection_that_was_never_made_does_not_end_the_process() -> None:
    """A socket that takes no TCP_NODELAY; then picows read a null pointer when it was lost."""
    loop = asyncio.get_running_loop()
    complaints: list[str] = []
    loop.set_exception_handler(lambda _, context: complaints.append(str(context["exception"])))
    protocol = websocket_protocol(FramesListener())
    state = SimpleNamespace(connections=set())
    near, far = socket.socketpair()
    with far:
        made: Any = protocol
        await loop.connect_accepted_socket(lambda: made(None, state, {}), near)
    while not complaints or state.connections:
        await asyncio.sleep(0)
    await asyncio.sleep(0.01)
    assert complaints == ["[Errno 95] Operation not supported"]


async def test_a_strange_query_or_origin_is_refused_in_words(tmp_path: Path) -> None:
    house = await FuzzedHouse.open(tmp_path)
    try:
        strange = [(b"host", b"127.0.0.1"), (b"origin", b"x" * 60_000)]
        answer = await house.ask("POST", b"/api/sign-out", b"", strange, b"")
        assert (answer.status, len(json.loads(answer.body)["message"]) < 400) == (403, True)
        answer = await house.ask("GET", b"/api/receipt", b"entry=\x80&size=1", await house.headers("auditor"), b"")
        assert (answer.status, json.loads(answer.body)["message"]) == (400, "The request cannot be read")
    finally:
        await house.close()


@pytest.mark.parametrize("name", ["venue.toml", "mbs-nc.toml"])
def test_a_file_of_lists_in_lists_is_refused_in_words(name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text("name = " + "[" * 10_000)
    with pytest.raises(BadInput, match=f"{name}:1: not valid TOML: lists in lists without end"):
        (load_venue if name == "venue.toml" else load_pack)(file)

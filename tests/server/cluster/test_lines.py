"""Letters between nodes over a real nats-server."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from natural9.core.errors import BadInput
from natural9.server.cluster.lines import AnswerFailed, Letter, Lines, LineSettings, NoAnswer, NodeAway
from natural9.server.cluster.nats_connection import NatsConnection
from natural9.table.venue.cluster import NatsIdentity
from tests.server.cluster.nats_server import NatsServer, nats_server


async def until(what: Callable[[], bool]) -> None:
    while not what():
        await asyncio.sleep(0.005)


@asynccontextmanager
async def nodes(*names: str, server: NatsServer | None = None, **settings: object) -> AsyncIterator[list[Lines]]:
    """Of a venue of its own; they hear each other."""
    venue = secrets.token_hex(4)
    of_all = LineSettings(((server or nats_server()).address,), **settings)  # type: ignore[arg-type]
    lines = [await Lines.open(of_all, venue, name) for name in names]
    try:
        for one in lines:
            await until(lambda one=one: one.others == sorted({*names} - {one.node}))  # type: ignore[misc]
        yield lines
    finally:
        for one in lines:
            await one.close()


async def test_what_is_asked_is_answered() -> None:
    async with nodes("a", "b") as (a, b):

        async def double(sender: str, body: bytes) -> bytes:
            return sender.encode() + body * 2

        b.serve("double", double)
        assert await a.ask("b", "double", b"xy") == b"axyxy"
        assert await asyncio.gather(*[a.ask("b", "double", b"%d" % n) for n in range(100)]) == [
            b"a" + b"%d" % n * 2 for n in range(100)
        ]


async def test_an_answer_to_a_node_that_has_begun_anew_is_nobody_elses() -> None:
    """Its process was killed while another was at work for it: what that one answers belongs to no question of the
    next process, though that has asked as many."""
    settings, venue = LineSettings((nats_server().address,)), secrets.token_hex(4)
    b = await Lines.open(settings, venue, "b")
    asked, go_on = asyncio.Event(), asyncio.Event()

    async def pay(sender: str, body: bytes) -> bytes:
        if body == b"slow":
            asked.set()
            await go_on.wait()
        else:
            go_on.set()
            await asyncio.sleep(0.05)  # the old answer is there first
        return body

    b.serve("pay", pay)
    killed = await Lines.open(settings, venue, "a")
    lost = asyncio.create_task(killed.ask("b", "pay", b"slow", timeout_s=30))
    await asked.wait()
    assert killed._keeping
    killed._keeping.cancel()  # without a word
    with pytest.raises(NoAnswer):
        await lost
    again = await Lines.open(settings, venue, "a")
    await until(lambda: again.hears("b"))
    assert await again.ask("b", "pay", b"quick", timeout_s=30) == b"quick"
    await again.close()
    await b.close()


async def test_a_body_larger_than_a_payload_goes_in_pieces_both_ways() -> None:
    async with nodes("a", "b") as (a, b):

        async def same(sender: str, body: bytes) -> bytes:
            return body

        b.serve("same", same)
        large = secrets.token_bytes(3_500_000)
        small = [a.ask("b", "same", b"%d" % n) for n in range(10)]
        answers = await asyncio.gather(a.ask("b", "same", large), *small, a.ask("b", "same", large[::-1]))
        assert answers == [large, *[b"%d" % n for n in range(10)], large[::-1]]


async def test_a_letter_with_a_piece_left_out_is_not_read() -> None:
    async with nodes("a", "b", alive_s=600, silent_s=600) as (a, b):
        heard: list[bytes] = []
        b.hear("news", lambda sender, body: heard.append(body))
        assert a._nats
        publish, sent = a._nats.publish, list[int]()

        def all_but_one(subject: str, body: bytes, reply: str = "") -> None:
            sent.append(len(body))
            if len(sent) != left_out[0]:
                publish(subject, body, reply)

        a._nats.publish = all_but_one  # type: ignore[method-assign]
        left_out = [0]
        for left_out[0] in (1, 2, 3):
            sent.clear()
            a.tell("b", "news", b"x" * 2_500_000)
            a.tell("b", "news", b"whole")
        await until(lambda: heard.count(b"whole") == 3)
        assert heard == [b"whole"] * 3


async def test_what_is_told_comes_in_order_and_to_all_but_oneself() -> None:
    async with nodes("a", "b", "c") as (a, b, c):
        heard: dict[str, list[tuple[str, bytes]]] = {"a": [], "b": [], "c": []}
        for one in (a, b, c):
            one.hear("news", lambda sender, body, to=heard[one.node]: to.append((sender, body)))  # type: ignore[misc]
        for n in range(200):
            a.tell("b", "news", b"%d" % n)
        a.tell_all("news", b"all")
        await until(lambda: bool(len(heard["b"]) == 201 and heard["c"]))
        assert heard["b"][:200] == [("a", b"%d" % n) for n in range(200)]
        assert heard["c"] == [("a", b"all")]
        assert heard["a"] == []


async def test_who_is_not_there_is_away_at_once() -> None:
    async with nodes("a", "b") as (a, b):
        with pytest.raises(NodeAway, match="nobody-there is not there") as away:
            await a.ask("nobody-there", "double", b"", timeout_s=60)
        assert not isinstance(away.value, NoAnswer)
        await b.close()
        await until(lambda: not a.hears("b"))
        with pytest.raises(NodeAway, match="b is not there"):
            await a.ask("b", "double", b"", timeout_s=60)


async def test_what_the_other_fails_at_and_what_it_does_not_know_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    async with nodes("a", "b") as (a, b):

        async def fail(sender: str, body: bytes) -> bytes:
            raise RuntimeError("with a secret")

        b.serve("fail", fail)
        with pytest.raises(AnswerFailed, match=r"^b failed at 'fail'$"):
            await a.ask("b", "fail", b"")
        with pytest.raises(NodeAway, match="does not answer 'sing' now"):
            await a.ask("b", "sing", b"")


async def test_an_answer_that_does_not_come_is_no_answer() -> None:
    async with nodes("a", "b") as (a, b):
        asked = asyncio.Event()

        async def sleep(sender: str, body: bytes) -> bytes:
            asked.set()
            await asyncio.sleep(600)
            return b""

        b.serve("sleep", sleep)
        with pytest.raises(NoAnswer, match=r"b did not answer within 0\.05 s"):
            await a.ask("b", "sleep", b"", timeout_s=0.05)
        await asked.wait()
        asked.clear()
        waits = asyncio.ensure_future(a.ask("b", "sleep", b"", timeout_s=60))
        await asked.wait()
        await b.close()
        with pytest.raises(NoAnswer, match="the way to b was lost"):
            await waits


async def test_whoever_leaves_or_dies_is_lost_to_the_others() -> None:
    async with nodes("a", "b", "c") as (a, b, c):
        lost: list[str] = []
        a.when_lost(lost.append)
        await b.close()
        await until(lambda: lost == ["b"])
        assert a.others == ["c"]
        # As when it is killed: its connection is gone, and nothing was said. Whoever tells it something knows at once.
        c._keeping.cancel()  # type: ignore[union-attr]
        await until(lambda: not c.is_up)
        a.tell("c", "news", b"")
        await until(lambda: lost == ["b", "c"])


async def test_a_node_that_is_silent_is_lost_and_found_again() -> None:
    async with nodes("a", "b", alive_s=0.01, silent_s=0.2) as (a, b):
        lost: list[str] = []
        a.when_lost(lost.append)
        b._settings = LineSettings(b._settings.servers, alive_s=600)
        await until(lambda: lost == ["b"])
        assert not a.hears("b")
        b.tell_all("alive", b"\x80")
        await until(lambda: a.hears("b"))


async def test_nats_comes_back_and_the_lines_with_it() -> None:
    server = NatsServer()
    try:
        async with nodes("a", "b", server=server) as (a, b):

            async def same(sender: str, body: bytes) -> bytes:
                return body

            b.serve("same", same)
            lost: list[str] = []
            a.when_lost(lost.append)
            server.kill()
            await until(lambda: not a.is_up and not b.is_up)
            assert lost == ["b"]
            with pytest.raises(NodeAway, match="NATS cannot be reached"):
                await a.ask("b", "same", b"")
            a.tell("b", "same", b"into the void")
            server.start()
            await until(lambda: a.hears("b") and b.hears("a"))
            assert await a.ask("b", "same", b"back") == b"back"
    finally:
        server.end()


async def test_a_node_starts_without_nats_and_waits_for_it() -> None:
    server = NatsServer()
    try:
        server.kill()
        alone = await Lines.open(LineSettings((server.address,)), "v", "a", wait_s=0.05)
        assert not alone.is_up
        server.start()
        await until(lambda: alone.is_up)
        await alone.close()
    finally:
        server.end()


async def test_a_letter_that_is_lost_is_noticed() -> None:
    async with nodes("a", "b", alive_s=0.02, silent_s=600) as (a, b):
        lost: list[str] = []
        heard: list[bytes] = []
        b.when_lost(lost.append)
        b.hear("news", lambda sender, body: heard.append(body))
        a.tell("b", "news", b"1")
        a._peers.next_letter("b")  # as if it had been sent
        a.tell("b", "news", b"3")
        await until(lambda: heard == [b"1", b"3"])
        assert lost == ["a"]
        a._peers.next_letter("b")  # and nothing follows: the count says so
        await until(lambda: lost == ["a", "a"])


async def test_the_next_run_of_a_node_hears_nothing_meant_for_the_one_before() -> None:
    async with nodes("a", "b", alive_s=600, silent_s=600) as (a, b):
        heard: list[bytes] = []
        b.hear("news", lambda sender, body: heard.append(body))
        a.tell("b", "news", b"old")
        await until(lambda: heard == [b"old"])
        b._run += 2
        a.tell("b", "news", b"stale")
        b.tell_all("alive", b"\x80")
        await until(lambda: a._peers._known["b"].run == b._run)
        a.tell("b", "news", b"new")
        await until(lambda: heard == [b"old", b"new"])


async def test_a_user_and_a_password_are_asked_for_and_never_told(capsys: pytest.CaptureFixture[str]) -> None:
    server = NatsServer("--user", "house", "--pass", "s3cret-word")
    try:
        settings = LineSettings((server.address,), login=NatsIdentity(user="house", password="s3cret-word"))
        right = await Lines.open(settings, "v", "a", wait_s=60)
        assert right.is_up
        other = LineSettings((server.address,), login=NatsIdentity(user="house", password="no"))
        wrong = await Lines.open(other, "v", "b", wait_s=0.5)
        assert not wrong.is_up
        said = ""
        while "NATS cannot be reached" not in said:
            await asyncio.sleep(0.01)
            said += "".join(capsys.readouterr())
        assert not wrong.is_up
        await right.close()
        await wrong.close()
    finally:
        server.end()
    said += "".join(capsys.readouterr())
    assert "s3cret-word" not in said + repr(settings)


@pytest.mark.parametrize("name", ["", "all", "a.b", "a b", "*", ">", "x" * 41])
def test_a_name_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(BadInput, match="is no name for one"):
        Lines(LineSettings(("nats://localhost",)), "v", name)


async def test_two_venues_on_one_nats_do_not_hear_each_other() -> None:
    async with nodes("a", "b"), nodes("a", "c") as (a, _):
        with pytest.raises(NodeAway):
            await a.ask("b", "same", b"")


def test_the_certificate_of_another_authority_is_named_by_its_file(tmp_path: Path) -> None:
    assert LineSettings(("nats://localhost",)).tls() is None
    assert LineSettings(("tls://localhost",)).tls() is not None
    with pytest.raises(OSError, match=r"\[Errno 2\]"):
        LineSettings(("tls://localhost",), tls_ca=tmp_path / "none").tls()


async def test_a_letter_whose_pieces_were_lost_is_not_put_before_the_next() -> None:
    lines = Lines(LineSettings((nats_server().address,)), "venue", "a")
    piece = Letter("b", 1, 0, 1, 0, True, b"the beginning of")
    assert lines._whole("a.kind", piece) is None
    lines._lose("b")
    assert lines._whole("a.kind", Letter("b", 1, 0, 5, 0, False, b"another")) == b"another"


async def test_nats_is_tried_on_whatever_goes_wrong_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    connect, tried = Lines._connect, list[str]()

    async def fails_once(lines: Lines, address: str) -> NatsConnection:
        tried.append(lines.node)
        if len(tried) == 1:
            raise KeyError("something that nobody thought of")
        return await connect(lines, address)

    monkeypatch.setattr(Lines, "_connect", fails_once)
    lines = await Lines.open(LineSettings((nats_server().address,)), "venue", "a")
    assert lines.is_up
    await lines.close()


async def test_a_server_that_says_nothing_is_given_up_without_a_mistake() -> None:
    """Whoever waits for its first word goes, and then the connection is lost."""
    mistakes: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, said: mistakes.append(said))

    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    silent = await asyncio.start_server(say_nothing, "127.0.0.1", 0)
    async with silent:
        port = silent.sockets[0].getsockname()[1]
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await NatsConnection.open(
                    f"nats://127.0.0.1:{port}",
                    name="a",
                    login=NatsIdentity(),
                    tls=None,
                    heard=lambda subject, reply, body: None,
                    nobody=lambda subject: None,
                )
        await asyncio.sleep(0.05)
    assert mistakes == []

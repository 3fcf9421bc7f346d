"""A session is idle only where nobody has heard of it at any node."""

import secrets

import pytest

from natural9.server.cluster import idle_time
from natural9.server.cluster.idle_time import share_idle_time
from natural9.server.people.sessions import IDLE_MS, Sessions
from tests.server.cluster.test_lines import nodes, until


async def test_what_is_heard_at_one_is_heard_at_all_and_told_once_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    key, now_ms = secrets.token_bytes(32), 1_000_000
    here, there = (Sessions(key, clock_ms=lambda: now_ms) for _ in range(2))
    async with nodes("a", "b") as (a, b):
        share_idle_time(here, a)
        share_idle_time(there, b)
        told: list[bytes] = []
        tell_all = a.tell_all

        def counted(kind: str, body: bytes) -> None:
            told.append(body)
            tell_all(kind, body)

        monkeypatch.setattr(a, "tell_all", counted)
        session = here.begin("staff", "dora")
        now_ms += 20 * 60_000
        here.heard(session)
        here.heard(session)
        await until(lambda: there.left_ms(session) == IDLE_MS)
        now_ms += 1
        monkeypatch.setattr(idle_time, "AGAIN_S", 0.0)
        here.heard(session)
        await until(lambda: there.left_ms(session) == IDLE_MS)
        assert told.count(session.nonce.encode()) == 2

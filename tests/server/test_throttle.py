"""How often one may ask over HTTP: each person and device for itself, an address for whoever is neither."""

from types import SimpleNamespace
from typing import Any

from natural9.server.rates import Rate
from natural9.server.throttle import HttpRates, Throttle

FEW = Rate(3, 0.001)
ONE = Rate(1, 0.001)


async def page(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"page"})


async def asked(throttle: Throttle, path: str, *, who: tuple[str, str] | None, peer: str) -> tuple[int, dict[str, str]]:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    caller = SimpleNamespace(session=SimpleNamespace(holder=who)) if who else None
    scope: Any = {"type": "http", "path": path, "client": (peer, 1), "who": caller}
    await throttle(scope, None, send)  # type: ignore[arg-type]
    headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], headers


async def test_each_holder_has_a_rate_of_its_own_whatever_address_it_comes_from() -> None:
    throttle = Throttle(page, HttpRates(FEW, ONE, FEW, ONE, FEW, ONE, slow_s=0))
    for who in (("staff", "vera"), ("device", "terminal-a-1"), ("device", "terminal-a-2")):
        seen = [await asked(throttle, "/api/me", who=who, peer=f"10.0.0.{turn}") for turn in range(5)]
        assert [status for status, _ in seen] == [200] * 3 + [429] * 2
        assert int(seen[-1][1]["retry-after"]) > 0
    seen = [await asked(throttle, "/", who=None, peer="10.0.0.9") for _ in range(5)]
    assert [status for status, _ in seen] == [200] * 3 + [429] * 2
    assert (await asked(throttle, "/", who=None, peer="10.0.0.8"))[0] == 200


async def test_reading_the_journal_has_a_tighter_one() -> None:
    throttle = Throttle(page, HttpRates(FEW, ONE, FEW, ONE, FEW, ONE, slow_s=0))
    who = ("staff", "olaf")
    paths = ("/api/rounds/a/1", "/api/reports/win", "/api/me")
    assert [(await asked(throttle, path, who=who, peer=""))[0] for path in paths] == [200, 429, 200]

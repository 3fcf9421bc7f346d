"""Passwords are dear to check on purpose: nobody keeps the server busy with it, and no stranger keeps staff waiting."""

import asyncio
from collections.abc import Iterator
from ipaddress import ip_network
from threading import Event, Lock
from typing import Any

import msgspec
import pytest
from argon2 import PasswordHasher

from natural9.server.people.accounts import SignedIn
from natural9.server.people.hashing import MOST_OF_ONE, MOST_WAITING, HashingThreads, Queue
from natural9.server.people.limits import TooOften
from natural9.server.people.permissions import Denied
from natural9.server.people.wire import SignIn
from tests.server.people.house import PASSWORD, House, house

STRANGERS = [f"192.0.2.{number}" for number in range(1, 201)]


class SlowHasher:
    """Counts how many are checked, and how many at once; while it is shut, a check takes for ever."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.open, self.most_at_once, self.checked, self._now = Event(), 0, 0, 0
        self._lock, verify = Lock(), PasswordHasher.verify
        self.open.set()

        def slow(hasher: PasswordHasher, stored: str, password: str) -> bool:
            with self._lock:
                self._now += 1
                self.checked += 1
                self.most_at_once = max(self.most_at_once, self._now)
            try:
                assert self.open.wait(30)
                return verify(hasher, stored, password)
            finally:
                with self._lock:
                    self._now -= 1

        monkeypatch.setattr(PasswordHasher, "verify", slow)


@pytest.fixture
def hasher(monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowHasher]:
    slow = SlowHasher(monkeypatch)
    yield slow
    slow.open.set()


async def with_mei() -> House:
    venue = await house()
    await venue.administrator()
    await venue.person("mei", "dealer")
    return venue


def guesses(venue: House, peers: list[str], id: str = "mei") -> "list[asyncio.Task[Any]]":
    return [asyncio.ensure_future(venue.accounts.sign_in(id, "a guess", peer=peer)) for peer in peers]


async def turned_away(tasks: "list[asyncio.Task[Any]]") -> int:
    """How many were told at once to come back later: the others wait."""
    for _ in range(3):
        await asyncio.sleep(0)
    return sum(task.done() and isinstance(task.exception(), TooOften) for task in tasks)


@pytest.mark.parametrize("id", ["mei", "nobody-of-this-name"])
async def test_one_is_checked_at_a_time_few_wait_and_the_rest_is_told_so_at_once(hasher: SlowHasher, id: str) -> None:
    venue = await with_mei()
    hasher.checked = 0
    hasher.open.clear()
    tasks = guesses(venue, STRANGERS, id)
    assert await turned_away(tasks) == len(STRANGERS) - MOST_WAITING
    hasher.open.set()
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    assert sum(isinstance(one, Denied) for one in answers) == MOST_WAITING == hasher.checked
    assert hasher.most_at_once == 1
    assert isinstance(await venue.accounts.sign_in("mei", PASSWORD, peer="10.0.0.9"), SignedIn), "it is over"


async def test_one_address_does_not_fill_the_queue(hasher: SlowHasher) -> None:
    venue = await with_mei()
    hasher.open.clear()
    tasks = guesses(venue, STRANGERS[:1] * 100)
    assert await turned_away(tasks) == 100 - MOST_OF_ONE
    other = guesses(venue, STRANGERS[1:2])
    assert await turned_away(other) == 0
    hasher.open.set()
    await asyncio.gather(*tasks, *other, return_exceptions=True)


@pytest.mark.parametrize(("peer", "device"), [("10.1.2.3", ""), ("10.0.0.7", "display-3")])
async def test_no_stranger_keeps_the_house_waiting(hasher: SlowHasher, peer: str, device: str) -> None:
    venue = await with_mei()
    venue.accounts.house_addresses = (ip_network("10.1.0.0/16"),)
    hasher.open.clear()
    tasks = guesses(venue, STRANGERS)
    await turned_away(tasks)
    hashing = venue.accounts._passwords
    waiting = asyncio.ensure_future(venue.accounts.sign_in("mei", PASSWORD, peer=peer, device=device))
    while hasher.most_at_once < 2:  # beside the strangers' own
        await asyncio.sleep(0)
    hasher.open.set()
    assert isinstance(await waiting, SignedIn)
    await asyncio.gather(*tasks, return_exceptions=True)
    hashing.close()


async def test_cards_and_pins_of_players_have_a_thread_of_their_own(hasher: SlowHasher) -> None:
    venue = await with_mei()
    players = venue.accounts.players
    players.is_on = True
    issued = await players.add("Lin", by="ada")
    hasher.open.clear()
    tasks = guesses(venue, STRANGERS)
    await turned_away(tasks)
    carded = asyncio.ensure_future(players.check(issued.card, issued.pin, device="terminal-a-1"))
    while hasher.most_at_once < 2:
        await asyncio.sleep(0)
    hasher.open.set()
    assert (await carded).number == issued.number
    await asyncio.gather(*tasks, return_exceptions=True)


async def test_what_is_too_long_to_be_a_password_is_never_hashed(hasher: SlowHasher) -> None:
    """A megabyte would take as long as thousands of passwords: the wire takes none of it."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(msgspec.json.encode({"id": "mei", "password": "x" * 1025}), type=SignIn)
    assert hasher.checked == 0


async def test_once_the_house_has_closed_whoever_comes_is_told_to_come_back() -> None:
    threads = HashingThreads()
    threads.close()
    with pytest.raises(TooOften):
        await threads.run(Queue.HOUSE, "", str, 1)

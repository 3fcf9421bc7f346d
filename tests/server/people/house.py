"""A small venue for these tests: a clock that is told the time, a cheap hasher, and the accounts on a store."""

from dataclasses import dataclass, field

from argon2 import PasswordHasher

from natural9.core.events import Event
from natural9.journal.line import JournalLine, read_body
from natural9.server.people.accounts import Accounts, SignedIn
from natural9.server.people.lock_out import LockOut
from natural9.store.contract import Store
from natural9.store.memory import MemoryStore

KEY = bytes(range(32))
CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
PASSWORD = "seven green lamps"
PEER = "10.0.0.7"
MINUTE_MS = 60_000
HOUR_MS = 60 * MINUTE_MS


@dataclass
class Clock:
    now_ms: int = 1_790_000_000_000

    def __call__(self) -> int:
        return self.now_ms

    def pass_ms(self, span_ms: int) -> None:
        self.now_ms += span_ms


@dataclass
class House:
    accounts: Accounts
    store: Store
    clock: Clock
    secrets: list[str] = field(default_factory=list)  # every password and code that was ever used

    async def administrator(self) -> SignedIn:
        code = self.accounts.first_code()
        assert code is not None
        self.secrets += [code, PASSWORD]
        return await self.accounts.claim_administrator(code, id="ada", name="Ada Low", password=PASSWORD, peer=PEER)

    async def person(self, id: str, role: str, password: str = PASSWORD) -> SignedIn:
        """Someone with an account and a password, signed in."""
        issued = await self.accounts.add(id, name=id.title(), role=role, by="ada")
        self.secrets += [issued.code, password]
        await self.accounts.set_password(issued.code, password, peer=PEER)
        answer = await self.accounts.sign_in(id, password, peer=PEER)
        assert isinstance(answer, SignedIn)
        return answer

    async def fail(self, id: str, times: int = 1, *, peer: str = PEER, device: str = "") -> None:
        for _ in range(times):
            guess = await self.accounts.sign_in(id, "not the password", peer=peer, device=device)
            assert not isinstance(guess, SignedIn)

    async def lines(self) -> list[JournalLine]:
        return [read_body(entry.body) for entry in await self.store.entries(stream="venue", limit=100_000)]

    async def history(self) -> list[Event]:
        return [line.event for line in await self.lines()]

    async def tags(self) -> list[str]:
        return [event.TAG for event in await self.history()]


async def house(store: Store | None = None, *, clock: Clock | None = None, lock_out: LockOut | None = None) -> House:
    store, clock = store or MemoryStore(), clock or Clock()
    accounts = await Accounts.open(
        store, key=KEY, clock_ms=clock, gaming_day=lambda at_ms: "2026-09-21", hasher=CHEAP, lock_out=lock_out
    )
    return House(accounts, store, clock)

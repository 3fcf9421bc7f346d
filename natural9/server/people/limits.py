"""How often one may try: token buckets by address and by account, in bounded memory."""

from collections import OrderedDict
from collections.abc import Callable
from math import ceil
from typing import Final

from natural9.core.saying import say
from natural9.journal.people_events import PeerRefused
from natural9.server.people.addresses import neighbourhood
from natural9.server.people.register import VENUE, PeopleChange, Register

# A failure takes a token, a success gives it back, so a hall of terminals behind one address is not slowed down.
PEER_TOKENS: Final = 60
PEER_REFILL_S: Final = 2.0
ACCOUNT_TOKENS: Final = 10
ACCOUNT_REFILL_S: Final = 10.0
MOST_KEYS: Final = 10_000


class TooOften(Exception):
    """Come back in so many seconds."""

    def __init__(self, retry_s: int) -> None:
        self.why = say("too many attempts; try again in {seconds} s", seconds=retry_s)
        super().__init__(self.why)
        self.retry_s = retry_s


class TokenBuckets:
    """A bucket of tokens for each key, filling again over time. The key unused for longest is forgotten first."""

    def __init__(
        self, *, tokens: int, refill_s: float, clock_ms: Callable[[], int], most_keys: int = MOST_KEYS
    ) -> None:
        self._full = float(tokens)
        self._refill_ms = refill_s * 1000
        self._clock_ms = clock_ms
        self._most_keys = most_keys
        self._buckets: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def wait_s(self, key: str) -> int:
        """Seconds until there is a token to take; 0 if there is one."""
        tokens = self._tokens(key)
        return 0 if tokens >= 1 else max(1, ceil((1 - tokens) * self._refill_ms / 1000))

    def take(self, key: str) -> int:
        """Take a token: 0, or the seconds until there is one to take."""
        wait_s = self.wait_s(key)
        self._keep(key, self._tokens(key) - (0 if wait_s else 1))
        return wait_s

    def give_back(self, key: str) -> None:
        self._keep(key, min(self._full, self._tokens(key) + 1))

    def _tokens(self, key: str) -> float:
        now = self._clock_ms()
        tokens, at_ms = self._buckets.get(key, (self._full, now))
        return min(self._full, tokens + max(0, now - at_ms) / self._refill_ms)

    def _keep(self, key: str, tokens: float) -> None:
        self._buckets[key] = (tokens, self._clock_ms())
        self._buckets.move_to_end(key)
        if len(self._buckets) > self._most_keys:
            self._buckets.popitem(last=False)


class AttemptLimiter:
    """Where people sign in and devices enrol. An address that keeps failing is not heard for a while."""

    def __init__(
        self, register: Register, *, peer_tokens: int = PEER_TOKENS, account_tokens: int = ACCOUNT_TOKENS
    ) -> None:
        clock_ms = register.clock_ms
        self._register = register
        self._peers = TokenBuckets(tokens=peer_tokens, refill_s=PEER_REFILL_S, clock_ms=clock_ms)
        self._accounts = TokenBuckets(tokens=account_tokens, refill_s=ACCOUNT_REFILL_S, clock_ms=clock_ms)
        self._refused: set[str] = set()

    async def attempt(self, peer: str, account: str = "") -> None:
        """Before anything is checked; raises TooOften. Tell `succeeded` if it went well."""
        retry_s = await self.failed(peer)
        if retry_s or (account and (retry_s := self._accounts.take(account))):
            raise TooOften(retry_s)

    def refused_s(self, peer: str) -> int:
        """How long this address is not heard; 0 if it is. For what is too frequent to take a token each time."""
        return self._peers.wait_s(neighbourhood(peer))

    async def failed(self, peer: str) -> int:
        """Count a failure, such as a token of no device; returns how long the address is not heard from now on."""
        peer = neighbourhood(peer)
        retry_s = self._peers.take(peer)
        if not retry_s:
            self._refused.discard(peer)
        elif peer not in self._refused and len(self._refused) < MOST_KEYS:
            self._refused.add(peer)  # the journal says it once, not once an attempt
            await self._register.write([PeopleChange(PeerRefused(peer=peer), by=VENUE)])
        return retry_s

    def succeeded(self, peer: str, account: str = "") -> None:
        self._peers.give_back(neighbourhood(peer))
        if account:
            self._accounts.give_back(account)

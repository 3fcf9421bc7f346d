"""How often one may try: token buckets by address and by account, in bounded memory."""

from collections import OrderedDict
from collections.abc import Callable, Collection
from math import ceil
from typing import Final

from natural9.core.saying import say
from natural9.journal.people_events import PeerRefused
from natural9.server.people.addresses import is_among, neighbourhood, place_of
from natural9.server.people.register import VENUE, PeopleChange, Register
from natural9.table.venue.venue import Network

# A failure takes a token, a success gives it back, so a hall of terminals behind one address is not slowed down.
PEER_TOKENS: Final = 60
PEER_REFILL_S: Final = 2.0
TOLD_S: Final = 600.0  # an address that goes on failing is in the journal again after so long
FREE_ATTEMPTS: Final = 10  # for an account from all strangers' addresses together; then each wait is twice the last
LONGEST_WAIT_S: Final = 60
FORGIVEN_S: Final = 600.0
MOST_KEYS: Final = 10_000
SLOTS: Final = 1 << 14
_DOUBLED: Final = 6


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


class GrowingWaits:
    """For each key a wait between attempts that doubles with every one, up to `longest_s`; quiet time is forgiven.

    Keys share a fixed number of slots, so that whoever makes new ones up neither fills the memory nor pushes another
    key out of it. Which share one nobody can tell: Python hashes text with a secret of the process.
    """

    def __init__(self, *, free: int, longest_s: int, forgiven_s: float, clock_ms: Callable[[], int]) -> None:
        self._free, self._longest_ms, self._forgiven_ms = free, longest_s * 1000, forgiven_s * 1000
        self._clock_ms = clock_ms
        self._slots: dict[int, tuple[float, int, int]] = {}  # attempts, counted when, the next one at

    def __len__(self) -> int:
        return len(self._slots)

    def take(self, key: str) -> int:
        """Count an attempt: 0, or the seconds that are still to be waited."""
        now, slot = self._clock_ms(), hash(key) % SLOTS
        attempts, at_ms, next_ms = self._slots.get(slot, (0.0, now, now))
        if wait_ms := min(next_ms - now, self._longest_ms) if next_ms > now else 0:  # however the clock was set
            return ceil(wait_ms / 1000)
        attempts = max(0.0, attempts - max(0, now - at_ms) / self._forgiven_ms) + 1
        over = min(attempts - self._free, _DOUBLED)  # a siege of weeks is forgiven as soon as one of minutes
        attempts = self._free + over
        wait_ms = 0 if over < 0 else min(self._longest_ms, round(1000 * 2**over))
        self._slots[slot] = (attempts, now, now + wait_ms)
        return 0

    def give_back(self, key: str) -> None:
        """It went well: as if it had not been."""
        slot = hash(key) % SLOTS
        if slot in self._slots:
            attempts, at_ms, _ = self._slots[slot]
            self._slots[slot] = (max(0.0, attempts - 1), at_ms, at_ms)

    def forget(self, key: str) -> None:
        self._slots.pop(hash(key) % SLOTS, None)


class AttemptLimiter:
    """Where people sign in and devices enrol. An address that keeps failing is not heard for a while.

    An account is slowed down over all addresses that are not the house's, so that many of them together get few
    guesses; at a device of the house, or at an address of its own, nobody is slowed down by what strangers do.
    """

    def __init__(
        self,
        register: Register,
        *,
        peer_tokens: int = PEER_TOKENS,
        free_attempts: int = FREE_ATTEMPTS,
        house_addresses: Collection[Network] = (),
    ) -> None:
        clock_ms = register.clock_ms
        self._register = register
        self._house = house_addresses
        self._places = TokenBuckets(tokens=peer_tokens, refill_s=PEER_REFILL_S, clock_ms=clock_ms)
        self._strangers = GrowingWaits(
            free=free_attempts, longest_s=LONGEST_WAIT_S, forgiven_s=FORGIVEN_S, clock_ms=clock_ms
        )
        self._told = TokenBuckets(tokens=1, refill_s=TOLD_S, clock_ms=clock_ms)

    async def attempt(self, peer: str, account: str = "", *, device: str = "") -> None:
        """Before anything is checked; raises TooOften. Tell `succeeded` if it went well."""
        retry_s = await self.failed(peer, device=device)
        if not retry_s and account and self._is_strange(peer, device):
            retry_s = self._strangers.take(account)
        if retry_s:
            raise TooOften(retry_s)

    def refused_s(self, peer: str) -> int:
        """How long this address is not heard; 0 if it is. For what is too frequent to take a token each time."""
        return self._places.wait_s(neighbourhood(peer))

    async def failed(self, peer: str, *, device: str = "") -> int:
        """Count a failure, such as a token of no device; returns how long the address is not heard from now on."""
        place = place_of(peer, device)
        retry_s = self._places.take(place)
        if retry_s and not self._told.take(place):  # the journal says it once a while, not once an attempt
            await self._register.write([PeopleChange(PeerRefused(peer=place), by=VENUE)])
        return retry_s

    def succeeded(self, peer: str, account: str = "", *, device: str = "") -> None:
        self._places.give_back(place_of(peer, device))
        if account and self._is_strange(peer, device):
            self._strangers.give_back(account)

    def unlocked(self, account: str) -> None:
        """An administrator lets them try again."""
        self._strangers.forget(account)

    def _is_strange(self, peer: str, device: str) -> bool:
        return not device and not is_among(peer, self._house)

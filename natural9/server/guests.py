"""Who a connection is, and whether it may come in: looked at before it is answered, and counted."""

import asyncio
from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

import structlog

from natural9.server.machine import Machine
from natural9.server.people.accounts import Accounts
from natural9.server.people.addresses import neighbourhood
from natural9.server.people.guards import Caller, host_allowed, identify, origin_allowed
from natural9.server.people.limits import AttemptLimiter
from natural9.server.people.permissions import Action
from natural9.server.people.sessions import Session
from natural9.server.rates import Bucket, Buckets, Rate
from natural9.server.websocket import RATE, Handshake, UpgradeRefused
from natural9.store.contract import StoreFailed
from natural9.table.commands.decide import Who
from natural9.table.state.visits import SeatPlace
from natural9.table.venue.venue import Venue

# Of each device and each person, however many addresses they come from. An address limits only whoever is nobody here:
# a hall of terminals behind one comes back all at once.
CONNECTS: Final = Rate(at_once=30, a_second=1)
COMING_BACK: Final = Rate(at_once=100, a_second=100)  # of all who have connected just before; others never wait for it
MOST_OPEN: Final = 32
ASKED_AGAIN: Final = 256  # requests that a terminal may send at once when it is back
STRANGERS: Final = Rate(at_once=60, a_second=5)
ENDED: Final = "the session has ended: sign in again"
ONE_MOMENT: Final = "one moment: connect again"
FLOOR: Final = "/ws/floor"
LOBBY: Final = "/ws/lobby"
TABLE: Final = "/ws/table/"

log = structlog.get_logger()


@dataclass(slots=True)
class Guest:
    """Whose connection it is."""

    session: Session
    table: str  # "" on the floor and in the lobby
    seat: int | None = None
    home: SeatPlace | None = None  # where a visitor belongs: its seat here is known once its table has said so
    is_in_lobby: bool = False
    sees_console: bool = False
    after: str = ""
    who: Who | None = None  # as its table's writer knows it
    has_failed: bool = True  # with its last message, as far as we know
    ends: asyncio.TimerHandle | None = None  # when its session is looked at again
    handshake: Handshake | None = None  # of whoever asks for a table that is not here


class Guests:
    """Everybody who connects: let in or refused, and how many lines and tables each has."""

    def __init__(self, venue: Venue, accounts: Accounts, *, secure: bool, machine: Machine) -> None:
        self.venue, self.accounts, self.secure = venue, accounts, secure
        # Of its own: a terminal with an old token keeps nobody from signing in.
        self._limiter = AttemptLimiter(accounts.register)
        clock_s = machine.monotonic_s
        self._budgets, self._connects = Buckets(RATE, clock_s), Buckets(CONNECTS, clock_s)
        self._strangers, self._again = Buckets(STRANGERS, clock_s), Bucket(COMING_BACK, clock_s)
        self._open: Counter[tuple[str, str]] = Counter()
        self._visits: Counter[tuple[tuple[str, str], str]] = Counter()  # of each terminal at each table
        self._under_way: set[asyncio.Future[Any]] = set()

    def let_in(self, handshake: Handshake, *, is_ready: bool) -> Guest | UpgradeRefused:
        host = handshake.headers.get("host", "")
        origin = handshake.headers.get("origin")
        allowed = self.venue.allowed_origins
        if not host_allowed(host, allowed) or not origin_allowed(origin, host, allowed):
            wrong = UpgradeRefused(403, "wrong-origin", f"a page of {origin or host!r} may not connect here")
            return self._strangers_wait(handshake) or wrong
        who = self._identify(handshake)
        if who is None:
            return self._unknown(handshake)
        is_floor, is_lobby = handshake.path == FLOOR, handshake.path == LOBBY
        if is_floor:
            guest = self._floor_guest(who)
        else:
            guest = self._lobby_guest(who) if is_lobby else self._table_guest(who, handshake)
        # A person at a device has two to be counted by: it is counted as the one that it will be here.
        if refused := self._too_often((guest.session if isinstance(guest, Guest) else who.session).holder):
            return refused
        is_table = handshake.path.startswith(TABLE) and handshake.path.removeprefix(TABLE) in self.venue.tables
        if not (is_floor or is_lobby or is_table):
            return UpgradeRefused(
                404, "not-found", f"there is no {handshake.path[:60]}: connect to {TABLE}ID or {FLOOR}"
            )
        if not is_ready:
            return UpgradeRefused(503, "not-ready", "the tables are not recovered yet: connect again in a moment")
        return guest

    def let_in_from_afar(self, handshake: Handshake) -> Guest | UpgradeRefused:
        """Somebody who is connected to another node: that one has looked at where they come from, and how often; who
        they are is looked at once more."""
        who = self._identify(handshake)
        if who is None:
            return UpgradeRefused(401, "sign-in-first", "enrol this device or sign in, then connect")
        return self._table_guest(who, handshake)

    def _identify(self, handshake: Handshake) -> Caller | None:
        return identify(handshake.headers.get("cookie", ""), self.accounts, secure=self.secure)

    def _unknown(self, handshake: Handshake) -> UpgradeRefused:
        """A token that is nobody's counts against its address; who keeps trying is journalled once (requirement 35)."""
        if "cookie" in handshake.headers:
            self.go_on_with(asyncio.ensure_future(self._limiter.failed(handshake.peer)))
        if wait_s := self._limiter.refused_s(handshake.peer):
            return UpgradeRefused(
                429, "too-often", f"too many unknown sign-ins came from here: wait {wait_s} s", wait_s
            )
        unknown = UpgradeRefused(401, "sign-in-first", "enrol this device or sign in, then connect")
        return self._strangers_wait(handshake) or unknown

    def _strangers_wait(self, handshake: Handshake) -> UpgradeRefused | None:
        if wait_s := self._strangers.of(neighbourhood(handshake.peer)).take():
            why = f"too many came from here without a sign-in: wait {wait_s} s"
            return UpgradeRefused(429, "too-often", why, wait_s)
        return None

    def _too_often(self, holder: tuple[str, str]) -> UpgradeRefused | None:
        """Whoever has spent what it may send comes back when it could ask again for all that was not answered."""
        connects = self._connects.of(holder)
        again = not connects.is_full()
        wait_s = connects.take() or self._budgets.of(holder).wait_s(ASKED_AGAIN) or (again and self._again.take())
        if wait_s:
            return UpgradeRefused(429, "too-often", f"connected or sent too often: wait {wait_s} s", wait_s)
        if self._open[holder] >= MOST_OPEN:
            why = f"{MOST_OPEN} connections are open already: close one, then connect"
            return UpgradeRefused(429, "too-many", why, 1)
        return None

    def _floor_guest(self, who: Caller) -> Guest | UpgradeRefused:
        if who.person is None or not who.person.may(Action.SEE_TABLE):
            return UpgradeRefused(403, "not-allowed", "the floor is for staff: sign in first")
        return Guest(who.session, "")

    def _table_guest(self, who: Caller, handshake: Handshake) -> Guest | UpgradeRefused:
        table, after = handshake.path.removeprefix(TABLE), handshake.query.get("after", "")[:40]
        device, device_session = who.device, who.device_session
        if device and device_session and device.kind == "terminal" and device.table == table:
            return Guest(device_session, table, seat=device.seat, after=after)
        if device and device_session and device.kind == "terminal" and self._may_visit(table):
            if self.visits_too_many(device_session, table):
                most = self.venue.lobby_tables
                why = f"a terminal plays at {most} tables at a time here: leave one, then connect"
                return UpgradeRefused(429, "too-many-tables", why, 1)
            return Guest(device_session, table, home=SeatPlace(device.table, device.seat or 0), after=after)
        if device and device_session and device.kind == "display" and device.table in ("", table):
            return Guest(device_session, table, after=after)
        if who.person and who.person.may(Action.SEE_TABLE):
            return Guest(who.session, table, sees_console=True, after=after)
        return UpgradeRefused(403, "not-allowed", f"this device does not belong to table {table}")

    def _may_visit(self, table: str) -> bool:
        config = self.venue.tables.get(table)
        return config is not None and config.takes_visitors

    def _lobby_guest(self, who: Caller) -> Guest | UpgradeRefused:
        device, session = who.device, who.device_session
        if device is None or session is None or device.kind != "terminal" or self.venue.lobby_tables == 1:
            return UpgradeRefused(403, "not-allowed", "the lobby is for terminals, where the venue has one")
        return Guest(session, "", is_in_lobby=True)

    def is_still_good(self, session: Session) -> bool:
        if session.kind == "staff":
            return self.accounts.person_of(session) is not None
        return self.accounts.devices.device_of(session) is not None

    # Counted

    def opened(self, session: Session) -> Bucket:
        """What this line may send, together with all others of the same holder."""
        self._open[session.holder] += 1
        return self._budgets.of(session.holder)

    def closed(self, session: Session) -> None:
        self._open[session.holder] -= 1
        if not self._open[session.holder]:
            del self._open[session.holder]

    def visits_too_many(self, session: Session, table: str) -> bool:
        """Its own table is one of those that it may play at, whether it looks at it or not."""
        others = {one for (holder, one), count in self._visits.items() if holder == session.holder and count}
        return len(others - {table}) >= self.venue.lobby_tables - 1

    def begin_visit(self, session: Session, table: str) -> None:
        self._visits[session.holder, table] += 1

    def end_visit(self, session: Session, table: str) -> None:
        self._visits[session.holder, table] -= 1
        self._visits += Counter()  # without those that are over, and those that never began

    # What nobody waits for

    def go_on_with(self, future: "asyncio.Future[Any]") -> None:
        self._under_way.add(future)
        future.add_done_callback(self._is_done)

    def _is_done(self, done: "asyncio.Future[Any]") -> None:
        self._under_way.discard(done)
        if not done.cancelled() and (error := done.exception()):
            is_ours = not isinstance(error, StoreFailed)  # else whoever keeps the records is away, and says so itself
            log.warning("not written", error=str(error), exc_info=error if is_ours else None)

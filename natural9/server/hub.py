"""Who is connected to what: the listener of all WebSockets, and each table's outlet to those who watch it."""

import asyncio
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, Protocol, cast

import msgspec
import structlog

from natural9.core.round import Refusal
from natural9.core.saying import Said, say, what_it_says
from natural9.journal.sentence import Sentence
from natural9.server import metrics, protocol
from natural9.server.complaints import in_words
from natural9.server.machine import THIS_MACHINE, Machine
from natural9.server.people.accounts import Accounts
from natural9.server.people.addresses import client_address, neighbourhood
from natural9.server.people.guards import Caller, host_allowed, identify, origin_allowed
from natural9.server.people.limits import AttemptLimiter
from natural9.server.people.permissions import Action
from natural9.server.people.sessions import Session
from natural9.server.printing import Printers
from natural9.server.rates import Bucket, Buckets, Rate
from natural9.server.tracing import TracedRequest, Tracing, tracing
from natural9.server.voucher_slip import voucher_slip
from natural9.server.websocket import (
    RATE,
    TOO_MANY,
    Connection,
    Handshake,
    OpenLine,
    UpgradeRefused,
    broadcast,
)
from natural9.store.contract import StoreFailed
from natural9.table.commands.decide import Who
from natural9.table.commands.refusals import UNDECIDED, TableCode
from natural9.table.commands.terminal import Tap
from natural9.table.live.answers import NOT_KNOWN, Accepted, NotKnown
from natural9.table.live.errands import SeatVisitor
from natural9.table.live.outbox import Answered, News, Outlet
from natural9.table.live.writer import MOST_OUTSTANDING, Writer
from natural9.table.state.state import Status, TableState
from natural9.table.state.view import (
    SeatView,
    alarms_that_stand,
    calls_that_stand,
    console_sees,
    everybody_sees,
    one_seat_sees,
)
from natural9.table.state.visits import SeatPlace
from natural9.table.venue.venue import Venue

# Of each device and each person, however many addresses they come from. An address limits only whoever is nobody here:
# a hall of terminals behind one comes back all at once.
CONNECTS: Final = Rate(at_once=30, a_second=1)
COMING_BACK: Final = Rate(at_once=100, a_second=100)  # of all who have connected just before; others never wait for it
MOST_OPEN: Final = 32
ASKED_AGAIN: Final = 256  # requests that a terminal may send at once when it is back
STRANGERS: Final = Rate(at_once=60, a_second=5)
KEPT: Final = 256  # messages that a client may have missed before it gets a snapshot instead
SLOW_S: Final = 1.0  # an answer that took longer is worth a line
MOST_TRACED: Final = 10_000  # of one table, on their way
SAMPLED: Final = 16  # one answer in so many is timed: timing each would cost as much as encoding it
FLOOR_S: Final = 0.3
LOOKED_AT_S: Final = 60.0  # a session's time is looked at again after so long at most, however the clock is set
ENDED: Final = "the session has ended: sign in again"
ONE_MOMENT: Final = "one moment: connect again"
ENDINGS: Final = frozenset({"round-settled", "round-voided"})
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


class Elsewhere(Protocol):
    """The tables that other nodes of the venue have, where there are several."""

    @property
    def here(self) -> str:
        """The name of this node."""

    def begin(self, connection: Connection, table: str, handshake: Handshake) -> None:
        """Connected here, for a table that is not: from now on it is carried."""

    def end(self, connection: OpenLine) -> None:
        """Such a one is gone."""

    def changed(self, tables: Iterable[str]) -> None:
        """These tables of ours look different on the floor."""

    def floor_row(self, table: str) -> protocol.FloorTable | None:
        """As its node last said."""

    def lobby_row(self, table: str) -> protocol.LobbyTable | None: ...


class Room:
    """One table at work: its writer, and the connections that it publishes to."""

    def __init__(self, hub: "Hub", state: TableState, make_writer: Callable[[Outlet], Writer]) -> None:
        self.hub, self.config = hub, state.config
        self.epoch = hub.machine.random_bytes(6).hex()  # its messages are numbered anew when the table comes back
        self.published = everybody_sees(state)  # what everybody was told last; first, the table as it was recovered
        # Likewise: the state may be ahead of the journal.
        self.at_stake_cents, self.dealer = state.at_stake_cents, state.dealer
        self.calls, self.alarms = calls_that_stand(state), alarms_that_stand(state)
        self.halted_at_ms: int | None = None
        self.n = self._asked = 0
        self._timed: dict[int | None, tuple[str, float]] = {}  # a request of this seat, and when it came
        self._tracing = tracing()
        self._traced: dict[tuple[int | None, str], TracedRequest] = {}  # while traces are on
        self._kept: deque[tuple[int, bytes]] = deque(maxlen=KEPT)
        self.terminals: dict[int, OpenLine] = {}
        self.inside: set[OpenLine] = set()  # whoever has come and not gone, welcomed or not
        self.watchers: set[OpenLine] = set()  # everybody, the terminals too
        self.consoles: set[OpenLine] = set()
        self.staff: set[OpenLine] = set()  # who sees the console, or will once it has been welcomed
        self.listeners: list[Callable[[], None]] = []  # in this program: called after every change
        self.writer = make_writer(self)

    # Outlet

    def news(self, news: News) -> None:
        self.n += 1
        self.published, self.at_stake_cents = news.table, news.at_stake_cents
        self.dealer, self.calls, self.alarms = news.dealer, news.calls, news.alarms
        for tag in ENDINGS & set(news.happened):
            metrics.ROUNDS.labels(self.config.id, tag).inc()
        now_ms = self.hub.clock_ms()
        table = protocol.TableMessage(n=self.n, now_ms=now_ms, happened=news.happened, table=news.table)
        message = protocol.encode(table)
        self._kept.append((self.n, message))
        broadcast(self.watchers, message)
        if self.consoles and news.console:
            broadcast(self.consoles, protocol.encode(protocol.Console(n=self.n, console=news.console)))
        self.hub.table_changed(self)
        for heard in self.listeners:
            heard()

    def seat(self, view: SeatView) -> None:
        connection = self.terminals.get(view.seat)
        if connection:
            connection.send(protocol.encode(protocol.SeatMessage(you=view)))

    def answered(self, seat: int, answers: Answered, view: SeatView | None) -> None:
        """To whoever is connected there now: whoever asked may have come back on another line."""
        if seat in self._timed:
            self._time(seat, answers)
        if self.hub.printers.is_on:
            for _, answer in answers:
                if isinstance(answer, Accepted) and answer.voucher:
                    self.hub.printers.issued(self.config.id, seat, answer.voucher, self.hub.time_ms())
        if connection := self.terminals.get(seat):
            self._send_answers(connection, answers, view)
        if self._traced:
            self._end_traces(seat, answers)

    def _send_answers(self, connection: OpenLine, answers: Answered, view: SeatView | None) -> None:
        registered: list[str] = []
        entries: list[int] = []
        unknown: list[str] = []
        for request, answer in answers:
            if isinstance(answer, Refusal):
                metrics.REFUSALS.labels(answer.code).inc()
                connection.send(protocol.encode(_refused(answer, request, view)))
            elif isinstance(answer, NotKnown):
                unknown.append(request)
            elif answer.voucher:
                slip = voucher_slip(answer.voucher, answer.entry)
                voucher = protocol.Registered(requests=[request], entries=[answer.entry], you=view, voucher=slip)
                connection.send(protocol.encode(voucher))
            elif answer.note:
                note = Sentence.of(answer.note)
                noted = protocol.Registered(requests=[request], entries=[answer.entry], you=view, note=note)
                connection.send(protocol.encode(noted))
            else:
                registered.append(request)
                entries.append(answer.entry)
        if registered:
            connection.send(protocol.encode(protocol.Registered(requests=registered, entries=entries, you=view)))
        if unknown:
            why = Sentence.of(NOT_KNOWN.why)
            connection.send(protocol.encode(protocol.Unknown(requests=unknown, why=why)))

    def _time(self, seat: int, answers: Answered) -> None:
        timed, asked_at = self._timed[seat]
        if any(request == timed for request, _ in answers):
            del self._timed[seat]
            seconds = time.perf_counter() - asked_at
            metrics.ACKNOWLEDGE_SECONDS.observe(seconds)
            if seconds > SLOW_S:
                log.warning("slow answer", table=self.config.id, seat=seat, request=timed, seconds=round(seconds, 3))

    def _begin_trace(self, with_it: Tracing, seat: int | None, tap: Tap) -> None:
        if len(self._traced) < MOST_TRACED:
            about: dict[str, str | int] = {"natural9.table": self.config.id, "natural9.seat": seat or 0}
            about["natural9.request"] = tap.request
            self._traced[seat, tap.request] = with_it.asked(str(tap.__struct_config__.tag), about)

    def _end_traces(self, seat: int, answers: Answered) -> None:
        for request, answer in answers:
            if traced := self._traced.pop((seat, request), None):
                if isinstance(answer, Refusal):
                    traced.answered(self.writer.publishing, {"natural9.refused": answer.code})
                elif isinstance(answer, NotKnown):
                    traced.answered(self.writer.publishing, {"natural9.refused": "unknown"})
                else:
                    traced.answered(self.writer.publishing, {"natural9.entry": answer.entry})

    def is_connected(self, seat: int) -> bool:
        return seat in self.terminals

    def has_staff(self) -> bool:
        return bool(self.staff)

    def seated(self) -> int:
        return len(self.terminals)

    def halted(self, why: Said) -> None:
        self.halted_at_ms = self.hub.time_ms()
        broadcast(self.watchers, protocol.encode(protocol.Halted(why=Sentence.of(why))))
        self.hub.table_changed(self)

    # Connections

    async def seat_visitor(self, connection: OpenLine, guest: Guest, home: SeatPlace) -> None:
        """A terminal of another table sits down: its seat is recorded before it is told."""
        self.inside.add(connection)
        try:
            seat = await self.writer.carry_out(SeatVisitor(home))
        except StoreFailed as error:
            connection.send(protocol.encode(protocol.Halted(why=Sentence.of(what_it_says(error)))))
            return
        if not self.hub.is_still_good(guest.session):  # who is not in the room yet is not told when that changes
            connection.close(protocol.SESSION_ENDED, ENDED)
        elif not connection.is_shut:
            guest.seat = seat
            self.enter(connection, guest)

    def enter(self, connection: OpenLine, guest: Guest) -> None:
        self.inside.add(connection)
        if guest.seat is not None:
            former = self.terminals.get(guest.seat)
            self.terminals[guest.seat] = connection
            if former:
                former.close(protocol.REPLACED, "this terminal was connected from somewhere else")
            log.info("terminal connected", table=self.config.id, seat=guest.seat, round=self._round)
        if guest.sees_console:
            self.staff.add(connection)
        if self.writer.halted:  # it shows nothing any more: what it last decided may not be durable
            connection.send(protocol.encode(protocol.Halted(why=Sentence.of(self.writer.halted))))
        elif not self._resume(connection, guest):
            self.writer.look(lambda state: self._welcome(connection, guest, state))
        self.writer.poke()
        self.hub.table_changed(self)

    def leave(self, connection: OpenLine, guest: Guest) -> None:
        self.inside.discard(connection)
        self.watchers.discard(connection)
        self.consoles.discard(connection)
        self.staff.discard(connection)
        if guest.seat is not None and self.terminals.get(guest.seat) is connection:
            del self.terminals[guest.seat]
            log.info("terminal lost", table=self.config.id, seat=guest.seat, round=self._round)
        self.hub.table_changed(self)

    def send_away(self) -> None:
        """The table is not here any more: whoever connects again finds it where it is."""
        for connection in [*self.inside]:
            connection.close(protocol.ONE_MOMENT, ONE_MOMENT)

    @property
    def _round(self) -> int:
        return self.published.round

    def _watch(self, connection: OpenLine, guest: Guest) -> None:
        self.watchers.add(connection)
        if guest.sees_console:
            self.consoles.add(connection)

    def _resume(self, connection: OpenLine, guest: Guest) -> bool:
        """Send what was missed since the number that the client knows, if all of it is still kept."""
        epoch, _, text = guest.after.partition(":")
        after = int(text) if text.isdecimal() and len(text) < 16 else -1
        oldest = self._kept[0][0] if self._kept else self.n + 1
        if epoch != self.epoch or not oldest - 1 <= after <= self.n:
            return False
        for n, message in self._kept:
            if n > after:
                connection.send(message)
        self._watch(connection, guest)
        if guest.sees_console or guest.seat is not None:
            self.writer.look(lambda state: self._own_part(connection, guest, state))
        return True

    def _own_part(self, connection: OpenLine, guest: Guest, state: TableState) -> Callable[[], None]:
        console = console_sees(state) if guest.sees_console else None
        you = one_seat_sees(state, guest.seat) if guest.seat is not None else None

        def send() -> None:
            if console:  # by its number when it is sent: an older one must not follow a newer
                connection.send(protocol.encode(protocol.Console(n=self.n, console=console)))
            if you:
                connection.send(protocol.encode(protocol.SeatMessage(you=you)))

        return send

    def _welcome(self, connection: OpenLine, guest: Guest, state: TableState) -> Callable[[], None]:
        table = everybody_sees(state)
        you = one_seat_sees(state, guest.seat) if guest.seat is not None else None
        console = console_sees(state) if guest.sees_console else None

        def send() -> None:
            welcome = protocol.Welcome(
                version=protocol.VERSION,
                epoch=self.epoch,
                n=self.n,
                now_ms=self.hub.clock_ms(),
                venue=self.hub.venue.name,
                currency=self.hub.venue.currency,
                table=table,
                outstanding=MOST_OUTSTANDING,
                lobby=self.hub.venue.lobby_tables,
                you=you,
                console=console,
            )
            if connection.send(protocol.encode(welcome)):
                self._watch(connection, guest)

        return send

    def ask(self, guest: Guest, tap: Tap) -> None:
        self._asked += 1
        if guest.who is None:
            since_ms = self.hub.accounts.devices.find(guest.session.id).enrolled_ms
            guest.who = Who.terminal(self.config.id, cast(int, guest.seat), since_ms)
        if self._asked % SAMPLED == 0:
            self._timed[guest.who.seat] = (tap.request, time.perf_counter())
        if self._tracing:
            self._begin_trace(self._tracing, guest.who.seat, tap)
        self.writer.ask_for_terminal(tap, guest.who)

    def floor_row(self) -> protocol.FloorTable:
        """From what was published last, so that the pit, too, sees only what is durable."""
        table = self.published
        return protocol.FloorTable(
            table=self.config.id,
            title=self.config.title,
            game=self.config.game.id,
            mode=self.config.mode,
            dealer=self.dealer,
            calls=self.calls,
            status=table.status,
            phase=table.phase,
            in_play=table.in_play,
            round=table.round,
            staked_cents=sum(table.laid.values()),
            seated=self.seated(),
            waiting=len(table.waiting),
            waiting_kind=table.waiting[0].kind if table.waiting else "",
            waiting_rank=table.waiting[0].rank if table.waiting else "",
            faults=table.faults,
            halted=Sentence.of(self.writer.halted) if self.writer.halted else None,
            halted_at_ms=self.halted_at_ms,
            alarms=self.alarms,
            cards=table.cards,
            player_total=table.player_total,
            banker_total=table.banker_total,
            result=table.result,
            results=table.results,
            closes_at_ms=table.closes_at_ms,
            node=self.hub.elsewhere.here if self.hub.elsewhere else "",
        )


def lobby_row(room: Room) -> protocol.LobbyTable:
    """From what was published last: nobody sees here what the table itself does not show to all."""
    table, config = room.published, room.config
    main = [table.limits[wager] for wager in ("player", "banker") if wager in table.limits]
    return protocol.LobbyTable(
        table=config.id,
        title=config.title,
        game=config.game.title,
        takes_visitors=config.takes_visitors,
        status=table.status,
        phase=table.phase,
        takes_bets=table.takes_bets,
        closes_at_ms=table.closes_at_ms,
        round=table.round,
        winner=table.result.winner if table.result and table.squeeze is None else None,
        results=table.results,
        least_cents=min((limit.min_cents for limit in main), default=0),
        most_cents=max((limit.max_cents for limit in main), default=0),
        is_out_of_service=bool(table.faults or room.writer.halted),
    )


def _refused(refusal: Refusal, request: str, view: SeatView | None) -> protocol.Refused:
    return protocol.Refused(
        request=request,
        code=refusal.code,
        message=str(refusal.message),
        said=Sentence.of(refusal.message),
        paragraph=refusal.paragraph,
        again=refusal.code in UNDECIDED,
        you=view,
    )


class Hub:
    """All rooms of the venue, and who may enter them."""

    def __init__(
        self,
        venue: Venue,
        accounts: Accounts,
        *,
        secure: bool,
        clock_ms: Callable[[], int],
        time_ms: Callable[[], int],  # of day, for whoever shows it
        machine: Machine = THIS_MACHINE,
    ) -> None:
        self.venue, self.accounts, self.secure, self.clock_ms = venue, accounts, secure, clock_ms
        self.time_ms, self.machine = time_ms, machine
        self.rooms: dict[str, Room] = {}  # the tables that are here
        self.printers = Printers(venue, time_ms)
        self.is_ready = False  # until the tables are recovered
        self.floor: set[OpenLine] = set()
        self.lobby: set[OpenLine] = set()
        self.far: set[OpenLine] = set()  # connected here, at a table that is not
        self.elsewhere: Elsewhere | None = None  # on one machine there is nothing elsewhere
        self._floor_n = 0
        # Of its own: a terminal with an old token keeps nobody from signing in.
        self._limiter = AttemptLimiter(accounts.register)
        clock_s = machine.monotonic_s
        self._budgets, self._connects = Buckets(RATE, clock_s), Buckets(CONNECTS, clock_s)
        self._strangers, self._again = Buckets(STRANGERS, clock_s), Bucket(COMING_BACK, clock_s)
        self._open: Counter[tuple[str, str]] = Counter()
        # Those of each person and device: when all of them are read anew, nobody looks at all lines for each.
        self._lines: dict[tuple[str, str], set[OpenLine]] = {}
        self._visits: Counter[tuple[tuple[str, str], str]] = Counter()  # of each terminal at each table
        self._counting: set[asyncio.Future[Any]] = set()
        self._changed: set[str] = set()
        self._floor_timer: asyncio.TimerHandle | None = None
        accounts.register.watch(self._account_changed)

    def send_away(self) -> None:
        """Whoever sees other tables from here: nobody knows any more who may."""
        for connection in (*self.floor, *self.lobby, *self.far):
            connection.close(protocol.ONE_MOMENT, ONE_MOMENT)

    # Listener

    def opening(self, handshake: Handshake) -> object:
        forwarded = handshake.headers.get("x-forwarded-for", "")
        handshake = handshake._replace(peer=client_address(handshake.peer, forwarded, self.venue.proxies))
        host = handshake.headers.get("host", "")
        origin = handshake.headers.get("origin")
        allowed = self.venue.allowed_origins
        if not host_allowed(host, allowed) or not origin_allowed(origin, host, allowed):
            wrong = UpgradeRefused(403, "wrong-origin", f"a page of {origin or host!r} may not connect here")
            return self._strangers_wait(handshake) or wrong
        who = self._identify(handshake)
        if who is None:
            return self._unknown(handshake)
        table = handshake.path.removeprefix(TABLE)
        is_floor, is_lobby = handshake.path == FLOOR, handshake.path == LOBBY
        if is_floor:
            guest = self._floor_guest(who)
        else:
            guest = self._lobby_guest(who) if is_lobby else self._table_guest(who, handshake)
        # A person at a device has two to be counted by: it is counted as the one that it will be here.
        if refused := self._too_often((guest.session if isinstance(guest, Guest) else who.session).holder):
            return refused
        is_table = handshake.path.startswith(TABLE) and table in self.venue.tables
        if not (is_floor or is_lobby or is_table):
            return UpgradeRefused(
                404, "not-found", f"there is no {handshake.path[:60]}: connect to {TABLE}ID or {FLOOR}"
            )
        if not self.is_ready:
            return UpgradeRefused(503, "not-ready", "the tables are not recovered yet: connect again in a moment")
        if is_table and table not in self.rooms and isinstance(guest, Guest):
            if self.elsewhere is None:
                return UpgradeRefused(503, "not-ready", "this table is not open at this moment: connect again")
            guest.handshake = handshake
        return guest

    def opening_far(self, handshake: Handshake) -> object:
        """For a table that is here, of somebody who is connected to another node: that one has looked at where they
        come from, and how often; who they are is looked at once more."""
        who, table = self._identify(handshake), handshake.path.removeprefix(TABLE)
        if table not in self.rooms:
            return UpgradeRefused(503, "not-here", "this table is not here")
        if who is None:
            return UpgradeRefused(401, "sign-in-first", "enrol this device or sign in, then connect")
        return self._table_guest(who, handshake)

    def _identify(self, handshake: Handshake) -> Caller | None:
        return identify(handshake.headers.get("cookie", ""), self.accounts, secure=self.secure)

    def _unknown(self, handshake: Handshake) -> UpgradeRefused:
        """A token that is nobody's counts against its address; who keeps trying is journalled once (requirement 35)."""
        if "cookie" in handshake.headers:
            counted = asyncio.ensure_future(self._limiter.failed(handshake.peer))
            self._counting.add(counted)
            counted.add_done_callback(self._counted)
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
            if self._visits_too_many(device_session, table):
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

    def _visits_too_many(self, session: Session, table: str) -> bool:
        """Its own table is one of those that it may play at, whether it looks at it or not."""
        others = {one for (holder, one), count in self._visits.items() if holder == session.holder and count}
        return len(others - {table}) >= self.venue.lobby_tables - 1

    def _lobby_guest(self, who: Caller) -> Guest | UpgradeRefused:
        device, session = who.device, who.device_session
        if device is None or session is None or device.kind != "terminal" or self.venue.lobby_tables == 1:
            return UpgradeRefused(403, "not-allowed", "the lobby is for terminals, where the venue has one")
        return Guest(session, "", is_in_lobby=True)

    def opened(self, connection: Connection) -> None:
        metrics.CONNECTIONS.inc()
        guest = self._guest(connection)
        connection.budget = self._budgets.of(guest.session.holder)
        self._open[guest.session.holder] += 1
        if guest.handshake and self.elsewhere:
            self._begin(connection, guest)
            self.far.add(connection)
            if guest.home:
                self._visits[guest.session.holder, guest.table] += 1
            self.elsewhere.begin(connection, guest.table, guest.handshake)
            guest.handshake = None
        else:
            self.enter(connection)

    def enter(self, connection: OpenLine) -> None:
        """Whoever is connected, here or at another node, takes a place here."""
        guest = self._guest(connection)
        self._begin(connection, guest)
        if guest.table and guest.table not in self.rooms:  # it has just gone elsewhere
            connection.close(protocol.ONE_MOMENT, ONE_MOMENT)
        elif guest.home:
            self._begin_visit(connection, guest, guest.home)
        elif guest.table:
            self.rooms[guest.table].enter(connection, guest)
        elif guest.is_in_lobby:
            self.lobby.add(connection)
            self._send_lobby([connection], self.venue.tables)
        else:
            self.floor.add(connection)
            self._send_floor([connection], self.venue.tables)

    def _begin(self, connection: OpenLine, guest: Guest) -> None:
        self._lines.setdefault(guest.session.holder, set()).add(connection)
        self._end_with_session(connection, guest)

    def _begin_visit(self, connection: OpenLine, guest: Guest, home: SeatPlace) -> None:
        if self._visits_too_many(guest.session, guest.table):  # of two that came at once
            connection.close(TOO_MANY, "too many tables at a time: leave one, then connect")
        self._visits[guest.session.holder, guest.table] += 1
        seating = asyncio.ensure_future(self.rooms[guest.table].seat_visitor(connection, guest, home))
        self._counting.add(seating)
        seating.add_done_callback(self._counted)

    def closed(self, connection: OpenLine) -> None:
        metrics.CONNECTIONS.dec()
        guest = self._guest(connection)
        self._open[guest.session.holder] -= 1
        if not self._open[guest.session.holder]:
            del self._open[guest.session.holder]
        if connection in self.far and self.elsewhere:
            self.far.discard(connection)
            self.elsewhere.end(connection)
        self.leave(connection)

    def leave(self, connection: OpenLine) -> None:
        """What `enter` has begun is over."""
        guest = self._guest(connection)
        if guest.ends:
            guest.ends.cancel()
        if lines := self._lines.get(guest.session.holder):
            lines.discard(connection)
            if not lines:
                del self._lines[guest.session.holder]
        if guest.home:
            self._visits[guest.session.holder, guest.table] -= 1
            self._visits += Counter()  # without those that are over, and those that never began
        if guest.table:
            if room := self.rooms.get(guest.table):  # or the table has gone elsewhere
                room.leave(connection, guest)
        else:
            self.floor.discard(connection)
            self.lobby.discard(connection)

    def message(self, connection: OpenLine, message: bytes) -> None:
        guest = self._guest(connection)
        try:
            command = protocol.decode_from_terminal(message)
        except (msgspec.DecodeError, RecursionError) as error:  # the latter for one that is nested without end
            why = say("this message cannot be understood: {error}", error=in_words(str(error)))
            self._refuse(connection, "bad-message", why)
            self._device_failed(guest, why)
            return
        if guest.has_failed:
            guest.has_failed = False
            self.accounts.devices.succeeded(guest.session.id)
        if guest.seat is not None and isinstance(command, Tap):  # as nearly all are
            self.rooms[guest.table].ask(guest, command)
        elif isinstance(command, protocol.Ping):
            pong = protocol.Pong(sent=command.sent, now_ms=self.clock_ms(), time_ms=self.time_ms())
            connection.send(protocol.encode(pong))
        elif guest.seat is None:
            why = say("only a terminal can bet here: staff give commands over HTTP")
            self._refuse(connection, TableCode.NOT_A_TERMINAL, why)
        elif isinstance(command, protocol.Turned):
            writer = self.rooms[guest.table].writer
            writer.cards_turned(guest.seat, number=command.round, cards=command.cards)

    def _refuse(self, connection: OpenLine, code: str, why: Said) -> None:
        refused = protocol.Refused(code=code, message=str(why), said=Sentence.of(why))
        connection.send(protocol.encode(refused))

    def _device_failed(self, guest: Guest, why: Said) -> None:
        """So often in a row, and it is no terminal of ours any more (requirement 35)."""
        guest.has_failed = True
        revoking = self.accounts.devices.failed(guest.session.id, why=why) if guest.session.kind == "device" else None
        if revoking:
            self._counting.add(revoking)
            revoking.add_done_callback(self._counted)

    def _counted(self, done: "asyncio.Future[Any]") -> None:
        self._counting.discard(done)
        if not done.cancelled() and (error := done.exception()):
            is_ours = not isinstance(error, StoreFailed)  # else whoever keeps the records is away, and says so itself
            log.warning("not written", error=str(error), exc_info=error if is_ours else None)

    def _guest(self, connection: OpenLine) -> Guest:
        guest = connection.who
        assert isinstance(guest, Guest), "made in `opening`"
        return guest

    def _account_changed(self, kind: str, id: str) -> None:
        """Disabled, revoked, signed out: an open connection ends with its session."""
        for connection in [*self._lines.get((kind, id), ())]:
            if not self.is_still_good(self._guest(connection).session):
                if kind == "device" and self.accounts.devices.find(id).replaced_by:
                    connection.close(protocol.SEAT_GIVEN, "this seat was given to another device")
                else:
                    connection.close(protocol.SESSION_ENDED, ENDED)

    def _end_with_session(self, connection: OpenLine, guest: Guest) -> None:
        """Staff's ends with its session by time, too: a console that is only watched is as idle as one left alone."""
        left_ms = self.accounts.sessions.left_ms(guest.session)
        if left_ms is None:
            return
        if left_ms <= 0:
            connection.close(protocol.SESSION_ENDED, ENDED)
            return
        again_s = min(left_ms / 1000, LOOKED_AT_S)
        guest.ends = asyncio.get_running_loop().call_later(again_s, self._end_with_session, connection, guest)

    def is_still_good(self, session: Session) -> bool:
        if session.kind == "staff":
            return self.accounts.person_of(session) is not None
        return self.accounts.devices.device_of(session) is not None

    # The floor

    def table_changed(self, room: Room) -> None:
        """The pit's list changes at most a few times a second, however busy the tables are."""
        self.look_again(room.config.id)

    def look_again(self, table: str) -> None:
        """It looks different on the floor, wherever it is."""
        self._changed.add(table)
        if self._floor_timer is None and (self.floor or self.lobby or self.elsewhere):
            self._floor_timer = asyncio.get_running_loop().call_later(FLOOR_S, self._tell_floor)

    def _tell_floor(self) -> None:
        self._floor_timer = None
        changed, self._changed = self._changed, set()
        if self.elsewhere:
            self.elsewhere.changed(sorted(changed & self.rooms.keys()))
        if self.floor:
            self._send_floor(self.floor, sorted(changed))
        if self.lobby:
            self._send_lobby(self.lobby, sorted(changed))

    def _send_lobby(self, connections: Iterable[OpenLine], tables: Iterable[str]) -> None:
        rows = tuple([row for row in map(self.lobby_row, tables) if row])
        broadcast(connections, protocol.encode(protocol.Lobby(now_ms=self.clock_ms(), tables=rows)))

    def lobby_row(self, table: str) -> protocol.LobbyTable | None:
        if room := self.rooms.get(table):
            return lobby_row(room)
        return self.elsewhere.lobby_row(table) if self.elsewhere else None

    def status_of(self, table: str) -> Status:
        """Closed, as far as is known here."""
        if room := self.rooms.get(table):
            return room.published.status
        row = self.floor_row(table)
        return row.status if row else Status.CLOSED

    def floor_row(self, table: str) -> protocol.FloorTable | None:
        """None where nothing is known of it yet."""
        if room := self.rooms.get(table):
            return room.floor_row()
        return self.elsewhere.floor_row(table) if self.elsewhere else None

    def _send_floor(self, connections: Iterable[OpenLine], tables: Iterable[str]) -> None:
        self._floor_n += 1
        rows = tuple([row for row in map(self.floor_row, tables) if row])
        floor = protocol.Floor(n=self._floor_n, now_ms=self.clock_ms(), tables=rows)
        broadcast(connections, protocol.encode(floor))

"""One table at work: what it publishes, and the connections of those who watch it."""

import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, cast

import structlog

from natural9.core.round import Refusal
from natural9.core.saying import Said, what_it_says
from natural9.journal.sentence import Sentence
from natural9.server import metrics, protocol
from natural9.server.guests import ENDED, ONE_MOMENT, Guest
from natural9.server.tracing import TracedRequest, Tracing, tracing
from natural9.server.voucher_slip import voucher_slip
from natural9.server.websocket import OpenLine, broadcast
from natural9.store.contract import StoreFailed
from natural9.table.commands.decide import Who
from natural9.table.commands.refusals import UNDECIDED
from natural9.table.commands.terminal import Tap
from natural9.table.live.answers import NOT_KNOWN, Accepted, NotKnown
from natural9.table.live.errands import SeatVisitor
from natural9.table.live.outbox import Answered, News, Outlet
from natural9.table.live.writer import MOST_OUTSTANDING, Writer
from natural9.table.state.console_view import alarms_that_stand, calls_that_stand, console_sees
from natural9.table.state.seat_view import SeatView, one_seat_sees
from natural9.table.state.state import TableState
from natural9.table.state.view import everybody_sees
from natural9.table.state.visits import SeatPlace

if TYPE_CHECKING:
    from natural9.server.hub import Hub

KEPT: Final = 256  # messages that a client may have missed before it gets a snapshot instead
SLOW_S: Final = 1.0  # an answer that took longer is worth a line
MOST_TRACED: Final = 10_000  # of one table, on their way
SAMPLED: Final = 16  # one answer in so many is timed: timing each would cost as much as encoding it
ENDINGS: Final = frozenset({"round-settled", "round-voided"})

log = structlog.get_logger()


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
        self.hub.floor.look_again(self.config.id)
        self.hub.announcements.tell(self.epoch, news.table, news.happened)
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
            about: dict[str, str | int] = {
                "natural9.table": self.config.id,
                "natural9.seat": seat or 0,
                "natural9.request": tap.request,
            }
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
        if self.hub.rooms.get(self.config.id) is self:  # and does not go on elsewhere
            self.hub.announcements.tell(self.epoch, self.published, halted=True)
        broadcast(self.watchers, protocol.encode(protocol.Halted(why=Sentence.of(why))))
        self.hub.floor.look_again(self.config.id)

    # Connections

    async def seat_visitor(self, connection: OpenLine, guest: Guest, home: SeatPlace) -> None:
        """A terminal of another table sits down: its seat is recorded before it is told."""
        self.inside.add(connection)
        try:
            seat = await self.writer.carry_out(SeatVisitor(home))
        except StoreFailed as error:
            connection.send(protocol.encode(protocol.Halted(why=Sentence.of(what_it_says(error)))))
            return
        if not self.hub.guests.is_still_good(guest.session):  # who is not in the room yet is not told when that changes
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
        self.hub.floor.look_again(self.config.id)

    def leave(self, connection: OpenLine, guest: Guest) -> None:
        self.inside.discard(connection)
        self.watchers.discard(connection)
        self.consoles.discard(connection)
        self.staff.discard(connection)
        if guest.seat is not None and self.terminals.get(guest.seat) is connection:
            del self.terminals[guest.seat]
            log.info("terminal lost", table=self.config.id, seat=guest.seat, round=self._round)
        self.hub.floor.look_again(self.config.id)

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

"""Who is connected to what: the listener of all WebSockets."""

import asyncio
from collections.abc import Callable
from typing import Final

import msgspec

from natural9.core.saying import Said, say
from natural9.journal.sentence import Sentence
from natural9.server import metrics, protocol
from natural9.server.announce.announcements import Announcements
from natural9.server.complaints import in_words
from natural9.server.floor import AllTables
from natural9.server.guests import ENDED, ONE_MOMENT, TABLE, Guest, Guests
from natural9.server.machine import THIS_MACHINE, Machine
from natural9.server.people.accounts import Accounts
from natural9.server.people.addresses import client_address
from natural9.server.printing import Printers
from natural9.server.room import Room
from natural9.server.websocket import TOO_MANY, Connection, Handshake, OpenLine, UpgradeRefused
from natural9.table.commands.refusals import TableCode
from natural9.table.commands.terminal import Tap
from natural9.table.state.visits import SeatPlace
from natural9.table.venue.venue import Venue

LOOKED_AT_S: Final = 60.0  # a session's time is looked at again after so long at most, however the clock is set


class Hub:
    """All connections of the venue: each goes to its room, or to the floor or the lobby."""

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
        self.venue, self.accounts, self.clock_ms = venue, accounts, clock_ms
        self.time_ms, self.machine = time_ms, machine
        self.rooms: dict[str, Room] = {}  # the tables that are here
        self.floor = AllTables(venue, self.rooms, clock_ms)
        self.guests = Guests(venue, accounts, secure=secure, machine=machine)
        self.printers = Printers(venue, time_ms)
        self.announcements = Announcements(venue, clock_ms=clock_ms, time_ms=time_ms)
        self.is_ready = False  # until the tables are recovered
        self.far: set[OpenLine] = set()  # connected here, at a table that is not
        # Those of each person and device: when all of them are read anew, nobody looks at all lines for each.
        self._lines: dict[tuple[str, str], set[OpenLine]] = {}
        accounts.register.watch(self._account_changed)

    def send_away(self) -> None:
        """Whoever sees other tables from here: nobody knows any more who may."""
        for connection in (*self.floor.everybody(), *self.far):
            connection.close(protocol.ONE_MOMENT, ONE_MOMENT)

    # Listener

    def opening(self, handshake: Handshake) -> object:
        forwarded = handshake.headers.get("x-forwarded-for", "")
        handshake = handshake._replace(peer=client_address(handshake.peer, forwarded, self.venue.proxies))
        guest = self.guests.let_in(handshake, is_ready=self.is_ready)
        if isinstance(guest, Guest) and guest.table and guest.table not in self.rooms:
            if self.floor.elsewhere is None:
                return UpgradeRefused(503, "not-ready", "this table is not open at this moment: connect again")
            guest.handshake = handshake
        return guest

    def opening_far(self, handshake: Handshake) -> object:
        """For a table that is here, of somebody who is connected to another node."""
        if handshake.path.removeprefix(TABLE) not in self.rooms:
            return UpgradeRefused(503, "not-here", "this table is not here")
        return self.guests.let_in_from_afar(handshake)

    def opened(self, connection: Connection) -> None:
        metrics.CONNECTIONS.inc()
        guest = self._guest(connection)
        connection.budget = self.guests.opened(guest.session)
        if guest.handshake and self.floor.elsewhere:
            self._begin(connection, guest)
            self.far.add(connection)
            if guest.home:
                self.guests.begin_visit(guest.session, guest.table)
            self.floor.elsewhere.begin(connection, guest.table, guest.handshake)
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
            self.floor.enter_lobby(connection)
        else:
            self.floor.enter_pit(connection)

    def _begin(self, connection: OpenLine, guest: Guest) -> None:
        self._lines.setdefault(guest.session.holder, set()).add(connection)
        self._end_with_session(connection, guest)

    def _begin_visit(self, connection: OpenLine, guest: Guest, home: SeatPlace) -> None:
        if self.guests.visits_too_many(guest.session, guest.table):  # of two that came at once
            connection.close(TOO_MANY, "too many tables at a time: leave one, then connect")
        self.guests.begin_visit(guest.session, guest.table)
        seating = self.rooms[guest.table].seat_visitor(connection, guest, home)
        self.guests.go_on_with(asyncio.ensure_future(seating))

    def closed(self, connection: OpenLine) -> None:
        metrics.CONNECTIONS.dec()
        guest = self._guest(connection)
        self.guests.closed(guest.session)
        if connection in self.far and self.floor.elsewhere:
            self.far.discard(connection)
            self.floor.elsewhere.end(connection)
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
            self.guests.end_visit(guest.session, guest.table)
        if guest.table:
            if room := self.rooms.get(guest.table):  # or the table has gone elsewhere
                room.leave(connection, guest)
        else:
            self.floor.leave(connection)

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
            self.guests.go_on_with(revoking)

    def _guest(self, connection: OpenLine) -> Guest:
        guest = connection.who
        assert isinstance(guest, Guest), "made in `opening`"
        return guest

    def _account_changed(self, kind: str, id: str) -> None:
        """Disabled, revoked, signed out: an open connection ends with its session."""
        for connection in [*self._lines.get((kind, id), ())]:
            if not self.guests.is_still_good(self._guest(connection).session):
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

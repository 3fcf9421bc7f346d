"""Deciding and recording: a command becomes events, and each event changes the state and becomes an entry to write."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Final, cast

from natural9.core.events import Event, seat_of
from natural9.core.round import Refusal, RoundState
from natural9.core.round import commands as round_commands
from natural9.core.round import events as round_events
from natural9.core.round.events import OfRound
from natural9.core.round.refusal import Code
from natural9.core.saying import say, what_it_says
from natural9.journal import table_events
from natural9.journal.accounts import TransferKind
from natural9.journal.card_events import PlayerCardedIn, PlayerCardedOut
from natural9.journal.labels import label_of, request_key
from natural9.journal.line import BY_PROGRAM, Origin, OriginKind, encode_line, read_line
from natural9.journal.mix_events import ShoeMixed, ShoeMixOpened
from natural9.journal.visit_events import CreditCameHome
from natural9.store.contract import Entry, Store, Transfer
from natural9.table.commands import terminal
from natural9.table.commands.attendant import CallKeys
from natural9.table.commands.betting import other_round, stakes_asked_for
from natural9.table.commands.decide import THE_TABLE, Who, decide
from natural9.table.commands.orders import Order, content, tag_of
from natural9.table.commands.pit import changed_settings, the_files_limits
from natural9.table.commands.refusals import UNDECIDED, TableCode, not_open_yet, too_many_late, too_many_requests
from natural9.table.commands.visiting import (
    Fetched,
    Parcel,
    Transit,
    WantedCredit,
    goes_home,
    parcel_of,
    received,
    seat_visitor,
    take_along,
    taken_along,
    wanted_from_home,
)
from natural9.table.live.answers import (
    MOST_TAPS,
    Accepted,
    Answer,
    Answers,
    Told,
    accepted_by,
    same_answer,
    told_in,
    without_voucher,
)
from natural9.table.live.outbox import AT_A_TIME
from natural9.table.live.outside import Outside
from natural9.table.live.past_rounds import PastTap
from natural9.table.live.plain_bets import BET, PlainBets
from natural9.table.live.session_clock import SessionClock
from natural9.table.shoes.shuffler import RandomnessFailed
from natural9.table.state.evolve import evolve
from natural9.table.state.player_cards import CountedRound, play_counted
from natural9.table.state.postings import transfers
from natural9.table.state.snapshot import take
from natural9.table.state.state import TableState
from natural9.table.state.visits import SeatPlace
from natural9.table.venue.venue import ShoeSource

MOST_LATE: Final = 32  # late bets and taps of a seat in one round that the journal has: no terminal fills it with them
_LATE: Final = frozenset({Code.NO_MORE_BETS, Code.INSURANCE_CLOSED, TableCode.OTHER_ROUND})


class Recorder:
    """The state of a table and what is to be written about it. `entries`, `happened` and `seats` gather until taken."""

    def __init__(
        self,
        state: TableState,
        *,
        outside: Outside,
        answers: Answers,
        transit: Transit,
        appended: int = 0,
    ) -> None:
        self.state = state
        self.entries: list[Entry] = []
        self._appended = appended  # the number, in the table's stream, of the last entry that was taken from here
        self.is_loud = False  # something happened that everybody is told of at once
        self.happened: list[str] = []  # tags, for whoever is told
        self.seats: set[int] = set()  # whose own view has changed
        self.earlier: RoundState | None = None  # the round before this one that the next order is about
        self.earlier_counted: Mapping[int, CountedRound] = {}  # and what it was counted as for players
        self.rest: tuple[list[Event], Origin] | None = None  # of what a command led to: decided, not recorded yet
        self.play_ms = 0  # now, by the play clock; `at_ms` is the time of entries
        self._late: tuple[int, Counter[int]] = (0, Counter())  # of the round: how many late bets each seat has made
        self.once_durable: list[Callable[[], object]] = []  # what is to be done then
        self._owing: set[int] = set()  # seats that have just been left with a debt
        self._undurable: dict[str, Told] = {}  # what was answered, until the journal has it
        self._in_the_journal: dict[str, Told] = {}  # of the requests that come next
        self._outside, self._answers, self._transit = outside, answers, transit
        self.homeward: list[Parcel] = []  # what visitors' money goes home in, once it is durable
        self._call_keys = CallKeys()
        self._stream = f"table/{state.config.id}"
        self.sessions = SessionClock(state)
        self._day = (-1, "")  # the gaming day at a time: a whole batch happens at one
        self._betting: PlainBets | None = None  # until anything but a plain bet happens

    async def remember(self, asked: Iterable[tuple[terminal.Tap | Order, Who]], store: Store) -> None:
        """What was answered to these before, however long ago: all but bets, whose answers lie in RAM."""
        keys = {self._key(one, who): who for one, who in asked}
        told = {key: self._undurable[key] for key in keys if key in self._undurable}
        if unheard := [key for key in keys if key not in told]:
            for key, written in (await store.asked(unheard)).items():
                told[key] = told_in(read_line(written), self._outside.vouchers, written.number)
                if written.at_ms <= keys[key].since_ms:  # whoever has a voucher's code has its money
                    told[key] = without_voucher(told[key])
        self._in_the_journal = told

    def answer(
        self, asked: terminal.Tap | Order, who: Who, at_ms: int, fetched: Fetched | None = None
    ) -> Answer | PastTap | WantedCredit:
        """The same request gets the same answer; a new one is decided. What is about a round that is over is not."""
        written = content(asked)
        if isinstance(asked, terminal.BetTap):
            return self._tap(asked, who, written, at_ms, fetched)
        key = self._key(asked, who)
        if told := self._undurable.get(key) or self._in_the_journal.get(key):
            return same_answer(told, asked.request, written)
        if told := self._answers.recent(who.sender, asked.request):
            return same_answer(told, asked.request, written)
        decided = self._pressed_too_often(asked, who) or self._decide(asked, who, at_ms)
        if isinstance(decided, Refusal):
            if decided.code in UNDECIDED:
                return decided
            self._note_wrong_code(asked, who, decided, at_ms)
        answer = self._carry_out(asked, who, decided, written, at_ms, key)
        self._undurable[key] = (written, answer)
        if who.kind is OriginKind.TERMINAL and len(taps := self._answers.of(who.sender)) < MOST_TAPS:
            taps[asked.request] = (written, answer)  # so that no bet takes its id
        self.once_durable.append(partial(self._undurable.pop, key))
        return answer

    def _tap(
        self, tap: terminal.BetTap, who: Who, written: bytes, at_ms: int, fetched: Fetched | None
    ) -> Answer | PastTap | WantedCredit:
        sender = who.sender
        if told := self._answers.recent(sender, tap.request):
            return same_answer(told, tap.request, written)
        mine = self._answers.of(sender)
        if len(mine) >= MOST_TAPS and tap.round >= self.state.round.number - 1:
            return too_many_requests(MOST_TAPS)
        decided = self._decide(tap, who, at_ms, fetched)
        if who.seat is not None and self.state.home_of(who.seat):
            if not fetched and (wanted := wanted_from_home(self.state, who.seat, tap, decided)):
                return wanted
            if fetched and isinstance(decided, Refusal) and decided.code is TableCode.NOT_ENOUGH_CREDIT:
                decided = fetched.why_not or decided
        if isinstance(decided, Refusal):
            if tap.round > self.state.round.number:
                return not_open_yet(tap.round)
            if tap.round < self.state.round.number - 1:
                return PastTap(tap, sender, written, other_round(self.state, tap))
            if decided.code in _LATE and who.seat is not None and not self._note_late(tap, who, who.seat, at_ms):
                return too_many_late(MOST_LATE)
        answer = self._carry_out(tap, who, decided, written, at_ms)
        mine[tap.request] = (written, answer)
        return answer

    def lay(self, tap: terminal.Bet, seat: int, sender: str, at_ms: int) -> Accepted | None:
        """A bet that is seen at a glance, from the tap to its entry; None where it takes a closer look, by `answer`.
        Between the two comes `finish_bets`, as before anything else."""
        betting = self._betting
        if betting is None:
            betting = self._betting = PlainBets.at(self.state, self._answers)
            if betting is None:
                return None
        entries = self.entries
        laid = betting.lay(tap, seat, sender, self._appended + len(entries) + 1, at_ms, self._day_at(at_ms))
        if laid is None:
            return None
        entries.append(laid[1])
        return laid[0]

    def finish_bets(self) -> None:
        """Let the round know of what `lay` has laid."""
        if self._betting and (seats := self._betting.finish()):
            self.seats.update(seats)
            self.happened.append(BET)

    def _pressed_too_often(self, asked: terminal.Tap | Order, who: Who) -> Refusal | None:
        if isinstance(asked, terminal.CallAttendant) and who.seat is not None:
            return self._call_keys.refusal(who.seat, self.play_ms)
        return None

    def by_itself(self, command: round_commands.Command, at_ms: int) -> Answer:
        """What nobody has to ask for."""
        order = Order("", command)
        return self._carry_out(order, THE_TABLE, self._decide(order, THE_TABLE, at_ms), None, at_ms)

    def by_the_system(self, event: Event, at_ms: int) -> None:
        self._record(event, BY_PROGRAM, at_ms)

    def date(self, at_ms: int) -> None:
        """What was recorded between two batches waits for the next: it is dated when it is written, so that the
        journal's times never go back."""
        if self.entries:
            day = self._outside.venue.gaming_day(at_ms)
            self.entries = [entry._replace(at_ms=at_ms, day=day) for entry in self.entries]

    @property
    def next_number(self) -> int:
        """That the next entry will have in the table's stream."""
        return self._appended + len(self.entries) + 1

    def take_entries(self) -> list[Entry]:
        """What is to be appended now."""
        taken, self.entries = self.entries, []
        self._appended += len(taken)
        return taken

    # Coming and going.

    def come_back(self, at_ms: int, seen_ms: int) -> None:
        """A round that was cut off goes on, is decided by the clause on interruptions, or waits until somebody has
        looked at its cards (interpretations short-interruption, felt-decides). `seen_ms`: when it was last at work, by
        the play clock; 0 if nobody knows."""
        state = self.state
        self.sessions.come_back(self.play_ms)
        if state.held:
            self._record(table_events.TableContinued(round=state.round.number), BY_PROGRAM, at_ms)
        elif state.in_play:
            away_ms = self.play_ms - seen_ms if seen_ms else 0
            real_cards = state.config.shoe is not ShoeSource.SHUFFLER
            intact = real_cards or self._outside.shoebox.in_use(state) is not None
            brief = intact and seen_ms > 0 and away_ms <= self._outside.venue.short_interruption_ms
            note = round_commands.NoteInterruption(away_ms=away_ms, brief=brief, real_cards=real_cards)
            self.by_itself(note, at_ms)
            while self.rest:
                self.record_more(at_ms)
        for said in changed_settings(state):
            self._record(said, BY_PROGRAM, at_ms)
        if not state.has_a_shoe and not state.retired:  # with one, the venue file's limits wait for the next
            for changed in the_files_limits(state):
                self._record(changed, BY_PROGRAM, at_ms)
        for seat in list(state.terminals):  # money from before there were sessions
            self._note_session(seat, at_ms)
        self.send_home(list(state.visitors.values()), at_ms)
        state.since_ms = state.mix_since_ms = self.play_ms

    def let_time_pass(self, at_ms: int) -> None:
        """What falls due by time alone in players' sessions."""
        for event in self.sessions.falls_due(self.play_ms):
            self._record(event, BY_PROGRAM, at_ms)

    def hold(self, at_ms: int) -> None:
        """The table stops on purpose."""
        for event in (*self.sessions.note(self.play_ms), table_events.TableHeld(round=self.state.round.number)):
            self._record(event, BY_PROGRAM, at_ms)

    # Deciding.

    def _key(self, asked: terminal.Tap | Order, who: Who) -> str:
        return request_key(self._stream, who.sender, asked.request)

    def _decide(
        self, asked: terminal.Tap | Order, who: Who, at_ms: int, fetched: Fetched | None = None
    ) -> list[Event] | Refusal:
        try:
            facts = self._outside.facts(
                asked, who, self.state, self.sessions, at_ms=at_ms, play_ms=self.play_ms, earlier=self.earlier
            )
            if fetched and fetched.why_not:
                facts = facts._replace(no_more=fetched.why_not)
        except RandomnessFailed as error:
            failed = what_it_says(error)
            self._record(table_events.FaultRaised(fault="randomness", detail=failed), BY_PROGRAM, at_ms)
            why = say("No shoe can be shuffled: {why}", why=failed)
            return Refusal(TableCode.FAULT, why)
        decided = decide(self.state, asked, who, facts)
        fresh = facts.chance.fresh
        if fresh and (
            isinstance(decided, Refusal) or not any(isinstance(one, table_events.ShoeCommitted) for one in decided)
        ):
            self._outside.shoebox.forget(fresh)
        return decided

    def _carry_out(
        self,
        asked: terminal.Tap | Order,
        who: Who,
        decided: list[Event] | Refusal,
        written: bytes | None,
        at_ms: int,
        key: str = "",
    ) -> Accepted | Refusal:
        """What was asked stands beside the first event that it leads to, if need be a refusal: so it is known again.
        Of many events only the first are recorded at once: `record_more` follows."""
        origin = who.origin(asked.request, tag_of(asked))
        if isinstance(decided, Refusal):
            if written is not None:
                self._note_refusal(decided, who, origin, at_ms, written, key)
            return decided
        if len(decided) > AT_A_TIME:
            decided, self.rest = decided[:AT_A_TIME], (decided[AT_A_TIME:], origin)
        number = self.next_number
        for event in decided:
            self._record(event, origin, at_ms, command=written, request=key)
            written, key = None, ""
        if not self.rest and not isinstance(asked, terminal.BetTap):
            self._note_debts(at_ms)
            if isinstance(asked, terminal.PlayTap) and who.seat is not None:
                self.sessions.player_is_there(who.seat)
        has_more = isinstance(asked, terminal.CashOut | terminal.Double)
        return accepted_by(decided[0], self._outside.vouchers, number) if has_more else Accepted(number)

    def record_more(self, at_ms: int) -> None:
        """Some more of what the last command led to, while there is a rest."""
        events, origin = self.rest or ([], BY_PROGRAM)
        self.rest = (events[AT_A_TIME:], origin) if len(events) > AT_A_TIME else None
        for event in events[:AT_A_TIME]:
            self._record(event, origin, at_ms)
        if self.rest is None:
            self._note_debts(at_ms)

    async def record_rest(self, at_ms: int) -> None:
        """All the rest; whoever else waits has a turn in between."""
        while self.rest:
            await asyncio.sleep(0)
            self.record_more(at_ms)

    # Recording.

    def _record(
        self, event: Event, origin: Origin, at_ms: int, *, command: bytes | None = None, request: str = ""
    ) -> None:
        state = self.state
        self._betting = None
        moved = transfers(state, event)
        self._note_seats(event)
        counted = play_counted(state, event, self.earlier_counted) if moved and not event.IS_QUIET else None
        evolve(state, event, moved, origin, at_ms)
        label, documents = "", _NO_DOCUMENTS
        if event.IS_FOUND_AGAIN:  # and only that may be kept beside the journal, too
            label, documents = label_of(state.table, event), self._documents(event, at_ms)
        body, day = encode_line(event, origin, command), self._day_at(at_ms)
        self.entries.append(Entry(self._stream, event.TAG, body, at_ms, day, label, moved, documents, request))
        self.happened.append(event.TAG)
        if not event.IS_QUIET:
            self.is_loud = True
            self._note_loud(event, moved, counted, at_ms)
        elif isinstance(event, PlayerCardedIn) or (moved and isinstance(event, CreditCameHome)):
            # What lies there becomes the player's, and so does what comes home.
            self._note_session(event.seat, at_ms)

    def _day_at(self, at_ms: int) -> str:
        if at_ms != self._day[0]:
            self._day = (at_ms, self._outside.venue.gaming_day(at_ms))
        return self._day[1]

    def _note_loud(self, event: Event, moved: tuple[Transfer, ...], counted: Event | None, at_ms: int) -> None:
        """What follows from an event that is more than one bet of many."""
        state = self.state
        if isinstance(event, OfRound):  # by a bet the round does not move: its timers go on
            state.since_ms = self.play_ms
        elif isinstance(event, ShoeMixOpened):
            state.mix_since_ms = self.play_ms
        if event.IS_IRREGULAR and any(transfer.kind == TransferKind.OWED for transfer in moved):
            self._owing.add(cast(int, seat_of(event)))
        if counted:
            self._record(counted, BY_PROGRAM, at_ms)
        if moved and (seat := seat_of(event)) is not None:  # a bet brings a seat no money
            self._note_session(seat, at_ms)

    def _note_session(self, seat: int, at_ms: int) -> None:
        """Money at a seat without a session begins one."""
        if starts := self.sessions.starts(seat, self.play_ms):
            self._record(starts, BY_PROGRAM, at_ms)

    def _documents(self, event: Event, at_ms: int) -> tuple[tuple[str, bytes | None], ...]:
        """What is kept beside the journal and changes with this event."""
        outside, table = self._outside, self.state.config.id
        outside.vouchers.evolve(event, table, at_ms)
        outside.cards.went_in(event, table)
        documents = outside.vouchers.document(event)
        documents += outside.shoebox.document(event, self.state) + outside.cards.document(event)
        if isinstance(event, PlayerCardedOut):
            self.once_durable.append(partial(outside.cards.came_out, event))
        documents += self._transit.evolve(parcel_of(self.state, event), event)
        if isinstance(event, round_events.BettingOpened):
            documents += ((self._stream, take(self.state)),)
            self._answers.next_round()
            self.once_durable.append(self._answers.let_go)
        return documents

    # Visits.

    def seat_visitor(self, home: SeatPlace, at_ms: int) -> int:
        """The seat of a terminal of another table: the one that it has, or a new one."""
        if home not in self.state.visitors:
            self._record(seat_visitor(self.state, home), BY_PROGRAM, at_ms)
        return self.state.visitors[home]

    def take_along(self, seat: int, wanted: WantedCredit, to: SeatPlace, at_ms: int) -> Fetched:
        """What a terminal of this table takes along for a bet at another."""
        cents, why_not = take_along(self.state, seat, wanted, self.sessions.table_ms(self.play_ms))
        if not cents:
            return Fetched(None, why_not)
        taken = taken_along(self.state, seat, cents, to)
        self._record(taken, BY_PROGRAM, at_ms)
        return Fetched(self._transit.parcels[taken.transit], why_not)

    def receive(self, parcel: Parcel, at_ms: int) -> None:
        """Once: whoever delivers it again finds it gone."""
        if parcel.number in self._transit.parcels:
            self._record(received(parcel), BY_PROGRAM, at_ms)

    def send_home(self, seats: Iterable[int], at_ms: int) -> None:
        """What visitors at these seats have, and no longer have at risk."""
        for seat in seats:
            if self.state.home_of(seat) and (goes := goes_home(self.state, seat)):
                self._record(goes, BY_PROGRAM, at_ms)
                self.homeward.append(self._transit.parcels[goes.transit])

    def _note_refusal(
        self, refusal: Refusal, who: Who, origin: Origin, at_ms: int, command: bytes, request: str
    ) -> None:
        """It changes nothing and is nobody's news: it stands in the journal so that it stays refused."""
        event = table_events.RequestRefused(
            seat=who.seat, code=str(refusal.code), message=refusal.message, paragraph=refusal.paragraph
        )
        body, day = encode_line(event, origin, command), self._outside.venue.gaming_day(at_ms)
        self.entries.append(Entry(self._stream, event.TAG, body, at_ms, day, request=request))

    def _note_late(self, tap: terminal.BetTap, who: Who, seat: int, at_ms: int) -> bool:
        """Tell what it would have laid. False where the round has told so much of the seat that it is not decided: a
        refusal that is told is an entry, too."""
        if self._late[0] != self.state.round.number:
            self._late = (self.state.round.number, Counter())
        told = self._late[1]
        room = MOST_LATE - told[seat]
        if room <= 0:
            return False
        stakes = stakes_asked_for(self.state, seat, tap)
        told[seat] += max(1, len(stakes))
        for wager, cents in stakes[:room]:
            late = table_events.LateBetRefused(seat=seat, wager=wager, cents=cents, for_round=tap.round)
            self._record(late, who.origin(tap.request, tag_of(tap)), at_ms)
        return True

    def _note_wrong_code(self, asked: terminal.Tap | Order, who: Who, refusal: Refusal, at_ms: int) -> None:
        is_wrong = isinstance(asked, terminal.InsertVoucher) and refusal.code == TableCode.NO_SUCH_VOUCHER
        if is_wrong and who.seat is not None and (times := self._outside.wrong_code(who.seat, self.play_ms)):
            wrong = table_events.WrongVoucherCodes(seat=who.seat, times=times)
            self._record(wrong, who.origin(asked.request, tag_of(asked)), at_ms)

    def _note_debts(self, at_ms: int) -> None:
        owing, self._owing = sorted(self._owing), set()
        for seat in owing:
            if owed := self.state.terminal(seat).owed_cents:
                self._record(table_events.DebtLeft(seat=seat, cents=owed), BY_PROGRAM, at_ms)

    def _note_seats(self, event: Event) -> None:
        """Whose own view this event changes."""
        if event.TOUCHES_EVERY_SEAT:
            self.seats.update(seat for seat, _ in self.state.round.seats.items())
        elif isinstance(event, ShoeMixOpened):
            self.seats.update(seat for seat, _ in event.seats)
        elif isinstance(event, ShoeMixed):
            self.seats.update(event.left_out)
        elif (seat := getattr(event, "seat", None)) is not None:
            self.seats.add(seat)


_NO_DOCUMENTS: Final[tuple[tuple[str, bytes | None], ...]] = ()

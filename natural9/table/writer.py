"""A table's one writer: it takes what waits, decides in memory, makes it durable in one commit, and only then speaks.

While one batch is on its way to the disk the next is being decided; what is said about a batch waits for its commit,
in order. Nobody is told of a thing that is not durable.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Protocol

from natural9.core.irregularities import Kind
from natural9.core.round import Refusal
from natural9.core.round import events as e
from natural9.core.round.refusal import Code as RoundCode
from natural9.core.staff import Rank
from natural9.store.contract import Entry, Overdrawn, Store, StoreFailed
from natural9.table import commands as w
from natural9.table import events as t
from natural9.table.answers import Accepted, Answer, Answers, Printed
from natural9.table.automatic import SYSTEM, Step, next_step, remedy_without_a_choice
from natural9.table.cage import Vouchers
from natural9.table.console import Chance
from natural9.table.decide import Facts, Who, decide
from natural9.table.evolve import Origin, evolve
from natural9.table.journal import encode_kept
from natural9.table.labels import label_of
from natural9.table.ledger import transfers
from natural9.table.refusals import Code
from natural9.table.shoebox import Shoebox
from natural9.table.shoes import RandomnessFailed
from natural9.table.snapshot import take
from natural9.table.state import TableState
from natural9.table.venue import Mode, ShoeSource, Venue
from natural9.table.view import ConsoleView, SeatView, TableView, console_sees, everybody_sees, one_seat_sees

MOST_WAITING: Final = 65_536
BATCH: Final = 1_000
QUIET_MS: Final = 400  # bets alone are shown to the others no oftener than this ...
SEATS_A_MS: Final = 5  # ... and in a full hall more rarely, for telling everybody takes its time
SYSTEM_WHO: Final = Who(SYSTEM, rank=Rank.DEALER)
_LATE: Final = frozenset({RoundCode.NO_MORE_BETS, RoundCode.INSURANCE_CLOSED, Code.OTHER_ROUND})
_log: Final = logging.getLogger(__name__)

Interpret = Callable[[TableState], w.StaffCommand | None]
Reply = Callable[[Answer, SeatView | None], None]


class Asked(NamedTuple):
    """`command` may depend on where the table stands once it is its turn: a card that a device has read."""

    command: w.TableCommand | Interpret
    who: Who
    reply: Reply


# What is looked at when its turn has come, and what is then said once that is durable.
Look = Callable[[TableState], Callable[[], None]]


class News(NamedTuple):
    """What everybody is told: the table, the console's part if anybody follows it, and the tags of what happened."""

    table: TableView
    console: ConsoleView | None
    happened: tuple[str, ...]


class Outlet(Protocol):
    """Where the writer speaks to."""

    def news(self, news: News) -> None: ...
    def seat(self, view: SeatView) -> None: ...
    def is_connected(self, seat: int) -> bool: ...
    def has_staff(self) -> bool:
        """Somebody follows the console."""

    def seated(self) -> int: ...
    def halted(self, why: str) -> None: ...


@dataclass(slots=True)
class Speech:
    """What a batch leads to being said, once it is durable."""

    replies: list[tuple[Reply, Answer, SeatView | None]] = field(default_factory=list)
    looks: list[Callable[[], None]] = field(default_factory=list)
    seats: list[SeatView] = field(default_factory=list)
    news: News | None = None


class Writer:
    def __init__(
        self,
        state: TableState,
        *,
        store: Store,
        venue: Venue,
        vouchers: Vouchers,
        shoebox: Shoebox,
        outlet: Outlet,
        clock_ms: Callable[[], int],
    ) -> None:
        self.state = state
        self.halted = ""
        self._store, self._venue, self._vouchers, self._shoebox = store, venue, vouchers, shoebox
        self._outlet, self._clock_ms = outlet, clock_ms
        self.answers = Answers()
        self._waiting: deque[Asked] = deque()
        self._later: list[Asked] = []
        self._looks: deque[Look] = deque()
        self._wake = asyncio.Event()
        self._said: asyncio.Queue[tuple[Awaitable[int] | None, Speech]] = asyncio.Queue(maxsize=4)
        self._timer: asyncio.TimerHandle | None = None
        self._entries: list[Entry] = []
        self._happened: list[str] = []
        self._seats: set[int] = set()
        self._stream = f"table/{state.config.id}"
        self._plain_facts = Facts(0)
        self._day = (-1, "")  # the gaming day at a time: a whole batch happens at one
        self._quiet_until_ms = 0
        self._dirty = False
        self._stopping = False
        self._ended = False

    # From outside.

    def ask(self, command: w.TableCommand | Interpret, who: Who, reply: Reply) -> None:
        """The reply comes once the answer is durable; a full queue and a halted table answer at once."""
        if self.halted or self._ended:
            reply(self._stopped(), None)
        elif len(self._waiting) >= MOST_WAITING:
            reply(Refusal(Code.TOO_BUSY, "The table has too much to do at this moment: try again"), None)
        else:
            self._waiting.append(Asked(command, who, reply))
            self._wake.set()

    async def answer(self, command: w.TableCommand | Interpret, who: Who) -> Answer:
        """Ask and wait, where the one who asks has nothing else to do."""
        answered: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

        def reply(answer: Answer, view: SeatView | None) -> None:
            if not answered.done():
                answered.set_result(answer)

        self.ask(command, who, reply)
        return await answered

    def look(self, look: Look) -> None:
        """Memory may be a batch ahead of the journal: whoever wants to see the table waits for its turn, too."""
        self._looks.append(look)
        self._wake.set()

    def poke(self) -> None:
        """Something outside has changed that a step may wait for: somebody sat down."""
        self._wake.set()

    @property
    def queue_length(self) -> int:
        return len(self._waiting)

    async def run(self) -> None:
        """Until stopped. First of all, a round that was cut off is concluded or voided by its clause."""
        speaker = asyncio.create_task(self._speak())
        try:
            self._come_back()
            while True:
                self._wake.clear()
                await self._batch()
                if self._stopping and self._may_stop():
                    break
                if not self._waiting:
                    await self._wake.wait()
            await self._hold()
            await self._said.join()
            self._ended = True
            self._refuse_all(self._waiting)
        finally:
            if self._timer:
                self._timer.cancel()
            speaker.cancel()

    def raise_fault(self, fault: str, detail: str) -> None:
        """Something around the table is not as it must be: no play until a person has cleared it."""
        if fault not in self.state.faults and not self.halted:
            self._record(t.FaultRaised(fault=fault, detail=detail), Origin(SYSTEM), self._clock_ms())
            self._wake.set()

    def stop(self) -> None:
        """Begin no other round; `run` ends when an automatic table has finished its own, or the dealer's is held."""
        self._stopping = True
        self._wake.set()

    def _may_stop(self) -> bool:
        finishes = self.state.config.mode is Mode.AUTOMATIC and self.state.in_play and not self.state.round.pending
        return bool(self.halted) or (not self._waiting and not (finishes and next_step(self.state, seated=0)))

    # Coming and going.

    def _come_back(self) -> None:
        """mbs 5.9, rws-nc 5.1: an outcome established is concluded, anything else is void. Where the document is
        silent the table waits for the shift manager, bets held (interpretation shift-manager-where-silent)."""
        at_ms, state = self._clock_ms(), self.state
        if state.held:
            self._record(t.TableContinued(round=state.round.number), Origin(SYSTEM), at_ms)
        elif state.in_play and state.round.pending:
            self._record(t.InterruptionNoted(round=state.round.number), Origin(SYSTEM), at_ms)
        elif state.in_play:
            self._apply_interruption(at_ms)
        state.since_ms = at_ms

    def _apply_interruption(self, at_ms: int) -> None:
        self._by_itself(w.Report(request=SYSTEM, kind=Kind.TABLE_INTERRUPTION, detail="cut off, restarted"), at_ms)
        if remedy := remedy_without_a_choice(self.state):
            self._by_itself(w.Decide(request=SYSTEM, remedy=remedy), at_ms)

    async def _hold(self) -> None:
        if not self.halted:
            self._record(t.TableHeld(round=self.state.round.number), Origin(SYSTEM), self._clock_ms())
            await self._commit(Speech())

    # A batch.

    async def _batch(self) -> None:
        at_ms = self._clock_ms()
        batch = deque([self._waiting.popleft() for _ in range(min(BATCH, len(self._waiting)))])
        try:
            speech = self._decide_batch(batch, at_ms)
            await self._commit(speech)
        except Exception as error:  # a mistake of ours: what was half decided is not written, and play stops
            _log.exception("table %s", self.state.config.id)
            self.halt(f"a mistake in the program, {error!r}")
            self._refuse_all(batch)
        self._set_timer()

    def _decide_batch(self, batch: Iterable[Asked], at_ms: int) -> Speech:
        speech = Speech()
        self._plain_facts = Facts(at_ms, self._venue.voucher_days)
        for asked in batch:
            self._carry_out(asked, at_ms, speech)
        if self._later and not self.state.round.pending:
            self._waiting.extendleft(reversed(self._later))
            self._later.clear()
        self._steps(at_ms)
        while self._looks:
            speech.looks.append(self._looks.popleft()(self.state))
        self._gather_news(at_ms, speech)
        return speech

    async def _commit(self, speech: Speech) -> None:
        entries, self._entries = self._entries, []
        written = self._store.append(entries) if entries else None
        if written or speech.replies or speech.looks or speech.seats or speech.news:
            await self._said.put((written, speech))

    def _carry_out(self, asked: Asked, at_ms: int, speech: Speech) -> None:
        command, who = asked.command, asked.who
        if not isinstance(command, w.Command):
            if self.state.round.pending:  # a card read while the table waits: kept in order until it is decided
                self._later.append(asked)
                return
            interpreted = command(self.state)
            if interpreted is None:
                return
            command = interpreted
        content = w.content(command)
        answer = self.answers.earlier(who.id, command.request, content)
        if answer is None:
            answer = self._decide(command, who, content, at_ms)
            self.answers.keep(who.id, command.request, content, answer)
        view = None
        if who.seat is not None:
            view = one_seat_sees(self.state, who.seat)
            self._seats.discard(who.seat)  # it knows now; what happens to it later in this batch it is told besides
        speech.replies.append((asked.reply, answer, view))

    def _decide(self, command: w.TableCommand, who: Who, content: bytes, at_ms: int) -> Answer:
        try:
            facts = self._facts(command, at_ms)
        except RandomnessFailed as error:
            self._record(t.FaultRaised(fault="randomness", detail=str(error)), Origin(SYSTEM), at_ms)
            return Refusal(Code.FAULT, f"No shoe can be shuffled: {error}")
        decided = decide(self.state, command, who, facts)
        fresh = facts.chance.fresh
        if fresh and (isinstance(decided, Refusal) or not any(isinstance(one, t.ShoeCommitted) for one in decided)):
            self._shoebox.forget(fresh)
        origin = Origin(who.id, command.request if who.id != SYSTEM else "", w.tag_of(command))
        if isinstance(decided, Refusal):
            if isinstance(command, w.Bet | w.Insure) and decided.code in _LATE and who.seat is not None:
                wager = command.wager if isinstance(command, w.Bet) else f"{command.hand}-insurance"
                late = t.LateBetRefused(seat=who.seat, wager=wager, cents=command.cents, for_round=command.round)
                self._record(late, origin, at_ms)
            return decided
        kept: bytes | None = content if who.id != SYSTEM else None
        for event in decided:
            self._record(event, origin, at_ms, command=kept)
            kept = None
        if not isinstance(command, w.BetCommand):
            self._note_debts(decided, at_ms)
        return Accepted(self._printed(decided)) if isinstance(command, w.CashOut) else _ACCEPTED

    def _facts(self, command: w.TableCommand, at_ms: int) -> Facts:
        if isinstance(command, w.Bet):  # by far the most there are, and they depend on nothing outside
            return self._plain_facts
        voucher = None
        chance = _NO_CHANCE
        match command:
            case w.Deal():
                chance = Chance(in_use=self._shoebox.in_use(self.state))
            case w.NewShoe():
                fresh = self._shoebox.fresh() if self.state.config.shoe is ShoeSource.SHUFFLER else None
                chance = Chance(in_use=self._shoebox.in_use(self.state), fresh=fresh)
            case w.InsertVoucher():
                voucher = self._vouchers.find(command.number, command.code, at_ms=at_ms)
            case w.VoidVoucher():
                voucher = self._vouchers.by_number(command.number, at_ms=at_ms, even_expired=True)
            case _:
                pass
        return Facts(at_ms, self._venue.voucher_days, chance, voucher)

    def _printed(self, happened: list[e.Event]) -> Printed | None:
        for event in happened:
            if isinstance(event, t.VoucherIssued):
                return Printed(
                    number=event.number,
                    code=self._vouchers.code(event.number),
                    cents=event.cents,
                    expires_at_ms=event.expires_at_ms,
                )
        return None

    # Steps that nobody has to ask for.

    def _steps(self, at_ms: int) -> None:
        if self.state.interrupted and self.state.in_play and not self.state.round.pending:
            self._apply_interruption(at_ms)
        if self.state.file_terms != self.state.config.terms and not self.state.in_play:
            self._take_over_the_files_terms(at_ms)
        while (step := self._next_step()) and step.at_ms <= at_ms:
            answer = self._by_itself(step.command, at_ms)
            if isinstance(answer, Refusal):
                if not self.state.faults:  # or it would be tried for ever
                    stuck = f"{w.tag_of(step.command)} was refused: {answer}"
                    self._record(t.FaultRaised(fault="automatic", detail=stuck), Origin(SYSTEM), at_ms)
                break

    def _take_over_the_files_terms(self, at_ms: int) -> None:
        """The venue file is what the operator wants: a modification like any other."""
        terms = self.state.config.terms
        changed = t.LimitsChanged(
            betting_unit_cents=terms.betting_unit_cents,
            limits={wager: (limit.min, limit.max) for wager, limit in terms.limits.items()},
            seat_min_cents=terms.seat_min_cents,
            seat_max_cents=terms.seat_max_cents,
            table_max_cents=terms.table_max_cents,
            by="venue file",
            why="the venue file has changed",
            from_file=True,
        )
        self._record(changed, Origin(SYSTEM), at_ms)

    def _next_step(self) -> Step | None:
        if self.halted:
            return None
        step = next_step(self.state, seated=self._outlet.seated())
        if step and self._stopping and isinstance(step.command, w.OpenBetting | w.NewShoe):
            return None
        return step

    def _by_itself(self, command: w.StaffCommand, at_ms: int) -> Answer:
        return self._decide(command, SYSTEM_WHO, w.content(command), at_ms)

    def _set_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None
        step = self._next_step()
        due = [step.at_ms] if step else []
        if self._dirty:
            due.append(self._quiet_until_ms)
        if due:
            delay = max(0.0, (min(due) - self._clock_ms()) / 1000)
            self._timer = asyncio.get_running_loop().call_later(delay, self._wake.set)

    # Recording.

    def _record(self, event: e.Event, origin: Origin, at_ms: int, *, command: bytes | None = None) -> None:
        state = self.state
        moved = transfers(state, event)
        self._note_seats(event)
        evolve(state, event, moved, origin, at_ms)
        plain = type(event) in _PLAIN
        label, documents = ("", ()) if plain else (label_of(state, event), self._documents(event, at_ms))
        if at_ms != self._day[0]:
            self._day = (at_ms, self._venue.gaming_day(at_ms))
        body = encode_kept(event, origin, command)
        self._entries.append(Entry(self._stream, event.TAG, body, at_ms, self._day[1], label, moved, documents))
        self._happened.append(event.TAG)

    def _documents(self, event: e.Event, at_ms: int) -> tuple[tuple[str, bytes | None], ...]:
        """What is kept beside the journal and changes with this event."""
        self._vouchers.evolve(event, self.state.config.id, at_ms)
        documents = self._vouchers.document(event) + self._shoebox.document(event)
        if isinstance(event, e.BettingOpened):
            documents += ((self._stream, take(self.state)),)
        return documents

    def _note_debts(self, happened: Iterable[e.Event], at_ms: int) -> None:
        for seat in [event.seat for event in happened if isinstance(event, e.SettlementReversed)]:
            if owed := self.state.terminal(seat).owed:
                self._record(t.DebtLeft(seat=seat, cents=owed), Origin(SYSTEM), at_ms)

    def _note_seats(self, event: e.Event) -> None:
        """Whose own view this event changes."""
        if isinstance(event, _FOR_ALL_SEATS):
            self._seats.update(seat for seat, _ in self.state.round.seats.items())
        elif (seat := getattr(event, "seat", None)) is not None:
            self._seats.add(seat)

    # Speaking.

    def _gather_news(self, at_ms: int, speech: Speech) -> None:
        for seat in self._seats:
            if self._outlet.is_connected(seat):
                speech.seats.append(one_seat_sees(self.state, seat))
        self._seats.clear()
        self._dirty = self._dirty or bool(self._happened)
        loud = any(tag not in _QUIET_TAGS for tag in self._happened)
        if self._dirty and (loud or at_ms >= self._quiet_until_ms):
            happened = tuple(dict.fromkeys(self._happened))
            console = console_sees(self.state) if self._outlet.has_staff() else None
            speech.news = News(everybody_sees(self.state), console, happened)
            self._quiet_until_ms = at_ms + max(QUIET_MS, self._outlet.seated() // SEATS_A_MS)
            self._dirty = False
        self._happened.clear()

    async def _speak(self) -> None:
        while True:
            written, speech = await self._said.get()
            try:
                if written is not None:
                    await written
            except (StoreFailed, Overdrawn) as error:
                self.halt(str(error))
            try:
                await self._say(speech)
            except Exception as error:  # a mistake of ours in a listener: better no table than a silent one
                _log.exception("table %s", self.state.config.id)
                self.halt(f"a mistake in the program, {error!r}")
            self._said.task_done()

    async def _say(self, speech: Speech) -> None:
        stopped = self._stopped() if self.halted else None
        for place, (reply, answer, view) in enumerate(speech.replies):
            reply(stopped or answer, None if stopped else view)
            if place % 500 == 499:
                await asyncio.sleep(0)
        if stopped:
            return
        for look in speech.looks:
            look()
        if speech.news:
            self._outlet.news(speech.news)
        for place, seat_view in enumerate(speech.seats):
            self._outlet.seat(seat_view)
            if place % 500 == 499:
                await asyncio.sleep(0)

    def halt(self, why: str) -> None:
        """What was decided could not be made durable: memory is ahead of the journal, so nothing more is decided."""
        if not self.halted:
            self.halted = why
            self._outlet.halted(why)
        self._entries.clear()
        self._refuse_all(self._waiting)
        self._wake.set()

    def _refuse_all(self, waiting: deque[Asked]) -> None:
        while waiting:
            waiting.popleft().reply(self._stopped(), None)

    def _stopped(self) -> Refusal:
        return Refusal(Code.STOPPED, f"The table has stopped: {self.halted or 'the program ends'}")


_ACCEPTED: Final = Accepted()
_NO_CHANCE: Final = Chance()
# What comes by the thousand has no label and changes no document: not asking saves a tenth of a bet.
_PLAIN: Final = frozenset({e.BetPlaced, e.BetIncreased, e.SeatSettled})
# What each seat may insure begins, ends, waits or changes with these.
_FOR_ALL_SEATS: Final = (
    e.BettingOpened,
    e.InsuranceOpened,
    e.InsuranceClosed,
    e.IrregularityReported,
    e.IrregularityDecided,
    e.CardsCorrected,
)
_QUIET_TAGS: Final = frozenset(
    shape.TAG
    for shape in (e.BetPlaced, e.BetIncreased, e.BetTakenBack, e.BetsCleared, e.InsurancePlaced, t.LateBetRefused)
)

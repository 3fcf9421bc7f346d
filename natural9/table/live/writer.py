"""A table's one writer: it takes what waits, decides in memory, makes it durable in one commit, then publishes it.

While one batch is on its way to the disk the next is being decided; what is published of a batch waits for its
commit, in order. Nobody is told of a thing that is not durable.
"""

import asyncio
import logging
import time
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, Final, TypeVar, cast

import msgspec
from msgspec import structs

from natural9.core.round import RoundState
from natural9.core.round.commands import Command
from natural9.core.round.decide import round_meant
from natural9.core.saying import Said, say, verbatim
from natural9.journal import table_events
from natural9.store.contract import Store, StoreFailed
from natural9.store.streams import Stream
from natural9.table.audit.history import earlier_counted, earlier_round
from natural9.table.commands.automatic import next_step
from natural9.table.commands.decide import Who
from natural9.table.commands.orders import Order
from natural9.table.commands.refusals import too_busy, too_many_outstanding
from natural9.table.commands.terminal import Bet, BetTap, Tap
from natural9.table.commands.visiting import Fetched, Transit, WantedCredit
from natural9.table.live.answers import NOT_KNOWN, Answer, Answers
from natural9.table.live.carrier import Carrier
from natural9.table.live.errands import AskTable, Errand, Receive
from natural9.table.live.exclusive import TableHolds
from natural9.table.live.news import NewsGatherer
from natural9.table.live.outbox import BatchTimes, Outbox, Outlet, Reply, publish
from natural9.table.live.outside import Outside
from natural9.table.live.own_steps import OwnSteps
from natural9.table.live.past_rounds import PastRounds, PastTap
from natural9.table.live.recorder import Recorder
from natural9.table.live.turns import LOOKED_AT, Turn
from natural9.table.state.state import TableState
from natural9.table.state.visits import SeatPlace
from natural9.table.venue.venue import Mode

MOST_WAITING: Final = 65_536
MOST_LATER: Final = 520  # more cards than any shoe holds
MOST_OUTSTANDING: Final = 256  # of one sender
BATCH: Final = 1_000
SETTLED: Final = "round-settled"
_log: Final = logging.getLogger(__name__)

T = TypeVar("T")
Interpret = Callable[[TableState], Order | None]


class QueuedCommand(msgspec.Struct, frozen=True):
    """`what` may depend on where the table stands once it is its turn: a card that a device has read.

    Whoever gives no `reply` is a terminal, and answered through the outlet.
    """

    what: Tap | Order | Interpret
    who: Who
    reply: Reply | None
    fetched: Fetched | None = None  # what a visitor's bet lacked


# What is looked at when its turn has come, and what is published once that is durable.
Look = Callable[[TableState], Callable[[], None]]


class Writer:
    def __init__(
        self,
        state: TableState,
        *,
        store: Store,
        outside: Outside,
        outlet: Outlet,
        play_ms: Callable[[], int],  # which timers run by
        record_ms: Callable[[], int],  # which entries are dated by
        record_held: Callable[[], AbstractContextManager[None]],  # while it is, for everybody
        answers: Answers | None = None,
        carrier: Carrier | None = None,  # of credit to other tables and from them
        seen_ms: int = 0,  # when the table was last at work, by the play clock; 0: nobody knows
        stopwatch_s: Callable[[], float] = time.perf_counter,  # by which others have their turns
        timed: Callable[[BatchTimes], None] = lambda times: None,  # of every batch that was made durable
    ) -> None:
        self.state = state
        self._seen_ms, self._stopwatch_s, self._timed = seen_ms, stopwatch_s, timed
        self.publishing = BatchTimes()  # of what is being told now
        self.halted: Said | None = None
        self._carrier = carrier or Carrier(Transit())
        self._carrier.writers[state.table] = self
        self._stream = Stream(store, f"table/{state.table}")
        self._recorder = Recorder(
            state,
            outside=outside,
            answers=answers or Answers(),
            transit=self._carrier.transit,
            appended=self._stream.number,
        )
        self._store, self._outlet, self._outside = store, outlet, outside
        self._news = NewsGatherer(outlet)
        self._play_ms, self._record_ms, self._record_held = play_ms, record_ms, record_held
        self._waiting: deque[QueuedCommand] = deque()
        # The requests without an answer of each seat, and of each who asks otherwise.
        self._outstanding: defaultdict[int | str | None, set[str]] = defaultdict(set)
        # What is exclusive over the venue, where several write: nothing of it where one process does.
        self._holds = TableHolds(store.holds, store, outside.vouchers, outside.cards) if store.holds else None
        self._held: list[str] = []  # for the batch that is being decided
        self._past = PastRounds(store, state.config.id, outside.vouchers, lambda: self.see(lambda _: None))
        self._later: list[QueuedCommand] = []
        self._errands: deque[Callable[[Recorder, int], Callable[[], None]]] = deque()
        self._fetching: dict[
            int, deque[QueuedCommand]
        ] = {}  # seats of visitors: what waits behind a bet that lacks credit
        self._looks: deque[Look] = deque()
        self._seeing: set[asyncio.Future[Any]] = set()
        self._wake = asyncio.Event()
        self._outboxes: asyncio.Queue[tuple[Awaitable[int] | None, Outbox]] = asyncio.Queue(maxsize=4)
        self._telling = Outbox()  # taken from there, and told once it is durable
        self._own_steps = OwnSteps(
            self._recorder,
            outlet,
            self._news,
            play_ms=play_ms,
            wake=self._wake.set,
            is_halted=lambda: bool(self.halted),
        )
        self._at_ms = 0  # when the batch that is being decided happens; 0 between two
        self._raised: dict[str, Said] = {}  # faults that were found while one is
        self._ended = False

    # From outside.

    def ask(self, what: Tap | Order | Interpret, who: Who, reply: Reply) -> None:
        """The reply comes once the answer is durable; a full queue and a halted table answer at once."""
        request = "" if callable(what) else what.request  # a device has none, and reads as many cards as there are

        def answered(answer: Answer) -> None:
            self._outstanding[who.sender].discard(request)
            reply(answer)

        if cannot := self._cannot_take(who.sender, request):
            reply(cannot)
        else:
            self._queue(QueuedCommand(what, who, answered))

    def ask_for_terminal(self, tap: Tap, who: Who) -> None:
        """As `ask`; the outlet gets what a terminal asked in one batch together, so that a busy table sends less."""
        if cannot := self._cannot_take(who.seat, tap.request):
            self._answer_terminal(who, tap.request, cannot)
        else:  # as `_queue` does: every bet comes through here
            self._waiting.append(QueuedCommand(tap, who, None))
            self._wake.set()

    def _cannot_take(self, sender: int | str | None, request: str) -> Answer | None:
        """A sender has so many requests on their way and no more; another copy of one of those is no other request."""
        if self.halted or self._ended:
            return NOT_KNOWN
        mine = self._outstanding[sender]
        if len(self._waiting) >= MOST_WAITING:
            return NOT_KNOWN if request in mine else too_busy()
        if len(mine) >= MOST_OUTSTANDING and request and request not in mine:
            return too_many_outstanding(MOST_OUTSTANDING)
        if request:
            mine.add(request)
        return None

    def _queue(self, asked: QueuedCommand) -> None:
        self._waiting.append(asked)
        self._wake.set()

    async def answer(self, what: Tap | Order | Interpret, who: Who) -> Answer:
        """Ask and wait, where the one who asks has nothing else to do."""
        answered: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

        def reply(answer: Answer) -> None:
            if not answered.done():
                answered.set_result(answer)

        self.ask(what, who, reply)
        return await answered

    def look(self, look: Look) -> None:
        """Memory may be a batch ahead of the journal: whoever wants to see the table waits for its turn, too."""
        self._looks.append(look)
        self._wake.set()

    async def see(self, look: Callable[[TableState], T]) -> T:
        """What this looks like once it is durable. Raises StoreFailed when nothing will be any more."""
        if self.halted or self._ended:
            raise StoreFailed(self._stopped())
        seen: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        def take(state: TableState) -> Callable[[], None]:
            found = look(state)
            return lambda: None if seen.done() else seen.set_result(found)

        self.look(take)
        self._seeing.add(seen)
        try:
            return await seen
        finally:
            self._seeing.discard(seen)

    async def carry_out(self, errand: Errand[T]) -> T:
        """What the program itself asks of a table, in its turn; the outcome once it is durable. Raises StoreFailed."""
        if isinstance(errand, AskTable):
            return cast(T, await self.answer(errand.asked, errand.who))
        if not errand.IN_TURN:
            return errand.run(self._recorder, self._at_ms)
        if isinstance(errand, Receive):
            await self._carrier.look_for(errand.parcel)
        if self.halted or self._ended:  # by now: what is left to a table that has stopped keeps it awake for ever
            raise StoreFailed(self._stopped())
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        def go(recorder: Recorder, at_ms: int) -> Callable[[], None]:
            outcome = errand.run(recorder, at_ms)
            return lambda: None if done.done() else done.set_result(outcome)

        self._errands.append(go)
        self._wake.set()
        self._seeing.add(done)
        try:
            outcome = await done
        finally:
            self._seeing.discard(done)
        if isinstance(outcome, Fetched) and outcome.parcel:
            self._carrier.sent(outcome.parcel)
        return outcome

    async def earlier_round(self, command: Command) -> RoundState | None:
        """The round before this one that a command is about, as it stands by now."""
        number = await self.see(lambda state: round_meant(state.round, command))
        config = self.state.config
        return None if number is None else await earlier_round(self._store, config.id, number, config.game)

    def keep_time(self, ahead_ms: int) -> None:
        """Before it runs: by how much the time of all the venue's tables is ahead of the play clock. It is one time, so
        that what a player waits for goes on from table to table."""
        self._recorder.sessions.ahead_ms = ahead_ms

    def poke(self) -> None:
        """Something outside has changed that a step may wait for: somebody sat down."""
        self._wake.set()

    def cards_turned(self, seat: int, *, number: int, cards: int) -> None:
        """A terminal has turned so many cards of this round, and waits for the next."""
        self._own_steps.cards_turned(seat, number=number, cards=cards)
        self._wake.set()

    @property
    def queue_length(self) -> int:
        return len(self._waiting)

    async def run(self) -> None:
        """Until stopped. First of all, a round that was cut off is concluded or voided by its clause."""
        publisher = asyncio.create_task(self._publish())
        try:
            self._recorder.play_ms = self._play_ms()
            self._recorder.come_back(self._record_ms(), self._seen_ms)
            while True:
                self._wake.clear()
                await self._batch()
                if self._own_steps.stopping and self._may_stop():
                    break
                if not self._waiting and not self._errands:
                    await self._wake.wait()
            await self._hold()
            await self._outboxes.join()
            self._ended = True
            self._refuse_all(self._waiting)
        finally:
            self._own_steps.cancel_timer()
            publisher.cancel()
            self._drop(None, self._telling)
            while not self._outboxes.empty():
                self._drop(*self._outboxes.get_nowait())
            if self._holds:
                self._holds.let_go_all()

    def raise_fault(self, fault: str, detail: Said) -> None:
        """Something around the table is not as it must be: no play until a person has cleared it."""
        if self._at_ms:  # what is being decided is recorded first
            self._raised.setdefault(fault, detail)
        else:
            self._record_fault(fault, detail, self._record_ms())
        self._wake.set()

    def _record_fault(self, fault: str, detail: Said, at_ms: int) -> None:
        if fault not in self.state.faults and not self.halted:
            self._recorder.by_the_system(table_events.FaultRaised(fault=fault, detail=detail), at_ms)

    def stop(self) -> None:
        """Begin no other round; `run` ends when an automatic table has finished its own, or the dealer's is held."""
        self._own_steps.stopping = True
        self._wake.set()

    def _may_stop(self) -> bool:
        finishes = self.state.config.mode is Mode.AUTOMATIC and self.state.in_play and not self.state.round.pending
        is_idle = not (self._waiting or self._errands or self._fetching)
        return bool(self.halted) or (is_idle and not (finishes and next_step(self.state, seated=0)))

    async def _hold(self) -> None:
        if not self.halted:
            at_ms = self._record_ms()
            self._recorder.play_ms = self._play_ms()
            self._recorder.date(at_ms)
            self._recorder.hold(at_ms)
            await self._publish_later(self._append(), Outbox())

    # A batch.

    async def _batch(self) -> None:
        if self.halted:  # nothing is decided any more, and nothing is tried again
            self._refuse_all(self._waiting)
            return
        batch: deque[QueuedCommand] = deque()
        try:
            await self._next_batch(batch)
            if self.halted:  # while the journal was read
                self._refuse_all(batch)
                return
            at_ms = self._record_ms()
            with self._record_held():  # or what another table writes meanwhile would be later, and stand before it
                outbox = await self._decide_batch(batch, at_ms)
                written = self._append()
            outbox.held, self._held = self._held, []
            await self._publish_later(written, outbox)
        except StoreFailed as error:  # what was answered before could not be read
            _log.warning("table %s: %s", self.state.config.id, error)
            self.halt(verbatim(str(error)))
            self._refuse_all(batch)
        except Exception as error:  # a mistake of ours: what was half decided is not written, and play stops
            _log.exception("table %s", self.state.config.id)
            self.halt(program_error(error))
            self._refuse_all(batch)
        except asyncio.CancelledError:  # the table goes, and what was taken from the queue is in nobody's hands
            self._refuse_all(batch)
            raise
        self._own_steps.set_timer()

    async def _next_batch(self, batch: deque[QueuedCommand]) -> None:
        """What waits; an order about an earlier round comes alone, once all before it is durable and can be read."""
        if self._waiting and (number := self._earlier_meant(self._waiting[0])) is not None:
            batch.append(self._waiting.popleft())
            await self._outboxes.join()
            config = self.state.config
            self._recorder.earlier = await earlier_round(self._store, config.id, number, config.game)
            self._recorder.earlier_counted = await earlier_counted(self._store, config.id, number)
        else:
            self._recorder.earlier, self._recorder.earlier_counted = None, {}
            waiting = self._waiting
            for _ in range(min(len(waiting), BATCH)):
                asked = waiting[0]
                if type(asked.what) is Order and self._earlier_meant(asked) is not None:
                    break
                batch.append(waiting.popleft())
        # Of a bet nothing is asked: its round's answers lie in RAM.
        others = [(one.what, one.who) for one in batch if not isinstance(one.what, BetTap)]
        if requests := [(what, who) for what, who in others if not callable(what)]:
            await self._recorder.remember(requests, self._store)
            if self._holds:
                self._held, self._outside.busy = await self._holds.take([what for what, _ in requests])

    def _earlier_meant(self, asked: QueuedCommand) -> int | None:
        return round_meant(self.state.round, asked.what.command) if type(asked.what) is Order else None

    async def _decide_batch(self, batch: deque[QueuedCommand], at_ms: int) -> Outbox:
        """A full hall's takes its time, and others on the event loop have their turns in between."""
        outbox = Outbox()
        outbox.times.began_s = self._stopwatch_s()
        now_ms = self._recorder.play_ms = self._play_ms()
        self._at_ms = at_ms
        self._recorder.date(at_ms)
        while self._errands:
            outbox.looks.append(self._errands.popleft()(self._recorder, at_ms))
        turn = Turn(self._stopwatch_s)
        await self._carry_out_all(batch, at_ms, outbox, turn)
        if self._later and not self.state.round.pending and not self.state.faults:
            self._waiting.extendleft(reversed(self._later))
            self._later.clear()
        await self._own_steps.take(at_ms, now_ms)
        self._recorder.let_time_pass(at_ms)
        for fault, detail in self._raised.items():
            self._record_fault(fault, detail, at_ms)
        self._raised.clear()
        if self.state.visitors:
            self._recorder.send_home(sorted(self._recorder.seats), at_ms)
        outbox.looks += self._recorder.once_durable
        self._recorder.once_durable = []
        outbox.looks += [partial(self._carrier.deliver, parcel) for parcel in self._recorder.homeward]
        self._recorder.homeward = []
        while self._looks:
            outbox.looks.append(self._looks.popleft()(self.state))
        await self._news.gather(self.state, self._recorder, outbox, now_ms, turn)
        self._at_ms = 0
        outbox.times.decided_s = self._stopwatch_s()
        return outbox

    async def _carry_out_all(self, batch: deque[QueuedCommand], at_ms: int, outbox: Outbox, turn: Turn) -> None:
        recorder, answered = self._recorder, outbox.answered
        for place, asked in enumerate(batch, start=1):
            if place % LOOKED_AT == 0 and turn.is_over:
                recorder.finish_bets()  # whoever has a turn finds the table as it stands
                await turn.give_way()
            tap, seat = asked.what, asked.who.seat
            if type(tap) is Bet and seat is not None and asked.reply is None:  # as nearly all are
                accepted = recorder.lay(tap, seat, asked.who.sender, at_ms)
                if accepted:
                    if seat in answered:
                        answered[seat].append((tap.request, accepted))
                    else:
                        answered[seat] = [(tap.request, accepted)]
                    continue
            recorder.finish_bets()
            if place > 1 and self._earlier_meant(asked) is not None:
                # By what was decided just now it is about an earlier round, which has to be read: it comes alone.
                while len(batch) >= place:
                    self._waiting.appendleft(batch.pop())
                break
            self._carry_out(asked, at_ms, outbox)
            if recorder.rest:
                await recorder.record_rest(at_ms)
        recorder.finish_bets()

    def _append(self) -> Awaitable[int] | None:
        entries = self._recorder.take_entries()
        return self._stream.append(entries) if entries and not self.halted else None

    async def _publish_later(self, written: Awaitable[int] | None, outbox: Outbox) -> None:
        if written or outbox.replies or outbox.answered or outbox.looks or outbox.seats or outbox.news or outbox.held:
            if self._outboxes.full():
                try:
                    await self._outboxes.put((written, outbox))
                except asyncio.CancelledError:
                    self._drop(written, outbox)
                    raise
            else:
                self._outboxes.put_nowait((written, outbox))

    def _carry_out(self, asked: QueuedCommand, at_ms: int, outbox: Outbox) -> None:
        what, who = asked.what, asked.who
        if callable(what):
            if self.state.round.pending or self.state.faults or self._later:
                self._keep_for_later(asked)
                return
            interpreted = what(self.state)
            if interpreted is None:
                return
            what = interpreted
        if self._fetching and who.seat is not None and who.seat in self._fetching and not asked.fetched:
            self._fetching[who.seat].append(asked)
            return
        if asked.fetched and asked.fetched.parcel:
            self._recorder.receive(asked.fetched.parcel, at_ms)
        answer = self._recorder.answer(what, who, at_ms, asked.fetched)
        if self.state.visitors and who.seat is not None:  # of a visitor, nothing rests here
            self._recorder.send_home((who.seat,), at_ms)
        if isinstance(answer, WantedCredit):
            self._fetch(asked, answer)
        elif isinstance(answer, PastTap):
            self._past.ask(answer, asked.reply or self._past_reply(who, what.request))
        elif asked.reply:
            outbox.replies.append((asked.reply, answer))
        elif who.seat is not None:
            outbox.answered.setdefault(who.seat, []).append((what.request, answer))
        if asked.fetched and who.seat is not None:
            for behind in self._fetching.pop(who.seat):
                self._carry_out(behind, at_ms, outbox)

    def _fetch(self, asked: QueuedCommand, wanted: WantedCredit) -> None:
        """A visitor's bet lacks credit, which is at its own table. What the seat asks meanwhile waits behind it."""
        seat = asked.who.seat
        home = None if seat is None else self.state.home_of(seat)
        assert seat is not None
        assert home is not None, "only visitors' bets want anything from home"
        self._fetching[seat] = deque()

        async def fetch() -> None:
            here = SeatPlace(self.state.table, seat)
            fetched = await self._carrier.fetch(home, wanted, here)
            if fetched is None or self.halted or self._ended:
                self._refuse_all(deque([asked, *self._fetching.pop(seat)]))
            else:  # what waits behind it does so until it is carried out: a batch may be on its way
                self._waiting.appendleft(structs.replace(asked, fetched=fetched))
            self._wake.set()

        self._carrier.start(fetch())

    def _past_reply(self, who: Who, request: str) -> Reply:
        def reply(answer: Answer) -> None:
            self._outstanding[who.seat].discard(request)
            self._answer_terminal(who, request, answer)

        return reply

    def _keep_for_later(self, asked: QueuedCommand) -> None:
        """A card read while the table waits: kept, in order, until it is decided what it comes after."""
        if len(self._later) < MOST_LATER:
            self._later.append(asked)
        else:
            full = say("more than {most} cards were read while the table waited", most=MOST_LATER)
            self._record_fault("reading-shoe", full, self._at_ms)

    # Publishing.

    async def _publish(self) -> None:
        while True:
            written, outbox = await self._outboxes.get()
            self._telling = outbox
            try:
                if written is not None:
                    await written
            except Exception as error:  # whatever it was: memory is ahead of the journal now
                self.halt(verbatim(str(error)))
            self.publishing = times = outbox.times
            times.durable_s = self._stopwatch_s()
            if self._holds:
                self._holds.let_go(outbox.held)
            for seat, answers in outbox.answered.items():
                self._outstanding[seat].difference_update([request for request, _ in answers])
            try:
                await publish(outbox, self._outlet, Turn(self._stopwatch_s), halted=bool(self.halted))
                if written is not None and not self.halted:
                    times.told_s = self._stopwatch_s()
                    times.settles = outbox.news is not None and SETTLED in outbox.news.happened
                    self._timed(times)
            except Exception as error:  # a mistake of ours in a listener: better no table than a silent one
                _log.exception("table %s", self.state.config.id)
                self.halt(program_error(error))
                for reply in outbox.take_replies():  # staff wait for theirs, and are not left waiting
                    reply(NOT_KNOWN)
            self._outboxes.task_done()

    def _drop(self, written: Awaitable[int] | None, outbox: Outbox) -> None:
        """Nobody is told of this any more, whatever comes of it. A terminal asks again once it is connected again, but
        staff wait for their answers."""
        if written is not None:
            asyncio.ensure_future(written).add_done_callback(_notice)
        for reply in outbox.take_replies():
            reply(NOT_KNOWN)

    def halt(self, why: Said) -> None:
        """What was decided could not be made durable: memory is ahead of the journal, so nothing more is decided."""
        if not self.halted:
            self.halted = why
            self._outlet.halted(why)
        self._recorder.entries.clear()
        if self._holds:
            self._holds.let_go_all()
        self._errands.clear()  # whoever waits for one is told below; left here, they would keep it awake for ever
        for behind in self._fetching.values():
            self._refuse_all(behind)
        self._refuse_all(self._waiting)
        self._wake.set()

    def _refuse_all(self, waiting: deque[QueuedCommand]) -> None:
        """Nobody knows: a copy of what waits here may have been carried out before."""
        while waiting:
            asked = waiting.popleft()
            if asked.who.seat is not None and not callable(asked.what):
                self._outstanding[asked.who.seat].discard(asked.what.request)
            if asked.reply:
                asked.reply(NOT_KNOWN)
            elif not callable(asked.what):
                self._answer_terminal(asked.who, asked.what.request, NOT_KNOWN)
        for seen in self._seeing if self.halted or self._ended else ():  # or what is asked of the table still comes
            if not seen.done():
                seen.set_exception(StoreFailed(self._stopped()))

    def _answer_terminal(self, who: Who, request: str, answer: Answer) -> None:
        if who.seat is not None:
            self._outlet.answered(who.seat, [(request, answer)], None)

    def _stopped(self) -> Said:
        return say("The table has stopped: {why}", why=self.halted or say("the program ends"))


def _notice(done: "asyncio.Future[int]") -> None:
    if not done.cancelled():
        done.exception()


def program_error(error: BaseException) -> Said:
    """Why a table halts by a mistake of ours."""
    return say("a program error, {error}", error=repr(error))

"""Deciding and recording: a command becomes events, and each event changes the state and becomes an entry to write."""

from collections import Counter
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
from natural9.journal.labels import label_of
from natural9.journal.line import BY_PROGRAM, Origin, encode_line
from natural9.store.contract import Entry
from natural9.table.commands import staff, terminal
from natural9.table.commands.betting import stakes_asked_for
from natural9.table.commands.cage import Vouchers
from natural9.table.commands.console import Chance
from natural9.table.commands.decide import THE_TABLE, Facts, Who, decide
from natural9.table.commands.orders import Order, content, tag_of
from natural9.table.commands.pit import the_files_limits
from natural9.table.commands.refusals import TableCode
from natural9.table.commands.voucher_door import VoucherDoor
from natural9.table.live.answers import Accepted, Answer, Answers
from natural9.table.shoes.shoebox import Shoebox
from natural9.table.shoes.shuffler import RandomnessFailed
from natural9.table.state.evolve import evolve
from natural9.table.state.postings import transfers
from natural9.table.state.snapshot import take
from natural9.table.state.state import TableState
from natural9.table.venue.venue import ShoeSource, Venue

MOST_LATE: Final = 32  # late bets of a seat that one round tells of: a terminal cannot fill the journal with them
_LATE: Final = frozenset({Code.NO_MORE_BETS, Code.INSURANCE_CLOSED, TableCode.OTHER_ROUND})


class Recorder:
    """The state of a table and what is to be written about it. `entries`, `happened` and `seats` gather until taken."""

    def __init__(
        self, state: TableState, *, venue: Venue, vouchers: Vouchers, shoebox: Shoebox, answers: Answers
    ) -> None:
        self.state = state
        self.entries: list[Entry] = []
        self.is_loud = False  # something happened that everybody is told of at once
        self.happened: list[str] = []  # tags, for whoever is told
        self.seats: set[int] = set()  # whose own view has changed
        self.earlier: RoundState | None = None  # the round before this one that the next order is about
        self.play_ms = 0  # now, by the play clock; `at_ms` is the time of entries
        self._late: tuple[int, Counter[int]] = (0, Counter())  # of the round: how many late bets of each seat were told
        self._owing: set[int] = set()  # seats that have just been left with a debt
        self._venue, self._vouchers, self._shoebox, self._answers = venue, vouchers, shoebox, answers
        self._door = VoucherDoor[int]()
        self._stream = f"table/{state.config.id}"
        self._plain_facts = Facts(0)
        self._day = (-1, "")  # the gaming day at a time: a whole batch happens at one

    def answer(self, asked: terminal.Tap | Order, who: Who, at_ms: int) -> Answer:
        """The same request gets the same answer; a new one is decided."""
        written = content(asked)
        kept = self._answers.of(who.sender)
        answer = kept.earlier(asked.request, written)
        if answer is None:
            answer = self._decide(asked, who, written, at_ms)
            kept.keep(asked.request, written, answer)
        return answer

    def by_itself(self, command: round_commands.Command, at_ms: int) -> Answer:
        """What nobody has to ask for."""
        return self._decide(Order("", command), THE_TABLE, None, at_ms)

    def by_the_system(self, event: Event, at_ms: int) -> None:
        self._record(event, BY_PROGRAM, at_ms)

    def date(self, at_ms: int) -> None:
        """What was recorded between two batches waits for the next: it is dated when it is written, so that the
        journal's times never go back."""
        if self.entries:
            day = self._venue.gaming_day(at_ms)
            self.entries = [entry._replace(at_ms=at_ms, day=day) for entry in self.entries]

    # Coming and going.

    def come_back(self, at_ms: int, seen_ms: int) -> None:
        """A round that was cut off goes on, is decided by the clause on interruptions, or waits until somebody has
        looked at its cards (interpretations short-interruption, felt-decides). `seen_ms`: when it was last at work, by
        the play clock; 0 if nobody knows."""
        state = self.state
        if state.held:
            self._record(table_events.TableContinued(round=state.round.number), BY_PROGRAM, at_ms)
        elif state.in_play:
            away_ms = self.play_ms - seen_ms if seen_ms else 0
            real_cards = state.config.shoe is not ShoeSource.SHUFFLER
            intact = real_cards or self._shoebox.in_use(state) is not None
            brief = intact and seen_ms > 0 and away_ms <= self._venue.short_interruption_ms
            note = round_commands.NoteInterruption(away_ms=away_ms, brief=brief, real_cards=real_cards)
            self.by_itself(note, at_ms)
        if not state.has_a_shoe:  # with one, the venue file's limits wait for the next
            for changed in the_files_limits(state):
                self._record(changed, BY_PROGRAM, at_ms)
        state.since_ms = self.play_ms

    # Deciding.

    def _decide(self, asked: terminal.Tap | Order, who: Who, written: bytes | None, at_ms: int) -> Answer:
        try:
            facts = self._facts(asked, who, at_ms)
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
            self._shoebox.forget(fresh)
        origin = who.origin(asked.request, tag_of(asked))
        if isinstance(decided, Refusal):
            if isinstance(asked, terminal.BetTap) and decided.code in _LATE and who.seat is not None:
                for wager, cents in stakes_asked_for(self.state, who.seat, asked):
                    if self._tells_of_late_bet(who.seat):
                        late = table_events.LateBetRefused(
                            seat=who.seat, wager=wager, cents=cents, for_round=asked.round
                        )
                        self._record(late, origin, at_ms)
            is_wrong_code = isinstance(asked, terminal.InsertVoucher) and decided.code == TableCode.NO_SUCH_VOUCHER
            if is_wrong_code and who.seat is not None and (times := self._door.wrong(who.seat, self.play_ms)):
                self._record(table_events.WrongVoucherCodes(seat=who.seat, times=times), origin, at_ms)
            return decided
        for event in decided:
            self._record(event, origin, at_ms, command=written)
            written = None
        if not isinstance(asked, terminal.BetTap):
            self._note_debts(at_ms)
        return Accepted(self._vouchers.printed(decided[0])) if isinstance(asked, terminal.CashOut) else _ACCEPTED

    def _tells_of_late_bet(self, seat: int) -> bool:
        if self._late[0] != self.state.round.number:
            self._late = (self.state.round.number, Counter())
        self._late[1][seat] += 1
        return self._late[1][seat] <= MOST_LATE

    def _facts(self, asked: terminal.Tap | Order, who: Who, at_ms: int) -> Facts:
        if isinstance(asked, terminal.Bet):  # by far the most there are, and they depend on nothing outside
            if self._plain_facts.at_ms != at_ms:
                self._plain_facts = Facts(at_ms, self._venue.voucher_days)
            return self._plain_facts
        voucher = None
        chance = _NO_CHANCE
        match asked.command if isinstance(asked, Order) else asked:
            case round_commands.DealCard():
                chance = Chance(in_use=self._shoebox.in_use(self.state))
            case round_commands.BurnCards():
                chance = Chance(waiting=self._shoebox.waiting(self.state))
            case staff.LoadNewShoe():
                fresh = self._shoebox.fresh() if self.state.config.shoe is ShoeSource.SHUFFLER else None
                chance = Chance(self._shoebox.in_use(self.state), self._shoebox.waiting(self.state), fresh)
            case terminal.InsertVoucher(number=number, code=code):
                waits = self._door.refusal(who.seat or 0, self.play_ms)
                voucher = waits or self._vouchers.find(number, code, at_ms=at_ms)
            case staff.VoidVoucher(number=number):
                voucher = self._vouchers.by_number(number, at_ms=at_ms, even_expired=True)
            case _:
                pass
        return Facts(at_ms, self._venue.voucher_days, chance, voucher, self.earlier)

    # Recording.

    def _record(self, event: Event, origin: Origin, at_ms: int, *, command: bytes | None = None) -> None:
        state = self.state
        moved = transfers(state, event)
        self._note_seats(event)
        evolve(state, event, moved, origin)
        if isinstance(event, OfRound) and not event.IS_QUIET:  # by a bet the round does not move: its timers go on
            state.since_ms = self.play_ms
        label, documents = "", _NO_DOCUMENTS
        if event.IS_IRREGULAR and any(transfer.kind == TransferKind.OWED for transfer in moved):
            self._owing.add(cast(int, seat_of(event)))
        if event.IS_FOUND_AGAIN:  # and only that may be kept beside the journal, too
            label, documents = label_of(state.table, event), self._documents(event, at_ms)
        if at_ms != self._day[0]:
            self._day = (at_ms, self._venue.gaming_day(at_ms))
        body = encode_line(event, origin, command)
        self.entries.append(Entry(self._stream, event.TAG, body, at_ms, self._day[1], label, moved, documents))
        self.happened.append(event.TAG)
        self.is_loud = self.is_loud or not event.IS_QUIET

    def _documents(self, event: Event, at_ms: int) -> tuple[tuple[str, bytes | None], ...]:
        """What is kept beside the journal and changes with this event."""
        self._vouchers.evolve(event, self.state.config.id, at_ms)
        documents = self._vouchers.document(event) + self._shoebox.document(event)
        if isinstance(event, round_events.BettingOpened):
            documents += ((self._stream, take(self.state)),)
        return documents

    def _note_debts(self, at_ms: int) -> None:
        owing, self._owing = sorted(self._owing), set()
        for seat in owing:
            if owed := self.state.terminal(seat).owed_cents:
                self._record(table_events.DebtLeft(seat=seat, cents=owed), BY_PROGRAM, at_ms)

    def _note_seats(self, event: Event) -> None:
        """Whose own view this event changes."""
        if event.TOUCHES_EVERY_SEAT:
            self.seats.update(seat for seat, _ in self.state.round.seats.items())
        elif (seat := getattr(event, "seat", None)) is not None:
            self.seats.add(seat)


_ACCEPTED: Final = Accepted()
_NO_CHANCE: Final = Chance()
_NO_DOCUMENTS: Final[tuple[tuple[str, bytes | None], ...]] = ()

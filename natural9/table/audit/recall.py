"""Recall: any round that was ever dealt, understood again from the journal (requirement 40)."""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple, cast

import msgspec

from natural9.core.cards import show_cards
from natural9.core.events import Event, SeenBy, paragraph_of, seat_of
from natural9.core.insurance import Window
from natural9.core.notation import split_hands
from natural9.core.outcome import Winner
from natural9.core.round import RoundState
from natural9.core.round import events as round_events
from natural9.core.round.events import OfRound, RoundEvent
from natural9.core.round.evolve import evolve
from natural9.core.round.state import BETWEEN_ROUNDS, Phase
from natural9.core.settlement import InsuranceLine, Line
from natural9.core.table_of_play import Hand, total
from natural9.journal import table_events
from natural9.journal.accounts import credit_account
from natural9.journal.line import JournalLine, read_line
from natural9.journal.sentence import Sentence
from natural9.store.contract import Store, Written
from natural9.table.audit.dealers import Dealers
from natural9.table.audit.history import PAGE, history_of, is_about, last_round, later_history_of

LABEL: Final = "RECALL"
MOST_ROUNDS: Final = 100
_NO_NAME: Final = Sentence.of("")
MOST_STEPS: Final = 10_000  # in one answer over HTTP
FEW: Final = 100  # accounts that are looked up one by one; for more, a day is read once


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that happened, as it was seen then."""

    entry: int
    number: int  # of the entry in the table's stream
    at_ms: int
    kind: str
    by: str  # a person's id, or what else did it
    by_said: Sentence  # the same as values
    rank: str  # that they acted in, if it was one of the pit
    says: str
    said: Sentence  # the same as values
    public: Sentence | None  # what everybody is told of it; None if it is not for everybody
    paragraph: str = ""
    seat: int | None = None
    cards: str = ""  # on the table after it, in dealt order
    player_cards: tuple[str, ...] = ()
    banker_cards: tuple[str, ...] = ()
    player_total: int | None = None
    banker_total: int | None = None
    winner: Winner | None = None  # of the result that stands after it
    phase: Phase = Phase.NO_ROUND
    bets: dict[str, int] | None = None  # where it is about a seat: what lies there after it
    correction: bool = False


class InsuranceTaken(msgspec.Struct, frozen=True):
    window: Window
    hand: Hand
    cents: int


class SeatRecalled(msgspec.Struct, frozen=True, kw_only=True):
    """One seat in the round. Credit is as it stood when betting opened, and when the next round's did (or now)."""

    seat: int
    credit_before_cents: int
    credit_after_cents: int
    bets: dict[str, int]
    insurance: tuple[InsuranceTaken, ...]
    lines: tuple[Line, ...]
    insurance_lines: tuple[InsuranceLine, ...]
    staked_cents: int
    returned_cents: int
    void_returned_cents: int
    bought_cents: int  # credit at the desk, and vouchers inserted
    cashed_out_cents: int  # vouchers issued, and paid by hand


class Recalled(msgspec.Struct, frozen=True, kw_only=True):
    label: str = LABEL
    table: str
    round: int
    shoe: int  # that it was dealt from
    game: str
    rules_sha256: str
    day: str
    opened_at_ms: int
    status: Phase
    cards: str
    player_cards: str
    banker_cards: str
    winner: Winner | None
    player_total: int | None
    banker_total: int | None
    staked_cents: int
    returned_cents: int
    void_why: Sentence | None
    dealers: tuple[str, ...]  # in order; nobody for a table that deals by itself
    frozen: tuple[str, ...]  # disputes before the next round opened; later ones are among the significant events
    first_entry: int
    last_entry: int
    last_hash: str
    steps: tuple[Step, ...]
    first_step: int = 0  # how many of the round's steps come before these
    all_steps: int  # of the round, as far as whoever asks may see them
    seats: tuple[SeatRecalled, ...]


class RoundSummary(msgspec.Struct, frozen=True, kw_only=True):
    label: str = LABEL
    table: str
    round: int
    shoe: int
    day: str
    opened_at_ms: int
    status: Phase
    cards: str
    winner: Winner | None
    player_total: int | None
    banker_total: int | None
    staked_cents: int
    returned_cents: int


async def recall(store: Store, table: str, number: int, *, only_seat: int | None = None) -> Recalled:
    """The round, with every seat's credit before and after, or only one's."""
    history = await history_of(store, table, number)
    return await _told(store, table, history, await later_history_of(store, table, number), only_seat)


async def tables(store: Store) -> dict[str, int]:
    """Every table that has dealt, with the number of its last round."""
    names = [key.partition("/")[2] for key in await store.documents("table/")]
    return {table: await last_round(store, table) for table in names}


async def last_rounds(
    store: Store, table: str, count: int, *, before: int | None = None, seen_by: "Viewer | None" = None
) -> list[RoundSummary]:
    """The last rounds, newest first; `before` goes further back. To a viewer, only what they may see."""
    newest = await last_round(store, table)
    if before is not None:
        newest = min(newest, before - 1)
    oldest = max(newest - min(count, MOST_ROUNDS), 0)
    found = []
    for number in range(newest, oldest, -1):
        history, later = await history_of(store, table, number), await later_history_of(store, table, number)
        told = await _told(store, table, history, later, seen_by.seat or 0 if seen_by else 0)
        told = as_a_seat_sees(told, seen_by.seat) if seen_by else told
        found.append(RoundSummary(**{name: getattr(told, name) for name in RoundSummary.__struct_fields__}))
    return found


class Viewer(NamedTuple):
    """A terminal at its seat, or a display without one."""

    seat: int | None


class _Story:
    """The round as its entries tell it, one after the other."""

    def __init__(self, opened: round_events.BettingOpened) -> None:
        self.opened = opened
        self.state = RoundState()
        self.seats: dict[int, _Seat] = {}
        self.steps: list[Step] = []
        self.dealers = Dealers()
        self.frozen: list[str] = []
        self.void_why = ""
        self.changes: Counter[str] = Counter()  # of each account

    def note(self, written: Written) -> None:
        for transfer in written.transfers:
            self.changes[transfer.target] += transfer.cents
            self.changes[transfer.source] -= transfer.cents
        self.note_later(written)

    def note_later(self, written: Written) -> None:
        """Done when the credit before and after the round was long counted."""
        line = read_line(written)
        event = line.event
        if isinstance(event, table_events.RequestRefused):  # nothing came of it
            return
        if isinstance(event, OfRound) and is_about(event, self.opened.round):
            self.state = evolve(self.state, cast(RoundEvent, event))
        self.dealers.note(line, in_play=self.state.phase not in BETWEEN_ROUNDS)
        if isinstance(event, round_events.RoundVoided):
            self.void_why = event.reason
        if isinstance(event, table_events.RoundFrozen) and event.round == self.opened.round:
            self.frozen.append(event.why)
        seat = seat_of(event) if is_about(event, self.opened.round) else None
        if seat is not None:
            self.seats.setdefault(seat, _Seat()).note(event, self.state)
        self.steps.append(_step(written, line, self.state))


async def _told(
    store: Store, table: str, history: Sequence[Written], later: Sequence[Written], only_seat: int | None
) -> Recalled:
    first, last = history[0], history[-1]
    opened = read_line(first).event
    assert isinstance(opened, round_events.BettingOpened), "its label says that a round opens here"
    story = _Story(opened)
    for written in history:
        story.note(written)
    for written in later:
        story.note_later(written)
    state = story.state
    outcome = state.outcome if state.declared else None
    player, banker = split_hands(state.cards)
    return Recalled(
        table=table,
        round=opened.round,
        shoe=opened.shoe,
        game=opened.game,
        rules_sha256=opened.rules_sha256,
        day=first.day,
        opened_at_ms=first.at_ms,
        status=state.phase,
        cards=show_cards(state.cards),
        player_cards=show_cards(player),
        banker_cards=show_cards(banker),
        winner=outcome.winner if outcome else None,
        player_total=outcome.player_total if outcome else None,
        banker_total=outcome.banker_total if outcome else None,
        staked_cents=sum(one.staked for one in story.seats.values()),
        returned_cents=sum(one.returned + one.void_returned for one in story.seats.values()),
        void_why=Sentence.of(story.void_why) if story.void_why else None,
        dealers=story.dealers.names,
        frozen=tuple(story.frozen),
        first_entry=first.seq,
        last_entry=last.seq,
        last_hash=last.hash.hex(),
        steps=tuple(story.steps),
        all_steps=len(story.steps),
        seats=await _seats(store, table, story, last, only_seat),
    )


async def _seats(
    store: Store, table: str, story: _Story, last: Written, only_seat: int | None
) -> tuple[SeatRecalled, ...]:
    chosen = {seat: credit_account(table, seat) for seat in sorted(story.seats) if only_seat in (None, seat)}
    credit = await credits_at(store, chosen.values(), await store.transfers_through(last.seq), last.day)
    return tuple(
        _seat(seat, story.seats[seat], before=credit[account] - story.changes[account], after=credit[account])
        for seat, account in chosen.items()
    )


def _step(written: Written, line: JournalLine, state: RoundState) -> Step:
    event = line.event
    said, who = event.describe(), line.origin.words
    seat = seat_of(event)
    player, banker = split_hands(state.cards)
    outcome = state.outcome if state.declared and state.phase is not Phase.VOID else None
    return Step(
        entry=written.seq,
        number=written.number,
        at_ms=written.at_ms,
        kind=event.TAG,
        by=str(who),
        by_said=Sentence.of(who),
        rank=line.origin.rank,
        says=str(said),
        said=Sentence.of(said),
        public=Sentence.of(event.describe_publicly()) if event.SEEN_BY is SeenBy.ALL else None,
        paragraph=paragraph_of(event),
        seat=seat,
        cards=show_cards(state.cards),
        player_cards=tuple([str(card) for card in player]),
        banker_cards=tuple([str(card) for card in banker]),
        player_total=total([card.rank for card in player]) if player else None,
        banker_total=total([card.rank for card in banker]) if banker else None,
        winner=outcome.winner if outcome else None,
        phase=state.phase,
        bets=dict(state.seats[seat].bets) if seat is not None else None,
        correction=event.IS_IRREGULAR,
    )


class _Seat:
    """What one seat had in the round, by and by; of two settlements the second counts."""

    def __init__(self) -> None:
        self.bets: dict[str, int] = {}
        self.insurance: tuple[InsuranceTaken, ...] = ()
        self.settled: round_events.SeatSettled | None = None
        self.staked = self.returned = self.void_returned = self.bought = self.cashed_out = 0

    def note(self, event: Event, state: RoundState) -> None:
        match event:
            case round_events.BetsReturned():
                self.void_returned, self.settled, self.returned = event.cents, None, 0
            case round_events.SeatSettled():
                self.settled, self.returned = event, event.returned_cents
            case round_events.SettlementReversed():
                self.settled, self.returned = None, 0
            case round_events.EarlierSeatSettled() if event.round == state.number:
                self.settled = round_events.SeatSettled(
                    seat=event.seat,
                    lines=event.lines,
                    insurance=event.insurance,
                    staked_cents=event.staked_cents,
                    returned_cents=event.returned_cents,
                )
                self.returned = event.returned_cents
            case round_events.BetRuled() if event.round == state.number:
                self.returned += event.returned_cents - event.was_cents
            case table_events.CreditBought() | table_events.VoucherInserted() | table_events.VoucherVoided():
                self.bought += event.cents
            case table_events.VoucherIssued() | table_events.HandPaid():
                self.cashed_out += event.cents
            case (
                round_events.BetPlaced()
                | round_events.BetTakenBack()
                | round_events.BetsCleared()
                | round_events.BetVoided()
                | round_events.BetRestored()
                | round_events.InsurancePlaced()
                | round_events.InsuranceReturned()
            ):
                now = state.seats[event.seat]
                self.bets, self.staked = dict(now.bets), now.staked_cents
                self.insurance = tuple(InsuranceTaken(*bet) for bet in now.insurance)
            case _:
                pass


def _seat(seat: int, told: _Seat, *, before: int, after: int) -> SeatRecalled:
    return SeatRecalled(
        seat=seat,
        credit_before_cents=before,
        credit_after_cents=after,
        bets=told.bets,
        insurance=told.insurance,
        lines=told.settled.lines if told.settled else (),
        insurance_lines=told.settled.insurance if told.settled else (),
        staked_cents=told.staked,
        returned_cents=told.returned,
        void_returned_cents=told.void_returned,
        bought_cents=told.bought,
        cashed_out_cents=told.cashed_out,
    )


async def credits_at(store: Store, accounts: Collection[str], transfer: int, day: str) -> dict[str, int]:
    """What each account of one table held once this transfer was made: exact, at a cost of one gaming day at most.

    It is what the meters of that day and all before it make, less what came later on the same day. A live table may
    move money in between: then a later transfer shows itself, and both are read again.
    """
    if len(accounts) > FEW:
        return await _credits_at(store, accounts, None, transfer, day)
    found: dict[str, int] = {}
    for account in accounts:
        found |= await _credits_at(store, [account], account, transfer, day)
    return found


async def _credits_at(
    store: Store, accounts: Collection[str], only: str | None, transfer: int, day: str
) -> dict[str, int]:
    later: Counter[str] = Counter()
    last = await _count_later(store, only, transfer, day, later)
    prefix = only or next(iter(accounts)).rpartition("-")[0]  # all are of one table
    while True:
        held: Counter[str] = Counter()
        for meter in await store.meters(prefix, last_day=day):
            held[meter.account] += meter.in_cents - meter.out_cents
        before = {account: later[account] for account in accounts}
        last = await _count_later(store, only, last, day, later)
        if all(later[account] == before[account] for account in accounts):
            return {account: held[account] - later[account] for account in accounts}


async def _count_later(store: Store, only: str | None, after: int, day: str, changes: Counter[str]) -> int:
    """Add up what was moved after this transfer on the same day; the number of the last of it."""
    while page := await store.transfers(account=only, after=after, limit=PAGE):
        for one in page:
            if one.day > day:
                return after
            changes[one.transfer.target] += one.transfer.cents
            changes[one.transfer.source] -= one.transfer.cents
            after = one.number
    return after


def _publicly(step: Step) -> Step:
    said = step.public or step.said
    return msgspec.structs.replace(step, by="", by_said=_NO_NAME, says=str(said.said), said=said)


def as_a_seat_sees(recalled: Recalled, seat: int | None) -> Recalled:
    """The public part of a round, and of the rest only this seat's own: no other seat's bets or money, no sum over all
    seats, and nobody's name. With no seat, as a display shows it, the public part alone."""
    steps = tuple(
        _publicly(step) for step in recalled.steps if step.public or (step.seat is not None and step.seat == seat)
    )
    own = tuple(one for one in recalled.seats if one.seat == seat)
    return msgspec.structs.replace(
        recalled,
        steps=steps,
        all_steps=len(steps),
        seats=own,
        staked_cents=sum(one.staked_cents for one in own),
        returned_cents=sum(one.returned_cents + one.void_returned_cents for one in own),
        dealers=(),
        frozen=(),
    )


def page_of(recalled: Recalled, first: int, most: int = MOST_STEPS) -> Recalled:
    """The round with so many of its steps; where it goes on is after the last of them."""
    return msgspec.structs.replace(recalled, steps=recalled.steps[first : first + most], first_step=first)

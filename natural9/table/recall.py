"""Recall: any round that was ever dealt, understood again from the journal (requirement 40)."""

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from natural9.core.cards import show_cards
from natural9.core.errors import BadInput
from natural9.core.insurance import Window
from natural9.core.notation import split_hands
from natural9.core.outcome import Winner
from natural9.core.round import RoundState
from natural9.core.round import events as e
from natural9.core.round.evolve import evolve
from natural9.core.round.state import Phase
from natural9.core.settlement import InsuranceLine, Line
from natural9.core.shoe import CARDS_IN_A_DECK, Shoe
from natural9.core.table_of_play import Hand
from natural9.store.contract import Store, Written
from natural9.table import events as t
from natural9.table.accounts import credit_account
from natural9.table.derive import stand_in
from natural9.table.journal import Read, read
from natural9.table.labels import round_label
from natural9.table.telling import paragraph_of, tell

PAGE: Final = 5000
LABEL: Final = "RECALL"
MOST_ROUNDS: Final = 100
# What a shoe holds is no part of one round's history, so any card may come.
BOTTOMLESS: Final = Shoe(10**6, (10**6,) * CARDS_IN_A_DECK)
_CORRECTIONS: Final = frozenset(
    shape.TAG
    for shape in (
        e.IrregularityReported,
        e.IrregularityDecided,
        e.CardsReconstructed,
        e.CardsPutInOrder,
        e.CardsCorrected,
        e.ShoeReplaced,
        e.InsuranceReturned,
        e.SettlementReversed,
        e.RoundVoided,
        t.DebtLeft,
        t.FaultRaised,
        t.FaultCleared,
    )
)


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that happened, as it was seen then."""

    entry: int
    at_ms: int
    kind: str
    by: str
    says: str
    paragraph: str = ""
    seat: int | None = None
    cards: str = ""  # on the table after it, in dealt order
    correction: bool = False


class InsuranceTaken(msgspec.Struct, frozen=True):
    window: Window
    hand: Hand
    stake: int


class SeatRecalled(msgspec.Struct, frozen=True, kw_only=True):
    """One seat in the round. Credit is as it stood when betting opened, and when the next round's did (or now)."""

    seat: int
    credit_before: int
    credit_after: int
    bets: dict[str, int]
    insurance: tuple[InsuranceTaken, ...]
    lines: tuple[Line, ...]
    insurance_lines: tuple[InsuranceLine, ...]
    staked: int
    returned: int
    void_returned: int
    bought: int  # credit at the desk, and vouchers inserted
    cashed_out: int  # vouchers issued, and paid by hand


class Recalled(msgspec.Struct, frozen=True, kw_only=True):
    label: str = LABEL
    table: str
    round: int
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
    staked: int
    returned: int
    void_why: str
    frozen: tuple[str, ...]  # disputes: why its history is kept
    first_entry: int
    last_entry: int
    last_hash: str
    steps: tuple[Step, ...]
    seats: tuple[SeatRecalled, ...]


class RoundSummary(msgspec.Struct, frozen=True, kw_only=True):
    label: str = LABEL
    table: str
    round: int
    day: str
    opened_at_ms: int
    status: Phase
    cards: str
    winner: Winner | None
    player_total: int | None
    banker_total: int | None
    staked: int
    returned: int


async def recall(store: Store, table: str, number: int, *, only_seat: int | None = None) -> Recalled:
    """The round, with every seat's credit before and after, or only one's."""
    history = await history_of(store, table, number)
    return await _told(store, table, history, only_seat)


async def history_of(store: Store, table: str, number: int) -> list[Written]:
    """Every entry of the table from the opening of this round to before that of the next."""
    opened = await store.labelled(round_label(table, number), limit=1)
    if not opened:
        last = await last_round(store, table)
        known = f"the last one is {last}" if last else "none was ever dealt there"
        raise BadInput("no-such-round", f"table {table!r} has no round {number}: {known}")
    history = [opened[0]]
    while page := await store.entries(after=history[-1].seq, stream=f"table/{table}", limit=PAGE):
        for written in page:
            if written.kind == e.BettingOpened.TAG:
                return history
            history.append(written)
    return history


async def last_round(store: Store, table: str) -> int:
    """The number of the last round that was opened, 0 before the first."""
    stored = await store.document(f"table/{table}")
    return msgspec.json.decode(stored, type=_Snapshot).number if stored else 0


class _Snapshot(msgspec.Struct):
    number: int


async def tables(store: Store) -> dict[str, int]:
    """Every table that has dealt, with the number of its last round."""
    stored = await store.documents("table/")
    return {
        key.partition("/")[2]: msgspec.json.decode(snapshot, type=_Snapshot).number for key, snapshot in stored.items()
    }


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
        told = await _told(store, table, await history_of(store, table, number), seen_by.seat or 0 if seen_by else 0)
        told = as_a_seat_sees(told, seen_by.seat) if seen_by else told
        found.append(RoundSummary(**{name: getattr(told, name) for name in RoundSummary.__struct_fields__}))
    return found


class Viewer(NamedTuple):
    """A terminal at its seat, or a display without one."""

    seat: int | None


async def _told(store: Store, table: str, history: Sequence[Written], only_seat: int | None) -> Recalled:
    opened = read(history[0]).event
    assert isinstance(opened, e.BettingOpened), "its label says that a round opens here"
    state = RoundState(game=stand_in(opened.game, opened.limits), shoe=BOTTOMLESS)
    seats: dict[int, _Seat] = {}
    steps, frozen, void_why = [], list[str](), ""
    changes: Counter[str] = Counter()
    for written in history:
        for transfer in written.transfers:
            changes[transfer.target] += transfer.cents
            changes[transfer.source] -= transfer.cents
        line = read(written)
        event = line.event
        if type(event) in OF_THE_ROUND:
            state = evolve(state, event)
        if isinstance(event, e.RoundVoided):
            void_why = event.why
        if isinstance(event, t.RoundFrozen) and event.round == opened.round:
            frozen.append(event.why)
        seat = getattr(event, "seat", None)
        if seat is not None:
            seats.setdefault(seat, _Seat()).note(event, state)
        steps.append(_step(written, line, state))
    chosen = sorted(seat for seat in seats if only_seat in (None, seat))
    outcome = state.outcome if state.declared else None
    player, banker = split_hands(state.cards)
    return Recalled(
        table=table,
        round=opened.round,
        game=opened.game,
        rules_sha256=opened.rules_sha256,
        day=history[0].day,
        opened_at_ms=history[0].at_ms,
        status=state.phase,
        cards=show_cards(state.cards),
        player_cards=show_cards(player),
        banker_cards=show_cards(banker),
        winner=outcome.winner if outcome else None,
        player_total=outcome.player_total if outcome else None,
        banker_total=outcome.banker_total if outcome else None,
        staked=sum(one.staked for one in seats.values()),
        returned=sum(one.returned + one.void_returned for one in seats.values()),
        void_why=void_why,
        frozen=tuple(frozen),
        first_entry=history[0].seq,
        last_entry=history[-1].seq,
        last_hash=history[-1].hash.hex(),
        steps=tuple(steps),
        seats=tuple([await _seat(store, table, seat, seats[seat], history, changes) for seat in chosen]),
    )


def _step(written: Written, line: Read, state: RoundState) -> Step:
    event = line.event
    return Step(
        entry=written.seq,
        at_ms=written.at_ms,
        kind=event.TAG,
        by=line.origin.by,
        says=tell(event),
        paragraph=paragraph_of(event),
        seat=getattr(event, "seat", None),
        cards=show_cards(state.cards),
        correction=event.TAG in _CORRECTIONS,
    )


class _Seat:
    """What one seat had in the round, by and by; of two settlements the second counts."""

    def __init__(self) -> None:
        self.bets: dict[str, int] = {}
        self.insurance: tuple[InsuranceTaken, ...] = ()
        self.settled: e.SeatSettled | None = None
        self.staked = self.returned = self.void_returned = self.bought = self.cashed_out = 0

    def note(self, event: e.Event, state: RoundState) -> None:
        match event:
            case e.BetsReturned():
                self.void_returned, self.settled, self.returned = event.returned, None, 0
            case e.SeatSettled():
                self.settled, self.returned = event, event.returned
            case e.SettlementReversed():
                self.settled, self.returned = None, 0
            case t.CreditBought() | t.VoucherInserted() | t.VoucherVoided():
                self.bought += event.cents
            case t.VoucherIssued() | t.HandPaid():
                self.cashed_out += event.cents
            case (
                e.BetPlaced() | e.BetIncreased() | e.BetTakenBack() | e.BetsCleared() | e.InsurancePlaced()
                | e.InsuranceReturned()
            ):  # fmt: skip
                now = state.seats[event.seat]
                self.bets, self.staked = dict(now.bets), now.staked
                self.insurance = tuple(InsuranceTaken(*bet) for bet in now.insurance)
            case _:
                pass


async def _seat(
    store: Store, table: str, seat: int, told: _Seat, history: Sequence[Written], changes: Counter[str]
) -> SeatRecalled:
    account = credit_account(table, seat)
    last = history[-1].first_transfer + len(history[-1].transfers) - 1
    after = await credit_at(store, account, last, history[-1].day)
    return SeatRecalled(
        seat=seat,
        credit_before=after - changes[account],
        credit_after=after,
        bets=told.bets,
        insurance=told.insurance,
        lines=told.settled.lines if told.settled else (),
        insurance_lines=told.settled.insurance if told.settled else (),
        staked=told.staked,
        returned=told.returned,
        void_returned=told.void_returned,
        bought=told.bought,
        cashed_out=told.cashed_out,
    )


async def credit_at(store: Store, account: str, transfer: int, day: str) -> int:
    """What the account held once this transfer, of this gaming day, was made: exact, and at a cost that does not grow
    with the history.

    It is what the meters of that day and all before it make, less what came later on the same day. A live table may
    move money in between: then a later transfer shows itself, and both are read again.
    """
    while True:
        later, last = await _later_that_day(store, account, transfer, day)
        meters = await store.meters(account, last_day=day)
        held = sum(one.in_cents - one.out_cents for one in meters if one.account == account)
        again, _ = await _later_that_day(store, account, last, day)
        if not again:
            change = sum(cents if target == account else -cents for target, cents in later)
            return held - change


async def _later_that_day(store: Store, account: str, after: int, day: str) -> tuple[list[tuple[str, int]], int]:
    found: list[tuple[str, int]] = []
    while page := await store.transfers(account=account, after=after, limit=PAGE):
        for one in page:
            if one.day > day:
                return found, after
            found.append((one.transfer.target, one.transfer.cents))
            after = one.number
    return found, after


OF_THE_ROUND: Final = frozenset(shape for shape in e.EVENTS.values() if shape.__module__ == e.__name__)


def as_a_seat_sees(recalled: Recalled, seat: int | None) -> Recalled:
    """The public part of a round, and of the rest only this seat's own: no other seat's bets or money, no sum over all
    seats, and nobody's name. With no seat, as a display shows it, the public part alone."""
    steps = tuple(
        msgspec.structs.replace(step, by="", says=_public_words(recalled, step))
        for step in recalled.steps
        if step.kind in PUBLIC_STEPS or (step.seat is not None and step.seat == seat)
    )
    own = tuple(one for one in recalled.seats if one.seat == seat)
    return msgspec.structs.replace(
        recalled,
        steps=steps,
        seats=own,
        staked=sum(one.staked for one in own),
        returned=sum(one.returned + one.void_returned for one in own),
        frozen=(),
    )


def _public_words(recalled: Recalled, step: Step) -> str:
    """Sums over all seats are the house's, and what staff wrote to each other stays theirs; why a round is void is
    told to everybody."""
    match step.kind:
        case e.BettingClosed.TAG:
            return "No more bets"
        case e.RoundSettled.TAG:
            return "Round settled"
        case e.RoundVoided.TAG:
            return f"Round void: {recalled.void_why}"
        case e.CardsCorrected.TAG:
            return f"Cards put right: {step.cards}"
        case _:
            return step.says


# What everybody at the table has seen anyway.
PUBLIC_STEPS: Final = frozenset(
    shape.TAG
    for shape in (
        e.BettingOpened,
        e.BettingClosed,
        e.CardDealt,
        e.CutCardAppeared,
        e.InsuranceOpened,
        e.InsuranceClosed,
        e.InsuranceWaived,
        e.ResultDeclared,
        e.RoundSettled,
        e.RoundVoided,
        e.CardsReconstructed,
        e.CardsPutInOrder,
        e.CardsCorrected,
        e.ShoeReplaced,
        t.ShoeCommitted,
        t.ShoeRevealed,
    )
)

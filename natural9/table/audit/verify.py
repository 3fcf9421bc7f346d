"""Verify a journal, trusting nobody: each entry must follow from those before it and from the rule packs.

The store's audit walks the chain, the money, and every document and index beside them; here every table is folded
again from nothing, and for each entry it is asked what it should have said: every bet, card, settlement line, void,
transfer and revealed shoe. The first entry that says something else is named. Nothing but the journal and the rule
packs is needed.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Final, get_args

import msgspec
from msgspec.structs import replace

from natural9.core.errors import BadInput
from natural9.core.events import Event
from natural9.core.game import Game
from natural9.core.money import MAX_CENTS, show_cents
from natural9.core.round import RoundState
from natural9.core.round import events as round_events
from natural9.core.round.events import OfRound
from natural9.core.round.loading import is_spent
from natural9.core.round.state import BETWEEN_ROUNDS
from natural9.core.staff import Rank
from natural9.journal import session_events, table_events, venue_events
from natural9.journal.accounts import terminal_id
from natural9.journal.card_events import PlayCounted
from natural9.journal.labels import label_of, request_key
from natural9.journal.line import JournalLine, Origin, read_body
from natural9.journal.visit_events import OfVisit
from natural9.store.audit import Walk
from natural9.store.contract import Corrupt, Store, Written
from natural9.table.audit.checkpoint_audit import NotedCheckpoint, audit_checkpoints
from natural9.table.audit.dealers import wrong_shift
from natural9.table.audit.derive import LONGEST_QUOTE, Decision, quote
from natural9.table.audit.drawer_audit import DrawerAudit
from natural9.table.audit.history import earlier_counted, earlier_round
from natural9.table.audit.player_audit import ACCOUNT_TAGS, PlayerAudit, time_goes_back
from natural9.table.audit.session_audit import wrong_session
from natural9.table.audit.shoe_audit import DrawnCards
from natural9.table.audit.visit_audit import VisitAudit
from natural9.table.commands.cage import Voucher
from natural9.table.commands.orders import is_bet
from natural9.table.commands.visiting import TRANSIT
from natural9.table.live.cards_in_play import PLAY
from natural9.table.state.drawers import DRAWER
from natural9.table.state.evolve import another_game, evolve
from natural9.table.state.player_cards import CountedRound, play_counted
from natural9.table.state.postings import transfers, voucher_paid
from natural9.table.state.state import TableState

LoadGame = Callable[[str], Game]

_ABOUT_EARLIER: Final = (round_events.RoundTakenUp.TAG, round_events.IrregularityDecided.TAG)
# What does not happen while the table has a fault.
_PLAY: Final = (
    round_events.BettingOpened,
    round_events.BettingClosed,
    round_events.CardDealt,
    round_events.InsuranceOpened,
    round_events.InsuranceClosed,
    round_events.ResultDeclared,
    round_events.SeatSettled,
    round_events.RoundSettled,
)
_DRAWER_TAGS: Final = tuple(shape.TAG for shape in get_args(venue_events.DrawerEvent))
MOST_NAMED: Final = 20  # rounds that are named when their rules are missing


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """The first entry that does not follow; `entry` is 0 where it is no single one."""

    entry: int
    stream: str = ""
    round: int = 0
    kind: str = ""
    says: str
    should: str = ""

    @property
    def words(self) -> str:
        if not self.should:  # the store's own words, which name the entry
            return self.says
        where = f"entry {self.entry}" if self.entry else "the journal"
        place = ", ".join(filter(None, (self.stream, f"round {self.round}" if self.round else "", self.kind)))
        return f"{where}{f' ({place})' if place else ''} says: {self.says}; it should say: {self.should}"


class NotDerived(msgspec.Struct, frozen=True):
    """A round whose rules this program does not have: its money and chain are checked, its settlement is not."""

    table: str
    round: int
    why: str


class Verified(msgspec.Struct, kw_only=True):
    """What was checked, up to the first fault if there is one. `root` is over all entries: to note down for the next
    time, with their number."""

    entries: int = 0
    transfers: int = 0
    tables: int = 0
    rounds: int = 0
    bets: int = 0
    cards: int = 0
    seats_settled: int = 0
    shoes_revealed: int = 0
    vouchers_outstanding: int = 0
    balances: int = 0  # compared with what the entries make of them, and so are the next three
    meters: int = 0
    documents: int = 0
    index_rows: int = 0
    checkpoints: int = 0  # that were signed of it
    keys: tuple[str, ...] = ()  # that signed them, oldest first
    root: str = ""
    noted_size: int | None = None  # of the checkpoint that was noted earlier, which it goes on from
    not_derived: int = 0
    not_derived_first: list[NotDerived] = []
    fault: Fault | None = None


class DoesNotFollow(Exception):
    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.words)
        self.fault = fault


async def verify(store: Store, *, load_game: LoadGame, noted: NotedCheckpoint | None = None) -> Verified:
    """Walk the whole journal of a store that does not grow meanwhile: one that was opened read-only."""
    found = Verified()
    examiner = Examiner(load_game, found)
    walk = Walk(store)
    try:
        async for written in walk:
            examiner.examine(written, await examiner.earlier(store, written))
            await _check_asked_once(store, written)
            found.entries, found.transfers = written.seq, found.transfers + len(written.transfers)
        beside_players = await store.documents(PLAY)
        on_its_way = await store.documents(TRANSIT)
        examiner.finish(await store.documents("voucher/"), await store.documents(DRAWER), beside_players, on_its_way)
        if beside := walk.result:
            found.balances, found.meters = beside.accounts, beside.meters
            found.documents, found.index_rows = beside.documents, beside.index_rows
        signed = await audit_checkpoints(store, noted)
        found.checkpoints, found.keys, found.root = signed.checkpoints, signed.keys, signed.root
        found.noted_size = noted.size if noted else None
    except DoesNotFollow as error:
        found.fault = error.fault
    except Corrupt as error:
        found.fault = Fault(
            entry=0 if found.entries == (await store.head()).seq else found.entries + 1, says=str(error)
        )
    return found


class Examiner:
    """Every stream of one journal; it holds the open round of each table, and the vouchers that are out."""

    def __init__(self, load_game: LoadGame, found: Verified) -> None:
        self._rules = Rules(load_game, found)
        self._found = found
        self._tables: dict[str, Table] = {}
        self._vouchers: dict[str, Voucher] = {}
        self._drawers = DrawerAudit()
        self._visits = VisitAudit()
        self._players = PlayerAudit()
        self._last_ms: dict[str, int] = {}  # when the entry before was written in each stream

    async def earlier(self, store: Store, written: Written) -> RoundState | None:
        """The earlier round that an entry takes up or decides about, as it stood before."""
        if written.kind not in _ABOUT_EARLIER or not written.stream.startswith("table/"):
            return None
        table = self._tables.get(written.stream.partition("/")[2])
        number = table.earlier_meant(_read(written).event) if table else None
        if table is None or number is None:
            return None
        table.earlier_counted = await earlier_counted(store, table.state.table, number, before=written.seq)
        return await earlier_round(store, table.state.table, number, table.state.round.rules, before=written.seq)

    def examine(self, written: Written, earlier: RoundState | None = None) -> None:
        self._look_at(written, earlier)
        self._drawers.note(written)

    def _look_at(self, written: Written, earlier: RoundState | None) -> None:
        room, _, table_id = written.stream.partition("/")
        table = self._tables.get(table_id) if room == "table" else None
        self._check_time(written, table.state.round.number if table else 0)
        if room != "table":
            self._outside(written)
            return
        if table is None:
            table = self._tables[table_id] = Table(
                table_id, self._rules, self._vouchers, self._players, self._visits, self._found
            )
            self._found.tables += 1
        table.examine(written, earlier)

    def _check_time(self, written: Written, number: int) -> None:
        """The record clock never goes back."""
        last_ms = self._last_ms.get(written.stream, 0)
        if written.at_ms < last_ms:
            should = f"entry {written.number - 1} of {written.stream} was written then, and the time never goes back"
            fault = _fault_of(written, number)
            raise fault(f"it was written at {_time(written.at_ms)}", f"{_time(last_ms)} or later: {should}")
        self._last_ms[written.stream] = written.at_ms

    def _outside(self, written: Written) -> None:
        """The venue's own stream moves no money, but for vouchers paid at the desk and the drawers."""
        if written.kind in ACCOUNT_TAGS and (unsound := self._players.account(_read(written).event)):
            raise _fault_of(written, 0)(*unsound)
        asked = (venue_events.VoucherPaid.TAG, table_events.RequestRefused.TAG, *_DRAWER_TAGS)
        if not written.transfers and not written.request and written.kind not in asked:
            return
        fault = _fault_of(written, 0)
        line = _read(written) if written.kind in asked else None
        if wrong := _wrong_request(written, line):
            raise fault(*wrong)
        if isinstance(event := line and line.event, table_events.RequestRefused) and not written.transfers:
            return
        if isinstance(event, venue_events.DrawerEvent):
            if wrong := _signed_alone(event) or self._drawers.wrong(event, written):
                raise fault(*wrong)
            return
        if not isinstance(event, venue_events.VoucherPaid):
            raise fault(f"{_money(written)} moved", "no money moves here")
        if wrong := _signed_alone(event):
            raise fault(*wrong)
        if written.transfers != voucher_paid(event):
            raise fault(_money(written), _moves(voucher_paid(event)))
        if wrong := _redeemed(self._vouchers, event):
            raise fault(*wrong)

    def finish(
        self,
        stored: Mapping[str, bytes],
        drawers: Mapping[str, bytes],
        plays: Mapping[str, bytes],
        transit: Mapping[str, bytes],
    ) -> None:
        """What stands beside the journal agrees with it, and no decision was cut in half."""
        wrong = self._drawers.wrong_beside(drawers) or self._players.wrong_beside(plays)
        if wrong := wrong or self._visits.wrong_beside(transit):
            raise DoesNotFollow(Fault(entry=0, says=wrong[0], should=wrong[1]))
        for table in self._tables.values():
            table.finish()
        self._found.vouchers_outstanding = len(self._vouchers)
        for number in sorted({key.partition("/")[2] for key in stored} | self._vouchers.keys()):
            kept = stored.get(f"voucher/{number}")
            due = self._vouchers.get(number)
            if kept and due:
                due = replace(due, key=_key_of(kept))  # which of the venue's keys printed it, no journal says
            if kept is None or due is None or kept != msgspec.json.encode(due):
                says = "it is not kept" if kept is None else kept.decode(errors="replace")
                should = "no such voucher is out" if due is None else msgspec.json.encode(due).decode()
                raise DoesNotFollow(Fault(entry=0, says=f"of voucher {number}: {says}", should=should))


def _wrong_request(written: Written, line: JournalLine | None) -> "Wrong":
    """An entry is found by the request whose command stands beside it, if it is no bet's."""
    due = ""
    if line and line.command is not None and line.origin.request and not is_bet(line.origin.command):
        due = request_key(written.stream, line.origin.sender, line.origin.request)
    return None if written.request == due else (f"it was asked as {written.request!r}", f"it was asked as {due!r}")


async def _check_asked_once(store: Store, written: Written) -> None:
    if written.request:
        first = (await store.asked([written.request])).get(written.request)
        if first != written:
            where = f"entry {first.seq}" if first else "no entry"
            fault = _fault_of(written, 0)
            raise fault(f"it is the answer to {written.request!r}", f"the journal has {where} for that request")


class Rules:
    """The rule packs of this program, and the rounds that were played under others."""

    def __init__(self, load_game: LoadGame, found: Verified) -> None:
        self._load_game, self._found = load_game, found
        self._games: dict[str, Game | str] = {}

    def of(self, table: str, event: round_events.BettingOpened) -> Game | None:
        """The game by which this round was played, if it is here."""
        game = self._games.get(event.game)
        if game is None:
            game = self._games[event.game] = self._loaded(event.game)
        if isinstance(game, Game) and game.sha256 == event.rules_sha256:
            return game
        self._found.not_derived += 1
        if len(self._found.not_derived_first) < MOST_NAMED:
            here = f"this program has {game.sha256[:16]}" if isinstance(game, Game) else game
            why = f"cannot be re-derived: rules changed: {event.game} was {event.rules_sha256[:16]}, {here}"
            self._found.not_derived_first.append(NotDerived(table, event.round, why))
        return None

    def _loaded(self, game_id: str) -> Game | str:
        try:
            return self._load_game(game_id)
        except BadInput as error:
            return str(error)


class Table:
    """One table, folded from its first entry."""

    def __init__(
        self,
        table: str,
        rules: Rules,
        vouchers: dict[str, Voucher],
        players: PlayerAudit,
        visits: VisitAudit,
        found: Verified,
    ) -> None:
        self.state = TableState(table)
        self._rules, self._vouchers, self._players, self._found = rules, vouchers, players, found
        self._visits = visits
        self.earlier_counted: Mapping[int, CountedRound] = {}  # of the earlier round that was last taken up
        self._count_due: PlayCounted | None = None  # what the next entry must say
        self._decision = Decision()
        self._shoes = DrawnCards()
        self._derivable = False
        self._last = 0
        self._earlier: RoundState | None = None
        self._loaded_under = ""  # the rules of the last shoe that was loaded

    def earlier_meant(self, event: Event) -> int | None:
        match event:
            case round_events.RoundTakenUp() if not self._decision.due:
                return event.about_round
            case round_events.IrregularityDecided():
                waiting = [one for one in self.state.round.pending if one.report == event.report]
                return waiting[0].about_round if waiting else None
            case _:
                return None

    def examine(self, written: Written, earlier: RoundState | None = None) -> None:
        self._earlier = earlier
        fault = _fault_of(written, self.state.round.number)
        line = _read(written)
        event = line.event
        if written.kind != line.tag:
            raise fault(f"it is a {written.kind}", f"it is a {line.tag}, by its body")
        try:
            self._check(line, written, fault)
        except (BadInput, AssertionError, LookupError, ValueError, TypeError) as error:
            raise fault(quote(event), f"something that can happen here: {error}") from None
        self._count(event)
        self._last = written.seq

    def _check(self, line: JournalLine, written: Written, fault: "FaultMaker") -> None:
        state, event = self.state, line.event
        if isinstance(event, round_events.BettingOpened):
            self._under_rules(event)
        due, self._count_due = self._count_due, None
        if due != (event if isinstance(event, PlayCounted) else None):
            raise fault(quote(event), quote(due) if due else "nothing: no player's round was settled")
        self._check_round(line, fault)
        if wrong := time_goes_back(state, event) or self._players.wrong(state, event):
            raise fault(*wrong)
        if wrong := self._in_a_fault(event) or self._against_the_table(line, written) or wrong_session(state, event):
            raise fault(*wrong)
        if isinstance(event, OfVisit) and (wrong := self._visits.wrong(state, event)):
            raise fault(*wrong)
        moved = transfers(state, event)
        if moved != written.transfers:
            raise fault(_money(written), _moves(moved))
        if drawn := self._shoes.note(state, event, written.seq):
            seq, number, kind, says, should = drawn
            raise DoesNotFollow(
                Fault(entry=seq, stream=written.stream, round=number, kind=kind, says=says, should=should)
            )
        if moved and not event.IS_QUIET:
            self._count_due = play_counted(state, event, self.earlier_counted)
        evolve(state, event, moved, line.origin, written.at_ms)
        if written.label != label_of(state.table, event):
            raise fault(f"its label is {written.label!r}", f"its label is {label_of(state.table, event)!r}")
        if wrong := _wrong_request(written, line):
            raise fault(*wrong)

    def _check_round(self, line: JournalLine, fault: "FaultMaker") -> None:
        event = line.event
        # Noted as soon as money has moved, whatever follows.
        if isinstance(event, table_events.DebtLeft | session_events.SessionStarted | PlayCounted | OfVisit):
            return
        # What is burnt follows from the shoe alone, whatever the game.
        derivable = isinstance(event, round_events.CardsBurnt | round_events.FaceDownBurnt) or (
            self._derivable and isinstance(event, OfRound) and not isinstance(event, round_events.ShoeLoaded)
        )
        if (self._decision.due or derivable) and (wrong := self._decision.wrong(self.state.round, line, self._earlier)):
            raise fault(*wrong)

    def _under_rules(self, event: round_events.BettingOpened) -> None:
        """The round is played by this game; after another one, only a shoe loaded for it is carried over."""
        game = self._rules.of(self.state.table, event)
        self._derivable = game is not None
        if self.state.game not in ("", event.game):
            another_game(self.state)
        self.state.round = self.state.round._replace(rules=game)

    def _count(self, event: Event) -> None:
        found = self._found
        match event:
            case round_events.BetPlaced() | round_events.InsurancePlaced():
                found.bets += 1
            case round_events.BettingOpened():
                found.rounds += 1
            case round_events.CardDealt():
                found.cards += 1
            case round_events.SeatSettled():
                found.seats_settled += 1
            case table_events.ShoeRevealed():
                found.shoes_revealed += 1
            case _:
                pass

    def finish(self) -> None:
        if due := next(iter(self._decision.due), None) or self._count_due:
            stream = f"table/{self.state.table}"
            says = f"a decision ends with entry {self._last}"
            raise DoesNotFollow(Fault(entry=self._last, stream=stream, says=says, should=quote(due)))

    # What the table adds to the rules of the round: each gives what is said and what should be, or nothing.

    def _in_a_fault(self, event: Event) -> "Wrong":
        """A fault holds the table where it is."""
        if not self.state.faults or not isinstance(event, _PLAY):
            return None
        return quote(event), f"nothing: the table had a fault ({', '.join(self.state.faults)})"

    def _against_the_table(self, line: JournalLine, written: Written) -> "Wrong":
        match event := line.event:
            case round_events.BetPlaced() | round_events.InsurancePlaced():
                return self._bet(event)
            case round_events.BettingOpened():
                return self._opened(event)
            case round_events.ShoeLoaded():
                return self._shoe_loaded(event, line.origin)
            case table_events.DealerSignedOn() | table_events.DealerSignedOff():
                return wrong_shift(self.state, event, line)
            case table_events.TableClosed() if dealer := self.state.dealer:
                return f"the table closes with {dealer} signed on", f"{dealer} is signed off first"
            case table_events.LimitsChanged():
                return self._limits_changed()
            case table_events.DebtLeft():
                return self._debt(event)
            case table_events.CreditBought():
                return _signed_alone(event) or self._credit_bought(event)
            case table_events.HandPaid():
                return _signed_alone(event)
            case table_events.VoucherIssued():
                return self._voucher_issued(event, written)
            case table_events.VoucherInserted():
                return self._voucher_inserted(event, written)
            case table_events.VoucherVoided():
                return _redeemed(self._vouchers, event)
            case _:
                return None

    def _opened(self, event: round_events.BettingOpened) -> "Wrong":
        now = self.state.round
        if event.round != now.number + 1:
            return f"round {event.round} opens", f"round {now.number + 1} opens: rounds are numbered without gaps"
        if event.dealer != self.state.dealer:
            return f"{event.dealer or 'nobody'} is signed on", f"{self.state.dealer or 'nobody'} is signed on"
        limits = self.state.limits
        if event.betting_unit_cents != limits.betting_unit_cents:
            unit = show_cents(limits.betting_unit_cents)
            return f"a betting unit of {show_cents(event.betting_unit_cents)}", f"one of {unit}, as last changed"
        if dict(event.limits) != dict(limits.by_wager):
            return f"limits {dict(event.limits)}", f"limits {dict(limits.by_wager)}, as last changed"
        new = now.new_shoe
        if new and self._derivable:
            now.game.check_decks(new.decks)
            due = tuple(wager.id for wager in now.game.wagers if not wager.optional or wager.id in new.offered)
            if new.offered != due:
                return f"shoe {new.number} offers {', '.join(new.offered)}", f"it offers {', '.join(due)}"
        return None

    def _shoe_loaded(self, event: round_events.ShoeLoaded, origin: Origin) -> "Wrong":
        now = self.state.round
        early = not is_spent(now) and self.state.shoe_required is None
        # Cards of other rules, played or only loaded, are no set that these replace.
        before, self._loaded_under = self._loaded_under, event.rules_sha256
        same = event.rules_sha256 == self.state.rules_sha256 and before in ("", event.rules_sha256)
        if early and same and not _is_supervisor(origin):
            by = f"a {origin.rank}" if origin.rank else origin.words
            return f"shoe {event.shoe} is loaded by {by}", "a pit supervisor or above, before the cut card"
        if now.phase not in BETWEEN_ROUNDS:
            return f"shoe {event.shoe} is loaded during round {now.number}", "a shoe is loaded between rounds"
        replaced = now.new_shoe and event.shoe == now.new_shoe.number + 1  # its order could not be read
        if event.shoe != now.shoe_number + 1 and not replaced:
            return f"shoe {event.shoe} is loaded", f"shoe {now.shoe_number + 1}: shoes are numbered without gaps"
        return None

    def _bet(self, event: round_events.BetPlaced | round_events.InsurancePlaced) -> "Wrong":
        """No credit is taken in a fault or lock-up, nor beyond the limits for a seat and for the table."""
        state = self.state
        terminal = state.terminals.get(event.seat)
        if terminal and terminal.locked:
            return quote(event), f"nothing: the terminal was locked ({terminal.locked})"
        if state.faults:
            return quote(event), f"nothing: the table had a fault ({', '.join(state.faults)})"
        for most, staked, whose in (
            (state.limits.seat_max_cents, state.round.seats[event.seat].staked_cents, "seat"),
            (state.limits.table_max_cents, state.round.staked_cents, "table"),
        ):
            if most is not None and staked + event.cents > most:
                return quote(event), f"nothing: {show_cents(most)} is the maximum for a {whose}"
        return None

    def _limits_changed(self) -> "Wrong":
        if self.state.in_play:
            return f"limits changed in round {self.state.round.number}", "limits change between rounds"
        return None

    def _debt(self, event: table_events.DebtLeft) -> "Wrong":
        terminal = self.state.terminals.get(event.seat)
        owed = terminal.owed_cents if terminal else 0
        return (f"{event.cents} cents are owed", f"{owed} cents are owed") if event.cents != owed else None

    def _credit_bought(self, event: table_events.CreditBought) -> "Wrong":
        if not 0 < event.cents <= MAX_CENTS:
            return f"{event.cents} cents are bought", "an amount that a terminal takes"
        return None

    def _voucher_issued(self, event: table_events.VoucherIssued, written: Written) -> "Wrong":
        terminal = self.state.terminals.get(event.seat)
        number = f"{terminal_id(self.state.table, event.seat)}-{(terminal.vouchers if terminal else 0) + 1}"
        if event.number != number:
            return f"voucher {event.number} is issued", f"voucher {number}: vouchers are numbered without gaps"
        self._vouchers[number] = Voucher(
            number=number,
            cents=event.cents,
            table=self.state.table,
            seat=event.seat,
            issued_at_ms=written.at_ms,
            expires_at_ms=event.expires_at_ms,
        )
        return None

    def _voucher_inserted(self, event: table_events.VoucherInserted, written: Written) -> "Wrong":
        voucher = self._vouchers.get(event.number)
        if voucher and written.at_ms >= voucher.expires_at_ms:
            return f"voucher {event.number} is inserted", "nothing: it had expired"
        return _redeemed(self._vouchers, event)


Wrong = tuple[str, str] | None
FaultMaker = Callable[[str, str], DoesNotFollow]


def _signed_alone(
    event: table_events.CreditBought | table_events.HandPaid | venue_events.VoucherPaid | venue_events.DrawerEvent,
) -> Wrong:
    """Nobody signs for themselves."""
    if event.signed_by == event.desk != "":
        return f"{event.desk} signed for {event.desk}", "another person signed, or nobody"
    return None


def _redeemed(
    vouchers: dict[str, Voucher],
    event: table_events.VoucherInserted | table_events.VoucherVoided | venue_events.VoucherPaid,
) -> Wrong:
    """Once and only once, and whole."""
    voucher = vouchers.pop(event.number, None)
    if voucher is None:
        return f"voucher {event.number} is redeemed", "nothing: it is not out"
    if voucher.cents != event.cents:
        return f"voucher {event.number} is worth {event.cents} cents", f"it was issued for {voucher.cents} cents"
    return None


def _is_supervisor(origin: Origin) -> bool:
    return origin.rank in [rank.tag for rank in Rank if rank >= Rank.PIT_SUPERVISOR]


def _key_of(kept: bytes) -> str:
    try:
        return msgspec.json.decode(kept, type=Voucher).key
    except msgspec.DecodeError:
        return ""


# In words.


def _read(written: Written) -> JournalLine:
    try:
        return read_body(written.body)
    except BadInput as error:
        raise _fault_of(written, 0)(written.body[:LONGEST_QUOTE].decode(errors="replace"), str(error)) from None


def _fault_of(written: Written, number: int) -> FaultMaker:
    def fault(says: str, should: str) -> DoesNotFollow:
        return DoesNotFollow(
            Fault(entry=written.seq, stream=written.stream, round=number, kind=written.kind, says=says, should=should)
        )

    return fault


def _time(at_ms: int) -> str:
    try:
        return f"{datetime.fromtimestamp(at_ms // 1000, UTC):%Y-%m-%d %H:%M:%S}.{at_ms % 1000:03} UTC"
    except (OverflowError, ValueError, OSError):  # a journal that was tampered with may say anything
        return f"{at_ms} ms after 1970"


def _money(written: Written) -> str:
    return _moves(written.transfers)


def _moves(moved: tuple[tuple[str, str, str, int], ...]) -> str:
    said = [f"{kind} of {cents} cents from {source} to {target}" for kind, source, target, cents in moved]
    return f"it moves {', '.join(said)}" if said else "it moves no money"

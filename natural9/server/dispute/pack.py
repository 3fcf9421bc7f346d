"""What a dispute pack says of a round, gathered from one moment of the records."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, tzinfo
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct

from natural9.core.errors import BadInput
from natural9.core.events import Event, paragraph_of, seat_of, spoken
from natural9.core.game import Game
from natural9.core.money import show_cents
from natural9.core.saying import say
from natural9.core.settlement import InsuranceLine, Line
from natural9.games.citations import INTERPRETATION, citation
from natural9.games.loader import paragraphs, register
from natural9.journal import table_events
from natural9.journal.accounts import DESKS
from natural9.journal.labels import SIGNIFICANT
from natural9.journal.line import read_line
from natural9.server.people.records import STAFF
from natural9.server.reports.shoes import shoe_shown
from natural9.server.search.found import entries_of_voucher
from natural9.store.contract import Store, Written
from natural9.table.audit.check_round import check_chain, check_steps
from natural9.table.audit.history import history_of, later_history_of
from natural9.table.audit.recall import Recalled, SeatRecalled, Step, recall

MOST_SEATS: Final = 120  # settled on paper; the export has every one
MOST_STEPS: Final = 600
MOST_FRAMES: Final = 120
LATER_PAGES: Final = 50  # of significant events, for a round that was frozen long after
# What everybody at the table saw, one picture each.
PICTURES: Final = frozenset(
    (
        "betting-opened", "betting-closed", "card-dealt", "cut-card-appeared", "insurance-opened", "insurance-closed",
        "insurance-skipped", "insurance-waived", "result-declared", "round-settled", "round-voided",
    )
)  # fmt: skip


class VenueFacts(NamedTuple):
    """What the records themselves do not say."""

    name: str
    currency: str
    zone: tzinfo
    table_title: str


class Frame(Struct, frozen=True):
    """A picture of the film strip."""

    time: str
    title: str
    says: str
    player: tuple[str, ...]
    banker: tuple[str, ...]
    player_total: int | None
    banker_total: int | None
    winner: str
    irregular: bool


class SeatPart(Struct, frozen=True):
    seat: int
    credit_before: str
    credit_after: str
    staked: str
    returned: str
    lines: tuple[tuple[str, ...], ...]  # wager, stake, result, pays, returned, rule
    besides: tuple[str, ...]


class DisputePack(Struct, frozen=True):
    """All of it as text, in the order of the pages."""

    title: str
    subtitle: str
    facts: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    frames: tuple[Frame, ...]
    frames_left_out: int
    seats: tuple[SeatPart, ...]
    seats_left_out: int
    decisions: tuple[tuple[str, ...], ...]  # time, what, who, rule
    steps: tuple[tuple[str, ...], ...]  # entry, time, what, who, rule
    steps_left_out: int
    papers: tuple[tuple[str, ...], ...]  # receipt, time, what, who
    checks: tuple[tuple[bool, str], ...]
    seal: tuple[tuple[str, str], ...]
    rules_title: str
    rules: tuple[tuple[str, str], ...]
    footer: str
    at_ms: int  # of the last entry of the moment: the same moment makes the same paper


class _Name(Struct):
    id: str
    name: str


async def dispute_pack(
    store: Store, table: str, number: int, *, seat: int | None, facts: VenueFacts, load_game: Callable[[str], Game]
) -> DisputePack:
    """The round as it stands at this moment, for all seats or for one."""
    history = await history_of(store, table, number)
    whole = [*history, *await later_history_of(store, table, number)]
    told = await recall(store, table, number, only_seat=seat)
    if seat is not None and not told.seats:
        none = say("seat {seat} had no part in round {round}: leave it out, or name another", seat=seat, round=number)
        raise BadInput("no-such-seat", none)
    head = await store.head()
    [last] = await store.entries(after=head.seq - 1, limit=1)
    names = {one.id: one.name for one in map(_name, (await store.documents(STAFF)).values())}
    by = _Writer(facts.zone, names)
    steps = [step for step in told.steps if seat is None or step.seat in (None, seat)]
    pictures = [step for step in steps if step.kind in PICTURES or (step.correction and step.seat is None)]
    papers = await _papers(store, whole, seat, by)
    frozen = await _frozen_later(store, table, number, told.last_entry, by)
    decisions = [by.decision(one) for one in steps if one.correction or one.kind == table_events.RoundFrozen.TAG]
    game = _game(told.game, load_game)
    wagers = _wager_names(game)
    seats = tuple(_seat(one, wagers) for one in told.seats[:MOST_SEATS])
    cited = [one.paragraph for one in steps]
    cited += [line.paragraph for one in told.seats for line in (*one.lines, *one.insurance_lines)]
    return DisputePack(
        title=f"{facts.table_title}, round {number}",
        subtitle="Dispute pack" if seat is None else f"Dispute pack, seat {seat}",
        facts=_facts(told, facts, by, seat, last, game),
        notes=_notes(told),
        frames=tuple(by.frame(one) for one in pictures[:MOST_FRAMES]),
        frames_left_out=max(0, len(pictures) - MOST_FRAMES),
        seats=seats,
        seats_left_out=max(0, len(told.seats) - MOST_SEATS),
        decisions=(*decisions, *frozen),
        steps=tuple(by.step(one) for one in steps[:MOST_STEPS]),
        steps_left_out=max(0, len(steps) - MOST_STEPS),
        papers=papers,
        checks=await _checks(store, history, told, load_game),
        seal=await _seal(store, told),
        rules_title=f"Rules of {game.document.title}, in our words" if game else "Rules, in our words",
        rules=_rules(cited),
        footer=f"{facts.name} · {facts.table_title} · round {number} · records as of entry {head.seq}",
        at_ms=last.at_ms,
    )


def _name(document: bytes) -> _Name:
    return msgspec.json.decode(document, type=_Name)


class _Writer:
    """Times by the venue's clock, people by id, name and rank."""

    def __init__(self, zone: tzinfo, names: dict[str, str]) -> None:
        self._zone, self._names = zone, names

    def moment(self, at_ms: int) -> str:
        return f"{datetime.fromtimestamp(at_ms / 1000, self._zone):%Y-%m-%d %H:%M:%S}"

    def person(self, id: str, rank: str = "") -> str:
        name = self._names.get(id, "")
        more = ", ".join(part for part in (name if name != id else "", _title(rank)) if part)
        return f"{id} ({more})" if more else id

    def decision(self, step: Step) -> tuple[str, ...]:
        return self.moment(step.at_ms), step.says, self.person(step.by, step.rank), citation(step.paragraph)

    def step(self, step: Step) -> tuple[str, ...]:
        return str(step.entry), *self.decision(step)

    def frame(self, step: Step) -> Frame:
        rule = citation(step.paragraph)
        says = f"{step.says} ({rule})" if rule else step.says
        if step.correction:
            says = f"{says}. By {self.person(step.by, step.rank)}"
        return Frame(
            time=self.moment(step.at_ms)[11:],
            title=spoken(step.kind).capitalize(),
            says=says,
            player=step.player_cards,
            banker=step.banker_cards,
            player_total=step.player_total,
            banker_total=step.banker_total,
            winner=step.winner or "",
            irregular=step.correction,
        )


def _title(rank: str) -> str:
    return spoken(rank).title()


def _facts(
    told: Recalled, venue: VenueFacts, by: _Writer, seat: int | None, last: Written, game: Game | None
) -> tuple[tuple[str, str], ...]:
    result = "not over yet"
    if told.status == "void":
        result = "void"
    elif told.winner is not None:
        wins = "Tie" if told.winner == "tie" else f"{told.winner.capitalize()} wins"
        result = f"{wins}, Player {told.player_total}, Banker {told.banker_total}"
    money = f"{show_cents(told.staked_cents)} staked, {show_cents(told.returned_cents)} returned ({venue.currency})"
    return (
        ("Venue", venue.name),
        ("Game", game.title if game else told.game),
        ("Gaming day", told.day),
        ("Opened", by.moment(told.opened_at_ms)),
        ("Dealt by", ", ".join(by.person(one) for one in told.dealers) or "the table itself"),
        ("Shoe", str(told.shoe)),
        ("Player", told.player_cards or "no card"),
        ("Banker", told.banker_cards or "no card"),
        ("Result", result),
        ("Money of all seats", money),
        ("Seats in this pack", "all that had a part" if seat is None else str(seat)),
        ("Records as of", f"entry {last.seq}, {by.moment(last.at_ms)}"),
    )


def _notes(told: Recalled) -> tuple[str, ...]:
    void = [f"This round is void: {told.void_why.said}"] if told.void_why else []
    return (*void, *(f"Frozen in a dispute: {why}" for why in told.frozen))


def _seat(one: SeatRecalled, wagers: Callable[[str], str]) -> SeatPart:
    besides = []
    if one.void_returned_cents:
        besides.append(f"{show_cents(one.void_returned_cents)} went back: the round is void")
    if one.bought_cents:
        besides.append(f"Brought in {show_cents(one.bought_cents)}")
    if one.cashed_out_cents:
        besides.append(f"Cashed out {show_cents(one.cashed_out_cents)}")
    lines = tuple(_line(line, wagers) for line in (*one.lines, *one.insurance_lines))
    if not lines:  # not settled: the bets as they lie, or lay
        laid = [(wagers(wager), cents) for wager, cents in one.bets.items()]
        laid += [(f"Insurance of {taken.hand.words} {taken.window.words}", taken.cents) for taken in one.insurance]
        lines = tuple((name, show_cents(cents), "", "", "", "") for name, cents in laid)
    return SeatPart(
        seat=one.seat,
        credit_before=show_cents(one.credit_before_cents),
        credit_after=show_cents(one.credit_after_cents),
        staked=show_cents(one.staked_cents),
        returned=show_cents(one.returned_cents + one.void_returned_cents),
        lines=lines,
        besides=tuple(besides),
    )


def _line(line: Line, wagers: Callable[[str], str]) -> tuple[str, ...]:
    name = wagers(line.wager)
    if isinstance(line, InsuranceLine):
        name = f"{name} {line.window.words}"
    pays = line.odds or ""
    return (
        name,
        show_cents(line.stake_cents),
        str(line.result),
        pays,
        show_cents(line.returned_cents),
        citation(line.paragraph),
    )


def _game(game_id: str, load_game: Callable[[str], Game]) -> Game | None:
    """None where this program does not have it any more."""
    try:
        return load_game(game_id)
    except BadInput:
        return None


def _wager_names(game: Game | None) -> Callable[[str], str]:
    """As the game calls them; one that is not known is called after its id."""
    names = {wager.id: wager.title for wager in game.wagers} if game else {}
    return lambda wager: names.get(wager) or spoken(wager).capitalize()


async def _papers(
    store: Store, history: Iterable[Written], seat: int | None, by: _Writer
) -> tuple[tuple[str, ...], ...]:
    """Cash at the desk and vouchers of the seats: each voucher with all that became of it."""
    found: dict[int, Written] = {}
    for written in history:
        event = read_line(written).event
        if seat_of(event) is None or seat not in (None, seat_of(event)):
            continue
        if isinstance(event, table_events.CreditBought | table_events.HandPaid):
            found[written.seq] = written
        elif number := _voucher(event):
            found |= {one.seq: one for one in await entries_of_voucher(store, number)}
    return tuple([await _paper(store, found[seq], by) for seq in sorted(found)])


def _voucher(event: Event) -> str:
    shapes = table_events.VoucherIssued | table_events.VoucherInserted | table_events.VoucherVoided
    return event.number if isinstance(event, shapes) else ""


async def _paper(store: Store, written: Written, by: _Writer) -> tuple[str, ...]:
    line = read_line(written)
    cash = any(one.source.startswith(DESKS) or one.target.startswith(DESKS) for one in written.transfers)
    receipt = (
        str(await store.count_transfers(DESKS, through=1 + await store.transfers_through(written.seq - 1)))
        if cash
        else ""
    )
    who = by.person(str(line.origin.words), line.origin.rank)
    return receipt, by.moment(written.at_ms), str(line.event.describe()), who


async def _frozen_later(store: Store, table: str, number: int, after: int, by: _Writer) -> list[tuple[str, ...]]:
    """Disputes that came once the next round had opened."""
    found: list[tuple[str, ...]] = []
    before: int | None = None
    for _ in range(LATER_PAGES):
        page = await store.labelled(SIGNIFICANT, before=before, limit=1000)
        for written in page:
            if written.seq <= after:
                return found
            if written.kind == table_events.RoundFrozen.TAG and written.stream == f"table/{table}":
                line = read_line(written)
                if getattr(line.event, "round", 0) == number:
                    who = by.person(str(line.origin.words), line.origin.rank)
                    says = str(line.event.describe())
                    found.insert(0, (by.moment(written.at_ms), says, who, citation(paragraph_of(line.event))))
        if not page:
            break
        before = page[-1].seq
    return found


async def _checks(
    store: Store, history: list[Written], told: Recalled, load_game: Callable[[str], Game]
) -> tuple[tuple[bool, str], ...]:
    chain = await check_chain(store, history[0].stream, history[0].seq, history[-1].seq)
    steps = check_steps(history, load_game)
    said = f"entries {told.first_entry} to {told.last_entry}"
    return (
        (not chain, chain or f"Every hash of {said} follows from the entry before it."),
        (not steps, steps or f"Every step of {said} was derived again from its cards and the rules, and is the same."),
    )


async def _seal(store: Store, told: Recalled) -> tuple[tuple[str, str], ...]:
    tree = await store.tree()
    try:
        shoe = await shoe_shown(store, told.table, told.shoe)
    except BadInput:
        shoes = [("Shoe", "real cards: no order was committed to")]
    else:
        state = "revealed: natural9 verify-shoe checks it" if shoe.revealed else "not revealed yet: the shoe is in use"
        shoes = [("Shoe commitment", one) for one in shoe.commitments] + [("Its order", state)]
        if shoe.mix:
            shoes.append(("Mixed by", f"the house and {sum(one.nonce is not None for one in shoe.mix.seats)} seats"))
    return (
        ("Entries of the round", f"{told.first_entry} to {told.last_entry}"),
        ("Hash of the last", told.last_hash),
        ("Entries of the journal", str(tree.size)),
        ("Root over all of them", tree.root.hex()),
        ("Rules", told.rules_sha256),
        *shoes,
    )


def _rules(cited: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Every rule that is cited, once, with its words."""
    return tuple((citation(one), " ".join(_words(one).split())) for one in dict.fromkeys(cited) if citation(one))


def _words(paragraph: str) -> str:
    document, _, number = paragraph.partition(" ")
    if document == INTERPRETATION:
        return next((one.reading for one in register() if one.id == number), "Not in the register any more.")
    found = paragraphs().get(paragraph)
    return found.says if found else "Its words are not in this program."


def texts_of(pack: DisputePack) -> Iterator[str]:
    """Everything that is printed, to know which letters are needed."""
    yield msgspec.json.encode(pack).decode()

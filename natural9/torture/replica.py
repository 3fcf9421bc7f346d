"""A table told again from its journal alone, by docs/journal.md: what everybody may see after each of its entries.

`tables[n]` is the table after entry n, `laid[n]` what lies on its spots then, `seats` each seat's own history. Nothing
of it is ever changed, so that any message can be held against any moment.
"""

from collections import defaultdict
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from natural9.torture.replica_seats import NOTHING, AtSeat, SeatHistory, seat_after
from natural9.torture.road import marked

Record = dict[str, Any]
NONE: Final[Mapping[str, Any]] = MappingProxyType({})
BETWEEN: Final = ("no-round", "settled", "void")
QUIET: Final = frozenset(
    {"request-refused", "late-bet-refused", "wrong-voucher-codes", "debt-left", "play-counted", "play-time-noted"}
)


# Whatever of the round follows a card opens it to all; these leave the cards as they lie.
OPENS: Final = frozenset(
    [
        "betting-opened",
        "betting-closed",
        "result-declared",
        "round-settled",
        "round-voided",
        "bet-voided",
        "insurance-opened",
        "insurance-closed",
        "insurance-skipped",
        "insurance-waived",
        "waiver-taken-back",
        "irregularity-reported",
        "irregularity-decided",
        "report-withdrawn",
        "cards-reconstructed",
        "cards-put-in-order",
        "cards-discarded",
        "cards-corrected",
        "shoe-replaced",
    ]
)


class LoadedShoe(NamedTuple):
    """For the next round."""

    number: int
    decks: int
    burns: bool
    counts: bool  # a device reads what is burnt
    card: str = ""
    face_down: int = 0
    to_come: int = 0


class RoadMark(NamedTuple):
    round: int
    road: str
    won: tuple[str, ...]


class MixedShoe(NamedTuple):
    """What seats bring to the shoe that is loaded."""

    shoe: int
    listed: dict[int, str]
    revealed: tuple[int, ...] = ()


class TableNow(NamedTuple):
    status: str = "closed"
    why: str = ""
    game: str = ""  # by its settings
    mode: str = ""
    electronic: bool = False
    joint: bool = False
    dealer: str = ""
    faults: tuple[str, ...] = ()
    held_back: bool = False  # stopped on purpose
    limits: Mapping[str, Any] = NONE
    takes: Mapping[str, list[int]] = NONE  # in this round, on each spot
    unit: int = 1
    round: int = 0
    rules: str = ""  # the game that the round is played by
    phase: str = "no-round"
    offered: tuple[str, ...] = ()
    boxes: bool = False
    shoe: int = 0
    left: int = 0
    cut: bool = False
    burnt: tuple[str, int] | None = None
    commitment: str = ""
    next_commitment: str = ""
    new: LoadedShoe | None = None
    mix: MixedShoe | None = None
    required: bool = False  # other cards, before another round
    cards: tuple[str, ...] = ()
    put_at: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    old: int = 0  # so many of cards and held came from another set
    window_open: bool = False
    waived: bool = False
    declared: bool = False
    won: tuple[str, ...] = ()
    pending: tuple[Record, ...] = ()
    voided: tuple[str | None, str, str] | None = None  # kind, clause, why
    interrupted_ms: int | None = None
    opened: int = 0  # so many of the cards are open to all, where they are squeezed
    results: tuple[RoadMark, ...] = ()

    @property
    def in_play(self) -> bool:
        return self.phase not in BETWEEN

    @property
    def ranks(self) -> str:
        return "".join([card[0] for card in self.cards])


class Replica:
    """Is given every entry of its stream once, in order."""

    def __init__(self, table: str, *, is_squeezed: bool = False) -> None:
        self.table, self.is_squeezed = table, is_squeezed
        self.now = TableNow()
        self.spots: dict[str, int] = {}
        self.staked = 0
        self.tables = [self.now]
        self.laid = [self.spots]
        self.kinds = [""]
        self.seats: defaultdict[int, SeatHistory] = defaultdict(SeatHistory)
        self.opened: dict[int, int] = {0: 0}  # at which entry each round began
        self.index: dict[tuple[int, str, int, int], list[int]] = {(0, "no-round", 0, 0): [0]}
        self.visitors: dict[tuple[str, int], int] = {}
        self._bettors: set[int] = set()  # seats that this round has touched

    def take(self, kind: str, r: Record, moved: list[list[Any]]) -> None:
        number = len(self.tables)
        if kind not in QUIET:
            self._seat(number, kind, r, moved)
            self._lay(kind, r)
            if change := _CHANGES.get(kind):
                self.now = change(self.now, r)
                if kind == "betting-opened":
                    self._open(number)
            if kind in OPENS and self.now.opened != len(self.now.cards):
                self.now = self.now._replace(opened=len(self.now.cards))
        elif moved:
            self._seat(number, "", r, moved)
        self.tables.append(self.now)
        self.laid.append(self.spots)
        self.kinds.append(kind)
        now = self.now
        key = (now.round, now.phase, len(now.cards), self.staked)
        found = self.index.get(key)
        if found is None:
            self.index[key] = [number]
        else:
            found.append(number)

    def _seat(self, number: int, kind: str, r: Record, moved: list[list[Any]]) -> None:
        seat = r.get("seat")
        if isinstance(seat, int):
            history = self.seats[seat]
            was = history.now
            now = seat_after(was, kind, r, self.now.in_play)
            if moved:
                credit, owed = was.credit, was.owed
                mine, debt = f"credit/{self.table}-{seat}", f"owed/{self.table}-{seat}"
                for _, source, target, cents in moved:
                    credit += (target == mine) * cents - (source == mine) * cents
                    owed += (source == debt) * cents - (target == debt) * cents
                now = now._replace(credit=credit, owed=owed)
            if now is not was:
                history.change(number, now)
                self._bettors.add(seat)
        if kind == "visitor-seated":
            self.visitors[r["home_table"], r["home_seat"]] = r["seat"]
        elif kind == "shoe-mix-opened":
            for listed, _ in r["seats"]:
                self.seats[listed].change(number, self.seats[listed].now._replace(nonce=""))

    def _lay(self, kind: str, r: Record) -> None:
        if kind == "bet-placed":
            self._on(r["wager"], r["cents"])
        elif kind in ("bet-taken-back", "bet-voided"):
            self._on(r["wager"], -r["cents"])
        elif kind == "bet-restored":
            self._on(r["wager"], r["cents"])
        elif kind == "bets-cleared":
            was = self.seats[r["seat"]].were[-2].bets
            for wager, cents in was.items():
                self._on(wager, -cents)
        elif kind in ("round-voided", "betting-opened"):
            self.spots, self.staked = {}, 0

    def _on(self, wager: str, cents: int) -> None:
        self.spots = {**self.spots, wager: self.spots.get(wager, 0) + cents}
        self.staked += cents

    def _open(self, number: int) -> None:
        """All of the round before is cleared."""
        self.opened[self.now.round] = number
        for seat in self._bettors:
            history = self.seats[seat]
            now = history.now
            if now.bets or now.insurance or now.withdrawn or now.returned is not None or now.void_returned:
                cleared = now._replace(
                    bets=NOTHING,
                    insurance=(),
                    withdrawn=NOTHING,
                    last_bets=now.bets if now.bets or now.insurance else now.last_bets,
                    lines=(),
                    insurance_lines=(),
                    returned=None,
                    void_returned=0,
                )
                history.change(number, cleared)
        self._bettors.clear()

    def seat_at(self, seat: int, number: int) -> AtSeat:
        return self.seats[seat].at(number) if seat in self.seats else AtSeat()

    def betting_seats(self, number: int) -> dict[int, AtSeat]:
        """Those with bets or insurance after that entry."""
        at = {seat: history.at(number) for seat, history in self.seats.items()}
        return {seat: one for seat, one in at.items() if one.bets or one.insurance}


# What each event changes of the table.


def _betting_opened(now: TableNow, r: Record) -> TableNow:
    if now.new:
        burnt = (now.new.card, now.new.face_down) if now.new.card else None
        left = 52 * now.new.decks - (1 + now.new.face_down if burnt else 0)
        now = now._replace(left=left, burnt=burnt, results=(), commitment=now.next_commitment, next_commitment="")
        now = now._replace(new=None, mix=None, required=False, cut=False)
    return now._replace(
        round=r["round"],
        takes=r["limits"],
        unit=r["betting_unit_cents"],
        rules=r["game"],
        phase="betting-open",
        offered=tuple(r["offered"]),
        boxes=r["boxes"] is not None,
        shoe=r["shoe"],
        cards=(),
        put_at=(),
        held=tuple(r["held"]),
        old=r["from_old_set"],
        window_open=False,
        waived=False,
        declared=False,
        won=(),
        pending=(),
        voided=None,
        interrupted_ms=None,
    )


def _card_dealt(now: TableNow, r: Record) -> TableNow:
    return now._replace(
        cards=(*now.cards, r["card"]),
        opened=len(now.cards) if len(now.cards) >= 4 else 0,
        put_at=(*now.put_at, r["put_at"]),
        phase=r["phase"],
        held=now.held[1:],
        left=now.left - (not now.held),
    )


def _settled(now: TableNow, r: Record) -> TableNow:
    return now._replace(phase="settled", results=(*now.results, RoadMark(now.round, marked(now.ranks).road, now.won)))


def _without_result(now: TableNow) -> TableNow:
    return now._replace(results=tuple(one for one in now.results if one.round != now.round))


def _round_voided(now: TableNow, r: Record) -> TableNow:
    left = tuple(one for one in now.pending if one["cards"] or one["about_round"])
    now = now._replace(phase="void", pending=left, window_open=False)
    return _without_result(now._replace(voided=(r.get("kind"), r["clause"], r["why"])))


def _corrected(now: TableNow, r: Record) -> TableNow:
    before, after = (*now.cards, *now.held)[now.old :], (*r["cards"], *r["held"])[now.old :]
    other = now.ranks != "".join(card[0] for card in r["cards"])
    now = now._replace(
        cards=tuple(r["cards"]),
        put_at=tuple(r["put_at"]),
        held=tuple(r["held"]),
        phase=r["phase"],
        left=now.left + len(before) - len(after),
    )
    if other and now.phase != "void":
        now = now._replace(declared=False, won=(), window_open=False)
    return _without_result(now) if now.in_play else now


def _earlier_corrected(now: TableNow, r: Record) -> TableNow:
    if r["shoe"] == now.shoe:
        old = r["from_old_set"]
        now = now._replace(left=now.left + len(r["was"][old:]) - len(r["cards"][old:]))
    if not any(one.round == r["round"] for one in now.results):  # void, or of another shoe
        return now
    road = RoadMark(r["round"], marked("".join(card[0] for card in r["cards"])).road, tuple(r["won"]))
    return now._replace(results=tuple(road if one.round == road.round else one for one in now.results))


def _reported(now: TableNow, r: Record) -> TableNow:
    return now._replace(pending=(*now.pending, r), left=now.left - len(r["cards"]))


def _decided(now: TableNow, r: Record) -> TableNow:
    return now._replace(pending=tuple(one for one in now.pending if one["report"] != r["report"]))


def _withdrawn(now: TableNow, r: Record) -> TableNow:
    [mine] = [one for one in now.pending if one["report"] == r["report"]]
    return _decided(now, r)._replace(left=now.left + len(mine["cards"]))


def _discarded(now: TableNow, r: Record) -> TableNow:
    if not r["waited"]:
        return now
    held, old = list(now.held), now.old
    for card in r["cards"]:
        place = held.index(card)
        old -= len(now.cards) + place < old
        del held[place]
    return now._replace(held=tuple(held), old=old)


def _replaced(now: TableNow, r: Record) -> TableNow:
    old = len(now.cards) + len(now.held)
    return now._replace(shoe=r["shoe"], left=52 * r["decks"], old=old, cut=False, burnt=None)


def _interrupted(now: TableNow, r: Record) -> TableNow:
    brief = tuple({**one, "brief": one["brief"] and r["brief"]} for one in now.pending)
    return now._replace(interrupted_ms=r["away_ms"], pending=brief)


def _settings(now: TableNow, r: Record) -> TableNow:
    return now._replace(
        game=r["game"], mode=r["mode"], electronic=r["shoe"] == "shuffler", joint=r.get("joint_shoe", False)
    )


def _shoe_loaded(now: TableNow, r: Record) -> TableNow:
    return now._replace(new=LoadedShoe(r["shoe"], r["decks"], r.get("burns", False), r.get("counts_burnt", False)))


def _burnt(now: TableNow, r: Record) -> TableNow:
    assert now.new
    return now._replace(new=now.new._replace(card=r["card"], face_down=r["face_down"], to_come=r["to_come"]))


def _read_face_down(now: TableNow, r: Record) -> TableNow:
    assert now.new
    return now._replace(new=now.new._replace(to_come=r["left"]))


def _shoe_revealed(now: TableNow, r: Record) -> TableNow:
    if now.next_commitment and r["commitment"] == now.next_commitment:  # it is never played
        return now._replace(new=None, next_commitment="", mix=None)
    return now


def _nonce_revealed(now: TableNow, r: Record) -> TableNow:
    return now._replace(mix=now.mix and now.mix._replace(revealed=(*now.mix.revealed, r["seat"])))


_CHANGES: Final[dict[str, Any]] = {
    "table-opened": lambda now, r: _settings(now, r)._replace(status="open", why=""),
    "settings-changed": _settings,
    "table-paused": lambda now, r: now._replace(status="paused", why=r["why"]),
    "table-resumed": lambda now, r: now._replace(status="open", why=""),
    "table-closed": lambda now, r: now._replace(status="closed", why=r["why"]),
    "table-held": lambda now, r: now._replace(held_back=True),
    "table-continued": lambda now, r: now._replace(held_back=False),
    "dealer-signed-on": lambda now, r: now._replace(dealer=r["dealer"]),
    "dealer-signed-off": lambda now, r: now._replace(dealer=""),
    "limits-changed": lambda now, r: now._replace(limits=r),
    "fault-raised": lambda now, r: now._replace(faults=tuple(dict.fromkeys((*now.faults, r["fault"])))),
    "fault-cleared": lambda now, r: now._replace(faults=tuple(one for one in now.faults if one != r["fault"])),
    "shoe-committed": lambda now, r: now._replace(next_commitment=r["commitment"], mix=None),
    "shoe-loaded": _shoe_loaded,
    "shoe-mix-opened": lambda now, r: now._replace(mix=MixedShoe(r["shoe"], dict(r["seats"]))),
    "nonce-revealed": _nonce_revealed,
    "shoe-mixed": lambda now, r: now._replace(mix=None),
    "shoe-revealed": _shoe_revealed,
    "cards-burnt": _burnt,
    "face-down-burnt": _read_face_down,
    "new-shoe-required": lambda now, r: now._replace(required=True),
    "shoe-replaced": _replaced,
    "betting-opened": _betting_opened,
    "betting-closed": lambda now, r: now._replace(phase="bets-closed"),
    "card-dealt": _card_dealt,
    "cut-card-appeared": lambda now, r: now._replace(cut=True),
    "result-declared": lambda now, r: now._replace(declared=True, won=tuple(r["won"])),
    "round-settled": _settled,
    "round-voided": _round_voided,
    "insurance-opened": lambda now, r: now._replace(window_open=True),
    "insurance-closed": lambda now, r: now._replace(window_open=False, phase=r["phase"]),
    "insurance-skipped": lambda now, r: now._replace(window_open=False, phase=r["phase"]),
    "insurance-waived": lambda now, r: now._replace(waived=True, phase=r["phase"]),
    "waiver-taken-back": lambda now, r: now._replace(waived=False, phase=r["phase"]),
    "irregularity-reported": _reported,
    "irregularity-decided": _decided,
    "report-withdrawn": _withdrawn,
    "cards-reconstructed": lambda now, r: now._replace(put_at=tuple(r["put_at"])),
    "cards-put-in-order": lambda now, r: now._replace(held=(*now.held, *r["cards"])),
    "cards-discarded": _discarded,
    "cards-corrected": _corrected,
    "earlier-cards-corrected": _earlier_corrected,
    "round-interrupted": _interrupted,
}

"""Whatever anybody was shown, held against the table as its journal tells it.

The messages about a table form one chain, by epoch and number: each must be the table as it stood after some entry, and
never go back. A welcome and a console's view stand at the message of their number, or after it. A seat's own view goes
by its line, and so do the rows of the pit and the lobby.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, NamedTuple

from natural9.torture.replica import Replica
from natural9.torture.replica_seats import SeatHistory
from natural9.torture.road import marked
from natural9.torture.seen import Violation
from natural9.torture.view_fields import View, nonzero, wrong_with_console, wrong_with_seat, wrong_with_table

NEAR: Final = 60  # entries that a wrong view is compared with, to name what is wrong
FAR: Final = 400  # entries beyond the disk that a welcome is looked for in
MOST_EPOCHS: Final = 1_000_000
STRANGE: Final = 3  # with so many wrong fields it is no moment of this table at all
KINDS: Final = {
    **dict.fromkeys(("cards", "totals", "squeeze"), "cards shown wrong"),
    **dict.fromkeys(("laid", "boxes", "bets", "last_bets", "insurance", "staked_cents", "seats"), "bets shown wrong"),
    **dict.fromkeys(("result", "voided", "shows"), "result shown wrong"),
    **dict.fromkeys(("results", "tallies"), "road shown wrong"),
    **dict.fromkeys(("lines", "insurance_lines", "returned_cents"), "settlement shown wrong"),
    **dict.fromkeys(("credit_cents", "vouchers", "session"), "credit shown wrong"),
    "waiting": "remedies shown wrong",
    "shoe": "shoe shown wrong",
}


class ShownTable(NamedTuple):
    """A view of a table, who was the first to be shown it, and how far the disk was then."""

    view: View
    at_ms: int
    who: str
    durable: int


class TableChain:
    """All that was shown of one table."""

    def __init__(self) -> None:
        self.epochs: dict[str, int] = {}
        self.news: dict[tuple[int, int], ShownTable] = {}
        self.welcomes: dict[tuple[int, int], list[ShownTable]] = defaultdict(list)
        self.consoles: dict[tuple[int, int], list[ShownTable]] = defaultdict(list)
        self.places: dict[tuple[int, int], int] = {}  # which entry each of the news is after

    def epoch(self, name: str, life: int) -> int:
        """In the order of the server's lives: what an earlier one said may come after the first word of the next."""
        return self.epochs.setdefault(name, life * MOST_EPOCHS + len(self.epochs))


class ViewLine:
    """A line to a table: where its numbers are."""

    __slots__ = ("epoch", "n", "place")

    def __init__(self) -> None:
        self.epoch, self.n, self.place = -1, -1, 0


class ViewJudge:
    def __init__(self, replicas: dict[str, Replica], wrong: Callable[[Violation], None]) -> None:
        self.replicas, self.wrong = replicas, wrong
        self.chains: defaultdict[str, TableChain] = defaultdict(TableChain)
        self._lines: defaultdict[tuple[str, str], ViewLine] = defaultdict(ViewLine)
        self._rows: defaultdict[tuple[str, str], int] = defaultdict(int)
        self._life = 0  # of the server
        self._life_of: defaultdict[str, int] = defaultdict(int)  # when each line came

    # As it is seen, in order.

    def crashed(self) -> None:
        self._life += 1

    def came(self, who: str) -> None:
        self._life_of[who] = self._life

    def table(self, message: View, table: str, who: str, at_ms: int, durable: int) -> None:
        """A `welcome` or a `table`."""
        chain, line = self.chains[table], self._lines[who, table]
        shown = ShownTable(message["table"], at_ms, who, durable)
        if message["type"] == "welcome":
            line.epoch, line.n = chain.epoch(message["epoch"], self._life_of[who]), message["n"]
            chain.welcomes[line.epoch, line.n].append(shown)
            if message["console"]:
                chain.consoles[line.epoch, line.n].append(shown._replace(view=message["console"]))
            return
        if message["n"] != line.n + 1:
            words = f"table {table}: after message {line.n} came {message['n']}"
            self.wrong(Violation("message missed", words, at_ms, who))
        line.n = message["n"]
        key = (line.epoch, line.n)
        if key not in chain.news:
            chain.news[key] = shown
        elif chain.news[key].view is not shown.view and chain.news[key].view != shown.view:
            words = f"table {table}: message {line.n} is not the same for all"
            self.wrong(Violation("shown and not there", words, at_ms, who))

    def console(self, message: View, table: str, who: str, at_ms: int, durable: int) -> None:
        line = self._lines[who, table]
        shown = ShownTable(message["console"], at_ms, who, durable)
        self.chains[table].consoles[line.epoch, message["n"]].append(shown)

    def seat(self, you: View, table: str, seat: int, who: str, at_ms: int, durable: int, after: int) -> None:
        """A seat's own view, after at least this entry of its table."""
        replica, line = self.replicas[table], self._lines[who, table]
        start = max(line.place, after)
        found = self._seat_place(you, replica, seat, start)
        if found is None:
            self._seat_is_wrong(you, replica, seat, start, who, at_ms)
            return
        line.place = found
        if found > durable:
            words = f"table {table}: as it was after entry {found}, and {durable} are on the disk"
            self.wrong(Violation("shown before durable", words, at_ms, who))

    def rows(self, rows: Iterable[View], who: str, at_ms: int) -> None:
        """Tables in the lobby or in the pit's list: coarse, and never back."""
        for row in rows:
            replica = self.replicas.get(row["table"])
            if replica is None:
                continue
            start = self._rows[who, row["table"]]
            found = next((n for n in range(start, len(replica.tables)) if _row_fits(row, replica, n)), None)
            if found is None:
                words = f"table {row['table']} in round {row['round']}, {row['phase']}, {' '.join(row['results'])}"
                self.wrong(Violation("shown and not there", words, at_ms, who))
            else:
                self._rows[who, row["table"]] = found

    def terminals(self, lines: Iterable[View], table: str, who: str, at_ms: int, durable: int) -> None:
        """What staff is shown of terminals: some moment of each."""
        replica = self.replicas[table]
        for line in lines:
            history = replica.seats.get(line["seat"]) or SeatHistory()
            said = (line["credit_cents"], line["owed_cents"], bool(line["locked"]))
            moments = zip(history.entries, history.were, strict=True)
            found = next((n for n, at in moments if (at.credit, at.owed, at.locked) == said), None)
            if found is None:
                words = f"seat {line['seat']} of table {table} was never at {said[0]} cents, owing {said[1]}"
                self.wrong(Violation("balance reported wrong", words, at_ms, who))
            elif found > durable:
                words = f"seat {line['seat']} of table {table} as after entry {found}, and {durable} are on the disk"
                self.wrong(Violation("shown before durable", words, at_ms, who))

    def glance(self, seen: View, table: str, who: str, at_ms: int, durable: int) -> None:
        """A table and its console as staff asks for them, at some moment: the first that fits counts."""
        replica, view = self.replicas[table], seen["table"]
        key = (view["round"], view["phase"], len(view["cards"]), sum(view["laid"].values()))
        for n in replica.index.get(key, ()):
            if next(wrong_with_table(view, replica, n), None) is None:
                if n > durable:
                    words = f"table {table}: as after entry {n}, and {durable} are on the disk"
                    self.wrong(Violation("shown before durable", words, at_ms, who))
                return
        words = f"table {table} was never so in round {view['round']}, {view['phase']}"
        self.wrong(Violation("shown and not there", words, at_ms, who))

    # At the end.

    def judge(self) -> None:
        for table, chain in self.chains.items():
            replica = self.replicas.get(table)
            if replica is None:
                first = next(iter(chain.welcomes.values()))[0]
                self.wrong(Violation("shown and not there", f"there is no table {table}", first.at_ms, first.who))
                continue
            place = 0
            for key in sorted(chain.news):
                place = chain.places[key] = self._news(chain.news[key], replica, place)
            keys = sorted(chain.places)
            for beside, wrong_with in ((chain.welcomes, wrong_with_table), (chain.consoles, wrong_with_console)):
                for key, views in beside.items():
                    for shown in views:
                        self._after(shown, replica, _place_of(keys, chain.places, key), wrong_with)

    def _news(self, shown: ShownTable, replica: Replica, start: int) -> int:
        view = shown.view
        key = (view["round"], view["phase"], len(view["cards"]), sum(view["laid"].values()))
        candidates = replica.index.get(key, ())
        for n in candidates[bisect_left(candidates, start) :]:
            if next(wrong_with_table(view, replica, n), None) is None:
                if n > shown.durable:
                    words = f"table {replica.table}: as after entry {n}, and {shown.durable} are on the disk"
                    self.wrong(Violation("shown before durable", words, shown.at_ms, shown.who))
                return n
        self._is_wrong(shown, replica, range(start, min(start + NEAR, len(replica.tables))), wrong_with_table)
        return start

    def _after(
        self,
        shown: ShownTable,
        replica: Replica,
        low: int,
        wrong_with: Callable[[View, Replica, int], Iterator[str]],
    ) -> None:
        """It stands at or after the message of its number; how far after, nobody can say who sees the same twice: a
        table that is killed again and again goes on for hundreds of entries and sends no news."""
        for n in range(low, min(max(low, shown.durable) + FAR, len(replica.tables))):
            if next(wrong_with(shown.view, replica, n), None) is None:
                if n > shown.durable:
                    words = f"table {replica.table}: as after entry {n}, and {shown.durable} are on the disk"
                    self.wrong(Violation("shown before durable", words, shown.at_ms, shown.who))
                return
        self._is_wrong(shown, replica, range(low, min(low + NEAR, len(replica.tables))), wrong_with)

    def _is_wrong(
        self,
        shown: ShownTable,
        replica: Replica,
        near: Iterable[int],
        wrong_with: Callable[[View, Replica, int], Iterator[str]],
    ) -> None:
        fields, n = min(((list(wrong_with(shown.view, replica, n)), n) for n in near), key=lambda one: len(one[0]))
        if not fields:
            return
        is_console = wrong_with is wrong_with_console
        kind = "console shown wrong" if is_console else KINDS.get(fields[0], "status shown wrong")
        if len(set(fields)) >= STRANGE and not is_console:
            kind = "shown and not there"
        now = replica.tables[n]
        words = f"table {replica.table}, {_moment(shown.view)}: {', '.join(fields)} not as after entry {n} "
        words += f"(round {now.round}, {now.phase}, {' '.join(now.cards)})"
        self.wrong(Violation(kind, words, shown.at_ms, shown.who))

    # Seats.

    def _seat_place(self, you: View, replica: Replica, seat: int, start: int) -> int | None:
        began = replica.opened.get(you["round"])
        if began is None:
            return None
        start = max(start, began)
        ends = replica.opened.get(you["round"] + 1, len(replica.tables)) - 1
        history = replica.seats.get(seat) or SeatHistory()
        place = history.place(start)
        while start <= ends:
            at = history.were[place]
            last = history.entries[place + 1] - 1 if place + 1 < len(history.entries) else len(replica.tables) - 1
            if (at.credit, at.vouchers) == (you["credit_cents"], you["vouchers"]):
                seen = None
                for n in range(start, min(last, ends) + 1):
                    now = replica.tables[n]
                    if now is not seen and next(wrong_with_seat(you, at, now), None) is None:
                        return n
                    seen = now
            start, place = last + 1, place + 1
            if place >= len(history.entries):
                break
        return None

    def _seat_is_wrong(self, you: View, replica: Replica, seat: int, start: int, who: str, at_ms: int) -> None:
        last = len(replica.tables) - 1
        near = range(start, min(start + NEAR, last + 1))
        if not near:
            words = f"after entry {start} of table {replica.table}, which has {last}"
            self.wrong(Violation("shown and not there", words, at_ms, who))
            return
        wrong = [(list(wrong_with_seat(you, replica.seat_at(seat, n), replica.tables[n])), n) for n in near]
        fields, n = min(wrong, key=lambda one: len(one[0]))
        at = replica.seat_at(seat, n)
        kind = KINDS.get(fields[0], "status shown wrong")
        kind = "shown and not there" if len(set(fields)) >= STRANGE else kind
        words = f"seat {seat} of table {replica.table}: {', '.join(fields)} not as after entry {n}: shown "
        words += f"{you['credit_cents']} cents, {you['bets']}; it had {at.credit}, {at.bets}"
        self.wrong(Violation(kind, words, at_ms, who))


def _moment(view: View) -> str:
    return f"round {view['round']} {view['phase']}" if "phase" in view else "console"


def _place_of(keys: list[tuple[int, int]], places: dict[tuple[int, int], int], key: tuple[int, int]) -> int:
    """The entry that the message with this number is after; or the last one before it that anybody was shown."""
    at = bisect_left(keys, (key[0], key[1] + 1))
    return places[keys[at - 1]] if at else 0


def _row_fits(row: View, replica: Replica, n: int) -> bool:
    now = replica.tables[n]
    if (row["round"], row["phase"], row["status"]) != (now.round, now.phase, now.status):
        return False
    if list(row["results"]) != [one.road for one in now.results]:
        return False
    if "staked_cents" not in row:  # the lobby's
        is_over = now.declared and now.phase in ("complete", "settled")
        return row["winner"] is None or (is_over and row["winner"] == marked(now.ranks).winner)
    laid: Any = sum(nonzero(replica.laid[n]).values())
    cards = tuple(one["card"] for one in row["cards"])
    return bool((row["staked_cents"], cards, row["dealer"]) == (laid, now.cards, now.dealer))

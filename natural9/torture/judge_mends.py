"""What is put right afterwards: the cards of an earlier round, by which every seat gets exactly the difference, and a
manager's ruling, which moves exactly the bet that it names. By the outside pay tables, from the bets as they lay."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from natural9.torture.clause_book import clause_of, document_of, rules
from natural9.torture.replica import Record, Replica
from natural9.torture.seen import Violation

RANKS: Final = ["", *rules.RANKS]
RECORD: Final = "interpretation record-of-a-card"
RULING: Final = {
    "mbs": "mbs 6.1",
    "rws-nc": "rws-nc 5.12",
    "rws-nc-insurance": "interpretation shift-manager-where-silent",
    "rws-nc-super-six-plus": "rws-nc-super-six-plus 1:void",
}
ORDERED: Final = frozenset({"correct-card", "correct-result"})
LATE: Final = frozenset({"settlement-reversed", "bet-voided", "bets-returned", "insurance-returned"})


class Stake(NamedTuple):
    wager: str
    window: str  # of insurance
    odds: str | None  # that it was offered
    cents: int


class RoundOver:
    """An earlier round, or the one at the table once it is settled: what lay, and what each seat has been returned."""

    def __init__(self, replica: Replica, number: int) -> None:
        after = replica.opened.get(number + 1)
        end = len(replica.tables) - 1 if after is None else after - 1
        now = replica.tables[end]
        self.game, self.is_settled, self.cards = now.rules, now.phase == "settled", now.cards
        self.stakes: dict[int, list[Stake]] = {}
        self.withdrawn: dict[int, dict[str, int]] = {}
        self.returned: dict[int, int] = {}
        self.rulings: dict[tuple[int, str], tuple[int, int]] = {}  # the stake, and what it returns
        for seat, history in replica.seats.items():
            at = history.at(end)
            stakes = [Stake(wager, "", None, cents) for wager, cents in at.bets.items()]
            for window, hand, cents in at.insurance:
                odds = rules.insurance_odds(window, f"{hand}-insurance", now.ranks)
                stakes.append(Stake(f"{hand}-insurance", window, odds, cents))
            self.withdrawn[seat] = dict(at.withdrawn)
            if stakes:
                self.stakes[seat], self.returned[seat] = stakes, at.returned or 0

    @property
    def ranks(self) -> str:
        return "".join([card[0] for card in self.cards])

    def lies(self, seat: int, wager: str) -> int:
        return sum(one.cents for one in self.stakes.get(seat, ()) if one.wager == wager)

    def back(self, seat: int) -> list[Stake]:
        """Insurance that these cards did not offer."""
        insured = [one for one in self.stakes[seat] if one.window]
        return [one for one in insured if rules.insurance_odds(one.window, one.wager, self.ranks) != one.odds]

    def paid(self, seat: int, wager: str = "") -> int:
        """By the cards alone, on this wager or on all; insurance that goes back not counted."""
        back = self.back(seat)
        kept = [one for one in self.stakes[seat] if one not in back and wager in ("", one.wager)]
        return sum(
            int(one.cents * rules.part(rules.pays(self.game, one.wager, one.window, self.ranks))) for one in kept
        )

    def ought(self, seat: int) -> int:
        """All that the seat is returned by the cards that lie, and by rulings on bets that are still so much."""
        back = sum(one.cents for one in self.back(seat))
        ruled = 0
        for (of, wager), (stake, to) in self.rulings.items():
            kept = self.lies(seat, wager) - sum(one.cents for one in self.back(seat) if one.wager == wager)
            if of == seat and kept == stake:
                ruled += to - self.paid(seat, wager)
        return self.paid(seat) + back + ruled

    def has_returned(self, seat: int, wager: str, stake: int) -> int:
        """This bet, so far."""
        if (ruled := self.rulings.get((seat, wager))) and ruled[0] == stake:
            return ruled[1]
        return self.paid(seat, wager) if self.lies(seat, wager) else stake


class MendJudge:
    """Of one table; is asked before an entry is folded."""

    def __init__(self, replica: Replica, wrong: Callable[[Violation], None]) -> None:
        self._replica, self._wrong = replica, wrong
        self._rounds: dict[int, RoundOver] = {}
        self._unsure: set[int] = set()  # rounds that were settled anew after a ruling: the verifier's affair alone
        self._due: dict[int, int] = {}  # seats that a correction owes a settlement, and what that returns
        self._now = 0  # the earlier round that is corrected

    def check(self, kind: str, r: Record, body: Record, moved: list[list[Any]]) -> None:
        if kind == "bet-ruled":
            self._ruled(r, body, moved)
        elif kind == "earlier-cards-corrected":
            self._corrected(r, body)
        elif kind == "earlier-seat-settled":
            self._settled(r, moved)
        elif kind == "betting-opened":
            self.end()
        elif kind in LATE and (now := self._replica.now.round) in self._rounds:
            del self._rounds[now]
            self._unsure.add(now)

    def end(self) -> None:
        """Nobody is left out."""
        for seat, cents in self._due.items():
            self._say(
                "earlier round paid wrong", f"round {self._now}: seat {seat} should have {cents}, and is left out"
            )
        self._due.clear()

    def _of(self, number: int) -> RoundOver | None:
        if number in self._unsure or number not in self._replica.opened:
            return None
        if number not in self._rounds:
            self._rounds[number] = RoundOver(self._replica, number)
        return self._rounds[number]

    # A ruling.

    def _ruled(self, r: Record, body: Record, moved: list[list[Any]]) -> None:
        seat, wager, number = r["seat"], r["wager"], r["round"]
        if body.get("type") != "rule-on-bet":  # what was ruled stands in a settlement that was made anew
            self._unsure.add(number)
            return
        over = self._of(number)
        if over is None:
            return
        asked = body["command"].get("command", {}) if "command" in body else {}
        named = (asked.get("seat", seat), asked.get("wager", wager), asked.get("round") or number)
        stake = over.lies(seat, wager) or over.withdrawn.get(seat, {}).get(wager, 0)
        was = over.has_returned(seat, wager, stake)
        if named != (seat, wager, number) or (r["stake_cents"], r["was_cents"]) != (stake, was):
            words = (
                f"{asked}: seat {seat}'s {wager} of round {number}, {r['stake_cents']} that returned {r['was_cents']}"
            )
            self._say("ruled on another bet", f"{words}; it is {stake} that returned {was}")
        self._moves("ruled on another bet", seat, r["returned_cents"] - was, moved)
        if r["paragraph"] != (should := RULING[document_of(over.game)]):
            self._say("wrong paragraph", f"a ruling by {r['paragraph']}, and it is {should}")
        over.rulings[seat, wager] = (stake, r["returned_cents"])
        if over.lies(seat, wager):
            over.returned[seat] += r["returned_cents"] - was

    # Cards.

    def _corrected(self, r: Record, body: Record) -> None:
        self.end()
        number, over = r["round"], self._of(r["round"])
        if over is None:
            return
        if tuple(r["was"]) != over.cards:
            self._say("earlier round paid wrong", f"round {number} had {over.cards}, and not {r['was']}")
        before = over.ranks
        over.cards, self._now = tuple(r["cards"]), number
        is_changed = False
        if over.is_settled and before != over.ranks:
            is_changed = rules.outcome(before) != rules.outcome(over.ranks) or any(map(over.back, over.stakes))
        if over.is_settled:
            ought = {seat: over.ought(seat) for seat in over.stakes}
            self._due = {seat: to for seat, to in ought.items() if to != over.returned[seat] or over.back(seat)}
        if body.get("type") in ORDERED:
            self._may(r, body, over, is_changed, is_other=before != over.ranks)

    def _may(self, r: Record, body: Record, over: RoundOver, is_changed: bool, *, is_other: bool) -> None:
        """Another suit is the dealer's to correct, another rank a supervisor's, a result the shift manager's."""
        lowest = "shift-manager" if is_changed else "pit-supervisor" if is_other else "dealer"
        if RANKS.index(body.get("rank", "")) < RANKS.index(lowest):
            self._say("too low a rank", f"round {r['round']} is corrected by a {body.get('rank')}: it takes a {lowest}")
        should = RECORD
        if is_changed:
            clause = clause_of(over.game, "wrong-result", len(over.cards))
            should = next(paragraph for remedy, paragraph, _ in clause.remedies if remedy == "settle-by-cards")
        if r["paragraph"] != should:
            self._say("wrong paragraph", f"round {r['round']} is corrected by {r['paragraph']}, and it is {should}")

    def _settled(self, r: Record, moved: list[list[Any]]) -> None:
        seat, over = r["seat"], self._of(r["round"])
        if over is None:
            return
        should, was = self._due.pop(seat, over.returned.get(seat, 0)), over.returned.get(seat, 0)
        if (r["was_cents"], r["returned_cents"]) != (was, should):
            words = f"round {r['round']}, seat {seat}: {r['returned_cents']} after {r['was_cents']}"
            self._say("earlier round paid wrong", f"{words}; it is {should} after {was}")
        self._moves("earlier round paid wrong", seat, should - was, moved)
        if seat in over.stakes:
            back = over.back(seat)
            over.stakes[seat] = [one for one in over.stakes[seat] if one not in back]
            over.returned[seat] = should - sum(one.cents for one in back)

    def _moves(self, kind: str, seat: int, more: int, moved: list[list[Any]]) -> None:
        """The house pays so much more, to this seat and nobody else."""
        table = self._replica.table
        mine = {f"credit/{table}-{seat}", f"owed/{table}-{seat}", f"house/{table}", f"stake/{table}"}
        touched = {account for _, source, target, _ in moved for account in (source, target)}
        house = sum(
            cents * ((source == f"house/{table}") - (target == f"house/{table}")) for _, source, target, cents in moved
        )
        if house != more or not touched <= mine:
            self._say(kind, f"seat {seat} should have {more} more, and {moved} was moved")

    def _say(self, kind: str, words: str) -> None:
        where = f"table {self._replica.table}, entry {len(self._replica.tables)}"
        self._wrong(Violation(kind, f"{where}: {words}", 0, "journal"))

"""What the outside verifier leaves out of a table's journal, judged by docs/journal.md: limits, locks, faults, phases,
who may what, clauses with their paragraphs, and whether a void was needed. `check` comes before an entry is folded."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from natural9.torture.clause_book import document_of, rules
from natural9.torture.judge_taps import TapJudge
from natural9.torture.replica import BETWEEN, QUIET, Record, Replica, TableNow
from natural9.torture.road import offers, phase_by_cards
from natural9.torture.seen import Violation
from natural9.torture.view_fields import DEALING, WINDOWS, may_decide

RANKS: Final = ["", *rules.RANKS]
IN_A_FAULT: Final = frozenset(
    [
        "betting-opened",
        "betting-closed",
        "bet-placed",
        "insurance-placed",
        "card-dealt",
        "insurance-opened",
        "insurance-closed",
        "result-declared",
        "seat-settled",
        "round-settled",
        "credit-bought",
        "voucher-inserted",
        "credit-bought",
        "voucher-inserted",
    ]
)
OF_PLAY: Final = frozenset(
    ["bet-placed", "betting-closed", "card-dealt", "insurance-opened", "insurance-placed", "insurance-closed"]
)
BETS: Final = frozenset(["bet-placed", "bet-taken-back", "bets-cleared", "insurance-placed"])
DEALT: Final = frozenset(
    [
        "open-betting",
        "close-betting",
        "deal",
        "open-insurance",
        "close-insurance",
        "declare",
        "settle",
        "burn",
        "burn-face-down",
    ]
)
# The lowest rank for each command; those of the cash desk may be a cashier's, who has none.
LOWEST: Final = {
    **dict.fromkeys(
        [
            "open-betting",
            "close-betting",
            "deal",
            "declare",
            "settle",
            "cut-card",
            "burn",
            "report",
            "decide",
            "sign-on",
        ],
        "dealer",
    ),
    **dict.fromkeys(["open-insurance", "close-insurance", "lock-terminal", "take-call", "clear-call"], "dealer"),
    **dict.fromkeys(
        ["pause-table", "resume-table", "unlock-terminal", "clear-fault", "freeze-round"], "pit-supervisor"
    ),
    **dict.fromkeys(["take-alarm", "release-seat", "waive-insurance", "take-back-waiver"], "pit-supervisor"),
    **dict.fromkeys(["open-table", "close-table", "change-limits", "void-voucher"], "pit-manager"),
    **dict.fromkeys(["void-round", "rule-on-bet"], "shift-manager"),
}
# The paragraphs of the ordinary steps: opens, closes, initial deal, Table of Play, winner, cut card, settlement, void.
STEPS: Final = (
    "betting-opened",
    "betting-closed",
    "initial",
    "third",
    "result-declared",
    "cut",
    "round-settled",
    "void",
)
_CUT, _VOID = "interpretation cut-card-finishes-the-round", "interpretation void-returns-everything"
PARAGRAPHS: Final = {
    document: dict(zip(STEPS, [word if " " in word else f"{document} {word}" for word in words], strict=True))
    for document, words in {
        "mbs": ("3.1", "3.2", "3.6", "3.8", "3.9", "3.10", "1.1.13", _VOID),
        "rws-nc": ("3.3", "3.7", "3.8", "3.10", "3.11", _CUT, "3.13", "5.11"),
        "rws-nc-insurance": ("3.1", "3.2", "3.4", "3.7", "3.8", _CUT, "4.1.1", _VOID),
        "rws-nc-super-six-plus": ("3.1", "3.2", "3.4", "3.6", "3.9", _CUT, "4.1.1", "1:void"),
    }.items()
}
# What a decision that was begun ends with; and what may stand in between.
ENDS: Final = {"seat-settled": "round-settled", "bets-returned": "round-voided", "settlement-reversed": ""}
BESIDE: Final = frozenset(
    [
        "bet-ruled",
        "play-counted",
        "debt-left",
        "session-started",
        "cards-corrected",
        "insurance-returned",
        "result-declared",
        "credit-sent-home",
        "credit-came-home",
        "irregularity-decided",
        "request-refused",
    ]
)


class Doing(NamedTuple):
    """Who an entry goes back to, and what they asked."""

    origin: str  # staff, terminal, reader, program ...
    by: str
    rank: str
    type: str

    @classmethod
    def of(cls, body: Record) -> "Doing":
        return cls(body["from"], body.get("by", ""), body.get("rank", ""), body.get("type", ""))


class PlayJudge:
    """Of one table."""

    def __init__(
        self, replica: Replica, wrong: Callable[[Violation], None], roles: dict[str, set[str]], short_ms: int | None
    ) -> None:
        self.replica, self._wrong, self._roles, self._short_ms = replica, wrong, roles, short_ms
        self._taps = TapJudge(replica, self.wrong)
        self._begun = ""  # a decision that is not complete yet, by its first kind
        self._brief: bool | None = None  # the last interruption of this round
        self._reported_by = ""  # what was decided last: "" for what the program noted itself

    def wrong(self, kind: str, words: str) -> None:
        number = len(self.replica.tables)
        self._wrong(Violation(kind, f"table {self.replica.table}, entry {number}: {words}", 0, "journal"))

    def check(self, kind: str, r: Record, body: Record) -> None:
        self._taps.check(kind, r, body)
        if kind in QUIET:  # a refusal, or what is only told
            return
        now, doing = self.replica.now, Doing.of(body)
        if now.faults and kind in IN_A_FAULT:
            self.wrong("played in a fault", f"{kind} with {', '.join(now.faults)}")
        if now.pending and kind in OF_PLAY:
            self.wrong("played over a report", f"{kind} while {now.pending[0]['kind']} waits")
        if kind in BETS:
            self._bet(kind, r, now, doing)
        else:
            self._who(kind, now, doing)
            if check := _CHECKS.get(kind):
                check(self, r, now, doing)
        self._complete(kind)

    # Bets.

    def _bet(self, kind: str, r: Record, now: TableNow, doing: Doing) -> None:
        seat, cents = r["seat"], r["cents"]
        if (doing.origin, doing.by) != ("terminal", f"{self.replica.table}-{seat}"):
            self.wrong("bet of somebody else", f"{kind} at seat {seat} by {doing.origin} {doing.by}")
        if kind in ("bet-taken-back", "bets-cleared"):
            if now.phase != "betting-open":
                self.wrong("out of turn", f"{kind} in {now.phase}")
            return
        at = self.replica.seats[seat].now
        if at.locked:
            self.wrong("bet from a locked terminal", f"seat {seat}, {cents} cents")
        self._own_limits(r, now)
        in_turn = now.phase == "betting-open" if kind == "bet-placed" else now.window_open
        if not in_turn:
            self.wrong("out of turn", f"{kind} in {now.phase}")
        if cents % now.unit or cents < 1:
            self.wrong("bet outside limits", f"{cents} cents at seat {seat}, and the unit is {now.unit}")
        if kind == "bet-placed":
            least, largest = now.takes.get(r["wager"], (0, 10**15))
            lies = at.bets.get(r["wager"], 0) + cents
            if not least <= lies <= largest:
                self.wrong(
                    "bet outside limits", f"seat {seat}: {lies} on {r['wager']}, which takes {least} to {largest}"
                )
        limits = now.limits
        if not limits:
            return
        most = limits["seat_max_cents"]
        if most is not None and at.staked + cents > most:
            self.wrong("bet outside limits", f"seat {seat} stakes {at.staked + cents}, and may {most}")
        if limits["table_max_cents"] is not None:
            total = sum(one.staked for one in self.replica.betting_seats(len(self.replica.tables)).values())
            if total + cents > limits["table_max_cents"]:
                self.wrong("bet outside limits", f"the table stakes {total + cents} of {limits['table_max_cents']}")

    def _own_limits(self, r: Record, now: TableNow) -> None:
        at = self.replica.seats[r["seat"]].now
        sitting = at.sitting
        if at.barred:
            self.wrong("bet while play waits", f"seat {r['seat']}: the player is barred")
        if sitting is None:
            return
        if sitting.waits_for:
            self.wrong("bet while play waits", f"seat {r['seat']} waits for a {sitting.waits_for}")
        risk = at.away + at.staked + r["cents"]
        if sitting.stake_cents is not None and risk > sitting.stake_cents:
            self.wrong("bet while play waits", f"seat {r['seat']} stakes {risk}, and has set {sitting.stake_cents}")
        if sitting.loss_cents is not None:
            money = sitting.out_cents + at.credit - r["cents"] - (at.owed - sitting.owed_cents)
            lost = sitting.lost_before_cents + sitting.came_cents - money
            if lost > sitting.loss_cents:
                self.wrong(
                    "bet while play waits", f"seat {r['seat']} may lose {lost}, and has set {sitting.loss_cents}"
                )

    # Who.

    def _who(self, kind: str, now: TableNow, doing: Doing) -> None:
        if doing.type in DEALT and doing.origin == "program" and now.mode == "dealer":
            self.wrong("dealt by nobody", f"{kind} by the program")
        if doing.origin != "staff":
            return
        lowest = LOWEST.get(doing.type, "")
        if RANKS.index(doing.rank) < RANKS.index(lowest):
            self.wrong("too low a rank", f"{doing.type} by {doing.by} as {doing.rank or 'nobody'}: it takes a {lowest}")
        had = self._roles.get(doing.by)
        if had and doing.rank and doing.rank not in had:
            self.wrong("too low a rank", f"{doing.by} acts as {doing.rank}, and was only {', '.join(sorted(had))}")

    # A decision is complete, or not begun.

    def _complete(self, kind: str) -> None:
        if kind in ENDS and not self._begun:
            self._begun = kind
        elif kind in ("round-settled", "round-voided"):
            self._begun = ""
        elif self._begun == "settlement-reversed" and kind == "cards-corrected":
            self._begun = "cards-corrected"
        elif self._begun == "cards-corrected" and kind not in ENDS and kind not in BESIDE:
            self._begun = ""
        elif self._begun and kind not in ENDS and kind not in BESIDE:
            self.wrong("decision left half done", f"{kind} comes after a {self._begun} that is not complete")
            self._begun = ""

    def end(self) -> None:
        if self._begun and self._begun != "cards-corrected":
            self.wrong("decision left half done", f"it stops after {self._begun}")

    # Each step.

    def _paragraph(self, now: TableNow, step: str, said: str, game: str = "") -> None:
        should = PARAGRAPHS[document_of(game or now.rules)][step]
        if said != should:
            self.wrong("wrong paragraph", f"{step} by {said}, and it is {should}")

    def _opened(self, r: Record, now: TableNow, doing: Doing) -> None:
        self._brief = None
        self._paragraph(now, "betting-opened", r["paragraph"], r["game"])
        if now.phase not in BETWEEN or now.status != "open":
            self.wrong("out of turn", f"betting opens in {now.phase} at a table that is {now.status}")
        if now.required and not now.new:
            self.wrong("out of turn", "betting opens on cards that must be replaced")
        if now.new and ((now.new.burns and not now.new.card) or now.new.to_come):
            self.wrong("out of turn", "betting opens before the first cards are burnt")
        if now.limits and (r["betting_unit_cents"], r["limits"]) != (
            now.limits["betting_unit_cents"],
            now.limits["limits"],
        ):
            self.wrong("bet outside limits", "a round opens with other limits than were last set")

    def _closed(self, r: Record, now: TableNow, doing: Doing) -> None:
        self._paragraph(now, "betting-closed", r["paragraph"])
        if now.phase != "betting-open":
            self.wrong("out of turn", f"betting closes in {now.phase}")
        least = now.limits.get("seat_min_cents", 0)
        for seat, at in self.replica.betting_seats(len(self.replica.tables)).items() if least else ():
            if 0 < at.staked < least:
                self.wrong("bet outside limits", f"seat {seat} stakes {at.staked}, and must {least}")

    def _card(self, r: Record, now: TableNow, doing: Doing) -> None:
        self._paragraph(now, "initial" if len(now.cards) < 4 else "third", r["paragraph"])
        if now.phase not in DEALING or now.window_open:
            self.wrong("out of turn", f"a card in {now.phase}")
        self._phase(r["phase"], now, now.ranks + r["card"][0], next_known=len(now.held) > 1)

    def _phase(self, said: str, now: TableNow, ranks: str, *, next_known: bool) -> None:
        should = phase_by_cards(now.rules, ranks, waived=now.waived, next_known=next_known)
        if said != should:
            kind = "insurance not offered" if should in WINDOWS or said in WINDOWS else "out of turn"
            self.wrong(kind, f"after {ranks} it is {should}, not {said}")

    def _declared(self, r: Record, now: TableNow, doing: Doing) -> None:
        self._paragraph(now, "result-declared", r["paragraph"])
        if now.phase != "complete" or now.declared:
            self.wrong("out of turn", f"a result is declared in {now.phase}")

    def _settled(self, r: Record, now: TableNow, doing: Doing) -> None:
        self._paragraph(now, "round-settled", r["paragraph"])
        if now.phase != "complete" or not now.declared:
            self.wrong("out of turn", f"it is settled in {now.phase}")

    def _cut(self, r: Record, now: TableNow, doing: Doing) -> None:
        self._paragraph(now, "cut", r["paragraph"])
        if now.cut:
            self.wrong("out of turn", "the cut card appears twice in a shoe")

    def _insurance_opened(self, r: Record, now: TableNow, doing: Doing) -> None:
        window = WINDOWS.get(now.phase, "")
        if r["window"] != window or now.window_open:
            self.wrong("out of turn", f"insurance opens in {now.phase}")
        elif r["offers"] != offers(window, now.ranks):
            self.wrong("insurance not offered", f"{r['offers']} after {now.ranks}: it is {offers(window, now.ranks)}")

    def _insurance_closed(self, r: Record, now: TableNow, doing: Doing) -> None:
        if not now.window_open:
            self.wrong("out of turn", f"insurance closes in {now.phase}, and is not open")
        if r["phase"] != f"{rules.next_hand(now.ranks)}s-third":
            self.wrong("out of turn", f"after insurance comes {r['phase']}")

    def _reported(self, r: Record, now: TableNow, doing: Doing) -> None:
        may = may_decide(now, r)
        if (r["rank"], [tuple(one) for one in r["remedies"]]) != (may.rank, list(may.remedies)):
            words = f"{r['kind']} in {now.phase}: {r['rank']} may {r['remedies']}; it is {may.rank}, {may.remedies}"
            self.wrong("wrong clause", words)

    def _decided(self, r: Record, now: TableNow, doing: Doing) -> None:
        report = next((one for one in now.pending if one["report"] == r["report"]), None)
        if report is None:
            self.wrong("wrong clause", f"report {r['report']} is decided, and does not wait")
            return
        self._reported_by = report["by"]
        may = may_decide(now, report)
        if (r["remedy"], r["paragraph"]) not in may.remedies or r["previous_stand"] != may.stand:
            words = f"{r['remedy']} by {r['paragraph']} ({r['previous_stand']}) for {r['kind']}: {may.remedies}"
            self.wrong("wrong clause", words)
        by_program = not r["by"] and r["kind"] == "table-interruption"
        if not by_program and RANKS.index(r["rank"]) < RANKS.index(may.rank):
            self.wrong("too low a rank", f"{r['kind']} is decided by a {r['rank']}: it takes a {may.rank}")

    def _voided(self, r: Record, now: TableNow, doing: Doing) -> None:
        self._paragraph(now, "void", r["paragraph"])
        if r.get("kind") == "table-interruption" and self._brief and not self._reported_by:
            self.wrong("voided without need", f"round {now.round}, after a brief interruption")

    def _interrupted(self, r: Record, now: TableNow, doing: Doing) -> None:
        self._brief = r["brief"] if self._brief is None else self._brief and r["brief"]
        away, short = r["away_ms"], self._short_ms
        if short is None:
            return
        may_be_brief = away > 0 and away <= short and "shoe-seal" not in now.faults
        if may_be_brief and not r["brief"]:
            self.wrong("voided without need", f"away for {away} ms, which is brief, and counted as long")
        elif r["brief"] and away > short:
            self.wrong("out of turn", f"away for {away} ms, which is long, and counted as brief")

    def _closes_table(self, r: Record, now: TableNow, doing: Doing) -> None:
        if now.in_play or now.dealer:
            self.wrong("out of turn", f"the table closes in {now.phase}, with {now.dealer or 'nobody'} signed on")

    def _corrected(self, r: Record, now: TableNow, doing: Doing) -> None:
        ranks = "".join(card[0] for card in r["cards"])
        if now.phase in ("void", "betting-open") or ranks == now.ranks:
            return
        should = phase_by_cards(now.rules, ranks, waived=now.waived, next_known=bool(r["held"]))
        also = {should, f"{rules.next_hand(ranks)}s-third"} if should in WINDOWS else {should}
        if r["phase"] not in also:
            self.wrong("out of turn", f"corrected to {ranks} it is {should}, not {r['phase']}")


_CHECKS: Final[dict[str, Any]] = {
    "betting-opened": PlayJudge._opened,
    "betting-closed": PlayJudge._closed,
    "card-dealt": PlayJudge._card,
    "result-declared": PlayJudge._declared,
    "round-settled": PlayJudge._settled,
    "cut-card-appeared": PlayJudge._cut,
    "insurance-opened": PlayJudge._insurance_opened,
    "insurance-closed": PlayJudge._insurance_closed,
    "irregularity-reported": PlayJudge._reported,
    "irregularity-decided": PlayJudge._decided,
    "round-voided": PlayJudge._voided,
    "round-interrupted": PlayJudge._interrupted,
    "table-closed": PlayJudge._closes_table,
    "cards-corrected": PlayJudge._corrected,
}

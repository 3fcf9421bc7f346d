"""What a view must say, field by field, of a table that stands so: each difference has a name.

Written from the protocol's own words and docs/journal.md; who was shown it does not matter here.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from natural9.torture.clause_book import rules, what_may_be_decided
from natural9.torture.replica import Replica, TableNow
from natural9.torture.replica_seats import AtSeat
from natural9.torture.road import laid_out, marked, offers

View = dict[str, Any]
DEALING: Final = ("bets-closed", "initial-deal", "players-third", "bankers-third")
WINDOWS: Final = {"four-cards-insurance": "four-cards", "third-card-insurance": "third-card"}
MAIN: Final = ("player", "banker")


def nonzero(amounts: View) -> View:
    return {name: cents for name, cents in amounts.items() if cents}


def wrong_with_table(view: View, replica: Replica, number: int) -> Iterator[str]:
    """The fields that are not as the table stood after that entry."""
    now = replica.tables[number]
    ranks = now.ranks
    lies = laid_out(ranks)
    shoe = view["shoe"]
    if (view["status"], set(view["faults"])) != (now.status, set(now.faults)):
        yield "status"
    if (view["round"], view["phase"], view["in_play"]) != (now.round, now.phase, now.in_play):
        yield "phase"
    if [(one["card"], one["hand"], one["total"]) for one in view["cards"]] != list(
        zip(now.cards, lies.hands, lies.totals, strict=True)
    ):
        yield "cards"
    if (view["player_total"], view["banker_total"], tuple(view["naturals"])) != (
        lies.player,
        lies.banker,
        lies.naturals,
    ):
        yield "totals"
    dealing, drawn = now.phase in DEALING, now.in_play
    if (view["due"], view["draws"]) != (lies.due if dealing else None, lies.due if drawn else None):
        yield "due"
    if nonzero(view["laid"]) != nonzero(replica.laid[number]):
        yield "laid"
    takes = now.phase == "betting-open" and not now.faults and now.status != "closed" and not now.pending
    if view["takes_bets"] is not takes:
        yield "takes_bets"
    if _shoe(now) != [shoe["number"], shoe["cards_left"], shoe["cut_card"], shoe["commitment"]]:
        yield "shoe"
    if shoe["next_commitment"] != now.next_commitment or _burnt(now) != [shoe["burnt"], shoe["next_burnt"]]:
        yield "shoe"
    if (view["window"], view["window_open"], view["waived"]) != (
        WINDOWS.get(now.phase),
        now.window_open,
        now.waived,
    ):
        yield "window"
    window = WINDOWS.get(now.phase)
    if {one["hand"]: one["odds"] for one in view["offers"]} != (offers(window, ranks) if window else {}):
        yield "offers"
    if view["interrupted_ms"] != now.interrupted_ms:
        yield "interrupted_ms"
    if view["squeeze"]:
        if not view["squeeze"]["opened"] == now.opened < len(now.cards):
            yield "squeeze"
    elif replica.is_squeezed and _lies_face_down(now, replica.laid[number]):
        yield "squeeze"
    yield from _wrong_result(view, now)
    yield from _wrong_road(view, now)
    yield from _wrong_waiting(view, now)
    yield from _wrong_limits(view, now)
    yield from _wrong_boxes(view, replica, number)


def _lies_face_down(now: TableNow, laid: View) -> bool:
    return now.in_play and not now.pending and bool(nonzero(laid)) and now.opened < len(now.cards)


def _shoe(now: TableNow) -> list[object]:
    return [now.shoe, now.left, now.cut, now.commitment]


def _burnt(now: TableNow) -> list[View | None]:
    burnt = {"card": now.burnt[0], "face_down": now.burnt[1], "to_come": 0} if now.burnt else None
    new = now.new
    if new is None or not new.burns:
        return [burnt, None]
    return [burnt, {"card": new.card, "face_down": new.face_down, "to_come": new.to_come}]


def _wrong_result(view: View, now: TableNow) -> Iterator[str]:
    result, voided = view["result"], view["voided"]
    is_shown = now.declared and now.phase in ("complete", "settled")
    if (result is not None) != is_shown:
        yield "result"
    elif result:
        mark = marked(now.ranks)
        keeps = [wager for wager in now.offered if rules.pays(now.rules, wager, "", now.ranks) is not None]
        wins = [wager for wager in keeps if rules.pays(now.rules, wager, "", now.ranks) != "push"]
        said = [result[name] for name in ("winner", "player_total", "banker_total", "natural")]
        said += [result["player_pair"], result["banker_pair"], result["round"]]
        if (
            said != [*mark[:6], now.round]
            or sorted(result["won"]) != sorted(wins)
            or sorted(result["rows"]) != sorted(keeps)
        ):
            yield "result"
    if (voided is not None) != (now.voided is not None) or (
        voided and now.voided and (voided["kind"], voided["clause"], voided["why"]) != now.voided
    ):
        yield "voided"


def _wrong_road(view: View, now: TableNow) -> Iterator[str]:
    if list(view["results"]) != [one.road for one in now.results]:
        yield "results"
    tally = Counter(natural=sum("n" in one.road for one in now.results))
    for one in now.results:
        tally.update(one.won)
    if nonzero(view["tallies"]) != nonzero(tally):
        yield "tallies"


def _wrong_waiting(view: View, now: TableNow) -> Iterator[str]:
    if not view["waiting"] and not now.pending:
        return
    said = [
        (one["report"], one["kind"], one["rank"], [(r["remedy"], r["paragraph"]) for r in one["remedies"]])
        for one in view["waiting"]
    ]
    should = []
    for one in now.pending:
        may = may_decide(now, one)
        should.append((one["report"], one["kind"], may.rank, list(may.remedies)))
    if said != should:
        yield "waiting"


def may_decide(now: TableNow, report: View) -> Any:
    return what_may_be_decided(
        now.rules,
        now.offered,
        report["kind"],
        phase=now.phase,
        cards=now.cards,
        held=now.held,
        names_cards=bool(report["cards"]),
        earlier=report["about_round"] is not None,
        confirm=report["confirm"],
    )


LIMITS: Final = ("betting_unit_cents", "seat_min_cents", "seat_max_cents", "table_max_cents")


def _wrong_limits(view: View, now: TableNow) -> Iterator[str]:
    if not now.limits:  # none were ever set: those of the venue file
        return
    same = all(view[name] == now.limits[name] for name in LIMITS)
    if not same or view["limits"] != now.limits["limits"]:
        yield "limits"


def _wrong_boxes(view: View, replica: Replica, number: int) -> Iterator[str]:
    boxes = view["boxes"]
    if not boxes:
        return
    at = replica.betting_seats(number) if replica.tables[number].boxes else {}
    said = {seat: nonzero(bets) for seat, bets in boxes.items() if nonzero(bets)}
    if said != {str(seat): _chips(one) for seat, one in at.items()}:
        yield "boxes"


def _chips(one: AtSeat) -> dict[str, int]:
    chips = Counter(one.bets)
    for _, hand, cents in one.insurance:
        chips[f"{hand}-insurance"] += cents
    return dict(chips)


SEAT_LINE: Final = ("wager", "stake_cents", "result", "odds", "returned_cents", "net_cents")


def wrong_with_seat(you: View, at: AtSeat, now: TableNow) -> Iterator[str]:
    """The fields of a seat's own view that are not as the seat stood; the round is the table's."""
    if (you["credit_cents"], you["owed_cents"]) != (at.credit, at.owed):
        yield "credit_cents"
    if nonzero(you["bets"]) != at.bets:
        yield "bets"
    if [(one["window"], one["hand"], one["cents"]) for one in you["insurance"]] != list(at.insurance):
        yield "insurance"
    if you["round"] != now.round or you["staked_cents"] != at.staked:
        yield "staked_cents"
    if nonzero(you["last_bets"]) != at.last_bets:
        yield "last_bets"
    for name, lines in (("lines", at.lines), ("insurance_lines", at.insurance_lines)):
        if [tuple([line[part] for part in SEAT_LINE]) for line in you[name]] != list(lines):
            yield name
    void_back = at.void_returned if now.voided else None
    if you["returned_cents"] != (at.returned if at.returned is not None else void_back):
        yield "returned_cents"
    if (bool(you["locked"]), you["vouchers"]) != (at.locked, at.vouchers):
        yield "vouchers" if bool(you["locked"]) == at.locked else "locked"
    if (you["calls"], you["call_taken"]) != (at.call is not None, bool(at.call)):
        yield "calls"
    if (you["card"] or {}).get("number", "") != at.player:
        yield "card"
    if not now.window_open and (you["may_insure"] or you["net"] is not None):
        yield "may_insure"
    yield from _wrong_session(you["session"], at, now)


def _wrong_session(session: View | None, at: AtSeat, now: TableNow) -> Iterator[str]:
    sitting = at.sitting
    if session is None or sitting is None:
        if session is not None or sitting is not None:
            yield "session"
        return
    risk = at.away + (at.staked if now.in_play else 0)
    net = sitting.out_cents + at.credit + risk - (at.owed - sitting.owed_cents) - sitting.came_cents
    said = [session[name] for name in ("number", "net_cents", "in_cents", "out_cents", "staked_cents", "rounds")]
    should = [sitting.number, net, sitting.came_cents, sitting.out_cents, sitting.staked_cents, sitting.rounds]
    if said != should or session["waits_for"] != sitting.waits_for:
        yield "session"


def wrong_with_console(console: View, replica: Replica, number: int) -> Iterator[str]:
    now = replica.tables[number]
    lies = laid_out(now.ranks)
    due = lies.due if now.phase in DEALING else None
    seats = replica.betting_seats(number)
    if (console["dealer"], tuple(console["held"])) != (now.dealer, now.held):
        yield "dealer" if console["dealer"] != now.dealer else "held"
    if (console["due"], console["due_card"]) != (due, 1 + lies.hands.count(due) if due else None):
        yield "due"
    if console["shows"] != (marked(now.ranks).winner if now.in_play and lies.due is None else None):
        yield "shows"
    reported = [(one["report"], one["cards"], one["about_round"]) for one in console["reported"]]
    if reported != [(one["report"], one["cards"], one["about_round"]) for one in now.pending]:
        yield "reported"
    if console["staked_cents"] != sum(at.staked for at in seats.values()):
        yield "staked_cents"
    said = {one["seat"]: one for one in console["seats"] if one["staked_cents"]}
    if (
        console["seats_with_bets"] != len(seats)
        or said.keys() != seats.keys()
        or not all(_is_as_said(said[seat], at) for seat, at in seats.items())
    ):
        yield "seats"
    calls = {seat: history.at(number).call for seat, history in replica.seats.items()}
    if {one["seat"]: one["taken_by"] for one in console["calls"]} != {s: c for s, c in calls.items() if c is not None}:
        yield "calls"


def _is_as_said(one: View, at: AtSeat) -> bool:
    insurance = [(bet["window"], bet["hand"], bet["cents"]) for bet in one["insurance"]]
    money = (nonzero(one["bets"]), insurance, one["staked_cents"], nonzero(one["withdrawn"]))
    if money != (at.bets, list(at.insurance), at.staked, at.withdrawn) or bool(one["locked"]) != at.locked:
        return False
    return bool(one["paid"] == (None if at.returned is None else _paid(at)))


def _paid(at: AtSeat) -> dict[str, int]:
    paid: Counter[str] = Counter()
    for line in (*at.lines, *at.insurance_lines):
        paid[line[0]] += line[4]
    return dict(paid)

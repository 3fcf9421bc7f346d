"""Every kind of violation, planted in an honest evening: the auditor names it."""

from collections.abc import Callable

import msgspec
import pytest

from natural9.torture.properties import PROPERTIES
from natural9.torture.seen import Sighting
from tests.torture.recorded import Story
from tests.torture.tale import Record, Tale

Lie = Callable[[Tale], None]
LIES: list[tuple[str, Lie]] = []
ONE, TWO, SHOWN = "terminal felt/1", "terminal felt/2", "display felt"


def lie(kind: str) -> Callable[[Lie], Lie]:
    def planted(told: Lie) -> Lie:
        LIES.append((kind, told))
        return told

    return planted


def test_every_property_has_a_lie() -> None:
    assert {kind for kind, _ in LIES} == PROPERTIES.keys()


@pytest.mark.parametrize(("kind", "told"), LIES, ids=[f"{kind}: {told.__name__}" for kind, told in LIES])
def test_it_is_named(story: Story, kind: str, told: Lie) -> None:
    tale = Tale(story)
    told(tale)
    assert kind in tale.kinds()


# Requests and answers.


@lie("acknowledged and lost")
def a_bet_is_gone(tale: Tale) -> None:
    tale.drop("auto", "bet-placed", 3)


@lie("acknowledged and lost")
def the_end_of_the_journal_is_gone(tale: Tale) -> None:
    for kind in ("round-settled", "seat-settled", "result-declared", "irregularity-decided"):
        tale.drop("felt", kind, -1)


@lie("acknowledged another entry")
def another_entry_is_named(tale: Tale) -> None:
    tale.retell(ONE, "registered", lambda said: said.update(entries=[n - 1 for n in said["entries"]]))


@lie("acknowledged before durable")
def told_before_it_is_written(tale: Tale) -> None:
    place = tale.place(ONE, "registered")
    wrote = max(at for at, one in enumerate(tale.seen[:place]) if (one.who, one.what) == ("table/felt", "durable"))
    tale.seen.insert(place, tale.seen.pop(wrote))


@lie("shown before durable")
def shown_before_it_is_written(tale: Tale) -> None:
    place = tale.place(SHOWN, "table", 8)
    wrote = max(at for at, one in enumerate(tale.seen[:place]) if (one.who, one.what) == ("table/felt", "durable"))
    tale.seen.insert(place, tale.seen.pop(wrote))


@lie("shown before durable")
def a_glance_before_it_is_written(tale: Tale) -> None:
    seen = {"table": tale.said(SHOWN, "table", 8)["table"], "console": {}}
    _glance(tale, "/api/tables/felt", seen)


@lie("shown and not there")
def a_glance_at_what_never_was(tale: Tale) -> None:
    seen = {"table": {**tale.said(SHOWN, "table", 8)["table"], "laid": {"banker": 77}}, "console": {}}
    _glance(tale, "/api/tables/felt", seen)


def _glance(tale: Tale, path: str, seen: Record) -> None:
    asked = {"n": 9001, "method": "GET", "path": path, "body": None}
    answered = {"n": 9001, "status": 200, "body": seen}
    tale.seen[:0] = [Sighting(0, "staff sam", "sent", asked), Sighting(0, "staff sam", "answered", answered)]


@lie("never asked")
def nobody_sent_it(tale: Tale) -> None:
    tale.seen = [one for one in tale.seen if not (one.what == "sent" and b'"f6"' in bytes(str(one.message), "utf8"))]


@lie("never asked")
def nobody_ordered_it(tale: Tale) -> None:
    tale.change("felt", "table-opened", body={"request": "another"})


@lie("done otherwise than asked")
def more_than_was_sent(tale: Tale) -> None:
    command = {"type": "bet", "request": "f6", "round": 2, "wager": "player", "cents": 5_000}
    tale.change("felt", "bet-placed", 3, body={"command": command})


@lie("done otherwise than asked")
def another_amount_than_the_command_says(tale: Tale) -> None:
    tale.change("felt", "bet-placed", 3, cents=3_100)


@lie("done otherwise than asked")
def an_undo_of_something_else(tale: Tale) -> None:
    tale.change("auto", "bet-taken-back", 0, wager="player", cents=100)


@lie("done otherwise than asked")
def repeated_on_top_of_bets(tale: Tale) -> None:
    command = {"type": "re-bet", "request": "c2", "round": 2}
    tale.change("auto", "bet-placed", 5, body={"type": "re-bet", "command": command})


@lie("done otherwise than asked")
def a_spot_is_not_doubled(tale: Tale) -> None:
    tale.change("auto", "bet-placed", 6, cents=200)


@lie("done otherwise than asked")
def a_bet_lands_in_the_next_round(tale: Tale) -> None:
    command = {"type": "bet", "request": "f6", "round": 1, "wager": "player", "cents": 3_000}
    tale.change("felt", "bet-placed", 3, body={"command": command})


@lie("done elsewhere")
def at_the_other_table(tale: Tale) -> None:
    item = tale.find("felt", "bet-placed", 3)
    item["stream"], item["body"] = "table/auto", item["body"].replace("felt-1", "auto-1")
    tale._is_changed = True


@lie("done twice")
def laid_twice(tale: Tale) -> None:
    tale.again("felt", "bet-placed", 3)


@lie("refused and done")
def told_as_refused(tale: Tale) -> None:
    place = tale.place(ONE, "registered")
    request = tale.said(ONE, "registered")["requests"][0]
    refused = {"type": "refused", "code": "over-seat-limit", "message": "", "said": {}, "request": request}
    tale.seen = [one for one in tale.seen if not (one.who == ONE and request.encode() in bytes(str(one.message), "utf8") and one.what == "shown")]  # fmt: skip  # noqa: E501
    tale.tell(ONE, {**refused, "paragraph": "", "again": False, "you": None}, min(place, len(tale.seen)))


@lie("answered otherwise")
def another_answer_after_the_restart(tale: Tale) -> None:
    answered = tale.said("terminal auto/1", "registered", -1)
    tale.tell("terminal auto/1", {**answered, "entries": [one + 1 for one in answered["entries"]], "voucher": None})


@lie("answered to nothing")
def an_answer_to_nobodys_question(tale: Tale) -> None:
    tale.retell(TWO, "registered", lambda said: said.update(requests=["nobody-asked"], entries=[14]))


@lie("answered for another")
def an_id_used_again_gets_the_old_answer(tale: Tale) -> None:
    who = "terminal auto/1"
    answered = tale.said(who, "registered", -1)
    again = {"type": "bet", "request": answered["requests"][0], "round": 2, "wager": "tie", "cents": 700}
    tale.seen.append(Sighting(0, who, "sent", msgspec.json.encode(again)))
    tale.tell(who, {**answered, "requests": answered["requests"][:1], "entries": answered["entries"][:1]})


@lie("refused without need")
def nothing_to_undo(tale: Tale) -> None:
    item = tale.find("auto", "bet-taken-back", 0)
    was = msgspec.json.decode(item["body"])
    refused = {"code": "nothing-to-undo", "message": "", "paragraph": ""}
    item["body"] = msgspec.json.encode({**was, "event": "request-refused", "record": refused}).decode()
    item["kind"], item["transfers"] = "request-refused", []
    tale._is_changed = True


@lie("refused as reused")
def an_id_that_was_new(tale: Tale) -> None:
    tale.retell(ONE, "refused", lambda said: said.update(request="f2", code="request-reused"), holds=_names("f2"))


def _names(request: str) -> Callable[[Record], bool]:
    return lambda said: said.get("request") == request


@lie("never answered")
def silence(tale: Tale) -> None:
    tale.seen.append(Sighting(0, "terminal auto/1", "sent", b'{"type":"cash-out","request":"x9","cents":100}'))


@lie("not understood")
def an_answer_without_its_entries(tale: Tale) -> None:
    tale.retell(TWO, "registered", lambda said: said.pop("entries"))


@lie("not understood")
def a_message_of_no_protocol(tale: Tale) -> None:
    tale.tell(ONE, {"type": "greeting"})


# The journal itself.


@lie("journal does not verify")
def a_pay_row_off_by_one(tale: Tale) -> None:
    tale.change("felt", "seat-settled", 0, returned_cents=1)


@lie("journal does not verify")
def a_card_put_in_the_wrong_hand(tale: Tale) -> None:
    tale.change("auto", "card-dealt", 1, hand="player")


@lie("journal does not verify")
def a_card_that_nobody_should_get(tale: Tale) -> None:
    tale.again("felt", "card-dealt", 5)  # a seventh


@lie("bet outside limits")
def no_multiple_of_the_unit(tale: Tale) -> None:
    tale.change("auto", "bet-placed", 0, cents=1_050)


@lie("bet outside limits")
def more_than_the_limit(tale: Tale) -> None:
    tale.change("auto", "bet-placed", 0, cents=60_000)


@lie("bet outside limits")
def more_than_a_seat_may_stake(tale: Tale) -> None:
    tale.change("auto", "limits-changed", 0, seat_max_cents=1_900)


@lie("bet outside limits")
def more_than_all_seats_may_stake(tale: Tale) -> None:
    tale.change("auto", "limits-changed", 0, table_max_cents=4_500)


@lie("bet outside limits")
def insured_beyond_what_a_seat_may_stake(tale: Tale) -> None:
    tale.change("felt", "limits-changed", 0, seat_max_cents=10_000)
    tale.change("felt", "insurance-placed", 0, cents=2_100)


@lie("bet from a locked terminal")
def locked_and_bets(tale: Tale) -> None:
    tale.move("felt", "terminal-locked", 0, "bet-placed", 0)
    tale.change("felt", "terminal-locked", 0, seat=1)


@lie("bet while play waits")
def beyond_the_players_own_limit(tale: Tale) -> None:
    tale.change("auto", "session-started", 0, stake_cents=500)


@lie("bet while play waits")
def after_a_reality_check(tale: Tale) -> None:
    due = {"session": 1, "seat": 1, "table_ms": 1, "played_ms": 1, "net_cents": 0}
    tale.insert("auto", "reality-check-due", due, after="betting-opened")


@lie("bet of somebody else")
def for_the_neighbour(tale: Tale) -> None:
    tale.change("auto", "bet-placed", 0, body={"by": "auto-2"})


@lie("played in a fault")
def dealt_in_a_fault(tale: Tale) -> None:
    tale.insert("auto", "fault-raised", {"fault": "randomness", "detail": "-"}, after="betting-closed")


@lie("played over a report")
def dealt_while_a_report_waits(tale: Tale) -> None:
    tale.drop("felt", "irregularity-decided", 0)
    tale.drop("felt", "round-voided", 0)
    tale.move("felt", "card-dealt", 6, "bets-returned", 0)
    tale.move("felt", "irregularity-reported", 0, "card-dealt", 5)


@lie("out of turn")
def a_card_before_the_close(tale: Tale) -> None:
    tale.move("auto", "card-dealt", 0, "betting-closed", 0)


@lie("out of turn")
def a_round_at_a_closed_table(tale: Tale) -> None:
    tale.drop("auto", "table-opened", 0)


@lie("insurance not offered")
def no_window_after_four_cards(tale: Tale) -> None:
    tale.change("felt", "card-dealt", 3, phase="players-third")


@lie("insurance not offered")
def other_odds_on_offer(tale: Tale) -> None:
    tale.change("felt", "insurance-opened", 0, offers={"banker": "3:1"})


@lie("dealt by nobody")
def the_program_deals_for_the_dealer(tale: Tale) -> None:
    tale.change("felt", "card-dealt", 0, body={"from": "program", "by": "", "rank": ""})


@lie("too low a rank")
def a_dealer_opens_the_table(tale: Tale) -> None:
    tale.change("felt", "table-opened", 0, body={"by": "dora", "rank": "dealer"})


@lie("too low a rank")
def a_rank_that_nobody_gave(tale: Tale) -> None:
    tale.change("felt", "irregularity-decided", 0, body={"by": "dora", "rank": "pit-supervisor"})


@lie("wrong clause")
def another_remedy_is_allowed(tale: Tale) -> None:
    tale.change("felt", "irregularity-reported", 0, remedies=[["continue", "rws-nc-insurance 5.1.1"]])


@lie("wrong clause")
def decided_by_another_paragraph(tale: Tale) -> None:
    tale.change("felt", "irregularity-decided", 0, paragraph="rws-nc-insurance 5.1.3")


@lie("wrong paragraph")
def settled_by_another_paragraph(tale: Tale) -> None:
    tale.change("auto", "round-settled", 0, paragraph="mbs 1.1.12")


@lie("voided without need")
def a_brief_interruption_counts_as_long(tale: Tale) -> None:
    tale.change("auto", "round-interrupted", 0, brief=False, away_ms=2_000)


@lie("voided without need")
def void_after_a_brief_interruption(tale: Tale) -> None:
    clause = {"clause": "mbs 5.9.1", "paragraph": "interpretation void-returns-everything"}
    voided = {"returned_cents": 0, "by": "", "why": "", "kind": "table-interruption", **clause}
    tale.insert("auto", "round-voided", voided, after="round-interrupted")


@lie("too low a rank")
def a_supervisor_corrects_the_result_of_an_earlier_round(tale: Tale) -> None:
    tale.change("felt", "earlier-cards-corrected", 0, body={"by": "pat", "rank": "pit-supervisor"})


@lie("too low a rank")
def a_pit_manager_rules(tale: Tale) -> None:
    tale.change("felt", "bet-ruled", 0, body={"by": "max", "rank": "pit-manager"})


@lie("wrong paragraph")
def corrected_later_by_another_paragraph(tale: Tale) -> None:
    tale.change("felt", "earlier-cards-corrected", 0, paragraph="interpretation record-of-a-card")


@lie("wrong paragraph")
def ruled_by_another_paragraph(tale: Tale) -> None:
    tale.change("felt", "bet-ruled", 0, paragraph="rws-nc-insurance 5.1.1")


@lie("earlier round paid wrong")
def a_cent_more_than_the_difference(tale: Tale) -> None:
    tale.change("felt", "earlier-seat-settled", 0, returned_cents=1)


@lie("earlier round paid wrong")
def a_seat_is_left_out(tale: Tale) -> None:
    tale.drop("felt", "earlier-seat-settled", 1)


@lie("earlier round paid wrong")
def the_difference_goes_to_a_neighbour(tale: Tale) -> None:
    _to_the_neighbour(tale, "earlier-seat-settled")


@lie("ruled on another bet")
def the_ruling_takes_from_a_neighbour(tale: Tale) -> None:
    _to_the_neighbour(tale, "bet-ruled")


@lie("ruled on another bet")
def a_ruling_on_a_bet_that_returned_something_else(tale: Tale) -> None:
    tale.change("felt", "bet-ruled", 0, was_cents=4_000)


@lie("ruled on another bet")
def another_wager_than_was_named(tale: Tale) -> None:
    tale.change("felt", "bet-ruled", 0, wager="player")


def _to_the_neighbour(tale: Tale, kind: str) -> None:
    item = tale.find("felt", kind)
    seat = msgspec.json.decode(item["body"])["record"]["seat"]
    mine, other = f"credit/felt-{seat}", f"credit/felt-{3 - seat}"
    item["transfers"] = [[other if one == mine else one for one in moved] for moved in item["transfers"]]
    tale._is_changed = True


@lie("a card in two places")
def one_card_at_two_seats(tale: Tale) -> None:
    for seat in (1, 2):
        record: Record = {"seat": seat, "player": "1001", "table_ms": 1, "play": {}, "points_per_100": 0}
        tale.insert("auto", "player-carded-in", record, after="table-opened")


@lie("decision left half done")
def it_stops_within_a_settlement(tale: Tale) -> None:
    tale.drop("felt", "round-settled", -1)


@lie("decision left half done")
def returned_and_not_void(tale: Tale) -> None:
    tale.drop("felt", "round-voided", 0)


@lie("a key used twice")
def two_answers_to_one_request(tale: Tale) -> None:
    tale.find("auto", "voucher-issued", 1)["request"] = tale.find("auto", "voucher-issued", 0)["request"]
    tale._is_changed = True


@lie("secret in the journal")
def the_code_of_a_voucher_is_kept(tale: Tale) -> None:
    command = {"type": "insert-voucher", "request": "v3", "number": "auto-1-1", "code": "ABCD"}
    tale.change("auto", "voucher-inserted", 0, body={"command": command})


@lie("refusal not written")
def a_refusal_is_forgotten(tale: Tale) -> None:
    tale.drop("felt", "request-refused", 0)


@lie("time went back")
def earlier_than_the_entry_before(tale: Tale) -> None:
    tale.find("auto", "round-settled", 1)["at_ms"] -= 1_000_000
    tale._is_changed = True


# Vouchers.


@lie("voucher paid twice")
def cash_for_both(tale: Tale) -> None:
    paid = {"number": "auto-1-2", "cents": 30_000, "desk": "cass", "entry": 99, "receipt": None}
    tale.answer("cass", "/vouchers/pay", lambda said: said.update(status=200, body=paid), 2)


@lie("another voucher than told")
def printed_again_with_another_code(tale: Tale) -> None:
    tale.retell("terminal auto/1", "registered", lambda said: said["voucher"].update(code="X"), -1, _has_voucher)


@lie("another voucher than told")
def printed_for_more(tale: Tale) -> None:
    for nth in (0, -1):
        tale.retell("terminal auto/1", "registered", lambda said: said["voucher"].update(cents=20_001), nth, _first)


def _has_voucher(said: Record) -> bool:
    return bool(said["voucher"])


def _first(said: Record) -> bool:
    return bool(said["voucher"]) and said["voucher"]["number"] == "auto-1-1"


@lie("voucher paid for another code")
def half_of_a_code_will_do(tale: Tale) -> None:
    sent = next(one for one in tale.seen if one.what == "sent" and b'"v3"' in bytes(str(one.message), "utf8"))
    assert isinstance(sent.message, bytes)
    code = msgspec.json.decode(sent.message)["code"]
    tale.seen[tale.seen.index(sent)] = sent._replace(message=sent.message.replace(code.encode(), code[:4].encode()))


@lie("voided voucher paid")
def void_and_paid_all_the_same(tale: Tale) -> None:
    paid = {"number": "auto-1-3", "cents": 10_000, "desk": "cass", "entry": 99, "receipt": None}
    tale.answer("cass", "/vouchers/pay", lambda said: said.update(status=200, body=paid), 3)


@lie("good voucher refused")
def it_is_out_and_refused(tale: Tale) -> None:
    tale.drop("venue", "voucher-paid")
    refused = {"code": "voucher-redeemed", "message": "", "paragraph": ""}
    for nth in range(3):
        tale.answer("cass", "/vouchers/pay", lambda said: said.update(status=409, body=refused), nth)


# Cash.


@lie("drawer told wrong")
def it_should_hold_a_cent_more(tale: Tale) -> None:
    tale.answer("cass", "/drawer/close", lambda said: said["body"]["close_out"].update(expected_cents=1))


@lie("drawer told wrong")
def a_hand_pay_is_not_in_the_account(tale: Tale) -> None:
    tale.change("venue", "drawer-closed", 0, hand_paid_cents=0)


@lie("drawer told wrong")
def less_was_counted_than_the_cashier_said(tale: Tale) -> None:
    tale.change("venue", "drawer-closed", 0, counted_cents=1_000_000)


@lie("drawer told wrong")
def more_was_paid_out_than_was_booked(tale: Tale) -> None:
    tale.answer("cass", "/vouchers/pay", lambda said: said["body"].update(cents=40_000), 0)


@lie("receipt told wrong")
def a_receipt_that_another_has(tale: Tale) -> None:
    tale.answer("cass", "/drawer/close", lambda said: said["body"]["receipt"].update(number=3))


@lie("receipt told wrong")
def another_receipt_when_asked_again(tale: Tale) -> None:
    tale.answer("cass", "/vouchers/pay", lambda said: said["body"]["receipt"].update(number=99), 1)


# Bill acceptors.


@lie("bill kept for nothing")
def a_bill_is_swallowed(tale: Tale) -> None:
    _device(tale, b"BILL 50.00 SGD felt-1-000001", b"STACK felt-1-000001\n")


@lie("bill given back and credited")
def credit_for_a_bill_that_came_back(tale: Tale) -> None:
    _device(tale, b"BILL 50.00 SGD felt-1-000001", b"RETURN felt-1-000001 no\n")
    _credited(tale, 5_000)


@lie("bill credited otherwise")
def fifty_for_five(tale: Tale) -> None:
    _device(tale, b"BILL 5.00 SGD felt-1-000001", b"STACK felt-1-000001\n")
    _credited(tale, 5_000)


@lie("acknowledged before durable")
def kept_before_it_is_written(tale: Tale) -> None:
    asked, told = b"BILL 50.00 SGD felt-1-000001", b"STACK felt-1-000001\n"
    tale.seen[:0] = [Sighting(0, "acceptor felt/1", "inserted", asked), Sighting(0, "acceptor felt/1", "told", told)]
    _credited(tale, 5_000)


@lie("voucher paid twice")
def in_a_device_and_at_a_terminal(tale: Tale) -> None:
    sent = next(one for one in tale.seen if one.what == "sent" and b'"v3"' in bytes(str(one.message), "utf8"))
    assert isinstance(sent.message, bytes)
    code = msgspec.json.decode(sent.message)["code"].encode()
    _device(tale, b"TICKET natural9:auto-1-1:" + code + b" auto-2-000001", b"STACK auto-2-000001\n")


def _device(tale: Tale, inserted: bytes, told: bytes) -> None:
    tale.seen.append(Sighting(0, "acceptor felt/1", "inserted", inserted))
    tale.seen.append(Sighting(0, "acceptor felt/1", "told", told))


def _credited(tale: Tale, cents: int) -> None:
    record: Record = {"seat": 1, "cents": cents, "desk": "box:felt-1:1", "signed_by": ""}
    by: Record = {"from": "acceptor", "by": "felt-1", "request": "felt-1-000001"}
    tale.insert("felt", "credit-bought", record, after="table-opened", **by)


# What was shown.


def _in(phase: str) -> Callable[[Record], bool]:
    return lambda said: said["table"]["phase"] == phase


@lie("shown and not there")
def a_table_goes_back(tale: Tale) -> None:
    first, later = tale.said(SHOWN, "table", 10), tale.said(SHOWN, "table", 30)
    tale.retell(SHOWN, "table", lambda said: said.update(table=first["table"]), 30)
    assert first["table"]["round"] < later["table"]["round"]


@lie("shown and not there")
def a_row_of_a_round_that_never_was(tale: Tale) -> None:
    tale.retell("floor pat", "floor", lambda said: said["tables"][0].update(round=77), -1)


@lie("credit shown wrong")
def a_cent_more(tale: Tale) -> None:
    tale.retell(ONE, "registered", lambda said: said["you"].update(credit_cents=said["you"]["credit_cents"] + 1))


@lie("credit shown wrong")
def a_session_that_lost_less(tale: Tale) -> None:
    tale.retell(ONE, "registered", lambda said: said["you"]["session"].update(net_cents=5))


@lie("bets shown wrong")
def a_bet_that_was_not_laid(tale: Tale) -> None:
    tale.retell(SHOWN, "table", lambda said: said["table"]["laid"].update(tie=700), holds=_in("initial-deal"))


@lie("bets shown wrong")
def an_own_bet_is_missing(tale: Tale) -> None:
    tale.retell(TWO, "registered", lambda said: said["you"]["bets"].pop("player-pair"))


@lie("bets shown wrong")
def a_box_with_other_chips(tale: Tale) -> None:
    tale.retell(SHOWN, "table", lambda said: said["table"]["boxes"]["1"].update(banker=1), holds=_in("complete"))


@lie("bets shown wrong")
def other_bets_to_repeat(tale: Tale) -> None:
    tale.retell(ONE, "seat", lambda said: said["you"].update(last_bets={"tie": 100}))


@lie("settlement shown wrong")
def a_line_that_pays_more(tale: Tale) -> None:
    def more(said: Record) -> None:
        said["you"]["lines"][0]["returned_cents"] += 100

    tale.retell(ONE, "seat", more, holds=lambda said: bool(said["you"]["lines"]))


@lie("cards shown wrong")
def another_card_lies(tale: Tale) -> None:
    tale.retell(SHOWN, "table", lambda said: said["table"]["cards"][0].update(card="5S"), holds=_in("complete"))


@lie("cards shown wrong")
def another_total(tale: Tale) -> None:
    tale.retell(SHOWN, "table", lambda said: said["table"].update(player_total=3), holds=_in("complete"))


@lie("result shown wrong")
def the_other_side_won(tale: Tale) -> None:
    tale.retell(SHOWN, "table", lambda said: said["table"]["result"].update(winner="tie"), holds=_in("settled"))


@lie("result shown wrong")
def a_result_before_it_is_declared(tale: Tale) -> None:
    result = tale.said(SHOWN, "table", holds=_in("settled"))["table"]["result"]
    tale.retell(SHOWN, "table", lambda said: said["table"].update(result=result), holds=_in("initial-deal"))


@lie("road shown wrong")
def a_mark_too_many(tale: Tale) -> None:
    tale.retell(SHOWN, "table", lambda said: said["table"]["results"].append("T99n"), holds=_in("settled"))


@lie("road shown wrong")
def a_tally_off_by_one(tale: Tale) -> None:
    tale.retell(SHOWN, "table", lambda said: said["table"]["tallies"].update(tie=7), holds=_in("settled"))


@lie("remedies shown wrong")
def a_remedy_that_the_clause_has_not(tale: Tale) -> None:
    def another(said: Record) -> None:
        said["table"]["waiting"][0]["rank"] = "dealer"

    tale.retell(SHOWN, "table", another, holds=lambda said: bool(said["table"]["waiting"]))


@lie("shoe shown wrong")
def a_card_more_in_the_shoe(tale: Tale) -> None:
    tale.retell(SHOWN, "table", lambda said: said["table"]["shoe"].update(cards_left=416), holds=_in("complete"))


@lie("status shown wrong")
def it_takes_bets_that_it_refuses(tale: Tale) -> None:
    tale.retell(SHOWN, "table", lambda said: said["table"].update(takes_bets=True), holds=_in("complete"))


@lie("console shown wrong")
def a_console_sees_other_bets(tale: Tale) -> None:
    def other(said: Record) -> None:
        said["console"]["seats"][0]["bets"] = {"tie": 5}

    tale.retell("console dora felt", "console", other, holds=lambda said: bool(said["console"]["seats"]))


@lie("message missed")
def a_message_is_lost(tale: Tale) -> None:
    del tale.seen[tale.place(SHOWN, "table", 5)]


@lie("balance reported wrong")
def staff_is_shown_another_credit(tale: Tale) -> None:
    tale.answer("cass", "/terminals", lambda said: said["body"][0].update(credit_cents=1))


# Secrets.


@lie("another seat's money shown")
def a_seat_is_shown_its_neighbour(tale: Tale) -> None:
    tale.tell(TWO, {"type": "seat", "you": tale.said(ONE, "seat")["you"]}, tale.place(TWO, "table", 9))


@lie("another seat's money shown")
def credit_in_the_view_of_all(tale: Tale) -> None:
    tale.retell(SHOWN, "table", lambda said: said["table"].update(credits={"2": 877_700}))


@lie("another seat's money shown")
def a_display_is_shown_a_seat(tale: Tale) -> None:
    tale.tell(SHOWN, {"type": "seat", "you": tale.said(ONE, "seat")["you"]})


@lie("undealt card shown")
def the_next_card(tale: Tale) -> None:
    tale.retell(SHOWN, "table", lambda said: said["table"].update(why="9C"), holds=_in("players-third"))


@lie("order shown")
def the_order_of_a_shoe(tale: Tale) -> None:
    tale.tell(SHOWN, {"type": "halted", "why": "9C KD 4S 2H 3D"})


@lie("voucher code shown")
def the_code_of_another(tale: Tale) -> None:
    code = tale.said("terminal auto/1", "registered", 0, _has_voucher)["voucher"]["code"]
    tale.tell(TWO, {"type": "halted", "why": code})


@lie("secret shown")
def a_cookie(tale: Tale) -> None:
    tale.tell(ONE, {"type": "halted", "why": f"welcome {tale.secrets['cookie of felt/2']}"})


@lie("secret shown")
def a_password_over_http(tale: Tale) -> None:
    tale.answer("cass", "/commands", lambda said: said["body"].update(why=tale.secrets["password"]))


@lie("person shown to players")
def who_voided_it(tale: Tale) -> None:
    tale.retell(SHOWN, "table", lambda said: said["table"]["voided"].update(why="pat"), holds=_in("void"))


@lie("unknown field shown")
def a_field_that_nobody_thought_about(tale: Tale) -> None:
    tale.retell(SHOWN, "table", lambda said: said["table"]["shoe"].update(seed=7))


@lie("unknown field shown")
def a_player_sees_the_console(tale: Tale) -> None:
    tale.tell(ONE, tale.said("console dora felt", "console"))


# Liveness.


@lie("table stuck")
def a_table_that_plays_no_more(tale: Tale) -> None:
    tale.quiet = tale.quiet._replace(must_play=frozenset({"felt"}), rounds={"felt": 4})


@lie("table stuck")
def a_round_that_does_not_end(tale: Tale) -> None:
    for kind in ("round-settled", "seat-settled", "result-declared"):
        tale.drop("felt", kind, -1)


@lie("halted without need")
def a_table_that_halts_on_a_sound_disk(tale: Tale) -> None:
    an_hour_later = max(one.at_ms for one in tale.seen) + 3_600_000  # than the power cut of the evening
    tale.tell(SHOWN, {"type": "halted", "why": {"said": "a voucher came twice", "with": {}}}, at_ms=an_hour_later)


@lie("table halted")
def halted_for_ever(tale: Tale) -> None:
    tale.tell(ONE, {"type": "halted", "why": {}})


@lie("report not decided")
def a_report_that_waits_for_ever(tale: Tale) -> None:
    for kind in ("round-settled", "seat-settled", "result-declared", "irregularity-decided"):
        tale.drop("felt", kind, -1)


@lie("money on its way")
def credit_in_transit(tale: Tale) -> None:
    tale.items[-1]["end"]["balances"]["transit/auto-1"] = 500


@lie("nobody let in")
def a_line_without_a_welcome(tale: Tale) -> None:
    tale.seen.append(Sighting(0, "terminal auto/4", "came", b""))


@lie("server not back")
def nobody_answers(tale: Tale) -> None:
    tale.quiet = tale.quiet._replace(is_up=False)

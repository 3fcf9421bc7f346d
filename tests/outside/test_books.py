"""Whatever can be wrong is found: planted in the books, and in a journal that is written here."""

import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.outside.books import Answer, Books, Message, Verdict, Voucher
from tests.outside.check import Auditor
from tests.outside.sqlite_journal import SqliteJournal

SCHEMA = """
CREATE TABLE journal (seq INTEGER PRIMARY KEY, stream TEXT, number INTEGER, kind TEXT, body TEXT, at_ms INTEGER,
    day TEXT, label TEXT, request TEXT, first_transfer INTEGER, first_in_ledger INTEGER, transfers INTEGER,
    documents TEXT, hash BLOB);
CREATE TABLE transfer (number INTEGER PRIMARY KEY, seq INTEGER, kind TEXT, source TEXT, target TEXT, cents INTEGER);
CREATE TABLE balance (account TEXT PRIMARY KEY, cents INTEGER);
"""
Entry = tuple[str, Message, list[tuple[str, str, str, int]]]
BET = {"type": "bet", "round": 1, "wager": "player", "cents": 300}
DONE, REFUSED = Answer(Verdict.DONE), Answer(Verdict.REFUSED, "no-more-bets")


def bought(cents: int) -> Entry:
    line = {"record": {"seat": 1, "cents": cents}, "by": "cass", "request": "c1"}
    return "credit-bought", line, [("buy-in", "desk/cass", "credit/a-1", cents)]


def bet(id: str, cents: int = 300, **command: Any) -> Entry:
    asked = {**BET, "request": id, **command}
    line = {"record": {"seat": 1, "cents": cents}, "by": "terminal/a-1", "request": id, "command": asked}
    return "bet-placed", line, [("bet", "credit/a-1", "stake/a", cents)]


def settled(staked: int, returned: int, *, of_lines: int | None = None) -> Entry:
    lines = [{"stake_cents": staked, "returned_cents": returned if of_lines is None else of_lines}]
    record = {"seat": 1, "lines": lines, "staked_cents": staked, "returned_cents": returned}
    moved = [("stake-returned", "stake/a", "credit/a-1", staked), ("winnings", "house/a", "credit/a-1", staked)]
    return "seat-settled", {"record": record, "by": "system"}, moved


def printed(id: str, number: str, cents: int) -> Entry:
    asked = {"type": "cash-out", "request": id, "cents": cents, "vouchers": None}
    record = {"seat": 1, "cents": cents, "number": number}
    line = {"record": record, "from": "terminal", "by": "a-1", "request": id, "command": asked}
    return "voucher-issued", line, [("voucher-out", "credit/a-1", f"voucher/{number}", cents)]


def paid(number: str, cents: int) -> Entry:
    record = {"number": number, "cents": cents}
    line = {"record": record, "from": "staff", "by": "dave", "request": "p1"}
    return "voucher-paid", line, [("voucher-paid", f"voucher/{number}", "desk/dave", cents)]


def write(file: Path, entries: Iterable[Entry], *then: str) -> Path:
    """A journal with these entries; `then` is what somebody did to it."""
    head, number, balances = bytes(32), 0, dict[str, int]()
    with closing(sqlite3.connect(file)) as made, made:
        made.executescript(SCHEMA)
        for seq, (kind, line, moved) in enumerate(entries, 1):
            body = json.dumps(line).encode()
            envelope = json.dumps(
                [2, "table/a", seq, kind, 5, "d", "", "", number + 1, moved, [], ""], separators=(",", ":")
            )
            length = len(envelope).to_bytes(8, "big")
            head = sha256(head + length + envelope.encode() + body).digest()
            first = (number + 1, number + 1)
            row = (seq, "table/a", seq, kind, body.decode(), 5, "d", "", "", *first, len(moved), "", head)
            made.execute(f"INSERT INTO journal VALUES ({', '.join('?' * len(row))})", row)
            for why, source, target, cents in moved:
                number += 1
                made.execute(
                    "INSERT INTO transfer VALUES (?, ?, ?, ?, ?, ?)", (number, seq, why, source, target, cents)
                )
                balances[source] = balances.get(source, 0) - cents
                balances[target] = balances.get(target, 0) + cents
        made.executemany("INSERT INTO balance VALUES (?, ?)", balances.items())
        for statement in then:
            made.execute(statement)
    return file


def found(file: Path, books: Books | None = None, *, shown: Iterable[tuple[int, int]] = ()) -> set[str]:
    """The kinds of what is wrong."""
    books = books or Books()
    journal = SqliteJournal(file, books.wrong)
    auditor = Auditor(books, journal)
    for credit, vouchers in shown:
        auditor.show("a-1", {"credit_cents": credit, "vouchers": vouchers})
    known = auditor.known()
    journal.read_on()
    auditor.hold(known)
    auditor.hold_all()
    return {one.kind for one in books.violations}


def asked(*answers: tuple[str, Answer | None], content: Message = BET) -> Books:
    """Books with these requests of one terminal, and what it heard about each."""
    books = Books()
    for id, answer in answers:
        ask = books.asks.get(("terminal/a-1", id)) or books.new("terminal/a-1", id, content, "a")
        books.sending(ask)
        if answer:
            books.heard("terminal/a-1", id, answer)
    return books


STORY = [bought(1000), bet("1"), settled(300, 600), bet("2")]


def test_a_journal_that_matches_its_books(tmp_path: Path) -> None:
    books = asked(("1", DONE), ("1", DONE), ("2", None), ("3", REFUSED), ("4", Answer(Verdict.UNKNOWN)))
    assert found(write(tmp_path / "j", STORY), books, shown=[(0, 0), (700, 0), (1300, 0), (1000, 0)]) == set()


@pytest.mark.parametrize(
    ("books", "entries", "kind"),
    [
        (asked(("1", DONE), ("2", None), ("5", DONE)), STORY, "acknowledged and lost"),
        (asked(("1", DONE), ("2", REFUSED)), STORY, "told as refused, and there"),
        (asked(("1", DONE), ("2", None)), [*STORY, bet("2")], "done twice"),
        (asked(("1", DONE), ("2", None)), [*STORY, bet("x"), bet("1")], "done twice"),
        (asked(("1", DONE)), STORY, "done and never asked"),
        (asked(("1", DONE), ("2", None)), [*STORY[:3], bet("2", wager="tie")], "one id, two contents"),
        (asked(("1", DONE), ("2", DONE)), [*STORY, printed("2", "a-1-1", 300)], "one id, two contents"),
        (asked(("1", DONE), ("2", None)), [*STORY[:3], ("bets-cleared", *bet("2")[1:])], "done otherwise than asked"),
        (asked(("1", DONE), ("2", None)), [*STORY[:3], bet("2", 400)], "another amount than asked"),
        (asked(("1", DONE), ("1", REFUSED), ("2", None)), STORY, "told done, then refused"),
        (asked(("3", REFUSED), ("3", DONE), ("1", DONE), ("2", None)), STORY, "told refused, then done"),
        (
            asked(("3", REFUSED), ("3", Answer(Verdict.REFUSED, "other")), ("1", DONE), ("2", None)),
            STORY,
            "told refused, then otherwise",
        ),
    ],
)
def test_what_does_not_match_is_named(tmp_path: Path, books: Books, entries: list[Entry], kind: str) -> None:
    assert kind in found(write(tmp_path / "j", entries), books)


def test_a_voucher_is_the_one_that_was_told(tmp_path: Path) -> None:
    content: Message = {"type": "cash-out", "cents": 200}
    journal = write(tmp_path / "j", [bought(1000), printed("9", "a-1-1", 200)])
    for number, wrong in (("a-1-1", set[str]()), ("a-1-2", {"another voucher than told"})):
        told = Answer(Verdict.DONE, voucher=Voucher(number, "CODE", 200))
        assert found(journal, asked(("9", told), content=content)) == wrong


@pytest.mark.parametrize("shown", [[(700, 0), (1000, 0), (1300, 0)], [(300, 0)], [(1000, 1)]])
def test_what_was_shown_and_is_not_in_the_journal(tmp_path: Path, shown: list[tuple[int, int]]) -> None:
    entries = [bought(1000), bet("1"), settled(300, 600)]
    assert found(write(tmp_path / "j", entries), asked(("1", DONE)), shown=shown) == {"shown and not there"}


@pytest.mark.parametrize(
    ("entries", "then", "kind"),
    [
        (STORY, "UPDATE journal SET body = body || ' ' WHERE seq = 2", "the chain is broken"),
        (STORY, "UPDATE journal SET label = 'x' WHERE seq = 4", "the chain is broken"),
        (STORY, "UPDATE transfer SET cents = cents + 1 WHERE number = 2", "the chain is broken"),
        (STORY, "DELETE FROM journal WHERE seq = 3", "an entry is missing"),
        (STORY, "DELETE FROM transfer WHERE number = 3", "transfers are missing"),
        (STORY, "UPDATE balance SET cents = cents + 1 WHERE account = 'credit/a-1'", "a balance is wrong"),
        (STORY, "UPDATE balance SET cents = cents + 1 WHERE account = 'credit/a-1'", "money came from nowhere"),
        ([bought(100), bet("1")], "", "below zero"),
        ([bought(1000), bet("1"), settled(200, 400)], "", "settled wrong"),
        ([bought(1000), bet("1"), settled(300, 600), settled(300, 600)], "", "settled twice"),
        (
            [bought(1000), printed("9", "a-1-1", 200), paid("a-1-1", 200), paid("a-1-1", 200)],
            "",
            "a voucher was paid twice",
        ),
        ([bought(1000), bet("1"), settled(300, 600, of_lines=500)], "", "settled wrong"),
        ([bought(1000), bet("1"), settled(300, 500)], "", "event and transfer disagree"),
        ([bought(1000), ("bet-ruled", {"record": {}, "by": "x"}, bet("1")[2])], "", "money nobody expected"),
        ([bought(1000), ("voucher-paid", {"record": {"number": "1"}, "by": "x"}, bet("1")[2])], "", "stakes are wrong"),
    ],
)
def test_a_journal_that_does_not_hold(tmp_path: Path, entries: list[Entry], then: str, kind: str) -> None:
    assert kind in found(write(tmp_path / "j", entries, *filter(None, [then])))


def test_a_journal_that_goes_back(tmp_path: Path) -> None:
    books = asked(("1", DONE), ("2", None))
    journal = SqliteJournal(write(tmp_path / "j", STORY), books.wrong)
    journal.read_on()
    assert not books.violations
    journal.file = write(tmp_path / "older", STORY[:3])
    journal.read_on()
    assert {one.kind for one in books.violations} >= {"the journal went back"}


def test_the_steps_before_the_first_violation_are_told() -> None:
    books = asked(("1", DONE), ("1", REFUSED), ("1", REFUSED))
    assert [one.kind for one in books.violations] == ["told done, then refused"], "once for each request"
    told = list(books.told())
    assert told[0].split() == ["1", "x", "told", "done,", "then", "refused"]
    assert "hears refused no-more-bets about '1'" in told[-1]

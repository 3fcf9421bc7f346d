"""`natural9 bill-acceptor`: a simulated device, as its own process and over a real socket."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from natural9.table.devices.acceptor import Bill, Stacked, Ticket, read_line
from tests.cli.test_command import complaint_of, run
from tests.starter import BARE, ROOT

SLIP = "natural9:nc-1-7-3:K7QM-2ABC-DEFG-HJKL"


@contextmanager
def acceptor(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "natural9", "bill-acceptor", "--port", "0", *arguments],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT, env=BARE,
    )  # fmt: skip
    try:
        assert process.stdout
        greeting = process.stdout.readline()
        assert greeting.startswith("bill acceptor at tcp:127.0.0.1:"), process.communicate(timeout=20)
        yield process, int(greeting.split(",")[0].rpartition(":")[2])
    finally:
        process.kill()
        process.communicate(timeout=20)


def next_after(last: str, lines: TextIO) -> str:
    """What it says other than that: a line that nobody has answered for a second is said again."""
    for _ in range(60):
        if (line := lines.readline()) != last:
            return line
    raise AssertionError(f"it says nothing but {last}")


def test_it_holds_what_was_inserted_until_the_table_has_decided() -> None:
    with acceptor("--insert", "50", "--insert", SLIP) as (process, port):
        with socket.create_connection(("127.0.0.1", port), timeout=20) as table:
            lines = table.makefile("rw")
            billed = lines.readline()
            bill = read_line(billed.strip().encode())
            assert isinstance(bill, Bill)
            assert (bill.cents, bill.currency) == (5_000, "SGD")
            lines.write(f"WAIT {bill.id}\n")
            lines.flush()
            assert read_line(lines.readline().strip().encode()) == bill, "asked again"
            lines.write(f"STACK {bill.id}\n")
            lines.flush()
            stacked = next_after(billed, lines)
            assert read_line(stacked.strip().encode()) == Stacked(bill.id)
            ticketed = next_after(stacked, lines)
            ticket = read_line(ticketed.strip().encode())
            assert isinstance(ticket, Ticket)
            assert (ticket.number, ticket.code) == ("nc-1-7-3", "K7QM-2ABC-DEFG-HJKL")
            lines.write(f"RETURN {ticket.id} Voucher nc-1-7-3 is already redeemed\n")
            lines.flush()
            assert next_after(ticketed, lines) == f"RETURNED {ticket.id}\n"
        assert process.wait(timeout=20) == 0
        assert process.stdout
        shown = process.stdout.read()
    assert "BILL 50.00 SGD: stacked" in shown
    assert f"TICKET {SLIP}: returned, Voucher nc-1-7-3 is already redeemed" in shown


def test_what_is_in_escrow_outlives_a_power_cut(tmp_path: Path) -> None:
    escrow = str(tmp_path / "escrow")
    asked = []
    for arguments in (("--insert", "20"), ()):
        with (
            acceptor("--escrow", escrow, *arguments) as (_, port),
            socket.create_connection(("127.0.0.1", port), timeout=20) as table,
        ):
            asked.append(table.makefile().readline())
    assert asked[0].startswith("BILL 20.00 SGD ")
    assert asked[0] == asked[1]


def test_a_key_inserts_a_bill() -> None:
    with acceptor() as (process, port):
        assert process.stdin
        address = ("127.0.0.1", port)
        with socket.create_connection(address, timeout=20) as table, table.makefile() as lines:
            process.stdin.write("nonsense\njam\n10\n")
            process.stdin.flush()
            assert {lines.readline().split()[0] for _ in range(2)} == {"TROUBLE", "BILL"}


def test_bad_input(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(bytes(range(256)))
    (tmp_path / "letter").write_text("Dear Mei")
    kept = {name: str(tmp_path / name) for name in ("binary", "letter", "no-folder/escrow")}
    refused = [
        ("because it cannot be read: Is a directory; name a new file", run("bill-acceptor", "--escrow", str(tmp_path))),
        ("because it is not text; name a new file", run("bill-acceptor", "--escrow", kept["binary"])),
        ("because no bill acceptor wrote it", run("bill-acceptor", "--escrow", kept["letter"])),
        ("No such file or directory", run("bill-acceptor", "--escrow", kept["no-folder/escrow"])),
        ("50x is neither a bill", run("bill-acceptor", "--insert", "50x")),
        ("write its three letters", run("bill-acceptor", "--currency", "dollars")),
        ("--port 70000 is out of range", run("bill-acceptor", "--port", "70000")),
    ]
    for words, done in refused:
        assert done.returncode == 2
        assert words.replace("50x", "'50x'") in complaint_of(done)

"""`natural9 reading-shoe`: a simulated device, as its own process and over a real socket."""

import asyncio
import signal
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import aclosing, contextmanager
from random import Random

import pytest

from natural9.cli.reading_shoe import NOT_A_CARD, shoe_lines
from natural9.core.cards import Card
from natural9.core.shoe import Shoe
from natural9.table.shoes.reader import Connected, Drawn, Empty, Foreign, Lost, Reading, read_cards
from natural9.table.shoes.shuffler import shuffle
from tests.cli.test_command import complaint_of, run
from tests.starter import BARE, ROOT

ORDER = shuffle(1, Random(5).randrange)
CARDS = [str(card) for card in ORDER]


def test_a_shoe_as_lines() -> None:
    assert shoe_lines(ORDER, cut_cards=14) == [*CARDS[:38], "CUT", *CARDS[38:], "EMPTY"]
    assert shoe_lines(ORDER, cut_cards=0) == [*CARDS, "EMPTY"]


def test_faults() -> None:
    assert shoe_lines(ORDER, cut_cards=0, foreign_at=3) == [*CARDS[:2], NOT_A_CARD, *CARDS[2:], "EMPTY"]
    assert shoe_lines(ORDER, cut_cards=0, short=10) == [*CARDS[:42], "EMPTY"]
    assert shoe_lines(ORDER, cut_cards=0, extra_at=5) == [*CARDS[:4], CARDS[0], *CARDS[4:], "EMPTY"]


@pytest.mark.parametrize("decks", [2, 8])
def test_an_extra_card_is_one_that_the_decks_cannot_hold(decks: int) -> None:
    lines = shoe_lines(shuffle(decks, Random(6).randrange), cut_cards=0, extra_at=10)[:-1]
    assert len(lines) == 52 * decks + 1
    [(extra, _)] = [(card, count) for card, count in Counter(lines).items() if count > decks]
    first_beyond = [place for place, line in enumerate(lines) if line == extra][decks]
    assert first_beyond >= 9
    Shoe.of(decks=decks).without(map(Card.parse, lines[:first_beyond]))


@contextmanager
def device(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """The real command at a free port, ended whatever happens."""
    process = subprocess.Popen(
        [sys.executable, "-m", "natural9", "reading-shoe", "--port", "0", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=BARE,
    )
    try:
        assert process.stdout is not None
        greeting = process.stdout.readline()
        assert greeting.startswith("reading shoe at tcp:127.0.0.1:"), process.communicate(timeout=20)
        yield process, int(greeting.split(",")[0].rpartition(":")[2])
    finally:
        process.kill()
        process.communicate(timeout=20)


def test_it_plays_a_shoe_by_itself() -> None:
    with device("--decks", "1", "--seed", "5", "--every", "0") as (process, port):
        with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
            received = b"".join(iter(lambda: connection.recv(4096), b"")).decode()
        assert received.split() == shoe_lines(ORDER, cut_cards=14)
        assert process.wait(timeout=20) == 0


def test_enter_draws_a_card() -> None:
    with device("--decks", "1", "--seed", "5") as (process, port):
        assert process.stdin is not None
        with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
            lines = connection.makefile()
            for card in CARDS[:3]:
                process.stdin.write("\n")
                process.stdin.flush()
                assert lines.readline() == f"{card}\n"
            process.stdin.close()
            assert lines.readline() == ""
            lines.close()
        assert process.wait(timeout=20) == 0
        process.stdin = None


async def test_a_table_reads_it_with_its_faults() -> None:
    found: list[Reading] = []
    faults = ("--foreign-at", "2", "--short", "50", "--cut-cards", "0")
    with device("--decks", "1", "--seed", "5", "--every", "0", *faults) as (_, port):
        async with asyncio.timeout(30), aclosing(read_cards(f"tcp:127.0.0.1:{port}")) as reading:
            async for one in reading:
                found.append(one)
                if isinstance(one, Lost):
                    break
    assert isinstance(found[0], Connected)
    assert found[1:-1] == [Drawn(ORDER[0]), Foreign(NOT_A_CARD), Drawn(ORDER[1]), Empty()]


def test_ctrl_c_ends_it() -> None:
    with device("--decks", "1") as (process, _):
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 0
        assert process.stderr is not None
        assert process.stderr.read() == ""


def test_bad_input() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        cases = [
            (f"the shoe cannot listen at 127.0.0.1:{port}", "--port", port),
            ("choose another --port or --host", "--port", "0", "--host", "no such host"),
            ("--port 70000 is out of range: give 0 to 65535", "--port", "70000"),
            ("--decks 0 is out of range: give 1 to 10", "--decks", "0"),
            ("--every -1 is out of range: give 0 to 3600", "--every", "-1"),
            ("--every nan is out of range", "--every", "nan"),
            ("--foreign-at 500 never comes, because a shoe of 8 decks has 416 cards", "--foreign-at", "500"),
            ("give at most 51", "--decks", "1", "--short", "1", "--extra-at", "52"),
            ("--short 500 is too many, because a shoe of 8 decks has 416 cards: give at most 416", "--short", "500"),
            ("--cut-cards 53 is too many, because a shoe of 1 deck has", "--decks", "1", "--cut-cards", "53"),
        ]
        refused = [run("reading-shoe", *arguments) for _, *arguments in cases]
    for (says, *_), done in zip(cases, refused, strict=True):
        assert says in complaint_of(done)

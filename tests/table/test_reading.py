"""Cards from a device: what its lines say, how it is found again, and which irregularity each fault is."""

import asyncio
import os
import pty
import socket
import tty
from contextlib import aclosing
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from natural9.core.cards import ALL_CARDS, Card
from natural9.core.errors import BadInput
from natural9.core.irregularities import Kind
from natural9.core.round import Refusal, decide
from natural9.core.round import commands as round_commands
from natural9.core.round import events as round_events
from natural9.core.round.state import Phase
from natural9.core.saying import say, verbatim
from natural9.core.shoe import Shoe
from natural9.table.devices.line import Serial, Tcp, parse_address
from natural9.table.shoes.reader import (
    Connected,
    CutCard,
    Drawn,
    Empty,
    Foreign,
    FromShoe,
    Lost,
    Reading,
    interpret,
    read_cards,
    read_line,
    readings,
)
from tests.core.round.table import (
    NATURAL,
    ONE_GAME_A_DOCUMENT,
    PLAYER_DRAWS,
    SHIFT_MANAGER,
    Table,
    of,
    second_round,
    signed,
)

NINE = Drawn(Card("9", "H"))


# Lines.


@pytest.mark.parametrize("card", ALL_CARDS, ids=str)
def test_every_card(card: Card) -> None:
    assert read_line(str(card).encode()) == read_line(str(card).lower().encode()) == Drawn(card)


@pytest.mark.parametrize(
    ("line", "reading"),
    [
        (b"10H", Drawn(Card("T", "H"))),
        (b" 9h\t", NINE),
        (b"\x009H\x00", NINE),
        ("9♥".encode(), NINE),
        (b"CUT", CutCard()),
        (b"cut ", CutCard()),
        (b"Empty", Empty()),
        (b"JOKER", Foreign("JOKER")),
        (b"9", Foreign("9")),
        (b"9H KD", Foreign("9H KD")),
        (b"1H", Foreign("1H")),
        (b"\xff\xfe\x1b[2J", Foreign("\ufffd\ufffd?[2J")),
        (b"x" * 24, Foreign("x" * 24)),
        (b"x" * 25, Foreign("x" * 21 + "...")),
    ],
)
def test_what_a_line_says(line: bytes, reading: FromShoe) -> None:
    assert read_line(line) == reading


async def all_of(chunks: list[bytes]) -> list[FromShoe]:
    stream = asyncio.StreamReader()

    async def feed() -> None:
        for chunk in chunks:
            stream.feed_data(chunk)
            await asyncio.sleep(0)
        stream.feed_eof()

    feeding = asyncio.create_task(feed())
    found = [reading async for reading in readings(stream)]
    await feeding
    return found


@given(st.lists(st.integers(0, 40)))
def test_lines_come_whole_however_they_are_cut(cuts: list[int]) -> None:
    whole = b"9H\r\n10d\n\nCUT\rJOKER\nKS\nEMPTY\n4"
    places = sorted({min(cut, len(whole)) for cut in cuts} | {0, len(whole)})
    chunks = [whole[a:b] for a, b in pairwise(places)]
    found = asyncio.run(all_of(chunks))  # Hypothesis runs many examples in one test: each has an event loop of its own
    said = [NINE, Drawn(Card("T", "D")), CutCard(), Foreign("JOKER"), Drawn(Card("K", "S")), Empty()]
    assert found == said  # and the unfinished 4 is not a card


async def test_a_line_without_end_is_told_once_and_skipped() -> None:
    found = await all_of([b"9H\n", *[b"z" * 4000] * 50, b"9H\n", b"KS\n"])
    assert found == [NINE, Foreign("z" * 21 + "..."), Drawn(Card("K", "S"))]


@given(st.binary(max_size=600))
def test_no_bytes_are_too_strange(garbage: bytes) -> None:
    for reading in asyncio.run(all_of([garbage, b"\n"])):
        assert not isinstance(reading, Foreign) or (reading.text.isprintable() and 0 < len(reading.text) <= 24)


# Addresses.


def test_addresses() -> None:
    assert parse_address("tcp:reader.example:9401") == Tcp("reader.example", 9401)
    assert parse_address("tcp:[::1]:9401") == Tcp("::1", 9401)
    assert parse_address("serial:/dev/ttyUSB0") == Serial(Path("/dev/ttyUSB0"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "tcp:",
        "tcp:host",
        "tcp:host:0",
        "tcp:host:65536",
        "tcp::1",
        "serial:ttyS0",
        "serial:/dev/\0",
        "usb:1",
        "tcp:a b:1",
    ],
)
def test_what_is_no_address(text: str) -> None:
    with pytest.raises(BadInput, match="is not where cards are read"):
        parse_address(text)


# Devices, over real sockets and a real terminal device.


async def first(count: int, address: str) -> list[Reading]:
    found = []
    async with aclosing(read_cards(address, first_wait_s=0.01)) as reading:
        async for one in reading:
            found.append(one)
            if len(found) == count:
                break
    return found


on_both_loops = pytest.mark.asyncio(loop_factories=["asyncio", "uvloop"])


@on_both_loops
async def test_a_socket_that_breaks_and_comes_back() -> None:
    connections = 0

    async def device(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1
        writer.write(b"9H\nJOKER\n1" if connections == 1 else b"KS\nEMPTY\n")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(device, "127.0.0.1", 0)
    async with server:
        address = f"tcp:127.0.0.1:{server.sockets[0].getsockname()[1]}"
        async with asyncio.timeout(20):
            found = await first(7, address)
    assert found[0] == found[4] == Connected(address)
    assert found[1:3] == [NINE, Foreign("JOKER")]
    assert found[3] == Lost(address, say("the device closed the connection"))
    assert found[5:] == [Drawn(Card("K", "S")), Empty()]


@on_both_loops
async def test_an_outage_is_told_once_and_ends() -> None:
    async def device(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"9H\n")
        await writer.drain()
        writer.close()

    place = socket.socket()
    place.bind(("127.0.0.1", 0))  # taken, but nobody answers there yet
    address = f"tcp:127.0.0.1:{place.getsockname()[1]}"
    async with asyncio.timeout(20):
        reading = asyncio.create_task(first(3, address))
        await asyncio.sleep(0.1)  # it finds nobody, several times
        async with await asyncio.start_server(device, sock=place):
            found = await reading
    assert isinstance(found[0], Lost)
    assert found[0].why
    assert found[1:] == [Connected(address), NINE]


@on_both_loops
async def test_a_serial_port() -> None:
    device, port = pty.openpty()
    tty.setraw(device)
    address = f"serial:{os.ttyname(port)}"
    found = []
    try:
        async with asyncio.timeout(20), aclosing(read_cards(address, first_wait_s=0.01)) as reading:
            async for one in reading:
                found.append(one)
                if isinstance(one, Connected):
                    os.write(device, b"9h\r\nCUT\r\n\x00\xff\r\n10S\r\n")
                if one == Drawn(Card("T", "S")):
                    os.close(device)  # the cable is pulled
                if isinstance(one, Lost):
                    break
    finally:
        os.close(port)
    assert found[:-1] == [Connected(address), NINE, CutCard(), Foreign("\ufffd"), Drawn(Card("T", "S"))]
    assert isinstance(found[-1], Lost)


async def test_a_path_that_is_no_serial_port(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    [lost] = await first(1, f"serial:{tmp_path / 'file'}")
    assert isinstance(lost, Lost)
    assert "is not a serial port" in lost.why
    [lost] = await first(1, f"serial:{tmp_path / 'none'}")
    assert lost == Lost(f"serial:{tmp_path / 'none'}", verbatim("No such file or directory"))


# What it means for the round, under each of the four documents.

every_document = pytest.mark.parametrize("game_id", ONE_GAME_A_DOCUMENT)


def told(table: Table, reading: FromShoe) -> round_commands.Command:
    command = interpret(table.state, reading)
    assert command is not None
    return command


def reported(table: Table, reading: FromShoe) -> round_events.IrregularityReported:
    [report] = of(round_events.IrregularityReported, table.do(told(table, reading)))
    [pending] = table.state.pending
    assert pending.kind is report.kind
    assert report.by == ""
    return report


@every_document
def test_a_whole_round_is_dealt_where_each_card_is_due(game_id: str) -> None:
    table = second_round(game_id, "")
    for text in PLAYER_DRAWS.split():
        if table.state.window:
            table.close_window()
        due = table.state.due
        command = told(table, Drawn(Card.parse(text)))
        assert command == round_commands.DealCard(card=Card.parse(text), put_at=due)
        table.do(command)
    assert table.state.phase is Phase.COMPLETE
    assert not table.state.pending


@every_document
@pytest.mark.parametrize("cards", [None, PLAYER_DRAWS], ids=["betting open", "complete"])
def test_a_card_that_is_not_due_is_in_excess(game_id: str, cards: str | None) -> None:
    table = second_round(game_id, cards)
    report = reported(table, Drawn(Card("8", "D")))
    assert (report.kind, report.cards) == (Kind.EXCESS_OR_EXPOSED, ("8D",))
    assert "8D was drawn while no card was due from the shoe" in report.detail


def test_a_card_before_the_insurance_window_is_closed_is_in_excess() -> None:
    table = second_round("rws-nc-insurance", "4S 7H KD QC")
    assert table.state.phase is Phase.FOUR_CARDS_INSURANCE
    assert reported(table, Drawn(Card("8", "D"))).kind is Kind.EXCESS_OR_EXPOSED


@every_document
def test_a_card_after_the_settlement_is_in_excess_until_the_next_round(game_id: str) -> None:
    table = Table(game_id)
    table.play(NATURAL)
    report = reported(table, Drawn(Card("8", "D")))
    assert (report.kind, report.cards) == (Kind.EXCESS_OR_EXPOSED, ("8D",))


@every_document
def test_a_card_drawn_while_another_waits_is_in_excess(game_id: str) -> None:
    table = second_round(game_id, "")
    table.state = table.state._replace(
        held=(Card("8", "C"),), shoe=Shoe.of(decks=8).without([*map(Card.parse, NATURAL.split()), Card("8", "C")])
    )
    report = reported(table, Drawn(Card("8", "D")))
    assert report.kind is Kind.EXCESS_OR_EXPOSED
    assert "8C came out before it" in report.detail


@every_document
@pytest.mark.parametrize("cards", [None, "", "4S 7H", PLAYER_DRAWS])
def test_a_card_of_which_all_are_out_is_one_too_many(game_id: str, cards: str | None) -> None:
    table = second_round(game_id, cards)
    assert table.state.shoe is not None
    table.state = table.state._replace(shoe=table.state.shoe.without([Card("8", "D")] * 8))
    report = reported(table, Drawn(Card("8", "D")))
    assert (report.kind, report.cards) == (Kind.SHORTAGE_OR_EXCESS, ())
    assert "8D is one too many" in report.detail


@every_document
def test_a_card_that_comes_when_all_others_were_burnt_is_one_too_many(game_id: str) -> None:
    table = second_round(game_id, "")
    one = Shoe(8, tuple(int(card == Card("8", "D")) for card in ALL_CARDS))
    table.state = table.state._replace(shoe=one, burnt_face_down=1)
    report = reported(table, Drawn(Card("8", "D")))
    assert (report.kind, report.detail) == (
        Kind.SHORTAGE_OR_EXCESS,
        "8D is one too many: by the count no card was left",
    )


def test_of_a_new_shoe_that_burns_the_first_card_is_shown_and_the_next_are_counted() -> None:
    table = Table("mbs-nc", burns=True, counts_burnt=True)
    assert told(table, NINE) == round_commands.BurnCards(card=NINE.card)
    table.do(told(table, NINE))
    for _ in range(9):
        assert told(table, Drawn(Card("8", "D"))) == round_commands.BurnFaceDown()
        table.do(told(table, Drawn(Card("8", "D"))))
    table.open()
    table.do(round_commands.CloseBetting())
    assert isinstance(told(table, NINE), round_commands.DealCard)


@every_document
@pytest.mark.parametrize("cards", [None, "", "4S 7H", PLAYER_DRAWS])
def test_a_foreign_card(game_id: str, cards: str | None) -> None:
    report = reported(second_round(game_id, cards), Foreign("JOKER"))
    assert (report.kind, report.detail) == (
        Kind.FOREIGN_CARD,
        "the reader read 'JOKER', which is not a card of the game",
    )


@every_document
@pytest.mark.parametrize("cards", ["", "4S 7H", "4S 7H KD QC"])
def test_an_empty_shoe_while_a_card_is_due(game_id: str, cards: str) -> None:
    report = reported(second_round(game_id, cards), Empty())
    assert report.kind is Kind.INSUFFICIENT_CARDS


@every_document
def test_an_empty_shoe_while_bets_are_open_is_not_covered(game_id: str) -> None:
    assert reported(second_round(game_id), Empty()).kind is Kind.NOT_COVERED


@every_document
def test_an_empty_shoe_after_the_last_card_ends_the_shoe(game_id: str) -> None:
    table = second_round(game_id, PLAYER_DRAWS)
    assert told(table, Empty()) == round_commands.ReportCutCard()
    table.do(round_commands.ReportCutCard())
    assert interpret(table.state, Empty()) is None


@every_document
def test_the_cut_card(game_id: str) -> None:
    table = second_round(game_id, "4S 7H")
    assert of(round_events.CutCardAppeared, table.do(told(table, CutCard())))


@every_document
@pytest.mark.parametrize("reading", [Foreign("JOKER"), Drawn(Card("8", "D"))])
def test_what_comes_after_a_void_round_is_for_the_next_one_or_not_covered(game_id: str, reading: FromShoe) -> None:
    table = second_round(game_id, "4S 7H")
    reported(table, Foreign("JOKER"))
    table.do(signed(round_commands.VoidRound(), by=SHIFT_MANAGER, why="a card of another game"))
    assert table.state.phase is Phase.VOID
    kind = Kind.EXCESS_OR_EXPOSED if isinstance(reading, Drawn) else Kind.NOT_COVERED
    assert reported(table, reading).kind is kind
    assert interpret(table.state, Empty()) == round_commands.ReportCutCard()


@every_document
def test_a_card_of_a_new_set_before_its_first_round_is_not_covered(game_id: str) -> None:
    table = Table(game_id)
    table.play(NATURAL)
    table.do(signed(round_commands.LoadShoe(shoe=2, decks=8), by=SHIFT_MANAGER, why="torn cards"))
    report = reported(table, Drawn(Card("8", "D")))
    assert (report.kind, report.cards) == (Kind.NOT_COVERED, ())


def test_before_the_first_round_nothing_can_be_reported() -> None:
    table = Table("mbs-nc")
    answer = decide(table.state, told(table, NINE))
    assert isinstance(answer, Refusal)
    assert answer.message == "No round has been opened at this table yet"

"""A reading shoe at work: what its device reads becomes commands at the table, each when its turn has come."""

import secrets
from collections.abc import AsyncGenerator, Callable
from typing import Final

import structlog

from natural9.core.round import Refusal
from natural9.core.round.refusal import Code
from natural9.core.saying import say
from natural9.table.commands.decide import THE_READER
from natural9.table.commands.orders import Order
from natural9.table.live.answers import Answer
from natural9.table.live.outbox import Reply
from natural9.table.live.writer import Interpret, Writer
from natural9.table.shoes.reader import Connected, Drawn, Foreign, FromShoe, Lost, Reading, interpret, read_cards
from natural9.table.state.state import TableState

FAULT: Final = "reading-shoe"

log = structlog.get_logger()


async def follow_reader(
    address: str,
    writer: Writer,
    read_cards: Callable[[str], AsyncGenerator[Reading, None]] = read_cards,
    random_bytes: Callable[[int], bytes] = secrets.token_bytes,
) -> None:
    """For ever. Lost, the table has a fault: cards may have been drawn that nobody read."""
    table, count, run = writer.state.config.id, 0, random_bytes(4).hex()
    async for reading in read_cards(address):
        match reading:
            case Connected():
                log.info("reading shoe connected", table=table, address=address)
            case Lost(why=why):
                log.warning("reading shoe lost", table=table, address=address, why=why)
                lost = say("the reading shoe at {address} is lost: {why}", address=address, why=why)
                writer.raise_fault(FAULT, lost)
            case _:
                count += 1
                writer.ask(_when_its_turn_comes(reading, f"{run}-{count}"), THE_READER, _not_taken(writer, reading))


def _not_taken(writer: Writer, reading: FromShoe) -> Reply:
    """A device only writes, and what came of it is seen at the console. But before a table's first round nothing can be
    reported, and a card that came out of its shoe then must not go unnoticed."""

    def heard(answer: Answer) -> None:
        is_card = isinstance(reading, Drawn | Foreign)
        if is_card and isinstance(answer, Refusal) and answer.code is Code.NO_ROUND and writer.state.round.new_shoe:
            writer.raise_fault(FAULT, say("a card was read before the first round, and belongs to none"))

    return heard


def _when_its_turn_comes(reading: FromShoe, request: str) -> Interpret:
    def order(state: TableState) -> Order | None:
        command = interpret(state.round, reading)
        return Order(request, command) if command else None

    return order

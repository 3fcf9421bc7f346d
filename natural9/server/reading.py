"""A reading shoe at work: what its device reads becomes commands at the table, each when its turn has come."""

import secrets
from typing import Final

import structlog

from natural9.core.round import commands as round_commands
from natural9.core.staff import Rank
from natural9.table.commands import commands
from natural9.table.commands.decide import Who
from natural9.table.live.answers import Answer
from natural9.table.live.writer import Interpret, Writer
from natural9.table.shoes.reader import Connected, FromShoe, Lost, interpret, read_cards
from natural9.table.state.state import TableState

READER: Final = Who("reading-shoe", rank=Rank.DEALER)
FAULT: Final = "reading-shoe"

log = structlog.get_logger()


async def follow_reader(address: str, writer: Writer) -> None:
    """For ever. Lost, the table has a fault: cards may have been drawn that nobody read."""
    table, count, run = writer.state.config.id, 0, secrets.token_hex(4)
    async for reading in read_cards(address):
        match reading:
            case Connected():
                log.info("reading shoe connected", table=table, address=address)
            case Lost(why=why):
                log.warning("reading shoe lost", table=table, address=address, why=why)
                writer.raise_fault(FAULT, f"the reading shoe at {address} is lost: {why}")
            case _:
                count += 1
                writer.ask(_when_its_turn_comes(reading, f"{run}-{count}"), READER, _nobody_waits)


def _nobody_waits(answer: Answer) -> None:
    """A device only writes; what came of it is seen at the console."""


def _when_its_turn_comes(reading: FromShoe, request: str) -> Interpret:
    def command(state: TableState) -> commands.StaffCommand | None:
        asked = interpret(state.round, reading)
        match asked:
            case round_commands.DealCard():
                return commands.Deal(request=request, card=str(asked.card), put_at=asked.put_at)
            case round_commands.ReportCutCard():
                return commands.CutCard(request=request)
            case round_commands.ReportIrregularity():
                return commands.Report(
                    request=request, kind=asked.kind, detail=asked.detail, cards=tuple(map(str, asked.cards))
                )
            case _:
                return None

    return command

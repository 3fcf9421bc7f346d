"""What a bill acceptor writes: lines in any pieces, and that none of them says more than it says."""

import asyncio
import re
from random import Random
from typing import Final

from natural9.core.money import MAX_CENTS
from natural9.core.saying import verbatim
from natural9.table.devices.acceptor import LONGEST_LINE, Bill, Ticket, Trouble, Unread, give_back, not_read, read_line
from natural9.table.devices.line import whole_lines
from tests.fuzz.mutation import spoilt
from tests.fuzz.target import Target, Wrong

VALID: Final = (
    b"BILL 50 SGD A7-000031\n",
    b"BILL 0.50 SGD 0badcafe-000002\r\n",
    b"TICKET natural9:nc-1-7-3:K7QM-2ABC-DEFG-HJKL A7-000032\n",
    b"STACKED A7-000031\nRETURNED A7-000032\n",
    b"TROUBLE the box is full\nOK\n",
)
BILL: Final = re.compile(r"BILL (\d+)(?:\.(\d\d))? [A-Z]{3} [A-Za-z0-9._-]{8,40}", re.ASCII)


class AcceptorLines(Target):
    """A line that is a bill is one, of what stands there; whatever is told in answer is one short line."""

    name = "acceptor-lines"
    share = 40

    def make(self, chance: Random) -> list[bytes]:
        written = spoilt(chance, b"".join(chance.choices(VALID, k=chance.randrange(1, 4))), VALID)
        cut = chance.randrange(len(written) + 1)
        return [written[:cut], written[cut:]]

    async def feed(self, given: list[bytes]) -> bool:
        stream = asyncio.StreamReader()
        for piece in given:
            stream.feed_data(piece)
        stream.feed_eof()
        taken = 0
        async for line in whole_lines(stream, LONGEST_LINE):
            said = read_line(line)
            taken += not isinstance(said, Unread)
            match said:
                case Bill(id=id, cents=cents):
                    whole = BILL.fullmatch(line.decode().strip(" \t\0"))
                    due = int(whole[1]) * 100 + int(whole[2] or 0) if whole else -1
                    if cents != due and not (cents == 0 and due > MAX_CENTS):
                        raise Wrong(f"{line!r} is taken for {cents} cents")
                    _one_line(give_back(id, verbatim(line.decode())))
                case Ticket(id=id, number=number, code=code):
                    if bool(number) != (f":{number}:{code} ".encode() in line):
                        raise Wrong(f"{line!r} is taken for voucher {number}")
                case Trouble(text=text) | Unread(text=text):
                    if not text.isprintable():
                        raise Wrong(f"shown as {text!r}")
                    _one_line(not_read(text))
                case _:
                    pass
        return taken > 0


def _one_line(told: bytes) -> None:
    if told.count(b"\n") != 1 or not told.endswith(b"\n") or len(told) > LONGEST_LINE or not told.isascii():
        raise Wrong(f"the device is told {told!r}")

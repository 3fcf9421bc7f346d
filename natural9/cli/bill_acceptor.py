"""`natural9 bill-acceptor`: a device that takes bills and vouchers, for a terminal that has none yet."""

import asyncio
import re
import secrets
import sys
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Final

import typer

from natural9.cli.usage import within
from natural9.core.errors import BadInput
from natural9.core.money import parse_cents
from natural9.disk.durable import replace_file
from natural9.table.devices.acceptor import Bill, bill_line

ASKS_AGAIN_S: Final = 1.0
_LINE: Final = re.compile("(BILL|TICKET) [!-~]+( [!-~]+)+")
TYPED: Final = "50 inserts a bill, natural9:NUMBER:CODE a voucher; jam and ok tell of trouble"


def bill_acceptor(
    port: Annotated[
        int,
        typer.Option(
            metavar="PORT", callback=within("--port", 0, 65535), help="The port to listen on; 0 takes any free one."
        ),
    ] = 9402,
    host: Annotated[str, typer.Option(metavar="HOST", help="The address to listen on.")] = "127.0.0.1",
    insert: Annotated[
        list[str] | None,
        typer.Option(metavar="WHAT", help="Insert this and end: 50, or a voucher's text; repeat it for more."),
    ] = None,
    currency: Annotated[str, typer.Option(metavar="CODE", help="The currency of the bills.")] = "SGD",
    escrow: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep what is in escrow in this file, as through a power cut."),
    ] = None,
) -> None:
    """Simulate a bill acceptor for bills and vouchers.

    It holds each bill or voucher until the table says whether to take or return it, and shows the answer. In the venue
    file its terminal has, under [bill_acceptor], address = "tcp:127.0.0.1:9402", with {seat} in the port where there
    are several.

    Example: natural9 bill-acceptor --insert 50
    """
    if not re.fullmatch("[A-Z]{3}", currency):
        raise BadInput("bad-currency", f"{currency!r} is not a currency: write its three letters, as in SGD")
    device = SimulatedAcceptor(currency, escrow)
    for what in insert or []:
        device.insert(what)
    with suppress(KeyboardInterrupt):
        asyncio.run(_serve(host, port, device, ends=bool(insert)))


class SimulatedAcceptor:
    """One thing is in escrow at a time; what is inserted meanwhile waits in front of the slot."""

    def __init__(self, currency: str, remembers: Path | None = None) -> None:
        self._currency, self._remembers = currency, remembers
        self._run, self._count = secrets.token_hex(4), 0
        self._waiting: deque[str] = deque()
        self.escrow = ""  # the line that asks for it
        self.trouble = ""  # what a person must see to, as a line
        if remembers:
            self.escrow = _remembered(remembers)

    def insert(self, what: str) -> None:
        self._count += 1
        id = f"{self._run}-{self._count:06}"
        if what.startswith("natural9:") and re.fullmatch("[!-~]{1,140}", what):
            self._waiting.append(f"TICKET {what} {id}")
        else:
            try:
                cents = parse_cents(what)
            except BadInput:
                why = f"{what!r} is neither a bill nor a voucher: write 50, or natural9:NUMBER:CODE as its code says"
                raise BadInput("bad-insert", why) from None
            self._waiting.append(bill_line(Bill(id, cents, self._currency)))

    @property
    def is_done(self) -> bool:
        return not self.escrow and not self._waiting

    def asks(self) -> str:
        """The line that it sends now, and sends again until it is answered; "" where the slot is empty."""
        if not self.escrow and self._waiting:
            self._keep(self._waiting.popleft())
        return self.escrow

    def told(self, line: str) -> tuple[str, str]:
        """What the table said of what is in escrow: what that means for people, and the line that it answers."""
        word, _, rest = line.partition(" ")
        id, _, why = rest.partition(" ")
        if not self.escrow or id != self.escrow.rpartition(" ")[2]:
            return (f"the table says: {line}" if word == "ERROR" else ""), ""
        what = self.escrow.rpartition(" ")[0]
        match word:
            case "STACK":
                self._keep("")
                return f"{what}: stacked", f"STACKED {id}"
            case "RETURN":
                self._keep("")
                return f"{what}: returned, {why}", f"RETURNED {id}"
            case "WAIT":
                return f"{what}: held, the table does not know yet", ""
            case _:
                return f"the table says: {line}", ""

    def _keep(self, line: str) -> None:
        """Before anybody is told: a device that loses its power knows what it held."""
        self.escrow = line
        if self._remembers:
            replace_file(self._remembers, line.encode())


def _remembered(file: Path) -> str:
    """What the file says is in escrow; one that is not there yet must be one that can be."""
    try:
        said = file.read_text("ascii").strip()
    except OSError as error:
        if isinstance(error, FileNotFoundError) and file.parent.is_dir():
            return ""
        why = f"it cannot be read: {error.strerror}"
    except UnicodeDecodeError:
        why = "it is not text"
    else:
        if not said or _LINE.fullmatch(said):
            return said
        why = "no bill acceptor wrote it"
    raise BadInput("bad-escrow", f"{file} cannot keep what is in escrow, because {why}; name a new file")


async def _serve(host: str, port: int, device: SimulatedAcceptor, *, ends: bool) -> None:
    peers: set[asyncio.StreamWriter] = set()
    done, asks = asyncio.Event(), asyncio.Event()

    def tell(line: str) -> None:
        for peer in peers:
            peer.write(f"{line}\n".encode())

    async def welcome(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        peers.add(writer)
        print("the table is connected", flush=True)
        if device.trouble:
            writer.write(f"{device.trouble}\n".encode())
        asks.set()
        with suppress(OSError):
            async for line in reader:
                shown, answer = device.told(line.decode(errors="replace").strip())
                if shown:
                    print(shown, flush=True)
                if answer:
                    tell(answer)
                    asks.set()
                if ends and device.is_done:
                    await writer.drain()
                    done.set()
        peers.discard(writer)
        print("the table is gone", flush=True)
        writer.close()

    async def ask() -> None:
        while True:
            if peers and (line := device.asks()):
                tell(line)
            asks.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(ASKS_AGAIN_S):
                    await asks.wait()

    def typed(text: str) -> None:
        if text in ("jam", "ok"):
            device.trouble = "TROUBLE jam" if text == "jam" else ""
            tell(device.trouble or "OK")
        elif text:
            try:
                device.insert(text)
            except BadInput as error:
                print(error, flush=True)
            asks.set()

    try:
        server = await asyncio.start_server(welcome, host, port)
    except (OSError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise BadInput(
            "bad-port", f"the acceptor cannot listen on {host}:{port}: {why}; choose another --port or --host"
        ) from None
    async with server:
        taken = server.sockets[0].getsockname()[1]
        print(f"bill acceptor at tcp:{host}:{taken}{'' if ends else ', ' + TYPED}", flush=True)
        asking = asyncio.create_task(ask())
        if not ends:
            _listen(typed, done)
        await done.wait()
        asking.cancel()
        for peer in [*peers]:
            peer.close()
    if device.escrow:
        print(f"{device.escrow.rpartition(' ')[0]}: still in escrow", flush=True)


def _listen(typed: Callable[[str], None], ended: asyncio.Event) -> None:
    """The keyboard, in a thread that ends with the program: reading it cannot be interrupted."""
    loop = asyncio.get_running_loop()

    def read() -> None:
        with suppress(RuntimeError):  # the program ends, and its loop is closed
            for line in sys.stdin:
                loop.call_soon_threadsafe(typed, line.strip())
            loop.call_soon_threadsafe(ended.set)

    threading.Thread(target=read, daemon=True).start()

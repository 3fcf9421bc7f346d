"""Where vouchers and receipts are printed: one address for all terminals, or one of its own for each."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from natural9.core.errors import BadInput
from natural9.core.host import is_host
from natural9.games.source import Source
from natural9.table.venue.file import PrinterSection


class NetworkPrinter(NamedTuple):
    host: str
    port: int


class DevicePrinter(NamedTuple):
    path: Path


class FolderPrinter(NamedTuple):
    """A file for each slip, as bytes for a printer: for tests, or for a program that prints what it finds."""

    path: Path


PrinterPlace = NetworkPrinter | DevicePrinter | FolderPrinter


@dataclass(frozen=True, kw_only=True)
class PrinterSettings:
    address: str  # {table} and {seat} in it stand for the terminal's
    chinese: bool  # it prints GB18030
    beside: Path  # the venue's folder, from where a relative one is seen

    def at(self, table: str, seat: int) -> PrinterPlace:
        address = self.address.replace("{table}", table).replace("{seat}", str(seat))
        return parse_printer(address, self.beside)


def parse_printer(text: str, beside: Path) -> PrinterPlace:
    """
    >>> parse_printer("tcp:10.1.0.9:9100", Path())
    NetworkPrinter(host='10.1.0.9', port=9100)
    """
    kind, _, rest = text.partition(":")
    match = re.fullmatch(r"(\[[0-9a-fA-F:]+\]|[\w.-]+):(\d{1,5})", rest, re.ASCII)
    if kind == "tcp" and match and is_host(match[1].strip("[]")) and 1 <= int(match[2]) <= 65535:
        return NetworkPrinter(match[1].strip("[]"), int(match[2]))
    if kind == "device" and Path(rest).is_absolute() and rest.isprintable():
        return DevicePrinter(Path(rest))
    if kind == "folder" and rest and rest.isprintable():
        return FolderPrinter(beside / rest)
    raise BadInput("bad-printer", f"{text!r} is no printer: write tcp:HOST:9100, device:/dev/usb/lp0 or folder:FOLDER")


def read_printer(source: Source, section: PrinterSection) -> PrinterSettings | None:
    if not section.address:
        return None
    settings = PrinterSettings(address=section.address, chinese=section.chinese, beside=source.path.parent)
    source.parse("$.printer.address", lambda _: settings.at("t", 1), section.address)
    return settings

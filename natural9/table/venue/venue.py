"""The venue, and how it is read from its file: each mistake is named with its line."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from difflib import get_close_matches
from functools import lru_cache, partial
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from natural9.core.errors import BadInput
from natural9.core.host import is_host
from natural9.games.source import Source
from natural9.table.venue.announce import AnnounceSettings, read_announce
from natural9.table.venue.bill_acceptor import BillAcceptorSettings, read_bill_acceptor
from natural9.table.venue.cash import NO_CASH_LIMITS, CashLimits, read_cash_limits
from natural9.table.venue.cluster import ClusterSettings, is_loopback, read_cluster
from natural9.table.venue.file import Burn, Mode, ServerSection, ShoeSource, TableSection, VenueFile
from natural9.table.venue.limits import TableLimits, check_limits, offered_wagers
from natural9.table.venue.players import CardedPlay, read_players
from natural9.table.venue.printer import PrinterSettings, read_printer
from natural9.table.venue.proof import NO_WITNESSES, ProofSettings, read_proof
from natural9.table.venue.protection import Protection, read_protection
from natural9.table.venue.tables import TableConfig, Timers, read_table

VENUE_FILE: Final = "venue.toml"
LONGEST_SHORT_S: Final = 600
MOST_TABLES_AT_ONCE: Final = 4  # that a terminal can show side by side

Network = IPv4Network | IPv6Network

__all__ = [
    "Burn",
    "Mode",
    "Network",
    "ShoeSource",
    "TableConfig",
    "TableLimits",
    "Timers",
    "Venue",
    "check_limits",
    "load_venue",
    "offered_wagers",
]

# Money here is hundredths of a unit, which these are not divided into.
_NO_CENTS: Final = frozenset(
    {"BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"}
    | {"CLP", "ISK", "JPY", "KRW", "PYG", "UGX", "VND", "XAF", "XOF", "XPF"}
)


@dataclass(frozen=True, kw_only=True)
class Venue:
    name: str
    currency: str
    zone: ZoneInfo
    day_starts: time
    voucher_days: int
    short_interruption_ms: int  # a table that is back within it goes on where it stood
    host: str
    port: int
    tls_cert: Path | None
    tls_key: Path | None
    allow_remote: bool
    allowed_origins: tuple[str, ...]
    approved_program: str  # its SHA-256; "" lets any run
    head_copy: Path | None  # where the last head that was acknowledged is kept besides, such as on another disk
    tables: Mapping[str, TableConfig]
    sha256: str  # of the file
    proxies: tuple[Network, ...] = ()  # whose X-Forwarded-For is believed
    tls_at_proxy: bool = False  # one of them ends TLS, and nobody comes without
    house_addresses: tuple[Network, ...] = ()  # where the house's own consoles are
    metrics_from: tuple[Network, ...] = ()  # who reads /metrics besides this machine
    cash: CashLimits = NO_CASH_LIMITS
    players: CardedPlay | None = None  # None where nobody has a name
    lobby_tables: int = 1  # that a terminal may play at a time, its own among them
    proof: ProofSettings = NO_WITNESSES
    public_insurance_odds: bool = False  # everybody sees on the odds page what insurance is worth
    cluster: ClusterSettings | None = None  # None where one process has all tables
    bills: BillAcceptorSettings | None = None  # None where no terminal takes bills
    printer: PrinterSettings | None = None  # None where vouchers are shown on the terminal alone
    announce: AnnounceSettings | None = None  # None where nobody outside is told anything

    def at(self, host: str | None, port: int | None) -> "Venue":
        """The same, served there: what the file says holds where nothing else is named."""
        host = self.host if host is None else _host(host, has_tls=bool(self.tls_cert), allow_remote=self.allow_remote)
        return replace(self, host=host, port=self.port if port is None else _port(port))

    def gaming_day(self, at_ms: int) -> str:
        """The gaming day, such as "2026-11-16": it begins at `day_starts` by the clock on the wall."""
        return _gaming_day(at_ms // 60_000, self.zone, self.day_starts)

    def time_text(self, at_ms: int) -> str:
        """A moment by the clock on the wall, as every screen shows it: 2026-11-16 22:05:09."""
        return f"{datetime.fromtimestamp(at_ms / 1000, self.zone):%Y-%m-%d %H:%M:%S}"


@lru_cache(maxsize=1024)  # every batch of every table asks
def _gaming_day(minute: int, zone: ZoneInfo, day_starts: time) -> str:
    """No day begins within a minute."""
    local = datetime.fromtimestamp(minute * 60, zone)
    started = local.time() >= day_starts
    return (local.date() - timedelta(days=0 if started else 1)).isoformat()


def load_venue(path: Path) -> Venue:
    """Read and check a venue file."""
    try:
        return _load(Source(path))
    except PermissionError as error:  # Path.is_file and its like raise it
        why = f"{path} names {error.filename}, which this user may not see: run this as the server's user"
        raise BadInput("bad-file", why) from None


def _load(source: Source) -> Venue:
    file = source.read(VenueFile)
    venue = file.venue
    if not venue.name.strip() or not venue.name.isprintable():
        source.refuse(
            "$.venue.name", f"{venue.name!r} cannot be printed, and tickets and reports carry the venue's name"
        )
    if not 1 <= venue.voucher_days <= 3650:
        source.refuse("$.venue.voucher_days", f"a voucher is good for 1 to 3650 days, not {venue.voucher_days}")
    if not 0 <= venue.short_interruption <= LONGEST_SHORT_S:
        source.refuse(
            "$.venue.short_interruption",
            f"a short interruption lasts from 0 to {LONGEST_SHORT_S} seconds, not {venue.short_interruption:g}",
        )
    cert, key = _tls(source, file.server)
    host_of = partial(_host, has_tls=cert is not None, allow_remote=file.server.allow_remote)
    short_interruption_ms = round(venue.short_interruption * 1000)
    return Venue(
        name=venue.name,
        currency=source.parse("$.venue.currency", _currency, venue.currency),
        zone=source.parse("$.venue.zone", _zone, venue.zone),
        day_starts=source.parse("$.venue.day_starts", _time_of_day, venue.day_starts),
        voucher_days=venue.voucher_days,
        short_interruption_ms=short_interruption_ms,
        public_insurance_odds=venue.public_insurance_odds,
        host=source.parse("$.server.host", host_of, file.server.host),
        port=source.parse("$.server.port", _port, file.server.port),
        tls_cert=cert,
        tls_key=key,
        allow_remote=file.server.allow_remote,
        tls_at_proxy=_tls_at_proxy(source, file.server),
        allowed_origins=tuple(
            source.parse("$.server.allowed_origins", _origin, origin) for origin in file.server.allowed_origins
        ),
        approved_program=source.parse("$.server.approved_program", _approved, file.server.approved_program),
        proxies=tuple(source.parse("$.server.proxies", _network, text) for text in file.server.proxies),
        house_addresses=tuple(
            source.parse("$.server.house_addresses", _network, text) for text in file.server.house_addresses
        ),
        metrics_from=tuple(source.parse("$.server.metrics_from", _network, text) for text in file.server.metrics_from),
        head_copy=_head_copy(source, file.server.head_copy),
        cash=read_cash_limits(source, file.cage),
        players=read_players(source, file.players),
        proof=read_proof(source, file.proof),
        bills=read_bill_acceptor(source, file.bill_acceptor, [one.id for one in file.table]),
        printer=read_printer(source, file.printer),
        announce=read_announce(source, file.announce),
        cluster=read_cluster(source, file.cluster, short_interruption_ms=short_interruption_ms),
        lobby_tables=source.parse("$.lobby.side_by_side", _lobby_tables, file.lobby.side_by_side),
        tables=_tables(
            source, file.table, read_protection(source, file.protection), has_lobby=file.lobby.side_by_side > 1
        ),
        sha256=source.sha256,
    )


def _currency(code: str) -> str:
    if not re.fullmatch("[A-Z]{3}", code):
        raise BadInput("bad-currency", f"{code!r} is not a currency: write its three letters, as in SGD")
    if code in _NO_CENTS:
        raise BadInput(
            "bad-currency", f"{code} is not divided into hundredths, in which money is counted: choose another currency"
        )
    return code


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # unknown, a strange path, a folder such as Asia
        near = get_close_matches(name, available_timezones(), n=1)
        hint = f"; did you mean {near[0]}?" if near else ": write one such as Asia/Singapore"
        raise BadInput("bad-zone", f"there is no time zone {name!r}{hint}") from None


def _time_of_day(text: str) -> time:
    match = re.fullmatch(r"([01]\d|2[0-3]):([0-5]\d)", text)
    if match is None:
        raise BadInput("bad-time", f"{text!r} is not a time of day: write 06:00")
    return time(int(match[1]), int(match[2]))


def _port(port: int) -> int:
    if not 0 <= port <= 65535:
        raise BadInput("bad-port", f"there is no port {port}: give 1 to 65535, or 0 for any free port")
    return port


def _approved(digest: str) -> str:
    if digest and not re.fullmatch("[0-9a-f]{64}", digest):
        raise BadInput(
            "bad-hash", f"{digest[:80]!r} is not a SHA-256: write its 64 digits, as `natural9 serve` logs them"
        )
    return digest


def _origin(origin: str) -> str:
    if not re.fullmatch(r"https?://[^/\s?#@]+", origin):
        raise BadInput("bad-origin", f"{origin!r} is not an origin of pages: write https://HOST or https://HOST:PORT")
    return origin


def _network(text: str) -> Network:
    example = "write one such as 10.1.0.7, or a network such as 10.1.0.0/16"
    try:
        network = ip_network(text)
    except ValueError as error:
        raise BadInput("bad-address", f"{text[:80]!r} is no address of machines ({error}): {example}") from None
    if network.prefixlen == 0:
        raise BadInput("bad-address", f"{text!r} is every address there is: {example}")
    return network


def _host(host: str, *, has_tls: bool, allow_remote: bool) -> str:
    if not host.strip():
        raise BadInput("bad-host", "an empty host is every address of the machine: write 0.0.0.0 if you mean that")
    if not is_host(host):
        raise BadInput("bad-host", f"{host!r} is no address of a machine: write one such as 10.1.0.7 or 127.0.0.1")
    if not (is_loopback(host) or has_tls or allow_remote):
        raise BadInput(
            "bad-host",
            f"{host} can be reached from other machines, and without TLS anyone on the way can read along: "
            "give tls_cert and tls_key, or set allow_remote = true if something else protects the connection",
        )
    return host


def _tls(source: Source, server: ServerSection) -> tuple[Path | None, Path | None]:
    given = {name: text for name in ("tls_cert", "tls_key") if (text := getattr(server, name))}
    if len(given) == 1:
        [(name, _)] = given.items()
        other = "tls_key" if name == "tls_cert" else "tls_cert"
        source.refuse(f"$.server.{name}", f"{name} is given without {other}: TLS needs both")
    paths = {name: source.path.parent / text for name, text in given.items()}
    for name, path in paths.items():
        if not path.is_file():
            source.refuse(f"$.server.{name}", f"there is no file {path}")
    return paths.get("tls_cert"), paths.get("tls_key")


def _tls_at_proxy(source: Source, server: ServerSection) -> bool:
    """Only where there is one, and its address is known: without it nobody's cookie would come back."""
    https = [origin for origin in server.allowed_origins if origin.startswith("https://")]
    if server.tls_at_proxy and not (server.proxies and https):
        source.refuse(
            "$.server.tls_at_proxy",
            "where a proxy ends TLS, list it in proxies, and the https:// address that people open in allowed_origins",
        )
    return server.tls_at_proxy


def _head_copy(source: Source, text: str) -> Path | None:
    path = source.path.parent / text
    if text and not path.parent.is_dir():
        source.refuse("$.server.head_copy", f"there is no folder {path.parent} for it: is its disk there?")
    return path if text else None


def _lobby_tables(tables: int) -> int:
    if not 1 <= tables <= MOST_TABLES_AT_ONCE:
        why = f"a terminal plays at 1 to {MOST_TABLES_AT_ONCE} tables at a time, its own among them, not {tables}"
        raise BadInput("bad-lobby", why)
    return tables


def _tables(
    source: Source, sections: list[TableSection], protection: Protection | None, *, has_lobby: bool
) -> dict[str, TableConfig]:
    if not sections:
        source.refuse("$.table", "a venue has at least one table: add a section [[table]]")
    tables: dict[str, TableConfig] = {}
    for place, section in enumerate(sections):
        if section.id in tables:
            source.refuse(f"$.table[{place}].id", f"table {section.id!r} is there twice: give each table its own id")
        tables[section.id] = read_table(source, f"$.table[{place}]", section, protection, has_lobby=has_lobby)
    return tables

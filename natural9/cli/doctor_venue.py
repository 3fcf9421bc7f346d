"""What `natural9 doctor` finds of a venue: its file, rights, port, certificate and journal."""

import errno
import shlex
import socket
import ssl
import stat
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from natural9.cli.doctor_findings import Finding, bad, good, look
from natural9.cli.doctor_machine import has_module, look_at_handles
from natural9.cli.doctor_records import look_at_records
from natural9.core.errors import BadInput
from natural9.disk.seen import is_there
from natural9.extras import install_line
from natural9.server.people.keys import KEY_FILE
from natural9.server.proof.signing_key import CHECKPOINT_KEY_FILE
from natural9.server.tls import tls_context, validity_of
from natural9.store.sqlite.schema import JOURNAL_FILE
from natural9.table.devices.line import Serial, parse_address
from natural9.table.venue.bill_acceptor import BillAcceptorSettings
from natural9.table.venue.cluster import ClusterSettings, is_loopback
from natural9.table.venue.printer import DevicePrinter, NetworkPrinter, PrinterPlace
from natural9.table.venue.venue import VENUE_FILE, Venue, load_venue

SOON: Final = timedelta(days=21)  # when a certificate is to be renewed
WAIT_S: Final = 2.0
NATS_PORT: Final = 4222
MINE_ALONE: Final = (JOURNAL_FILE, f"{JOURNAL_FILE}-wal", KEY_FILE, CHECKPOINT_KEY_FILE)


def look_at_venue(folder: Path, *, now_ms: int) -> Iterator[Finding]:
    path = folder / VENUE_FILE
    venue: Venue | None = None
    try:
        venue = load_venue(path)
    except BadInput as error:
        yield bad(
            "Venue file", str(error), f"correct {path}; natural9 init writes an example with every setting explained"
        )
    else:
        tables = f"{len(venue.tables)} {'table' if len(venue.tables) == 1 else 'tables'}"
        yield good("Venue file", f"{venue.name}: {tables}, money in {venue.currency}, times of {venue.zone.key}")
        yield look_at_handles(seats=sum(table.seats for table in venue.tables.values()))
    yield _rights(folder)
    if venue:
        yield _port(venue)
        yield _certificate(venue)
        yield from _devices(venue)
        if venue.cluster:
            yield from _cluster(venue.cluster)
    yield from look_at_records(folder, venue, now_ms)


def _rights(folder: Path) -> Finding:
    """Whoever may write the folder can exchange the files in it; whoever reads the key can make vouchers' codes."""
    open_to_others = [one for name in MINE_ALONE if is_there(one := folder / name) and _mode(one) & 0o077]
    if _mode(folder) & 0o022:
        return look("Rights", f"others may change files in {folder}", f"chmod 700 {shlex.quote(str(folder))}")
    if open_to_others:
        names = " ".join(shlex.quote(str(one)) for one in open_to_others)
        words = f"others on this machine may use {', '.join(one.name for one in open_to_others)}"
        return look("Rights", words, f"chmod 600 {names}")
    return good("Rights", "nobody else may change the venue or read its key")


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def _port(venue: Venue) -> Finding:
    where = f"port {venue.port} of {venue.host}"
    if venue.port == 0:
        return good("Port", "any free one")
    family = socket.AF_INET6 if ":" in venue.host else socket.AF_INET
    with closing(socket.socket(family)) as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((venue.host, venue.port))
        except OSError as error:
            return _taken(venue, where, error)
    return good("Port", f"{where} is free")


def _taken(venue: Venue, where: str, error: OSError) -> Finding:
    elsewhere = f"set another one in {VENUE_FILE}, [server] port"
    if error.errno == errno.EADDRINUSE:
        if _answers(venue):
            return good("Port", f"a natural9 server answers at {where}")
        return bad("Port", f"{where} is used by another program", f"stop that one, or {elsewhere}")
    if error.errno == errno.EACCES:
        return bad("Port", f"you may not use {where}: ports below 1024 need a right", f"{elsewhere}, such as 8909")
    what = f"this machine has no address {venue.host}: {error.strerror or error}"
    return bad("Port", what, f"correct [server] host in {VENUE_FILE}; 127.0.0.1 is this machine alone")


def _answers(venue: Venue) -> bool:
    """Whether a server of ours is there. Which certificate it shows is another line's matter."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(venue.host, venue.host)
    asked: HTTPConnection
    if venue.tls_cert:
        unchecked = ssl.create_default_context()
        unchecked.check_hostname, unchecked.verify_mode = False, ssl.CERT_NONE
        asked = HTTPSConnection(host, venue.port, timeout=WAIT_S, context=unchecked)
    else:
        asked = HTTPConnection(host, venue.port, timeout=WAIT_S)
    try:
        asked.request("GET", "/healthz")
        return asked.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        asked.close()


def _certificate(venue: Venue) -> Finding:
    if venue.tls_cert is None or venue.tls_key is None:
        if venue.tls_at_proxy:
            return good("TLS", "a proxy speaks it for this server")
        if is_loopback(venue.host):
            return good("TLS", "not needed: only this machine can connect")
        words = f"other machines reach {venue.host} without TLS"
        return look("TLS", words, "make sure that something else protects the wire, or give tls_cert and tls_key")
    try:
        tls_context(venue.tls_cert, venue.tls_key)
        begins, ends = validity_of(venue.tls_cert)
    except (BadInput, OSError, ValueError) as error:
        return bad("TLS", str(error), "give a certificate and its key as PEM files, the key readable by you alone")
    now = datetime.now(UTC)
    renew = f"renew {venue.tls_cert}, then restart the server"
    if begins > now:
        return bad(
            "TLS", f"the certificate is good only from {begins:%Y-%m-%d %H:%M} UTC on", "look at the clock, or wait"
        )
    if ends <= now:
        return bad("TLS", f"the certificate expired on {ends:%Y-%m-%d}", renew)
    words = f"the certificate is good until {ends:%Y-%m-%d}, {(ends - now).days} days"
    return look("TLS", words, renew) if ends - now < SOON else good("TLS", words)


def _devices(venue: Venue) -> Iterator[Finding]:
    """Only whether a serial port is there: a device talks to one program, and that is the server."""
    for table in venue.tables.values():
        where = parse_address(table.reader) if table.reader else None
        if isinstance(where, Serial) and not is_there(where.path):
            words = f"table {table.id} reads its cards from {where.path}, which is not there"
            yield bad("Reading shoe", words, "plug it in, or correct reader in the venue file")
    if venue.proof.stamp_authority and not has_module("rfc3161_client"):
        words = "time_stamp_authority needs rfc3161-client, and the server does not start without"
        yield bad("Time stamps", words, install_line("stamps"))
    if venue.bills:
        yield _bill_acceptors(venue, venue.bills)
    if venue.printer and "{" not in venue.printer.address:  # of one for each terminal, the pit says which is away
        yield _printer(venue.printer.at("", 0))


def _bill_acceptors(venue: Venue, settings: BillAcceptorSettings) -> Finding:
    tables = [table for table in venue.tables.values() if table.id in settings.tables]
    places = [settings.at(table.id, seat) for table in tables for seat in range(1, table.seats + 1)]
    away = [str(one.path) for one in places if isinstance(one, Serial) and not is_there(one.path)]
    if away:
        words = f"{len(away)} of {len(places)} are not there, such as {away[0]}"
        return look("Bill acceptors", words, "plug them in, or name in at_tables under [bill_acceptor] who has one")
    return good("Bill acceptors", "the pit says which does not answer")


def _printer(place: PrinterPlace) -> Finding:
    remedy = "switch it on, or correct [printer] address; vouchers are shown on the terminals meanwhile"
    match place:
        case NetworkPrinter(host, port):
            try:
                socket.create_connection(place, WAIT_S).close()
            except OSError as error:
                return look("Printer", f"{host}:{port} does not answer: {error.strerror or error}", remedy)
        case DevicePrinter(path) if not is_there(path):
            return look("Printer", f"{path} is not there", remedy)
        case _:
            pass
    return good("Printer", "it is there")


def _cluster(cluster: ClusterSettings) -> Iterator[Finding]:
    if not has_module("asyncpg"):
        yield bad("Cluster", "asyncpg is not installed", install_line("cluster"))
    for server in cluster.nats:
        parts = urlsplit(server)
        try:
            socket.create_connection((parts.hostname, parts.port or NATS_PORT), WAIT_S).close()
            yield good("NATS", f"{server} answers")
        except OSError as error:
            yield bad("NATS", f"{server} does not answer: {error}", "start it, or correct nats in [cluster]")

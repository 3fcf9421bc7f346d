"""`natural9 doctor`: good, look or bad, each with its remedy."""

import errno
import json
import os
import shutil
import socket
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib.metadata import PathDistribution
from pathlib import Path
from threading import Thread

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from natural9.cli.doctor_findings import Finding, Health
from natural9.cli.doctor_machine import file_system_of, look_at_disk, look_at_handles, look_at_packages
from natural9.cli.doctor_venue import look_at_venue
from natural9.cli.main import make_app
from tests.cli.test_command import complaint, run
from tests.cli.venue_folder import an_evenings_venue

NOW_MS = 4_000_000_000_000  # after everything that tests record


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return an_evenings_venue(tmp_path_factory.mktemp("doctor") / "venue")


@pytest.fixture
def venue(evening: Path, tmp_path: Path) -> Path:
    shutil.copytree(evening, folder := tmp_path / "venue")
    change(folder, "port = 8909", "port = 0")
    return folder


@pytest.fixture
def fresh(venue: Path) -> Path:
    """Without what the evening, which is in the future, has recorded."""
    for path in venue.glob("journal*"):
        path.unlink()
    return venue


def change(folder: Path, old: str, new: str) -> None:
    text = (folder / "venue.toml").read_text(encoding="utf-8")
    assert old in text
    (folder / "venue.toml").write_text(text.replace(old, new), encoding="utf-8")


def named(found: Iterable[Finding], what: str) -> Finding:
    [one] = [one for one in found if one.what == what]
    assert (one.verdict is Health.GOOD) == (not one.remedy), "whatever is not good has a remedy"
    return one


def of_venue(folder: Path, what: str, now_ms: int = NOW_MS) -> Finding:
    return named(look_at_venue(folder, now_ms=now_ms), what)


def test_a_venue_in_order(fresh: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    # Only the disk is not the real one: other tests keep that busy.
    monkeypatch.setattr("natural9.cli.doctor_machine.sync_ms", lambda folder: 1.0)
    code = make_app()(["doctor", str(fresh)], standalone_mode=False)
    said = capsys.readouterr().out
    assert code == 0, said
    for line in ("Venue file", "Rights", "any free one", "nothing was played yet", "in 1.0 ms", ", 0 bad."):
        assert line in said


def test_what_is_bad_is_exit_1_and_json_has_it_all(fresh: Path) -> None:
    change(fresh, 'currency = "SGD"', 'currency = "Dollars"')
    done = run("doctor", str(fresh), "--json")
    assert done.returncode == 1
    found = json.loads(done.stdout)
    assert {(one["ok"], one["verdict"]) for one in found} <= {(True, "good"), (True, "look"), (False, "bad")}
    [wrong] = [one for one in found if not one["ok"] and one["check"] != "Disk sync"]  # that depends on the machine
    assert wrong["check"] == "Venue file"
    assert "'Dollars' is not a currency" in wrong["detail"]
    assert f"correct {fresh / 'venue.toml'}" in wrong["remedy"]


def test_without_a_venue_it_looks_at_the_machine_and_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    what = [one["check"] for one in json.loads(run("doctor", "--json").stdout)]
    assert {"Program", "Packages", "Screens", "Clock", "Open files", "Disk sync", "Free space"} <= set(what)
    assert "natural9 init" in complaint("doctor", str(tmp_path))


def test_rights(venue: Path) -> None:
    venue.chmod(0o777)
    assert of_venue(venue, "Rights").remedy == f"chmod 700 {venue}"
    venue.chmod(0o700)
    (venue / "venue.key").chmod(0o644)
    assert of_venue(venue, "Rights").remedy == f"chmod 600 {venue / 'venue.key'}"


def test_a_port_that_another_program_uses(venue: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        change(venue, "port = 0", f"port = {other.getsockname()[1]}")
        Thread(target=lambda: other.accept()[0].close(), daemon=True).start()
        found = of_venue(venue, "Port")
    assert (found.verdict, "another program" in found.words) == (Health.BAD, True)


def test_a_port_where_our_own_server_answers(venue: Path) -> None:
    class Healthy(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path == "/healthz" else 404)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Healthy) as server:
        change(venue, "port = 0", f"port = {server.server_port}")
        Thread(target=server.handle_request, daemon=True).start()
        assert "server answers" in of_venue(venue, "Port").words


def test_an_address_that_is_not_this_machines(venue: Path) -> None:
    change(venue, 'host = "127.0.0.1"', 'host = "192.0.2.1"')
    change(venue, "allow_remote = false", "allow_remote = true")
    change(venue, "port = 0", "port = 8909")
    assert "this machine has no address 192.0.2.1" in of_venue(venue, "Port").words
    assert of_venue(venue, "TLS").verdict is Health.LOOK


def certify(folder: Path, *, days: float) -> datetime:
    """A certificate that is good for so many days from now, and until when; the venue uses it."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    end = now + timedelta(days)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "tables.example")])
    made = x509.CertificateBuilder(name, name, key.public_key(), 7, now - timedelta(99), end)
    (folder / "cert.pem").write_bytes(made.sign(key, SHA256()).public_bytes(Encoding.PEM))
    (folder / "key.pem").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    (folder / "key.pem").chmod(0o600)
    return end


@pytest.mark.parametrize(("days", "verdict"), [(90.0, Health.GOOD), (10.0, Health.LOOK), (-1.0, Health.BAD)])
def test_a_certificate_that_ends(venue: Path, days: float, verdict: Health) -> None:
    end = certify(venue, days=days)
    change(venue, "port = 0", 'port = 0\ntls_cert = "cert.pem"\ntls_key = "key.pem"')
    found = of_venue(venue, "TLS")
    assert found.verdict is verdict
    assert f"{end:%Y-%m-%d}" in found.words
    (venue / "key.pem").chmod(0o644)
    assert "can be read by everybody" in of_venue(venue, "TLS").words


def test_a_journal_that_is_damaged_lost_its_end_or_comes_from_the_future(venue: Path) -> None:
    sound = of_venue(venue, "Journal")
    assert (sound.verdict, "entries, the last of" in sound.words) == (Health.GOOD, True)
    early = of_venue(venue, "Journal", now_ms=0)
    assert (early.verdict, early.remedy) == (Health.BAD, "set the clock right before the server starts")
    with (venue / "journal.db").open("r+b") as file:
        file.write(b"nothing of a journal")
    broken = of_venue(venue, "Journal")
    assert broken.verdict is Health.BAD
    assert f"natural9 verify {venue}" in broken.remedy
    (venue / "journal.db").unlink()
    assert of_venue(venue, "Journal").verdict is Health.BAD, "what was acknowledged is known to be missing"


def test_the_keys_that_the_journal_names(venue: Path) -> None:
    assert of_venue(venue, "Keys").verdict is Health.GOOD
    key = venue / "venue.key"
    held = key.read_bytes()
    for written, words in ((bytes(64), "damaged"), (held[:9], "bytes")):
        key.write_bytes(written)
        found = of_venue(venue, "Keys")
        assert (found.verdict, words in found.words) == (Health.BAD, True)
    key.unlink()
    found = of_venue(venue, "Keys")
    assert (found.verdict, f"natural9 rekey --lost {venue}" in found.remedy) == (Health.BAD, True)
    assert of_venue(venue, "Journal").verdict is Health.GOOD, "which is as sound as before"


@pytest.mark.parametrize(
    ("address", "words", "remedy"),
    [
        ("postgresql://natural9@127.0.0.1:1/venue", "cannot be reached", "start the database"),
        ("postgresql://natural9@db..example/venue", "no address of a database", "postgresql://USER@HOST/DATABASE"),
        ("postgresql://natural9@db.example:99999/venue", "no address of a database", "postgresql://USER@HOST/DATABASE"),
    ],
)
def test_a_database_that_is_away_is_no_damage(venue: Path, address: str, words: str, remedy: str) -> None:
    (venue / "journal.postgresql").write_text(address)
    found = of_venue(venue, "Journal")
    assert (found.verdict, words in found.words, remedy in found.remedy) == (Health.BAD, True, True)


def test_a_journal_that_this_user_may_not_use_is_no_damage(venue: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda path, mode: Path(path).name != "journal.db")  # root may everything
    found = of_venue(venue, "Journal")
    assert (found.verdict, found.remedy) == (Health.LOOK, "run doctor as the server's user")


def test_bill_acceptors_that_are_not_plugged_in(venue: Path) -> None:
    change(venue, "[bill_acceptor]", '[bill_acceptor]\naddress = "serial:/dev/no-such-{table}-{seat}"')
    assert "/dev/no-such-nc-1-1" in of_venue(venue, "Bill acceptors").words


def test_what_the_venue_asks_for_and_is_not_installed(venue: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    certify(venue, days=9)
    change(venue, "# time_stamp_authority", "time_stamp_authority")
    change(venue, '# time_stamp_certificates = "stamps.pem"', 'time_stamp_certificates = "cert.pem"')
    assert all(one.what != "Time stamps" for one in look_at_venue(venue, now_ms=NOW_MS))
    monkeypatch.setattr("natural9.cli.doctor_venue.has_module", lambda _: False)
    assert of_venue(venue, "Time stamps").remedy == "pip install 'natural9[stamps]'"


def test_a_head_copy_on_the_same_disk(venue: Path) -> None:
    change(venue, "port = 0", 'port = 0\nhead_copy = "copy.head"')
    assert "another disk" in of_venue(venue, "Head copy").remedy


def test_a_reading_shoe_that_is_not_plugged_in(venue: Path) -> None:
    change(venue, "# reader = ", 'reader = "serial:/dev/no-such-shoe" # ')
    assert "/dev/no-such-shoe" in of_venue(venue, "Reading shoe").words


def test_a_printer_that_is_away(venue: Path) -> None:
    change(venue, "[printer]", '[printer]\naddress = "device:/dev/no-such-printer"')
    found = of_venue(venue, "Printer")
    assert (found.verdict, found.words) == (Health.LOOK, "/dev/no-such-printer is not there")


def test_what_is_installed_and_what_is_missing_for_what(tmp_path: Path) -> None:
    requires = (
        "msgspec>=0.19",
        "no-such-part[fast]>=2",
        "only-there; sys_platform == 'win32'",
        "no-such-line~=1.0; extra == 'postgres'",
        'msgspec>=1; extra == "math"',
        "no-such-tool; extra == 'dev'",
    )
    lines = ["Name: natural9", "Version: 1", *(f"Provides-Extra: {one}" for one in ("postgres", "math", "dev"))]
    lines += [f"Requires-Dist: {one}" for one in requires]
    (tmp_path / "METADATA").write_text("\n".join(lines), encoding="utf-8")
    found = list(look_at_packages(PathDistribution(tmp_path)))
    assert [one.what for one in found] == ["Packages", "Extra math", "Extra postgres"]
    assert named(found, "Packages").words.startswith("no-such-part not installed")
    assert named(found, "Extra postgres").remedy == "if you want that: pip install 'natural9[postgres]'"
    assert named(found, "Extra math").verdict is Health.GOOD


def test_few_file_handles() -> None:
    assert "LimitNOFILE" in look_at_handles(seats=10**9).remedy
    assert not look_at_handles(seats=0).remedy


def test_a_disk_that_keeps_nothing(tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(
        f"/dev/sda1 / ext4 rw 0 0\ntmpfs {tmp_path}/in\\040memory tmpfs rw 0 0\n"
        f"far:/x {tmp_path}/in\\040memory/far nfs4 rw 0 0\n",
        encoding="utf-8",
    )
    assert file_system_of(tmp_path, mounts) == "ext4"
    assert file_system_of(tmp_path / "in memory" / "deep", mounts) == "tmpfs"
    assert file_system_of(tmp_path / "in memory" / "far" / "deep", mounts) == "nfs4"
    assert file_system_of(tmp_path, tmp_path / "none") == ""


@pytest.mark.parametrize(
    ("number", "verdict", "remedy"),
    [
        (errno.ENOSPC, Health.BAD, "free some space"),
        (errno.EACCES, Health.LOOK, "user"),
        (errno.EROFS, Health.BAD, "mounted"),
    ],
)
def test_a_disk_that_takes_nothing_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, verdict: Health, remedy: str
) -> None:
    def refuse(folder: Path) -> float:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("natural9.cli.doctor_machine.sync_ms", refuse)
    found = named(look_at_disk(tmp_path), "Disk sync")
    assert (found.verdict, os.strerror(number) in found.words) == (verdict, True)
    assert remedy in found.remedy


def test_a_venue_in_memory_is_named() -> None:
    memory = Path("/dev/shm")
    if file_system_of(memory) == "tmpfs":
        assert "a power cut loses every record" in named(look_at_disk(memory), "Disk").words

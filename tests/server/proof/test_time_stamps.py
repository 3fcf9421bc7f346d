"""Every closed gaming day is stamped by an authority; one that is away or lies holds up nothing."""

import asyncio
import json
import subprocess
import sys
import time
from base64 import b64encode
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
import pytest

from natural9.cli.backup import copy_venue, make_folder
from natural9.core.errors import BadInput
from natural9.journal.export import journal_lines
from natural9.journal.line import BY_PROGRAM, encode_line, read_line
from natural9.journal.venue_events import TimeStampKept
from natural9.proof.time_stamp import check_stamp
from natural9.server.house import House
from natural9.server.proof import time_stamps
from natural9.server.proof.authority import NoStamp, ask
from natural9.server.proof.time_stamps import ClosedDays
from natural9.server.reports.examination import verify_records
from natural9.store.contract import Access, Entry
from natural9.store.opening import open_store
from natural9.store.streams import SharedStream
from natural9.table.audit.findings import Fault
from natural9.table.venue.proof import StampAuthority
from natural9.table.venue.venue import load_venue
from tests.server.people.browser import Browser
from tests.server.people.house import PASSWORD
from tests.server.proof.authority import Authority, an_authority
from tests.server.proof.test_checkpoints import a_house, browser, new_venue, something_happens
from tests.verifier.lines import outside

DATA = b"a signed checkpoint\n"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Authority]:
    with an_authority(tmp_path_factory.mktemp("stamps") / "authority") as authority:
        yield authority


@pytest.fixture
def authority(made: Authority) -> Authority:
    made.lie = ""
    return made


def named(authority: Authority) -> StampAuthority:
    return StampAuthority(url=authority.url, certificates=authority.root.read_bytes(), path=authority.root)


# Asking.


async def test_a_stamp_is_of_what_was_asked_and_anybody_can_check_it(authority: Authority, tmp_path: Path) -> None:
    stamped_at_ms, answer = await ask(named(authority), DATA)
    assert check_stamp(answer, DATA) == stamped_at_ms
    (tmp_path / "data").write_bytes(DATA)
    (tmp_path / "answer.tsr").write_bytes(answer)
    command = ["openssl", "ts", "-verify", "-data", "data", "-in", "answer.tsr", "-CAfile", str(authority.root)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "Verification: OK" in done.stdout


NOT_VOUCHED = "None of the certificates in the file vouches for the stamp ({})"
LIES = {
    "away": "The authority answers with HTTP status 503",
    "nonsense": "What came is no answer of a time-stamp authority",
    "endless": "What came is no answer of a time-stamp authority",
    "refused": "The authority refused (Bad request format or system error.)",
    "another query": "The authority answered another query",
    "another checkpoint": "The authority stamped something else",
    "another signature": NOT_VOUCHED.format("its signature is wrong"),
    "wrong root": NOT_VOUCHED.format("unable to get local issuer certificate"),
    "expired": NOT_VOUCHED.format("certificate has expired"),
    "not for stamping": NOT_VOUCHED.format("unsuitable certificate purpose"),
}


@pytest.mark.parametrize("lie", LIES)
async def test_an_authority_that_lies_is_found_out(authority: Authority, lie: str) -> None:
    authority.lie = lie
    with pytest.raises(NoStamp) as refused:
        await ask(named(authority), DATA)
    assert str(refused.value) == LIES[lie]
    authority.lie = ""
    await ask(named(authority), DATA)


async def test_one_that_does_not_answer_is_waited_for_no_longer_than_that(authority: Authority) -> None:
    authority.lie = "slow"
    with pytest.raises(NoStamp, match=r"does not answer within 0\.2 seconds"):
        await ask(named(authority), DATA, patience_s=0.2)


async def test_one_that_is_not_there(tmp_path: Path, authority: Authority) -> None:
    nobody = StampAuthority(url="http://127.0.0.1:9/tsa", certificates=authority.root.read_bytes(), path=tmp_path)
    with pytest.raises(NoStamp, match="The authority cannot be reached"):
        await ask(nobody, DATA)


# A house.


class Wall:
    """The clock on the wall, which a test sets."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._real, self._ahead_s = time.time_ns, 0
        monkeypatch.setattr(time, "time_ns", lambda: self._real() + self._ahead_s * 10**9)

    def pass_days(self, days: int) -> None:
        self._ahead_s += days * 24 * 3600


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> Wall:
    monkeypatch.setattr(time_stamps, "LOOK_S", 0.02)
    monkeypatch.setattr(time_stamps, "FIRST_PAUSE_S", 0.02)
    return Wall(monkeypatch)


def with_authority(folder: Path, authority: Authority) -> Path:
    new_venue(folder, f'time_stamp_authority = "{authority.url}"\ntime_stamp_certificates = "stamps.pem"')
    (folder / "stamps.pem").write_bytes(authority.root.read_bytes())
    return folder


async def until(holds: Callable[[], object]) -> None:
    while not holds():
        await asyncio.sleep(0.01)


def day(house: House, before: int = 0) -> str:
    return house.venue.gaming_day(house.clock.record_ms() - before * 24 * 3600 * 1000)


async def test_a_day_that_closes_is_stamped_and_the_stamp_is_everybodys(
    authority: Authority, tmp_path: Path, wall: Wall
) -> None:
    folder = with_authority(tmp_path, authority)
    async with a_house(folder) as house, browser(house) as client:
        nothing = (await client.get("/api/checkpoint/time-stamps")).json()
        assert (nothing["authority"], nothing["stamps"], nothing["missing_last_day"]) == (authority.url, [], None)
        wall.pass_days(1)
        await until(lambda: house.office.time_stamps.kept)
        [kept] = house.office.time_stamps.kept
        assert (kept.days, house.office.time_stamps.missing) == (ClosedDays(day(house, 1), day(house, 1)), ClosedDays())
        shown = (await client.get("/api/checkpoint/time-stamps")).json()
        assert [one["last_day"] for one in shown["stamps"]] == [day(house, 1)]
        for name in ("time-stamp", "stamped"):
            answer = await client.get(f"/api/checkpoint/{kept.size}/{name}")
            (tmp_path / name).write_bytes(answer.content)
        assert (await client.get(f"/api/checkpoint/{kept.size}/stamped")).text.splitlines()[1] == str(kept.size)
        none = await client.get("/api/checkpoint/99999/time-stamp")
        assert (none.status_code, none.json()["message"]) == (404, "No checkpoint of 99999 entries was stamped.")
    command = ["openssl", "ts", "-verify", "-data", "stamped", "-in", "time-stamp", "-CAfile", "stamps.pem"]
    done = await asyncio.to_thread(subprocess.run, command, cwd=tmp_path, capture_output=True, text=True)
    assert "Verification: OK" in done.stdout
    async with a_house(folder) as house:
        assert (house.office.time_stamps.kept, house.office.time_stamps.missing) == ([kept], ClosedDays())
    found = await asyncio.to_thread(verify_records, folder)
    assert (found.fault, found.time_stamps, found.stamps_vouched_for) == (None, 1, 1)
    items = await exported(folder)
    assert "time-stamp-kept" in [item.get("kind") for item in items]
    assert outside(items) == ""
    copied = tmp_path / "backup"
    make_folder(copied)
    assert "stamps.pem" in copy_venue(folder, copied)
    found = await asyncio.to_thread(verify_records, copied)
    assert (found.fault, found.time_stamps, found.stamps_vouched_for) == (None, 1, 1)
    (copied / "venue.toml").unlink()
    found = await asyncio.to_thread(verify_records, copied)
    assert (found.fault, found.time_stamps, found.stamps_vouched_for) == (None, 1, None)
    (folder / "stamps.pem").write_bytes((authority.folder / "stranger.pem").read_bytes())
    found = await asyncio.to_thread(verify_records, folder)
    assert found.fault is not None
    assert "is not the authority's: none of the certificates vouches for it" in found.fault.says


async def exported(folder: Path) -> list[dict[str, Any]]:
    store = open_store(folder, Access.READ)
    items = [json.loads(line) async for line in journal_lines(store, "")]
    await store.close()
    return items


async def test_an_authority_that_is_away_holds_up_nothing_and_one_stamp_covers_what_was_missed(
    authority: Authority, tmp_path: Path, wall: Wall
) -> None:
    async with a_house(with_authority(tmp_path, authority)) as house, browser(house) as client:
        authority.lie, asked = "expired", authority.asked
        first = day(house)
        wall.pass_days(2)
        await until(lambda: authority.asked > asked + 2)
        await something_happens(house)
        assert house.ready
        assert house.office.time_stamps.missing == ClosedDays(first, day(house, 1))
        shown = (await client.get("/api/checkpoint/time-stamps")).json()
        assert (shown["missing_first_day"], shown["missing_last_day"]) == (first, day(house, 1))
        assert "vouches for the stamp" in json.dumps(shown["problem"])
        assert "natural9_unstamped_days 2.0" in (await client.get("/metrics")).text
        authority.lie = ""
        await until(lambda: house.office.time_stamps.kept)
        [kept] = house.office.time_stamps.kept
        assert (kept.days, house.office.time_stamps.problem) == (ClosedDays(first, day(house, 1)), None)
    found = await asyncio.to_thread(verify_records, tmp_path)
    assert (found.fault, found.time_stamps) == (None, 1)


async def test_nothing_waits_for_an_authority_that_is_slow(authority: Authority, tmp_path: Path, wall: Wall) -> None:
    async with a_house(with_authority(tmp_path, authority)) as house:
        authority.lie, asked = "slow", authority.asked
        wall.pass_days(1)
        await until(lambda: authority.asked > asked)
        await something_happens(house)
        seq = (await house.store.head()).seq  # more may come: a clock that jumped is written down
        assert (await house.office.checkpoints.sign()).size >= seq
        assert house.office.time_stamps.missing.last, "it is still being asked"


async def test_days_that_passed_while_the_program_did_not_run_are_stamped_when_it_starts(
    authority: Authority, tmp_path: Path, wall: Wall
) -> None:
    async with a_house(with_authority(tmp_path, authority)) as house:
        first = day(house)
    wall.pass_days(3)
    async with a_house(tmp_path) as house:
        await until(lambda: house.office.time_stamps.kept)
        assert house.office.time_stamps.kept[0].days == ClosedDays(first, day(house, 1))


async def test_an_office_that_comes_back_knows_every_stamp_once(
    authority: Authority, tmp_path: Path, wall: Wall
) -> None:
    """Of several nodes one has it, and may have it again later."""
    async with a_house(with_authority(tmp_path, authority)) as house:
        stamps = house.office.time_stamps
        wall.pass_days(1)
        await until(lambda: len(stamps.kept) == 1)
        wall.pass_days(1)
        await until(lambda: len(stamps.kept) == 2)
        kept = list(stamps.kept)
        await house.office.lose()
        await house.office.take()
        assert (stamps.kept, stamps.missing) == (kept, ClosedDays())
        wall.pass_days(1)
        await until(lambda: len(stamps.kept) > 2)
    found = await asyncio.to_thread(verify_records, tmp_path)
    assert (found.fault, found.time_stamps) == (None, 3)


async def test_whoever_may_verify_the_journal_may_have_it_stamped_now(authority: Authority, tmp_path: Path) -> None:
    async with a_house(with_authority(tmp_path, authority)) as house, browser(house) as client:
        assert (await client.post("/api/checkpoint/time-stamps")).status_code == 401
        dealer = await signed_in(house, client, "dealer")
        assert (await dealer.post("/api/checkpoint/time-stamps")).status_code == 403
        auditor = await signed_in(house, client, "auditor")
        answer = await auditor.post("/api/checkpoint/time-stamps")
        assert (answer.status_code, answer.json()["last_day"]) == (200, None)
        authority.lie = "refused"
        answer = await auditor.post("/api/checkpoint/time-stamps")
        assert (answer.status_code, answer.json()["code"]) == (503, "no-time-stamp")
        assert answer.json()["message"] == LIES["refused"]
        assert len(house.office.time_stamps.kept) == 1
        [entry] = [one for one in await house.store.entries() if one.kind == TimeStampKept.TAG]
        assert read_line(entry).origin.by == "auditor-1"
        authority.lie = ""
        sizes = [(await auditor.post("/api/checkpoint/time-stamps")).json()["size"] for _ in range(2)]
        for size in [one.size for one in house.office.time_stamps.kept]:
            assert (await house.office.time_stamps.event(size)).size == size
        assert [one.size for one in house.office.time_stamps.kept][1:] == sizes
    new_venue(tmp_path)
    async with a_house(tmp_path) as house, browser(house) as client:
        auditor = Browser(client)
        assert (await auditor.sign_in("auditor-1")).status_code == 200
        answer = await auditor.post("/api/checkpoint/time-stamps")
        assert (answer.status_code, answer.json()["code"]) == (409, "no-authority")
        shown = (await client.get("/api/checkpoint/time-stamps")).json()
        assert (shown["authority"], len(shown["stamps"])) == (None, 3), "what was stamped stays so"


async def signed_in(house: House, client: httpx.AsyncClient, role: str) -> Browser:
    one = Browser(client)
    code = await house.accounts.add(f"{role}-1", name=role.title(), role=role, by="ada")
    await house.accounts.set_password(code.code, PASSWORD, peer="")
    assert (await one.sign_in(f"{role}-1")).status_code == 200
    return one


# What a journal may not say.


async def test_a_stamp_that_does_not_hold_is_named(authority: Authority, tmp_path: Path) -> None:
    folder = with_authority(tmp_path, authority)
    async with a_house(folder) as house:
        first = await house.office.checkpoints.sign()
        good = await house.office.time_stamps.event((await house.office.time_stamps.stamp(BY_PROGRAM)).size)
        forged = first.note.replace(first.note[-9], "A" if first.note[-9] != "A" else "B")
        forged_at_ms, answer = await ask(named(authority), forged.encode())
    assert await verified(folder, good) == (None, "")
    lies: list[tuple[dict[str, Any], str]] = [
        ({"size": 5_000}, "one of the entries before it"),
        ({"size": good.size + 1}, "the one that was signed then"),
        ({"last_day": "2020-01-01"}, "of days that were closed"),
        ({"first_day": "2020-01-01", "last_day": "2999-01-01"}, "of days that were closed"),
        ({"first_day": "2020-01-01", "last_day": "2020-01-02"}, "the first without a stamp"),
        ({"stamped_at_ms": good.stamped_at_ms - 1}, "it was stamped at"),
        ({"checkpoint": forged}, "but it is a stamp of something else"),
        ({"answer": b64encode(answer).decode()}, "but it is a stamp of something else"),
        ({"answer": "AAAA"}, "but it is no answer of a time-stamp authority"),
        ({"answer": "?"}, "but it is no answer of a time-stamp authority"),
        (
            {"checkpoint": forged, "answer": b64encode(answer).decode(), "stamped_at_ms": forged_at_ms},
            "the one that was signed then",
        ),
        ({"checkpoint": "", "answer": b64encode(answer).decode()}, "but it is a stamp of something else"),
    ]
    for changed, why in lies:
        fault, outside_says = await verified(folder, replace(good, **changed))
        assert fault is not None, changed
        assert why in fault.words
        assert bool(outside_says) is ("last_day" not in changed), "it looks at no days"
    fault, _ = await verified(folder, good, label="significant")
    assert fault is not None
    assert "it is found by 'significant'" in fault.words


async def verified(folder: Path, event: TimeStampKept, label: str = "time-stamp") -> tuple[Fault | None, str]:
    """What both verifiers say to a copy of the journal that has this, too."""
    with TemporaryDirectory(dir=folder) as name:
        copied = Path(name)
        copy_venue(folder, copied)
        await write_there(copied, event, label)
        found = await asyncio.to_thread(verify_records, copied)
        return found.fault, outside(await exported(copied))


async def write_there(folder: Path, event: TimeStampKept, label: str) -> None:
    store = open_store(folder, Access.WRITE, accept_loss=True)
    [last] = await store.entries(after=(await store.head()).seq - 1)
    body = encode_line(event, BY_PROGRAM)
    entry = Entry(stream="venue", kind=event.TAG, body=body, at_ms=last.at_ms, day=last.day, label=label)
    await SharedStream(store, "venue").append([entry])
    await store.close()


# The venue file.


@pytest.mark.parametrize(
    ("proof", "why"),
    [
        ('time_stamp_authority = "https://a.example"', "time_stamp_authority is given without time_stamp_certificates"),
        ('time_stamp_certificates = "stamps.pem"', "time_stamp_certificates is given without time_stamp_authority"),
        ('time_stamp_authority = "a.example"\ntime_stamp_certificates = "stamps.pem"', "no address of a time-stamp"),
        ('time_stamp_authority = "http://a.example"\ntime_stamp_certificates = "x/stamps.pem"', "a mere name"),
        ('time_stamp_authority = "http://a.example"\ntime_stamp_certificates = "none.pem"', "No such file"),
        ('time_stamp_authority = "http://a.example"\ntime_stamp_certificates = "venue.toml"', "has no certificates"),
    ],
)
def test_a_mistake_in_the_venue_file_is_named(tmp_path: Path, proof: str, why: str) -> None:
    new_venue(tmp_path, proof)
    with pytest.raises(BadInput, match=rf"venue\.toml:\d+: .*{why}"):
        load_venue(tmp_path / "venue.toml")


def test_nothing_is_loaded_for_stamps_before_there_is_one() -> None:
    code = "import sys, natural9.server.proof.authority; sys.exit('rfc3161_client' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

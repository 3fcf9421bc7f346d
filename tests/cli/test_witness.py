"""`natural9 witness` as a process: its key, its exit, and what it says when a house lies or it is killed."""

import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from natural9.proof.cosignature import cosigned_by
from natural9.proof.signed_note import VerifierKey
from tests.proof.trees import leaves
from tests.starter import ROOT
from tests.witness.hand_made_house import HandMadeHouse, open_house


@pytest.fixture
def house() -> Iterator[HandMadeHouse]:
    with open_house(HandMadeHouse()) as house:
        yield house


def command(folder: Path, *arguments: str) -> list[str]:
    files = ["--key", str(folder / "w.key"), "--file", str(folder / "w.jsonl")]
    return [sys.executable, "-m", "natural9", "witness", *arguments, *files]


def witness(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(folder, *arguments), capture_output=True, text=True, cwd=ROOT, check=False, timeout=120
    )


def test_it_makes_its_key_and_cosigns(tmp_path: Path, house: HandMadeHouse) -> None:
    done = witness(tmp_path, house.url, "--once", "--name", "regulator.example/w1")
    assert done.returncode == 0
    assert f"FIRST SIGHT of {house.origin}" in done.stderr
    shown = house.keys[-1].verifier
    assert f"    {shown}\n    fingerprint {shown.fingerprint}\nCompare it with the venue's papers." in done.stderr
    first, second = done.stdout.splitlines()
    key = VerifierKey.parse(first.removeprefix("witness "))
    assert key.name == "regulator.example/w1"
    assert f"{house.origin}: cosigned 5 entries" in second
    assert [one.key for one in cosigned_by(house.note(), [key])] == [key]
    assert stat.S_IMODE((tmp_path / "w.key").stat().st_mode) == 0o600
    again = witness(tmp_path, house.url, "--once")
    assert again.stdout.splitlines()[0] == first
    assert "nothing new" in again.stdout
    assert again.stderr == ""


def test_a_strange_key_raises_the_alarm_and_with_the_papers_there_is_no_first_sight(
    tmp_path: Path, house: HandMadeHouse
) -> None:
    papers = ("--house-key", str(house.keys[-1].verifier))
    done = witness(tmp_path, house.url, "--once", *papers)
    assert (done.returncode, done.stderr) == (0, "")
    house.secrets, house.tree, house.taken = [b"9" * 32], leaves(8), []
    done = witness(tmp_path, house.url, "--once")
    assert done.returncode == 1
    assert f"A STRANGE KEY at {house.url}: it signs with a key that nobody vouches for" in done.stderr
    assert house.taken == []


def test_it_raises_the_alarm_and_shows_both_histories(tmp_path: Path, house: HandMadeHouse) -> None:
    witness(tmp_path, house.url, "--once")
    before, house.tree, house.taken = house.note(), leaves(5, "other"), []
    for _ in range(2):  # and again, when it is started again
        done = witness(tmp_path, house.url, "--interval", "0.1")
        assert done.returncode == 1
        assert f"TWO HISTORIES at {house.url}: {house.origin} shows two histories of 5 entries." in done.stderr
        assert before.text in done.stderr
        assert str(house.note()) in done.stderr
        assert f"kept in {tmp_path / 'w.jsonl'}" in done.stderr
    assert house.taken == []


def test_killed_in_the_moment_it_cosigns_it_never_cosigns_a_second_history(
    tmp_path: Path, house: HandMadeHouse
) -> None:
    with subprocess.Popen(command(tmp_path, house.url), stdout=subprocess.DEVNULL, cwd=ROOT) as running:
        house.on_take = lambda: os.kill(running.pid, signal.SIGKILL)
        running.wait(120)
    assert len(house.taken) == 1
    house.tree, house.on_take = leaves(9, "other"), lambda: None
    done = witness(tmp_path, house.url, "--once")
    assert (done.returncode, len(house.taken)) == (1, 1)


def test_a_house_that_is_down_is_told_of_and_the_others_are_looked_at(tmp_path: Path, house: HandMadeHouse) -> None:
    with open_house(HandMadeHouse()) as gone:
        pass
    done = witness(tmp_path, house.url, gone.url, "--once")
    assert done.returncode == 2
    assert f"{gone.url} cannot be reached" in done.stderr
    assert "cosigned 5 entries" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("tables.example",), "'tables.example' is not a house's address: give https://HOST[:PORT]"),
        (("ftp://tables.example",), "is not a house's address"),
        (("http://tables.example:99999",), "is not a house's address"),
        (("http://a", "http://a/"), "a house is named twice"),
        (("http://a", "--house-key", "x"), "--house-key: a public key is written as NAME+ID+KEY"),
        (("http://a", "--name", "two words"), "is no name for a key"),
        (("http://a", "--interval", "0"), "--interval 0 is out of range"),
    ],
)
def test_bad_input_is_one_line(tmp_path: Path, arguments: tuple[str, ...], why: str) -> None:
    done = witness(tmp_path, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert why in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_bad_key_file_is_named(tmp_path: Path) -> None:
    key = tmp_path / "w.key"
    for written, mode, why in (
        ("nonsense", 0o600, "is not a witness's key: a private key is written as"),
        ("nonsense", 0o644, "can be read by others (mode 644)"),
        (
            "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz",
            0o600,
            "it signs something else",
        ),
    ):
        key.write_text(written)
        key.chmod(mode)
        done = witness(tmp_path, "http://127.0.0.1:9", "--once")
        assert done.returncode == 2
        assert why in done.stderr

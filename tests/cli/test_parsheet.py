"""`natural9 parsheet`: a file of each kind, or one clear line and nothing written."""

import os
import sys
from pathlib import Path

import pytest

from natural9.cli import main as command_line
from natural9.games import load_game
from natural9.odds.parsheet.files import render
from tests.cli.test_command import run_alone


def call(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """The real way through `main`, in this process: starting Python anew takes longer than a sheet."""
    monkeypatch.setattr(sys, "argv", ["natural9", "parsheet", *arguments])
    with pytest.raises(SystemExit) as ended:
        command_line.main()
    return int(ended.value.code or 0)


@pytest.mark.parametrize(("name", "begins"), [("a.html", b"<!DOCTYPE"), ("a.pdf", b"%PDF"), ("A.MD", b"# Tiger")])
def test_it_writes_the_file_and_says_so(
    name: str, begins: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / name
    assert call(monkeypatch, "mbs-tiger", "--out", str(target)) == 0
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", f"wrote {target}\n")
    first = target.read_bytes()
    assert first.startswith(begins)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert call(monkeypatch, "mbs-tiger", "--out", str(target), "--decks", "10") == 0
    assert target.read_bytes() != first


def test_the_file_has_the_usual_rights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = os.umask(0o027)
    try:
        assert call(monkeypatch, "rws-nc", "--out", str(tmp_path / "a.md")) == 0
    finally:
        os.umask(before)
    assert (tmp_path / "a.md").stat().st_mode & 0o777 == 0o640


def test_a_name_without_a_folder_is_in_this_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert call(monkeypatch, "rws-nc", "--out", "here.md") == 0
    assert (tmp_path / "here.md").is_file()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["mbs-tiger", "--out", "a.docx"], ".html, .pdf or .md"),
        (["mbs-tiger", "--out", "a"], ".html, .pdf or .md"),
        (["mbs-tiger", "--out", "nowhere/a.html"], "there is no folder 'nowhere'"),
        (["mbs-tiger", "--out", "folder.md"], "is a folder"),
        (["mbs-tigre", "--out", "a.md"], "did you mean mbs-tiger?"),
        (["mbs-tiger", "--out", "a.md", "--decks", "11"], "4 to 10 decks, not 11 (Rule 2.1)"),
        (["rws-nc", "--out", "a.md", "--decks", "0"], "4 to 8 decks, not 0"),
        (["rws-nc", "--out", "a.md", "--decks", "eight"], "eight"),
        (["rws-nc"], "--out"),
        (["no-such.toml", "--out", "a.md"], "no-such.toml"),
    ],
)
def test_one_clear_line_and_nothing_written(
    arguments: list[str],
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "folder.md").mkdir()
    monkeypatch.chdir(tmp_path)
    assert call(monkeypatch, *arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("natural9: ")
    assert said.err.count("\n") == 1
    assert says in said.err
    assert [path.name for path in tmp_path.iterdir()] == ["folder.md"]


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="needs a folder in which not even root may write")
def test_a_folder_that_takes_no_files(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(monkeypatch, "rws-nc", "--out", "/proc/self/a.md") == 2
    said = capsys.readouterr().err
    assert "'/proc/self/a.md' cannot be written: " in said
    assert said.count("\n") == 1


def test_a_sheet_that_was_there_survives_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "a.md"
    target.write_text("the filed one")

    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    assert call(monkeypatch, "rws-nc", "--out", str(target)) == 2
    assert "No space left on device" in capsys.readouterr().err
    assert target.read_text() == "the filed one"
    assert list(tmp_path.iterdir()) == [target]


def test_the_same_bytes_from_another_process(tmp_path: Path) -> None:
    """By the real command, where sets have another order and the clock another zone; PDF, which could tell of both."""
    target = tmp_path / "there.pdf"
    arguments = ("parsheet", "mbs-super-6-nc", "--decks", "6", "--out", str(target))
    done = run_alone(*arguments, PYTHONHASHSEED="9", TZ="Asia/Singapore")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", f"wrote {target}\n")
    assert target.read_bytes() == render(load_game("mbs-super-6-nc"), decks=6, suffix=".pdf")


def test_the_help_shows_an_example_that_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, "--help") == 0
    assert "Example: natural9 parsheet mbs-tiger --out mbs-tiger.html" in capsys.readouterr().out
    monkeypatch.chdir(tmp_path)
    assert call(monkeypatch, "mbs-tiger", "--out", "mbs-tiger.html") == 0

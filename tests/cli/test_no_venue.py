"""A folder that is not a venue: every command about venues says so in one line, and how to make one."""

import shlex
from pathlib import Path

from tests.cli.test_command import complaint, complaint_of, run, text

# The arguments before and after the folder.
ABOUT_A_VENUE = [
    (("serve",), ()),
    (("users", "list"), ()),
    (("users", "add"), ("mei.tan", "--name", "Mei", "--role", "dealer")),
    (("users", "disable"), ("mei.tan",)),
    (("rekey",), ()),
    (("verify",), ()),
    (("replay",), ()),
    (("replay",), ("nc-1", "17")),
    (("report", "win"), ()),
    (("backup",), ("copy",)),
]


def complaints(folder: Path) -> list[str]:
    commands = [(*before, str(folder), *after) for before, after in ABOUT_A_VENUE]
    return [complaint(*arguments) for arguments in commands]


def test_a_folder_without_a_venue(tmp_path: Path) -> None:
    expected = f"{tmp_path} is not a venue, because it has no venue.toml: natural9 init {tmp_path} makes one"
    assert set(complaints(tmp_path)) == {expected}
    assert list(tmp_path.iterdir()) == [], "and nothing is left in it"


def test_a_folder_that_does_not_exist(tmp_path: Path) -> None:
    folder = tmp_path / "my venue"
    way_out = f"natural9 init {shlex.quote(str(folder))}"
    assert set(complaints(folder)) == {f"there is no folder {folder}: {way_out} makes a venue there"}
    program, *arguments = shlex.split(way_out)
    assert program == "natural9"
    assert run(*arguments).returncode == 0
    assert text("users", "list", str(folder)).startswith("Nobody has an account yet")


def test_the_venue_file_is_not_the_venue(tmp_path: Path) -> None:
    run("init", str(tmp_path))
    for arguments in (("serve",), ("users", "list")):
        refused = complaint_of(run(*arguments, str(tmp_path / "venue.toml")))
        assert refused.endswith(f"is a file: name the folder of the venue, such as {tmp_path}")


def test_a_venue_that_was_never_started(tmp_path: Path) -> None:
    run("init", str(tmp_path))
    for arguments in (("verify", str(tmp_path)), ("backup", str(tmp_path), str(tmp_path / "copy"))):
        refused = complaint_of(run(*arguments))
        assert refused.endswith(f"because nothing was played yet: natural9 serve {tmp_path} starts it")


def test_a_role_that_is_none_is_named_with_the_nearest(tmp_path: Path) -> None:
    run("init", str(tmp_path))
    arguments = ("users", "add", str(tmp_path), "mei.tan", "--name", "Mei", "--role")
    assert complaint_of(run(*arguments, "deeler")) == "there is no role 'deeler'; did you mean dealer?"
    assert "there are dealer, " in complaint_of(run(*arguments, "cook"))

"""Bad input of every kind: one clear line on stderr, exit 2, nothing on stdout, never a traceback."""

import subprocess
from functools import cache
from pathlib import Path

import pytest

from natural9.cli import main
from tests.cli.test_command import complaint, complaint_of, run, run_alone, text

ROUND = "9S 2H KD 5C"
INSURED = ("settle", "rws-nc-insurance", "TS TH 4D 5C 7H 5S")


# What the refusal says, and the arguments that it refuses.
REFUSED: list[tuple[str, ...]] = [
    # Cards.
    ("'1C' is not a card", "settle", "mbs-nc", "9S 2H KD 1C"),
    ("'5X' is not a card", "settle", "mbs-nc", "9S 2H KD 5X"),
    ("the Banker hand is due", "settle", "mbs-nc", "9S 2H KD"),
    ("the Banker hand is due", "settle", "mbs-nc", "4S 2H KD 9C 5H"),
    ("ends after 4", "settle", "mbs-nc", "9S 2H KD 5C AH"),
    ("ends after 6", "settle", "mbs-nc", "4S 2H KD 9C 5H 5D AH"),
    ("needs a game and its cards", "settle", "mbs-nc", ""),
    # Training.
    ("there is no game 'nonsense'", "train", "nonsense"),
    ("there is no lesson 'nonsense': there are foreign-card, ", "train", "--only", "nonsense"),
    ("1 to 200 rounds, not 0", "train", "--rounds", "0"),
    ("--limit", "train", "--limit", "0"),
    # Wagers and stakes.
    ("does not offer 'tiger'", "settle", "mbs-nc", ROUND, "--bet", "tiger=5"),
    ("did you mean big-tiger?", "settle", "mbs-tiger", ROUND, "--bet", "bigtiger=5"),
    ("did you mean banker?", "simulate", "mbs-nc", "--strategy", "flat", "--wager", "bankr"),
    ("'-5' is not an amount", "settle", "mbs-nc", ROUND, "--bet", "player=-5"),
    ("more than nothing", "settle", "mbs-nc", ROUND, "--bet", "player=0"),
    ("more than any table takes", "settle", "mbs-nc", ROUND, "--bet", "player=10000000001"),
    ("more than any table takes", "settle", "mbs-nc", ROUND, "--bet", "player=" + "9" * 5000),
    ("not a whole number of cents", "settle", "mbs-nc", ROUND, "--bet", "player=0.005"),
    ("a fraction of a cent", "settle", "mbs-nc", "5 6 T T T", "--bet", "banker=0.01"),
    ("'ten' is not an amount", "settle", "mbs-nc", ROUND, "--bet", "player=ten"),
    ("'player' is not a bet", "settle", "mbs-nc", ROUND, "--bet", "player"),
    ("'=5' is not a bet", "settle", "mbs-nc", ROUND, "--bet", "=5"),
    ("player is bet twice", "settle", "mbs-nc", ROUND, "--bet", "player=5", "--bet", "player=6"),
    # Insurance.
    ("not on offer", *INSURED, "--bet", "player=100", "--insure", "four-cards:player=5"),
    ("stake at most 50.00", *INSURED, "--bet", "banker=100", "--insure", "four-cards:banker=50.01"),
    ("there is no bet on Banker to insure", *INSURED, "--insure", "four-cards:banker=5"),
    ("mbs-nc has no insurance", "settle", "mbs-nc", ROUND, "--insure", "four-cards:banker=5"),
    ("take insurance in its window", *INSURED, "--bet", "banker-insurance=5"),
    ("is not insurance", *INSURED, "--bet", "banker=100", "--insure", "five-cards:banker=5"),
    ("is not insurance", *INSURED, "--bet", "banker=100", "--insure", "four-cards:tie=5"),
    ("is not insurance", *INSURED, "--bet", "banker=100", "--insure", "banker=5"),
    ("more than nothing", *INSURED, "--bet", "banker=100", "--insure", "four-cards:banker=0"),
    # Games and shoes.
    ("did you mean mbs-tiger?", "settle", "mbs-tigr", ROUND),
    ("did you mean rws-nc?", "games", "rws-n"),
    ("there are mbs-fortune-six-nc", "established", "poker", "9S"),
    ("4 to 8 decks, not 9", "settle", "rws-nc", ROUND, "--decks", "9"),
    ("4 to 10 decks, not 3", "settle", "mbs-nc", ROUND, "--decks", "3"),
    ("4 to 10 decks, not 0", "settle", "mbs-nc", ROUND, "--decks", "0"),
    ("4 to 10 decks, not -8", "settle", "mbs-nc", ROUND, "--decks", "-8"),
    ("'eight' is not a valid int", "settle", "mbs-nc", ROUND, "--decks", "eight"),
    ("5S is one too many", "settle", "mbs-nc", "5S 5S 5S 5S 5S 5S", "--decks", "4"),
    # The other commands.
    ("'XX' is not a card", "established", "mbs-tiger", "9S XX"),
    ("ends after 4", "established", "mbs-tiger", "9S 2H KD 5C AH"),
    ("ends after 6", "established", "mbs-tiger", "4S 2H KD 9C 5H 5D AH"),
    ("does not offer 'dragon'", "established", "mbs-tiger", "9S", "--without", "dragon"),
    ("banker is always on offer", "established", "mbs-tiger", "9S", "--without", "banker"),
    ("'X', round 3 of 'BPX'", "roads", "BPX"),
    # How it was asked.
    ("there is no command 'setle'; did you mean settle?", "setle"),
    ("there is no command 'xyzzy': natural9 --help lists them all", "xyzzy"),
    ("No such command 'lst'. Did you mean 'list'?", "users", "lst", "my-venue"),
    ("users needs a command such as list", "users"),
    ("No such option: --bogus", "settle", "mbs-nc", ROUND, "--bogus"),
    ("Missing argument 'CARDS'", "established", "mbs-nc"),
    ("Missing argument 'WINNERS'", "roads"),
    ("needs a game and its cards", "settle"),
    ("needs a game and its cards", "settle", "mbs-nc"),
    ("'--bet' requires an argument", "settle", "mbs-nc", ROUND, "--bet"),
    ("unexpected extra argument", "roads", "BPB", "PBP"),
    ("reads everything from stdin", "settle", "--jsonl", "mbs-nc", ROUND),
    ("reads everything from stdin", "settle", "--jsonl", "--bet", "player=5"),
    ("no-such.toml", "games", "no-such.toml"),
    # A number out of range, as it was given.
    ("--shoes 1234567 is out of range: give 500 to 1000000", "chance", "--shoes", "1234567"),
    ("--for -1 is out of range: give 0 or more", "train", "--for", "-1"),
    ("--for nan is out of range: give 0 or more", "demo", "--for", "nan"),
    ("--every 1234567.5 is out of range: give 0 to 3600", "reading-shoe", "--every", "1234567.5"),
    ("--raw 0 is out of range: give 1 or more", "chance", "--raw", "0"),
    ("--raw 9223372036854775808 is out of range: give 1 to 4611686018427387904", "chance", "--raw", f"{2**63}"),
    *(
        ("--seed -1 is out of range: give 0 or more", command, "--seed", "-1")
        for command in ("chance", "play", "reading-shoe", "train", "demo", "torture")
    ),
    # An empty value, as a variable that was never set leaves it.
    ("--rounds is empty: give it a value, or leave it out", "simulate", "mbs-nc", "--rounds", ""),
    ("--rounds is empty", "simulate", "mbs-nc", "--rounds="),
    ("--progression is empty", "simulate", "mbs-nc", "--progression", " ", "--seed", "1"),
    ("--insure is empty", "simulate", "mbs-nc", "--insure", "", "--rounds", "100"),
    ("--table is empty", "search", "my-venue", "--table="),
    ("--seat is empty", "search", "my-venue", "--seat", ""),
    ("--table is empty", "report", "win", "my-venue", "--table", ""),
    ("--bet is empty", "settle", "mbs-nc", ROUND, "--bet", "player=5", "--bet", ""),
    ("FOLDER is empty: give it a value", "init", ""),
    ("VENUE is empty", "verify", ""),
    ("VENUE is empty", "users", "list", ""),
    ("GAME is empty", "games", ""),
]


@cache
def all_refusals() -> dict[tuple[str, ...], subprocess.CompletedProcess[str]]:
    commands = [arguments for _, *arguments in REFUSED]
    return {tuple(arguments): run(*arguments) for arguments in commands}


@pytest.mark.parametrize(
    ("says", "arguments"),
    [pytest.param(says, tuple(arguments), id=" ".join(arguments)[:80]) for says, *arguments in REFUSED],
)
def test_bad_input_is_one_clear_line(says: str, arguments: tuple[str, ...]) -> None:
    assert says in complaint_of(all_refusals()[arguments])


@pytest.mark.parametrize("place", range(0, len(REFUSED), 6))
def test_it_is_so_in_a_process_started_for_it_alone(place: int) -> None:
    says, *arguments = REFUSED[place]
    assert says in complaint_of(run_alone(*arguments))


def test_where_no_cards_or_rounds_mean_something_they_may_be_empty() -> None:
    assert "not established after 0 cards" in text("established", "mbs-nc", "")
    assert "nothing yet" in text("roads", "")
    assert text("odds", "mbs-nc", "--without", "") == text("odds", "mbs-nc")


def test_a_broken_pack_is_named_with_its_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "made-up.toml"
    path.write_text('id = "made-up"\ntitle = Made up\n', encoding="utf-8")
    for arguments in (("games", str(path)), ("settle", str(path), ROUND)):
        assert complaint(*arguments).startswith("made-up.toml:2: ")


def test_what_the_shell_passes_on_need_not_be_text() -> None:
    assert "there is no game" in complaint("settle", "\udcff", ROUND)
    assert "is not a card" in complaint("settle", "mbs-nc", "\udcff")


def test_what_this_user_may_not_see_is_bad_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def closed(*_: object, **__: object) -> int:
        raise PermissionError(13, "Permission denied", "/backups/one")

    monkeypatch.setattr(main, "make_app", lambda: closed)  # root may see everything
    with pytest.raises(SystemExit) as ended:
        main.main()
    assert ended.value.code == 2
    assert capsys.readouterr().err == "natural9: /backups/one is closed to this user: run this as its owner\n"


def test_a_message_of_several_lines_is_still_one_line() -> None:
    assert "is not a winner" in complaint("roads", "BP\nX\n")
    assert "is not a card" in complaint("settle", "mbs-nc", "9S\n2H\tXX")

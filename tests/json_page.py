"""What of docs/json.md follows from the code. `make json` runs the commands and writes the shape of what they answer;
tests hold the page to it, those of slow commands too."""

import json
import re
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from typer.testing import CliRunner

from natural9.cli.main import make_app
from tests.cli.test_receipt import WITNESS, saved
from tests.cli.test_verify_shoe import revealed
from tests.cli.venue_folder import an_evenings_venue, lied, rewritten_journal

PAGE: Final = Path(__file__).parents[1] / "docs" / "json.md"
WIDTH: Final = 110
FRACTION: Final = re.compile(r"-?\d+/\d+")
MADE: Final = re.compile(r"(?s)<!-- made: ([\w -]+) -->\n```\n(.*?)\n```\n<!-- end -->")

# Where the names of fields are names of something: of wagers, of faults.
NAMED: Final = frozenset(
    {
        "chance/exhausted",
        "established/wagers",
        "games/wagers/names",
        "games/wagers/pays/when",
        "replay of a round/recall/seats/bets",
        "replay of a round/recall/steps/bets",
        "session/bets",
        "simulate sessions/bets/quantiles",
        "simulate sessions/drawdown/quantiles",
        "simulate sessions/result/quantiles",
        "torture/faults",
        "torture/clauses",
        "vulnerability/depths/counts",
        "vulnerability/tags",
        "vulnerability/tags/…/tags",
    }
)
SENTENCE: Final = frozenset({"template", "values"})  # the fields of one that is said in other languages, too

GAME: Final = ("mbs-tiger", "--wager", "tiger")
INSURED: Final = ("rws-nc-insurance", "4S AH KD 5C 6H 2D", "--bet", "banker=100", "--insure", "four-cards:banker=10")
SESSIONS: Final = ("--strategy", "martingale", "--wager", "banker", "--sessions", "200", "--seed", "1")
ASKED: Final[Mapping[str, tuple[tuple[str, ...], ...]]] = {
    "games": (("games",),),
    "settle": (("settle", *INSURED), ("settle", "rws-nc", "4S 2H KD 4C 3H", "--bet", "banker=100")),
    "settle lines": (("settle", "--jsonl"),),
    "established": (("established", "mbs-tiger", "9S 2H KD"),),
    "odds": (("odds", "rws-nc-insurance"), ("odds", "rws-nc", "--compare", "mbs-nc")),
    "roads": (("roads", "BPPBTB"),),
    "session": (("session", "mbs-tiger", "--bet", "banker=100", "--bet", "tiger=10"),),
    "design": (("design", *GAME, "--edge", "10%"),),
    "design between": (("design", *GAME, "--between", "4%..8%"),),
    "design insurance": (("design", "rws-nc-insurance", "--insurance"),),
    "penetration": (("penetration", *GAME, "--shoes", "20"),),
    "vulnerability": (("vulnerability", *GAME, "--shoes", "20"),),
    "vulnerability of insurance": (
        ("vulnerability", "rws-nc-insurance", "--wager", "banker-insurance", "--shoes", "20"),
    ),
    "simulate": (
        ("simulate", "rws-nc", "--rounds", "1e4", "--seed", "1"),
        ("simulate", "rws-nc-insurance", "--rounds", "1e4", "--seed", "1", "--insure", "1"),
    ),
    "simulate sessions": (("simulate", "mbs-nc", *SESSIONS),),
    "torture": (("torture", "--seed", "3", "--rounds", "3"),),
    "chance": (("chance", "--shoes", "500", "--decks", "1", "--seed", "4"),),
    "doctor": (("doctor",),),
    "verify": (("verify", "{venue}"), ("verify", "{changed}")),
    "replay": (("replay", "{venue}"),),
    "replay of a table": (("replay", "{venue}", "1", "--list"),),
    "replay of a round": (("replay", "{venue}", "1", "1"),),
    "receipt": (("receipt", "{receipt}"), ("receipt", "{receipt}", "--witness", str(WITNESS.verifier))),
    "verify-shoe": (("verify-shoe", "{shoe}"),),
    "report": (("report",),),
    "search": (("search", "{venue}"),),
    "drill": (("backup", "{venue}", "{folder}/backups/monday"), ("drill", "{folder}/backups")),
    "users new": (("users", "add", "{venue}", "mei", "--name", "Mei Tan", "--role", "dealer"),),
    "users": (("users", "list", "{venue}"),),
}
ROUND: Final = {"cards": ["4S", "2H", "KD", "4C", "3H"], "bets": {"banker": 10000}}
LINES: Final = ({"game": "mbs-tiger", **ROUND}, {"game": "no-such", **ROUND})


def answered() -> dict[str, list[Any]]:
    """What each of these commands answers: one document, or one a line."""
    app, runner, said = make_app(), CliRunner(), defaultdict[str, list[Any]](list)
    with TemporaryDirectory() as folder:
        venue = an_evenings_venue(Path(folder) / "venue")
        changed = rewritten_journal(venue, Path(folder) / "changed", lied)
        receipt, shoe = saved(Path(folder)), revealed(Path(folder))
        files = {"venue": venue, "changed": changed, "receipt": receipt, "shoe": shoe}
        for name, asked in ((name, one) for name, several in ASKED.items() for one in several):
            words = [word.format(folder=folder, **files) for word in asked]
            lines = "\n".join(map(json.dumps, LINES)) if "--jsonl" in words else None
            if lines is None and words[0] != "backup":
                words.append("--json")
            done = runner.invoke(app, words, input=lines)
            assert done.exit_code < 2, (words, done.output, done.exception)
            said[name] += [json.loads(line) for line in done.stdout.splitlines() if "--json" in words or lines]
    return said


def shape(values: Sequence[Any], path: str = "") -> Any:
    """Of several answers, what all of them are like: a field that not all have is marked with ?."""
    kinds: list[Any] = []
    mappings = [value for value in values if isinstance(value, dict)]
    lists = [value for value in values if isinstance(value, list)]
    if mappings and all(value.keys() == SENTENCE for value in mappings):
        kinds.append("sentence")
    elif mappings and path in NAMED:
        kinds.append({"…": shape([one for value in mappings for one in value.values()], f"{path}/…")})
    elif mappings:
        fields = {key: [value[key] for value in mappings if key in value] for value in mappings for key in value}
        kinds.append(
            {
                key if len(found) == len(mappings) else f"{key}?": shape(found, f"{path}/{key}")
                for key, found in fields.items()
            }
        )
    if lists:
        kinds.append([shape([one for value in lists for one in value], path)])
    kinds += sorted({_word(value) for value in values if not isinstance(value, dict | list)})
    return kinds[0] if len(kinds) == 1 else tuple(kinds)


def _word(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "number"
        case str() if FRACTION.fullmatch(value):
            return "fraction"
        case _:
            return "string"


def written(one: Any, indent: int = 0, before: int = 0) -> str:
    """In as few lines as fit."""
    if isinstance(one, tuple):
        return " or ".join(written(kind, indent, before) for kind in one)
    if isinstance(one, list):
        return f"[{written(one[0], indent, before + 1)}]"
    if not isinstance(one, dict):
        return str(one)
    short = "{" + ", ".join(f"{key}: {written(value)}" for key, value in one.items()) + "}"
    if indent + before + len(short) <= WIDTH and "\n" not in short:
        return short
    pad = " " * (indent + 2)
    lines = [f"{pad}{key}: {written(value, indent + 2, len(key) + 2)}" for key, value in one.items()]
    return "{\n" + ",\n".join(lines) + "\n" + " " * indent + "}"


def shown(answers: Sequence[Any], name: str) -> str:
    return written(shape(answers, name))


def told(name: str) -> str:
    """What the page says of a command."""
    found: str = dict(MADE.findall(PAGE.read_text()))[name]
    return found


def hold(name: str, *answers: Any) -> None:
    """The page says what these are like."""
    now = shown(answers, name)
    assert now == told(name), f"docs/json.md should say of {name}:\n{now}"


def as_it_should_be(page: str) -> str:
    said = answered()

    def made(found: re.Match[str]) -> str:
        name, text = found.groups()
        now = shown(said[name], name) if name in said else text
        return f"<!-- made: {name} -->\n```\n{now}\n```\n<!-- end -->"

    return MADE.sub(made, page)


if __name__ == "__main__":
    now = as_it_should_be(PAGE.read_text())
    if "--write" in sys.argv:
        PAGE.write_text(now)
    else:
        print(now)

"""Plants each bug into a copy of the tree and shows which check catches it; survivors are listed, and exit with 1."""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.planted.bug import KINDS, Bug, Check, all_bugs
from tests.planted.checks import EVENING, HUNT, Ran, failing, run, several, wide
from tests.planted.page import write_page
from tests.planted.scratch import Scratch


class Tried(NamedTuple):
    """One bug under one check."""

    bug: Bug
    ran: Ran


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.planted", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="a bug, or a room")
    parser.add_argument("--all", action="store_true", help="every bug")
    parser.add_argument("--check", choices=KINDS, help="only by checks of this kind")
    parser.add_argument("--wide", action="store_true", help="by all tests of the bug's room")
    parser.add_argument("--by", metavar="TEST", help="by this test, whatever it names; or `verifier`, `simulator`")
    parser.add_argument("--json", action="store_true", help="a line of JSON for each")
    parser.add_argument("--write", action="store_true", help="write the table of docs/reliability.md anew, run nothing")
    asked = parser.parse_args(arguments)
    if asked.write:
        write_page()
        return 0
    if not asked.names and not asked.all:
        parser.error("name bugs or rooms, or say --all")
    every = all_bugs()
    known = {name for bug in every for name in (bug.name, bug.room)}
    if strange := sorted(set(asked.names) - known):
        parser.error(f"there is no bug and no room called {', '.join(strange)}")
    bugs = [bug for bug in every if asked.all or {bug.name, bug.room} & set(asked.names)]
    todo = [(bug, check) for bug in bugs for check in _checks(bug, asked)]
    begun = time.monotonic()
    tried = []
    with tempfile.TemporaryDirectory(prefix="planted-") as folder:
        scratch = Scratch(Path(folder))
        for one in _try_all(scratch, todo):
            tried.append(one)
            print(_as_json(one) if asked.json else _as_row(one), flush=True)
    return _sum_up(tried, time.monotonic() - begun, quiet=asked.json)


def _checks(bug: Bug, asked: argparse.Namespace) -> list[Check]:
    if asked.wide:
        return [wide(bug)]
    if asked.by:
        return [next((one for one in (EVENING, HUNT) if one.kind == asked.by), Check("unit", asked.by))]
    return [check for check in bug.checks if asked.check in (None, check.kind)]


def _try_all(scratch: Scratch, todo: Sequence[tuple[Bug, Check]]) -> Iterator[Tried]:
    asked: dict[Check, None] = {}
    for bug, check in todo:
        with scratch.holding(bug):
            ran = run(scratch, check)
        if ran.failed:
            asked[failing(ran)] = None
        yield Tried(bug, ran)
    for check in several(asked):
        _be_content(run(scratch, check))


def _be_content(ran: Ran) -> None:
    """A check says nothing about a bug unless it is content without it."""
    if ran.failed:
        sys.exit(f"{ran.by} is not content with the tree as it is: mend that first")


def _as_row(one: Tried) -> str:
    caught = one.ran.by if one.ran.failed else f"SURVIVES {one.ran.check.what}"
    return f"{one.bug.name:48} {one.ran.check.kind:9} {one.ran.seconds:5.1f} s  {caught}"


def _as_json(one: Tried) -> str:
    bug, ran = one
    told = {"bug": bug.name, "room": bug.room, "words": bug.words, "check": ran.check.kind, "what": ran.check.what}
    return json.dumps(told | {"caught": ran.failed, "by": ran.by, "seconds": round(ran.seconds, 1)})


def _sum_up(tried: Sequence[Tried], seconds: float, *, quiet: bool) -> int:
    bugs, caught = {one.bug.name for one in tried}, {one.bug.name for one in tried if one.ran.failed}
    missed = [one for one in tried if not one.ran.failed]
    if not quiet:
        print(f"{len(caught)} of {len(bugs)} bugs caught, in {seconds:.0f} s")
        for one in missed:
            print(f"survives {one.ran.check.kind} {one.ran.check.what}: {one.bug.name}: {one.bug.words}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

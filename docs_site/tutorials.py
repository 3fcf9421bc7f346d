"""The commands of the tutorials, run for real in a clean folder, and what they print held against what is shown.

A block of `console` has commands after `$`, each with what it prints. Of that every line must come, in this order;
`...` stands for anything, and so does what is not shown. A page's commands run one after the other in one folder, made
for it. From `<!-- slow -->` on they run by `make docs-test` alone.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from docs_site.pages import DOCS, ROOT

LIMIT_S: Final = 300
_BLOCK: Final = re.compile(r"^<!-- (?P<slow>slow) -->|^```console\n(?P<block>.*?)^```", re.MULTILINE | re.DOTALL)
_COMMAND: Final = re.compile(r"^\$ (?P<command>.+)\n(?P<output>(?:(?!\$ ).*\n)*)", re.MULTILINE)
_BOLD: Final = re.compile(r"\*\*([^*\n]+)\*\*")


class Step(NamedTuple):
    command: str
    output: str  # as the page shows it
    is_slow: bool


def pages() -> list[Path]:
    """Every page whose commands are run."""
    folders = (DOCS / "tutorials", DOCS / "tutorials" / "zh", DOCS / "howto")
    return [path for folder in folders for path in sorted(folder.glob("*.md"))]


def steps(page: Path) -> Iterator[Step]:
    is_slow = False
    for found in _BLOCK.finditer(page.read_text(encoding="utf-8")):
        is_slow = is_slow or bool(found["slow"])
        for one in _COMMAND.finditer(found["block"] or ""):
            yield Step(one["command"], one["output"], is_slow)


def on_the_screen(page: Path) -> list[str]:
    """What a page says is written on a screen: all that stands in bold, outside of blocks."""
    words = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return _BOLD.findall(words)


def complaints(page: Path, *, slow: bool) -> Iterator[str]:
    """What a page's commands print otherwise than it says."""
    with tempfile.TemporaryDirectory(prefix="natural9-tutorial-") as folder:
        for step in steps(page):
            if step.is_slow and not slow:
                return
            printed = run(step.command, Path(folder))
            if missing := _missing(step.output, printed):
                yield f"{page.name}: $ {step.command}\n  does not print: {missing}\n  but:\n{printed}"
                return  # what comes after may rest on it


def run(command: str, folder: Path) -> str:
    """What a command prints, on stdout and stderr, as a reader sees it."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    env = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    env |= {"PATH": path, "PYTHONPATH": str(ROOT), "VERIFIER": str(ROOT / "verifier")}
    ran = subprocess.run(
        command, shell=True, cwd=folder, env=env, text=True, check=False, timeout=LIMIT_S,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    return ran.stdout


def _missing(expected: str, printed: str) -> str:
    """The first line that should have come and did not; "" where all have."""
    lines = iter([" ".join(line.split()) for line in printed.splitlines()])
    for line in expected.splitlines():
        wanted = " ".join(line.split())
        pattern = re.compile(".*".join(map(re.escape, wanted.split("..."))))
        if wanted and wanted != "..." and not any(pattern.fullmatch(one) for one in lines):
            return wanted
    return ""


if __name__ == "__main__":
    wrong = []
    for page in pages():
        found = list(complaints(page, slow=True))
        print(f"{'wrong' if found else 'ok':5} {page.relative_to(DOCS)}")
        wrong += found
    sys.exit("\n\n".join(wrong) or None)

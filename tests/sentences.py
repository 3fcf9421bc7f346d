"""Every sentence that the program can say, collected from its source, and what a language has for them."""

import ast
import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from natural9.journal.sentence import Sentence

ROOT: Final = Path(__file__).parent.parent
PACKAGE: Final = ROOT / "natural9"
LANGUAGES: Final = ROOT / "web" / "src" / "languages"
_ENTRY: Final = re.compile(
    r"""^\s*(?P<key>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\w+):\s*(?P<value>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"),""",
    re.MULTILINE,
)


class Call(NamedTuple):
    """A call of `say`; the template is None where it is not written out."""

    module: str
    line: int
    template: str | None


def calls(*folders: str) -> Iterator[Call]:
    """Every `say(...)` in these folders of the package, or in all of it."""
    for folder in folders or ("",):
        for path in sorted((PACKAGE / folder).rglob("*.py")):
            yield from _calls_in(path)


@cache
def _calls_in(path: Path) -> list[Call]:
    module = path.relative_to(PACKAGE).as_posix()
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "say":
            first = node.args[0] if node.args else None
            written = isinstance(first, ast.Constant) and isinstance(first.value, str)
            found.append(Call(module, node.lineno, first.value if written else None))  # type: ignore[union-attr]
    return found


def gaps(template: str) -> list[str]:
    return sorted(set(re.findall(r"\{(\w+)\}", template)))


def sentences(language: str, *lists: str) -> dict[str, str]:
    """What a language has, in these lists or in all."""
    paths = [LANGUAGES / language / f"{name}.ts" for name in lists] or sorted((LANGUAGES / language).glob("*.ts"))
    return {
        _text(entry["key"]): _text(entry["value"])
        for path in paths
        for entry in _ENTRY.finditer(path.read_text(encoding="utf-8"))
    }


def _text(written: str) -> str:
    if written[0] not in "'\"":
        return written
    inner = written[1:-1].replace("\\'", "'").replace('\\"', '"')
    return str(json.loads('"' + inner.replace('"', '\\"') + '"'))


class Unsaid(NamedTuple):
    """What is left of a sentence that a language cannot tell: English without a translation, and plain text in gaps."""

    english: list[str]
    plain: list[str]


def tell(said: Sentence, known: Mapping[str, str]) -> Unsaid:
    """As a screen tells it (web/src/lib/i18n.svelte.ts), from sentences and names."""
    first = said.template[:1].lower() + said.template[1:]
    found = (
        said.template in known or first in known or not re.search(r"[A-Za-z]", re.sub(r"\{\w+\}", "", said.template))
    )
    english, plain = ([] if found else [said.template]), []
    for value in said.values.values():
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, Sentence):
                below = tell(one, known)
                english += below.english
                plain += below.plain
            elif isinstance(one, str):
                plain.append(one)
    return Unsaid(english, plain)

"""Every code by which the program refuses, with the sentences that it says then: collected from the source.

A code is permanent, for programs; the sentence is for people. A sentence is found where it is written: in the same call
as the code, or under the name that this call uses.
"""

import ast
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Final

import natural9
from docs_site.markdown import cell, page
from natural9.core.round.refusal import Code
from natural9.table.commands.refusals import TableCode

PACKAGE: Final = Path(natural9.__file__).parent
ENUMS: Final[Mapping[str, type[StrEnum]]] = {"Code": Code, "TableCode": TableCode}
# What takes a code as text, and where in its arguments.
CALLS: Final = {
    "BadInput": "input",
    "ApiError.of": "server",
    "_refuse": "server",
    "Denied": "server",
    "UpgradeRefused": "server",
}
# When a code is used whose sentence is put together elsewhere.
WHEN: Final = tomllib.loads(Path(__file__).with_name("refusals.toml").read_text(encoding="utf-8"))
PARTS: Final = {
    "Code": "A round refuses",
    "TableCode": "A table refuses",
    "server": "The server refuses",
    "input": "A value that makes no sense",
}
WORDS: Final = {
    "Code": "By the rules of the game: nothing has changed, and the same command may be given later.",
    "TableCode": "By what a live table is: its limits, its people, its money.",
    "server": "Over HTTP and WebSockets, before a table is asked.",
    "input": "From a command line, a file or a request. On the command line: the sentence, exit 2, no code.",
}


def refusal_pages() -> dict[str, str]:
    found = sentences()
    parts: list[str] = []
    for part, heading in PARTS.items():
        parts += [f"## {heading}", WORDS[part]]
        for one in sorted(found[part]):
            parts += [
                f"### {one}",
                "\n".join(f"- {cell(said)}" for said in sorted(found[part][one])) or WHEN[one],
            ]
    made = page(
        "Refusals",
        "A refusal is a code for programs, a sentence for people and, where a rule demands it, the paragraph. What "
        "stands in braces is filled in. A refusal changes nothing.",
        *parts,
        about="Every code by which the program refuses, and what it says then.",
    )
    return {"refusals.md": made}


@cache
def sentences() -> Mapping[str, Mapping[str, set[str]]]:
    """By part and code, every sentence that was found; a code of which none was found is there all the same."""
    found: dict[str, dict[str, set[str]]] = {part: {} for part in PARTS}
    for name, codes in ENUMS.items():
        found[name] = {str(one): set() for one in codes}
    for path in sorted(PACKAGE.rglob("*.py")):
        if "torture" not in path.parts:
            for part, code, said in _collected(ast.parse(path.read_text(encoding="utf-8"))):
                found[part].setdefault(code, set()).update(said)
    return found


def _collected(tree: ast.Module) -> Iterator[tuple[str, str, set[str]]]:
    """Function by function: what a name stands for is asked where it is used."""
    of_module = _named(tree.body)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    for scope in [*functions, *(node for node in tree.body if node not in functions)]:
        named = {**of_module, **_named([scope])}
        for node in ast.walk(scope):
            if isinstance(node, ast.Call):
                yield from _refused(node, named)


def _named(scopes: Iterable[ast.AST]) -> dict[str, set[str]]:
    named: dict[str, set[str]] = {}
    for scope in scopes:
        for node in ast.walk(scope):
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                named.setdefault(node.targets[0].id, set()).update(_said(node.value))
    return named


def _refused(node: ast.Call, named: Mapping[str, set[str]]) -> Iterator[tuple[str, str, set[str]]]:
    for argument in node.args:
        if part_and_code := _code(argument, ast.unparse(node.func)):
            said = {text for one in node.args if one is not argument for text in _said(one)}
            said |= {text for one in node.args if isinstance(one, ast.Name) for text in named.get(one.id, ())}
            yield (*part_and_code, said)
            return


def _code(argument: ast.expr, called: str) -> tuple[str, str] | None:
    match argument:
        case ast.Attribute(value=ast.Name(id=enum), attr=member) if enum in ENUMS and member.isupper():
            return enum, str(ENUMS[enum][member])
        case ast.Constant(value=str(text)) if text.replace("-", "").isalnum() and text.islower():
            part = next((part for name, part in CALLS.items() if called == name or called.endswith(f".{name}")), "")
            return (part, text) if part else None
    return None


def _said(node: ast.AST) -> set[str]:
    """The texts of `say(...)` in it, and what is text itself."""
    match node:
        case ast.Constant(value=str(text)) if " " in text:
            return {text}
        case ast.JoinedStr():
            return {"".join(_piece(one) for one in node.values)}
        case ast.Call(func=ast.Name(id="say" | "verbatim" | "sentence"), args=[first, *_]):
            return _said(first)
        case ast.IfExp():
            return _said(node.body) | _said(node.orelse)
        case ast.BinOp(op=ast.Add()):
            return {"".join(one) for one in zip(_said(node.left) or [""], _said(node.right) or [""], strict=False)}
        case _:
            return set()


def _piece(node: ast.expr) -> str:
    match node:
        case ast.Constant(value=text):
            return str(text)
        case ast.FormattedValue(value=ast.Name(id=name) | ast.Attribute(attr=name)):
            return f"{{{name}}}"
        case _:
            return "{…}"

"""A page for each command, from the command itself."""

import inspect
import re
from collections.abc import Iterator
from typing import Any

import typer

from docs_site.markdown import block, cell, code, page, table
from natural9.cli.main import COMMANDS, GROUPS, make_app


def command_pages() -> dict[str, str]:
    root = typer.main.get_command(make_app())
    context = typer.Context(root, info_name="natural9")
    made = {f"cli/{name}.md": _page(name, root.get_command(context, name), context) for name in COMMANDS}  # type: ignore[attr-defined]
    made["cli/index.md"] = page(
        "Commands",
        "`natural9 COMMAND --help` says the same in a terminal. An error is one line on stderr that says what and "
        "why, and exit 2.",
        *(part for heading, commands in GROUPS.items() for part in _group(heading, commands)),
        about="Every command of natural9, with its options and an example.",
    )
    return made


def _group(heading: str, commands: dict[str, str]) -> Iterator[str]:
    yield f"## {heading}"
    yield table(["command", ""], ([f"[`{name}`]({name}.md)", cell(does)] for name, does in commands.items()))


def _page(name: str, command: Any, parent: typer.Context) -> str:
    return page(f"natural9 {name}", *_described(command, name, parent, "##"), about=COMMANDS[name])


def _described(command: Any, name: str, parent: typer.Context, level: str) -> Iterator[str]:
    context = typer.Context(command, info_name=name, parent=parent)
    path = context.command_path
    *words, example = _paragraphs(command.help or "")
    yield from words
    if example.startswith("Example: "):
        yield block(example.removeprefix("Example: "), "sh")
    else:
        yield example
    yield f"{level} {'Usage' if level == '##' else 'Options'}\n"
    yield block(" ".join([path, *command.collect_usage_pieces(context)]))
    records = [record for param in command.params if (record := param.get_help_record(context))]
    yield table(["", ""], ([code(names), cell(words)] for names, words in records))
    for below in command.list_commands(context) if hasattr(command, "list_commands") else ():
        yield f"## {name} {below}"
        yield from _described(command.get_command(context, below), below, context, "###")


def _paragraphs(text: str) -> list[str]:
    """What a help says; a line that begins further in is kept as it is."""
    parts = re.split(r"\n\s*\n", inspect.cleandoc(text.replace("\b", "")))
    return [
        block(part) if re.match(r"\s", part) else " ".join(part.split()).replace("<", "&lt;")
        for part in parts
        if part.strip()
    ]

"""The few forms of Markdown that made pages have."""

import re
from collections.abc import Iterable, Sequence


def cell(text: object) -> str:
    """Text in a table: on one line, and no bar or tag in it."""
    return " ".join(str(text).split()).replace("|", r"\|").replace("<", "&lt;")


def code(text: object) -> str:
    """As code in a line of text or in a table; nothing for nothing."""
    plain = " ".join(str(text).split()).replace("|", r"\|")
    fence = "``" if "`" in plain else "`"
    return f"{fence}{plain}{fence}" if plain else ""


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table, or nothing where there are no rows. The cells are Markdown already."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    if not lines:
        return ""
    rule = "|".join("---" for _ in heads)
    return "\n".join([f"| {' | '.join(heads)} |", f"|{rule}|", *lines, ""])


def block(text: str, language: str = "") -> str:
    return f"```{language}\n{text.strip()}\n```\n"


def page(title: str, *parts: str, about: str = "") -> str:
    """A page of these parts; empty ones leave no gap. What it is about is for searching machines and `llms.txt`."""
    head = f'---\ndescription: "{about}"\n---\n\n' if about else ""
    return head + f"# {title}\n\n" + "\n".join(part.strip("\n") + "\n" for part in parts if part.strip())


def slug(heading: str) -> str:
    """The anchor of a heading, as the site makes it."""
    plain = re.sub(r"[^\w\s-]", "", heading.strip().lower())
    return re.sub(r"[\s-]+", "-", plain).strip("-")

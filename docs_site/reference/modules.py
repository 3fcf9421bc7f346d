"""Every module of the package by its room, with what it says of itself."""

import ast
from pathlib import Path

import natural9
from docs_site.markdown import cell, code, page, table

PACKAGE = Path(natural9.__file__).parent


def rooms() -> dict[str, list[Path]]:
    """The modules of each folder that has any, by its path; the package's own first."""
    found: dict[str, list[Path]] = {}
    for path in sorted(PACKAGE.rglob("*.py"), key=lambda path: (path.parent, path.name)):
        if not path.name.startswith("__"):
            found.setdefault(path.parent.relative_to(PACKAGE).as_posix(), []).append(path)
    return found


def about(module: Path) -> str:
    """The first paragraph of its docstring."""
    said = ast.get_docstring(ast.parse(module.read_text(encoding="utf-8"))) or ""
    return " ".join(said.partition("\n\n")[0].split())


def module_pages() -> dict[str, str]:
    parts = []
    for room, modules in rooms().items():
        parts.append(f"## natural9{'' if room == '.' else '/' + room}")
        parts.append(cell(about(PACKAGE / room / "__init__.py")) + "\n")
        parts.append(table(["module", ""], ([code(path.stem), cell(about(path))] for path in modules)))
    begins = "How the rooms stand to each other: [architecture](../architecture.md)."
    return {"modules.md": page("Modules", begins, *parts, about="Every module of the program, with what it is for.")}

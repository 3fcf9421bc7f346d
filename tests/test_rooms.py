"""Who may look into whose room: the direction of every import, read from the source."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import natural9

PACKAGE = Path(natural9.__file__).parent

# Each room, those built and those to come, with the other rooms that it may import from.
MAY_IMPORT: dict[str, set[str]] = {
    "core": set(),
    "games": {"core"},
    "odds": {"core", "games"},
    "disk": set(),
    "proof": set(),
    "store": {"disk", "proof"},
    "witness": {"disk", "proof"},
    "journal": {"core", "store"},
    "table": {"core", "games", "journal", "proof", "store"},
    "chance": {"core", "games", "odds", "table"},
    "server": {"core", "disk", "games", "journal", "odds", "proof", "store", "table"},
    "torture": {"core", "disk", "games", "journal", "proof", "store", "table", "server"},
    "deploy": {"core"},
    "cli": {
        "core",
        "deploy",
        "disk",
        "games",
        "journal",
        "odds",
        "proof",
        "store",
        "table",
        "server",
        "torture",
        "witness",
        "chance",
    },
}
FOR_ALL = {"extras"}  # one module that belongs to no room, and imports from none
# What a room may use beside the standard library, where that is limited.
BOUGHT = {
    "core": set[str](),
    "games": {"msgspec"},
    "proof": {"cryptography", "rfc3161_client"},
    "witness": {"httpx", "msgspec"},
    "cli": {"typer", "rich", "msgspec", "uvloop"},
}
# Time and chance are arguments; the core has no files, no sockets, no log and nothing that waits.
NOT_IN_CORE = {
    "asyncio", "concurrent", "datetime", "io", "logging", "multiprocessing", "os", "pathlib", "random", "secrets",
    "select", "shutil", "socket", "sqlite3", "subprocess", "sys", "tempfile", "threading", "time", "uuid", "zoneinfo",
}  # fmt: skip
NOT_CALLED_IN_CORE = {"open", "print", "input", "eval", "exec", "__import__", "breakpoint"}


def rooms() -> list[str]:
    return sorted(path.name for path in PACKAGE.iterdir() if path.is_dir() and any(path.rglob("*.py")))


def modules(room: str) -> list[Path]:
    return sorted((PACKAGE / room).rglob("*.py"))


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """Every module that a file imports, wherever in it, with the line."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: a relative import hides where it goes"
            assert node.module is not None
            if node.module == "natural9":
                for alias in node.names:
                    yield node.lineno, f"natural9.{alias.name}"
            else:
                yield node.lineno, node.module


def room_imports(room: str) -> Iterator[tuple[str, str]]:
    """Where, and which other room."""
    for path in modules(room):
        for line, name in imported(path):
            parts = name.split(".")
            if parts[0] == "natural9" and len(parts) > 1 and parts[1] not in {room, *FOR_ALL}:
                yield f"{path.relative_to(PACKAGE)}:{line}", parts[1]


def test_every_room_has_its_place() -> None:
    assert set(rooms()) <= set(MAY_IMPORT)
    assert {"core", "games", "cli"} <= set(rooms())


@pytest.mark.parametrize("room", rooms())
def test_a_room_imports_only_from_the_rooms_it_may(room: str) -> None:
    wrong = [(where, other) for where, other in room_imports(room) if other not in MAY_IMPORT[room]]
    assert not wrong


@pytest.mark.parametrize("room", [room for room in rooms() if room in BOUGHT])
def test_a_room_uses_only_the_parts_bought_for_it(room: str) -> None:
    allowed = set(sys.stdlib_module_names) | {"natural9"} | BOUGHT[room]
    wrong = [
        f"{path.relative_to(PACKAGE)}:{line}: {name}"
        for path in modules(room)
        for line, name in imported(path)
        if name.split(".")[0] not in allowed
    ]
    assert not wrong


def test_the_core_has_no_clock_no_chance_and_no_input_or_output() -> None:
    wrong = [
        f"{path.relative_to(PACKAGE)}:{line}: {name}"
        for path in modules("core")
        for line, name in imported(path)
        if name.split(".")[0] in NOT_IN_CORE
    ]
    assert not wrong


def test_the_core_waits_for_nothing_and_writes_nowhere() -> None:
    for path in modules("core"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            where = f"{path.relative_to(PACKAGE)}:{getattr(node, 'lineno', 0)}"
            assert not isinstance(node, (ast.AsyncFunctionDef, ast.Await, ast.AsyncFor, ast.AsyncWith)), where
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in NOT_CALLED_IN_CORE, f"{where}: {node.func.id}()"


def test_no_float_touches_money_in_the_core() -> None:
    """Nothing in the core is a float: no literal, and no call that makes one."""
    for path in modules("core"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            where = f"{path.relative_to(PACKAGE)}:{getattr(node, 'lineno', 0)}"
            assert not (isinstance(node, ast.Constant) and isinstance(node.value, float)), where
            assert not (isinstance(node, ast.Name) and node.id == "float"), where


def test_odds_and_table_never_import_each_other() -> None:
    assert "table" not in MAY_IMPORT["odds"]
    assert "odds" not in MAY_IMPORT["table"]
    for room, other in (("odds", "table"), ("table", "odds")):
        if room in rooms():
            assert other not in {name for _, name in room_imports(room)}


def test_the_rooms_stand_in_an_order() -> None:
    """No room can be reached from itself: the arrows have a direction."""

    def reached(room: str) -> set[str]:
        direct = MAY_IMPORT[room]
        return direct.union(*(reached(other) for other in direct))

    for room in MAY_IMPORT:
        assert room not in reached(room)


def test_the_door_to_the_house_opens_nothing() -> None:
    """`import natural9` costs nothing; `python -m natural9` goes to the command line."""
    assert list(imported(PACKAGE / "__init__.py")) == []
    for name in FOR_ALL:
        assert not [one for _, one in imported(PACKAGE / f"{name}.py") if one.startswith("natural9")]
    assert [name for _, name in imported(PACKAGE / "__main__.py")] == ["natural9.cli.main"]

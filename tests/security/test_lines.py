"""Every WebSocket, opened by everybody, and every message on it: who is let in as what, and who is heard."""

import json
from pathlib import Path
from typing import Any, get_args

import pytest

from natural9.server import protocol
from natural9.server.guests import Guest
from natural9.server.websocket import UpgradeRefused
from natural9.table.commands.terminal import OfTheServer
from tests.security.answers import members, table
from tests.security.floor import CALLERS, NOBODIES, Floor, Line, busy_floor, together
from tests.server.test_complaints import tap

SHAPES = {shape.__struct_config__.tag: shape for shape in (*get_args(protocol.FromTerminal), *get_args(OfTheServer))}


def role(guest: Guest | UpgradeRefused) -> str:
    """As whom somebody is let in."""
    if isinstance(guest, UpgradeRefused):
        return f"{guest.status} {guest.code}"
    if guest.home:
        return "visitor"
    if guest.seat is not None:
        return "seat"
    if guest.sees_console:
        return "console"
    return "watches" if guest.table else "lobby" if guest.is_in_lobby else "floor"


def due(path: str, caller: str) -> str:
    for name, may in table()["line"][path].items():
        if caller in members(may):
            return str(name)
    return "401 sign-in-first" if caller in NOBODIES else "403 not-allowed"


@pytest.mark.parametrize("far", [False, True], ids=["here", "from another node"])
@together
async def test_everybody_is_let_in_as_the_table_says(floor: Floor, far: bool) -> None:
    paths = [path for path in table()["line"] if not far or path.startswith("/ws/table/")]
    let_in = {(path, one): role(floor.connect(one, path, far=far)) for path in paths for one in CALLERS}
    assert let_in == {(path, one): due(path, one) for path, one in let_in}
    if not far:
        assert role(floor.connect("shift-manager", "/ws/table/none")) == "404 not-found"
        assert role(floor.connect("shift-manager", "/ws/none")) == "404 not-found"


def test_every_message_has_a_row_and_every_row_a_message() -> None:
    assert set(SHAPES) == set(table()["tap"])


async def answer_to(floor: Floor, line: Line, message: dict[str, Any]) -> str:
    """The type and code of the answer; "" for none. What comes after a ping's answer comes after this one's."""
    line.told.clear()
    floor.house.hub.message(line, json.dumps(message).encode())
    if line.who.seat is not None and "request" in message:
        await floor.house.room(line.who.table).writer.see(lambda state: None)
    [*told] = [one for one in line.told if one["type"] in ("registered", "refused", "pong", "unknown")]
    return f"{told[0]['type']} {told[0].get('code', '')}".strip() if told else ""


async def answers_on(floor: Floor, caller: str, path: str) -> dict[str, str]:
    line, answers = await floor.enter(caller, path), {}
    for tag, shape in SHAPES.items():
        message = tap(shape) if tag != "ping" else {"type": "ping"}
        message |= {"request": f"{tag} of {caller}"} if "request" in message else {}
        answers[tag] = await answer_to(floor, line, message)
    floor.house.hub.leave(line)
    return answers


def is_right(kind: str, tag: str, answer: str) -> bool:
    if tag in ("card-in", "bar-card", "insert-bill"):
        return answer == "refused bad-message"
    if kind not in table()["tap"][tag]:
        return answer == "refused not-a-terminal"
    if tag in ("ping", "turned"):
        return answer == {"ping": "pong", "turned": ""}[tag]
    return answer.startswith(("registered", "refused ")) and answer not in (
        "refused not-a-terminal",
        "refused bad-message",
    )


async def test_everybody_is_heard_as_the_table_says(tmp_path: Path) -> None:
    async with busy_floor(tmp_path) as floor:
        wrong = [
            f"{path}: {tag} of {caller} gets {answer!r}"
            for path in ("/ws/table/a", "/ws/floor", "/ws/lobby")
            for kind, may in table()["line"][path].items()
            for caller in sorted(members(may))
            for tag, answer in (await answers_on(floor, caller, path)).items()
            if not is_right(kind, tag, answer)
        ]
    assert not wrong, "\n".join(wrong)

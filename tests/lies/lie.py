"""What a lie is, and the pencil and rubber that all of them are made with."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from tests.lies.shown import Line, Shown

Tell = Callable[[Shown], None]


@dataclass(frozen=True)
class Lie:
    """One kind of it, in plain words. `careless`: told as it is; `anew`: with everything after it made anew and signed.
    Some only make sense in one of the two."""

    name: str
    tell: Tell
    careless: bool = True
    anew: bool = True
    then: Tell = lambda shown: None  # after everything was made anew


def the(shown: Shown, kind: str, place: int = 0, /, **said: Any) -> Line:
    """The so-manieth entry of this kind, among those whose record (or stream) says this."""
    stream = said.pop("stream", None)
    found = [
        line
        for line in shown.entries
        if line["kind"] == kind
        and stream in (None, line["stream"])
        and said.items() <= {name: value for name, value in record_of(line).items() if name in said}.items()
    ]
    return found[place]


def body_of(line: Line) -> dict[str, Any]:
    return msgspec.json.decode(line["body"])  # type: ignore[no-any-return]


def record_of(line: Line) -> dict[str, Any]:
    return body_of(line)["record"]  # type: ignore[no-any-return]


def say(line: Line, **changes: Any) -> Line:
    """The event with other values in its record."""
    body = body_of(line)
    body["record"] |= changes
    return _write(line, body)


def say_beside(line: Line, **changes: Any) -> Line:
    """With other values beside its record: who asked, in which rank. None takes one away."""
    body = {name: value for name, value in (body_of(line) | changes).items() if value is not None}
    return _write(line, body)


def ask(line: Line, request: str) -> Line:
    """As though it had been asked for by another request."""
    asked = body_of(line)
    if line["request"]:
        line["request"] = line["request"].removesuffix(asked["request"]) + request
    command = asked.get("command")
    if isinstance(command, dict) and "request" in command:
        command["request"] = request
    return say_beside(line, request=request, command=command)


def _write(line: Line, body: dict[str, Any]) -> Line:
    line["body"] = msgspec.json.encode(body).decode()
    return line


def pay(line: Line, kind: str, **changes: Any) -> None:
    """Its transfer of this kind with another source, target or cents."""
    names = ("kind", "source", "target", "cents")
    line["transfers"] = [
        [changes.get(name, value) for name, value in zip(names, one, strict=True)] if one[0] == kind else one
        for one in line["transfers"]
    ]


def leave_out(shown: Shown, *lines: Line) -> None:
    shown.lines = [line for line in shown.lines if not any(line is one for one in lines)]


def twin(line: Line, **changes: Any) -> Line:
    """Another entry like it."""
    return {
        **line,
        "transfers": [list(one) for one in line["transfers"]],
        "documents": list(line["documents"]),
        **changes,
    }


def put_after(shown: Shown, line: Line, *others: Line) -> None:
    place = _place(shown, line) + 1
    shown.lines[place:place] = others


def move_after(shown: Shown, line: Line, to: Line) -> None:
    leave_out(shown, line)
    put_after(shown, to, line)


def next_of(shown: Shown, line: Line, kind: str = "") -> Line:
    """The next entry of its stream, of this kind."""
    later = shown.lines[_place(shown, line) + 1 :]
    return next(one for one in later if one.get("stream") == line["stream"] and kind in ("", one["kind"]))


def _place(shown: Shown, line: Line) -> int:
    return next(place for place, one in enumerate(shown.lines) if one is line)


def decision_of(shown: Shown, line: Line) -> list[Line]:
    """All entries of its stream that came of the same request."""
    asked = body_of(line)["request"]
    return [one for one in shown.entries if one["stream"] == line["stream"] and body_of(one).get("request") == asked]


def changed(kind: str, place: int = 0, /, *, where: dict[str, Any] | None = None, **values: Any) -> Tell:
    """A lie that is one entry with other values in its record."""

    def tell(shown: Shown) -> None:
        say(the(shown, kind, place, **(where or {})), **values)

    return tell


def beside(kind: str, place: int = 0, /, *, where: dict[str, Any] | None = None, **values: Any) -> Tell:
    """A lie that is one entry with other values beside its record."""

    def tell(shown: Shown) -> None:
        say_beside(the(shown, kind, place, **(where or {})), **values)

    return tell


def left_out(kind: str, place: int = 0, /, **where: Any) -> Tell:
    """A lie that is one entry less."""
    return lambda shown: leave_out(shown, the(shown, kind, place, **where))

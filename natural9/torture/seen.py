"""What reached a client, and what is wrong with it.

`who` is a line or a person: "terminal t1/3" (at its own table), "terminal t1/3 at t2" (a visitor there), "terminal t1/3
lobby", "display t1", "console dora t1" (a person's WebSocket at t1), "floor pat", "staff dora" (a person's HTTP),
"device t1/3" (a terminal's HTTP).

`what` is "came" (the line is open), "cut" (nothing of it is recorded from now on), "sent" and "shown" (a message over a
WebSocket, as bytes); over HTTP "sent" ({"n", "method", "path", "body"}) and "answered" ({"n", "status", "body"}); of a
bill acceptor, "acceptor t1/3", "inserted" (its line) and "told".
"""

from typing import Any, NamedTuple

Message = dict[str, Any]


class Sighting(NamedTuple):
    at_ms: int
    who: str
    what: str
    message: bytes | Message


class Violation(NamedTuple):
    kind: str  # one of `properties.PROPERTIES`
    words: str
    at_ms: int = 0
    who: str = ""

    def __str__(self) -> str:
        return f"{self.kind}: {self.who + ': ' if self.who else ''}{self.words}"

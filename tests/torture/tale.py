"""A recorded story told otherwise: entries changed, taken out or put in and chained anew, messages changed."""

import copy
from collections.abc import Callable
from typing import Any

import msgspec

from natural9.torture.outside import load_verifier
from natural9.torture.seen import Sighting, Violation
from tests.torture.recorded import Story, audit

verifier = load_verifier()
Record = dict[str, Any]


class Tale:
    def __init__(self, story: Story) -> None:
        self.seen = list(story.seen)
        self.items: list[Record] = [msgspec.json.decode(line) for line in story.export]
        self.secrets, self.quiet = dict(story.secrets), story.quiet
        self._is_changed = False

    def kinds(self) -> list[str]:
        return [one.kind for one in self.audit()]

    def audit(self) -> list[Violation]:
        if self._is_changed:
            self._chain()
        return audit(Story(self.seen, [msgspec.json.encode(item) for item in self.items], self.secrets, self.quiet))

    # The journal.

    def find(self, table: str, kind: str, nth: int = 0) -> Record:
        stream = table if table == "venue" else f"table/{table}"
        found = [one for one in self.items if (one.get("stream"), one.get("kind")) == (stream, kind)]
        return found[nth]

    def change(self, table: str, kind: str, nth: int = 0, *, body: Record | None = None, **record: Any) -> None:
        item = self.find(table, kind, nth)
        was = msgspec.json.decode(item["body"])
        was["record"] |= record
        item["body"] = msgspec.json.encode({**was, **(body or {})}).decode()
        self._is_changed = True

    def drop(self, table: str, kind: str, nth: int = 0) -> None:
        self.items.remove(self.find(table, kind, nth))
        self._is_changed = True

    def move(self, table: str, kind: str, nth: int, before: str, before_nth: int = 0) -> None:
        item = self.find(table, kind, nth)
        self.items.remove(item)
        self.items.insert(self.items.index(self.find(table, before, before_nth)), item)
        self._is_changed = True

    def insert(self, table: str, kind: str, record: Record, *, after: str, nth: int = 0, **body: Any) -> None:
        item = self.find(table, after, nth)
        written = {"event": kind, "v": 1, "record": record, "from": "program", **body}
        new = {
            **copy.deepcopy(item),
            "kind": kind,
            "transfers": [],
            "documents": [],
            "documents_sum": "",
            "request": "",
        }
        self.items.insert(self.items.index(item) + 1, new | {"body": msgspec.json.encode(written).decode()})
        self._is_changed = True

    def again(self, table: str, kind: str, nth: int = 0) -> None:
        item = self.find(table, kind, nth)
        self.items.insert(self.items.index(item) + 1, copy.deepcopy(item))
        self._is_changed = True

    def _chain(self) -> None:
        """As a house would that lies well: numbers and hashes hold, and no checkpoint is signed."""
        self.items = [one for one in self.items if "checkpoint" not in one]
        heads: dict[str, tuple[int, bytes, int]] = {}
        for seq, item in enumerate((one for one in self.items if "body" in one), 1):
            number, before, first = heads.get(item["stream"], (0, bytes(32), 1))
            item |= {"seq": seq, "number": number + 1, "first_transfer": first}
            digest = verifier.entry_hash(before, item)
            item["hash"] = digest.hex()
            heads[item["stream"]] = (number + 1, digest, first + len(item["transfers"]))

    # What was shown.

    def place(self, who: str, kind: str, nth: int = 0, holds: Callable[[Record], bool] = lambda said: True) -> int:
        found = [
            place
            for place, one in enumerate(self.seen)
            if one.who == who and one.what == "shown" and (said := _said(one))["type"] == kind and holds(said)
        ]
        return found[nth]

    def retell(
        self,
        who: str,
        kind: str,
        tell: Callable[[Record], None],
        nth: int = 0,
        holds: Callable[[Record], bool] = lambda said: True,
    ) -> None:
        """Told otherwise, to all who were told it."""
        was = self.seen[self.place(who, kind, nth, holds)].message
        assert isinstance(was, bytes)
        said = msgspec.json.decode(was)
        tell(said)
        now = msgspec.json.encode(said)
        self.seen = [one._replace(message=now) if one.message is was else one for one in self.seen]

    def tell(self, who: str, said: Record, place: int | None = None, at_ms: int = 0) -> None:
        """One message more."""
        one = Sighting(at_ms, who, "shown", msgspec.json.encode(said))
        self.seen.insert(len(self.seen) if place is None else place, one)

    def said(self, who: str, kind: str, nth: int = 0, holds: Callable[[Record], bool] = lambda said: True) -> Record:
        return _said(self.seen[self.place(who, kind, nth, holds)])

    def answer(self, person: str, path: str, tell: Callable[[Record], None], nth: int = 0) -> None:
        """An answer over HTTP told otherwise."""
        asked = [
            one.message["n"]
            for one in self.seen
            if one.who == f"staff {person}" and one.what == "sent" and isinstance(one.message, dict)
            and one.message["path"].endswith(path)
        ]  # fmt: skip
        for place, one in enumerate(self.seen):
            if isinstance(one.message, dict) and (one.what, one.message.get("n")) == ("answered", asked[nth]):
                message = copy.deepcopy(one.message)
                tell(message)
                self.seen[place] = one._replace(message=message)


def _said(one: Sighting) -> Record:
    assert isinstance(one.message, bytes)
    return msgspec.json.decode(one.message)  # type: ignore[no-any-return]

"""The auditor at a simulated floor: what its clients are shown and its disk holds, in the auditor's words."""

from collections.abc import Iterable

import msgspec

from natural9.journal.export import journal_lines
from natural9.torture.auditor import Auditor
from natural9.torture.floor import PASSWORD, SimulatedFloor
from natural9.torture.judge_rest import Quiet
from natural9.torture.seen import Violation

ROLES = ("terminal", "display", "console", "floor", "device", "staff", "reader", "acceptor")


class FloorWatch:
    """Made before anybody comes; `judge` once all is at rest and the house has stopped."""

    def __init__(self, floor: SimulatedFloor) -> None:
        self._floor = floor
        squeezed = [id for id, config in floor.venue.tables.items() if config.timers.squeeze_s]
        self.auditor = Auditor(short_ms=floor.venue.short_interruption_ms, squeezed=squeezed)
        self._quiet: Quiet | None = None
        floor.watch, floor.disk.wrote = self._see, self.auditor.durable
        floor.crashed, floor.disk.failed, floor.ends = self._crashed, self._may_halt, self._may_halt

    def _crashed(self) -> None:
        self.auditor.crashed(self._floor.monotonic_ms())

    def _may_halt(self) -> None:
        self.auditor.may_halt(self._floor.monotonic_ms())

    def _see(self, at_ms: int, who: str, what: str, message: bytes) -> None:
        is_line = who.partition(" ")[0] in ROLES
        if is_line or what not in ("sent", "answered"):
            self.auditor.see(at_ms, who, what, message)
            return
        name = f"device {who}" if "/" in who else f"staff {who}"
        if what == "sent":
            number, method, path, body = message.split(b" ", 3)
            asked = {"n": int(number), "method": method.decode(), "path": path.decode()}
            self.auditor.see(at_ms, name, what, {**asked, "body": msgspec.json.decode(body) if body else None})
        else:
            self.auditor.see(at_ms, name, what, msgspec.json.decode(message))

    def rests(
        self, rounds: dict[str, int], *, must_play: Iterable[str] = (), must_rest: Iterable[str] = (), since_ms: int = 0
    ) -> None:
        """All has had its time since the faults stopped; `rounds` were played then. `must_play`: tables that should
        have gone on since; `must_rest`: those that were brought to rest."""
        now_ms, is_up = self._floor.monotonic_ms(), self._floor.is_up
        self._quiet = Quiet(since_ms, now_ms, rounds, frozenset(must_play), frozenset(must_rest), is_up)

    async def judge(self) -> list[Violation]:
        for name, badge in self._floor.badges.items():
            for words, text in (("cookie", badge.cookie.partition("=")[2]), ("token", badge.csrf)):
                if text:
                    self.auditor.secret(f"the {words} of {name}", text, (f"staff {name}", f"device {name}"))
        self.auditor.secret("the password of everybody", PASSWORD)
        if self._quiet:
            self.auditor.rest(self._quiet)
        return self.auditor.judge([line async for line in journal_lines(self._floor.disk.platter, "Torture")])

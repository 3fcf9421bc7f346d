"""Who asks for a report, and when."""

from typing import NamedTuple


class Asker(NamedTuple):
    """Whoever reads the journal's own file sees every drawer; a cashier sees their own."""

    at_ms: int
    desk: str = ""
    sees_every_desk: bool = True

    def sees(self, desk: str) -> bool:
        return self.sees_every_desk or desk == self.desk

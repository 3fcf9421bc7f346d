"""The journal of one machine, read with nothing but SQLite, as `store/sqlite/schema.py` says."""

import sqlite3
from collections import defaultdict
from contextlib import closing
from pathlib import Path

from tests.outside.journal import Journal, Row, Wrong


class SqliteJournal(Journal):
    """Reads on from where it stopped."""

    def __init__(self, file: Path, wrong: Wrong) -> None:
        super().__init__(wrong)
        self.file = file

    def read_on(self) -> None:
        """All that was written since, as of one moment: the server may be at work."""
        # Read only: the last to close a file would otherwise do the server's own mending.
        with closing(sqlite3.connect(f"file:{self.file}?mode=ro", uri=True)) as file:
            file.row_factory = sqlite3.Row
            file.execute("BEGIN")
            self._is_the_same(file)
            moved = self._transfers(file)
            after = "SELECT *, CAST(body AS BLOB) AS raw FROM journal WHERE seq > ? ORDER BY seq"
            for row in file.execute(after, (self.entries,)):
                self.take(dict(row), moved.get(row["seq"], []))
            self.agrees_with({row["account"]: row["cents"] for row in file.execute("SELECT * FROM balance")})

    def _is_the_same(self, file: sqlite3.Connection) -> None:
        """Nothing that was there is gone or changed."""
        if self.entries:
            kept = file.execute("SELECT hash FROM journal WHERE seq = ?", (self.entries,)).fetchone()
            if kept is None or kept["hash"] != self.last:
                self.wrong("the journal went back", f"entry {self.entries} is not what it was")

    def _transfers(self, file: sqlite3.Connection) -> dict[int, list[Row]]:
        moved: defaultdict[int, list[Row]] = defaultdict(list)
        for row in file.execute("SELECT * FROM transfer WHERE number > ? ORDER BY number", (self.transfers,)):
            moved[row["seq"]].append(dict(row))
        return moved

"""Records carried into a new journal file."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

import apsw

from natural9.disk.durable import draft_of, make_durable, make_private, remove_if_there, rename_durably
from natural9.store.balances import Balances
from natural9.store.chain import START
from natural9.store.contract import Checkpoint, Head, StoreFailed, Written
from natural9.store.sqlite.head_file import Heads, head_path
from natural9.store.sqlite.rows import Rows
from natural9.store.sqlite.schema import journal_file, journal_files, make_tables, speaking_of
from natural9.store.tree import Growing


class SqliteCopy:
    """Beside where it will be, under another name until it is whole."""

    def __init__(self, place: Path, *, with_head: bool = True) -> None:
        """With a head, a venue goes on from there; without, it is a backup."""
        self._path = journal_file(place.absolute())
        self._with_head = with_head
        if not self._path.parent.is_dir():
            raise StoreFailed(f"there is no folder {self._path.parent} to write {self._path.name} into")
        for name in (*journal_files(self._path), head_path(self._path)):
            if name.exists():
                raise StoreFailed(f"{name} exists already and is not overwritten: move it away or name another folder")
        self.place = draft_of(self._path)
        with self._speaking():
            make_private(self.place)
            self._connection = apsw.Connection(str(self.place))
            self._connection.pragma("synchronous", "off")  # it is synced once, as a whole
            with self._connection:
                make_tables(self._connection)
        self._rows = Rows(self._connection)
        self._balances = Balances(may_go_below_zero=("",))  # whoever copies verifies afterwards
        self._growing = Growing()
        self._head = START

    def _speaking(self) -> AbstractContextManager[None]:
        return speaking_of(self.place, f"be copied to {self._path}")

    def add(self, page: Sequence[Written]) -> None:
        for written in page:
            self._balances.move(written.transfers)
        moved = sum(len(written.transfers) for written in page)
        self._head = Head(page[-1].seq, page[-1].hash, self._head.transfers + moved)
        with self._speaking(), self._connection:
            self._rows.write(page, self._head, self._balances)
            self._rows.write_tree(self._growing.add([written.hash for written in page]))
            self._rows.write_index(self._head.transfers)

    def add_checkpoints(self, checkpoints: Sequence[Checkpoint]) -> None:
        with self._speaking(), self._connection:
            self._rows.write_checkpoints(checkpoints)

    def finish(self, documents: Mapping[str, bytes]) -> None:
        with self._speaking():
            with self._connection:
                self._rows.write_documents(documents)
            self._connection.close()
            make_durable(self.place)

    def open(self) -> None:
        with self._speaking():
            if self._with_head:
                heads = Heads(self._path)
                heads.open(self._head, anew=True)
                heads.begin(self._head)
                heads.finish()
                heads.close()
            rename_durably(self.place, self._path)

    def close(self) -> None:
        self._connection.close()
        remove_if_there(self.place)

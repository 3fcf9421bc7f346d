"""The process that writes a journal in a database: ADDRESS, or with others ADDRESS NODE [FOLDER]."""

import sys
from pathlib import Path

from natural9.store.group import Commits
from natural9.store.postgres.committer import open_committer
from natural9.store.postgres.shared import open_shared_committer
from natural9.store.process import commit_here


def main(address: str, node: str | None = None, folder: str | None = None) -> None:
    def opened(owner: int) -> Commits:
        if node is None:
            return open_committer(address, owner)
        return open_shared_committer(address, node, Path(folder) if folder else None, owner)

    commit_here(opened)


if __name__ == "__main__":
    main(*sys.argv[1:])

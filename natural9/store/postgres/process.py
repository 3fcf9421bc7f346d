"""The process that writes a journal in a database: ADDRESS FOLDER, with others ADDRESS FOLDER NODE. "" is no folder."""

import sys
from pathlib import Path

from natural9.store.group import Commits
from natural9.store.postgres.committer import open_committer
from natural9.store.postgres.shared import open_shared_committer
from natural9.store.process import commit_here


def main(address: str, named: str, node: str | None = None) -> None:
    folder = Path(named) if named else None

    def opened(owner: int) -> Commits:
        if node is None:
            return open_committer(address, owner, folder=folder)
        return open_shared_committer(address, node, folder, owner)

    commit_here(opened)


if __name__ == "__main__":
    main(*sys.argv[1:])

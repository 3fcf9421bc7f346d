"""The process that writes a journal in a database."""

import sys

from natural9.store.postgres.committer import open_committer
from natural9.store.process import commit_here


def main(address: str) -> None:
    commit_here(lambda owner: open_committer(address, owner))


if __name__ == "__main__":
    main(sys.argv[1])

"""The process that writes a journal file."""

import sys
from pathlib import Path

from natural9.store.process import commit_here
from natural9.store.sqlite.committer import open_committer


def main(path: Path, head_copy: Path | None = None) -> None:
    commit_here(lambda owner: open_committer(path, owner, head_copy=head_copy))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))

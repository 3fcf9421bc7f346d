"""How far a long command is: a bar with the speed and the time left, where a person can see it."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn


class Advanced(Protocol):
    """So many are done, of so many if that is known only now."""

    def __call__(self, done: int, total: int | None = None, /) -> object: ...


@contextmanager
def progress_bar(of: str, total: int | None = None) -> Iterator[Advanced | None]:
    """None where nobody looks: what goes to a file or a program stays as it is."""
    if not sys.stderr.isatty():
        yield None
        return
    speed = TextColumn("{task.completed:,.0f} " + of + ", {task.fields[speed]:,.0f} a second, left:")
    with Progress(BarColumn(), speed, TimeRemainingColumn(), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total, speed=0.0)

        def advanced(done: int, total: int | None = None, /) -> None:
            bar.update(task, completed=done, total=total, speed=bar.tasks[0].speed or 0.0)

        yield advanced

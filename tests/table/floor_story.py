"""What happened at a table, step by step, for a person to read when a random evening has gone wrong."""

from collections.abc import Iterator
from contextlib import contextmanager


class StoryFailed(AssertionError):
    """Something at the table did not come out as it must; the message is the whole story."""


class Story:
    """An evening as it is told: chapters, and in each who did what and what was answered."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._steps = 0

    def chapter(self, title: str) -> None:
        self._lines.append(f"\n{title}")

    def tell(self, what: str) -> None:
        self._steps += 1
        self._lines.append(f"{self._steps:4}. {what}")

    def __str__(self) -> str:
        return "\n".join(self._lines)

    @contextmanager
    def told(self) -> Iterator[None]:
        """Whatever goes wrong in here is told with all that led to it."""
        try:
            yield
        except Exception as error:
            what = str(error) if isinstance(error, AssertionError) else repr(error)
            raise StoryFailed(f"The evening went like this:\n{self}\n\nThen: {what}") from error

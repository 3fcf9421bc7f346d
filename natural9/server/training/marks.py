"""What a trainee is scored by: one mark for each thing that happened, and what they come to, clause by clause."""

from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct

from natural9.core.saying import Said, say


class Grade(StrEnum):
    """How something was handled."""

    RIGHT = "right"
    LATE = "late"  # right in the end: after a detour, or too slowly
    WRONG = "wrong"
    MISSED = "missed"

    @property
    def words(self) -> Said:
        return _GRADES[self]


_GRADES = {
    Grade.RIGHT: say("right"),
    Grade.LATE: say("late"),
    Grade.WRONG: say("wrong"),
    Grade.MISSED: say("missed"),
}


class Mark(Struct, frozen=True, kw_only=True):
    """One thing that happened, or was asked, and how it was handled."""

    lesson: str  # its tag, as the command line takes it
    title: Said
    happened: Said
    grade: Grade
    seconds: float
    right: Said  # what was right
    mistakes: tuple[Said, ...] = ()
    paragraphs: tuple[str, ...]  # that it follows from


class ClauseScore(Struct, frozen=True, kw_only=True):
    """All that one paragraph was asked for."""

    paragraph: str
    right: int
    of: int


def by_clause(marks: Sequence[Mark]) -> tuple[ClauseScore, ...]:
    """In the order in which they were first met."""
    paragraphs = dict.fromkeys(paragraph for mark in marks for paragraph in mark.paragraphs)
    asked = {one: [mark.grade for mark in marks if one in mark.paragraphs] for one in paragraphs}
    return tuple(
        ClauseScore(paragraph=one, right=grades.count(Grade.RIGHT), of=len(grades)) for one, grades in asked.items()
    )


def read_again(marks: Sequence[Mark]) -> tuple[str, ...]:
    """The paragraphs of whatever was not right."""
    return tuple(score.paragraph for score in by_clause(marks) if score.right < score.of)

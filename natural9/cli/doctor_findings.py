"""What `natural9 doctor` says of one thing."""

from enum import StrEnum

from msgspec import Struct


class Health(StrEnum):
    GOOD = "good"
    LOOK = "look"  # somebody should look at it; play can begin
    BAD = "bad"  # it does not work, or money is in danger


class Finding(Struct, frozen=True):
    verdict: Health
    what: str  # was looked at, in a word or two
    words: str
    remedy: str = ""  # what to do, if anything


def good(what: str, words: str) -> Finding:
    return Finding(Health.GOOD, what, words)


def look(what: str, words: str, remedy: str) -> Finding:
    return Finding(Health.LOOK, what, words, remedy)


def bad(what: str, words: str, remedy: str) -> Finding:
    return Finding(Health.BAD, what, words, remedy)

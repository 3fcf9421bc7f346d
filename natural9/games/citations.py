"""What people call a rule: "Rule 4.7", or the title of an interpretation. Programs know it by its citation, "mbs 4.7".

The screens do the same in their own languages (`web/src/lib/rules.svelte.ts`).
"""

from functools import cache
from typing import Final

from natural9.games.loader import register

INTERPRETATION: Final = "interpretation"
REQUIREMENT: Final = "requirement"  # of the published standards: for those who build the program, not for the floor


def citation(paragraph: str) -> str:
    """The rule as people call it; "" where there is none to show.

    >>> citation("mbs 4.8"), citation("rws-nc-insurance 1:tie"), citation("requirement 46")
    ('Rule 4.8', 'Rule 1', '')
    >>> citation("interpretation pair-is-rank")
    'A pair is two cards of one rank'
    """
    document, _, number = paragraph.partition(" ")
    if document == INTERPRETATION:
        return titles().get(number, "An interpretation that is no longer in force")
    if not number or document == REQUIREMENT:
        return ""
    return f"Rule {number.partition(':')[0]}"  # the definitions of section 1 have words for numbers


def cited(what: str, paragraph: str) -> str:
    """A sentence with its rule, if there is one.

    >>> cited("four to ten decks", "mbs 2.1")
    'four to ten decks (Rule 2.1)'
    """
    rule = citation(paragraph)
    return f"{what} ({rule})" if rule else what


@cache
def titles() -> dict[str, str]:
    """By the id of the interpretation."""
    return {entry.id: entry.title for entry in register()}

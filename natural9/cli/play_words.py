"""What a player types at `natural9 play`, and what it means. Only words are judged here: the round judges the bets."""

import re
from collections.abc import Collection, Iterable
from enum import StrEnum
from typing import Final, NamedTuple

from natural9.core.errors import BadInput, did_you_mean
from natural9.core.money import parse_cents

LONGEST_LINE: Final = 200


class Word(StrEnum):
    """What can be asked for in one word, at one prompt or the other."""

    DEAL = "deal"
    UNDO = "undo"
    CLEAR = "clear"
    REBET = "rebet"
    DOUBLE = "double"
    MAX = "max"
    PASS = "pass"
    SQUEEZE = "squeeze"
    BETS = "bets"
    ODDS = "odds"
    ROADS = "roads"
    HELP = "help"
    QUIT = "quit"


class PlaceBets(NamedTuple):
    """Stakes in cents on wagers; more on one that lies already adds to it."""

    stakes: tuple[tuple[str, int], ...]


class Take(NamedTuple):
    """Take back some of a bet; without an amount, all of it."""

    wager: str
    amount: int | None


AT_ANY_PROMPT: Final = (Word.BETS, Word.ODDS, Word.ROADS, Word.HELP, Word.QUIT)
BETTING_WORDS: Final = (Word.DEAL, Word.UNDO, Word.CLEAR, Word.REBET, Word.DOUBLE, *AT_ANY_PROMPT)
INSURANCE_WORDS: Final = (Word.MAX, Word.PASS, Word.SQUEEZE, *AT_ANY_PROMPT)

_ALIASES: Final = {"?": Word.HELP, "q": Word.QUIT, "exit": Word.QUIT}
# A comma divides bets, unless three digits follow it: 1,250 is an amount.
_BETWEEN_BETS: Final = re.compile(r",(?!\d{3}(?!\d))|;")
_LIKE_AN_AMOUNT: Final = re.compile(r"[-+$]?\.?\d.*")


def parse_betting(line: str, offered: Collection[str]) -> Word | PlaceBets | Take:
    """What a line means while betting is open.

    >>> parse_betting("b 100, tie 2.50", ["player", "banker", "tie"])
    PlaceBets(stakes=(('banker', 10000), ('tie', 250)))
    """
    text = _tidy(line)
    if not text:
        return Word.DEAL
    head, *rest = text.split()
    if head == "take" or (head == Word.UNDO and rest):
        return _take(rest, offered)
    clauses = [clause.split() for clause in _BETWEEN_BETS.split(text) if clause.strip()]
    if not clauses:
        raise _not_understood(text)
    if len(clauses) == 1 and not _LIKE_AN_AMOUNT.fullmatch(clauses[0][-1]):
        return _one_word(" ".join(clauses[0]), offered)
    return PlaceBets(tuple(_stake(tokens, offered) for tokens in clauses))


def parse_insurance(line: str) -> Word | int:
    """What a line means while insurance is offered: an amount in cents, or a word."""
    text = _tidy(line)
    if not text:
        return Word.PASS
    if _LIKE_AN_AMOUNT.fullmatch(text):
        return parse_cents(text)
    word = _find_word(text, INSURANCE_WORDS)
    if word is None:
        raise BadInput("not-understood", f"{text!r} is not an answer: type an amount, max, or ENTER for no insurance")
    return word


def parse_page(line: str) -> Word | None:
    """What can be asked for at any prompt; anything else is None."""
    text = _tidy(line)
    return _find_word(text, AT_ANY_PROMPT) if text else None


def find_wager(typed: str, offered: Iterable[str]) -> str:
    """The wager meant by an id, its initials or its beginning; what fits none is left for the round to refuse.

    >>> tiger = ["player", "banker", "tie", "tiger", "big-tiger", "tiger-tie"]
    >>> [find_wager(typed, tiger) for typed in ("b", "bt", "big", "tig", "tiger-t")]
    ['banker', 'big-tiger', 'big-tiger', 'tiger', 'tiger-tie']
    """
    meant = _meant(typed, offered)
    if len(meant) > 1:
        raise BadInput("ambiguous-wager", f"{typed!r} could be {' or '.join(meant)}: type more of it")
    return meant[0] if meant else typed


def short_form(wager: str, offered: Collection[str]) -> str:
    """The least to type for a wager: its initials, or as much of it as no other begins with."""
    beginnings = (wager[:length] for length in range(1, len(wager)))
    return next((typed for typed in (_initials(wager), *beginnings) if _meant(typed, offered) == [wager]), wager)


def _meant(typed: str, offered: Iterable[str]) -> list[str]:
    """The closest kind of likeness that any wager has: `b` is the banker's initial before it begins big-tiger."""
    wagers, parts = list(offered), typed.split("-")
    return (
        [wager for wager in wagers if wager == typed]
        or [wager for wager in wagers if _initials(wager) == typed]
        or [wager for wager in wagers if _each_begins(wager.split("-"), parts)]
        or [wager for wager in wagers if wager.startswith(typed)]
    )


def _initials(wager: str) -> str:
    return "".join(part[:1] for part in wager.split("-"))


def _each_begins(whole: list[str], typed: list[str]) -> bool:
    return len(whole) == len(typed) and all(part.startswith(begun) for part, begun in zip(whole, typed, strict=True))


def _tidy(line: str) -> str:
    if len(line) > LONGEST_LINE:
        raise BadInput("line-too-long", f"That line is too long: type at most {LONGEST_LINE} characters")
    return " ".join("".join(letter if letter.isprintable() else " " for letter in line).lower().split())


def _stake(tokens: list[str], offered: Collection[str]) -> tuple[str, int]:
    *name, amount = tokens
    if not _LIKE_AN_AMOUNT.fullmatch(amount):
        raise _how_much(find_wager("-".join(tokens), offered))
    if not name:
        raise BadInput("no-wager", f"On which wager do you put {amount}? Type it first, as in: banker 100")
    wager = find_wager("-".join(name), offered)
    if wager not in offered and any(_LIKE_AN_AMOUNT.fullmatch(token) for token in name):
        raise BadInput("no-comma", "Put a comma between two bets, as in: banker 100, tie 5")
    return _check_typo(wager, offered), parse_cents(amount)


def _take(tokens: list[str], offered: Collection[str]) -> Take:
    amount = tokens.pop() if tokens and _LIKE_AN_AMOUNT.fullmatch(tokens[-1]) else None
    if not tokens:
        raise BadInput("no-wager", "Take back which bet? Type: take banker, or take banker 50 for some of it")
    wager = _check_typo(find_wager("-".join(tokens), offered), offered)
    return Take(wager, None if amount is None else parse_cents(amount))


def _check_typo(wager: str, offered: Collection[str]) -> str:
    """A wager that is on offer, or one so unlike any of them that the round had better list them all."""
    if wager not in offered and (hint := did_you_mean(wager, offered)):
        raise BadInput("unknown-wager", f"there is no wager {wager!r}{hint}")
    return wager


def _one_word(text: str, offered: Collection[str]) -> Word:
    """A word of the table, or a wager whose amount was forgotten."""
    if text in BETTING_WORDS:
        return Word(text)
    if text not in _ALIASES and (wager := find_wager(text.replace(" ", "-"), offered)) in offered:
        raise _how_much(wager)
    word = _find_word(text, BETTING_WORDS)
    if word is None:
        raise _not_understood(text)
    return word


def _not_understood(text: str) -> BadInput:
    hint = did_you_mean(text, BETTING_WORDS) or ": type a bet such as banker 100, ENTER to deal, or help"
    return BadInput("not-understood", f"{text!r} is not understood{hint}")


def _how_much(wager: str) -> BadInput:
    return BadInput("no-amount", f"How much on {wager}? Type, for example: {wager} 100")


def _find_word(text: str, words: Iterable[Word]) -> Word | None:
    if text in _ALIASES:
        return _ALIASES[text]
    meant = [word for word in words if word.startswith(text)]
    if len(meant) > 1 and text not in meant:
        raise BadInput("ambiguous-word", f"{text!r} could be {' or '.join(meant)}: type more of it")
    return Word(text) if text in meant else meant[0] if meant else None

"""What a caller gets for a value that cannot be used: a code for programs, a sentence for people."""

from collections.abc import Iterable

from natural9.core.saying import Said, capitalised, verbatim


class BadInput(ValueError):
    """A value that cannot be used. The message names the value, the situation and the way out.

    The paragraph is for programs; what people call it is the games' matter (`games/citations.py`).
    """

    def __init__(self, code: str, message: str, paragraph: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = verbatim(message)  # what only the command line shows need not be said
        self.paragraph = paragraph


def sentence(text: str) -> Said:
    """A message as a sentence of its own: it begins with a capital.

    >>> sentence("there is no table 'nc-9'")
    "There is no table 'nc-9'"
    """
    return capitalised(verbatim(text))


def nearest(word: str, words: Iterable[str]) -> str:
    """The word that was probably meant, or "" if none is like it.

    >>> nearest("bankr", ["player", "banker", "tie"])
    'banker'
    """
    from difflib import get_close_matches  # only a mistake needs it, and every module imports this one

    return next(iter(get_close_matches(word, list(words), n=1)), "")


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """The end of a complaint about a word that is not one of these; "" if none of them is like it.

    >>> "there is no game 'mbs-tigr'" + did_you_mean("mbs-tigr", ["mbs-nc", "mbs-tiger"])
    "there is no game 'mbs-tigr'; did you mean mbs-tiger?"
    """
    near = nearest(word, words)
    return f"; did you mean {near}?" if near else ""

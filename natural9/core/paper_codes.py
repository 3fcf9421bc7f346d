"""Codes that people read from paper: no letter in them is mistaken for another, and a slip of the eye does no harm."""

from base64 import b32encode
from typing import Final

# No I, L, O or U: whoever reads an O for a 0, or an I for a 1, is right all the same.
_ON_PAPER: Final = bytes.maketrans(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", b"0123456789ABCDEFGHJKMNPQRSTVWXYZ")
_MISREAD: Final = str.maketrans("ILO", "110", " \t\r\n-")


def paper_code(secret: bytes, *, letters: int, group: int) -> str:
    """So many letters of these bytes, five bits in each, in groups.

    >>> paper_code(b"natural nine", letters=8, group=4)
    'DSGQ-8XBJ'
    """
    text = b32encode(secret).translate(_ON_PAPER)[:letters].decode()
    return "-".join(text[place : place + group] for place in range(0, letters, group))


def as_printed(typed: str) -> str:
    """A code as it was typed, without what does not count: case, blanks and dashes, and letters that look alike.

    >>> as_printed("dsgq 8xbj"), as_printed("o1il-0")
    ('DSGQ8XBJ', '01110')
    """
    return typed.upper().translate(_MISREAD)

"""`natural9 verify-shoe`: whether a revealed shoe is the one that was promised before its first card."""

import sys
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from natural9.cli.shared import JsonOption, print_json
from natural9.core.cards import parse_cards
from natural9.core.errors import BadInput
from natural9.table.shoes.mixing import MixShown, check_mix
from natural9.table.shoes.shuffler import SALT_BYTES, Shuffled, check_reveal, parse_dealt

MOST_DECKS = 1000


class Reveal(msgspec.Struct):
    """A shoe as the table shows it once it has ended."""

    table: str
    shoe: int
    decks: int
    commitment: str
    salt: str
    order: str
    dealt: str | None = None
    mix: MixShown | None = None


def verify_shoe(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The revealed shoe as JSON; - reads stdin.")],
    text: Annotated[bool, typer.Option("--text", help="Print the text whose SHA-256 is the commitment.")] = False,
    json: JsonOption = False,
) -> int:
    """Check that a revealed shoe is the one that was promised.

    It checks that the shoe holds its decks, matches its commitment and was dealt in its order. FILE holds {"table",
    "shoe", "decks", "commitment", "salt", "order": "9H KD ...", "dealt": "9H ..."}; without "dealt" the dealing is not
    checked, and - in it is a card that was burnt face down. A shoe that its seats have mixed has "mix", too: {"rule",
    "checkpoint", "seats": [{"seat", "commitment", "nonce"}, ...]}. Exit 1 if the shoe does not hold.

    To check by hand: natural9 verify-shoe FILE --text | sha256sum

    Example: natural9 verify-shoe shoe-12.json
    """
    reveal = _read(file)
    shuffled = Shuffled(reveal.decks, _hex(reveal.salt, "salt"), parse_cards(reveal.order))
    _hex(reveal.commitment, "commitment")
    if text:
        print(shuffled.text, end="")
        return 0
    dealt = None if reveal.dealt is None else parse_dealt(reveal.dealt)
    mix, house = reveal.mix, reveal.commitment.lower()
    mixed = mix.order(house, shuffled.order) if mix else ()
    checks = check_reveal(shuffled.decks, shuffled.salt, shuffled.order, house, dealt, mixed)
    if mix:
        checks = (*checks[:2], check_mix(reveal.table, reveal.shoe, mix), *checks[2:])
    holds = all(check.holds for check in checks)
    if json:
        shown = [{"what": check.what, "holds": check.holds, "words": check.words} for check in checks]
        print_json({"table": reveal.table, "shoe": reveal.shoe, "holds": holds, "checks": shown})
    else:
        print(f"Table {reveal.table}, shoe {reveal.shoe}, {reveal.decks} decks: {'it holds' if holds else 'NOT so'}")
        for check in checks:
            print(f"  {'yes' if check.holds else 'NO '}  {check.what}: {check.words}")
        if dealt is None:
            print("  -    dealt: not checked, because the file has no dealt cards")
    return 0 if holds else 1


def _read(file: str) -> Reveal:
    try:
        content = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise BadInput("no-such-file", f"{file}: {why}") from None
    try:
        reveal = msgspec.json.decode(content, type=Reveal)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadInput("bad-shoe", f"{'stdin' if file == '-' else file} is not a revealed shoe: {error}") from None
    if not 1 <= reveal.decks <= MOST_DECKS:
        raise BadInput("bad-decks", f"{file}: a shoe has 1 to {MOST_DECKS} decks, not {reveal.decks}")
    return reveal


def _hex(text: str, name: str) -> bytes:
    """Both are 32 bytes: a salt, and a SHA-256."""
    try:
        value = bytes.fromhex(text)
    except ValueError:
        value = b""
    if len(value) != SALT_BYTES or len(text) != 2 * SALT_BYTES:
        raise BadInput("bad-shoe", f"the {name} {text[:70]!r} is not {2 * SALT_BYTES} hexadecimal digits")
    return value

"""What of docs/journal.md follows from the code. `make journal` writes it anew; a test holds the page to it.

The meaning of an event is written by hand, once, under a line that begins with its tag in bold. That line, with the
version, the label, the fields and their types, is made here from the declaration; so are the words that fields may
have, and the hash of the worked example.
"""

import json
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, asdict
from dataclasses import fields as dataclass_fields
from enum import StrEnum
from hashlib import sha256, shake_256
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

import msgspec

from natural9.core.cards import RANKS, parse_cards, show_cards
from natural9.core.events import Event
from natural9.core.game import Document, Procedure
from natural9.core.insurance import Window
from natural9.core.irregularities import Clause, ClauseRemedy, Condition, Kind, Remedy
from natural9.core.outcome import Winner
from natural9.core.round.state import Limit, Phase
from natural9.core.saying import Said
from natural9.core.settlement import InsuranceLine, Line
from natural9.core.staff import Rank
from natural9.core.table_of_play import Hand
from natural9.core.wagers import Result
from natural9.games import game_ids, load_game
from natural9.journal.accounts import TransferKind
from natural9.journal.card_events import PlayerPlay
from natural9.journal.catalogue import BY_TAG
from natural9.journal.line import OriginKind
from natural9.journal.session_events import Raise
from natural9.proof.checkpoint import TreeHead, sign_checkpoint
from natural9.proof.cosignature import cosign
from natural9.proof.merkle import leaf_hash, root_of
from natural9.proof.signed_note import COSIGNATURE, ED25519, SigningKey
from natural9.proof.tlog_proof import LogProof
from natural9.table.shoes.mixing import Indexes, mix_message, mixed_order, nonce_commitment

PAGE: Final = Path(__file__).parents[1] / "docs" / "journal.md"

# The names that the page has for types that are no events, and for the words that a field may have.
SHAPES: Final[Mapping[Any, str]] = {
    Limit: "limit",
    Line: "line",
    InsuranceLine: "insurance-line",
    PlayerPlay: "play",
    Raise: "raise",
}
WORDS: Final[Mapping[type[StrEnum], str]] = {
    Phase: "phase",
    Hand: "hand",
    Winner: "winner",
    Result: "result",
    Window: "window",
    Kind: "irregularity",
    Remedy: "remedy",
    OriginKind: "from",
    TransferKind: "transfer",
}
_PLAIN: Final[Mapping[Any, str]] = {int: "int", str: "text", bool: "bool", Said: "sentence", NoneType: "null"}
_LABELS: Final = {
    "round": "round/TABLE/`round`",
    "about_round": "later/TABLE/`about_round`",
    "shoe": "shoe/TABLE/`shoe`",
    "session": "session",
    "stamped_at_ms": "time-stamp",
    "home_seat": "visitor/TABLE/`home_table`-`home_seat`",
    "transit": "transit/`transit`",
    "player": "player/`player`",
    "number": "voucher/`number`",
}


def type_name(kind: Any) -> str:
    """As the page writes it: [text] is a list of texts, {text: int} an object."""
    if kind in _PLAIN:
        return _PLAIN[kind]
    if kind in SHAPES or kind in WORDS:
        return SHAPES.get(kind) or WORDS[kind]
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return " or ".join(map(type_name, inner))
    if origin is tuple and inner[-1] is ...:
        return f"[{type_name(inner[0])}]"
    if origin is tuple:
        return f"[{', '.join(map(type_name, inner))}]"
    assert issubclass(origin, Mapping | dict), f"the page has no word for {kind}"
    return f"{{{type_name(inner[0])}: {type_name(inner[1])}}}"


def _defaults(shape: Any) -> dict[str, Any]:
    if issubclass(shape, msgspec.Struct):
        return {
            one.name: one.default_factory() if one.default is msgspec.NODEFAULT else one.default
            for one in msgspec.structs.fields(shape)
            if not one.required
        }
    if hasattr(shape, "__dataclass_fields__"):
        return {one.name: one.default for one in dataclass_fields(shape) if one.default is not MISSING}
    return {}


def field_list(shape: Any) -> str:
    """Every field with its type; one that an older entry may lack, with what it is read as then."""
    defaults = _defaults(shape)
    names = [name for name in get_type_hints(shape) if not name.isupper()]
    shown = []
    for name in names:
        text = f"`{name}` {type_name(get_type_hints(shape)[name])}"
        if name in defaults and issubclass(shape, Event):
            text += f" (missing: {json.dumps(defaults[name])})"
        shown.append(text)
    return ", ".join(shown) or "nothing"


def event_line(shape: type[Event]) -> str:
    label = "significant" if shape.IS_SIGNIFICANT else _LABELS.get(shape.FOUND_BY, "")
    money = "; **money**" if shape.MOVES_MONEY else ""
    found = f"; label {label}" if label else ""
    return f"**{shape.TAG}** {shape.VERSION}{found}{money}: {field_list(shape)}"


def _shape_lines() -> Iterator[str]:
    for shape, name in SHAPES.items():
        if issubclass(shape, tuple):  # written as a list
            yield f"**{name}**: a list, {field_list(shape)}"
        else:
            yield f"**{name}**: {field_list(shape)}"
    for words, name in WORDS.items():
        yield f"**{name}**: {' '.join(f'`{word}`' for word in words)}"
    yield f"**rank**, lowest first: {' '.join(f'`{rank.tag}`' for rank in Rank)}"


def worked_example(text: str) -> str:
    """The hash of each example: an envelope and a body, as the page writes them, after the hash before."""
    previous = bytes(32)

    def hashed(example: re.Match[str]) -> str:
        nonlocal previous
        envelope, body = example[1].encode(), example[2].encode()
        previous = sha256(previous + len(envelope).to_bytes(8, "big") + envelope + body).digest()
        return f"envelope {example[1]}\nbody     {example[2]}\nhash     {previous.hex()}\n"

    return re.sub(r"(?m)^envelope (\[.*\])\nbody     (\{.*\})\nhash     .*\n", hashed, text)


def games() -> str:
    lines = ["| game | document | decks | wagers |", "|---|---|---|---|"]
    for game in map(load_game, game_ids()):
        wagers = " ".join(f"*{wager.id}*" if wager.optional else wager.id for wager in game.wagers)
        lines.append(f"| `{game.id}` | `{game.document.id}` | {game.decks.min} to {game.decks.max} | {wagers} |")
    return "\n".join(lines)


def clauses() -> str:
    """Each document's, one table after the other."""
    documents = {game.document.id: game.document for game in map(load_game, game_ids())}
    return "\n\n".join(f"## {id}\n\n{_steps(one.procedure)}\n\n{_clauses(one)}" for id, one in documents.items())


def _steps(procedure: Procedure) -> str:
    return "; ".join(f"{name.replace('_', ' ')}: {citation}" for name, citation in asdict(procedure).items()) + "."


def _clauses(document: Document) -> str:
    lines = ["| irregularity | remedies | rank | else |", "|---|---|---|---|"]
    for kind, clause in document.clauses.items():
        remedies = "<br>".join(_remedy(one) for one in clause.remedies)
        lines.append(f"| `{kind}` | {remedies} | {clause.rank.tag} | {'; '.join(_else(clause))} |")
    return "\n".join(lines)


def _remedy(one: ClauseRemedy) -> str:
    when = "" if one.condition is Condition.ALWAYS else f" ({one.condition})"
    return f"`{one.do}`{when}: {one.paragraph}"


def _else(clause: Clause) -> Iterator[str]:
    if clause.rank_later:
        yield f"later {clause.rank_later.tag}"
    if clause.after_first_card:
        yield "after the first card"
    if clause.until_next_round:
        yield "until the next round"
    if clause.after_void:
        yield "after a void"
    if clause.previous_stand:
        yield f"previous stand: {clause.previous_stand}"
    if clause.may_replace_shoe:
        yield f"may replace the shoe: {clause.may_replace_shoe}"


def signed_example(page: str) -> str:
    """The checkpoint over the two entries of the example, by keys that everybody knows."""
    leaves = [leaf_hash(bytes.fromhex(digest)) for digest in re.findall(r"(?m)^hash     (.*)$", page)]
    house = SigningKey("venue.example/7", ED25519, bytes(range(32)))
    witness = SigningKey("witness.example", COSIGNATURE, bytes(range(32, 64)))
    head = TreeHead(house.name, len(leaves), root_of(leaves))
    note = sign_checkpoint(head, house)
    line = cosign(head.text, witness, 1_800_000_010)
    proof = LogProof(0, (leaves[1],), note)
    return "\n".join(
        [
            *(f"leaf {place}    {leaf.hex()}" for place, leaf in enumerate(leaves)),
            f"root      {head.root.hex()}",
            f"house     {house.verifier}",
            f"witness   {witness.verifier}",
            "",
            f"{note}{line}",
            "",
            str(proof).rstrip("\n"),
        ]
    )


def mixed_example() -> str:
    """A few cards mixed by two seats."""
    nonces = {3: "0f" * 32, 7: "f0" * 32 + " lucky words"}
    cards = [f"{rank}C" for rank in RANKS]
    message = mix_message("ab" * 32, "", nonces)
    commitments = {
        seat: nonce_commitment(table="nc-1", shoe=12, seat=seat, nonce=nonce) for seat, nonce in nonces.items()
    }
    indexes = Indexes(message)
    return "\n".join(
        [
            *(f"seat {seat}   {nonce}" for seat, nonce in nonces.items()),
            *(f"commits  {commitment}" for commitment in commitments.values()),
            f"message  SHA-256 {sha256(message).hexdigest()}",
            f"shake    {shake_256(message).hexdigest(16)} …",
            f"indexes  {' '.join(str(indexes(below)) for below in range(len(cards), 1, -1))}",
            f"house    {' '.join(cards)}",
            f"mixed    {show_cards(mixed_order(parse_cards(' '.join(cards)), message))}",
        ]
    )


def _made(block: re.Match[str], page: str) -> str:
    match block[1]:
        case "games":
            text = games()
        case "clauses":
            text = clauses()
        case "checkpoint":
            text = f"```\n{signed_example(page)}\n```"
        case _:
            text = f"```\n{mixed_example()}\n```"
    return f"<!-- made: {block[1]} -->\n{text}\n<!-- end -->"


def as_it_should_be(page: str) -> str:
    """The page with every line that follows from the code made anew."""
    lines = {f"**{shape.TAG}**": event_line(shape) for shape in BY_TAG.values()}
    lines |= {line[: line.index("**", 2) + 2]: line for line in _shape_lines()}
    made = [lines.get(_start(line), line) for line in page.split("\n")]
    page = worked_example("\n".join(made))
    return re.sub(r"(?s)<!-- made: (\w+) -->\n.*?<!-- end -->", lambda block: _made(block, page), page)


def _start(line: str) -> str:
    found = re.match(r"\*\*[a-z-]+\*\*", line)
    return found[0] if found else ""


def described(page: str) -> list[str]:
    """The tags of the events that the page describes, in its order."""
    return [start.strip("*") for line in page.split("\n") if (start := _start(line)) and start.strip("*") in BY_TAG]


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python -m tests.journal_page --write")
    PAGE.write_text(as_it_should_be(PAGE.read_text()))
    print(f"wrote docs/{PAGE.name}")

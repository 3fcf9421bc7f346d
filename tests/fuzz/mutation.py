"""Valid inputs, spoilt: some bytes, some words, or a value somewhere inside of them."""

import json
from collections.abc import Sequence
from random import Random
from typing import Any, Final

NUMBERS: Final[tuple[Any, ...]] = (
    *(0, 1, -1, 2, 7, 100, 255, 256, 65_535, 65_536, 10**6, 10**12, 10**15, 10**18, 10**40),
    *(2**31 - 1, 2**31, 2**53, 2**53 + 1, 2**63 - 1, 2**63, 2**64, -(2**31), -(2**63), -(2**63) - 1),
    *(0.5, -0.0, 1e-300, 1e308, 0.1),
)
TEXTS: Final = (
    *("", " ", "\0", "\n", "\r\n", "a" * 70, "9" * 400, "-", "+", "%s%n", "{x}", "{0.__class__}", "null", "-0", "\x7f"),
    *("'; drop table entries; --", "<script>alert(1)</script>", "../../etc/passwd", "1e5", "0x10", "1_000", " 5 ", "∞"),
    *("\uff11\uff12", "\u0663", "\u00b2", "\u00df", "\u0131", "\u0130", "\U0001d7d7H", "10♥", "\u202e9H", "\ufeff"),
    *("\u2028", "e\u0301", "庄", "\U0001f0a1", "é" * 100, "\ud800"),
)  # fmt: skip
VALUES: Final[tuple[Any, ...]] = (*NUMBERS, *TEXTS, None, True, False, [], {}, [[]], [{}], [0] * 40, {"": ""})
WORDS: Final = (
    *(b"\0", b"\n", b"\r\n", b"\r", b" ", b"\t", b"\xff", b"\xfe\xff", b"\xc0\x80", b"\xed\xa0\x80"),
    *(b"{", b"}", b"[", b"]", b'"', b"\\", b",", b":", b"=", b".", b"-", b"+", b"%", b"#", b"[[", b"]]", b"'''"),
    *(b"0", b"-1", b"1e999", b"NaN", b"Infinity", b"nan", b"inf", b"null", b"true", b"9" * 40, b"9" * 5000, b"0.1"),
    *(b"\xf4\x90\x80\x80", "一".encode(), "\u00b2".encode(), "\u0663".encode(), "—".encode(), b"\\ud800", b"[" * 3000),
)  # fmt: skip


def spoilt(chance: Random, valid: bytes, others: Sequence[bytes] = ()) -> bytes:
    """One to four things are wrong with it, now and then none; `others` are valid inputs to take parts from."""
    data = bytearray(valid)
    for _ in range(chance.choice((0, 1, 1, 1, 1, 2, 2, 3, 4))):
        _spoil(chance, data, others)
    return bytes(data)


def _spoil(chance: Random, data: bytearray, others: Sequence[bytes]) -> None:
    at = chance.randrange(len(data) + 1)
    upto = min(len(data), at + chance.choice((1, 1, 1, 2, 4, 8, 40, 400)))
    match chance.randrange(10):
        case 0 if at < len(data):
            data[at] ^= 1 << chance.randrange(8)
        case 1 if at < len(data):
            data[at] = chance.randrange(256)
        case 2:
            data[at:at] = chance.choice(WORDS)
        case 3:
            data[at:upto] = chance.choice(WORDS)
        case 4:
            del data[at:upto]
        case 5:
            data[at:at] = data[at:upto]
        case 6:
            del data[at:]
        case 7 if others:
            other = chance.choice(others)
            start = chance.randrange(len(other) + 1)
            data[at:upto] = other[start : start + chance.choice((1, 4, 16, 64, len(other)))]
        case 8:
            data[at:at] = chance.randbytes(chance.choice((1, 2, 8, 40)))
        case 9:
            _other_number(chance, data, at)
        case _:
            data.append(chance.randrange(256))


def _other_number(chance: Random, data: bytearray, at: int) -> None:
    """The digits that come next are another number."""
    while at < len(data) and not 48 <= data[at] <= 57:
        at += 1
    upto = at
    while upto < len(data) and 48 <= data[upto] <= 57:
        upto += 1
    data[at:upto] = str(chance.choice(NUMBERS)).encode()


def spoilt_text(chance: Random, valid: str, others: Sequence[str] = ()) -> str:
    """The same of a text, which stays one."""
    text = valid
    for _ in range(chance.choice((0, 1, 1, 1, 2, 3))):
        at = chance.randrange(len(text) + 1)
        upto = at + chance.choice((0, 1, 1, 2, 5, 30))
        part = chance.choice(
            (chance.choice(TEXTS), chr(chance.randrange(32, 0x2FF)), "", chance.choice(others or [""]))
        )
        text = text[:at] + part + text[upto:]
    return text.encode(errors="replace").decode() if chance.random() < 0.9 else text


def spoilt_value(chance: Random, value: Any) -> Any:
    """A copy in which one thing, somewhere inside, is another, gone, doubled, or one too many."""
    copy = json.loads(json.dumps(value))
    parents = list(_containers(copy))
    if not parents or chance.random() < 0.03:
        return chance.choice(VALUES)
    parent = chance.choice(parents)
    if isinstance(parent, dict):
        name = chance.choice([*parent, ""]) if parent else ""
        match chance.randrange(6):
            case 0:
                parent.pop(name, None)
            case 1:
                parent[chance.choice(TEXTS[:30])] = chance.choice(VALUES)
            case 2 if parent:
                parent[name] = parent[chance.choice([*parent])]
            case _:
                parent[name] = _nearly(chance, parent.get(name))
    else:
        at = chance.randrange(len(parent) + 1)
        match chance.randrange(4):
            case 0:
                del parent[at : at + 1]
            case 1:
                parent[at:at] = [chance.choice(VALUES)]
            case 2:
                parent[at:at] = parent[:1]
            case _:
                parent[at : at + 1] = [_nearly(chance, parent[at] if at < len(parent) else None)]
    return copy


def _nearly(chance: Random, value: Any) -> Any:
    """Another value; often of the same kind."""
    if isinstance(value, str) and chance.random() < 0.5:
        return spoilt_text(chance, value)
    if isinstance(value, int) and not isinstance(value, bool) and chance.random() < 0.5:
        return chance.choice((value + 1, value - 1, -value, value * 10, *NUMBERS))
    return chance.choice(VALUES)


def _containers(value: Any) -> list[Any]:
    """All dictionaries and lists in it."""
    if isinstance(value, dict):
        return [value, *(found for one in value.values() for found in _containers(one))]
    if isinstance(value, list):
        return [value, *(found for one in value for found in _containers(one))]
    return []


def spoilt_json(chance: Random, value: Any) -> bytes:
    """A JSON value, spoilt as a value, and now and then its bytes, too."""
    for _ in range(chance.choice((0, 1, 1, 1, 2))):
        value = spoilt_value(chance, value)
    text = json.dumps(value, ensure_ascii=chance.random() < 0.3, separators=chance.choice(((",", ":"), (", ", ": "))))
    written = text.encode(errors="surrogatepass")
    return spoilt(chance, written) if chance.random() < 0.3 else written

"""Passwords and one-time codes: how they are made, checked and kept. What is stored opens nothing."""

import hashlib
import re
import secrets
import unicodedata
from base64 import b64encode
from collections.abc import Callable, Collection
from functools import partial
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.low_level import ARGON2_VERSION

from natural9.core.errors import BadInput
from natural9.core.paper_codes import as_printed, paper_code
from natural9.core.saying import say
from natural9.server.people.hashing import HashingThreads, Queue

SHORTEST_PASSWORD: Final = 10
LONGEST_PASSWORD: Final = 200  # far beyond anyone's need; a hash of a megabyte is a way to keep a server busy
LEAST_GUESSES: Final = 10**8  # at one a minute, which is what strangers have in the end, 190 years
_ESTIMATED: Final = 40  # characters: the time that it takes to look for patterns grows faster than a password
_HOUSE_WORDS: Final = ("natural9", "natural nine", "baccarat", "punto banco", "casino", "dealer", "banker", "百家乐")
_CODE_LETTERS: Final = 20  # 100 bits: beyond guessing, so a plain hash keeps it safe


def house_hasher() -> PasswordHasher:
    """Argon2id, 3 passes over 64 MiB as RFC 9106 has it; in one lane, so that the tables keep the other cores."""
    return PasswordHasher(time_cost=3, memory_cost=64 * 1024, parallelism=1)


class Passwords:
    """Hashes and checks passwords in threads of its own, so that no table waits for a sign-in; TooOften if many do."""

    def __init__(
        self, hasher: PasswordHasher | None = None, random_bytes: Callable[[int], bytes] = secrets.token_bytes
    ) -> None:
        self._hasher, self._random_bytes = hasher or house_hasher(), random_bytes
        self._threads = HashingThreads()
        # Checked when there is no such account: the answer takes as long as for one that is there.
        self._nobody = _hash_of_nothing(self._hasher)

    async def hash(self, password: str, queue: Queue = Queue.HOUSE) -> str:
        """For who has shown a code or a password already, or is a player whom staff see to."""
        salt = self._random_bytes(self._hasher.salt_len)
        return await self._threads.run(queue, "", partial(self._hasher.hash, _plain(password), salt=salt))

    async def check(self, password: str, *, id: str, name: str, house_words: Collection[str]) -> None:
        """As `check_password`, which takes as long as some bets do."""
        check = partial(check_password, password, id=id, name=name, house_words=house_words)
        await self._threads.run(Queue.HOUSE, "", check)

    async def matches(self, stored: str, password: str, queue: Queue = Queue.HOUSE, place: str = "") -> bool:
        """Whether the password is the one; with nothing stored it takes the same time and never is."""
        matched = await self._threads.run(queue, place, self._verify, stored or self._nobody, _plain(password))
        return matched and bool(stored)

    def outdated(self, stored: str) -> bool:
        """Whether it was hashed with other parameters than today's."""
        return self._hasher.check_needs_rehash(stored)

    def _verify(self, stored: str, password: str) -> bool:
        try:
            return self._hasher.verify(stored, password)
        except (VerificationError, InvalidHashError):
            return False

    def close(self) -> None:
        self._threads.close()


def _hash_of_nothing(hasher: PasswordHasher) -> str:
    """As costly to check as any other, and no password has it. Nothing is hashed for it: a server starts sooner."""
    salt, digest = (
        b64encode(secrets.token_bytes(length)).decode().rstrip("=") for length in (hasher.salt_len, hasher.hash_len)
    )
    costs = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    return f"$argon2id$v={ARGON2_VERSION}${costs}${salt}${digest}"


def check_password(password: str, *, id: str, name: str, house_words: Collection[str] = ()) -> None:
    """Refuse a password that is too short, too long, or no secret. `house_words` are what everybody here thinks of."""
    if len(password) < SHORTEST_PASSWORD:
        short = say("a password has at least {least} characters; a few words will do", least=SHORTEST_PASSWORD)
        raise BadInput("bad-password", short)
    if len(password) > LONGEST_PASSWORD:
        raise BadInput("bad-password", say("a password has at most {most} characters", most=LONGEST_PASSWORD))
    if _plain(password).casefold() in {id.casefold(), name.casefold()}:
        known = say("the password is the person's own id or name: choose one that nobody knows")
        raise BadInput("bad-password", known)
    if len(set(password)) < 4:
        simple = say("the password repeats a few characters: choose one that is harder to guess")
        raise BadInput("bad-password", simple)
    if _guesses(_plain(password), (id, name, *house_words)) < LEAST_GUESSES:
        raise BadInput("bad-password", say("the password is easy to guess: take a few words that nobody would expect"))


def _guesses(password: str, known: Collection[str]) -> int:
    """How many tries it would take who begins with the passwords that most people have, and with what is known here."""
    from zxcvbn import zxcvbn  # type: ignore[import-untyped]  # loaded here: its word lists are large, and seldom needed

    parts = [(one, *re.split(r"[\W\d_]+", one)) for one in (*known, *_HOUSE_WORDS)]
    words = {word for one in parts for word in (*one, "".join(one[1:])) if len(word) > 2}
    return int(zxcvbn(password[:_ESTIMATED], user_inputs=sorted(words))["guesses"])


def same_password(one: str, other: str) -> bool:
    """Whether both are the same password, whatever keyboard they come from."""
    return _plain(one) == _plain(other)


def _plain(password: str) -> str:
    """The same characters from any keyboard; a lone surrogate, which no keyboard sends, becomes a question mark."""
    return unicodedata.normalize("NFKC", password.encode(errors="replace").decode())


def new_code(random_bytes: Callable[[int], bytes] = secrets.token_bytes) -> str:
    """A one-time code, such as K7QF3-M2PWX-9HRT4-BYD6N."""
    return paper_code(random_bytes(_CODE_LETTERS), letters=_CODE_LETTERS, group=5)


def code_hash(code: str) -> str:
    """What is kept of a code, which is typed from paper."""
    return hashlib.sha256(as_printed(code).encode(errors="replace")).hexdigest()

"""Passwords and codes: what is accepted, and that what is kept opens nothing."""

import re

import pytest
from argon2 import PasswordHasher, extract_parameters
from argon2.exceptions import VerifyMismatchError

from natural9.core.errors import BadInput
from natural9.server.people.passwords import Passwords, check_password, code_hash, house_hasher, new_code
from tests.server.people.house import CHEAP


@pytest.mark.parametrize(
    ("password", "complaint"),
    [
        ("ninechars", "at least 10"),
        ("x" * 201, "at most 200"),
        ("mei.tan.pit", "own id or name"),
        ("MEI.TAN.PIT", "own id or name"),
        ("mei tan lim", "own id or name"),
        ("ababababab", "repeats a few characters"),
        ("1234567890", "easy to guess"),
        ("qwertyuiop", "easy to guess"),
        ("P@ssw0rd1234", "easy to guess"),
        ("Baccarat2026", "easy to guess"),
        ("natural9natural9", "easy to guess"),
        ("marinasands9", "easy to guess"),
        ("mei.tan.pit1", "easy to guess"),
    ],
)
def test_a_password_that_is_no_secret_is_refused(password: str, complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint) as refused:
        check_password(password, id="mei.tan.pit", name="Mei Tan Lim", house_words=("Marina Sands",))
    assert password not in str(refused.value)


@pytest.mark.parametrize(
    "password", ["ten chars!", "seven green lamps", "牌九牌九乾坤大挪移心法一二三", "seven green lamps " * 11]
)
def test_a_password_of_some_length_will_do(password: str) -> None:
    check_password(password, id="mei.tan", name="Mei Tan")


def test_the_house_hashes_with_argon2id() -> None:
    parameters = extract_parameters(house_hasher().hash("seven green lamps"))
    assert parameters.type.name == "ID"
    assert (parameters.time_cost, parameters.memory_cost, parameters.parallelism) == (3, 65536, 1)


async def test_a_password_matches_its_own_hash_only() -> None:
    passwords = Passwords(CHEAP)
    stored = await passwords.hash("seven green lamps")
    assert "seven" not in stored
    assert await passwords.matches(stored, "seven green lamps")
    assert not await passwords.matches(stored, "seven green lamp")
    assert not await passwords.matches("", "seven green lamps")
    assert not await passwords.matches("not a hash", "seven green lamps")
    assert not await passwords.matches(stored, "\udcff")
    passwords.close()


@pytest.mark.parametrize("hasher", [house_hasher(), CHEAP], ids=["the house's", "cheap"])
async def test_where_nothing_is_stored_a_hash_is_checked_that_costs_as_much(
    hasher: PasswordHasher, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked: list[str] = []
    verify = PasswordHasher.verify

    def seen(self: PasswordHasher, stored: str, password: str) -> bool:
        checked.append(stored)
        return verify(self, stored, password)

    monkeypatch.setattr(PasswordHasher, "verify", seen)
    passwords = Passwords(hasher)
    assert not await passwords.matches("", "seven green lamps")
    [one] = checked
    assert not hasher.check_needs_rehash(one)
    with pytest.raises(VerifyMismatchError):  # a hash like any other, and not one that is refused unread
        verify(hasher, one, "seven green lamps")
    passwords.close()


async def test_the_same_word_from_two_keyboards_is_the_same_password() -> None:
    passwords = Passwords(CHEAP)
    stored = await passwords.hash("cafe\u0301 au lait")
    assert await passwords.matches(stored, "caf\u00e9 au lait")
    passwords.close()


def test_old_parameters_are_noticed() -> None:
    stored = CHEAP.hash("seven green lamps")
    assert not Passwords(CHEAP).outdated(stored)
    assert Passwords(PasswordHasher(time_cost=2, memory_cost=8, parallelism=1)).outdated(stored)


def test_a_code_is_long_and_never_the_same() -> None:
    codes = {new_code() for _ in range(1000)}
    assert len(codes) == 1000
    assert all(re.fullmatch("([0-9A-HJKMNP-TV-Z]{5}-){3}[0-9A-HJKMNP-TV-Z]{5}", code) for code in codes)


def test_a_code_is_read_as_people_type_it() -> None:
    kept = code_hash("K7Q01-M2PWX-9HRT4-BYD6N")
    for typed in ("k7q01m2pwx9hrt4byd6n", " K7QOI-M2PWX 9HRT4-BYD6N\n", "k7qol-m2pwx-9hrt4-byd6n"):
        assert code_hash(typed) == kept
    assert code_hash("K7Q01-M2PWX-9HRT4-BYD6M") != kept
    assert "K7Q01" not in kept.upper()

"""Whole cents and exact ratios; nothing rounds."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from natural9.core.errors import BadInput
from natural9.core.money import MAX_CENTS, Odds, check_stake, parse_cents, show_cents


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        ("100", 10_000),
        ("0", 0),
        ("0.05", 5),
        ("2.5", 250),
        ("2.50", 250),
        ("2.500000", 250),
        ("1,250.50", 125_050),
        ("1,000,000", 100_000_000),
        (" 7 ", 700),
        ("007", 700),
        ("10000000000", MAX_CENTS),
    ],
)
def test_amounts_as_people_write_them(text: str, cents: int) -> None:
    assert parse_cents(text) == cents


@pytest.mark.parametrize(
    "text",
    ["", " ", "-5", "+5", "1e3", "abc", "1.", ".5", "1,00", "12,50", "1,2345", "$5", "1 000", "NaN", "0x10", "1_0"],
)
def test_what_is_not_an_amount_is_named(text: str) -> None:
    with pytest.raises(BadInput) as refused:
        parse_cents(text)
    assert refused.value.code == "bad-amount"
    assert repr(text) in str(refused.value)


@pytest.mark.parametrize("text", ["0.001", "2.505", "1,000.0000001"])
def test_no_fraction_of_a_cent_is_an_amount(text: str) -> None:
    with pytest.raises(BadInput) as refused:
        parse_cents(text)
    assert refused.value.code == "fraction-of-a-cent"
    assert text in str(refused.value)


@pytest.mark.parametrize("text", ["9" * 16, "9" * 10_000])
def test_an_absurd_amount_is_refused_before_it_is_reckoned_with(text: str) -> None:
    with pytest.raises(BadInput) as refused:
        parse_cents(text)
    assert refused.value.code == "stake-too-large"


@given(st.integers(0, 10**16))
def test_an_amount_round_trips(cents: int) -> None:
    assert parse_cents(show_cents(cents)) == cents
    assert parse_cents(show_cents(cents).replace(",", "")) == cents


@given(st.integers(1, 10**16))
def test_a_debt_is_shown_with_its_sign(cents: int) -> None:
    assert show_cents(-cents) == "-" + show_cents(cents)


@pytest.mark.parametrize(
    ("text", "ratio"),
    [
        ("1:1", Fraction(1)),
        ("1:2", Fraction(1, 2)),
        ("12:1", Fraction(12)),
        ("0.95:1", Fraction(19, 20)),
        ("1.5:1", Fraction(3, 2)),
        ("100:1", Fraction(100)),
        ("3:2", Fraction(3, 2)),
    ],
)
def test_odds_are_exact_and_keep_their_spelling(text: str, ratio: Fraction) -> None:
    odds = Odds.parse(text)
    assert odds.ratio == ratio
    assert str(odds) == odds.text == text


def test_odds_spelled_differently_are_the_same_odds() -> None:
    assert Odds.parse("3:2") == Odds.parse("1.5:1")
    assert hash(Odds.parse("3:2")) == hash(Odds.parse("1.5:1"))


@pytest.mark.parametrize(
    "text", ["", "12", "12:0", "0:1", "1/2", "-1:1", "1:-1", "1:1:1", "a:b", "1 : 1", ".5:1", "1e2:1", "push", "0.0:1"]
)
def test_odds_that_are_not_a_ratio_are_named(text: str) -> None:
    with pytest.raises(BadInput) as refused:
        Odds.parse(text)
    assert refused.value.code == "bad-odds"
    assert repr(text) in str(refused.value)


@given(pays=st.integers(1, 200), for_each=st.integers(1, 40), stake=st.integers(1, MAX_CENTS))
def test_winnings_are_exact_or_refused(pays: int, for_each: int, stake: int) -> None:
    odds, exact = Odds.parse(f"{pays}:{for_each}"), Fraction(pays, for_each) * stake
    if exact.denominator == 1:
        assert odds.winnings(stake) == exact
        return
    with pytest.raises(BadInput) as refused:
        odds.winnings(stake)
    assert refused.value.code == "fraction-of-a-cent"
    assert show_cents(stake) in str(refused.value)
    assert f"{pays}:{for_each}" in str(refused.value)


@pytest.mark.parametrize(
    ("text", "stake", "unit"), [("1:2", 1, "0.02"), ("0.95:1", 10, "0.20"), ("1.5:1", 33, "0.02"), ("1:3", 100, "0.03")]
)
def test_the_refusal_names_the_multiple_that_would_do(text: str, stake: int, unit: str) -> None:
    with pytest.raises(BadInput, match=f"stake a multiple of {unit}"):
        Odds.parse(text).winnings(stake)
    assert Odds.parse(text).winnings(parse_cents(unit)) > 0


@pytest.mark.parametrize("stake", [1, 100, MAX_CENTS])
def test_a_stake_is_whole_cents_up_to_the_most_any_table_takes(stake: int) -> None:
    check_stake(stake, "banker")


@pytest.mark.parametrize(
    ("stake", "code"),
    [
        (0, "bad-stake"),
        (-1, "bad-stake"),
        (-(10**30), "bad-stake"),
        (1.0, "bad-stake"),
        (0.5, "bad-stake"),
        (True, "bad-stake"),
        ("100", "bad-stake"),
        (None, "bad-stake"),
        (Fraction(1), "bad-stake"),
        (MAX_CENTS + 1, "stake-too-large"),
        (10**30, "stake-too-large"),
    ],
)
def test_what_is_not_a_stake_is_refused_by_its_wager(stake: object, code: str) -> None:
    with pytest.raises(BadInput, match="Banker") as refused:
        check_stake(stake, "banker")
    assert refused.value.code == code


def test_a_refusal_carries_its_paragraph() -> None:
    refused = BadInput("code", "why", "mbs 4.4")
    assert (str(refused), refused.paragraph) == ("why", "mbs 4.4")
    assert BadInput("code", "why").paragraph == ""

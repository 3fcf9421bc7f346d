"""How often one may try."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from natural9.server.people.limits import AttemptLimiter, TokenBuckets, TooOften
from tests.server.people.house import PEER, Clock, house


def test_a_bucket_empties_and_fills_again() -> None:
    clock = Clock()
    buckets = TokenBuckets(tokens=3, refill_s=10, clock_ms=clock)
    assert [buckets.take("a") for _ in range(4)] == [0, 0, 0, 10]
    assert buckets.take("b") == 0, "each key has its own"
    clock.pass_ms(9_999)
    assert buckets.wait_s("a") == 1
    clock.pass_ms(1)
    assert [buckets.take("a"), buckets.take("a")] == [0, 10]
    clock.pass_ms(1_000_000)
    assert [buckets.take("a") for _ in range(4)] == [0, 0, 0, 10]


def test_a_token_given_back_can_be_taken_again_but_never_more_than_all() -> None:
    buckets = TokenBuckets(tokens=1, refill_s=10, clock_ms=Clock())
    assert buckets.take("a") == 0
    for _ in range(5):
        buckets.give_back("a")
    assert [buckets.take("a"), buckets.take("a")] == [0, 10]


@given(st.lists(st.tuples(st.text(max_size=3), st.integers(0, 5000))))
def test_no_more_is_taken_than_time_allows(attempts: list[tuple[str, int]]) -> None:
    clock = Clock()
    start_ms = clock.now_ms
    buckets = TokenBuckets(tokens=2, refill_s=1, clock_ms=clock)
    taken: dict[str, int] = {}
    for key, pause_ms in attempts:
        clock.pass_ms(pause_ms)
        taken[key] = taken.get(key, 0) + (buckets.take(key) == 0)
        assert taken[key] <= 2 + (clock.now_ms - start_ms) / 1000


def test_the_key_unused_for_longest_is_forgotten() -> None:
    buckets = TokenBuckets(tokens=1, refill_s=10, clock_ms=Clock(), most_keys=2)
    for key in "aba":
        buckets.take(key)
    buckets.take("c")
    assert len(buckets) == 2
    assert buckets.wait_s("a") > 0
    assert buckets.wait_s("b") == 0


async def test_an_address_that_keeps_failing_is_not_heard_and_the_journal_says_so_once() -> None:
    venue = await house()
    limiter = AttemptLimiter(venue.accounts.register, peer_tokens=3)
    for _ in range(3):
        await limiter.attempt(PEER)
    assert limiter.refused_s(PEER) == 2
    for _ in range(3):
        with pytest.raises(TooOften) as refused:
            await limiter.attempt(PEER)
        assert refused.value.retry_s == 2
    await limiter.attempt("10.0.0.8")
    assert await venue.tags() == ["peer-refused"]
    venue.clock.pass_ms(2000)
    await limiter.attempt(PEER)
    with pytest.raises(TooOften):
        await limiter.attempt(PEER)
    assert await venue.tags() == ["peer-refused"] * 2


async def test_who_succeeds_is_never_slowed_down() -> None:
    venue = await house()
    limiter = AttemptLimiter(venue.accounts.register, peer_tokens=3, account_tokens=3)
    for _ in range(100):
        await limiter.attempt(PEER, "mei")
        limiter.succeeded(PEER, "mei")


async def test_an_account_is_guarded_from_many_addresses_at_once() -> None:
    venue = await house()
    limiter = AttemptLimiter(venue.accounts.register, account_tokens=3)
    for number in range(3):
        await limiter.attempt(f"10.0.0.{number}", "mei")
    with pytest.raises(TooOften):
        await limiter.attempt("10.0.1.1", "mei")

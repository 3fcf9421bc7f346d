"""How often one may try."""

from ipaddress import ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from natural9.server.people.limits import SLOTS, AttemptLimiter, GrowingWaits, TokenBuckets, TooOften
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


async def test_an_address_that_keeps_failing_is_not_heard_and_the_journal_says_so_once_in_a_while() -> None:
    venue = await house()
    limiter = AttemptLimiter(venue.accounts.register, peer_tokens=3)
    for _ in range(3):
        await limiter.attempt(PEER)
    assert limiter.refused_s(PEER) == 2
    for _ in range(100):
        for _ in range(3):
            with pytest.raises(TooOften) as refused:
                await limiter.attempt(PEER)
            assert refused.value.retry_s == 2
        venue.clock.pass_ms(2000)
        await limiter.attempt(PEER)
    await limiter.attempt("10.0.0.8")
    assert await venue.tags() == ["peer-refused"]
    venue.clock.pass_ms(400_000)
    for _ in range(3):
        await limiter.attempt(PEER)
    with pytest.raises(TooOften):
        await limiter.attempt(PEER)
    assert await venue.tags() == ["peer-refused"] * 2


async def test_who_succeeds_is_never_slowed_down() -> None:
    venue = await house()
    limiter = AttemptLimiter(venue.accounts.register, peer_tokens=3, free_attempts=3)
    for _ in range(100):
        await limiter.attempt(PEER, "mei")
        limiter.succeeded(PEER, "mei")


async def test_over_all_strangers_together_an_account_is_slowed_down_and_never_locked() -> None:
    """Each from an address of its own, as fast as they are let: the waits double up to a minute."""
    venue = await house()
    limiter = AttemptLimiter(venue.accounts.register, free_attempts=3)
    waited: list[int] = []
    for number in range(500):
        try:
            await limiter.attempt(f"203.0.{number // 250}.{number % 250}", "mei")
        except TooOften as slower:
            waited.append(slower.retry_s)
            venue.clock.pass_ms(1000 * slower.retry_s)
    assert waited[:5] == [1, 2, 4, 8, 16]
    assert set(waited[8:]) == {60}
    await limiter.attempt("203.0.113.9", "another")
    limiter.unlocked("mei")
    await limiter.attempt("203.0.113.9", "mei")
    assert await venue.tags() == [], "nothing is locked, and the journal is not filled"


async def test_a_siege_is_forgiven_when_it_is_over() -> None:
    venue = await house()
    limiter = AttemptLimiter(venue.accounts.register, free_attempts=3)
    for number in range(1000):
        venue.clock.pass_ms(60_000)
        await limiter.attempt(f"203.0.{number // 250}.{number % 250}", "mei")
    venue.clock.pass_ms(2 * 3_600_000)
    for _ in range(3):
        await limiter.attempt(PEER, "mei")


async def test_a_clock_that_is_set_back_makes_nobody_wait_longer() -> None:
    venue = await house()
    limiter = AttemptLimiter(venue.accounts.register, free_attempts=1)
    await limiter.attempt(PEER, "mei")
    venue.clock.pass_ms(-3_600_000)
    with pytest.raises(TooOften) as refused:
        await limiter.attempt(PEER, "mei")
    assert refused.value.retry_s <= 60


async def test_the_house_is_never_slowed_down_by_strangers() -> None:
    venue = await house()
    limiter = AttemptLimiter(
        venue.accounts.register, peer_tokens=3, free_attempts=1, house_addresses=[ip_network("10.1.0.0/16")]
    )
    await limiter.attempt("203.0.113.9", "mei")
    for _ in range(3):
        with pytest.raises(TooOften):
            await limiter.attempt("203.0.113.9", "mei")
    await limiter.attempt("10.1.2.3", "mei")
    await limiter.attempt("203.0.113.9", "mei", device="terminal-1-3")
    for _ in range(2):
        await limiter.attempt("203.0.113.9", "mei", device="terminal-1-3")
    with pytest.raises(TooOften):  # its own failures do count
        await limiter.attempt("203.0.113.9", "mei", device="terminal-1-3")


async def test_ids_that_are_made_up_take_no_memory_and_push_nobody_out() -> None:
    waits = GrowingWaits(free=1, longest_s=60, forgiven_s=600, clock_ms=Clock())
    assert waits.take("mei") == 0
    for number in range(3 * SLOTS):
        waits.take(f"nobody-{number}")
    assert len(waits) <= SLOTS
    assert waits.take("mei") > 0
    waits.forget("mei")
    assert waits.take("mei") == 0
    waits.give_back("mei")
    assert waits.take("mei") == 0
    waits.give_back("nobody at all")

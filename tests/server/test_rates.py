"""Buckets of tokens: what may be done at once, what a second later, and what is forgotten."""

from natural9.server.rates import Bucket, Buckets, Rate


class Time:
    """Passes when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_is_full_first_and_fills_again() -> None:
    clock = Time()
    bucket = Bucket(Rate(3, 0.5), clock)
    assert [bucket.take() for _ in range(4)] == [0, 0, 0, 2]
    clock.now += 1
    assert bucket.take() == 1
    clock.now += 1
    assert bucket.take() == 0
    assert not bucket.is_full()
    clock.now += 1_000_000
    assert bucket.is_full()
    assert [bucket.take() for _ in range(4)] == [0, 0, 0, 2], "it holds no more than it ever did"


def test_what_is_spent_beyond_it_is_a_debt() -> None:
    clock = Time()
    bucket = Bucket(Rate(10, 2), clock)
    assert bucket.spend(10)
    assert not bucket.spend(10)
    assert bucket.wait_s(0) == 5
    assert bucket.wait_s(4) == 7
    clock.now += 5
    assert bucket.wait_s(0) == 0
    assert not bucket.spend(1)


def test_each_key_has_its_own_and_the_one_unused_for_longest_is_forgotten() -> None:
    buckets = Buckets(Rate(1, 1), Time(), most_keys=2)
    first = buckets.of("first")
    assert first.take() == 0
    assert buckets.of("second").take() == 0
    assert buckets.of("first") is first
    buckets.of("third")
    assert len(buckets) == 2
    assert buckets.of("first") is first
    assert buckets.of("second").take() == 0, "forgotten, it begins anew"

"""What counts as covered where `coverage run` measures; see `make test`, and [tool.coverage] in pyproject.toml."""

from collections.abc import Generator

import pytest
from coverage import Coverage


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """What chance finds does not count, either: it may look elsewhere tomorrow."""
    tracing = Coverage.current()
    by_chance = getattr(getattr(item, "obj", None), "is_hypothesis_test", False)
    if tracing is None or not (by_chance or item.get_closest_marker("no_cover")):
        return (yield)
    tracing.stop()
    try:
        return (yield)
    finally:
        tracing.start()

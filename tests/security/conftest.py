"""One floor for all of these tests: it takes longer to make than most of them do."""

import asyncio
from collections.abc import Iterator

import pytest

from tests.security.floor import Floor, busy_floor


@pytest.fixture(scope="session")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Floor]:
    """For tests marked `together`. Whoever ends a session ends one of their own: the next test asks with the others."""
    with asyncio.Runner(loop_factory=asyncio.new_event_loop) as runner:
        opening = busy_floor(tmp_path_factory.mktemp("floor"))
        busy = runner.run(opening.__aenter__())
        busy.runner = runner
        yield busy
        runner.run(opening.__aexit__(None, None, None))

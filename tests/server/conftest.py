"""What many tests of a live server ask for."""

from collections.abc import AsyncIterator

import pytest

from tests.server.live_server import Server, Visit


@pytest.fixture
async def visit(server: Server) -> AsyncIterator[Visit]:
    """One test's clients of its module's server."""
    async with Visit(server) as one:
        yield one

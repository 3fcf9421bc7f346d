"""A connection that a server asks on its event loop: kept as long as it answers, whatever it answers."""

from pathlib import Path

import asyncpg
import pytest

from natural9.store.postgres.connection import ConnectionLost
from natural9.store.postgres.line import DatabaseLine
from tests.store.postgres_server import address, end_connections, new_place


@pytest.fixture
def place() -> Path:
    return new_place()


async def test_a_question_that_is_refused_costs_nobody_what_the_connection_holds(place: Path) -> None:
    line = DatabaseLine(address(place), "test", 10)
    await line.ask("SELECT pg_advisory_lock(1)")
    times = line.times_opened
    with pytest.raises(asyncpg.DivisionByZeroError):
        await line.ask("SELECT 1 / 0")
    assert line.is_still(times)
    line.drop()


async def test_a_connection_that_was_ended_is_opened_anew(place: Path) -> None:
    line = DatabaseLine(address(place), "test", 10)
    await line.ask("SELECT 1")
    times = line.times_opened
    with pytest.raises(ConnectionLost):
        await line.ask("SELECT pg_terminate_backend(pg_backend_pid())")
    assert not line.is_still(times)
    assert await line.ask("SELECT 1") == [(1,)]
    end_connections(place)
    line.drop()

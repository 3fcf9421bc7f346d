"""An honest evening, recorded once."""

import asyncio

import pytest

from tests.torture.recorded import Story, honest_story


@pytest.fixture(scope="session")
def story(tmp_path_factory: pytest.TempPathFactory) -> Story:
    return asyncio.run(honest_story(tmp_path_factory.mktemp("evening")))

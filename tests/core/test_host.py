"""A machine is asked for by a name that the system takes; anything else would raise what nobody expects."""

import pytest

from natural9.core.host import is_host


@pytest.mark.parametrize(
    "text", ["localhost", "10.1.0.7", "::1", "printer-1.floor.example", "x" * 63, "bücher.example"]
)
def test_it_can_be_asked_for(text: str) -> None:
    assert is_host(text)


@pytest.mark.parametrize("text", ["", "a..b", ".example", "x" * 64 + ".example", "a\0b", "a\nb"])
def test_it_cannot(text: str) -> None:
    assert not is_host(text)

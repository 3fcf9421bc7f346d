"""What a programmer imports from `natural9.odds`."""

import subprocess
import sys

import pytest

import natural9.odds


@pytest.mark.parametrize("name", natural9.odds.__all__)
def test_every_name_is_there(name: str) -> None:
    assert getattr(natural9.odds, name).__name__ == name


def test_another_is_named() -> None:
    with pytest.raises(AttributeError, match=r"natural9\.odds.*no attribute 'edge'"):
        getattr(natural9.odds, "edge")  # noqa: B009 (mypy knows that it is not there)


def test_none_is_loaded_before_it_is_asked_for() -> None:
    code = "import sys, natural9.odds; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

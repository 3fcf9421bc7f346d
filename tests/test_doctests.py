"""The examples in the docstrings are true."""

import doctest
import pkgutil
from importlib import import_module

import pytest

import natural9.core
import natural9.odds

MODULES = [
    module.name
    for room in (natural9.core, natural9.odds)
    for module in pkgutil.walk_packages(room.__path__, f"{room.__name__}.")
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_run(name: str) -> None:
    assert doctest.testmod(import_module(name)).failed == 0


def test_there_are_examples() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    assert sum(bool(test.examples) for name in MODULES for test in finder.find(import_module(name))) >= 8

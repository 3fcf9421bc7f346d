"""Chance from a seed: each part of a simulation has its own, so that a new part changes nothing for the others."""

from random import Random


def chance_of(seed: int, part: str) -> Random:
    """
    >>> chance_of(1, "disk").random() == chance_of(1, "disk").random() != chance_of(1, "network").random()
    True
    """
    return Random(f"{seed} {part}")  # a text seeds by its SHA-512, whatever PYTHONHASHSEED is

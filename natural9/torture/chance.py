"""Chance from a seed: each part of a simulation has its own, so that a new part changes nothing for the others."""

from random import Random


def chance_of(seed: int, part: str) -> Random:
    """
    >>> chance_of(1, "disk").random() == chance_of(1, "disk").random() != chance_of(1, "network").random()
    True
    """
    return Random(f"{seed} {part}")  # a text seeds by its SHA-512, whatever PYTHONHASHSEED is


def now_and_then(chance: Random, likely: float, least: float, most: float, digits: int = 6) -> float:
    """0, or somewhere between, the small as likely as the large."""
    is_on = chance.random() < likely
    value = least * (most / least) ** chance.random()
    return round(value, digits) if is_on else 0.0

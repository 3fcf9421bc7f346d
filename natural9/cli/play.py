"""placeholder, replaced below"""


def play() -> None:
    """x"""

"""The name of a machine, as the system can be asked for it."""


def is_host(text: str) -> bool:
    """Whether it can be looked up at all; whether there is such a machine shows then. One that cannot would raise
    something else than that it is away, in the middle of play.

    >>> [is_host(text) for text in ("printer.example", "10.1.0.9", "::1", "printer..example", "")]
    [True, True, True, False, False]
    """
    try:
        return text.isprintable() and bool(text.encode("idna"))
    except UnicodeError:  # a part without letters, or with too many
        return False

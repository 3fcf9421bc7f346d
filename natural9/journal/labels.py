"""What entries of the journal are found by later: a round, a shoe, a voucher, or that they are significant."""

from typing import Final

from natural9.core.events import Event

SIGNIFICANT: Final = "significant"
SESSIONS: Final = "session"  # of players, at every table
TIME_STAMPS: Final = "time-stamp"


def round_label(table: str, number: int) -> str:
    return f"round/{table}/{number}"


def later_label(table: str, number: int) -> str:
    """What was done about a round after the next had opened."""
    return f"later/{table}/{number}"


def shoe_label(table: str, number: int) -> str:
    return f"shoe/{table}/{number}"


def voucher_label(number: str) -> str:
    return f"voucher/{number}"


def transit_label(number: str) -> str:
    """Credit on its way between two tables."""
    return f"transit/{number}"


def visitor_label(table: str, home_table: str, home_seat: int) -> str:
    """The seat at a table of a terminal of another one."""
    return f"visitor/{table}/{home_table}-{home_seat}"


def player_label(number: str) -> str:
    """Of a player with a name: where the card was in, and what was played."""
    return f"player/{number}"


def request_key(stream: str, sender: str, request: str) -> str:
    """What an entry is found by when the same request comes again. Neither a stream nor a sender has a space in it."""
    return f"{stream} {sender} {request}"


def label_of(table: str, event: Event) -> str:
    """By how the event was declared; `table` is "" outside any."""
    if event.IS_SIGNIFICANT:
        return SIGNIFICANT
    if not event.FOUND_BY:
        return ""
    value = getattr(event, event.FOUND_BY)
    match event.FOUND_BY:
        case "round":
            return round_label(table, value)
        case "about_round":
            return later_label(table, value)
        case "shoe":
            return shoe_label(table, value)
        case "session":
            return SESSIONS
        case "stamped_at_ms":
            return TIME_STAMPS
        case "home_seat":
            home_table: str = getattr(event, "home_table")  # noqa: B009  # what is found by it has it
            return visitor_label(table, home_table, value)
        case "transit":
            return transit_label(value)
        case "player":
            return player_label(value)
        case _:
            return voucher_label(value)

"""What is wrong with a request, in words: a person reads neither a field's name nor a type.

msgspec says ``Expected `int` <= 1000000000000`` and where; people read "The amount is at most 10,000,000,000.00".
"""

import re
from typing import Final

from natural9.core.money import show_cents
from natural9.core.saying import Said, say

NAMES: Final = {
    "about_round": say("the round number"),
    "account": say("the account"),
    "after": say("the place to go on from"),
    "alarm": say("the alarm"),
    "banker_total": say("the Banker total"),
    "before": say("the place to go on from"),
    "bets": say("the bets"),
    "card": say("the card"),
    "cards": say("the cards"),
    "cents": say("the amount"),
    "checkpoint": say("the checkpoint"),
    "code": say("the code"),
    "command": say("the command"),
    "commitment": say("the hash"),
    "count": say("the number of rows"),
    "day": say("the gaming day"),
    "dealer": say("the dealer"),
    "decks": say("the number of decks"),
    "desk": say("the cash desk"),
    "detail": say("what was seen"),
    "discard": say("the cards"),
    "fault": say("the fault"),
    "entry": say("the number of the entry"),
    "first": say("the number of entries"),
    "first_seat": say("the first seat"),
    "game": say("the game"),
    "hand": say("the hand"),
    "id": say("the id"),
    "kind": say("the kind"),
    "last_seat": say("the last seat"),
    "limit": say("the number of rows"),
    "limits": say("the limits"),
    "loss_cents": say("the loss limit"),
    "max_cents": say("the maximum"),
    "min_cents": say("the minimum"),
    "minutes": say("the time"),
    "name": say("the name"),
    "new": say("the new password"),
    "nonce": say("what is mixed in"),
    "number": say("the voucher number"),
    "password": say("the password"),
    "place": say("the place of the card"),
    "player_total": say("the Player total"),
    "present": say("the present password"),
    "put_at": say("the hand"),
    "remedy": say("what is done"),
    "replace_shoe": say("whether the shoe is replaced"),
    "report": say("the report"),
    "request": say("the request id"),
    "rest": say("whether all are burnt"),
    "second": say("the number of entries"),
    "size": say("the number of entries"),
    "returned_cents": say("the amount"),
    "role": say("the role"),
    "round": say("the round number"),
    "seat": say("the seat number"),
    "seat_max_cents": say("the maximum for a seat"),
    "seat_min_cents": say("the minimum for a seat"),
    "seats": say("the seats"),
    "sent": say("the time"),
    "shoe": say("the shoe number"),
    "sign_in": say("who signs"),
    "signature": say("who signs"),
    "stake_cents": say("the stake limit"),
    "table": say("the table"),
    "table_max_cents": say("the maximum for the table"),
    "time_min": say("the time limit"),
    "type": say("the command"),
    "vouchers": say("the number of vouchers"),
    "wager": say("the bet"),
    "wanted": say("whether an attendant is wanted"),
    "why": say("the reason"),
    "winner": say("the result"),
    "without": say("the list of cards"),
}
_KINDS: Final = {
    "array": say("a list"),
    "bool": say("yes or no"),
    "float": say("a number"),
    "int": say("a whole number"),
    "object": say("a set of values"),
    "str": say("text"),
}
_NOT_READ: Final = say("the request cannot be read")


def in_words(complaint: str, where: str = "") -> Said:
    """What msgspec complains of. The place may stand in the complaint itself: ``... - at `$.command.cents` ``.

    >>> in_words("Expected `int` <= 1000000000000", "command.cents")
    'the amount is at most 10,000,000,000.00'
    >>> in_words("Object missing required field `request`")
    'the request id is missing'
    """
    what, _, at = complaint.partition(" - at ")
    key = _key(at.strip("`") or where)
    field = NAMES.get(key, say("the value"))
    if bound := re.fullmatch(r"Expected `(\w+)`( of length)? ([<>])=? (-?\d+)", what):
        kind, sized, side, number = bound.groups()
        return _out_of_bounds(field, kind if sized else "", side, _shown(key, int(number)))
    if missing := re.fullmatch(r"Object missing required field `(\w+)`", what):
        return say("{field} is missing", field=NAMES.get(missing[1], say("a value")))
    if what.startswith("Object contains unknown field"):
        return say("the request has something in it that does not belong there")
    if "matching regex" in what:
        form = say("2 to 31 small letters, digits, dots and dashes, a letter first") if key == "id" else ""
        return say("{field} is {form}", field=field, form=form) if form else say("{field} is wrong", field=field)
    if wrong := re.match(r"Expected `(\w+)", what):
        kinds = _KINDS.get(wrong[1])
        return say("{field} must be {kind}", field=field, kind=kinds) if kinds else say("{field} is wrong", field=field)
    if what.startswith("Invalid"):
        return say("{field} is none that there is", field=field)
    return say("{field} is out of range", field=field) if key else _NOT_READ


def _key(where: str) -> str:
    """The last name in a path, whatever stands in brackets."""
    names = re.findall(r"[A-Za-z_]\w*", re.sub(r"\[[^]]*\]", "", where))
    return names[-1] if names else ""


def _shown(key: str, number: int) -> str:
    return show_cents(number) if key.endswith("cents") else f"{number:,}"


def _out_of_bounds(field: Said, sized: str, side: str, number: str) -> Said:
    if sized == "str":
        if side == "<":
            return say("{field} has at most {most} characters", field=field, most=number)
        return say("{field} is missing", field=field)
    if sized:
        if side == "<":
            return say("{field}: no more than {most} at a time", field=field, most=number)
        return say("{field}: no fewer than {least}", field=field, least=number)
    if side == "<":
        return say("{field} is at most {most}", field=field, most=number)
    return say("{field} is at least {least}", field=field, least=number)

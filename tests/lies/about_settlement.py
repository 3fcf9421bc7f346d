"""Lies about what was paid. An insider makes record and transfers agree."""

from typing import Any

from tests.lies.lie import Lie, changed, leave_out, left_out, pay, put_after, record_of, say, the, twin
from tests.lies.shown import Line, Shown

TIGER = "table/2"  # takes a commission


def _settled(shown: Shown, seat: int, place: int = 0) -> Line:
    return the(shown, "seat-settled", place, seat=seat, stream=TIGER)


def _with_line(line: Line, **changes: Any) -> list[dict[str, Any]]:
    """Its lines, the first with other values."""
    first, *rest = record_of(line)["lines"]
    return [{**first, **changes}, *rest]


def _better_odds(shown: Shown) -> None:
    line = _settled(shown, 1)
    say(line, lines=_with_line(line, odds="8:1", returned_cents=90_000, net_cents=80_000), returned_cents=90_000)
    pay(line, "winnings", cents=80_000)


def _paid_less(shown: Shown) -> None:
    line = _settled(shown, 1)
    say(line, lines=_with_line(line, returned_cents=19_900, net_cents=9_900), returned_cents=19_900)
    pay(line, "winnings", cents=9_900)


def _no_commission(shown: Shown) -> None:
    line = _settled(shown, 1, 1)
    say(line, lines=_with_line(line, odds="1:1", returned_cents=20_000, net_cents=10_000), returned_cents=20_000)
    pay(line, "winnings", cents=10_000)


def _more_commission(shown: Shown) -> None:
    line = _settled(shown, 1, 1)
    say(line, lines=_with_line(line, odds="0.9:1", returned_cents=19_000, net_cents=9_000), returned_cents=19_000)
    pay(line, "winnings", cents=9_000)


def _smaller_stake(shown: Shown) -> None:
    line = _settled(shown, 2)
    say(line, lines=_with_line(line, stake_cents=10_000, net_cents=-10_000), staked_cents=10_000)
    pay(line, "stake-lost", cents=10_000)


def _other_wager(shown: Shown) -> None:
    line = _settled(shown, 2)
    say(line, lines=_with_line(line, wager="player", result="win", odds="1:1", returned_cents=40_000, net_cents=20_000),
        returned_cents=40_000)  # fmt: skip
    credit, house = "credit/2-2", "house/2"
    line["transfers"] = [["stake-returned", "stake/2", credit, 20_000], ["winnings", house, credit, 20_000]]


def _line_missing(shown: Shown) -> None:
    line = _settled(shown, 1)
    say(line, lines=record_of(line)["lines"][1:], staked_cents=500, returned_cents=0)
    line["transfers"] = [one for one in line["transfers"] if one[0] == "stake-lost"]


def _line_doubled(shown: Shown) -> None:
    line = _settled(shown, 1)
    first = record_of(line)["lines"][0]
    say(line, lines=[first, *record_of(line)["lines"]], staked_cents=20_500, returned_cents=40_000)
    pay(line, "stake-returned", cents=20_000)
    pay(line, "winnings", cents=20_000)


def _other_seat(shown: Shown) -> None:
    """The winner's money goes to the seat of a friend."""
    line = _settled(shown, 1)
    for kind in ("stake-returned", "winnings"):
        pay(line, kind, target="credit/2-3")


def _push_for_a_loss(shown: Shown) -> None:
    line = _settled(shown, 2)
    say(
        line,
        lines=_with_line(line, result="push", odds="push", returned_cents=20_000, net_cents=0),
        returned_cents=20_000,
    )
    line["transfers"] = [["stake-returned", "stake/2", "credit/2-2", 20_000]]


def _twice(shown: Shown) -> None:
    line = _settled(shown, 3)
    put_after(shown, line, twin(line))


def _kept_by_the_house(shown: Shown) -> None:
    """The record is right; the money goes elsewhere."""
    pay(_settled(shown, 1), "winnings", target="house/1")


def _whole_round_unsettled(shown: Shown) -> None:
    lines = [line for line in shown.entries if line["kind"] == "seat-settled" and line["stream"] == TIGER][:4]
    leave_out(shown, *lines, the(shown, "round-settled", stream=TIGER))


LIES = (
    Lie("a win is paid at better odds", _better_odds),
    Lie("a win is paid a little less", _paid_less),
    Lie("a commission is not taken", _no_commission),
    Lie("a commission is too high", _more_commission),
    Lie("a bet is settled with a smaller stake", _smaller_stake),
    Lie("a bet is settled as one on another wager", _other_wager),
    Lie("a bet is left out of the settlement", _line_missing),
    Lie("a bet is settled twice in one settlement", _line_doubled),
    Lie("a loss is called a push", _push_for_a_loss),
    Lie("a win is paid to another seat", _other_seat),
    Lie("a win is booked and the money kept", _kept_by_the_house),
    Lie("a seat is never settled", left_out("seat-settled", 1, stream=TIGER)),
    Lie("a seat is settled twice", _twice),
    Lie("a round is never settled", _whole_round_unsettled),
    Lie("the round's totals are not those of its seats", changed("round-settled", collected_cents=1)),
)

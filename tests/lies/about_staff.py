"""Lies about who decided what, and on which authority."""

from typing import Any

from tests.lies.lie import (
    Lie,
    Tell,
    ask,
    body_of,
    changed,
    decision_of,
    leave_out,
    left_out,
    pay,
    put_after,
    record_of,
    say,
    say_beside,
    the,
    twin,
)
from tests.lies.shown import Line, Shown

TABLE = "table/2"


def _done_by(shown: Shown, line: Line, by: str, rank: str) -> None:
    """All that one decision led to was done by somebody else, or in another rank."""
    was = body_of(line)["by"]
    for one in decision_of(shown, line):
        said = record_of(one)
        say(one, **{name: value for name, value in (("by", by), ("rank", rank)) if name in said})
        say_beside(one, by=by, rank=rank)
        one["request"] = one["request"].replace(f"staff/{was} ", f"staff/{by} ")


def _another(kind: str, by: str, rank: str, /, **where: Any) -> Tell:
    return lambda shown: _done_by(shown, the(shown, kind, **where), by, rank)


def _by_nobody(shown: Shown) -> None:
    line = the(shown, "irregularity-decided", 2)
    for one in decision_of(shown, line):
        said = {name: value for name, value in (("by", ""), ("rank", "dealer")) if name in record_of(one)}
        nobody = {"from": "program", "by": None, "rank": None, "request": None, "command": None}
        say_beside(say(one, **said), **nobody)["request"] = ""


def _void_without_a_report(shown: Shown) -> None:
    leave_out(shown, the(shown, "irregularity-reported", 2), the(shown, "irregularity-decided", 2))


def _void_keeps_a_stake(shown: Shown) -> None:
    line = the(shown, "bets-returned")
    say(line, cents=29_000)
    pay(line, "bet-returned", cents=29_000)


def _correction_pays_less(shown: Shown) -> None:
    line = the(shown, "earlier-seat-settled", seat=3)
    say(line, returned_cents=15_000)
    pay(line, "winnings", cents=5_000)


def _ruled_twice(shown: Shown) -> None:
    line = the(shown, "bet-ruled")
    put_after(shown, line, ask(twin(line), "r-again"))


def _ruled_for_more(shown: Shown) -> None:
    line = the(shown, "bet-ruled")
    say(line, was_cents=0, stake_cents=20_000, returned_cents=20_000)
    pay(line, "ruling", cents=20_000)


def _without_a_reason(kind: str, /, **where: Any) -> Tell:
    def tell(shown: Shown) -> None:
        for line in decision_of(shown, the(shown, kind, **where)):
            command = body_of(line).get("command")
            say_beside(line, command=command and {**command, "why": ""})
            if "why" in record_of(line):
                say(line, why="")

    return tell


def _late_bet_stays(shown: Shown) -> None:
    leave_out(shown, the(shown, "bet-voided"))


def _limits_in_play(shown: Shown) -> None:
    line = the(shown, "limits-changed", from_file=False)
    leave_out(shown, line)
    put_after(shown, the(shown, "card-dealt", stream=TABLE), line)


LIES = (
    Lie("a decision by a rank that is too low", _another("irregularity-decided", "dora", "dealer", remedy="void")),
    Lie(
        "a decision in a rank that the person never had",
        _another("irregularity-decided", "dora", "pit-supervisor", remedy="void"),
    ),
    Lie("a decision by nobody", _by_nobody),
    Lie("a remedy that the rules do not have for it", changed("irregularity-decided", 2, remedy="continue")),
    Lie("a report that nobody made is decided", left_out("irregularity-reported", stream=TABLE)),
    Lie("a report is never decided", left_out("irregularity-decided", stream=TABLE)),
    Lie("a late bet is refused and stays", _late_bet_stays),
    Lie("a void without a clause", changed("round-voided", clause="")),
    Lie("a void by another clause", changed("round-voided", clause="mbs 5.2")),
    Lie("a void without a report", _void_without_a_report),
    Lie("a void that keeps part of a stake", _void_keeps_a_stake),
    Lie("a void by authority, of a pit supervisor", _another("round-voided", "pat", "pit-supervisor", kind=None)),
    Lie("a void by authority without a reason", _without_a_reason("round-voided", kind=None)),
    Lie("a void after which the old shoe is played on", left_out("new-shoe-required")),
    Lie("a correction by a dealer", _another("cards-corrected", "dora", "dealer")),
    Lie("a correction to other cards than it says", changed("cards-corrected", cards=["8S", "2H", "KD", "7C"])),
    Lie("a correction that takes nothing back", left_out("settlement-reversed", stream=TABLE)),
    Lie("a correction of an earlier round that pays less", _correction_pays_less),
    Lie("a correction of an earlier round that leaves a seat out", left_out("earlier-seat-settled", seat=3)),
    Lie("a ruling twice", _ruled_twice),
    Lie("a ruling on more than lay there", _ruled_for_more),
    Lie("a ruling by a pit supervisor", _another("bet-ruled", "pat", "pit-supervisor")),
    Lie("a ruling without a reason", _without_a_reason("bet-ruled")),
    Lie("limits changed while a round is in play", _limits_in_play),
)

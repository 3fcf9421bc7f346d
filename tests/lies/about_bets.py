"""Lies about bets. A bet that is changed with all that follows from it breaks no rule: see `about_histories`."""

from tests.lies.lie import (
    Lie,
    Tell,
    ask,
    changed,
    leave_out,
    left_out,
    move_after,
    pay,
    put_after,
    say,
    say_beside,
    the,
    twin,
)
from tests.lies.shown import Shown

TABLE = "table/2"


def _of(cents: int) -> Tell:
    """The record and its money."""

    def tell(shown: Shown) -> None:
        line = the(shown, "bet-placed", seat=2, stream=TABLE)
        say(line, cents=cents)
        pay(line, "bet", cents=cents)

    return tell


def _late(shown: Shown) -> None:
    """A winner's bet, laid when all cards are on the table."""
    bet, last = the(shown, "bet-placed", seat=1, stream=TABLE), the(shown, "card-dealt", 3, stream=TABLE)
    put_after(shown, last, ask(twin(bet), "r-late"))


def _moved_late(shown: Shown) -> None:
    move_after(shown, the(shown, "bet-placed", seat=2, stream=TABLE), the(shown, "betting-closed", stream=TABLE))


def _by_another_seat(shown: Shown) -> None:
    line = the(shown, "bet-placed", seat=1, wager="tie", stream=TABLE)
    say(line, seat=3)
    pay(line, "bet", source="credit/2-3")


def _with_anothers_money(shown: Shown) -> None:
    pay(the(shown, "bet-placed", seat=1, stream=TABLE), "bet", source="credit/2-3")


def _not_given_back(shown: Shown) -> None:
    the(shown, "bet-taken-back")["transfers"] = []


def _refusal_turned(shown: Shown) -> None:
    """A bet that was refused as too late is made to stand."""
    refused, bet = the(shown, "late-bet-refused"), twin(the(shown, "bet-placed", seat=2, stream=TABLE))
    bet["body"] = bet["body"].replace("20000", "100")
    bet["transfers"] = [["bet", "credit/2-2", "stake/2", 100]]
    put_after(shown, refused, ask(bet, "r-again"))
    leave_out(shown, refused, the(shown, "request-refused", stream=TABLE))


def _staff_lays(shown: Shown) -> None:
    bet = the(shown, "bet-placed", seat=2, stream=TABLE)
    say_beside(bet, **{"from": "staff", "by": "dora", "rank": "dealer"})


LIES = (
    Lie("a bet is of another amount", _of(30_000)),
    Lie("a bet above the limit", _of(2_000_000)),
    Lie("a bet that is no multiple of the betting unit", _of(20_050)),
    Lie("a bet is removed", left_out("bet-placed", 2, stream=TABLE)),
    Lie("a bet is added after the close", _late),
    Lie("a bet is moved behind the close", _moved_late),
    Lie("a bet is another seat's", _by_another_seat),
    Lie("a bet is paid for by another seat", _with_anothers_money),
    Lie("a bet on a wager that is not on offer", changed("bet-placed", 2, where={"stream": TABLE}, wager="super-6")),
    Lie("a bet that somebody of the staff has laid", _staff_lays),
    Lie("a bet that was taken back is not given back", _not_given_back),
    Lie("a bet that was refused stands", _refusal_turned),
    Lie("what lies at the close is another sum", changed("betting-closed", staked_cents=1)),
)

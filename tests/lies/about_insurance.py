"""Lies about insurance: odds, cap, window, hand."""

from tests.lies.lie import Lie, changed, leave_out, move_after, pay, record_of, say, say_beside, the
from tests.lies.shown import Shown


def _over_the_cap(shown: Shown) -> None:
    """2,000 on the Banker at 2:1 takes 1,000 of insurance at most."""
    line = the(shown, "insurance-placed", seat=1)
    say(line, cents=1_100)
    pay(line, "bet", cents=1_100)


def _after_the_close(shown: Shown) -> None:
    move_after(shown, the(shown, "insurance-placed", seat=3), the(shown, "insurance-closed"))


def _after_the_card(shown: Shown) -> None:
    move_after(shown, the(shown, "insurance-placed", seat=3), the(shown, "card-dealt", card="4H"))


def _by_another_seat(shown: Shown) -> None:
    """A seat without a bet on the hand."""
    line = the(shown, "insurance-placed", seat=3)
    say_beside(say(line, seat=2), by="1-2")
    pay(line, "bet", source="credit/1-2")


def _not_paid(shown: Shown) -> None:
    line = the(shown, "seat-settled", seat=3, stream="table/1")
    [one] = record_of(line)["insurance"]
    lost = {**one, "result": "lose", "odds": None, "returned_cents": 0, "net_cents": -500}
    say(line, insurance=[lost], returned_cents=0)
    line["transfers"] = [["stake-lost", "stake/1", "house/1", 6_500]]


def _never_offered(shown: Shown) -> None:
    leave_out(
        shown,
        *(the(shown, kind) for kind in ("insurance-opened", "insurance-closed")),
        *(the(shown, "insurance-placed", seat=seat) for seat in (1, 3)),
    )


LIES = (
    Lie("insurance is offered at other odds", changed("insurance-opened", offers={"banker": "3:2"})),
    Lie("insurance is taken at other odds than offered", changed("insurance-placed", odds="7:1")),
    Lie("insurance on a hand that is not on offer", changed("insurance-placed", hand="player")),
    Lie("insurance for more than the bet allows", _over_the_cap),
    Lie("insurance after its window is closed", _after_the_close),
    Lie("insurance after the next card is seen", _after_the_card),
    Lie("insurance of a seat that has no such bet", _by_another_seat),
    Lie("insurance that won is not paid", _not_paid),
    Lie("a window that was due is not held", _never_offered),
)

"""How the staff away from the felt work in a story, each habit on or off: cashiers with their drawers, managers who
void, rule and correct, whoever answers calls; and what the venue asks of cash and of players' sessions."""

from functools import partial
from typing import Final, NamedTuple

from natural9.torture.chance import chance_of, now_and_then


class CashHabits(NamedTuple):
    """Of the desks. Seconds between two of a kind, on the average; 0 for never."""

    drawer_s: float = 0  # that a drawer is open before it is counted
    drawer_first: bool = False  # nobody moves cash without an open drawer
    hand_pay_s: float = 0
    guess_s: float = 0  # somebody tries codes for a voucher that is out
    bills_s: float = 0  # something is put into a bill acceptor. 0: there are none
    alone_up_to: int = 0  # dollars; above, a second person signs. 0: as a venue has it that says nothing
    ceiling: int = 0  # dollars, of one transaction


class ManagerHabits(NamedTuple):
    """Of whoever walks the floor with a high rank. Seconds between two of a kind, on the average; 0 for never."""

    void_s: float = 0  # a voucher is taken out of circulation
    rule_s: float = 0  # a single bet is ruled on
    correct_s: float = 0  # the cards of an earlier round are corrected, and found to have been right
    answer_s: float = 0  # calls, alarms and seats that somebody has left are seen to


class ProtectionHabits(NamedTuple):
    """Minutes, as the venue file has them; 0: as a venue that says nothing."""

    reality_check: float = 0
    pause_after: float = 0


NO_CASH_HABITS: Final = CashHabits()
NO_MANAGERS: Final = ManagerHabits()
NO_PROTECTION: Final = ProtectionHabits()


class Habits(NamedTuple):
    cash: CashHabits = NO_CASH_HABITS
    managers: ManagerHabits = NO_MANAGERS
    protection: ProtectionHabits = NO_PROTECTION


NO_HABITS: Final = Habits()


def draw_habits(seed: int) -> Habits:
    """By a chance of their own: whoever is drawn here changes nothing else of the seed."""
    chance = chance_of(seed, "habits")

    some = partial(now_and_then, chance, digits=1)
    cash = CashHabits(
        drawer_s=some(0.7, 5.0, 120.0),
        drawer_first=chance.random() < 0.5,
        hand_pay_s=some(0.7, 3.0, 60.0),
        guess_s=some(0.3, 2.0, 20.0),
        alone_up_to=chance.choice((0, 0, 400, 1000)),
        ceiling=chance.choice((0, 0, 2000)),
    )
    bills = chance_of(seed, "bill acceptors")
    cash = cash._replace(bills_s=round(bills.uniform(0.5, 10.0), 1) if bills.random() < 0.4 else 0.0)
    managers = ManagerHabits(
        void_s=some(0.7, 3.0, 60.0),
        rule_s=some(0.7, 3.0, 60.0),
        correct_s=some(0.6, 5.0, 60.0),
        answer_s=some(0.7, 2.0, 30.0),
    )
    protection = ProtectionHabits(
        reality_check=chance.choice((0, 0, 0.2, 1)),
        pause_after=chance.choice((0, 0, 0.5, 2)),
    )
    return Habits(cash._replace(drawer_first=bool(cash.drawer_s) and cash.drawer_first), managers, protection)

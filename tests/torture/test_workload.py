"""What a seed's floor plays: rare cards come, insurance is taken, and limits are met. A workload without them sees no
bug in them."""

from collections import Counter
from dataclasses import replace
from random import Random

from natural9.core.cards import ALL_CARDS
from natural9.core.table_of_play import POINTS, Hand, next_hand, total
from natural9.table.shoes.shuffler import shuffle
from natural9.torture.habits import CashHabits, Habits, ManagerHabits, ProtectionHabits
from natural9.torture.mix import Mix, ProcessFaults, SimulatedTable, StaffFaults, draw_mix
from natural9.torture.stacked import StackedShuffles, stacked
from natural9.torture.story import Told, tell

SHOE = Counter(dict.fromkeys(ALL_CARDS, 8))


def test_every_card_is_there_as_often_as_it_should_be_whatever_comes_first() -> None:
    chance = Random(9)
    assert Counter(stacked([*ALL_CARDS] * 8, chance)) == SHOE
    shuffles = StackedShuffles(chance, 0.5)
    shoes = [shuffle(8, shuffles.below) for _ in range(12)]
    assert all(Counter(shoe) == SHOE for shoe in shoes)
    assert len({tuple(shoe) for shoe in shoes}) == 12


def test_a_few_shoes_have_all_of_the_bankers_third_card_rule_in_them() -> None:
    """Banker 3 to 6 against each third card of the Player: 40 cells, the rarest once in three hundred rounds."""
    shuffles, cells = StackedShuffles(Random(1), 1.0), set[tuple[int, int]]()
    for _ in range(20):
        ranks = list[str]()
        for card in shuffle(8, shuffles.below)[:150]:
            ranks.append(card.rank)
            if next_hand(ranks[:4]) is Hand.PLAYER and len(ranks) == 5:
                cells.add((total([ranks[1], ranks[3]]), POINTS[ranks[4]]))
            if next_hand(ranks) is None:
                ranks = []
    assert {(banker, third) for banker in range(3, 7) for third in range(10)} <= cells


def _told(table: SimulatedTable, rounds: int = 25) -> Told:
    plain = Mix(seed=4, tables=(table,), rare_cards=0.9, staff=StaffFaults(mistakes=0.0), taps=draw_mix(4).taps)
    told = tell(4, rounds, mix=replace(plain, taps_a_round=4.0))
    assert told.violations == []
    return told


def test_insurance_is_taken_where_it_is_offered() -> None:
    """That a window is open is told before what a seat may insure: whoever looks at the first alone takes none."""
    told = _told(SimulatedTable("t1", "rws-nc-insurance", "dealer", 5))
    assert told.kinds["insurance-opened"] > 5
    assert told.kinds["insurance-placed"] > told.kinds["insurance-opened"] / 4


def test_limits_of_seats_and_of_the_table_are_met() -> None:
    told = _told(SimulatedTable("t1", "mbs-tiger", "electronic", 4, seat_most=10, table_most=30))
    assert {"over-seat-limit", "over-table-limit"} <= told.refused.keys()


def test_cashiers_and_managers_are_at_work() -> None:
    """All of it under kills; a dealer's table with keyed cards, whose records can be corrected later."""
    habits = Habits(
        CashHabits(drawer_s=20, drawer_first=True, hand_pay_s=4, guess_s=8, alone_up_to=400),
        ManagerHabits(void_s=3, rule_s=3, correct_s=5, answer_s=3),
        ProtectionHabits(reality_check=0.2, pause_after=0.5),
    )
    table = SimulatedTable("t1", "rws-nc", "keyed", 4)
    plain = Mix(seed=4, tables=(table,), habits=habits, process=ProcessFaults(crash_s=20), taps=draw_mix(4).taps)
    told = tell(4, 20, mix=replace(plain, taps_a_round=4.0))
    assert told.violations == []
    drawers = {"drawer-opened", "drawer-filled", "drawer-returned", "drawer-closed", "hand-paid"}
    managers = {"voucher-voided", "bet-ruled", "earlier-cards-corrected", "earlier-seat-settled", "seat-released"}
    assert drawers | managers | {"reality-check-due", "play-continued"} <= told.kinds.keys()


def test_bill_acceptors_take_bills_and_vouchers_over_a_loose_cable() -> None:
    habits = Habits(CashHabits(bills_s=0.5, drawer_s=20))
    tables = (SimulatedTable("t1", "mbs-nc", "electronic", 3),)
    clumsy = StaffFaults(mistakes=0.0, reader=0.2)
    told = tell(4, 8, mix=Mix(seed=4, tables=tables, habits=habits, process=ProcessFaults(crash_s=20), staff=clumsy))
    assert told.violations == []
    came = ("keeps BILL", "gives back BILL", "gives back TICKET")
    assert all(any(one in step for step in told.steps) for one in came)

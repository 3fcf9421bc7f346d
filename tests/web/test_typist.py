"""A dealer at speed: every press at the console does what its line said, once, whatever else arrives."""

from playwright.sync_api import expect

from tests.web.console import QUICK_MS, answered, deal_four, next_step, settle, space
from tests.web.crowd import crowd
from tests.web.typist import cards_of_a_shoe, play, recorded
from tests.web.windows import Windows

MANY = 20
ROUNDS = 6  # thirty of them, and how long they take: python -m bench.typist


def test_bets_are_closed_by_one_press_while_others_arrive(windows: Windows) -> None:
    windows.tell(lambda one: one.begin_round("typed"))
    dealer = windows.staff("dealer", "/console/typed")
    with crowd(windows.server, "typed", seats=2, pause_s=0.04) as registered:
        for _ in range(2):
            expect(next_step(dealer)).to_have_text("Close bets")
            before = registered()
            while registered() < before + MANY:
                dealer.wait_for_timeout(QUICK_MS)
            answered(dealer)
            dealer.keyboard.press("Space")
            expect(next_step(dealer)).to_have_text("Deal to PLAYER, first card")
            deal_four(dealer, "9S KH QD 8C")
            space(dealer, "Declare: PLAYER wins, 9 over 8")
            settle(dealer)
            space(dealer, "Open betting")


def test_a_typist_at_a_full_table(windows: Windows) -> None:
    """Sixty terminals bet all the while, and cards are keyed ahead of the answers: every press counts, and once."""
    windows.tell(lambda one: one.begin_round("typist"))
    before = recorded(windows.server, "typist")
    dealer = windows.staff("dealer", "/console/typist")
    with crowd(windows.server, "typist", seats=60, pause_s=1) as registered:
        pressed = play(dealer, ROUNDS, cards_of_a_shoe(9))
        assert registered() > MANY
    assert recorded(windows.server, "typist") == before + pressed

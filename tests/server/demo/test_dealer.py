"""What the dealer bot does next, by the console that it sees: a live table takes every move of it."""

from collections import Counter
from random import Random

import pytest

from natural9.core.cards import ALL_CARDS
from natural9.core.irregularities import Kind
from natural9.core.round import commands as round_commands
from natural9.server.demo.dealer import STEPS_ASIDE_S, DealerStep, next_move, signed_on_first
from natural9.server.demo.floor import HUMAN
from natural9.store.memory import MemoryStore
from natural9.table.commands import staff
from natural9.table.commands.staff import BY_TAG
from natural9.table.live.answers import Accepted
from natural9.table.state.console_view import console_sees
from natural9.table.state.state import Status
from natural9.table.state.view import everybody_sees
from natural9.table.venue.file import Burn, ShoeSource
from tests.server.demo.test_betting import changed
from tests.table.live import DEALER, SUPERVISOR, LiveTable, asked, table_config


@pytest.mark.parametrize(
    ("game", "shoe", "burn"),
    [
        ("rws-nc-insurance", ShoeSource.SHUFFLER, Burn.NONE),
        ("mbs-super-six-nc", ShoeSource.READ, Burn.NONE),
        ("mbs-nc", ShoeSource.SHUFFLER, Burn.FIRST_CARD),
        ("mbs-nc", ShoeSource.READ, Burn.FIRST_CARD),
    ],
)
async def test_a_whole_shoe_and_the_next_one_are_dealt_without_a_refusal(
    game: str, shoe: ShoeSource, burn: Burn
) -> None:
    moves = await deal_a_shoe(game, shoe, burn)
    assert moves["burn"] == (2 if burn is Burn.FIRST_CARD else 0)
    assert moves["new-shoe"] == 2
    assert moves["open-betting"] == moves["close-betting"] == moves["settle"] > 30
    assert moves["cut-card"] == (shoe is ShoeSource.READ)  # the shuffler notices its own
    assert bool(moves["open-insurance"]) == (game == "rws-nc-insurance")
    assert not moves["close-insurance"], "nobody bets here, and a window that nobody can use closes by itself"


async def deal_a_shoe(game: str, shoe: ShoeSource, burn: Burn) -> Counter[str]:
    config = table_config(game, shoe=shoe, decks=4, burn=burn)
    table = await LiveTable(config, MemoryStore()).start()
    await table.do(staff.OpenTable, SUPERVISOR)
    moves: Counter[str] = Counter()
    cards = [str(card) for card in ALL_CARDS for _ in range(config.decks)]
    Random(4).shuffle(cards)
    while table.state.round.shoe_number < 2 or table.state.in_play:
        await table.settle_down()
        cut_cards = config.cut_cards if shoe is ShoeSource.READ else None
        move = next_move(everybody_sees(table.state), console_sees(table.state), HUMAN, cut_cards=cut_cards)
        assert move is not None
        moves[move.word] += 1
        request = table.request()
        by_name = move.word in ("deal", "burn") and shoe is ShoeSource.READ
        command = asked(BY_TAG[move.word], request=request, **({"card": cards.pop()} if by_name else {}))
        answer = await table.ask(command, DEALER)
        assert isinstance(answer, Accepted), answer
    await table.stop()
    return moves


async def test_nothing_is_done_at_a_table_that_is_not_open_in_fault_or_waiting_for_a_decision() -> None:
    table = await LiveTable(table_config(), MemoryStore()).start()
    await table.open()
    view, console = everybody_sees(table.state), console_sees(table.state)
    assert next_move(view, console, HUMAN, cut_cards=None) == ("close-betting", HUMAN.betting_s)
    for why in ({"status": Status.PAUSED}, {"faults": {"shoe-seal": "broken"}}):
        assert next_move(changed(view, **why), console, HUMAN, cut_cards=None) is None
    await table.do(round_commands.ReportIrregularity, DEALER, kind=Kind.NOT_COVERED)
    view, console = everybody_sees(table.state), console_sees(table.state)
    assert view.waiting
    assert next_move(view, console, HUMAN, cut_cards=None) is None


def test_the_bot_signs_on_before_it_deals_and_leaves_a_person_their_time() -> None:
    deal = DealerStep("deal", 1)
    assert signed_on_first(deal, dealer="bot", me="bot") == deal
    assert signed_on_first(deal, dealer="", me="bot") == ("sign-on", 0)
    assert signed_on_first(deal, dealer="mei", me="bot") == ("sign-on", STEPS_ASIDE_S)
    assert signed_on_first(None, dealer="", me="bot") is None, "where nothing is to be dealt, nobody is relieved"

"""Cards as they come, and the cut card."""

import pytest

from natural9.core.cards import Card, parse_cards
from natural9.core.round import commands, events, what_next
from natural9.core.round.refusal import Code
from natural9.core.round.state import Phase
from natural9.core.table_of_play import Hand
from natural9.games import game_ids, load_game
from tests.core.round.table import BANKER_DRAWS, BOTH_DRAW, DEALS, NATURAL, PLAYER_DRAWS, Table, of

rule = pytest.mark.rule


@rule("rws-nc 3.8", "rws-nc-insurance 3.4", "rws-nc-super-six-plus 3.4", "mbs 3.6", "mbs 3.6.1", "mbs 3.6.2")
@pytest.mark.parametrize("game", game_ids())
def test_the_first_four_cards_go_to_player_and_banker_in_turn(game: str) -> None:
    table = Table(game)
    table.open()
    table.do(commands.CloseBetting())
    for card, hand in zip(parse_cards(NATURAL), (Hand.PLAYER, Hand.BANKER) * 2, strict=True):
        assert what_next(table.state).due is hand
        [dealt] = of(events.CardDealt, table.do(commands.DealCard(card=card, put_at=hand)))
        assert (dealt.hand, dealt.paragraph) == (hand, load_game(game).document.procedure.initial_deal)
    assert table.state.phase is Phase.COMPLETE


@rule("rws-nc 3.9", "rws-nc 3.10", "rws-nc-insurance 3.6", "rws-nc-super-six-plus 3.5", "mbs 3.8")
@pytest.mark.parametrize("deal", DEALS)
@pytest.mark.parametrize("game", game_ids())
def test_third_cards_come_by_the_table_of_play(game: str, deal: str) -> None:
    table = Table(game)
    table.open()
    table.deal(deal)
    assert table.state.phase is Phase.COMPLETE
    thirds = of(events.CardDealt, table.happened)[4:]
    assert all(event.paragraph == load_game(game).document.procedure.table_of_play for event in thirds)
    refusal = table.refused(commands.DealCard(card=Card("A", "S"), put_at=Hand.BANKER))
    assert (refusal.code, refusal.paragraph) == (Code.NO_CARD_DUE, load_game(game).document.procedure.table_of_play)


def test_the_phases_of_a_round() -> None:
    table = Table("rws-nc")
    seen = [table.state.phase]
    table.open()
    seen.append(table.state.phase)
    table.do(commands.CloseBetting())
    seen.append(table.state.phase)
    for card in BOTH_DRAW.split():
        table.deal(card)
        seen.append(table.state.phase)
    table.finish()
    seen.append(table.state.phase)
    dealt = [Phase.INITIAL_DEAL] * 3 + [Phase.PLAYERS_THIRD, Phase.BANKERS_THIRD, Phase.COMPLETE]
    assert seen == [Phase.NO_ROUND, Phase.BETTING_OPEN, Phase.BETS_CLOSED, *dealt, Phase.SETTLED]


@pytest.mark.parametrize(("deal", "phase"), [(BANKER_DRAWS, Phase.BANKERS_THIRD), (PLAYER_DRAWS, Phase.PLAYERS_THIRD)])
def test_the_phase_before_an_only_third_card(deal: str, phase: Phase) -> None:
    table = Table("mbs-nc")
    table.open()
    table.deal(" ".join(deal.split()[:4]))
    assert table.state.phase is phase


@rule("mbs 3.10")
@pytest.mark.parametrize("game", game_ids())
@pytest.mark.parametrize("dealt", range(7))
def test_the_cut_card_lets_the_round_finish_and_ends_the_shoe(game: str, dealt: int) -> None:
    table = Table(game)
    table.open()
    table.deal(" ".join(BOTH_DRAW.split()[:dealt]))
    [appeared] = of(events.CutCardAppeared, table.do(commands.ReportCutCard()))
    assert appeared.paragraph == load_game(game).document.procedure.cut_card
    assert table.refused(commands.ReportCutCard()).code is Code.ALREADY_DONE
    table.deal(" ".join(BOTH_DRAW.split()[dealt:]))
    table.finish()
    spent = table.refused(commands.OpenBetting(round=2, betting_unit_cents=100))
    assert (spent.code, spent.paragraph) == (Code.SHOE_SPENT, "interpretation spent-shoe")
    table.do(commands.LoadShoe(shoe=2, decks=8))
    table.do(commands.OpenBetting(round=2, betting_unit_cents=100))
    assert table.state.shoe is not None
    assert table.state.shoe.cards_left == 8 * 52
    assert not table.state.cut_card_out


def test_a_card_beyond_the_decks_is_refused_and_the_way_out_named() -> None:
    table = Table("mbs-nc", decks=4)
    for _ in range(4):
        table.play("9S KH KD 5C")
    table.open()
    table.do(commands.CloseBetting())
    refusal = table.refused(commands.DealCard(card=Card("9", "S"), put_at=Hand.PLAYER))
    assert refusal.code is Code.CARD_TOO_MANY
    assert "9S" in refusal.message
    # The record is corrected first; the set of cards is wrong only if a person says so.
    assert refusal.paragraph == "interpretation record-of-a-card"
    assert 0 < refusal.message.index("correct it") < refusal.message.index('report "too many or too few of a card"')
    table.do(commands.DealCard(card=Card("9", "H"), put_at=Hand.PLAYER))


def test_the_shoe_is_counted_down() -> None:
    table = Table("mbs-nc", decks=4)
    table.play(NATURAL)
    table.open()
    table.deal("9S 9H")
    assert table.state.shoe is not None
    assert table.state.shoe.cards_left == 4 * 52 - 6
    assert table.state.shoe.left(Card("9", "S")) == 2


def test_nothing_is_dealt_without_a_round() -> None:
    table = Table("mbs-nc")
    deal = commands.DealCard(card=Card("A", "S"), put_at=Hand.PLAYER)
    assert table.refused(deal).code is Code.NO_ROUND
    assert table.refused(commands.ReportCutCard()).code is Code.NO_ROUND
    table.play(NATURAL)
    assert table.refused(deal).code is Code.NO_ROUND

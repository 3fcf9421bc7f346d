"""What everybody sees, what a seat sees besides, and what the console sees."""

import msgspec
import pytest

from natural9.core.irregularities import Kind
from natural9.core.round import commands as round_commands
from natural9.core.table_of_play import Hand
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from natural9.table.state.console_view import console_sees, worst_loss
from natural9.table.state.seat_view import one_seat_sees
from natural9.table.state.view import DealtCard, everybody_sees
from tests.table.live import DEALER, SHIFT_MANAGER, LiveTable, live_table, table_config, terminal


async def played(game: str = "mbs-tiger") -> LiveTable:
    table = await live_table(table_config(game))
    await table.buy(1, 10_000)
    await table.buy(2, 1_234_567)
    await table.open()
    await table.bet(1, "banker", 1_000)
    await table.bet(2, "player", 2_000)
    return table


async def test_everybody_sees_the_table_and_its_result() -> None:
    table = await played()
    seen = everybody_sees(table.state)
    assert (seen.phase, seen.round, seen.laid) == ("betting-open", 1, {"banker": 1_000, "player": 2_000})
    assert (seen.cards, seen.player_total, seen.result, seen.boxes) == ((), None, None, {})
    await table.do(round_commands.CloseBetting, DEALER)
    await table.deal("4S 2H KD 9C 5H")
    seen = everybody_sees(table.state)
    assert seen.cards[1:3] == (
        DealtCard(card="2H", hand=Hand.BANKER, total=2),
        DealtCard(card="KD", hand=Hand.PLAYER, total=4),
    )
    assert (seen.player_total, seen.banker_total, seen.due, seen.draws) == (9, 1, Hand.BANKER, Hand.BANKER)
    await table.finish("5D")
    seen = everybody_sees(table.state)
    assert seen.result
    assert (seen.result.winner, seen.result.player_total, seen.result.banker_total) == ("player", 9, 6)
    assert (seen.in_play, seen.draws, seen.naturals) == (False, None, ())
    assert (seen.results, seen.tallies["player"], seen.tallies["tie"]) == (("P96",), 1, 0)
    await table.open()
    await table.finish("9S KH KD 9C")
    assert everybody_sees(table.state).results == ("P96", "T99n")
    assert everybody_sees(table.state).naturals == (Hand.PLAYER, Hand.BANKER)
    assert everybody_sees(table.state).tallies["natural"] == 1


async def test_a_result_is_shown_only_once_it_is_declared() -> None:
    table = await played()
    await table.do(round_commands.CloseBetting, DEALER)
    await table.deal("9S KH KD 5C")
    assert everybody_sees(table.state).result is None
    await table.do(round_commands.DeclareResult, DEALER)
    assert everybody_sees(table.state).result


async def test_a_seat_sees_its_own_lines_and_a_void_says_why() -> None:
    table = await played()
    assert one_seat_sees(table.state, 1).can_undo
    assert not one_seat_sees(table.state, 3).can_undo
    await table.finish("9S KH KD 5C")
    seen = one_seat_sees(table.state, 2)
    assert (seen.credit_cents, seen.returned_cents, seen.can_undo) == (1_236_567, 4_000, False)
    assert [(line.wager, line.stake_cents, line.returned_cents) for line in seen.lines] == [("player", 2_000, 4_000)]
    assert one_seat_sees(table.state, 3).returned_cents is None
    table = await played()
    await table.do(round_commands.VoidRound, SHIFT_MANAGER, why="a card on the floor")
    seen = one_seat_sees(table.state, 2)
    assert (seen.credit_cents, seen.returned_cents, seen.lines, seen.bets) == (1_234_567, 2_000, (), {})
    voided = everybody_sees(table.state).voided
    assert voided
    assert (voided.kind, voided.why, voided.clause) == (None, "a card on the floor", "mbs 6.1")
    await table.do(staff.StartRound, DEALER)
    assert (one_seat_sees(table.state, 2).returned_cents, everybody_sees(table.state).voided) == (None, None)


async def test_a_result_says_which_row_of_the_pay_table_decides_each_wager() -> None:
    table = await played()
    await table.finish("KS 2H KD 4C 4H")  # Player 4, Banker 6 with two cards
    result = everybody_sees(table.state).result
    assert result
    wagers = {wager.id: wager for wager in table.state.round.wagers}
    assert table.state.round.outcome
    for wager, row in result.rows.items():
        assert wagers[wager].rows[row] is wagers[wager].row_for(table.state.round.outcome)
    lost = {wager.id for wager in wagers.values() if wager.row_for(table.state.round.outcome) is None}
    assert lost == set(wagers) - set(result.rows)
    assert set(result.won) <= set(result.rows)
    assert {"player", "tie"} <= lost


@pytest.mark.parametrize(
    ("cards", "naturals"),
    [("9S KH", ()), ("9S KH KD 5C", (Hand.PLAYER,)), ("2S KH KD 8C", (Hand.BANKER,)), ("4S 5H KD QC", ())],
)
async def test_a_natural_is_an_eight_or_nine_with_the_first_two_cards(cards: str, naturals: tuple[Hand, ...]) -> None:
    table = await played()
    await table.do(round_commands.CloseBetting, DEALER)
    await table.deal(cards)
    assert everybody_sees(table.state).naturals == naturals


async def test_no_seat_sees_anothers_credit() -> None:
    table = await played()
    for _ in range(2):
        state = table.state
        seen = msgspec.json.encode([everybody_sees(state), one_seat_sees(state, 1), console_sees(state)])
        assert str(state.credit_cents(2)).encode() not in seen
        assert str(state.credit_cents(2)).encode() in msgspec.json.encode(one_seat_sees(state, 2))
        if table.state.in_play:
            await table.finish("9S KH KD 5C")
    news = b"".join(msgspec.json.encode([news.table, news.console]) for news in table.ears.told)
    assert b"1232567" not in news
    assert b"1234567" not in news


@pytest.mark.parametrize("game", ["rws-nc", "rws-nc-insurance"])
async def test_boxes_show_their_chips_to_all_and_terminals_do_not(game: str) -> None:
    table = await played(game)
    shown = {1: {"banker": 1_000}, 2: {"player": 2_000}} if game == "rws-nc-insurance" else {}
    assert everybody_sees(table.state).boxes == shown


@pytest.mark.parametrize(
    ("four", "third", "hand", "insurance"),
    [
        ("5S 6H KD QC", "6D", Hand.BANKER, {"banker-insurance": 300}),  # two windows, one spot
        ("4S 5H KD QC", "4H", Hand.PLAYER, {"banker-insurance": 200, "player-insurance": 100}),
    ],
)
async def test_boxes_show_insurance_on_its_spots(four: str, third: str, hand: Hand, insurance: dict[str, int]) -> None:
    """Banker leads after four cards; after the Player's third it still does, or the Player does."""
    table = await played("rws-nc-insurance")
    await table.bet(1, "player", 1_000)
    await table.bet(1, "banker", 2_000)
    await table.do(round_commands.CloseBetting, DEALER)
    await table.deal(four)
    for insured, cents, card in ((Hand.BANKER, 200, third), (hand, 100, "")):
        await table.do(round_commands.OpenInsurance, DEALER)
        await table.do(taps.Insure, terminal(1), round=1, hand=insured, cents=cents)
        await table.do(round_commands.CloseInsurance, DEALER)
        await table.deal(card)
    chips = {"banker": 3_000, "player": 1_000} | insurance
    assert everybody_sees(table.state).boxes == {1: chips, 2: {"player": 2_000}}
    assert one_seat_sees(table.state, 1).staked_cents == sum(chips.values())
    await table.do(round_commands.VoidRound, SHIFT_MANAGER, why="a card on the floor")
    assert everybody_sees(table.state).boxes == {}


async def test_the_console_sees_every_bet_and_the_worst_that_can_come() -> None:
    table = await played()
    await table.bet(2, "tie", 300)
    seen = console_sees(table.state)
    assert [(seat.seat, seat.bets, seat.staked_cents) for seat in seen.seats] == [
        (1, {"banker": 1_000}, 1_000),
        (2, {"player": 2_000, "tie": 300}, 2_300),
    ]
    assert (seen.seats_with_bets, seen.staked_cents, seen.worst_cents) == (2, 3_300, 8 * 300)
    await table.do(round_commands.CloseBetting, DEALER)
    await table.deal("9S KH KD 5C")
    assert worst_loss(table.state) == 2_000 - 1_000 - 300
    await table.finish("")
    assert worst_loss(table.state) == 0


async def test_the_worst_that_can_come_has_the_insurance_in_it() -> None:
    """Banker leads with 5 to 4. Where it loses, 2,000 goes to Player and 1,000 comes in; insurance pays 400 on top."""
    table = await played("rws-nc-insurance")
    await table.do(round_commands.CloseBetting, DEALER)
    await table.deal("4S 5H KD QC")
    assert worst_loss(table.state) == 2_000 - 1_000
    await table.do(round_commands.OpenInsurance, DEALER)
    await table.do(taps.Insure, terminal(1), round=1, hand=Hand.BANKER, cents=200)
    assert console_sees(table.state).worst_cents == 2_000 - 1_000 + 2 * 200


@pytest.mark.parametrize(
    ("rest", "winner"),
    [("4D 6S", "player"), ("7D AS", "banker"), ("7D 2S", "banker"), ("KD", "banker"), ("AD", "tie"), ("6D 5S", "tie")],
)
async def test_the_net_that_is_shown_is_what_the_round_brings(rest: str, winner: str) -> None:
    """Banker leads with 5 to 4. What the seat is shown with its insurance is what it is settled with."""
    table = await played("rws-nc-insurance")
    await table.bet(1, "tie", 300)
    await table.bet(1, "player-pair", 200)
    assert one_seat_sees(table.state, 1).net is None
    await table.do(round_commands.CloseBetting, DEALER)
    await table.deal("4S 5H KD QC")
    assert one_seat_sees(table.state, 1).net is None
    await table.do(round_commands.OpenInsurance, DEALER)
    before, [offer] = one_seat_sees(table.state, 1).net, everybody_sees(table.state).offers
    await table.do(taps.Insure, terminal(1), round=1, hand=Hand.BANKER, cents=200)
    shown = one_seat_sees(table.state, 1).net
    assert before
    assert shown
    for by, nets in before.by_winner.items():  # as a screen adds it up, a betting unit at a time
        assert shown.by_winner[by] == tuple(net + 2 * offer.net_cents[by] for net in nets)
    await table.do(round_commands.CloseInsurance, DEALER)
    assert one_seat_sees(table.state, 1).net is None
    await table.finish(rest)
    settled = one_seat_sees(table.state, 1)
    result = everybody_sees(table.state).result
    assert result
    assert result.winner == winner
    assert settled.returned_cents is not None
    assert settled.returned_cents - settled.staked_cents in shown.by_winner[result.winner]
    assert shown.left_out == ()


async def test_the_console_says_what_each_box_is_paid_once_it_is_settled() -> None:
    """Banker leads with 5 to 4, is insured at 2 to 1, and loses."""
    table = await played("rws-nc-insurance")
    await table.do(round_commands.CloseBetting, DEALER)
    await table.deal("4S 5H KD QC")
    await table.do(round_commands.OpenInsurance, DEALER)
    await table.do(taps.Insure, terminal(1), round=1, hand=Hand.BANKER, cents=200)
    await table.do(round_commands.CloseInsurance, DEALER)
    assert {seat.paid is None for seat in console_sees(table.state).seats} == {True}
    await table.finish("4D 6S")  # Player 8, Banker 1
    assert {seat.seat: seat.paid for seat in console_sees(table.state).seats} == {
        1: {"banker": 0, "banker-insurance": 600},
        2: {"player": 4_000},
    }


async def test_what_waits_is_shown_with_its_remedies_and_rank() -> None:
    table = await played()
    await table.do(round_commands.ReportIrregularity, DEALER, kind=Kind.ORDER_ALTERED)
    [waiting] = everybody_sees(table.state).waiting
    assert (waiting.report, waiting.kind, waiting.rank) == (1, "order-altered", "pit-supervisor")
    assert [(one.remedy, one.paragraph) for one in waiting.remedies] == [
        ("reconstruct", "mbs 5.7"),
        ("void", "mbs 5.2"),
    ]
    assert [one.names for one in waiting.remedies] == ["", ""], "no cards were reported that could be put in order"
    assert (await table.refused(taps.Bet, terminal(1), round=1, wager="tie", cents=100)).code == "irregularity-pending"


async def test_an_offer_of_insurance_says_when_it_wins() -> None:
    """Player 9 after the third card is the starred row: it wins on a tie (rws-nc-insurance 4.1.2)."""
    table = await played("rws-nc-insurance")
    await table.do(round_commands.CloseBetting, DEALER)
    await table.deal("4S 2H KD 2C")
    assert everybody_sees(table.state).offers == ()
    await table.deal("5H")
    [offer] = everybody_sees(table.state).offers
    assert (offer.hand, offer.odds, offer.wins_if) == (Hand.PLAYER, "8:1", "tie")

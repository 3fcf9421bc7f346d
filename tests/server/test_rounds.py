"""Whole rounds of all nine games over the wire, settled to the cent as the rules settle them."""

import asyncio
from collections.abc import Iterator

import pytest

from natural9.core.cards import Card, parse_ranks
from natural9.core.insurance import Window
from natural9.core.round import commands as round_commands
from natural9.core.settlement import InsuranceStake, settle_round
from natural9.core.table_of_play import Hand
from natural9.games import game_ids, load_game
from natural9.journal import table_events
from natural9.journal.line import read_line
from natural9.server import protocol
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from natural9.table.shoes.shuffler import check_reveal
from tests.server.live_server import Server, Terminal, Visit, automatic, new_venue, running, table

CREDIT = 1_000_000
NATURAL, BOTH_DRAW, TIE, BANKER_SIX = "9S 2H KD 6C", "4S 2H KD 9C 5H KC", "2S 7H 5D KC", "2S 3H KD KC 5H 3C"
INSURED = "5S 6H KD QC 6D 4H"  # Banker 6 at four cards, Player 1 after its third: insured twice, and the Banker loses
QUICK = {"betting": 2.0, "insurance": 0.2, "reveal": 0.01, "result": 0.05}


AUTOMATIC = [game for game in game_ids() if not load_game(game).document.dealer_announces]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    # A result stays long enough to be looked at by a busy machine, too.
    slow = {**QUICK, "result": 1.5}
    tables = [automatic(f"auto-{game}"[:20].rstrip("-"), game, **slow) for game in AUTOMATIC]
    tables += [table("by-hand", game, shoe="shuffler") for game in game_ids() if game not in AUTOMATIC]
    dealers = [table(game[-18:].strip("-"), game) for game in game_ids()]
    spent = automatic("spent", "rws-nc", decks=4, cut_cards=202, **{**QUICK, "betting": 0.3})
    folder = new_venue(tmp_path_factory.mktemp("rounds"), *tables, *dealers, spent)
    with running(folder) as one:
        yield one


def settled_as_the_rules_say(terminal: Terminal, game: str, bets: dict[str, int], *insured: InsuranceStake) -> int:
    """What came back is what the rules pay on these cards, line by line."""
    ranks = parse_ranks(card.card[:-1] for card in terminal.table.cards)
    expected = settle_round(load_game(game), ranks, bets, insured)
    told = (*terminal.you.lines, *terminal.you.insurance_lines)
    assert [(one.wager, one.stake_cents, one.result, one.returned_cents, one.paragraph) for one in told] == [
        (one.wager, one.stake_cents, one.result, one.returned_cents, one.paragraph) for one in expected.lines
    ]
    assert terminal.you.returned_cents == expected.returned_cents
    return expected.returned_cents - expected.staked_cents


async def play_rounds(visit: Visit, table: str, game: str, seat: int) -> None:
    """Until two rounds were played with every wager bet; where the window closed in between, with those registered."""
    wanted = {wager.id: 100 * (place + seat) for place, wager in enumerate(load_game(game).wagers)}
    terminal = await visit.sit(table, seat, CREDIT)
    credit, played, whole = CREDIT, 0, 0
    while whole < 2:
        played = await terminal.betting_open(after=played)
        answers = await asyncio.gather(*(terminal.ask(taps.Bet, wager=key, cents=bet) for key, bet in wanted.items()))
        late = [answer for answer in answers if isinstance(answer, protocol.Refused)]
        assert {answer.code for answer in late} <= {"no-more-bets", "other-round"}
        bets = {key: wanted[key] for key, answer in zip(wanted, answers, strict=True) if answer not in late}
        if bets:
            await terminal.until(
                lambda one: one.table.phase == "settled" and one.you.returned_cents is not None, "settled"
            )
            credit += settled_as_the_rules_say(terminal, game, bets)
            assert terminal.you.credit_cents == credit
        whole += bets == wanted


async def deal_for_ever(visit: Visit, table: str) -> None:
    """A dealer who leaves time to bet, and to look at the result."""
    waits = {"close-betting": QUICK["betting"], "open-betting": 1.5}
    while True:
        if move := await visit.next_move(table):
            await asyncio.sleep(waits.get(move, 0))
            await visit.do("dealer", table, staff.BY_TAG[move])


async def test_tables_of_all_nine_games_settle_two_rounds(server: Server) -> None:
    """Eight run by themselves; at the ninth a dealer announces (rws-nc-insurance 3.1)."""
    async with Visit(server) as visit:
        tables = {f"auto-{game}"[:20].rstrip("-"): game for game in AUTOMATIC}
        assert len(tables) == 8
        tables["by-hand"] = "rws-nc-insurance"
        await visit.open(*tables)
        dealer = asyncio.create_task(deal_for_ever(visit, "by-hand"))
        players = [play_rounds(visit, table, game, seat) for table, game in tables.items() for seat in (1, 2)]
        await asyncio.gather(*players)
        dealer.cancel()
        [ended] = await asyncio.gather(dealer, return_exceptions=True)
        assert isinstance(ended, asyncio.CancelledError), ended
    await server.check_books()
    await server.check_every_round()


@pytest.mark.parametrize("game", [game for game in game_ids() if game != "rws-nc-insurance"])
async def test_a_dealers_table_moves_by_the_console_alone(visit: Visit, game: str) -> None:
    table = game[-18:].strip("-")
    wagers = [wager.id for wager in load_game(game).wagers]
    await visit.open(table)
    terminal = await visit.sit(table, 1, CREDIT)
    credit = CREDIT
    for cards in (NATURAL, BOTH_DRAW, TIE, BANKER_SIX):
        number = await visit.begin_round(table)
        await terminal.betting_open(after=number - 1)
        bets = {wager: 500 * (place + 1) for place, wager in enumerate(wagers)}
        for wager, cents in bets.items():
            await terminal.bet(wager, cents)
        await visit.do("dealer", table, round_commands.CloseBetting)
        assert (await terminal.ask(taps.Bet, wager="tie", cents=100)).code == "no-more-bets"  # type: ignore[union-attr]
        for card in cards.split():
            seen = await visit.see(table)
            assert seen.console.due is not None
            await visit.do("dealer", table, round_commands.DealCard, card=card)
        assert (await visit.refused("dealer", table, round_commands.DealCard, card="AS")).status == 409
        assert (await visit.refused("dealer", table, round_commands.Settle)).status == 409
        await visit.do("dealer", table, round_commands.DeclareResult)
        await visit.do("dealer", table, round_commands.Settle)
        await terminal.until(lambda one: one.table.phase == "settled" and one.you.returned_cents is not None)
        assert [Card.parse(one.card) for one in terminal.table.cards] == [Card.parse(one) for one in cards.split()]
        credit += settled_as_the_rules_say(terminal, game, bets)
        assert terminal.you.credit_cents == credit


async def test_insurance_in_both_windows_and_its_waiver(visit: Visit) -> None:
    game = table = "rws-nc-insurance"
    table = table[-18:].strip("-")
    await visit.open(table)
    backer, other = await visit.sit(table, 1, CREDIT), await visit.sit(table, 2, CREDIT)
    number = await visit.begin_round(table)
    for terminal in (backer, other):
        await terminal.betting_open(after=number - 1)
    await backer.bet("banker", 15_000)
    await other.bet("player", 10_000)
    await visit.do("dealer", table, round_commands.CloseBetting)
    await visit.deal(table, "5S 6H KD QC")
    insured = []
    for window, fifth in ((Window.FOUR_CARDS, "6D"), (Window.THIRD_CARD, "4H")):
        assert (await visit.refused("dealer", table, round_commands.DealCard, card=fifth)).code == "insurance-first"
        await visit.do("dealer", table, round_commands.OpenInsurance)
        await backer.until(lambda one: one.table.window_open and one.you.may_insure)
        assert backer.table.window == window
        assert set(backer.you.may_insure) == {Hand.BANKER}
        assert other.you.may_insure == {}
        too_much = await backer.ask(taps.Insure, hand=Hand.BANKER, cents=backer.you.may_insure[Hand.BANKER] + 100)
        assert isinstance(too_much, protocol.Refused)
        await backer.do(taps.Insure, hand=Hand.BANKER, cents=1_000)
        insured.append(InsuranceStake(window, Hand.BANKER, 1_000))
        await visit.do("dealer", table, round_commands.CloseInsurance)
        late = await backer.ask(taps.Insure, hand=Hand.BANKER, cents=100)
        assert isinstance(late, protocol.Refused)
        assert late.code == "insurance-closed"
        await visit.do("dealer", table, round_commands.DealCard, card=fifth)
    await visit.do("dealer", table, round_commands.DeclareResult)
    await visit.do("dealer", table, round_commands.Settle)
    for terminal in (backer, other):
        await terminal.until(lambda one: one.table.phase == "settled" and one.you.returned_cents is not None)
    net = settled_as_the_rules_say(backer, game, {"banker": 15_000}, *insured)
    assert net == -15_000 + 3 * 1_000 + 7 * 1_000
    assert backer.you.credit_cents == CREDIT + net
    assert other.you.credit_cents == CREDIT + settled_as_the_rules_say(other, game, {"player": 10_000})

    # The next round: the second window is waived, and the Banker draws at once.
    await visit.begin_round(table)
    await backer.betting_open(after=number)
    await backer.bet("banker", 15_000)
    await visit.do("dealer", table, round_commands.CloseBetting)
    await visit.deal(table, "5S 6H KD QC")
    await visit.do("dealer", table, round_commands.OpenInsurance)
    await visit.do("dealer", table, round_commands.CloseInsurance)
    rank = load_game(game).insurance
    assert rank is not None
    await visit.do(rank.waiver_rank.tag, table, round_commands.WaiveInsurance, seat=backer.you.seat)
    await visit.deal(table, "6D 4H")
    await backer.until(lambda one: one.table.waived)
    await visit.do("dealer", table, round_commands.DeclareResult)
    await visit.do("dealer", table, round_commands.Settle)


async def test_after_the_cut_card_a_new_shoe_and_the_old_one_is_revealed(server: Server) -> None:
    """What was promised before the first card is what is shown after the last, and what was dealt."""
    async with Visit(server) as visit:
        await visit.open("spent")
        terminal = await visit.sit("spent", 1, CREDIT)
        await terminal.until(lambda one: one.table.shoe.number == 3, "third shoe")
    promised: dict[int, str] = {}
    for message in terminal.of(protocol.TableMessage):
        shoe = message.table.shoe
        if shoe.number and message.table.cards:
            promised[shoe.number] = shoe.commitment
    lines = [read_line(entry) for entry in await server.history("table/spent")]
    dealt: list[str] = []
    revealed = []
    for line in lines:
        if line.event.TAG == "card-dealt":
            dealt.append(line.event.card)  # type: ignore[attr-defined]
        if isinstance(line.event, table_events.ShoeRevealed):
            revealed.append(line.event)
            cards = [Card.parse(card) for card in dealt]
            order = [Card.parse(card) for card in line.event.order.split()]
            assert line.event.commitment == promised.get(line.event.shoe, line.event.commitment)
            assert line.event.dealt == len(cards) > 0
            checks = check_reveal(4, bytes.fromhex(line.event.salt), order, line.event.commitment, cards)
            assert all(check.holds for check in checks), checks
            dealt.clear()
    assert [one.shoe for one in revealed[:2]] == [1, 2]
    assert promised
    assert len({one.order for one in revealed}) == len(revealed)

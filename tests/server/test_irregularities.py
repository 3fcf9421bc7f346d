"""Every irregularity over HTTP, at a table of each document: reported by the dealer, decided by who may."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from natural9.core.cards import parse_ranks
from natural9.core.completion import established
from natural9.core.irregularities import Clause, Condition, Kind, Remedy
from natural9.core.round import commands as round_commands
from natural9.core.settlement import settle_round
from natural9.core.staff import Rank
from natural9.core.table_of_play import Hand
from natural9.games import load_game
from natural9.table.commands import orders
from natural9.table.commands import terminal as taps
from tests.server.live_server import PEOPLE, Server, Terminal, Visit, new_venue, running, table

GAMES = ("mbs-tiger", "rws-nc", "rws-nc-insurance", "rws-nc-super-six-plus")
CREDIT = 1_000_000
BETS = {"player": 1_100, "banker": 2_200, "tie": 300}
FOUR = "4S 2H KD 9C"  # Player 4, Banker 1: the Player draws next
LATE = BETS["tie"]  # laid after the call, or taken away
NAMED: dict[Kind, dict[str, Any]] = {
    Kind.EXCESS_OR_EXPOSED: {"cards": ("7D",)},
    Kind.DRAWN_TOGETHER_ORDER_KNOWN: {"cards": ("5H", "6D")},
    Kind.DRAWN_TOGETHER_ORDER_UNKNOWN: {"cards": ("5H", "6D")},
    Kind.LATE_BET: {"wager": "tie", "cents": LATE},
    Kind.WITHDRAWN_BET: {"wager": "tie", "cents": LATE},
}
SIGNED_AT_THE_CONSOLE = (Kind.WRONG_NUMBER_OF_CARDS, Kind.NOT_COVERED)


def at(game: str) -> str:
    return f"t{GAMES.index(game)}"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = new_venue(tmp_path_factory.mktemp("irregular"), *(table(at(game), game) for game in GAMES))
    with running(folder) as one:
        yield one
        assert asyncio.run(one.check_every_round()).rounds


def seat_of(kind: Kind) -> int:
    """A seat of its own for each kind, so that no credit is another's; nine boxes at most."""
    return 1 + list(Kind).index(kind) % 9


async def a_round_with_bets(visit: Visit, game: str, seat: int) -> Terminal:
    number = await visit.begin_round(at(game))
    terminal = await visit.sit(at(game), seat, CREDIT)
    await terminal.betting_open(after=number - 1)
    for wager, cents in BETS.items():
        await terminal.bet(wager, cents)
    await terminal.bet("tie", LATE)
    await terminal.ask(taps.TakeBack, wager="tie", cents=LATE)
    return terminal


async def play_on(visit: Visit, game: str) -> None:
    """Whatever is due, until the round is over."""
    spare = iter(("3D", "8H", "QS", "JD", "2C", "AH"))
    while (seen := await visit.see(at(game))).table.phase not in ("settled", "void"):
        if seen.table.window:
            if not seen.table.window_open:
                await visit.do("dealer", at(game), round_commands.OpenInsurance)
            else:
                await visit.do("dealer", at(game), round_commands.CloseInsurance)
        elif seen.console.due:
            await visit.do(
                "dealer",
                at(game),
                round_commands.DealCard,
                card=seen.console.held[0] if seen.console.held else next(spare),
            )
        else:
            await visit.do("dealer", at(game), round_commands.DeclareResult)
            await visit.do("dealer", at(game), round_commands.Settle)


def allowed(game: str, clause: Clause, kind: Kind, cards: str) -> list[tuple[Remedy, str]]:
    """What may be decided while a card is due and nothing is settled."""
    is_established = established(load_game(game).wagers, parse_ranks(card[:-1] for card in cards.split()))
    unmet = {Condition.NOT_ESTABLISHED if is_established else Condition.ESTABLISHED, Condition.NO_CARD_DUE}
    later = (Remedy.CONTINUE, Remedy.NO_EFFECT, Remedy.SETTLE_BY_CARDS)
    about_cards = kind in NAMED and "cards" in NAMED[kind]
    forgotten = (Remedy.NO_EFFECT, Remedy.SETTLE_BY_CARDS) if about_cards else (Remedy.DISCARD,)
    return [
        (remedy.do, remedy.paragraph)
        for remedy in clause.remedies
        if remedy.condition not in unmet
        and (kind is not Kind.FOUND_LATER or remedy.do in later)
        and (clause.kind is not Kind.NOT_COVERED or remedy.do not in forgotten)
    ]


async def decide(visit: Visit, game: str, kind: Kind, clause: Clause, **decision: Any) -> None:
    """Nobody below the rank of the clause may; who holds it does, at their own screen or at the dealer's."""
    for lower in [rank for rank in Rank if rank < clause.rank]:
        no = await visit.refused(lower.tag, at(game), round_commands.DecideIrregularity, **decision)
        assert (no.status, no.code) == (409, "rank-too-low"), no
        assert no.paragraph
        assert (await visit.see(at(game))).table.waiting
    if kind in SIGNED_AT_THE_CONSOLE and clause.rank > Rank.DEALER:
        done = await visit.do(
            "dealer", at(game), round_commands.DecideIrregularity, sign_in=clause.rank.tag, **decision
        )
    else:
        done = await visit.do(clause.rank.tag, at(game), round_commands.DecideIrregularity, **decision)
    assert done["by"] == PEOPLE[clause.rank.tag]


async def check_money(terminal: Terminal, game: str, before: int, bets: dict[str, int] = BETS) -> None:
    staked = sum(bets.values())
    await terminal.until(lambda one: one.table.phase in ("void", "settled") and one.you.returned_cents is not None)
    if terminal.table.phase == "void":
        assert terminal.you.returned_cents == staked
        assert terminal.you.credit_cents == before
    else:
        ranks = parse_ranks(card.card[:-1] for card in terminal.table.cards)
        assert terminal.you.credit_cents == before + settle_round(load_game(game), ranks, bets).returned_cents - staked


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind not in (Kind.WRONG_RESULT, Kind.WRONG_AREA)])
@pytest.mark.parametrize("game", GAMES)
async def test_it_is_reported_decided_and_told(visit: Visit, game: str, kind: Kind) -> None:
    if kind is Kind.FOUND_LATER:
        await visit.begin_round(at(game))
        await visit.finish(at(game), "9S 2H KD 6C")
    terminal = await a_round_with_bets(visit, game, seat_of(kind))
    before = terminal.you.credit_cents + sum(BETS.values())
    await visit.do("dealer", at(game), round_commands.CloseBetting)
    await visit.deal(at(game), FOUR)
    clause = load_game(game).document.clause(kind, cards_dealt=4)
    report = NAMED.get(kind, {})
    if "wager" in report:
        report = {**report, "seat": terminal.you.seat}
    if kind is Kind.FOUND_LATER:
        report = {"about_round": terminal.table.round - 1}
    await visit.do(
        "dealer", at(game), round_commands.ReportIrregularity, kind=kind, detail="seen by the dealer", **report
    )

    await terminal.until(lambda one: one.table.waiting)
    [waiting] = terminal.table.waiting
    assert (waiting.kind, waiting.rank, waiting.may_replace_shoe) == (
        kind,
        clause.rank.tag,
        clause.may_replace_shoe,
    )
    assert [(one.remedy, one.paragraph) for one in waiting.remedies] == allowed(game, clause, kind, FOUR)
    assert (await visit.refused("dealer", at(game), round_commands.DealCard, card="3D")).status == 409, (
        "the table waits"
    )
    assert terminal.you.staked_cents == sum(BETS.values())

    remedy = waiting.remedies[0]
    ordered = {"cards": ("6D", "5H")} if remedy.remedy is Remedy.DECIDE_ORDER else {}
    await decide(visit, game, kind, clause, remedy=remedy.remedy, why="as the clause has it", **ordered)
    await terminal.until(lambda one: not one.table.waiting)
    if remedy.remedy is Remedy.VOID:
        voided = terminal.table.voided
        assert voided
        assert (voided.kind, voided.why, voided.clause) == (kind, "as the clause has it", remedy.paragraph)
    await play_on(visit, game)
    tie = {Remedy.REFUSE_BET: 0, Remedy.BET_STANDS: 2 * LATE}.get(remedy.remedy, LATE)
    await check_money(terminal, game, before, {wager: cents for wager, cents in {**BETS, "tie": tie}.items() if cents})
    if remedy.remedy is Remedy.DECIDE_ORDER:
        assert terminal.table.cards[4].card == "6D"


@pytest.mark.parametrize("game", GAMES)
async def test_a_card_put_at_the_wrong_hand_is_caught(visit: Visit, game: str) -> None:
    terminal = await a_round_with_bets(visit, game, seat_of(Kind.WRONG_AREA))
    before = terminal.you.credit_cents + sum(BETS.values())
    await visit.do("dealer", at(game), round_commands.CloseBetting)
    await visit.do("dealer", at(game), round_commands.DealCard, card="4S", put_at=Hand.BANKER)
    await terminal.until(lambda one: one.table.waiting)
    [waiting] = terminal.table.waiting
    assert waiting.kind is Kind.WRONG_AREA
    clause = load_game(game).document.clause(Kind.WRONG_AREA, cards_dealt=1)
    await decide(visit, game, Kind.WRONG_AREA, clause, remedy=Remedy.RECONSTRUCT)
    await play_on(visit, game)
    await check_money(terminal, game, before)


@pytest.mark.parametrize("game", GAMES)
async def test_a_wrong_result_is_settled_again_by_the_cards(visit: Visit, game: str) -> None:
    """The Player's 6 was registered as a 9; the terminals were paid on it, and are now paid by the cards."""
    terminal = await a_round_with_bets(visit, game, seat_of(Kind.WRONG_RESULT))
    before = terminal.you.credit_cents + sum(BETS.values())
    await visit.finish(at(game), "9S 2H KD 6C")
    await check_money(terminal, game, before)
    paid_wrongly = terminal.you.credit_cents
    clause = load_game(game).document.clause(Kind.WRONG_RESULT, cards_dealt=4)
    await visit.do(
        "dealer", at(game), round_commands.ReportIrregularity, kind=Kind.WRONG_RESULT, detail="a six, not a nine"
    )
    right = ("6S", "2H", "KD", "6C")
    await decide(visit, game, Kind.WRONG_RESULT, clause, remedy=Remedy.SETTLE_BY_CARDS, why="misread", cards=right)
    await terminal.until(lambda one: one.table.cards[0].card == "6S")
    await terminal.until(lambda one: one.you.credit_cents != paid_wrongly)
    await check_money(terminal, game, before)


async def test_in_a_four_card_window_the_shoe_can_be_reported_empty(visit: Visit) -> None:
    """No card is dealt while insurance is open, yet one is due after it: the console offers what the table takes."""
    game = "rws-nc-insurance"
    await a_round_with_bets(visit, game, 1)
    await visit.do("dealer", at(game), round_commands.CloseBetting)
    await visit.deal(at(game), "4S 5H KD QC")
    seen = await visit.see(at(game))
    assert (seen.table.phase, seen.table.due, seen.table.draws) == ("four-cards-insurance", None, "player")
    [offered] = [one for one in seen.console.reports if one.kind is Kind.INSUFFICIENT_CARDS]
    assert (offered.not_now, offered.cards, offered.rank) == (None, 0, "pit-supervisor")
    await visit.do("dealer", at(game), round_commands.ReportIrregularity, kind=Kind.INSUFFICIENT_CARDS)
    seen = await visit.see(at(game))
    [waiting] = seen.table.waiting
    assert (waiting.kind, waiting.rank) == (Kind.INSUFFICIENT_CARDS, offered.rank)
    assert {one.paragraph for one in waiting.remedies} == set(offered.paragraphs)
    assert [one for one in seen.console.reports if not one.not_now], "something else may be reported meanwhile"
    await visit.do("pit-supervisor", at(game), round_commands.DecideIrregularity, remedy=Remedy.VOID, why="empty")
    assert (await visit.see(at(game))).table.voided.kind is Kind.INSUFFICIENT_CARDS  # type: ignore[union-attr]


async def test_voiding_outside_any_clause_is_the_shift_managers(visit: Visit) -> None:
    terminal = await a_round_with_bets(visit, "rws-nc", 1)
    before = terminal.you.credit_cents + sum(BETS.values())
    no = await visit.refused("dealer", at("rws-nc"), round_commands.VoidRound, why="a chair fell")
    assert (no.status, no.code) == (403, "not-allowed")
    for role in ("pit-supervisor", "pit-manager"):
        no = await visit.refused(role, at("rws-nc"), round_commands.VoidRound, why="a chair fell")
        assert (no.status, no.code) == (409, "rank-too-low")
    await visit.do("shift-manager", at("rws-nc"), round_commands.VoidRound, why="a chair fell")
    await check_money(terminal, "rws-nc", before)
    assert terminal.table.voided
    assert (terminal.table.voided.kind, terminal.table.voided.why) == (None, "a chair fell")


async def test_a_wrong_password_at_the_console_decides_nothing(visit: Visit) -> None:
    await a_round_with_bets(visit, "mbs-tiger", 1)
    await visit.do("dealer", at("mbs-tiger"), round_commands.ReportIrregularity, kind=Kind.NOT_COVERED)
    dealer = await visit.person("dealer")
    body = {
        "request": "x",
        "command": orders.write(round_commands.DecideIrregularity(remedy=Remedy.VOID)),
        "sign_in": {"id": "sam", "password": "guessed"},
    }
    with pytest.raises(Exception, match="403 sign-in-refused"):
        await dealer.post(f"/api/tables/{at('mbs-tiger')}/commands", body)
    assert (await visit.see(at("mbs-tiger"))).table.waiting
    await visit.do(
        "shift-manager", at("mbs-tiger"), round_commands.DecideIrregularity, remedy=Remedy.VOID, why="enough"
    )

"""kill -9 at moments chosen by a seed: what was acknowledged is there, what was not is charged once at most."""

import asyncio
import os
import random
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest

from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import commands as round_commands
from natural9.journal.line import JournalLine, read_line
from natural9.server import protocol
from natural9.server.client import Answer, Closed
from natural9.table.commands import terminal as taps
from tests.server.live_server import Server, Terminal, Visit, automatic, new_venue, running, table

QUICK = {"betting": 0.25, "reveal": 0.01, "result": 0.02}
# By its clause an interrupted round is concluded or void (mbs 5.9, rws-nc 5.1); the third document has none.
TABLES = {"mbs": "mbs-tiger", "rws": "rws-nc", "silent": "rws-nc-super-six-plus"}
CLAUSES = {
    "mbs": {Remedy.VOID: "mbs 5.9.1", Remedy.CONTINUE: "mbs 5.9.2"},
    "rws": {Remedy.VOID: "rws-nc 5.1.2", Remedy.CONTINUE: "rws-nc 5.1.1"},
}
SEATS = (1, 2, 3)
SEEDS = int(os.environ.get("NATURAL9_KILLS", "4"))
CREDIT = 1_000_000


class Asked(NamedTuple):
    command: taps.Tap
    round: int  # that was on
    answer: Answer | None = None  # None: nothing was heard


class Player:
    """Plays at random, and writes down what it asked and was answered."""

    def __init__(self, terminal: Terminal, chance: random.Random) -> None:
        self.terminal, self.chance = terminal, chance
        self.asked: list[Asked] = []

    def choose(self) -> taps.Tap:
        request, number = self.terminal.live.new_request(), self.terminal.table.round
        match self.chance.randrange(8):
            case 0:
                return taps.CashOut(request=request, cents=100 * self.chance.randrange(1, 50))
            case 1:
                return taps.Undo(request=request, round=number)
            case 2:
                return taps.Double(request=request, round=number)
            case _:
                wager = self.chance.choice(("player", "banker", "tie", "player"))
                return taps.Bet(request=request, round=number, wager=wager, cents=100 * self.chance.randrange(1, 30))

    async def play(self, heard: asyncio.Semaphore) -> None:
        """Until the server is gone: several requests on their way at any time."""
        with suppress(Closed):
            while True:
                if self.terminal.table.phase != "betting-open":
                    await self.terminal.until(lambda one: one.table.phase == "betting-open" or one.live._closed)
                commands = [self.choose() for _ in range(self.chance.randrange(1, 5))]
                answers = await asyncio.gather(*(self.one(command) for command in commands), return_exceptions=True)
                for _ in commands:
                    heard.release()
                await asyncio.sleep(0.02)  # the server takes so many at once from one terminal, and no flood
                if any(isinstance(answer, BaseException) for answer in answers):
                    return

    async def one(self, command: taps.Tap) -> None:
        place, number = len(self.asked), self.terminal.table.round
        self.asked.append(Asked(command, number))
        self.asked[place] = Asked(command, number, await self.terminal.live.ask(command))


class Left(NamedTuple):
    """What is left of a player when the power is gone."""

    table: str
    seat: int
    cookies: str
    after: str
    round: int
    asked: list[Asked]


async def play_until_killed(visit: Visit, server: Server, chance: random.Random) -> list[Left]:
    await visit.open(*TABLES)
    heard = asyncio.Semaphore(0)
    players = {
        (table, seat): Player(await visit.sit(table, seat, CREDIT), random.Random(chance.random()))
        for table in TABLES
        for seat in SEATS
    }
    playing = [asyncio.create_task(player.play(heard)) for player in players.values()]
    for _ in range(chance.randrange(20, 300)):
        await heard.acquire()
    for _ in range(chance.randrange(12)):  # not always just after an answer
        await asyncio.sleep(0)
    server.kill()
    for terminal in players.values():
        await terminal.terminal.live.wait_closed()
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    return [
        Left(table, seat, at.client.cookies, f"{at.epoch}:{at.n}", at.table.round, one.asked)
        for (table, seat), one in players.items()
        for at in (one.terminal,)
    ]


def charged(lines: list[JournalLine], seat: int) -> Counter[str]:
    """How often each request of a seat was carried out."""
    mine = [line for line in lines if line.command and line.origin.by.endswith(f"-{seat}")]
    return Counter(line.origin.request for line in mine if line.event.TAG != "request-refused")


async def check_answers(server: Server, left: list[Left]) -> None:
    """Every acknowledged request stands in the journal once, a refused one never; no other request more than once."""
    for one in left:
        lines = [read_line(entry) for entry in await server.history(f"table/{one.table}")]
        done = charged(lines, one.seat)
        for asked in one.asked:
            if isinstance(asked.answer, protocol.Registered):
                assert done[asked.command.request] == 1, (one.table, one.seat, asked)
            elif isinstance(asked.answer, protocol.Refused):
                assert not done[asked.command.request], (one.table, one.seat, asked)
        assert all(times == 1 for times in done.values())


async def ask_again(visit: Visit, one: Left) -> None:
    """Back from before, with the same cookie and the same requests: told what is committed, charged nothing twice."""
    client = await visit.again(one.cookies)
    terminal = await visit.connect(client, one.table, after=one.after)
    await terminal.until(lambda back: back.of(protocol.Welcome), "a welcome: the epoch is another")
    for asked in one.asked[-40:]:  # some rounds back
        credit, answer = terminal.you.credit_cents, await terminal.live.ask(asked.command)
        if isinstance(asked.answer, protocol.Registered):
            assert isinstance(answer, protocol.Registered), (asked, answer)
            assert answer.voucher == asked.answer.voucher
            assert terminal.you.credit_cents >= credit
        elif isinstance(asked.answer, protocol.Refused):
            assert isinstance(answer, protocol.Refused), (asked, answer)
            assert (answer.code, answer.said) == (asked.answer.code, asked.answer.said)


async def check_interrupted(visit: Visit, server: Server, table: str) -> None:
    lines = [read_line(entry) for entry in await server.history(f"table/{table}")]
    reported = [line.event for line in lines if line.event.TAG == "irregularity-reported"]
    assert {event.kind for event in reported} <= {Kind.TABLE_INTERRUPTION}  # type: ignore[attr-defined]
    if table in CLAUSES:
        decided = [line.event for line in lines if line.event.TAG == "irregularity-decided"]
        assert len(decided) == len(reported)
        for event in decided:
            assert event.paragraph == CLAUSES[table][event.remedy]  # type: ignore[attr-defined]
        return
    if not reported:
        return  # it was killed between two rounds
    [waiting] = (await visit.see(table)).table.waiting
    assert waiting.rank == "shift-manager"
    assert (
        await visit.refused("pit-manager", table, round_commands.DecideIrregularity, remedy=Remedy.VOID)
    ).code == "rank-too-low"
    await visit.do(
        "shift-manager", table, round_commands.DecideIrregularity, remedy=Remedy.VOID, why="the power failed"
    )
    seen = (await visit.see(table)).table
    assert seen.waiting == ()


@pytest.mark.parametrize("seed", range(1, SEEDS + 1))
async def test_killed_at_a_moment_of_the_seed(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    folder = new_venue(tmp_path / "venue", *(automatic(id, game, **QUICK) for id, game in TABLES.items()))
    with running(folder) as server:
        async with Visit(server) as visit:
            left = await play_until_killed(visit, server, chance)
        held = await server.check_books()
        await check_answers(server, left)
        if chance.random() < 0.5:  # and once more, while it is coming back
            server.start()
            server.kill()
        server.start()
        async with Visit(server) as visit:
            silent = (await visit.see("silent")).table
            if silent.waiting:
                balances = await server.check_books()
                assert balances.get("stake/silent", 0) == held.get("stake/silent", 0), "bets are held"
            await asyncio.gather(*(ask_again(visit, one) for one in left))
            for table in TABLES:
                await check_interrupted(visit, server, table)
        await check_answers(server, left)
        assert server.terminate() == 0
        assert (await server.check_every_round()).bets
        balances = await server.check_books()
        assert not [account for account in balances if account.startswith("stake/")], "every round has ended"
        players = sum(cents for account, cents in balances.items() if account.startswith(("credit/", "voucher/")))
        house = sum(cents for account, cents in balances.items() if account.startswith("house/"))
        assert players + house == CREDIT * len(TABLES) * len(SEATS)


async def test_without_a_clause_the_table_waits_for_the_shift_manager_with_its_bets(tmp_path: Path) -> None:
    """Both documents that are silent on power cuts: one round is continued, the other void, as sam decides."""
    tables = {"insured": "rws-nc-insurance", "plus": "rws-nc-super-six-plus"}
    never_short = "short_interruption = 0\n"
    folder = new_venue(tmp_path / "venue", *(table(id, game) for id, game in tables.items()), venue=never_short)
    with running(folder) as server:
        async with Visit(server) as visit:
            cookies = {}
            for id in tables:
                terminal = await visit.sit(id, 1, 10_000)
                number = await visit.begin_round(id)
                await terminal.betting_open(after=number - 1)
                await terminal.bet("player", 2_500)
                await visit.do("dealer", id, round_commands.CloseBetting)
                await visit.deal(id, "4S 2H")
                cookies[id] = terminal.client.cookies
            server.kill()
        server.start()
        async with Visit(server) as visit:
            for id, remedy in zip(tables, (Remedy.CONTINUE, Remedy.VOID), strict=True):
                terminal = await visit.connect(await visit.again(cookies[id]), id)
                [waiting] = terminal.table.waiting  # real cards: somebody looks at them first
                assert (waiting.kind, waiting.rank) == (Kind.TABLE_INTERRUPTION, "pit-supervisor")
                confirm = {"remedy": Remedy.CONFIRM_CARDS, "why": "they lie as keyed"}
                await visit.do("pit-supervisor", id, round_commands.DecideIrregularity, **confirm)
                await terminal.until(lambda one: one.table.waiting and one.table.waiting[0].rank == "shift-manager")
                assert (terminal.you.credit_cents, terminal.you.bets) == (7_500, {"player": 2_500})
                assert (await visit.refused("dealer", id, round_commands.DealCard, card="5D")).status == 409
                assert (
                    await visit.refused("pit-manager", id, round_commands.DecideIrregularity, remedy=remedy)
                ).code == "rank-too-low"
                await visit.do(
                    "dealer",
                    id,
                    round_commands.DecideIrregularity,
                    sign_in="shift-manager",
                    remedy=remedy,
                    why="the power failed",
                )
                if remedy is Remedy.CONTINUE:
                    await visit.deal(id, "5D KC")  # 9 to 2
                    await visit.do("dealer", id, round_commands.DeclareResult)
                    await visit.do("dealer", id, round_commands.Settle)
                await terminal.until(lambda one: one.you.returned_cents is not None)
                assert terminal.you.credit_cents == (12_500 if remedy is Remedy.CONTINUE else 10_000)
        await server.check_books()
        await server.check_every_round()

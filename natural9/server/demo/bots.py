"""Bots at the terminals: they play over the real WebSocket, at a person's pace, and come back after a lost line."""

import asyncio
from random import Random
from secrets import token_hex
from typing import Final, NamedTuple

import httpx
import structlog
from picows import WSError, WSInvalidStatusError

from natural9.core.round.state import Phase
from natural9.core.table_of_play import Hand
from natural9.server import protocol
from natural9.server.client import Answer, Client, Closed, Live, ServerSaidNo
from natural9.server.demo.betting import Move, in_this_round, is_broke, plan_insurance, plan_round
from natural9.server.demo.cashier import Cashier
from natural9.table.commands import terminal
from natural9.table.shoes.mixing import nonce_commitment
from natural9.table.state.seat_view import SeatView
from natural9.table.state.view import TableView

BUY_IN_CENTS: Final = 50_000
LEAVES_AT_CENTS: Final = 4 * BUY_IN_CENTS
RESTS_ROUNDS: Final = 3  # after cashing out, before buying in again
LONGEST_BACK_OFF_S: Final = 5.0
IDLE_S: Final = 3600.0

log = structlog.get_logger()


class Due(NamedTuple):
    """A tap that is planned, by the clock of the loop; what is not for this round and window is dropped."""

    at_s: float
    round: int
    move: Move | tuple[Hand, int]


class Bot:
    """One player at one seat. `run` never ends by itself, unless somebody else takes the terminal."""

    def __init__(
        self,
        client: Client,
        cashier: Cashier,
        *,
        table: str,
        seat: int,
        chance: Random,
        window_s: float,
        leaves_at_cents: int = LEAVES_AT_CENTS,
    ) -> None:
        self.table, self.seat, self.leaves_at_cents = table, seat, leaves_at_cents
        self._client, self._cashier, self._chance = client, cashier, chance
        self._window_s = window_s  # at a dealer's table nobody says when betting closes
        self._view: TableView | None = None
        self._you: SeatView | None = None
        self._epoch, self._n, self._now_ms = "", 0, 0
        self._planned = 0  # the last round that was thought about, so that no reconnect makes it bet twice
        self._insured: tuple[int, str] = (0, "")
        self._due: list[Due] = []
        self._unanswered: terminal.Tap | None = None
        self._rests_until, self._bought_in = 0, -1
        self._nonces: dict[str, str] = {}  # what it mixes into shoes, by the commitment
        self._committed_for = 0  # a shoe: once for each
        self._news = asyncio.Event()

    async def run(self) -> None:
        back_off_s = 0.2
        while True:
            try:
                live = await self._client.connect(f"/ws/table/{self.table}", after=self._after)
                back_off_s = 0.2
                await self._play(live)
            except Closed as closed:
                if closed.code in (protocol.REPLACED, protocol.SESSION_ENDED):
                    return
            except WSInvalidStatusError as no:
                if no.response is None or no.response.status in (401, 403):
                    return  # the terminal is somebody else's now
                log.info("bot waits", table=self.table, seat=self.seat, why=str(no))
            except (OSError, WSError, httpx.HTTPError, ServerSaidNo, TimeoutError) as error:
                log.info("bot waits", table=self.table, seat=self.seat, why=str(error))
            await asyncio.sleep(back_off_s * self._chance.uniform(0.5, 1))
            back_off_s = min(LONGEST_BACK_OFF_S, back_off_s * 2)

    @property
    def _after(self) -> str:
        return f"{self._epoch}:{self._n}" if self._epoch else ""

    async def _play(self, live: Live) -> None:
        live.on_message = self._hear
        while live.messages:  # what came before we listened
            self._hear(live.messages.popleft())
        closing = asyncio.create_task(live.wait_closed(timeout_s=10**6))
        try:
            if self._unanswered:  # asked when the line was lost: the same request again gets the same answer
                await self._ask(live, self._unanswered)
            while not closing.done():
                self._think()
                await self._visit_cashier(live)
                await self._mix(live)
                await self._wait(closing)
                await self._tap(live)
                self._turn_cards(live)
            raise closing.result()
        finally:
            closing.cancel()
            live.close()

    # What it sees

    def _hear(self, message: protocol.FromServer) -> None:
        match message:
            case protocol.Welcome():
                self._epoch, self._n, self._now_ms = message.epoch, message.n, message.now_ms
                self._view, self._you = message.table, message.you
            case protocol.TableMessage():
                self._n, self._now_ms, self._view = message.n, message.now_ms, message.table
            case protocol.SeatMessage() | protocol.Registered() | protocol.Refused() if message.you:
                self._you = message.you
            case _:
                return
        self._news.set()

    def _think(self) -> None:
        view, you = self._view, self._you
        if view is None or you is None or view.round < self._rests_until or you.locked:
            return
        now_s = asyncio.get_running_loop().time()
        if view.phase is Phase.BETTING_OPEN and view.round > self._planned:
            you = in_this_round(you, view.round)
            self._planned = view.round
            moves = plan_round(self._chance, view, you)
            self._due = [
                Due(now_s + move.when * self._open_s(view, self._window_s), view.round, move) for move in moves
            ]
        window = (view.round, view.window or "")
        if view.window_open and window != self._insured and you.may_insure:
            self._insured = window
            if insurance := plan_insurance(self._chance, view, you):
                wait_s = self._open_s(view, 2.0) * self._chance.uniform(0.1, 0.8)
                self._due = [Due(now_s + wait_s, view.round, insurance)]

    def _open_s(self, view: TableView, otherwise_s: float) -> float:
        """How much of the window there is to use; the last tenth is left alone."""
        left_s = otherwise_s if view.closes_at_ms is None else (view.closes_at_ms - self._now_ms) / 1000
        return max(0.0, left_s) * 0.9

    async def _wait(self, closing: "asyncio.Task[Closed]") -> None:
        """Until there is news, the line is gone, or the next tap is due."""
        wait_s = self._due[0].at_s - asyncio.get_running_loop().time() if self._due else IDLE_S
        news = asyncio.create_task(self._news.wait())
        try:
            await asyncio.wait((news, closing), timeout=max(0.0, wait_s), return_when=asyncio.FIRST_COMPLETED)
        finally:
            news.cancel()
        self._news.clear()

    # What it does

    async def _tap(self, live: Live) -> None:
        view = self._view
        while self._due and view and self._due[0].at_s <= asyncio.get_running_loop().time():
            due = self._due.pop(0)
            if due.round != view.round:
                continue
            if command := self._command(live.new_request(), view, due.move):
                await self._ask(live, command)

    async def _mix(self, live: Live) -> None:
        """It takes part in every shoe that the seats mix: commits to a nonce, and reveals it when it is asked."""
        view, you = self._view, self._you
        if view is None or you is None or view.shoe.mix is None:
            return
        mix = view.shoe.mix
        if mix.shoe and (nonce := self._nonces.pop(you.to_reveal, "")):
            await self._ask(live, terminal.RevealNonce(request=live.new_request(), shoe=mix.shoe, nonce=nonce))
        if you.nonce not in self._nonces and self._committed_for != mix.next_shoe:
            self._committed_for = shoe = mix.next_shoe
            nonce = token_hex(32)
            commitment = nonce_commitment(table=self.table, shoe=shoe, seat=self.seat, nonce=nonce)
            self._nonces[commitment] = nonce
            await self._ask(live, terminal.CommitNonce(request=live.new_request(), shoe=shoe, commitment=commitment))

    def _turn_cards(self, live: Live) -> None:
        """A bot does not squeeze: it keeps nobody waiting."""
        view = self._view
        if view and view.squeeze and view.squeeze.ends_at_ms is not None:
            live.send(protocol.Turned(round=view.round, cards=len(view.cards)))

    def _command(self, request: str, view: TableView, move: Move | tuple[Hand, int]) -> terminal.Tap | None:
        """None where its window has closed meanwhile."""
        if not isinstance(move, Move):
            hand, cents = move
            return (
                terminal.Insure(request=request, round=view.round, hand=hand, cents=cents) if view.window_open else None
            )
        if view.phase is not Phase.BETTING_OPEN:
            return None
        match move.what:
            case "bet":
                return terminal.Bet(request=request, round=view.round, wager=move.wager, cents=move.cents)
            case "undo":
                return terminal.Undo(request=request, round=view.round)
            case "double":
                return terminal.Double(request=request, round=view.round)
            case "re-bet":
                return terminal.ReBet(request=request, round=view.round)

    async def _ask(self, live: Live, command: terminal.Tap) -> Answer:
        self._unanswered = command
        answer = await live.ask(command)
        if isinstance(answer, protocol.Unknown):  # the table has stopped: come back, and ask the same again
            raise TimeoutError(answer.why.said)
        self._unanswered = None
        if isinstance(answer, protocol.Refused):
            self._due.clear()  # what was planned stood on this
            log.info("bot refused", table=self.table, seat=self.seat, code=answer.code, why=answer.message)
        return answer

    async def _visit_cashier(self, live: Live) -> None:
        """Between its bets: broke, it buys in; with a fortune, it cashes out, is paid, and rests for some rounds."""
        view, you = self._view, self._you
        if view is None or you is None or self._due or view.round < self._rests_until:
            return
        if view.phase not in (Phase.SETTLED, Phase.VOID, Phase.NO_ROUND):
            return
        if is_broke(view, you):
            if self._bought_in != view.round:  # once: the table says how much it is now a moment later
                self._bought_in = view.round
                await self._cashier.buy_in(self.table, self.seat, BUY_IN_CENTS)
        elif you.credit_cents >= self.leaves_at_cents:
            answer = await self._ask(live, terminal.CashOut(request=live.new_request()))
            if isinstance(answer, protocol.Registered) and answer.voucher:
                await self._cashier.pay(answer.voucher)
                self._rests_until = view.round + RESTS_ROUNDS

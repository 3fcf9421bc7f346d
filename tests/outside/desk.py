"""The cash desk over HTTP: one cashier credits terminals and pays them out by hand, another pays vouchers."""

import asyncio
import random
from collections.abc import Iterable
from itertools import count

import httpx

from tests.outside.books import Answer, Ask, Books, Message, Verdict
from tests.outside.moments import Trap
from tests.outside.person import Person, understood, wait_s

AT_ONCE = 8
OLD_ONES = 3
IN_FLIGHT = 40
PAY = "pay-voucher"


class Desk:
    """One cashier. What was not answered is asked again after every restart, with the same ids."""

    def __init__(self, books: Books, person: Person, chance: random.Random, seats: list[tuple[str, int]]) -> None:
        self.books, self.person, self.chance, self.seats = books, person, chance, seats
        self.sender = f"staff/{person.id}"
        self.trap: Trap
        self.over = False
        self._count = count(1)

    def make(self) -> Ask | None:
        """The next thing to ask; None if there is nothing."""
        raise NotImplementedError

    async def play(self) -> None:
        """Until the line is cut, or nobody is there any more."""
        self.over = False
        try:
            await self.send_again()
            while not self.over:
                new = [self.make() for _ in range(self.chance.randint(1, AT_ONCE))]
                await self._all(ask for ask in new if ask)
                await asyncio.sleep(self.chance.choice((0.02, 0.1, 0.2)))
                await self._all(self.chance.sample(self.books.undecided(self.sender), min(1, self._waiting())))
        except httpx.TransportError:
            pass

    def _waiting(self) -> int:
        return self.books.in_flight(self.sender)

    async def send_again(self) -> None:
        answered = self.books.decided(self.sender)
        old = self.chance.sample(answered, min(OLD_ONES, len(answered)))
        asks = [*self.books.undecided(self.sender), *old]
        for start in range(0, len(asks), AT_ONCE):
            await self._all(asks[start : start + AT_ONCE])

    async def _all(self, asks: Iterable[Ask]) -> None:
        """Together; when the line is cut, only once each has heard what there is to hear."""
        heard = await asyncio.gather(*(self.send(ask) for ask in asks), return_exceptions=True)
        for one in heard:
            if isinstance(one, BaseException):
                raise one

    async def send(self, ask: Ask) -> None:
        again = bool(ask.sent)
        self.books.sending(ask)

        def sent() -> None:
            self.trap.tell(f"sent {ask.kind}")
            if again:
                self.trap.tell("sent again")

        response = await self.person.post(*_written(ask), sent)
        answer = understood(response)
        self.books.heard(self.sender, ask.id, answer)
        self.trap.tell(f"{answer.verdict} {ask.kind}")
        if answer.verdict is Verdict.DONE and ask.kind == PAY:
            self._paid(ask, response.json())
        if response.status_code == 429:
            await asyncio.sleep(wait_s(response))

    def _paid(self, ask: Ask, said: Message) -> None:
        if said.get("number") != ask.content["number"]:
            self.books.wrong("another voucher than asked", f"{ask}: {said}")

    def _new(self, content: Message, place: str) -> Ask | None:
        if self._waiting() >= IN_FLIGHT:
            return None
        return self.books.new(self.sender, f"{self.person.id}/{next(self._count)}", content, place)


class Cashier(Desk):
    """Credits terminals, the poor ones oftenest, and pays some credit out by hand."""

    def make(self) -> Ask | None:
        table, seat = self.chance.choice(self.seats)
        if self.chance.random() < 0.15:
            pay = {"type": "hand-pay", "seat": seat, "cents": 100 * self.chance.randint(1, 60)}
            return self._new({"command": pay, "why": "the player leaves"}, table)
        cents = 100 * self.chance.randint(5, 200)
        return self._new({"command": {"type": "credit-terminal", "seat": seat, "cents": cents}}, table)


class VoucherDesk(Desk):
    """Pays vouchers; now and then one that a terminal may have taken by then, and one id for two vouchers."""

    def make(self) -> Ask | None:
        vouchers = self.books.vouchers
        if not vouchers:
            return None
        voucher = self.chance.choice(vouchers)
        if self.chance.random() < 0.8:
            vouchers.remove(voucher)
        return self._new({"type": PAY, "number": voucher.number, "code": voucher.code}, "")

    async def send_again(self) -> None:
        await super().send_again()
        paid = [ask for ask in self.books.decided(self.sender) if ask.decided == Answer(Verdict.DONE)]
        if paid and self.books.vouchers:
            await self._try_other_voucher(self.chance.choice(paid))

    async def _try_other_voucher(self, ask: Ask) -> None:
        """The id of a payment, with a voucher that is not paid yet."""
        other = self.chance.choice(self.books.vouchers)
        body = {"request": ask.id, "number": other.number, "code": other.code}
        response = await self.person.post("/api/vouchers/pay", body, lambda: self.trap.tell("sent with other content"))
        if response.is_success and response.json()["number"] != ask.content["number"]:
            self.books.wrong("one id, two contents", f"{ask}: also paid {other.number}")


def _written(ask: Ask) -> tuple[str, Message]:
    if ask.kind == PAY:
        number, code = ask.content["number"], ask.content["code"]
        return "/api/vouchers/pay", {"request": ask.id, "number": number, "code": code}
    return f"/api/tables/{ask.place}/commands", {"request": ask.id, **ask.content}

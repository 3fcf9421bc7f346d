"""The demo's cashier: sells the bots credit when they are broke and pays their vouchers."""

from itertools import count
from secrets import token_hex

from natural9.server.client import ServerSaidNo
from natural9.server.demo.staff import StaffClient
from natural9.server.voucher_slip import VoucherSlip
from natural9.table.commands import staff


class Cashier:
    """Works over HTTP, signed in as a cashier."""

    def __init__(self, client: StaffClient) -> None:
        self._client = client
        self._mark, self._count = token_hex(4), count(1)
        self._unanswered: dict[tuple[str, int], str] = {}  # by terminal: asked again under the same id

    async def buy_in(self, table: str, seat: int, cents: int) -> None:
        request = self._unanswered.setdefault((table, seat), f"cashier-{self._mark}-{next(self._count)}")
        try:
            await self._client.order(table, staff.CreditTerminal(seat=seat, cents=cents), request=request)
        except ServerSaidNo as no:
            if no.is_decided:
                del self._unanswered[table, seat]
            raise
        del self._unanswered[table, seat]

    async def pay(self, voucher: VoucherSlip) -> None:
        await self._client.post(
            "/api/vouchers/pay", {"request": voucher.number, "number": voucher.number, "code": voucher.code}
        )

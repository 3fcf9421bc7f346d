"""All reports there are, in the order in which they are listed."""

from typing import Any, Final

from natural9.server.reports.close_outs import CLOSE_OUTS
from natural9.server.reports.corrections import CORRECTIONS
from natural9.server.reports.debts import DEBTS
from natural9.server.reports.desks import DESKS
from natural9.server.reports.devices import DEVICES
from natural9.server.reports.drawer import DRAWER
from natural9.server.reports.events import EVENTS
from natural9.server.reports.hold import HOLD
from natural9.server.reports.meters import METERS
from natural9.server.reports.player_statement import PLAYER_STATEMENT
from natural9.server.reports.players import PLAYERS
from natural9.server.reports.protection import PROTECTION
from natural9.server.reports.report import Report
from natural9.server.reports.shifts import SHIFTS
from natural9.server.reports.staff import STAFF
from natural9.server.reports.transactions import TRANSACTIONS
from natural9.server.reports.vouchers import VOUCHERS
from natural9.server.reports.win import WIN

REPORTS: Final[tuple[Report[Any], ...]] = (
    WIN, HOLD, METERS, VOUCHERS, CORRECTIONS, EVENTS, SHIFTS, TRANSACTIONS, DESKS, DRAWER, CLOSE_OUTS, DEBTS,
    STAFF, DEVICES, PROTECTION, PLAYERS, PLAYER_STATEMENT,
)  # fmt: skip

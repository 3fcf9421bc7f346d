"""The people and devices of the demo, each with a link that lets a browser in once.

A link carries the account's own one-time code behind the #, which browsers keep to themselves: it reaches no log and no
other site. The page sets a password by it, or enrols the browser, exactly as at a real venue; then it is worth nothing.
"""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from natural9.server.house import House
from natural9.server.people.devices import Place
from natural9.server.people.permissions import Role
from natural9.server.people.records import IssuedCode
from natural9.server.people.register import VENUE

BY: Final = VENUE
START: Final = "/"  # the page that reads what stands behind the #
_NAMES: Final = {
    Role.DEALER: ("mei.tan", "Mei Tan"),
    Role.PIT_SUPERVISOR: ("arun.das", "Arun Das"),
    Role.PIT_MANAGER: ("lena.koh", "Lena Koh"),
    Role.SHIFT_MANAGER: ("omar.lim", "Omar Lim"),
    Role.CASHIER: ("rosa.ng", "Rosa Ng"),
    Role.AUDITOR: ("ivy.chen", "Ivy Chen"),
    Role.ADMINISTRATOR: ("sam.lee", "Sam Lee"),
}
# Somebody for every role: who has no name here goes by the role's.
PEOPLE: Final[dict[Role, tuple[str, str]]] = {role: _NAMES.get(role, (role.value, role.title)) for role in Role}
SIGNS: Final = PEOPLE[Role.PIT_MANAGER][0]  # an earlier run may have left credit at a seat
YOUR_SEAT: Final = 1  # at every table; the bots sit beside


class SignInLink(Struct, frozen=True, kw_only=True):
    """One way in. `table` is empty for staff, who see them all."""

    role: str
    id: str
    name: str
    table: str
    link: str


async def staff_code(house: House, id: str, *, name: str, role: Role) -> IssuedCode:
    """A new account's first code, or a new one for an account of an earlier run."""
    known = {record.id: record for record in house.accounts.all()}
    if id not in known:
        return await house.accounts.add(id, name=name, role=role, by=BY)
    if known[id].disabled:
        await house.accounts.enable(id, by=BY)
    return await house.accounts.new_code(id, by=BY)


async def sign_in_links(house: House, address: str, *, tables: Iterable[str]) -> list[SignInLink]:
    """One for each role, one for seat 1 of each of these tables, and one for a display on the wall."""
    links = []
    for role, (id, name) in PEOPLE.items():
        issued = await staff_code(house, id, name=name, role=role)
        links.append(SignInLink(role=role, id=id, name=name, table="", link=f"{address}{START}#code={issued.code}"))
    return [*links, *await _device_links(house, address, tables)]


async def _device_links(house: House, address: str, tables: Iterable[str]) -> list[SignInLink]:
    places = [Place("terminal", table, YOUR_SEAT) for table in tables] + [Place("display", "", None)]
    issued = await house.accounts.devices.add(places, by=BY, signed_by=SIGNS)
    return [
        SignInLink(
            role=place.kind,
            id=one.id,
            name=house.venue.tables[place.table].title if place.table else "any table",
            table=place.table,
            link=f"{address}{START}#enrol={one.code}",
        )
        for place, one in zip(places, issued, strict=True)
    ]


async def terminal_codes(house: House, seats: Iterable[tuple[str, int]]) -> list[str]:
    places = [Place("terminal", table, seat) for table, seat in seats]
    return [one.code for one in await house.accounts.devices.add(places, by=BY, signed_by=SIGNS)] if places else []

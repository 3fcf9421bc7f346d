"""Terminals at seats of a house in this process: only those are credited."""

from natural9.server.house import House
from natural9.server.people.devices import Place


async def enrol_terminals(house: House, table: str, *seats: int) -> None:
    for issued in await house.accounts.devices.add([Place("terminal", table, seat) for seat in seats], by="ada"):
        await house.accounts.devices.enrol(issued.code, peer="")

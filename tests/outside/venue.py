"""A venue, set up as an operator does it: a venue file, people hired and devices enrolled by their codes."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from tests.outside.person import Person
from tests.outside.server import Server

HEAD = """
[venue]
name = "Seen from outside"
currency = "SGD"
zone = "Asia/Singapore"
day_starts = "06:00"
short_interruption = {short_s}

[cage]
second_signature = 100000

[server]
port = 0
"""
TABLE = """
[[table]]
id = "{id}"
game = "{game}"
decks = 8
seats = {seats}
minimum = 1
maximum = 500
timers = {{ betting = {betting_s}, reveal = 0.03, result = 0.05 }}
"""
TABLES = {"a": "rws-nc", "b": "mbs-nc"}
WAGERS = ("player", "banker", "tie", "player-pair", "banker-pair")
MOST_CENTS = 50_000  # on one wager
PASSWORD = "eleven blue doors of "
STAFF = {"pat": "pit-manager", "cass": "cashier", "dave": "cashier"}


def make(
    folder: Path, tables: Mapping[str, str] = TABLES, *, seats: int = 12, betting_s: float = 0.7, short_s: int = 4
) -> Path:
    """Back within `short_s` a table goes on where it stood, later its round is concluded or void."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [TABLE.format(id=id, game=game, seats=seats, betting_s=betting_s) for id, game in tables.items()]
    (folder / "venue.toml").write_text(HEAD.format(short_s=short_s) + "".join(lines), encoding="utf-8")
    return folder


async def hire(server: Server, roles: Mapping[str, str] = STAFF) -> tuple[Person, dict[str, Person]]:
    """The first administrator, by the code that the server prints; then the others, by the codes that she hands out."""
    code = (await server.says(r"with this code, which works once: (\S+)"))[1]
    ada, staff = Person("ada", server.address), {}
    await ada.must("/api/claim-administrator", {"code": code, "id": "ada", "name": "Ada", "password": PASSWORD + "ada"})
    codes = {}  # all of them first: once there is a manager, it takes two people to make another
    for id, role in roles.items():
        codes[id] = (await ada.must("/api/staff/", {"id": id, "name": id.title(), "role": role}))["code"]
    for id, code in codes.items():
        person = staff[id] = Person(id, server.address)
        await person.must("/api/set-password", {"code": code, "password": PASSWORD + id})
        await sign_in(person)
    return ada, staff


async def sign_in(person: Person) -> None:
    await person.must("/api/sign-in", {"id": person.id, "password": PASSWORD + person.id})


async def enrol(ada: Person, address: str, table: str, seats: Iterable[int]) -> dict[int, str]:
    """The cookie of the terminal at each seat."""
    cookies = {}
    for seat in seats:
        [issued] = await ada.must("/api/devices/", {"kind": "terminal", "table": table, "first_seat": seat})
        device = Person(f"{table}-{seat}", address)
        await device.must("/api/enrol", {"code": issued["code"]})
        cookies[seat] = device.cookie_header
        await device.leave()
    return cookies

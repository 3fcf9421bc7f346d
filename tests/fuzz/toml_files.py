"""Files that an operator writes: the venue, a game of one's own, a rulebook."""

from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Final

from natural9.core.errors import BadInput
from natural9.games import loader
from natural9.games.files import DocumentFile
from natural9.games.loader import FOLDER, load_pack
from natural9.games.source import Source
from natural9.games.validator import check_document
from natural9.table.venue.venue import VENUE_FILE, Venue, load_venue
from tests.fuzz.mutation import TEXTS, spoilt
from tests.fuzz.target import Target, Wrong, is_sentence
from tests.lies.house import WITNESS_KEY

EXAMPLE: Final = files("natural9.table.venue").joinpath("example.toml").read_text(encoding="utf-8")
VALUES: Final = ("0", "-1", "true", '""', "[]", "{}", "1e400", "nan", "-inf", "9" * 20, "2026-11-18", '"x"', "0.001")


def spoilt_toml(chance: Random, text: str) -> bytes:
    """A line gone, doubled, moved, with another value or another name; or bytes."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    for _ in range(chance.choice((0, 1, 1, 1, 2))):
        at = chance.randrange(len(lines))
        key, equals, value = lines[at].partition(" = ")
        match chance.randrange(6):
            case 0:
                del lines[at]
            case 1:
                lines.insert(at, chance.choice(lines))
            case 2 if equals:
                lines[at] = f"{key} = {chance.choice(VALUES)}"
            case 3 if equals:
                lines[at] = f"{key} = {_quoted(chance.choice(TEXTS))}"
            case 4 if equals:
                other = chance.choice([line for line in lines if " = " in line])
                lines[at] = f"{key} = {other.partition(' = ')[2]}"
            case 5 if equals:
                lines[at] = f"{key}{chance.choice('x._-')} = {value}"
            case _:
                pass
        if not lines:
            return b""
    written = "\n".join(lines).encode(errors="surrogatepass") + b"\n"
    return spoilt(chance, written) if chance.random() < 0.4 else written


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\0", "\\u0000") + '"'


class Venues(Target):
    name = "venue-files"
    share = 25

    async def open(self, folder: Path) -> None:
        self._file = folder / VENUE_FILE
        for game in ("cert.pem", "key.pem"):
            (folder / game).write_text("no certificate")

    def make(self, chance: Random) -> bytes:
        more = ""
        if chance.random() < 0.4:
            more = chance.choice((
                '[cluster]\nnats = ["nats://127.0.0.1:4222"]\ndatabase = "postgresql://n9@127.0.0.1/venue"\n',
                f'[proof]\norigin = "marina.natural9"\nwitnesses = ["{WITNESS_KEY.verifier}"]\n',
                '[cage]\nceiling = 1000\nsecond_signature = "500.50"\n',
                "[protection]\nreality_check = 30\ndefault_loss = 100\nmost_time = 90\n",
                "[players]\non = true\npoints_per_100 = 3\n[lobby]\nside_by_side = 3\n",
            ))  # fmt: skip
        return spoilt_toml(chance, EXAMPLE + more)

    async def feed(self, given: bytes) -> bool:
        self._file.write_bytes(given)
        try:
            venue = load_venue(self._file)
        except BadInput as error:
            is_sentence(str(error))
            return False
        _check(venue)
        return True


def _check(venue: Venue) -> None:
    """What every venue is, however it was written."""
    limits = [one for table in venue.tables.values() for one in table.limits.by_wager.values()]
    holds = (
        0 <= venue.port <= 65_535
        and 1 <= venue.voucher_days <= 3650
        and venue.name.isprintable()
        and all(1 <= table.seats <= 999_999 and 1 <= table.decks <= 10 for table in venue.tables.values())
        and all(0 <= table.cut_cards < 52 * table.decks for table in venue.tables.values())
        and all(0 < table.timers.betting_s <= 3600 for table in venue.tables.values())
        and all(0 < one.min_cents <= one.max_cents for one in limits)
    )
    if not holds:
        raise Wrong("a venue was taken that makes no sense")


class Packs(Target):
    name = "rule-packs"
    share = 10

    async def open(self, folder: Path) -> None:
        self._folder = folder

    def make(self, chance: Random) -> tuple[str, bytes]:
        path = chance.choice(sorted((FOLDER / "packs").glob("*.toml")))
        return path.name, spoilt_toml(chance, path.read_text(encoding="utf-8"))

    async def feed(self, given: tuple[str, bytes]) -> bool:
        file = self._folder / given[0]
        file.write_bytes(given[1])
        try:
            game = load_pack(file)
        except BadInput as error:
            is_sentence(str(error))
            return False
        if not game.wagers or not 1 <= game.decks.min <= game.decks.max or game.betting_unit_cents <= 0:
            raise Wrong("a game was taken that makes no sense")
        return True


class Documents(Target):
    name = "rulebooks"
    share = 10

    async def open(self, folder: Path) -> None:
        self._file = folder / "own.toml"
        self._known = loader._known()

    def make(self, chance: Random) -> bytes:
        path = chance.choice(sorted((FOLDER / "documents").glob("*.toml")))
        return spoilt_toml(chance, path.read_text(encoding="utf-8"))

    async def feed(self, given: bytes) -> bool:
        self._file.write_bytes(given)
        try:
            source = Source(self._file)
            document = source.read(DocumentFile)
            check_document(source, document, self._known)
        except BadInput as error:
            is_sentence(str(error))
            return False
        return True

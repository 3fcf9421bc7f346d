"""Players' accounts: a number, a name, a card and a PIN; closed and excluded ones do not play."""

from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterator
from contextlib import contextmanager
from datetime import date
from itertools import pairwise
from typing import Final, NamedTuple

from msgspec import json
from msgspec.structs import replace

from natural9.core.errors import BadInput
from natural9.core.paper_codes import as_printed, paper_code
from natural9.core.saying import say
from natural9.journal import player_events as events
from natural9.journal.line import Origin, OriginKind
from natural9.server.people.hashing import Queue
from natural9.server.people.passwords import Passwords, code_hash
from natural9.server.people.records import PLAYER, Exclusion, PlayerRecord, PlayerStatus, check_name
from natural9.server.people.register import VENUE, By, PeopleChange, Register
from natural9.server.people.sessions import MINUTE_MS
from natural9.store.holding import held
from natural9.table.live.exclusive import CARD

FIRST_NUMBER: Final = 10_001
CARD_LETTERS: Final = 12  # five bits each: nobody guesses a card
CARD_PREFIX: Final = "natural9-card:"  # what the QR code of a card begins with
PIN_DIGITS: Final = 6
LOCKS_AFTER: Final = 3  # wrong PINs in a row
LOCK_MS: Final = 15 * MINUTE_MS
_REASON: Final = 200


class IssuedCard(NamedTuple):
    """Shown and printed once: only hashes are kept. What was not made anew is ""."""

    number: str
    card: str = ""
    pin: str = ""


class Players:
    """All players' accounts of a venue; loaded with the staff's."""

    def __init__(self, register: Register, passwords: Passwords) -> None:
        self._register, self._passwords = register, passwords
        self._players: dict[str, PlayerRecord] = {}
        self._by_card: dict[str, str] = {}
        self.is_on = False  # whether the venue has players with names
        self._barred: Counter[str] = Counter()  # by how many changes that are not durable yet
        # Ends the play of somebody who is about to be closed or excluded, wherever they are carded in.
        self.stop_play: Callable[[str], Awaitable[None]] = _nobody_plays

    @property
    def numbers(self) -> Collection[str]:
        return self._players.keys()

    async def read(self, number: str) -> None:
        """What the records say of an account now, where another machine has the office."""
        if self._register.elsewhere():
            self.follow(number, await self._register.store.document(PLAYER + number))

    def follow(self, number: str, kept: bytes | None) -> None:
        """An account as it was read. A lock lasts its minutes and no longer, though a clock went back."""
        if kept is None:
            self._let_go_of_card(number)
            self._players.pop(number, None)
            return
        record = json.decode(kept, type=PlayerRecord)
        most_ms = self._register.clock_ms() + LOCK_MS
        self._hold(replace(record, locked_until_ms=min(record.locked_until_ms, most_ms)))

    def all(self) -> list[PlayerRecord]:
        return list(self._players.values())

    def find(self, number: str) -> PlayerRecord:
        record = self._players.get(number)
        if record is None:
            raise BadInput("unknown-player", say("there is no player {player}", player=repr(number[:40])))
        return record

    def number_of_card(self, card: str) -> str:
        """Whose card it is, as it was scanned or typed; "" if it is none in use."""
        return self._by_card.get(_card_hash(card), "")

    def status(self, record: PlayerRecord) -> PlayerStatus:
        if record.exclusion:
            return "excluded"
        if record.closed:
            return "closed"
        return "locked" if self.is_locked(record) else "open"

    def is_locked(self, record: PlayerRecord) -> bool:
        return self._register.clock_ms() < record.locked_until_ms

    def may_play(self, number: str) -> bool:
        record = self._players.get(number)
        return record is not None and not (record.closed or record.exclusion or number in self._barred)

    # At the desk

    async def add(self, name: str, *, by: By) -> IssuedCard:
        name, pin = check_name(name), _new_pin(self._register.random_bytes)
        pin_hash = await self._passwords.hash(pin, Queue.CARDS)
        number, card = str(FIRST_NUMBER + len(self._players)), _new_card(self._register.random_bytes)
        record = PlayerRecord(number=number, name=name, card_hash=_card_hash(card), pin_hash=pin_hash)
        await self._save(record, events.PlayerAdded(player=number), by=by)
        return IssuedCard(number, card, pin)

    async def rename(self, number: str, name: str, *, by: By) -> PlayerRecord:
        record = replace(self.find(number), name=check_name(name))
        return await self._save(record, events.PlayerRenamed(player=number), by=by)

    async def new_card(self, number: str, *, by: By) -> IssuedCard:
        """For one that was lost: the former is worth nothing from now on."""
        card = _new_card(self._register.random_bytes)
        record = replace(self._open(number), card_hash=_card_hash(card))
        await self._save(record, events.PlayerCardIssued(player=number), by=by)
        return IssuedCard(number, card=card)

    async def new_pin(self, number: str, *, by: By) -> IssuedCard:
        """For one that was forgotten, or locked."""
        self._open(number)
        pin = _new_pin(self._register.random_bytes)
        pin_hash = await self._passwords.hash(pin, Queue.CARDS)
        record = replace(self._open(number), pin_hash=pin_hash, failures=0, locked_until_ms=0)
        await self._save(record, events.PlayerPinIssued(player=number), by=by)
        return IssuedCard(number, pin=pin)

    async def close(self, number: str, *, by: By) -> PlayerRecord:
        self._open(number)
        return await self._stop(number, lambda now: replace(now, closed=True), events.PlayerClosed(player=number), by)

    async def reopen(self, number: str, *, by: By) -> PlayerRecord:
        record = self.find(number)
        if not record.closed:
            raise BadInput("player-open", say("the account of player {player} is open", player=number))
        return await self._let_play(replace(record, closed=False), events.PlayerReopened(player=number), by)

    # The exclusion list

    async def exclude(self, number: str, *, until_day: str, own: bool, why: str, by: By) -> PlayerRecord:
        """`until_day`: the gaming day from which it may be lifted, "" for ever. It never ends by itself."""
        now, why = self.find(number), _reason(why)
        if until_day and not _is_day(until_day):
            wrong = say(
                "{day} is not a day: write it as 2027-01-31, or leave it out for good", day=repr(until_day[:20])
            )
            raise BadInput("bad-day", wrong)
        if until_day and until_day <= self._register.today():
            raise BadInput("bad-day", say("an exclusion lasts until a day to come, not {day}", day=until_day))
        wanted = Exclusion(until_day=until_day, own=own)
        if now.exclusion and not wanted.is_stricter(now.exclusion):
            already = say("player {player} is excluded already: only a longer exclusion can be added", player=number)
            raise BadInput("player-excluded", already)
        excluded = events.PlayerExcluded(player=number, until_day=until_day, own=own, why=why)
        return await self._stop(number, lambda record: replace(record, exclusion=wanted), excluded, by)

    async def lift(self, number: str, *, why: str, by: By) -> PlayerRecord:
        record, why = self.find(number), _reason(why)
        exclusion = record.exclusion
        if exclusion is None:
            raise BadInput("not-excluded", say("player {player} is not excluded", player=number))
        if exclusion.own and not exclusion.until_day:
            never = say("player {player} excluded themselves permanently: that is not lifted", player=number)
            raise BadInput("self-excluded", never)
        if exclusion.own and self._register.today() < exclusion.until_day:
            early = say(
                "player {player} excluded themselves: that is not lifted before {day}",
                player=number,
                day=exclusion.until_day,
            )
            raise BadInput("self-excluded", early)
        return await self._let_play(replace(record, exclusion=None), events.ExclusionLifted(player=number, why=why), by)

    # At a terminal

    async def check(self, card: str, pin: str, *, device: str) -> PlayerRecord:
        """Whose card it is. What was wrong with a card and PIN is not told, before both are right."""
        record = await self._judge(self.number_of_card(card), pin, device=device)
        if record.closed:
            raise BadInput("card-closed", say("This account is closed: please ask at the cash desk"))
        return record

    def excluded(self, record: PlayerRecord, *, table: str, seat: int) -> BadInput:
        """Staff are told at once; whoever stands there hears it in a sentence."""
        refused = events.ExcludedPlayerRefused(player=record.number, table=table, seat=seat)
        self._register.write_later([PeopleChange(refused, VENUE)])
        return BadInput("card-excluded", say("You are excluded from play here: please speak to our staff"))

    async def change_pin(self, number: str, present: str, new: str, *, device: str) -> None:
        if len(new) != PIN_DIGITS or not new.isascii() or not new.isdigit():
            raise BadInput("bad-pin", say("A PIN has {digits} digits", digits=PIN_DIGITS))
        if _is_weak(new):
            raise BadInput("bad-pin", say("This PIN is easy to guess: choose another"))
        judged = await self._judge(number, present, device=device)
        pin_hash = await self._passwords.hash(new, Queue.CARDS)
        record = self.find(number)
        if record.pin_hash != judged.pin_hash:  # staff issued another while this one was hashed
            raise _card_refused()
        record = replace(record, pin_hash=pin_hash)
        await self._save(record, events.PlayerPinChanged(player=number), by=_at(device))

    async def _judge(self, number: str, pin: str, *, device: str) -> PlayerRecord:
        before = self._players.get(number)
        stored = before.pin_hash if before and not self.is_locked(before) else ""
        matched = await self._passwords.matches(stored, pin, Queue.CARDS, device)
        # Looked at again, and judged without a pause: guesses sent at once are still counted one by one.
        record = self._players.get(number)
        if record and matched and record.pin_hash == stored and not self.is_locked(record):
            if record.failures:
                record = replace(record, failures=0)
                self._hold(record)  # kept with whatever is written next
            return record
        if record and not self.is_locked(record):
            self._fail(record, device)
        raise _card_refused()

    def _fail(self, record: PlayerRecord, device: str) -> None:
        failures, happened = record.failures + 1, list[events.PlayerAccountEvent]()
        record = replace(record, failures=failures)
        happened.append(events.PlayerPinFailed(player=record.number, device=device, failures=failures))
        if failures >= LOCKS_AFTER:
            record = replace(record, failures=0, locked_until_ms=self._register.clock_ms() + LOCK_MS)
            happened.append(events.PlayerLockedOut(player=record.number, device=device))
        self._register.write_later(self._changes(record, *happened, by=VENUE))

    # Keeping them

    def _open(self, number: str) -> PlayerRecord:
        record = self.find(number)
        if record.closed:
            raise BadInput("player-closed", say("the account of player {player} is closed", player=number))
        return record

    async def _stop(
        self, number: str, change: Callable[[PlayerRecord], PlayerRecord], event: events.PlayerAccountEvent, by: By
    ) -> PlayerRecord:
        """From now on nobody cards in with it. It is written once their play has ended: so the journal has no card-in
        of an excluded player."""
        with self._bars(number):
            async with held(self._register.store.holds, CARD + number):  # where others write, no card-in is on its way
                await self.stop_play(number)
                return await self._save(change(self.find(number)), event, by=by)

    async def _let_play(self, record: PlayerRecord, event: events.PlayerAccountEvent, by: By) -> PlayerRecord:
        """Once it is durable: a table's entries wait for none of the office's, and a card-in must not come before it in
        the journal."""
        with self._bars(record.number):
            return await self._save(record, event, by=by)

    @contextmanager
    def _bars(self, number: str) -> Iterator[None]:
        """Until the last of those who do so at once has ended."""
        self._barred[number] += 1
        try:
            yield
        finally:
            self._barred[number] -= 1
            if not self._barred[number]:
                del self._barred[number]

    async def _save(self, record: PlayerRecord, *happened: events.PlayerAccountEvent, by: By) -> PlayerRecord:
        await self._register.write(self._changes(record, *happened, by=by))
        return record

    def _changes(self, record: PlayerRecord, *happened: events.PlayerAccountEvent, by: By) -> list[PeopleChange]:
        self._hold(record)
        last = PeopleChange(happened[-1], by, [(PLAYER + record.number, record)])
        return [*(PeopleChange(event, by) for event in happened[:-1]), last]

    def _let_go_of_card(self, number: str) -> None:
        if former := self._players.get(number):
            self._by_card.pop(former.card_hash, None)

    def _hold(self, record: PlayerRecord) -> None:
        self._let_go_of_card(record.number)
        self._by_card[record.card_hash] = record.number
        self._players[record.number] = record


async def _nobody_plays(number: str) -> None:
    pass


def _card_refused() -> BadInput:
    why = say(
        "This card and PIN were not accepted; {times} wrong PINs in a row lock a card for {minutes} minutes",
        times=LOCKS_AFTER,
        minutes=LOCK_MS // MINUTE_MS,
    )
    return BadInput("card-refused", why)


def _at(device: str) -> Origin:
    return Origin(OriginKind.DEVICE, device)


def _new_card(random_bytes: Callable[[int], bytes]) -> str:
    return paper_code(random_bytes(CARD_LETTERS), letters=CARD_LETTERS, group=4)


def _card_hash(card: str) -> str:
    """Scanned with what its QR code begins with, or typed without."""
    return code_hash(card.strip().removeprefix(CARD_PREFIX))


def card_text(card: str) -> str:
    """What the QR code of a card says.

    >>> card_text("K7QF-3M2P-WX9H")
    'natural9-card:K7QF3M2PWX9H'
    """
    return CARD_PREFIX + as_printed(card)


def _new_pin(random_bytes: Callable[[int], bytes]) -> str:
    """Of 128 bits, so that no PIN is more likely than another by what could be measured."""
    while _is_weak(pin := f"{int.from_bytes(random_bytes(16)) % 10**PIN_DIGITS:0{PIN_DIGITS}}"):
        pass
    return pin


def _is_weak(pin: str) -> bool:
    """One digit again and again, or counted up or down."""
    steps = {int(after) - int(before) for before, after in pairwise(pin)}
    return len(steps) == 1 and steps <= {-1, 0, 1}


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _reason(why: str) -> str:
    why = " ".join(why.split())
    if not 1 <= len(why) <= _REASON or not why.isprintable():
        raise BadInput("no-reason", say("give a reason of 1 to {most} characters", most=_REASON))
    return why

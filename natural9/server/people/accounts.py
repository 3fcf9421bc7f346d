"""Staff accounts: who is there, how they get and lose a password, and what a sign-in must show."""

import asyncio
import hmac
from collections.abc import Callable, Collection
from secrets import token_bytes
from typing import Final, NamedTuple

from argon2 import PasswordHasher
from msgspec import json
from msgspec.structs import replace

from natural9.core.errors import BadInput
from natural9.core.saying import Said, say
from natural9.journal import people_events as events
from natural9.server.people.addresses import is_among, place_of
from natural9.server.people.devices import Devices
from natural9.server.people.failures import Failures
from natural9.server.people.hashing import Queue
from natural9.server.people.lock_out import LOCKS_AFTER, LockOut
from natural9.server.people.passwords import Passwords, code_hash, new_code, same_password
from natural9.server.people.permissions import Action, Denied, Role
from natural9.server.people.players import Players
from natural9.server.people.records import (
    DEVICE,
    PLAYER,
    STAFF,
    IssuedCode,
    Lock,
    OneTimeCode,
    Person,
    StaffRecord,
    StaffStatus,
    check_id,
    check_name,
    check_role,
)
from natural9.server.people.register import VENUE, By, PeopleChange, Register
from natural9.server.people.sessions import ABSOLUTE_MS, MINUTE_MS, Session, Sessions
from natural9.store.contract import Store
from natural9.table.venue.venue import Network

CODE_MS: Final = 24 * 60 * MINUTE_MS
_ENDED_KEPT: Final = 16


class SignedIn(NamedTuple):
    person: Person
    session: Session


class Attempt(NamedTuple):
    """Somebody shows a password: what for, and from where."""

    purpose: str
    peer: str
    device: str

    @property
    def place(self) -> str:
        return place_of(self.peer, self.device)

    def failed(self, id: str, why: str, failures: int = 0) -> events.SignInFailed:
        return events.SignInFailed(id=id, peer=self.peer, purpose=self.purpose, why=why, failures=failures, times=1)


class Accounts:
    """All staff accounts of a venue; `devices` and `players` beside them. Made by `Accounts.open`."""

    def __init__(
        self,
        store: Store,
        *,
        key: bytes,
        clock_ms: Callable[[], int],
        gaming_day: Callable[[int], str],
        record_ms: Callable[[], int] | None = None,  # the time of entries; the same clock if none is given
        hasher: PasswordHasher | None = None,
        lock_out: LockOut | None = None,
        random_bytes: Callable[[int], bytes] = token_bytes,
    ) -> None:
        self.register = Register(
            store, clock_ms=clock_ms, gaming_day=gaming_day, record_ms=record_ms, random_bytes=random_bytes
        )
        self.sessions = Sessions(key, clock_ms=clock_ms, random_bytes=random_bytes)
        self.devices = Devices(self.register, self.sessions)
        self.lock_out = lock_out or LockOut()
        self.failures = Failures(self.register)
        self._clock_ms = clock_ms
        self._passwords = Passwords(hasher, random_bytes)
        self.players = Players(self.register, self._passwords)
        self.house_addresses: Collection[Network] = ()  # nobody elsewhere keeps those waiting who sign in from here
        self.house_words: Collection[str] = ()  # that no password is made of
        self._staff: dict[str, StaffRecord] = {}
        self._by_code: dict[str, str] = {}
        self._new_roles: dict[str, asyncio.Event] = {}  # of whom a change of role is not durable yet: the last
        self._claim: OneTimeCode | None = None

    @classmethod
    async def open(
        cls,
        store: Store,
        *,
        key: bytes,
        clock_ms: Callable[[], int],
        gaming_day: Callable[[int], str],
        record_ms: Callable[[], int] | None = None,  # the time of entries; the same clock if none is given
        hasher: PasswordHasher | None = None,
        lock_out: LockOut | None = None,
        random_bytes: Callable[[int], bytes] = token_bytes,
    ) -> "Accounts":
        """The accounts and devices as the store has them."""
        accounts = cls(
            store,
            key=key,
            clock_ms=clock_ms,
            gaming_day=gaming_day,
            record_ms=record_ms,
            hasher=hasher,
            lock_out=lock_out,
            random_bytes=random_bytes,
        )
        await accounts.load()
        return accounts

    async def load(self) -> None:
        """All of them as the store has them now. What it no longer has was never durable."""
        for prefix, ids in ((STAFF, self._staff), (DEVICE, self.devices.ids), (PLAYER, self.players.numbers)):
            kept = await self.register.store.documents(prefix)
            for key in [prefix + id for id in ids if prefix + id not in kept]:
                self.follow(key, None)
            for key, document in kept.items():
                self.follow(key, document)

    def follow(self, key: str, kept: bytes | None) -> None:
        """Somebody or a device, as the store has them by now: the sessions that this ends have ended."""
        kind, _, id = key.partition("/")
        is_changed = False  # a hall of terminals is not looked through for what is as it was
        if key.startswith(PLAYER):
            self.players.follow(id, kept)
        elif key.startswith(DEVICE):
            is_changed = self.devices.follow(id, kept)
        elif key.startswith(STAFF):
            is_changed = self._follow(id, json.decode(kept, type=StaffRecord) if kept is not None else None)
        if is_changed:
            self.register.ended(kind, id)

    def _follow(self, id: str, record: StaffRecord | None) -> bool:
        if record == self._staff.get(id):
            return False
        if record:
            self._hold(self.lock_out.cut_short(record, self._clock_ms()))
        else:
            self._let_go_of_code(id)
            del self._staff[id]
        return True

    def close(self) -> None:
        self.failures.tell()
        self._passwords.close()

    # Who is there

    def all(self) -> list[StaffRecord]:
        return [self._staff[id] for id in sorted(self._staff)]

    def find(self, id: str) -> StaffRecord:
        record = self._staff.get(id)
        if record is None:
            raise BadInput("unknown-staff", say("nobody has the id {id}", id=repr(id[:40])))
        return record

    def status(self, record: StaffRecord) -> StaffStatus:
        return record.status(self._clock_ms())

    def locked_at(self, record: StaffRecord) -> dict[str, Lock]:
        return record.locked_at(self._clock_ms())

    def person_of(self, session: Session) -> Person | None:
        """Whose session it is, if it has not ended: asked on every request, and of open connections after a change."""
        record = self._staff.get(session.id) if session.kind == "staff" else None
        if record is None or record.disabled or session.nonce in record.ended:
            return None
        goes_on = record.generation == session.generation or record.spared == session.nonce
        return _person(record) if goes_on else None

    async def by_now(self, person: Person) -> Person | Denied:
        """Somebody who showed who they are a while ago."""
        await self.role_is_durable(person.id)
        record = self._staff.get(person.id)
        if record is None:  # another machine has the office, and knows them already
            return person
        return self.lock_out.denied() if record.disabled else _person(record)

    # The first administrator

    def first_code(self) -> str | None:
        """A code by which the first administrator makes their own account; None once there is one.

        It is kept nowhere but in this process: a restart makes a new one.
        """
        if self._administrators():
            return None
        code = new_code(self.register.random_bytes)
        self._claim = OneTimeCode(code_hash(code), self._clock_ms() + CODE_MS)
        return code

    async def claim_administrator(self, code: str, *, id: str, name: str, password: str, peer: str) -> SignedIn:
        given = code_hash(code)
        self._check_claim(given, id)
        name = check_name(name)
        await self._passwords.check(password, id=id, name=name, house_words=self.house_words)
        password_hash = await self._passwords.hash(password)
        self._check_claim(given, id)  # again: another may have claimed while this password was hashed
        self._claim = None
        record = StaffRecord(id=id, name=name, role=Role.ADMINISTRATOR, password_hash=password_hash)
        await self._save(record, events.AdministratorClaimed(id=id, name=name, peer=peer), by=id)
        return self._signed_in(record)

    def _check_claim(self, given: str, id: str) -> None:
        claim = self._claim
        usable = claim is not None and self._clock_ms() < claim.expires_ms and not self._administrators()
        if claim is None or not usable or not hmac.compare_digest(given, claim.hash):
            raise bad_code(say("the server prints a new one when it starts without an administrator"))
        self._check_free(check_id(id))

    # What an administrator does

    def is_anybody(self, *, may: Action, but: str) -> bool:
        """Whether anybody else could sign in now who may."""
        return any(
            one.id != but and one.password_hash and not one.disabled and _person(one).may(may)
            for one in self._staff.values()
        )

    async def add(self, id: str, *, name: str, role: str, by: By, signed_by: str = "") -> IssuedCode:
        """A new account; the code is for that person to set a password of their own."""
        record = StaffRecord(id=check_id(id), name=check_name(name), role=check_role(role))
        self._check_free(id)
        added = events.StaffAdded(id=id, name=record.name, role=record.role, signed_by=signed_by)
        return await self._with_code(record, added, by=by)

    async def new_code(self, id: str, *, by: By, signed_by: str = "") -> IssuedCode:
        """For a person who forgot their password or let their code expire; the former code is worth nothing."""
        record = self.find(id)
        if record.disabled:
            raise BadInput("staff-disabled", say("{id} is disabled: enable the account first", id=id))
        return await self._with_code(record, events.CodeIssued(id=id, signed_by=signed_by), by=by)

    async def disable(self, id: str, *, by: By) -> StaffRecord:
        """Close the account of someone who leaves: every session of theirs ends at once."""
        record = self.find(id)
        self._check_administrators_without(record)
        record = replace(_sessions_ended(record), disabled=True, code=None)
        await self._save(record, events.StaffDisabled(id=id), by=by)
        return record

    async def enable(self, id: str, *, by: By) -> StaffRecord:
        record = replace(self.find(id), disabled=False)
        await self._save(record, events.StaffEnabled(id=id), by=by)
        return record

    async def unlock(self, id: str, *, by: By) -> StaffRecord:
        """Wherever it is locked."""
        record = replace(self.find(id), locks={})
        await self._save(record, events.Unlocked(id=id), by=by)
        return record

    async def change_role(self, id: str, *, role: str, by: By, signed_by: str = "") -> StaffRecord:
        """The former role ends at once, for open sessions too; nobody acts in the new one before it is durable."""
        record, after = self.find(id), check_role(role)
        if after is not Role.ADMINISTRATOR:
            self._check_administrators_without(record)
        changed = replace(record, role=after)
        changing = events.RoleChanged(id=id, before=record.role, after=after, signed_by=signed_by)
        is_durable = self._new_roles[id] = asyncio.Event()
        try:
            await self._save(changed, changing, by=by)
        finally:
            is_durable.set()
            if self._new_roles.get(id) is is_durable:
                del self._new_roles[id]
        return changed

    async def role_is_durable(self, id: str) -> None:
        """To be awaited before somebody acts: a table's entries wait for none of the office's, and what was done in a
        rank must not come before the rank in the journal, be it a higher or a lower one."""
        while is_durable := self._new_roles.get(id):
            await is_durable.wait()

    # What people do themselves

    async def set_password(self, code: str, password: str, *, peer: str) -> Person:
        """By a one-time code. It works once, also when two try at the same moment."""
        given = code_hash(code)
        holder = self._holder(given)
        await self._passwords.check(password, id=holder.id, name=holder.name, house_words=self.house_words)
        password_hash = await self._passwords.hash(password)
        holder = self._holder(given)  # again: another may have used it while this password was hashed
        return await self._password_changed(replace(_sessions_ended(holder), password_hash=password_hash), peer=peer)

    async def change_password(self, session: Session, present: str, new: str, *, peer: str, device: str = "") -> Person:
        """By someone who is signed in and knows the present one. Their other sessions end, this one goes on."""
        record = self.find(session.id)
        if not record.password_hash:
            none = say("this account has no password yet: ask an administrator for a one-time code")
            raise BadInput("no-password", none)
        await self._passwords.check(new, id=record.id, name=record.name, house_words=self.house_words)
        if same_password(present, new):
            raise BadInput("same-password", say("the new password is the present one: choose another"))
        attempt = Attempt("change-password", peer, device)
        judged = await self._judge(record.id, present, attempt, new=new)
        if self.person_of(session) is None:  # while the password was checked: it is not to be spared now
            raise BadInput("sign-in-first", say("the session has ended: sign in and try again"))
        if judged is None:
            is_locked = self.find(record.id).is_locked(self._clock_ms(), attempt.place)
            raise self.lock_out.wrong_password(is_locked=is_locked)
        return await self._password_changed(replace(_sessions_ended(judged), spared=session.nonce), peer=peer)

    async def sign_in(
        self, id: str, password: str, *, peer: str, device: str = "", former: Session | None = None
    ) -> SignedIn | Denied:
        """The person and a session, or one and the same refusal whatever was wrong.

        `device` is the id of the one whose token the browser showed, if it did; `former` the session of whoever was
        signed in there before, which ends: nobody else may have kept a copy of it.
        """
        judged = await self._check(id, password, Attempt("session", peer, device))
        if judged and former:
            await self.sign_out(former)
        record = self._as_judged(judged)
        return self._signed_in(record) if record else self.lock_out.denied()

    async def authorise(self, id: str, password: str, *, peer: str, device: str = "") -> Person | Denied:
        """One decision by someone at a console where another is signed in: the same check, and no session."""
        if office := self.register.elsewhere():
            return await office.authorise(id, password, peer=peer, device=device)
        judged = await self._check(id, password, Attempt("authorise", peer, device))
        await self.role_is_durable(id)
        record = self._as_judged(judged)
        return _person(record) if record else self.lock_out.denied()

    async def sign_out(self, session: Session, *, everywhere: bool = False) -> None:
        record, now = self.find(session.id), self._clock_ms()
        ended = {nonce: until for nonce, until in record.ended.items() if until > now}
        ended[session.nonce] = session.issued_ms + ABSOLUTE_MS
        everywhere = everywhere or len(ended) > _ENDED_KEPT
        record = _sessions_ended(record) if everywhere else replace(record, ended=ended)
        await self._save(record, events.SignedOut(id=record.id, everywhere=everywhere), by=record.id)

    # How a password is checked

    async def _check(self, id: str, password: str, attempt: Attempt) -> StaffRecord | None:
        record = await self._judge(id, password, attempt)
        if record:
            signed_in = events.StaffSignedIn(id=id, peer=attempt.peer, purpose=attempt.purpose)
            await self._save(record, signed_in, by=id)
        return record

    def _as_judged(self, judged: StaffRecord | None) -> StaffRecord | None:
        """The account as it is now, if the password that was right is still its own: saving a sign-in takes a while."""
        record = self._staff.get(judged.id) if judged else None
        if record is None or judged is None or record.disabled or record.password_hash != judged.password_hash:
            return None
        return record

    async def _judge(self, id: str, password: str, attempt: Attempt, *, new: str = "") -> StaffRecord | None:
        """The account with its failures there forgiven and, if there is one, its new password: to be saved at once."""
        before = self._staff.get(id)
        stored = fresh = before.password_hash if before and not self._why_not(before, attempt.place) else ""
        is_house = bool(attempt.device) or is_among(attempt.peer, self.house_addresses)
        queue = Queue.HOUSE if is_house else Queue.STRANGERS
        matched = await self._passwords.matches(stored, password, queue, attempt.place)
        if matched and (new or self._passwords.outdated(stored)):
            fresh = await self._passwords.hash(new or password)
        # Looked at again, and judged without a pause: a hundred guesses sent at once are still counted one by one.
        record = self._staff.get(id)
        if record is None:
            self.failures.count(attempt.failed("", "unknown"))
            return None
        why = self._why_not(record, attempt.place) or ("" if matched and record.password_hash == stored else "password")
        if why:
            self._fail(record, attempt, why)
            return None
        return replace(record.without_lock(attempt.place), password_hash=fresh)

    def _why_not(self, record: StaffRecord, place: str) -> str:
        """Why no password would do; the journal says it, the person who signs in is not told."""
        if record.disabled:
            return "disabled"
        return "locked" if record.is_locked(self._clock_ms(), place) else ""

    def _fail(self, record: StaffRecord, attempt: Attempt, why: str) -> None:
        """Queued, not waited for: whoever guesses learns nothing from how long the disk takes."""
        now, place = self._clock_ms(), attempt.place
        lock = record.locks.get(place, Lock(0))
        if why != "password":
            self.failures.count(attempt.failed(record.id, why, lock.failures))
            return
        lock = Lock(1 if lock.until_ms else lock.failures + 1)  # a lock that has run its time: counting starts anew
        written: list[events.PeopleEvent] = [attempt.failed(record.id, why, lock.failures)]
        if lock.failures >= LOCKS_AFTER:
            lock = replace(lock, until_ms=self.lock_out.until_ms(now))
            written.append(
                events.LockedOut(id=record.id, peer=attempt.peer, device=attempt.device, until_ms=lock.until_ms)
            )
        self.register.write_later(self._changes(record.with_lock(place, lock, now), *written, by=VENUE))

    # Keeping them

    async def _password_changed(self, record: StaffRecord, *, peer: str) -> Person:
        record = replace(record, code=None, locks={})
        await self._save(record, events.PasswordChanged(id=record.id, peer=peer), by=record.id)
        return _person(record)

    def _signed_in(self, record: StaffRecord) -> SignedIn:
        return SignedIn(_person(record), self.sessions.begin("staff", record.id, record.generation))

    async def _with_code(self, record: StaffRecord, event: events.PeopleEvent, *, by: By) -> IssuedCode:
        code, expires_ms = new_code(self.register.random_bytes), self._clock_ms() + CODE_MS
        await self._save(replace(record, code=OneTimeCode(code_hash(code), expires_ms)), event, by=by)
        return IssuedCode(record.id, code, expires_ms)

    def _holder(self, given: str) -> StaffRecord:
        record = self._staff.get(self._by_code.get(given, ""))
        if record is None or record.code is None or self._clock_ms() >= record.code.expires_ms:
            raise bad_code(say("ask an administrator for a new one"))
        return record

    async def _save(self, record: StaffRecord, *written: events.PeopleEvent, by: By) -> None:
        """Hold it and queue it without a pause between; done means durable. Only then watchers look again."""
        await self.register.write(self._changes(record, *written, by=by))
        self.register.ended("staff", record.id)

    def _changes(self, record: StaffRecord, *written: events.PeopleEvent, by: By) -> list[PeopleChange]:
        """Held from now on: to be queued at once."""
        self._hold(record)
        last = PeopleChange(written[-1], by, [(STAFF + record.id, record)])
        return [*(PeopleChange(event, by) for event in written[:-1]), last]

    def _let_go_of_code(self, id: str) -> None:
        former = self._staff.get(id)
        if former and former.code:
            self._by_code.pop(former.code.hash, None)

    def _hold(self, record: StaffRecord) -> None:
        self._let_go_of_code(record.id)
        if record.code:
            self._by_code[record.code.hash] = record.id
        self._staff[record.id] = record

    def _check_free(self, id: str) -> None:
        if id in self._staff:
            taken = say("{id} is taken: an id stays with one person, even after they leave", id=id)
            raise BadInput("staff-exists", taken)

    @property
    def has_administrator(self) -> bool:
        return bool(self._administrators())

    def _administrators(self) -> list[str]:
        return [one.id for one in self._staff.values() if one.role is Role.ADMINISTRATOR and not one.disabled]

    def _check_administrators_without(self, record: StaffRecord) -> None:
        """The last administrator who can sign in stays one: otherwise nobody could let anyone in again."""
        others = [one for one in self._administrators() if one != record.id and self._staff[one].password_hash]
        if record.role is Role.ADMINISTRATOR and not record.disabled and not others:
            why = say(
                "{id} is the only administrator who can sign in: let another one set a password first", id=record.id
            )
            raise BadInput("last-administrator", why)


def no_administrator(code: str) -> str:
    """For whoever starts the program."""
    return f"There is no administrator yet. Open the account with this code, which works once: {code}"


def bad_code(way_out: Said) -> BadInput:
    return BadInput("bad-code", say("this code is wrong, used or expired: {instead}", instead=way_out))


def _sessions_ended(record: StaffRecord) -> StaffRecord:
    """Every session so far is of an earlier generation from now on."""
    return replace(record, generation=record.generation + 1, ended={}, spared="")


def _person(record: StaffRecord) -> Person:
    return Person(record.id, record.name, record.role)

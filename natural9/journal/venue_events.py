"""What happens to the venue outside its tables: the program, its key and clock, and vouchers paid at a desk."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

from natural9.core.events import MONEY, NOTHING, ORDINARY, SIGNIFICANT, STAFF, Event, event
from natural9.core.money import show_cents
from natural9.core.saying import Said, because, countersigned, named, say
from natural9.journal.accounts import cash_box

_CHANGED: Final = {
    "version": say("the version"),
    "program_sha256": say("the program"),
    "venue_sha256": say("the venue file"),
}


def _changed(what: str) -> Said:
    """`what` is as the event has it: a field of the program, or the rules of a game."""
    return _CHANGED.get(what) or say("the rules of {game}", game=named(what.removeprefix("rules of ")))


@event("program-started", STAFF, SIGNIFICANT, NOTHING)
class ProgramStarted(Event):
    version: str
    program_sha256: str
    venue_sha256: str
    rules: Mapping[str, str]  # each game's pack and document, by their hash
    changed: tuple[str, ...]  # what is not as it was at the last start: a modification
    stopped_cleanly: bool  # the time before

    def describe(self) -> Said:
        if self.stopped_cleanly:
            started = say("Program {version} started", version=self.version)
        else:
            started = say("Program {version} started after an unplanned stop", version=self.version)
        if not self.changed:
            return started
        changed = tuple(map(_changed, self.changed))
        return say("{what}; changed since the last start: {changed}", what=started, changed=changed)


@event("program-stopped", STAFF, SIGNIFICANT, NOTHING)
class ProgramStopped(Event):
    why: Said

    def describe(self) -> Said:
        return because(say("Program stopped"), self.why)


@event("voucher-paid", STAFF, ORDINARY, MONEY, version=2, found_by="number")
class VoucherPaid(Event):
    """Redeemed at the cash desk."""

    number: str
    cents: int
    desk: str
    signed_by: str  # who signed besides; "" where one person suffices

    def describe(self) -> Said:
        paid = say("Voucher {number} paid at the desk, {amount}", number=self.number, amount=show_cents(self.cents))
        return countersigned(paid, self.signed_by)


@event("drawer-opened", STAFF, SIGNIFICANT, MONEY)
class DrawerOpened(Event):
    """A cashier begins, with a float out of the vault."""

    desk: str
    cents: int
    carried_cents: int  # what lay in it already
    signed_by: str

    def describe(self) -> Said:
        if box := cash_box(self.desk):
            return countersigned(say("An empty box goes into a bill acceptor: {box}", box=box.words), self.signed_by)
        opened = say("{desk} opened the drawer with a float of {amount}", desk=self.desk, amount=show_cents(self.cents))
        return countersigned(opened, self.signed_by)


@event("drawer-filled", STAFF, SIGNIFICANT, MONEY)
class DrawerFilled(Event):
    """More cash out of the vault."""

    desk: str
    cents: int
    signed_by: str

    def describe(self) -> Said:
        filled = say("Fill of {amount} for the drawer of {desk}", desk=self.desk, amount=show_cents(self.cents))
        return countersigned(filled, self.signed_by)


@event("drawer-returned", STAFF, SIGNIFICANT, MONEY)
class DrawerReturned(Event):
    """Cash back to the vault, before the drawer is closed."""

    desk: str
    cents: int
    signed_by: str

    def describe(self) -> Said:
        back = say(
            "{amount} back to the vault from the drawer of {desk}", desk=self.desk, amount=show_cents(self.cents)
        )
        return countersigned(back, self.signed_by)


@event("drawer-closed", STAFF, SIGNIFICANT, MONEY)
class DrawerClosed(Event):
    """A cashier ends: the whole account of the shift. All that was counted goes to the vault."""

    desk: str
    opened_at_ms: int
    carried_cents: int
    float_cents: int
    filled_cents: int
    returned_cents: int
    taken_in_cents: int
    hand_paid_cents: int
    vouchers_paid_cents: int
    expected_cents: int
    counted_cents: int
    signed_by: str

    @property
    def over_cents(self) -> int:
        """Below zero, the drawer is short."""
        return self.counted_cents - self.expected_cents

    def describe(self) -> Said:
        counted = show_cents(self.counted_cents)
        if box := cash_box(self.desk):
            return countersigned(self._box_counted(box.words, counted), self.signed_by)
        if not self.over_cents:
            what = say("{desk} closed the drawer: {counted} counted, as it must be", desk=self.desk, counted=counted)
        elif self.over_cents < 0:
            short = show_cents(-self.over_cents)
            what = say(
                "{desk} closed the drawer: {counted} counted, {short} short",
                desk=self.desk,
                counted=counted,
                short=short,
            )
        else:
            over = show_cents(self.over_cents)
            what = say(
                "{desk} closed the drawer: {counted} counted, {over} over", desk=self.desk, counted=counted, over=over
            )
        return countersigned(what, self.signed_by)

    def _box_counted(self, box: Said, counted: str) -> Said:
        if not self.over_cents:
            return say("{counted} counted in {box}, as it must be", counted=counted, box=box)
        wrong = show_cents(abs(self.over_cents))
        if self.over_cents < 0:
            return say("{counted} counted in {box}, {short} short", counted=counted, box=box, short=wrong)
        return say("{counted} counted in {box}, {over} over", counted=counted, box=box, over=wrong)


DrawerEvent = DrawerOpened | DrawerFilled | DrawerReturned | DrawerClosed


@event("wrong-codes-at-desk", STAFF, SIGNIFICANT, NOTHING)
class WrongCodesAtDesk(Event):
    """Told every few: so many wrong validation codes of vouchers one after the other by one person."""

    desk: str
    times: int

    def describe(self) -> Said:
        return say("{desk} entered {times} wrong voucher codes at the desk", desk=self.desk, times=self.times)


@event("voucher-reprinted", STAFF, SIGNIFICANT, NOTHING)
class VoucherReprinted(Event):
    """A copy of a voucher was printed at the terminal that issued it. Whoever holds either is paid, once."""

    number: str
    cents: int
    desk: str
    why: str

    def describe(self) -> Said:
        amount = show_cents(self.cents)
        printed = say(
            "{desk} printed a copy of voucher {number}: {amount}", desk=self.desk, number=self.number, amount=amount
        )
        return because(printed, self.why)


@event("key-changed", STAFF, SIGNIFICANT, NOTHING)
class KeyChanged(Event):
    """The venue has a new key; neither it nor its name stands here."""

    shoes: int  # sealed anew
    vouchers: int  # that are still good, with the codes that a former key printed on them
    lost: bool  # the key before it was not there: what it sealed stays shut, what it printed cannot be checked

    def describe(self) -> Said:
        if self.lost:
            return say("The venue's key was lost, and it has a new one")
        return say(
            "The venue has a new key; shoes sealed again: {shoes}, vouchers that keep their codes: {vouchers}",
            shoes=self.shoes,
            vouchers=self.vouchers,
        )


@event("checkpoint-key-set", STAFF, SIGNIFICANT, NOTHING)
class CheckpointKeySet(Event):
    """Checkpoints are signed with this key from now on; that the house set it, `proof.key_succession` checks."""

    key: str  # the public key, as NAME+ID+KEY
    origin: str  # what the house's checkpoints are called: the same for ever
    signature: str  # by this key
    signature_before: str  # by the key before it; "" for the first, and where that one was lost

    def describe(self) -> Said:
        return say("Checkpoints of {origin} are signed with the key {key}", origin=self.origin, key=self.key)


@event("time-stamp-kept", STAFF, ORDINARY, NOTHING, found_by="stamped_at_ms")
class TimeStampKept(Event):
    """An authority's word on when a checkpoint was there (RFC 3161). Those of gaming days come by themselves."""

    first_day: str  # the closed gaming days that no stamp before it covers: these and all between;
    last_day: str  # "" and "" where somebody asked for one in between
    size: int  # of the checkpoint
    checkpoint: str  # the signed note, to the byte
    authority: str  # its address
    stamped_at_ms: int  # by the authority's clock
    answer: str  # what it answered, in base64

    def describe(self) -> Said:
        if not self.last_day:
            return say("A checkpoint of {size} entries was stamped at {time}", size=self.size, time=self._stamped)
        if self.first_day == self.last_day:
            return say(
                "The gaming day {day} was stamped at {time}, in a checkpoint of {size} entries",
                day=self.last_day,
                time=self._stamped,
                size=self.size,
            )
        return say(
            "The gaming days {first} to {last} were stamped at {time}, in a checkpoint of {size} entries",
            first=self.first_day,
            last=self.last_day,
            time=self._stamped,
            size=self.size,
        )

    @property
    def _stamped(self) -> str:
        return _time(self.stamped_at_ms)


@event("loss-accepted", STAFF, SIGNIFICANT, NOTHING)
class LossAccepted(Event):
    """The journal did not go as far as was acknowledged, and a person has it go on without what is lost."""

    person: str  # who said so
    why: Said
    last: int  # the last entry that is there
    known: int  # the last one that was acknowledged; 0 if that is not known
    known_hash: str  # its hash; "" if that is not known

    def describe(self) -> Said:
        if not self.known:
            lost = say("It is not known which entries after {last} are lost", last=self.last)
        elif self.known > self.last:
            lost = say("Entries {first} to {known} are lost", first=self.last + 1, known=self.known)
        else:
            lost = say("The history that had entry {known} is lost", known=self.known)
        return because(say("{lost}; {person} has the journal go on without", lost=lost, person=self.person), self.why)


@event("venue-restored", STAFF, SIGNIFICANT, NOTHING)
class VenueRestored(Event):
    """From a backup: whatever was recorded after it is not here."""

    last: int  # the last entry of the backup

    def describe(self) -> Said:
        return say("The venue was restored from a backup that ends with entry {last}", last=self.last)


@event("clock-jumped", STAFF, SIGNIFICANT, NOTHING)
class ClockJumped(Event):
    """The machine's clock was set while the program ran. Nothing at the tables is timed by it."""

    before_ms: int  # what it would have said
    after_ms: int  # what it said

    def describe(self) -> Said:
        by_ms = self.after_ms - self.before_ms
        by, before, after = _length(abs(by_ms)), _time(self.before_ms), _time(self.after_ms)
        if by_ms > 0:
            return say(
                "The machine's clock was set forward by {by}, from {before} to {after}",
                by=by,
                before=before,
                after=after,
            )
        return say(
            "The machine's clock was set back by {by}, from {before} to {after}; entries keep the later time until it "
            "is reached again",
            by=by,
            before=before,
            after=after,
        )


@event("clock-behind", STAFF, SIGNIFICANT, NOTHING)
class ClockBehind(Event):
    """The program started with a clock that said less than the journal's last entry."""

    says_ms: int
    last_entry_ms: int

    def describe(self) -> Said:
        return say(
            "The machine's clock is {by} behind the journal: it says {now}, and the last entry is of {last}; entries "
            "keep that time until it is reached again",
            by=_length(self.last_entry_ms - self.says_ms),
            now=_time(self.says_ms),
            last=_time(self.last_entry_ms),
        )


def _length(ms: int) -> Said:
    minutes, seconds = divmod(round(ms / 1000), 60)
    hours, minutes = divmod(minutes, 60)
    return say("{hours} h {minutes} min {seconds} s", hours=hours, minutes=minutes, seconds=seconds)


def _time(at_ms: int) -> str:
    return f"{datetime.fromtimestamp(at_ms / 1000, UTC):%Y-%m-%d %H:%M:%S} UTC"


VenueEvent = (
    ProgramStarted
    | ProgramStopped
    | VoucherPaid
    | DrawerOpened
    | DrawerFilled
    | DrawerReturned
    | DrawerClosed
    | WrongCodesAtDesk
    | VoucherReprinted
    | KeyChanged
    | CheckpointKeySet
    | TimeStampKept
    | LossAccepted
    | VenueRestored
    | ClockJumped
    | ClockBehind
)

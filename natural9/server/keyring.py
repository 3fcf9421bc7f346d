"""The venue's key as it is used and changed: the journal names the one in use, the key file holds it and former ones.

A new key is durable in the file before the journal names it, and all that rests on it changes in that one commit. So a
process that is killed at any instant leaves a file that holds the key in use, and perhaps one that nothing rests on
yet: the next to open the venue takes that one out.
"""

import shlex
from collections.abc import Callable, Iterable
from pathlib import Path
from secrets import token_bytes
from typing import Final, NamedTuple

from natural9.core.errors import BadInput
from natural9.core.saying import say
from natural9.journal.labels import label_of
from natural9.journal.line import Origin, encode_line
from natural9.journal.venue_events import KeyChanged
from natural9.server.people.keys import (
    KEY_FILE,
    Keys,
    key_id,
    new_key,
    parse_keys,
    remove_draft,
    save_keys,
    subkey,
    venue_keys,
)
from natural9.store.contract import Entry, Store
from natural9.store.streams import SharedStream
from natural9.table.commands.cage import Voucher
from natural9.table.live.recovery import outstanding_vouchers
from natural9.table.shoes.shoebox import resealed, sealed_shoes
from natural9.table.venue.venue import Venue

IN_USE: Final = "key"  # the document that names it


class Keyring(NamedTuple):
    """The key in use, and the former ones that vouchers which are still out were printed with."""

    in_use: bytes
    former: Keys = ()

    @property
    def document(self) -> tuple[str, bytes]:
        """What the store keeps: the name of the key in use, never the key."""
        return IN_USE, key_id(self.in_use).encode()

    @property
    def shoes(self) -> bytes:
        return subkey(self.in_use, "shoes")

    @property
    def vouchers(self) -> dict[str, bytes]:
        """By the name that a voucher is kept with; the first one prints new vouchers."""
        return {key_id(key): subkey(key, "vouchers") for key in (self.in_use, *self.former)}


async def open_keyring(folder: Path, store: Store, random_bytes: Callable[[int], bytes] = token_bytes) -> Keyring:
    """The keys of a venue whose records are open for writing; one in which nothing was ever recorded gets its first.

    Whatever nothing rests on is taken out of the file: a former key when its last voucher is redeemed, and a new one
    that the journal does not name, because changing the key was cut off.
    """
    remove_draft(folder)
    held = venue_keys(folder)
    named = await store.document(IN_USE)
    keys = held or (() if (await store.head()).seq else (new_key(random_bytes),))
    in_use = next((key for key in keys if named in (None, key_id(key).encode())), None)
    if in_use is None:
        other = say(
            "{file} does not hold the key that this venue was last run with: "
            "restore it from the backup; if it is lost for good, {command} makes a new one",
            file=str(folder / KEY_FILE),
            command=f"natural9 rekey --lost {shlex.quote(str(folder))}",
        )
        raise BadInput("bad-key", other)
    former = _needed_by(await outstanding_vouchers(store), [key for key in keys if key != in_use])
    if held != (in_use, *former):
        save_keys(folder, (in_use, *former))
    return Keyring(in_use, former)


async def change_key(folder: Path, store: Store, venue: Venue, *, by: Origin, at_ms: int, lost: bool) -> KeyChanged:
    """A new key for a venue whose records are open for writing: shoes are sealed anew, vouchers keep their codes.

    With `lost` the key in use is not there: what it sealed stays shut, and what it printed cannot be checked.
    """
    new = Keyring(new_key())
    shoes: dict[str, bytes] = {}
    if lost:
        await _check_lost(folder, store)
    else:
        old = await open_keyring(folder, store)
        shoes = resealed(await sealed_shoes(store), old.shoes, new.shoes)
    held = venue_keys(folder)
    save_keys(folder, (*held, new.in_use))  # before anything rests on it
    good = [one for one in await outstanding_vouchers(store) if at_ms < one.expires_at_ms]
    former = _needed_by(good, held)
    named = {key_id(key) for key in former}
    event = KeyChanged(shoes=len(shoes), vouchers=sum(one.key in named for one in good), lost=lost)
    entry = Entry(
        stream="venue",
        kind=event.TAG,
        body=encode_line(event, by),
        at_ms=at_ms,
        day=venue.gaming_day(at_ms),
        label=label_of("", event),
        documents=(new.document, *shoes.items()),
    )
    await SharedStream(store, entry.stream).append([entry])
    save_keys(folder, (new.in_use, *former))
    return event


async def _check_lost(folder: Path, store: Store) -> None:
    named = await store.document(IN_USE)
    if any(named in (None, key_id(key).encode()) for key in venue_keys(folder)):
        there = say(
            "the key of {folder} is not lost: leave out --lost, so that vouchers and shoes in play go on",
            folder=str(folder),
        )
        raise BadInput("key-not-lost", there)


async def wrong_key(folder: Path, store: Store) -> str:
    """What is wrong with the key file of a venue that is being verified; nothing where there is none to be read."""
    path = folder / KEY_FILE
    try:
        names = [key_id(key).encode() for key in parse_keys(path, path.read_bytes())]
    except OSError:
        return ""  # an auditor has the records, and need not have the key
    except BadInput as error:
        return str(error)
    named = await store.document(IN_USE)
    return "" if named is None or named in names else f"{path} does not hold the key that the journal names"


def _needed_by(vouchers: Iterable[Voucher], keys: Iterable[bytes]) -> Keys:
    named = {voucher.key for voucher in vouchers}
    return tuple(key for key in keys if key_id(key) in named)

"""The key that signs checkpoints: kept in a file of its own, named in the journal, and changed like the venue's key.

A new key is durable in the file before the journal names it. So a process that is killed at any instant leaves a file
that holds the key in use, and perhaps one that the journal does not name yet: the next to open the venue takes it out.
"""

import re
import secrets
import shlex
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct

from natural9.core.errors import BadInput
from natural9.core.saying import say
from natural9.journal.labels import label_of
from natural9.journal.line import Origin, encode_line
from natural9.journal.venue_events import CheckpointKeySet
from natural9.proof.key_succession import HouseKey, new_house_key
from natural9.proof.signed_note import ED25519, KEY_BYTES, BadNote, SigningKey, VerifierKey
from natural9.server.people.keys import read_private, remove_draft, save_private
from natural9.store.contract import Entry, Store
from natural9.store.streams import SharedStream
from natural9.table.venue.venue import Venue

CHECKPOINT_KEY_FILE: Final = "checkpoint.key"
CHECKPOINT_KEYS: Final = "checkpoint-keys"  # the document that has every public key there ever was, oldest first


class KeyKept(Struct, frozen=True):
    """One key as the document keeps it."""

    key: str
    signature: str
    signature_before: str


_decode = msgspec.json.Decoder(tuple[KeyKept, ...]).decode


class CheckpointKeys(NamedTuple):
    """The key in use, and the public ones that lead up to it."""

    signing: SigningKey
    public: tuple[HouseKey, ...]
    is_recorded: bool = True  # else the journal does not name it yet

    @property
    def origin(self) -> str:
        return self.signing.name

    @property
    def event(self) -> CheckpointKeySet:
        key, signature, before = self.public[-1]
        return CheckpointKeySet(key=str(key), origin=self.origin, signature=signature, signature_before=before)

    @property
    def document(self) -> tuple[str, bytes]:
        return CHECKPOINT_KEYS, msgspec.json.encode([KeyKept(str(one[0]), *one[1:]) for one in self.public])


async def open_checkpoint_keys(
    folder: Path, store: Store, venue: Venue, random_bytes: Callable[[int], bytes] = secrets.token_bytes
) -> CheckpointKeys:
    """Of a venue whose records are open for writing; one whose journal names none gets its first."""
    remove_draft(folder, CHECKPOINT_KEY_FILE)
    held, public = held_keys(folder), await public_keys(store)
    if not public:
        signing = held[0] if held else _first_key(venue, random_bytes)
        keys = CheckpointKeys(signing, (new_house_key(signing),), is_recorded=False)
    else:
        keys = CheckpointKeys(_in_use(folder, held, public), public)
    wanted = venue.proof.origin
    if wanted and wanted != keys.origin:
        raise BadInput(
            "bad-origin",
            f"the checkpoints of this venue are called {keys.origin} for ever, and its file says {wanted}: "
            "write what they are called, or leave origin out",
        )
    if held != (keys.signing,):
        _save(folder, [keys.signing])
    return keys


async def change_checkpoint_key(
    folder: Path, store: Store, venue: Venue, *, by: Origin, at_ms: int, lost: bool
) -> CheckpointKeySet:
    """A new key for a venue whose records are open for writing, signed by the one before it unless that is lost."""
    public, held = await public_keys(store), held_keys(folder)
    if not public:
        raise BadInput("no-checkpoint-key", f"{folder} has signed no checkpoint yet: its first start makes a key")
    before = next((key for key in held if key.verifier == public[-1].key), None)
    if lost and before is not None:
        there = say("the checkpoint key of {folder} is not lost: leave out --lost, so that it vouches for the new one",
                    folder=str(folder))  # fmt: skip
        raise BadInput("key-not-lost", there)
    if not lost:
        before = _in_use(folder, held, public)
    signing = SigningKey(public[-1].key.name, ED25519, secrets.token_bytes(KEY_BYTES))
    keys = CheckpointKeys(signing, (*public, new_house_key(signing, before)))
    _save(folder, [*held, signing])  # before the journal names it
    entry = Entry(
        stream="venue",
        kind=keys.event.TAG,
        body=encode_line(keys.event, by),
        at_ms=at_ms,
        day=venue.gaming_day(at_ms),
        label=label_of("", keys.event),
        documents=(keys.document,),
    )
    await SharedStream(store, entry.stream).append([entry])
    _save(folder, [signing])
    return keys.event


async def public_keys(store: Store) -> tuple[HouseKey, ...]:
    """All that the journal names, oldest first."""
    kept = await store.document(CHECKPOINT_KEYS)
    if kept is None:
        return ()
    return tuple(HouseKey(VerifierKey.parse(one.key), one.signature, one.signature_before) for one in _decode(kept))


async def wrong_checkpoint_key(folder: Path, store: Store) -> str:
    """What is wrong with the key file of a venue that is being verified; nothing where there is none to be read."""
    path = folder / CHECKPOINT_KEY_FILE
    try:
        held = _parse(path, path.read_bytes())
    except OSError:
        return ""  # an auditor has the records, and need not have the key
    except BadInput as error:
        return str(error)
    public = await public_keys(store)
    if not public or public[-1].key in [key.verifier for key in held]:
        return ""
    return f"{path} does not hold the checkpoint key that the journal names"


def held_keys(folder: Path) -> tuple[SigningKey, ...]:
    """What the file holds: the key in use, and one more while it is being changed."""
    path = folder / CHECKPOINT_KEY_FILE
    written = read_private(path, "whoever has it can sign another history in the venue's name")
    return () if written is None else _parse(path, written)


def _parse(path: Path, written: bytes) -> tuple[SigningKey, ...]:
    try:
        return tuple(SigningKey.parse(line) for line in written.decode().splitlines())
    except (BadNote, UnicodeDecodeError):
        raise BadInput("bad-key", f"{path} is damaged: restore it from the backup") from None


def _in_use(folder: Path, held: Sequence[SigningKey], public: Sequence[HouseKey]) -> SigningKey:
    for key in held:
        if key.verifier == public[-1].key:
            return key
    other = say(
        "{file} does not hold the key that checkpoints are signed with: "
        "restore it from the backup; if it is lost for good, {command} makes a new one",
        file=str(folder / CHECKPOINT_KEY_FILE),
        command=f"natural9 rekey --checkpoint --lost {shlex.quote(str(folder))}",
    )
    raise BadInput("bad-key", other)


def _first_key(venue: Venue, random_bytes: Callable[[int], bytes]) -> SigningKey:
    """Without a name of the venue's choice, one that nobody else has by chance: it has digits of the key in it."""
    secret = random_bytes(KEY_BYTES)
    public = SigningKey("any", ED25519, secret).verifier.public
    slug = re.sub("[^a-z0-9]+", "-", venue.name.lower())[:40].strip("-") or "venue"
    return SigningKey(venue.proof.origin or f"{slug}.natural9/{sha256(public).hexdigest()[:8]}", ED25519, secret)


def _save(folder: Path, keys: Sequence[SigningKey]) -> None:
    save_private(folder / CHECKPOINT_KEY_FILE, "".join(f"{key.written}\n" for key in keys).encode())

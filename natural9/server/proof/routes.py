"""Checkpoints and proofs over HTTP, open to everybody: they are hashes and signatures, and tell nothing else."""

from typing import Annotated, Any

from litestar import Controller, MediaType, Request, Router, get, post
from litestar.di import NamedDependency
from litestar.params import PathParameter, QueryParameter
from msgspec import Struct

from natural9.core.errors import BadInput
from natural9.core.saying import say
from natural9.proof.merkle import consistency_ranges, inclusion_ranges
from natural9.server.house import House
from natural9.server.people.answers import documented
from natural9.server.proof.signing_key import KeyKept
from natural9.store.contract import Checkpoint, Store

AnyRequest = Request[Any, Any, Any]
SizePath = Annotated[int, PathParameter(description="How many entries the checkpoint is of.", ge=0, le=2**53)]
EntryQuery = Annotated[int, QueryParameter(description="The place of an entry in the journal's order.", ge=1, le=2**53)]
SizeQuery = Annotated[int, QueryParameter(description="How many entries a checkpoint is of.", ge=0, le=2**53)]


class HouseKeysShown(Struct, frozen=True, kw_only=True):
    """What the house's checkpoints are called, and the public keys that sign them, oldest first: each vouched for by
    the one before it."""

    origin: str
    keys: tuple[KeyKept, ...]


class WitnessShown(Struct, frozen=True, kw_only=True):
    """A witness that the house knows, and the last checkpoint that it has cosigned; none yet has no size."""

    name: str
    key: str
    size: int | None
    at_s: int | None


class CosignedShown(Struct, frozen=True, kw_only=True):
    """Whose cosignatures were taken."""

    size: int
    witnesses: tuple[str, ...]


class InclusionShown(Struct, frozen=True, kw_only=True):
    """RFC 6962, 2.1.1: the way from an entry to the root of the tree of this size. `leaf` is the entry's own hash."""

    entry: int
    size: int
    leaf: str
    hashes: tuple[str, ...]


class ConsistencyShown(Struct, frozen=True, kw_only=True):
    """RFC 6962, 2.1.2: the tree of the second size begins with the tree of the first."""

    first: int
    second: int
    hashes: tuple[str, ...]


class CheckpointController(Controller):
    """Signed notes of what the journal is (c2sp.org/tlog-checkpoint)."""

    path = "/checkpoint"
    tags = ("proof",)

    @get("/", media_type=MediaType.TEXT, responses=documented(503))
    async def newest(self, house: NamedDependency[House]) -> str:
        """The newest checkpoint, with the cosignatures that it has."""
        newest = house.checkpoints.newest
        if newest is None:
            raise BadInput("not-ready", say("nothing is signed yet: ask again in a moment"))
        return newest.note

    @get("/keys")
    async def keys(self, house: NamedDependency[House]) -> HouseKeysShown:
        """What to verify checkpoints with. Compare a key with the one on the house's papers before you trust it."""
        keys = house.checkpoints.keys
        return HouseKeysShown(origin=keys.origin, keys=tuple(KeyKept(str(one[0]), *one[1:]) for one in keys.public))

    @get("/witnesses")
    async def witnesses(self, house: NamedDependency[House]) -> tuple[WitnessShown, ...]:
        """Who has cosigned, and when."""
        words = house.checkpoints.words
        return tuple(
            WitnessShown(
                name=key.name,
                key=str(key),
                size=words[key].size if key in words else None,
                at_s=words[key].at_s if key in words else None,
            )
            for key in house.checkpoints.witnesses
        )

    @get("/{size:int}", media_type=MediaType.TEXT, responses=documented(400, 404))
    async def of_size(self, house: NamedDependency[House], size: SizePath) -> str:
        """One that was signed earlier, by its size."""
        return (await _kept(house.store, size)).note

    @post("/{size:int}/cosignatures", status_code=200, responses=documented(400, 403, 404, 413))
    async def cosign(self, request: AnyRequest, house: NamedDependency[House], size: SizePath) -> CosignedShown:
        """For witnesses in the venue file: signature lines (c2sp.org/tlog-cosignature), as text."""
        try:
            written = (await request.body()).decode()
        except UnicodeDecodeError:
            raise BadInput("bad-cosignature", say("This is no cosignature: {why}", why="it is not UTF-8")) from None
        taken = await house.checkpoints.take(size, written)
        return CosignedShown(size=size, witnesses=tuple(one.key.name for one in taken))


class ProofController(Controller):
    """Proofs that need nobody's word: check them against a checkpoint."""

    path = "/proof"
    tags = ("proof",)

    @get("/inclusion", responses=documented(400, 404))
    async def inclusion(self, house: NamedDependency[House], entry: EntryQuery, size: SizeQuery) -> InclusionShown:
        """That an entry is in the tree of this size."""
        if entry > size:
            few = say("Entry {entry} is not among the first {size}.", entry=entry, size=size)
            raise BadInput("no-such-entry", few)
        await _check_size(house.store, size)
        [written] = await house.store.entries(after=entry - 1, limit=1)
        hashes = await house.store.tree_hashes(inclusion_ranges(entry - 1, size))
        return InclusionShown(entry=entry, size=size, leaf=written.hash.hex(), hashes=_shown(hashes))

    @get("/consistency", responses=documented(400, 404))
    async def consistency(self, house: NamedDependency[House], first: SizeQuery, second: SizeQuery) -> ConsistencyShown:
        """That the journal of the second size begins with that of the first."""
        if first > second:
            turned = say("A journal of {second} entries cannot go on from {first}.", first=first, second=second)
            raise BadInput("bad-sizes", turned)
        await _check_size(house.store, second)
        hashes = await house.store.tree_hashes(consistency_ranges(first, second))
        return ConsistencyShown(first=first, second=second, hashes=_shown(hashes))


def _shown(hashes: list[bytes]) -> tuple[str, ...]:
    return tuple(one.hex() for one in hashes)


async def _kept(store: Store, size: int) -> Checkpoint:
    kept = await store.checkpoint(size)
    if kept is None:
        raise BadInput("no-such-checkpoint", say("There is no checkpoint of {size} entries.", size=size))
    return kept


async def _check_size(store: Store, size: int) -> None:
    there = (await store.head()).seq
    if size > there:
        few = say("The journal has {there} entries, not {size}.", there=there, size=size)
        raise BadInput("no-such-entry", few)


def proof_router() -> Router:
    return Router(path="/api", route_handlers=[CheckpointController, ProofController])

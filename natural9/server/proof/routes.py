"""Checkpoints, their time stamps and proofs over HTTP, open to everybody: hashes and signatures, which tell nothing
else."""

from typing import Annotated, Any

from litestar import Controller, MediaType, Request, Response, Router, get, post
from litestar.di import NamedDependency
from litestar.params import PathParameter, QueryParameter
from msgspec import Struct

from natural9.core.errors import BadInput
from natural9.core.saying import say
from natural9.journal.line import by_staff
from natural9.journal.sentence import Sentence
from natural9.proof.merkle import consistency_ranges, inclusion_ranges
from natural9.server.house import House
from natural9.server.people.answers import ApiError, ApiRefused, documented
from natural9.server.people.guards import requires, signed_in
from natural9.server.people.permissions import Action
from natural9.server.proof.authority import ANSWER, NoStamp
from natural9.server.proof.signing_key import KeyKept
from natural9.server.proof.time_stamps import KeptStamp
from natural9.store.contract import Checkpoint, Store
from natural9.table.audit.time_stamp_audit import answer_of

AnyRequest = Request[Any, Any, Any]
SizePath = Annotated[int, PathParameter(description="How many entries the checkpoint is of.", ge=0, le=2**53)]
EntryQuery = Annotated[int, QueryParameter(description="The place of an entry in the journal's order.", ge=1, le=2**53)]
SizeQuery = Annotated[int, QueryParameter(description="How many entries a checkpoint is of.", ge=0, le=2**53)]

StampsQuery = Annotated[int, QueryParameter(description="How many, the newest first.", ge=1, le=10_000)]


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


class StampShown(Struct, frozen=True, kw_only=True):
    """A checkpoint that the authority has stamped: when, by its clock, and for which closed gaming days. Somebody asked
    for one without days."""

    size: int
    stamped_at_ms: int
    first_day: str | None
    last_day: str | None
    authority: str

    @staticmethod
    def of(kept: KeptStamp) -> "StampShown":
        return StampShown(
            size=kept.size,
            stamped_at_ms=kept.stamped_at_ms,
            first_day=kept.days.first or None,
            last_day=kept.days.last or None,
            authority=kept.authority,
        )


class StampsShown(Struct, frozen=True, kw_only=True):
    """Time stamps, newest first; the closed gaming days that still lack one, if any, and why the last try failed.
    No authority: none is named in the venue file."""

    authority: str | None
    stamps: tuple[StampShown, ...]
    missing_first_day: str | None
    missing_last_day: str | None
    problem: Sentence | None


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
        newest = house.office.checkpoints.newest
        if newest is None:
            raise BadInput("not-ready", say("nothing is signed yet: ask again in a moment"))
        return newest.note

    @get("/keys")
    async def keys(self, house: NamedDependency[House]) -> HouseKeysShown:
        """What to verify checkpoints with. Compare a key with the one on the house's papers before you trust it."""
        keys = house.office.checkpoints.keys
        return HouseKeysShown(origin=keys.origin, keys=tuple(KeyKept(str(one[0]), *one[1:]) for one in keys.public))

    @get("/witnesses")
    async def witnesses(self, house: NamedDependency[House]) -> tuple[WitnessShown, ...]:
        """Who has cosigned, and when."""
        words = house.office.checkpoints.words
        return tuple(
            WitnessShown(
                name=key.name,
                key=str(key),
                size=words[key].size if key in words else None,
                at_s=words[key].at_s if key in words else None,
            )
            for key in house.office.checkpoints.witnesses
        )

    @get("/time-stamps", responses=documented(400))
    async def time_stamps(self, house: NamedDependency[House], limit: StampsQuery = 400) -> StampsShown:
        """When an authority says that checkpoints were there: one for every closed gaming day."""
        stamps = house.office.time_stamps
        missing = stamps.missing
        return StampsShown(
            authority=stamps.authority.url if stamps.authority else None,
            stamps=tuple(map(StampShown.of, stamps.kept[: -limit - 1 : -1])),
            missing_first_day=missing.first or None,
            missing_last_day=missing.last or None,
            problem=Sentence.of(stamps.problem) if stamps.problem else None,
        )

    @post(
        "/time-stamps",
        status_code=200,
        guards=[requires(Action.VERIFY_JOURNAL)],
        responses=documented(401, 403, 409, 503),
    )
    async def stamp(self, request: AnyRequest, house: NamedDependency[House]) -> StampShown:
        """Have the journal stamped as it is now."""
        try:
            return StampShown.of(await house.office.time_stamps.stamp(by_staff(signed_in(request).id)))
        except NoStamp as error:
            raise ApiRefused(503, ApiError.of("no-time-stamp", error.why)) from None

    @get("/{size:int}/time-stamp", media_type=ANSWER, responses=documented(400, 404))
    async def time_stamp(self, house: NamedDependency[House], size: SizePath) -> Response[bytes]:
        """The authority's answer (RFC 3161), for `openssl ts -verify`."""
        answer = answer_of(await house.office.time_stamps.event(size))
        name = f'attachment; filename="checkpoint-{size}.tsr"'
        return Response(answer, media_type=ANSWER, headers={"content-disposition": name})

    @get("/{size:int}/stamped", media_type=MediaType.TEXT, responses=documented(400, 404))
    async def stamped(self, house: NamedDependency[House], size: SizePath) -> Response[str]:
        """The checkpoint as it was when it was stamped: later it may have more signatures."""
        note = (await house.office.time_stamps.event(size)).checkpoint
        name = f'attachment; filename="checkpoint-{size}.txt"'
        return Response(note, media_type=MediaType.TEXT, headers={"content-disposition": name})

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
        taken = await house.office.checkpoints.take(size, written)
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

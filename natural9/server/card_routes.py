"""A player's card at a terminal, over HTTP: card in with the PIN, one's own points, statement and PIN."""

from typing import Annotated, Any, NamedTuple, assert_never

from litestar import Controller, MediaType, Request, Response, Router, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody
from msgspec import Meta, Struct

from natural9.core.round import Refusal
from natural9.core.saying import say
from natural9.server.house import House
from natural9.server.people import wire
from natural9.server.people.answers import ApiError, ApiRefused, documented, not_known
from natural9.server.people.guards import peer_of, who_is
from natural9.server.people.player_routes import no_players_here
from natural9.server.people.routes import SignIns
from natural9.server.refused import refused
from natural9.server.reports import answers_aside
from natural9.server.reports.aside import Lane, aside
from natural9.server.reports.player_statement import PlayerVisitLine
from natural9.table.commands.decide import Who
from natural9.table.commands.terminal import CardIn
from natural9.table.commands.terminal import Request as RequestId
from natural9.table.live.answers import Accepted, NotKnown
from natural9.table.live.errands import AskTable, CardAt

AnyRequest = Request[Any, Any, Any]
MOST_VISITS = 50
Pin = Annotated[str, Meta(max_length=20)]


class CardShown(wire.Request, frozen=True):
    """The code on the card, typed or scanned, and the PIN."""

    request: RequestId
    card: Annotated[str, Meta(min_length=1, max_length=100)]
    pin: Pin


class NewPin(wire.Request, frozen=True):
    present: Pin
    new: Pin


class CardedPlayer(Struct, frozen=True, kw_only=True):
    """Who plays at this terminal. Points are in hundredths; None where the venue has none."""

    number: str
    name: str
    points: int | None


class _TerminalSeat(NamedTuple):
    device: str
    table: str
    seat: int


class CardController(Controller):
    """For the terminal whose card it is, and nobody else."""

    path = "/card"
    tags = ("players",)

    @post("/", status_code=200, responses=documented(400, 401, 403, 409, 413, 429, 503))
    async def card_in(
        self,
        request: AnyRequest,
        data: JSONBody[CardShown],
        house: NamedDependency[House],
        sign_ins: NamedDependency[SignIns],
    ) -> CardedPlayer:
        """Card in at this terminal. 403 says that card and PIN were not accepted, or that this player does not play."""
        at, peer, players = _seat(request, house), peer_of(request.scope), house.accounts.players
        await sign_ins.limiter.attempt(peer, device=at.device)
        record = await players.check(data.card, data.pin, device=at.device)
        sign_ins.limiter.succeeded(peer, device=at.device)
        if record.exclusion:
            raise players.excluded(record, table=at.table, seat=at.seat)
        carded = house.venue.players
        tap = CardIn(request=data.request, player=record.number, points_per_100=carded.points_per_100 if carded else 0)
        since_ms = house.accounts.devices.find(at.device).enrolled_ms
        answer = await house.carry_out(at.table, AskTable.of(tap, Who.terminal(at.table, at.seat, since_ms)))
        match answer:
            case Accepted():
                return await _carded(house, record.number)
            case Refusal():
                raise refused(answer)
            case NotKnown():
                raise not_known()
            case _:
                assert_never(answer)

    @get("/", responses=documented(401, 403, 409, 503))
    async def card(self, request: AnyRequest, house: NamedDependency[House]) -> CardedPlayer:
        """Who plays here."""
        return await _carded(house, await _player(request, house))

    @get("/statement", responses=documented(401, 403, 409, 503))
    async def statement(self, request: AnyRequest, house: NamedDependency[House]) -> Response[list[PlayerVisitLine]]:
        """One's own visits, newest first: at most 50."""
        job = answers_aside.own_statement
        answer: Any = await aside(Lane.GUESTS, house.store, job, await _player(request, house), MOST_VISITS)
        return Response(answer, media_type=MediaType.JSON)

    @post("/pin", status_code=204, responses=documented(400, 401, 403, 409, 413, 429, 503))
    async def change_pin(
        self,
        request: AnyRequest,
        data: JSONBody[NewPin],
        house: NamedDependency[House],
        sign_ins: NamedDependency[SignIns],
    ) -> None:
        """One's own PIN, by the present one."""
        at, peer = _seat(request, house), peer_of(request.scope)
        player = await _player(request, house)
        await sign_ins.limiter.attempt(peer, device=at.device)
        await house.accounts.players.change_pin(player, data.present, data.new, device=at.device)
        sign_ins.limiter.succeeded(peer, device=at.device)


def _seat(request: AnyRequest, house: House) -> _TerminalSeat:
    """The terminal that asks, where the venue has players with names."""
    who = who_is(request)
    device = who.device if who else None
    if device is None or device.kind != "terminal" or device.seat is None:
        only = say("A card goes into a player's terminal: this browser is none")
        raise ApiRefused(403, ApiError.of("not-a-terminal", only))
    if house.venue.players is None:
        raise no_players_here()
    return _TerminalSeat(device.id, device.table, device.seat)


async def _player(request: AnyRequest, house: House) -> str:
    """Whose card is in here."""
    at = _seat(request, house)
    player = await house.carry_out(at.table, CardAt(at.seat))
    if player is None:
        raise ApiRefused(409, ApiError.of("no-card", say("There is no card in this terminal")))
    return player


async def _carded(house: House, number: str) -> CardedPlayer:
    carded, name = house.venue.players, house.accounts.players.find(number).name
    points = await house.points.of(number) if carded and carded.points_per_100 else None
    return CardedPlayer(number=number, name=name, points=points)


def card_router() -> Router:
    return Router(path="/api", route_handlers=[CardController])

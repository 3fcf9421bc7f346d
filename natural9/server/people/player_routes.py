"""Players' accounts at the cash desk and in the pit, over HTTP."""

from typing import Annotated, Any

from litestar import Controller, Request, Router, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody, PathParameter, QueryParameter
from msgspec import Meta, Struct

from natural9.core.errors import BadInput
from natural9.core.saying import say
from natural9.server.people import wire
from natural9.server.people.answers import documented
from natural9.server.people.guards import requires, signed_in
from natural9.server.people.permissions import Action
from natural9.server.people.players import IssuedCard, Players, card_text
from natural9.server.people.records import PlayerRecord, PlayerStatus
from natural9.server.people.routes import SignIns
from natural9.server.voucher_slip import qr_svg

AnyRequest = Request[Any, Any, Any]
PlayerNumber = Annotated[str, PathParameter(description="The number of a player.", max_length=20)]
MOST_FOUND = 200


class NewPlayer(wire.Request, frozen=True):
    """`name` is what the player wants to be called."""

    name: wire.Name


class NewExclusion(wire.Request, frozen=True):
    """`until_day` is the gaming day from which it may be lifted, "" for ever; `own` where the player asked for it."""

    why: Annotated[str, Meta(max_length=500)]
    until_day: Annotated[str, Meta(max_length=20)] = ""
    own: bool = False


class LiftExclusion(wire.Request, frozen=True):
    why: Annotated[str, Meta(max_length=500)]


class ExclusionView(Struct, frozen=True):
    until_day: str
    own: bool


class PlayerView(Struct, frozen=True, kw_only=True):
    number: str
    name: str
    status: PlayerStatus
    exclusion: ExclusionView | None


class IssuedCardView(Struct, frozen=True, kw_only=True):
    """A card or a PIN to be handed over, shown once; "" for what is as it was."""

    number: str
    name: str
    card: str
    pin: str
    qr: Annotated[str, Meta(description="An inline SVG picture of the card's code")]


_KEEP = [requires(Action.KEEP_PLAYERS)]
_CHANGES = documented(400, 401, 403, 404, 409, 413, 503)


def no_players_here() -> BadInput:
    return BadInput("no-players", say("players have no names here: the venue file has no players, or they are off"))


def players_of(sign_ins: SignIns) -> Players:
    """Only where the venue has players with names."""
    players = sign_ins.accounts.players
    if not players.is_on:
        raise no_players_here()
    return players


class PlayersController(Controller):
    """For whoever keeps the accounts of players."""

    path = "/players"
    tags = ("players",)

    @get("/", guards=[requires(Action.SEE_PLAYERS)], responses=documented(400, 401, 403, 409))
    async def list_players(
        self,
        sign_ins: NamedDependency[SignIns],
        search: Annotated[str, QueryParameter(description="Part of a name or number, or a card.", max_length=100)] = "",
        excluded: Annotated[bool, QueryParameter(description="Only who is excluded.")] = False,
    ) -> list[PlayerView]:
        """At most 200, by number."""
        players = players_of(sign_ins)
        found = [one for one in players.all() if one.exclusion or not excluded]
        if search:
            wanted, by_card = search.strip().casefold(), players.number_of_card(search)
            found = [one for one in found if wanted in one.name.casefold() or one.number in (wanted, by_card)]
        return [_view(players, one) for one in found[:MOST_FOUND]]

    @get("/{number:str}", guards=[requires(Action.SEE_PLAYERS)], responses=documented(400, 401, 403, 404, 409))
    async def player(self, number: PlayerNumber, sign_ins: NamedDependency[SignIns]) -> PlayerView:
        players = players_of(sign_ins)
        return _view(players, players.find(number))

    @post("/", guards=_KEEP, responses=documented(400, 401, 403, 409, 413, 503))
    async def add_player(
        self,
        request: AnyRequest,
        data: JSONBody[NewPlayer],
        sign_ins: NamedDependency[SignIns],
    ) -> IssuedCardView:
        """A new account with its card and PIN, which are told this once."""
        players = players_of(sign_ins)
        return _issued(players, await players.add(data.name, by=signed_in(request).id))

    @post("/{number:str}/name", status_code=200, guards=_KEEP, responses=_CHANGES)
    async def rename(
        self,
        request: AnyRequest,
        number: PlayerNumber,
        data: JSONBody[NewPlayer],
        sign_ins: NamedDependency[SignIns],
    ) -> PlayerView:
        players = players_of(sign_ins)
        return _view(players, await players.rename(number, data.name, by=signed_in(request).id))

    @post("/{number:str}/card", status_code=200, guards=_KEEP, responses=_CHANGES)
    async def new_card(
        self,
        request: AnyRequest,
        number: PlayerNumber,
        sign_ins: NamedDependency[SignIns],
    ) -> IssuedCardView:
        """A new card; the former is worth nothing."""
        players = players_of(sign_ins)
        return _issued(players, await players.new_card(number, by=signed_in(request).id))

    @post("/{number:str}/pin", status_code=200, guards=_KEEP, responses=_CHANGES)
    async def new_pin(
        self,
        request: AnyRequest,
        number: PlayerNumber,
        sign_ins: NamedDependency[SignIns],
    ) -> IssuedCardView:
        """A new PIN, which ends a lock, too."""
        players = players_of(sign_ins)
        return _issued(players, await players.new_pin(number, by=signed_in(request).id))

    @post("/{number:str}/close", status_code=200, guards=_KEEP, responses=_CHANGES)
    async def close(
        self,
        request: AnyRequest,
        number: PlayerNumber,
        sign_ins: NamedDependency[SignIns],
    ) -> PlayerView:
        """No play with this card from now on."""
        players = players_of(sign_ins)
        return _view(players, await players.close(number, by=signed_in(request).id))

    @post("/{number:str}/reopen", status_code=200, guards=_KEEP, responses=_CHANGES)
    async def reopen(
        self,
        request: AnyRequest,
        number: PlayerNumber,
        sign_ins: NamedDependency[SignIns],
    ) -> PlayerView:
        players = players_of(sign_ins)
        return _view(players, await players.reopen(number, by=signed_in(request).id))

    @post("/{number:str}/exclude", status_code=200, guards=[requires(Action.EXCLUDE_PLAYER)], responses=_CHANGES)
    async def exclude(
        self,
        request: AnyRequest,
        number: PlayerNumber,
        data: JSONBody[NewExclusion],
        sign_ins: NamedDependency[SignIns],
    ) -> PlayerView:
        """No play from now on, wherever the player is carded in."""
        players, by = players_of(sign_ins), signed_in(request).id
        exclude = players.exclude
        return _view(players, await exclude(number, until_day=data.until_day, own=data.own, why=data.why, by=by))

    @post("/{number:str}/lift", status_code=200, guards=[requires(Action.LIFT_EXCLUSION)], responses=_CHANGES)
    async def lift(
        self,
        request: AnyRequest,
        number: PlayerNumber,
        data: JSONBody[LiftExclusion],
        sign_ins: NamedDependency[SignIns],
    ) -> PlayerView:
        """The player may play again."""
        players = players_of(sign_ins)
        return _view(players, await players.lift(number, why=data.why, by=signed_in(request).id))


def _view(players: Players, one: PlayerRecord) -> PlayerView:
    exclusion = ExclusionView(one.exclusion.until_day, one.exclusion.own) if one.exclusion else None
    return PlayerView(number=one.number, name=one.name, status=players.status(one), exclusion=exclusion)


def _issued(players: Players, issued: IssuedCard) -> IssuedCardView:
    qr = qr_svg(card_text(issued.card)) if issued.card else ""
    name = players.find(issued.number).name
    return IssuedCardView(number=issued.number, name=name, card=issued.card, pin=issued.pin, qr=qr)


def players_router() -> Router:
    return Router(path="/api", route_handlers=[PlayersController])

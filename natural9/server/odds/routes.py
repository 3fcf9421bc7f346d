"""The odds over HTTP, for everyone: which games there are, and what every wager of one is worth."""

from typing import Annotated, Any

from litestar import Controller, Request, Router, get
from litestar.di import NamedDependency, Provide
from litestar.params import QueryParameter, SkipValidation
from msgspec.structs import replace

from natural9.games import game_ids, load_game
from natural9.server.clock import monotonic_ms
from natural9.server.odds.pricer import OddsPricer
from natural9.server.odds.wire import GamePriced, OddsGame, odds_game
from natural9.server.people.answers import documented
from natural9.server.people.guards import peer_of, who_is
from natural9.server.people.permissions import Action
from natural9.table.venue.venue import Venue

MOST_CARDS_TEXT = 3000  # every card of the largest shoe, with its suit and a blank

GameQuery = Annotated[str, QueryParameter(description="The id of a game, as mbs-tiger.", max_length=40)]
DecksQuery = Annotated[int, QueryParameter(description="Decks in the fresh shoe.", ge=1, le=100)]
WithoutQuery = Annotated[
    str,
    QueryParameter(
        description="Cards that are out of it already, with or without their suits: 9 9 KD.",
        max_length=MOST_CARDS_TEXT,
    ),
]


class OddsController(Controller):
    """Exact, from the same pay rows that settle live rounds. Nobody has to sign in."""

    path = "/odds"
    tags = ("odds",)

    @get("/games")
    async def games(self, pricer: NamedDependency[OddsPricer]) -> list[OddsGame]:
        """The games that can be priced, and the decks that they are played with."""
        pricer.warm()
        return [odds_game(load_game(game_id)) for game_id in game_ids()]

    @get("/", responses=documented(400, 429))
    async def priced(
        self,
        request: Request[Any, Any, Any],
        pricer: NamedDependency[OddsPricer],
        venue: NamedDependency[SkipValidation[Venue]],
        game: GameQuery,
        decks: DecksQuery = 8,
        without: WithoutQuery = "",
    ) -> GamePriced:
        """Every wager's chances, expectation, house edge and volatility for this shoe; insurance too, for staff who see
        reports and where the venue shows it to everybody."""
        priced = await pricer.priced(game, decks, without, peer=peer_of(request.scope))
        who = who_is(request)
        sees = venue.public_insurance_odds or bool(who and who.person and who.person.may(Action.SEE_REPORTS))
        return priced if sees else replace(priced, insurance=())


def odds_router(*others: type[Controller]) -> Router:
    """With others who price by the same thread and memory."""
    pricer = OddsPricer(clock_ms=monotonic_ms)
    return Router(
        path="/api",
        route_handlers=[OddsController, *others],
        dependencies={"pricer": Provide(lambda: pricer, sync_to_thread=False)},
    )

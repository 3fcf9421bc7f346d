"""The odds of a table of the floor, for staff who may: what is left in its shoe, and what every wager is worth now."""

from typing import Annotated, Any

from litestar import Controller, Request, get
from litestar.di import NamedDependency
from litestar.params import PathParameter
from msgspec import Struct

from natural9.server.house import House
from natural9.server.odds.pricer import MOST_CARDS_IN_A_ROUND, OddsPricer
from natural9.server.odds.wire import GamePriced, OddsGame, odds_game
from natural9.server.people.answers import documented
from natural9.server.people.guards import peer_of, requires
from natural9.server.people.permissions import Action
from natural9.table.state.shoe_seen import ShoeSeen, shoe_seen

TableId = Annotated[str, PathParameter(description="The id of a table.", max_length=40)]


class TableShoe(Struct, frozen=True, kw_only=True):
    """`priced` is for the next round from what is left, `full` for a fresh shoe; neither where too few cards are left,
    and nothing before the first shoe."""

    game: OddsGame
    seen: ShoeSeen | None
    priced: GamePriced | None
    full: GamePriced | None


class TableOddsController(Controller):
    """Never for a device: a player's terminal has no business with what is left in the shoe."""

    path = "/odds/tables"
    tags = ("odds",)
    guards = (requires(Action.SEE_SHOE),)

    @get("/{table:str}", responses=documented(400, 401, 403, 404, 429, 503))
    async def shoe(
        self,
        request: Request[Any, Any, Any],
        table: TableId,
        house: NamedDependency[House],
        pricer: NamedDependency[OddsPricer],
    ) -> TableShoe:
        """As the last finished round left it: the cards of a round in play are counted when it is over."""
        room = house.room(table)
        game, peer = room.config.game, peer_of(request.scope)
        seen = await room.writer.see(shoe_seen)
        if seen is None or sum(seen.left.values()) < MOST_CARDS_IN_A_ROUND:
            return TableShoe(game=odds_game(game), seen=seen, priced=None, full=None)
        full = (4 * seen.decks,) * len(seen.left)
        return TableShoe(
            game=odds_game(game),
            seen=seen,
            priced=await pricer.priced_for(game, seen.decks, tuple(seen.left.values()), peer=peer),
            full=await pricer.priced_for(game, seen.decks, full, peer=peer),
        )

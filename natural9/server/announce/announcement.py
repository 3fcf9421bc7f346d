"""What the house tells outside of a table: less than any display at the table shows, and no seat, sum or person.

It lists what may be told, not what may not: what a table shows tomorrow is not told before it stands here.
"""

from collections.abc import Iterable
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from natural9.core.events import SeenBy
from natural9.core.round.state import Phase
from natural9.core.table_of_play import Hand
from natural9.journal.catalogue import ALL_EVENTS
from natural9.journal.table_events import TableClosed, TableOpened, TablePaused, TableResumed
from natural9.table.state.state import Status
from natural9.table.state.view import DealtCard, Shown, TableView, Voided

# Staff see who opened a table and why; that it is open is for everybody.
_STATUS: Final = frozenset(one.TAG for one in (TableOpened, TablePaused, TableResumed, TableClosed))
TOLD: Final = _STATUS | {one.TAG for one in ALL_EVENTS if one.SEEN_BY is SeenBy.ALL}


class PublicTable(Struct, frozen=True, kw_only=True):
    """How a table looks from across the room: no chips, and of cards that lie for the squeeze only those turned."""

    title: str
    game: Annotated[str, Meta(description="Its id, as `natural9 games` lists it")]
    status: Status
    phase: Phase
    in_play: Annotated[bool, Meta(description="Bets lie, or cards do")]
    takes_bets: Annotated[bool, Meta(description="A bet would be taken now")]
    round: int
    shoe: int
    cut_card: Annotated[bool, Meta(description="That of this shoe has appeared")]
    cards: Annotated[tuple[DealtCard, ...], Meta(description="Those that are open, as they were dealt")]
    player_total: Annotated[int | None, Meta(description="Of the cards that are open")]
    banker_total: Annotated[int | None, Meta(description="Of the cards that are open")]
    result: Annotated[Shown | None, Meta(description="Once it is declared")]
    voided: Voided | None
    results: Annotated[
        tuple[str, ...],
        Meta(
            description="The rounds of this shoe, as B72n: who won, the points of Player and Banker, then n for a "
            "natural, p and b for pairs"
        ),
    ]
    tallies: Annotated[dict[str, int], Meta(description="How often each side won, and each wager paid, in this shoe")]


class Announcement(Struct, frozen=True, kw_only=True):
    """One message. `n` counts those of a table from 1 within one `run` of it, so that a gap is seen."""

    venue: Annotated[str, Meta(description="Its name")]
    table: Annotated[str, Meta(description="Its id")]
    run: Annotated[str, Meta(description="From when the table came to a server until it leaves it")]
    n: Annotated[int, Meta(description="From 1 without a gap. One that is known has come twice", ge=1)]
    at_ms: Annotated[int, Meta(description="When it was told, by the venue's clock")]
    happened: Annotated[
        tuple[str, ...],
        Meta(description="The tags of the events that led to it; none where the table only looks different"),
    ]
    halted: Annotated[bool, Meta(description="The table's journal failed, and it has stopped")]
    closes_at_ms: Annotated[int | None, Meta(description="When betting or insurance closes by itself")]
    now: PublicTable


encode = msgspec.json.Encoder().encode


def public_table(view: TableView) -> PublicTable:
    cards = view.cards if view.squeeze is None else view.cards[: view.squeeze.opened]
    totals = {card.hand: card.total for card in cards}
    return PublicTable(
        title=view.title,
        game=view.game,
        status=view.status,
        phase=view.phase,
        in_play=view.in_play,
        takes_bets=view.takes_bets,
        round=view.round,
        shoe=view.shoe.number,
        cut_card=view.shoe.cut_card,
        cards=cards,
        player_total=totals.get(Hand.PLAYER),
        banker_total=totals.get(Hand.BANKER),
        result=view.result,
        voided=view.voided,
        results=view.results,
        tallies=view.tallies,
    )


def public_tags(happened: Iterable[str]) -> tuple[str, ...]:
    """Nobody outside learns that somebody at the table bet, bought credit or called for help."""
    return tuple([tag for tag in happened if tag in TOLD])

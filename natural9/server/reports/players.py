"""Players with names: who has an account, and who is excluded."""

from typing import Annotated, Final

from msgspec import Struct, json

from natural9.server.people.permissions import Action
from natural9.server.people.records import PLAYER, PlayerRecord
from natural9.server.reports.columns import ColumnHint
from natural9.server.reports.report import Report
from natural9.store.contract import Store


class PlayerLine(Struct, frozen=True, kw_only=True):
    """Nothing that a card or a PIN could be tried against."""

    number: Annotated[str, ColumnHint(title="Player no.")]
    name: str
    closed: Annotated[bool, ColumnHint(title="Account closed")]
    excluded: bool
    until_day: Annotated[str, ColumnHint(title="May be lifted from")]  # "" where it never may, or nobody is excluded
    own: Annotated[bool, ColumnHint(title="Asked for it")]


async def player_report(store: Store) -> list[PlayerLine]:
    kept = await store.documents(PLAYER)
    return [_line(json.decode(kept[key], type=PlayerRecord)) for key in sorted(kept)]


def _line(one: PlayerRecord) -> PlayerLine:
    exclusion = one.exclusion
    return PlayerLine(
        number=one.number,
        name=one.name,
        closed=one.closed,
        excluded=exclusion is not None,
        until_day=exclusion.until_day if exclusion else "",
        own=exclusion is not None and exclusion.own,
    )


PLAYERS: Final = Report(
    name="players",
    title="Players",
    says="Who has an account, whether it is closed, and the exclusion list.",
    permission=Action.SEE_PLAYERS,
    row=PlayerLine,
    make=player_report,
    of_players=True,
)

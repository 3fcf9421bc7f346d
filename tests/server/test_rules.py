"""The rules as they are shown to a player."""

from natural9.server.rules import game_view
from tests.table.live import table_config


def test_every_row_of_insurance_says_when_it_wins() -> None:
    rows = game_view(table_config("rws-nc-insurance")).insurance
    assert {row.wins_if for row in rows if row.hand == "banker"} == {"player wins"}
    starred = [row for row in rows if row.wins_if == "tie"]
    assert [(row.hand, row.player, row.odds) for row in starred] == [("player", "9", "8:1")]

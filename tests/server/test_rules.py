"""The words of the paragraphs, as the screens show them beside a citation."""

from natural9.games import game_ids, load_game
from natural9.server.rules import paragraph_words


def test_every_paragraph_that_a_pay_table_cites_has_words() -> None:
    words = paragraph_words()
    for game in map(load_game, game_ids()):
        cited = {row.paragraph for wager in game.wagers for row in wager.rows}
        cited |= {wager.paragraph for wager in game.wagers}
        cited |= {row.paragraph for row in (game.insurance.rows if game.insurance else ())}
        assert {citation for citation in cited if not words.get(citation)} <= {""}, game.id
        for one in game.interpretations:
            assert words[f"interpretation {one.id}"] == one.reading

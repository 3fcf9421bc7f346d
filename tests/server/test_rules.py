"""The words of the rules, as the screens show them where one is tapped."""

import re

import pytest

from natural9.games import game_ids, load_game
from natural9.games.loader import load_document
from natural9.server.rules import game_view, interpretation_titles, rule_texts
from tests.sentences import LANGUAGES
from tests.table.live import table_config

LANGUAGES_OF_SCREENS = sorted(path.name for path in LANGUAGES.iterdir() if path.is_dir())


def test_every_rule_that_a_pay_table_cites_has_words_and_the_name_of_its_document() -> None:
    texts = rule_texts()
    for game in map(load_game, game_ids()):
        cited = {row.paragraph for wager in game.wagers for row in wager.rows}
        cited |= {wager.paragraph for wager in game.wagers}
        cited |= {row.paragraph for row in (game.insurance.rows if game.insurance else ())}
        for citation in cited - {""}:
            assert all(one.says["en"] and one.documents for one in texts[citation]), citation
        for reading in game.interpretations:
            said = [one.says["en"] for one in texts[f"interpretation {reading.id}"]]
            assert reading.reading in said


@pytest.mark.parametrize("language", LANGUAGES_OF_SCREENS)
def test_an_interpretation_has_a_title_and_words_in_every_language(language: str) -> None:
    for id, titles in interpretation_titles().items():
        assert titles[language], id
    for game in game_ids():
        for one in game_view(table_config(game)).interpretations:
            said = one.languages[language]
            assert all((said.title, said.reading, said.rejected, said.why)), one.id


@pytest.mark.parametrize("language", LANGUAGES_OF_SCREENS)
def test_a_rule_says_in_every_language_what_it_says(language: str) -> None:
    texts = rule_texts()
    assert len(texts) > 200
    assert [citation for citation, said in texts.items() if not all(one.says.get(language) for one in said)] == []


@pytest.mark.parametrize("game", game_ids())
def test_help_at_a_table_quotes_no_other_document(game: str) -> None:
    """A clause binds only the game that it was approved for: a player reads of no other operator's."""
    view = game_view(table_config(game))
    own, _ = load_document(load_game(game).document.id)
    ids = re.compile(r"\b(?:mbs|rws(?:-[a-z]+)*)\b|\bRWS\b|Marina Bay|Resorts World", re.IGNORECASE)
    for one in view.interpretations:
        assert {paragraph.split()[0] for paragraph in one.paragraphs} <= {own.id}
        for said in one.languages.values():
            for text in (said.title, said.reading, said.rejected, said.why):
                assert not ids.search(text), (one.id, text)


@pytest.mark.parametrize("game", [game for game in game_ids() if load_game(game).insurance is None])
def test_help_at_a_table_without_insurance_speaks_of_none(game: str) -> None:
    for one in game_view(table_config(game)).interpretations:
        for said in one.languages.values():
            spoken = " ".join((said.title, said.reading, said.rejected, said.why))
            assert not re.search(r"insurance|insure|starred|保险|星号", spoken, re.IGNORECASE), one.id

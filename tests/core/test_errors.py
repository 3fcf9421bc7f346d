"""What a complaint is made of."""

from natural9.core.errors import did_you_mean, nearest, sentence

WAGERS = ["player", "banker", "tie"]


def test_the_word_that_was_meant_is_named_if_one_is_like_it() -> None:
    assert nearest("bankr", WAGERS) == "banker"
    assert did_you_mean("bankr", WAGERS) == "; did you mean banker?"
    assert nearest("xyz", WAGERS) == did_you_mean("xyz", WAGERS) == ""


def test_a_sentence_begins_with_a_capital() -> None:
    assert sentence("there is no table") == "There is no table"
    assert sentence("") == ""

"""Lies about the rules that a round is played by."""

from tests.lies.lie import Lie, changed, record_of, say, the
from tests.lies.shown import Shown

TABLE = {"stream": "table/2"}
OTHER = "ab" * 32


def _other_game(shown: Shown) -> None:
    """The same cards and bets by another game's name, in mid-shoe."""
    for line in (one for one in shown.entries if one["kind"] == "betting-opened" and one["stream"] == "table/2"):
        if record_of(line)["round"] > 2:
            say(line, game="mbs-tiger-nc")


def _other_rules_from_the_start(shown: Shown) -> None:
    """Nobody has rules with such a hash: not to be told apart from rules that were changed."""
    was = record_of(the(shown, "betting-opened", **TABLE))["rules_sha256"]
    for line in shown.entries:
        line["body"] = line["body"].replace(was, OTHER)


def _number_left_out(shown: Shown) -> None:
    line = the(shown, "betting-opened", 2, **TABLE)
    say(line, round=9)["label"] = "round/2/9"


LIES = (
    Lie("a round by rules with another hash", changed("betting-opened", where=TABLE, rules_sha256=OTHER)),
    Lie("all rounds of a table by rules that nobody approved", _other_rules_from_the_start),
    Lie("another game in the middle of a shoe", _other_game),
    Lie(
        "a round that offers a wager that the game has not",
        changed("betting-opened", where=TABLE, offered=["player", "super-6"]),
    ),
    Lie("a round with limits that nobody set", changed("betting-opened", where=TABLE, limits={"player": [100, 10**9]})),
    Lie("a round with another betting unit", changed("betting-opened", where=TABLE, betting_unit_cents=50)),
    Lie("a round's number is left out", _number_left_out),
    Lie("a round is played on a shoe that is not there", changed("betting-opened", where=TABLE, shoe=2)),
    Lie("a table is opened for another game than is played", changed("table-opened", where=TABLE, game="mbs-nc")),
    Lie("cards wait for a round that never waited", changed("betting-opened", 1, where=TABLE, held=["9H"])),
)

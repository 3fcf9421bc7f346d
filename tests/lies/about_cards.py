"""Lies about cards and results, at tables with real cards and with electronic shoes."""

from tests.lies.lie import Lie, ask, changed, leave_out, left_out, put_after, say, the, twin
from tests.lies.shown import Shown

REAL, ELECTRONIC = "table/2", "table/4"


def _a_third_card_too_many(shown: Shown) -> None:
    last = the(shown, "card-dealt", 3, stream=REAL)
    more = twin(last)
    say(more, card="4D", hand="player", put_at="player", phase="complete")
    put_after(shown, last, ask(more, "r-more"))


def _no_third_card(shown: Shown) -> None:
    last = the(shown, "card-dealt", hand="banker", card="6D", stream="table/1")
    leave_out(shown, last)


def _two_cards_swapped(shown: Shown) -> None:
    one, other = (the(shown, "card-dealt", place, stream=REAL) for place in (0, 1))
    say(one, card="2H")
    say(other, card="9S")


def _ninth_of_eight(shown: Shown) -> None:
    """The same card nine times in a shoe of eight decks."""
    for line in [line for line in shown.entries if line["kind"] == "card-dealt" and line["stream"] == REAL][:9]:
        say(line, card="KD")


LIES = (
    Lie("a card is another one, of another rank", changed("card-dealt", where={"stream": REAL}, card="7S")),
    Lie(
        "a card of an electronic shoe has another suit, and nothing is paid otherwise",
        changed("card-dealt", where={"stream": ELECTRONIC}, card="4C"),
    ),
    Lie("a card is given to the wrong hand", changed("card-dealt", 1, where={"stream": REAL}, hand="player")),
    Lie("two cards are exchanged between the hands", _two_cards_swapped),
    Lie("a third card too many", _a_third_card_too_many),
    Lie("a third card that was due is left out", _no_third_card),
    Lie("a card that no deck has", changed("card-dealt", where={"stream": REAL}, card="1H")),
    Lie("one card more often than the shoe has it", _ninth_of_eight),
    Lie("a card is dealt before betting is closed", lambda shown: leave_out(shown, the(shown, "betting-closed", 5))),
    Lie("another hand is declared the winner", changed("result-declared", where={"stream": REAL}, winner="banker")),
    Lie(
        "a wager is said to win that does not",
        changed("result-declared", where={"stream": REAL}, won=["player", "tie"]),
    ),
    Lie("a total is not that of the cards", changed("result-declared", where={"stream": REAL}, player_total=8)),
    Lie("a result is never declared", left_out("result-declared", stream=REAL)),
    Lie("the cut card never came", left_out("cut-card-appeared", stream=ELECTRONIC)),
    Lie("a card waits that was never reported", changed("cards-put-in-order", cards=["5H", "7D"])),
    Lie(
        "cards that were drawn together are played in another order", changed("cards-put-in-order", cards=["6D", "5H"])
    ),
)

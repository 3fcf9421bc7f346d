"""Burning the first cards of a shoe: what is shown is out of what can come, what is not is gone all the same."""

import pytest

from natural9.core.cards import ALL_CARDS, RANKS, Card
from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import commands, events, what_next
from natural9.core.round.burning import MOST_BURNT, face_down
from natural9.core.round.refusal import Code
from natural9.core.shoe import Shoe
from tests.core.round.table import (
    DEALER,
    NATURAL,
    ONE_GAME_A_DOCUMENT,
    PIT_SUPERVISOR,
    Signed,
    Table,
    of,
    signed,
)

SEVEN, KING = Card("7", "H"), Card("K", "D")
FACE_DOWN = {"A": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "T": 10, "J": 10, "Q": 10, "K": 10}
OPEN = commands.OpenBetting(round=1, betting_unit_cents=100)


def burn(card: Card | None, why: str = "") -> Signed:
    return signed(commands.BurnCards(card=card), by=DEALER, why=why)


@pytest.mark.rule("interpretation burning")
@pytest.mark.parametrize("rank", RANKS)
def test_as_many_as_its_points_follow_face_down(rank: str) -> None:
    table = Table("mbs-nc", burns=True)
    [burnt] = of(events.CardsBurnt, table.do(burn(Card(rank, "S"))))
    assert (burnt.shoe, burnt.card, burnt.face_down, burnt.to_come) == (1, f"{rank}S", FACE_DOWN[rank], 0)
    assert (burnt.why, burnt.paragraph) == ("", "interpretation burning")
    assert burnt.describe() == f"Burnt: {rank}S and {FACE_DOWN[rank]} face down"
    table.open()
    assert table.state.shoe == Shoe.of(decks=8).without([Card(rank, "S")]), "the one that was shown cannot come again"
    assert table.state.cards_left == 8 * 52 - 1 - FACE_DOWN[rank], "and those that nobody saw are gone"
    assert face_down(rank) < MOST_BURNT


@pytest.mark.parametrize("game_id", ONE_GAME_A_DOCUMENT)
def test_the_first_round_waits_for_it(game_id: str) -> None:
    table = Table(game_id, burns=True)
    refusal = table.refused(OPEN)
    assert (refusal.code, refusal.paragraph) == (Code.BURN_FIRST, "interpretation burning")
    assert refusal.message == "Shoe 1 burns: turn its first card face up, and burn it"
    may = what_next(table.state).commands
    assert commands.BurnCards in may
    assert not {commands.OpenBetting, commands.BurnFaceDown} & set(may)
    table.do(burn(SEVEN))
    assert commands.OpenBetting in what_next(table.state).commands
    table.play(NATURAL)
    table.open()  # once a shoe
    assert table.state.cards_left == 8 * 52 - 8 - 4
    assert (table.state.burnt, table.state.burnt_face_down) == (SEVEN, 7)


def test_what_cannot_be_burnt() -> None:
    table = Table("mbs-nc")
    nothing = "There is nothing to burn: a table that burns does so between rounds, from a new shoe"
    assert table.refused(burn(SEVEN)).message == nothing
    assert table.refused(commands.BurnFaceDown()).code is Code.NOTHING_TO_BURN
    table.open()
    assert table.refused(burn(SEVEN)).code is Code.NOTHING_TO_BURN
    table = Table("mbs-nc", burns=True)
    assert table.refused(burn(None)).code is Code.BAD_CARD
    table.do(burn(SEVEN))
    assert table.refused(burn(SEVEN, "again")).code is Code.ALREADY_DONE
    assert table.refused(commands.BurnFaceDown()).code is Code.NOTHING_TO_BURN, "no device counts them"
    table.open()
    assert table.refused(burn(KING, "too late")).code is Code.NOTHING_TO_BURN


def test_a_mis_keyed_card_is_corrected_until_the_first_round_opens() -> None:
    table = Table("mbs-nc", burns=True)
    table.do(burn(SEVEN))
    assert table.refused(burn(KING)).code is Code.BAD_CORRECTION, "with a reason"
    [burnt] = of(events.CardsBurnt, table.do(burn(KING, "it was the king")))
    assert burnt.describe() == "Burnt: KD and 10 face down, corrected: it was the king"
    assert burnt.describe_publicly() == "Burnt: KD and 10 face down"
    table.open()
    assert table.state.shoe == Shoe.of(decks=8).without([KING])
    assert (table.state.burnt, table.state.burnt_face_down) == (KING, 10)


def test_another_shoe_burns_anew_or_not_at_all() -> None:
    table = Table("mbs-nc", burns=True)
    table.do(burn(SEVEN))
    table.play(NATURAL)
    table.do(signed(commands.LoadShoe(shoe=2, decks=8, burns=True), by=PIT_SUPERVISOR, why="torn"))
    assert table.refused(commands.OpenBetting(round=2, betting_unit_cents=100)).code is Code.BURN_FIRST
    table.do(burn(Card("A", "S")))
    table.play(NATURAL)
    assert (table.state.burnt, table.state.burnt_face_down) == (Card("A", "S"), 1)
    table.do(signed(commands.LoadShoe(shoe=3, decks=8), by=PIT_SUPERVISOR, why="torn"))
    table.open()
    assert (table.state.burnt, table.state.burnt_face_down, table.state.cards_left) == (None, 0, 8 * 52)


def test_other_cards_in_the_middle_of_a_shoe_are_not_burnt() -> None:
    table = Table("rws-nc", burns=True)
    table.do(burn(SEVEN))
    table.open()
    table.deal("4S 7H")
    table.report(Kind.DRAWN_TOGETHER_ORDER_UNKNOWN, cards="8D 9C")
    table.remedy(Remedy.DECIDE_ORDER, by=PIT_SUPERVISOR, cards="9C 8D", replace_shoe=True)
    assert (table.state.burnt, table.state.burnt_face_down, table.state.cards_left) == (None, 0, 8 * 52)


# Where a device reads them.


def counting() -> Table:
    return Table("mbs-nc", burns=True, counts_burnt=True)


def test_those_face_down_are_counted_as_a_device_reads_them() -> None:
    table = counting()
    assert table.refused(commands.BurnFaceDown()).code is Code.NOTHING_TO_BURN, "first the one that is shown"
    table.do(burn(Card("3", "C")))
    for left in (2, 1, 0):
        refusal = table.refused(OPEN)
        assert refusal.code is Code.BURN_FIRST
        assert refusal.message.startswith(f"{left + 1} of the cards burnt face down are still to be read")
        [burnt] = of(events.FaceDownBurnt, table.do(commands.BurnFaceDown()))
        assert (burnt.shoe, burnt.cards, burnt.left) == (1, 1, left)
    assert table.happened[-1].describe() == "All burnt cards of shoe 1 are out"
    assert table.happened[-2].describe() == "1 burnt face down, 1 to come"
    assert table.refused(commands.BurnFaceDown()).code is Code.NOTHING_TO_BURN
    table.open()
    assert table.state.cards_left == 8 * 52 - 4


def test_what_a_device_missed_is_said_to_be_burnt() -> None:
    table = counting()
    table.do(burn(KING))
    table.do(commands.BurnFaceDown())
    [burnt] = of(events.FaceDownBurnt, table.do(commands.BurnFaceDown(rest=True)))
    assert (burnt.cards, burnt.left) == (9, 0)
    table.open()
    assert table.state.cards_left == 8 * 52 - 11


@pytest.mark.parametrize(("card", "left"), [("9S", 6), ("4S", 1), ("2S", 0)])
def test_a_corrected_card_keeps_those_that_were_read(card: str, left: int) -> None:
    table = counting()
    table.do(burn(SEVEN))
    for _ in range(3):
        table.do(commands.BurnFaceDown())
    [burnt] = of(events.CardsBurnt, table.do(burn(Card.parse(card), "misread")))
    assert burnt.to_come == left
    assert table.state.new_shoe is not None
    assert table.state.new_shoe.to_come == left


def test_only_a_shoe_that_burns_counts_what_is_burnt() -> None:
    [loaded] = of(events.ShoeLoaded, Table("mbs-nc", counts_burnt=True).happened)
    assert not loaded.counts_burnt


# The end of the shoe.


def almost_empty(burnt_card: Card, cards: str) -> Table:
    """A round in which these cards are dealt, from a shoe in which only so many more could come as were burnt."""
    table = Table("mbs-nc", decks=4, burns=True)
    table.do(burn(burnt_card))
    table.open()
    table.deal(cards)
    assert table.state.shoe is not None
    counts = list(table.state.shoe.counts)
    for place, card in enumerate(ALL_CARDS):
        counts[place] = 1 if card.rank in "A2345678" and card.suit == "S" else 0
    table.state = table.state._replace(shoe=Shoe(4, tuple(counts)))
    return table


def test_no_card_comes_once_all_that_can_were_burnt() -> None:
    table = almost_empty(Card("8", "D"), "4S 7H")
    assert table.state.cards_left == 0
    refusal = table.refused(commands.DealCard(card=Card("A", "S")))
    assert refusal.code is Code.CARD_TOO_MANY
    assert refusal.message.startswith("No card is left in the shoe")
    report = commands.ReportIrregularity(kind=Kind.EXCESS_OR_EXPOSED, cards=(Card("A", "S"),))
    assert table.refused(signed(report, by=DEALER)).message.startswith("Only 0 cards are left in the shoe")
    assert isinstance(table.report(Kind.INSUFFICIENT_CARDS), events.IrregularityReported)


def test_a_report_names_no_more_cards_than_are_left() -> None:
    table = almost_empty(Card("6", "D"), "4S 7H")
    assert table.state.cards_left == 2
    three = tuple(Card(rank, "S") for rank in "A23")
    refusal = table.refused(
        signed(commands.ReportIrregularity(kind=Kind.DRAWN_TOGETHER_ORDER_KNOWN, cards=three), by=DEALER)
    )
    assert refusal.message == "Only 2 cards were left in the shoe: name no more than those"
    table.report(Kind.DRAWN_TOGETHER_ORDER_KNOWN, cards="AS 2S")
    assert table.state.cards_left == 0

"""After an interruption: by how far the round had come, with the electronic shuffler and with real cards.

rws-nc 5.1, mbs 5.9, and the two documents that are silent; expectations are read off the documents and the readings.
"""

import pytest

from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import commands, events
from natural9.core.round.refusal import Code
from tests.core.round.clauses import BY_CARDS, FOUR, RETURNED, STAKED, When, as_far_as, situation
from tests.core.round.table import (
    DEALER,
    EVERYBODY,
    ONE_GAME_A_DOCUMENT,
    PIT_SUPERVISOR,
    SHIFT_MANAGER,
    WHY,
    decision,
    of,
    signed,
)

in_each_document = pytest.mark.parametrize("game", ONE_GAME_A_DOCUMENT)

SILENT_GAMES = ("rws-nc-insurance", "rws-nc-super-six-plus")

# After a restart with real cards.


@in_each_document
@pytest.mark.parametrize("brief", [False, True])
def test_the_cards_as_they_lie_are_confirmed_by_the_pit_supervisor_before_anything_else(game: str, brief: bool) -> None:
    table = situation(game, When.OPEN)
    table.deal("4S 7H KD")
    table.do(commands.NoteInterruption(away_ms=3_000, brief=brief, real_cards=True))
    [reported] = of(events.IrregularityReported, table.happened)
    assert (reported.kind, reported.rank, reported.confirm) == (Kind.TABLE_INTERRUPTION, "pit-supervisor", True)
    for staff in EVERYBODY:
        named = decision(Remedy.CONFIRM_CARDS, staff, cards=FOUR)
        if staff is DEALER:
            assert table.refused(named).code is Code.RANK_TOO_LOW
        assert table.refused(signed(commands.WithdrawReport(), by=staff)).code is Code.NO_IRREGULARITY
    assert table.refused(decision(Remedy.CONFIRM_CARDS, PIT_SUPERVISOR, cards=FOUR, why=" ")).code is Code.REASON_NEEDED
    table.remedy(Remedy.CONFIRM_CARDS, by=PIT_SUPERVISOR, cards=FOUR)
    [corrected] = of(events.CardsCorrected, table.happened)
    assert (corrected.by, corrected.why, corrected.paragraph) == (PIT_SUPERVISOR.id, WHY, "interpretation felt-decides")
    assert table.cards == FOUR
    if game in SILENT_GAMES and not brief:
        for staff in EVERYBODY[:-1]:
            assert table.refused(decision(Remedy.CONTINUE, staff)).code is Code.RANK_TOO_LOW
        table.remedy(Remedy.CONTINUE, by=SHIFT_MANAGER)
    assert table.money() == STAKED
    table.go_on()
    assert table.money() == BY_CARDS


# An interruption, by how far the round had come (rws-nc 5.1, mbs 5.9): with three cards Player Pair is won or lost.
AS_FAR_AS = [
    (None, Remedy.VOID),
    ("", Remedy.VOID),
    ("4S", Remedy.VOID),
    ("4S 7H", Remedy.VOID),
    ("4S 7H KD", Remedy.CONTINUE),
    (FOUR, Remedy.CONTINUE),
    ("4S 7H KD QC 5H", Remedy.CONTINUE),
]
CUT_OFF = {
    "rws-nc": {Remedy.VOID: "rws-nc 5.1.2", Remedy.CONTINUE: "rws-nc 5.1.1"},
    "mbs-nc": {Remedy.VOID: "mbs 5.9.1", Remedy.CONTINUE: "mbs 5.9.2"},
}


@pytest.mark.rule("rws-nc 5.1.1", "rws-nc 5.1.2", "mbs 5.9.1", "mbs 5.9.2")
@pytest.mark.parametrize("game", CUT_OFF)
@pytest.mark.parametrize(("cards", "remedy"), AS_FAR_AS)
@pytest.mark.parametrize("is_real", [False, True])
def test_a_long_interruption_is_decided_by_the_clause_from_the_cards_that_lie(
    game: str, cards: str | None, remedy: Remedy, is_real: bool
) -> None:
    """With the electronic shuffler by the table itself, with real cards once the pit supervisor has looked at them."""
    table = as_far_as(game, cards)
    table.do(commands.NoteInterruption(away_ms=90_000, brief=False, real_cards=is_real))
    if is_real:
        assert table.money() == STAKED
        table.remedy(Remedy.CONFIRM_CARDS, by=PIT_SUPERVISOR)
    decided = of(events.IrregularityDecided, table.happened)[-1]
    assert (decided.kind, decided.remedy) == (Kind.TABLE_INTERRUPTION, remedy)
    assert decided.paragraph == CUT_OFF[game][remedy]
    assert decided.by == (PIT_SUPERVISOR.id if is_real else "")
    assert decided.why == (WHY if is_real else "")  # in the words of a person, if one decides
    assert of(events.IrregularityReported, table.happened)[-1].detail == "the table was cut off"
    assert table.money() == (RETURNED if remedy is Remedy.VOID else STAKED)
    table.go_on()
    assert table.money() == (RETURNED if remedy is Remedy.VOID else BY_CARDS)
    table.opens_again()


@pytest.mark.parametrize("game", SILENT_GAMES)
@pytest.mark.parametrize(("cards", "_"), AS_FAR_AS)
@pytest.mark.parametrize("is_real", [False, True])
@pytest.mark.parametrize("remedy", [Remedy.CONTINUE, Remedy.VOID])
def test_where_the_document_is_silent_the_table_waits_for_the_shift_manager_bets_held(
    game: str, cards: str | None, _: Remedy, is_real: bool, remedy: Remedy
) -> None:
    table = as_far_as(game, cards)
    table.do(commands.NoteInterruption(away_ms=90_000, brief=False, real_cards=is_real))
    if is_real:
        table.remedy(Remedy.CONFIRM_CARDS, by=PIT_SUPERVISOR)
    assert table.money() == STAKED
    for staff in EVERYBODY[:-1]:
        assert table.refused(decision(remedy, staff)).code is Code.RANK_TOO_LOW
    for staff in EVERYBODY:  # it happened: nobody can say that it did not
        assert table.refused(signed(commands.WithdrawReport(), by=staff)).code is Code.NO_IRREGULARITY
    table.remedy(remedy, by=SHIFT_MANAGER)
    table.go_on()
    assert table.money() == (RETURNED if remedy is Remedy.VOID else BY_CARDS)
    table.opens_again()


@in_each_document
@pytest.mark.parametrize(("cards", "_"), AS_FAR_AS)
@pytest.mark.parametrize("is_real", [False, True])
def test_a_brief_interruption_goes_on_where_it_stood(game: str, cards: str | None, _: Remedy, is_real: bool) -> None:
    table = as_far_as(game, cards)
    before = table.exactly()
    table.do(commands.NoteInterruption(away_ms=3_000, brief=True, real_cards=is_real))
    if is_real:
        table.remedy(Remedy.CONFIRM_CARDS, by=PIT_SUPERVISOR)
    assert table.exactly() == before
    table.go_on()
    assert table.money() == BY_CARDS

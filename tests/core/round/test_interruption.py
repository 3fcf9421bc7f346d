"""A table that was cut off: readings felt-decides and short-interruption on rws-nc 5.1, mbs 5.9 and where documents are
silent. The paragraphs themselves are shown in test_recovery_rules."""

import pytest

from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import commands, events
from natural9.core.round.refusal import Code
from natural9.core.round.reporting import allowed
from natural9.core.round.state import Phase
from natural9.core.staff import NOBODY, Rank
from tests.core.round.table import (
    AFTER_ONE_ROUND,
    DEALER,
    NATURAL,
    ONE_GAME_A_DOCUMENT,
    PIT_SUPERVISOR,
    SHIFT_MANAGER,
    Table,
    decision,
    of,
    second_round,
    signed,
)

rule = pytest.mark.rule
CLAUSE = {"rws-nc": ("rws-nc 5.1.1", "rws-nc 5.1.2"), "mbs-nc": ("mbs 5.9.2", "mbs 5.9.1")}
SILENT = ("rws-nc-insurance", "rws-nc-super-six-plus")
CONFIRM = Remedy.CONFIRM_CARDS


def cut_off(*, brief: bool = False, real_cards: bool = False) -> commands.Command:
    return commands.NoteInterruption(away_ms=3_000 if brief else 60_000, brief=brief, real_cards=real_cards)


# The electronic shuffler: the table goes on by itself.


@rule("rws-nc 5.1", "mbs 5.9")
@pytest.mark.parametrize("game", ONE_GAME_A_DOCUMENT)
@pytest.mark.parametrize("cards", [None, "", "4S", "4S 7H KD QC"])
def test_a_brief_interruption_with_nothing_missing_does_not_affect_the_round(game: str, cards: str | None) -> None:
    table = second_round(game, cards)
    before = table.state
    [interrupted] = table.do(cut_off(brief=True))
    assert isinstance(interrupted, events.RoundInterrupted)
    assert (interrupted.away_ms, interrupted.goes_on) == (3_000, True)
    assert table.state == before


@rule("rws-nc 5.1.1", "rws-nc 5.1.2", "mbs 5.9.1", "mbs 5.9.2")
@pytest.mark.parametrize("game", CLAUSE)
def test_after_a_longer_one_the_clause_is_applied_by_the_table_itself(game: str) -> None:
    goes_on, voids = CLAUSE[game]
    table = second_round(game, "4S 7H KD")
    happened = table.do(cut_off())
    [decided] = of(events.IrregularityDecided, happened)
    assert (decided.remedy, decided.paragraph, decided.by) == (Remedy.CONTINUE, goes_on, NOBODY.id)
    assert (table.state.phase, table.state.pending) == (Phase.INITIAL_DEAL, ())
    table = second_round(game, "4S 7H")
    happened = table.do(cut_off())
    [voided] = of(events.RoundVoided, happened)
    assert (voided.clause, voided.kind, voided.by) == (voids, Kind.TABLE_INTERRUPTION, NOBODY.id)
    assert table.credits() == AFTER_ONE_ROUND


@pytest.mark.parametrize("game", SILENT)
def test_where_the_document_is_silent_the_shift_manager_decides_bets_held(game: str) -> None:
    table = second_round(game, "4S 7H KD")
    table.do(cut_off())
    [pending] = table.state.pending
    assert (allowed(table.state, pending).rank, table.state.staked_cents) == (Rank.SHIFT_MANAGER, 30_500)
    withdraw = signed(commands.WithdrawReport(), by=SHIFT_MANAGER, why="it was short")
    assert table.refused(withdraw).code is Code.NO_IRREGULARITY  # nobody reported it
    table.remedy(Remedy.CONTINUE, by=SHIFT_MANAGER)
    table.deal("QC 5H")


# Real cards: the felt decides.


@rule("rws-nc 5.1.1", "mbs 5.9.2")
@pytest.mark.parametrize("game", CLAUSE)
def test_four_lay_on_the_felt_and_two_were_keyed(game: str) -> None:
    table = second_round(game, " ".join(NATURAL.split()[:2]))
    table.do(cut_off(real_cards=True))
    [pending] = table.state.pending
    may = allowed(table.state, pending)
    assert (may.rank, may.remedies) == (Rank.PIT_SUPERVISOR, ((CONFIRM, "interpretation felt-decides"),))
    assert table.state.phase is Phase.INITIAL_DEAL  # and not void before anybody was asked
    assert table.refused(decision(CONFIRM, DEALER, cards=NATURAL)).code is Code.RANK_TOO_LOW
    happened = table.remedy(CONFIRM, by=PIT_SUPERVISOR, cards=NATURAL)
    [confirmed, concluded] = of(events.IrregularityDecided, happened)
    assert (confirmed.remedy, concluded.remedy) == (CONFIRM, Remedy.CONTINUE)
    assert concluded.paragraph == CLAUSE[game][0]
    [corrected] = of(events.CardsCorrected, happened)
    assert " ".join(corrected.cards) == NATURAL
    table.finish()
    assert (table.net(1), table.net(2)) == (9_500, -20_000)


@rule("rws-nc 5.1.2", "mbs 5.9.1")
@pytest.mark.parametrize("game", CLAUSE)
def test_if_the_cards_as_they_lie_establish_nothing_the_round_is_void_with_a_reason(game: str) -> None:
    table = second_round(game, "4S 7H")
    table.do(cut_off(real_cards=True))
    assert table.refused(decision(CONFIRM, PIT_SUPERVISOR, why="")).code is Code.REASON_NEEDED
    voided = of(events.RoundVoided, table.remedy(CONFIRM, by=PIT_SUPERVISOR))
    assert [(one.clause, one.by) for one in voided] == [(CLAUSE[game][1], PIT_SUPERVISOR.id)]
    assert table.credits() == AFTER_ONE_ROUND


@pytest.mark.parametrize("game", ONE_GAME_A_DOCUMENT)
def test_a_brief_one_goes_on_once_the_cards_are_confirmed(game: str) -> None:
    table = second_round(game, "4S")
    table.do(cut_off(brief=True, real_cards=True))
    table.remedy(CONFIRM, by=PIT_SUPERVISOR, cards="4S 7H")
    assert (table.cards, table.state.phase, table.state.pending) == ("4S 7H", Phase.INITIAL_DEAL, ())


@pytest.mark.parametrize("game", SILENT)
def test_in_a_silent_document_the_shift_manager_decides_after_the_cards_are_confirmed(game: str) -> None:
    table = second_round(game, "4S")
    table.do(cut_off(real_cards=True))
    table.remedy(CONFIRM, by=PIT_SUPERVISOR, cards="4S 7H")
    [pending] = table.state.pending
    assert not pending.confirm
    assert allowed(table.state, pending).rank is Rank.SHIFT_MANAGER
    table.voids(decision(Remedy.VOID, SHIFT_MANAGER))


def test_no_card_can_lie_while_bets_are_open() -> None:
    table = second_round("rws-nc")
    table.do(cut_off(brief=True, real_cards=True))
    assert table.refused(decision(CONFIRM, PIT_SUPERVISOR, cards="4S")).code is Code.BETTING_STILL_OPEN
    table.remedy(CONFIRM, by=PIT_SUPERVISOR)
    table.do(commands.PlaceBet(seat=3, wager="tie", cents=500))


def test_cards_that_cannot_lie_are_refused_and_nothing_is_lost() -> None:
    table = second_round("rws-nc", "4S 7H", decks=4)
    table.do(cut_off(real_cards=True))
    assert table.refused(decision(CONFIRM, PIT_SUPERVISOR, cards="4S 4S 4S 4S 4S")).code is Code.CARD_TOO_MANY
    assert table.state.pending


def test_an_irregularity_that_waited_still_waits_beside_the_interruption() -> None:
    table = second_round("rws-nc", "4S 7H KD")
    table.report(Kind.WRONG_AREA)
    table.do(cut_off(real_cards=True))
    assert [pending.kind for pending in table.state.pending] == [Kind.WRONG_AREA, Kind.TABLE_INTERRUPTION]
    table.remedy(CONFIRM, by=PIT_SUPERVISOR, report=2)
    table.remedy(Remedy.RECONSTRUCT, by=DEALER, report=1)
    table.deal("QC 5H")


def test_between_rounds_nothing_is_cut_off() -> None:
    table = Table("rws-nc")
    assert table.refused(cut_off()).code is Code.NO_ROUND
    table.play(NATURAL)
    assert table.refused(cut_off()).code is Code.NO_ROUND


def test_a_known_next_card_counts_for_what_is_established() -> None:
    """Two cards dealt establish nothing at rws-nc, three do: and the third already lies exposed."""
    table = second_round("rws-nc", "4S 7H")
    table.report(Kind.EXCESS_OR_EXPOSED, cards="KD")
    table.remedy(Remedy.RECONSTRUCT, by=PIT_SUPERVISOR)
    [decided] = of(events.IrregularityDecided, table.do(cut_off()))
    assert (decided.remedy, decided.paragraph) == (Remedy.CONTINUE, "rws-nc 5.1.1")

"""Every lesson under every document, handled right and otherwise: the clause is scored, nobody is stuck."""

import pytest

from natural9.core.cards import Card
from natural9.core.errors import BadInput
from natural9.core.irregularities import Kind
from natural9.core.round import commands
from natural9.core.round.state import DEALING
from natural9.core.staff import Rank
from natural9.games import game_ids, load_game
from natural9.server.rules import rule_texts
from natural9.server.training.drill import MISKEYED, Wanted
from natural9.server.training.marks import Grade, by_clause, read_again
from natural9.server.training.situations import LESSONS
from natural9.server.training.watch import title_of
from tests.server.training.trainee import Training, true_report

ONE_GAME_A_DOCUMENT = ("rws-nc", "rws-nc-insurance", "rws-nc-super-six-plus", "mbs-nc")
every_document = pytest.mark.parametrize("game", ONE_GAME_A_DOCUMENT)
every_lesson = pytest.mark.parametrize("lesson", LESSONS)


def training(game: str, *lessons: str, rounds: int = 1, seed: int = 3) -> Training:
    return Training(game, Wanted(seed=seed, rounds=rounds, lessons=lessons))


def test_there_is_a_lesson_for_every_kind_of_irregularity() -> None:
    assert {*Kind} <= {*LESSONS}


@every_document
@every_lesson
def test_who_handles_it_right_is_marked_right_by_the_clause_that_governs(game: str, lesson: str) -> None:
    one = training(game, lesson)
    one.run()
    [mark] = [mark for mark in one.drill.marks if mark.lesson == lesson]
    assert (mark.grade, mark.mistakes) == (Grade.RIGHT, ()), mark
    kind = next((kind for kind in Kind if kind == lesson), Kind.EXCESS_OR_EXPOSED)
    document = load_game(game).document
    clause = document.clauses.get(kind, document.clauses[Kind.NOT_COVERED])
    procedure = document.procedure
    by_the_document = {remedy.paragraph for remedy in clause.remedies} | {procedure.cut_card}
    by_the_document |= {procedure.closes, procedure.table_of_play}
    assert set(mark.paragraphs) <= by_the_document
    assert mark.paragraphs
    assert all(paragraph in rule_texts() for paragraph in mark.paragraphs), "its words can be read"


@every_document
@every_lesson
def test_who_reports_something_else_is_wrong_and_is_told_what_was_right(game: str, lesson: str) -> None:
    one = training(game, lesson)
    happened = one.until_it_happens()
    if happened.tap:
        one.give(commands.CloseBetting())
    one.give(commands.ReportIrregularity(kind=one.another_kind(happened)))
    one.decide_it()
    mark = one.drill.marks[-1]
    assert (mark.lesson, mark.grade) == (lesson, Grade.WRONG)
    assert mark.mistakes[0].startswith("It was reported as")
    assert mark.paragraphs
    assert (happened.kind.words if happened.kind else title_of(happened).split()[0]) in mark.right
    one.run()


@every_document
@every_lesson
def test_who_goes_on_as_if_nothing_were_has_missed_it_and_the_table_goes_on(game: str, lesson: str) -> None:
    one = training(game, lesson)
    nothing_wrong = bool(one.until_it_happens().allowed_by)
    one.drill.let_pass(one.at_ms)
    assert one.drill.marks[-1].grade is (Grade.RIGHT if nothing_wrong else Grade.MISSED)
    one.run()
    assert one.drill.ended


@pytest.mark.parametrize("game", game_ids())
def test_a_whole_drill_at_every_game_is_all_right_and_scored_by_clause(game: str) -> None:
    one = training(game, rounds=len(LESSONS))
    one.run()
    marks = one.drill.marks
    assert {mark.lesson for mark in marks} >= {*LESSONS}
    assert {mark.grade for mark in marks} == {Grade.RIGHT}
    assert len(marks) == len(LESSONS) + len(LESSONS) // 2, "a question after every second"
    assert sum(score.of for score in by_clause(marks)) >= len(marks)
    assert read_again(marks) == ()


def test_a_seed_makes_the_same_drill_and_another_another() -> None:
    def told(seed: int) -> list[str]:
        one = training("mbs-tiger", rounds=6, seed=seed)
        one.run()
        return [*one.said, *(str(mark.happened) for mark in one.drill.marks)]

    assert told(7) == told(7)
    assert told(7) != told(8)


def test_a_true_report_after_a_false_one_was_withdrawn_is_late() -> None:
    one = training("rws-nc", Kind.EXCESS_OR_EXPOSED)
    happened = one.until_it_happens()
    one.give(commands.ReportIrregularity(kind=Kind.FOREIGN_CARD))
    assert "withdraw the report" in one.drill.says
    one.give(commands.WithdrawReport(), Rank.PIT_SUPERVISOR)
    one.give(true_report(happened, Kind.EXCESS_OR_EXPOSED))
    one.decide_it()
    assert one.drill.marks[-1].grade is Grade.LATE


def test_a_report_that_names_another_card_is_not_true() -> None:
    one = training("rws-nc", Kind.EXCESS_OR_EXPOSED)
    happened = one.until_it_happens()
    other = next(card for card in (one.state.cards[0], *one.state.cards) if card != happened.cards[0])
    one.give(commands.ReportIrregularity(kind=Kind.EXCESS_OR_EXPOSED, cards=(other,)))
    one.decide_it()
    mark = one.drill.marks[-1]
    assert mark.grade is Grade.WRONG
    assert "The report names something else" in mark.mistakes[0]


def test_whoever_is_called_with_too_low_a_rank_makes_it_late() -> None:
    one = training("rws-nc-insurance", Kind.WRONG_AREA)  # its document is silent: the shift manager's
    one.until_it_happens()
    one.handle()
    one.drill.call(Rank.PIT_SUPERVISOR)
    one.decide_it()
    mark = one.drill.marks[-1]
    assert mark.grade is Grade.LATE
    assert "Pit Supervisor" in mark.mistakes[0]


def test_what_takes_too_long_is_late() -> None:
    one = training("mbs-nc", Kind.FOREIGN_CARD)
    one.until_it_happens()
    one.at_ms += 10 * 60_000
    one.run()
    mark = next(mark for mark in one.drill.marks if mark.lesson == Kind.FOREIGN_CARD)
    assert (mark.grade, mark.seconds) == (Grade.LATE, 601)


def test_dealing_on_before_the_report_is_late() -> None:
    one = training("rws-nc", Kind.TERMINAL_INTERRUPTION)
    happened = one.until_it_happens()
    one.give(commands.DealCard(card=one.drill._hand))
    one.give(true_report(happened, Kind.TERMINAL_INTERRUPTION))
    one.decide_it()
    assert one.drill.marks[-1].grade is Grade.LATE


@pytest.mark.parametrize("lesson", LESSONS)
def test_no_card_tells_whether_something_is_wrong(lesson: str) -> None:
    one = training("mbs-tiger", lesson)
    one.until_it_happens()
    assert one.drill.card is None
    one.drill.let_pass(one.at_ms)
    assert (one.drill.card is not None) == (one.state.phase in DEALING)


def test_a_card_keyed_in_wrong_is_seen_and_can_be_corrected() -> None:
    one = training("mbs-tiger", Kind.NOT_COVERED, rounds=2)
    while one.drill.card is None or one.drill.watch:
        one.step()
    lies, place = one.drill.card, len(one.state.cards) + 1
    other = next(card for card in (Card("2", "C"), Card("3", "C")) if card != lies)
    one.give(commands.DealCard(card=other))
    assert "correct it" in one.drill.says
    one.give(commands.CorrectCard(place=place, card=lies))
    mark = one.drill.marks[-1]
    assert (mark.lesson, mark.grade) == (MISKEYED, Grade.LATE)
    one.run()


def test_a_wrong_answer_is_wrong_and_no_answer_is_missed() -> None:
    one = training("mbs-tiger", rounds=4)
    grades: list[Grade] = []
    while not one.drill.ended:
        if question := one.drill.question:
            if grades:
                one.go_on()  # the next round opens, and nobody has answered
            else:
                one.drill.answer((question.right + 1) % len(question.answers), one.at_ms)
            mark = one.drill.marks[-1]
            grades.append(mark.grade)
            assert mark.paragraphs[0] in read_again(one.drill.marks)
            assert mark.right == question.answers[question.right]
            if len(grades) == 2:
                break
        else:
            one.step()
    assert grades == [Grade.WRONG, Grade.MISSED]


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        (Wanted(lessons=("foreign-cart",)), "there is no lesson 'foreign-cart': there are foreign-card, "),
        (Wanted(rounds=0), "1 to 200"),
        (Wanted(rounds=201), "1 to 200"),
    ],
)
def test_what_cannot_be_trained_is_refused(wanted: Wanted, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        Training("rws-nc", wanted)


def test_nothing_is_called_answered_or_let_pass_that_is_not_there() -> None:
    drill = training("rws-nc").drill
    with pytest.raises(BadInput, match="nothing waits"):
        drill.call(Rank.PIT_SUPERVISOR)
    with pytest.raises(BadInput, match="nobody asks"):
        drill.answer(0, 0)
    with pytest.raises(BadInput, match="nothing has happened"):
        drill.let_pass(0)


def test_whoever_ends_it_early_has_missed_what_was_open() -> None:
    one = training("rws-nc", rounds=5)
    one.until_it_happens()
    one.drill.finish(one.at_ms)
    assert one.drill.ended
    assert [mark.grade for mark in one.drill.marks] == [Grade.MISSED]

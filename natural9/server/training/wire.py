"""What a training screen is shown, and what programs are told of a drill when it is over."""

from collections import Counter

from msgspec import Struct

from natural9.core.game import Game
from natural9.core.staff import Rank
from natural9.journal.sentence import Sentence
from natural9.server.training.drill import Drill
from natural9.server.training.marks import ClauseScore, Grade, Mark, by_clause, read_again


class SignerView(Struct, frozen=True, kw_only=True):
    """Whoever was called, at the table: their signature is for training alone."""

    id: str
    name: str
    password: str


class QuestionView(Struct, frozen=True, kw_only=True):
    number: int
    asks: Sentence
    answers: tuple[Sentence, ...]


class MarkView(Struct, frozen=True, kw_only=True):
    lesson: str
    title: Sentence
    happened: Sentence
    grade: Grade
    seconds: float
    right: Sentence
    mistakes: tuple[Sentence, ...]
    paragraphs: tuple[str, ...]


class TrainingView(Struct, frozen=True, kw_only=True):
    """`card` lies in the dealer's hand; `happens`: something calls for the dealer, who may let it pass."""

    number: int
    rounds: int
    says: Sentence
    hint: Sentence | None
    card: str
    happens: bool
    waits: bool  # for a decision
    calls: tuple[str, ...]  # the ranks that may be called to decide it
    signer: SignerView | None
    question: QuestionView | None
    marks: tuple[MarkView, ...]
    clauses: tuple[ClauseScore, ...]
    ended: bool


class MarkTold(Struct, frozen=True, kw_only=True):
    lesson: str
    happened: str
    grade: Grade
    seconds: float
    right: str
    mistakes: tuple[str, ...]
    paragraphs: tuple[str, ...]


class DrillResult(Struct, frozen=True, kw_only=True):
    """For programs: sentences are English text, a rule is a citation, as everywhere on the command line."""

    game: str
    seed: int
    ended: bool
    grades: dict[str, int]
    marks: tuple[MarkTold, ...]
    clauses: tuple[ClauseScore, ...]
    read_again: tuple[str, ...]


def view_of(drill: Drill, signer: SignerView | None) -> TrainingView:
    question, watch = drill.question, drill.watch
    return TrainingView(
        number=drill.number,
        rounds=drill.rounds,
        says=Sentence.of(drill.says),
        hint=Sentence.of(drill.hint) if drill.hint else None,
        card=str(drill.card or ""),
        happens=watch is not None and watch.reported is None and not drill.state.pending,
        waits=bool(drill.state.pending),
        calls=tuple(rank.tag for rank in Rank if rank > Rank.DEALER) if drill.state.pending else (),
        signer=signer,
        question=QuestionView(
            number=drill.asked,
            asks=Sentence.of(question.asks),
            answers=tuple(map(Sentence.of, question.answers)),
        )
        if question
        else None,
        marks=tuple(map(_mark, drill.marks)),
        clauses=by_clause(drill.marks),
        ended=drill.ended,
    )


def _mark(mark: Mark) -> MarkView:
    return MarkView(
        lesson=mark.lesson,
        title=Sentence.of(mark.title),
        happened=Sentence.of(mark.happened),
        grade=mark.grade,
        seconds=mark.seconds,
        right=Sentence.of(mark.right),
        mistakes=tuple(map(Sentence.of, mark.mistakes)),
        paragraphs=mark.paragraphs,
    )


def result_of(drill: Drill, game: Game) -> DrillResult:
    grades = Counter(mark.grade for mark in drill.marks)
    return DrillResult(
        game=game.id,
        seed=drill.wanted.seed,
        ended=drill.ended,
        grades={grade.value: grades[grade] for grade in Grade},
        marks=tuple(_told(mark) for mark in drill.marks),
        clauses=by_clause(drill.marks),
        read_again=read_again(drill.marks),
    )


def _told(mark: Mark) -> MarkTold:
    return MarkTold(
        lesson=mark.lesson,
        happened=str(mark.happened),
        grade=mark.grade,
        seconds=mark.seconds,
        right=str(mark.right),
        mistakes=tuple(map(str, mark.mistakes)),
        paragraphs=mark.paragraphs,
    )

"""A drill: a number of things that happen, round after round, from one seed.

It hears the table's events, says what lies in the dealer's hand and what happens, and keeps the marks. Time and chance
are arguments; the table is any table.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final, NamedTuple

from natural9.core.cards import Card
from natural9.core.errors import BadInput
from natural9.core.round import RoundState, events, evolve
from natural9.core.round.reporting import allowed
from natural9.core.round.state import CONCLUDED, DEALING, Phase
from natural9.core.saying import Said, say
from natural9.core.staff import Rank
from natural9.server.training.felt import draw, signs
from natural9.server.training.marks import Grade, Mark
from natural9.server.training.questions import Question, ask
from natural9.server.training.situations import LESSONS, Moment, PlayerTap, Situation
from natural9.server.training.watch import Watch, right_way

SEATS: Final = 4  # that the program's players sit at
ASKED_EVERY: Final = 2  # a question after every second thing that happens
RECORD: Final = "interpretation record-of-a-card"
MISKEYED: Final = "miskeyed-card"


class Wanted(NamedTuple):
    """What to train: how many things happen, which, and how fast they must be reported."""

    seed: int = 0
    rounds: int = 12
    lessons: tuple[str, ...] = ()  # all, if none is named
    hints: bool = False
    limit_s: int = 90


def check_wanted(wanted: Wanted) -> None:
    """Refuse a lesson that there is not, and a drill that never ends."""
    for lesson in wanted.lessons:
        if lesson not in LESSONS:
            lessons = tuple(map(str, LESSONS))
            none = say("there is no lesson {lesson}: there are {lessons}", lesson=repr(lesson), lessons=lessons)
            raise BadInput("bad-lesson", none)
    if not 1 <= wanted.rounds <= 200:
        raise BadInput("bad-rounds", say("a drill has 1 to 200 rounds, not {rounds}", rounds=wanted.rounds))


@dataclass(slots=True)
class _Miskeyed:
    """A card that was keyed in as another."""

    place: int
    card: Card
    since_ms: int


@dataclass(slots=True)
class Drill:
    """Begun at a table that stands between two rounds; `hear` every event of it from then on."""

    wanted: Wanted
    state: RoundState
    marks: list[Mark] = field(default_factory=list)
    watch: Watch | None = None
    question: Question | None = None
    asked: int = 0  # how many questions so far: the number of the last
    called: Rank | None = None  # who stands at the table
    taps: list[PlayerTap] = field(default_factory=list)  # of the players, to be carried out in order
    begun: bool = False
    ended: bool = False
    _plan: list[str] = field(default_factory=list)
    _coming: Situation | None = None  # a bet that is on its way: it has happened once the table has it
    _hand: Card | None = None
    _next_cards: list[Card] = field(default_factory=list)  # that everybody has seen come after it
    _staged: int = 0
    _staged_in: int = 0  # the round
    _asked_ms: int = 0
    _slip: _Miskeyed | None = None
    _skipped: int = 0

    def __post_init__(self) -> None:
        check_wanted(self.wanted)
        self._plan = plan(self.wanted)

    # What the dealer is told

    @property
    def rounds(self) -> int:
        return self.wanted.rounds

    @property
    def number(self) -> int:
        """How many things have happened."""
        return self._staged

    @property
    def card(self) -> Card | None:
        """The card in the dealer's hand."""
        waits = self.state.pending or self._slip or self.state.phase not in DEALING
        return None if waits or self._covered else self._hand

    @property
    def _covered(self) -> bool:
        """What has just happened comes first, whatever it is: a card would tell that nothing is wrong."""
        return self.watch is not None and self.watch.graded is None and self.watch.reported is None

    @property
    def says(self) -> Said:
        """What happens now, in one line."""
        if self._slip:
            return say(
                "{card} lies on the felt as card {place}, and another was keyed in: correct it.",
                card=signs(self._slip.card),
                place=self._slip.place + 1,
            )
        if self.state.pending and self.watch and self.watch.misreported:
            return say("What was reported is not what happened: withdraw the report, with a signature.")
        if self.state.pending:
            return say("A report waits: decide it at the console, and call whoever must sign.")
        if self.watch and self.watch.graded is None:
            return self.watch.situation.says
        return self._next()

    @property
    def hint(self) -> Said | None:
        """What to do about it, where hints are wanted."""
        if not self.wanted.hints or self.watch is None or self.watch.graded is not None or self.state.pending:
            return None
        return right_way(self.watch.situation, self.watch.demands)

    def _next(self) -> Said:
        state = self.state
        if self.ended:
            return say("The drill is over.")
        if state.phase in DEALING:
            if state.held:
                return say("{card} lies there already: it is the next card.", card=signs(state.held[0]))
            return say("You draw {card}.", card=signs(self._hand) if self._hand else "")
        match state.phase:
            case Phase.BETTING_OPEN:
                return say('The players have bet. Call "No more bets" and close the betting.')
            case Phase.FOUR_CARDS_INSURANCE | Phase.THIRD_CARD_INSURANCE:
                return say("Offer insurance, as the console says.")
            case Phase.COMPLETE:
                return say("All cards lie: announce the result, then pay and collect.")
            case _:
                return say("Go on to the next round, as the console says.")

    # What happens

    def hear(self, event: events.RoundEvent, at_ms: int) -> None:
        """One event of the table, in order."""
        before, self.state = self.state, evolve(self.state, event)
        if isinstance(event, events.BettingOpened):
            self._opened(at_ms)
        if isinstance(event, events.IrregularityDecided | events.ReportWithdrawn):
            self.called = None
        self._check_card(before, event, at_ms)
        self._bet_came(event, at_ms)
        if self.watch and self.watch.graded is None:
            self.watch.hear(event, self.state, at_ms)
        self._go_on(at_ms)

    def tapped(self, at_ms: int) -> None:
        """The players have done what they wanted, and the table has told what came of it."""
        self.taps = []
        self._go_on(at_ms)

    def let_pass(self, at_ms: int) -> None:
        """The trainee sees nothing to report, and goes on."""
        if self.watch is None or self.watch.reported is not None:
            raise BadInput("nothing-happened", say("nothing has happened that could be let pass"))
        self.watch.give_up(at_ms)
        self._go_on(at_ms)

    def answer(self, choice: int, at_ms: int) -> None:
        """The trainee's answer to the question that is asked."""
        question = self.question
        if question is None:
            raise BadInput("no-question", say("nobody asks anything now"))
        if not 0 <= choice < len(question.answers):
            raise BadInput("bad-answer", say("choose one of the {count} answers", count=len(question.answers)))
        given = (say('The answer was "{answer}"', answer=question.answers[choice]),) if choice != question.right else ()
        self._answered(Grade.WRONG if given else Grade.RIGHT, given, at_ms)
        self._go_on(at_ms)

    def call(self, rank: Rank) -> None:
        """Somebody of this rank is called to the table, and comes."""
        if not self.state.pending:
            raise BadInput("nothing-waits", say("nothing waits for a decision: report what happened first"))
        self.called = rank
        if self.watch and self.watch.graded is None:
            self.watch.note_call(rank, allowed(self.state, self.state.pending[0]).rank)

    def finish(self, at_ms: int) -> None:
        """The trainee ends it: what is open is missed."""
        if self.watch and self.watch.graded is None:
            self.watch.give_up(at_ms)
        self._take_mark()
        if self.question:
            self._answered(Grade.MISSED, (), at_ms)
        self.ended = True

    # How it goes on

    def _opened(self, at_ms: int) -> None:
        self.begun = True
        if self.question:
            self._answered(Grade.MISSED, (), at_ms)
        if self._slip:
            self._slip_ends(Grade.WRONG, at_ms)
        if not self.ended:
            self.taps = [*bets(self.state, self._chance("bets"))]

    def _go_on(self, at_ms: int) -> None:
        """Whatever follows from where the table stands: a mark, a question, the next card, the next thing."""
        if self.ended:
            return
        self._take_mark()
        concluded = self.state.phase in CONCLUDED and not self.state.pending
        if self.watch is None and self._coming is None and self.question is None and concluded:
            if self._staged // ASKED_EVERY > self.asked:
                self.asked += 1
                self.question = ask(self.state, self._chance("question"), self.asked + self.wanted.seed)
                self._asked_ms = at_ms
            elif self._staged >= self.rounds:
                self.ended = True
                return
        if self.watch is None and self._coming is None and self._slip is None and self.question is None:
            self._stage(at_ms)
        self._draw()

    def _stage(self, at_ms: int) -> None:
        """The next thing happens, if its moment has come. A round brings one thing, and a table must be moving."""
        if self._staged >= self.rounds or not self.begun or self._staged_in == self.state.number:
            return
        lesson = LESSONS[self._plan[self._staged + self._skipped]]
        chance = self._chance("stage")
        if not lesson.moment.is_now(self.state, chance.randrange(1, 4)) or (lesson.moment is Moment.CALL and self.taps):
            return
        situation = lesson.stage(self.state, chance)
        if situation is None:
            self._skipped += 1
        elif situation.tap:
            self._coming = situation
            self.taps.append(situation.tap)
        else:
            self._happened(situation, at_ms)

    def _happened(self, situation: Situation, at_ms: int) -> None:
        self._staged += 1
        self._staged_in = self.state.number
        if situation.cards:
            self._hand, *self._next_cards = situation.cards
        self.watch = Watch(situation, self.state, at_ms, self.wanted.limit_s * 1000)

    def _bet_came(self, event: events.RoundEvent, at_ms: int) -> None:
        """A late bet is late once it lies; one that comes after the close was never made."""
        coming = self._coming
        if coming is None or coming.tap is None:
            return
        if isinstance(event, events.BetPlaced | events.BetTakenBack):
            tap = coming.tap
            if (event.seat, event.wager) == (tap.seat, tap.wager):
                self._coming = None
                self._happened(coming, at_ms)
        elif isinstance(event, events.BettingClosed | events.RoundVoided):
            self._coming = None

    def _draw(self) -> None:
        """The next card comes into the hand once the last one lies."""
        state = self.state
        if state.phase not in DEALING or state.held:
            self._hand, self._next_cards = None, []
        elif self._hand is None:
            self._hand = self._next_cards.pop(0) if self._next_cards else draw(state, self._chance("card"))[0]

    def _check_card(self, before: RoundState, event: events.RoundEvent, at_ms: int) -> None:
        """Whether what was keyed in is what lies on the felt."""
        if isinstance(event, events.CardDealt):
            lies, self._hand = self._hand, None
            if lies is not None and not before.held and str(lies) != event.card and self._slip is None:
                self._slip = _Miskeyed(len(before.cards), lies, at_ms)
        slip = self._slip
        if slip is None:
            return
        if isinstance(event, events.CardsCorrected):
            if self.state.cards[slip.place : slip.place + 1] == (slip.card,):
                self._slip_ends(Grade.LATE, at_ms)
        elif isinstance(event, events.RoundSettled | events.RoundVoided):
            self._slip_ends(Grade.WRONG if isinstance(event, events.RoundSettled) else Grade.LATE, at_ms)

    def _slip_ends(self, grade: Grade, at_ms: int) -> None:
        slip = self._slip
        assert slip is not None, "one ends that there is"
        self._slip = None
        happened = say(
            "Card {place} was {card}, and another was keyed in.", place=slip.place + 1, card=signs(slip.card)
        )
        self.marks.append(
            Mark(
                lesson=MISKEYED,
                title=say("a card keyed in wrong"),
                happened=happened,
                grade=grade,
                seconds=round((at_ms - slip.since_ms) / 1000, 1),
                right=say("Correct the card before the result is announced."),
                paragraphs=(RECORD,),
            )
        )

    def _take_mark(self) -> None:
        if self.watch and self.watch.graded is not None:
            self.marks.append(self.watch.mark())
            self.watch = None

    def _answered(self, grade: Grade, mistakes: tuple[Said, ...], at_ms: int) -> None:
        question = self.question
        assert question is not None, "one was asked"
        self.question = None
        self.marks.append(
            Mark(
                lesson=question.lesson,
                title=question.title,
                happened=question.asks,
                grade=grade,
                seconds=round((at_ms - self._asked_ms) / 1000, 1),
                right=question.answers[question.right],
                mistakes=mistakes,
                paragraphs=(question.paragraph,),
            )
        )

    def _chance(self, what: str) -> Random:
        """The same in every drill of this seed that stands at the same place."""
        at = f"{self.state.number}/{len(self.state.cards)}/{self._staged}/{self._skipped}"
        return Random(f"{self.wanted.seed}/{what}/{at}")


def plan(wanted: Wanted) -> list[str]:
    """What happens, in order: each lesson once before any comes again, and some to spare where one cannot be staged."""
    chance = Random(f"{wanted.seed}/plan")
    lessons, planned = [*(wanted.lessons or LESSONS)], list[str]()
    while len(planned) < 2 * wanted.rounds + len(LESSONS):
        chance.shuffle(lessons)
        planned += lessons
    return planned


def bets(state: RoundState, chance: Random) -> Sequence[PlayerTap]:
    """What the players lay in this round: a main bet each, and now and then a side bet."""
    main = [wager for wager in ("player", "banker") if wager in state.limits]
    side = [wager for wager in state.limits if wager not in main]
    taps = []
    for seat in range(1, SEATS + 1):
        wager = chance.choice(main)
        taps.append(PlayerTap(seat=seat, wager=wager, cents=state.limits[wager].min_cents * chance.choice((1, 2, 5))))
        if side and chance.random() < 0.5:
            wager = chance.choice(side)
            taps.append(PlayerTap(seat=seat, wager=wager, cents=state.limits[wager].min_cents))
    return taps

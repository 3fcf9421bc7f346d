"""The judge of one thing that happened: it looks at the table's own events and at what the clause demands, no more."""

from dataclasses import dataclass, field
from typing import Final

from natural9.core.money import show_cents
from natural9.core.round import RoundState, events
from natural9.core.round.reporting import Allowed
from natural9.core.saying import Said, name_of, say
from natural9.core.staff import Rank
from natural9.server.training.felt import in_signs
from natural9.server.training.marks import Grade, Mark
from natural9.server.training.situations import Situation

# Whoever does this has gone on with the round, and left what happened lying.
_PLAYED_ON: Final = (
    events.CardDealt,
    events.InsuranceOpened,
    events.ResultDeclared,
    events.RoundSettled,
)


@dataclass(slots=True)
class Watch:
    """One situation, from the moment it is there until it is handled, or too late."""

    situation: Situation
    before: RoundState  # the table when it happened
    since_ms: int
    limit_ms: int
    reported: int | None = None  # the number of the true report
    reported_ms: int = 0
    mistakes: list[Said] = field(default_factory=list)
    graded: Grade | None = None
    ended_ms: int = 0
    _misreported: bool = False

    @property
    def misreported(self) -> bool:
        """Something was reported that did not happen, and nothing yet that did."""
        return self._misreported and self.reported is None

    @property
    def demands(self) -> Allowed | None:
        """What the clause says; nothing of the cut card."""
        return self.situation.answer(self.before) if self.situation.kind else None

    def hear(self, event: events.RoundEvent, after: RoundState, at_ms: int) -> None:
        """`after`: the table once this has happened."""
        match event:
            case events.IrregularityReported():
                self._heard_report(event, at_ms)
            case events.ReportWithdrawn() if event.report == self.reported:
                self.reported = None
                self._note(say("The true report was withdrawn."))
            case events.IrregularityDecided():
                self._heard_decision(event, at_ms)
            case events.CutCardAppeared() if self.situation.kind is None and not self.situation.allowed_by:
                self._end(at_ms)
            case events.CardsCorrected() if self.situation.lay and after.cards == self.situation.lay:
                self._end(at_ms)
            case events.RoundVoided() if event.kind is None and self.graded is None:
                self._note(say("The round was voided, and no clause was asked."))
                self._end(at_ms, Grade.WRONG)
            case events.BettingOpened():
                self.give_up(at_ms)
            case _ if isinstance(event, _PLAYED_ON) and self.situation.allowed_by:
                self._end(at_ms)
            case _ if isinstance(event, _PLAYED_ON) and not self._belongs(event):
                self._note(say("The round went on before it was reported."))

    def note_call(self, rank: Rank, needed: Rank) -> None:
        """Somebody was called to decide."""
        if self.reported is not None and rank < needed:
            low = say(
                "A {rank} was called: it takes a {needed} or above.", rank=rank.title, needed=needed.title
            )  # fmt: skip
            self._note(low)

    def give_up(self, at_ms: int) -> None:
        """The next round begins, or the lesson ends: what is not handled by now is missed."""
        if self.graded is None and self.situation.allowed_by:
            self._end(at_ms)
        elif self.graded is None:
            wrong = self.reported is not None or self._misreported
            self._end(at_ms, Grade.WRONG if wrong else Grade.MISSED)

    def mark(self) -> Mark:
        """Once it is graded."""
        assert self.graded is not None, "it goes on"
        demands = self.demands
        paragraphs = tuple(dict.fromkeys(paragraph for _, paragraph in demands.remedies)) if demands else ()
        happened = self.situation
        return Mark(
            lesson=happened.lesson,
            title=title_of(happened),
            happened=happened.says,
            grade=self.graded,
            seconds=round(((self.reported_ms or self.ended_ms) - self.since_ms) / 1000, 1),
            right=right_way(happened, demands),
            mistakes=tuple(self.mistakes),
            paragraphs=paragraphs or (happened.allowed_by or self.before.game.document.procedure.cut_card,),
        )

    def _heard_report(self, event: events.IrregularityReported, at_ms: int) -> None:
        if event.kind in self.situation.kinds(self.before) and is_true(self.situation, event):
            self.reported, self.reported_ms = event.report, at_ms
        elif event.kind in self.situation.kinds(self.before):
            self._misreported = True
            facts = named(self.situation)
            self._note(say("The report names something else than what happened: {facts}.", facts=facts))
        else:
            self._misreported = True
            self._note(say('It was reported as "{kind}".', kind=event.kind.words))

    def _heard_decision(self, event: events.IrregularityDecided, at_ms: int) -> None:
        if event.report != self.reported:
            self._end(at_ms, Grade.WRONG)
        elif not self.situation.settles_by:
            self._end(at_ms)
        elif event.remedy is not self.situation.settles_by:
            self._note(say("The wrong hand stays paid: the cards as they lay decide."))
            self._end(at_ms, Grade.WRONG)

    def _belongs(self, event: events.RoundEvent) -> bool:
        """The step itself is part of what happened: the card is dealt to where it was put."""
        put_at = self.situation.put_at
        return self.reported is not None or (
            isinstance(event, events.CardDealt) and put_at is not None and event.put_at is put_at
        )

    def _end(self, at_ms: int, grade: Grade | None = None) -> None:
        if self.graded is None:
            late_ms = (self.reported_ms or at_ms) - self.since_ms - self.limit_ms
            slow = late_ms > 0 and not self.situation.allowed_by  # what needs no report takes its time
            if slow and grade is None:
                self._note(say("It took more than {seconds} seconds.", seconds=self.limit_ms // 1000))
            self.graded = grade or (Grade.LATE if self.mistakes else Grade.RIGHT)
            self.ended_ms = at_ms

    def _note(self, mistake: Said) -> None:
        if mistake not in self.mistakes:
            self.mistakes.append(mistake)


def is_true(situation: Situation, event: events.IrregularityReported) -> bool:
    """Whether a report names what there is to name. What it may leave out, it may leave out."""
    cards, drawn = event.cards, tuple(map(str, situation.cards))
    if cards and cards != drawn and (situation.in_order or sorted(cards) != sorted(drawn)):
        return False
    if situation.seat is not None and event.seats not in ((), (situation.seat,)):
        return False
    if event.about_round != situation.about_round:
        return False
    tap = situation.tap
    return tap is None or (event.bet_seat, event.wager, event.cents) == (tap.seat, tap.wager, tap.cents)


def named(situation: Situation) -> Said:
    """What a true report names, in words."""
    if situation.cards:
        return say("the cards {cards}", cards=in_signs(situation.cards))
    if tap := situation.tap:
        return say(
            "seat {seat}, {wager}, {amount}",
            seat=tap.seat,
            wager=name_of(tap.wager),
            amount=show_cents(tap.cents),
        )
    if situation.about_round is not None:
        return say("round {round}", round=situation.about_round)
    return say("seat {seat}", seat=situation.seat or 0)


def title_of(situation: Situation) -> Said:
    """What happened, in a few words."""
    if situation.kind:
        return situation.kind.words
    return say("nothing wrong") if situation.allowed_by else say("cut card")


def right_way(situation: Situation, demands: Allowed | None) -> Said:
    """What was to be done."""
    if situation.allowed_by:
        return say("Go on: nothing is against the rules.")
    if demands is None or situation.kind is None:
        return say("Register the cut card: the round goes on, and is the last of the shoe.")
    return say(
        'Report "{kind}". A {rank} or above decides: {remedies}.',
        kind=situation.kind.words,
        rank=demands.rank.title,
        remedies=tuple(remedy.words for remedy, _ in demands.remedies if situation.settles_by in (None, remedy)),
    )

"""Wagers: ordered pay rows over the features of an outcome. The first row that matches pays; none matching loses."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from natural9.core.money import Odds
from natural9.core.outcome import FEATURES, FeatureValue, Outcome, reachable_outcomes
from natural9.core.saying import Said, name_of, named


class Result(StrEnum):
    """How a bet ended."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"


@dataclass(frozen=True)
class PayRow:
    """One line of a pay table. Without odds it is a push: the stake comes back (mbs 1.1.10)."""

    when: Mapping[str, tuple[FeatureValue, ...]]
    odds: Odds | None
    paragraph: str
    names: Mapping[str, str] = field(default_factory=dict)  # by language, where the approved pay table has one

    def matches(self, outcome: Outcome) -> bool:
        """Whether this row pays the outcome."""
        return all(FEATURES[feature][0](outcome) in values for feature, values in self.when.items())

    @property
    def result(self) -> Result:
        """A push pays no odds; all else is a win."""
        return Result.WIN if self.odds else Result.PUSH

    @property
    def pays(self) -> str:
        """What it pays, as text: ``12:1`` or ``push``."""
        return str(self.odds or Result.PUSH)

    @property
    def words(self) -> str:
        """The condition as a pay table says it: `banker wins, banker total 6`."""
        return ", ".join(_feature_words(feature.replace("_", " "), values) for feature, values in self.when.items())

    @property
    def called(self) -> str:
        """Its name with the condition, where it has one: `Twin Tiger Pair (same pair)`; or else the condition."""
        return f"{self.names['en']} ({self.words})" if "en" in self.names else self.words


def _feature_words(feature: str, values: tuple[FeatureValue, ...]) -> str:
    said = " or ".join(map(str, values))
    if feature == "winner":
        return said if said == "tie" else f"{said} wins"
    if all(isinstance(value, bool) for value in values):
        return feature if all(values) else f"no {feature}"
    return f"{feature} {said}"


@dataclass(frozen=True)
class Wager:
    """A wager of a game; `paragraph` is the one by which it loses when no row matches."""

    id: str
    names: Mapping[str, str]  # by language: en, zh and so on
    optional: bool
    rows: tuple[PayRow, ...]
    paragraph: str
    _row_of: dict[Outcome, PayRow | None] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def title(self) -> str:
        """Its English name."""
        return self.names.get("en") or name_of(self.id)

    @property
    def words(self) -> Said:
        """As a sentence names it."""
        return named(self.title)

    def row_for(self, outcome: Outcome) -> PayRow | None:
        """The row that this outcome is paid by, or None when the wager loses."""
        try:
            return self._row_of[outcome]
        except KeyError:  # the table is filled as outcomes come: most programs meet few of them
            row = next((row for row in self.rows if row.matches(outcome)), None)
            return self._row_of.setdefault(outcome, row)

    def result(self, outcome: Outcome) -> Result:
        """How it ends with this outcome."""
        row = self.row_for(outcome)
        return row.result if row else Result.LOSE

    def outcomes_by_row(self) -> list[list[Outcome]]:
        """For each row, the outcomes that it is the first to match."""
        won: list[list[Outcome]] = [[] for _ in self.rows]
        for outcome in reachable_outcomes():
            for place, row in enumerate(self.rows):
                if row.matches(outcome):
                    won[place].append(outcome)
                    break
        return won

"""Every pay row of the games of a floor: rounds that end in each, so that none is too rare to come; and which of them a
story had money on."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import Final

from natural9.core.cards import RANKS, Rank
from natural9.core.insurance import Window
from natural9.core.outcome import Outcome
from natural9.core.round import events
from natural9.core.table_of_play import next_hand
from natural9.games.loader import load_game
from natural9.journal.line import JournalLine

Round = tuple[Rank, ...]  # the ranks of its cards, as they come
DRAWN: Final = 8_000  # rounds that are looked through
FEW: Final = 3  # ranks, of which half of these are dealt: pairs and ties are common there


@cache
def _drawn() -> tuple[Round, ...]:
    """Rounds, always the same, with all that there is among them."""
    chance, found = Random("pay rows"), list[Round]()
    for number in range(DRAWN):
        of: Sequence[Rank] = chance.sample(RANKS, k=FEW) if number % 2 else RANKS
        ranks = list[Rank]()
        while next_hand(ranks):
            ranks.append(chance.choice(of))
        found.append(tuple(ranks))
    return tuple(found)


@cache
def rounds_of(game: str) -> dict[str, tuple[Round, ...]]:
    """By each row of the game's wagers and insurance, as "mbs-tiger tiger 2": rounds that it decides."""
    rules, found = load_game(game), defaultdict[str, list[Round]](list)
    for one in _drawn():
        outcome = Outcome.of(one)
        for wager in rules.wagers:
            if row := wager.row_for(outcome):
                found[_row(game, wager.id, wager.rows.index(row))].append(one)
        if rules.insurance:
            for window in Window:
                for offer in rules.insurance.offers(window, one[: window.cards]):
                    found[_row(game, offer.wager, rules.insurance.rows.index(offer))].append(one)
    return {name: tuple(rounds) for name, rounds in found.items()}


def _row(game: str, wager: str, place: int) -> str:
    return f"{game} {wager} {place + 1}"


def pay_rows(game: str) -> list[str]:
    """All that the game has."""
    rules = load_game(game)
    rows = [_row(game, wager.id, place) for wager in rules.wagers for place in range(len(wager.rows))]
    insured = rules.insurance.rows if rules.insurance else ()
    return rows + [_row(game, row.wager, place) for place, row in enumerate(insured)]


class RareRounds:
    """One round after the other that a row of these games decides, each row as often as any other."""

    def __init__(self, games: Sequence[str], chance: Random) -> None:
        self._games, self._chance = games, chance
        self._used = Counter[str]()

    def next(self) -> Round:
        rounds = {name: found for game in self._games for name, found in rounds_of(game).items()}
        fewest = min([self._used[name] for name in rounds])
        name = self._chance.choice([name for name in rounds if self._used[name] == fewest])
        self._used[name] += 1
        return self._chance.choice(rounds[name])


class RowsPaid:
    """Hears every line of a table, in the order of its stream: how often each row decided a bet."""

    def __init__(self) -> None:
        self.rows = Counter[str]()
        self._game, self._cards = "", list[str]()

    def hear(self, line: JournalLine) -> None:
        match line.event:
            case events.BettingOpened(game=game):
                self._game, self._cards = game, []
            case events.CardDealt(card=card):
                self._cards.append(card)
            case events.CardsCorrected(cards=cards):
                self._cards = [*cards]
            case events.SeatSettled() as settled:
                self.rows.update(self._paid(settled))
            case _:
                pass

    def _paid(self, settled: events.SeatSettled) -> Iterator[str]:
        rules, ranks = load_game(self._game), [card[0] for card in self._cards]
        outcome = Outcome.of(ranks)
        wagers = {wager.id: wager for wager in rules.wagers}
        for line in settled.lines:
            if row := wagers[line.wager].row_for(outcome):
                yield _row(self._game, line.wager, wagers[line.wager].rows.index(row))
        for insured in settled.insurance:
            hand = insured.wager.removesuffix("-insurance")
            if rules.insurance and (offer := rules.insurance.offer(insured.window, ranks, hand)):
                yield _row(self._game, insured.wager, rules.insurance.rows.index(offer))

"""Settlement: look up the outcome, pay the row, cite the paragraph."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from natural9.core.cards import Rank
from natural9.core.errors import BadInput
from natural9.core.game import Game
from natural9.core.insurance import InsuranceRow, Window, room_under_cap
from natural9.core.money import MAX_CENTS, Odds, check_stake, show_cents
from natural9.core.outcome import Outcome
from natural9.core.saying import name_of, say
from natural9.core.table_of_play import Hand
from natural9.core.wagers import Result, Wager


@dataclass(slots=True)  # a value like all the others, but made by the million: freezing would cost four times as much
class Line:
    """How one bet ended. `returned` is what goes to the bettor, stake included; `net` is that less the stake."""

    wager: str
    stake_cents: int
    result: Result
    odds: str | None
    returned_cents: int
    net_cents: int
    paragraph: str


@dataclass(slots=True)
class InsuranceLine(Line):
    """How insurance ended, and in which window it was taken."""

    window: Window


@dataclass(frozen=True, slots=True)
class Settlement:
    """A whole round settled for one seat."""

    outcome: Outcome
    lines: tuple[Line, ...]

    @property
    def staked_cents(self) -> int:
        """All that was staked."""
        return sum([line.stake_cents for line in self.lines])

    @property
    def returned_cents(self) -> int:
        """All that goes back to the bettor."""
        return sum([line.returned_cents for line in self.lines])

    @property
    def net_cents(self) -> int:
        """What the bettor won or lost."""
        return self.returned_cents - self.staked_cents


@dataclass(frozen=True, slots=True)
class InsuranceStake:
    """Insurance taken in a window on a hand."""

    window: Window
    hand: Hand
    cents: int


def settle_bet(wager: Wager, outcome: Outcome, stake: int) -> Line:
    """One bet by its pay rows."""
    row = wager.row_for(outcome)
    if row is None:
        return Line(wager.id, stake, Result.LOSE, None, 0, -stake, wager.paragraph)
    if row.odds is None:
        return Line(wager.id, stake, Result.PUSH, "push", stake, 0, row.paragraph)
    won = row.odds.winnings(stake)
    return Line(wager.id, stake, Result.WIN, row.odds.text, stake + won, won, row.paragraph)


def settle_insurance(row: InsuranceRow, outcome: Outcome, stake: int) -> InsuranceLine:
    """One insurance by its row."""
    result = row.result(outcome)
    won = row.net_cents(outcome.winner, stake)
    odds = {Result.WIN: row.odds.text, Result.PUSH: "push", Result.LOSE: None}[result]
    return InsuranceLine(row.wager, stake, result, odds, stake + won, won, row.paragraph_for(result), row.window)


def settle_round(
    game: Game, ranks: Sequence[Rank], bets: Mapping[str, int], insurance: Sequence[InsuranceStake] = ()
) -> Settlement:
    """Settle one seat's bets on a whole round, refusing what could not have been bet."""
    outcome = Outcome.of(ranks)
    wagers = game.wagers_by_id
    lines: list[Line] = []
    for wager_id, stake in bets.items():
        wager = wagers.get(wager_id) or game.wager(wager_id)
        if type(stake) is not int or not 0 < stake <= MAX_CENTS:  # a good stake costs no call: audits settle millions
            check_stake(stake, wager_id)
        lines.append(settle_bet(wager, outcome, stake))
    if insurance:
        rows = insured_rows(game, ranks, bets, insurance)
        lines += [settle_insurance(row, outcome, taken.cents) for row, taken in zip(rows, insurance, strict=True)]
    return Settlement(outcome, tuple(lines))


def insured_rows(
    game: Game, ranks: Sequence[Rank], bets: Mapping[str, int], insurance: Sequence[InsuranceStake]
) -> list[InsuranceRow]:
    """The row of each insurance taken, if all of them could have been: on offer, on a backed hand, under the cap."""
    rows: list[InsuranceRow] = []
    taken: dict[Hand, list[tuple[int, Odds]]] = {hand: [] for hand in Hand}
    for bet in insurance:
        name = f"{bet.hand}-insurance"
        if game.insurance is None:
            raise BadInput("insurance-not-offered", say("{game} has no insurance", game=game.id))
        row = game.insurance.offer(bet.window, ranks, bet.hand)
        if row is None:
            raise BadInput(
                "insurance-not-offered",
                say("{wager} was not on offer in this round {when}", wager=name_of(name), when=bet.window.words),
                game.insurance.paragraph,
            )
        check_stake(bet.cents, name)
        taken[bet.hand].append((bet.cents, row.odds))
        check_cap(game, bet.hand, bets.get(bet.hand, 0), taken[bet.hand])
        rows.append(row)
    return rows


def check_cap(game: Game, hand: Hand, original: int, taken: Sequence[tuple[int, Odds]], *, unit_cents: int = 1) -> None:
    """Only a backed hand can be insured (4.1.3), and for no more in all than it was backed with (3.5.2)."""
    assert game.insurance is not None
    if not original:
        raise BadInput(
            "insurance-without-bet",
            say("there is no bet on {hand} to insure", hand=hand.words),
            game.insurance.who_paragraph,
        )
    if room_under_cap(original, taken) < 0:
        stake, odds = taken[-1]
        left = room_under_cap(original, taken[:-1])
        most = int(left / odds.ratio / unit_cents) * unit_cents
        raise BadInput(
            "insurance-over-cap",
            say(
                "{stake} on {wager} at {odds} would pay more than the {left} left of the original {original}; "
                "stake at most {most}",
                stake=show_cents(stake),
                wager=name_of(f"{hand}-insurance"),
                odds=odds.text,
                left=show_cents(int(left)),
                original=show_cents(original),
                most=show_cents(most),
            ),
            game.insurance.cap_paragraph,
        )

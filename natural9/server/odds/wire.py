"""What the odds page is told and `natural9 odds --json` prints: exact numbers as num/den, with a float beside each."""

from fractions import Fraction
from typing import TYPE_CHECKING

from msgspec import Struct

from natural9.core.game import Game

if TYPE_CHECKING:  # the mathematics takes a moment to load, and no table should wait for it
    from natural9.odds.insurance import InsuranceOdds
    from natural9.odds.pricing import GameOdds, WagerOdds


class OddsWager(Struct, frozen=True, kw_only=True):
    id: str
    title: str
    names: dict[str, str]  # by language


class OddsGame(Struct, frozen=True, kw_only=True):
    """A game that can be priced, and the shoes it is played from."""

    id: str
    title: str
    operator: str
    least_decks: int
    most_decks: int
    decks_paragraph: str
    has_insurance: bool
    wagers: tuple[OddsWager, ...]


class PayOdds(Struct, frozen=True, kw_only=True):
    odds: str
    probability: str
    probability_float: float
    paragraph: str


class WagerPriced(Struct, frozen=True, kw_only=True):
    """For each unit staked. `pays` are the rows of the pay table, each with its own chance."""

    id: str
    win: str
    win_float: float
    push: str
    push_float: float
    lose: str
    lose_float: float
    expected: str
    expected_float: float
    house_edge: str
    house_edge_float: float
    variance: str
    variance_float: float
    standard_deviation: float
    pays: tuple[PayOdds, ...]


class InsurancePriced(Struct, frozen=True, kw_only=True):
    """One situation in which insurance is offered; `arises` is how likely it comes up in a round."""

    window: str
    hand: str
    player_total: int
    banker_total: int
    odds: str
    arises: str
    arises_float: float
    win: str
    win_float: float
    push: str
    push_float: float
    lose: str
    lose_float: float
    expected: str
    expected_float: float
    paragraph: str


class GamePriced(Struct, frozen=True, kw_only=True):
    game: str
    decks: int
    cards_left: int
    wagers: tuple[WagerPriced, ...]
    insurance: tuple[InsurancePriced, ...]


def odds_game(game: Game) -> OddsGame:
    return OddsGame(
        id=game.id,
        title=game.title,
        operator=game.document.operator,
        least_decks=game.decks.min,
        most_decks=game.decks.max,
        decks_paragraph=game.decks.paragraph,
        has_insurance=game.insurance is not None,
        wagers=tuple(OddsWager(id=one.id, title=one.title, names=dict(one.names)) for one in game.wagers),
    )


def game_priced(priced: "GameOdds", decks: int) -> GamePriced:
    return GamePriced(
        game=priced.game.id,
        decks=decks,
        cards_left=priced.shoe.cards,
        wagers=tuple(map(_wager, priced.wagers)),
        insurance=tuple(map(_insurance, priced.insurance)),
    )


def _wager(wager: "WagerOdds") -> WagerPriced:
    return WagerPriced(
        id=wager.id,
        win=exact(wager.win),
        win_float=float(wager.win),
        push=exact(wager.push),
        push_float=float(wager.push),
        lose=exact(wager.lose),
        lose_float=float(wager.lose),
        expected=exact(wager.expected),
        expected_float=float(wager.expected),
        house_edge=exact(wager.house_edge),
        house_edge_float=float(wager.house_edge),
        variance=exact(wager.variance),
        variance_float=float(wager.variance),
        standard_deviation=wager.standard_deviation,
        pays=tuple(
            PayOdds(
                odds=one.row.pays,
                probability=exact(one.probability),
                probability_float=float(one.probability),
                paragraph=one.row.paragraph,
            )
            for one in wager.rows
        ),
    )


def _insurance(line: "InsuranceOdds") -> InsurancePriced:
    return InsurancePriced(
        window=line.row.window,
        hand=line.row.hand,
        player_total=line.player_total,
        banker_total=line.banker_total,
        odds=line.row.odds.text,
        arises=exact(line.arises),
        arises_float=float(line.arises),
        win=exact(line.win),
        win_float=float(line.win),
        push=exact(line.push),
        push_float=float(line.push),
        lose=exact(line.lose),
        lose_float=float(line.lose),
        expected=exact(line.expected),
        expected_float=float(line.expected),
        paragraph=line.row.paragraph,
    )


def exact(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"

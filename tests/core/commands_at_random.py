"""Command sequences at random, from a seed: mostly what moves a round on, now and then anything at all."""

from collections.abc import Callable
from random import Random

from natural9.core.cards import ALL_CARDS, Card
from natural9.core.irregularities import Kind, Remedy
from natural9.core.outcome import Winner
from natural9.core.round import RoundState, what_next
from natural9.core.round import commands as c
from natural9.core.round.state import Limit
from natural9.core.staff import Rank, Staff
from natural9.core.table_of_play import Hand

STAKES = (*(100, 200, 2_500, 10_000) * 3, 50, 0, -100, 10**13)
# How often each command is drawn when it may be given; whatever is not here, once.
USUAL: dict[type[c.Command], int] = {
    c.OpenBetting: 40,
    c.PlaceBet: 30,
    c.IncreaseBet: 3,
    c.CloseBetting: 8,
    c.DealCard: 40,
    c.OpenInsurance: 20,
    c.PlaceInsurance: 30,
    c.CloseInsurance: 10,
    c.WaiveInsurance: 3,
    c.DeclareResult: 20,
    c.Settle: 20,
    c.DecideIrregularity: 10,
    c.ReportIrregularity: 3,
    c.CorrectCard: 2,
}


def next_command(state: RoundState, chance: Random) -> c.Command:
    may = what_next(state).commands
    wild = not may or chance.random() < 0.1
    shapes = list(MAKE) if wild else list(may)
    weights = [1 if wild else USUAL.get(shape, 1) for shape in shapes]
    return MAKE[chance.choices(shapes, weights)[0]](state, chance)


def _somebody(chance: Random) -> Staff:
    return Staff("somebody", chance.choice(list(Rank)))


def _seat(chance: Random) -> int:
    return chance.choice((1, 1, 2, 2, 3, 4, 9, 0, 10))


def _wager(state: RoundState, chance: Random) -> str:
    return chance.choice((*(wager.id for wager in state.game.wagers), *("player", "banker") * 5, "tiger", "nonsense"))


def _new_shoe(state: RoundState, chance: Random) -> c.LoadShoe:
    optional = chance.choice((None, None, frozenset(), frozenset({"tiger"})))
    return c.LoadShoe(
        shoe=(state.new_shoe.number if state.new_shoe else state.shoe_number) + chance.choice((1, 1, 0)),
        decks=chance.choice((4, 8, 11)),
        optional=optional,
    )


def _opening(state: RoundState, chance: Random) -> c.OpenBetting:
    limits = chance.choice(({}, {}, {"banker": Limit(200, 10_000)}, {"tie": Limit(300, 100)}))
    return c.OpenBetting(
        round=state.number + chance.choice((1, 1, 1, 0)),
        betting_unit_cents=chance.choice((100, 100, 100, 1)),
        limits=limits,
        boxes=chance.choice((None, 9)),
    )


def _deal(state: RoundState, chance: Random) -> c.DealCard:
    card = state.held[0] if state.held and chance.random() < 0.8 else chance.choice(ALL_CARDS)
    if state.cards and chance.random() < 0.1:
        card = state.cards[0]  # the same again and again: sooner or later it is one too many
    put_at = state.due if state.due and chance.random() < 0.95 else chance.choice(list(Hand))
    return c.DealCard(card=card, put_at=put_at)


def _insurance(state: RoundState, chance: Random) -> c.PlaceInsurance:
    hand = chance.choice([row.hand for row in state.offers] or list(Hand))
    backers = [number for number, seat in state.seats.items() if hand in seat.bets]
    seat = chance.choice(backers) if backers and chance.random() < 0.8 else _seat(chance)
    return c.PlaceInsurance(seat=seat, hand=hand, stake=chance.choice((100, 200, 1000, *STAKES)))


def _declaration(state: RoundState, chance: Random) -> c.DeclareResult:
    outcome = state.outcome if state.cards else None
    if outcome and chance.random() < 0.8:
        totals = {"player_total": outcome.player_total, "banker_total": outcome.banker_total}
        return c.DeclareResult(winner=outcome.winner, **totals)
    return c.DeclareResult(winner=chance.choice(list(Winner)), player_total=7, banker_total=chance.randrange(10))


def _report(state: RoundState, chance: Random) -> c.ReportIrregularity:
    cards = tuple(chance.choices(ALL_CARDS, k=chance.choice((0, 1, 2, 3))))
    if cards and chance.random() < 0.1:
        cards = (cards[0],) * 11
    about = chance.choice((None, state.number - 1, state.number))
    kind = chance.choice((*Kind, *(Kind.DRAWN_TOGETHER_ORDER_UNKNOWN, Kind.EXCESS_OR_EXPOSED) * 3))
    return c.ReportIrregularity(kind=kind, by=_somebody(chance), cards=cards, seats=(1,), about_round=about)


def _remedy(state: RoundState, chance: Random) -> c.DecideIrregularity:
    fitting = [remedy for remedy, _ in state.pending.remedies] if state.pending else list(Remedy)
    named: list[Card] = list(state.pending.cards) if state.pending and chance.random() < 0.7 else []
    chance.shuffle(named)
    return c.DecideIrregularity(
        remedy=chance.choice(fitting if chance.random() < 0.9 else list(Remedy)),
        by=_somebody(chance),
        why="so it was",
        cards=tuple(named),
        replace_shoe=chance.random() < (0.5 if state.pending and state.pending.may_replace_shoe else 0.1),
    )


def _correction(state: RoundState, chance: Random) -> c.CorrectResult:
    cards = [*state.cards, *chance.choices(ALL_CARDS, k=chance.choice((0, 0, 1)))]
    if cards and chance.random() < 0.7:
        cards[chance.randrange(len(cards))] = chance.choice(ALL_CARDS)
    return c.CorrectResult(cards=tuple(cards), by=_somebody(chance))


MAKE: dict[type[c.Command], Callable[[RoundState, Random], c.Command]] = {
    c.LoadShoe: _new_shoe,
    c.OpenBetting: _opening,
    c.PlaceBet: lambda s, r: c.PlaceBet(seat=_seat(r), wager=_wager(s, r), stake=r.choice(STAKES)),
    c.IncreaseBet: lambda s, r: c.IncreaseBet(seat=_seat(r), wager=_wager(s, r), more=r.choice(STAKES)),
    c.TakeBackBet: lambda s, r: c.TakeBackBet(seat=_seat(r), wager=_wager(s, r), amount=r.choice((None, *STAKES))),
    c.ClearBets: lambda s, r: c.ClearBets(seat=_seat(r)),
    c.CloseBetting: lambda s, r: c.CloseBetting(),
    c.DealCard: _deal,
    c.ReportCutCard: lambda s, r: c.ReportCutCard(),
    c.OpenInsurance: lambda s, r: c.OpenInsurance(),
    c.PlaceInsurance: _insurance,
    c.CloseInsurance: lambda s, r: c.CloseInsurance(),
    c.WaiveInsurance: lambda s, r: c.WaiveInsurance(by=_somebody(r)),
    c.DeclareResult: _declaration,
    c.Settle: lambda s, r: c.Settle(),
    c.ReportIrregularity: _report,
    c.DecideIrregularity: _remedy,
    c.VoidRound: lambda s, r: c.VoidRound(by=_somebody(r), why=r.choice(("", "a fire alarm"))),
    c.CorrectCard: lambda s, r: c.CorrectCard(place=r.randrange(7), card=r.choice(ALL_CARDS), by=_somebody(r)),
    c.CorrectResult: _correction,
}

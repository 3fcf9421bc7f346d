"""Command sequences at random, from a seed: mostly what moves a round on, now and then anything at all."""

from collections.abc import Callable
from random import Random

from natural9.core.cards import ALL_CARDS, Card
from natural9.core.irregularities import Kind, Remedy
from natural9.core.outcome import Winner
from natural9.core.round import RoundState, commands, what_next
from natural9.core.round.state import Limit
from natural9.core.staff import Rank, Staff
from natural9.core.table_of_play import Hand

STAKES = (*(100, 200, 2_500, 10_000) * 3, 50, 0, -100, 10**13)
# How often each command is drawn when it may be given; whatever is not here, once.
USUAL: dict[type[commands.Command], int] = {
    commands.OpenBetting: 40,
    commands.PlaceBet: 30,
    commands.IncreaseBet: 3,
    commands.CloseBetting: 8,
    commands.DealCard: 40,
    commands.OpenInsurance: 20,
    commands.PlaceInsurance: 30,
    commands.CloseInsurance: 10,
    commands.WaiveInsurance: 3,
    commands.DeclareResult: 20,
    commands.Settle: 20,
    commands.DecideIrregularity: 10,
    commands.ReportIrregularity: 3,
    commands.CorrectCard: 2,
}


def next_command(state: RoundState, chance: Random) -> commands.Command:
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


def _new_shoe(state: RoundState, chance: Random) -> commands.LoadShoe:
    optional = chance.choice((None, None, frozenset(), frozenset({"tiger"})))
    return commands.LoadShoe(
        shoe=(state.new_shoe.number if state.new_shoe else state.shoe_number) + chance.choice((1, 1, 0)),
        decks=chance.choice((4, 8, 11)),
        optional=optional,
    )


def _opening(state: RoundState, chance: Random) -> commands.OpenBetting:
    limits = chance.choice(({}, {}, {"banker": Limit(200, 10_000)}, {"tie": Limit(300, 100)}))
    return commands.OpenBetting(
        round=state.number + chance.choice((1, 1, 1, 0)),
        betting_unit_cents=chance.choice((100, 100, 100, 1)),
        limits=limits,
        boxes=chance.choice((None, 9)),
    )


def _deal(state: RoundState, chance: Random) -> commands.DealCard:
    card = state.held[0] if state.held and chance.random() < 0.8 else chance.choice(ALL_CARDS)
    if state.cards and chance.random() < 0.1:
        card = state.cards[0]  # the same again and again: sooner or later it is one too many
    put_at = state.due if state.due and chance.random() < 0.95 else chance.choice(list(Hand))
    return commands.DealCard(card=card, put_at=put_at)


def _insurance(state: RoundState, chance: Random) -> commands.PlaceInsurance:
    hand = chance.choice([row.hand for row in state.offers] or list(Hand))
    backers = [number for number, seat in state.seats.items() if hand in seat.bets]
    seat = chance.choice(backers) if backers and chance.random() < 0.8 else _seat(chance)
    return commands.PlaceInsurance(seat=seat, hand=hand, cents=chance.choice((100, 200, 1000, *STAKES)))


def _declaration(state: RoundState, chance: Random) -> commands.DeclareResult:
    outcome = state.outcome if state.cards else None
    if outcome and chance.random() < 0.8:
        totals = {"player_total": outcome.player_total, "banker_total": outcome.banker_total}
        return commands.DeclareResult(winner=outcome.winner, **totals)
    return commands.DeclareResult(winner=chance.choice(list(Winner)), player_total=7, banker_total=chance.randrange(10))


def _report(state: RoundState, chance: Random) -> commands.ReportIrregularity:
    cards = tuple(chance.choices(ALL_CARDS, k=chance.choice((0, 1, 2, 3))))
    if cards and chance.random() < 0.1:
        cards = (cards[0],) * 11
    about = chance.choice((None, state.number - 1, state.number))
    kind = chance.choice((*Kind, *(Kind.DRAWN_TOGETHER_ORDER_UNKNOWN, Kind.EXCESS_OR_EXPOSED) * 3))
    return commands.ReportIrregularity(kind=kind, by=_somebody(chance), cards=cards, seats=(1,), about_round=about)


def _remedy(state: RoundState, chance: Random) -> commands.DecideIrregularity:
    fitting = [remedy for remedy, _ in state.pending.remedies] if state.pending else list(Remedy)
    named: list[Card] = list(state.pending.cards) if state.pending and chance.random() < 0.7 else []
    chance.shuffle(named)
    return commands.DecideIrregularity(
        remedy=chance.choice(fitting if chance.random() < 0.9 else list(Remedy)),
        by=_somebody(chance),
        why="so it was",
        cards=tuple(named),
        replace_shoe=chance.random() < (0.5 if state.pending and state.pending.may_replace_shoe else 0.1),
    )


def _correction(state: RoundState, chance: Random) -> commands.CorrectResult:
    cards = [*state.cards, *chance.choices(ALL_CARDS, k=chance.choice((0, 0, 1)))]
    if cards and chance.random() < 0.7:
        cards[chance.randrange(len(cards))] = chance.choice(ALL_CARDS)
    return commands.CorrectResult(cards=tuple(cards), by=_somebody(chance))


MAKE: dict[type[commands.Command], Callable[[RoundState, Random], commands.Command]] = {
    commands.LoadShoe: _new_shoe,
    commands.OpenBetting: _opening,
    commands.PlaceBet: lambda s, r: commands.PlaceBet(seat=_seat(r), wager=_wager(s, r), cents=r.choice(STAKES)),
    commands.IncreaseBet: lambda s, r: commands.IncreaseBet(seat=_seat(r), wager=_wager(s, r), cents=r.choice(STAKES)),
    commands.TakeBackBet: lambda s, r: commands.TakeBackBet(
        seat=_seat(r), wager=_wager(s, r), cents=r.choice((None, *STAKES))
    ),
    commands.ClearBets: lambda s, r: commands.ClearBets(seat=_seat(r)),
    commands.CloseBetting: lambda s, r: commands.CloseBetting(),
    commands.DealCard: _deal,
    commands.ReportCutCard: lambda s, r: commands.ReportCutCard(),
    commands.OpenInsurance: lambda s, r: commands.OpenInsurance(),
    commands.PlaceInsurance: _insurance,
    commands.CloseInsurance: lambda s, r: commands.CloseInsurance(),
    commands.WaiveInsurance: lambda s, r: commands.WaiveInsurance(by=_somebody(r)),
    commands.DeclareResult: _declaration,
    commands.Settle: lambda s, r: commands.Settle(),
    commands.ReportIrregularity: _report,
    commands.DecideIrregularity: _remedy,
    commands.VoidRound: lambda s, r: commands.VoidRound(by=_somebody(r), why=r.choice(("", "a fire alarm"))),
    commands.CorrectCard: lambda s, r: commands.CorrectCard(
        place=r.randrange(7), card=r.choice(ALL_CARDS), by=_somebody(r)
    ),
    commands.CorrectResult: _correction,
}

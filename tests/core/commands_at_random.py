"""Command sequences at random, from a seed: mostly what moves a round on, now and then anything at all."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from natural9.core.cards import ALL_CARDS, Card
from natural9.core.irregularities import Kind, Remedy
from natural9.core.outcome import Winner
from natural9.core.round import Refusal, RoundState, commands, decide, events, fold, what_next
from natural9.core.round.decide import round_meant
from natural9.core.round.remedies import Names, names
from natural9.core.round.reporting import Needs, allowed, lies, needs, not_of_this_round
from natural9.core.round.state import Limit, Pending
from natural9.core.staff import NOBODY, Rank, Staff
from natural9.core.table_of_play import Hand, is_complete
from natural9.games import load_game
from tests.core.round.table import Asked, Signed, signed

STAKES = (*(100, 200, 2_500, 10_000) * 3, 50, 0, -100, 10**13)
# How often each command is drawn when it may be given; whatever is not here, once.
USUAL: dict[type[commands.Command], float] = {
    commands.OpenBetting: 40,
    commands.BurnCards: 20,
    commands.BurnFaceDown: 40,
    commands.PlaceBet: 30,
    commands.IncreaseBet: 3,
    commands.TakeBackBet: 8,
    commands.CloseBetting: 5,
    commands.DealCard: 40,
    commands.OpenInsurance: 20,
    commands.PlaceInsurance: 30,
    commands.CloseInsurance: 10,
    commands.WaiveInsurance: 3,
    commands.TakeBackWaiver: 3,
    commands.DeclareResult: 20,
    commands.Settle: 20,
    commands.DecideIrregularity: 25,
    commands.WithdrawReport: 2,
    commands.DiscardHeld: 2,
    commands.ReportIrregularity: 4,
    commands.CorrectCard: 3,
    commands.CorrectResult: 2,
    commands.RuleOnBet: 2,
    commands.NoteInterruption: 0.3,
    commands.ReportCutCard: 0.3,
    commands.VoidRound: 0.5,
}
# Where insurance is offered, ranks that make it so: a Player who draws, a Banker of 5 to 7.
TO_INSURE = ("A234", "567", "K", "QJ")


@dataclass
class Past:
    """The rounds before the one at the table, each folded from its own history, as the journal would tell it."""

    game: str
    rounds: dict[int, RoundState] = field(default_factory=dict)
    now: RoundState | None = None

    def note(self, happened: Sequence[events.RoundEvent]) -> None:
        for event in happened:
            if isinstance(event, events.BettingOpened):
                if self.now:
                    self.rounds[self.now.number] = self.now
                self.now = RoundState(load_game(self.game))
            if self.now:
                self.now = fold(self.now, (event,))
            if isinstance(event, events.EarlierCardsCorrected | events.EarlierSeatSettled | events.BetRuled):
                about = self.rounds.get(event.round)
                if about:
                    self.rounds[event.round] = fold(about, (event,))


class Step(NamedTuple):
    """Where things stood, what was asked of which earlier round, by whom and why, and what was decided."""

    before: RoundState
    given: Signed
    earlier: RoundState | None
    decision: Sequence[events.RoundEvent] | Refusal


def ask(state: RoundState, given: Signed, past: Past) -> Step:
    """As a table's writer asks: with the earlier round that the command is about, if it is about one."""
    number = round_meant(state, given.command)
    earlier = None if number is None else past.rounds.get(number)
    return Step(state, given, earlier, decide(state, given.command, given.by, given.why, earlier))


def sequence(game: str, seed: int, length: int, past: Past | None = None) -> Iterator[Step]:
    """So many commands, one after the other."""
    chance, past = Random(seed), past or Past(game)
    state = RoundState(load_game(game))
    for _ in range(length):
        asked = next_command(state, chance, past)
        step = ask(state, asked if isinstance(asked, Signed) else Signed(asked, NOBODY, ""), past)
        yield step
        if not isinstance(step.decision, Refusal):
            past.note(step.decision)
            state = fold(state, step.decision)


def next_command(state: RoundState, chance: Random, past: Past) -> Asked:
    may = what_next(state).commands
    wild = not may or chance.random() < 0.1
    shapes = list(MAKE) if wild else list(may)
    weights = [1 if wild else USUAL.get(shape, 1) for shape in shapes]
    return MAKE[chance.choices(shapes, weights)[0]](state, chance, past)


def _somebody(chance: Random) -> Staff:
    return Staff("somebody", chance.choice((*Rank, *(Rank.SHIFT_MANAGER,) * 4)))


def _why(chance: Random) -> str:
    return chance.choice(("",) + ("so it was",) * 6)


def _by_somebody(command: commands.Command, chance: Random) -> Signed:
    return signed(command, by=_somebody(chance), why=_why(chance))


def _seat(chance: Random) -> int:
    return chance.choice((1, 1, 2, 2, 3, 4, 9, 0, 10))


def _wager(state: RoundState, chance: Random) -> str:
    return chance.choice((*(wager.id for wager in state.game.wagers), *("player", "banker") * 5, "tiger", "nonsense"))


def _from_the_shoe(state: RoundState, chance: Random, count: int) -> tuple[Card, ...]:
    """Cards that may still come, where there are any."""
    left = Counter({card: state.shoe.left(card) for card in ALL_CARDS} if state.shoe else {})
    cards = list(left.elements())
    return tuple(chance.sample(cards, max(0, min(count, len(cards)))))


def _some_held(state: RoundState, chance: Random) -> tuple[Card, ...]:
    held = chance.sample(state.held, chance.randint(0, len(state.held))) if state.held else []
    return tuple(held) if chance.random() < 0.9 else (*held, chance.choice(ALL_CARDS))


def _new_shoe(state: RoundState, chance: Random, past: Past) -> Signed:
    load = commands.LoadShoe(
        shoe=(state.new_shoe.number if state.new_shoe else state.shoe_number) + chance.choice((1, 1, 0)),
        decks=chance.choice((4, 8, 11)),
        optional=chance.choice((None, None, frozenset(), frozenset({"tiger"}))),
        discard=_some_held(state, chance) if chance.random() < 0.5 else (),
        required=chance.random() < 0.2,
        burns=chance.random() < 0.3,
        counts_burnt=chance.random() < 0.5,
    )
    return _by_somebody(load, chance)


def _burn(state: RoundState, chance: Random, past: Past) -> Signed:
    burnt = state.new_shoe.burnt if state.new_shoe and chance.random() < 0.3 else chance.choice(ALL_CARDS)
    return _by_somebody(commands.BurnCards(card=burnt), chance)


def _opening(state: RoundState, chance: Random, past: Past) -> commands.OpenBetting:
    every = {wager.id: Limit(200, 10_000) for wager in state.game.wagers}
    limits = chance.choice(({}, {}, every, {"banker": Limit(200, 10_000)}, {"tie": Limit(300, 100)}))
    return commands.OpenBetting(
        round=state.number + chance.choice((1, 1, 1, 0)),
        betting_unit_cents=chance.choice((100, 100, 100, 1)),
        limits=limits,
        boxes=chance.choice((None, 9)),
    )


def _deal(state: RoundState, chance: Random, past: Past) -> commands.DealCard:
    card = state.held[0] if state.held and chance.random() < 0.8 else chance.choice(ALL_CARDS)
    if state.cards and chance.random() < 0.1:
        card = state.cards[0]  # the same again and again: sooner or later it is one too many
    if state.game.insurance and len(state.cards) < 4 and not state.held and chance.random() < 0.7:
        card = Card(chance.choice(TO_INSURE[len(state.cards)]), chance.choice("CDHS"))
    put_at = state.due if state.due and chance.random() < 0.95 else chance.choice(list(Hand))
    return commands.DealCard(card=card if chance.random() < 0.99 else None, put_at=put_at)


def _insurance(state: RoundState, chance: Random, past: Past) -> commands.PlaceInsurance:
    hand = chance.choice([row.hand for row in state.offers] or list(Hand))
    backers = [number for number, seat in state.seats.items() if hand in seat.bets]
    seat = chance.choice(backers) if backers and chance.random() < 0.8 else _seat(chance)
    return commands.PlaceInsurance(seat=seat, hand=hand, cents=chance.choice((100, 200, 1000, *STAKES)))


def _declaration(state: RoundState, chance: Random, past: Past) -> commands.DeclareResult:
    outcome = state.outcome if state.cards else None
    if outcome and chance.random() < 0.8:
        totals = {"player_total": outcome.player_total, "banker_total": outcome.banker_total}
        return commands.DeclareResult(winner=outcome.winner, **totals)
    return commands.DeclareResult(winner=chance.choice(list(Winner)), player_total=7, banker_total=chance.randrange(10))


class Bet(NamedTuple):
    """A bet as a report or a ruling names it."""

    seat: int
    wager: str
    cents: int


def named_bets(state: RoundState, *, withdrawn: bool = False) -> list[Bet]:
    """Those that lie, insurance with them; or those that were taken back and not ruled on since."""
    if withdrawn:
        return [
            Bet(number, wager, cents)
            for number, seat in state.seats.everybody()
            for wager, cents in seat.withdrawn.items()
            if (number, wager) not in state.ruled
        ]
    wagers = {
        number: [*seat.bets, *{f"{bet.hand}-insurance": 0 for bet in seat.insurance}]
        for number, seat in state.seats.items()
    }
    return [Bet(number, wager, lies(state.seats[number], wager)) for number, names in wagers.items() for wager in names]


def _taking_back(state: RoundState, chance: Random, past: Past) -> commands.TakeBackBet:
    bets = named_bets(state)
    bet = chance.choice(bets) if bets and chance.random() < 0.9 else Bet(_seat(chance), _wager(state, chance), 100)
    cents = chance.choice((None, bet.cents, 100, *STAKES))
    return commands.TakeBackBet(seat=bet.seat, wager=bet.wager, cents=cents)


def _earlier(state: RoundState, chance: Random) -> int:
    """The number of a round before, or now and then of none."""
    return chance.choice((max(1, state.number - 1), chance.randint(0, state.number + 1)))


def _report(state: RoundState, chance: Random, past: Past) -> Signed:
    kind = chance.choice(
        (
            *Kind,
            *(Kind.DRAWN_TOGETHER_ORDER_UNKNOWN, Kind.EXCESS_OR_EXPOSED) * 3,
            *(Kind.LATE_BET, Kind.WITHDRAWN_BET) * 2,
        )
    )
    cards = _from_the_shoe(state, chance, needs(kind).cards + chance.choice((0, 0, 1)) - chance.choice((0,) * 9 + (1,)))
    if kind is Kind.NOT_COVERED or chance.random() < 0.05:
        cards = _from_the_shoe(state, chance, chance.choice((0, 1, 2)))
    if cards and chance.random() < 0.05:
        cards = (cards[0],) * 12
    about = _earlier(state, chance) if needs(kind).earlier_round or chance.random() < 0.1 else None
    bets = named_bets(state, withdrawn=kind is Kind.WITHDRAWN_BET) if needs(kind).bet else []
    bet = chance.choice(bets) if bets and chance.random() < 0.9 else Bet(_seat(chance), _wager(state, chance), 100)
    command = commands.ReportIrregularity(
        kind=kind,
        cards=cards,
        seats=(1,),
        about_round=about,
        seat=chance.choice((bet.seat,) * 9 + (None,)) if needs(kind).bet else None,
        wager=bet.wager if needs(kind).bet else "",
        cents=chance.choice((bet.cents, bet.cents, None, 100, *STAKES[-3:])) if needs(kind).bet else None,
    )
    return signed(command, by=_somebody(chance))


def _one_pending(state: RoundState, chance: Random) -> Pending | None:
    return chance.choice(state.pending) if state.pending else None


def _number(state: RoundState, pending: Pending | None, chance: Random) -> int | None:
    """Of a report; none where it is the only one, or by mistake."""
    if pending is None or chance.random() < 0.05:
        return chance.choice((None, 1, 99))
    return None if len(state.pending) == 1 and chance.random() < 0.3 else pending.report


def _withdrawal(state: RoundState, chance: Random, past: Past) -> Signed:
    number = _number(state, _one_pending(state, chance), chance)
    return _by_somebody(commands.WithdrawReport(report=number), chance)


def _remedy(state: RoundState, chance: Random, past: Past) -> Signed:
    pending = _one_pending(state, chance)
    may = allowed(state, pending) if pending else None
    fitting = [remedy for remedy, _ in may.remedies] if may and chance.random() < 0.95 else list(Remedy)
    remedy = chance.choice(fitting or list(Remedy))
    named: list[Card] = []
    if pending and names(pending, remedy) is Names.CARDS:
        named = _as_they_lie(state, past.rounds.get(pending.about_round or 0), chance, complete=pending.confirm)
    elif pending and chance.random() < 0.7:
        named = list(pending.cards)
        chance.shuffle(named)
    replaced = chance.random() < (0.5 if may and may.may_replace_shoe else 0.05)
    number = _number(state, pending, chance)
    return _by_somebody(
        commands.DecideIrregularity(remedy=remedy, cards=tuple(named), replace_shoe=replaced, report=number), chance
    )


def _as_they_lie(state: RoundState, earlier: RoundState | None, chance: Random, *, complete: bool) -> list[Card]:
    """The registered cards, with one read otherwise, one more or one fewer now and then."""
    cards = list((earlier or state).cards)
    read = list(cards)
    for _ in range(5):
        read = list(cards)
        if cards and chance.random() < 0.7:
            read[chance.randrange(len(cards))] = chance.choice(ALL_CARDS)
        if is_complete([card.rank for card in read]):  # others are refused where a round is settled
            break
    cards = read
    if complete or chance.random() < 0.2:
        cards += [*state.held, *_from_the_shoe(state, chance, chance.randint(0, 3))] if not earlier else []
    if chance.random() < 0.1:
        cards = cards[:-1]
    return cards[:6]


def _correction(state: RoundState, chance: Random, past: Past) -> Signed:
    earlier = _earlier(state, chance) if chance.random() < 0.5 else None
    cards = _as_they_lie(state, past.rounds.get(earlier or 0), chance, complete=False)
    return _by_somebody(commands.CorrectResult(cards=tuple(cards), round=earlier), chance)


def _one_card(state: RoundState, chance: Random, past: Past) -> Signed:
    earlier = _earlier(state, chance) if chance.random() < 0.5 else None
    cards = past.rounds[earlier].cards if earlier in past.rounds else (*state.cards, *state.held)
    place = chance.randint(1, max(1, len(cards))) if chance.random() < 0.95 else 7
    card = chance.choice(ALL_CARDS)
    if chance.random() < 0.3 and place <= len(cards):
        card = Card(cards[place - 1].rank, card.suit)
    return _by_somebody(commands.CorrectCard(place=place, card=card, round=earlier), chance)


def _ruling(state: RoundState, chance: Random, past: Past) -> Signed:
    earlier = _earlier(state, chance) if chance.random() < 0.6 else None
    bets = named_bets(past.rounds.get(earlier or 0, state))
    bet = chance.choice(bets) if bets and chance.random() < 0.9 else Bet(_seat(chance), _wager(state, chance), 100)
    returned = chance.choice((None, None, 0, bet.cents, 2 * bet.cents, 100, -100))
    return _by_somebody(
        commands.RuleOnBet(seat=bet.seat, wager=bet.wager, returned_cents=returned, round=earlier), chance
    )


def _interruption(state: RoundState, chance: Random, past: Past) -> commands.NoteInterruption:
    brief = chance.random() < 0.5
    return commands.NoteInterruption(away_ms=2_000 if brief else 60_000, brief=brief, real_cards=chance.random() < 0.7)


MAKE: dict[type[commands.Command], Callable[[RoundState, Random, Past], Asked]] = {
    commands.LoadShoe: _new_shoe,
    commands.BurnCards: _burn,
    commands.BurnFaceDown: lambda s, r, _: commands.BurnFaceDown(rest=r.random() < 0.2),
    commands.OpenBetting: _opening,
    commands.PlaceBet: lambda s, r, _: commands.PlaceBet(seat=_seat(r), wager=_wager(s, r), cents=r.choice(STAKES)),
    commands.IncreaseBet: lambda s, r, _: commands.IncreaseBet(
        seat=_seat(r), wager=_wager(s, r), cents=r.choice(STAKES)
    ),
    commands.TakeBackBet: _taking_back,
    commands.ClearBets: lambda s, r, _: commands.ClearBets(seat=_seat(r)),
    commands.CloseBetting: lambda s, r, _: commands.CloseBetting(),
    commands.DealCard: _deal,
    commands.ReportCutCard: lambda s, r, _: commands.ReportCutCard(),
    commands.OpenInsurance: lambda s, r, _: commands.OpenInsurance(),
    commands.PlaceInsurance: _insurance,
    commands.CloseInsurance: lambda s, r, _: commands.CloseInsurance(),
    commands.WaiveInsurance: lambda s, r, _: _by_somebody(commands.WaiveInsurance(seat=_seat(r)), r),
    commands.TakeBackWaiver: lambda s, r, _: _by_somebody(commands.TakeBackWaiver(), r),
    commands.DeclareResult: _declaration,
    commands.Settle: lambda s, r, _: commands.Settle(),
    commands.ReportIrregularity: _report,
    commands.WithdrawReport: _withdrawal,
    commands.DecideIrregularity: _remedy,
    commands.DiscardHeld: lambda s, r, _: _by_somebody(commands.DiscardHeld(cards=_some_held(s, r)), r),
    commands.VoidRound: lambda s, r, _: _by_somebody(commands.VoidRound(), r),
    commands.CorrectCard: _one_card,
    commands.CorrectResult: _correction,
    commands.RuleOnBet: _ruling,
    commands.NoteInterruption: _interruption,
}


def minimal_report(state: RoundState, kind: Kind, asked: Needs) -> commands.ReportIrregularity:
    """A report that names what it must and nothing else; cards come from the shoe, where it has any."""
    left = Counter({card: state.shoe.left(card) for card in ALL_CARDS} if state.shoe else {})
    cards = tuple(left.elements())[: asked.cards] or ALL_CARDS[: asked.cards]
    earlier = asked.earlier_round or (asked.may_be_earlier and state.number > 1 and not_of_this_round(state, kind))
    bets = named_bets(state, withdrawn=kind is Kind.WITHDRAWN_BET) if asked.bet else []
    bet = bets[0] if bets else None
    return commands.ReportIrregularity(
        kind=kind,
        cards=cards,
        about_round=max(1, state.number - 1) if earlier else None,
        seat=bet.seat if bet else None,
        wager=bet.wager if bet else "",
        cents=bet.cents if bet and asked.amount else None,
    )

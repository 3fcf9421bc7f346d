"""Two independent accounts of a table, kept from its events alone: the money, and where every card is.

What a settled round must have returned comes from the transcribed pay tables, not from the rule packs.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Literal, NamedTuple, cast

from natural9.core.cards import ALL_CARDS
from natural9.core.round import RoundState, events
from natural9.core.round.state import CONCLUDED, Phase
from tests.transcription.insurance_tables import Window, expected_insurance
from tests.transcription.pay_tables import expected
from tests.transcription.table_of_play import HandName, play


@cache
def returned_on(game: str, wager: str, ranks: str, stake: int) -> int:
    """What a bet returns, stake included, by the transcribed pay table."""
    result, odds, _ = expected(game, wager, play(ranks))
    if result == "lose":
        return 0
    return stake + (_whole(stake * odds) if odds is not None else 0)


def insurance_returned(window: str, hand: str, ranks: str, stake: int) -> int:
    """The same of insurance; raises ValueError where none was on offer."""
    result, odds = expected_insurance(cast(Window, window), cast(HandName, hand), ranks)
    return {"lose": 0, "push": stake, "win": stake + _whole(stake * odds)}[result]


def _whole(cents: object) -> int:
    whole = int(cents)  # type: ignore[call-overload]
    assert whole == cents, "nothing rounds"
    return cast(int, whole)


class Insured(NamedTuple):
    window: str
    hand: str
    cents: int


@dataclass
class SeatBook:
    """One seat in one round."""

    bets: Counter[str] = field(default_factory=Counter)
    insurance: list[Insured] = field(default_factory=list)
    paid: int | None = None  # by the settlement in force and the rulings on it
    ruled: dict[str, tuple[int, int]] = field(default_factory=dict)  # a stake, and what it returns
    in_force: dict[str, int] = field(default_factory=dict)  # of these, those that the settlement in force heeds
    away: Counter[str] = field(default_factory=Counter)  # taken away by its player, and not laid again
    away_ruled: dict[str, int] = field(default_factory=dict)  # what a ruling makes of such a bet

    @property
    def staked(self) -> int:
        return self.bets.total() + sum(one.cents for one in self.insurance)

    def lay(self, wager: str, cents: int) -> None:
        self.bets[wager] += cents
        self.away[wager] -= min(cents, self.away[wager])

    def take_away(self, wager: str, cents: int) -> None:
        self.bets[wager] -= cents
        self.away[wager] += cents

    def stake_on(self, wager: str) -> int:
        return self.bets[wager] + sum(one.cents for one in self.insurance if f"{one.hand}-insurance" == wager)

    def give_back(self, window: str, hand: str, cents: int) -> None:
        """So much insurance, what was taken last first."""
        for at, one in reversed(list(enumerate(self.insurance))):
            if (one.window, one.hand) == (window, hand):
                back = min(cents, one.cents)
                self.insurance[at] = one._replace(cents=one.cents - back)
                cents -= back
        assert not cents, "more went back than lay there"
        self.insurance = [one for one in self.insurance if one.cents]

    def brings(self, game: str, ranks: str, wager: str, ruled: Mapping[str, int]) -> int:
        """What one bet returns by the cards, or by the manager's ruling on it."""
        if wager in ruled:
            return ruled[wager]
        if wager.endswith("-insurance"):
            return sum(
                insurance_returned(one.window, one.hand, ranks, one.cents)
                for one in self.insurance
                if f"{one.hand}-insurance" == wager
            )
        return returned_on(game, wager, ranks, self.bets[wager])

    def due(self, game: str, ranks: str) -> int:
        """What the whole seat must have got back."""
        wagers = {*(wager for wager, cents in self.bets.items() if cents)}
        wagers |= {f"{one.hand}-insurance" for one in self.insurance}
        return sum(self.brings(game, ranks, wager, self.stands()) for wager in wagers)

    def stands(self) -> dict[str, int]:
        """What was ruled, bet by bet: on one that is smaller or larger by now nothing."""
        return {wager: cents for wager, (stake, cents) in self.ruled.items() if self.stake_on(wager) == stake}


@dataclass
class RoundBook:
    """The money of one round."""

    cards: tuple[str, ...] = ()
    status: Literal["open", "settled", "void"] = "open"
    seats: dict[int, SeatBook] = field(default_factory=dict)

    def seat(self, number: int) -> SeatBook:
        return self.seats.setdefault(number, SeatBook())

    @property
    def ranks(self) -> str:
        return "".join(card[0] for card in self.cards)

    @property
    def staked(self) -> int:
        return sum(seat.staked for seat in self.seats.values())

    def check(self, game: str) -> None:
        for seat in self.seats.values():
            assert min(seat.bets.values(), default=0) >= 0, "nothing is ever negative"
            assert seat.staked >= 0
            if self.status == "settled":
                due = seat.due(game, self.ranks)
                assert (seat.paid or 0) == due >= 0, f"{seat} got {seat.paid} and is due {due} by {self.cards}"
            if self.status == "void":
                assert not seat.staked
                assert not seat.paid


class Money:
    """Every round's money."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.rounds: dict[int, RoundBook] = {}
        self.number = 0

    @property
    def now(self) -> RoundBook:
        return self.of(self.number)

    def of(self, number: int) -> RoundBook:
        return self.rounds.setdefault(number, RoundBook())

    def post(self, event: events.RoundEvent) -> int:
        """The number of the round that it was about."""
        now, number = self.now, self.number
        match event:
            case events.BettingOpened():
                self.number = number = event.round
            case events.BetPlaced() | events.BetRestored():
                now.seat(event.seat).lay(event.wager, event.cents)
            case events.BetTakenBack():
                now.seat(event.seat).take_away(event.wager, event.cents)
            case events.BetVoided():
                now.seat(event.seat).bets[event.wager] -= event.cents
            case events.BetsCleared():
                assert event.cents == now.seat(event.seat).staked
                for wager, cents in list(now.seat(event.seat).bets.items()):
                    now.seat(event.seat).take_away(wager, cents)
            case events.BetsReturned():
                assert event.cents == now.seat(event.seat).staked
                now.seat(event.seat).bets.clear()
                now.seat(event.seat).insurance.clear()
            case events.InsurancePlaced():
                now.seat(event.seat).insurance.append(Insured(event.window, event.hand, event.cents))
            case events.InsuranceReturned():
                now.seat(event.seat).give_back(event.window, event.hand, event.cents)
            case events.CardDealt():
                now.cards = (*now.cards, event.card)
            case events.CardsCorrected():
                now.cards = tuple(event.cards)
                if event.phase not in CONCLUDED:
                    now.status = "open"
            case events.SeatSettled():
                self._settled(now.seat(event.seat), event)
            case events.SettlementReversed():
                assert now.seat(event.seat).paid == event.cents
                now.seat(event.seat).paid = None
                now.status = "open"
            case events.RoundSettled():
                self._round_settled(now, event)
            case events.RoundVoided():
                assert not now.staked, "a void returns everything"
                now.status = "void"
            case events.BetRuled():
                self._ruled(event)
                number = event.round
            case events.EarlierCardsCorrected():
                number = event.round
                assert self.rounds[number].cards == tuple(event.was)
                self.rounds[number].cards = tuple(event.cards)
                for seat in self.rounds[number].seats.values():
                    seat.in_force = seat.stands()  # it stands, also where nothing has to be paid for it
            case events.EarlierSeatSettled():
                self._settled_again(event)
                number = event.round
            case _:
                pass
        return number

    def _settled(self, seat: SeatBook, event: events.SeatSettled) -> None:
        lines = (*event.lines, *event.insurance)
        assert event.staked_cents == seat.staked == sum(line.stake_cents for line in lines)
        assert event.returned_cents == sum(line.returned_cents for line in lines) >= 0
        assert all(line.net_cents == line.returned_cents - line.stake_cents for line in lines)
        assert seat.paid is None, "a seat is paid once"
        seat.paid = event.returned_cents
        seat.in_force = {}  # what was ruled before has to be said again

    def _round_settled(self, now: RoundBook, event: events.RoundSettled) -> None:
        assert event.staked_cents == event.stakes_returned_cents + event.collected_cents == now.staked
        by_the_cards = sum(SeatBook(seat.bets, seat.insurance).due(self.game, now.ranks) for seat in now.seats.values())
        assert by_the_cards == event.stakes_returned_cents + event.winnings_cents
        now.status = "settled"

    def _ruled(self, event: events.BetRuled) -> None:
        book = self.rounds[event.round]
        seat = book.seat(event.seat)
        if not seat.stake_on(event.wager):  # taken away whole: it returned its stake, and is no part of what was paid
            assert event.stake_cents == seat.away[event.wager] > 0
            assert event.was_cents == seat.away_ruled.get(event.wager, event.stake_cents)
            seat.away_ruled[event.wager] = event.returned_cents
            return
        assert event.stake_cents == seat.stake_on(event.wager) > 0
        assert event.was_cents == seat.brings(self.game, book.ranks, event.wager, seat.in_force)
        assert seat.paid is not None
        seat.paid += event.returned_cents - event.was_cents
        seat.in_force[event.wager] = event.returned_cents
        seat.ruled[event.wager] = (event.stake_cents, event.returned_cents)

    def _settled_again(self, event: events.EarlierSeatSettled) -> None:
        seat = self.rounds[event.round].seat(event.seat)
        assert (event.was_cents, event.staked_cents) == (seat.paid, seat.staked)
        kept = [Insured(line.window, line.wager.partition("-")[0], line.stake_cents) for line in event.insurance]
        gone = sum(one.cents for one in seat.insurance) - sum(one.cents for one in kept)
        assert gone == event.insurance_back_cents
        # Insurance that goes back is in what the seat gets, and lies no longer: the rest is what its bets return.
        seat.insurance = kept
        seat.paid = event.returned_cents - gone


class Drawn(NamedTuple):
    """A card that is out of its shoe, and the number of that shoe."""

    card: str
    shoe: int


class Cards:
    """Where every card is that has left a shoe."""

    def __init__(self) -> None:
        self.decks: dict[int, int] = {0: 0}
        self.shoe = 0
        self.loaded: int | None = None
        self.number = 0
        self.dealt: dict[int, list[Drawn]] = {0: []}  # by round
        self.held: list[Drawn] = []
        self.reported: dict[int, list[Drawn]] = {}
        self.decided: list[Drawn] = []  # by the decision that is being carried out
        self.gone: list[Drawn] = []
        self.shown: dict[int, Drawn] = {}  # the first card of a shoe that burns

    def post(self, event: events.RoundEvent) -> None:
        match event:
            case events.ShoeLoaded():
                self._new_set(event)
                self.loaded = event.shoe
            case events.ShoeReplaced():
                self._new_set(event)
                self.shoe = event.shoe
            case events.CardsBurnt():
                self.shown[event.shoe] = Drawn(event.card, event.shoe)  # another one corrects it
            case events.BettingOpened():
                self.shoe, self.loaded = self.loaded or self.shoe, None
                assert event.shoe == self.shoe
                assert event.from_old_set == sum(one.shoe != self.shoe for one in self.held)
                self.number, self.dealt[event.round], self.reported = event.round, [], {}
            case events.CardDealt():
                drawn = self.held.pop(0) if self.held else Drawn(event.card, self.shoe)
                assert drawn.card == event.card
                self.dealt[self.number].append(drawn)
            case events.IrregularityReported():
                self.reported[event.report] = [Drawn(card, self.shoe) for card in event.cards]
            case events.ReportWithdrawn():
                del self.reported[event.report]  # they never left it
            case events.IrregularityDecided():
                self.gone += self.decided
                self.decided = self.reported.pop(event.report)
            case events.CardsPutInOrder():
                self.held += [self._take(self.decided, card) for card in event.cards]
            case events.CardsDiscarded():
                self.gone += [self._take(self.held if event.waited else self.decided, card) for card in event.cards]
            case events.CardsCorrected():
                out = self._otherwise((*self.dealt[self.number], *self.held), (*event.cards, *event.held), self.shoe)
                self.dealt[self.number], self.held = out[: len(event.cards)], out[len(event.cards) :]
            case events.EarlierCardsCorrected():
                self.dealt[event.round] = self._otherwise(self.dealt[event.round], event.cards, event.shoe)
            case _:
                pass

    def _new_set(self, event: events.ShoeLoaded | events.ShoeReplaced) -> None:
        assert event.shoe > max(self.decks), "every set of cards has a number of its own"
        self.decks[event.shoe] = event.decks

    @staticmethod
    def _take(where: list[Drawn], card: str) -> Drawn:
        found = next(one for one in where if one.card == card)
        where.remove(found)
        return found

    @staticmethod
    def _otherwise(before: Sequence[Drawn], cards: Iterable[str], shoe: int) -> list[Drawn]:
        """The same places, other cards; one more than before came from this shoe."""
        shoes = [one.shoe for one in before]
        return [Drawn(card, shoes[at] if at < len(shoes) else shoe) for at, card in enumerate(cards)]

    def left(self) -> Counter[str]:
        """What the shoe in use must hold."""
        everywhere = [*self.held, *self.gone, *self.decided, *self.shown.values()]
        for some in (*self.dealt.values(), *self.reported.values()):
            everywhere += some
        full = Counter({str(card): self.decks[self.shoe] for card in ALL_CARDS})
        full.subtract(one.card for one in everywhere if one.shoe == self.shoe)
        assert min(full.values(), default=0) >= 0, "a card is out more often than its shoe holds it"
        return full


class Books:
    """Both accounts, and the state held against them."""

    def __init__(self, game: str) -> None:
        self.money, self.cards = Money(game), Cards()

    def post(self, happened: Iterable[events.RoundEvent], state: RoundState) -> None:
        """What a decision led to, and the state after it."""
        touched = set()
        for event in happened:
            touched.add(self.money.post(event))
            self.cards.post(event)
        for number in touched:
            self.money.of(number).check(self.money.game)
        self._check(state)

    def _check(self, state: RoundState) -> None:
        now = self.money.now
        assert state.staked_cents == now.staked
        staked = {number: seat.staked for number, seat in now.seats.items() if seat.staked}
        assert {number: seat.staked_cents for number, seat in state.seats.items()} == staked
        assert tuple(map(str, state.cards)) == now.cards == tuple(one.card for one in self.cards.dealt[state.number])
        assert tuple(map(str, state.held)) == tuple(one.card for one in self.cards.held)
        if state.shoe:
            left: Counter[str] = Counter({str(card): state.shoe.left(card) for card in ALL_CARDS})
            assert left == self.cards.left()
        if state.phase is Phase.SETTLED:
            assert now.status == "settled"

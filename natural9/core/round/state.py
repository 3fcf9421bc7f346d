"""The state of a round, and of what the table carries from one round to the next."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from natural9.core.cards import Card, Rank
from natural9.core.game import Game
from natural9.core.insurance import InsuranceRow, Window
from natural9.core.irregularities import Kind
from natural9.core.money import show_cents
from natural9.core.outcome import Outcome
from natural9.core.round.seats import Seats
from natural9.core.saying import Said, say
from natural9.core.shoe import Shoe
from natural9.core.staff import Rank as StaffRank
from natural9.core.table_of_play import Hand, next_hand, played_count
from natural9.core.wagers import Wager


class Phase(StrEnum):
    """Where a round stands."""

    NO_ROUND = "no-round"
    BETTING_OPEN = "betting-open"
    BETS_CLOSED = "bets-closed"
    INITIAL_DEAL = "initial-deal"
    FOUR_CARDS_INSURANCE = "four-cards-insurance"
    PLAYERS_THIRD = "players-third"
    THIRD_CARD_INSURANCE = "third-card-insurance"
    BANKERS_THIRD = "bankers-third"
    COMPLETE = "complete"
    SETTLED = "settled"
    VOID = "void"

    @property
    def words(self) -> Said:
        """Where the round stands, in a few words."""
        return _STANDS[self]

    @property
    def word(self) -> Said:
        """Of a concluded round: settled, or void."""
        return say("void") if self is Phase.VOID else say("settled")


_STANDS: Final = {
    Phase.NO_ROUND: say("no round is in play"),
    Phase.BETTING_OPEN: say("betting is open"),
    Phase.BETS_CLOSED: say("no card is dealt yet"),
    Phase.INITIAL_DEAL: say("the first four cards are not all dealt"),
    Phase.FOUR_CARDS_INSURANCE: say("insurance comes first"),
    Phase.PLAYERS_THIRD: say("the Player's third card is due"),
    Phase.THIRD_CARD_INSURANCE: say("insurance comes first"),
    Phase.BANKERS_THIRD: say("the Banker's third card is due"),
    Phase.COMPLETE: say("the round is complete"),
    Phase.SETTLED: say("the round is settled"),
    Phase.VOID: say("the round is void"),
}


INSURANCE_PHASES = {Phase.FOUR_CARDS_INSURANCE: Window.FOUR_CARDS, Phase.THIRD_CARD_INSURANCE: Window.THIRD_CARD}
CONCLUDED = frozenset({Phase.SETTLED, Phase.VOID})
BETWEEN_ROUNDS = CONCLUDED | {Phase.NO_ROUND}
DEALING = frozenset({Phase.BETS_CLOSED, Phase.INITIAL_DEAL, Phase.PLAYERS_THIRD, Phase.BANKERS_THIRD})


class Limit(NamedTuple):
    """The least and the most that may lie on one wager at one seat, in cents."""

    min_cents: int
    max_cents: int

    @property
    def words(self) -> Said:
        """As in ``5.00 to 500.00``."""
        return say("{least} to {most}", least=show_cents(self.min_cents), most=show_cents(self.max_cents))


class Pending(NamedTuple):
    """An irregularity that was reported and waits for a decision. What may be decided follows from where things stand
    then, so it is no part of it: `reporting.allowed`."""

    report: int  # its number in this round
    kind: Kind
    cards: tuple[Card, ...] = ()  # drawn, but not registered
    seat: int | None = None  # with `wager` and `cents`: the bet that it is about
    wager: str = ""
    cents: int | None = None
    about_round: int | None = None  # an earlier one
    by_rank: StaffRank = StaffRank.DEALER  # of whoever reported it
    noticed: bool = False  # by the table itself, after an interruption: nobody reported it
    confirm: bool = False  # an interruption: the cards as they lie are not confirmed yet
    brief: bool = False  # an interruption that was over within the time that the venue sets


class Ruling(NamedTuple):
    """What the manager ruled that a bet returns in all."""

    stake_cents: int
    returned_cents: int
    by: str
    why: str
    was_away: bool  # the bet had been taken away, and no settlement pays it


class NewShoe(NamedTuple):
    """A set of cards loaded between rounds, in use from the next opening: until then the last can be corrected."""

    number: int
    decks: int
    offered: tuple[str, ...]
    burns: bool = False
    counts_burnt: bool = False  # a device reads those burnt face down one by one
    burnt: Card | None = None  # the one that was shown
    face_down: int = 0
    to_come: int = 0  # of those face down, where a device reads them


class RoundState(NamedTuple):
    """Everything that deciding needs. `held` are cards drawn but not yet played, which come before any other.

    Folding events needs no rules; deciding does, and asks for `game`.
    """

    rules: Game | None = None
    new_shoe: NewShoe | None = None
    offered: tuple[str, ...] = ()
    shoe_number: int = 0
    shoe: Shoe | None = None
    cut_card_out: bool = False
    burnt: Card | None = None  # the card that was shown when the first of this shoe were burnt
    burnt_face_down: int = 0  # nobody knows which: they are gone, and stay in the count of what may come
    from_old_set: int = 0  # how many of `cards` and then `held` came from a set of cards since replaced
    held: tuple[Card, ...] = ()
    number: int = 0
    phase: Phase = Phase.NO_ROUND
    betting_unit_cents: int = 0
    limits: Mapping[str, Limit] = {}
    boxes: int | None = None
    cards: tuple[Card, ...] = ()
    put_at: tuple[Hand, ...] = ()
    window_open: bool = False
    waived: int | None = None  # how many cards lay when the second insurance window was waived
    declared: bool = False
    won: tuple[str, ...] = ()  # the wagers that the declared result pays
    pending: tuple[Pending, ...] = ()
    reported: int = 0  # how many irregularities were reported in this round
    ruled: Mapping[tuple[int, str], Ruling] = {}  # by seat and wager; it holds for a bet of the same stake
    paid: Mapping[tuple[int, str], int] = {}  # what each bet returned, where other rules than ours have settled it
    seats: Seats = Seats()  # this and `staked_cents` come last because every bet changes them, and only them
    staked_cents: int = 0

    @property
    def game(self) -> Game:
        """The rules that decisions are made by."""
        assert self.rules is not None, "a state folded without its rules decides nothing"
        return self.rules

    @property
    def wagers(self) -> tuple[Wager, ...]:
        """Those on offer."""
        return tuple([self.game.wager(wager) for wager in self.offered])

    @property
    def cards_left(self) -> int:
        """How many cards lie in the shoe: what may still come, less as many as were burnt face down."""
        return self.shoe.cards_left - self.burnt_face_down if self.shoe else 0

    @property
    def ranks(self) -> tuple[Rank, ...]:
        """The cards' ranks, in dealt order."""
        return tuple([card.rank for card in self.cards])

    @property
    def due(self) -> Hand | None:
        """The hand that the next card belongs to."""
        return next_hand(self.ranks)

    @property
    def known(self) -> tuple[Rank, ...]:
        """The ranks in dealt order, with those of the cards that already lie exposed and are to come."""
        ranks = (*self.ranks, *[card.rank for card in self.held])
        return ranks[: played_count(ranks)]

    @property
    def window(self) -> Window | None:
        """The insurance window that the round stands in, open or about to be."""
        return INSURANCE_PHASES.get(self.phase)

    @property
    def offers(self) -> tuple[InsuranceRow, ...]:
        """The insurance on offer in the window that the round stands in."""
        if self.window is None or self.game.insurance is None:
            return ()
        return self.game.insurance.offers(self.window, self.ranks)

    @property
    def outcome(self) -> Outcome | None:
        """The outcome that the cards show, once no card is due."""
        return Outcome.of(self.ranks) if self.due is None else None


_PLACES: Final = {name: place for place, name in enumerate(RoundState._fields)}


def _replaced(state: RoundState, /, **changes: object) -> RoundState:
    values: list[object] = list(state)
    for name, value in changes.items():
        values[_PLACES[name]] = value
    return tuple.__new__(RoundState, values)


# What a named tuple brings along looks at every field by its name: for so many, three times as slow.
RoundState._replace = _replaced  # type: ignore[method-assign, assignment]


def old_cards_waiting(state: RoundState) -> int:
    """How many of the cards that wait for the next round come from another set than it is dealt from."""
    return len(state.held) if state.new_shoe else max(0, state.from_old_set - len(state.cards))


def shoe_after(state: RoundState, cards: tuple[Card, ...], held: tuple[Card, ...]) -> Shoe:
    """The shoe if these, not what is registered, are the cards that were drawn from it."""
    assert state.shoe is not None, "no card comes before a shoe"
    before, after = (*state.cards, *state.held), (*cards, *held)
    return state.shoe.with_back(before[state.from_old_set :]).without(after[state.from_old_set :])


def phase_after(game: Game, ranks: tuple[Rank, ...], *, waived: bool, next_known: bool) -> Phase:
    """Where a round stands once these cards are on the table. No insurance comes before a card that is known."""
    due = next_hand(ranks)
    if due is None:
        return Phase.COMPLETE
    if len(ranks) < 4:
        return Phase.INITIAL_DEAL if ranks else Phase.BETS_CLOSED
    if game.insurance and not next_known:
        if game.insurance.offers(Window.FOUR_CARDS, ranks) and len(ranks) == 4:
            return Phase.FOUR_CARDS_INSURANCE
        if game.insurance.offers(Window.THIRD_CARD, ranks) and not waived:
            return Phase.THIRD_CARD_INSURANCE
    return draw_phase(ranks)


def draw_phase(ranks: tuple[Rank, ...]) -> Phase:
    """The third-card phase once no insurance window stands before it."""
    return Phase.PLAYERS_THIRD if next_hand(ranks) is Hand.PLAYER else Phase.BANKERS_THIRD

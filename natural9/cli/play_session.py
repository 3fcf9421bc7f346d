"""A player's evening at one table: the round, the purse and the shoe. It prints nothing, and holds no rule of play.

The round decides and refuses; this adds only a shuffled shoe with a cut card, and a purse that bets may not pass.
"""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Final, NamedTuple

from natural9.core.cards import ALL_CARDS, Card
from natural9.core.errors import BadInput
from natural9.core.events import Event
from natural9.core.game import Game
from natural9.core.money import MAX_CENTS, show_cents
from natural9.core.round import Refusal, RoundState, decide, fold
from natural9.core.round import commands as round_commands
from natural9.core.round import events as round_events
from natural9.core.round.insuring import insurable
from natural9.core.round.state import BETWEEN_ROUNDS, Phase
from natural9.core.staff import Rank, Staff
from natural9.core.table_of_play import Hand

SEAT: Final = 1
CUT_CARD_FROM_END: Final = 14

_HOUSE: Final = Staff("", Rank.SHIFT_MANAGER)  # the program has every rank here, and no name


class RoundInPlay(NamedTuple):
    """The round, and what the player had when it opened. One value, so that an interrupt finds both or neither."""

    state: RoundState
    purse_cents: int

    @property
    def balance(self) -> int:
        """The round itself carries what the seat staked and what came back to it."""
        seat = self.state.seats[SEAT]
        return self.purse_cents - seat.staked_cents + seat.returned_cents


class PlaySession:
    """One player, one table, shoe after shoe. What cannot be done raises BadInput and changes nothing."""

    def __init__(self, game: Game, *, decks: int, balance_cents: int, chance: Random) -> None:
        game.check_decks(decks)
        unit = game.betting_unit_cents
        if not unit <= balance_cents <= MAX_CENTS:
            raise BadInput(
                "bad-balance",
                f"a balance of {show_cents(balance_cents)} is out of range: "
                f"bring from {show_cents(unit)}, the betting unit, to {show_cents(MAX_CENTS)}",
            )
        self.decks = decks
        self.brought_cents = balance_cents
        self.rounds = 0
        self.winners = ""  # of this shoe, as B, P and T
        self.last_bets: Mapping[str, int] = {}
        self._chance = chance
        self._cards: list[Card] = []  # the next one last
        self._before: list[Mapping[str, int]] = []  # the bets before each change in this round
        self._now = RoundInPlay(RoundState(game), balance_cents)

    @property
    def state(self) -> RoundState:
        return self._now.state

    @property
    def balance(self) -> int:
        return self._now.balance

    @property
    def bets(self) -> Mapping[str, int]:
        return self.state.seats[SEAT].bets

    @property
    def staked(self) -> int:
        return self.state.seats[SEAT].staked_cents

    @property
    def can_bet(self) -> bool:
        """Whether the balance is enough for the least bet."""
        return self.balance >= self.state.game.betting_unit_cents

    @property
    def insurable(self) -> dict[Hand, int]:
        """The most that may be staked on each hand's insurance, by the round and by the purse."""
        unit = self.state.betting_unit_cents
        within = {hand: min(most, self.balance // unit * unit) for hand, most in insurable(self.state, SEAT).items()}
        return {hand: most for hand, most in within.items() if most}

    def open_round(self) -> Sequence[Event]:
        """Betting opens, on a new shoe if the cut card is out."""
        loaded: Sequence[Event] = ()
        if self.state.shoe is None or self.state.cut_card_out:
            loaded = self._do(round_commands.LoadShoe(shoe=self.state.shoe_number + 1, decks=self.decks))
            self._cards = list(ALL_CARDS) * self.decks
            self._chance.shuffle(self._cards)
            self.winners = ""
        unit = self.state.game.betting_unit_cents
        opening = round_commands.OpenBetting(round=self.state.number + 1, betting_unit_cents=unit)
        state, opened = _after(self.state, opening)
        self._now, self._before = RoundInPlay(state, self.balance), []
        return (*loaded, *opened)

    def bet(self, stakes: Iterable[tuple[str, int]]) -> None:
        """All of these bets or, if one is refused, none."""
        commands: list[round_commands.Command] = []
        lie = set(self.bets)
        for wager, stake in stakes:
            more = round_commands.IncreaseBet(seat=SEAT, wager=wager, cents=stake)
            commands.append(more if wager in lie else round_commands.PlaceBet(seat=SEAT, wager=wager, cents=stake))
            lie.add(wager)
        self._change_bets(commands)

    def take(self, wager: str, amount: int | None) -> None:
        self._change_bets([round_commands.TakeBackBet(seat=SEAT, wager=wager, cents=amount)])

    def clear(self) -> None:
        self._change_bets([round_commands.ClearBets(seat=SEAT)])

    def double(self) -> None:
        if not self.bets:
            raise BadInput("nothing-to-double", "There is no bet to double: place one first")
        self.bet(list(self.bets.items()))

    def rebet(self) -> None:
        if not self.last_bets:
            raise BadInput("nothing-to-rebet", "There is no earlier bet to repeat: place one first")
        if self.bets:
            raise BadInput("bets-lie", "You have bets on this round already: clear them first, or double them")
        self.bet(self.last_bets.items())

    def undo(self) -> None:
        """Put the bets back as they lay before the last change."""
        if not self._before:
            raise BadInput("nothing-to-undo", "There is nothing to undo: no bet of this round was changed")
        before = self._before[-1]
        self._change_bets([*_moves(self.bets, before)])
        del self._before[-2:]  # the change that was undone, and the undoing

    def close(self) -> None:
        """No more bets."""
        self._do(round_commands.CloseBetting())
        self.last_bets = self.bets or self.last_bets

    def deal(self) -> Sequence[Event]:
        """The next card, and the cut card before it if that comes out first."""
        cut: Sequence[Event] = ()
        if len(self._cards) <= CUT_CARD_FROM_END and not self.state.cut_card_out:
            cut = self._do(round_commands.ReportCutCard())
        due = self.state.due
        assert due is not None, "no card is dealt to a complete round"
        dealt = self._do(round_commands.DealCard(card=self._cards[-1], put_at=due))
        self._cards.pop()
        return (*cut, *dealt)

    def open_window(self) -> None:
        self._do(round_commands.OpenInsurance())

    def insure(self, hand: Hand, stake: int) -> round_events.InsurancePlaced:
        (placed,) = self._do(round_commands.PlaceInsurance(seat=SEAT, hand=hand, cents=stake))
        assert isinstance(placed, round_events.InsurancePlaced)
        return placed

    def squeeze(self) -> None:
        """Ask to open the Banker's third card oneself. The house agrees, and the second window is given up."""
        self._do(round_commands.WaiveInsurance(seat=SEAT))

    def close_window(self) -> None:
        if self.state.window_open:  # it closes by itself where there is nothing to insure
            self._do(round_commands.CloseInsurance())

    def settle(self) -> round_events.SeatSettled | None:
        """Declare what the cards show and settle it; None if the player had no bet."""
        outcome = self.state.outcome
        assert outcome is not None, "only a complete round is settled"
        self._do(round_commands.DeclareResult())
        settled = self._do(round_commands.Settle())
        self.rounds += 1
        self.winners += outcome.winner[0].upper()
        return next((event for event in settled if isinstance(event, round_events.SeatSettled)), None)

    def leave(self) -> int:
        """Stand up. Bets of an unfinished round come back: taken back while betting is open, else the round is void."""
        if self.state.phase in BETWEEN_ROUNDS:
            return 0
        returned = self.staked
        if self.state.phase is not Phase.BETTING_OPEN:
            self._do(round_commands.VoidRound(), why="The player left the table during the round")
        elif returned:
            self._do(round_commands.ClearBets(seat=SEAT))
        return returned

    def _change_bets(self, commands: Iterable[round_commands.Command]) -> None:
        before = self.bets
        self._do(*commands)
        self._before.append(before)

    def _do(self, *commands: round_commands.Command, why: str = "") -> Sequence[Event]:
        """Have the round decide, and do what it decided; all of the commands or none."""
        state, happened = self.state, list[Event]()
        for command in commands:
            state, events = _after(state, command, why)
            happened += events
        after = RoundInPlay(state, self._now.purse_cents)
        if after.balance < 0:
            needed, balance = show_cents(self.balance - after.balance), show_cents(self.balance)
            raise BadInput("beyond-balance", f"{needed} is more than your balance of {balance}")
        self._now = after
        return happened


def _after(state: RoundState, command: round_commands.Command, why: str = "") -> tuple[RoundState, Sequence[Event]]:
    decision = decide(state, command, _HOUSE, why)
    if isinstance(decision, Refusal):
        raise BadInput(decision.code, decision.message, decision.paragraph)
    return fold(state, decision), decision


def _moves(bets: Mapping[str, int], wanted: Mapping[str, int]) -> Iterable[round_commands.Command]:
    """The commands that make of these bets those that are wanted."""
    for wager in {**bets, **wanted}:
        change = wanted.get(wager, 0) - bets.get(wager, 0)
        if change < 0:
            yield round_commands.TakeBackBet(seat=SEAT, wager=wager, cents=-change)
        elif change and wager in bets:
            yield round_commands.IncreaseBet(seat=SEAT, wager=wager, cents=change)
        elif change:
            yield round_commands.PlaceBet(seat=SEAT, wager=wager, cents=change)

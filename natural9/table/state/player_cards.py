"""A player's card in a terminal: whose bets the seat's are, and what each round came to for them. Changed by events."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import msgspec

from natural9.core.events import Event
from natural9.core.round import events as round_events
from natural9.core.settlement import Line
from natural9.core.wagers import Result
from natural9.journal import card_events
from natural9.journal.card_events import CardEvent, PlayCounted, PlayerPlay

if TYPE_CHECKING:
    from natural9.table.state.state import TableState

DAY_MS: Final = 24 * 60 * 60_000  # limits on time and loss count over so long from the first play on


@dataclass(slots=True, kw_only=True)
class PlayerCard:
    player: str
    play: PlayerPlay  # as it was brought
    points_per_100: int
    counts_from: int  # the first round whose bets can be this player's
    is_barred: bool = False
    # Since the card is in.
    rounds: int = 0
    staked_cents: int = 0
    returned_cents: int = 0
    points: int = 0


@dataclass(slots=True, kw_only=True)
class CountedRound:
    """What a round was counted as for the player who bet in it, all corrections so far included."""

    player: str
    points_per_100: int
    rounds: int = 0
    staked_cents: int = 0
    returned_cents: int = 0
    decided_cents: int = 0
    points: int = 0

    def add(self, event: PlayCounted) -> None:
        self.rounds += event.rounds
        self.staked_cents += event.staked_cents
        self.returned_cents += event.returned_cents
        self.decided_cents += event.decided_cents
        self.points += event.points


class PlayerCardView(msgspec.Struct, frozen=True, kw_only=True):
    """The card in this terminal. Points are in hundredths; None where the venue has none. What is told here is since
    the card is in."""

    number: str
    is_barred: bool
    rounds: int
    staked_cents: int
    returned_cents: int
    points: int | None


def seat_sees_card(card: PlayerCard | None) -> PlayerCardView | None:
    if card is None:
        return None
    return PlayerCardView(
        number=card.player,
        is_barred=card.is_barred,
        rounds=card.rounds,
        staked_cents=card.staked_cents,
        returned_cents=card.returned_cents,
        points=card.points if card.points_per_100 else None,
    )


def evolve_card(state: "TableState", event: CardEvent) -> None:
    terminal = state.terminal(event.seat)
    match event:
        case card_events.PlayerCardedIn():
            state.table_ms = event.table_ms
            state.playing.add(event.seat)
            # Bets of this round that are settled already were another's, whatever is still corrected about them.
            terminal.card = PlayerCard(
                player=event.player,
                play=event.play,
                points_per_100=event.points_per_100,
                counts_from=state.round.number + (terminal.settled is not None),
            )
        case card_events.PlayerCardedOut():
            state.table_ms = event.table_ms
            terminal.card = None
            if terminal.session is None:
                state.playing.discard(event.seat)
        case card_events.PlayerBarred():
            assert terminal.card is not None, f"no card is in at seat {event.seat}"
            terminal.card.is_barred = True
        case card_events.PlayCounted():
            _count(state, event)


def _count(state: "TableState", event: PlayCounted) -> None:
    terminal = state.terminal(event.seat)
    if event.of_round == state.round.number:
        counted = terminal.counted
        if counted is None:
            counted = CountedRound(player=event.player, points_per_100=event.points_per_100)
            terminal.counted = counted
        counted.add(event)
    card = terminal.card
    if card and card.player == event.player:
        card.rounds += event.rounds
        card.staked_cents += event.staked_cents
        card.returned_cents += event.returned_cents
        card.points += event.points


# What a round comes to.


def counted_sums(events: Iterable[PlayCounted]) -> dict[int, CountedRound]:
    """By seat, of one round."""
    sums: dict[int, CountedRound] = {}
    for event in events:
        if event.seat not in sums:
            sums[event.seat] = CountedRound(player=event.player, points_per_100=event.points_per_100)
        sums[event.seat].add(event)
    return sums


_NOTHING_COUNTED: Final[Mapping[int, CountedRound]] = {}


def play_counted(
    state: "TableState", event: Event, earlier: Mapping[int, CountedRound] = _NOTHING_COUNTED
) -> PlayCounted | None:
    """How this event, given the state before it, changes what is counted for a player. `earlier` is what the round
    before this one that it is about was counted as, by seat."""
    match event:
        case round_events.SeatSettled():
            terminal, card = state.terminal(event.seat), state.terminal(event.seat).card
            known = terminal.counted
            if known is None and card and card.counts_from <= state.round.number:
                known = CountedRound(player=card.player, points_per_100=card.points_per_100)
            return _settled(event, state.round.number, known) if known else None
        case round_events.SettlementReversed():
            known = state.terminal(event.seat).counted
            return _taken_back(event.seat, state.round.number, known) if known else None
        case round_events.EarlierSeatSettled():
            known = earlier.get(event.seat)
            return _settled(event, event.round, known) if known else None
        case round_events.BetRuled():
            is_now = event.round == state.round.number
            known = state.terminal(event.seat).counted if is_now else earlier.get(event.seat)
            return _ruled(event, known) if known else None
        case _:
            return None


def _decided(event: round_events.SeatSettled | round_events.EarlierSeatSettled) -> int:
    """Stakes that were won or lost; what goes back earns nothing."""
    lines: tuple[Line, ...] = (*event.lines, *event.insurance)
    return sum([line.stake_cents for line in lines if line.result is not Result.PUSH])


def _settled(
    event: round_events.SeatSettled | round_events.EarlierSeatSettled, number: int, known: CountedRound
) -> PlayCounted:
    """By how much it differs from what was counted."""
    decided = _decided(event)
    return _changed(
        event.seat,
        number,
        known,
        rounds=1 - known.rounds,
        staked_cents=event.staked_cents - known.staked_cents,
        returned_cents=event.returned_cents - known.returned_cents,
        decided_cents=decided - known.decided_cents,
        points=decided * known.points_per_100 // 100 - known.points,
    )


def _ruled(event: round_events.BetRuled, known: CountedRound) -> PlayCounted:
    """A stake that goes back is not decided, whether by the cards or by a ruling."""
    was, is_now = event.was_cents != event.stake_cents, event.returned_cents != event.stake_cents
    more = (is_now - was) * event.stake_cents
    return _changed(
        event.seat,
        event.round,
        known,
        returned_cents=event.returned_cents - event.was_cents,
        decided_cents=more,
        points=(known.decided_cents + more) * known.points_per_100 // 100 - known.points,
    )


def _taken_back(seat: int, number: int, known: CountedRound) -> PlayCounted:
    return _changed(
        seat,
        number,
        known,
        rounds=-known.rounds,
        staked_cents=-known.staked_cents,
        returned_cents=-known.returned_cents,
        decided_cents=-known.decided_cents,
        points=-known.points,
    )


def _changed(
    seat: int,
    number: int,
    known: CountedRound,
    *,
    rounds: int = 0,
    staked_cents: int = 0,
    returned_cents: int = 0,
    decided_cents: int = 0,
    points: int = 0,
) -> PlayCounted:
    return PlayCounted(
        seat=seat,
        player=known.player,
        of_round=number,
        rounds=rounds,
        staked_cents=staked_cents,
        returned_cents=returned_cents,
        decided_cents=decided_cents,
        points=points,
        points_per_100=known.points_per_100,
    )

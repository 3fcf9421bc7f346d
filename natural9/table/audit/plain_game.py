"""What the entries of a plain round say under one game, put together once for all its tables and kept."""

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeVar

import msgspec

from natural9.core.cards import Card
from natural9.core.events import Event
from natural9.core.game import Game
from natural9.core.outcome import Outcome
from natural9.core.round import Refusal, RoundState, commands
from natural9.core.round import events as round_events
from natural9.core.round.dealing import deal_card
from natural9.core.round.settling import declared
from natural9.core.round.state import DEALING, Phase
from natural9.core.settlement import settle_bet
from natural9.core.shoe import Shoe
from natural9.core.wagers import Result, Wager
from natural9.journal.line import Origin, OriginKind, encode_line
from natural9.table.state.state import result_of

MOST_KNOWN: Final = 50_000  # of a kind
DEALS: Final = Origin(OriginKind.PROGRAM, command="deal")
_DECLARES: Final = Origin(OriginKind.PROGRAM, command="declare")
_SETTLES: Final = Origin(OriginKind.PROGRAM, command="settle")
_CLOSES: Final = Origin(OriginKind.PROGRAM, command="close-betting")
_HERE: Final = 7_777_777_777_777_777  # a number that stands for any
_encode: Final = msgspec.json.Encoder().encode
_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


PlainLine = tuple[bytes, int, int]  # a bet's line of a settlement: as it is written, and the cents returned and lost


class PlainResult(NamedTuple):
    """How a round ended: what its entry says, and the lines of bets so far, in this round or one that paid alike."""

    text: bytes
    seen: tuple[object, ...]  # as the roads show it, but for its number
    lines: dict[tuple[str, int], PlainLine]


def _line_of(event: Event, origin: Origin) -> bytes:
    """What its entry says, to be filled with numbers."""
    return encode_line(event, origin).replace(b"%", b"%%").replace(b"%d" % _HERE, b"%d")


def _row_of(wager: Wager, outcome: Outcome) -> int:
    """Which of its rows pays; -1 if none does."""
    paying = wager.row_for(outcome)
    return -1 if paying is None else wager.rows.index(paying)


# The seat, its lines, what it staked and what it gets.
SEAT_SETTLED: Final = _line_of(
    round_events.SeatSettled(seat=_HERE, lines=(), insurance=(), staked_cents=_HERE, returned_cents=_HERE), _SETTLES
).replace(b'"lines":[]', b'"lines":[%b]')


class PlainGame:
    """All of it is made by the core's own functions."""

    def __init__(self, game: Game) -> None:
        procedure = game.document.procedure
        # What was staked.
        closed = round_events.BettingClosed(staked_cents=_HERE, paragraph=procedure.closes)
        self.closed = _line_of(closed, _CLOSES)
        # What was staked; how much of it goes back, and how much is collected; winnings.
        settled = round_events.RoundSettled(
            staked_cents=_HERE,
            stakes_returned_cents=_HERE,
            collected_cents=_HERE,
            winnings_cents=_HERE,
            paragraph=procedure.settlement,
        )
        self.settled = _line_of(settled, _SETTLES)
        self.deals: dict[tuple[int, ...], tuple[bytes, Phase, bool]] = {}  # by how the cards lie, as far as it matters
        self._results: dict[Outcome, PlainResult] = {}
        self._lines: dict[tuple[int, ...], dict[tuple[str, int], PlainLine]] = {}  # by the rows that pay, of each wager
        self._many_lines = 0

    def deal(
        self, lie: tuple[int, ...], now: RoundState, cards: Sequence[Card], phase: Phase, card: Card
    ) -> tuple[bytes, Phase, bool]:
        """The entry of a card that comes now, but for its name; where the round stands then, and whether another card
        is due. The Table of Play looks at the two-card totals and the Player's third card alone."""
        whole = Shoe.of(decks=now.shoe.decks if now.shoe else 1)
        decided = deal_card(now._replace(cards=tuple(cards), phase=phase, shoe=whole), commands.DealCard(card=card))
        assert not isinstance(decided, Refusal), "a card is due, and this one is there"
        [dealt] = decided
        assert isinstance(dealt, round_events.CardDealt)
        text = without_card(encode_line(dealt, DEALS), dealt.card)
        return keep(self.deals, lie, (text, dealt.phase, dealt.phase in DEALING))

    def result(self, now: RoundState, outcome: Outcome, cards: Sequence[Card]) -> PlainResult:
        found = self._results.get(outcome)
        if found is None:
            event = declared(now, outcome)
            _, *seen = result_of(0, cards, event.won)
            lines = self._lines.setdefault(tuple([_row_of(wager, outcome) for wager in now.game.wagers]), {})
            found = self._results[outcome] = PlainResult(encode_line(event, _DECLARES), tuple(seen), lines)
        return found

    def line(
        self, now: RoundState, outcome: Outcome, bet: tuple[str, int], kept: dict[tuple[str, int], PlainLine]
    ) -> PlainLine:
        line = settle_bet(now.game.wagers_by_id[bet[0]], outcome, bet[1])
        self._many_lines += 1
        if self._many_lines > MOST_KNOWN:
            self._many_lines = 1
            for lines in self._lines.values():
                lines.clear()
        lost = line.stake_cents if line.result is Result.LOSE else 0
        found = kept[bet] = (_encode(line), line.returned_cents, lost)
        return found


def keep(kept: dict[_Key, _Value], key: _Key, value: _Value) -> _Value:
    """For the next time."""
    if len(kept) >= MOST_KNOWN:
        kept.clear()
    kept[key] = value
    return value


def without_card(body: bytes, card: str) -> bytes:
    """Cards that come alike differ in their names alone."""
    return body.replace(b'"card":"%b"' % card.encode(), b"", 1)

"""What the bets and cards of one table say, read once and known again by their bytes."""

from typing import Final

import msgspec

from natural9.core.cards import Card
from natural9.core.errors import BadInput
from natural9.core.round import events as round_events
from natural9.core.round.betting import BetTerms
from natural9.core.round.seats import MAX_SEAT
from natural9.core.shoe import place_of
from natural9.core.table_of_play import POINTS
from natural9.journal.accounts import TransferKind, credit_account, terminal_id
from natural9.journal.line import Origin, OriginKind, encode_line, read_body
from natural9.store.contract import Transfer
from natural9.table.audit.plain_game import DEALS, keep, without_card
from natural9.table.state.state import TableState

_BET: Final = TransferKind.BET.value
_encode: Final = msgspec.json.Encoder().encode


# Plain tuples, which are taken apart in half the time of named ones: every bet and card comes by here.
# What a bet says up to its request: its seat, wager and cents; its transfers, what may lie on its spot before, and the
# end of its entry, after the round's number.
KnownBet = tuple[int, str, int, tuple[Transfer, ...], range, bytes]
# A card: it, its name, its place in a shoe's counts, its points, and its entry but for the card.
KnownCard = tuple[Card, str, int, int, bytes]


class KnownEntries:
    """Bets are known under the terms of the round: other terms, and they are read again."""

    def __init__(self, state: TableState) -> None:
        self._state = state
        self._terms = BetTerms({}, 1, 0)
        self.bets: dict[bytes, KnownBet] = {}  # by what they say up to the request
        self.cards: dict[bytes, KnownCard] = {}

    def under(self, terms: BetTerms) -> None:
        if terms != self._terms:
            self._terms = terms
            self.bets.clear()

    def read_bet(self, start: bytes) -> KnownBet | None:
        """What a bet says up to its request, if the terminal of its seat has laid it."""
        whole, state = start + b"}", self._state
        try:
            line = read_body(whole)
        except BadInput:
            return None
        bet, origin = line.event, line.origin
        if not isinstance(bet, round_events.BetPlaced) or encode_line(bet, origin) != whole:
            return None
        is_own = origin == Origin(OriginKind.TERMINAL, terminal_id(state.table, bet.seat))
        if not is_own or not 1 <= bet.seat <= MAX_SEAT:
            return None
        moved = Transfer(_BET, credit_account(state.table, bet.seat), state.stakes, bet.cents)
        room = self._terms.room(bet.seat, bet.wager, bet.cents)
        end = b',"wager":%b,"cents":%d},"type":"bet"}' % (_encode(bet.wager), bet.cents)
        return keep(self.bets, start, (bet.seat, bet.wager, bet.cents, (moved,), room, end))

    def read_card(self, body: bytes) -> KnownCard | None:
        try:
            line = read_body(body)
        except BadInput:
            return None
        event, origin = line.event, line.origin
        if not isinstance(event, round_events.CardDealt) or encode_line(event, origin) != body or origin.rank:
            return None
        try:
            card = Card.parse(event.card)
        except BadInput:
            return None
        if event.card != str(card):
            return None
        shape = without_card(encode_line(event, DEALS), event.card)
        return keep(self.cards, body, (card, event.card, place_of(card), POINTS[card.rank], shape))

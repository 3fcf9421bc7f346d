"""A round on one line: ``P 4C 9D 2S  B KH 6D``. It round-trips for every prefix of every legal deal."""

from collections.abc import Sequence

from natural9.core.cards import Card, parse_cards
from natural9.core.errors import BadInput
from natural9.core.table_of_play import Hand, hand_of, next_hand


def split_hands(cards: Sequence[Card]) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """The Player's and the Banker's cards of a round in dealt order."""
    ranks = [card.rank for card in cards]
    hands: dict[Hand, list[Card]] = {hand: [] for hand in Hand}
    for place, card in enumerate(cards):
        hands[hand_of(ranks, place)].append(card)
    return tuple(hands[Hand.PLAYER]), tuple(hands[Hand.BANKER])


def show_round(cards: Sequence[Card]) -> str:
    """
    >>> show_round(parse_cards("4C KH 9D 6D 2S"))
    'P 4C 9D 2S  B KH 6D'
    """
    player, banker = split_hands(cards)
    return f"P {' '.join(map(str, player))}  B {' '.join(map(str, banker))}".strip()


def parse_round(text: str) -> tuple[Card, ...]:
    """The cards of a round, in dealt order.

    >>> " ".join(map(str, parse_round("P 4C 9D 2S  B KH 6D")))
    '4C KH 9D 6D 2S'
    """
    head, mark, banker_text = text.partition("B")
    if not mark or not head.strip().startswith("P"):
        raise BadInput("bad-notation", f"{text!r} is not a round: write P, the Player's cards, B, the Banker's cards")
    hands = {Hand.PLAYER: list(parse_cards(head.strip()[1:])), Hand.BANKER: list(parse_cards(banker_text))}
    cards: list[Card] = []
    while (due := next_hand([card.rank for card in cards])) and hands[due]:
        cards.append(hands[due].pop(0))
    if hands[Hand.PLAYER] or hands[Hand.BANKER]:
        raise BadInput("bad-notation", f"{text!r} cannot be dealt: by the Table of Play {_trouble(hands)}")
    return tuple(cards)


def _trouble(hands: dict[Hand, list[Card]]) -> str:
    left = " and ".join(f"{hand}'s {' '.join(map(str, cards))}" for hand, cards in hands.items() if cards)
    return f"no place is left for {left}"

"""What a round's cards show, by the outside Table of Play: where each card lies, the totals, the mark on the road."""

from functools import cache
from typing import Final, NamedTuple

from natural9.torture.outside import load_verifier

rules: Final = load_verifier()
LETTER: Final = {"banker": "B", "player": "P", "tie": "T"}
HANDS: Final = ("player", "banker")


class Laid(NamedTuple):
    """Cards as they lie: whose each is, its hand's total with it, and both totals (None of an empty hand)."""

    hands: tuple[str, ...]
    totals: tuple[int, ...]
    player: int | None
    banker: int | None
    naturals: tuple[str, ...]
    due: str | None


@cache
def laid_out(ranks: str) -> Laid:
    hands, totals, sums = [], [], dict[str, int]()
    for place, rank in enumerate(ranks):
        hand = rules.next_hand(ranks[:place])
        sums[hand] = (sums.get(hand, 0) + rules.POINTS[rank]) % 10
        hands.append(hand)
        totals.append(sums[hand])
    naturals = tuple(hand for hand in HANDS if sums[hand] >= 8) if len(ranks) == 4 else ()
    due = rules.next_hand(ranks)
    return Laid(tuple(hands), tuple(totals), sums.get("player"), sums.get("banker"), naturals, due)


class RoundMark(NamedTuple):
    winner: str
    player: int
    banker: int
    natural: bool
    player_pair: bool
    banker_pair: bool
    road: str  # as results are shown: B56np


@cache
def marked(ranks: str) -> RoundMark:
    winner, player, banker, facts = rules.outcome(ranks)
    natural = len(ranks) == 4 and max(player, banker) >= 8
    pairs = ("player-pair" in facts, "banker-pair" in facts)
    marks = "n" * natural + "p" * pairs[0] + "b" * pairs[1]
    return RoundMark(winner, player, banker, natural, *pairs, f"{LETTER[winner]}{player}{banker}{marks}")


@cache
def offers(window: str, ranks: str) -> dict[str, str]:
    """The insurance on offer there, and its odds."""
    odds = {hand: rules.insurance_odds(window, f"{hand}-insurance", ranks) for hand in HANDS}
    return {hand: text for hand, text in odds.items() if text}


def phase_by_cards(game: str, ranks: str, *, waived: bool, next_known: bool) -> str:
    """Where a round stands with these cards (docs/journal.md, card-dealt and Insurance)."""
    due = rules.next_hand(ranks)
    if due is None:
        return "complete"
    if len(ranks) < 4:
        return "initial-deal" if ranks else "bets-closed"
    if game == "rws-nc-insurance" and not next_known:
        if len(ranks) == 4 and offers("four-cards", ranks):
            return "four-cards-insurance"
        if len(ranks) == 5 and offers("third-card", ranks) and not waived:
            return "third-card-insurance"
    return f"{due}s-third"

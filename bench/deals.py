"""Rounds to measure with: every game, legal deals, a few bets each."""

import random
from typing import Any

from natural9.core.cards import ALL_CARDS, Rank
from natural9.core.table_of_play import next_hand
from natural9.games import game_ids, load_game


def mixed_rounds(count: int, seed: int = 9) -> list[dict[str, Any]]:
    """Rounds as `settle --jsonl` reads them, cycling through the games, with one to all wagers bet."""
    chance = random.Random(seed)
    wagers = {game: [wager.id for wager in load_game(game).wagers] for game in game_ids()}
    rounds = []
    for number in range(count):
        game = game_ids()[number % len(wagers)]
        bets = {
            wager: 100 * chance.randint(1, 50)
            for wager in chance.sample(wagers[game], chance.randint(1, len(wagers[game])))
        }
        rounds.append({"game": game, "cards": _deal(chance), "bets": bets})
    return rounds


def _deal(chance: random.Random) -> list[str]:
    cards: list[str] = []
    ranks: list[Rank] = []
    while next_hand(ranks) is not None:
        card = chance.choice(ALL_CARDS)
        cards.append(str(card))
        ranks.append(card.rank)
    return cards

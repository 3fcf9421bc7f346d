"""Pricing shoes beside the tables: one at a time, in a thread of its own, and what was asked lately is remembered."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from natural9.core.cards import RANKS, Card, parse_ranks, split_cards
from natural9.core.errors import BadInput
from natural9.core.game import Game
from natural9.core.saying import say
from natural9.core.shoe import Shoe
from natural9.games import load_game
from natural9.server.odds.wire import GamePriced, game_priced
from natural9.server.people.addresses import neighbourhood
from natural9.server.people.limits import TokenBuckets, TooOften

REMEMBERED: Final = 512
MOST_WAITING: Final = 16  # shoes, not people: whoever asks for the same one waits for the same answer
TOKENS: Final = 60
REFILL_S: Final = 0.25
BUSY_S: Final = 2
MOST_CARDS_IN_A_ROUND: Final = 6
_BARE: Final = frozenset({*RANKS, "10"})

Asked = tuple[str, int, tuple[int, ...]]  # a game by its id or its hash, decks, cards left of each rank


class OddsPricer:
    """A slider sends many questions: those answered before cost nothing, the others a token each."""

    def __init__(self, *, clock_ms: Callable[[], int]) -> None:
        self._buckets = TokenBuckets(tokens=TOKENS, refill_s=REFILL_S, clock_ms=clock_ms)
        self._known: OrderedDict[Asked, GamePriced] = OrderedDict()
        self._waiting: dict[Asked, asyncio.Future[GamePriced]] = {}
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="odds")
        self._warm = False

    def warm(self) -> None:
        """Load the mathematics while the page is still being looked at: its first use takes seconds."""
        if not self._warm:
            self._warm = True
            self._thread.submit(_load)

    async def priced(self, game_id: str, decks: int, without: str, *, peer: str) -> GamePriced:
        asked = what_is_asked(game_id, decks, without)
        return await self.priced_for(load_game(game_id), decks, asked[2], peer=peer)

    async def priced_for(self, game: Game, decks: int, counts: tuple[int, ...], *, peer: str) -> GamePriced:
        """The cards left of each rank, A to K; the game may be one of the venue's own."""
        asked = game.sha256, decks, counts
        known = self._known.get(asked)
        if known is not None:
            self._known.move_to_end(asked)
            return known
        if retry_s := self._buckets.take(neighbourhood(peer)):
            raise TooOften(retry_s)
        return await asyncio.shield(self._started(asked, game))  # who leaves does not end it for the others

    def _started(self, asked: Asked, game: Game) -> "asyncio.Future[GamePriced]":
        under_way = self._waiting.get(asked)
        if under_way is None:
            if len(self._waiting) >= MOST_WAITING:
                raise TooOften(BUSY_S)
            under_way = asyncio.get_running_loop().run_in_executor(self._thread, _price, game, *asked[1:])
            self._waiting[asked] = under_way
            under_way.add_done_callback(lambda done: self._keep(asked, done))
        return under_way

    def _keep(self, asked: Asked, done: "asyncio.Future[GamePriced]") -> None:
        del self._waiting[asked]
        if done.cancelled() or done.exception() is not None:
            return
        self._known[asked] = done.result()
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)


def what_is_asked(game_id: str, decks: int, without: str) -> Asked:
    """Checked before any work is done: the game, its decks, and that the cards can be missing from such a shoe."""
    load_game(game_id).check_decks(decks)
    tokens = split_cards(without)
    ranks = parse_ranks(tokens)
    Shoe.of(decks=decks).without(_with_suits(tokens))
    counts = dict.fromkeys(RANKS, 4 * decks)
    for rank in ranks:
        if not counts[rank]:
            count = 4 * decks
            none = say("no {rank} is left to take out: {decks} decks hold {count}", rank=rank, decks=decks, count=count)
            raise BadInput("card-too-many", none)
        counts[rank] -= 1
    left = sum(counts.values())
    if left < MOST_CARDS_IN_A_ROUND:
        few = say("{left} cards are left, and a round may need {most}", left=left, most=MOST_CARDS_IN_A_ROUND)
        raise BadInput("too-few-cards", few)
    return game_id, decks, tuple(counts.values())


def _with_suits(tokens: list[str]) -> list[Card]:
    return [Card.parse(token) for token in tokens if token.upper() not in _BARE]


def _price(game: Game, decks: int, counts: tuple[int, ...]) -> GamePriced:
    from natural9.odds.composition import Composition
    from natural9.odds.pricing import odds

    return game_priced(odds(game, Composition(counts)), decks)


def _load() -> None:
    for game_id in ("mbs-tiger", "rws-nc-insurance"):  # the second has the kernels of insurance besides
        game_id, decks, counts = what_is_asked(game_id, 8, "")
        _price(load_game(game_id), decks, counts)

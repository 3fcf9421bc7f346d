"""The completion solver: what is certain after a few cards, and whether that establishes an outcome."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from natural9.core.cards import RANKS, Rank
from natural9.core.completion import Standing, established, standings
from natural9.core.outcome import Outcome, reachable_outcomes
from natural9.core.table_of_play import total
from natural9.core.wagers import Result, Wager
from natural9.games import game_ids, load_game
from tests.core.test_deals import TWO_CARD_HANDS, dealt, every_completion, rank_deals, rank_prefixes

rule = pytest.mark.rule

TIGER_GAMES = (load_game("mbs-tiger"), load_game("mbs-tiger-nc"))
PAIR_GAMES = tuple(game for game in map(load_game, game_ids()) if "player-pair" in game.wagers_by_id)
assert len(PAIR_GAMES) + len(TIGER_GAMES) == len(game_ids())
AS_STANDING = {Result.WIN: Standing.WON, Result.LOSE: Standing.LOST, Result.PUSH: Standing.PUSHED}


def by_brute_force(wager: Wager, ranks: tuple[Rank, ...]) -> Standing:
    results = {wager.result(Outcome.of(deal)) for deal in every_completion(ranks)}
    return AS_STANDING[results.pop()] if len(results) == 1 else Standing.OPEN


@rule("rws-nc 5.1.2", "mbs 5.9.1")
@pytest.mark.parametrize("game_id", game_ids())
@pytest.mark.no_cover  # so many deals would take long to trace
def test_up_to_two_cards_establish_nothing_in_any_game(game_id: str) -> None:
    game = load_game(game_id)
    for count in range(3):
        for ranks in product(RANKS, repeat=count):
            assert not established(game.wagers, ranks)
            assert set(standings(game.wagers, ranks).values()) == {Standing.OPEN}


@rule("rws-nc 5.1.1", "mbs 5.9.2")
@pytest.mark.no_cover  # so many deals would take long to trace
def test_with_player_pair_on_offer_three_cards_always_establish() -> None:
    """All 2,197 of them: the Player has its two cards, paired or not."""
    for ranks in product(RANKS, repeat=3):  # and not by game: what a deal can become is looked up once for all of them
        for game in PAIR_GAMES:
            assert established(game.wagers, ranks), (game.id, ranks)
            pair = standings([game.wager("player-pair")], ranks)["player-pair"]
            assert pair is (Standing.WON if ranks[0] == ranks[2] else Standing.LOST), (game.id, ranks)


@rule("mbs 5.9.1", "mbs 5.9.2")
@pytest.mark.no_cover  # so many deals would take long to trace
def test_in_the_tiger_games_three_cards_establish_by_a_player_pair_or_six_and_more() -> None:
    """All 2,197 of them: a pair has won Tiger Pair; with a Player of 6 to 9 a Banker 6 can no longer win."""
    for ranks in product(RANKS, repeat=3):
        pair, player = ranks[0] == ranks[2], total((ranks[0], ranks[2]))
        for game in TIGER_GAMES:
            where = standings(game.wagers, ranks)
            assert established(game.wagers, ranks) is (pair or player >= 6), (game.id, ranks)
            assert (where["tiger-pair"] is Standing.WON) is pair, (game.id, ranks)
            assert (where["tiger"] is Standing.LOST) is (player >= 6), (game.id, ranks)


@rule("mbs 5.9.2", "rws-nc 5.1.1")
@pytest.mark.parametrize("game_id", game_ids())
def test_four_cards_always_establish(game_id: str) -> None:
    game = load_game(game_id)
    for player, banker in product(TWO_CARD_HANDS, repeat=2):
        assert established(game.wagers, dealt(player, banker)), (player, banker)


@rule("mbs 5.9.1", "mbs 5.9.2")
@pytest.mark.no_cover  # so many deals would take long to trace
def test_what_is_on_offer_decides() -> None:
    """The same three cards establish an outcome with Tiger Pair on, and none with it off."""
    game = load_game("mbs-tiger")
    paired = ("2", "9", "2")
    without = [wager for wager in game.wagers if wager.id != "tiger-pair"]
    assert established(game.wagers, paired)
    assert not established(without, paired)
    main_only = [wager for wager in game.wagers if not wager.optional]
    assert not any(established(main_only, ranks) for ranks in product(RANKS, repeat=3))


@pytest.mark.parametrize(
    ("game_id", "ranks", "expected"),
    [
        ("mbs-tiger", "92K", {"tiger": "lost", "big-tiger": "lost", "tiger-tie": "lost", "banker": "open"}),
        ("mbs-tiger", "9299", {"tiger-pair": "won", "player": "won"}),
        ("mbs-tiger", "929", {"tiger-pair": "won", "player": "open"}),
        ("mbs-nc", "99TT", {"tie": "won", "player": "pushed", "banker": "pushed", "player-pair": "lost"}),
        ("mbs-fortune-six-nc", "99TT", {"player-dragon-bonus": "pushed", "banker-dragon-bonus": "pushed"}),
        ("mbs-fortune-six-nc", "7TT5", {"player-dragon-bonus": "open", "fortune-six": "lost"}),
        ("rws-nc", "67TT", {"banker": "won", "player": "lost", "tie": "lost"}),
        ("rws-nc", "TTT9", {"banker-pair": "lost", "player-pair": "won", "banker": "won"}),
        ("rws-nc-super-six-plus", "T6TTA", {"super-six-plus": "won", "banker": "won", "player": "lost"}),
    ],
)
def test_standings_by_hand(game_id: str, ranks: str, expected: dict[str, str]) -> None:
    where = standings(load_game(game_id).wagers, ranks)
    assert {wager: where[wager] for wager in expected} == expected


@given(rank_prefixes(least=3), st.sampled_from(game_ids()))
@settings(deadline=None, max_examples=60)
def test_standings_equal_brute_force(ranks: tuple[Rank, ...], game_id: str) -> None:
    wagers = load_game(game_id).wagers
    where = standings(wagers, ranks)
    assert list(where) == [wager.id for wager in wagers]
    for wager in wagers:
        assert where[wager.id] is by_brute_force(wager, ranks), wager.id
    decided = {Standing.WON, Standing.LOST} & set(where.values())
    assert established(wagers, ranks) is bool(decided)


@given(rank_deals(), st.sampled_from(game_ids()))
@settings(deadline=None)
def test_what_is_certain_stays_certain_and_comes_true(ranks: tuple[Rank, ...], game_id: str) -> None:
    wagers = load_game(game_id).wagers
    final = standings(wagers, ranks)
    assert {wager.id: AS_STANDING[wager.result(Outcome.of(ranks))] for wager in wagers} == final
    for count in range(len(ranks)):
        for wager_id, where in standings(wagers, ranks[:count]).items():
            assert where in (Standing.OPEN, final[wager_id])


@rule("rws-nc 5.1.2", "mbs 5.9.1", "mbs 1.1.10")
@pytest.mark.parametrize("game_id", game_ids())
def test_a_certain_push_is_not_established(game_id: str) -> None:
    """Were only Player and Banker on offer, a finished tie would have neither won nor lost anything."""
    game = load_game(game_id)
    main = [game.wager("player"), game.wager("banker")]
    for tie in ("99TT", "77TT", "TTTT99"):
        assert set(standings(main, tie).values()) == {Standing.PUSHED}
        assert not established(main, tie)
        assert established([*main, game.wager("tie")], tie)


@rule("mbs 1.1.8", "mbs 5.9.1")
def test_a_natural_tie_decides_no_dragon_bonus() -> None:
    game = load_game("mbs-super-6-nc")
    dragons = [game.wager("player-dragon-bonus"), game.wager("banker-dragon-bonus")]
    assert not established(dragons, "88TT")
    assert established(dragons, "77TT"), "any other tie has lost both"


def test_no_wager_on_offer_establishes_nothing() -> None:
    assert standings([], "99TT") == {}
    assert not established([], "99TT")


@pytest.mark.parametrize("game_id", game_ids())
def test_every_wager_can_win_and_lose(game_id: str) -> None:
    for wager in load_game(game_id).wagers:
        assert {Result.WIN, Result.LOSE} <= {wager.result(outcome) for outcome in reachable_outcomes()}

"""The transcription checked against itself, then the implementation checked against the transcription.

Every outcome class the Table of Play can reach, every wager of every game: the same result, odds and paragraph.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from natural9.core.outcome import Outcome, reachable_outcomes
from natural9.core.table_of_play import next_hand
from natural9.games import game_ids, load_game
from tests.transcription.insurance_tables import (
    PARAGRAPH,
    PUSH_PARAGRAPH,
    Window,
    expected_insurance,
    expected_offer,
    printed_rows,
)
from tests.transcription.pay_tables import OFFERED, OPTIONAL, PAY_TABLES, Row, expected, matching_rows
from tests.transcription.table_of_play import (
    RANKS,
    TABLES,
    VALUES,
    Features,
    HandName,
    Played,
    banker_takes_third,
    is_complete,
    next_to_draw,
    play,
    player_takes_third,
    points,
    total,
)

rule = pytest.mark.rule

DIGITS = frozenset(range(10))
ONE_RANK_PER_VALUE = "A23456789T"
UNPAIRED = (("T", "J"), *(("T", rank) for rank in "A23456789"))  # one unpaired hand for each total, 0 to 9
TWO_CARD_HANDS = (*UNPAIRED, *((rank, rank) for rank in RANKS))
HANDS: tuple[HandName, ...] = ("player", "banker")
INSURED = "rws-nc-insurance"


def interleave(player: Sequence[str], banker: Sequence[str]) -> tuple[str, ...]:
    """Two two-card hands as they are dealt."""
    return player[0], banker[0], player[1], banker[1]


def completions(ranks: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Every way to finish the round, one rank for each value."""
    if is_complete(ranks):
        yield ranks
        return
    for rank in ONE_RANK_PER_VALUE:
        yield from completions((*ranks, rank))


@cache
def representatives() -> dict[Features, tuple[str, ...]]:
    """For every outcome class, one deal that ends in it."""
    found: dict[Features, tuple[str, ...]] = {}
    for player, banker in product(TWO_CARD_HANDS, repeat=2):
        for deal in completions(interleave(player, banker)):
            found.setdefault(play(deal).features, deal)
    return found


@cache
def rounds() -> tuple[tuple[Played, Outcome], ...]:
    return tuple((play(deal), Outcome.of(deal)) for deal in representatives().values())


def features_of(outcome: Outcome) -> Features:
    return Features(
        outcome.player_total,
        outcome.banker_total,
        outcome.player_cards,
        outcome.banker_cards,
        outcome.player_pair,
        outcome.banker_pair,
        outcome.same_pair,
    )


# ---------------------------------------------------------------------------------------------------------------------
# The transcription against itself.


@pytest.mark.parametrize("document", TABLES)
def test_each_printed_table_of_play_is_whole(document: str) -> None:
    table = TABLES[document]
    player_columns = (table.player_draws, table.player_stands, table.player_natural)
    assert sorted(point for column in player_columns for point in column) == sorted(DIGITS)
    banker_columns = (
        table.banker_draws,
        frozenset(table.banker_by_third_card),
        table.banker_stands,
        table.banker_natural,
    )
    assert sorted(point for column in banker_columns for point in column) == sorted(DIGITS)
    for banker, row in table.banker_by_third_card.items():
        if row.draws is not None and row.does_not_draw is not None:
            assert row.draws | row.does_not_draw == DIGITS, f"{document}, Banker {banker}"
            assert not row.draws & row.does_not_draw, f"{document}, Banker {banker}"
    if table.banker_stands_if_player_stands is not None:
        assert not table.banker_draws_if_player_stands & table.banker_stands_if_player_stands


def test_the_three_rws_documents_print_both_columns_and_mbs_one() -> None:
    for document, table in TABLES.items():
        for row in table.banker_by_third_card.values():
            printed = (row.draws is not None) + (row.does_not_draw is not None)
            assert printed == (1 if document == "mbs" else 2)


def test_the_four_documents_play_alike() -> None:
    for player, banker in product(DIGITS, repeat=2):
        assert len({player_takes_third(table, player, banker) for table in TABLES.values()}) == 1
        for third in (None, *DIGITS):
            answers = {name: banker_takes_third(table, player, banker, third) for name, table in TABLES.items()}
            assert len(set(answers.values())) == 1, (player, banker, third, answers)


def test_the_four_documents_count_alike() -> None:
    for ranks in product(RANKS, repeat=3):
        assert len({total(ranks, document) for document in VALUES}) == 1, ranks


def test_printed_points_read_either_way() -> None:
    assert points("0-1-2") == points("0, 1, 2") == {0, 1, 2}


@pytest.mark.parametrize("deal", ["", "A", "TTT", "T9T", "TTTT", "TTTT4"])
def test_an_incomplete_round_is_not_played(deal: str) -> None:
    with pytest.raises(ValueError, match="incomplete round"):
        play(deal)


@pytest.mark.parametrize("deal", ["9TTTA", "T8TTA", "67TTA", "76TTA", "T3TT8A", "TTTT9TA", "65TTAA"])
def test_a_round_takes_no_card_too_many(deal: str) -> None:
    with pytest.raises(ValueError, match="too many cards"):
        play(deal)


def eight_deck_counts() -> dict[str, int]:
    """Ordered six-card deals from 416 cards, by winner; a round of four or five leaves the rest of the six open.

    The two cards of a hand count in either order, so each such pair of values is visited once, with its weight.
    """
    table = TABLES["mbs"]
    left = [128] + [32] * 9
    counts = {"player": 0, "banker": 0, "tie": 0}

    def take(value: int) -> int:
        left[value] -= 1
        return left[value] + 1

    def book(player: int, banker: int, weight: int) -> None:
        counts["tie" if player == banker else "player" if player > banker else "banker"] += weight

    def banker_turn(first: int, player: int, banker: int, third: int | None, weight: int, spare: int) -> None:
        if not banker_takes_third(table, first, banker, third):
            book(player, banker, weight * spare)
            return
        rest = spare // sum(left)
        for card in range(10):
            book(player, (banker + card) % 10, weight * left[card] * rest)

    for a, c, b, d in product(range(10), repeat=4):
        if a > c or b > d:
            continue
        weight = (1 if a == c else 2) * (1 if b == d else 2) * take(a) * take(c) * take(b) * take(d)
        player, banker = (a + c) % 10, (b + d) % 10
        if player_takes_third(table, player, banker):
            for third in range(10):
                taken = take(third)
                banker_turn(player, (player + third) % 10, banker, third, weight * taken, 411)
                left[third] += 1
        else:
            banker_turn(player, player, banker, None, weight, 412 * 411)
        for value in (a, c, b, d):
            left[value] += 1
    return counts


def test_eight_decks_give_the_published_counts() -> None:
    """The well-known figures of the game: 44.62% Player, 45.86% Banker, 9.52% Tie."""
    assert eight_deck_counts() == {
        "player": 2_230_518_282_592_256,
        "banker": 2_292_252_566_437_888,
        "tie": 475_627_426_473_216,
    }


def test_reading_1_prices_the_pair() -> None:
    """By rank the house keeps 10.36%; by point value, T-J and the like included but not J-Q, the bettor gains 32%."""
    by_rank = Fraction(31, 415)
    ten_and_face = 2 * Fraction(32, 416) * Fraction(96, 415)
    assert round(float(12 * by_rank - 1), 4) == -0.1036
    assert round(float(12 * (by_rank + ten_and_face) - 1), 2) == 0.32


def test_every_wager_on_offer_has_rows_and_every_row_a_wager() -> None:
    assert PAY_TABLES.keys() == OFFERED.keys() == OPTIONAL.keys()
    assert len(OFFERED) == 9
    for game, rows in PAY_TABLES.items():
        assert {row.wager for row in rows} == set(OFFERED[game])
        assert len(set(OFFERED[game])) == len(OFFERED[game])
        assert OPTIONAL[game] <= set(OFFERED[game])


def test_at_most_one_row_matches_and_no_row_is_idle() -> None:
    for game, rows in PAY_TABLES.items():
        used: set[Row] = set()
        for played, wager in product(map(play, representatives().values()), OFFERED[game]):
            matches = matching_rows(game, wager, played)
            assert len(matches) <= 1, (game, wager, played, matches)
            used.update(matches)
        assert used == set(rows), f"{game}: idle rows {set(rows) - used}"


@pytest.mark.parametrize(
    ("deal", "player", "banker"),
    [
        ("98TT", ("win", 1), ("lose", None)),  # natural 9 over natural 8: by one point, and paid
        ("89TT", ("lose", None), ("win", 1)),
        ("9TTJ", ("win", 1), ("lose", None)),  # a natural by nine pays no more
        ("88TT", ("push", None), ("push", None)),
        ("99TT", ("push", None), ("push", None)),
        ("77TT", ("lose", None), ("lose", None)),  # level, but not on naturals
        ("TTTT88", ("lose", None), ("lose", None)),  # level at 8, but on three cards
        ("7TTT4", ("lose", None), ("lose", None)),  # by three
        ("7TTT3", ("win", 1), ("lose", None)),  # by four
        ("TTTT9T", ("win", 30), ("lose", None)),
        ("TTTTT9", ("lose", None), ("win", 30)),
    ],
)
def test_dragon_bonus_hand_by_hand(deal: str, player: tuple[str, int | None], banker: tuple[str, int | None]) -> None:
    """Reading 3."""
    for game in ("mbs-fortune-six-nc", "mbs-super-6-nc"):
        assert expected(game, "player-dragon-bonus", play(deal))[:2] == player
        assert expected(game, "banker-dragon-bonus", play(deal))[:2] == banker


@pytest.mark.parametrize(
    ("deal", "pays"),
    [("3A3T", 4), ("A3T3", 4), ("A3A3", 20), ("TJTJ", 20), ("AAAA", 100), ("TTTT", 100), ("TJKQ", None)],
)
def test_tiger_pair_hand_by_hand(deal: str, pays: int | None) -> None:
    """Reading 2, and reading 1 for the ten and the king."""
    for finished in completions(tuple(deal)):
        assert expected("mbs-tiger", "tiger-pair", play(finished))[1] == pays


def insured_situations() -> Iterator[tuple[Window, tuple[str, ...]]]:
    """Both windows, whether they open or not: each pair of two-card totals, each third card the Player can take."""
    for player, banker in product(UNPAIRED, repeat=2):
        dealt = interleave(player, banker)
        yield "four-cards", dealt
        if next_to_draw(dealt) == "player":
            for third in ONE_RANK_PER_VALUE:
                yield "third-card", (*dealt, third)


def test_insurance_is_never_offered_on_a_finished_round() -> None:
    for window, dealt in insured_situations():
        if is_complete(dealt):
            assert not any(expected_offer(window, hand, dealt) for hand in HANDS)


def test_insurance_offered_can_always_be_won() -> None:
    """Each offer of 4.1.2 covers something that the draw still to come can bring about."""
    for (window, dealt), hand in product(insured_situations(), HANDS):
        if expected_offer(window, hand, dealt) is not None:
            results = {expected_insurance(window, hand, deal)[0] for deal in completions(dealt)}
            assert "win" in results, (window, hand, dealt)
            assert "lose" in results, (window, hand, dealt)


@pytest.mark.parametrize(
    ("window", "hand", "deal", "result", "odds"),
    [
        ("third-card", "player", "TTTT99", "win", 8),  # the starred row: level at 9
        ("third-card", "player", "TTTT98", "lose", 8),
        ("third-card", "player", "TTTT89", "win", 7),
        ("third-card", "player", "TTTT88", "push", 7),
        ("third-card", "banker", "T4TT35", "lose", "1.5"),  # Player 3, Banker 4, and the Banker ends on 9
        ("third-card", "banker", "T4TT39", "push", "1.5"),
        ("third-card", "banker", "T4TT37", "win", "1.5"),
        ("four-cards", "banker", "T7TT8", "win", 4),
        ("four-cards", "banker", "T7TT7", "push", 4),
        ("four-cards", "banker", "T7TT6", "lose", 4),
        ("four-cards", "player", "7TTT9", "win", 4),
    ],
)
def test_insurance_hand_by_hand(window: Window, hand: HandName, deal: str, result: str, odds: int | str) -> None:
    assert expected_insurance(window, hand, deal) == (result, Fraction(odds))


# ---------------------------------------------------------------------------------------------------------------------
# The implementation against the transcription: the cards.


@rule("rws-nc 3.8", "rws-nc-insurance 3.4", "rws-nc-super-six-plus 3.4", "mbs 3.6", "mbs 3.6.1", "mbs 3.6.2")
def test_the_first_four_cards_alternate() -> None:
    for count in range(4):
        assert next_hand("TTTT"[:count]) == next_to_draw("TTTT"[:count])


@rule(
    "rws-nc 1.1", "rws-nc 1.9", "rws-nc 3.9", "rws-nc 3.10",
    "rws-nc-insurance 1:baccarat-table-of-play", "rws-nc-insurance 1:natural",
    "rws-nc-insurance 3.6", "rws-nc-insurance 3.7",
    "rws-nc-super-six-plus 1:baccarat-table-of-play", "rws-nc-super-six-plus 1:natural",
    "rws-nc-super-six-plus 3.5", "rws-nc-super-six-plus 3.6",
    "mbs 1.1.6", "mbs 1.1.7", "mbs 3.8",
)  # fmt: skip
def test_next_hand_follows_the_table_of_play() -> None:
    """After every four ranks; then, for every two totals, after every third card and every card after that."""
    for dealt in product(RANKS, repeat=4):
        assert next_hand(dealt) == next_to_draw(dealt), dealt
    for player, banker in product(UNPAIRED, repeat=2):
        dealt = interleave(player, banker)
        if is_complete(dealt):
            continue
        for third in RANKS:
            five = (*dealt, third)
            assert next_hand(five) == next_to_draw(five), five
            for last in RANKS if not is_complete(five) else "":
                assert next_hand((*five, last)) is None


@rule(
    "rws-nc 1.16", "rws-nc 3.2", "rws-nc 3.2.1", "rws-nc 3.2.2", "rws-nc 3.2.3",
    "rws-nc-insurance 3.8",
    "rws-nc-super-six-plus 1:point-total", "rws-nc-super-six-plus 3.8",
    "mbs 3.3", "mbs 3.3.1", "mbs 3.3.2", "mbs 3.4", "mbs 3.4.1", "mbs 3.4.2",
)  # fmt: skip
def test_totals_pairs_and_card_counts_of_every_four_ranks() -> None:
    """Every four ranks, finished with tens; then every third card on two hands that take them all."""
    for dealt in product(RANKS, repeat=4):
        deal: tuple[str, ...] = dealt
        while not is_complete(deal):
            deal = (*deal, "T")
        assert features_of(Outcome.of(deal)) == play(deal).features, deal
    for player_third, banker_third in product(RANKS, repeat=2):
        deal = ("T", "2", "5", "T", player_third, banker_third)
        assert features_of(Outcome.of(deal)) == play(deal).features, deal


@rule("rws-nc 1.19", "rws-nc 3.11", "rws-nc-insurance 1:tie", "rws-nc-super-six-plus 1:tie", "mbs 1.1.16", "mbs 3.9")
@rule("rws-nc-insurance 3.8", "rws-nc-super-six-plus 3.9", "mbs 1.1.8")
def test_winner_margin_and_naturals() -> None:
    for played, outcome in rounds():
        assert outcome.winner == played.winner
        assert abs(outcome.margin) == abs(played.player_total - played.banker_total)
        assert outcome.player_natural == played.player_natural
        assert outcome.banker_natural == played.banker_natural
        assert outcome.natural == (played.player_natural or played.banker_natural)


def test_the_reachable_outcomes_are_the_same() -> None:
    assert {features_of(outcome) for outcome in reachable_outcomes()} == set(representatives())


# ---------------------------------------------------------------------------------------------------------------------
# The implementation against the transcription: the pay tables.


def check_game(game_id: str) -> None:
    """Same wagers, same options; for each wager and outcome class the same result, odds and paragraph."""
    game = load_game(game_id)
    assert {wager.id for wager in game.wagers} == set(OFFERED[game_id])
    assert len(game.wagers) == len(OFFERED[game_id])
    assert {wager.id for wager in game.wagers if wager.optional} == OPTIONAL[game_id]
    for wager, (played, outcome) in product(game.wagers, rounds()):
        row = game.wager(wager.id).row_for(outcome)
        if row is None:
            found: tuple[str, Fraction | None, str] = ("lose", None, "")
        elif row.odds is None:
            found = ("push", None, row.paragraph)
        else:
            found = ("win", row.odds.ratio, row.paragraph)
        assert found == expected(game_id, wager.id, played), f"{game_id} {wager.id} {played}"


def test_there_are_the_same_nine_games() -> None:
    assert sorted(game_ids()) == sorted(OFFERED)


@rule("rws-nc 1.10", "rws-nc 1.14", "rws-nc 1.19", "rws-nc 3.6", "rws-nc 3.8", "rws-nc 3.11", "rws-nc 3.12")
@rule("rws-nc 4.1")
def test_rws_nc() -> None:
    check_game("rws-nc")


@rule("rws-nc-insurance 1:non-commission-baccarat", "rws-nc-insurance 1:player-pair-or-banker-pair")
@rule("rws-nc-insurance 1:tie", "rws-nc-insurance 3.3", "rws-nc-insurance 3.4", "rws-nc-insurance 3.9")
@rule("rws-nc-insurance 4.1.1")
def test_rws_nc_insurance() -> None:
    check_game(INSURED)


@rule("rws-nc-super-six-plus 1:non-commission-baccarat", "rws-nc-super-six-plus 1:player-pair-or-banker-pair")
@rule("rws-nc-super-six-plus 1:super-six-plus", "rws-nc-super-six-plus 1:tie", "rws-nc-super-six-plus 3.3")
@rule("rws-nc-super-six-plus 3.4", "rws-nc-super-six-plus 3.9", "rws-nc-super-six-plus 3.10")
@rule("rws-nc-super-six-plus 4.1.1")
def test_rws_nc_super_six_plus() -> None:
    check_game("rws-nc-super-six-plus")


@rule("mbs 1.1.10", "mbs 1.1.11", "mbs 1.1.15", "mbs 1.1.16", "mbs 1.1.17")
@rule("mbs 3.7", "mbs 3.7.1", "mbs 3.7.2", "mbs 3.9", "mbs 3.9.1", "mbs 4.1")
def test_mbs_super_six_nc() -> None:
    check_game("mbs-super-six-nc")


@rule("mbs 1.1.1", "mbs 1.1.1.1", "mbs 1.1.1.2", "mbs 1.1.9", "mbs 1.1.9.1", "mbs 1.1.9.2", "mbs 1.1.8")
@rule("mbs 1.1.4", "mbs 1.1.7", "mbs 1.1.10", "mbs 1.1.11", "mbs 1.1.16", "mbs 1.1.17")
@rule("mbs 3.7", "mbs 3.7.1", "mbs 3.7.2", "mbs 3.9", "mbs 3.9.1", "mbs 4.2", "mbs 4.5", "mbs 4.6")
def test_mbs_fortune_six_nc() -> None:
    check_game("mbs-fortune-six-nc")


@rule("mbs 1.1.1", "mbs 1.1.1.1", "mbs 1.1.1.2", "mbs 1.1.9", "mbs 1.1.9.1", "mbs 1.1.9.2", "mbs 1.1.8")
@rule("mbs 1.1.7", "mbs 1.1.10", "mbs 1.1.11", "mbs 1.1.15", "mbs 1.1.16", "mbs 1.1.17")
@rule("mbs 3.7", "mbs 3.7.1", "mbs 3.7.2", "mbs 3.9", "mbs 3.9.1", "mbs 4.3", "mbs 4.5", "mbs 4.6")
def test_mbs_super_6_nc() -> None:
    check_game("mbs-super-6-nc")


@rule("mbs 1.1.10", "mbs 1.1.11", "mbs 1.1.16", "mbs 1.1.17")
@rule("mbs 3.7", "mbs 3.7.1", "mbs 3.7.2", "mbs 3.9", "mbs 3.9.1", "mbs 4.4")
def test_mbs_nc() -> None:
    check_game("mbs-nc")


@rule("mbs 1.1.2", "mbs 1.1.14", "mbs 1.1.18", "mbs 1.1.20")
@rule("mbs 1.1.19", "mbs 1.1.19.1", "mbs 1.1.19.2", "mbs 1.1.19.3", "mbs 1.1.10", "mbs 1.1.16", "mbs 1.1.17")
@rule("mbs 3.9", "mbs 3.9.1", "mbs 4.7", "mbs 4.9", "mbs 4.10")
def test_mbs_tiger() -> None:
    check_game("mbs-tiger")


@rule("mbs 1.1.2", "mbs 1.1.14", "mbs 1.1.18", "mbs 1.1.20")
@rule("mbs 1.1.19", "mbs 1.1.19.1", "mbs 1.1.19.2", "mbs 1.1.19.3", "mbs 1.1.10", "mbs 1.1.16", "mbs 1.1.17")
@rule("mbs 3.9", "mbs 3.9.1", "mbs 4.8", "mbs 4.9", "mbs 4.10")
def test_mbs_tiger_nc() -> None:
    check_game("mbs-tiger-nc")


@rule("mbs 1.1.3", "mbs 1.1.3.1")
def test_commission_is_taken_in_tiger_baccarat_alone() -> None:
    charging = {
        game_id
        for game_id, (_, outcome) in product(game_ids(), rounds())
        for row in [load_game(game_id).wager("banker").row_for(outcome)]
        if row is not None and row.odds is not None and row.odds.ratio == Fraction(95, 100)
    }
    assert charging == {"mbs-tiger"}


# ---------------------------------------------------------------------------------------------------------------------
# The implementation against the transcription: insurance.


def test_only_the_insurance_game_insures() -> None:
    assert {game_id for game_id in game_ids() if load_game(game_id).insurance is not None} == {INSURED}


@rule("rws-nc-insurance 4.1.2")
def test_insurance_rows_stand_as_printed() -> None:
    """Row by row: points that no open window can show would slip past the two tests below."""
    insurance = load_game(INSURED).insurance
    assert insurance is not None
    rows = [
        (row.window, row.hand, row.player_totals, row.banker_totals, row.odds.ratio, row.wins_on_tie)
        for row in insurance.rows
    ]
    assert rows == list(printed_rows())


@rule("rws-nc-insurance 1:baccarat-insurance", "rws-nc-insurance 3.5", "rws-nc-insurance 3.5.1")
@rule("rws-nc-insurance 4.1.2")
def test_insurance_offers() -> None:
    insurance = load_game(INSURED).insurance
    assert insurance is not None
    for (window, dealt), hand in product(insured_situations(), HANDS):
        row = insurance.offer(window, dealt, hand)
        odds = None if row is None else row.odds.ratio
        assert odds == expected_offer(window, hand, dealt), f"{window} {hand} {' '.join(dealt)}"
        assert row is None or row.paragraph == PARAGRAPH


@rule("rws-nc-insurance 3.5", "rws-nc-insurance 3.9", "rws-nc-insurance 4.1.2")
def test_insurance_results() -> None:
    """Every offer, followed to every end its round can still have."""
    insurance = load_game(INSURED).insurance
    assert insurance is not None
    for (window, dealt), hand in product(insured_situations(), HANDS):
        row = insurance.offer(window, dealt, hand)
        if row is None:
            continue
        for deal in completions(dealt):
            result, _ = expected_insurance(window, hand, deal)
            found = row.result(Outcome.of(deal))
            assert found == result, f"{window} {hand} {' '.join(deal)}"
            if result != "lose":
                assert row.paragraph_for(found) == (PARAGRAPH if result == "win" else PUSH_PARAGRAPH)

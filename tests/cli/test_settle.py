"""`natural9 settle`: one round, or a round a line; the JSON is a contract."""

import json
from typing import Any

import pytest

from natural9.core.cards import parse_ranks
from natural9.core.money import MAX_CENTS
from natural9.core.settlement import settle_round
from natural9.games import game_ids, load_game
from tests.cli.test_command import answer, complaint, run, text
from tests.core.test_deals import a_deal_for_each_outcome

rule = pytest.mark.rule

RESULT = ["winner", "player", "banker", "player_total", "banker_total", "natural", "player_pair", "banker_pair"]
LINE = ["wager", "stake", "result", "odds", "returned", "net", "paragraph"]
SETTLED = ["result", "lines", "staked", "returned", "net"]
GOOD = {"game": "mbs-nc", "cards": ["9S", "2H", "KD", "5C"], "bets": {"player": 10_000}}


def settle_lines(*lines: object) -> tuple[int, list[Any]]:
    """The exit status and the answers to these lines; text and bytes are sent as they are, the rest as JSON."""
    raw = [
        line if isinstance(line, bytes) else (line if isinstance(line, str) else json.dumps(line)).encode()
        for line in lines
    ]
    done = run("settle", "--jsonl", stdin=b"".join(line + b"\n" for line in raw))
    assert done.stderr == ""
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(lines), "an answer to every line, in order"
    return done.returncode, answers


def test_what_a_line_says_twice_is_not_settled_by_the_last() -> None:
    """A stake would be left out, and nobody would hear of it."""
    head = '{"game":"mbs-nc","cards":["9S","2H","KD","5C"],'
    twice = [
        head + '"bets":{"player":10000,"player":20000}}',
        head + '"bets":{"player":10000},"bets":{}}',
        head + '"bets":{"player":10000},"insurance":[],"bets":{}}',
        head + '"game":"mbs-nc","bets":{"player":10000}}',
        head + '"bets" : {"player":10000, "player" :20000}, "insurance":[]}',
    ]
    status, answers = settle_lines(*twice, GOOD, {**GOOD, "insurance": []}, json.dumps(GOOD).replace(":", " : "))
    assert status == 1
    assert [one["error"]["code"] for one in answers[: len(twice)]] == ["twice"] * len(twice)
    assert answers[0]["error"]["message"] == "'player' is there twice: write it once"
    assert [one["net"] for one in answers[len(twice) :]] == [10_000] * 3


def test_the_keys_of_the_contract() -> None:
    settled = answer("settle", "mbs-tiger-nc", "4S 2H KD 9C 5H 5D", "--bet", "banker=100", "--bet", "tie=5")
    assert list(settled) == SETTLED
    assert list(settled["result"]) == RESULT
    assert [list(line) for line in settled["lines"]] == [LINE, LINE]


def test_a_round_by_hand() -> None:
    settled = answer("settle", "mbs-tiger-nc", "4S 2H KD 9C 5H 5D", "--bet", "player=100", "--bet", "tie=5.50")
    assert settled == {
        "result": {
            "winner": "player",
            "player": ["4S", "KD", "5H"],
            "banker": ["2H", "9C", "5D"],
            "player_total": 9,
            "banker_total": 6,
            "natural": False,
            "player_pair": False,
            "banker_pair": False,
        },
        "lines": [
            {
                "wager": "player",
                "stake": 10_000,
                "result": "win",
                "odds": "1:1",
                "returned": 20_000,
                "net": 10_000,
                "paragraph": "mbs 4.8",
            },
            {
                "wager": "tie",
                "stake": 550,
                "result": "lose",
                "odds": None,
                "returned": 0,
                "net": -550,
                "paragraph": "mbs 1.1.17",
            },
        ],
        "staked": 10_550,
        "returned": 20_000,
        "net": 9_450,
    }


@rule("rws-nc-insurance 3.5", "rws-nc-insurance 4.1.2")
def test_insurance_lines_also_say_their_window() -> None:
    insured = ["--insure", "four-cards:banker=15", "--insure", "third-card:banker=10"]
    settled = answer("settle", "rws-nc-insurance", "TS TH 4D 5C 7H 5S", "--bet", "banker=100", *insured)
    banker, four, third = settled["lines"]
    assert list(banker) == LINE
    assert set(four) == set(third) == {*LINE, "window"}
    assert (four["wager"], four["window"], four["odds"], four["returned"]) == (
        "banker-insurance",
        "four-cards",
        "2:1",
        4500,
    )
    assert (third["wager"], third["window"], third["odds"], third["returned"]) == (
        "banker-insurance",
        "third-card",
        "7:1",
        8000,
    )
    assert settled["net"] == 0


def test_cards_are_shown_in_the_hands_that_they_were_dealt_to() -> None:
    """After four, after the Player's third alone, after the Banker's alone, after both."""
    rounds = {
        "9 2 K 5": (["9", "K"], ["2", "5"]),
        "5 7 T K 4": (["5", "T", "4"], ["7", "K"]),
        "6S,5H,10D,10C,2H": (["6S", "10D"], ["5H", "10C", "2H"]),
        "4 2 K 9 5 5": (["4", "K", "5"], ["2", "9", "5"]),
    }
    lines = [{"game": "mbs-nc", "cards": cards.replace(",", " ").split(), "bets": {}} for cards in rounds]
    code, answers = settle_lines(*lines)
    assert code == 0
    assert [(one["result"]["player"], one["result"]["banker"]) for one in answers] == list(rounds.values())
    assert answer("settle", "mbs-nc", "6S,5H,10D,10C,2H") == answers[2]


@pytest.mark.parametrize(
    ("cards", "shown"),
    [("9S 2H KD 5C", "player wins, Player 9, Banker 7, natural"), ("7 7 T T", "tie, Player 7, Banker 7")],
)
def test_for_people_it_says_who_won_and_what_each_bet_returns(cards: str, shown: str) -> None:
    printed = text("settle", "mbs-nc", cards, "--bet", "player=1,250.50", "--bet", "tie=5")
    assert shown in printed.splitlines()[0]
    player = next(line for line in printed.splitlines() if line.startswith("player "))
    assert "1,250.50" in player
    assert "Rule " in player
    assert printed.splitlines()[-1].startswith("total")


@pytest.mark.parametrize("decks", [4, 10])
def test_a_shoe_of_so_many_decks_could_have_dealt_it(decks: int) -> None:
    assert answer("settle", "mbs-nc", "5S 5S 5S 5S 5H 5H", "--decks", str(decks))["result"]["winner"] == "tie"


@pytest.mark.parametrize(
    "cards",
    [
        "5S 5S 5S 5S 5S 5S",  # six where four decks have four
        "5S 5S 5S 5S 5S 5",  # five, and one whose suit is not known
    ],
)
def test_a_shoe_of_so_many_decks_could_not_have_dealt_it(cards: str) -> None:
    assert "5S is one too many" in complaint("settle", "mbs-nc", cards, "--decks", "4")


def test_every_outcome_of_every_game_in_bulk() -> None:
    """7,011 rounds in one process: the same lines as the core's own, to the cent."""
    rounds = [
        {"game": game_id, "cards": list(deal), "bets": {wager.id: 2000 for wager in load_game(game_id).wagers}}
        for game_id in game_ids()
        for deal in a_deal_for_each_outcome().values()
    ]
    code, answers = settle_lines(*rounds)
    assert code == 0
    for sent, got in zip(rounds, answers, strict=True):
        settled = settle_round(load_game(str(sent["game"])), parse_ranks(sent["cards"]), sent["bets"])  # type: ignore[arg-type]
        assert [tuple(line.values()) for line in got["lines"]] == [
            (line.wager, line.stake_cents, line.result, line.odds, line.returned_cents, line.net_cents, line.paragraph)
            for line in settled.lines
        ]
        assert (got["staked"], got["returned"], got["net"]) == (
            settled.staked_cents,
            settled.returned_cents,
            settled.net_cents,
        )
        assert got["result"]["winner"] == settled.outcome.winner
        assert got["result"]["natural"] is settled.outcome.natural


def test_good_and_bad_lines_mixed() -> None:
    unknown_card = {**GOOD, "cards": ["9S", "2H", "KD", "5X"]}
    code, answers = settle_lines(GOOD, unknown_card, GOOD, "{", GOOD)
    assert code == 1
    assert [list(one) for one in answers] == [SETTLED, ["error", "line"], SETTLED, ["error", "line"], SETTLED]
    assert [one.get("line") for one in answers] == [None, 2, None, 4, None]
    assert answers[0] == answers[2] == answers[4]
    for failed in (answers[1], answers[3]):
        assert list(failed["error"]) == ["code", "message"]
        assert failed["error"]["message"]
    assert (answers[1]["error"]["code"], answers[3]["error"]["code"]) == ("unknown-card", "bad-json")
    assert "'5X'" in answers[1]["error"]["message"]


def test_one_bad_round_among_good_ones_is_enough_to_fail() -> None:
    assert settle_lines(GOOD, {**GOOD, "cards": ["9S", "2H", "KD", "5X"]})[0] == 1


def test_no_line_at_all_is_nothing_to_do() -> None:
    assert settle_lines() == (0, [])


def test_the_last_line_may_go_without_its_newline() -> None:
    done = run("settle", "--jsonl", stdin=json.dumps(GOOD))
    assert done.returncode == 0
    assert done.stdout.count("\n") == 1


def with_bets(**bets: object) -> dict[str, Any]:
    return {**GOOD, "bets": bets}


def insured(window: str, hand: str, stake: object, **changes: object) -> dict[str, Any]:
    taken = [{"window": window, "hand": hand, "stake": stake}]
    cards = ["TS", "TH", "4D", "5C", "7H", "5S"]
    return {"game": "rws-nc-insurance", "cards": cards, "bets": {"banker": 10_000}, "insurance": taken, **changes}


BAD_LINES: list[tuple[str, object]] = [
    # What is not a round in JSON at all.
    ("bad-json", ""),
    ("bad-json", "   "),
    ("bad-json", "{"),
    ("bad-json", "[]"),
    ("bad-json", "null"),
    ("bad-json", '"mbs-nc"'),
    ("bad-json", json.dumps(GOOD) + " more"),
    ("bad-json", json.dumps(GOOD).replace('"', "'")),
    ("bad-json", b"\xff\xfe"),
    ("bad-json", b'{"game": "\xff"}'),
    ("bad-json", '{"game": "\\ud800", "cards": [], "bets": {}}'),
    ("bad-json", {}),
    ("bad-json", {key: value for key, value in GOOD.items() if key != "bets"}),
    ("bad-json", {key: value for key, value in GOOD.items() if key != "cards"}),
    ("bad-json", {key: value for key, value in GOOD.items() if key != "game"}),
    ("bad-json", {**GOOD, "colour": "green"}),
    ("bad-json", {**GOOD, "game": 5}),
    ("bad-json", {**GOOD, "game": None}),
    ("bad-json", {**GOOD, "cards": "9S 2H KD 5C"}),
    ("bad-json", {**GOOD, "cards": [9, 2, "K", 5]}),
    ("bad-json", {**GOOD, "cards": [None]}),
    ("bad-json", {**GOOD, "bets": []}),
    ("bad-stake", with_bets(player="100")),
    ("bad-stake", with_bets(player=100.5)),
    ("bad-stake", with_bets(player=True)),
    ("bad-stake", with_bets(player=None)),
    ("bad-json", {**GOOD, "insurance": {}}),
    ("bad-json", {**GOOD, "insurance": None}),
    ("bad-json", insured("fifth-card", "banker", 100)),
    ("bad-json", insured("four-cards", "tie", 100)),
    ("bad-json", insured("four-cards", "banker", "100")),
    ("bad-json", insured("four-cards", "banker", 100, insurance=[{"window": "four-cards", "hand": "banker"}])),
    (
        "bad-json",
        {**insured("four-cards", "banker", 100), "insurance": [{"window": "four-cards", "hand": "banker", "x": 1}]},
    ),
    # What cannot have been dealt.
    ("unknown-game", {**GOOD, "game": "mbs-ncc"}),
    ("unknown-game", {**GOOD, "game": ""}),
    ("unknown-game", {**GOOD, "game": "../packs/mbs-nc.toml"}),
    ("unknown-card", {**GOOD, "cards": ["9S", "2H", "KD", "1C"]}),
    ("unknown-card", {**GOOD, "cards": ["9S", "2H", "KD", ""]}),
    ("unknown-card", {**GOOD, "cards": ["9S 2H", "KD", "5C"]}),
    ("card-missing", {**GOOD, "cards": []}),
    ("card-missing", {**GOOD, "cards": ["9S", "2H", "KD"]}),
    ("card-missing", {**GOOD, "cards": ["4S", "2H", "KD", "9C", "5H"]}),
    ("card-in-excess", {**GOOD, "cards": ["9S", "2H", "KD", "5C", "AH"]}),
    ("card-in-excess", {**GOOD, "cards": ["4S", "2H", "KD", "9C", "5H", "5D", "AH"]}),
    # What cannot have been bet.
    ("wager-not-offered", with_bets(tiger=100)),
    ("wager-not-offered", {**GOOD, "bets": {"": 100}}),
    ("bad-stake", with_bets(player=0)),
    ("bad-stake", with_bets(player=-100)),
    ("bad-stake", with_bets(player=100, tie=-1)),
    ("stake-too-large", with_bets(player=MAX_CENTS + 1)),
    ("stake-too-large", with_bets(player=10**30)),
    ("fraction-of-a-cent", {**GOOD, "cards": ["5", "6", "T", "T", "T"], "bets": {"banker": 1}}),
    ("insurance-not-offered", {**GOOD, "insurance": [{"window": "four-cards", "hand": "player", "stake": 100}]}),
    ("insurance-not-offered", insured("four-cards", "player", 100)),
    ("insurance-not-offered", insured("third-card", "player", 100)),
    ("insurance-without-bet", insured("four-cards", "banker", 100, bets={"player": 10_000})),
    ("insurance-without-bet", insured("third-card", "banker", 100, bets={})),
    ("insurance-over-cap", insured("four-cards", "banker", 5001)),
    ("insurance-over-cap", insured("third-card", "banker", 1429)),
    ("bad-stake", insured("four-cards", "banker", 0)),
    ("bad-stake", insured("four-cards", "banker", -1)),
    ("stake-too-large", insured("four-cards", "banker", 10**13)),
]


def test_every_kind_of_bad_line_has_its_code_and_number() -> None:
    code, answers = settle_lines(*[line for _, line in BAD_LINES])
    assert code == 1
    for number, ((expected, line), one) in enumerate(zip(BAD_LINES, answers, strict=True), 1):
        assert list(one) == ["error", "line"], (line, one)
        assert (one["error"]["code"], one["line"]) == (expected, number), (line, one)
        assert one["error"]["message"].strip(), line
        assert "\n" not in one["error"]["message"], line


@pytest.mark.parametrize(
    "line",
    [
        '{"game": 5, "cards": [',  # a wrong type, and then the end of the line
        '{"game": 5} more',
        b'{"game": 5, "cards": ["\xff"]}',
        '{"game": 5, "bets": {"player": 1e999}}',
        '{"game":' + "[" * 100_000,
        '{"cards":[],"bets":{},"game":' + "[" * 100_000 + "]" * 100_000 + "}",
    ],
    ids=["cut short", "something after it", "not UTF-8", "number out of range", "deep and cut short", "deep"],
)
def test_a_line_that_is_wrong_in_two_ways_is_still_one_bad_line(line: str | bytes) -> None:
    code, answers = settle_lines(GOOD, line, GOOD)
    assert code == 1
    assert answers[1]["error"]["code"] in {"bad-json", "bad-stake"}
    assert answers[1]["line"] == 2
    assert answers[0] == answers[2], "the lines around it are settled"


def test_a_paragraph_stands_with_the_refusal_that_follows_from_it() -> None:
    _, answers = settle_lines(
        insured("four-cards", "player", 100),
        insured("four-cards", "banker", 100, bets={"player": 10_000}),
        insured("four-cards", "banker", 5001),
    )
    for one, paragraph in zip(answers, ("3.5.1", "4.1.3", "3.5.2"), strict=True):
        assert one["error"]["message"].endswith(f"(Rule {paragraph})")

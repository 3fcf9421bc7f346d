"""A tenth game costs one data file: with a wager of its own it loads, settles, is played, and is on the shelf."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

import natural9
from natural9.core.cards import parse_cards
from natural9.core.completion import Standing, established, standings
from natural9.core.game import Game
from natural9.core.outcome import Winner
from natural9.core.round import Refusal, RoundState, decide, fold
from natural9.core.round import commands as round_commands
from natural9.core.round import events as round_events
from natural9.core.round.state import Phase
from natural9.core.settlement import settle_round
from natural9.games import game_ids, load_pack

ROOT = Path(natural9.__file__).parent.parent
PACK = """\
# A made-up game: no commission at all, but a Banker's three-card 7 only gives the stake back.
id = "panda-seven"
title = "Panda Seven"
document = "mbs"
decks = { min = 6, max = 8, paragraph = "mbs 2.1" }
betting_unit = "0.01"

[[layout]]
id = "electronic"
title = "Panda Seven Layout"
paragraph = "mbs 2.2"

[[wager]]
id = "player"
loses = "mbs 3.9"
pays = [
  { when = { winner = "player" }, odds = "1:1", paragraph = "mbs 4.4" },
  { when = { winner = "tie" }, odds = "push", paragraph = "mbs 3.9.1" },
]

[[wager]]
id = "banker"
loses = "mbs 3.9"
pays = [
  { when = { winner = "banker", banker_total = 7, banker_cards = 3 }, odds = "push", paragraph = "mbs 6.1" },
  { when = { winner = "banker" }, odds = "1:1", paragraph = "mbs 4.4" },
  { when = { winner = "tie" }, odds = "push", paragraph = "mbs 3.9.1" },
]

[[wager]]
id = "tie"
loses = "mbs 1.1.17"
pays = [{ when = { winner = "tie" }, odds = "8:1", paragraph = "mbs 4.4" }]

[[wager]]
id = "panda-eight"
names = { en = "Panda Eight", zh = "熊猫八", pt = "Panda Oito" }
optional = "mbs 6.1"
loses = "mbs 6.1"
pays = [
  { when = { winner = "player", player_total = 8, player_cards = 3 }, odds = "25:1", paragraph = "mbs 6.1" },
]
"""

PANDA = "4S TH KD TC 4H TS"  # Player 4 and 4 is a three-card 8, Banker 0
BANKER_SEVEN = "TS TH KD TC 2H 7S"  # Player 2, Banker a three-card 7
BANKER_STANDING_SEVEN = "6S 7H KD TC"  # Player 6, Banker a two-card 7


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "panda-seven.toml"
    path.write_text(PACK, encoding="utf-8")
    return path


@pytest.fixture
def game(path: Path) -> Game:
    return load_pack(path)


def ranks(cards: str) -> tuple[str, ...]:
    return tuple(card.rank for card in parse_cards(cards))


def run(*arguments: str, cwd: Path = ROOT, stdin: str = "") -> str:
    done = subprocess.run(
        [sys.executable, "-m", "natural9", *arguments],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


def test_it_loads(game: Game) -> None:
    assert (game.id, game.title, game.document.id) == ("panda-seven", "Panda Seven", "mbs")
    assert (game.decks.min, game.decks.max) == (6, 8)
    panda = game.wager("panda-eight")
    assert (panda.title, panda.optional) == ("Panda Eight", True)
    assert panda.names == {"en": "Panda Eight", "zh": "熊猫八", "pt": "Panda Oito"}, "a language more is data"
    assert "optional-before-the-shoe" not in {entry.id for entry in game.interpretations}
    assert "pair-is-rank" in {entry.id for entry in game.interpretations}


@pytest.mark.parametrize(
    ("cards", "lines"),
    [
        (PANDA, {"panda-eight": ("win", 2600), "banker": ("lose", 0), "player": ("win", 200)}),
        (BANKER_SEVEN, {"panda-eight": ("lose", 0), "banker": ("push", 100), "player": ("lose", 0)}),
        (BANKER_STANDING_SEVEN, {"panda-eight": ("lose", 0), "banker": ("win", 200), "player": ("lose", 0)}),
        ("8S TH KD TC", {"panda-eight": ("lose", 0), "player": ("win", 200)}),  # an 8, but on two cards
    ],
)
def test_it_settles(game: Game, cards: str, lines: dict[str, tuple[str, int]]) -> None:
    settled = settle_round(game, ranks(cards), dict.fromkeys(lines, 100))
    assert {line.wager: (line.result, line.returned_cents) for line in settled.lines} == lines


def test_its_outcome_can_be_established(game: Game) -> None:
    """With two nines the Player has a natural and takes no third card: Panda Eight has lost."""
    assert not established(game.wagers, ranks("9S TH"))
    assert standings(game.wagers, ranks("9S TH 9D"))["panda-eight"] is Standing.LOST
    assert established(game.wagers, ranks("9S TH 9D"))
    main = [wager for wager in game.wagers if not wager.optional]
    assert not established(main, ranks("9S TH 9D")), "it was Panda Eight that had"
    assert standings(game.wagers, ranks(BANKER_SEVEN))["banker"] is Standing.PUSHED


def play(
    state: RoundState, commands: Iterable[round_commands.Command]
) -> tuple[RoundState, list[round_events.RoundEvent]]:
    happened: list[round_events.RoundEvent] = []
    for command in commands:
        decision = decide(state, command)
        assert not isinstance(decision, Refusal), f"{command}: {decision}"
        happened += decision
        state = fold(state, decision)
    return state, happened


def deal(cards: str, state: RoundState) -> tuple[RoundState, list[round_events.RoundEvent]]:
    happened: list[round_events.RoundEvent] = []
    for card in parse_cards(cards):
        assert state.due is not None
        state, more = play(state, [round_commands.DealCard(card=card, put_at=state.due)])
        happened += more
    return state, happened


def test_it_is_played_through_a_whole_round(game: Game) -> None:
    betting: list[round_commands.Command] = [
        round_commands.LoadShoe(shoe=1, decks=8),
        round_commands.OpenBetting(round=1, betting_unit_cents=game.betting_unit_cents),
        round_commands.PlaceBet(seat=1, wager="banker", cents=1001),
        round_commands.PlaceBet(seat=1, wager="panda-eight", cents=7),
        round_commands.PlaceBet(seat=2, wager="player", cents=500),
        round_commands.CloseBetting(),
    ]
    state, opening = play(RoundState(game), betting)
    state, dealing = deal(PANDA, state)
    assert state.phase is Phase.COMPLETE
    ending: list[round_commands.Command] = [
        round_commands.DeclareResult(winner=Winner.PLAYER, player_total=8, banker_total=0),
        round_commands.Settle(),
    ]
    after, closing = play(state, ending)
    assert after.phase is Phase.SETTLED
    assert after.seats[1].returned_cents == 26 * 7
    assert after.seats[2].returned_cents == 1000
    settled = [event for event in closing if isinstance(event, round_events.SeatSettled)]
    assert [(line.wager, line.odds, line.paragraph) for line in settled[0].lines] == [
        ("banker", None, "mbs 3.9"),
        ("panda-eight", "25:1", "mbs 6.1"),
    ]
    (total,) = [event for event in closing if isinstance(event, round_events.RoundSettled)]
    assert (total.staked_cents, total.stakes_returned_cents, total.collected_cents, total.winnings_cents) == (
        1508,
        507,
        1001,
        675,
    )
    assert fold(RoundState(game), [*opening, *dealing, *closing]) == after, "replaying the events is recovery"


def test_its_own_wager_can_be_left_out_for_a_shoe(game: Game) -> None:
    state, _ = play(
        RoundState(game),
        [
            round_commands.LoadShoe(shoe=1, decks=6, optional=frozenset()),
            round_commands.OpenBetting(round=1, betting_unit_cents=1),
        ],
    )
    refused = decide(state, round_commands.PlaceBet(seat=1, wager="panda-eight", cents=100))
    assert isinstance(refused, Refusal)
    assert refused.code == "wager-not-offered"


def test_the_command_line_takes_its_path(path: Path) -> None:
    settled = json.loads(run("settle", str(path), PANDA, "--bet", "panda-eight=10", "--bet", "banker=5", "--json"))
    assert [(line["wager"], line["result"], line["returned"]) for line in settled["lines"]] == [
        ("panda-eight", "win", 26_000),
        ("banker", "lose", 0),
    ]
    (shown,) = json.loads(run("games", str(path), "--json"))
    assert [wager["id"] for wager in shown["wagers"]] == ["player", "banker", "tie", "panda-eight"]
    assert "熊猫八" in run("games", str(path))
    answer = json.loads(run("established", str(path), "9S TH 9D", "--json"))
    assert answer["established"] is True
    assert answer["wagers"]["panda-eight"] == "lost"


def test_one_file_puts_it_on_the_shelf(tmp_path: Path) -> None:
    """A copy of the package with one more file in packs/: no line of Python knows of the game."""
    copy = tmp_path / "natural9"
    shutil.copytree(Path(natural9.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "games" / "packs" / "panda-seven.toml").write_text(PACK, encoding="utf-8")
    shelf = json.loads(run("games", "--json", cwd=tmp_path))
    assert sorted(game["id"] for game in shelf) == sorted((*game_ids(), "panda-seven"))
    line = json.dumps({"game": "panda-seven", "cards": PANDA.split(), "bets": {"panda-eight": 100, "banker": 100}})
    settled = json.loads(run("settle", "--jsonl", cwd=tmp_path, stdin=line + "\n"))
    assert (settled["staked"], settled["returned"], settled["net"]) == (200, 2600, 2400)

"""`natural9 play`, mostly as a player meets it: the real command, with lines typed at it."""

import fcntl
import os
import pty
import re
import select
import subprocess
import sys
import termios
from functools import cache
from random import Random

import pytest
from rich.cells import cell_len

from natural9.cli.play_session import PlaySession
from natural9.cli.play_words import (
    PlaceBets,
    Take,
    Word,
    find_wager,
    parse_betting,
    parse_insurance,
    parse_page,
    short_form,
)
from natural9.core.cards import parse_cards
from natural9.core.errors import BadInput
from natural9.core.insurance import Window
from natural9.core.money import parse_cents, show_cents
from natural9.core.round.insuring import insurable
from natural9.core.round.state import Phase
from natural9.core.settlement import settle_round
from natural9.core.table_of_play import Hand, next_hand
from natural9.games import game_ids, load_game
from natural9.games.citations import citation
from tests.starter import LONGEST_S

COMMAND = [sys.executable, "-m", "natural9", "play"]
PLAIN = {**os.environ, "COLUMNS": "80", "TERM": "dumb", "NO_COLOR": "1", "PYTHONUTF8": "1"}
TIGER = ("player", "banker", "tie", "tiger", "small-tiger", "big-tiger", "tiger-tie", "tiger-pair")
PAIRS = ("player", "banker", "tie", "player-pair", "banker-pair")


def typed(*lines: str, args: str = "--seed 9") -> str:
    """What the command prints when these lines are piped in; it must end well and complain to nobody."""
    ran = played(*lines, args=args)
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout


def played(*lines: str, args: str) -> subprocess.CompletedProcess[str]:
    said = "".join(f"{line}\n" for line in lines)
    return subprocess.run(
        [*COMMAND, *args.split()],
        input=said,
        capture_output=True,
        encoding="utf-8",
        env=PLAIN,
        timeout=LONGEST_S,
        check=False,
    )


def session(game: str = "mbs-tiger-nc", *, seed: int = 9, balance: int = 100_000, decks: int = 8) -> PlaySession:
    return PlaySession(load_game(game), decks=decks, balance_cents=balance, chance=Random(seed))


def deal_out(table: PlaySession) -> list[tuple[Window, dict[Hand, int]]]:
    """Close betting and deal to the end, letting every insurance pass; what could have been insured."""
    table.close()
    windows = []
    while table.state.phase is not Phase.COMPLETE:
        if table.state.window:
            table.open_window()
            windows.append((table.state.window, insurable(table.state, 1)))
            table.close_window()
        else:
            table.deal()
    return windows


@cache
def seed_with(*wanted: Window) -> int:
    """A seed whose first round offers insurance, to who backed both hands, in exactly these windows."""
    for seed in range(500):
        table = session("rws-nc-insurance", seed=seed)
        table.open_round()
        table.bet([("banker", 10_000), ("player", 10_000)])
        if tuple(window for window, most in deal_out(table) if most) == wanted:
            return seed
    raise AssertionError(f"no seed has insurance {wanted}")


# What is typed, and what it means.


@pytest.mark.parametrize(
    ("line", "offered", "means"),
    [
        ("", TIGER, Word.DEAL),
        ("  DEAL ", TIGER, Word.DEAL),
        ("banker 100", TIGER, PlaceBets((("banker", 10_000),))),
        ("B 2.50, tie 1,250;p 3", TIGER, PlaceBets((("banker", 250), ("tie", 125_000), ("player", 300)))),
        ("tiger tie 5,", TIGER, PlaceBets((("tiger-tie", 500),))),
        ("super 6 10", ("player", "super-6"), PlaceBets((("super-6", 1000),))),
        ("dragon 5", TIGER, PlaceBets((("dragon", 500),))),  # for the round to refuse
        ("take b", TIGER, Take("banker", None)),
        ("take tiger pair 5", TIGER, Take("tiger-pair", 500)),
        ("undo tie 5", TIGER, Take("tie", 500)),
        ("u", TIGER, Word.UNDO),
        ("c", TIGER, Word.CLEAR),
        ("reb", TIGER, Word.REBET),
        ("?", TIGER, Word.HELP),
        ("q", TIGER, Word.QUIT),
        ("exit", TIGER, Word.QUIT),
    ],
)
def test_a_line_while_betting_is_open(line: str, offered: tuple[str, ...], means: object) -> None:
    assert parse_betting(line, offered) == means


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("t 5", "'t' could be tie or tiger"),
        ("d", "'d' could be deal or double"),
        ("b", "How much on banker?"),
        ("banker 5, tie", "How much on tie?"),
        ("banker 5 tie 5", "Put a comma between two bets"),
        ("100", "On which wager do you put 100?"),
        ("take", "Take back which bet?"),
        ("take 5", "Take back which bet?"),
        ("banker -5", "'-5' is not an amount of money"),
        ("banker 1.005", "not a whole number of cents"),
        ("banker 10x", "'10x' is not an amount of money"),
        ("hello there", "'hello there' is not understood"),
        (",", "',' is not understood"),
        ("x" * 201, "too long"),
    ],
)
def test_a_line_that_cannot_be_meant_is_answered_in_a_sentence(line: str, says: str) -> None:
    with pytest.raises(BadInput, match=re.escape(says)):
        parse_betting(line, TIGER)


def test_an_answer_to_an_offer_of_insurance() -> None:
    answers = [parse_insurance(line) for line in ("", "25", "1,000.50", "MAX", "s", "odds")]
    assert answers == [Word.PASS, 2500, 100_050, Word.MAX, Word.SQUEEZE, Word.ODDS]
    assert [parse_page(line) for line in ("", "b", "quit", "25")] == [None, Word.BETS, Word.QUIT, None]
    with pytest.raises(BadInput, match="is not an answer"):
        parse_insurance("banker 5")


@pytest.mark.parametrize("game", game_ids())
def test_every_wager_has_a_short_form_that_means_it(game: str) -> None:
    offered = [wager.id for wager in load_game(game).wagers]
    for wager in offered:
        assert find_wager(short_form(wager, offered), offered) == wager
    assert [short_form(wager, PAIRS) for wager in PAIRS] == ["p", "b", "t", "pp", "bp"]


# The session: the real round, a purse and a shoe.


def test_stakes_leave_the_balance_at_once_and_changes_can_be_undone() -> None:
    table = session()
    table.open_round()
    table.bet([("banker", 10_000), ("tie", 500)])
    table.bet([("banker", 5000)])
    assert (dict(table.bets), table.balance) == ({"banker": 15_000, "tie": 500}, 84_500)
    table.double()
    table.take("banker", 20_000)
    table.clear()
    assert (dict(table.bets), table.balance) == ({}, 100_000)
    for bets in ({"banker": 10_000, "tie": 1000}, {"banker": 30_000, "tie": 1000}, {"banker": 15_000, "tie": 500}):
        table.undo()
        assert (dict(table.bets), table.balance) == (bets, 100_000 - sum(bets.values()))
    table.undo()
    table.undo()
    assert not table.bets
    with pytest.raises(BadInput, match="nothing to undo"):
        table.undo()


def test_a_refused_line_changes_nothing() -> None:
    table = session(balance=10_000)
    table.open_round()
    table.bet([("banker", 5000)])
    before = (table.state, table.balance)
    for stakes in ([("tie", 100), ("banker", 5000)], [("tie", 100), ("player", 150)], [("tie", 100), ("dragon", 100)]):
        with pytest.raises(BadInput):
            table.bet(stakes)
        assert (table.state, table.balance) == before
    with pytest.raises(BadInput, match=re.escape("51.00 is more than your balance of 50.00")):
        table.bet([("tie", 100), ("banker", 5000)])


def test_the_cut_card_ends_the_shoe_after_its_round() -> None:
    table = session(decks=4)
    cards, shoes = 0, [1]
    while len(shoes) < 3:
        table.open_round()
        if table.state.shoe_number > shoes[-1]:
            assert 4 * 52 - 14 < cards <= 4 * 52 - 14 + 6  # the cut card came in the round before
            assert table.winners == ""
            shoes.append(table.state.shoe_number)
            cards = 0
        deal_out(table)
        cards += len(table.state.cards)
        table.settle()
    assert table.balance == table.brought_cents


def test_leaving_in_the_middle_of_a_round_returns_its_bets() -> None:
    table = session("rws-nc-insurance", seed=seed_with(Window.FOUR_CARDS))
    table.open_round()
    table.bet([("banker", 10_000), ("player", 10_000)])
    table.close()
    while not table.state.window:
        table.deal()
    table.open_window()
    ((hand, most),) = table.insurable.items()
    table.insure(hand, most)
    assert table.leave() == 20_000 + most
    assert (table.state.phase, table.balance) == (Phase.VOID, 100_000)
    assert table.leave() == 0


def test_the_purse_bounds_insurance_too() -> None:
    table = session("rws-nc-insurance", seed=seed_with(Window.FOUR_CARDS), balance=20_250)
    table.open_round()
    table.bet([("banker", 10_000), ("player", 10_000)])
    table.close()
    while not table.state.window:
        table.deal()
    assert list(table.insurable.values()) == [200]


# The command itself.


def test_the_same_seed_and_the_same_lines_repeat_the_session() -> None:
    lines = ["banker 100, tie 5", "", "rebet", "double", "", "odds", "roads", "p 10", "undo", "", "quit"]
    first = typed(*lines, args="mbs-tiger --seed 9")
    assert first == typed(*lines, args="mbs-tiger --seed 9")
    assert first != typed(*lines, args="mbs-tiger --seed 10")
    assert "3 rounds played" in first


def rounds_of(printed: str) -> list[str]:
    return re.split(r"^Round \d+, balance .*$", printed, flags=re.MULTILINE)[1:]


def cards_of(shown: str) -> list[str]:
    """Ranks in dealt order, from the last line of each hand."""
    hands = {}
    for hand in ("Player", "Banker"):
        lines = re.findall(rf"^  {hand}  (.*) total \d$", shown, re.MULTILINE)
        hands[hand.lower()] = [card.rank for card in parse_cards(lines[-1])]
    ranks: list[str] = []
    while due := next_hand(ranks):
        ranks.append(hands[due].pop(0))
    assert not hands["player"]
    assert not hands["banker"]
    return ranks


@pytest.mark.parametrize("name", game_ids())
def test_every_wager_of_every_game_is_settled_as_the_rules_settle_it(name: str) -> None:
    game = load_game(name)
    bets = {wager.id: 100 * (place + 2) for place, wager in enumerate(game.wagers)}
    bet = ", ".join(f"{wager} {show_cents(stake)}" for wager, stake in bets.items())
    # A `pass` that no insurance is offered for is merely not understood.
    printed = typed(*[bet, "deal", "pass", "pass"] * 3, args=f"{name} --seed 5")
    balance = 100_000
    rounds = [shown for shown in rounds_of(printed) if " WINS, " in shown or "TIE, " in shown]
    assert len(rounds) == 3
    for shown in rounds:
        settled = settle_round(game, cards_of(shown), bets)
        for line in settled.lines:
            (row,) = re.findall(rf"^{line.wager}  +\S+  (?:win|lose|push) .*$", shown, re.MULTILINE)
            odds = [line.odds] if line.odds else []
            net = ("+" if line.net_cents > 0 else "") + show_cents(line.net_cents)
            paid = [show_cents(line.stake_cents), line.result, *odds, show_cents(line.returned_cents), net]
            assert row.split()[1 : len(paid) + 1] == paid
            assert row.rstrip().endswith(citation(line.paragraph))
        balance += settled.net_cents
        assert f"\nBalance {show_cents(balance)}.\n" in shown
    assert f"leave with {show_cents(balance)}." in printed.replace("\n", " ")


def test_insurance_is_offered_taken_and_settled() -> None:
    seed = seed_with(Window.FOUR_CARDS, Window.THIRD_CARD)
    bets = ("banker 100, player 100", "")
    printed = typed(*bets, "500", "nonsense", "max", "1", args=f"rws-nc-insurance --seed {seed}")
    assert "would pay more than" in printed
    assert "'nonsense' is not an answer" in printed
    offers = re.findall(r"Stake up to (\S+) at", printed)
    stakes = [offers[0], "1.00"]
    assert re.findall(r"-insurance +(\S+)  (?:win|lose|push)", printed) == stakes
    assert "(four-cards)" in printed
    assert "(third-card)" in printed
    total = re.search(r"^total +(\S+) +(\S+) +(\S+)", printed, re.MULTILINE)
    assert total is not None
    staked, returned, net = (parse_cents(text.lstrip("+-")) for text in total.groups())
    assert staked == 20_000 + parse_cents(offers[0]) + 100
    assert abs(returned - staked) == net
    assert f"leave with {show_cents(100_000 - staked + returned)}." in " ".join(printed.split())


def test_a_squeeze_gives_up_the_second_offer() -> None:
    seed = seed_with(Window.FOUR_CARDS, Window.THIRD_CARD)
    printed = typed("b 100, p 100", "", "squeeze", "squeeze", "", "bets", "", args=f"rws-nc-insurance --seed {seed}")
    assert "The dealer agrees" in printed
    assert "already waived for this round" in printed
    assert printed.count("ENTER opens Banker's third card> ") == 2
    assert printed.count("Insurance on ") == 1
    assert "1 round played" in printed


def test_insurance_that_cannot_be_taken_is_a_note() -> None:
    seed = seed_with(Window.FOUR_CARDS)
    assert "you have nothing to insure." in typed("tie 5", "", args=f"rws-nc-insurance --seed {seed}")
    broke = typed("b 100, p 100", "", args=f"rws-nc-insurance --seed {seed} --balance 200")
    assert "your balance does not reach." in broke
    assert "1 round played" in broke


def test_refusals_are_sentences_and_the_prompt_comes_again() -> None:
    printed = typed(
        *(
            "banker 2000",
            "banker 1.50",
            "banker 0",
            "dragon 5",
            "bankr 5",
            "t 5",
            "what",
            "dubble",
            "take tie",
            "clear",
            "rebet",
            "double",
        ),
        *("undo", "banker 600, tie 500", "\x1b[31m\x00[bold]é", "quit"),
    )
    for sentence in (
        "2,000.00 is more than your balance of 1,000.00",
        "1.50 on Banker is not a whole multiple of the betting unit 1.00",
        "The stake on Banker must be more than nothing, not 0.00",
        "Dragon is not offered at this table: it offers Player, Banker, Tie,",
        "'t' could be tie or tiger: type more of it",
        "There is no wager 'bankr'; did you mean banker?",
        "'what' is not understood: type a bet such as banker 100",
        "'dubble' is not understood; did you mean double?",
        "There is no bet on Tie to take back",
        "Seat 1 has no bet to clear",
        "There is no earlier bet to repeat",
        "There is no bet to double",
        "There is nothing to undo",
        "1,100.00 is more than your balance of 1,000.00 - none of these bets was placed",
        "0 rounds played, nothing won or lost",
    ):
        assert sentence in " ".join(printed.split())
    assert "At stake" not in printed
    assert "\x1b" not in printed


def test_the_end_of_input_leaves_the_table() -> None:
    assert "0 rounds played" in typed()
    printed = typed("banker 100")
    assert "The input has ended" in printed
    assert "your bets of 100.00 are returned" in printed
    assert "came with 1,000.00 and leave with 1,000.00" in " ".join(printed.split())


def test_an_empty_purse_ends_the_game() -> None:
    printed = typed(*["tie 10", ""] * 40, args="--seed 3 --balance 20")
    assert "less than the betting unit of 1.00: game over" in " ".join(printed.split())
    assert "20.00 lost" in printed


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ("--decks 3", "mbs-tiger-nc is played with 4 to 10 decks, not 3"),
        ("--balance 0.50", "a balance of 0.50 is out of range"),
        ("--balance lots", "'lots' is not an amount of money"),
        ("--pace nan", "a pace of nan seconds is out of range: give 0 to 60"),
        ("nosuch", "there is no game 'nosuch'"),
    ],
)
def test_bad_options_are_one_line_and_exit_2(args: str, says: str) -> None:
    ran = played(args=args)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert says in ran.stderr
    assert ran.stderr.count("\n") == 1


def test_80_columns_without_colour() -> None:
    lines = ["help", "odds", "bets", "player 100, banker 99, tie 98, pp 97, bp 96", "", "5", "5", "", "", "", "roads"]
    seed = seed_with(Window.FOUR_CARDS, Window.THIRD_CARD)
    for game in ("rws-nc-insurance", "rws-nc-super-six-plus", "mbs-fortune-six-nc"):
        printed = typed(*lines * 3, "z" * 300, args=f"{game} --seed {seed} --balance 2,000,000")
        assert "\x1b" not in printed
        assert [line for line in printed.splitlines() if cell_len(line) > 80] == []


def test_ctrl_c_at_a_prompt_and_while_dealing_leaves_cleanly() -> None:
    at_prompt = interrupted([(b"bet> ", b"banker 100\r"), (b"bet> ", b"\x03")])
    dealing = interrupted([(b"bet> ", b"banker 100\r"), (b"bet> ", b"\r"), (b"total", b"\x03")])
    for printed in (at_prompt, dealing):
        assert "Interrupted: you leave the table." in printed
        assert "Traceback" not in printed
        assert "Round 1 was not finished: your bets of 100.00 are returned." in printed


def interrupted(script: list[tuple[bytes, bytes]]) -> str:
    """What a terminal shows: each answer is typed once what it waits for has been printed."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, "--seed", "9", "--pace", "5"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=PLAIN,
        start_new_session=True,
        # Ctrl-C reaches only the terminal that a process calls its own.
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )
    os.close(theirs)
    printed, seen = b"", 0
    try:
        while more := read(ours, all_typed=not script):
            printed += more
            if script and (at := printed.find(script[0][0], seen)) >= 0:
                seen = at + len(script[0][0])
                os.write(ours, script.pop(0)[1])
        assert process.wait(timeout=5) == 0
    finally:
        process.kill()
        process.wait()
        os.close(ours)
    return printed.decode().replace("\r\n", "\n")


def read(terminal: int, *, all_typed: bool) -> bytes:
    """What is printed next; nothing at the end, or if it stays silent."""
    if all_typed and not select.select([terminal], [], [], 15)[0]:
        # CPython overlooks a Ctrl-C that comes between readline's prompt and its wait for a key: press it again. Not
        # sooner: on a slow machine a second one could meet a program that is still at leaving.
        os.write(terminal, b"\x03")
    if not select.select([terminal], [], [], 20)[0]:
        return b""
    try:
        return os.read(terminal, 4096)
    except OSError:  # Linux says so when the other end is closed
        return b""

"""`natural9 verify-shoe`: what a player can check once a shoe is revealed."""

import hashlib
import json
from pathlib import Path
from random import Random
from typing import Any

from natural9.core.cards import show_cards
from natural9.table.shoes.mixing import mix_message, mixed_order, nonce_commitment
from natural9.table.shoes.shuffler import Shuffled, shuffle
from tests.cli.test_command import answer, complaint, complaint_of, run, text

SHOE = Shuffled(4, bytes(range(32)), tuple(shuffle(4, Random(3).randrange)))
REVEAL: dict[str, Any] = {
    "table": "nc-1",
    "shoe": 7,
    "decks": 4,
    "commitment": SHOE.commitment,
    "salt": SHOE.salt.hex(),
    "order": show_cards(SHOE.order),
    "dealt": show_cards(SHOE.order[:190]),
}


def revealed(folder: Path, **changes: object) -> str:
    path = folder / "shoe.json"
    path.write_text(json.dumps({**REVEAL, **changes}), encoding="utf-8")
    return str(path)


def test_an_honest_shoe(tmp_path: Path) -> None:
    shown = text("verify-shoe", revealed(tmp_path))
    assert "Table nc-1, shoe 7, 4 decks: it holds" in shown
    assert "the order holds the 208 cards of 4 decks" in shown
    assert f"is {SHOE.commitment}, as promised" in shown
    assert "the 190 cards that were dealt are the first 190 of the order" in shown


def test_a_shoe_whose_first_cards_were_burnt(tmp_path: Path) -> None:
    seen = REVEAL["dealt"].split()
    burnt = [seen[0], "-", "-", *seen[3:]]
    shown = text("verify-shoe", revealed(tmp_path, dealt=" ".join(burnt)))
    assert "the 190 cards that were dealt are the first 190 of the order, of which 2 were burnt face down" in shown


NONCE = f"{7:064x} 我的 words"
MIX: dict[str, Any] = {
    "rule": "natural9 mix 1",
    "checkpoint": "7 cm9vdA==",
    "seats": [
        {"seat": 7, "commitment": nonce_commitment(table="nc-1", shoe=7, seat=7, nonce=NONCE), "nonce": NONCE},
        {"seat": 9, "commitment": "ab" * 32, "nonce": None},
    ],
}
MIXED = mixed_order(SHOE.order, mix_message(SHOE.commitment, "7 cm9vdA==", {7: NONCE}))


def test_a_shoe_that_its_seats_have_mixed(tmp_path: Path) -> None:
    shown = text("verify-shoe", revealed(tmp_path, mix=MIX, dealt=show_cards(MIXED[:190])))
    assert "it holds" in shown
    assert "mix: 1 seats revealed what they had committed to, 1 were left out" in shown
    assert "the 190 cards that were dealt are the first 190 of the order" in shown


def test_a_mix_that_does_not_hold(tmp_path: Path) -> None:
    lucky, absent = MIX["seats"]
    dealt = show_cards(MIXED[:190])
    for mix, wrong in (
        ({**MIX, "seats": [{**lucky, "nonce": "ab" * 32}, absent]}, ["mix", "dealt"]),
        ({**MIX, "seats": [absent, lucky]}, ["mix"]),
        ({**MIX, "seats": [lucky, lucky]}, ["mix"]),
        ({**MIX, "seats": [{**lucky, "nonce": None}, absent]}, ["dealt"]),
        ({**MIX, "rule": "natural9 mix 2"}, ["mix"]),
        ({**MIX, "checkpoint": ""}, ["dealt"]),
        (None, ["dealt"]),
    ):
        done = run("verify-shoe", revealed(tmp_path, mix=mix, dealt=dealt), "--json")
        assert done.returncode == 1
        assert [check["what"] for check in json.loads(done.stdout)["checks"] if not check["holds"]] == wrong, mix


def test_for_programs(tmp_path: Path) -> None:
    found = answer("verify-shoe", revealed(tmp_path))
    assert (found["table"], found["shoe"], found["holds"]) == ("nc-1", 7, True)
    assert [(check["what"], check["holds"]) for check in found["checks"]] == [
        ("cards", True),
        ("commitment", True),
        ("dealt", True),
    ]


def test_from_stdin_and_without_dealt_cards() -> None:
    done = run("verify-shoe", "-", stdin=json.dumps({**REVEAL, "dealt": None}))
    assert (done.returncode, done.stderr) == (0, "")
    assert "not checked, because the file has no dealt cards" in done.stdout


def test_the_text_to_be_hashed(tmp_path: Path) -> None:
    printed = text("verify-shoe", revealed(tmp_path), "--text")
    assert hashlib.sha256(printed.encode()).hexdigest() == SHOE.commitment


def test_a_shoe_that_was_dealt_otherwise(tmp_path: Path) -> None:
    dealt = [*SHOE.order[:20]]
    dealt[8], dealt[9] = dealt[9], dealt[8]
    done = run("verify-shoe", revealed(tmp_path, dealt=show_cards(dealt)))
    assert (done.returncode, done.stderr) == (1, "")
    assert "NOT so" in done.stdout
    assert f"card 9 was dealt as {dealt[8]}, and the order has {SHOE.order[8]} there" in done.stdout


def test_a_shoe_that_was_not_the_one_promised(tmp_path: Path) -> None:
    done = run("verify-shoe", revealed(tmp_path, salt="00" * 32), "--json")
    assert done.returncode == 1
    assert [check["what"] for check in json.loads(done.stdout)["checks"] if not check["holds"]] == ["commitment"]
    done = run("verify-shoe", revealed(tmp_path, decks=5))
    assert done.returncode == 1
    assert "5 decks hold AC 5 times, and the order has it 4 times (208 cards, not 260)" in done.stdout


BAD: list[tuple[dict[str, object], str]] = [
    ({"order": "9H 1X"}, "'1X' is not a card"),
    ({"dealt": "9"}, "has no suit"),
    ({"salt": "00"}, "the salt '00' is not 64 hexadecimal digits"),
    ({"salt": "zz" * 32}, "is not 64 hexadecimal digits"),
    ({"commitment": "promised"}, "the commitment 'promised' is not 64"),
    ({"decks": 0}, "1 to 1000 decks, not 0"),
    ({"decks": "four"}, "Expected `int`, got `str` - at `$.decks`"),
    ({"order": None}, "Expected `str`, got `null` - at `$.order`"),
]


def test_bad_input(tmp_path: Path) -> None:
    commands = []
    for number, (changes, _) in enumerate(BAD):
        (tmp_path / str(number)).mkdir()
        commands.append(("verify-shoe", revealed(tmp_path / str(number), **changes)))
    for (_, says), done in zip(BAD, [run(*arguments) for arguments in commands], strict=True):
        assert says in complaint_of(done)


def test_what_is_no_file_or_no_json(tmp_path: Path) -> None:
    assert "No such file" in complaint("verify-shoe", str(tmp_path / "none.json"))
    assert "stdin is not a revealed shoe" in complaint("verify-shoe", "-", stdin="9H KD")
    assert "Is a directory" in complaint("verify-shoe", str(tmp_path))

"""The verifier's own rules and signatures, against others': our settlement, RFC 6962, Go's note, `cryptography`."""

import ast
import base64
import io
import json
import os
from pathlib import Path
from random import Random

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from natural9.cli.settle_lines import settle_jsonl
from natural9.proof import merkle
from verifier import natural9_verify as outside

SOURCE = Path(outside.__file__)
RFC_6962_LEAVES = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
RFC_6962_ROOT = "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"


def test_it_uses_nothing_of_ours() -> None:
    imported = {
        name
        for node in ast.walk(ast.parse(SOURCE.read_text()))
        for name in ([one.name for one in node.names] if isinstance(node, ast.Import) else
                     [node.module or ""] if isinstance(node, ast.ImportFrom) else [])
    }  # fmt: skip
    assert imported
    assert not any(name.startswith("natural9") for name in imported)


@pytest.mark.parametrize("game", outside.GAMES)
def test_every_wager_pays_as_our_settlement_says(game: str) -> None:
    chance, rounds = Random(game), list[tuple[str, list[dict[str, object]]]]()
    bets = dict.fromkeys(outside.GAMES[game], 2_000) | {"player": 10**6, "banker": 10**6}
    for _ in range(1_000):
        cards = ""
        while outside.next_hand(cards):
            cards += chance.choice("A23456789TJQK" if chance.random() < 0.5 else "A69T")
        offered: list[dict[str, object]] = [
            {"window": window, "hand": hand, "stake": 2_000}
            for window in ("four-cards", "third-card")
            for hand in ("player", "banker")
            if game == "rws-nc-insurance" and outside.insurance_odds(window, f"{hand}-insurance", cards)
        ]
        rounds.append((cards, offered))
    asked = [{"game": game, "cards": list(cards), "bets": bets, "insurance": insured} for cards, insured in rounds]
    answers = io.BytesIO()
    assert settle_jsonl([json.dumps(one).encode() for one in asked], answers) == 0
    for (cards, insured), answer in zip(rounds, answers.getvalue().splitlines(), strict=True):
        said = [(line["wager"], line["result"], line["returned"]) for line in json.loads(answer)["lines"]]
        should = [(wager, stake, outside.pays(game, wager, "", cards)) for wager, stake in bets.items()]
        for one in insured:
            wager = f"{one['hand']}-insurance"
            should.append((wager, 2_000, outside.pays(game, wager, str(one["window"]), cards)))
        words = {None: "lose", "push": "push"}
        assert said == [(wager, words.get(odds, "win"), stake * outside.part(odds)) for wager, stake, odds in should]


def test_what_three_cards_establish() -> None:
    tiger = tuple(outside.GAMES["mbs-tiger"])
    assert outside.established("rws-nc", ("player", "banker", "tie", "player-pair"), "A23")
    assert not outside.established("mbs-tiger", ("player", "banker", "tie"), "A23")
    assert outside.established("mbs-tiger", tiger, "424")  # the Player has 8: a Banker 6 cannot win any more
    assert not outside.established("mbs-tiger", tiger, "A2")


def test_the_tree_of_rfc_6962_and_its_proofs() -> None:
    leaves = [bytes.fromhex(leaf) for leaf in RFC_6962_LEAVES]
    tree = outside.Tree()
    assert tree.root() == merkle.EMPTY_ROOT
    for leaf in leaves:
        tree.append(leaf)
    assert tree.root().hex() == RFC_6962_ROOT
    hashed = merkle.leaf_hashes(leaves)
    for size in range(1, 9):
        for index in range(size):
            path = [merkle.root_of(hashed[start:end]) for start, end in merkle.inclusion_ranges(index, size)]
            assert outside.root_by_proof(leaves[index], index, size, path) == merkle.root_of(hashed[:size])
            with pytest.raises(outside.Wrong, match="too long"):
                outside.root_by_proof(leaves[index], index, size, [*path, bytes(32)])


def test_ed25519_without_any_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outside, "library", None)
    for length in range(0, 60, 7):
        key, message = Ed25519PrivateKey.generate(), os.urandom(length)
        public, signature = key.public_key().public_bytes_raw(), key.sign(message)
        assert outside.ed25519(public, message, signature)
        assert not outside.ed25519(public, message + b"!", signature)
        assert not outside.ed25519(public, message, bytes([signature[0] ^ 1]) + signature[1:])


def test_the_note_that_go_publishes() -> None:
    key = outside.parse_vkey("PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW")
    text = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
    blob = "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM="
    note = outside.Note(text, "", 0, b"", [("PeterNeumann", base64.b64decode(blob))])
    assert note.signed_by(key)
    with pytest.raises(outside.Wrong, match="does not hold"):
        note._replace(text=text.replace("answer", "question")).signed_by(key)

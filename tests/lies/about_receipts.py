"""Lies about what is handed to a player. The journal itself is the true one, unless it says otherwise."""

import base64

from natural9.proof.checkpoint import TreeHead, sign_checkpoint
from natural9.proof.merkle import leaf_hash, node_hash
from natural9.proof.signed_note import SignedNote, to_base64
from tests.lies.house import FIRST_KEY, ORIGIN, SECOND_KEY, THIEFS_KEY
from tests.lies.lie import Lie, say
from tests.lies.shown import Line, Shown, link_of


def _receipt(shown: Shown) -> Line:
    """Of the bet of seat 1 at table 2."""
    return shown.receipts[2]


def _entry_altered(shown: Shown) -> None:
    """A smaller stake than was laid."""
    say(_receipt(shown)["entry"], cents=1_000)


def _entry_and_hash(shown: Shown) -> None:
    """The same, with a hash that fits."""
    entry = _receipt(shown)["entry"]
    say(entry, cents=1_000)
    entry["hash"] = link_of(bytes.fromhex(entry["previous_hash"]), entry).hex()


def _proof_altered(shown: Shown) -> None:
    receipt = _receipt(shown)
    lines = receipt["proof"].split("\n")
    lines[2] = to_base64(b"p" * 32)
    receipt["proof"] = "\n".join(lines)


def _other_index(shown: Shown) -> None:
    receipt = _receipt(shown)
    index = receipt["entry"]["seq"] - 1
    receipt["proof"] = receipt["proof"].replace(f"index {index}\n", f"index {index - 1}\n")


def _other_checkpoint(shown: Shown) -> None:
    """A good checkpoint, of another moment."""
    receipt = _receipt(shown)
    proof = receipt["proof"].partition("\n\n")[0]
    receipt["proof"] = f"{proof}\n\n{shown.notes[-1]}"


def _by_a_thief(shown: Shown) -> None:
    """Signed with a key that the receipt itself brings along."""
    receipt = _receipt(shown)
    proof, _, note = receipt["proof"].partition("\n\n")
    head = TreeHead.parse(SignedNote.parse(note).text)
    receipt["proof"] = f"{proof}\n\n{sign_checkpoint(head, THIEFS_KEY)}"
    receipt["key"] = str(THIEFS_KEY.verifier)


def _not_there(shown: Shown) -> None:
    """A bet that was never written, in a tree of its own that the house has signed: the receipt itself is faultless."""
    receipt = _receipt(shown)
    entry = receipt["entry"]
    say(entry, cents=1_000)
    hashed = link_of(bytes.fromhex(entry["previous_hash"]), entry)
    entry["hash"], entry["seq"] = hashed.hex(), 2
    left = leaf_hash(bytes.fromhex(shown.entries[0]["hash"]))
    root = node_hash(left, leaf_hash(hashed))
    note = sign_checkpoint(TreeHead(ORIGIN, 2, root), FIRST_KEY)
    receipt["proof"] = f"c2sp.org/tlog-proof@v1\nindex 1\n{base64.b64encode(left).decode()}\n\n{note}"


def _never_written(shown: Shown) -> None:
    """A receipt in which the bet stands, and a journal in which it does not."""
    receipt = _receipt(shown)
    note = SignedNote.parse(receipt["proof"].partition("\n\n")[2])
    size = TreeHead.parse(note.text).size
    receipt["proof"] = receipt["proof"].replace(
        str(note), str(sign_checkpoint(TreeHead(ORIGIN, size, b"n" * 32), SECOND_KEY))
    )


LIES = (
    Lie("a receipt with another amount", _entry_altered, anew=False),
    Lie("a receipt with another amount and a hash to fit", _entry_and_hash, anew=False),
    Lie("a receipt with a hash of its proof altered", _proof_altered, anew=False),
    Lie("a receipt of another place in the journal", _other_index, anew=False),
    Lie("a receipt with the checkpoint of another moment", _other_checkpoint, anew=False),
    Lie("a receipt with a root that its proof does not lead to", _never_written, anew=False),
    Lie("a receipt signed with a stranger's key", _by_a_thief, anew=False),
    Lie("a receipt for an entry that is not there, signed by the house", _not_there, anew=False),
)

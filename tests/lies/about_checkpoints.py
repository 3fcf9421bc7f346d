"""Lies about checkpoints, the keys that sign them, and the witness's word under them."""

import base64

from natural9.proof.checkpoint import TreeHead
from natural9.proof.cosignature import cosign
from natural9.proof.key_succession import new_house_key
from natural9.proof.signed_note import COSIGNATURE, SignedNote, SigningKey
from tests.lies.house import FIRST_KEY, SECOND_KEY, THIEFS_KEY, WITNESS_KEY, key_record
from tests.lies.lie import Lie, leave_out, say, the
from tests.lies.shown import KEY_SET, Line, Shown, signed

FORGER = SigningKey(WITNESS_KEY.name, COSIGNATURE, b"f" * 32)


def _notes(shown: Shown) -> list[Line]:
    return [line for line in shown.lines if "checkpoint" in line]


def _last(shown: Shown) -> tuple[Line, TreeHead]:
    line = _notes(shown)[-1]
    return line, TreeHead.parse(SignedNote.parse(line["checkpoint"]).text)


def _newest_withheld(shown: Shown) -> None:
    leave_out(shown, _notes(shown)[-1])


def _none(shown: Shown) -> None:
    leave_out(shown, *_notes(shown))


def _other_size(shown: Shown) -> None:
    """More entries than there are: room for what comes later."""
    line, head = _last(shown)
    line["checkpoint"] = signed([], SECOND_KEY, size=head.size + 3, root=head.root)


def _other_root(shown: Shown) -> None:
    line, head = _last(shown)
    line["checkpoint"] = signed([], SECOND_KEY, size=head.size, root=b"r" * 32)


def _by_a_thief(shown: Shown) -> None:
    line, head = _last(shown)
    line["checkpoint"] = signed([], THIEFS_KEY, size=head.size, root=head.root)


def _by_the_old_key(shown: Shown) -> None:
    line, head = _last(shown)
    line["checkpoint"] = signed([], FIRST_KEY, size=head.size, root=head.root)


def _signature_broken(shown: Shown) -> None:
    line, _ = _last(shown)
    note = SignedNote.parse(line["checkpoint"])
    mine = note.signatures[0]
    line["checkpoint"] = str(note._replace(signatures=(mine._replace(signature=bytes(64)), *note.signatures[1:])))


def _other_origin(shown: Shown) -> None:
    line, head = _last(shown)
    other = SigningKey("other.natural9/0badcafe", SECOND_KEY.kind, SECOND_KEY.secret)
    line["checkpoint"] = signed([], other, size=head.size, root=head.root, origin=other.name)


def _new_key(shown: Shown, vouched: str) -> None:
    """A thief sets a key of their own, and signs all that follows."""
    line = the(shown, KEY_SET, 1)
    made = key_record(new_house_key(THIEFS_KEY))
    say(line, **{**made, "signature_before": vouched})


def _signed_by_the_thief(shown: Shown) -> None:
    place = the(shown, KEY_SET, 1)["seq"]
    for line in _notes(shown):
        head = TreeHead.parse(SignedNote.parse(line["checkpoint"]).text)
        if head.size >= place:
            line["checkpoint"] = signed([], THIEFS_KEY, size=head.size, root=head.root)


def _key_without_a_word(shown: Shown) -> None:
    _new_key(shown, "")


def _key_with_a_false_word(shown: Shown) -> None:
    _new_key(shown, base64.b64encode(bytes(64)).decode())


def _key_nobody_holds(shown: Shown) -> None:
    say(the(shown, KEY_SET, 1), signature=base64.b64encode(bytes(64)).decode())


def _key_of_another_origin(shown: Shown) -> None:
    say(the(shown, KEY_SET, 1), origin="other.natural9/0badcafe")


def _key_never_set(shown: Shown) -> None:
    leave_out(shown, the(shown, KEY_SET, 1))


def _by_an_unnamed_key(shown: Shown) -> None:
    for line in _notes(shown)[-3:]:
        head = TreeHead.parse(SignedNote.parse(line["checkpoint"]).text)
        line["checkpoint"] = signed([], SECOND_KEY, size=head.size, root=head.root)


def _first_key_replaced(shown: Shown) -> None:
    """The whole journal under another first key, as though that had always been the house's."""
    first, second = the(shown, KEY_SET), the(shown, KEY_SET, 1)
    say(first, **key_record(new_house_key(THIEFS_KEY)))
    leave_out(shown, second)
    shown.head["keys"] = [str(THIEFS_KEY.verifier)]


def _all_by_the_thief(shown: Shown) -> None:
    for line in _notes(shown):
        head = TreeHead.parse(SignedNote.parse(line["checkpoint"]).text)
        line["checkpoint"] = signed([], THIEFS_KEY, size=head.size, root=head.root)


def _cosigned(shown: Shown, key: SigningKey, text: str = "") -> None:
    line, _ = _last(shown)
    note = SignedNote.parse(line["checkpoint"])
    forged = cosign(text or note.text, key, 1_800_000_000)._replace(key_id=WITNESS_KEY.verifier.key_id)
    line["checkpoint"] = str(note.with_signatures([forged]))


def _cosignature_forged(shown: Shown) -> None:
    _cosigned(shown, FORGER)


def _cosignature_copied(shown: Shown) -> None:
    """The witness's line from another checkpoint."""
    line, _ = _last(shown)
    others = [SignedNote.parse(one["checkpoint"]) for one in _notes(shown)[:-1]]
    text = "\n".join(["marina.natural9/0badcafe", "27", base64.b64encode(b"x" * 32).decode(), ""])
    copied = [one for note in others for one in note.signatures if one.name == WITNESS_KEY.name]
    copied = copied or [cosign(text, WITNESS_KEY, 1_800_000_000)]
    line["checkpoint"] = str(SignedNote.parse(line["checkpoint"]).with_signatures(copied[-1:]))


def _cosigned_earlier(shown: Shown) -> None:
    """The time that the witness has signed with it is another one."""
    line, _ = _last(shown)
    note = SignedNote.parse(line["checkpoint"])
    mine = cosign(note.text, WITNESS_KEY, 1_800_000_000)
    backdated = mine._replace(signature=(1_700_000_000).to_bytes(8) + mine.signature[8:])
    line["checkpoint"] = str(note.with_signatures([backdated]))


def _history_harmlessly_other(shown: Shown) -> None:
    """Nothing but a word differs; every rule is kept."""
    line = the(shown, "bet-ruled")
    line["body"] = line["body"].replace("he was misled", "he was confused")


def _rolled_back(shown: Shown) -> None:
    """To the second checkpoint of all, with everything after it forgotten."""
    place = next(at for at, line in enumerate(shown.lines) if line is _notes(shown)[1])
    del shown.lines[place + 1 :]


LIES = (
    Lie("the newest checkpoint is withheld, and an older one shown", _newest_withheld),
    Lie("no checkpoint is shown at all", _none),
    Lie("a checkpoint of more entries than there are", _other_size, anew=False),
    Lie("a checkpoint of another root", _other_root, anew=False),
    Lie("a checkpoint signed with a stranger's key", _by_a_thief, anew=False),
    Lie("a checkpoint signed with the old key after a new one was set", _by_the_old_key, anew=False),
    Lie("a checkpoint whose signature is wrong", _signature_broken, anew=False),
    Lie("a checkpoint of another origin", _other_origin, anew=False),
    Lie("a key is replaced without the old key's word", _key_without_a_word, then=_signed_by_the_thief, careless=False),
    Lie(
        "a key is replaced with a forged word of the old one",
        _key_with_a_false_word,
        then=_signed_by_the_thief,
        careless=False,
    ),
    Lie("a key that nobody has shown to hold", _key_nobody_holds),
    Lie("a key of another origin", _key_of_another_origin),
    Lie("a key that the journal does not name", _key_never_set, then=_by_an_unnamed_key),
    Lie(
        "the first key of all is replaced, and everything signed with it",
        _first_key_replaced,
        then=_all_by_the_thief,
        careless=False,
    ),
    Lie("a cosignature is forged", _cosignature_forged, anew=False),
    Lie("a cosignature is copied from another checkpoint", _cosignature_copied, anew=False),
    Lie("a cosignature has another time", _cosigned_earlier, anew=False),
    Lie(
        "a forged cosignature under a history made anew",
        _history_harmlessly_other,
        then=_cosignature_forged,
        careless=False,
    ),
    Lie(
        "a copied cosignature under a history made anew",
        _history_harmlessly_other,
        then=_cosignature_copied,
        careless=False,
    ),
    Lie("back to an earlier checkpoint, and all after it forgotten", _rolled_back),
    Lie("two histories: one for the witness, a second for everybody else", _history_harmlessly_other, careless=False),
)

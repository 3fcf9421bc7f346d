"""One key after another: whoever knows one knows all that follow, until one is lost."""

import pytest

from natural9.proof.key_succession import HouseKey, check_succession, new_house_key, vouched_for
from natural9.proof.signed_note import COSIGNATURE, ED25519, BadNote, SigningKey

ORIGIN = "marina.natural9/0badcafe"
FIRST, SECOND, THIRD, STRANGER = (SigningKey(ORIGIN, ED25519, bytes([one]) * 32) for one in b"123x")
KEYS = [new_house_key(FIRST), new_house_key(SECOND, FIRST), new_house_key(THIRD, SECOND)]


def test_each_key_is_signed_by_itself_and_by_the_one_before() -> None:
    check_succession(ORIGIN, KEYS)
    assert vouched_for(FIRST.verifier, KEYS) == [FIRST.verifier, SECOND.verifier, THIRD.verifier]
    assert vouched_for(SECOND.verifier, KEYS) == [SECOND.verifier, THIRD.verifier]
    assert vouched_for(STRANGER.verifier, KEYS) == []


def test_a_key_that_somebody_slipped_in_is_named() -> None:
    slipped = new_house_key(STRANGER, STRANGER)
    with pytest.raises(BadNote, match=f"{STRANGER.verifier.key_id.hex()}.*not signed by the key before it"):
        check_succession(ORIGIN, [KEYS[0], slipped])
    with pytest.raises(BadNote, match="not signed by the key before it"):
        check_succession(ORIGIN, [KEYS[1]])
    with pytest.raises(BadNote, match="not signed by itself"):
        check_succession(ORIGIN, [HouseKey(STRANGER.verifier, KEYS[0].signature)])
    with pytest.raises(BadNote, match="not base64"):
        check_succession(ORIGIN, [HouseKey(STRANGER.verifier, "?")])


def test_a_key_of_another_house_or_for_another_purpose_is_refused() -> None:
    with pytest.raises(BadNote, match="not one that signs checkpoints of other"):
        check_succession("other", KEYS)
    with pytest.raises(BadNote, match="not one that signs checkpoints"):
        check_succession(ORIGIN, [new_house_key(SigningKey(ORIGIN, COSIGNATURE, b"1" * 32))])


def test_nobody_vouches_for_the_key_after_a_lost_one() -> None:
    keys = [*KEYS, new_house_key(STRANGER)]
    check_succession(ORIGIN, keys)
    assert STRANGER.verifier not in vouched_for(FIRST.verifier, keys)
    assert vouched_for(STRANGER.verifier, keys) == [STRANGER.verifier]

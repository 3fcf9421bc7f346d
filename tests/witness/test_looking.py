"""A witness and a real house over HTTP: it cosigns one history, and never a second."""

import asyncio
import json
import resource
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from natural9.proof.checkpoint import TreeHead
from natural9.proof.cosignature import cosigned_by
from natural9.proof.signed_note import COSIGNATURE, SignedNote, SigningKey, VerifierKey
from natural9.witness.house import LONGEST_ANSWER, HouseSeen
from natural9.witness.looking import Witness
from natural9.witness.memory import Memory
from natural9.witness.trouble import HouseTrouble, StrangeKey, TwoHistories, WitnessFailed
from tests.proof.trees import leaves
from tests.witness.hand_made_house import HandMadeHouse, open_house

KEY = SigningKey("regulator.example/w1", COSIGNATURE, b"w" * 32)


@pytest.fixture
def house() -> Iterator[HandMadeHouse]:
    with open_house(HandMadeHouse()) as house:
        yield house


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "witness.jsonl"


async def look(
    house: HandMadeHouse,
    file: Path,
    *,
    now_s: int = 1000,
    trusted: tuple[VerifierKey, ...] = (),
    patience_s: float = 20,
) -> str:
    """By a witness that was just started and is ended again, so that all it knows is in its file."""
    memory = Memory(file, KEY.verifier, is_new=not file.exists())
    try:
        async with HouseSeen(house.url, patience_s=patience_s) as seen:
            return await Witness(memory, KEY, trusted).look(seen, now_s)
    finally:
        memory.close()


def remembered(file: Path) -> TreeHead | None:
    memory = Memory(file, KEY.verifier, is_new=False)
    memory.close()
    return memory.of(HandMadeHouse().origin).head


async def test_what_a_house_shows_first_is_cosigned(house: HandMadeHouse, file: Path) -> None:
    assert await look(house, file) == f"{house.origin}: cosigned 5 entries, root {remembered(file).root.hex()[:16]}"  # type: ignore[union-attr]
    assert [(one.key, one.at_s) for one in cosigned_by(house.note(), [KEY.verifier])] == [(KEY.verifier, 1000)]


async def test_what_is_seen_is_on_the_disk_before_it_is_cosigned(
    house: HandMadeHouse, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("natural9.disk.calls.os.fsync", full)
    with pytest.raises(WitnessFailed, match="nothing is cosigned"):
        await look(house, file)
    assert house.taken == []


async def test_a_history_that_goes_on_is_cosigned_each_time(house: HandMadeHouse, file: Path) -> None:
    for size in (5, 6, 6, 13, 64, 65):
        house.tree = leaves(size)
        await look(house, file)
        assert cosigned_by(house.note(), [KEY.verifier])
    assert len(house.taken) == 5, "what it has cosigned already is not cosigned again"


async def test_a_witness_that_was_not_heard_cosigns_the_same_again(house: HandMadeHouse, file: Path) -> None:
    house.answers["/api/checkpoint/5/cosignatures"] = lambda: (403, b'{"message":"nobody knows you"}')
    with pytest.raises(HouseTrouble, match="does not take it: it answers 403: nobody knows you"):
        await look(house, file)
    house.answers.clear()
    await look(house, file, now_s=500)  # its clock was set back
    assert [one.at_s for one in cosigned_by(house.note(), [KEY.verifier])] == [1000]


async def test_two_histories_of_one_length_raise_the_alarm_and_are_kept(house: HandMadeHouse, file: Path) -> None:
    await look(house, file)
    first = house.note()
    house.tree, house.taken = leaves(5, "other"), []
    with pytest.raises(TwoHistories, match="shows two histories of 5 entries"):
        await look(house, file)
    memory = Memory(file, KEY.verifier, is_new=False)
    memory.close()
    evidence = memory.of(house.origin).broken
    assert evidence is not None
    assert SignedNote.parse(evidence.before).text == first.text
    assert evidence.now == str(house.note())
    assert house.taken == []


@pytest.mark.parametrize("size", [6, 9, 64])
async def test_a_longer_history_that_began_otherwise_raises_the_alarm(
    house: HandMadeHouse, file: Path, size: int
) -> None:
    await look(house, file)
    house.tree, house.taken = leaves(size, "other"), []
    with pytest.raises(TwoHistories, match=f"history of {size} entries that does not begin with its 5"):
        await look(house, file)
    assert house.taken == []


async def test_a_house_that_was_seen_to_lie_is_never_cosigned_again(house: HandMadeHouse, file: Path) -> None:
    await look(house, file)
    good, house.tree = house.tree, leaves(5, "other")
    with pytest.raises(TwoHistories):
        await look(house, file)
    house.tree, house.taken = [*good, *leaves(1, "more")], []
    with pytest.raises(TwoHistories, match="shows two histories of 5 entries"):
        await look(house, file)
    assert house.taken == []


async def test_a_house_that_has_gone_back_raises_the_alarm(house: HandMadeHouse, file: Path) -> None:
    await look(house, file)
    house.tree = house.tree[:3]
    with pytest.raises(TwoHistories, match="gone back from 5 entries to 3"):
        await look(house, file)


async def test_a_house_that_went_back_and_on_otherwise_raises_the_alarm(house: HandMadeHouse, file: Path) -> None:
    await look(house, file)
    house.tree, house.shown = [*house.tree[:3], *leaves(6, "other")], 4
    with pytest.raises(TwoHistories, match="gone back from 5 entries to 4"):
        await look(house, file)


async def test_an_old_checkpoint_of_the_same_history_is_only_old(house: HandMadeHouse, file: Path) -> None:
    await look(house, file)
    house.shown = 3
    with pytest.raises(HouseTrouble, match="an old checkpoint, of 3 entries, after one of 5"):
        await look(house, file)
    house.shown = None
    house.tree = leaves(6)
    assert "cosigned 6" in await look(house, file)


async def test_two_addresses_of_one_log_must_show_one_history(house: HandMadeHouse, file: Path) -> None:
    await look(house, file)
    with open_house(HandMadeHouse(tree=leaves(7, "other"))) as other:
        with pytest.raises(TwoHistories):
            await look(other, file)
        assert other.taken == []


async def test_several_houses_are_one_file(house: HandMadeHouse, file: Path) -> None:
    with open_house(HandMadeHouse(tree=leaves(2, "b"), origin="lagoon.natural9/1")) as other:
        await look(house, file)
        assert "lagoon.natural9/1: cosigned 2 entries" in await look(other, file)
        house.tree = leaves(5, "lie")
        with pytest.raises(TwoHistories):
            await look(house, file)
        other.tree = [*other.tree, *leaves(1)]
        assert "cosigned 3" in await look(other, file)


async def test_one_look_at_a_log_after_the_other(house: HandMadeHouse, file: Path) -> None:
    """Two addresses at the same moment: the one that is cosigned second goes on from the first."""
    with open_house(HandMadeHouse(tree=leaves(8))) as other:
        memory = Memory(file, KEY.verifier, is_new=True)
        witness = Witness(memory, KEY)
        async with HouseSeen(house.url) as one, HouseSeen(other.url) as two:
            said = await asyncio.gather(witness.look(one, 1), witness.look(two, 1), return_exceptions=True)
        memory.close()
    assert not any(isinstance(one, TwoHistories) and "two histories" in str(one) for one in said)
    assert any("cosigned 8" in str(one) for one in said)


# Keys.


async def test_a_key_that_is_believed_at_first_sight_is_told_of_once(house: HandMadeHouse, file: Path) -> None:
    told: list[tuple[str, VerifierKey]] = []

    async def look_again(trusted: tuple[VerifierKey, ...], file: Path) -> None:
        memory = Memory(file, KEY.verifier, is_new=not file.exists())
        async with HouseSeen(house.url, patience_s=20) as seen:
            await Witness(memory, KEY, trusted, lambda origin, key: told.append((origin, key))).look(seen, 1000)
        memory.close()

    papers = house.keys[-1].verifier
    await look_again((papers,), file.with_suffix(".with-papers"))
    assert told == []
    await look_again((), file)
    await look_again((), file)
    house.secrets, house.tree = [b"1" * 32, b"2" * 32], leaves(8)
    await look_again((), file)
    assert told == [(house.origin, papers)]


async def test_a_new_key_that_the_old_one_vouches_for_is_believed(house: HandMadeHouse, file: Path) -> None:
    await look(house, file)
    house.secrets += [b"2" * 32, b"3" * 32]
    house.tree = leaves(8)
    assert "cosigned 8" in await look(house, file)
    house.tree = leaves(9)
    house.asked.clear()
    assert "cosigned 9" in await look(house, file)
    assert "/api/checkpoint/keys" not in house.asked, "what it has learnt it need not ask again"


async def test_a_new_key_that_nobody_vouches_for_is_not(house: HandMadeHouse, file: Path) -> None:
    await look(house, file)
    house.secrets, house.lost, house.tree = [b"1" * 32, b"9" * 32], {1}, leaves(8)
    for _ in range(2):
        with pytest.raises(StrangeKey, match=r"a key that nobody vouches for.*--house-key"):
            await look(house, file)
    house.secrets, house.lost = [b"9" * 32], set()
    with pytest.raises(StrangeKey, match=r"a key that nobody vouches for.*--house-key"):
        await look(house, file)
    [strange] = [line for line in map(json.loads, file.read_text().splitlines()) if line["natural9"] == "strange-key"]
    assert (strange["key"], strange["note"]) == (str(house.keys[-1].verifier), str(house.note())), "kept once"
    trusted = (house.keys[-1].verifier,)
    assert "cosigned 8" in await look(house, file, trusted=trusted)
    house.tree = leaves(9)
    assert "cosigned 9" in await look(house, file), "said once, it is known"


async def test_a_key_from_the_papers_is_believed_before_what_is_seen_first(house: HandMadeHouse, file: Path) -> None:
    papers = house.keys[-1].verifier
    house.secrets = [b"9" * 32]
    with pytest.raises(HouseTrouble, match="a key that nobody vouches for"):
        await look(house, file, trusted=(papers,))
    assert remembered(file) is None
    house.secrets = [b"1" * 32, b"2" * 32]
    assert "cosigned 5" in await look(house, file, trusted=(papers,))


async def test_keys_that_do_not_follow_from_each_other_are_refused(house: HandMadeHouse, file: Path) -> None:
    body = house.get("/api/checkpoint/keys", {})[1]
    for shown, why in (
        (body.replace(b'"signature": "', b'"signature": "AAAA'), "do not follow|not base64"),
        (body.replace(house.origin.encode(), b"other"), "keys that are none"),
        (b'{"origin":"%s","keys":[]}' % house.origin.encode(), "no keys of its own"),
        (b"[]", "keys that are none"),
    ):
        house.answers["/api/checkpoint/keys"] = lambda shown=shown: (200, shown)  # type: ignore[misc]
        with pytest.raises(HouseTrouble, match=why):
            await look(house, file)
    assert remembered(file) is None


async def test_another_log_at_the_same_address_is_no_continuation(house: HandMadeHouse, file: Path) -> None:
    await look(house, file)
    house.origin, house.taken = "marina.natural9/11111111", []
    with pytest.raises(HouseTrouble, match="another log than before"):
        await look(house, file)
    assert house.taken == []


# Houses that are down, slow, or talk nonsense.


async def test_a_house_that_is_down_is_said_to_be(file: Path) -> None:
    with open_house(HandMadeHouse()) as gone:
        pass
    with pytest.raises(HouseTrouble, match="cannot be reached"):
        await look(gone, file)


async def test_a_house_that_stalls_is_left_alone(house: HandMadeHouse, file: Path) -> None:
    go_on = threading.Event()
    house.answers["/api/checkpoint"] = lambda: (200, b"x" * go_on.wait(60))
    with pytest.raises(HouseTrouble, match=r"does not answer within 0\.2 seconds"):
        await look(house, file, patience_s=0.2)
    go_on.set()


@pytest.mark.parametrize(
    ("path", "status", "body", "why"),
    [
        ("/api/checkpoint", 200, b"x" * 50_000_000, f"more than {LONGEST_ANSWER} bytes"),
        ("/api/checkpoint", 200, b"", "a checkpoint that is none"),
        ("/api/checkpoint", 200, b"\xff\xfe", "not UTF-8"),
        ("/api/checkpoint", 200, b"hello\n\n\xe2\x80\x94 x AAAAAAAA\n", "no checkpoint"),
        ("/api/checkpoint", 500, b"oops", "answers 500$"),
        ("/api/checkpoint", 503, b'{"message":"tables\\u001b[31m are not ready"}', r"503: tables\[31m are not ready"),
        ("/api/checkpoint", 302, b"", "answers 302"),
        ("/api/checkpoint/keys", 200, b"{", "keys that are none"),
        ("/api/proof/consistency", 200, b'{"first":5,"second":6,"hashes":["zz"]}', "something else"),
        ("/api/proof/consistency", 200, b'{"hashes":' + b"[" * 60_000, "something else"),
        ("/api/proof/consistency", 404, b"{}", "answers 404$"),
    ],
)
async def test_nonsense_is_named_and_nothing_is_lost(
    house: HandMadeHouse, file: Path, path: str, status: int, body: bytes, why: str
) -> None:
    if path == "/api/proof/consistency":
        await look(house, file)
        house.tree = leaves(6)
    house.answers[path] = lambda: (status, body)
    with pytest.raises(HouseTrouble, match=why):
        await look(house, file)
    house.answers.clear()
    assert "cosigned" in await look(house, file)


# Its own file.


async def test_what_is_cosigned_is_on_the_disk_before_the_house_hears_of_it(house: HandMadeHouse, file: Path) -> None:
    found: list[bool] = []
    house.on_take = lambda: found.append(house.note().text.split("\n")[2] in file.read_text())
    await look(house, file)
    assert found == [True]


async def test_a_file_cut_off_anywhere_in_its_last_line_goes_on(house: HandMadeHouse, file: Path) -> None:
    await look(house, file)
    before = file.read_bytes()
    house.tree = leaves(6)
    await look(house, file)
    whole = file.read_bytes()
    for end in range(len(before), len(whole), 7):
        file.write_bytes(whole[:end])
        assert remembered(file) == TreeHead.parse(SignedNote.parse(_first_note(before)).text)
        assert file.read_bytes() == before
    file.write_bytes(whole)
    head = remembered(file)
    assert head is not None
    assert head.size == 6


def _first_note(file: bytes) -> str:
    return str(json.loads(file.splitlines()[-1])["note"])


async def test_a_file_that_was_changed_or_is_not_ours_is_refused(house: HandMadeHouse, file: Path) -> None:
    await look(house, file)
    whole = file.read_bytes()
    other = SigningKey("other", COSIGNATURE, b"o" * 32).verifier
    with pytest.raises(WitnessFailed, match=r"it is the file of regulator\.example/w1"):
        Memory(file, other, is_new=False)
    for changed, why in (
        (whole.replace(b"checkpoint", b"checkpaint", 1), "line 4 cannot be read"),
        (b"x" * 2_000_000, "line 1 cannot be read"),
        (b"hello\n" + whole, "line 1 cannot be read"),
        (whole + whole, "begins twice"),
        (whole.partition(b"\n")[2], "not a witness's file"),
    ):
        file.write_bytes(changed)
        with pytest.raises(WitnessFailed, match=why):
            Memory(file, KEY.verifier, is_new=False)
        assert file.read_bytes() == changed


def test_two_witnesses_never_share_a_file(file: Path) -> None:
    first = Memory(file, KEY.verifier, is_new=True)
    with pytest.raises(WitnessFailed, match="in use by another witness"):
        Memory(file, KEY.verifier, is_new=False)
    first.close()


def test_a_witness_whose_file_is_gone_does_not_begin_anew(file: Path) -> None:
    with pytest.raises(WitnessFailed, match="could cosign a second history"):
        Memory(file, KEY.verifier, is_new=False)
    assert not file.exists()


async def test_a_disk_that_is_full_stops_it_before_it_cosigns(house: HandMadeHouse, file: Path) -> None:
    await look(house, file)
    house.tree, house.taken = leaves(6), []
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (file.stat().st_size + 10, hard))
    try:
        with pytest.raises(WitnessFailed, match=r"cannot be written: .*; nothing is cosigned"):
            await look(house, file)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert house.taken == []
    assert "cosigned 6" in await look(house, file)

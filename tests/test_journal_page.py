"""docs/journal.md is true: whoever writes a verifier from it finds every event, with the fields that the code has."""

import json
import re
from hashlib import sha256

from natural9.games import game_ids, load_game
from natural9.journal.accounts import TransferKind
from natural9.journal.catalogue import BY_TAG
from natural9.journal.line import read_body
from natural9.journal.versions import UPCASTS
from natural9.store.chain import GENESIS, link
from natural9.store.contract import FLOATING
from tests.journal_page import PAGE, as_it_should_be, described

TEXT = PAGE.read_text()


def test_the_page_is_up_to_date() -> None:
    assert as_it_should_be(TEXT) == TEXT, "run `make journal`"


def test_every_event_is_described_once() -> None:
    assert sorted(described(TEXT)) == sorted(BY_TAG), "write what a new event means under a line **its-tag**"


def test_whatever_moves_money_has_its_row() -> None:
    table = TEXT.partition("### What moves which money")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in table.split("\n") if line.startswith("| `")]
    told = [tag for row in rows for tag in re.findall(r"`([a-z-]+)`", row)]
    assert sorted(told) == sorted(tag for tag, shape in BY_TAG.items() if shape.MOVES_MONEY)
    kinds = set(re.findall(r"`([a-z-]+)` [A-Z`]", table))
    assert kinds == {str(kind) for kind in TransferKind}


def test_every_old_version_is_told() -> None:
    table = TEXT.partition("### Old versions")[2].partition("\n### ")[0]
    told = [(tag, int(version)) for tag, version in re.findall(r"`([a-z-]+)` (\d)", table) if version == "1"]
    assert sorted(told) == sorted(UPCASTS)


def test_the_accounts_that_may_be_short_are_told() -> None:
    assert ", ".join(f"`{start}`" for start in FLOATING) in TEXT.replace("\n", " ")


def test_every_reading_that_is_cited_exists() -> None:
    known = {one.id for game in map(load_game, game_ids()) for one in game.interpretations}
    cited = set(re.findall(r"interpretation `?([a-z]+(?:-[a-z]+)+)", TEXT.replace("\n", " ")))
    assert len(cited) > 10
    assert cited <= known


def test_the_example_is_an_entry() -> None:
    envelopes = [json.loads(one) for one in re.findall(r"(?m)^envelope (\[.*\])$", TEXT)]
    bodies = re.findall(r"(?m)^body     (\{.*\})$", TEXT)
    assert len(envelopes) == len(bodies) == 2
    previous = GENESIS
    for envelope, body, digest in zip(envelopes, bodies, re.findall(r"(?m)^hash     (.*)$", TEXT), strict=True):
        stream, number, kind, *rest = envelope[1:]
        previous = link(previous, stream, number, kind, body.encode(), *rest)
        assert previous.hex() == digest, "the page's own hash is not the store's"
        line = read_body(body.encode())
        assert (envelope[0], envelope[3]) == (2, line.tag)
        assert envelope[7] == f"{envelope[1]} {line.origin.sender} {line.origin.request}"
    [document] = re.findall(r"(?m)^document (\{.*\})$", TEXT)
    key, digest = "voucher/7-3-1", sha256(document.encode()).hexdigest()
    assert envelopes[1][10:] == [[[key, digest]], sha256(f"{digest} {key}".encode()).hexdigest()]


def test_every_link_within_the_page_leads_somewhere() -> None:
    prose = re.sub(r"(?s)```.*?```", "", TEXT)
    headings = {re.sub(r"[^\w -]", "", one.lower()).replace(" ", "-") for one in re.findall(r"(?m)^#+ (.*)$", prose)}
    assert set(re.findall(r"\]\(#([\w-]+)\)", prose)) <= headings

"""Whatever the program says to people can be told in every language of the screens: no sentence is left in English.

The sentences are collected from the source, and those of a game at play are followed through the shape in which they
are sent. A new one fails here until every language has it.
"""

import ast
import re
from random import Random
from typing import Final

import msgspec
import pytest

from natural9.core.events import Event, SeenBy
from natural9.core.round import Refusal
from natural9.core.saying import name_of
from natural9.core.staff import Rank
from natural9.games.loader import game_ids, load_game, wager_names
from natural9.journal.accounts import TransferKind
from natural9.journal.catalogue import ALL_EVENTS
from natural9.journal.line import read_body
from natural9.journal.sentence import Sentence
from natural9.server.bill_acceptors import CAME_BACK
from natural9.server.people.permissions import Role, permissions
from natural9.server.reports.catalogue import REPORTS
from natural9.table.venue.file import Mode, ShoeSource
from tests.core.commands_at_random import sequence
from tests.journal.test_line import LINES
from tests.sentences import LANGUAGES, PACKAGE, calls, gaps, sentences, tell
from tests.table.live import live_table, table_config
from tests.table.taps_at_random import next_tap

OTHERS: Final = sorted(path.name for path in LANGUAGES.iterdir() if path.is_dir() and path.name != "en")
TERMINAL: Final = ("common", "play", "layouts", "terminal")  # what a player's screen speaks from
ON_SCREENS: Final = ("core", "games", "journal", "server", "table")
# Their errors stop the program, or the command line, before anybody looks at a screen.
NEVER_ON_A_SCREEN: Final = {
    "core/notation.py",
    "core/roads.py",
    "journal/export.py",
    "journal/line.py",
    "server/cluster/joining.py",
    "server/cluster/lines.py",
    "server/demo/node.py",
    "server/demo/node_processes.py",
    "server/demo/nodes.py",
    "server/demo/run.py",
    "server/people/keys.py",
    "server/people/permissions.py",
    "server/proof/signing_key.py",
    "server/serve.py",
    "server/tls.py",
    "table/live/recovery.py",
    "table/devices/line.py",
    "table/shoes/shuffler.py",
    "table/venue/announce.py",
    "table/venue/bill_acceptor.py",
    "table/venue/cash.py",
    "table/venue/cluster.py",
    "table/venue/file.py",
    "table/venue/printer.py",
    "table/venue/proof.py",
    "table/venue/tables.py",
    "table/venue/venue.py",
}
STEPS: Final = (  # of a table that plays by itself
    "open-betting",
    "close-betting",
    "deal",
    "new-shoe",
    "cut-card",
    "open-insurance",
    "close-insurance",
    "declare",
    "settle",
    "decide",
)
NUMBERS: Final = r"-?[\d,]+(\.\d+)?(:\d+)?"
TIMES: Final = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC"
CARDS: Final = r"([A2-9TJQK][CDHS]? ?)+"
IDS: Final = r"[0-9a-f]{64}|\d+-\d+-\d+|(mbs|rws)[a-z0-9-]*"
CITATIONS: Final = r"mbs [\d.]+|rws-[a-z-]+ [\d.:a-z-]+|interpretation [a-z-]+"
PEOPLE: Final = r"somebody|dora|sam|pat|max|shona|cass|so it was|a fire alarm|a spill"


def names() -> list[str]:
    """What data call things by, where a sentence names them: each language has its own."""
    titles = [load_game(game).title for game in game_ids()]
    roles = [*(rank.title for rank in Rank), *(role.title for role in Role)]
    said = [*(one.says for one in permissions().values()), *(one.says for one in REPORTS)]
    return [*titles, *roles, *map(name_of, STEPS), *said, CAME_BACK]


def known(language: str, *lists: str) -> dict[str, str]:
    wagers = {str(name_of(wager)): by[language] for wager, by in wager_names().items() if language in by}
    games = {game: load_game(game).title for game in game_ids()}  # which the language has a name for: names()
    return {**wagers, **games, **sentences(language, *lists)}


def test_every_sentence_is_written_out_where_it_is_said() -> None:
    assert [call for call in calls() if call.template is None] == []


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_has_every_sentence_with_the_same_gaps(language: str) -> None:
    has, said = sentences(language), {call.template or "": call for call in calls(*ON_SCREENS)}
    assert len(said) > 400
    assert [call for template, call in said.items() if template not in has] == []
    assert [template for template in said if gaps(has[template]) != gaps(template)] == []


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_has_a_name_for_what_data_name(language: str) -> None:
    has = known(language)
    assert [name for name in names() if name not in has] == []
    assert [wager for wager, by in wager_names().items() if language not in by] == []


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_names_whatever_somebody_may_do(language: str) -> None:
    """The start page and the table of permissions name an action by its id."""
    has = sentences(language, "common", "play", "people", "server", "start")  # as those pages load them
    assert [action for action in permissions() if action not in has] == []


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_has_no_sentence_that_nobody_says_any_more(language: str) -> None:
    said = {call.template for call in calls()} | {str(name) for name in names()}
    assert [one for one in sentences(language, "play", "people", "server") if one not in said] == []


def test_what_people_are_told_is_said_and_no_finished_text() -> None:
    """mypy holds refusals and events to it; bad input may come from the command line as well, and is looked at here."""
    plain = [
        f"{path.relative_to(PACKAGE).as_posix()}:{node.lineno}"
        for folder in ON_SCREENS
        for path in (PACKAGE / folder).rglob("*.py")
        if path.relative_to(PACKAGE).as_posix() not in NEVER_ON_A_SCREEN
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "BadInput"
        if isinstance(node.args[1], ast.JoinedStr | ast.Constant)
    ]
    stops_the_start = ["server/house.py", "server/tracing.py"]  # a program that is not approved, or lacks a part
    about_files = ["games/source.py", "games/validator.py"]
    assert [one for one in plain if one.partition(":")[0] not in (*stops_the_start, *about_files)] == []


def sent(text: str) -> Sentence:
    """There and back, as the wire has it."""
    return msgspec.json.decode(msgspec.json.encode(Sentence.of(text)), type=Sentence)


def check(text: str, has: dict[str, str], own: str = "") -> None:
    """`own`: what else may stand in it as it is, because somebody wrote it or is called so."""
    unsaid = tell(sent(text), has)
    assert [one for one in unsaid.english if one not in ("Nonsense", "No Such")] == [], text  # wagers there are not
    allowed = re.compile(f"{NUMBERS}|{TIMES}|{CARDS}|{IDS}|{CITATIONS}|{PEOPLE}|")
    assert [one for one in unsaid.plain if not allowed.fullmatch(one.strip("'")) and one not in own] == [], text


@pytest.mark.parametrize("language", OTHERS)
def test_every_event_ever_written_can_be_told(language: str) -> None:
    everything, at_the_terminal = known(language), known(language, *TERMINAL)
    for line in LINES:
        event = read_body(line.encode()).event
        check(event.describe(), everything, own=line)
        if event.SEEN_BY is not SeenBy.STAFF:
            check(event.describe(), at_the_terminal, own=line)
            check(event.describe_publicly(), at_the_terminal, own=line)


@pytest.mark.parametrize("game", game_ids())
@pytest.mark.parametrize("language", OTHERS)
def test_whatever_a_round_answers_can_be_told(language: str, game: str) -> None:
    has, refused = known(language), set()
    for _, asked, _, decided in sequence(game, len(game), 600):
        if isinstance(decided, Refusal):
            refused.add(decided.code)
            check(decided.message, has, own=repr(asked))
            continue
        for event in decided:
            check(event.describe(), has, own=repr(asked))
    assert len(refused) > 10


@pytest.mark.parametrize(
    ("game", "mode", "shoe"),
    [
        ("mbs-tiger", Mode.DEALER, ShoeSource.READ),
        ("rws-nc-insurance", Mode.DEALER, ShoeSource.READ),
        ("rws-nc", Mode.DEALER, ShoeSource.SHUFFLER),
    ],
)
@pytest.mark.parametrize("language", OTHERS)
async def test_whatever_a_table_answers_can_be_told(language: str, game: str, mode: Mode, shoe: ShoeSource) -> None:
    everything, at_the_terminal = known(language), known(language, *TERMINAL)
    chance, refused = Random(game), set()
    table = await live_table(table_config(game, mode=mode, shoe=shoe))
    for seat in (1, 2, 3):
        await table.buy(seat, 50_000)
    for _ in range(400):
        asked, who = next_tap(table, chance)
        answer = await table.ask(asked, who)
        if isinstance(answer, Refusal):
            refused.add(answer.code)
            check(answer.message, everything if who.seat is None else at_the_terminal, own=repr(asked))
    await table.stop()
    assert len(refused) > 5


def test_the_check_finds_what_cannot_be_told() -> None:
    unsaid = tell(Sentence("Never {what} before", {"what": [Sentence("seen", {}), "by dora"]}), {"seen": "…"})
    assert unsaid == (["Never {what} before"], ["by dora"])


def test_an_event_is_said() -> None:
    assert Event.describe.__annotations__["return"].__name__ == "Said"


@pytest.mark.parametrize("language", OTHERS)
def test_every_kind_of_entry_and_transfer_has_a_name_on_the_auditors_pages(language: str) -> None:
    kinds = {*(shape.TAG for shape in ALL_EVENTS), *TransferKind}
    spoken_there = sentences(language, "common", "play", "people", "server", "start", "audit")
    assert sorted(kinds - {*spoken_there}) == []

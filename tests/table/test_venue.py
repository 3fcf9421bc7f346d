"""The venue file: what it comes to, and every mistake named with its file and line."""

import re
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from natural9.core.errors import BadInput
from natural9.core.round.state import Limit
from natural9.games import game_ids, load_game
from natural9.games.citations import cited
from natural9.table.venue import file as venue_file
from natural9.table.venue.cash import CashLimits
from natural9.table.venue.players import CardedPlay
from natural9.table.venue.protection import HOUR_MS, MINUTE_MS, PlayLimits, Protection
from natural9.table.venue.venue import Burn, Mode, ShoeSource, Venue, load_venue

VENUE = """\
[venue]
name = "The Nine"
currency = "SGD"
zone = "Asia/Singapore"
day_starts = "06:00"

[server]
host = "127.0.0.1"
port = 8909

[[table]]
id = "one"
game = "mbs-tiger"
decks = 8
seats = 20
minimum = 10
maximum = "1,000.00"
limits = [
  { wager = "tie", min = 5, max = 100 },
  { wager = "tiger", max = 50.0 },
]
seat_maximum = 5000
timers = { betting = 20, reveal = 1.5, result = 5 }

[[table]]
id = "two"
game = "rws-nc-insurance"
decks = 6
layout = "bean-7"
maximum = 500
mode = "dealer"
shoe = "read"
timers = { betting = 20, insurance = 10, reveal = 0, result = 0 }
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "venue.toml"
    path.write_text(text, encoding="utf-8")
    return path


def loaded(folder: Path, *changes: tuple[str, str]) -> Venue:
    text = VENUE
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return load_venue(written(folder, text))


def test_a_table_burns_if_its_file_says_so(tmp_path: Path) -> None:
    venue = loaded(tmp_path, ("seats = 20", 'seats = 20\nburn = "first-card"\ncut_cards = 399'))
    assert (venue.tables["one"].burn, venue.tables["two"].burn) == (Burn.FIRST_CARD, Burn.NONE)


def test_what_a_file_comes_to(tmp_path: Path) -> None:
    venue = loaded(tmp_path)
    assert (venue.name, venue.currency, venue.zone.key, venue.voucher_days) == ("The Nine", "SGD", "Asia/Singapore", 30)
    assert (venue.host, venue.port, venue.tls_cert, venue.tls_key) == ("127.0.0.1", 8909, None, None)
    assert (venue.allow_remote, venue.allowed_origins) == (False, ())
    assert (venue.proxies, venue.house_addresses) == ((), ())
    assert list(venue.tables) == ["one", "two"]
    one, two = venue.tables.values()
    assert (one.title, one.game.id, one.decks, one.layout.id, one.seats) == (
        one.game.title,
        "mbs-tiger",
        8,
        "electronic",
        20,
    )
    assert (one.mode, one.shoe, one.wait_for_players, one.optional) == (Mode.AUTOMATIC, ShoeSource.SHUFFLER, True, None)
    assert (one.cut_cards, one.burn) == (14, Burn.NONE)
    assert (two.seats, two.mode, two.shoe, two.wait_for_players) == (7, Mode.DEALER, ShoeSource.READ, False)
    assert (two.timers.betting_s, two.timers.insurance_s, two.timers.reveal_s, two.timers.result_s) == (20, 10, 0, 0)


def test_every_wager_on_offer_has_limits(tmp_path: Path) -> None:
    one, two = loaded(tmp_path).tables.values()
    assert one.limits.by_wager["player"] == Limit(1_000, 100_000)
    assert one.limits.by_wager["tie"] == Limit(500, 10_000)
    assert one.limits.by_wager["tiger"] == Limit(1_000, 5_000)
    assert set(one.limits.by_wager) == {wager.id for wager in one.game.wagers}
    assert set(two.limits.by_wager.values()) == {Limit(100, 50_000)}  # from the unit of the game upwards
    assert (one.limits.seat_min_cents, one.limits.seat_max_cents, one.limits.table_max_cents) == (0, 500_000, None)


def test_of_the_optional_wagers_only_those_chosen(tmp_path: Path) -> None:
    one = loaded(tmp_path, ("seats = 20", 'seats = 20\noptional = ["tiger"]')).tables["one"]
    assert one.optional == frozenset({"tiger"})
    assert list(one.limits.by_wager) == ["player", "banker", "tie", "tiger"]


def test_shoes_are_joint_where_the_table_says_so(tmp_path: Path) -> None:
    one = loaded(tmp_path).tables["one"]
    assert (one.joint_shoe, one.timers.mix_s) == (False, 5)
    joint = (
        ("seats = 20", "seats = 20\njoint_shoe = true"),
        ("betting = 20, reveal = 1.5", "betting = 20, reveal = 1, mix = 3"),
    )
    one = loaded(tmp_path, *joint).tables["one"]
    assert (one.joint_shoe, one.timers.mix_s) == (True, 3)


def test_the_hash_is_that_of_the_file(tmp_path: Path) -> None:
    assert loaded(tmp_path).sha256 != loaded(tmp_path, ("The Nine", "The Ten")).sha256


def test_a_rule_pack_may_lie_beside_the_venue(tmp_path: Path) -> None:
    (tmp_path / "packs").mkdir()
    pack = files("natural9.games").joinpath("packs/mbs-tiger.toml").read_text(encoding="utf-8")
    (tmp_path / "packs" / "our-tiger.toml").write_text(pack.replace('id = "mbs-tiger"', 'id = "our-tiger"', 1))
    one = loaded(tmp_path, ('game = "mbs-tiger"', 'game = "packs/our-tiger.toml"')).tables["one"]
    assert one.game.id == "our-tiger"


def test_tls_files_are_seen_from_the_venue(tmp_path: Path) -> None:
    (tmp_path / "cert.pem").touch()
    (tmp_path / "key.pem").touch()
    tls = 'tls_cert = "cert.pem"\ntls_key = "key.pem"'
    venue = loaded(tmp_path, ('host = "127.0.0.1"', f'host = "0.0.0.0"\n{tls}'))
    assert (venue.tls_cert, venue.tls_key) == (tmp_path / "cert.pem", tmp_path / "key.pem")


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost", "127.8.9.9"])
def test_a_loopback_needs_no_tls(tmp_path: Path, host: str) -> None:
    assert loaded(tmp_path, ("127.0.0.1", host)).host == host


def test_remote_without_tls_if_told_so(tmp_path: Path) -> None:
    assert loaded(tmp_path, ('"127.0.0.1"', '"0.0.0.0"\nallow_remote = true')).allow_remote


@pytest.mark.parametrize("mode", ["dealer", "automatic"])
def test_a_reader_serves_dealers_and_automatic_tables(tmp_path: Path, mode: str) -> None:
    read = f'seats = 20\nmode = "{mode}"\nshoe = "read"\nreader = "tcp:127.0.0.1:9401"'
    one = loaded(tmp_path, ("seats = 20", read)).tables["one"]
    assert (one.mode, one.reader) == (mode, "tcp:127.0.0.1:9401")


@pytest.mark.rule("rws-nc-insurance 3.1", "rws-nc-insurance 3.2")
@pytest.mark.parametrize(
    ("mode", "line"),
    [('mode = "automatic"\nshoe = "shuffler"\n', 'mode = "automatic"'), ("", 'game = "rws-nc-insurance"')],
)
def test_where_a_dealer_announces_no_table_runs_by_itself(tmp_path: Path, mode: str, line: str) -> None:
    """A dealer opens and closes the betting by word of mouth: automatic mode is refused, by word or default."""
    with pytest.raises(BadInput) as error:
        loaded(tmp_path, ('mode = "dealer"\nshoe = "read"\n', mode))
    text = (tmp_path / "venue.toml").read_text().splitlines()
    assert str(error.value).startswith(f"venue.toml:{text.index(line) + 1}: ")
    assert "a dealer announces" in str(error.value)
    assert 'set mode = "dealer" (Rule 3.1)' in str(error.value)


@pytest.mark.parametrize("game", [game for game in game_ids() if game != "rws-nc-insurance"])
def test_every_other_game_may_run_by_itself(tmp_path: Path, game: str) -> None:
    decks = load_game(game).decks.max
    text = VENUE.partition("[[table]]")[0] + (
        f'[[table]]\nid = "one"\ngame = "{game}"\ndecks = {decks}\nseats = 20\nmaximum = 500\n'
        "timers = { betting = 20, reveal = 1, result = 5 }\n"
    )
    assert load_venue(written(tmp_path, text)).tables["one"].mode is Mode.AUTOMATIC


ROW = '  { wager = "tie", min = 5, max = 100 },'
# What is changed, into what, and what the complaint says; it must stand on the line that was changed.
MISTAKES = [
    # The venue.
    ('name = "The Nine"', 'name = " "', "cannot be printed, and tickets"),
    ('name = "The Nine"', 'name = "The\\u0000Nine"', "'The\\x00Nine' cannot be printed"),
    ('currency = "SGD"', 'currency = "sgd"', "'sgd' is not a currency"),
    ('currency = "SGD"', 'currency = "JPY"', "not divided into hundredths"),
    ("Asia/Singapore", "Asia/Singapur", "did you mean Asia/Singapore?"),
    ("Asia/Singapore", "Asia", "there is no time zone 'Asia'"),
    ("Asia/Singapore", "../../etc/passwd", "there is no time zone"),
    ("Asia/Singapore", "", "there is no time zone ''"),
    ('"06:00"', '"25:00"', "is not a time of day: write 06:00"),
    ('"06:00"', "06:00:00", "day_starts must be text in quotes, not 06:00:00"),
    ('name = "The Nine"', 'name = "The Nine"\nvoucher_days = 0', "1 to 3650 days, not 0"),
    ('name = "The Nine"', 'nmae = "The Nine"', "[venue] has no key 'nmae'; did you mean name?"),
    ('name = "The Nine"', "name = The Nine", "Invalid value"),
    # The server.
    ("port = 8909", "port = 70000", "there is no port 70000"),
    ("port = 8909", 'port = "8909"', 'port must be a whole number, not "8909"'),
    ('host = "127.0.0.1"', 'host = "0.0.0.0"', "tls_cert and tls_key, or set allow_remote"),
    ('host = "127.0.0.1"', 'host = "tables.example"', "can be reached from other machines"),
    ('host = "127.0.0.1"', 'host = ""', "an empty host"),
    ('host = "127.0.0.1"', 'host = "tables..example"', "is no address of a machine"),
    ("port = 8909", 'tls_key = "key.pem"', "without tls_cert"),
    ("port = 8909", 'tls_cert = "cert.pem"', "without tls_key"),
    ("port = 8909", 'allowed_origins = ["tables.example"]', "is not an origin of pages"),
    ("port = 8909", 'allowed_origins = ["https://tables.example/"]', "is not an origin of pages"),
    ("port = 8909", 'proxies = ["proxy.example"]', "'proxy.example' is no address of machines"),
    ("port = 8909", 'proxies = ["10.0.0.5/24"]', "has host bits set"),
    ("port = 8909", 'proxies = ["0.0.0.0/0"]', "is every address there is"),
    ("port = 8909", 'house_addresses = ["10.1"]', "write one such as 10.1.0.7"),
    # The table and its game.
    ('id = "one"', 'id = "Table 1"', "cannot name a table"),
    ('id = "one"', f'id = "{"a" * 21}"', "cannot name a table"),
    ('id = "two"', 'id = "one"', "table 'one' is there twice"),
    ('"mbs-tiger"', '"mbs-tigre"', "did you mean mbs-tiger"),
    ('"mbs-tiger"', '"no-such.toml"', "No such file"),
    ('"mbs-tiger"', '"mbs-tiger\\u0000.toml"', "there is no game"),
    ("seats = 20", 'seats = 20\ntitle = "a\\u0007"', "cannot be printed, and screens"),
    ("decks = 8", "decks = 3", "4 to 10 decks, not 3 (Rule 2.1)"),
    ("decks = 6", "decks = 9", "4 to 8 decks, not 9 (Rule 2.2.1)"),
    ("decks = 6", "decks = 6.5", "decks must be a whole number, not 6.5"),
    ("seats = 20", "seats = 0", "seats, not 0"),
    ("seats = 20", "seats = 99999999", "seats, not 99999999"),
    ("seats = 20", 'seats = 20\nlayout = "bean-7"', "has no layout 'bean-7'; there are electronic (Rule 2.2)"),
    ('layout = "bean-7"', 'layout = "bean-7"\nseats = 9', "has 7 betting boxes, one a player: 9 seats do not fit"),
    ('layout = "bean-7"', 'layout = "bean-7"\nseats = 6', "6 seats do not fit (Rule 2.1.1)"),
    ("seats = 20", 'seats = 20\noptional = ["tie"]', "'tie' is not an optional wager of mbs-tiger: those are tiger,"),
    ("decks = 6", 'decks = 6\noptional = ["tiger"]', "those are none"),
    ("seats = 20", "seats = 20\ncut_cards = 5", "5 cards cannot lie behind the cut card"),
    ("seats = 20", "seats = 20\ncut_cards = 411", "so give 6 to 410 of 416"),
    ("seats = 20", 'seats = 20\nburn = "first-card"\ncut_cards = 400', "up to 11 are burnt, so give 6 to 399 of 416"),
    ("seats = 20", 'seats = 20\nburn = "first"', "burn"),
    ("seats = 20", 'seats = 20\nmode = "auto"', "mode cannot be 'auto'; did you mean automatic?"),
    ("seats = 20", 'seats = 20\nshoe = "read"', "nobody to type the cards"),
    ("seats = 20", 'seats = 20\nreader = "tcp:127.0.0.1:9401"', 'set shoe = "read"'),
    ('shoe = "read"', 'shoe = "read"\nreader = "udp:1.2.3.4:5"', "is not where cards are read"),
    ('shoe = "read"', 'shoe = "read"\nreader = "tcp:127.0.0.1:0"', "is not where cards are read"),
    ('shoe = "read"', 'shoe = "read"\nreader = "tcp:shoe..example:9401"', "is not where cards are read"),
    ('shoe = "read"', 'shoe = "read"\nwait_for_players = true', "only an automatic table waits"),
    # Money.
    ("minimum = 10", 'minimum = 10\nbetting_unit = "0.50"', "use a multiple of 0.20"),
    ("minimum = 10", "minimum = 10\nbetting_unit = 0", "must be more than nothing"),
    ("minimum = 10", 'minimum = 10\nbetting_unit = "0.005"', "not a whole number of cents"),
    ("minimum = 10", "minimum = -10", "is not an amount of money"),
    ("minimum = 10", "minimum = true", "minimum must be a number or text in quotes, not true"),
    ('maximum = "1,000.00"', "maximum = nan", "is not an amount of money"),
    ('maximum = "1,000.00"', "maximum = 5", "limits of 10.00 to 5.00 on Player allow no bet"),
    ('maximum = "1,000.00"', 'maximum = "1000.50"', "not whole multiples of the betting unit 1.00"),
    ('maximum = "1,000.00"', "maximum = 100_000_000_000", "more than any table takes"),
    (ROW, '  { wager = "tie", min = 200, max = 100 },', "limits of 200.00 to 100.00 on Tie allow no bet"),
    (ROW, '  { wager = "tie", min = 0, max = 100 },', "allow no bet"),
    (ROW, '  { wager = "tie", min = 0.5, max = 100 },', "on Tie are not whole multiples of the betting unit 1.00"),
    (ROW, '  { wager = "tei", max = 100 },', "'tei' is not on offer at this table: it offers player,"),
    (ROW, '  { wager = "tie", most = 100 },', "limits of [[table]] has no key 'most': its keys are wager, min, max"),
    ("seat_maximum = 5000", "seat_maximum = 0.5", "is not a whole multiple of the betting unit"),
    ("seat_maximum = 5000", "seat_maximum = 9", "the maximum for a seat, 9.00, is under the minimum on"),
    ("seat_maximum = 5000", "table_maximum = 9", "the maximum for the table, 9.00, is under the minimum on"),
    ("seat_maximum = 5000", "seat_maximum = 100\nseat_minimum = 0.5", "the minimum for a seat, 0.50, is not a whole"),
    ("seat_maximum = 5000", "seat_minimum = 100_000_000_000", "the minimum for a seat"),
    # Timers.
    ("betting = 20, reveal = 1.5", "betting = 0, reveal = 1.5", "the betting timer runs from more than 0 to 3600"),
    ("betting = 20, reveal = 1.5", "betting = 20, reveal = -1", "the reveal timer runs from 0 to 3600"),
    ("betting = 20, reveal = 1.5", "betting = nan, reveal = 1", "not nan"),
    ("betting = 20, reveal = 1.5", "betting = 20, reveal = 1, mix = 0", "the mix timer runs from more than 0 to 3600"),
    ('shoe = "read"', 'shoe = "read"\njoint_shoe = true', "only the shuffler's order can be mixed"),
    ("betting = 20, reveal = 1.5", "betting = 20, reveal = 1, squeeze = -1", "the squeeze timer runs from 0 to 3600"),
    ("betting = 20, reveal = 1.5", "betting = 20, insurance = 5, reveal = 1", "mbs-tiger has no insurance"),
    ("betting = 20, reveal = 1.5", "reveal = 1.5", "timers of [[table]] has no key 'betting': add it"),
    ("insurance = 10, reveal = 0", "reveal = 0", "add its timer, as in insurance = 12 (Rule "),
    ("insurance = 10, reveal = 0", "insurance = 0, reveal = 0", "the insurance timer runs from more than 0"),
]


@pytest.mark.parametrize(("old", "new", "says"), [pytest.param(*case, id=case[1][-50:]) for case in MISTAKES])
def test_a_mistake_is_named_with_its_file_and_line(tmp_path: Path, old: str, new: str, says: str) -> None:
    (tmp_path / "cert.pem").touch()
    (tmp_path / "key.pem").touch()
    assert old in VENUE
    text = VENUE.replace(old, new, 1)
    # The last line of what was put in is the one with the mistake.
    expected = VENUE[: VENUE.index(old)].count("\n") + new.count("\n") + 1
    with pytest.raises(BadInput) as refused:
        load_venue(written(tmp_path, text))
    assert refused.value.message.startswith(f"venue.toml:{expected}: "), refused.value.message
    assert says in cited(refused.value.message, refused.value.paragraph)


def test_a_file_that_this_user_may_not_see_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> bool:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(Path, "is_dir", refuse)  # root may see everything
    with pytest.raises(BadInput, match="which this user may not see: run this as the server's user"):
        loaded(tmp_path, ('host = "127.0.0.1"', 'head_copy = "/disk/other.head"'))


def test_the_copy_of_the_head_lies_where_the_file_says(tmp_path: Path) -> None:
    assert loaded(tmp_path).head_copy is None
    assert loaded(tmp_path, ('host = "127.0.0.1"', 'head_copy = "other.head"')).head_copy == tmp_path / "other.head"


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ('layout = "bean-7"\n', "", 26, "is played on several layouts: choose one; there are bean-9, bean-7"),
        ("seats = 20\n", "", 11, "say how many seats table one has"),
        ('  { wager = "tiger", max = 50.0 },', ROW, 20, "tie has limits twice"),
        ('currency = "SGD"\n', "", 1, "[venue] has no key 'currency': add it"),
        ("[[table]]", "[[tables]]", 11, "the file has no section [[tables]]; did you mean [[table]]?"),
        ('host = "127.0.0.1"', 'tls_cert = "no.pem"\ntls_key = "key.pem"', 8, "there is no file"),
        (
            'host = "127.0.0.1"',
            'head_copy = "/no/disk/head"',
            8,
            "there is no folder /no/disk for it: is its disk there?",
        ),
    ],
)
def test_so_is_what_is_missing_or_there_twice(tmp_path: Path, old: str, new: str, line: int, says: str) -> None:
    with pytest.raises(BadInput) as refused:
        loaded(tmp_path, (old, new))
    assert refused.value.message.startswith(f"venue.toml:{line}: ")
    assert says in refused.value.message


# A slip, what it is made from, and all that is said of it after the line.
SLIPS = [
    ('maximum = "1,000.00"', "maximun = 1000", "[[table]] has no key 'maximun'; did you mean maximum?"),
    ("minimum = 10", "betting_untis = 1", "[[table]] has no key 'betting_untis'; did you mean betting_unit?"),
    ("[server]", "[srever]", "the file has no section [srever]; did you mean [server]?"),
    ("[venue]", "[[venue]]", "write [venue], with one bracket: there is only one"),
    ("reveal = 1.5", "revael = 1", "timers of [[table]] has no key 'revael'; did you mean reveal?"),
    ("port = 8909", "prot = 8909", "[server] has no key 'prot'; did you mean port?"),
    # In the wrong section: it is said where it belongs, if there is only one such place.
    ('name = "The Nine"', "port = 8909", "[venue] has no key 'port': it belongs in [server]"),
    ("port = 8909", 'zone = "Asia/Singapore"', "[server] has no key 'zone': it belongs in [venue]"),
    ("reveal = 1.5", "seats = 9", "timers of [[table]] has no key 'seats': it belongs in [[table]]"),
    (
        "seats = 20",
        "betting = 20",
        "[[table]] has no key 'betting': it belongs in timers of [[table]]; or did you mean betting_unit?",
    ),
    ("[venue]", "port = 8909\n[venue]", "the top of the file has no key 'port': it belongs in [server]"),
    ("[server]", "[venue.server]", "[venue] has no key 'server': it is a section of its own, [server]"),
    (
        "port = 8909",
        "colour = 3",
        "[server] has no key 'colour': its keys are host, port, tls_cert, tls_key, allow_remote, tls_at_proxy, "
        "allowed_origins, proxies, house_addresses, metrics_from, approved_program, head_copy",
    ),
]


@pytest.mark.parametrize(("old", "new", "says"), [pytest.param(*case, id=case[1]) for case in SLIPS])
def test_a_wrong_key_is_named_with_its_line_and_the_right_one(tmp_path: Path, old: str, new: str, says: str) -> None:
    line = VENUE[: VENUE.index(old)].count("\n") + 1
    with pytest.raises(BadInput) as refused:
        loaded(tmp_path, (old, new))
    assert refused.value.message == f"venue.toml:{line}: {says}"


@pytest.mark.parametrize("brackets", ["[tabel]", "[[tabel]]"])
def test_a_wrong_section_is_named_as_it_stands_there(tmp_path: Path, brackets: str) -> None:
    text = VENUE[: VENUE.index("[[table]]")] + f"{brackets}\nid = 'one'\n"
    with pytest.raises(BadInput) as refused:
        load_venue(written(tmp_path, text))
    line = text[: text.index(brackets)].count("\n") + 1
    expected = f"venue.toml:{line}: the file has no section {brackets}; did you mean [[table]]?"
    assert refused.value.message == expected


def test_a_table_in_single_brackets(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r": write \[\[table\]\], with two brackets"):
        load_venue(written(tmp_path, VENUE[: VENUE.index("[[table]]")] + "[table]\nid = 'one'\n"))
    with pytest.raises(BadInput, match=r": venue is a section: write \[venue\]"):
        load_venue(written(tmp_path, "venue = 5\n"))
    with pytest.raises(BadInput, match=r":1: the file has no section \[venue\]: add it"):
        load_venue(written(tmp_path, "table = []\n"))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("max = 40", "mxa = 40", "did you mean max?"),
        ("max = 40", "max = true", "max must be a number or text in quotes, not true"),
        ("reveal = 1", "revael = 1", "did you mean reveal?"),
    ],
)
def test_rows_and_timers_may_be_sections_of_their_own(tmp_path: Path, old: str, new: str, says: str) -> None:
    """As TOML allows: the line is still that of the mistake."""
    text = """\
[[table]]
id = "one"
[table.timers]
betting = 20
reveal = 1
result = 5
[[table.limits]]
wager = "tie"
max = 50
[[table.limits]]
wager = "player"
max = 40
""".replace(old, new)
    with pytest.raises(BadInput) as refused:
        load_venue(written(tmp_path, text))
    assert refused.value.message.startswith(f"venue.toml:{text[: text.index(new)].count(chr(10)) + 1}: ")
    assert says in refused.value.message


def test_a_venue_without_tables(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="at least one table"):
        load_venue(written(tmp_path, "table = []\n" + VENUE[: VENUE.index("[[table]]")]))


def test_a_mistake_in_a_pack_names_both_files(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("id = mine\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"venue\.toml:13: mine\.toml:1: "):
        loaded(tmp_path, ('"mbs-tiger"', '"mine.toml"'))


def test_proxies_and_the_addresses_of_the_house(tmp_path: Path) -> None:
    venue = loaded(
        tmp_path, ("port = 8909", 'proxies = ["127.0.0.1", "2001:db8::/32"]\nhouse_addresses = ["10.1.0.0/16"]')
    )
    assert list(map(str, venue.proxies)) == ["127.0.0.1/32", "2001:db8::/32"]
    assert list(map(str, venue.house_addresses)) == ["10.1.0.0/16"]


def test_a_file_that_is_not_there_or_not_text(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="No such file"):
        load_venue(tmp_path / "venue.toml")
    (tmp_path / "venue.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(BadInput, match="not UTF-8"):
        load_venue(tmp_path / "venue.toml")


def at(text: str) -> int:
    return int(datetime.fromisoformat(text).astimezone(UTC).timestamp() * 1000)


@pytest.mark.parametrize(
    ("zone", "when", "day"),
    [
        ("Asia/Singapore", "2026-11-16T05:59:59.999+08:00", "2026-11-15"),
        ("Asia/Singapore", "2026-11-16T06:00:00+08:00", "2026-11-16"),
        ("Asia/Singapore", "2026-11-15T22:00:00+00:00", "2026-11-16"),
        ("Asia/Singapore", "2027-01-01T00:00:00+08:00", "2026-12-31"),
        # The clocks go back at 03:00, and forward at 02:00: the day still begins when the wall says six.
        ("Europe/Berlin", "2026-10-25T05:30:00+01:00", "2026-10-24"),
        ("Europe/Berlin", "2026-10-25T06:00:00+01:00", "2026-10-25"),
        ("Europe/Berlin", "2026-03-29T05:59:00+02:00", "2026-03-28"),
        ("Europe/Berlin", "2026-03-29T06:00:00+02:00", "2026-03-29"),
    ],
)
def test_the_gaming_day(tmp_path: Path, zone: str, when: str, day: str) -> None:
    assert loaded(tmp_path, ("Asia/Singapore", zone)).gaming_day(at(when)) == day


def test_the_example_is_a_venue_of_several_games() -> None:
    venue = load_venue(Path(str(files("natural9.table.venue").joinpath("example.toml"))))
    games = {table.game.id for table in venue.tables.values()}
    assert {"rws-nc-insurance", "mbs-tiger", "mbs-super-six-nc"} < games
    assert {table.mode for table in venue.tables.values()} == set(Mode)
    assert {table.shoe for table in venue.tables.values()} == set(ShoeSource)
    assert any(table.layout.boxes for table in venue.tables.values())


@pytest.mark.parametrize(
    "key",
    [
        field.name
        for shape in vars(venue_file).values()
        if isinstance(shape, type) and issubclass(shape, msgspec.Struct) and shape.__module__ == venue_file.__name__
        for field in msgspec.structs.fields(shape)
    ],
)
def test_the_example_shows_every_key(key: str) -> None:
    example = files("natural9.table.venue").joinpath("example.toml").read_text(encoding="utf-8")
    assert re.search(rf"^(# )?{key} = |^(# )?\[+{key}\]+|[{{,] {key} = ", example, re.MULTILINE)


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    place=st.integers(0, len(VENUE)),
    length=st.integers(0, 30),
    put=st.text(max_size=4)
    | st.sampled_from(["[", "=", "'", '"', "1e30", "-1", "inf", "9" * 40, "\n", "{}", "[[table]]"]),
)
def test_no_edit_leads_to_anything_but_a_venue_or_one_named_mistake(
    tmp_path: Path, place: int, length: int, put: str
) -> None:
    path = tmp_path / "venue.toml"
    path.write_bytes((VENUE[:place] + put + VENUE[place + length :]).encode(errors="surrogatepass"))
    mistake = ""
    try:
        load_venue(path)
    except BadInput as error:
        mistake = error.message
    assert re.match(r"$|venue\.toml:\d+: .|/.*: not UTF-8", mistake), mistake


@pytest.mark.parametrize(
    ("cage", "complaint"),
    [
        ("ceiling = 0", "0 is no limit for cash: write more than 0"),
        ('ceiling = "much"', "'much' is not an amount of money"),
        ("second_signature = 200000", "nobody would ever sign: 200,000.00 is above the ceiling of 100,000.00"),
        ("ceilling = 5", "ceilling"),
    ],
)
def test_limits_of_cash_that_make_no_sense_are_named(tmp_path: Path, cage: str, complaint: str) -> None:
    path = tmp_path / "venue.toml"
    path.write_text(f"{VENUE}\n[cage]\n{cage}\n")
    with pytest.raises(BadInput, match=complaint):
        load_venue(path)


def test_a_venue_that_says_nothing_of_cash_has_a_ceiling_and_a_second_signature(tmp_path: Path) -> None:
    path = tmp_path / "venue.toml"
    path.write_text(VENUE)
    assert load_venue(path).cash == CashLimits(ceiling_cents=10_000_000, second_signature_cents=1_000_000)


def with_lobby(folder: Path, lobby: str, first: str = "seats = 20", second: str = "") -> Venue:
    return load_venue(written(folder, f"{VENUE.replace('seats = 20', first)}\n{second}\n[lobby]\n{lobby}\n"))


def test_a_terminal_stays_at_its_own_table_unless_the_venue_says_otherwise(tmp_path: Path) -> None:
    assert (loaded(tmp_path).lobby_tables, loaded(tmp_path).tables["one"].takes_visitors) == (1, False)
    venue = with_lobby(tmp_path, "side_by_side = 4")
    assert (venue.lobby_tables, [table.takes_visitors for table in venue.tables.values()]) == (4, [True, False])
    closed = with_lobby(tmp_path, "side_by_side = 4", "seats = 20\nvisitors = false")
    assert not closed.tables["one"].takes_visitors


@pytest.mark.parametrize(
    ("lobby", "seats", "second", "why"),
    [
        ("side_by_side = 0", 20, "", "a terminal plays at 1 to 4 tables at a time, its own among them, not 0"),
        ("side_by_side = 5", 20, "", "a terminal plays at 1 to 4 tables at a time, its own among them, not 5"),
        ("tables = 2", 20, "", "tables"),
        ("side_by_side = 2", 10_001, "", "a table that takes visitors has at most 10000 seats of its own, not 10001"),
        ("side_by_side = 2", 20, "visitors = true", "has a box for each of its own players: leave visitors out"),
    ],
)
def test_a_mistake_in_the_lobby_is_named(tmp_path: Path, lobby: str, seats: int, second: str, why: str) -> None:
    with pytest.raises(BadInput) as refused:
        with_lobby(tmp_path, lobby, f"seats = {seats}", second)
    assert why in str(refused.value)


def protected(folder: Path, lines: str) -> Protection | None:
    return load_venue(written(folder, f"{VENUE}\n[protection]\n{lines}\n")).tables["one"].protection


def test_players_are_protected_unless_the_venue_says_otherwise(tmp_path: Path) -> None:
    assert loaded(tmp_path).tables["one"].protection == Protection()
    assert protected(tmp_path, "on = false") is None
    protection = protected(
        tmp_path, 'reality_check = 30\ncooling_off = 48\ndefault_loss = 100\nmost_loss = "2,000.00"\nmost_time = 240'
    )
    assert protection == Protection(
        check_ms=30 * MINUTE_MS,
        cooling_off_ms=48 * HOUR_MS,
        default=PlayLimits(loss_cents=10_000),
        most=PlayLimits(time_ms=4 * HOUR_MS, loss_cents=200_000),
    )


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ("reality_check = -1", "reality_check is from 0 to 1440 minutes, not -1"),
        ("session_ends_after = 0", "session_ends_after is from 1 to 1440 minutes, not 0"),
        ("cooling_off = 200", "cooling_off is from 0 to 168 hours, not 200"),
        ("most_time = 0", "most_time is from 1 to 10080 minutes, not 0"),
        ("default_loss = 200\nmost_loss = 100", "default_loss is over most_loss: make it that much or less"),
        ("default_stake = 0", "default_stake is 0"),
        ('most_loss = "much"', "'much' is not an amount of money"),
        ("realty_check = 30", "realty_check"),
    ],
)
def test_a_mistake_in_the_protection_is_named(tmp_path: Path, lines: str, why: str) -> None:
    with pytest.raises(BadInput) as refused:
        protected(tmp_path, lines)
    assert why in str(refused.value)


def carded(folder: Path, lines: str) -> CardedPlay | None:
    return load_venue(written(folder, f"{VENUE}\n[players]\n{lines}\n")).players


def test_players_have_no_names_unless_the_venue_says_so(tmp_path: Path) -> None:
    assert loaded(tmp_path).players is None
    assert carded(tmp_path, "points_per_100 = 5") is None
    assert carded(tmp_path, "on = true") == CardedPlay(points_per_100=0)
    assert carded(tmp_path, "on = true\npoints_per_100 = 5") == CardedPlay(points_per_100=5)


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ("on = true\npoints_per_100 = -1", "points_per_100 is from 0 (no points) to 1000 points"),
        ("on = true\npoints_per_100 = 1001", "not 1001"),
        ("on = true\npoints_per_100 = 0.5", "points_per_100"),
        ("of = true", "of"),
    ],
)
def test_a_mistake_about_players_is_named(tmp_path: Path, lines: str, why: str) -> None:
    with pytest.raises(BadInput) as refused:
        carded(tmp_path, lines)
    assert why in str(refused.value)

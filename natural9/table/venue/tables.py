"""One table of the venue: as a value, and how it is read from its section of the venue file."""

import re
from dataclasses import dataclass
from typing import Final

from natural9.core.game import Game, Layout
from natural9.core.money import parse_cents
from natural9.core.round.burning import MOST_BURNT
from natural9.core.round.seats import MAX_SEAT
from natural9.core.round.state import Limit
from natural9.core.shoe import CARDS_IN_A_DECK
from natural9.games import load_game, load_pack
from natural9.games.citations import citation, cited
from natural9.games.source import Source
from natural9.table.devices.line import parse_address
from natural9.table.venue.file import Amount, Burn, Mode, ShoeSource, TableSection
from natural9.table.venue.limits import TableLimits, mistakes_in_limits, offered_wagers
from natural9.table.venue.protection import Protection

LONGEST_TIMER_S: Final = 3600
MOST_CARDS_A_ROUND: Final = 6
MOST_OWN_SEATS: Final = 10_000  # of a table that takes visitors: theirs are numbered from here on
# The key that each field of the limits is given by.
_KEYS: Final = {
    "betting_unit_cents": "betting_unit",
    "seat_min_cents": "seat_minimum",
    "seat_max_cents": "seat_maximum",
    "table_max_cents": "table_maximum",
}


@dataclass(frozen=True, kw_only=True)
class Timers:
    betting_s: float
    insurance_s: float  # 0 where the game has no insurance
    reveal_s: float  # between two cards
    result_s: float  # how long a result stays before the next opening
    mix_s: float = 5.0  # how long seats may take to reveal what they mix into a shoe
    squeeze_s: float = 0.0  # how long the cards lie for the players to turn; 0 where they lie open at once


@dataclass(frozen=True, kw_only=True)
class TableConfig:
    id: str
    title: str
    game: Game
    decks: int
    layout: Layout
    seats: int
    limits: TableLimits
    optional: frozenset[str] | None  # the optional wagers that are on; None means all
    mode: Mode
    shoe: ShoeSource
    timers: Timers
    cut_cards: int  # cards behind the cut card
    wait_for_players: bool
    reader: str  # "", "tcp:HOST:PORT" or "serial:/dev/..."
    joint_shoe: bool = False  # the seats mix the shuffler's order
    burn: Burn = Burn.NONE
    protection: Protection | None = None  # of its players; None where the venue has none
    takes_visitors: bool = False  # terminals of other tables may play here


def read_table(
    source: Source, at: str, section: TableSection, protection: Protection | None = None, *, has_lobby: bool = False
) -> TableConfig:
    """The table that stands at this place of the file."""
    if not re.fullmatch("[a-z0-9-]{1,20}", section.id):
        source.refuse(f"{at}.id", f"{section.id!r} cannot name a table: use 1 to 20 of a-z, 0-9 and -")
    if not section.title.isprintable():
        source.refuse(f"{at}.title", f"{section.title!r} cannot be printed, and screens show a table's title")
    game = source.parse(f"{at}.game", lambda text: _game(source, text), section.game)
    source.parse(f"{at}.decks", game.check_decks, section.decks)
    _check_mode(source, at, section, game)
    layout = _layout(source, at, section, game)
    optional = _optional(source, at, section, game)
    _check_shoe(source, at, section)
    return TableConfig(
        id=section.id,
        title=section.title.strip() or game.title,
        game=game,
        decks=section.decks,
        layout=layout,
        seats=_seats(source, at, section, layout),
        takes_visitors=has_lobby and _takes_visitors(source, at, section, layout),
        limits=_limits(source, at, section, game, offered_wagers(game, optional)),
        optional=optional,
        mode=section.mode,
        shoe=section.shoe,
        timers=_timers(source, at, section, game),
        cut_cards=section.cut_cards,
        wait_for_players=_wait_for_players(source, at, section),
        reader=section.reader,
        joint_shoe=section.joint_shoe,
        burn=section.burn,
        protection=protection,
    )


def _game(source: Source, text: str) -> Game:
    """An approved game, or a rule pack that lies beside the venue file."""
    is_pack = text.endswith(".toml") and text.isprintable()  # a name with a zero byte is not even a path
    return load_pack(source.path.parent / text) if is_pack else load_game(text)


def _check_mode(source: Source, at: str, section: TableSection, game: Game) -> None:
    if paragraph := game.document.dealer_announces if section.mode is Mode.AUTOMATIC else "":
        is_written = source.line_of(f"{at}.mode") != source.line_of(at)
        source.refuse(
            f"{at}.{'mode' if is_written else 'game'}",
            f"{game.id} cannot run by itself, since a dealer announces when betting opens and closes: "
            f'set mode = "dealer" ({citation(paragraph)})',
        )


def _layout(source: Source, at: str, section: TableSection, game: Game) -> Layout:
    layouts = {layout.id: layout for layout in game.layouts}
    if not section.layout and len(layouts) == 1:
        return game.layouts[0]
    if section.layout not in layouts:
        what = f"has no layout {section.layout!r}" if section.layout else "is played on several layouts: choose one"
        shown = f"{', '.join(layouts)} ({citation(game.layouts[0].paragraph)})"
        source.refuse(f"{at}.{'layout' if section.layout else 'id'}", f"{game.id} {what}; there are {shown}")
    return layouts[section.layout]


def _seats(source: Source, at: str, section: TableSection, layout: Layout) -> int:
    seats = layout.boxes if section.seats is None else section.seats
    if seats is None:
        source.refuse(at, f"say how many seats table {section.id} has: its layout shows no boxes to count")
    if layout.boxes is not None and seats != layout.boxes:
        why = f"the layout {layout.id} has {layout.boxes} betting boxes, one a player: {seats} seats do not fit"
        source.refuse(f"{at}.seats", cited(why, layout.paragraph))
    if not 1 <= seats <= MAX_SEAT:
        source.refuse(f"{at}.seats", f"a table has from 1 to {MAX_SEAT} seats, not {seats}")
    return seats


def _takes_visitors(source: Source, at: str, section: TableSection, layout: Layout) -> bool:
    """Unless it says otherwise, each table without boxes does."""
    if layout.boxes is not None and section.visitors:
        why = f"the layout {layout.id} has a box for each of its own players: leave visitors out"
        source.refuse(f"{at}.visitors", cited(why, layout.paragraph))
    takes = layout.boxes is None and section.visitors is not False
    if takes and (section.seats or 0) > MOST_OWN_SEATS:
        why = f"a table that takes visitors has at most {MOST_OWN_SEATS} seats of its own, not {section.seats}"
        source.refuse(f"{at}.seats", f"{why}: set visitors = false, or seats = {MOST_OWN_SEATS}")
    return takes


def _optional(source: Source, at: str, section: TableSection, game: Game) -> frozenset[str] | None:
    if section.optional is None:
        return None
    optional = [wager.id for wager in game.wagers if wager.optional]
    for wager in section.optional:
        if wager not in optional:
            source.refuse(
                f"{at}.optional",
                f"{wager!r} is not an optional wager of {game.id}: those are {', '.join(optional) or 'none'} "
                f"({game.document.procedure.choice_of_wagers})",
            )
    return frozenset(section.optional)


def _check_shoe(source: Source, at: str, section: TableSection) -> None:
    cards = section.decks * CARDS_IN_A_DECK
    burnt = MOST_BURNT if section.burn is not Burn.NONE else 0
    most = cards - MOST_CARDS_A_ROUND - burnt
    if not MOST_CARDS_A_ROUND <= section.cut_cards <= most:
        burns = f", and up to {burnt} are burnt" if burnt else ""
        source.refuse(
            f"{at}.cut_cards",
            f"{section.cut_cards} cards cannot lie behind the cut card: a round may need {MOST_CARDS_A_ROUND} cards, "
            f"before the cut card and after it{burns}, so give {MOST_CARDS_A_ROUND} to {most} of {cards}",
        )
    if section.joint_shoe and section.shoe is not ShoeSource.SHUFFLER:
        source.refuse(
            f"{at}.joint_shoe",
            'only the shuffler\'s order can be mixed, and these cards are real ones: set shoe = "shuffler", '
            "or leave joint_shoe out",
        )
    if section.reader:
        source.parse(f"{at}.reader", parse_address, section.reader)
        if section.shoe is ShoeSource.SHUFFLER:
            source.refuse(f"{at}.reader", 'the shuffler brings the cards, so nothing is read: set shoe = "read"')
    elif section.shoe is ShoeSource.READ and section.mode is Mode.AUTOMATIC:
        source.refuse(
            f"{at}.shoe",
            'an automatic table has nobody to type the cards: set reader, or mode = "dealer"',
        )


def _wait_for_players(source: Source, at: str, section: TableSection) -> bool:
    if section.mode is Mode.DEALER and section.wait_for_players is not None:
        source.refuse(
            f"{at}.wait_for_players",
            'only an automatic table waits for players: leave this out, or set mode = "automatic"',
        )
    return section.mode is Mode.AUTOMATIC and section.wait_for_players is not False


def _timers(source: Source, at: str, section: TableSection, game: Game) -> Timers:
    timers, where = section.timers, f"{at}.timers"
    if game.insurance and timers.insurance is None:
        source.refuse(
            where,
            f"{game.id} has insurance: add its timer, as in insurance = 12 ({citation(game.insurance.paragraph)})",
        )
    if game.insurance is None and timers.insurance is not None:
        source.refuse(f"{where}.insurance", f"{game.id} has no insurance: leave this timer out")
    for name in timers.__struct_fields__:
        seconds = getattr(timers, name)
        may_be_nothing = name in ("reveal", "result", "squeeze")
        if seconds is not None and not (0 < seconds <= LONGEST_TIMER_S or (may_be_nothing and seconds == 0)):
            least = "0" if may_be_nothing else "more than 0"
            source.refuse(
                f"{where}.{name}", f"the {name} timer runs from {least} to {LONGEST_TIMER_S} seconds, not {seconds}"
            )
    return Timers(
        betting_s=timers.betting,
        insurance_s=timers.insurance or 0.0,
        reveal_s=timers.reveal,
        result_s=timers.result,
        squeeze_s=timers.squeeze,
        mix_s=timers.mix,
    )


def _limits(source: Source, at: str, section: TableSection, game: Game, offered: tuple[str, ...]) -> TableLimits:
    def cents(key: str, amount: Amount) -> int:
        return source.parse(f"{at}.{key}", lambda text: parse_cents(str(text)), amount)

    def total(key: str, amount: Amount | None) -> int | None:
        return None if amount is None else cents(key, amount)

    unit = game.betting_unit_cents if section.betting_unit is None else cents("betting_unit", section.betting_unit)
    usual = Limit(
        min_cents=unit if section.minimum is None else cents("minimum", section.minimum),
        max_cents=cents("maximum", section.maximum),
    )
    by_wager, rows = dict.fromkeys(offered, usual), dict[str, str]()
    for row, limit in enumerate(section.limits):
        key = f"limits[{row}]"
        if limit.wager in rows:
            source.refuse(f"{at}.{key}", f"{limit.wager} has limits twice: give one row for it")
        rows[limit.wager] = key
        by_wager[limit.wager] = Limit(
            min_cents=usual.min_cents if limit.min is None else cents(key, limit.min),
            max_cents=usual.max_cents if limit.max is None else cents(key, limit.max),
        )
    limits = TableLimits(
        betting_unit_cents=unit,
        by_wager=by_wager,
        seat_min_cents=total("seat_minimum", section.seat_minimum) or 0,
        seat_max_cents=total("seat_maximum", section.seat_maximum),
        table_max_cents=total("table_maximum", section.table_maximum),
    )
    for what, mistake in mistakes_in_limits(game, limits, offered):
        source.refuse(f"{at}.{_KEYS.get(what) or rows.get(what, 'maximum')}", str(mistake), mistake.paragraph)
    return limits

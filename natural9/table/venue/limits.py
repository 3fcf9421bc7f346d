"""The limits of a table: its betting unit and limits, which may be changed between rounds."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from natural9.core.errors import BadInput
from natural9.core.game import Game
from natural9.core.money import MAX_CENTS, show_cents
from natural9.core.round.state import Limit
from natural9.core.saying import Said, name_of, say


@dataclass(frozen=True, kw_only=True)
class TableLimits:
    betting_unit_cents: int
    by_wager: Mapping[str, Limit]  # one for every wager on offer
    seat_min_cents: int = 0  # what a seat must stake in all to be in the round; 0 for nothing
    seat_max_cents: int | None = None
    table_max_cents: int | None = None


NO_LIMITS: Final = TableLimits(betting_unit_cents=1, by_wager={})  # until they are known


def offered_wagers(game: Game, optional: frozenset[str] | None) -> tuple[str, ...]:
    """The wagers that are on when these optional ones are; None means all."""
    return tuple(wager.id for wager in game.wagers if not wager.optional or optional is None or wager.id in optional)


def check_limits(game: Game, limits: TableLimits, offered: Collection[str]) -> None:
    """Refuse limits under which the table could not be played: when the venue is loaded, and at every change."""
    for _, mistake in mistakes_in_limits(game, limits, offered):
        raise mistake


def mistakes_in_limits(game: Game, limits: TableLimits, offered: Collection[str]) -> Iterator[tuple[str, BadInput]]:
    """Each mistake with the name of what it is in: a wager, or a field of `TableLimits`. What was found sound once is
    not looked at again: every round asks."""
    totals = limits.seat_min_cents, limits.seat_max_cents, limits.table_max_cents
    terms = limits.betting_unit_cents, *totals, *limits.by_wager.items(), *offered
    if terms in game.sound_terms:
        return
    is_sound = True
    for mistake in _mistakes(game, limits, offered):
        is_sound = False
        yield mistake
    if is_sound:
        game.sound_terms.add(terms)


def _mistakes(game: Game, limits: TableLimits, offered: Collection[str]) -> Iterator[tuple[str, BadInput]]:
    try:
        game.check_betting_unit(limits.betting_unit_cents)
    except BadInput as error:
        yield "betting_unit_cents", error
        return  # everything else is counted in units
    paragraph = game.document.procedure.limits
    for wager in limits.by_wager:
        if wager not in offered:
            why = say(
                "{wager} is not on offer at this table: it offers {offered}", wager=repr(wager), offered=tuple(offered)
            )
            yield wager, BadInput("wager-not-offered", why, game.document.procedure.choice_of_wagers)
    for wager in offered:
        if bad := _bad_limit(name_of(wager), limits.by_wager.get(wager), limits.betting_unit_cents):
            yield wager, BadInput("bad-limits", bad, paragraph)
    for field, bad in _bad_totals(limits):
        yield field, BadInput("bad-limits", bad, paragraph)


def _bad_limit(wager: Said, limit: Limit | None, unit_cents: int) -> Said | None:
    if limit is None:
        return say("{wager} is on offer but has no limits: give it a minimum and a maximum", wager=wager)
    limits = say("limits of {limits} on {wager}", limits=limit.words, wager=wager)
    if not 0 < limit.min_cents <= limit.max_cents:
        return say("{limits} allow no bet: the minimum must be more than 0 and at most the maximum", limits=limits)
    if limit.min_cents % unit_cents or limit.max_cents % unit_cents:
        unit = show_cents(unit_cents)
        return say("{limits} are not whole multiples of the betting unit {unit}", limits=limits, unit=unit)
    if limit.max_cents > MAX_CENTS:
        return say("{limits} are more than any table takes, {most}", limits=limits, most=show_cents(MAX_CENTS))
    return None


def _bad_totals(limits: TableLimits) -> Iterator[tuple[str, Said]]:
    """What is wrong with the totals for a seat and for the table, each under its field's name."""
    bets = [
        (limit.min_cents, say("the minimum on {wager}", wager=name_of(wager)))
        for wager, limit in limits.by_wager.items()
    ]
    floor_cents, floor = max([*bets, (limits.seat_min_cents, say("the minimum for a seat"))])
    totals = [
        ("seat_min_cents", say("the minimum for a seat"), limits.seat_min_cents, 0),
        ("seat_max_cents", say("the maximum for a seat"), limits.seat_max_cents, floor_cents),
        ("table_max_cents", say("the maximum for the table"), limits.table_max_cents, floor_cents),
    ]
    for field, name, cents, least in totals:
        if cents is None:
            continue
        what = say("{total}, {amount},", total=name, amount=show_cents(cents))
        if not 0 <= cents <= MAX_CENTS:
            most = show_cents(MAX_CENTS)
            yield (
                field,
                say("{what} is not between 0.00 and {most}, the most that any table takes", what=what, most=most),
            )
        elif cents % limits.betting_unit_cents:
            unit = show_cents(limits.betting_unit_cents)
            yield field, say("{what} is not a whole multiple of the betting unit {unit}", what=what, unit=unit)
        elif cents < least:
            lowest = show_cents(floor_cents)
            under = say(
                "{what} is under {floor}, {least}: nobody could bet that little", what=what, floor=floor, least=lowest
            )
            yield field, under

"""The history of a round as the journal keeps it, and the round folded from it again."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from typing import Final, cast

from natural9.core.errors import BadInput
from natural9.core.events import Event
from natural9.core.game import Game
from natural9.core.round import RoundState
from natural9.core.round import events as round_events
from natural9.core.round.events import OfRound, RoundEvent
from natural9.core.round.evolve import evolve
from natural9.core.saying import say
from natural9.journal.card_events import PlayCounted
from natural9.journal.labels import later_label, round_label
from natural9.journal.line import read_line
from natural9.journal.session_events import SessionStarted
from natural9.journal.table_events import DebtLeft
from natural9.store.contract import Store, Written
from natural9.table.state.player_cards import CountedRound, counted_sums

PAGE: Final = 5000
# What is noted as soon as money has moved, in the middle of a decision, too.
_NOTED: Final = (PlayCounted.TAG, DebtLeft.TAG, SessionStarted.TAG)
# What is done about a round after the next has opened.
LATER: Final = (round_events.EarlierCardsCorrected, round_events.EarlierSeatSettled, round_events.BetRuled)


async def history_of(store: Store, table: str, number: int) -> list[Written]:
    """Every entry of the table from the opening of this round to before that of the next."""
    opened = await store.labelled(round_label(table, number), limit=1)
    if not opened:
        last = await last_round(store, table)
        known = say("the last one is {last}", last=last) if last else say("none was ever dealt there")
        none = say("table {table} has no round {round}: {known}", table=repr(table), round=number, known=known)
        raise BadInput("no-such-round", none)
    history = [opened[0]]
    following = await store.labelled(round_label(table, number + 1), limit=1)
    end = following[0].seq if following else None  # else a short round would cost a whole page
    while page := await store.entries(after=history[-1].seq, before=end, stream=f"table/{table}", limit=PAGE):
        for written in page:
            if written.kind == round_events.BettingOpened.TAG:
                return history
            history.append(written)
    return history


async def later_history_of(store: Store, table: str, number: int, *, before: int | None = None) -> list[Written]:
    """What was done about this round after the next had opened, oldest first; `before`: up to this entry."""
    history = []
    for first in await _taken_up(store, table, number, before=before):
        followed = await _followed(store, table, number, first)
        history += [first, *(one for one in followed if one.kind not in _NOTED)]
    return history


async def _taken_up(store: Store, table: str, number: int, *, before: int | None) -> list[Written]:
    """The first entry of each decision about this round after the next had opened, oldest first."""
    taken_up: list[Written] = []
    while page := await store.labelled(later_label(table, number), before=taken_up[-1].seq if taken_up else before):
        taken_up += page
    return taken_up[::-1]


async def _followed(store: Store, table: str, number: int, first: Written) -> list[Written]:
    """The entries of one decision about an earlier round, after the one that names it, and what was noted with them."""
    found: list[Written] = []
    after = first.seq
    while page := await store.entries(after=after, stream=f"table/{table}", limit=PAGE):
        for written in page:
            event = read_line(written).event
            if written.kind not in _NOTED and (not isinstance(event, LATER) or event.round != number):
                return found
            found.append(written)
        after = page[-1].seq
    return found


async def last_round(store: Store, table: str) -> int:
    """The number of the last round that was opened, 0 before the first: rounds are numbered without gaps."""
    high = 1
    while await store.labelled(round_label(table, high), limit=1):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        if await store.labelled(round_label(table, middle), limit=1):
            low = middle
        else:
            high = middle
    return low


async def earlier_round(
    store: Store, table: str, number: int, game: Game | None, *, before: int | None = None
) -> RoundState | None:
    """A concluded round as it stands by now (or stood before an entry), with its rules if they are these; None if there
    was none."""
    try:
        history = await history_of(store, table, number)
    except BadInput:
        return None
    whole = [*history, *await later_history_of(store, table, number, before=before)]
    return await asyncio.to_thread(folded, whole, game)  # a long one would keep every table waiting


async def earlier_counted(
    store: Store, table: str, number: int, *, before: int | None = None
) -> dict[int, CountedRound]:
    """What a round was counted as for players with names, by seat, all later corrections included."""
    try:
        history = await history_of(store, table, number)
    except BadInput:
        return {}
    for first in await _taken_up(store, table, number, before=before):
        history += await _followed(store, table, number, first)
    counted = [read_line(one).event for one in history if one.kind == PlayCounted.TAG]
    return counted_sums([one for one in counted if isinstance(one, PlayCounted) and one.of_round == number])


def folded(history: Sequence[Written], game: Game | None) -> RoundState:
    opened = read_line(history[0]).event
    assert isinstance(opened, round_events.BettingOpened), "a round's history begins with its opening"
    state = RoundState(game if game and game.sha256 == opened.rules_sha256 else None)
    paid: dict[tuple[int, str], int] = {}
    for written in history:
        event = read_line(written).event
        if isinstance(event, OfRound) and is_about(event, opened.round):
            state = evolve(state, cast(RoundEvent, event))
            if isinstance(event, round_events.SeatSettled | round_events.EarlierSeatSettled):
                paid |= _paid(event)
    return state if state.rules else state._replace(paid=paid)


def _paid(event: round_events.SeatSettled | round_events.EarlierSeatSettled) -> dict[tuple[int, str], int]:
    """What each bet of a seat returned, by the settlement itself: its rules may be here no more."""
    paid: Counter[tuple[int, str]] = Counter()
    for line in (*event.lines, *event.insurance):
        paid[event.seat, line.wager] += line.returned_cents
    return dict(paid)


def is_about(event: Event, number: int) -> bool:
    """Whether it is of this round's story: another one may have been taken up while it was played."""
    return not isinstance(event, LATER) or event.round == number

"""A round checked on its own: every step of it derived again by the rules that it was played under.

What lies outside the round (the shoe before it, the money of others) is the whole journal's matter: `verify`.
"""

from collections.abc import Callable, Sequence
from typing import Final, cast

from natural9.core.cards import Card
from natural9.core.errors import BadInput
from natural9.core.game import Game
from natural9.core.round import RoundState
from natural9.core.round import events as round_events
from natural9.core.round.events import OfRound, RoundEvent
from natural9.core.round.evolve import evolve
from natural9.core.shoe import CARDS_IN_A_DECK, Shoe
from natural9.journal.line import read_line
from natural9.store.chain import GENESIS, follows
from natural9.store.contract import Store, Written
from natural9.table.audit.derive import Decision
from natural9.table.audit.history import PAGE

# What a shoe holds is no part of one round's history, so any card may come.
BOTTOMLESS: Final = Shoe(10**6, (10**6,) * CARDS_IN_A_DECK)


def check_steps(history: Sequence[Written], load_game: Callable[[str], Game]) -> str:
    """What does not follow in this round; nothing if all of it does."""
    opened = read_line(history[0]).event
    assert isinstance(opened, round_events.BettingOpened), "a round's history begins with its opening"
    try:
        game = load_game(opened.game)
    except BadInput as error:
        return f"this program does not have its rules: {error}"
    if game.sha256 != opened.rules_sha256:
        return f"its rules were {opened.rules_sha256[:16]}, and {game.id} is now {game.sha256[:16]}"
    state = RoundState(
        game,
        offered=tuple(opened.offered),
        shoe_number=opened.shoe,
        shoe=BOTTOMLESS,
        held=tuple(Card.parse(card) for card in opened.held),
        from_old_set=opened.from_old_set,
        number=opened.round - 1,
    )
    decision = Decision()
    for written in history:
        line = read_line(written)
        if not isinstance(line.event, OfRound):
            continue
        if isinstance(line.event, round_events.ShoeReplaced) and decision.due:
            decision.due.popleft()  # how many decks there were is not known from one round
        elif not isinstance(line.event, round_events.ShoeLoaded) and (wrong := decision.wrong(state, line)):
            return f"entry {written.seq} says {wrong[0]}; it should say {wrong[1]}"
        state = evolve(state, cast(RoundEvent, line.event))
    return ""


async def check_chain(store: Store, stream: str, first: int, last: int) -> str:
    """Whether a stream's chain holds from the entry with this place in the journal to that one."""
    after, previous = first - 1, None
    while after < last and (page := await store.entries(after=after, before=last + 1, stream=stream, limit=PAGE)):
        for written in page:
            if previous is None:
                previous = await hash_before(store, written)
            if not follows(previous, written):
                return f"entry {written.seq}: its hash does not follow from entry {written.number - 1} of {stream}"
            previous = written.hash
        after = page[-1].seq
    return "" if after >= last else f"entry {last} is missing"


async def hash_before(store: Store, written: Written) -> bytes:
    """Of the entry before this one in its stream."""
    before = await store.entry(written.stream, written.number - 1)
    return before.hash if before else GENESIS

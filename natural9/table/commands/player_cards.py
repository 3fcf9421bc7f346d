"""A player's card at a terminal: in, out, and barred. A card never leaves money or a bet of its player behind."""

from natural9.core.events import Event
from natural9.core.round import Refusal
from natural9.core.saying import say
from natural9.journal import card_events
from natural9.journal.card_events import PlayerPlay
from natural9.table.commands import terminal
from natural9.table.commands.refusals import TableCode
from natural9.table.state.player_cards import DAY_MS, PlayerCard
from natural9.table.state.sessions import has_money, net_cents, session_ended, stakes_cents
from natural9.table.state.state import TableState

Decision = list[Event] | Refusal


def card_in(
    state: TableState, seat: int, tap: terminal.CardIn, play: PlayerPlay | Refusal | None, table_ms: int
) -> Decision:
    """Credit that lies there already is the player's from now on."""
    at_seat = state.terminal(seat)
    if at_seat.card:
        return Refusal(TableCode.CARD_IS_IN, say("A card is in this terminal already: take it out first"))
    if isinstance(play, Refusal):
        return play
    if stakes_cents(state, seat):
        lie = say("Bets lie at this seat: card in when the round is over")
        return Refusal(TableCode.BETS_LIE, lie)
    session = at_seat.session
    if session and session.has_own_limits:
        kept = say("Limits or a break were set at this seat without a card, and hold: card in at another terminal")
        return Refusal(TableCode.SESSION_GOES_ON, kept)
    brought = play_of_this_day(play or PlayerPlay(), table_ms)
    before: list[Event] = [session_ended(state, seat, session, table_ms)] if session else []
    carded_in = card_events.PlayerCardedIn(
        seat=seat, player=tap.player, table_ms=table_ms, play=brought, points_per_100=tap.points_per_100
    )
    return [*before, carded_in]


def play_of_this_day(play: PlayerPlay, table_ms: int) -> PlayerPlay:
    """What was played and lost counts until a day is over, at whatever terminals."""
    if play.since_ms and table_ms - play.since_ms < DAY_MS:
        return play
    return _replaced(play, since_ms=max(1, table_ms), played_ms=0, lost_cents=0)


def card_out(state: TableState, seat: int, table_ms: int) -> Decision:
    if state.terminal(seat).card is None:
        return _no_card()
    if stakes_cents(state, seat):
        lie = say("Your bets are on the table: take your card out when the round is over")
        return Refusal(TableCode.BETS_LIE, lie)
    if has_money(state, seat):
        first = say("You still have credit: collect it, and your card comes out with it")
        return Refusal(TableCode.COLLECT_FIRST, first)
    return carded_out(state, seat, "key", table_ms)


def with_the_money(state: TableState, seat: int, decided: Decision, cents: int | None, table_ms: int) -> Decision:
    """Whoever collects all of it goes: the card comes out, too."""
    at_seat = state.terminal(seat)
    all_of_it = cents in (None, at_seat.credit_cents)
    if isinstance(decided, Refusal) or at_seat.card is None or not all_of_it or stakes_cents(state, seat):
        return decided
    return [*decided, *carded_out(state, seat, "collected", table_ms)]


def bar(state: TableState, seat: int, tap: terminal.BarCard, table_ms: int) -> Decision:
    """The player was excluded, or the account closed: the card comes out; while money is there, no bet is taken."""
    card = state.terminal(seat).card
    if card is None or card.player != tap.player or card.is_barred:
        return _no_card()
    if has_money(state, seat):
        return [card_events.PlayerBarred(seat=seat, player=card.player)]
    return carded_out(state, seat, "barred", table_ms)


def is_barred() -> Refusal:
    why = say("You may not play on: please collect your credit and speak to our staff")
    return Refusal(TableCode.BARRED, why)


def carded_out(state: TableState, seat: int, how: str, table_ms: int) -> list[Event]:
    at_seat = state.terminal(seat)
    card, session = at_seat.card, at_seat.session
    assert card is not None, f"no card is in at seat {seat}"
    out = card_events.PlayerCardedOut(
        seat=seat, player=card.player, table_ms=table_ms, how=how, play=play_after(state, seat, card, table_ms)
    )
    return [session_ended(state, seat, session, table_ms), out] if session else [out]


def play_after(state: TableState, seat: int, card: PlayerCard, table_ms: int) -> PlayerPlay:
    """What the player takes along: what was won elsewhere before gives no room to lose more here."""
    session, play = state.terminal(seat).session, card.play
    if session is None:
        return play
    if play.own or session.has_set_limits:
        play = _replaced(
            play,
            own=True,
            time_ms=session.time_ms,
            loss_cents=session.loss_cents,
            stake_cents=session.stake_cents,
            waiting=dict(session.waiting),
        )
    return _replaced(
        play,
        break_until_ms=session.break_until_ms,
        played_ms=play.played_ms + session.played_ms(table_ms),
        lost_cents=max(0, play.lost_cents - net_cents(state, seat, session)),
    )


def _replaced(play: PlayerPlay, **changes: object) -> PlayerPlay:
    values = {name: getattr(play, name) for name in PlayerPlay.__struct_fields__}
    return PlayerPlay(**{**values, **changes})


def _no_card() -> Refusal:
    return Refusal(TableCode.NO_CARD, say("There is no card in this terminal"))

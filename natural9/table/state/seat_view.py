"""What one seat sees besides what everybody does: its own bets and credit, and nobody else's."""

from collections.abc import Mapping

from natural9.core.outcome import Winner
from natural9.core.resulting_net import resulting_net
from natural9.core.round import RoundState
from natural9.core.round.seats import Seat
from natural9.core.round.state import Phase
from natural9.core.settlement import InsuranceLine, Line
from natural9.core.table_of_play import Hand
from natural9.table.commands.betting import may_insure
from natural9.table.commands.mixing import to_reveal
from natural9.table.state.player_cards import PlayerCardView, seat_sees_card
from natural9.table.state.sessions import SessionView, seat_sees_session
from natural9.table.state.state import TableState
from natural9.table.state.view import InsuredView, View, insured_by, rows_insured


class NetView(View, frozen=True):
    """What the seat ends with by each winner that is still possible, all that lies together. There are several, the
    least first, where a main bet pays by how the hand wins. `left_out` are side bets that are still open."""

    by_winner: dict[Winner, tuple[int, ...]]
    left_out: tuple[str, ...]


class SeatView(View, frozen=True):
    seat: int
    credit_cents: int
    round: int
    bets: Mapping[str, int]
    insurance: tuple[InsuredView, ...]
    staked_cents: int
    may_insure: dict[Hand, int]
    net: NetView | None  # while insurance is open
    lines: tuple[Line, ...]
    insurance_lines: tuple[InsuranceLine, ...]
    returned_cents: int | None  # what settlement or a void brought back, once there was one
    can_undo: bool
    last_bets: Mapping[str, int]
    locked: str
    owed_cents: int
    vouchers: int  # so many it has printed
    card: PlayerCardView | None  # of a player with a name
    session: SessionView | None  # of the player who sits here
    nonce: str  # the commitment to what it mixes into the next shoe; "" where there is none
    to_reveal: str  # the commitment that it is asked to reveal now; "" where it is not
    calls: bool  # for an attendant
    call_taken: bool  # and somebody is on the way


def _net(now: RoundState, at_seat: Seat) -> NetView:
    ends = resulting_net(now.game, now.ranks, at_seat.bets, rows_insured(now, at_seat.insurance))
    return NetView(by_winner=ends.by_winner, left_out=ends.left_out)


def one_seat_sees(state: TableState, seat: int) -> SeatView:
    terminal, now = state.terminal(seat), state.round
    at_seat, settled, call = now.seats[seat], terminal.settled, terminal.call
    staked_cents, is_insuring = at_seat.staked_cents, now.window_open
    return SeatView(
        seat=seat,
        credit_cents=terminal.credit_cents,
        round=now.number,
        bets=at_seat.bets,
        insurance=insured_by(at_seat) if at_seat.insurance else (),
        staked_cents=staked_cents,
        may_insure=may_insure(state, seat) if is_insuring else {},
        net=_net(now, at_seat) if is_insuring else None,
        lines=settled.lines if settled else (),
        insurance_lines=settled.insurance if settled else (),
        returned_cents=settled.returned_cents if settled else (terminal.returned_cents if state.voided else None),
        can_undo=bool(terminal.changes) and now.phase is Phase.BETTING_OPEN,
        last_bets=terminal.last_bets,
        locked=terminal.locked,
        owed_cents=terminal.owed_cents,
        vouchers=terminal.vouchers,
        card=seat_sees_card(terminal.card) if terminal.card else None,
        session=seat_sees_session(state, terminal, staked_cents) if terminal.session else None,
        nonce=terminal.nonce.commitment if terminal.nonce else "",
        to_reveal=to_reveal(state, seat) if state.mix else "",
        calls=call is not None,
        call_taken=bool(call and call.taken_by),
    )

"""What everybody may see of a table, what one seat sees besides, and what the console sees: pure functions.

Nothing here ever shows an undealt card, and nothing that goes to a seat shows another seat's credit.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

import msgspec

from natural9.core.cards import Rank
from natural9.core.exposure import worst_loss_cents
from natural9.core.insurance import InsuranceRow, Window
from natural9.core.irregularities import Kind, Remedy
from natural9.core.outcome import Winner
from natural9.core.resulting_net import resulting_net
from natural9.core.round import RoundState, what_next
from natural9.core.round.commands import PlaceBet
from natural9.core.round.decide import may
from natural9.core.round.events import SeatSettled
from natural9.core.round.insuring import insurable
from natural9.core.round.remedies import Names, names
from natural9.core.round.reporting import allowed
from natural9.core.round.seats import InsuranceBet, Seat
from natural9.core.round.state import DEALING, Limit, NewShoe, Pending, Phase
from natural9.core.settlement import InsuranceLine, Line
from natural9.core.table_of_play import INITIAL_DEAL, Hand, hand_of, is_natural, total
from natural9.journal import table_events
from natural9.journal.sentence import Sentence
from natural9.table.commands import squeezing
from natural9.table.commands.automatic import closes_at_ms
from natural9.table.commands.betting import may_insure
from natural9.table.commands.console import IN_A_FAULT, may_open_round, no_card_can_be_named, void_by
from natural9.table.commands.decide import takes_no_bets
from natural9.table.commands.mixing import mixes_at_ms, not_mixed, open_mix, to_reveal
from natural9.table.state.console_parts import (
    CorrectionView,
    ReportableKind,
    ReportedView,
    earlier_may_be_corrected,
    is_early,
    places,
    ranks_taken,
    table_commands,
    what_may_be_corrected,
    what_may_be_reported,
    what_was_reported,
    which_card_is_due,
)
from natural9.table.state.player_cards import PlayerCardView, seat_sees_card
from natural9.table.state.sessions import SessionView, seat_sees_session
from natural9.table.state.shoe_mix import next_shoe
from natural9.table.state.state import RoundResult, Status, TableState
from natural9.table.state.visits import SeatPlace

MOST_SEATS_SHOWN: Final = 400  # on one console
_AT_HOME: Final = SeatPlace("", 0)


class View(msgspec.Struct, frozen=True, kw_only=True):
    pass


class DealtCard(View, frozen=True):
    card: str
    hand: Hand
    total: int  # of its hand, with this card and those before it


class SqueezeView(View, frozen=True):
    """The cards lie for the players to turn. All are open to all by `ends_at_ms`; None while the first are dealt."""

    opened: int  # so many, of the first dealt, are already
    ends_at_ms: int | None


class Offer(View, frozen=True):
    hand: Hand
    odds: str
    wins_if: str
    paragraph: str
    net_cents: dict[Winner, int]  # what each betting unit of it brings, by who wins


class RemedyView(View, frozen=True):
    remedy: Remedy
    paragraph: str
    names: Names  # the cards that a decision for it may name


class Waiting(View, frozen=True):
    """An irregularity that waits for a decision, and whose."""

    report: int  # its number in the round
    kind: Kind
    rank: str
    remedies: tuple[RemedyView, ...]
    may_replace_shoe: str


class Voided(View, frozen=True):
    """`kind` is the irregularity that a clause voided it for; `why` what the person wrote who voided it."""

    kind: Kind | None
    why: str
    clause: str
    paragraph: str


class Shown(View, frozen=True):
    """A result, with the wagers that it paid."""

    round: int
    winner: Winner
    player_total: int
    banker_total: int
    natural: bool
    player_pair: bool
    banker_pair: bool
    won: tuple[str, ...]
    rows: dict[str, int]  # the place of the pay row that decides each wager that does not lose


class BurntView(View, frozen=True):
    """The first cards of a shoe, burnt: the one that was shown ("" until it is), how many face down, and how many of
    those a device has not read yet."""

    card: str
    face_down: int
    to_come: int


class MixView(View, frozen=True):
    """The seats mix the shoes of this table. `ends_at_ms`: when those who were listed must have revealed; None while
    nothing is revealed."""

    next_shoe: int  # that a seat can commit to now
    shoe: int | None  # that is being mixed
    listed: int  # of its seats
    revealed: int
    ends_at_ms: int | None


class ShoeView(View, frozen=True):
    """A shuffler's order is promised by `commitment`; `next_` is that of a shoe loaded already."""

    number: int
    cards_left: int
    cut_card: bool
    commitment: str
    next_commitment: str
    burnt: BurntView | None
    next_burnt: BurntView | None
    mix: MixView | None  # None where the house alone shuffles


class TableView(View, frozen=True):
    table: str
    title: str
    game: str
    status: Status
    why: str
    faults: dict[str, Sentence]
    phase: Phase
    in_play: bool  # a round is open: bets lie, or cards do
    takes_bets: bool
    round: int
    shoe: ShoeView
    cards: tuple[DealtCard, ...]
    squeeze: SqueezeView | None  # None where all that lies is open
    player_total: int | None
    banker_total: int | None
    naturals: tuple[Hand, ...]
    due: Hand | None
    draws: Hand | None  # who gets the next card, also while insurance comes before it
    closes_at_ms: int | None
    window: Window | None
    window_open: bool
    waived: bool
    interrupted_ms: int | None  # how long the table was away in this round, if it was
    offers: tuple[Offer, ...]
    result: Shown | None
    voided: Voided | None
    waiting: tuple[Waiting, ...]
    laid: dict[str, int]
    boxes: dict[int, dict[str, int]]  # each box's bets and insurance, where the layout shows them to all
    results: tuple[str, ...]  # this shoe's rounds: winner, both totals, then n for natural, p and b for pairs
    tallies: dict[str, int]
    betting_unit_cents: int
    limits: Mapping[str, Limit]
    seat_min_cents: int
    seat_max_cents: int | None
    table_max_cents: int | None


class InsuredView(View, frozen=True):
    window: Window
    hand: Hand
    cents: int


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


class CallView(View, frozen=True):
    """A seat calls an attendant since `at_ms`, by the venue's time; `taken_by` is who goes there, "" for nobody yet."""

    seat: int
    at_ms: int
    taken_by: str


class AlarmView(View, frozen=True):
    """A fault, or an irregularity that waits for a decision, since `at_ms`, by the venue's time; `taken_by` is who sees
    to it, "" for nobody yet."""

    alarm: str  # what it is taken by
    at_ms: int
    taken_by: str
    fault: Sentence | None
    kind: Kind | None  # of the irregularity
    rank: str  # who decides it


class ConsoleSeat(View, frozen=True):
    seat: int
    home_table: str  # where a visitor comes from; "" at an own seat
    home_seat: int
    bets: dict[str, int]
    insurance: tuple[InsuredView, ...]
    withdrawn: dict[str, int]  # taken back since betting opened, and not laid again
    staked_cents: int
    may_insure: dict[Hand, int]  # under the cap; whether the credit allows it is not the console's to see
    paid: dict[str, int] | None  # what settlement brought for each bet and insurance, stake included
    locked: str


class ConsoleView(View, frozen=True):
    """What the dealer is told: what may be done, where the next card goes, who has bet what."""

    dealer: str  # who is signed on; "" for nobody
    commands: tuple[str, ...]
    table_commands: tuple[str, ...]  # open, pause, resume, close, change its limits
    ranks: dict[str, str]  # that a command takes now, where the round asks for one
    due: Hand | None
    due_card: int | None  # the first, second or third of that hand
    shows: Winner | None  # what the cards show once no card is due
    reports: tuple[ReportableKind, ...]
    correction: CorrectionView | None  # None where nothing can be corrected
    earlier: bool  # the cards of an earlier round may be corrected
    places: tuple[Hand | None, ...]  # whose card lies at each place that may be named; None: the cards decide it
    held: tuple[str, ...]
    reported: tuple[ReportedView, ...]  # what is known of each irregularity that waits
    new_shoe: Sentence | None  # why no round opens on the cards at the table
    early_shoe: bool  # other cards now would come before the cut card: a pit supervisor's decision, with a reason
    seats: tuple[ConsoleSeat, ...]
    seats_with_bets: int
    calls: tuple[CallView, ...]  # for an attendant; the oldest first
    staked_cents: int
    worst_cents: int  # what the house would lose at most on the bets that lie


_LETTER: Final = {Winner.BANKER: "B", Winner.PLAYER: "P", Winner.TIE: "T"}


def everybody_sees(state: TableState) -> TableView:
    now, config, limits = state.round, state.config, state.limits
    player, banker = _totals(state)
    return TableView(
        table=config.id,
        title=config.title,
        game=config.game.id,
        status=state.status,
        why=state.why,
        faults={fault: Sentence.of(detail) for fault, detail in state.faults.items()},
        phase=now.phase,
        in_play=state.in_play,
        takes_bets=takes_no_bets(state) is None and may(now, PlaceBet) is None,
        round=now.number,
        shoe=ShoeView(
            number=now.shoe_number,
            cards_left=now.cards_left,
            cut_card=now.cut_card_out,
            commitment=state.commitment,
            next_commitment=state.next_commitment,
            burnt=BurntView(card=str(now.burnt), face_down=now.burnt_face_down, to_come=0) if now.burnt else None,
            next_burnt=_next_burnt(now.new_shoe),
            mix=_mix(state),
        ),
        cards=_cards(now),
        squeeze=_squeeze(state),
        player_total=player,
        banker_total=banker,
        naturals=_naturals(state),
        due=_due(state),
        draws=now.due if state.in_play else None,
        closes_at_ms=closes_at_ms(state),
        window=now.window,
        window_open=now.window_open,
        waived=now.waived is not None,
        interrupted_ms=state.interruption.away_ms if state.interruption else None,
        offers=tuple(
            [
                Offer(
                    hand=row.hand,
                    odds=row.odds.text,
                    wins_if=row.wins_if,
                    paragraph=row.paragraph,
                    net_cents={winner: row.net_cents(winner, limits.betting_unit_cents) for winner in Winner},
                )
                for row in now.offers
            ]
        ),
        result=_result(state),
        voided=_voided(state),
        waiting=_waiting(state),
        laid=dict(state.laid),
        boxes=_boxes(state),
        results=tuple([short_result(result) for result in state.results]),
        tallies=_tallies(state),
        betting_unit_cents=limits.betting_unit_cents,
        limits=limits.by_wager,
        seat_min_cents=limits.seat_min_cents,
        seat_max_cents=limits.seat_max_cents,
        table_max_cents=limits.table_max_cents,
    )


def _mix(state: TableState) -> MixView | None:
    mix = open_mix(state)
    if mix is None and not state.config.joint_shoe:
        return None
    return MixView(
        next_shoe=next_shoe(state),
        shoe=mix.shoe if mix else None,
        listed=len(mix.listed) if mix else 0,
        revealed=len(mix.revealed) if mix else 0,
        ends_at_ms=mixes_at_ms(state),
    )


def _next_burnt(new: NewShoe | None) -> BurntView | None:
    if new is None or not new.burns:
        return None
    return BurntView(card=str(new.burnt or ""), face_down=new.face_down, to_come=new.to_come)


def _due(state: TableState) -> Hand | None:
    return state.round.due if state.round.phase in DEALING else None


def _naturals(state: TableState) -> tuple[Hand, ...]:
    """The hands that hold a natural, once both have their first two cards."""
    ranks = state.round.ranks
    if len(ranks) != len(INITIAL_DEAL):
        return ()
    firsts = {hand: total([rank for rank, at in zip(ranks, INITIAL_DEAL, strict=True) if at is hand]) for hand in Hand}
    return tuple([hand for hand, points in firsts.items() if is_natural(points)])


def _cards(now: RoundState) -> tuple[DealtCard, ...]:
    ranks, by_hand, dealt = now.ranks, {hand: list[Rank]() for hand in Hand}, []
    for place, card in enumerate(now.cards):
        hand = hand_of(ranks, place)
        by_hand[hand].append(card.rank)
        dealt.append(DealtCard(card=str(card), hand=hand, total=total(by_hand[hand])))
    return tuple(dealt)


def _squeeze(state: TableState) -> SqueezeView | None:
    if not squeezing.lies_face_down(state):
        return None
    return SqueezeView(opened=state.opened, ends_at_ms=squeezing.ends_at_ms(state))


def _totals(state: TableState) -> tuple[int | None, int | None]:
    ranks = state.round.ranks
    by_hand = {hand: [rank for place, rank in enumerate(ranks) if hand_of(ranks, place) is hand] for hand in Hand}
    player, banker = (total(by_hand[hand]) if by_hand[hand] else None for hand in (Hand.PLAYER, Hand.BANKER))
    return player, banker


@lru_cache(maxsize=4096)  # a shoe's results are shown with every news
def short_result(result: RoundResult) -> str:
    marks = ("n" if result.natural else "") + ("p" if result.player_pair else "") + ("b" if result.banker_pair else "")
    return f"{_LETTER[result.winner]}{result.player_total}{result.banker_total}{marks}"


def _tallies(state: TableState) -> dict[str, int]:
    """How often each side won, naturals came, and each wager of the game was paid in this shoe."""
    tally = dict.fromkeys(state.round.offered, 0)
    natural = 0
    for result in state.results:
        for won in result.won:
            tally[won] = tally.get(won, 0) + 1
        natural += result.natural
    return {**tally, "natural": natural} if state.results else tally


def _result(state: TableState) -> Shown | None:
    now = state.round
    if now.outcome is None or not now.declared or now.phase not in (Phase.COMPLETE, Phase.SETTLED):
        return None
    wagers = [(wager, wager.row_for(now.outcome)) for wager in now.wagers]
    rows = {wager.id: wager.rows.index(row) for wager, row in wagers if row}
    return Shown(**state.result()._asdict(), rows=rows)


def _voided(state: TableState) -> Voided | None:
    void = state.voided
    return Voided(kind=void.kind, why=void.why, clause=void.clause, paragraph=void.paragraph) if void else None


def _waiting(state: TableState) -> tuple[Waiting, ...]:
    return tuple([_one_waiting(state, pending) for pending in state.round.pending])


def _one_waiting(state: TableState, pending: Pending) -> Waiting:
    may, unnamed = allowed(state.round, pending), no_card_can_be_named(state)
    return Waiting(
        report=pending.report,
        kind=pending.kind,
        rank=may.rank.tag,
        remedies=tuple(
            [
                RemedyView(
                    remedy=remedy,
                    paragraph=paragraph,
                    names=Names.NOTHING if unnamed else names(pending, remedy),
                )
                for remedy, paragraph in may.remedies
            ]
        ),
        may_replace_shoe=may.may_replace_shoe,
    )


def _boxes(state: TableState) -> dict[int, dict[str, int]]:
    """At a table with boxes everybody sees everybody's chips."""
    if state.config.layout.boxes is None:
        return {}
    return {seat: _chips(at_seat) for seat, at_seat in state.round.seats.items()}


def _chips(at_seat: Seat) -> dict[str, int]:
    """What lies on each spot of a box: both windows insure on the same one, as "banker-insurance"."""
    chips = dict(at_seat.bets)
    for bet in at_seat.insurance:
        spot = f"{bet.hand}-insurance"
        chips[spot] = chips.get(spot, 0) + bet.cents
    return chips


def _insured(at_seat: Seat) -> tuple[InsuredView, ...]:
    return tuple([InsuredView(window=bet.window, hand=bet.hand, cents=bet.cents) for bet in at_seat.insurance])


def _net(now: RoundState, at_seat: Seat) -> NetView:
    ends = resulting_net(now.game, now.ranks, at_seat.bets, _rows_insured(now, at_seat.insurance))
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
        insurance=_insured(at_seat) if at_seat.insurance else (),
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


def console_sees(state: TableState) -> ConsoleView:
    now = state.round
    following = what_next(now)
    seats = list(now.seats.everybody())
    # The round alone would allow these; the table around it does not.
    not_now = {word for word, stops in (("open-betting", may_open_round(state)), ("new-shoe", now.new_shoe)) if stops}
    if no_card_can_be_named(state):
        not_now |= {"correct-card", "correct-result", "cut-card"}  # the table itself notices the shuffler's cut card
        if not_mixed(state) or (now.new_shoe and now.new_shoe.burnt):
            not_now |= {"burn"}  # and knows the burnt card better than anybody could correct it
    if state.faults:
        not_now |= {shape.TAG for shape in following.commands if shape not in IN_A_FAULT}
    return ConsoleView(
        dealer=state.dealer,
        commands=tuple([shape.TAG for shape in following.commands if shape.TAG and shape.TAG not in not_now]),
        table_commands=table_commands(state),
        ranks=ranks_taken(state),
        due=_due(state),
        due_card=which_card_is_due(state, _due(state)),
        shows=now.outcome.winner if now.outcome and state.in_play else None,
        reports=what_may_be_reported(state),
        correction=what_may_be_corrected(state),
        earlier=earlier_may_be_corrected(state),
        places=places(state),
        held=tuple([str(card) for card in now.held]),
        reported=what_was_reported(state),
        new_shoe=Sentence.of(void_by(state.shoe_required[0])) if state.shoe_required and not now.new_shoe else None,
        early_shoe=is_early(state),
        seats=tuple(
            [
                ConsoleSeat(
                    seat=seat,
                    home_table=(home := state.home_of(seat) or _AT_HOME).table,
                    home_seat=home.seat,
                    bets=dict(at_seat.bets),
                    insurance=_insured(at_seat),
                    withdrawn=dict(at_seat.withdrawn),
                    staked_cents=at_seat.staked_cents,
                    may_insure=insurable(now, seat),
                    paid=_paid(state.terminal(seat).settled),
                    locked=state.terminal(seat).locked,
                )
                for seat, at_seat in seats[:MOST_SEATS_SHOWN]
            ]
        ),
        seats_with_bets=len([seat for seat, at_seat in seats if at_seat.bets or at_seat.insurance]),
        calls=calls_that_stand(state),
        staked_cents=now.staked_cents,
        worst_cents=worst_loss(state),
    )


def _paid(settled: SeatSettled | None) -> dict[str, int] | None:
    if settled is None:
        return None
    paid: Counter[str] = Counter()
    for line in (*settled.lines, *settled.insurance):
        paid[line.wager] += line.returned_cents
    return dict(paid)


def calls_that_stand(state: TableState) -> tuple[CallView, ...]:
    return tuple(
        [CallView(seat=seat, at_ms=call.at_ms, taken_by=call.taken_by) for seat, call in state.calls().items()]
    )


def alarms_that_stand(state: TableState) -> tuple[AlarmView, ...]:
    """The oldest first."""
    found = [
        AlarmView(alarm=fault, **state.alarms[fault]._asdict(), fault=Sentence.of(detail), kind=None, rank="")
        for fault, detail in state.faults.items()
    ]
    for one in state.round.pending:
        alarm = table_events.report_alarm(one.report)
        rank = allowed(state.round, one).rank.tag
        found.append(AlarmView(alarm=alarm, **state.alarms[alarm]._asdict(), fault=None, kind=one.kind, rank=rank))
    return tuple(sorted(found, key=lambda one: one.at_ms))


def worst_loss(state: TableState) -> int:
    """The most that the house can still lose on all that lies, insurance included, over all ways the round can end."""
    now = state.round
    return worst_loss_cents(now.game, now.ranks, state.laid, _all_insured(now)) if state.in_play else 0


def _all_insured(now: RoundState) -> dict[InsuranceRow, int]:
    """What lies on each row of the insurance, all seats together; what is no longer on offer goes back."""
    return _rows_insured(now, [bet for _, at_seat in now.seats.items() for bet in at_seat.insurance])


def _rows_insured(now: RoundState, insured: Iterable[InsuranceBet]) -> dict[InsuranceRow, int]:
    if now.game.insurance is None:
        return {}
    taken: Counter[tuple[Window, Hand]] = Counter()
    for window, hand, cents in insured:
        taken[window, hand] += cents
    rows = {asked: now.game.insurance.offer(asked[0], now.ranks, asked[1]) for asked in taken}
    return {row: taken[asked] for asked, row in rows.items() if row}

"""What everybody may see of a table: a pure function of its state, and what the other views share with it.

No view ever shows an undealt card, and nothing that goes to a seat shows another seat's credit.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

import msgspec

from natural9.core.cards import Rank
from natural9.core.insurance import InsuranceRow, Window
from natural9.core.irregularities import Kind, Remedy
from natural9.core.outcome import Winner
from natural9.core.round import RoundState
from natural9.core.round.commands import PlaceBet
from natural9.core.round.decide import may
from natural9.core.round.remedies import Names, names
from natural9.core.round.reporting import allowed
from natural9.core.round.seats import InsuranceBet, Seat
from natural9.core.round.state import DEALING, Limit, NewShoe, Pending, Phase
from natural9.core.table_of_play import INITIAL_DEAL, Hand, hand_of, is_natural, total
from natural9.journal.sentence import Sentence
from natural9.table.commands import squeezing
from natural9.table.commands.automatic import closes_at_ms
from natural9.table.commands.console import no_card_can_be_named
from natural9.table.commands.decide import takes_no_bets
from natural9.table.commands.mixing import mixes_at_ms, open_mix
from natural9.table.state.shoe_mix import next_shoe
from natural9.table.state.state import RoundResult, Status, TableState


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
        due=hand_due(state),
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


def hand_due(state: TableState) -> Hand | None:
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


def insured_by(at_seat: Seat) -> tuple[InsuredView, ...]:
    return tuple([InsuredView(window=bet.window, hand=bet.hand, cents=bet.cents) for bet in at_seat.insurance])


def rows_insured(now: RoundState, insured: Iterable[InsuranceBet]) -> dict[InsuranceRow, int]:
    if now.game.insurance is None:
        return {}
    taken: Counter[tuple[Window, Hand]] = Counter()
    for window, hand, cents in insured:
        taken[window, hand] += cents
    rows = {asked: now.game.insurance.offer(asked[0], now.ranks, asked[1]) for asked in taken}
    return {row: taken[asked] for asked, row in rows.items() if row}

"""The table as it stands when betting opens, kept beside the journal: recovery folds only what came after.

At that moment the new round holds nothing, and an earlier one is read from the journal whenever it is asked for: so the
snapshot is small, and the tail behind it is never more than one round.
"""

from collections.abc import Mapping
from typing import Final

import msgspec

from natural9.core.cards import Card
from natural9.core.errors import BadInput
from natural9.core.irregularities import Kind
from natural9.core.outcome import Winner
from natural9.core.round import RoundState
from natural9.core.round.state import Limit, Phase
from natural9.core.saying import Said
from natural9.core.shoe import CARDS_IN_A_DECK, Shoe
from natural9.journal.sentence import decode_said, encode_said
from natural9.table.state.player_cards import PlayerCard
from natural9.table.state.sessions import PlayerSession
from natural9.table.state.shoe_mix import SeatNonce
from natural9.table.state.state import Alarm, Call, RoundResult, Status, TableSettings, TableState
from natural9.table.state.visits import SeatPlace
from natural9.table.venue.venue import TableLimits

VERSION: Final = 9  # of the shape below: change both together, and the journal is folded once more from its start


class TerminalSnapshot(msgspec.Struct, omit_defaults=True, array_like=True):
    seat: int
    credit_cents: int = 0
    owed_cents: int = 0
    locked: str = ""
    vouchers: int = 0
    last_bets: Mapping[str, int] = {}
    session: PlayerSession | None = None
    call: Call | None = None
    card: PlayerCard | None = None
    sent: int = 0
    away_cents: int = 0
    home: SeatPlace | None = None
    brought_cents: int = 0
    visit_staked_cents: int = 0
    visit_rounds: int = 0
    nonce: SeatNonce | None = None


class Snapshot(msgspec.Struct):
    v: int
    settings: TableSettings | None
    game: str
    rules_sha256: str
    status: Status
    why: str
    dealer: str
    limits: TableLimits
    file_limits: TableLimits
    terminals: list[TerminalSnapshot]
    offered: list[str]
    shoe_number: int
    decks: int | None
    counts: list[int]
    burnt: str
    burnt_face_down: int
    held: list[str]
    from_old_set: int
    number: int
    phase: Phase
    unit_cents: int
    round_limits: dict[str, Limit]
    boxes: int | None
    commitment: str
    next_commitment: str
    shoe_required: tuple[Kind, str] | None
    results: list[tuple[int, Winner, int, int, bool, bool, bool, list[str]]]
    faults: dict[str, Said]
    alarms: dict[str, Alarm]
    table_ms: int
    sessions: int


_encode = msgspec.json.Encoder(enc_hook=encode_said).encode
_decoder = msgspec.json.Decoder(Snapshot, dec_hook=decode_said)


def take(state: TableState) -> bytes:
    now = state.round
    assert not list(now.seats.items()), "a snapshot is taken while no bet lies"
    assert not now.cards, "a snapshot is taken while no card lies"
    assert not now.new_shoe, "a shoe that was loaded is in use once betting opens"
    assert state.mix is None, "a shoe that is in use was mixed before"
    return _encode(
        Snapshot(
            v=VERSION,
            settings=state.settings,
            game=state.game,
            rules_sha256=state.rules_sha256,
            status=state.status,
            why=state.why,
            dealer=state.dealer,
            limits=state.limits,
            file_limits=state.file_limits,
            terminals=[
                TerminalSnapshot(
                    seat,
                    one.credit_cents,
                    one.owed_cents,
                    one.locked,
                    one.vouchers,
                    one.last_bets,
                    one.session,
                    one.call,
                    one.card,
                    one.sent,
                    one.away_cents,
                    one.home,
                    one.brought_cents,
                    one.visit_staked_cents,
                    one.visit_rounds,
                    one.nonce,
                )
                for seat, one in state.terminals.items()
            ],
            offered=list(now.offered),
            shoe_number=now.shoe_number,
            decks=now.shoe.decks if now.shoe else None,
            counts=list(now.shoe.counts) if now.shoe else [],
            burnt=str(now.burnt or ""),
            burnt_face_down=now.burnt_face_down,
            held=[str(card) for card in now.held],
            from_old_set=now.from_old_set,
            number=now.number,
            phase=now.phase,
            unit_cents=now.betting_unit_cents,
            round_limits=dict(now.limits),
            boxes=now.boxes,
            commitment=state.commitment,
            next_commitment=state.next_commitment,
            shoe_required=state.shoe_required,
            results=[(*result[:7], list(result.won)) for result in state.results],
            faults=state.faults,
            alarms=state.alarms,
            table_ms=state.table_ms,
            sessions=state.sessions,
        )
    )


def restore(table: str, stored: bytes) -> TableState | None:
    """The table as it was kept; None if that is of another version or cannot be read."""
    try:
        if msgspec.json.decode(stored, type=_Version).v != VERSION:
            return None
        kept = _decoder.decode(stored)
        now = _round(kept)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, BadInput):
        return None
    if kept.decks and not _can_be(kept.decks, kept.counts):
        return None
    state = TableState(table, now, kept.limits, kept.file_limits, game=kept.game)
    state.rules_sha256, state.status, state.why = kept.rules_sha256, kept.status, kept.why
    state.dealer, state.settings = kept.dealer, kept.settings
    for one in kept.terminals:
        terminal = state.terminal(one.seat)
        terminal.credit_cents, terminal.owed_cents, terminal.locked = one.credit_cents, one.owed_cents, one.locked
        terminal.vouchers, terminal.last_bets, terminal.session = one.vouchers, one.last_bets, one.session
        terminal.call, terminal.card = one.call, one.card
        terminal.sent, terminal.away_cents = one.sent, one.away_cents
        terminal.home, terminal.brought_cents = one.home, one.brought_cents
        terminal.visit_staked_cents, terminal.visit_rounds = one.visit_staked_cents, one.visit_rounds
        terminal.nonce = one.nonce
        if one.home:
            state.visitors[one.home] = one.seat
    state.table_ms, state.sessions = kept.table_ms, kept.sessions
    state.playing = {one.seat for one in kept.terminals if one.session or one.card}
    state.commitment, state.next_commitment = kept.commitment, kept.next_commitment
    state.shoe_required, state.faults, state.alarms = kept.shoe_required, kept.faults, kept.alarms
    state.results = [RoundResult(*result[:7], tuple(result[7])) for result in kept.results]
    return state


def _can_be(decks: int, counts: list[int]) -> bool:
    return len(counts) == CARDS_IN_A_DECK and all(0 <= count <= decks for count in counts)


class _Version(msgspec.Struct):
    v: int


def _round(kept: Snapshot) -> RoundState:
    return RoundState(
        offered=tuple(kept.offered),
        shoe_number=kept.shoe_number,
        shoe=Shoe(kept.decks, tuple(kept.counts)) if kept.decks else None,
        burnt=Card.parse(kept.burnt) if kept.burnt else None,
        burnt_face_down=kept.burnt_face_down,
        from_old_set=kept.from_old_set,
        held=tuple(Card.parse(card) for card in kept.held),
        number=kept.number,
        phase=kept.phase,
        betting_unit_cents=kept.unit_cents,
        limits=kept.round_limits,
        boxes=kept.boxes,
    )

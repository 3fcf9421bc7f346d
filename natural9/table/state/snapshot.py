"""The table as it stands when betting opens, kept beside the journal: recovery folds only what came after.

At that moment the round before can no longer be corrected and the new one holds nothing, so the snapshot is small and
the tail behind it is never more than one round.
"""

import msgspec

from natural9.core.cards import Card
from natural9.core.outcome import Winner
from natural9.core.round import RoundState
from natural9.core.round.state import Limit, NewShoe, Phase
from natural9.core.shoe import Shoe
from natural9.table.state.state import RoundResult, Status, TableState
from natural9.table.venue.venue import TableConfig, TableLimits


class TerminalSnapshot(msgspec.Struct, omit_defaults=True, array_like=True):
    seat: int
    credit_cents: int = 0
    owed_cents: int = 0
    locked: str = ""
    vouchers: int = 0
    last_bets: dict[str, int] = {}


class Snapshot(msgspec.Struct):
    v: int
    game: str
    status: Status
    why: str
    limits: TableLimits
    file_limits: TableLimits
    terminals: list[TerminalSnapshot]
    offered: list[str]
    shoe_number: int
    decks: int | None
    counts: list[int]
    held: list[str]
    from_old_set: int
    number: int
    phase: Phase
    unit_cents: int
    round_limits: dict[str, Limit]
    boxes: int | None
    new_shoe: tuple[int, int, list[str]] | None
    commitment: str
    next_commitment: str
    shoe_required: tuple[str, str] | None
    results: list[tuple[int, Winner, int, int, bool, bool, bool, list[str]]]
    faults: dict[str, str]
    since_ms: int


_decoder = msgspec.json.Decoder(Snapshot)


def take(state: TableState) -> bytes:
    now = state.round
    assert not list(now.seats.items()), "a snapshot is taken while no bet lies"
    assert not now.cards, "a snapshot is taken while no card lies"
    return msgspec.json.encode(
        Snapshot(
            v=1,
            game=state.config.game.id,
            status=state.status,
            why=state.why,
            limits=state.limits,
            file_limits=state.file_limits,
            terminals=[
                TerminalSnapshot(seat, one.credit_cents, one.owed_cents, one.locked, one.vouchers, dict(one.last_bets))
                for seat, one in state.terminals.items()
            ],
            offered=list(now.offered),
            shoe_number=now.shoe_number,
            decks=now.shoe.decks if now.shoe else None,
            counts=list(now.shoe.counts) if now.shoe else [],
            held=[str(card) for card in now.held],
            from_old_set=now.from_old_set,
            number=now.number,
            phase=now.phase,
            unit_cents=now.betting_unit_cents,
            round_limits=dict(now.limits),
            boxes=now.boxes,
            new_shoe=(now.new_shoe.number, now.new_shoe.decks, list(now.new_shoe.offered)) if now.new_shoe else None,
            commitment=state.commitment,
            next_commitment=state.next_commitment,
            shoe_required=state.shoe_required,
            results=[(*result[:7], list(result.won)) for result in state.results],
            faults=state.faults,
            since_ms=state.since_ms,
        )
    )


def restore(config: TableConfig, stored: bytes) -> TableState:
    kept = _decoder.decode(stored)
    state = TableState.new(config)
    state.status, state.why = kept.status, kept.why
    state.limits, state.file_limits = kept.limits, kept.file_limits
    for one in kept.terminals:
        terminal = state.terminal(one.seat)
        terminal.credit_cents, terminal.owed_cents, terminal.locked = one.credit_cents, one.owed_cents, one.locked
        terminal.vouchers, terminal.last_bets = one.vouchers, one.last_bets
    state.round = _round(config, kept)
    state.commitment, state.next_commitment = kept.commitment, kept.next_commitment
    state.shoe_required, state.faults, state.since_ms = kept.shoe_required, kept.faults, kept.since_ms
    state.results = [RoundResult(*result[:7], tuple(result[7])) for result in kept.results]
    return state


def _round(config: TableConfig, kept: Snapshot) -> RoundState:
    return RoundState(
        game=config.game,
        new_shoe=NewShoe(kept.new_shoe[0], kept.new_shoe[1], tuple(kept.new_shoe[2])) if kept.new_shoe else None,
        offered={wager: config.game.wager(wager) for wager in kept.offered},
        shoe_number=kept.shoe_number,
        shoe=Shoe(kept.decks, tuple(kept.counts)) if kept.decks else None,
        from_old_set=kept.from_old_set,
        held=tuple(Card.parse(card) for card in kept.held),
        number=kept.number,
        phase=kept.phase,
        betting_unit_cents=kept.unit_cents,
        limits=kept.round_limits,
        boxes=kept.boxes,
    )

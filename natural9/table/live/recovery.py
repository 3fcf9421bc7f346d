"""From the journal back to the table: the last snapshot, and every event after it. There is no second way.

What is found is held against what the ledger says; a difference is corruption, is named, and stops play.
"""

import logging
from collections.abc import Mapping
from typing import Final

import msgspec

from natural9.core.errors import BadInput
from natural9.core.round import RoundState
from natural9.core.round.events import BettingOpened
from natural9.core.round.state import Phase
from natural9.core.shoe import CARDS_IN_A_DECK
from natural9.journal.accounts import credit_account, owed_account, stake_account
from natural9.journal.labels import round_label
from natural9.journal.line import JournalLine, OriginKind, read_line
from natural9.store.contract import Corrupt, Store, Written
from natural9.table.commands.cage import VOUCHER, Voucher, Vouchers
from natural9.table.live.answers import Answers, told_in
from natural9.table.state.evolve import evolve
from natural9.table.state.postings import transfers
from natural9.table.state.snapshot import restore
from natural9.table.state.state import RetiredShoe, TableState
from natural9.table.venue.file import ShoeSource
from natural9.table.venue.tables import MOST_OWN_SEATS, TableConfig

PAGE: Final = 5000
_log: Final = logging.getLogger(__name__)


async def outstanding_vouchers(store: Store) -> list[Voucher]:
    stored = await store.documents(VOUCHER)
    return [msgspec.json.decode(voucher, type=Voucher) for voucher in stored.values()]


async def open_vouchers(store: Store, keys: Mapping[str, bytes]) -> Vouchers:
    return Vouchers(keys, {voucher.number: voucher for voucher in await outstanding_vouchers(store)})


async def recover(store: Store, config: TableConfig, vouchers: Vouchers) -> tuple[TableState, Answers]:
    """The table as it was when the last entry became durable, and what its senders were answered in this round."""
    stored = await store.document(f"table/{config.id}")
    state, after = await _from_snapshot(store, config.id, stored) if stored else (TableState.new(config), 0)
    answers = await _answers_before(store, state, after, vouchers)
    answers.next_round()
    answers.let_go()
    while tail := await store.entries(after=after, stream=f"table/{config.id}", limit=PAGE):
        for written in tail:
            _replay(state, written, vouchers, answers)
        after = tail[-1].seq
    await _check_money(store, state)
    return _under(config, state), answers


async def _from_snapshot(store: Store, table: str, stored: bytes) -> tuple[TableState, int]:
    """The state at the last opening, and the entry that it stands behind."""
    state = restore(table, stored)
    if state is None:
        _log.warning("table %s: its snapshot is of another version or damaged; folding its whole journal", table)
        return TableState(table), 0
    opened = await store.labelled(round_label(table, state.round.number), limit=1)
    if not opened:
        raise Corrupt(f"the snapshot of table {table} is of round {state.round.number}, which was never opened")
    return state, opened[0].seq


async def _answers_before(store: Store, state: TableState, opened: int, vouchers: Vouchers) -> Answers:
    """What was answered in the round before: who was cut off at the opening may ask again for what it did not hear."""
    answers = Answers()
    before = await store.labelled(round_label(state.table, state.round.number - 1), limit=1)
    after = before[0].seq if before else 0
    while after < opened and (page := await store.entries(after=after, stream=f"table/{state.table}", limit=PAGE)):
        for written in page:
            if written.seq <= opened:
                _keep_answer(answers, written, _read(written), vouchers)
        after = page[-1].seq
    return answers


def _replay(state: TableState, written: Written, vouchers: Vouchers, answers: Answers) -> None:
    line = _read(written)
    moved = transfers(state, line.event)
    if moved != written.transfers:
        raise Corrupt(f"entry {written.seq}: the money it moved is not what its {written.kind} moves")
    evolve(state, line.event, moved, line.origin, written.at_ms)
    if isinstance(line.event, BettingOpened):
        answers.next_round()
        answers.let_go()
    _keep_answer(answers, written, line, vouchers)


def _read(written: Written) -> JournalLine:
    try:
        return read_line(written)
    except BadInput as error:
        raise Corrupt(str(error)) from None


def _keep_answer(answers: Answers, written: Written, line: JournalLine, vouchers: Vouchers) -> None:
    """Of a terminal: what staff asks is looked up in the journal alone."""
    if line.command is not None and line.origin.kind is OriginKind.TERMINAL:
        answers.of(line.origin.sender)[line.origin.request] = told_in(line, vouchers, written.number)


async def _check_money(store: Store, state: TableState) -> None:
    """Credit, debts and stakes as replayed are those of the ledger."""
    table = state.table
    stored = {**await store.balances(f"credit/{table}-"), **await store.balances(f"owed/{table}-")}
    # Another table's name may begin like this one's: table 1 has no terminal 1-2-5, table 1-2 has.
    balances = {account: cents for account, cents in stored.items() if account.count("-") == table.count("-") + 1}
    told = {credit_account(table, seat): terminal.credit_cents for seat, terminal in state.terminals.items()}
    told |= {owed_account(table, seat): -terminal.owed_cents for seat, terminal in state.terminals.items()}
    for account in sorted(balances.keys() | told.keys()):
        if balances.get(account, 0) != told.get(account, 0):
            cents = told.get(account, 0)
            raise Corrupt(f"{account} holds {balances.get(account, 0)} cents, and the journal says {cents}")
    staked = state.round.staked_cents if state.round.phase is not Phase.SETTLED else 0
    if await store.balance(stake_account(table)) != staked:
        held = await store.balance(stake_account(table))
        raise Corrupt(f"{stake_account(table)} holds {held} cents, and {staked} are at stake in the open round")


def _under(config: TableConfig, state: TableState) -> TableState:
    """The venue file may name another game by now, or the rules another hash: never for a round in play."""
    if state.in_play and (state.game, state.rules_sha256) != (config.game.id, config.game.sha256):
        raise BadInput(
            "rules-changed",
            f"table {config.id} has round {state.round.number} of {state.game} open under the rules "
            f"{state.rules_sha256[:12]}, and now {config.game.id} is {config.game.sha256[:12]}: start with "
            "the old rules, finish the round, then change them",
        )
    state.configured = config
    if state.in_play and state.is_of_another_source:
        was = ShoeSource.READ if config.shoe is ShoeSource.SHUFFLER else ShoeSource.SHUFFLER
        raise BadInput(
            "shoe-changed",
            f'table {config.id} has round {state.round.number} open, dealt with shoe = "{was}", and now it has '
            f'"{config.shoe}": start with the old one, finish the round, then change it',
        )
    if state.visitors and config.seats > MOST_OWN_SEATS:
        raise BadInput(
            "bad-seats",
            f"table {config.id} has seats from {MOST_OWN_SEATS + 1} on for visitors, and {config.seats} of its own: "
            f"set seats = {MOST_OWN_SEATS} at most",
        )
    if state.game not in ("", config.game.id):
        _retire_shoe(state)
        state.round = RoundState(config.game, shoe_number=state.round.shoe_number, number=state.round.number)
        state.commitment, state.next_commitment, state.mix = "", "", None
    else:
        if state.is_of_another_source or _waits_for_other_rules(state):
            _retire_shoe(state)
            state.round, state.next_commitment, state.mix = state.round._replace(new_shoe=None), "", None
        offered = tuple(wager for wager in state.round.offered if wager in config.game.wagers_by_id)
        state.round = state.round._replace(rules=config.game, offered=offered)
    if not state.has_a_shoe and state.file_limits != config.limits:  # what the pit changed stays until the file does
        state.limits = config.limits
    return state


def _waits_for_other_rules(state: TableState) -> bool:
    """A shoe that was loaded and not yet played is loaded again if the rules have no such wagers any more."""
    new = state.round.new_shoe
    return new is not None and any(wager not in state.config.game.wagers_by_id for wager in new.offered)


def _retire_shoe(state: TableState) -> None:
    """With a new shoe that waits, the one before it was revealed already."""
    now, new = state.round, state.round.new_shoe
    if new:
        burnt = 1 + new.face_down if new.burnt else 0
        state.retired = RetiredShoe(new.number, new.decks, state.next_commitment, burnt)
    elif now.shoe:
        out = now.shoe.decks * CARDS_IN_A_DECK - now.cards_left
        state.retired = RetiredShoe(now.shoe_number, now.shoe.decks, state.commitment, out)

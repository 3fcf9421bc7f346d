"""`natural9 verify`: whether a journal is what the rules and the cards make of it."""

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from natural9.cli.progress import progress_bar
from natural9.cli.records import VenueArgument, journal_of
from natural9.cli.shared import JsonOption, print_json
from natural9.core.errors import BadInput
from natural9.proof.signed_note import VerifierKey
from natural9.server.reports.examination import verify_records
from natural9.store.contract import StoreFailed
from natural9.table.audit.checkpoint_audit import NotedCheckpoint, parse_noted
from natural9.table.audit.findings import Verified


def verify(
    venue: VenueArgument,
    checkpoint: Annotated[
        str | None,
        typer.Option(
            "--checkpoint",
            metavar="CHECKPOINT",
            help="One noted earlier: a file, or 'SIZE ROOT'. The journal must go on from it.",
        ),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Fail also if the rules of a round are missing.")] = False,
    json: JsonOption = False,
) -> int:
    """Check a journal: its chain, its money and every settlement.

    It trusts nothing: it derives every line again from the cards and the rules, and compares every balance, meter,
    document and index with it, on every core. It works while the server runs. Exit 0: everything holds. Exit 1:
    something does not, and the first wrong line is named.

    Keep the checkpoint that it prints, or one from the server, in a safe place. With --checkpoint it finds even a
    journal that was rewritten from start to end.

    Example: natural9 verify my-venue
    """
    journal = journal_of(venue)
    noted = None if checkpoint is None else _noted(checkpoint)
    try:
        found = verify_records(venue, noted, progress=progress_bar("entries"))
    except StoreFailed as error:
        raise BadInput("store-failed", str(error)) from None
    holds = found.fault is None and not (strict and found.not_derived)
    if json:
        print_json({"holds": holds, "words": found.fault.words if found.fault else "", **msgspec.structs.asdict(found)})
    else:
        _show(journal, found)
    return 0 if holds else 1


def _noted(checkpoint: str) -> NotedCheckpoint:
    """Whoever asks for one to be compared must not be told that all holds where there was none."""
    path = Path(checkpoint)
    try:
        is_file = checkpoint.strip() != "" and path.is_file()
        text = path.read_text(encoding="utf-8") if is_file else checkpoint
    except (OSError, UnicodeDecodeError, ValueError):
        raise BadInput("bad-checkpoint", f"{path} cannot be read as a checkpoint") from None
    try:
        noted = parse_noted(text)
    except BadInput as error:
        found = f"{path}: " if is_file else f"there is no file {checkpoint[:80]!r}, and as a checkpoint: "
        raise BadInput(error.code, found + str(error.message)) from None
    if noted is None:
        where = f"{path} is empty" if is_file else "--checkpoint is empty"
        raise BadInput("bad-checkpoint", f"{where}: give a whole checkpoint, a file with one, or 'SIZE ROOT'")
    return noted


def _show(where: str, found: Verified) -> None:
    if found.fault:
        print(f"{where} does NOT hold. The first line that is wrong:")
        print(f"  {found.fault.words}")
        if found.entries:
            print(f"  ({found.entries:,} entries before it hold)")
        return
    chained = f"{found.entries:,} entries and {found.transfers:,} transfers"
    print(f"{where} holds: {chained}, each chained to the one before.")
    played = f"{found.bets:,} bets, {found.cards:,} cards"
    print(f"  {found.rounds:,} rounds at {found.tables:,} tables follow the rules: {played}")
    print(f"  {found.seats_settled:,} seats settled again from the cards, line by line, to the cent")
    print(f"  {found.shoes_revealed:,} shoes are as promised and as dealt")
    print(f"  {found.vouchers_outstanding:,} vouchers are outstanding")
    print(f"  {found.balances:,} balances and {found.meters:,} meters add up")
    print(f"  {found.documents:,} documents (staff, devices, vouchers, shoes, snapshots) are as they were written")
    print(f"  {found.index_rows:,} rows of indexes lead to what they should")
    print(f"  {found.checkpoints:,} checkpoints of it are signed with its own {_keys(found)}")
    if found.time_stamps:
        print(f"  {found.time_stamps:,} time stamps are of these checkpoints{_vouched(found)}")
    if found.noted_size is not None:
        print(f"  it goes on from the checkpoint given, of {found.noted_size:,} entries")
    if found.not_derived:
        print(f"  {found.not_derived:,} rounds are checked for chain and money only, because their rules are missing:")
        for one in found.not_derived_first:
            print(f"    table {one.table}, round {one.round}: {one.why}")
    for key in found.keys:
        print(f"Key: {key}, fingerprint {VerifierKey.parse(key).fingerprint}")
    print(f"Checkpoint: {found.entries} {found.root}")


def _vouched(found: Verified) -> str:
    if found.stamps_vouched_for is None:
        return "; there are no certificates of their authority to check them with"
    return ", and the certificates of their authority vouch for them"


def _keys(found: Verified) -> str:
    return "key" if len(found.keys) == 1 else f"{len(found.keys)} keys"

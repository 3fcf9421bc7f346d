"""`natural9 receipt`: whether a receipt proves its entry, by the receipt alone."""

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from natural9.cli.shared import JsonOption, print_json
from natural9.core.errors import BadInput
from natural9.journal.line import read_body
from natural9.proof.merkle import BadProof
from natural9.proof.signed_note import COSIGNATURE, ED25519, BadNote, VerifierKey
from natural9.store.receipt import BadReceipt, EntryReceipt, check_receipt, read_receipt


def receipt(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The receipt; - reads stdin.")],
    key: Annotated[
        str | None, typer.Option("--key", metavar="KEY", help="The house's public key, from its papers: NAME+ID+KEY.")
    ] = None,
    witness: Annotated[
        list[str] | None,
        typer.Option("--witness", metavar="KEY", help="A witness's public key: it must have cosigned."),
    ] = None,
    json: JsonOption = False,
) -> int:
    """Check a receipt: that its entry is in the journal.

    It needs no server: the receipt holds the entry's hash, its place in the tree and the signature under the
    checkpoint. Without --key it trusts the receipt's own key and prints it: compare it with the house's papers. Exit 1
    if the receipt does not hold.

    Example: natural9 receipt receipt-nc-1-482.json
    """
    shown = _read(file)
    house = None if key is None else _key(key, ED25519)
    witnesses = [_key(one, COSIGNATURE) for one in witness or []]
    try:
        holds = check_receipt(shown, house, witnesses)
        heard = [one.key for one in holds.cosigned]
        if silent := [one.name for one in witnesses if one not in heard]:
            raise BadNote(f"{silent[0]} has not cosigned its checkpoint")
    except (BadProof, BadNote) as error:
        if json:
            print_json({"holds": False, "why": str(error)})
        else:
            print(f"The receipt does not hold: {error}")
        return 1
    entry, says = shown.entry, _says(shown)
    if json:
        told = {"holds": True, "stream": entry.stream, "number": entry.number, "at_ms": entry.at_ms, "says": says}
        proved = {"entries": holds.head.size, "root": holds.head.root.hex(), "key": str(holds.key)}
        print_json({**told, **proved, "cosigned": [str(one) for one in heard]})
        return 0
    when = datetime.fromtimestamp(entry.at_ms / 1000, UTC)
    print(f"The receipt holds: {says}")
    print(f"  entry {entry.number} of {entry.stream}, {when:%Y-%m-%d %H:%M:%S} UTC")
    print(f"  in the checkpoint of {holds.head.size} entries, signed with the key {holds.key}")
    for cosigned in holds.cosigned:
        seen = datetime.fromtimestamp(cosigned.at_s, UTC)
        print(f"  cosigned by {cosigned.key.name}, {seen:%Y-%m-%d %H:%M:%S} UTC")
    if house is None:
        print("  Nothing shows whose key that is: compare it with the house's papers, or give theirs as --key")
    return 0


def _says(shown: EntryReceipt) -> str:
    """In words; an entry of a later program than this one is proved all the same."""
    try:
        return str(read_body(shown.entry.body.encode()).event.describe())
    except BadInput:
        return shown.entry.kind


def _read(file: str) -> EntryReceipt:
    try:
        content = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise BadInput("no-such-file", f"{file}: {why}") from None
    try:
        return read_receipt(content)
    except BadReceipt as error:
        raise BadInput("bad-receipt", f"{'stdin' if file == '-' else file}: {error}") from None


def _key(written: str, kind: int) -> VerifierKey:
    try:
        key = VerifierKey.parse(written)
    except BadNote as error:
        raise BadInput("bad-key", str(error)) from None
    if key.kind != kind:
        other = "a witness's key, not a house's" if kind == ED25519 else "a house's key, not a witness's"
        raise BadInput("bad-key", f"the key of {key.name} is {other}")
    return key

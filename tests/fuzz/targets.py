"""All that is fed."""

from typing import Final

from tests.fuzz.acceptor_lines import AcceptorLines
from tests.fuzz.between_nodes import Letters, NatsFrames, Parcels
from tests.fuzz.frames import WebSocketFrames
from tests.fuzz.http_requests import HttpRequests
from tests.fuzz.messages import VoucherCodes, WebSocketMessages
from tests.fuzz.notation import Notation, SettleLines
from tests.fuzz.proofs import MerkleProofs, Notes, Receipts, TimeStamps, WitnessAnswers
from tests.fuzz.reader_lines import ReaderLines
from tests.fuzz.records import Exports, JournalLines, KeptFiles
from tests.fuzz.target import Target
from tests.fuzz.toml_files import Documents, Packs, Venues

TARGETS: Final[dict[str, type[Target]]] = {
    one.name: one
    for one in (
        *(WebSocketFrames, WebSocketMessages, HttpRequests, VoucherCodes),
        *(
            Notation,
            SettleLines,
            ReaderLines,
            AcceptorLines,
            Venues,
            Packs,
            Documents,
            JournalLines,
            Exports,
            KeptFiles,
        ),
        *(Notes, Receipts, WitnessAnswers, MerkleProofs, TimeStamps, NatsFrames, Letters, Parcels),
    )
}


def shares(inputs: int, names: list[str]) -> dict[str, int]:
    """How many of so many inputs each of these gets."""
    whole = sum(TARGETS[name].share for name in names)
    found = {name: max(1, inputs * TARGETS[name].share // whole) for name in names}
    found[names[0]] += max(0, inputs - sum(found.values()))
    return found

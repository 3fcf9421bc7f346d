"""What others check a house by: what its checkpoints are called, and whose cosignatures it takes."""

from dataclasses import dataclass
from typing import Final

from natural9.core.errors import BadInput
from natural9.games.source import Source
from natural9.proof.signed_note import COSIGNATURE, BadNote, VerifierKey, is_key_name
from natural9.table.venue.file import ProofSection

MOST_WITNESSES: Final = 16


@dataclass(frozen=True, kw_only=True)
class ProofSettings:
    origin: str = ""  # "" leaves it to the first key: a name made from the venue's
    witnesses: tuple[VerifierKey, ...] = ()


NO_WITNESSES: Final = ProofSettings()


def read_proof(source: Source, section: ProofSection) -> ProofSettings:
    if section.origin and not is_key_name(section.origin):
        source.refuse(
            "$.proof.origin",
            f"{section.origin[:80]!r} is no name for checkpoints: write one such as tables.example/marina, "
            "up to 200 characters without a space or a plus",
        )
    if len(section.witnesses) > MOST_WITNESSES:
        source.refuse("$.proof.witnesses", f"{MOST_WITNESSES} witnesses at most, not {len(section.witnesses)}")
    witnesses = tuple(source.parse("$.proof.witnesses", _witness, text) for text in section.witnesses)
    named = [(key.name, key.key_id) for key in witnesses]
    if len(set(named)) < len(named):
        source.refuse("$.proof.witnesses", "a witness is there twice: name each once")
    return ProofSettings(origin=section.origin, witnesses=witnesses)


def _witness(text: str) -> VerifierKey:
    try:
        key = VerifierKey.parse(text)
    except BadNote as error:
        raise BadInput("bad-witness", f"{error}; write what `natural9 witness` printed") from None
    if key.kind != COSIGNATURE:
        raise BadInput("bad-witness", f"{key.name} is not a witness's key: write what `natural9 witness` printed")
    return key

"""What others check a house by: what its checkpoints are called, whose cosignatures it takes, and who stamps them."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from natural9.core.errors import BadInput
from natural9.games.source import Source
from natural9.proof.signed_note import COSIGNATURE, BadNote, VerifierKey, is_key_name
from natural9.proof.time_stamp import has_certificates
from natural9.table.venue.file import ProofSection

MOST_WITNESSES: Final = 16


@dataclass(frozen=True, kw_only=True)
class StampAuthority:
    """Who says when a gaming day was closed."""

    url: str
    certificates: bytes  # that vouch for its own, as the file has them
    path: Path  # the file


@dataclass(frozen=True, kw_only=True)
class ProofSettings:
    origin: str = ""  # "" leaves it to the first key: a name made from the venue's
    witnesses: tuple[VerifierKey, ...] = ()
    stamp_authority: StampAuthority | None = None


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
    return ProofSettings(origin=section.origin, witnesses=witnesses, stamp_authority=_stamp_authority(source, section))


def _stamp_authority(source: Source, section: ProofSection) -> StampAuthority | None:
    url, name = section.time_stamp_authority, section.time_stamp_certificates
    if bool(url) != bool(name):
        given, other = ("authority", "certificates") if url else ("certificates", "authority")
        source.refuse(f"$.proof.time_stamp_{given}", f"time_stamp_{given} is given without time_stamp_{other}")
    if not url:
        return None
    if not re.fullmatch(r"https?://[^/\s?#@]+(/[^\s#]*)?", url):
        what = f"{url[:80]!r} is no address of a time-stamp authority: write one such as https://stamps.example/tsa"
        source.refuse("$.proof.time_stamp_authority", what)
    path = source.path.parent / name
    if Path(name).name != name:  # a backup takes it along
        source.refuse("$.proof.time_stamp_certificates", f"{name!r} does not lie beside this file: write a mere name")
    try:
        certificates = path.read_bytes()
    except OSError as error:
        source.refuse("$.proof.time_stamp_certificates", f"{path} cannot be read: {error.strerror}")
    if not has_certificates(certificates):
        none = f"{path} has no certificates that can be read: each begins with -----BEGIN CERTIFICATE-----"
        source.refuse("$.proof.time_stamp_certificates", none)
    return StampAuthority(url=url, certificates=certificates, path=path)


def _witness(text: str) -> VerifierKey:
    try:
        key = VerifierKey.parse(text)
    except BadNote as error:
        raise BadInput("bad-witness", f"{error}; write what `natural9 witness` printed") from None
    if key.kind != COSIGNATURE:
        raise BadInput("bad-witness", f"{key.name} is not a witness's key: write what `natural9 witness` printed")
    return key

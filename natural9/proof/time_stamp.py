"""A time stamp (RFC 3161): an authority's signed word that something was there at a time.

What is kept is the authority's whole answer, so that `openssl ts -verify` reads it. Libraries are only loaded where a
stamp is asked for or checked: most commands never do.
"""

from datetime import UTC, datetime, timedelta
from enum import StrEnum
from hashlib import sha256
from typing import Final, NamedTuple

LONGEST_ANSWER: Final = 64 * 1024  # bytes: with a chain of certificates it has a few thousand
_SHA256: Final = "2.16.840.1.101.3.4.2.1"
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class StampTrouble(StrEnum):
    """What may be wrong with an answer."""

    NO_ANSWER = "it is no answer of a time-stamp authority"
    REFUSED = "the authority refused"
    OF_ANOTHER = "it is a stamp of something else"
    TO_ANOTHER = "it is the answer to another query"
    NOT_VOUCHED_FOR = "none of the certificates vouches for it"


class BadStamp(Exception):
    """`detail` is whose words it were: the authority's, or OpenSSL's."""

    def __init__(self, trouble: StampTrouble, detail: str = "") -> None:
        super().__init__(f"{trouble}{f' ({detail})' * bool(detail)}")
        self.trouble = trouble
        self.detail = detail


class StampQuery(NamedTuple):
    """What an authority is asked. It sees the hash alone, and answers with the same nonce."""

    nonce: int
    encoded: bytes


def stamp_query(data: bytes) -> StampQuery:
    from rfc3161_client import HashAlgorithm, TimestampRequestBuilder

    query = TimestampRequestBuilder(data, HashAlgorithm.SHA256, nonce=True, cert_req=True).build()
    assert query.nonce is not None
    return StampQuery(query.nonce, query.as_bytes())


def check_stamp(answer: bytes, data: bytes, *, certificates: bytes = b"", nonce: int | None = None) -> int:
    """When the authority says that the data was there, in milliseconds since 1970; else BadStamp.

    With certificates (a PEM file's), its signature goes back to one of them by somebody who may stamp times, and all
    were good at that time. Without any, it is only known what the stamp says. `nonce`: it answers this query.
    """
    from cryptography.x509 import load_pem_x509_certificates
    from rfc3161_client import PKIStatus, VerificationError, VerifierBuilder, decode_timestamp_response

    try:
        read = decode_timestamp_response(answer)
        if read.status != PKIStatus.GRANTED:
            why = "".join(one for one in ", ".join(read.status_string) if one.isprintable())
            raise BadStamp(StampTrouble.REFUSED, why[:200])
        info = read.tst_info
        imprint = info.message_imprint
        stamped_ms = (info.gen_time - _EPOCH) // timedelta(milliseconds=1)
    except ValueError:
        raise BadStamp(StampTrouble.NO_ANSWER) from None
    if (imprint.hash_algorithm.dotted_string, imprint.message) != (_SHA256, sha256(data).digest()):
        raise BadStamp(StampTrouble.OF_ANOTHER)
    if nonce is not None and info.nonce != nonce:
        raise BadStamp(StampTrouble.TO_ANOTHER)
    if certificates:
        try:
            VerifierBuilder(roots=load_pem_x509_certificates(certificates)).build().verify(read, imprint.message)
        except (VerificationError, ValueError) as error:
            raise BadStamp(StampTrouble.NOT_VOUCHED_FOR, _reason(str(error))) from None
    return stamped_ms


def _reason(error: str) -> str:
    """OpenSSL's stands somewhere in what the library says, if it is about a certificate."""
    return error.partition("Verify error: ")[2].partition('"')[0] or "its signature is wrong"


def has_certificates(pem: bytes) -> bool:
    """At least one, and each can be read."""
    from cryptography.x509 import load_pem_x509_certificates

    try:
        return bool(load_pem_x509_certificates(pem))
    except ValueError:
        return False

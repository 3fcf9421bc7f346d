"""TLS as we speak it, whatever the libraries around it take for their default."""

import ssl
import stat
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from cryptography import x509
from cryptography.x509 import load_pem_x509_certificate

from natural9.core.errors import BadInput
from natural9.server import metrics

# Of TLS 1.2, what is forward secret and authenticated; all of TLS 1.3 is.
CIPHERS: Final = "ECDHE+AESGCM:ECDHE+CHACHA20"


def tls_context(cert: Path, key: Path) -> ssl.SSLContext:
    """For a server with this certificate; BadInput where it is none, or its key is no secret."""
    if stat.S_IMODE(key.stat().st_mode) & stat.S_IROTH:
        raise BadInput("bad-key", f"{key} can be read by everybody on this machine: chmod 600 {key}")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_ciphers(CIPHERS)
    context.options |= ssl.OP_NO_COMPRESSION | ssl.OP_NO_RENEGOTIATION | ssl.OP_CIPHER_SERVER_PREFERENCE
    try:
        context.load_cert_chain(cert, key)
    except (ssl.SSLError, OSError) as error:
        raise BadInput("bad-certificate", f"{cert} and {key} are no certificate and its key: {error}") from None
    metrics.CERTIFICATE_ENDS.set(load_pem_x509_certificate(cert.read_bytes()).not_valid_after_utc.timestamp())
    return context


class Validity(NamedTuple):
    begins: datetime
    ends: datetime


def validity_of(cert: Path) -> Validity:
    """From when to when a server's certificate is good; ValueError where the file has none."""
    found = x509.load_pem_x509_certificate(cert.read_bytes())
    return Validity(found.not_valid_before_utc, found.not_valid_after_utc)

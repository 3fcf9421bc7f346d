"""What every answer tells the browser to keep to: a page runs our own scripts alone, and in no frame."""

from typing import Final

SECURITY_HEADERS: Final = {
    "content-security-policy": (
        "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    ),
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
HSTS: Final = "max-age=31536000; includeSubDomains"  # where there is TLS
RAW: Final = "".join(f"{name}: {value}\r\n" for name, value in SECURITY_HEADERS.items()).encode()  # as they are sent

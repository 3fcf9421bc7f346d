"""Sessions as cookies: signed for people, of whom the server keeps only a generation; with a secret for each device.

A device's token holds a secret of its own, so that terminals stay enrolled when the venue's key changes.
"""

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from natural9.server.people.keys import subkey

MINUTE_MS: Final = 60_000
IDLE_MS: Final = 30 * MINUTE_MS  # an unattended console signs itself out
ABSOLUTE_MS: Final = 12 * 60 * MINUTE_MS  # longer than any shift
DEVICE_COOKIE_S: Final = 400 * 24 * 3600  # the longest that browsers keep one; renewed while the device is used
_RENEW_MS: Final = {"staff": MINUTE_MS, "device": 24 * 60 * MINUTE_MS}
_LONGEST_TOKEN: Final = 1024
_MOST_HEARD: Final = 10_000
_NONCE_BYTES: Final = 16  # 128 bits: of a device's token they are all that is secret
_MOST_COOKIES: Final = 200  # browsers keep fewer for a host: whoever sends thousands is not searched to the end

Kind = Literal["staff", "device"]


class Session(Struct, frozen=True, array_like=True):
    """What a cookie says. The role is not in it: it is looked up, so that a change of role holds at once."""

    kind: Kind
    id: str
    generation: int
    issued_ms: int
    seen_ms: int
    nonce: str

    @property
    def holder(self) -> tuple[str, str]:
        """Whose it is, in whichever of their sessions."""
        return self.kind, self.id

    @property
    def expires_ms(self) -> int | None:
        """When it ends if nothing more is heard; a device's lasts until it is revoked."""
        return min(self.seen_ms + IDLE_MS, self.issued_ms + ABSOLUTE_MS) if self.kind == "staff" else None


def secret_hash(session: Session) -> str:
    """What is kept of a device's secret: its nonce, which is too long to guess."""
    return hashlib.sha256(session.nonce.encode()).hexdigest()


class Sessions:
    """Makes tokens and reads them back; a person's not made by this venue's key reads as None."""

    def __init__(
        self, key: bytes, *, clock_ms: Callable[[], int], random_bytes: Callable[[int], bytes] = secrets.token_bytes
    ) -> None:
        self._signing = subkey(key, "session")
        self._csrf = subkey(key, "csrf")
        self._clock_ms, self._random_bytes = clock_ms, random_bytes
        self._heard: OrderedDict[str, int] = OrderedDict()  # when a session last sent a request, by its nonce
        self.when_heard: Callable[[str], None] | None = None  # of each that is heard here, by its nonce

    def begin(self, kind: Kind, id: str, generation: int = 0) -> Session:
        now = self._clock_ms()
        nonce = urlsafe_b64encode(self._random_bytes(_NONCE_BYTES)).rstrip(b"=").decode()
        return Session(kind, id, generation, now, now, nonce)

    def token(self, session: Session) -> str:
        payload = urlsafe_b64encode(msgspec.msgpack.encode(session)).rstrip(b"=")
        return f"{payload.decode()}.{self._sign(session.kind, payload)}"

    def read(self, token: str) -> Session | None:
        """The session that this token stands for, unless it was tampered with or has expired.

        Whether a device's is one of ours, its `device_of` says.
        """
        payload, _, signature = token.partition(".")
        if len(token) > _LONGEST_TOKEN or not token.isascii():
            return None
        try:
            padded = payload + "=" * (-len(payload) % 4)
            session = msgspec.msgpack.decode(urlsafe_b64decode(padded), type=Session)
        except (ValueError, msgspec.MsgspecError):
            return None
        # Signatures are compared as written: two spellings of one base64 value are not both right.
        if not hmac.compare_digest(signature, self._sign(session.kind, payload.encode())):
            return None
        expires_ms, now = session.expires_ms, self._clock_ms()
        # One from the future is of a clock that was set back since: it would last for as long as that clock was wrong.
        return session if expires_ms is None or session.seen_ms - MINUTE_MS <= now < expires_ms else None

    def renewed(self, session: Session) -> Session | None:
        """The same session, heard from just now; None where that would not be worth a new cookie."""
        now = self._clock_ms()
        return replace(session, seen_ms=now) if now - session.seen_ms >= _RENEW_MS[session.kind] else None

    def heard(self, session: Session) -> None:
        """It sent a request over HTTP. What a page is told over its open connection keeps no session alive."""
        self.note_heard(session.nonce)
        if self.when_heard:
            self.when_heard(session.nonce)

    def note_heard(self, nonce: str) -> None:
        """Here, or at another node of the venue."""
        self._heard[nonce] = self._clock_ms()
        self._heard.move_to_end(nonce)
        if len(self._heard) > _MOST_HEARD:
            self._heard.popitem(last=False)

    def left_ms(self, session: Session) -> int | None:
        """How long an open connection of it may go on if nothing more is heard; None: until a device is revoked."""
        seen_ms = max(session.seen_ms, self._heard.get(session.nonce, 0))
        expires_ms = replace(session, seen_ms=seen_ms).expires_ms
        return None if expires_ms is None else expires_ms - self._clock_ms()

    def csrf(self, session: Session) -> str:
        """What a page sends back in a header: a page of another origin cannot know it."""
        return hmac.new(self._csrf, session.nonce.encode(), hashlib.sha256).hexdigest()

    def csrf_matches(self, session: Session, given: str) -> bool:
        return hmac.compare_digest(self.csrf(session).encode(), given.encode(errors="replace"))

    def max_age_s(self, session: Session) -> int:
        if session.kind == "device":
            return DEVICE_COOKIE_S
        return max(0, (session.issued_ms + ABSOLUTE_MS - self._clock_ms()) // 1000)

    def _sign(self, kind: Kind, payload: bytes) -> str:
        if kind == "device":
            return ""
        return urlsafe_b64encode(hmac.new(self._signing, payload, hashlib.sha256).digest()).rstrip(b"=").decode()


def cookie_name(kind: Kind, *, secure: bool) -> str:
    """With TLS the name itself makes browsers refuse a cookie that another host or a plain page has set."""
    return f"{'__Host-' if secure else ''}natural9-{kind}"


def set_cookie(kind: Kind, token: str, *, max_age_s: int, secure: bool) -> str:
    """The value of a Set-Cookie header; an empty token with no age takes the cookie away."""
    attributes = f"Path=/; Max-Age={max_age_s}; HttpOnly; SameSite=Strict{'; Secure' if secure else ''}"
    return f"{cookie_name(kind, secure=secure)}={token}; {attributes}"


def read_cookie(header: str, name: str) -> str:
    """The value of the first cookie of this name in a Cookie header; empty if there is none."""
    for part in header.split(";", _MOST_COOKIES)[:_MOST_COOKIES]:
        key, _, value = part.strip().partition("=")
        if key == name:
            return value
    return ""

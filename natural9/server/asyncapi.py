"""The AsyncAPI document: the WebSockets, and what is told outside by a webhook or NATS.

msgspec writes the schema of each message, and the server decodes and encodes by the same types.
"""

from collections.abc import Iterable, Sequence
from typing import Final, get_args

from natural9.server import protocol
from natural9.server.announce.announcement import Announcement
from natural9.server.announce.destinations import SIGNATURE
from natural9.server.guests import FLOOR, LOBBY, TABLE
from natural9.server.program import version
from natural9.server.room import KEPT
from natural9.server.schema import SCHEMAS, Schema, cookie_schemes, only, reached, shapes
from natural9.server.upgrade import BYTES_A_TOKEN
from natural9.server.websocket import RATE
from natural9.table.venue.file import AnnounceSection

INWARD: Final = get_args(protocol.FromTerminal)
OUTWARD: Final = get_args(protocol.FromServer)
# What comes and goes where no table is.
ASKED: Final = (protocol.Ping,)
ANSWERED: Final = (protocol.Pong, protocol.Refused)

_ABOUT: Final = f"""\
Terminals, displays, consoles and the pit follow the tables over WebSockets; terminals bet over them. Every message is
one JSON object in a text frame, told apart by `type`. Whoever connects has been enrolled or signed in over HTTP before,
and sends that cookie. Amounts are whole cents; times are milliseconds since 1970. `now_ms` and
`closes_at_ms` are for counting down: they go on evenly when the machine's clock is set, and are no time of day.

**Numbers.** A `welcome` says everything as it is, with the `epoch` (one run of the table) and `n`, the number of the
last `table` message. Each further `table` message has the next `n`. Whoever comes back with `?after=EPOCH:N` gets
what was missed, and then its own `seat` or `console`; if more than {KEPT} messages were missed, or the server was
started since, a new `welcome` comes instead.

**Requests.** Every command carries an id of the sender's making. It is answered by `registered` when it is durable, or
by `refused`; the same command sent again with the same id gets the same answer and is not done twice. Send again
after connecting anew whatever was not answered.

**Heartbeats.** The server sends a WebSocket ping after 20 s of silence and closes after as much again without a pong.
`ping` and `pong` messages are for pages that want the server's `now_ms`, the time of day or that of the way.

**Limits.** {RATE.a_second} frames a second, {RATE.at_once} at once, for each device and each person, however often they
connect; pings, pongs and fragments count like messages, and every {BYTES_A_TOKEN} bytes count as one more. A message
has at most 16 KiB. Whoever exceeds is closed with 4429. Fields that are not known here are to be ignored by the reader;
those that the server does not know are refused.

**Outside.** What everybody at a table may see is told to a webhook or NATS that the venue file names: one
`Announcement` a message, each table's in order. It may come twice; `table`, `run` and `n` tell. No cookie is asked.

An upgrade that is not granted is answered over HTTP: 400, 401, 403, 404, 429 or 503 with `code` and `message` as JSON;
429 and 503 say in `Retry-After` when to come back.
"""


def asyncapi() -> Schema:
    schemas = shapes(answered=[Announcement])
    messages = (*INWARD, *OUTWARD, Announcement)
    named = reached([{"$ref": SCHEMAS + one.__name__} for one in messages], schemas)
    at_tables = [one for one in OUTWARD if one not in (protocol.Floor, protocol.Lobby)]
    on_the_floor, in_the_lobby = (protocol.Floor, *ANSWERED), (protocol.Lobby, *ANSWERED)
    table_words = "One table, for terminals, displays and staff."
    lobby_words = "All tables as a player chooses one, for terminals where the venue has a lobby."
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "natural9: live tables over WebSockets, and what is told outside",
            "version": version(),
            "description": _ABOUT,
            "x-protocol-version": protocol.VERSION,
        },
        "defaultContentType": "application/json",
        "channels": {
            "table": _channel(TABLE + "{table}", table_words, INWARD, at_tables),
            "floor": _channel(FLOOR, "All tables in short, for staff.", ASKED, on_the_floor),
            "lobby": _channel(LOBBY, lobby_words, ASKED, in_the_lobby),
            **_told_outside(),
        },
        "operations": {
            "toTable": _operation("receive", "table", INWARD),
            "fromTable": _operation("send", "table", at_tables),
            "toFloor": _operation("receive", "floor", ASKED),
            "fromFloor": _operation("send", "floor", on_the_floor),
            "toLobby": _operation("receive", "lobby", ASKED),
            "fromLobby": _operation("send", "lobby", in_the_lobby),
            "toWebhook": {
                **_sends("webhook", [Announcement]),
                "bindings": {"http": {"method": "POST", "bindingVersion": "0.3.0"}},
            },
            "toSubject": _sends("subject", [Announcement]),
        },
        "components": {
            "messages": {one.__name__: _message(one, schemas) for one in messages},
            "schemas": only(named, schemas),
            "securitySchemes": cookie_schemes(),
        },
    }


def _channel(address: str, summary: str, inward: Sequence[type], outward: Sequence[type]) -> Schema:
    channel: Schema = {
        "address": address,
        "summary": summary,
        "messages": _messages([*inward, *outward]),
        "x-close-codes": {str(code): why for code, why in protocol.CLOSE_CODES.items()},
    }
    if "{table}" in address:
        channel["parameters"] = {"table": {"description": "The id of a table, as /api/venue lists it."}}
        after = {"type": "string", "pattern": "^[0-9a-f]+:[0-9]+$", "description": "EPOCH:N of what was last seen."}
        query = {"type": "object", "properties": {"after": after}}
        channel["bindings"] = {"ws": {"method": "GET", "query": query, "bindingVersion": "0.1.0"}}
    return channel


def _told_outside() -> dict[str, Schema]:
    """To whoever the venue file names under [announce]."""
    return {
        "webhook": {
            "address": None,  # the venue's to say
            "summary": "All tables, each message a POST to the webhook of [announce].",
            "messages": _messages([Announcement]),
        },
        "subject": {
            "address": "{subject}.{table}",
            "summary": "All tables, each at its own NATS subject.",
            "messages": _messages([Announcement]),
            "parameters": {
                "subject": {"description": "That of [announce].", "default": AnnounceSection().subject},
                "table": {"description": "The id of a table."},
            },
        },
    }


def _messages(types: Iterable[type]) -> Schema:
    return {one.__name__: {"$ref": f"#/components/messages/{one.__name__}"} for one in types}


def _sends(channel: str, messages: Iterable[type]) -> Schema:
    return {
        "action": "send",
        "channel": {"$ref": f"#/channels/{channel}"},
        "messages": [{"$ref": f"#/channels/{channel}/messages/{one.__name__}"} for one in messages],
    }


def _operation(action: str, channel: str, messages: Iterable[type]) -> Schema:
    security = [{"$ref": f"#/components/securitySchemes/{name}"} for name in cookie_schemes()]
    return {**_sends(channel, messages), "action": action, "security": security}


def _message(one: type, schemas: Schema) -> Schema:
    schema = schemas[one.__name__]
    if one is Announcement:
        message = {"name": "announcement", "title": one.__name__, "bindings": {"http": _signed()}}
    else:
        message = {"name": schema["properties"]["type"]["enum"][0], "title": one.__name__}
    if "description" in schema:
        message["summary"] = schema["description"]
    return {**message, "payload": {"$ref": SCHEMAS + one.__name__}}


def _signed() -> Schema:
    words = "HMAC-SHA256 of the body, by the secret of [announce]; without a secret it is not there."
    signature = {"type": "string", "pattern": "^sha256=[0-9a-f]{64}$", "description": words}
    headers = {"type": "object", "properties": {SIGNATURE: signature}}
    return {"headers": headers, "bindingVersion": "0.3.0"}

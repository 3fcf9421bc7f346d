"""Every route of the application, asked by everybody, with bodies, queries, paths and headers that are nearly right."""

import json
import string
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple
from urllib.parse import quote

import msgspec

from natural9.games import load_game
from natural9.server.app import documents
from natural9.store.contract import Access
from natural9.store.opening import open_store
from natural9.table.audit.verify import verify
from tests.fuzz.a_house import ROLES, FuzzedHouse
from tests.fuzz.mutation import TEXTS, VALUES, spoilt, spoilt_json
from tests.fuzz.target import Target, Wrong, is_sentence

KNOWN: Final = {
    "table": ("nc-1", "super-six-1", "insurance-1", "none"),
    "id": ("dealer", "cashier", "auditor", "nobody", "terminal-nc-1-2"),
    "number": ("1", "2", "P-1"),
    "round": ("1", "2", "9999"),
    "shoe": ("1", "2"),
    "entry": ("1", "5"),
    "size": ("1", "20"),
    "game": ("mbs-tiger", "rws-nc"),
}
# What reads the records, in processes of their own: less often.
SELDOM: Final = ("/api/verify", "/api/reports", "/api/odds", "/api/rounds", "/api/search", "/api/program", "/api/shoes")


class HttpInput(NamedTuple):
    role: str
    method: str
    path: bytes
    query: bytes
    headers: list[tuple[bytes, bytes]]  # besides or instead of the right ones
    body: bytes


class HttpRequests(Target):
    name = "http"
    share = 130
    keeps = True

    async def open(self, folder: Path) -> None:
        self._folder = folder
        self._house = await FuzzedHouse.open(folder)
        document: Any = json.loads(json.dumps(documents().openapi))
        self._schemas = document["components"]["schemas"]
        self._routes = [
            (method.upper(), path, operation)
            for path, item in document["paths"].items()
            for method, operation in item.items()
            for _ in range(1 if path.startswith(SELDOM) else 6)
        ]

    def make(self, chance: Random) -> HttpInput:
        method, path, operation = chance.choice(self._routes)
        parameters = operation.get("parameters", [])
        for one in parameters:
            if one["in"] == "path":
                value = str(chance.choice(KNOWN.get(one["name"], ("1", "x"))))
                if chance.random() < 0.15:
                    value = chance.choice(TEXTS)
                path = path.replace("{" + one["name"] + "}", quote(value, safe="", errors="surrogatepass"))
        query = "&".join(
            f"{one['name']}={quote(self._text(chance, one), safe='', errors='surrogatepass')}"
            for one in parameters
            if one["in"] == "query" and (one.get("required") or chance.random() < 0.5)
        )
        schema = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
        body = spoilt_json(chance, self._value(chance, schema, 0)) if schema else b""
        headers = [(b"content-type", b"application/json")] if schema else []
        asked = HttpInput(chance.choice(ROLES), method, path.encode(), query.encode(), headers, body)
        return _strange(chance, asked) if chance.random() < 0.2 else asked

    def _text(self, chance: Random, parameter: Any) -> str:
        if chance.random() < 0.3:
            return chance.choice(TEXTS)
        if parameter["name"] in KNOWN and chance.random() < 0.7:
            return str(chance.choice(KNOWN[parameter["name"]]))
        return str(self._value(chance, parameter.get("schema", {}), 0))

    def _value(self, chance: Random, schema: Any, depth: int) -> Any:
        """Something that this schema allows, or nearly."""
        if "$ref" in schema:
            return self._value(chance, self._schemas[schema["$ref"].rpartition("/")[2]], depth + 1)
        for choice in ("oneOf", "anyOf"):
            if choice in schema:
                return self._value(chance, chance.choice(schema[choice]), depth + 1)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return chance.choice(schema["enum"])
        match schema.get("type"):
            case "object":
                return self._object(chance, schema, depth)
            case "array":
                many = 0 if depth > 6 else chance.randrange(schema.get("minItems", 0), 4)
                return [self._value(chance, schema.get("items", {}), depth + 1) for _ in range(many)]
            case "integer" | "number":
                least, most = schema.get("minimum", 0), schema.get("maximum", 10**6)
                return chance.choice((least, most, chance.randint(int(least), int(most)), 1, 100, 10_000))
            case "boolean":
                return chance.random() < 0.5
            case "null":
                return None
            case "string":
                return self._string(chance, schema)
            case _:
                return chance.choice(VALUES)

    def _object(self, chance: Random, schema: Any, depth: int) -> dict[str, Any]:
        named = schema.get("properties", {})
        required = set(schema.get("required", ()))
        made = {
            name: self._named(chance, name, one, depth)
            for name, one in named.items()
            if name in required or (depth < 6 and chance.random() < 0.4)
        }
        more = schema.get("additionalProperties")
        if isinstance(more, dict) and not named:
            made = {wager: self._value(chance, more, depth + 1) for wager in ("player", "tie")}
        return made

    def _named(self, chance: Random, name: str, schema: Any, depth: int) -> Any:
        if name in KNOWN and schema.get("type") == "string" and chance.random() < 0.7:
            return chance.choice(KNOWN[name])
        if name in ("card", "cards", "wager", "hand") and schema.get("type") == "string":
            return chance.choice(("9H", "10♥", "KD", "player", "banker", "tie", "banker"))
        return self._value(chance, schema, depth + 1)

    def _string(self, chance: Random, schema: Any) -> str:
        if chance.random() < 0.15:
            return chance.choice(TEXTS)
        least, most = schema.get("minLength", 0), min(schema.get("maxLength", 20), 40)
        return "".join(chance.choices(string.ascii_lowercase + "-19", k=chance.randint(least, max(least, most))))

    async def feed(self, given: HttpInput) -> bool:
        headers = await self._house.headers(given.role)
        named = {name for name, _ in given.headers}
        headers = [*[one for one in headers if one[0] not in named], *given.headers]
        answer = await self._house.ask(given.method, given.path, given.query, headers, given.body)
        if answer.status >= 500:
            _explained(answer.status, answer.body)
        elif answer.status >= 400:
            error = msgspec.json.decode(answer.body)
            is_sentence(error["message"], 1500)
            if not error["code"]:
                raise Wrong(f"without a code: {answer}")
        elif not 200 <= answer.status < 400:
            raise Wrong(f"answered {answer.status}: {answer.body[:300]!r}")
        return answer.status < 400

    async def close(self) -> None:
        """Whatever was asked, every entry follows from the ones before it."""
        await self._house.close()
        store = open_store(self._folder, Access.READ)
        try:
            verified = await verify(store, load_game=load_game)
        finally:
            await store.close()
        if verified.fault is not None:
            raise Wrong(verified.fault.words)


def _explained(status: int, body: bytes) -> None:
    """Only one 5xx is no mistake of ours: too much is being read at once."""
    code = msgspec.json.decode(body)["code"] if status == 503 else ""
    if code != "busy":
        raise Wrong(f"answered {status}: {body[:500]!r}")


TYPES: Final = (b"text/plain", b"", b"application/json; charset=utf-16", b"multipart/form-data", b"\xff")
HEADERS: Final = (
    *("cookie", "x-csrf-token", "host", "origin", "accept-encoding", "x-forwarded-for", "accept", "if-none-match"),
    *("range", "if-modified-since", "accept-language", "upgrade", "sec-fetch-site"),
)
HEADER_VALUES: Final = (b"natural9-staff=abc.def", b"http://evil.example", b"10.0.0.7", b"", b"*", b"bytes=0-5")
LENGTHS: Final = (b"-1", b"9" * 30, b"abc", b"", b"1e3", b"0")


def _strange(chance: Random, asked: HttpInput) -> HttpInput:
    """Something about it that no browser of ours would do."""
    match chance.randrange(7):
        case 0:
            return asked._replace(method=chance.choice(("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD")))
        case 1:
            return asked._replace(path=b"/" + spoilt(chance, asked.path[1:]).replace(b"\0", b"%00").replace(b"?", b""))
        case 2:
            return asked._replace(query=spoilt(chance, asked.query))
        case 3:
            return asked._replace(headers=[(b"content-type", chance.choice(TYPES))])
        case 4:
            return asked._replace(headers=[*asked.headers, (b"content-length", chance.choice(LENGTHS))])
        case 5:
            return asked._replace(body=chance.choice((b"", b"[" * 5000, b"\xff", b"{" * 70_000, asked.body * 2)))
        case _:
            value = spoilt(chance, chance.choice(HEADER_VALUES)).replace(b"\r", b"").replace(b"\n", b"")
            return asked._replace(headers=[*asked.headers, (chance.choice(HEADERS).encode(), value)])

"""A house that is nothing but a list of leaves and a key, over real HTTP; it can be told to lie, stall and babble."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from natural9.proof.checkpoint import TreeHead, sign_checkpoint
from natural9.proof.cosignature import parse_cosignatures
from natural9.proof.key_succession import new_house_key
from natural9.proof.merkle import BadProof, consistency_ranges, root_of
from natural9.proof.signed_note import ED25519, SignedNote, SigningKey
from tests.proof.trees import hashes_of, leaves

ORIGIN = "marina.natural9/0badcafe"

Answer = tuple[int, bytes]


@dataclass
class HandMadeHouse:
    tree: list[bytes] = field(default_factory=lambda: leaves(5))
    origin: str = ORIGIN
    secrets: list[bytes] = field(default_factory=lambda: [b"1" * 32])  # its keys, oldest first
    lost: set[int] = field(default_factory=set)  # which of them nobody vouched for
    shown: int | None = None  # an old checkpoint, instead of the newest
    answers: dict[str, Callable[[], Answer]] = field(default_factory=dict)  # instead of its own, by path
    taken: list[tuple[int, str]] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    on_take: Callable[[], object] = lambda: None
    url: str = ""

    @property
    def keys(self) -> list[SigningKey]:
        return [SigningKey(self.origin, ED25519, secret) for secret in self.secrets]

    def note(self) -> SignedNote:
        size = len(self.tree) if self.shown is None else self.shown
        note = sign_checkpoint(TreeHead(self.origin, size, root_of(self.tree[:size])), self.keys[-1])
        lines = [line for at, sent in self.taken if at == size for line in parse_cosignatures(sent)]
        return note.with_signatures(lines)

    def get(self, path: str, query: dict[str, str]) -> Answer:
        self.asked.append(path)
        if path in self.answers:
            return self.answers[path]()
        match path:
            case "/api/checkpoint":
                return 200, str(self.note()).encode()
            case "/api/checkpoint/keys":
                return 200, json.dumps({"origin": self.origin, "keys": self._keys()}).encode()
            case "/api/proof/consistency":
                return self._consistency(int(query["first"]), int(query["second"]))
            case _:
                return 404, b'{"message":"no such page"}'

    def _keys(self) -> list[dict[str, str]]:
        keys = self.keys
        befores = [None if at in self.lost else before for at, before in enumerate([None, *keys[:-1]])]
        made = [new_house_key(key, before) for key, before in zip(keys, befores, strict=True)]
        return [
            {"key": str(one.key), "signature": one.signature, "signature_before": one.signature_before} for one in made
        ]

    def _consistency(self, first: int, second: int) -> Answer:
        if second > len(self.tree):
            return 404, b'{"message":"there are not so many entries"}'
        try:
            ranges = consistency_ranges(first, second)
        except BadProof as error:
            return 400, json.dumps({"message": str(error)}).encode()
        hashes = [one.hex() for one in hashes_of(self.tree, ranges)]
        return 200, json.dumps({"first": first, "second": second, "hashes": hashes}).encode()

    def take(self, path: str, sent: str) -> Answer:
        self.asked.append(path)
        if path in self.answers:
            return self.answers[path]()
        self.taken.append((int(path.split("/")[3]), sent))
        self.on_take()
        return 200, b""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    house: HandMadeHouse

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        self._send(self.house.get(parts.path, {key: one[0] for key, one in parse_qs(parts.query).items()}))

    def do_POST(self) -> None:
        self._send(self.house.take(self.path, self.rfile.read(int(self.headers["content-length"])).decode()))

    def _send(self, answer: Answer) -> None:
        status, body = answer
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:
            self.close_connection = True  # whoever asked has had enough

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def open_house(house: HandMadeHouse) -> Iterator[HandMadeHouse]:
    handler = type("Handler", (_Handler,), {"house": house})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    house.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield house
    finally:
        server.shutdown()
        thread.join()
        server.server_close()

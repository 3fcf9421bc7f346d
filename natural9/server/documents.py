"""The documents of the interface, served and stamped: AsyncAPI, JSON Schema, TypeScript and OpenAPI."""

import asyncio
from collections.abc import Callable
from functools import cached_property
from hashlib import sha256
from typing import Any, Final, NamedTuple

import msgspec
from litestar import Controller, Litestar, MediaType, Request, Response, Router, get
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec

from natural9.server import schema
from natural9.server.asyncapi import asyncapi
from natural9.server.openapi import all_shapes, openapi
from natural9.server.protocol import VERSION
from natural9.server.typescript import typescript

AnyRequest = Request[Any, Any, Any]
Json = dict[str, Any]
FRESH_S: Final = 300
UNCHANGED: Final = {304: ResponseSpec(None, generate_examples=False, description="As you have it.")}


class Documents:
    """Made when first asked for, from an application that knows all routes, and so is that."""

    def __init__(self, make_app: Callable[[], Litestar]) -> None:
        self._make_app = make_app
        self._stamped: dict[str, StampedDocument] = {}

    @cached_property
    def openapi(self) -> Json:
        return openapi(self._app, self._shapes)

    @cached_property
    def asyncapi(self) -> Json:
        return asyncapi()

    @cached_property
    def json_schema(self) -> Json:
        return schema.json_schema()

    @cached_property
    def typescript(self) -> str:
        return typescript(self._shapes)

    async def stamped(self, name: str) -> "StampedDocument":
        """One of these as it is sent. Made by a thread, or every table would wait for whoever asks first."""
        if name not in self._stamped:
            self._stamped[name] = await asyncio.to_thread(lambda: StampedDocument.of(getattr(self, name)))
        return self._stamped[name]

    @cached_property
    def _app(self) -> Litestar:
        return self._make_app()

    @cached_property
    def _shapes(self) -> dict[str, Json]:
        return all_shapes(self._app)


class StampedDocument(NamedTuple):
    """With the protocol's version, and a stamp by which a reader who has it already is told so."""

    content: bytes
    stamp: str

    @staticmethod
    def of(document: Json | str) -> "StampedDocument":
        content = document.encode() if isinstance(document, str) else msgspec.json.encode(document)
        return StampedDocument(content, f'"{sha256(content).hexdigest()[:32]}"')

    def answer(self, request: AnyRequest) -> Response[Any]:
        cached = f"public, max-age={FRESH_S}"
        headers = {"etag": self.stamp, "cache-control": cached, "x-protocol-version": str(VERSION)}
        if self.stamp in request.headers.get("if-none-match", ""):
            return Response(None, status_code=304, headers=headers)
        return Response(self.content, headers=headers)


class DocumentsController(Controller):
    tags = ("protocol",)

    @get("/openapi.json", responses=UNCHANGED)
    async def openapi(self, request: AnyRequest, documents: NamedDependency[Documents]) -> Response[Json]:
        """This document: OpenAPI of what goes over HTTP."""
        return (await documents.stamped("openapi")).answer(request)

    @get("/protocol", responses=UNCHANGED)
    async def asyncapi(self, request: AnyRequest, documents: NamedDependency[Documents]) -> Response[Json]:
        """AsyncAPI of what goes over the WebSockets, and of what is told outside."""
        return (await documents.stamped("asyncapi")).answer(request)

    @get("/protocol/schema.json", responses=UNCHANGED)
    async def json_schema(self, request: AnyRequest, documents: NamedDependency[Documents]) -> Response[Json]:
        """JSON Schema of the WebSockets' messages, both ways."""
        return (await documents.stamped("json_schema")).answer(request)

    @get("/protocol/types.ts", media_type=MediaType.TEXT, responses=UNCHANGED)
    async def typescript(self, request: AnyRequest, documents: NamedDependency[Documents]) -> Response[str]:
        """TypeScript types of everything that goes over the wire."""
        return (await documents.stamped("typescript")).answer(request)


def protocol_router() -> Router:
    return Router(path="/api", route_handlers=[DocumentsController])

"""`natural9 protocol`: the interface in documents, for builds that have no server to ask."""

import json
from typing import Annotated

import typer

from natural9.core.errors import BadInput


def protocol(
    asyncapi: Annotated[
        bool, typer.Option("--asyncapi", help="The WebSockets and what is told outside, as AsyncAPI; the default.")
    ] = False,
    schema: Annotated[bool, typer.Option("--schema", help="The WebSockets' messages, as JSON Schema.")] = False,
    openapi: Annotated[bool, typer.Option("--openapi", help="HTTP, as OpenAPI.")] = False,
    typescript: Annotated[bool, typer.Option("--typescript", help="Both, as TypeScript types.")] = False,
) -> None:
    """Print the server's interface for programs.

    It describes what this version sends and takes over WebSockets and HTTP, and what it tells a webhook or NATS.

    Example: natural9 protocol --typescript > protocol.ts
    """
    if asyncapi + schema + openapi + typescript > 1:
        raise BadInput("one-document", "choose one of --asyncapi, --schema, --openapi and --typescript")
    from natural9.server.app import documents

    made = documents()
    if typescript:
        print(made.typescript, end="")
    else:
        print(json.dumps(made.openapi if openapi else made.json_schema if schema else made.asyncapi, indent=1))

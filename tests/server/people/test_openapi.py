"""The OpenAPI document of people and devices: every refusal stands in it, and what a request may hold."""

from typing import Any

from litestar import Litestar

from natural9.server.people.openapi import StrictStructs
from natural9.server.people.routes import Reception, people_router
from tests.server.people.house import house


async def document() -> dict[str, Any]:
    router = people_router(Reception((await house()).accounts, secure=False))
    return Litestar([router], plugins=[StrictStructs()], logging_config=None).openapi_schema.to_schema()


def resolved(schema: dict[str, Any], whole: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = whole["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return found


async def test_every_refusal_has_the_same_shape_and_is_documented() -> None:
    whole = await document()
    operations = [(method, path, one) for path, item in whole["paths"].items() for method, one in item.items()]
    assert len(operations) == 18
    for method, path, operation in operations:
        refusals = {status: one for status, one in operation["responses"].items() if int(status) >= 400}
        assert {"400", "403", "413", "503"} <= set(refusals) or method == "get", path
        assert {"401", "403"} <= set(refusals) or path not in {"/api/staff", "/api/devices"}
        for answer in refusals.values():
            error = resolved(answer["content"]["application/json"]["schema"], whole)
            assert set(error["properties"]) == {"code", "message", "paragraph"}


async def test_a_request_says_that_unknown_fields_are_refused() -> None:
    whole = await document()
    bodies = [one["post"]["requestBody"] for one in whole["paths"].values() if "requestBody" in one.get("post", {})]
    assert len(bodies) == 8
    for body in bodies:
        assert resolved(body["content"]["application/json"]["schema"], whole)["additionalProperties"] is False

"""The OpenAPI document of people and devices: every refusal stands in it, and what a request may hold."""

from typing import Any

from natural9.server.app import documents

OPERATIONS = [
    (method, path, operation)
    for path, item in documents().openapi["paths"].items()
    for method, operation in item.items()
    if {"people", "devices"} & set(operation["tags"])
]


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = documents().openapi["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return found


def test_every_refusal_has_the_same_shape_and_is_documented() -> None:
    assert len(OPERATIONS) == 18
    for method, path, operation in OPERATIONS:
        refusals = {status: one for status, one in operation["responses"].items() if int(status) >= 400}
        assert {"400", "403", "413", "503"} <= set(refusals) or method == "get", path
        assert {"401", "403"} <= set(refusals) or path not in {"/api/staff", "/api/devices"}
        for answer in refusals.values():
            error = resolved(answer["content"]["application/json"]["schema"])
            assert set(error["properties"]) == {"code", "message", "paragraph", "said", "field"}


def test_a_request_says_that_unknown_fields_are_refused() -> None:
    bodies = [operation["requestBody"] for _, _, operation in OPERATIONS if "requestBody" in operation]
    assert len(bodies) == 9
    for body in bodies:
        assert resolved(body["content"]["application/json"]["schema"])["additionalProperties"] is False

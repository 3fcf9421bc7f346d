"""For Schemathesis, which loads it: each command gets a request id of its own; else only the first would be done."""

from itertools import count
from typing import Any

import schemathesis

_numbers = count(1)


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: Any) -> None:
    command = case.body.get("command") if isinstance(case.body, dict) else None
    if isinstance(command, dict) and isinstance(command.get("request"), str) and 1 <= len(command["request"]) <= 64:
        case.body = {**case.body, "command": {**command, "request": f"s-{next(_numbers)}"}}

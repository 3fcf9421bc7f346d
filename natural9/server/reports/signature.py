"""A function made for a report, with the parameters that the report has: routes and commands are read from them."""

from collections.abc import Callable, Sequence
from inspect import Parameter, Signature
from typing import Any


def signed(function: Callable[..., Any], parameters: Sequence[Parameter], answers: Any) -> Callable[..., Any]:
    function.__annotations__ = {one.name: one.annotation for one in parameters} | {"return": answers}
    function.__signature__ = Signature(parameters, return_annotation=answers)  # type: ignore[attr-defined]
    return function


def keyword(name: str, shape: Any, default: Any = Parameter.empty) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, annotation=shape, default=default)

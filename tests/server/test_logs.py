"""Nobody fills the log: the same line comes only so often, and says how many were left out."""

import json
import logging

import pytest
import structlog

from natural9.server.logs import Seldom
from natural9.server.rates import Rate
from tests.logs import logged


class Time:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_the_same_line_of_a_seat_is_written_a_few_times_and_then_counted() -> None:
    clock = Time()
    seldom = Seldom(Rate(2, 0.1), clock)
    lost = {"event": "terminal lost", "table": "a", "seat": 1}
    assert [seldom(None, "info", dict(lost)) for _ in range(2)] == [lost, lost]
    for _ in range(3):
        with pytest.raises(structlog.DropEvent):
            seldom(None, "info", dict(lost))
    assert seldom(None, "info", lost | {"seat": 2}) == lost | {"seat": 2}
    clock.now += 10
    assert seldom(None, "info", dict(lost)) == lost | {"left_out": 3}


def test_what_the_libraries_say_is_limited_too() -> None:
    with logged() as stream:
        for _ in range(1000):
            logging.getLogger("uvicorn.error").warning("Invalid HTTP request received.")
            structlog.get_logger().warning("something of ours")
    lines = [json.loads(line)["event"] for line in stream.getvalue().splitlines()]
    assert set(lines) == {"Invalid HTTP request received.", "something of ours"}
    assert len(lines) < 100


@pytest.mark.parametrize("node", ["", "node-1"])
def test_each_line_of_a_node_has_its_name(node: str) -> None:
    with logged(node=node) as stream:
        logging.getLogger("uvicorn.error").warning("of a library")
        structlog.get_logger().warning("of ours")
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [(line["event"], line.get("node", "")) for line in lines] == [("of a library", node), ("of ours", node)]

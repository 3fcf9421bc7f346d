"""Every metric that the server exports is on its page, and rules and dashboard ask for none that it does not."""

import json
import re
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]
from prometheus_client import REGISTRY

from natural9.server import metrics
from tests.deploy.tools import FOLDER, assert_accepts

PAGE = Path(__file__).parents[2] / "docs" / "telemetry.md"
RULES = FOLDER / "prometheus"
DASHBOARD = FOLDER / "grafana" / "natural9.json"
ROW = re.compile(r"^\| `(natural9_\w+)` \| (\w+) \| (.*?) \| \S", re.MULTILINE)
UNITS = ("_seconds", "_bytes", "_cents", "_total", "_info")
COUNTED = ("connections", "commands", "connected", "entries", "days", "streams", "hold", "up", "halted", "trouble")
HISTOGRAM = ("_bucket", "_count", "_sum")


def exported() -> dict[str, tuple[str, tuple[str, ...]]]:
    """By name, as it stands in a query: its type, and its labels."""
    collectors: dict[str, Any] = REGISTRY._names_to_collectors
    return {
        one.name + ("_total" if one.type == "counter" else ""): (one.type, tuple(collectors[one.name]._labelnames))
        for one in REGISTRY.collect()
        if one.name.startswith("natural9_")
    }


def expressions() -> list[str]:
    panels = json.loads(DASHBOARD.read_text(encoding="utf-8"))["panels"]
    asked = [target["expr"] for panel in panels for target in panel.get("targets", [])]
    for name in ("slo.yaml", "alerts.yaml"):
        groups = yaml.safe_load((RULES / name).read_text(encoding="utf-8"))["groups"]
        asked += [rule["expr"] for group in groups for rule in group["rules"]]
    return asked


def test_the_page_has_each_metric_as_it_is_and_no_other() -> None:
    assert metrics.BUILD is not None
    rows = {
        name: (kind, tuple(re.findall(r"`(\w+)`", labels)))
        for name, kind, labels in ROW.findall(PAGE.read_text(encoding="utf-8").replace("| |", "| - |"))
    }
    assert rows == exported()


def test_names_say_their_units() -> None:
    for name in exported():
        assert name.endswith((*UNITS, *COUNTED)), name


def test_rules_and_dashboard_ask_for_nothing_that_is_not_there() -> None:
    known = set(exported())
    for name, (kind, _) in exported().items():
        known |= {name + part for part in HISTOGRAM} if kind == "histogram" else set()
    known |= {one.name for one in REGISTRY.collect()} | {"process_cpu_seconds_total"}
    groups = yaml.safe_load((RULES / "slo.yaml").read_text(encoding="utf-8"))["groups"]
    recorded = {rule["record"] for group in groups for rule in group["rules"]}
    asked = expressions()
    assert len(asked) > 50
    for expression in asked:
        names = set(re.findall(r"\b(?:natural9|process)[_:][\w:]+", expression))
        assert names <= known | recorded or not names, (names - known - recorded, expression)
    used = {name for expression in asked for name in re.findall(r"natural9_\w+", expression)}
    of_use = {name for name in exported() if not any(one.startswith(name) for one in used)}
    assert not of_use, f"nobody looks at {of_use}"


def test_what_is_as_long_as_promised_is_a_bucket() -> None:
    """A promise between two buckets would be counted wrong, and nobody would see it."""
    text = (RULES / "slo.yaml").read_text(encoding="utf-8")
    found = re.findall(r'(natural9_\w+)_bucket\{le="([\d.]+)"\}', text)
    assert len(found) == 5
    histograms: dict[str, Any] = REGISTRY._names_to_collectors
    for name, limit in found:
        assert limit in map(str, histograms[name]._upper_bounds), (name, limit)


def test_the_dashboard_is_whole() -> None:
    panels = json.loads(DASHBOARD.read_text(encoding="utf-8"))["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    places = set[tuple[int, int]]()
    for panel in panels:
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert not cells & places, panel["title"]
        assert max(x for x, _ in cells) < 24
        places |= cells
        assert panel["type"] == "row" or panel["description"]


def test_prometheus_reads_every_expression(tmp_path: Path) -> None:
    asked = [expression.replace("$job", "natural9") for expression in expressions()]
    rules = [{"record": f"one:{number}", "expr": expression} for number, expression in enumerate(asked)]
    (tmp_path / "all.yaml").write_text(yaml.safe_dump({"groups": [{"name": "all", "rules": rules}]}), encoding="utf-8")
    assert_accepts("promtool", "check", "rules", tmp_path / "all.yaml")
    assert_accepts("promtool", "check", "config", RULES / "prometheus.yaml")


def test_alerts_fire_when_they_should_and_not_else() -> None:
    assert_accepts("promtool", "test", "rules", "rules.test.yaml", cwd=RULES)


def test_every_promise_is_tested_by_its_number() -> None:
    cases = yaml.safe_load((RULES / "rules.test.yaml").read_text(encoding="utf-8"))["tests"]
    tested = " ".join(one["expr"] for case in cases for one in case.get("promql_expr_test", []))
    groups = yaml.safe_load((RULES / "slo.yaml").read_text(encoding="utf-8"))["groups"]
    assert all(rule["record"] in tested for group in groups for rule in group["rules"])


def test_every_alert_is_tested_and_has_a_remedy() -> None:
    tested = (RULES / "rules.test.yaml").read_text(encoding="utf-8")
    groups = yaml.safe_load((RULES / "alerts.yaml").read_text(encoding="utf-8"))["groups"]
    for rule in groups[0]["rules"]:
        fires = re.search(rf"alertname: {rule['alert']}\n|alertname=\"{rule['alert']}\"", tested)
        assert fires, rule["alert"]
        assert rule["annotations"]["remedy"]

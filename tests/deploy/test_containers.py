"""Compose files and Kubernetes manifests by their own schemas, and what must be true of all of them."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from natural9.deploy.files import container_files, text_of
from natural9.deploy.ready import why_not_ready
from tests.deploy.tools import FOLDER, assert_accepts

COMPOSE = FOLDER / "container" / "compose.yaml"
NODES = FOLDER / "container" / "three-nodes"
MANIFESTS = sorted((FOLDER / "kubernetes").glob("*.yaml"))


def services(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))["services"]
    return found


@pytest.mark.parametrize("path", [COMPOSE, NODES / "compose.yaml"], ids=["one", "three"])
def test_compose_files_are_by_the_specification(path: Path) -> None:
    assert_accepts("check-jsonschema", "--builtin-schema", "vendor.compose-spec", path)


@pytest.mark.parametrize("path", [COMPOSE, NODES / "compose.yaml"], ids=["one", "three"])
def test_what_runs_natural9_has_no_rights_and_a_read_only_root(path: Path) -> None:
    ours = [one for one in services(path).values() if one["image"] == "natural9"]
    assert ours
    for one in ours:
        assert one["read_only"]
        assert one["cap_drop"] == ["ALL"]
        assert one["security_opt"] == ["no-new-privileges:true"]
        assert not one["user"].startswith("0")


def test_no_port_of_a_node_or_an_engine_is_open_to_others() -> None:
    for name, one in services(NODES / "compose.yaml").items():
        assert one.get("ports", []) == (["127.0.0.1:8909:8909"] if name == "balancer" else [])


def test_whoever_reads_a_password_may_and_has_a_shell_to_do_it() -> None:
    """A secret keeps its owner's rights, and without capabilities root may read no more than others."""
    readers = [one for one in services(NODES / "compose.yaml").values() if "secrets" in one and "cap_drop" in one]
    assert len(readers) == 4, "three nodes and NATS; the database starts as root, with all rights of a container"
    for one in readers:
        assert one["user"] == "${HOST_UID:-10009}:${HOST_GID:-10009}"
        assert one["entrypoint"] == ["/bin/sh", "-ec"]
        assert one["image"] == "natural9" or one["image"].endswith("-alpine"), "nats:2.11 is nothing but nats-server"


def test_the_balancers_file_is_haproxys(tmp_path: Path) -> None:
    """Names of containers are known only among them: here each is this machine."""
    text = (NODES / "haproxy.cfg").read_text(encoding="utf-8")
    (tmp_path / "haproxy.cfg").write_text(re.sub(r" node-\d:8909", " 127.0.0.1:8909", text), encoding="utf-8")
    assert_accepts("haproxy", "-c", "-q", "-f", tmp_path / "haproxy.cfg")


@pytest.mark.parametrize("path", MANIFESTS, ids=lambda path: path.stem)
def test_manifests_are_by_kubernetes_schemas(path: Path) -> None:
    assert_accepts("kubernetes-validate", "--strict", path)


@pytest.mark.parametrize("path", MANIFESTS, ids=lambda path: path.stem)
def test_no_pod_runs_as_root_or_may_become_it(path: Path) -> None:
    for one in yaml.safe_load_all(path.read_text(encoding="utf-8")):
        if one["kind"] in ("StatefulSet", "Deployment"):
            pod = one["spec"]["template"]["spec"]
            assert pod["securityContext"]["runAsNonRoot"]
            for container in pod["containers"] + pod.get("initContainers", []):
                assert not container["securityContext"]["allowPrivilegeEscalation"]
                assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
                assert "limits" in container["resources"]


def test_the_image_keeps_nothing_of_the_venue() -> None:
    files = container_files(9999)
    assert '"127.0.0.1:9999:8909"' in files["compose.yaml"]
    assert files[".dockerignore"].splitlines()[1] == "*"
    copied = re.findall(r"^COPY (?!--from)(.*)$", files["Containerfile"], re.MULTILINE)
    assert copied == ["Containerfile *.whl /wheels/"]
    assert re.search(r"^USER [1-9]\d*:[1-9]\d*$", files["Containerfile"], re.MULTILINE)
    assert text_of("container/Containerfile").count("FROM ${BASE}") == 2


def test_a_server_that_is_away_is_not_ready() -> None:
    assert "does not answer" in why_not_ready("http://127.0.0.1:9/readyz")
    assert "does not answer" in why_not_ready("nonsense")

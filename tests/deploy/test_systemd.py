"""The units as systemd reads them, here and as `natural9 init` fills them in."""

import json
import sys
from pathlib import Path

import pytest

from natural9.core.errors import BadInput
from natural9.deploy.files import PROGRAM, VENUE, install_lines, names_in, systemd_files, text_of
from tests.deploy.tools import FOLDER, assert_accepts, run_tool

SAFE_ENOUGH = 1.5  # of 10, where 10 is a program that may do everything


def units_in(folder: Path, files: dict[str, str]) -> list[Path]:
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in files if name.endswith((".service", ".timer"))]


def test_systemd_finds_nothing_wrong_with_the_units(tmp_path: Path) -> None:
    units = units_in(tmp_path, systemd_files(tmp_path, Path(sys.executable)))
    assert len(units) == 5
    assert assert_accepts("systemd-analyze", "verify", "--man=no", *units) == ""


def test_a_slip_of_the_pen_would_be_found(tmp_path: Path) -> None:
    files = systemd_files(tmp_path, Path(sys.executable))
    units = units_in(tmp_path, {name: text.replace("ProtectHome", "ProtectHouse") for name, text in files.items()})
    assert "ProtectHouse" in run_tool("systemd-analyze", "verify", "--man=no", *units).stderr


@pytest.mark.parametrize("unit", ["natural9.service", "natural9-backup.service", "natural9-drill.service"])
def test_a_service_may_do_little(unit: str) -> None:
    asked = "--offline=true", f"--threshold={SAFE_ENOUGH * 10:.0f}", "--json=short"
    judged = json.loads(assert_accepts("systemd-analyze", "security", *asked, FOLDER / "systemd" / unit))
    worst = [one["json_field"] for one in judged if one["set"] is False and float(one["exposure"] or 0) >= 0.2]
    # It is reached over the network, by whoever the operator's firewall lets in; and it sets its limits and priorities.
    assert set(worst) <= {
        "SystemCallFilter_resources",
        "PrivateNetwork",
        "IPAddressDeny",
        "RestrictAddressFamilies_AF_INET_INET6",
    }


def test_units_of_another_venue_speak_of_nothing_else() -> None:
    files = systemd_files(Path("/srv/marina"), Path("/srv/py/bin/natural9"), "floor")
    everything = "\n".join(files.values())
    assert PROGRAM not in everything
    assert VENUE not in everything
    assert "User=floor\n" in files["natural9.service"]
    assert "Group=" not in everything
    assert "natural9.sysusers" not in files
    assert "/srv/py/bin/natural9 serve /srv/marina\n" in files["natural9.service"]
    assert len(install_lines(Path("/srv/marina"), "floor")) == len(install_lines(Path("/srv/marina"))) - 1


def test_a_venue_at_somebodys_home_can_be_seen_by_its_unit() -> None:
    assert (
        "ProtectHome=read-only" in systemd_files(Path("/home/ann/venue"), Path("/usr/bin/natural9"))["natural9.service"]
    )
    assert "ProtectHome=true" in systemd_files(Path("/srv/venue"), Path("/usr/bin/natural9"))["natural9.service"]


@pytest.mark.parametrize("path", ["venue", "/srv/my venue", "/srv/100%", "/srv/a\nb"])
def test_a_path_that_systemd_would_misread_is_refused(path: str) -> None:
    with pytest.raises(BadInput, match="systemd cannot be told"):
        systemd_files(Path(path), Path("/usr/bin/natural9"))


def test_no_venue_is_served_from_roots_home() -> None:
    with pytest.raises(BadInput, match="seen by root alone"):
        systemd_files(Path("/srv/venue"), Path("/root/venv/bin/natural9"))


def test_the_files_are_in_the_package() -> None:
    assert "systemd/natural9.service" in names_in("systemd")
    assert text_of("systemd/natural9.service").startswith("# One venue")

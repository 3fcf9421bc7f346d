"""What is released agrees with itself, and what does not agree is found."""

import shutil
from pathlib import Path

import pytest

from release.agreement import disagreements
from release.hatch_build import ScreensNotBuilt, build_screens
from release.release import NotReleased, release
from tests.starter import ROOT

READ = ("pyproject.toml", "CHANGELOG.md", "README.md", "natural9/__init__.py", "web/package.json",
        "web/package-lock.json", "requirements/run.txt", "requirements/dev.txt", "docs/installing.md",
        ".github/workflows/tests.yml")  # fmt: skip


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in READ:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def test_this_tree_agrees() -> None:
    assert disagreements(ROOT, rehearsal=True) == []


@pytest.mark.parametrize(
    ("name", "was", "becomes", "said"),
    [
        ("natural9/__init__.py", '"0.1.0"', '"0.2.0"', "natural9/__init__.py has 0.2.0"),
        ("web/package.json", '"version": "0.1.0"', '"version": "0.1.1"', "web/package.json has 0.1.1"),
        ("CHANGELOG.md", "## 0.1.0", "## 0.0.9", "does not begin with 0.1.0"),
        ("README.md", "# natural9", "# natural9-9.9.9", "speaks of version 9.9.9"),
        ("README.md", "# natural9", "natural9[everything]", "natural9[everything], which is no extra"),
        ("docs/installing.md", "| `natural9[pdf]`", "| pdf", "does not explain natural9[pdf]"),
        ("docs/installing.md", "| 3.12 | yes", "| 3.12 | no", "declares Python"),
        (".github/workflows/tests.yml", '"3.12", ', "", "tests ['3.11', '3.13'"),
        ("pyproject.toml", 'requires = ["hatchling==1.33.0"', 'requires = ["hatchling==1.0"', "extra build differ"),
    ],
)
def test_what_does_not_agree_is_said(tree: Path, name: str, was: str, becomes: str, said: str) -> None:
    text = (tree / name).read_text()
    assert was in text
    (tree / name).write_text(text.replace(was, becomes, 1))
    assert said in "; ".join(disagreements(tree, rehearsal=True))


def test_a_release_has_a_day(tree: Path) -> None:
    changelog = (tree / "CHANGELOG.md").read_text()
    (tree / "CHANGELOG.md").write_text(changelog.replace("## 0.1.0 (2", "## 0.1.0 (unreleased, was 2", 1))
    assert any("write the day" in one for one in disagreements(tree))


def test_outside_of_a_clean_checkout_nothing_is_released(tree: Path) -> None:
    with pytest.raises(NotReleased, match="git status"):
        release(tree, rehearsal=True)


def test_no_screens_no_wheel(tree: Path) -> None:
    (tree / "web" / "package-lock.json").unlink()
    with pytest.raises(ScreensNotBuilt, match="build from the whole source"):
        build_screens(tree)

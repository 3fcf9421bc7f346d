"""What is compiled is kept, and made anew when a file that it took something from has changed."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from natural9.core import table_of_play
from natural9.odds import compiled, simulation_kernel

INNER = "from numba.extending import register_jitable\n\n@register_jitable\ndef inner(x):\n    return x + {adds}\n"
OUTER = """
from pathlib import Path
from inner_kernel import inner
from natural9.odds.compiled import compiled, stamp_of

def outer(x):
    return 10 * inner(x)

outer = compiled(outer, stamp_of(sorted(Path(__file__).parent.glob("*kernel.py"))))
"""


def loaded(folder: Path, name: str) -> ModuleType:
    spec = spec_from_file_location(name, folder / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    sys.modules[name] = module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_change_in_another_kernel_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.delitem(sys.modules, "inner_kernel", raising=False)
    monkeypatch.delitem(sys.modules, "outer_kernel", raising=False)
    (tmp_path / "outer_kernel.py").write_text(OUTER)
    answers, kept = [], []
    for adds in (1, 1, 2):
        (tmp_path / "inner_kernel.py").write_text(INNER.format(adds=adds))
        loaded(tmp_path, "inner_kernel")
        outer = loaded(tmp_path, "outer_kernel").outer
        answers.append(outer(5))
        kept.append(sum(outer.stats.cache_hits.values()))
    assert answers == [60, 60, 70]
    assert kept == [0, 1, 0]


def test_every_kernel_and_the_table_of_play_count() -> None:
    files = {file.name for file in compiled.kernel_files()}
    assert files >= {"kernel.py", "simulation_kernel.py", "vulnerability_kernel.py", "bankroll_kernel.py"}
    assert Path(table_of_play.__file__) in compiled.kernel_files()
    stamp = simulation_kernel.play_block._cache._cache_file._source_stamp
    assert stamp == compiled.stamp_of(compiled.kernel_files())

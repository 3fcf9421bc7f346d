"""The outside verifier's rules, as a module of our own: its Table of Play, pay tables, clauses and ledger.

It is one file without a package: `verifier/` in the source tree, and beside this room in an installed wheel. The copy
loaded here reads JSON by msgspec, which is quicker; that no name comes twice in an object is the verifier's own affair.
"""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Final

import msgspec

FILE: Final = "natural9_verify.py"


def verifier_path() -> Path:
    """Where the file is: beside this module in a wheel, else in the source tree."""
    here = Path(__file__).resolve()
    places = (here.with_name(FILE), here.parents[2] / "verifier" / FILE)
    found = next((path for path in places if path.is_file()), None)
    if found is None:
        raise FileNotFoundError(f"{FILE} is neither in {places[0].parent} nor in {places[1].parent}")
    return found


def load_verifier() -> ModuleType:
    name = "natural9_verify_of_the_floor"
    if name in sys.modules:
        return sys.modules[name]
    spec = spec_from_file_location(name, verifier_path())
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    sys.modules[name] = module  # rounds that are over are pickled: their class is found by this name
    spec.loader.exec_module(module)
    vars(module)["decode"] = msgspec.json.decode
    return module

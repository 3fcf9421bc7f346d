"""The CUDA sources, compiled for the processor by an ordinary C++ compiler: their arithmetic without a GPU."""

import ctypes
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from natural9.odds import gpu

SOURCES: Final = Path(gpu.__file__).parent
SHIM: Final = """
#include <algorithm>
#include <cstddef>
#define __device__
#define __forceinline__ inline
#define __global__
#define __launch_bounds__(threads)
#define __shared__ static
using std::min;
static struct { unsigned x; } threadIdx, blockIdx, blockDim;
static unsigned char shared_bytes[1 << 18];
"""
# What the compiler for the processor cannot read: access to the shared memory.
INSTEAD: Final = {
    'asm volatile("ld.shared.u8 %0, [%1];" : "=r"(card) : "r"(at) : "memory");': "card = shared_bytes[at];",
    'asm volatile("ld.shared.u32 %0, [%1];" : "=r"(row) : "r"(at) : "memory");': "row = *(u32 *)(shared_bytes + at);",
    'asm volatile("st.shared.u8 [%0], %1;" ::"r"(at), "r"(card) : "memory");': "shared_bytes[at] = card;",
    'asm volatile("st.shared.u32 [%0], %1;" ::"r"(at), "r"(row) : "memory");': "*(u32 *)(shared_bytes + at) = row;",
    'asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(at) : "memory");': "++*(u32 *)(shared_bytes + at);",
}


def compiled(folder: Path, source: str, more: str) -> Any:
    """A library with what `more` exports, after the source."""
    if shutil.which("g++") is None:
        pytest.skip("no C++ compiler here to read the CUDA source with")
    file, library = folder / "source.cpp", folder / "source.so"
    file.write_text(SHIM + source + more)
    subprocess.run(["g++", "-O1", "-w", "-shared", "-fPIC", "-o", library, file], check=True)
    return ctypes.CDLL(str(library))


def deal_source() -> str:
    """`deal.cu` down to its kernel, whose threads have nothing to say to each other."""
    source = (SOURCES / "deal.cu").read_text()
    for theirs, ours in INSTEAD.items():
        assert source.count(theirs) == 1, f"the source has changed: {theirs}"
        source = source.replace(theirs, ours)
    return source[: source.index("// Block `first_block`")]


def pointer(array: "np.ndarray[Any, Any]") -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)

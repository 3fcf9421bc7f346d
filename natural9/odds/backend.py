"""What the kernel of the exact odds runs on: NumPy and Numba, or Python itself where the extra `math` is missing.

The lines of the kernel are the same, and so is every number; only the time is not.
"""

from typing import TYPE_CHECKING, Final

from natural9.extras import install_line

__all__ = ["COMPILED", "SLOWER", "compiled", "np", "register_jitable"]

try:
    import numpy as np
    from numba.extending import register_jitable

    from natural9.odds.compiled import compiled

    COMPILED = True
except ModuleNotFoundError:
    COMPILED = False
    if not TYPE_CHECKING:
        from natural9.odds import plain as np

        def register_jitable(function):
            return function

        def compiled(function):
            function.py_func = function
            return function


SLOWER: Final = f"without NumPy and Numba exact odds take a moment longer: {install_line('math')}"

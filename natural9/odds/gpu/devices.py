"""The GPUs of this machine, through CuPy: one line says what is missing where there is none to use."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from itertools import cycle
from pathlib import Path
from threading import Lock
from typing import Any, Final

from natural9.core.errors import BadInput
from natural9.extras import lacking
from natural9.odds.workers import Crew

_NO_DRIVER: Final = 0


def load_cupy() -> Any:
    try:
        return import_module("cupy")
    except ModuleNotFoundError:
        raise BadInput("no-gpu", f"a GPU needs {lacking('cupy')}") from None
    except ImportError as error:
        raise BadInput("no-gpu", f"no GPU can be used here: CuPy does not load ({_one_line(error)})") from None


def gpus_here() -> int:
    """How many GPUs there are to use; a refusal if there is none."""
    cupy = load_cupy()
    runtime = cupy.cuda.runtime
    driver, needed = runtime.driverGetVersion(), runtime.runtimeGetVersion()
    if driver == _NO_DRIVER:
        raise BadInput("no-gpu", "no GPU can be used here: there is no NVIDIA driver")
    if driver // 1000 < needed // 1000:
        raise BadInput(
            "no-gpu",
            f"the NVIDIA driver here is too old: it is for CUDA {_version(driver)}, and cupy wants {_version(needed)}",
        )
    try:
        count = int(runtime.getDeviceCount())
    except runtime.CUDARuntimeError as error:
        raise BadInput("no-gpu", f"no GPU can be used here: {_one_line(error)}") from None
    if not count:
        raise BadInput("no-gpu", "no GPU can be used here: the NVIDIA driver finds none")
    return count


def _version(number: int) -> str:
    return f"{number // 1000}.{number % 1000 // 10}"


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__


@contextmanager
def gpus(threads_each: int = 1) -> Iterator[Crew]:
    """A crew of this machine's GPUs: so many threads for each, which hand it work."""
    count = gpus_here()
    cupy, numbers, taking = load_cupy(), cycle(range(count)), Lock()

    def take_one() -> None:
        with taking:
            number = next(numbers)
        cupy.cuda.Device(number).use()

    with ThreadPoolExecutor(count * threads_each, initializer=take_one) as executor:
        yield Crew(executor, count * threads_each)


@contextmanager
def told_in_one_line() -> Iterator[Any]:
    """CuPy, with whatever goes wrong on the GPU told as bad input."""
    gpus_here()
    cupy = load_cupy()
    try:
        yield cupy
    except cupy.cuda.memory.OutOfMemoryError:
        raise BadInput("gpu-memory", f"{device_name()} has too little memory left for it") from None
    except (
        cupy.cuda.runtime.CUDARuntimeError,
        cupy.cuda.driver.CUDADriverError,
        cupy.cuda.compiler.CompileException,
        RuntimeError,
    ) as error:
        raise BadInput("gpu-failed", f"{device_name()} did not do it: {_one_line(error)}") from None


def device_name() -> str:
    """What the GPU in use calls itself."""
    runtime = load_cupy().cuda.runtime
    return str(runtime.getDeviceProperties(runtime.getDevice())["name"].decode())


def shared_memory() -> int:
    """The most that a block of threads may have of the fast memory."""
    cupy = load_cupy()
    return int(cupy.cuda.Device().attributes["MaxSharedMemoryPerBlockOptin"])


@cache
def kernel_of(files: str, name: str, *options: str) -> Any:
    """A kernel of ours, from one file or more, compiled for whichever GPU it is called on, once a process."""
    source = "".join(Path(__file__).with_name(file).read_text() for file in files.split())
    return load_cupy().RawKernel(source, name, ("--std=c++17", *options))

"""Who does a long calculation, as asked for on the command line."""

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Annotated

import typer

from natural9.core.errors import BadInput
from natural9.extras import check_extra

if TYPE_CHECKING:  # what calculates takes long to import, and `natural9 --help` does not need it
    from natural9.odds.workers import Crew

WorkersOption = Annotated[int | None, typer.Option(metavar="N", help="Threads.  [default: one a core]")]
SchedulerOption = Annotated[
    str, typer.Option(metavar="ADDRESS", help="Use the Dask cluster of this scheduler instead.")
]
GpuOption = Annotated[bool, typer.Option("--gpu", help="Use every NVIDIA GPU of this machine, or of the cluster's.")]


def check_crew(workers: int | None, scheduler: str, *, gpu: bool) -> None:
    """Before the mathematics is loaded. Whoever lacks that, too, is told of the extra that brings both."""
    if workers is not None and gpu:
        raise BadInput("bad-usage", "give --workers or --gpu, not both: each GPU has its own threads")
    if workers is not None and scheduler:
        raise BadInput("bad-usage", "give --workers or --scheduler, not both: a cluster has its own workers")
    try:
        check_extra("math")
    except ModuleNotFoundError:
        _check_installed(scheduler, gpu=gpu)


def _check_installed(scheduler: str, *, gpu: bool) -> None:
    if scheduler:
        check_extra("dask")
    elif gpu:  # a cluster's GPUs are the matter of its machines
        check_extra("gpu")


def crew_asked_for(workers: int | None, scheduler: str, *, gpu: bool = False) -> "AbstractContextManager[Crew | None]":
    """None: every GPU of this machine."""
    from natural9.odds.workers import cluster, threads

    _check_installed(scheduler, gpu=gpu)
    if gpu and not scheduler:
        from natural9.odds.gpu.devices import gpus_here

        gpus_here()
        return nullcontext()
    if not scheduler:
        return threads(workers)
    return cluster(scheduler)

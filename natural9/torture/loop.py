"""An event loop whose time is simulated: nobody waits, whatever is due next happens next.

What is ready runs in the order in which it became so. There is no thread and no process: what would be handed to one
runs at once. A simulated process is a `Life`: all that was started in its context can be ended between any two steps,
as `kill -9` does.
"""

import asyncio
from asyncio import Future, Handle, Task, TimerHandle
from collections import deque
from collections.abc import Callable, Coroutine
from contextvars import Context, ContextVar, copy_context
from heapq import heapify, heappop, heappush
from typing import Any, Final, TypeVar

T = TypeVar("T")
_MOST_TURNS: Final = 10_000  # that the tasks of a life may take to end


class NothingIsDue(Exception):
    """The simulation waits for something that nobody will do."""


class Life:
    """One run of a simulated process."""

    def __init__(self) -> None:
        self.is_over = False
        self.tasks: dict[Task[Any], None] = {}  # in their order
        self.context = copy_context()
        self.context.run(_life.set, self)

    def ended(self, task: "Task[Any]") -> None:
        self.tasks.pop(task, None)


_life: ContextVar[Life | None] = ContextVar("life", default=None)


class LoopStep(TimerHandle):
    """Something to do, now or later. asyncio's own asks the loop whether it is looked at closely, each time."""

    __slots__ = ()
    _context: Context
    _callback: Callable[..., object] | None
    _args: tuple[Any, ...]

    def __init__(
        self, when: float, callback: Callable[..., object], args: tuple[Any, ...], context: Context | None
    ) -> None:
        self._when, self._callback, self._args = when, callback, args
        self._context = copy_context() if context is None else context
        self._cancelled = False
        self._repr = None

    def cancel(self) -> None:
        self._cancelled = True
        self._callback, self._args = None, ()

    def cancelled(self) -> bool:
        return self._cancelled


class SimulatedLoop(asyncio.BaseEventLoop):
    _ready: deque[LoopStep]
    _stopping: bool

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.steps = self._set = 0
        # By when they are due; of two at the same moment the first that was set, or a line would lose its order.
        self._timers: list[tuple[float, int, LoopStep]] = []
        self.mistakes: list[str] = []  # what nobody has caught
        self.set_task_factory(_new_task)  # type: ignore[arg-type]  # the stub has it without the context
        self.set_exception_handler(self._caught)
        self._then: Callable[[], None] | None = None
        self._then_at = -1

    def time(self) -> float:
        return self.now

    # The three that follow have no types of arguments: nobody here looks at them.

    def call_soon(  # type: ignore[override]
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> Handle:
        step = LoopStep(self.now, callback, args, context)
        self._ready.append(step)
        return step

    def call_later(  # type: ignore[override]
        self, delay: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> TimerHandle:
        when = self.now + delay
        step = LoopStep(when, callback, args, context)
        self._set += 1
        heappush(self._timers, (when, self._set, step))
        return step

    def call_at(  # type: ignore[override]
        self, when: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> TimerHandle:
        step = LoopStep(when, callback, args, context)
        self._set += 1
        heappush(self._timers, (when, self._set, step))
        return step

    def after_steps(self, steps: int, then: Callable[[], None]) -> None:
        """Between any two steps, so many from now."""
        self._then_at, self._then = self.steps + steps, then

    def _run_once(self) -> None:
        """Many times: until somebody stops it."""
        ready, timers = self._ready, self._timers
        while not self._stopping:
            if not ready:
                while timers and timers[0][2]._cancelled:
                    heappop(timers)
                if not timers:
                    raise NothingIsDue("nothing is due any more, and somebody waits")
                if timers[0][0] > self.now:
                    self.now = timers[0][0]
                now = self.now
                while timers and timers[0][0] <= now:
                    ready.append(heappop(timers)[2])
            step = ready.popleft()
            if not step._cancelled:
                self.steps += 1
                self._run(step)
                if self.steps == self._then_at and self._then:
                    then, self._then = self._then, None
                    then()

    def _run(self, step: LoopStep) -> None:
        callback = step._callback
        assert callback
        try:
            step._context.run(callback, *step._args)
        except (SystemExit, KeyboardInterrupt):
            raise
        except BaseException as error:
            self.call_exception_handler({"message": f"Exception in {callback!r}", "exception": error, "handle": step})

    def kill(self, life: Life) -> None:
        """From a plain callback of the simulation. Its tasks are cancelled, so that nothing is left of them; what they
        still do on the way reaches nobody, since whatever they are connected to has let go of them before."""
        life.is_over = True
        for task in life.tasks:
            task.cancel()
        for _ in range(_MOST_TURNS):
            mine = [handle for handle in self._ready if _is_of(handle, life)]
            if not mine:
                break
            others = [handle for handle in self._ready if not _is_of(handle, life)]
            self._ready.clear()
            self._ready.extend(others)
            for handle in mine:
                if not handle._cancelled:
                    self._run(handle)
        alive = [task for task in life.tasks if not task.done()]
        assert not alive, f"these tasks did not end: {alive}"
        self._timers[:] = [timer for timer in self._timers if not _is_of(timer[2], life)]
        heapify(self._timers)

    # What BaseEventLoop asks of a loop that has a selector.

    def run_in_executor(  # type: ignore[override]
        self, executor: object, func: Callable[..., T], *args: Any
    ) -> "Future[T]":
        """At once."""
        future: Future[T] = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as error:
            future.set_exception(error)
        return future

    def _write_to_self(self) -> None:
        pass

    def _process_events(self, event_list: object) -> None:
        pass

    def _caught(self, loop: asyncio.AbstractEventLoop, about: dict[str, Any]) -> None:
        self.mistakes.append(f"{about.get('message')}: {about.get('exception')!r}")


def _is_of(step: LoopStep, life: Life) -> bool:
    return step._context.get(_life) is life


def _new_task(
    loop: asyncio.AbstractEventLoop, coro: Coroutine[Any, Any, T], context: Context | None = None
) -> "Task[T]":
    task = Task(coro, loop=loop, context=context)
    life = _life.get() if context is None else context.get(_life)
    if life is not None:
        life.tasks[task] = None
        task.add_done_callback(life.ended)
    return task

"""Where shards are scored: one small interface, and the process that calls it as the first engine.

An engine maps a function over tasks. It may do so in any order and, where a process dies, more than
once; nothing else knows which engine runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import Any, Protocol, TypeVar

from nlgauge.errors import DataError, SpecError
from nlgauge.kernels import available_threads

ENGINES = ("local", "dask")
DEATHS = 3  # of processes, after which a task is given up


class EngineTask(Protocol):
    """A task can be sent to another process."""

    @property
    def name(self) -> str:
        """Return how messages call it."""


T = TypeVar("T", bound=EngineTask)
Work = Callable[[Any, Any], Any]  # job, task -> result; importable by its name


class Engine(Protocol):
    """An engine has a number of processes until it is closed."""

    def run(self, work: Work, job: Any, tasks: Iterable[T]) -> Iterator[tuple[T, Any]]:
        """Yield every task with what `work(job, task)` returns, as each of them is done. The job
        is sent once to each process. An error of a task ends the run after what is under way;
        leaving the loop cancels that.
        """

    def close(self) -> None:
        """End all of its processes at once."""

    def __enter__(self) -> Engine:
        """Return the engine, which is closed in the end."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the engine, whatever happened."""


class Closing:
    """An engine that is closed when a with block is left."""

    def close(self) -> None:
        """End all processes; here there are none."""

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class HereEngine(Closing):
    """An engine without processes of its own."""

    def run(self, work: Work, job: Any, tasks: Iterable[T]) -> Iterator[tuple[T, Any]]:
        """Yield every task with its result, one after the other."""
        for task in tasks:
            yield task, work(job, task)


def died(task: EngineTask, reason: str, deaths: int = DEATHS) -> DataError:
    """Return the error about a task that no process survives."""
    return DataError(
        f"{task.name}: {deaths} processes died of it ({reason}); memory may be too small for it, "
        "or a text in it too long"
    )


def find_engine(name: str = "local", *, workers: int | None = None, scheduler: str = "") -> Engine:
    """Return an engine by its name: `local` processes, or `dask`, which connects to a scheduler or
    starts a cluster on this machine.
    """
    if name not in ENGINES:
        raise SpecError(f"engine={name!r}: there are {', '.join(ENGINES)}")
    if workers is not None and workers < 1:
        raise SpecError(f"workers={workers}: must be at least 1")
    if scheduler and name != "dask":
        raise SpecError(f"scheduler={scheduler}: only for engine=dask")
    if name == "dask":
        from nlgauge.run.streams.dask_engine import DaskEngine

        return DaskEngine(scheduler, workers or available_threads())
    if (workers or 1) == 1:
        return HereEngine()
    from nlgauge.run.streams.local_engine import LocalEngine

    return LocalEngine(workers or 1)

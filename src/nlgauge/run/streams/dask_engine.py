"""A cluster of Dask distributed: one that runs already, or one that is started on this machine."""

from __future__ import annotations

import gc
import pickle
import platform
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib import import_module
from queue import Empty, Queue
from threading import Thread
from traceback import clear_frames
from typing import Any

import numpy as np

from nlgauge.errors import DataError, ResourceMissing, fetch
from nlgauge.run.streams.engines import DEATHS, Closing, T, Work, died
from nlgauge.version import __version__

# Seconds until a scheduler without answer, or without workers, is reported; Dask needs one or two
# more to be imported.
PATIENCE = 8.0
_AHEAD = 2  # tasks for each process that are under way


class DaskEngine(Closing):
    """An engine on a cluster of Dask, whose scheduler does tasks again when processes die."""

    def __init__(self, scheduler: str, workers: int, *, patience: float = PATIENCE) -> None:
        deadline = time.monotonic() + patience
        dask, distributed = _imported("dask"), _imported("distributed")
        self._distributed, self._cluster = distributed, None
        # Dask counts the deaths that are allowed.
        dask.config.set({"distributed.scheduler.allowed-failures": DEATHS - 1})
        if not scheduler:
            self._cluster = distributed.LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                dashboard_address=None,
                silence_logs=50,
            )
        try:
            if scheduler:
                self._client = _connected(distributed, scheduler, deadline)
                self._client.wait_for_workers(1, timeout=_left(deadline))
            else:
                self._client = distributed.Client(self._cluster)
        except (OSError, TimeoutError) as error:
            self.close()
            raise DataError(
                f"scheduler {scheduler}: no answer, or no worker, within {patience:g} seconds "
                f"({error}); check the address, or start: dask scheduler, dask worker"
            ) from None
        self._check_versions()

    def _check_versions(self) -> None:
        own = versions()
        for address, found in self._client.run(versions).items():
            if found != own:
                self.close()
                raise DataError(
                    f"worker {address} has {found}, this process {own}; numbers could differ, so "
                    "install the same everywhere"
                )

    def run(self, work: Work, job: Any, tasks: Iterable[T]) -> Iterator[tuple[T, Any]]:
        """Yield every task with its result, as the scheduler reports them."""
        # A task and no scattered data: what a task made is made again if its process dies.
        sent = self._client.submit(pickle.loads, pickle.dumps(job), pure=False)
        waiting = iter(tasks)
        done = self._distributed.as_completed()
        under_way: dict[str, tuple[T, Any]] = {}
        failure: BaseException | None = None
        room = _AHEAD * max(1, len(self._client.scheduler_info(n_workers=-1)["workers"]))
        try:
            while True:
                while len(under_way) < room and failure is None:
                    try:
                        task = next(waiting, None)
                    except Exception as error:  # what is under way shall still be done
                        failure = error
                        break
                    if task is None:
                        break
                    future = self._client.submit(work, sent, task, pure=False)
                    under_way[future.key] = (task, future)
                    done.add(future)
                if not under_way:
                    break
                future = next(done)
                task, _ = under_way.pop(future.key)
                found = future.exception()
                if found is None:
                    yield task, future.result()
                elif isinstance(found, self._distributed.KilledWorker):
                    # The scheduler of a cluster counts deaths by its own settings.
                    deaths = found.allowed_failures + 1
                    failure = failure or died(task, "as the scheduler says", deaths)
                else:
                    failure = failure or found
        finally:
            self._client.cancel([future for _, future in under_way.values()], force=True)
        if failure is not None:
            raise failure

    def close(self) -> None:
        """Leave the cluster, and end it if it was started here."""
        for part in (getattr(self, "_client", None), self._cluster):
            if part is not None:
                with suppress(TimeoutError):
                    part.close(timeout=PATIENCE)


def _left(deadline: float) -> float:
    return max(0.1, deadline - time.monotonic())


def _connected(distributed: Any, scheduler: str, deadline: float) -> Any:
    """Return a client. Dask waits for ever for what takes a connection and says nothing, so that
    another thread waits, and is left behind.
    """
    found: Queue[Any] = Queue()

    def connect() -> None:
        try:
            found.put(distributed.Client(scheduler, timeout=0.9 * _left(deadline)))
        except Exception as error:
            # Python closes a client that failed when it finds it. If that is while another starts,
            # both wait for Dask's lock for ever: it has to be found here.
            clear_frames(error.__traceback__)
            failed = error.with_traceback(None)
            failed.__cause__ = failed.__context__ = None
            gc.collect()
            found.put(failed)

    Thread(target=connect, daemon=True).start()
    try:
        client = found.get(timeout=_left(deadline))
    except Empty:
        raise TimeoutError("it takes connections, but is no scheduler of Dask") from None
    if isinstance(client, OSError | TimeoutError):
        raise client
    if isinstance(client, Exception):  # as Dask fails of what is no address, or answers otherwise
        raise ConnectionError(f"{type(client).__name__}: {client}") from None
    return client


def versions() -> dict[str, str]:
    """Return what must be the same in all processes for the same numbers."""
    return {
        "nlgauge": __version__,
        "python": ".".join(platform.python_version_tuple()[:2]),
        "numpy": np.__version__,
    }


def _imported(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise ResourceMissing(
            f"engine=dask: {name} is not installed", remedy=fetch("cluster")
        ) from None

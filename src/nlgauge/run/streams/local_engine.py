"""Processes of this machine, which are replaced when they die."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any

from nlgauge.run.streams.engines import DEATHS, Closing, T, Work, died


class LocalEngine(Closing):
    """An engine of processes that are started for it and die with it.

    They are not forked, so that threads and a script without a guard do no harm, and read what to
    do from a pipe, whose end they see when this process dies.
    """

    def __init__(self, workers: int) -> None:
        self._workers = [_Worker() for _ in range(workers)]
        self._closed = False

    @property
    def processes(self) -> list[int]:
        """Return the ids of the processes."""
        return [worker.process.pid for worker in self._workers]

    def run(self, work: Work, job: Any, tasks: Iterable[T]) -> Iterator[tuple[T, Any]]:
        """Yield every task with its result; those whose process dies are done again."""
        blob = pickle.dumps((work, job), pickle.HIGHEST_PROTOCOL)
        for worker in self._workers:
            worker.send("job", blob)
        waiting, again = iter(tasks), list[T]()
        busy: dict[_Worker, T] = {}
        deaths: Counter[str] = Counter()
        failure: BaseException | None = None
        try:
            while True:
                for worker in [w for w in self._workers if w not in busy]:
                    try:
                        task = again.pop() if again else None if failure else next(waiting, None)
                    except Exception as error:  # what is under way shall still be done
                        failure, task = error, None
                    if task is None:
                        break
                    busy[worker] = task
                    worker.send("task", pickle.dumps(task, pickle.HIGHEST_PROTOCOL))
                if not busy:
                    break
                ready = wait([worker.results for worker in busy])
                for worker in [w for w in busy if w.results in ready]:
                    task = busy.pop(worker)
                    try:
                        failed, result = worker.results.recv()
                    except (EOFError, OSError):
                        reason = worker.bury(blob)
                        deaths[task.name] += 1
                        if deaths[task.name] < DEATHS:
                            again.append(task)
                        else:
                            failure = failure or died(task, reason)
                        continue
                    if failed:
                        failure = failure or result
                    else:
                        yield task, result
        finally:
            # If the loop over results was left, nobody waits for what is under way; a generator
            # may outlive its engine.
            for worker in () if self._closed else busy:
                worker.replace(blob)
        if failure is not None:
            raise failure

    def close(self) -> None:
        """Kill the processes, whatever they do."""
        self._closed = True
        for worker in self._workers:
            worker.kill()


class _Worker:
    """One process, and the two pipes to it."""

    def __init__(self) -> None:
        self._start()

    def _start(self) -> None:
        (ours, theirs), (back, results) = os.pipe(), os.pipe()
        command = [sys.executable, "-m", "nlgauge.run.streams.worker", str(ours), str(results)]
        # Ctrl-C is held back until the process ignores it: Python's start answers by a traceback.
        held = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self.process = subprocess.Popen(
                command, pass_fds=(ours, results), stdin=subprocess.DEVNULL
            )
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, held)
        os.close(ours)
        os.close(results)
        self.orders = Connection(theirs, readable=False)
        self.results = Connection(back, writable=False)

    def send(self, kind: str, data: bytes) -> None:
        # A dead process is noticed when its results are read.
        with suppress(BrokenPipeError):
            self.orders.send((kind, data))

    def replace(self, blob: bytes) -> int:
        """Kill the process, start another, and return the exit code."""
        code = self.kill()
        self._start()
        self.send("job", blob)
        return code

    def bury(self, blob: bytes) -> str:
        """Replace a process that ended, and return why it did."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=5)  # its pipe may be closed before it is gone
        code = self.replace(blob)
        return signal.Signals(-code).name if code < 0 else f"exit code {code}"

    def kill(self) -> int:
        self.orders.close()
        self.results.close()
        self.process.kill()
        return self.process.wait()

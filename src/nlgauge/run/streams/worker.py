"""The program of a process of `LocalEngine`: read tasks from a pipe, write results to another."""

from __future__ import annotations

import pickle
import signal
import sys
from multiprocessing.connection import Connection
from typing import Any


def main(orders: Connection, results: Connection) -> None:
    """Do what comes until the pipe is closed: pairs of function and job, and tasks for them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started this one
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    begun: Any = None
    while True:
        try:
            kind, data = orders.recv()
        except (EOFError, OSError):
            return
        if kind == "job":
            begun, given = None, data
            continue
        try:
            work, job = begun = begun or pickle.loads(given)
            outcome = (False, work(job, pickle.loads(data)))
        except Exception as error:
            outcome = (True, _portable(error))
        try:
            results.send(outcome)
        except BrokenPipeError:
            return  # nobody waits for it any more


def _portable(error: Exception) -> Exception:
    """Return the error, or one that says the same if it cannot be sent."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


if __name__ == "__main__":
    main(Connection(int(sys.argv[1]), writable=False), Connection(int(sys.argv[2]), readable=False))

"""Work for engines: it doubles numbers, fails, or kills the process that does it."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from nlgauge.errors import DataError
from nlgauge.run.streams.files import ShardJob, ShardTask, score_shard


@dataclass(frozen=True)
class Number:
    """A task of one number."""

    value: int

    @property
    def name(self) -> str:
        return f"number {self.value}"


def doubled(job: int, task: Number) -> int:
    return job * task.value


def deadly(job: str, task: Number) -> int:
    """Kills its process at 3, twice or always."""
    if task.value == 3:
        path = Path(job)
        deaths = len(path.read_text()) if path.exists() else 0
        if deaths < 2 or path.name == "always":
            path.write_text("x" * (deaths + 1))
            os.kill(os.getpid(), signal.SIGKILL)
    return task.value


def orphaned(job: int, task: Number) -> int:
    """Kills the process that asked for it, and waits until it is gone."""
    os.kill(job, signal.SIGKILL)
    while os.getppid() == job:
        time.sleep(0.01)
    return task.value


def failing(job: int, task: Number) -> int:
    if task.value == job:
        raise DataError(f"{task.name}: is bad")
    return task.value


def deadly_shard(job: ShardJob, task: ShardTask) -> object:
    """Scores a shard, but always kills its process at the third."""
    if task.number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return score_shard(job, task)

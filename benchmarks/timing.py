"""Contestants take turns; what counts is the median."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from peers import clear_caches


@dataclass(frozen=True)
class Contestant:
    """Something to time, and how many segments one call handles."""

    name: str
    segments: int
    run: Callable[[], Any]


def alternate(
    contestants: Sequence[Contestant],
    reps: int,
    clock: Callable[[], float] = time.process_time,
) -> dict[str, float]:
    """Median seconds per call of each contestant, round-robin after one round to warm up."""
    seconds: dict[str, list[float]] = {c.name: [] for c in contestants}
    for rep in range(reps + 1):
        for contestant in contestants:
            clear_caches()
            gc.collect()
            start = clock()
            contestant.run()
            elapsed = clock() - start
            if rep > 0:
                seconds[contestant.name].append(elapsed)
    return {name: statistics.median(times) for name, times in seconds.items()}

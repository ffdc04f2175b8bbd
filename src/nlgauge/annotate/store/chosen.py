"""A task that is about to be given, and why."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Chosen:
    """A task was chosen as main task, repetition, control or gold item; `propensity` is the
    probability of the draw, where there was one.
    """

    task: int
    kind: str
    propensity: float | None = None

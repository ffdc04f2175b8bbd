"""What a trained metric gives the trainer: how its model is fitted, and what it predicts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from nlgauge.core.metric import Metric
from nlgauge.data.corpus import Corpus
from nlgauge.data.labels import Codes, Labels
from nlgauge.errors import SpecError
from nlgauge.kernels import Floats
from nlgauge.models.predictors.predictor import Arrays
from nlgauge.train.fits import RIDGE
from nlgauge.train.synthetic import KINDS

Prepared = TypeVar("Prepared")


@dataclass(frozen=True, eq=False, kw_only=True)
class FitRun:
    """A run is one fit: which rows it sees, what is random in it, and whom it tells."""

    seed: int
    groups: Codes  # by row; early stopping may hold some of them out
    parts: Labels  # by row, such as language pairs
    kinds: Sequence[str | None]  # by row: what was done to a reference; None: a rated output
    progress: Callable[[str], None]
    checkpoint: Path | None = None  # where to keep what an interrupted run goes on from
    threads: int = 1

    @property
    def rated(self) -> Codes:
        """Return the rows that people rated."""
        return np.flatnonzero([kind is None for kind in self.kinds])


class Recipe(ABC, Generic[Prepared]):
    """A recipe fits the model of one metric. Ratings have mean 0 and standard deviation 1."""

    kinds: ClassVar[tuple[str, ...]] = KINDS  # of synthetic rows that it learns from
    # Ways to train, beside the metric's options: by name, what may be chosen; the first is default.
    choices: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    penalty: float | Floats = RIDGE  # of the control; maybe another for each feature
    learns_from_dialogues: ClassVar[bool] = False  # which `rows` makes rows of

    def __init__(self, metric: Any, **chosen: str) -> None:
        self.metric: Metric = metric  # with the options that were asked for
        self.chosen = {name: values[0] for name, values in self.choices.items()}
        for name, value in chosen.items():
            if value not in self.choices.get(name, ()):
                raise SpecError(
                    f"{name}={value}: expected {', '.join(self.choices.get(name, ['nothing']))}"
                )
            self.chosen[name] = value

    def rows(self, dialogues: Sequence[Any], seed: int, criterion: str | None = None) -> Any:  # noqa: ARG002
        """Return rows to learn from, of dialogues, if the recipe learns from such; `criterion` is
        what it learns of ratings of dialogues.
        """
        raise SpecError(f"{self.metric.info.name} learns from judged outputs, not from dialogues")

    def learn_first(self, dialogues: Sequence[Any], seed: int, **how: Any) -> None:  # noqa: ARG002
        """Learn a first stage from dialogues, if the recipe has one."""
        raise SpecError(f"{self.metric.info.name} has no stage that learns from other dialogues")

    @abstractmethod
    def prepare(self, corpus: Corpus, *, threads: int) -> Prepared:
        """Compute what `fit` and `predict` need of the texts, once for all folds."""

    @abstractmethod
    def take(self, prepared: Prepared, rows: Codes) -> Prepared:
        """Return some rows of what was prepared."""

    @abstractmethod
    def fit(self, prepared: Prepared, ratings: Floats, run: FitRun) -> Arrays:
        """Return the arrays of the model."""

    @abstractmethod
    def predict(self, arrays: Arrays, prepared: Prepared) -> Floats:
        """Return predictions, by the code that scores later."""

    @abstractmethod
    def control(self, corpus: Corpus, prepared: Prepared, *, threads: int) -> Floats:
        """Return the features of the ridge regression that is always fitted beside."""

    @abstractmethod
    def header(self) -> dict[str, Any]:
        """Return what the file says of features, encoder and settings."""

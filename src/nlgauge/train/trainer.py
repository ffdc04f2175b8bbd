"""Train a metric: fit its model on folds and on all rows, beside a control, and tell how it does.

Every figure is about rows that the model was not fitted to. A model that does not beat a ridge
regression on its own features, or its best single feature, says so.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from nlgauge.core import options, registry
from nlgauge.core.metric import Metric
from nlgauge.data.corpus import Corpus
from nlgauge.data.labels import Codes
from nlgauge.errors import NlgaugeWarning
from nlgauge.kernels import Floats, Texts, available_threads
from nlgauge.models.files.trained_model import write_model
from nlgauge.models.predictors.predictor import Arrays
from nlgauge.stats.correlation import pearson
from nlgauge.train.fits import fit_ridge
from nlgauge.train.held_out import FigureMaker, HeldOutFigure, check_folds, folds_of
from nlgauge.train.judged_rows import JudgedRows, shared_texts
from nlgauge.train.recipe import FitRun, Recipe
from nlgauge.train.synthetic import DAMAGED, DISAGREEING, SHARE, synthetic_rows
from nlgauge.train.tuning.tuning_recipe import TuningRecipe

MODEL, CONTROL, SINGLE = "model", "control", "best single feature"
SEED = 1
FOLDS = 5


@dataclass(frozen=True, kw_only=True)
class TrainSettings:
    """These settings say how a model is trained and what is held out."""

    seed: int = SEED
    folds: int = FOLDS  # 0: no rows are held out
    synthetic: float = SHARE  # synthetic rows for each rated one
    threads: int | None = None
    checkpoints: Path | None = None  # folder


@dataclass(frozen=True, eq=False, kw_only=True)
class TrainedMetric:
    """This is what training came to: the model, and figures on rows it did not see."""

    metric: Metric
    arrays: Arrays
    header: Mapping[str, Any]
    figures: Mapping[str, Sequence[HeldOutFigure]]  # by what was held out: folds, test
    sense: Mapping[str, float]  # by kind of synthetic row: mean percentile among real outputs
    notes: tuple[str, ...]

    def write(self, path: str) -> None:
        """Write the file of the model."""
        write_model(path, self.header, self.arrays)


def train_metric(
    recipe: Recipe[Any],
    rows: JudgedRows,
    settings: TrainSettings,
    *,
    test: JudgedRows | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> TrainedMetric:
    """Fit the model of a metric to rated outputs; `test` has others, which are looked at once."""
    rows.check()
    if settings.folds:
        check_folds(rows.groups, settings.folds)
    run = Training(recipe, rows, settings, progress)
    figures: dict[str, list[HeldOutFigure]] = {}
    sense: dict[str, float] = {}
    if settings.folds:
        predictions = run.held_out()
        maker = FigureMaker(rows.ratings, rows.parts, rows.groups, settings.seed)
        figures["folds"] = _compared(maker, predictions)
        sense = run.percentiles(predictions[MODEL])
    began = time.process_time()
    progress(f"all {len(rows)} rows")
    arrays = run.fit(np.arange(len(run.ratings)), "all")
    seconds = time.process_time() - began
    if test is not None:
        figures["test"] = _compared(*run.tested(test, arrays))
    rated = np.array([run.mean, run.deviation])
    notes = _notes(figures, sense)
    header = {
        **recipe.header(),
        "metric": recipe.metric.info.name,
        "options": options.encoded(recipe.metric, without="model"),
        # Of several files it is not known how many rows came from each.
        "data": [dict(file, rows=len(rows)) if len(rows.data) == 1 else file for file in rows.data],
        "rows": len(rows),
        "split": {"groups": len(np.unique(rows.groups)), "folds": settings.folds},
        "figures": [
            {**figure.record(), "on": on} for on, found in figures.items() for figure in found
        ],
        "common_sense": sense,
        "notes": list(notes),
        "criterion": rows.criterion,
        "seed": settings.seed,
        "seconds": round(seconds, 1),
        "versions": {"numpy": np.__version__},
    }
    metric = recipe.metric
    if isinstance(recipe, TuningRecipe):
        metric = recipe.tuned(arrays)
        header["tuned"] = registry.spec(metric)
    return TrainedMetric(
        metric=metric,
        arrays={**arrays, "ratings": rated},
        header=header,
        figures=figures,
        sense=sense,
        notes=notes,
    )


class Training:
    """A training has rated rows with the synthetic ones behind them, prepared once."""

    def __init__(
        self,
        recipe: Recipe[Any],
        rows: JudgedRows,
        settings: TrainSettings,
        progress: Callable[[str], None],
    ) -> None:
        self.recipe, self.rows, self.settings, self.progress = recipe, rows, settings, progress
        self.threads = settings.threads or available_threads()
        self.mean, self.deviation = float(rows.ratings.mean()), float(rows.ratings.std())
        extra = synthetic_rows(
            rows, share=settings.synthetic, seed=settings.seed, kinds=recipe.kinds
        )
        every = np.concatenate([np.arange(len(rows)), extra.origins])
        ratings = np.concatenate([rows.ratings, extra.ratings])
        self.ratings = (ratings - self.mean) / self.deviation
        self.groups, self.parts = rows.groups[every], rows.parts.take(every)
        self.kinds: list[str | None] = [*[None] * len(rows), *extra.kinds]
        corpus = rows.corpus.take(every.tolist())
        texts = Texts([*rows.corpus.hypotheses, *extra.texts])
        self.corpus = replace(corpus, hypotheses=texts)
        progress(f"features of {len(rows)} rated and {len(extra.kinds)} synthetic rows")
        self.prepared = recipe.prepare(self.corpus, threads=self.threads)
        self.features = recipe.control(self.corpus, self.prepared, threads=self.threads)
        if self.features.shape[1] >= len(rows):
            warnings.warn(
                f"{len(rows)} rated outputs for {self.features.shape[1]} features; a model with "
                "more features than rows learns them by heart",
                NlgaugeWarning,
                stacklevel=4,
            )

    def fit(self, rows: Codes, name: str) -> Arrays:
        """Fit the model to some rows."""
        settings = self.settings
        run = FitRun(
            seed=settings.seed,
            groups=self.groups[rows],
            parts=self.parts.take(rows),
            kinds=[self.kinds[k] for k in rows.tolist()],
            progress=self.progress,
            checkpoint=None if settings.checkpoints is None else settings.checkpoints / name,
            threads=self.threads,
        )
        prepared = self.recipe.take(self.prepared, rows)
        return self.recipe.fit(prepared, self.ratings[rows], run)

    def held_out(self) -> dict[str, Floats]:
        """Return what model, control and single features say of rows, each of a fold that they
        were not fitted to.
        """
        found = {name: np.zeros(len(self.ratings)) for name in (MODEL, CONTROL, SINGLE)}
        fold_of = folds_of(self.rows.groups, self.settings.folds, self.settings.seed)
        fold_by_group = dict(zip(self.rows.groups.tolist(), fold_of.tolist(), strict=True))
        folds = np.array([fold_by_group[group] for group in self.groups.tolist()])
        for fold in range(self.settings.folds):
            self.progress(f"fold {fold + 1} of {self.settings.folds}")
            held, kept = np.flatnonzero(folds == fold), np.flatnonzero(folds != fold)
            arrays = self.fit(kept, f"fold-{fold + 1}")
            found[MODEL][held] = self.recipe.predict(arrays, self.recipe.take(self.prepared, held))
            found[CONTROL][held], found[SINGLE][held] = self._simple(kept, self.features[held])
        return found

    def _simple(self, kept: Codes, features: Floats) -> tuple[Floats, Floats]:
        """Return what the control and the best single feature of some rows say of features."""
        rated = kept[kept < len(self.rows)]
        known, ratings = self.features[rated], self.ratings[rated]
        control = fit_ridge(known, ratings, penalty=self.recipe.penalty)
        agreeing = [pearson(column, ratings) for column in known.T]
        best = int(np.nanargmax(np.abs(agreeing)))
        scaled = (features[:, best] - known[:, best].mean()) / max(known[:, best].std(), 1e-12)
        return control.predict(features), np.sign(agreeing[best]) * scaled

    def percentiles(self, predicted: Floats) -> dict[str, float]:
        """Return where synthetic rows stand among real ones, in percent of these; a copy is not
        worse than a copy, so that outputs that are a reference themselves are left out.
        """
        real = np.sort(predicted[: len(self.rows)][~copies(self.rows.corpus)])
        found = {}
        for kind in self.recipe.kinds:
            own = predicted[[k for k, name in enumerate(self.kinds) if name == kind]]
            if own.size:
                found[kind] = percentile(own, real)
        return found

    def tested(self, test: JudgedRows, arrays: Arrays) -> tuple[FigureMaker, dict[str, Floats]]:
        """Return what all say of other rows, and who makes figures of it."""
        if leaking := shared_texts(test, self.rows):
            warnings.warn(
                f"{leaking} of {len(test)} test rows have a source, context or reference that was "
                "trained on; their figures say little about new texts",
                NlgaugeWarning,
                stacklevel=4,
            )
        prepared = self.recipe.prepare(test.corpus, threads=self.threads)
        features = self.recipe.control(test.corpus, prepared, threads=self.threads)
        control, single = self._simple(np.arange(len(self.rows)), features)
        predicted = {
            MODEL: self.recipe.predict(arrays, prepared),
            CONTROL: control,
            SINGLE: single,
        }
        return FigureMaker(test.ratings, test.parts, test.groups, self.settings.seed), predicted


def copies(corpus: Corpus) -> npt.NDArray[np.bool_]:
    """Return which hypotheses are one of their references."""
    pairs = zip(corpus.hypotheses, corpus.references, strict=True)
    return np.array([hyp.strip() in {ref.strip() for ref in refs} for hyp, refs in pairs], bool)


def percentile(values: Floats, among: Floats) -> float:
    """Return the mean share, in percent, of sorted numbers that are below values; ties by half."""
    below = np.searchsorted(among, values, "left") + np.searchsorted(among, values, "right")
    return float(100 * below.mean() / (2 * len(among)))


def _compared(maker: FigureMaker, predicted: Mapping[str, Floats]) -> list[HeldOutFigure]:
    size = len(maker.ratings)
    own = {name: values[:size] for name, values in predicted.items()}
    above = [maker.figure(f"model above {k}", own[MODEL], own[k]) for k in (CONTROL, SINGLE)]
    return [*(maker.figure(name, values) for name, values in own.items()), *above]


def _notes(
    figures: Mapping[str, Sequence[HeldOutFigure]], sense: Mapping[str, float]
) -> tuple[str, ...]:
    notes = []
    for on, found in figures.items():
        for name in (CONTROL, SINGLE):
            above = next(f for f in found if f.name == f"model above {name}")
            if above.low <= 0:
                notes.append(
                    f"on {on}, the model is not reliably above the {name}: "
                    f"{above.value:+.3f} [{above.low:+.3f}, {above.high:+.3f}]"
                )
    for kind, place in sense.items():
        if (kind == "identical" and place < 99) or (
            kind not in ("identical", "negated", DAMAGED, DISAGREEING) and place > 10
        ):
            notes.append(f"common sense: {kind} references stand at percentile {place:.1f}")
    return tuple(notes)

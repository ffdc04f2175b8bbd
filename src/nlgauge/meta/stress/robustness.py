"""Does a metric notice when a text is broken, and only then? A report card.

Every text is perturbed in every way and severity; all changed texts are scored in one batch. A
text that was broken must score worse by more than ε, one whose meaning is kept may move by at most
ε, where ε is a share of the metric's range.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nlgauge.core.facts.choices import PerturbedTexts
from nlgauge.core.facts.defaults import SEED
from nlgauge.core.metric import Metric
from nlgauge.core.outputs import Outputs, OutputScores
from nlgauge.core.results import Result
from nlgauge.core.table import Column
from nlgauge.data.corpus import Corpus, References
from nlgauge.data.labels import Labels
from nlgauge.errors import DataError, SpecError, TextWarning
from nlgauge.kernels import Floats, Texts
from nlgauge.meta.judge_conduct import JudgeConduct, judge_conduct
from nlgauge.meta.stress.perturbations import PERTURBATIONS, Perturbation, perturbation
from nlgauge.meta.stress.perturbations.trials import Trial, mean, perturbed
from nlgauge.run.scoring import score_outputs
from nlgauge.stats.correlation import spearman

SEVERITIES = (0.1, 0.2, 0.3, 0.4, 0.5)
EPSILON = 0.01
THRESHOLD = 0.9
_ORIGINAL, _PERFECT, _NOTHING = "original", "perfect", "nothing"


@dataclass(frozen=True, eq=False, kw_only=True)
class PerturbationOutcome:
    """An outcome says how one metric answered to one perturbation. NaN: it changed no text."""

    metric: str
    perturbation: str
    breaking: bool
    texts: int
    change: float  # mean of changed minus original score, as printed
    drop: float  # mean worsening, as a share of the metric's range
    size: float  # mean of its absolute value
    ranked: float  # share of changed texts that score worse than the original
    passing: float  # share that scores worse by more than ε or, if not breaking, moves by at most ε
    passed: bool  # whether that is the threshold at least
    correlation: float  # Spearman's, of the drop and the share of words touched
    by_severity: tuple[float, ...]  # mean drop at each severity
    drops: Floats  # [severities or 1, items]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Robustness(Result):
    """This is a report card: the outcomes of all metrics and perturbations."""

    columns: tuple[Column, ...]
    trials: tuple[Trial, ...]
    outcomes: Mapping[tuple[str, str], PerturbationOutcome]  # by metric and perturbation
    ranges: Mapping[str, float]  # of each metric, as it is defined
    # Share of pairs of a broken and a kept text of the same item where the broken one drops more.
    separation: Mapping[str, float]
    originals: tuple[str, ...]
    scored_against: str
    epsilon: float
    threshold: float
    seed: int
    left_out: Mapping[str, str]
    judges: tuple[JudgeConduct, ...] = ()  # how judges among the metrics behaved

    def record(self) -> dict[str, Any]:
        """Return plain values without the texts, for JSON."""
        metrics = {}
        for column in self.columns:
            own = [self.outcomes[column.name, t.perturbation] for t in self.trials]
            plain = {o.perturbation: {**vars(o)} for o in own}
            for record in plain.values():
                for key in ("metric", "perturbation", "drops"):
                    del record[key]
            metrics[column.name] = {
                "signature": column.signature,
                "range": self.ranges[column.name],
                "separation": self.separation[column.name],
                "outcomes": plain,
            }
        return {
            "items": len(self.originals),
            "scored_against": self.scored_against,
            "epsilon": self.epsilon,
            "threshold": self.threshold,
            "seed": self.seed,
            "left_out": dict(self.left_out),
            **({"judges": [vars(judge) for judge in self.judges]} if self.judges else {}),
            "perturbations": {
                t.perturbation: {
                    "breaking": t.breaking,
                    "severities": t.severities,
                    "coverage": t.coverage,
                    "touched": t.mean_touched,
                }
                for t in self.trials
            },
            "metrics": metrics,
        }


def robustness(
    corpus: Corpus,
    metrics: Iterable[str | Metric],
    *,
    on: PerturbedTexts = "references",
    perturbations: Iterable[str | Perturbation] = tuple(PERTURBATIONS),
    severities: Sequence[float] = SEVERITIES,
    epsilon: float = EPSILON,
    threshold: float = THRESHOLD,
    seed: int = SEED,
    shared_options: Mapping[str, object] | None = None,
    threads: int | None = None,
) -> Robustness:
    """Perturb texts and see what the metrics say.

    `on="references"` perturbs the first reference of each segment and scores it against the others
    or, unless every segment has others, against all, so that the original is perfect;
    `on="system"` perturbs the corpus's hypotheses. Where a metric's range has no end, its distance
    between a reference and an empty text takes its place.
    """
    _check(severities, epsilon, threshold)
    trials, outputs, against = stressed(
        corpus, on=on, perturbations=perturbations, severities=severities, seed=seed
    )
    originals = tuple(outputs.corpus.hypotheses)[: len(corpus)]
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "empty texts", TextWarning)  # some are made so
        scores = score_outputs(outputs, metrics, shared_options=shared_options, threads=threads)
    outcomes, ranges = {}, {}
    for column in scores.columns:
        grid = dict(zip(scores.systems.names, _grid(scores, column), strict=True))
        ranges[column.name] = _range(column.metric, grid)
        for trial in trials:
            rows = trial.names
            changed = np.stack([grid.get(r, np.full(len(originals), np.nan)) for r in rows])
            outcomes[column.name, trial.perturbation] = _outcome(
                column,
                trial,
                changed - grid[_ORIGINAL],
                span=ranges[column.name],
                epsilon=epsilon,
                threshold=threshold,
            )
    return Robustness(
        columns=scores.columns,
        trials=trials,
        outcomes=outcomes,
        ranges=ranges,
        separation={
            column.name: _separation([outcomes[column.name, t.perturbation] for t in trials])
            for column in scores.columns
        },
        originals=originals,
        scored_against=against,
        epsilon=epsilon,
        threshold=threshold,
        seed=seed,
        left_out=scores.left_out,
        judges=_judges(scores, outputs),
    )


def stressed(
    corpus: Corpus,
    *,
    on: PerturbedTexts = "references",
    perturbations: Iterable[str | Perturbation] = tuple(PERTURBATIONS),
    severities: Sequence[float] = SEVERITIES,
    seed: int = SEED,
) -> tuple[tuple[Trial, ...], Outputs, str]:
    """Return what was changed, all texts that are to be scored for it, the originals first, and
    what they are scored against.
    """
    corpus, against = _originals(corpus, on)
    originals = tuple(corpus.hypotheses)
    chosen = [perturbation(p) if isinstance(p, str) else p for p in perturbations]
    names = [p.name for p in chosen]
    if twice := {name for name in names if names.count(name) > 1}:
        raise SpecError(f"perturbation {', '.join(sorted(twice))} is given twice")
    trials = tuple(perturbed(p, corpus, originals, tuple(severities), seed) for p in chosen)
    return trials, _outputs(corpus, originals, trials), against


def _judges(scores: OutputScores, outputs: Outputs) -> tuple[JudgeConduct, ...]:
    words = [len(text.split()) for text in outputs.corpus.hypotheses]
    return judge_conduct(scores, np.array(words, np.float64))


def _check(severities: Sequence[float], epsilon: float, threshold: float) -> None:
    if not severities or not all(0 < s <= 1 for s in severities):
        listing = ", ".join(f"{s:g}" for s in severities)
        raise SpecError(f"severities=[{listing}]: give shares of words, above 0 and at most 1")
    if len(set(severities)) < len(severities):
        raise SpecError("severities: one is given twice")
    if not 0 <= epsilon < 1 or not 0 < threshold <= 1:
        raise SpecError(
            f"epsilon={epsilon:g}, threshold={threshold:g}: both are shares, epsilon of the "
            "metric's range (0.01), threshold of the texts (0.9)"
        )


def _originals(corpus: Corpus, on: PerturbedTexts) -> tuple[Corpus, str]:
    """Return the corpus with the texts to perturb as hypotheses, and what they are scored
    against.
    """
    if on == "system":
        return corpus, f"outputs of {corpus.name} against the references"
    refs = corpus.references
    if (refs.counts == 0).any():
        missing = int(np.flatnonzero(refs.counts == 0)[0])
        raise DataError(
            f"{corpus.segment_name(missing)} of {corpus.name} has no reference to perturb; "
            "give references, or perturb the system's outputs (on=system)"
        )
    first = refs.starts[:-1]
    texts = Texts([refs.flat[i] for i in first])
    if not (refs.counts > 1).all():
        return replace(corpus, hypotheses=texts), "first references against all references"
    kept = np.setdiff1d(np.arange(len(refs.flat)), first)
    others = References(Texts([refs.flat[i] for i in kept]), refs.starts - np.arange(len(refs) + 1))
    weights = corpus.reference_weights
    weights = None if weights is None else weights[kept]
    held_out = replace(corpus, hypotheses=texts, references=others, reference_weights=weights)
    return held_out, "first references against the other references"


def _outputs(corpus: Corpus, originals: Sequence[str], trials: Sequence[Trial]) -> Outputs:
    """Return originals, changed texts and the two ends of the scale, as systems."""
    perfect = [refs[0] if refs else "" for refs in corpus.references]
    systems: dict[str, Sequence[str | None]] = {
        _ORIGINAL: originals,
        _PERFECT: perfect,
        _NOTHING: [""] * len(originals),
    }
    for trial in trials:
        systems.update(zip(trial.names, trial.texts, strict=True))
    found = [
        (name, i, text)
        for name, texts in systems.items()
        for i, text in enumerate(texts)
        if text is not None
    ]
    without_ids = replace(corpus, ids=None)  # as each segment is there several times
    rows = without_ids.take([i for _, i, _ in found])
    rows = replace(rows, hypotheses=Texts([text for *_, text in found]))
    return Outputs(
        corpus=rows,
        items=Labels.build(str(i) for _, i, _ in found),
        systems=Labels.build(name for name, *_ in found),
    )


def _grid(scores: OutputScores, column: Column) -> Floats:
    """Return scores as they are defined: [systems, items]."""
    return scores.grid(column.metric.score(scores.rows_of(column.name)))


def _range(metric: Metric, grid: Mapping[str, Floats]) -> float:
    low, high = metric.bounds
    if math.isfinite(high - low):
        return high - low
    span = abs(mean(grid[_PERFECT]) - mean(grid[_NOTHING]))
    return span if span > 0 else 1.0


def _outcome(
    column: Column, trial: Trial, changes: Floats, *, span: float, epsilon: float, threshold: float
) -> PerturbationOutcome:
    info = column.metric.info
    drops = (-changes if info.higher_is_better else changes) / span
    known = drops[~np.isnan(drops)]
    passes = known > epsilon if trial.breaking else np.abs(known) <= epsilon + 1e-12
    passing = mean(passes)
    return PerturbationOutcome(
        metric=column.name,
        perturbation=trial.perturbation,
        breaking=trial.breaking,
        texts=known.size,
        change=mean(changes) * info.scale,
        drop=mean(known),
        size=mean(np.abs(known)),
        ranked=mean(known > 1e-12),
        passing=passing,
        passed=bool(passing >= threshold),
        correlation=spearman(drops.ravel(), trial.touched.ravel()),
        by_severity=tuple(mean(row) for row in drops) if trial.severities else (),
        drops=drops,
    )


def _separation(outcomes: Sequence[PerturbationOutcome]) -> float:
    """Return how often a broken text loses more than an intact one; ties count a half."""
    kinds = [[o.drops for o in outcomes if o.breaking == breaking] for breaking in (True, False)]
    if not all(kinds):
        return float("nan")
    broken, kept = (np.vstack(drops) for drops in kinds)
    # A difference below rounding is a tie; NaN, where one of the two has no text, stays.
    differences = np.round(broken[:, None] - kept[None, :], 12)
    return mean((np.sign(differences) + 1) / 2)

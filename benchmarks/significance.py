"""Bootstrap resampling, alone and with scoring, against sacreBLEU."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from corpora import Corpus
from peers import NLGAUGE, references, sacrebleu_metric
from report import Bar, Line
from timing import Contestant, alternate

import nlgauge
from nlgauge.stats import resampling

METRICS = ("bleu", "chrf", "ter")
SACREBLEU_NAMES = {"bleu": "BLEU", "chrf": "chrF2", "ter": "TER"}


def ours(corpus: Corpus) -> nlgauge.ScoreTable:
    """From two lists of str to scores, intervals and p-values."""
    suite = nlgauge.Suite.build({"a": corpus.hyp, "b": corpus.hyp2}, references(corpus))
    return nlgauge.score_suite(suite, METRICS, paired=True, threads=1)


def theirs(corpus: Corpus) -> dict[str, Any]:
    """The same by sacreBLEU."""
    from sacrebleu.significance import PairedTest

    logging.getLogger("sacrebleu").setLevel(logging.ERROR)
    systems: list[tuple[str, Sequence[str]]] = [("a", corpus.hyp), ("b", corpus.hyp2)]
    metrics = {metric: sacrebleu_metric(metric) for metric in METRICS}
    test = PairedTest(systems, metrics, corpus.refs, test_type="bs", n_samples=1000)
    results: dict[str, Any] = test()[1]
    return results


def check(corpus: Corpus) -> str:
    """Intervals and p-values agree up to sacreBLEU's single precision."""
    table, results = ours(corpus), theirs(corpus)
    largest = 0.0
    for metric in METRICS:
        for k, system in enumerate(("a", "b")):
            expected = results[SACREBLEU_NAMES[metric]][k]
            found = table.intervals[system, metric]
            differences = [
                found.mean - float(expected.mean),
                (found.high - found.low) / 2 - float(expected.ci),
                table.p_values["b", metric] - expected.p_value if system == "b" else 0.0,
            ]
            largest = max(largest, *map(abs, differences))
    if largest > 2e-3:
        raise SystemExit(f"paired bootstrap: off from sacreBLEU by {largest}; not timed")
    return f"paired bootstrap: intervals and p-values agree with sacreBLEU's within {largest:.0e}"


def paired(corpus: Corpus, reps: int) -> Line:
    """Two systems, three metrics, 1000 resamples, scoring included."""
    return _line(
        f"paired bootstrap, {len(corpus):,} segments",
        lambda: ours(corpus),
        lambda: theirs(corpus),
        reps,
        Bar(100),
    )


def resampled(corpus: Corpus, reps: int, bar: Bar) -> Line:
    """1000 resamples of BLEU's statistics, which both have already, to an interval."""
    from sacrebleu.significance import _bootstrap_resample, estimate_ci

    table = nlgauge.score(corpus.hyp, references(corpus), metrics=["bleu"])
    metric = sacrebleu_metric("bleu")
    # Equal to sacreBLEU's own, in its layout.
    statistics = table.rows_of("system", "bleu").astype(int).tolist()

    def resample() -> Any:
        _, scores = _bootstrap_resample(statistics, metric, 1000)
        return estimate_ci(np.array([score.score for score in scores]))

    return _line(
        f"resampling alone, {len(corpus):,} segments",
        lambda: resampling.bootstrap(table),
        resample,
        reps,
        bar,
    )


def _line(
    name: str, here: Callable[[], Any], there: Callable[[], Any], reps: int, bar: Bar
) -> Line:
    contestants = [Contestant(NLGAUGE, 1, here), Contestant("sacreBLEU", 1, there)]
    seconds = alternate(contestants, reps)
    return Line(
        name,
        f"{seconds[NLGAUGE] * 1e3:.1f} ms",
        seconds["sacreBLEU"] / seconds[NLGAUGE],
        bar=bar,
        peer="sacreBLEU",
        theirs=f"{seconds['sacreBLEU'] * 1e3:.0f} ms",
    )

"""Each metric against its peers, in CPU time with one thread; and with two threads."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from corpora import Corpus
from peers import CALLS, NLGAUGE, call_nlgauge, references, sacrebleu_metric, versions
from report import Bar, Line
from timing import Contestant, alternate

import nlgauge


@dataclass(frozen=True)
class Case:
    """A metric, and how many times faster than each peer it has to be."""

    metric: str
    references: int
    bars: dict[str, float]


CASES = (
    Case("bleu", 1, {"sacreBLEU": 120, "bleuscore": 20}),
    Case("bleu", 4, {"sacreBLEU": 120, "bleuscore": 20}),
    Case("chrf", 1, {"sacreBLEU": 120, "fastchrf": 50}),
    Case("chrf", 4, {"sacreBLEU": 120, "fastchrf": 50}),
    Case("chrf++", 1, {"sacreBLEU": 120}),
    Case("ter", 1, {"sacreBLEU": 200}),
)
METRICS = ("bleu", "chrf", "chrf++", "ter")
SEGMENTS = {NLGAUGE: 50_000, "sacreBLEU": 2_000, "bleuscore": 10_000, "fastchrf": 5_000}
SCALING = Bar(1.6)


def segments(name: str, corpus: Corpus, quick: bool) -> int:
    """How many segments a tool gets."""
    return min(len(corpus), SEGMENTS[name] // (10 if quick else 1))


def check(case: Case, corpus: Corpus) -> str:
    """Compare with sacreBLEU: statistics of every segment exactly, the score within 1e-9."""
    metric = sacrebleu_metric(case.metric)
    theirs = np.array(metric._extract_corpus_statistics(corpus.hyp, corpus.refs), np.float64)
    expected = metric.corpus_score(corpus.hyp, corpus.refs).score
    table = nlgauge.score(corpus.hyp, references(corpus), metrics=[case.metric], threads=1)
    ours = table.rows_of("system", case.metric)
    score = table[case.metric].score
    if ours.shape != theirs.shape or (ours != theirs).any() or abs(score - expected) > 1e-9:
        raise SystemExit(f"{case.metric}: {score!r} here, {expected!r} in sacreBLEU; not timed")
    return (
        f"{case.metric}, {case.references} ref.: equal to sacreBLEU on {len(corpus):,} segments "
        f"(all {theirs.size:,} statistics; score {score:.6f}, off by {abs(score - expected):.0e})"
    )


def compare(case: Case, corpus: Corpus, reps: int, quick: bool) -> Iterator[Line]:
    """One line per peer."""
    installed = versions()
    contestants = []
    for name in (NLGAUGE, *case.bars):
        if name == NLGAUGE or name in installed:
            part = corpus.first(segments(name, corpus, quick), case.references)
            contestants.append(Contestant(name, len(part), CALLS[name](case.metric, part)))
    seconds = alternate(contestants, reps)
    micros = {c.name: seconds[c.name] / c.segments * 1e6 for c in contestants}
    for contestant in contestants[1:]:
        name = contestant.name
        yield Line(
            f"{case.metric}, {case.references} ref.",
            f"{micros[NLGAUGE]:.2f} µs/segment",
            micros[name] / micros[NLGAUGE],
            bar=Bar(case.bars[name]),
            peer=name,
            theirs=f"{micros[name]:.1f} µs/segment ({contestant.segments:,})",
        )


def scaling(metric: str, corpus: Corpus, reps: int) -> Line:
    """One thread against two, in wall time."""
    one = corpus.first(len(corpus), 1)
    contestants = [
        Contestant(f"{threads}", len(one), call_nlgauge(metric, one, threads)) for threads in (1, 2)
    ]
    seconds = alternate(contestants, reps, time.perf_counter)
    return Line(
        f"{metric}, {len(one):,} segments, 2 threads",
        f"{seconds['2'] * 1e3:.0f} ms",
        seconds["1"] / seconds["2"],
        bar=SCALING,
        peer="1 thread",
        theirs=f"{seconds['1'] * 1e3:.0f} ms",
    )

"""How often the intervals of `nlgauge meta` hold the true value: a simulation at every level.

python benchmarks/studies/interval_coverage.py [--simulations 400] [--seed 1]

Outputs have a quality; people see it with the system's mean and the item's difficulty, the metric
with errors of its own, which may lean towards some systems. The true value of a design is the mean
over many other draws of items and systems. Prints a Markdown table for docs/guide/meta.md.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

import numpy as np

from nlgauge.core.given import GivenScores
from nlgauge.core.outputs import OutputScores
from nlgauge.core.table import Column
from nlgauge.data.judgements import Judgements
from nlgauge.data.labels import Labels
from nlgauge.meta.correlation.meta_result import correlate
from nlgauge.meta.correlation.paired_scores import PairedScores
from nlgauge.meta.correlation.settings import Level, MetaSettings


@dataclass(frozen=True)
class Design:
    level: Level
    items: int
    systems: int
    leaning: float = 0.0  # spread of the metric's liking of systems
    heavy: bool = False  # errors by Student's t with 3 degrees of freedom

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Return scores and ratings, [systems, items]."""
        shape = (self.systems, self.items)
        quality = rng.standard_normal(shape) + 0.5 * rng.standard_normal((self.systems, 1))
        difficulty = rng.standard_normal((1, self.items))
        errors = rng.standard_t(3, shape) if self.heavy else rng.standard_normal(shape)
        leaning = self.leaning * rng.standard_normal((self.systems, 1))
        return (
            0.5 * quality + 0.87 * errors + leaning + 0.3 * difficulty,
            quality + 0.7 * difficulty,
        )

    def value(self, scores: np.ndarray, ratings: np.ndarray) -> float:
        """Return Pearson's coefficient at the level."""
        if self.level == "segment":
            return float(np.corrcoef(scores.ravel(), ratings.ravel())[0, 1])
        if self.level == "system":
            return float(np.corrcoef(scores.mean(axis=1), ratings.mean(axis=1))[0, 1])
        pairs = zip(scores.T, ratings.T, strict=True)
        return float(np.mean([np.corrcoef(a, b)[0, 1] for a, b in pairs]))


DESIGNS = (
    Design("segment", 30, 1),
    Design("segment", 30, 1, heavy=True),
    Design("segment", 100, 1),
    Design("segment", 30, 8),
    Design("segment", 30, 8, leaning=0.4),
    Design("segment-by-item", 20, 5),
    Design("segment-by-item", 30, 10),
    Design("segment-by-item", 30, 10, leaning=0.4),
    Design("segment-by-item", 60, 15),
    Design("segment-by-item", 60, 15, leaning=0.4),
    Design("segment-by-item", 100, 4),
    Design("system", 60, 15, leaning=0.2),
    Design("system", 60, 15),
    Design("system", 200, 10, leaning=0.5),
)


def paired(scores: np.ndarray, ratings: np.ndarray) -> PairedScores:
    systems, items = (labels.ravel() for labels in np.indices(scores.shape))
    names = [(f"s{s}", f"i{i}") for s, i in zip(systems, items, strict=True)]
    metric = GivenScores(name="metric", higher_is_better=True)
    outputs = OutputScores(
        items=Labels.build(item for _, item in names),
        systems=Labels.build(system for system, _ in names),
        columns=(Column(metric.name, metric, metric.signature()),),
        rows=(np.column_stack([scores.ravel(), np.ones(scores.size)]),),
    )
    judged = [
        {"system": system, "item": item, "criterion": "quality", "value": value}
        for (system, item), value in zip(names, ratings.ravel(), strict=True)
    ]
    return PairedScores(scores=outputs, judgements=Judgements.build(judged), groups={})


def coverage(design: Design, method: str, simulations: int, seed: int) -> tuple[float, float]:
    """Return how often the interval held the true value, and its width relative to the ideal."""
    rng = np.random.default_rng(seed)
    truths = np.array([design.value(*design.draw(rng)) for _ in range(10 * simulations)])
    settings = MetaSettings(levels=(design.level,), interval=method, resamples=500, test="none")
    held, widths = [], []
    for _ in range(simulations):
        found = correlate(paired(*design.draw(rng)), settings=settings).agreements[0]
        held.append(found.low <= truths.mean() <= found.high)
        widths.append(found.high - found.low)
    return float(np.mean(held)), float(np.median(widths) / (2 * 1.96 * truths.std()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    print("| level | items | systems | metric leans to systems | jackknife | percentile |")
    print("|---|---|---|---|---|---|")
    for design in DESIGNS:
        cells = []
        for method in ("jackknife", "percentile"):
            held, width = coverage(design, method, arguments.simulations, arguments.seed)
            cells.append(f"{held:.3f} ({width:.2f})")
        leaning = "yes" if design.leaning else "no"
        name = f"{design.level}{', heavy tails' if design.heavy else ''}"
        print("|", " | ".join([name, str(design.items), str(design.systems), leaning, *cells]), "|")


if __name__ == "__main__":
    main()

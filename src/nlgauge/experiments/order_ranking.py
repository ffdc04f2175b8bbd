"""Rank systems by word order and by other metrics, against adequacy (Isozaki et al., 2010)."""

from __future__ import annotations

from nlgauge.experiments.correlations import (
    correlations,
    criterion_of,
    judged_scores,
    points_note,
)
from nlgauge.experiments.experiment import ComparedRow, ComparedTable, ExperimentData

# Spearman and Pearson with adequacy, NTCIR-7 Japanese to English, 15 systems (table 1).
PAPER = {
    "nkt(tokenizer=13a)": (0.940, 0.922),
    "nsr(tokenizer=13a)": (0.904, 0.906),
    "nsrp(tokenizer=13a)": (0.947, 0.900),
    "nktp(tokenizer=13a)": (0.940, 0.904),
    "rouge-l": (0.903, 0.874),
    "wer(tokenizer=13a)": (0.894, 0.822),
    "ter": (0.854, 0.806),
    "impact(tokenizer=13a)": (0.797, 0.813),
    "gtm(tokenizer=13a,exponent=12)": (0.618, 0.723),
    "rouge-s(gap=4)": (0.593, 0.757),
    "bleu": (0.515, 0.653),
    "meteor": (0.490, 0.708),
    "per(tokenizer=13a)": (0.375, 0.642),
    "nist": (0.343, 0.661),
    "ribes(tokenizer=13a)": (None, None),
}
COEFFICIENTS = ("spearman", "pearson")


def run(given: ExperimentData) -> list[ComparedTable]:
    """Return the correlations of systems' scores and adequacy."""
    paired = judged_scores(given, list(PAPER))
    criterion = criterion_of(paired, given, "adequacy")
    found = correlations(paired, criterion, "system", COEFFICIENTS)
    rows = [
        ComparedRow(_label(metric), tuple(found.get((metric, c)) for c in COEFFICIENTS), paper)
        for metric, paper in PAPER.items()
    ]
    return [
        ComparedTable(
            "Correlation of systems' scores with adequacy",
            COEFFICIENTS,
            COEFFICIENTS,
            rows,
            (
                points_note(paired, criterion),
                "the paper's: NTCIR-7, Japanese to English, 15 systems with 100 sentences each; "
                "nsrp and nktp with precision^(1/4)",
            ),
        )
    ]


def _label(metric: str) -> str:
    """Return a metric without the tokeniser, which is the same for all."""
    return metric.replace("(tokenizer=13a)", "").replace("tokenizer=13a,", "")

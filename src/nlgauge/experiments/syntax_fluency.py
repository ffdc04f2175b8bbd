"""Syntactic metrics beside BLEU, against fluency (Liu and Gildea, 2005)."""

from __future__ import annotations

from nlgauge.experiments.correlations import (
    correlations,
    criterion_of,
    judged_scores,
    points_note,
)
from nlgauge.experiments.experiment import ComparedRow, ComparedTable, ExperimentData
from nlgauge.meta.correlation.meta_result import combined

ZERO = 0.001  # the paper's, in place of a precision of 0
# Pearson with fluency of the sentences of systems E14 and E15, by length or depth (tables 1 and 2).
SENTENCES = {
    "bleu(max_order=1)": (0.126, 0.122),
    "bleu(max_order=2)": (0.132, 0.094),
    "bleu(max_order=3)": (0.117, 0.073),
    "bleu(max_order=4)": (0.093, 0.048),
    "hwcm(order=1)": (0.130, 0.128),
    "hwcm(order=2)": (0.142, 0.120),
    "hwcm(order=3)": (0.157, 0.119),
    "hwcm(order=4)": (0.153, 0.113),
    "stm(order=2)": (0.142, 0.134),
    "stm(order=3)": (0.147, 0.144),
    "stm(order=4)": (0.136, 0.143),
    "dstm(order=2)": (0.159, 0.137),
    "dstm(order=3)": (0.150, 0.124),
    "dstm(order=4)": (0.121, 0.121),
    "tkm": (0.065, 0.089),
    "dtkm": (0.090, 0.066),
}
# Pearson of systems' scores and overall judgements, seven systems (table 6).
SYSTEMS = {
    "bleu(max_order=4)": 0.753,
    "bleu(max_order=5)": 0.781,
    "hwcm(order=4)": 0.778,
    "hwcm(order=5)": 0.780,
    "stm(order=4)": 0.612,
    "dstm(order=4)": 0.788,
    "tkm": 0.539,
    "dtkm": 0.875,
}
BOTH = ("fluency", "adequacy")


def run(given: ExperimentData) -> list[ComparedTable]:
    """Return the correlations of sentences within systems, and of systems."""
    named = {name: _spec(name, given) for name in dict.fromkeys([*SENTENCES, *SYSTEMS])}
    paired = judged_scores(given, list(named.values()))
    criterion = overall = criterion_of(paired, given, BOTH[0])
    within = correlations(paired, criterion, "segment-by-system")
    notes = (points_note(paired, criterion), "ours: the mean of each system's own correlation")
    if given.criterion is None and {*BOTH} <= set(paired.criteria):
        paired, overall = combined(paired, BOTH, "sum"), f"sum({','.join(BOTH)})"
    between = correlations(paired, overall, "system")
    sentences = [
        ComparedRow(name, (within.get((named[name], "pearson")),), paper)
        for name, paper in SENTENCES.items()
    ]
    systems = [
        ComparedRow(name, (between.get((named[name], "pearson")),), (paper,))
        for name, paper in SYSTEMS.items()
    ]
    return [
        ComparedTable(
            "Correlation of sentences of a system with fluency",
            ("pearson",),
            ("E14", "E15"),
            sentences,
            notes,
        ),
        ComparedTable(
            "Correlation of systems with overall judgements",
            ("pearson",),
            ("pearson",),
            systems,
            (
                points_note(paired, overall),
                "the paper's: seven systems of the workshop of ACL 2005",
            ),
        ),
    ]


def _spec(name: str, given: ExperimentData) -> str:
    """Return the metric with the paper's constant, and with the parses that were given."""
    base, _, options = name.partition("(")
    own = [options.rstrip(")")] if options else []
    if base in ("hwcm", "dstm", "stm"):
        own.append(f"zero={ZERO}")
    source = "trees" if base in ("stm", "tkm") else "parser"
    files = given.files.get("trees" if source == "trees" else "parses")
    if files and base != "bleu":
        own.append(f"{source}={files[0]}")
    return f"{base}({','.join(own)})" if own else base

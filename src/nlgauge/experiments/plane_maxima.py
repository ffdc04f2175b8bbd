"""The evaluation plane: R² of members AEv(alpha, N) with judgements (Soricut and Brill, 2004)."""

from __future__ import annotations

from nlgauge.experiments.correlations import judged_scores
from nlgauge.experiments.experiment import ComparedRow, ComparedTable, ExperimentData
from nlgauge.meta.choose.plane import Plane, evaluation_plane

# Criterion, alpha, N, and R² in per cent, of section 4; the first of each criterion is the maximum.
PAPER = (
    ("fluency", 1.0, 3, 79.04),
    ("fluency", 1.0, 4, 78.87),
    ("adequacy", 0.0, 4, 83.04),
    ("coverage", 0.0, 1, 90.77),
    ("correctness", 0.0, 2, 91.72),
    ("correctness", 0.0, 1, 61.61),
    ("correctness", 1.0, 4, 17.70),
)


def run(given: ExperimentData) -> list[ComparedTable]:
    """Return R² of the members that the paper names, and where the maxima lie."""
    paired = judged_scores(given, ["aev"])
    planes = {plane.criterion: plane for plane in evaluation_plane(paired).planes}
    rows = [
        ComparedRow(
            f"{name}: AEv({alpha:g},{order})", (_r2(planes.get(name), alpha, order),), (r2,)
        )
        for name, alpha, order, r2 in PAPER
    ]
    best: dict[str, str] = {}
    for name, alpha, order, _ in PAPER:
        best.setdefault(name, f"AEv({alpha:g},{order})")
    maxima = [
        ComparedRow(name, (_maximum(planes.get(name)),), (best.get(name),))
        for name in dict.fromkeys([*best, *planes])
    ]
    points = max((plane.points for plane in planes.values()), default=0)
    return [
        ComparedTable(
            "R² of members with systems' judgements, in per cent",
            ("R²",),
            ("R²",),
            rows,
            (
                f"ours: {points} systems; the paper's: 7 systems of TIDES 2002 (fluency and "
                "adequacy), 15 of DUC 2001 (coverage), 11 of question answering (correctness)",
            ),
            format=".2f",
            label="judgements and member",
        ),
        ComparedTable(
            "The member that explains most", ("member",), ("member",), maxima, label="judgements"
        ),
    ]


def _r2(plane: Plane | None, alpha: float, order: int) -> float | None:
    if plane is None:
        return None
    return float(100 * plane.r2[plane.orders.index(order), plane.alphas.index(alpha)])


def _maximum(plane: Plane | None) -> str | None:
    if plane is None or not plane.maxima:
        return None
    first = plane.maxima[0]
    return f"AEv({first.alpha:g},{first.order}), {100 * first.r2:.2f}"

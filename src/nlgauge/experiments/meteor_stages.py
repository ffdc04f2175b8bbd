"""METEOR with more and more stages, and beside its parts (Banerjee and Lavie, 2005)."""

from __future__ import annotations

from nlgauge.experiments.correlations import (
    Correlations,
    correlations,
    criterion_of,
    judged_scores,
    points_note,
)
from nlgauge.experiments.experiment import ComparedRow, ComparedTable, ExperimentData, OurFigure
from nlgauge.human.normalisation import normalise
from nlgauge.meta.correlation.meta_result import combined
from nlgauge.meta.correlation.paired_scores import PairedScores

_PARTS = {
    "precision": "uni-prf(measure=precision)",
    "recall": "uni-prf(measure=recall)",
    "F1": "uni-prf(measure=f1)",
    "Fmean": "uni-prf(measure=fmean)",
}
# System level, Chinese (table 1); sentences within systems, Arabic and Chinese (table 2).
SYSTEMS = {
    "bleu": 0.817,
    "nist": 0.892,
    _PARTS["precision"]: 0.752,
    _PARTS["recall"]: 0.941,
    _PARTS["F1"]: 0.948,
    _PARTS["Fmean"]: 0.952,
    "meteor": 0.964,
}
SENTENCES = {
    _PARTS["precision"]: (0.287, 0.286),
    _PARTS["recall"]: (0.334, 0.320),
    _PARTS["Fmean"]: (0.340, 0.327),
    "meteor": (0.347, 0.331),
}
STAGES = {
    "meteor(stages=exact)": (0.312, 0.293),
    "meteor(stages=exact:stem)": (0.329, 0.318),
    "meteor": (0.347, 0.331),
}
NORMALISED = (0.403, 0.365)
BOTH = ("adequacy", "fluency")


def run(given: ExperimentData) -> list[ComparedTable]:
    """Return correlations of systems, of sentences within systems, and of METEOR's stages."""
    raw = judged_scores(given, list(dict.fromkeys([*SYSTEMS, *STAGES])))
    paired, criterion = _judged(raw, given)
    notes = (points_note(paired, criterion), "the paper's: TIDES 2003, six or seven systems")
    systems = correlations(paired, criterion, "system")
    within = correlations(paired, criterion, "segment-by-system")
    normalised = _normalised(raw, given)
    return [
        ComparedTable(
            "Correlation of systems",
            ("pearson",),
            ("Chinese",),
            [ComparedRow(m, (systems.get((m, "pearson")),), (r,)) for m, r in SYSTEMS.items()],
            notes,
        ),
        _sentences("Correlation of sentences within systems", SENTENCES, within, notes),
        _sentences("METEOR by stages", STAGES, within, notes),
        ComparedTable(
            "METEOR and judgements that are normalised for each judge",
            ("pearson",),
            ("Arabic", "Chinese"),
            [ComparedRow("meteor", (normalised,), NORMALISED)],
            notes,
        ),
    ]


def _sentences(
    title: str,
    papers: dict[str, tuple[float, float]],
    within: Correlations,
    notes: tuple[str, ...],
) -> ComparedTable:
    rows = [ComparedRow(m, (within.get((m, "pearson")),), r) for m, r in papers.items()]
    return ComparedTable(title, ("pearson",), ("Arabic", "Chinese"), rows, notes)


def _judged(paired: PairedScores, given: ExperimentData) -> tuple[PairedScores, str]:
    """Return the judgements and the criterion to look at: the mean of two, as in the paper, if both
    are there and none is asked for.
    """
    if given.criterion is None and {*BOTH} <= set(paired.criteria):
        return combined(paired, BOTH), f"mean({','.join(BOTH)})"
    return paired, criterion_of(paired, given, BOTH[0])


def _normalised(raw: PairedScores, given: ExperimentData) -> OurFigure | None:
    """Return METEOR's correlation with judgements whose judges have mean 0 and deviation 1; None if
    judges are not named.
    """
    if not raw.judgements.annotator.names:
        return None
    judgements = normalise(raw.judgements)
    own = PairedScores(scores=raw.scores, judgements=judgements, groups=raw.groups)
    paired, criterion = _judged(own, given)
    return correlations(paired, criterion, "segment-by-system").get(("meteor", "pearson"))

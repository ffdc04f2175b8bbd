"""Preprocessing of texts and normalisation of judgements, and what each changes (Leusch et al.,
2005).
"""

from __future__ import annotations

import math
import warnings

from nlgauge.errors import DataError, TextWarning
from nlgauge.experiments.correlations import Correlations, correlations, judged_scores, points_note
from nlgauge.experiments.experiment import ComparedRow, ComparedTable, ExperimentData
from nlgauge.human.normalisation import normalise
from nlgauge.meta.correlation.paired_scores import PairedScores

# What is changed, from which metric to which, and the effect on correlations of sentences with
# adequacy and fluency that the paper's pictures show (figures 4 to 7).
_HELPS, _NONE = ("helps", "helps"), ("no effect", "no effect")
CHANGES = (
    ("punctuation", "wer(tokenizer=space)", "wer(tokenizer=contract)", ("helps", "unclear")),
    ("punctuation", "per(tokenizer=space)", "per(tokenizer=contract)", ("helps", "unclear")),
    ("lower case", "wer", "wer(lowercase=yes)", _HELPS),
    ("lower case", "per", "per(lowercase=yes)", _HELPS),
    ("lower case", "bleu-s", "bleu-s(lowercase=yes)", _HELPS),
    ("best length", "wer(ref_length=average)", "wer", _HELPS),
    ("best length", "per(ref_length=average)", "per", _HELPS),
    ("first and last words", "mper", "mper(boundaries=both)", _HELPS),
    ("first words", "bleu-s", "bleu-s(boundaries=start)", _HELPS),
    ("first words", "nist", "nist(boundaries=start)", _NONE),
)
NORMALISED = ("wer", "per", "bleu-s", "nist")
CRITERIA = ("adequacy", "fluency")


def run(given: ExperimentData) -> list[ComparedTable]:
    """Return how correlations of sentences change with each option, and with normalisation."""
    specs = dict.fromkeys(spec for change in CHANGES for spec in change[1:3])
    with warnings.catch_warnings():
        # That words are not split well is what the experiment is about.
        warnings.simplefilter("ignore", TextWarning)
        paired = judged_scores(given, list(dict.fromkeys([*specs, *NORMALISED])))
    wanted = [given.criterion] if given.criterion else list(CRITERIA)
    criteria = [name for name in wanted if name in paired.criteria]
    if not criteria:
        raise DataError(
            f"the judgements are about {', '.join(paired.criteria)}, and the paper's about "
            f"{' and '.join(CRITERIA)}; name the one to take with --criterion"
        )
    found = {name: correlations(paired, name, "segment") for name in criteria}
    rows = [
        ComparedRow(
            f"{what}: {before} → {after}",
            tuple(_change(found[name], before, after) for name in criteria),
            tuple(papers[CRITERIA.index(name)] if name in CRITERIA else None for name in criteria),
        )
        for what, before, after, papers in CHANGES
    ]
    notes = tuple(points_note(paired, name) for name in criteria)
    return [
        ComparedTable(
            "Change of Pearson's correlation of sentences",
            tuple(criteria),
            tuple(criteria),
            rows,
            (*notes, "the paper prints pictures; its column says what they show"),
            format="+.3f",
            label="change",
        ),
        _normalisation(paired, criteria, found, notes),
    ]


def _change(found: Correlations, before: str, after: str) -> float | None:
    values = [found[spec, "pearson"].value for spec in (after, before)]
    return None if any(map(math.isnan, values)) else values[0] - values[1]


def _normalisation(
    paired: PairedScores,
    criteria: list[str],
    raw: dict[str, Correlations],
    notes: tuple[str, ...],
) -> ComparedTable:
    """Return the change when judges are brought to mean 0 and deviation 1."""
    judgements = normalise(paired.judgements)
    own = PairedScores(scores=paired.scores, judgements=judgements, groups=paired.groups)
    after = {name: correlations(own, name, "segment") for name in criteria}
    rows = [
        ComparedRow(
            metric,
            tuple(
                after[name][metric, "pearson"].value - raw[name][metric, "pearson"].value
                for name in criteria
            ),
            ("helps",) * len(criteria),
        )
        for metric in NORMALISED
    ]
    title = "Change of the correlation when judges are normalised"
    return ComparedTable(title, tuple(criteria), tuple(criteria), rows, notes, format="+.3f")

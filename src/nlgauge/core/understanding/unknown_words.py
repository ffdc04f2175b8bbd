"""Say which words of texts a model does not know, and refuse texts that it knows nothing of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from nlgauge.core.metric import Metric
from nlgauge.core.understanding.coverage import Coverage
from nlgauge.core.understanding.lookup import LookupMetric, TextSide
from nlgauge.data.corpus import Corpus
from nlgauge.errors import DataError

# What is warned about, as shares; docs/explanation/understanding.md says how they were found.
UNKNOWN_WORDS = 0.15  # of a side's words, ...
FEWEST_UNKNOWN = 3  # if they are as many as that
BLANK_TEXTS = 0.01  # of a side's texts, nothing is known of


def refuse_unknown(metric: LookupMetric, corpus: Corpus) -> None:
    """Raise DataError if the metric's model knows no word of most hypotheses or references."""
    for side in metric.sides(corpus):
        doubt = side.doubt(corpus)
        if doubt is not None and doubt.refused:
            raise DataError(
                f"{metric.info.name}: {side.lookup.name} {doubt.told}, so that scores of "
                f"{_of(side, corpus)} would mean nothing; {doubt.remedy or metric.lookup().remedy}"
            )
        found = side.coverage(corpus)
        texts, blank = int((found.words > 0).sum()), int(found.blank.sum())
        if 2 * blank > texts:
            raise DataError(
                f"{metric.info.name}: {side.lookup.name} knows no word of {blank} of {texts} "
                f"{_of(side, corpus)}{_examples(side, found, corpus)}, so that a score would mean "
                f"nothing; {metric.lookup().remedy}"
            )


def unknown_words(metrics: Mapping[str, Metric], corpora: Sequence[Corpus]) -> Iterator[str]:
    """Say for each model what it does not know of the texts; refuse where that is most."""
    found: dict[str, tuple[LookupMetric, list[str], dict[str, str]]] = {}
    doubted: dict[str, tuple[list[str], list[str]]] = {}
    for name, metric in metrics.items():
        if not isinstance(metric, LookupMetric):
            continue
        for corpus in corpora:
            refuse_unknown(metric, corpus)
            for side in metric.sides(corpus):
                doubt = side.doubt(corpus)
                if doubt is not None:
                    said = f"{side.lookup.name} {doubt.told}"
                    for known, new in zip(
                        doubted.setdefault(said, ([], [])), (name, _of(side, corpus)), strict=True
                    ):
                        if new not in known:
                            known.append(new)
                told = _told(side, corpus)
                if told:
                    _, names, sides = found.setdefault(side.lookup.name, (metric, [], {}))
                    sides.setdefault(_of(side, corpus), told)
                    if name not in names:
                        names.append(name)
    for said, (names, columns) in doubted.items():
        yield (
            f"{', '.join(names)}: {said} of {', '.join(columns)}. Say which language it is "
            "(lang=..., --lang), and compare with chrf, which needs no model"
        )
    for model, (metric, names, sides) in found.items():
        what = "; ".join(sides.values())
        yield (
            f"{', '.join(names)}: {model} does not know {what}. Scores of such text say little; "
            f"{metric.lookup().remedy}"
        )


def _told(side: TextSide, corpus: Corpus) -> str:
    """Say how much of a side is not known, if it is worth a warning."""
    found = side.coverage(corpus)
    foreign, blank, texts = found.foreign.sum(), int(found.blank.sum()), (found.words > 0).sum()
    of = _of(side, corpus)
    said = []
    if foreign >= FEWEST_UNKNOWN and found.share >= UNKNOWN_WORDS:
        spelled = int(found.spelled.sum())
        how = f" ({spelled / max(1, found.words.sum()):.0%} are spelled out)" if spelled else ""
        said.append(f"{found.share:.0%} of the words of {of}{how}")
    if blank and blank >= BLANK_TEXTS * texts:
        said.append(f"any word of {blank} of {texts} {of}{_examples(side, found, corpus)}")
    return ", nor ".join(said)


def _of(side: TextSide, corpus: Corpus) -> str:
    return f"{side.name} of {corpus.name}" if side.name == "hypotheses" else side.name


def _examples(side: TextSide, found: Coverage, corpus: Corpus) -> str:
    """Name the first segments of which nothing is known."""
    places = np.flatnonzero(found.blank)[:3]
    if side.starts is None:
        segments = places
    else:
        segments = np.unique(np.searchsorted(side.starts, places, side="right") - 1)
    named = [corpus.segment_name(int(i)) for i in segments]
    return f" ({', '.join(named)}{' ...' if found.blank.sum() > len(places) else ''})"

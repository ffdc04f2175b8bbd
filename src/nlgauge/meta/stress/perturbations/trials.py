"""All texts of a test set are changed in one way here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nlgauge.data.corpus import Corpus
from nlgauge.kernels import Floats
from nlgauge.meta.stress.perturbations.perturbation import Original, Perturbation
from nlgauge.metrics.edit.wer import WER


@dataclass(frozen=True, eq=False, kw_only=True)
class Trial:
    """A trial has what one perturbation made of the texts; one row per severity, or one row in
    all.
    """

    perturbation: str
    breaking: bool
    severities: tuple[float, ...]  # none: it knows no degrees
    texts: tuple[tuple[str | None, ...], ...]  # [severities or 1][items]; None: nothing to change
    touched: Floats  # the same: word edits for each word of the original, at most 1

    @property
    def coverage(self) -> float:
        """Return the share of items that the perturbation could change."""
        rows = zip(*self.texts, strict=True)
        return float(np.mean([any(text is not None for text in row) for row in rows]))

    @property
    def mean_touched(self) -> float:
        """Return the mean share of touched words over all changed texts; NaN if there is none."""
        return mean(self.touched)

    @property
    def names(self) -> list[str]:
        """Return the names of the rows."""
        return [f"{self.perturbation} {severity:g}" for severity in self.severities or (1,)]


def perturbed(
    change: Perturbation,
    corpus: Corpus,
    originals: Sequence[str],
    severities: tuple[float, ...],
    seed: int,
) -> Trial:
    """Change all texts of a corpus in one way."""
    contexts = corpus.contexts or corpus.sources or [None] * len(originals)
    given = [Original(t, c, originals) for t, c in zip(originals, contexts, strict=True)]
    severities = severities if change.graded else ()
    texts = tuple(
        tuple(change(item, severity, seed=seed) for item in given)
        for severity in severities or (1,)
    )
    return Trial(
        perturbation=change.name,
        breaking=change.breaking,
        severities=severities,
        texts=texts,
        touched=np.stack([_touched(row, originals) for row in texts]),
    )


def _touched(texts: Sequence[str | None], originals: Sequence[str]) -> Floats:
    result = np.full(len(originals), np.nan)
    changed = [i for i, text in enumerate(texts) if text is not None]
    if changed:
        wer = WER()
        pair = Corpus.build([texts[i] or "" for i in changed], [originals[i] for i in changed])
        result[changed] = np.minimum(wer.score(wer.rows(pair)), 1)
    return result


def mean(values: Any) -> float:
    """Return the mean of those that are known; NaN if none is."""
    known = np.asarray(values, np.float64)
    known = known[~np.isnan(known)]
    return float(known.mean()) if known.size else float("nan")

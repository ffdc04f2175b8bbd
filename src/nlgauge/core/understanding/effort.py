"""Say it before work starts that would take long: where time grows with the square of a text."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence

import numpy as np

from nlgauge.core.metric import Metric
from nlgauge.data.corpus import Corpus
from nlgauge.errors import NlgaugeWarning
from nlgauge.kernels import Floats, Texts

LONG = 60.0  # seconds of processor time, from which on it is told
_WORD = 6.0  # bytes of a word and a blank


def warn_of_effort(metrics: Mapping[str, Metric], corpora: Sequence[Corpus]) -> None:
    """Warn if metrics compare every word of a text with every word of another, and the texts are so
    long that this takes a minute or more.
    """
    slow = {name: m.info.pair_seconds for name, m in metrics.items() if m.info.pair_seconds}
    if not slow:
        return
    pairs = sum(map(_word_pairs, corpora))
    took = {name: float(seconds * np.sum(pairs)) for name, seconds in slow.items()}
    named = [f"{name} (about {_told(s)})" for name, s in took.items() if s >= LONG]
    if named:
        longest = int(np.argmax(pairs))
        warnings.warn(
            f"{', '.join(named)}: the time grows with the square of the texts' lengths, and "
            f"segment {longest + 1} alone takes {np.max(pairs) / np.sum(pairs):.0%} of it; cut "
            "long texts into sentences or paragraphs, or leave the metric out",
            NlgaugeWarning,
            stacklevel=5,
        )


def _word_pairs(corpus: Corpus) -> Floats:
    """Return for each segment how many pairs of a word of the hypothesis and one of a reference
    there are, roughly.
    """
    refs, starts = _words(corpus.references.flat), corpus.references.starts
    sums = np.concatenate([[0.0], np.cumsum(refs)])
    pairs: Floats = _words(corpus.hypotheses) * (sums[starts[1:]] - sums[starts[:-1]])
    return pairs


def _words(texts: Texts) -> Floats:
    _, offsets = texts.__getstate__()
    return np.diff(offsets.astype(np.float64)) / _WORD


def _told(seconds: float) -> str:
    if seconds < 120 * 60:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.0f} h"

"""What takes long because texts are long says so before it starts."""

from __future__ import annotations

import warnings

import pytest

from nlgauge import Corpus, NlgaugeWarning
from nlgauge.core import registry
from nlgauge.core.understanding.effort import warn_of_effort

METRICS = {name: registry.metric(name) for name in ("eed", "bleu", "invwer")}


def test_long_texts_are_told_before() -> None:
    long = "word " * 60_000
    corpus = Corpus.build(["a b", long, "c"], [["a b"], [long, long], ["c"]])
    with pytest.warns(NlgaugeWarning, match=r"^eed \(about 1 min\): .* segment 2 alone takes 100%"):
        warn_of_effort(METRICS, [corpus])
    with pytest.warns(NlgaugeWarning, match=r"^eed \(about 3 min\)"):
        warn_of_effort(METRICS, [corpus, corpus])


def test_usual_texts_are_not() -> None:
    corpus = Corpus.build(["word " * 30] * 20_000, [["word " * 30]] * 20_000)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_effort(METRICS, [corpus])

"""Progress inside one system: it moves, it ends, and it changes no number."""

from __future__ import annotations

import numpy as np
import pytest
from support.stream_data import changed, texts

import nlgauge
from nlgauge import RunContext, Suite

METRICS = ["bleu", "chrf", "ter", "cider", "ssa", "delta-bleu"]


@pytest.mark.parametrize("size", [40, 700])
def test_progress_moves_inside_a_system(size: int) -> None:
    refs = texts(1, size)
    refs[3], refs[5] = "", "\ud800 alone"
    several = [
        [ref, other][: 1 + i % 2]
        for i, (ref, other) in enumerate(zip(refs, texts(2, size), strict=True))
    ]
    weights = [[1.0, -0.5][: len(own)] for own in several]
    suite = Suite.build({"A": changed(refs, 3, 0.3)}, several, reference_weights=weights)
    heard: list[float] = []
    plain = nlgauge.score_suite(suite, METRICS, threads=2)
    told = nlgauge.score_suite(suite, METRICS, threads=2, context=RunContext(on_share=heard.append))
    assert told.to_dict() == plain.to_dict()
    for name in METRICS:
        assert np.array_equal(told.rows_of("A", name), plain.rows_of("A", name))
    assert heard == sorted(heard)
    assert heard[-1] == 1
    assert len(heard) > len(METRICS)
    assert any(0 < share < 1 / len(METRICS) for share in heard) or size > 128

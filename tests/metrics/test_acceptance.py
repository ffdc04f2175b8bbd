"""Worked examples of the literature: the numbers printed there, or derived by hand from them."""

import numpy as np
import pytest
from support.sentences import H0, H2, H6, H7, R0, R2, R6, R7

from nlgauge import BLEU, TER
from nlgauge.core import registry


@pytest.mark.parametrize(
    ("spec", "hyp", "ref", "expected"),
    [
        ("bleu(smooth=none)", H0, R0, 0.7401),
        ("bleu", H0, R0, 0.7401),
        ("chrf", H0, R0, 0.9224),
        ("ter", H0, R0, 2 / 11),
        ("bleu(smooth=none)", H2, R2, 0.0),
        ("bleu-s", H2, R2, 0.3178),
        ("bleu", H2, R2, 0.1964),
        ("bleu(smooth=none)", H6, R6, 0.5115),
        ("ter", H7, R7, 2 / 9),
        # AEv's fluency end with orders 1..1 and 1..4 is BLEU of those orders.
        ("bleu(smooth=none,max_order=1)", H6, R6, 0.8465),
    ],
)
def test_scores(spec: str, hyp: str, ref: str, expected: float) -> None:
    assert registry.metric(spec).sentence_score(hyp, [ref]).value == pytest.approx(
        expected, abs=5e-5
    )


@pytest.mark.parametrize(
    ("hyp", "ref", "counts", "totals", "penalty"),
    [
        (H0, R0, [11, 9, 6, 4], [11, 10, 9, 8], 1.0),
        (H2, R2, [5, 2, 0, 0], [7, 6, 5, 4], 1.0),
        (H6, R6, [6, 4, 2, 1], [6, 5, 4, 3], 0.8465),
    ],
)
def test_parts_of_bleu(hyp, ref, counts, totals, penalty) -> None:
    parts = BLEU(smooth="none").sentence_score(hyp, [ref]).parts
    assert (parts["counts"], parts["totals"]) == (counts, totals)
    assert parts["brevity_penalty"] == pytest.approx(penalty, abs=5e-5)
    expected = [100 * m / n for m, n in zip(counts, totals, strict=True)]
    assert parts["precisions"] == pytest.approx(expected, abs=1e-12)


def test_edits_of_ter() -> None:
    assert TER().sentence_score(H0, [R0]).parts == {"edits": 2, "ref_len": 11.0}


@pytest.mark.parametrize(("order", "expected"), [(2, 0.422), (3, 0.056), (4, 0.021)])
def test_eps_smoothing(order: int, expected: float) -> None:
    # Liu and Gildea (2005), table 7: counts 8/10, 2/9, 0/8, 0/7 without brevity penalty.
    matches, grams = [8, 2, 0, 0][:order], [10, 9, 8, 7][:order]
    row = np.array([10, 10, *matches, *grams], float)
    found = BLEU(smooth="eps", max_order=order).score(row)
    assert float(found) == pytest.approx(expected, abs=5e-4)


def test_arithmetic_mean() -> None:
    # 5/7 and 2/6 of the orders 1 and 2, in equal shares and three to one.
    for weights, share in ((None, (0.5, 0.5)), ((3.0, 1.0), (0.75, 0.25))):
        metric = BLEU(smooth="none", mean="arithmetic", max_order=2, weights=weights)
        expected = share[0] * 5 / 7 + share[1] * 2 / 6
        assert metric.sentence_score(H2, [R2]).value == pytest.approx(expected, abs=1e-15)


def test_papineni_clips_at_the_largest_count_of_one_reference() -> None:
    # Papineni et al. (2002), example 2: seven times "the" has a modified precision of 2/7.
    refs = ["The cat is on the mat .", "There is a cat on the mat ."]
    parts = BLEU(lowercase=True).sentence_score("the the the the the the the", refs).parts
    assert (parts["counts"][0], parts["totals"][0]) == (2, 7)

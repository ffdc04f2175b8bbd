"""Worked examples of papers: word order, GTM, METEOR."""

import pytest
from support.sentences import H0, H2, H6, R0, R2, R6

from nlgauge.core import registry

# Isozaki et al. (2010).
H1, R1 = "Bob hit John yesterday", "John hit Bob yesterday"
H3, R3 = "John killed Mary", "Mary killed John"
H4, R4 = "Bob read the book John bought", "John read a book that Bob bought"


@pytest.mark.parametrize(
    ("spec", "hyp", "ref", "expected"),
    [
        ("nkt", H0, R0, 0.3818),
        ("nsr", H0, R0, 0.2045),
        ("gtm", H0, R0, 1.0),
        ("gtm(exponent=2)", H0, R0, 0.6618),
        ("nkt", H1, R1, 0.5),
        ("nsr", H1, R1, 0.6),
        ("nkt", H2, R2, 0.2),
        ("nsr", H2, R2, 0.1),
        ("nktp", H2, R2, 0.1839),
        ("nsrp", H2, R2, 0.0919),
        ("nkt", H3, R3, 0.0),
        ("nsr", H3, R3, 0.0),
        ("nkt", H4, R4, 0.5),
        ("nsr", H4, R4, 0.55),
        ("nktp", H4, R4, 0.4777),
        ("meteor", H6, R6, 0.8535),
        ("gtm", H6, R6, 0.9231),
        ("gtm(exponent=2)", H6, R6, 0.6880),
        # An identical text of m words scores 1 - 0.5 / m³.
        ("meteor", H6, H6, 1 - 0.5 / 6**3),
        ("meteor", "word", "word", 0.5),
    ],
)
def test_scores(spec: str, hyp: str, ref: str, expected: float) -> None:
    found = registry.metric(spec).sentence_score(hyp, [ref]).value
    assert found == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize(
    ("hyp", "ref", "precision", "recall"), [(H2, R2, 5 / 7, 1.0), (H4, R4, 5 / 6, 5 / 7)]
)
def test_aligned_words(hyp: str, ref: str, precision: float, recall: float) -> None:
    parts = registry.metric("nkt").sentence_score(hyp, [ref]).parts
    assert (parts["precision"], parts["recall"]) == pytest.approx((precision, recall))

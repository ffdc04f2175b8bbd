"""What counts of several references; and how little a metric of pairs of texts has to say."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlgauge import Corpus, DataError, score
from nlgauge.core.best_reference import PairMetric, ReferencePairs, grouped, texts_of
from nlgauge.core.metric import Info
from nlgauge.core.options import option
from nlgauge.explain.explanation import explain


@dataclass(frozen=True, kw_only=True)
class LEPOR(PairMetric):
    """Length penalty, word positions, precision and recall (Han et al., 2012), as a stranger would
    write it: the first equal word is the one that is matched.
    """

    info: ClassVar[Info] = Info(
        name="lepor",
        title="LEPOR",
        family="edit",
        cell="CF·U·word-other",
        tasks=("MT",),
        scale=1.0,
        paper="Han et al. (2012), LEPOR",
        checked_against="hand calculation",
    )

    lowercase: bool = option(True, "ignore case")
    alpha: float = option(9.0, "weight of recall", low=0.0, high=100.0)
    beta: float = option(1.0, "weight of precision", low=0.0, high=100.0)

    def pair(self, hyp: list[str], ref: list[str]) -> float:
        found = [(i, ref.index(word)) for i, word in enumerate(hyp) if word in ref]
        if not found:
            return 0.0
        short, long = sorted([len(hyp), len(ref)])
        moved = sum(abs((i + 1) / len(hyp) - (j + 1) / len(ref)) for i, j in found) / len(hyp)
        precision, recall = len(found) / len(hyp), len(found) / len(ref)
        mean = (self.alpha + self.beta) / (self.alpha / recall + self.beta / precision)
        return math.exp(1 - long / short) * math.exp(-moved) * mean


@dataclass(frozen=True, kw_only=True)
class Extra(PairMetric):
    """Words of the hypothesis that are not in the reference, among all: less is better, and the
    corpus score is that of summed counts.
    """

    info: ClassVar[Info] = Info(
        name="extra",
        title="",
        family="edit",
        cell="CF·U·word-other",
        tasks=("MT",),
        higher_is_better=False,
        scale=1.0,
        paper="",
        checked_against="",
    )

    def pair(self, hyp: list[str], ref: list[str]) -> tuple[float, float]:
        return len([word for word in hyp if word not in ref]), len(hyp)

    def score(self, totals):
        return totals[..., 0] / np.maximum(totals[..., 1], 1)


def test_a_metric_of_pairs_says_only_how_two_texts_are_compared() -> None:
    # e^(1-3/2) · e^(-(1/6 + 1/3) / 2) · 10 / (9 / (2/3) + 1)
    expected = math.exp(-0.75) * 10 / 14.5
    found = score(["A b", "x"], [["c", "a b c"], ["y"]], metrics=[LEPOR()])["lepor"]
    assert found.value == pytest.approx(expected / 2)
    assert LEPOR().sentence_score("a b", ["a b", "b"]).value == 1
    assert LEPOR(lowercase=False).sentence_score("A b", ["a b"]).value < 1
    assert explain("a b", ["a b c"], [LEPOR()])[0].trace is not None


def test_the_best_reference_is_the_one_with_the_best_score() -> None:
    corpus = Corpus.build(["a b c", "d"], [["x", "a y", "a c"], ["e"]])
    assert Extra().rows(corpus).tolist() == [[1, 3], [1, 1]]
    assert Extra().evaluate(corpus).value == 0.5


def test_no_reference_is_an_error() -> None:
    corpus = Corpus.build(["a", "b"], [["a"], []])
    with pytest.raises(DataError, match="a segment has no reference"):
        Extra().rows(corpus)
    with pytest.raises(DataError, match="segment 2 has no reference"):
        ReferencePairs.of(corpus.references)


@given(st.lists(st.lists(st.sampled_from([0.0, 1.0, 2.0, math.nan]), min_size=1), min_size=1))
def test_pairs_against_loops(values: list[list[float]]) -> None:
    pairs = ReferencePairs.counted(np.array([len(own) for own in values]))
    flat = np.array([value for own in values for value in own])
    known = [[v for v in own if not math.isnan(v)] or [math.nan] for own in values]
    assert pairs.best(flat).tolist() == pytest.approx(list(map(max, known)), nan_ok=True)
    assert pairs.best(flat, least=True).tolist() == pytest.approx(
        list(map(min, known)), nan_ok=True
    )
    assert pairs.best(np.stack([flat, -flat], 1)).shape == (len(values), 2)
    means = [sum(own) / len(own) for own in values]
    assert pairs.mean(flat).tolist() == pytest.approx(means, nan_ok=True)
    assert pairs.every(flat > 0).tolist() == [all(v > 0 for v in own) for own in values]
    assert pairs.repeated(values) == [own for own in values for _ in own]
    for reverse, choose in ((False, max), (True, min)):
        starts = pairs.first.tolist()
        expected = [
            start + (own.index(choose(some)) if not math.isnan(some[0]) else 0)
            for start, own, some in zip(starts, values, known, strict=True)
        ]
        assert pairs.chosen(flat, least=reverse).tolist() == expected


def test_texts_of_a_block() -> None:
    corpus = Corpus.build(["a", "b", "c"], [["1"], ["2", "3"], ["4"]])
    hyps, refs, pairs = texts_of(corpus, range(1, 3))
    assert (hyps, refs, pairs.hyps.tolist()) == (["b", "c"], ["2", "3", "4"], [0, 0, 1])
    assert list(grouped(corpus.references, "wxyz")) == ["w", "xy", "z"]

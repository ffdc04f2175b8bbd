"""What every registered metric promises of a corpus that is cut into parts."""

import math
import pickle
from functools import reduce
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.inputs import ANNOTATED, SPECS, corpus_for

from nlgauge import Corpus, Metric
from nlgauge.core import registry
from nlgauge.core.exact.counts import merged_counts
from nlgauge.core.metric import exact_totals, totals
from nlgauge.kernels import native

WORDS = ("alpha", "beta", "gamma", "delta", "one", "two", "three", "Zürich", "東京")
SIZE = 24
HYPS = [
    " ".join(WORDS[(i * i + k * (1 + i % 4)) % 9] for k in range(i * 7 % 13)) for i in range(24)
]
REFS = [[HYPS[(i * 5 + k) % SIZE] + " end" for k in range(1 + i % 3)] for i in range(SIZE)]
WEIGHTED = ["bertscore(idf=true)", "parent(entailment=cooccurrence)", "pourpre(weighting=idf)"]
ALL = [*SPECS, *ANNOTATED, *(s for s in WEIGHTED if s not in {*SPECS, *ANNOTATED})]


def cuts(size: int) -> st.SearchStrategy[list[range]]:
    """Parts of a corpus, in any order."""
    places = st.sets(st.integers(1, size - 1), max_size=6).map(lambda p: [0, *sorted(p), size])
    return places.map(lambda p: [range(a, b) for a, b in pairwise(p)]).flatmap(st.permutations)


@pytest.mark.parametrize("spec", ALL)
def test_parts_are_counted_and_summed_as_the_whole(spec: str) -> None:
    metric = registry.metric(spec)
    corpus = corpus_for(metric, HYPS, REFS)
    if metric.whole_only():
        pytest.skip(f"{spec}: {metric.whole_only()}")
    whole = metric.rows(corpus, metric.fit(corpus))

    @given(parts=cuts(SIZE))
    @settings(max_examples=3)
    def check(parts: list[range]) -> None:
        corpora = [pickle.loads(pickle.dumps(corpus.take(part))) for part in parts]
        counts = [pickle.loads(pickle.dumps(metric.count_part(own))) for own in corpora]
        state = metric.settle(reduce(merged_counts, counts))
        rows = [metric.rows(own, state) for own in corpora]
        assert np.vstack(rows).tolist() == np.vstack([whole[list(p)] for p in parts]).tolist()
        found = merged_sums(rows)
        assert found.rounded().tolist() == totals(whole).tolist()
        assert found.parts() == exact_totals(whole).parts()

    check()


def merged_sums(tables: list[np.ndarray]) -> native.ColumnSums:
    """Sums of parts that went to another process and back."""
    first, *others = [pickle.loads(pickle.dumps(exact_totals(table))) for table in tables]
    for other in others:
        first.merge(other)
    return first


numbers = st.one_of(
    st.floats(-1e3, 1e3), st.integers(-(2**60), 2**60).map(float), st.floats(-1e300, 1e300)
)


@given(rows=st.lists(st.tuples(numbers, numbers), min_size=2, max_size=40), data=st.data())
@settings(max_examples=200)
def test_sums_are_exact_and_rounded_once(rows, data) -> None:
    table = np.array(rows)
    found = merged_sums([table[list(part)] for part in data.draw(cuts(len(rows)))])
    assert found.rounded().tolist() == [math.fsum(table[:, 0]), math.fsum(table[:, 1])]
    for column, parts in enumerate(found.parts()):
        assert math.fsum([*parts, *-table[:, column]]) == 0


def test_what_is_no_number_stays_none() -> None:
    sums = native.ColumnSums([[math.inf], [math.nan], [1e308, 1e308]])
    sums.add(np.array([[1.5, 1.5, 0.0]]))
    found = pickle.loads(pickle.dumps(sums)).rounded()
    assert found[0] == math.inf
    assert math.isnan(found[1])
    assert found[2] == math.inf


def test_columns_must_fit() -> None:
    sums = native.ColumnSums([[], []])
    with pytest.raises(ValueError, match="columns"):
        sums.add(np.ones((2, 3)))
    with pytest.raises(ValueError, match="columns"):
        sums.merge(native.ColumnSums([[]]))
    with pytest.raises(ValueError, match="themselves"):
        sums.merge(sums)


def test_frequencies_by_hand() -> None:
    """Two parts: "a" in three references, "a b" in two, all others in one."""

    def counted(*texts: str) -> native.Frequencies:
        corpus = Corpus.build(["x"] * len(texts), list(texts))
        found: native.Frequencies = registry.metric("cider(stem=none)").count_part(corpus)
        return found

    left, right = counted("a b", "a c"), counted("a b")
    left.merge(right)
    assert (len(left), left.documents, left.words) == (5, 3, 6)
    grams, counts = left.entries()
    assert sorted(counts.tolist()) == [1, 1, 2, 2, 3]
    assert grams.tolist() == sorted(grams.tolist())
    assert len(left.at_least(2)) == 3
    with pytest.raises(ValueError, match="themselves"):
        left.merge(left)


def test_many_frequencies_grow_the_table() -> None:
    rng = np.random.default_rng(1)
    texts = [" ".join(map(str, rng.integers(0, 3000, 40))) for _ in range(400)]
    metric = registry.metric("nist")
    whole = Corpus.build(texts, texts)
    parts = [metric.count_part(whole.take(range(i, i + 10))) for i in range(0, 400, 10)]
    merged, one = reduce(merged_counts, parts), metric.count_part(whole)
    for found, expected in zip(merged[0].entries(), one[0].entries(), strict=True):
        np.testing.assert_array_equal(found, expected)
    assert merged[1] == one[1] == 400


class Centred(Metric):
    """A metric of a third party, which fits but does not count."""

    info = registry.metric("chrf").info

    def fit(self, corpus: Corpus) -> float:
        return float(len(corpus))

    def segment_rows(self, corpus: Corpus, state: float, *, threads: int) -> np.ndarray:  # noqa: ARG002
        return np.ones((len(corpus), 1))

    def score(self, totals: np.ndarray) -> np.ndarray:
        return totals[..., 0]


def test_a_metric_that_only_fits_says_so() -> None:
    assert "whole corpus" in Centred().whole_only()
    assert registry.metric("bleu").whole_only() == ""
    assert "resamples" in registry.metric("rouge-1(profile=rouge155)").whole_only()

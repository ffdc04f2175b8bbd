"""What every registered metric promises, whatever it measures."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.inputs import ANNOTATED, METRICS, SPECS, best, corpus_for
from support.strategies import odd_texts, segments, words

from nlgauge import Corpus, DataError, Metric
from nlgauge.core import registry
from nlgauge.core.metric import Score, totals
from nlgauge.stats.resampling import bootstrap_totals

VOCABULARY = ("alpha", "beta", "gamma", "delta", "one", "two", "three", "Zürich", "東京")
LINES = [
    " ".join(VOCABULARY[(i * i + k * (1 + i % 4)) % len(VOCABULARY)] for k in range(1 + i * 7 % 23))
    for i in range(300)
]

every_spec = pytest.mark.parametrize("metric", list(map(registry.metric, SPECS)), ids=SPECS)
every_metric = pytest.mark.parametrize("metric", list(map(registry.metric, METRICS)), ids=METRICS)


def rows_of(metric: Metric, corpus: Corpus, **options) -> np.ndarray:
    return metric.rows(corpus, metric.fit(corpus), **options)


def evaluated(metric: Metric, corpus: Corpus, **options) -> Score:
    """The score of a whole corpus, also where guards would refuse the text (test_guards.py)."""
    return metric.scored(totals(rows_of(metric, corpus, **options)), metric.signature(corpus))


def assert_equal(found: np.ndarray, expected: np.ndarray) -> None:
    """Bit for bit."""
    assert found.shape == expected.shape
    assert found.tolist() == expected.tolist()


def is_network(metric: Metric) -> bool:
    """Whether a pair costs milliseconds: a few lines show what many would."""
    return metric.info.family in ("contextual", "trained", "dialogue")


def lines_for(metric: Metric, most: int = len(LINES)) -> tuple[list[str], list[list[str]]]:
    """Segments with one to three references, enough of them for several threads."""
    hyps = LINES[: min(most, 12) if is_network(metric) else most]
    return hyps, [LINES[i + 1 :][: 1 + i % 3] or LINES[:1] for i in range(len(hyps))]


PERFECT = [s for s in SPECS if registry.metric(s).info.perfect_on_itself]


@pytest.mark.parametrize("metric", list(map(registry.metric, PERFECT)), ids=PERFECT)
# Ten words that every tokeniser keeps, so that the longest n-grams exist.
@given(drawn=st.lists(words(VOCABULARY[:7], min_size=10, max_size=25), min_size=1, max_size=4))
@settings(max_examples=5)
def test_a_text_compared_with_itself_is_perfect(metric: Metric, drawn: list[str]) -> None:
    corpus = corpus_for(metric, drawn, [[text] for text in drawn], unit_weights=True)
    segments = metric.score(rows_of(metric, corpus)).tolist()
    found = [*segments, evaluated(metric, corpus).value]
    # Smoothing may widen the bounds, but not for a text that matches itself.
    perfect = metric.info.bounds[1 if metric.info.higher_is_better else 0]
    assert found == pytest.approx([perfect] * len(found), abs=1e-7)


@every_metric
@given(drawn=segments(odd_texts(), min_size=2))
@settings(max_examples=15)
def test_any_text_gets_a_number_within_the_bounds(metric: Metric, drawn) -> None:
    hyps, refs = map(list, zip(*drawn, strict=True))
    corpus = corpus_for(metric, hyps, refs, unit_weights=True)
    rows = rows_of(metric, corpus)
    values = [*metric.score(rows).tolist(), evaluated(metric, corpus).value]
    low, high = metric.bounds
    assert np.isfinite(rows).all()
    assert all(low - 1e-12 <= value <= high + 1e-12 for value in values)


@every_spec
def test_odd_text_on_either_side(metric: Metric) -> None:
    hyps, refs = [], []
    for text in ("", " ", "\n", ".", "?!...", "\x00", "\ud800", "\u0301", "😀"):
        hyps += [text, "a b c d e", text, text]
        refs += [["a b c d e"], [text], [text], [text, "a", ""]]
    corpus = corpus_for(metric, hyps, refs)
    assert np.isfinite(metric.score(rows_of(metric, corpus))).all()
    assert np.isfinite(evaluated(metric, corpus).value)


@every_metric
@given(drawn=segments(odd_texts(), min_size=2), data=st.data())
@settings(max_examples=6)
def test_rows_move_with_their_segments(metric: Metric, drawn, data) -> None:
    hyps, refs = map(list, zip(*drawn, strict=True))
    order = data.draw(st.permutations(range(len(hyps))))
    corpus = corpus_for(metric, hyps, refs)
    state = metric.fit(corpus)
    rows = metric.rows(corpus, state)
    moved = metric.rows(corpus.take(order), state)
    assert_equal(moved, rows[list(order)])
    assert_equal(totals(moved), totals(rows))


@every_metric
@pytest.mark.parametrize("size", [1, 5])
def test_batches_and_shards_change_nothing(metric: Metric, size: int) -> None:
    corpus = corpus_for(metric, *lines_for(metric))
    state = metric.fit(corpus)
    whole = metric.rows(corpus, state)
    starts = range(0, len(corpus), size)
    shards = [metric.rows(corpus.take(range(len(corpus))[i : i + size]), state) for i in starts]
    assert_equal(np.vstack(shards), whole)


@pytest.mark.parametrize("spec", [*SPECS, *ANNOTATED])
def test_rows_fit_by_themselves(spec: str) -> None:
    metric = registry.metric(spec)
    corpus = corpus_for(metric, *lines_for(metric, 40))
    expected = rows_of(metric, corpus)
    assert_equal(metric.rows(corpus), expected)
    assert_equal(metric.rows(corpus), expected)  # what was fitted is kept


@pytest.mark.parametrize("spec", [*SPECS, *ANNOTATED])
def test_rows_name_a_column_that_is_missing(spec: str) -> None:
    metric = registry.metric(spec)
    needed = [column for column in metric.info.needs if column != "references"]
    for column in needed:
        with pytest.raises(DataError, match=f"{metric.info.name} needs {column}"):
            metric.rows(replace(corpus_for(metric, ["a b"], [["a c"]]), **{column: None}))


@every_spec
def test_totals_do_not_depend_on_the_order(metric: Metric) -> None:
    corpus = corpus_for(metric, *lines_for(metric))
    rows = rows_of(metric, corpus)
    expected = totals(rows)
    for seed in range(5):
        assert_equal(totals(np.random.default_rng(seed).permutation(rows)), expected)
    assert_equal(totals(rows[::-1]), expected)


@every_metric
@pytest.mark.parametrize("threads", [2, 5])
def test_threads_change_nothing(metric: Metric, threads: int) -> None:
    corpus = corpus_for(metric, *lines_for(metric))
    expected = rows_of(metric, corpus, threads=1)
    assert_equal(rows_of(metric, corpus, threads=threads), expected)
    one, several = (evaluated(metric, corpus, threads=t) for t in (1, threads))
    assert one == several


@every_spec
def test_a_segment_is_a_corpus_of_one(metric: Metric) -> None:
    corpus = corpus_for(metric, *lines_for(metric, 40))
    state = metric.fit(corpus)
    found = metric.score(metric.rows(corpus, state))
    for i, value in enumerate(found.tolist()):
        alone = metric.rows(corpus.take([i]), state)
        assert float(metric.score(totals(alone))) == value


@every_spec
def test_score_takes_any_shape(metric: Metric) -> None:
    rows = rows_of(metric, corpus_for(metric, *lines_for(metric, 60)))
    one_by_one = [float(metric.score(row)) for row in rows]
    assert np.shape(metric.score(rows[0])) == ()
    assert metric.score(rows).tolist() == one_by_one
    cube = rows.reshape(3, -1, rows.shape[1])
    assert metric.score(cube).shape == cube.shape[:2]
    assert metric.score(cube).ravel().tolist() == one_by_one
    assert metric.score(rows[:0]).shape == (0,)


@every_spec
def test_score_leaves_its_argument_alone(metric: Metric) -> None:
    rows = rows_of(metric, corpus_for(metric, *lines_for(metric, 20)))
    before = rows.copy()
    metric.score(rows)
    metric.parts(rows[0])
    assert_equal(rows, before)


@every_spec
def test_bootstrap_totals_are_sums_of_drawn_rows(metric: Metric) -> None:
    rows = rows_of(metric, corpus_for(metric, *lines_for(metric, 90)))
    drawn = np.random.default_rng(7).choice(len(rows), size=(50, len(rows)), replace=True)
    (found,) = bootstrap_totals([rows], resamples=50, seed=7)
    np.testing.assert_allclose(found, rows[drawn].sum(axis=1), rtol=1e-12, atol=1e-12)


@every_metric
def test_hundreds_of_references(metric: Metric) -> None:
    many = 99 if is_network(metric) else 999
    hyp = " ".join(VOCABULARY[k % 9] for k in range(14))
    refs = [" ".join(VOCABULARY[(i + k * k) % 9] for k in range(5 + i % 20)) for i in range(many)]
    both = [[*refs, hyp], refs]
    corpus = corpus_for(metric, [hyp, hyp], both, unit_weights=True)
    among, without = metric.score(rows_of(metric, corpus)).tolist()
    assert np.isfinite([among, without]).all()
    if metric.info.perfect_among_many:
        assert among == pytest.approx(best(metric), abs=1e-12)


LONG = [
    pytest.param(m, marks=[pytest.mark.slow] * registry.metric(m).info.slow_on_long_lines)
    for m in METRICS
]


@pytest.mark.filterwarnings("ignore:.*pieces at their ends:nlgauge.errors.NlgaugeWarning")
@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize("word", [49, 100_000], ids=["many words", "one word"])
def test_a_line_of_a_hundred_thousand_characters(name: str, word: int) -> None:
    metric = registry.metric(name)
    letters = "".join("abcdefghij"[i * i % 101 % 10] for i in range(100_000))
    text = " ".join(letters[i : i + word] for i in range(0, len(letters), word))
    corpus = corpus_for(metric, [text, text[:-1] + "é"], [[text], [text]], unit_weights=True)
    same, other = metric.score(rows_of(metric, corpus)).tolist()
    assert np.isfinite([same, other]).all()
    worse = other < same if metric.info.higher_is_better else other > same
    # What is not in the source counts as new, and new is what novelty looks for.
    assert worse or same == other or name == "novelty"

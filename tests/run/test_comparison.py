"""Comparisons of systems against sacreBLEU's golden values, SciPy, and by hand."""

import json
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from support.golden_files import GOLDEN, read_corpus

import nlgauge
from nlgauge.core.given import GivenScores
from nlgauge.core.metric import totals
from nlgauge.core.outputs import OutputScores
from nlgauge.core.table import Column, ScoreTable
from nlgauge.data.labels import Labels
from nlgauge.errors import DataError, NlgaugeWarning, SpecError
from nlgauge.run.comparison import compare, with_scores
from nlgauge.stats import clusters, intervals, resampling
from nlgauge.stats.significance import TESTS

RECORDS = json.loads((GOLDEN / "stats" / "sacrebleu-paired.json").read_text())["records"]
LINES = ["a b c d e f", "g h i j", "k l m n o", "p q r s t", "u v w x y z", "b d f h j"]


@cache
def news() -> ScoreTable:
    rows = read_corpus("news")
    systems = {
        name: [r["hypothesis"] for r in rows if r["system"] == name]
        for name in ("sysA", "sysB", "sysC")
    }
    refs = [r["references"] for r in rows if r["system"] == "sysA"]
    pair = (systems["sysB"], systems["sysA"])
    for name, shift in (("mixX", 0), ("mixY", 1)):
        systems[name] = [pair[(i + shift) % 2][i] for i in range(len(refs))]
    return nlgauge.score(systems, refs, metrics=["bleu", "chrf", "ter"])


def test_multeval_loses_counts_that_plain_trials_find() -> None:
    """MultEval 0.5.1 says .8805 of mixX and mixY. Its threads add to one counter without a lock, so
    that some trials are lost and its p-values come out too small. Plain trials decide.
    """
    table = news()
    bleu = table.columns[0].metric
    a, b = (table.rows_of(name, "bleu") for name in ("mixX", "mixY"))
    observed = abs(float(bleu.score(a.sum(axis=0))) - float(bleu.score(b.sum(axis=0))))
    rng = np.random.default_rng(7)
    swapped = rng.random((20_000, len(a))) < 0.5
    sums = a.sum(axis=0) + swapped @ (b - a), b.sum(axis=0) - swapped @ (b - a)
    plain = np.mean(np.abs(bleu.score(sums[0]) - bleu.score(sums[1])) >= observed)
    found = compare(table, baseline="mixX", trials=10_000).difference("mixY", "mixX", "bleu")
    assert found.p_value == pytest.approx(plain, abs=0.015)  # four standard errors
    assert found.p_value > 0.8805 + 0.003
    assert plain > 0.8805 + 0.003


def given_table(scores: dict[str, Any], *, higher: bool = True) -> ScoreTable:
    """Of segment scores alone."""
    metric = GivenScores(name="judge", higher_is_better=higher)
    rows = {s: (np.stack([v, np.ones(len(v))], axis=1),) for s, v in scores.items()}
    column = Column("judge", metric, metric.signature())
    return ScoreTable((column,), rows, len(next(iter(scores.values()))))


@pytest.mark.parametrize("test", ["paired-ar", "paired-bs"])
def test_p_values_and_intervals_are_those_of_sacrebleu(test: str) -> None:
    found = compare(news(), baseline="mixX", test=test, trials=1000)
    scores = {(s.system, s.metric): s for s in found.scores}
    records = [r for r in RECORDS if r["test"] == test]
    assert len(records) == 15
    for record in records:
        system, metric = record["system"], record["metric"]
        score = scores[system, metric]
        assert score.score == pytest.approx(record["score"])
        if record["p_value"] is not None:
            p = found.difference(system, "mixX", metric).p_value
            assert p == pytest.approx(record["p_value"], abs=1e-12), record
        if record["ci"] is not None:
            # sacreBLEU resamples in single precision.
            assert score.interval.mean == pytest.approx(record["mean"], rel=1e-6)
            half = (score.interval.high - score.interval.low) / 2
            assert half == pytest.approx(record["ci"], rel=1e-5)


@pytest.mark.parametrize("test", TESTS)
def test_a_system_with_itself_has_p_1(test: str) -> None:
    table = nlgauge.score(
        {"a": LINES, "b": LINES, "c": LINES[::-1]}, LINES, metrics=["bleu", "ter"]
    )
    found = compare(table, test=test, trials=100, resamples=50)
    for metric in ("bleu", "ter"):
        same = found.difference("a", "b", metric)
        assert (same.p_value, same.difference, same.better, same.significant) == (1, 0, None, False)
    assert found.rankings[1].systems == ("a", "b", "c")


def test_bootstrap_shift_by_hand() -> None:
    # |differences| 1, 3, 8 have the mean 4; centred: -3, -1, 4; one reaches 4, none exceeds it.
    baseline, system = np.array([0.0, 0.0, 0.0]), np.array([1.0, -3.0, 8.0])
    assert resampling.shift_p_value(baseline, system, 4.0) == 0.5
    assert resampling.paired_p_value(baseline, system, 4.0) == 0.25
    assert np.isnan(resampling.shift_p_value(baseline, system, np.nan))


@given(st.integers(0, 2**32 - 1), st.integers(5, 80))
def test_segment_tests_equal_scipy(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.normal(0, 1, n), rng.normal(0.3, 1, n)
    table = given_table({"a": a, "b": b})
    options = {"trials": 1, "interval": "none"}
    t, wilcoxon = (compare(table, test=test, **options) for test in ("t", "wilcoxon"))
    assert t.differences[0].p_value == pytest.approx(stats.ttest_rel(a, b).pvalue)
    assert wilcoxon.differences[0].p_value == pytest.approx(stats.wilcoxon(a, b).pvalue)
    assert t.differences[0].difference == pytest.approx((a - b).mean())
    assert t.differences[0].better == ("a" if a.mean() > b.mean() else "b")


@pytest.mark.parametrize("metric", ["bleu", "ter"])
def test_bca_equals_scipy(metric: str) -> None:
    table = news()
    column = table.column(metric).metric
    a, b = (table.rows_of(s, metric) for s in ("sysB", "mixX"))

    def interval(statistic):  # type: ignore[no-untyped-def]
        result = stats.bootstrap(
            (np.arange(len(a)),),
            statistic,
            vectorized=True,
            n_resamples=1000,
            method="BCa",
            rng=np.random.default_rng(12345),
        ).confidence_interval
        return result.low, result.high

    def score(rows):  # type: ignore[no-untyped-def]
        return lambda i, axis: column.score(rows[i].sum(axis=axis - 1)) * 100

    found = compare(table, pairs=[("sysB", "mixX")], interval="bca", trials=100)
    own = next(s for s in found.scores if (s.system, s.metric) == ("sysB", metric)).interval
    assert (own.low, own.high) == pytest.approx(interval(score(a)))
    between = found.difference("sysB", "mixX", metric).interval
    expected = interval(lambda i, axis: score(a)(i, axis) - score(b)(i, axis))
    assert (between.low, between.high) == pytest.approx(expected)


def test_bca_without_an_answer() -> None:
    constant = intervals.bca(np.full(10, 3.0), 3.0, np.full(5, 3.0))
    assert (constant.low, constant.high) == (3, 3)
    aside = intervals.bca(np.arange(10.0), 99.0, np.arange(5.0))
    assert np.isnan(aside.low)
    with pytest.raises(SpecError, match="level=95"):
        intervals.bca(np.arange(10.0), 5.0, np.arange(5.0), level=95)


def test_lower_is_better_turns_verdicts_and_clusters_round() -> None:
    rng = np.random.default_rng(7)
    base = rng.normal(0, 1, 200)
    scores = {"low": base, "high": base + 1 + rng.normal(0, 0.1, 200)}
    for higher, winner in ((True, "high"), (False, "low")):
        found = compare(given_table(scores, higher=higher), trials=200, resamples=50)
        (difference,) = found.differences
        assert difference.better == winner
        assert difference.verdict == ("worse" if higher else "better")
        assert difference.difference == pytest.approx(-1, abs=0.05)
        assert difference.interval.high < 0
        assert found.rankings[0].systems[0] == winner
        assert [r.cluster for r in found.rankings[0].ranks] == [1, 2]
        assert len(found.regressions("low", "high")) == higher
        assert len(found.regressions("high", "low")) == (not higher)


def test_clusters_by_hand() -> None:
    # a > {c, d, e}; b > {d, e}; c > {d, e}; d and e beat nobody; order from the best: a b c d e.
    wins = np.zeros((5, 5), bool)
    for i, beaten in enumerate(["cde", "de", "de", "", ""]):
        wins[i, ["abcde".index(x) for x in beaten]] = True
    found = clusters.ranks(range(5), wins)
    assert [r.cluster for r in found] == [1, 1, 1, 2, 2]
    assert [(r.best, r.worst) for r in found] == [(1, 2), (1, 3), (2, 3), (4, 5), (4, 5)]
    assert [(r.wins, r.losses) for r in found] == [(3, 0), (2, 0), (2, 1), (0, 3), (0, 3)]


@given(st.integers(0, 2**32 - 1), st.integers(1, 7))
def test_clusters_do_what_their_definition_says(seed: int, n: int) -> None:
    wins = np.triu(np.random.default_rng(seed).random((n, n)) < 0.7, 1)
    found = clusters.ranks(range(n), wins)
    for above in range(n):
        for below in range(above + 1, n):
            divided = any(wins[:k, k:].all() for k in range(above + 1, below + 1))
            assert (found[above].cluster != found[below].cluster) == divided


def test_corrections_and_the_experiment_wise_error() -> None:
    found = compare(news(), correction="bonferroni", trials=2000, interval="none")
    assert len(found.differences) == 30
    assert found.experiment_wise_error == pytest.approx(1 - 0.95**30)
    for d in found.differences:
        assert d.adjusted == pytest.approx(min(1, 30 * d.p_value))
        assert d.significant == (d.adjusted <= 0.05)
    matrix = found.p_values("bleu")
    np.testing.assert_array_equal(matrix, matrix.T)
    assert np.isnan(np.diag(matrix)).all()
    assert matrix[0, 1] == found.difference("sysA", "sysB", "bleu").adjusted


def test_fifteen_systems_have_the_error_of_the_paper() -> None:
    rng = np.random.default_rng(0)
    table = given_table({f"s{i}": rng.normal(0, 1, 10) for i in range(15)})
    found = compare(table, test="t", interval="none")
    assert len(found.differences) == 105
    assert found.experiment_wise_error == pytest.approx(0.9954, abs=5e-5)


def test_analysis_of_variance() -> None:
    found = compare(news(), test="t", interval="none", variance=True).variances[2]
    groups = [news().segment_scores(system, "ter") for system in news().systems]
    assert found.metric == "ter"
    assert found.anova.f == pytest.approx(stats.f_oneway(*groups).statistic)
    expected = stats.tukey_hsd(*groups).pvalue
    assert found.pairs[0] == ("sysA", "sysB")
    assert found.tukey[0] == pytest.approx(expected[0, 1], abs=1e-8)
    # mixX and mixY
    assert found.tukey[-1] == pytest.approx(expected[3, 4], abs=1e-8)
    assert found.scheffe[-1] > found.tukey[-1] > 0.05


def test_segments_without_variance_are_equal_or_infinitely_apart() -> None:
    table = given_table({"a": np.ones(4), "b": np.ones(4), "c": np.zeros(4)})
    found = compare(table, test="t", variance=True).variances[0]
    assert found.pairs == (("a", "b"), ("a", "c"), ("b", "c"))
    assert found.tukey == (1, 0, 0)
    assert found.scheffe == (1, 0, 0)


def test_rouge_is_tested_without_the_noise_of_its_tool() -> None:
    rows = read_corpus("news")
    systems = {s: [r["hypothesis"] for r in rows if r["system"] == s] for s in ("sysA", "sysB")}
    refs = [r["references"] for r in rows if r["system"] == "sysA"]
    official = nlgauge.score(systems, refs, metrics=["rouge-2(profile=rouge155)"])
    name = official.columns[0].name
    found = compare(official, trials=500, resamples=100)
    means = [official.segment_scores(s, name).mean() for s in systems]
    (difference,) = found.differences
    assert difference.difference == pytest.approx(means[0] - means[1], abs=1e-9)
    printed = [s.score for s in found.scores]
    assert printed == [official[s, name].score for s in systems]
    assert 0 < abs(printed[0] - printed[1] - difference.difference) < 0.1


def test_scores_beside_texts() -> None:
    table = nlgauge.score({"a": ["x", "y"], "b": ["x", "z"]}, ["x", "y"], metrics=["ter"])
    metric = GivenScores(name="judge")
    judged = OutputScores(
        items=Labels.build(["2", "1", "1", "2"]),
        systems=Labels.build(["a", "a", "b", "b"]),
        columns=(Column("judge", metric, metric.signature()),),
        rows=(np.array([[4.0, 1], [2, 1], [1, 1], [0, 1]]),),
    )
    joined = with_scores(table, judged)
    assert joined.segment_scores("a", "judge").tolist() == [2, 4]
    assert joined.best("ter") == ["a"]
    with pytest.raises(DataError, match="judge: scores of 1 segments, but the texts have 2"):
        with_scores(table, judged.take([1, 2]))
    with pytest.raises(DataError, match="no score of judge for system 'b', item '2'"):
        with_scores(table, judged.take([0, 1, 2]))


def test_undefined_scores_stay_undefined() -> None:
    table = given_table({"a": [1.0, np.nan, 2.0], "b": [1.0, 2.0, 3.0]})
    assert np.isnan(totals(table.rows_of("a", "judge"))[0])
    for test in TESTS:
        (difference,) = compare(table, test=test, trials=100, interval="none").differences
        assert np.isnan(difference.p_value), test
        assert not difference.significant
        assert difference.better is None
    (difference,) = compare(table, trials=100, interval="poisson").differences
    assert np.isnan(difference.interval.low)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"baseline": "x"}, "no system 'x'; there are a, b"),
        ({"pairs": [("a", "a")]}, "two different systems"),
        ({"pairs": []}, "at least one"),
        ({"pairs": [("a", "b")], "baseline": "a"}, "give one of them"),
        ({"alpha": 5}, "alpha=5"),
        ({"test": "anova"}, "test='anova'.*wilcoxon"),
        ({"correction": "tukey"}, "correction='tukey'.*holm"),
        ({"interval": "normal"}, "interval='normal'.*bca"),
        ({"trials": 0}, "trials=0"),
        ({"threads": 0}, "threads=0"),
        ({"resamples": 0}, "resamples=0"),
    ],
)
def test_what_is_refused(options: dict[str, Any], says: str) -> None:
    table = given_table({"a": np.arange(3.0), "b": np.ones(3)})
    with pytest.raises(SpecError, match=says):
        compare(table, **options)


def test_one_system_is_refused_and_few_trials_are_warned_of() -> None:
    with pytest.raises(DataError, match="only one system"):
        compare(given_table({"a": np.arange(3.0)}))
    table = given_table({"a": np.arange(3.0), "b": np.ones(3), "c": np.zeros(3)})
    with pytest.warns(NlgaugeWarning, match="trials=50: too few for 3 .* more than 60"):
        compare(table, trials=50, correction="holm")
    compare(table, trials=50, correction="benjamini-hochberg")
    with pytest.raises(SpecError, match="were not compared"):
        compare(replace(table), baseline="a", trials=20).difference("b", "c", "judge")


def test_all_pairs_of_very_many_systems_are_refused_with_what_to_do_instead() -> None:
    # 317 · 316 / 2 = 50,086 pairs.
    table = given_table({f"s{i}": np.arange(3.0) + i % 7 for i in range(317)})
    refused = r"317 systems make 50,086 pairs; no more than 50,000 .*--baseline SYSTEM"
    with pytest.raises(DataError, match=refused):
        compare(table, test="t")
    with_one = compare(table, baseline="s0", test="t", resamples=10)
    assert len(with_one.differences) == 316
    with pytest.raises(DataError, match=refused):  # Tukey's tests are of all pairs
        compare(table, baseline="s0", variance=True)


def test_a_difference_can_be_asked_for_either_way_round() -> None:
    table = nlgauge.score({"a": ["x y z", "u v"], "b": ["x y w", "u v"]}, ["x y z", "u v"])
    found = compare(table, trials=20, resamples=20)
    one, other = found.difference("a", "b", "ter"), found.difference("b", "a", "ter")
    assert (other.system, other.other, other.better) == ("b", "a", one.better)
    assert other.difference == -one.difference > 0  # b has the errors
    assert one.interval is not None and other.interval is not None
    assert (other.interval.low, other.interval.high) == (-one.interval.high, -one.interval.low)
    assert other.p_value == one.p_value

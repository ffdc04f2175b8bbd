"""Metrics beside people: levels, intervals, preferences, outliers, partitions."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from support.score_grids import paired

from nlgauge.core.given import GivenScores
from nlgauge.core.outputs import OutputScores
from nlgauge.core.table import Column
from nlgauge.data.judgements import Judgements
from nlgauge.data.labels import Labels
from nlgauge.errors import DataError, SpecError
from nlgauge.meta.correlation.between_metrics import clusters
from nlgauge.meta.correlation.meta_result import combined, correlate
from nlgauge.meta.correlation.outliers import outlying
from nlgauge.meta.correlation.paired_scores import PairedScores
from nlgauge.meta.correlation.settings import MetaSettings

GOLDEN = Path(__file__).parents[1] / "golden" / "stats"
SCORES = json.loads((GOLDEN / "scores.json").read_text())
NLPSTATS = json.loads((GOLDEN / "nlpstats.json").read_text())["records"]
LEVELS = {"system": "system", "input": "segment-by-item", "global": "segment"}
PLAIN = MetaSettings(resamples=0, test="none")


def grid(name: str) -> np.ndarray:
    return np.array(SCORES[name], float)


def golden() -> PairedScores:
    metrics = {name: grid(name) for name in ("metricA", "metricB")}
    return paired(metrics, {"human": grid("human")})


@pytest.mark.parametrize("level", LEVELS)
def test_correlations_equal_nlpstats(level: str) -> None:
    names = {"pearson": "pearson", "spearman": "spearman", "kendall": "kendall-b"}
    settings = MetaSettings(
        levels=(LEVELS[level],), coefficients=tuple(names.values()), resamples=0, test="none"
    )
    result = correlate(golden(), settings=settings)
    for record in NLPSTATS:
        if (record["name"], record["level"]) != ("correlate", level):
            continue
        for metric in ("metricA", "metricB"):
            found = result.agreement(metric, coefficient=names[record["coefficient"]])
            assert found.value == pytest.approx(record[metric], abs=1e-12)


@pytest.mark.parametrize("record", [r for r in NLPSTATS if r["name"] == "bootstrap"])
def test_intervals_equal_nlpstats(record: dict[str, float | str]) -> None:
    over = {"inputs": "items"}.get(str(record["method"]), record["method"])
    settings = MetaSettings(
        levels=(LEVELS[str(record["level"])],),
        interval="percentile",
        over=over,
        resamples=3000,
        test="none",
    )
    found = correlate(golden(), settings=settings).agreement("metricA")
    # What chance leaves of 2,000 resamples, of 400 by item.
    slack = 0.06 if record["level"] == "input" else 0.025
    assert (found.low, found.high) == pytest.approx((record["lower"], record["upper"]), abs=slack)


@pytest.mark.parametrize("level", ["system", "global"])
def test_williams_equals_nlpstats(level: str) -> None:
    settings = MetaSettings(levels=(LEVELS[level],), resamples=0, test="williams")
    (tested,) = correlate(golden(), settings=settings).significance
    expected = next(
        r["p"]
        for r in NLPSTATS
        if (r["name"], r["level"], r.get("alternative")) == ("williams", level, "greater")
    )
    a, b = tested.metrics.index("metricA"), tested.metrics.index("metricB")
    assert tested.p_values[a, b] == pytest.approx(expected)
    assert tested.p_values[b, a] == pytest.approx(1 - expected)


def test_levels_by_hand() -> None:
    x = np.array([[1.0, 2, 4], [2, 2, 1], [0, 5, 3]])
    y = np.array([[1.0, 3, 2], [2, np.nan, 1], [3, 4, 5]])
    data = paired({"m": x}, {"c": y})
    known = ~np.isnan(y)

    def value(level: str) -> float:
        settings = MetaSettings(levels=(level,), resamples=0, test="none")
        return correlate(data, settings=settings).agreement("m").value

    r = lambda a, b: stats.pearsonr(a, b)[0]  # noqa: E731
    assert value("segment") == pytest.approx(r(x[known], y[known]))
    by_item = [r(x[known[:, j], j], y[known[:, j], j]) for j in range(3)]
    assert value("segment-by-item") == pytest.approx(np.mean(by_item))
    by_system = [r(x[i, known[i]], y[i, known[i]]) for i in range(3)]
    assert value("segment-by-system") == pytest.approx(np.mean(by_system))
    assert value("system") == pytest.approx(r(x.mean(axis=1), np.nanmean(y, axis=1)))


def test_lower_is_better_for_metrics_and_criteria() -> None:
    x, y = grid("metricA"), grid("human")
    plain = correlate(paired({"m": x}, {"c": y}), settings=PLAIN).agreement("m", level="system")
    data = paired({"m": -x}, {"c": -y}, lower=("m",))
    both = MetaSettings(resamples=0, test="none", lower_is_better=("c",))
    assert correlate(data, settings=both).agreement("m", level="system").value == plain.value
    assert correlate(data, settings=PLAIN).agreement("m", level="system").value == -plain.value


def test_levels_are_chosen_by_the_data() -> None:
    levels = {a.level for a in correlate(golden(), settings=PLAIN).agreements}
    assert levels == {"segment-by-item", "system"}
    one = np.arange(6.0).reshape(1, 6)
    found = correlate(paired({"m": one}, {"c": one**2}), settings=PLAIN).agreements
    assert [a.level for a in found] == ["segment"]


def test_parts_of_a_split_are_correlated_apart() -> None:
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 1, 20))
    part = ["even", "odd"] * 10
    data = paired({"m": x}, {"c": y}, groups={"kind": part})
    result = correlate(data, split="kind", settings=PLAIN)
    expected = stats.pearsonr(x[0, 1::2], y[0, 1::2])[0]
    assert result.agreement("m", part="odd").value == pytest.approx(expected)
    assert result.agreement("m", part="odd").points == 10


def test_combined_criteria() -> None:
    a, b = grid("human"), grid("metricB")
    data = combined(paired({"m": grid("metricA")}, {"a": a, "b": b}), ["a", "b"], "sum")
    expected = paired({"m": grid("metricA")}, {"sum(a,b)": a + b})
    found = correlate(data, criteria=["sum(a,b)"], settings=PLAIN).agreements
    assert [f.value for f in found] == [
        f.value for f in correlate(expected, settings=PLAIN).agreements
    ]


def test_length_weighted_means_of_systems() -> None:
    x, y = grid("metricA")[:, :4], grid("human")[:, :4]
    lengths = np.random.default_rng(1).integers(1, 30, y.shape).astype(float)
    settings = MetaSettings(levels=("system",), resamples=0, test="none")
    result = correlate(paired({"m": x}, {"c": y}), weights=lengths.ravel(), settings=settings)
    means = (y * lengths).sum(axis=1) / lengths.sum(axis=1)
    assert result.agreement("m").value == pytest.approx(stats.pearsonr(x.mean(axis=1), means)[0])


def test_preferences_of_ratings_follow_mt_metrics_eval() -> None:
    records = json.loads((GOLDEN / "mt_metrics_eval.json").read_text())["records"]
    for record in records:
        if record["name"] != "KendallLike" or record["average_by"] != "item":
            continue
        if "rounded" in record["metric"]:
            continue
        data = paired({"m": grid(record["metric"])}, {"c": grid(record["gold"])})
        settings = MetaSettings(
            coefficients=("kendall-darr",), threshold=record["thresh"], resamples=50
        )
        found = correlate(data, settings=settings).agreement("m")
        assert found.value == pytest.approx(record["value"], abs=1e-12)
        assert found.low < found.value < found.high


def test_judged_preferences() -> None:
    x = np.array([[1.0, 2, 3], [2, 2, 1]])
    data = paired({"m": x, "error": -x}, {"c": x}, lower=("error",))
    # Right, a tie of the metric (an error), wrong; a tie of people is left out.
    said = [("i0", "s1", "s0", 1), ("i1", "s0", "s1", 1), ("i2", "s0", "s1", 0)]
    said += [("i2", "s0", "s1", 0.5)]
    rows = [
        {"item": i, "system": s, "against": t, "value": v, "criterion": "better"}
        for i, s, t, v in said
    ]
    data = PairedScores(scores=data.scores, judgements=Judgements.build(rows), groups={})
    result = correlate(data, settings=PLAIN)
    for metric in ("m", "error"):
        found = result.agreement(metric)
        assert (found.coefficient, found.points) == ("kendall-darr", 3)
        assert found.value == pytest.approx(-1 / 3)


def test_soft_accuracy_is_of_systems() -> None:
    settings = MetaSettings(coefficients=("soft-accuracy", "accuracy-eq"), resamples=0, test="none")
    result = correlate(golden(), settings=settings)
    assert result.agreement("metricA", coefficient="soft-accuracy").level == "system"
    order = stats.kendalltau(grid("metricB").mean(axis=1), grid("human").mean(axis=1))[0]
    accuracy = result.agreement("metricB", coefficient="accuracy-eq", level="system")
    assert accuracy.value == pytest.approx((order + 1) / 2)


def test_outlying_systems_by_hand() -> None:
    # Median 3, absolute deviations 2 1 0 1 97: 1.483 · 1 · 2.5 = 3.7.
    assert outlying(np.array([1.0, 2, 3, 4, 100])).tolist() == [False] * 4 + [True]
    assert not outlying(np.ones(5)).any()
    human = np.array([1.0, 2, 3, 4, 100])[:, None] + np.zeros((1, 6))
    metric = np.array([4.0, 3, 2, 1, 50])[:, None] + np.zeros((1, 6))
    (found,) = correlate(paired({"m": metric}, {"c": human}), settings=PLAIN).outliers
    assert found.systems == ("s4",)
    assert found.with_outliers > 0.9
    assert found.without_outliers == pytest.approx(-1)


def test_partitions_average_groups() -> None:
    rng = np.random.default_rng(2)
    y = rng.normal(size=(1, 40))
    data = paired({"m": y + rng.normal(size=y.shape)}, {"c": y})
    settings = MetaSettings(resamples=0, partition_sizes=(1, 4), partition_draws=300)
    result = correlate(data, settings=settings)
    ones, fours = result.partitions
    # Groups of one are the outputs themselves, in whatever order.
    assert ones.correlations == pytest.approx(result.agreement("m").value)
    assert fours.points == 10
    assert fours.representative_points.shape == (2, 10)
    low, high = fours.span()
    assert low < fours.mean < high
    with pytest.raises(SpecError, match="partition size 20"):
        correlate(data, settings=MetaSettings(partition_sizes=(20,)))


def test_clusters_begin_where_someone_above_is_better() -> None:
    nan = np.nan
    p = np.array([[nan, 0.2, 0.01, 0.01], [0.8, nan, 0.2, 0.04], [1, 1, nan, 0.3], [1, 1, 1, nan]])
    assert clusters(p, 0.05) == (1, 1, 2, 2)


def test_what_is_wrong_is_named() -> None:
    data = golden()
    with pytest.raises(SpecError, match="about human"):
        correlate(data, criteria=["fluency"])
    with pytest.raises(SpecError, match="segment-by-item"):
        MetaSettings(levels=("document",))  # type: ignore[arg-type]
    with pytest.raises(SpecError, match="use test=permutation"):
        correlate(data, settings=MetaSettings(levels=("segment-by-item",), test="williams"))
    other = Judgements.build([{"item": "x", "system": "y", "criterion": "c", "value": 1}])
    strangers = PairedScores(scores=data.scores, judgements=other, groups={})
    with pytest.raises(DataError, match="ids and system names"):
        correlate(strangers, settings=MetaSettings(levels=("segment",)))


def two_parts(part_of_ratings: bool) -> PairedScores:
    """Systems a, b, c in two parts of one item; people like a best in one, c best in the other."""
    outputs = [(part, system) for part in ("north", "south") for system in "abc"]
    metric = GivenScores(name="metric", higher_is_better=True)
    scores = OutputScores(
        items=Labels.build(f"{part}/1" for part, _ in outputs),
        systems=Labels.build(system for _, system in outputs),
        columns=(Column("metric", metric, metric.signature()),),
        rows=(np.column_stack([[3.0, 2, 1, 3, 2, 1], np.ones(6)]),),
    )
    ratings = [3, 2, 1, 1, 2, 4]
    judgements = [
        {"system": system, "criterion": "quality", "value": value}
        | ({"part": part} if part_of_ratings else {})
        for (part, system), value in zip(outputs, ratings, strict=True)
    ]
    groups = {"region": Labels.build(part for part, _ in outputs)}
    return PairedScores(scores=scores, judgements=Judgements.build(judgements), groups=groups)


def test_ratings_of_whole_systems_stay_in_their_part() -> None:
    result = correlate(two_parts(True), split="region", settings=PLAIN)
    # North: 3 2 1 against 3 2 1. South: deviations 1 0 -1 against -4/3 -1/3 5/3, that is
    # -3 / sqrt(2 * 42/9); the mean of both parts, 2 2 2.5, would give -0.866 twice.
    assert result.agreement("metric", part="north").value == pytest.approx(1)
    south = -3 / (2 * 42 / 9) ** 0.5
    assert result.agreement("metric", part="south").value == pytest.approx(south)


def test_ratings_of_whole_systems_must_say_their_part_where_names_repeat() -> None:
    with pytest.raises(DataError, match=r"'a' is rated as a whole.*north, south.*'region'"):
        correlate(two_parts(False), split="region", settings=PLAIN)

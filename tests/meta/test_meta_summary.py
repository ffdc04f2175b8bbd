"""What `nlgauge meta` prints on a screen, and what it says of small and partly rated samples."""

import io
from dataclasses import replace

import numpy as np
import pytest
from rich.console import Console
from support.score_grids import paired

from nlgauge.data.labels import Labels
from nlgauge.errors import SpecError
from nlgauge.meta.correlation.meta_result import MetaResult, correlate
from nlgauge.meta.correlation.settings import MetaSettings
from nlgauge.report.tables.meta.meta_summary import MORE, summary
from nlgauge.report.tables.meta.meta_tables import grids
from nlgauge.report.tables.printing import print_grids

QUICK = MetaSettings(resamples=50, permutations=50)


def printed(found) -> list[str]:
    out = io.StringIO()
    print_grids(found, Console(file=out, width=1000, soft_wrap=True))
    return [line.rstrip() for line in out.getvalue().splitlines()]


def rated(metrics: int, criteria: list[str], shape: tuple[int, int]) -> MetaResult:
    rng = np.random.default_rng(3)
    human = {name: rng.normal(size=shape) for name in criteria}
    scores = {f"metric-{i}": rng.normal(size=shape) for i in range(metrics)}
    return correlate(paired(scores, human), settings=QUICK)


NAMES = ["coherence", "consistency", "fluency", "relevance"]
EIGHT = [*NAMES, *(f"{name}_turker" for name in NAMES)]


def test_eight_criteria_and_ten_metrics_fit_a_screen() -> None:
    result = rated(10, EIGHT, (6, 8))
    lines = printed(summary(result, MORE))  # as the command does
    assert len(lines) <= 42
    assert max(map(len, lines)) <= 100
    assert sum(line.startswith(" metric-") for line in lines) == 2 * 10
    assert any("--all" in line for line in lines)
    assert len(printed(grids(result))) > 200


def test_what_no_test_tells_from_the_best_has_a_star() -> None:
    rng = np.random.default_rng(1)
    human = rng.normal(size=(4, 30))
    metrics = {
        "good": human + 0.1 * rng.normal(size=human.shape),
        "noise": rng.normal(size=(4, 30)),
    }
    metrics["as-good"] = metrics["good"] + 1e-6 * rng.normal(size=human.shape)
    settings = replace(QUICK, levels=("segment",))
    lines = printed(summary(correlate(paired(metrics, {"overall": human}), settings=settings)))
    marked = {line.split()[0]: line.endswith("*") for line in lines if "]" in line and "." in line}
    assert marked == {"good": True, "as-good": True, "noise": False}
    assert any("williams, 0.05" in line for line in lines)


def test_many_metrics_and_parts_are_cut_and_counted() -> None:
    rng = np.random.default_rng(2)
    shape = (3, 40)
    scores = {f"m{i}": rng.normal(size=shape) for i in range(15)}
    parts = [f"part{i % 10}" for _ in range(3) for i in range(40)]
    data = paired(scores, {"x": rng.normal(size=shape)}, groups={"part": parts})
    settings = replace(QUICK, levels=("segment",))
    result = correlate(data, split="part", settings=settings)
    lines = printed(summary(result))
    (note,) = [line for line in lines if line.startswith("not shown")]
    assert note.endswith("--all: each of 10 parts, 3 metrics that agree less")
    assert "x, mean" in " ".join(lines)
    # The mean over the parts, of the best metric, is that of its ten correlations.
    best = lines[next(i for i, line in enumerate(lines) if "───" in line) + 1].split()
    own = [a.value for a in result.agreements if a.metric == best[0]]
    assert float(best[1]) == pytest.approx(np.mean(own), abs=5e-4)


def test_two_systems_and_two_items_are_too_few() -> None:
    human = np.array([[1.0, 2, 3, 5], [2, 3, 1, 4]])
    scores = {"m": np.array([[1.0, 3, 2, 4], [2, 4, 1, 3]])}
    result = correlate(
        paired(scores, {"x": human}),
        settings=replace(QUICK, levels=("system", "segment-by-system", "segment-by-item")),
    )
    said = {a.level: a.too_few for a in result.agreements}
    assert said == {"system": True, "segment-by-system": True, "segment-by-item": False}
    assert result.significance == ()
    for found in (summary(result), grids(result)):
        text = "\n".join(printed(found))
        assert "–: x: fewer than 3 points or groups, too few to tell" in text
        assert "1.000" not in text.split("segment-by-item")[0]


def test_outliers_among_few_systems_say_nothing() -> None:
    human = np.array([[1.0, 1.1], [1.2, 1.1], [1.15, 1.3], [9, 9.2]])
    (few,) = correlate(
        paired({"m": human + 0.01}, {"x": human}), settings=replace(QUICK, levels=("system",))
    ).outliers
    assert few.systems == ("s3",)
    assert np.isnan(few.without_outliers)
    more = np.vstack([human, [[1.25, 1.2]]])
    result = correlate(
        paired({"m": more + 0.01}, {"x": more}), settings=replace(QUICK, levels=("system",))
    )
    assert result.outliers[0].without_outliers == pytest.approx(1)


# Systems rated on some items only; their scores on these and on all items rank differently.
PARTLY = np.array([[1.0, np.nan, np.nan], [2, np.nan, np.nan], [np.nan, 4, np.nan]])
SCORES = np.array([[1.0, 9, 9], [2, 2, 2], [0, 3, 0]])


@pytest.mark.parametrize(
    # Means over all: 19/3, 2, 1. Over the rated: 1, 2, 3. Ratings: 1, 2, 4.
    ("over", "points"),
    [("all", [19 / 3, 2, 1]), ("rated", [1, 2, 3])],
)
def test_scores_of_systems_over_all_or_rated_outputs(over: str, points: list[float]) -> None:
    settings = MetaSettings(levels=("system",), resamples=0, test="none", system_over=over)
    result = correlate(paired({"m": SCORES}, {"x": PARTLY}), settings=settings)
    (found,) = result.agreements
    assert found.value == pytest.approx(np.corrcoef(points, [1, 2, 4])[0, 1])
    assert (found.rated_outputs, found.outputs) == (3, 9)
    assert result.scatter[0].x[0].tolist() == pytest.approx(points)
    text = "\n".join(printed(summary(result)))
    where = {"all": "all outputs", "rated": "rated outputs only"}[over]
    assert f"3 of 9 outputs are rated; scores of systems are over {where}" in text


def test_intervals_and_tests_are_over_the_same_outputs() -> None:
    """If only rated outputs count, what others score changes nothing at all."""
    rng = np.random.default_rng(5)
    human = np.where(rng.random((6, 20)) < 0.5, rng.normal(size=(6, 20)), np.nan)
    scores = {"a": rng.normal(size=(6, 20)), "b": rng.normal(size=(6, 20))}
    other = {name: np.where(np.isnan(human), 99.0, grid) for name, grid in scores.items()}
    for coefficient in ("pearson", "kendall-b", "soft-accuracy"):
        settings = replace(
            QUICK, levels=("system",), coefficients=(coefficient,), system_over="rated"
        )
        one, two = (correlate(paired(s, {"x": human}), settings=settings) for s in (scores, other))
        for left, right in zip(one.agreements, two.agreements, strict=True):
            assert (left.value, left.low, left.high) == pytest.approx(
                (right.value, right.low, right.high), nan_ok=True
            )
        for left, right in zip(one.significance, two.significance, strict=True):
            np.testing.assert_allclose(left.p_values, right.p_values)


def test_ratings_of_whole_systems_have_no_outputs_to_choose() -> None:
    data = paired({"m": SCORES}, {"x": SCORES})
    nowhere = Labels.build([None] * len(data.judgements))
    data = replace(data, judgements=replace(data.judgements, item=nowhere))
    settings = MetaSettings(levels=("system",), resamples=0, test="none", system_over="rated")
    (found,) = correlate(data, settings=settings).agreements
    assert (found.value, found.outputs) == (pytest.approx(1), None)


def test_unknown_choices_are_named() -> None:
    with pytest.raises(SpecError, match="system_over='some': there is: all, rated"):
        MetaSettings(system_over="some")


def test_criteria_of_which_less_is_better_are_named() -> None:
    """Errors fall as scores rise; noise goes one way or the other."""
    rng = np.random.default_rng(5)
    good = rng.normal(size=(6, 20))
    human = {"errors": -good, "noise": rng.normal(size=(6, 20)), "quality": good}
    scores = {name: good + rng.normal(size=(6, 20)) / 3 for name in "ab"}
    lines = printed(summary(correlate(paired(scores, human), settings=QUICK), MORE))
    (note,) = {line for line in lines if "disagrees" in line}
    assert note == (
        "every metric disagrees with errors, beyond chance; if less of it is better, say "
        "--lower-is-better errors (in Python lower_is_better=)"
    )
    turned = replace(QUICK, lower_is_better=("errors",))
    lines = printed(summary(correlate(paired(scores, human), settings=turned), MORE))
    assert not any("disagrees" in line for line in lines)

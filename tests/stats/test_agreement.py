"""Agreement of annotators: the packages krippendorff and statsmodels as oracles, and by hand."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import krippendorff as krippendorff_package
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import cohens_kappa, fleiss_kappa
from support.command_line import run

from nlgauge.cli import main
from nlgauge.data.judgements import Judgements
from nlgauge.errors import DataError, SpecError
from nlgauge.human.annotator_agreement import agreement
from nlgauge.stats import agreement as stats

RATINGS = json.loads((Path(__file__).parents[1] / "golden/stats/ratings.json").read_text())
LEVELS = ("nominal", "ordinal", "interval", "ratio")
seeds = st.integers(0, 2**32 - 1)


def judged(matrix: np.ndarray, criterion: str = "c") -> Judgements:
    """From [items, annotators]."""
    return Judgements.build(
        [
            {"item": f"i{i}", "annotator": f"a{j}", "criterion": criterion, "value": float(value)}
            for (i, j), value in np.ndenumerate(matrix)
            if not np.isnan(value)
        ]
    )


def kappa_of(a: np.ndarray, b: np.ndarray, scale: np.ndarray, weights: str | None) -> float:
    table = np.array([[((a == x) & (b == y)).sum() for y in scale] for x in scale])
    return float(cohens_kappa(table, wt=weights, return_results=False))


@pytest.mark.parametrize("name", ["ratings_missing", "ratings_full"])
def test_golden_ratings(name: str) -> None:
    matrix = np.array(RATINGS[name], float).T  # the file is [rater][item]
    found = agreement(judged(matrix), resamples=20).criteria[0]
    for level in LEVELS:
        expected = krippendorff_package.alpha(matrix.T, level_of_measurement=level)
        value = found.measure(f"Krippendorff α ({level})").value
        assert value == pytest.approx(expected, abs=1e-12), level
    scale = np.arange(1, 6 if name == "ratings_missing" else 5)
    pairs = {}
    for i, j in combinations(range(matrix.shape[1]), 2):
        known = ~np.isnan(matrix[:, [i, j]]).any(axis=1)
        a, b = matrix[known, i], matrix[known, j]
        pairs[f"a{i}", f"a{j}"] = [kappa_of(a, b, scale, w) for w in (None, "linear", "quadratic")]
    for pair in found.pairs:
        expected = pairs[pair.first, pair.second]
        assert [pair.kappa, pair.linear, pair.quadratic] == pytest.approx(expected, abs=1e-12)
    means = np.mean(list(pairs.values()), axis=0)
    for measure, mean in zip(("", " (linear)", " (quadratic)"), means, strict=True):
        assert found.measure(f"Cohen κ{measure}").value == pytest.approx(mean, abs=1e-12)
    if name == "ratings_full":
        counts = np.stack([(matrix == c).sum(axis=1) for c in scale], axis=1)
        assert found.measure("Fleiss κ").value == pytest.approx(fleiss_kappa(counts), abs=1e-12)
    assert found.headline == "Krippendorff α (ordinal)"


@given(seeds, st.integers(2, 12), st.integers(2, 5), st.sampled_from(LEVELS), st.floats(0, 0.5))
def test_resampled_alpha_is_alpha_of_the_resample(
    seed: int, items: int, raters: int, level: Any, missing: float
) -> None:
    rng = np.random.default_rng(seed)
    ratings = rng.integers(1, 6, (items, raters)).astype(float)
    ratings[rng.random(ratings.shape) < missing] = np.nan
    draws = rng.multinomial(items, np.full(items, 1 / items), size=4).astype(float)
    for times, found in zip(
        draws, stats.krippendorff_resampled(ratings, draws, level), strict=True
    ):
        sample = np.repeat(ratings, times.astype(int), axis=0)
        paired = sample[(~np.isnan(sample)).sum(axis=1) >= 2]
        distinct = np.unique(paired[~np.isnan(paired)]).size
        if distinct < 2:
            assert np.isnan(found) if distinct == 0 else found == 1
        else:
            expected = krippendorff_package.alpha(sample.T, level_of_measurement=level)
            assert found == pytest.approx(expected, abs=1e-10)


@given(seeds, st.integers(3, 15), st.sampled_from([None, "linear", "quadratic"]))
def test_resampled_kappas_are_those_of_the_resample(
    seed: int, items: int, weights: str | None
) -> None:
    rng = np.random.default_rng(seed)
    ratings = rng.integers(1, 4, (items, 3)).astype(float)
    draws = rng.multinomial(items, np.full(items, 1 / items), size=3).astype(float)
    counts, scale = stats.counts_of(ratings)
    fleiss = stats.fleiss_resampled(counts, draws)
    a, b = ratings[:, 0], ratings[:, 1]
    holes = np.where(rng.random(items) < 0.2, np.nan, b)
    kappas = stats.cohen_resampled(a, holes, draws, weights or "none", categories=scale)  # type: ignore[arg-type]
    for times, ours, kappa in zip(draws.astype(int), fleiss, kappas, strict=True):
        table = np.repeat(counts, times, axis=0)
        if (table.sum(axis=0) > 0).sum() > 1:
            assert ours == pytest.approx(fleiss_kappa(table), abs=1e-10)
        else:
            assert ours == 1
        x, y = np.repeat(a, times), np.repeat(holes, times)
        x, y = x[~np.isnan(y)], y[~np.isnan(y)]
        if x.size and np.unique(np.concatenate([x, y])).size > 1:
            assert kappa == pytest.approx(kappa_of(x, y, scale, weights), abs=1e-10)


def test_an_interval_covers_what_resampling_by_hand_gives() -> None:
    matrix = np.array(RATINGS["ratings_full"], float).T
    found = agreement(judged(matrix), resamples=2000, seed=1).criteria[0]
    rng = np.random.default_rng(2)
    alphas = [
        krippendorff_package.alpha(
            matrix[rng.integers(0, len(matrix), len(matrix))].T, level_of_measurement="ordinal"
        )
        for _ in range(500)
    ]
    measure = found.measure("Krippendorff α (ordinal)")
    assert [measure.low, measure.high] == pytest.approx(
        np.quantile(alphas, [0.025, 0.975]), abs=0.02
    )


def test_items_are_resampled_with_all_their_outputs() -> None:
    records = [
        {
            "item": i,
            "system": s,
            "annotator": a,
            "value": {"xp": 1, "xq": 1, "yp": 2, "yq": 4, "zp": 5, "zq": 4}[i + a],
        }
        for i in ("x", "y", "z")
        for s in ("s1", "s2", "s3", "s4")
        for a in ("p", "q")
    ]
    once = [r for r in records if r["system"] == "s1"]
    several = agreement(Judgements.build(records), resamples=200).criteria[0]
    single = agreement(Judgements.build(once), resamples=200).criteria[0]
    # Copies of an item add nothing that a bootstrap over items could take for evidence.
    for a, b in zip(several.measures, single.measures, strict=True):
        if a.name == "Cohen κ":
            assert (a.low, a.high) == pytest.approx((b.low, b.high))


def test_labels_sets_and_comparisons() -> None:
    labels = [("1", "p", "A"), ("1", "q", "A"), ("2", "p", "B"), ("2", "q", "A")]
    rows = [{"item": i, "annotator": a, "label": c, "criterion": "one"} for i, a, c in labels]
    # By hand: observed 1/2, by chance (1·1/2 + 0·1/2) = 1/2.
    sets = [*labels, ("1", "p", "C")]
    rows += [{"item": i, "annotator": a, "label": c, "criterion": "many"} for i, a, c in sets]
    # p prefers s over t twice; q says the same once, and once as "t loses against s".
    for item, annotator, system, against, value in (
        ("1", "p", "s", "t", 1),
        ("2", "p", "s", "t", 1),
        ("1", "q", "s", "t", 1),
        ("2", "q", "t", "s", 0),
    ):
        rows.append(
            {
                "item": item,
                "annotator": annotator,
                "system": system,
                "against": against,
                "value": value,
                "criterion": "pairs",
            }
        )
    one, many, pairs = agreement(Judgements.build(rows), resamples=10).criteria
    assert (one.kind, one.measure("Cohen κ").value) == ("labels", 0)
    assert many.kind == "sets"
    assert many.measure("Jaccard").value == pytest.approx((1 / 2 + 0) / 2)
    assert many.measure("F1").value == pytest.approx((2 / 3 + 0) / 2)
    assert (pairs.kind, pairs.outputs, pairs.measure("Fleiss κ").value) == ("comparisons", 2, 1)
    assert "undefined" in pairs.notes[0]


def test_annotators_beside_the_others() -> None:
    matrix = np.array([[1, 1, 2], [2, 2, 4], [3, 3, 1], [4, 5, np.nan]], float)
    each = agreement(judged(matrix), resamples=0).criteria[0].each
    others = np.nanmean(matrix[:, 1:], axis=1)
    assert each[0].correlation == pytest.approx(np.corrcoef(matrix[:, 0], others)[0, 1])
    assert (each[2].outputs, each[2].mean) == (3, pytest.approx(7 / 3))


def test_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [
        {"id": i, "system": "s", "human": {"fluency": list(scores), "length": i}}
        for i, scores in enumerate([(1, 2, 1), (3, 3, 3), (4, 5, 5), (2, 2, None)], 1)
    ]
    Path("r.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    text = run(capsys, "agree", "r.jsonl")
    assert "Krippendorff α (ordinal)" in text
    assert "no output has two annotators: length" in text
    record = json.loads(run(capsys, "agree", "r.jsonl", "-c", "fluency", "-f", "json"))
    matrix = np.array([[1, 2, 1], [3, 3, 3], [4, 5, 5], [2, 2, np.nan]])
    expected = krippendorff_package.alpha(matrix.T, level_of_measurement="ordinal")
    assert record["criteria"][0]["measures"][1]["value"] == pytest.approx(expected)
    assert main(["agree", "r.jsonl", "-c", "fluenzy"]) == 2
    assert "there is: fluency, length" in capsys.readouterr().err
    assert main(["agree", "r.jsonl", "-c", "length"]) == 3
    assert "field `annotator`" in capsys.readouterr().err


def test_options_are_checked() -> None:
    with pytest.raises(DataError, match="not among the categories"):
        stats.cohen([1, 2], [1, 3], categories=[1, 2])
    with pytest.raises(SpecError, match=r"'ratio' does not fit.*from -1 to 2; there are nominal"):
        agreement(judged(np.array([[-1.0, 2.0]])), level="ratio")

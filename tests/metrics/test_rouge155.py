"""ROUGE-1.5.5's averages and the limits of their intervals, as the tool prints them."""

from __future__ import annotations

import json

import pytest
from support.golden_files import GOLDEN

import nlgauge
from nlgauge.core import registry
from nlgauge.core.metric import totals
from nlgauge.data.corpus import Corpus
from nlgauge.io import read_suite

FOLDER = GOLDEN / "coco"
FILE = json.loads((FOLDER / "rouge155.json").read_text(encoding="utf-8"))
PRINTED, LEVELS = FILE["systems"], FILE["levels"]


def check(system: str, spec: str, printed: dict[str, list[float]]) -> None:
    suite = read_suite([str(FOLDER / "references.json")], [str(FOLDER / f"{system}.json")])
    whole = next(iter(suite))
    refs = [list(whole.references[i]) for i in range(20)]
    corpus = Corpus.build(list(whole.hypotheses)[:20], refs)
    parts = registry.metric(spec).evaluate(corpus).to_dict()
    for measure, (mean, low, high) in printed.items():
        found = (parts[measure], parts[f"{measure}_low"], parts[f"{measure}_high"])
        assert found == pytest.approx((mean, low, high), rel=0, abs=1e-9)


@pytest.mark.parametrize("system", PRINTED)
@pytest.mark.parametrize("name", PRINTED["sysA"])
def test_limits(system: str, name: str) -> None:
    check(system, f"{name}(profile=rouge155)", PRINTED[system][name])


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", LEVELS["90"])
def test_limits_of_other_levels(level: str, name: str) -> None:
    check("sysA", f"{name}(profile=rouge155,confidence={level})", LEVELS[level][name])


def test_one_segment_has_no_limits() -> None:
    metric = registry.metric("rouge-1(profile=rouge155)")
    assert "f_low" not in metric.sentence_score("a b", ["a c"]).to_dict()
    corpus = Corpus.build(["a b", "c"], [["a c"], ["c"]])
    rows = metric.rows(corpus, metric.fit(corpus))
    assert "f_low" not in metric.parts(rows[0])
    assert "f_low" not in metric.parts(totals(metric.separable(rows)))
    assert metric.parts(totals(rows))["f_low"] == 0.5


def test_other_profiles_have_none() -> None:
    table = nlgauge.score(["a b", "c"], [["a c"], ["c"]], metrics=["rouge-1"])
    assert "f_low" not in table["rouge-1"].to_dict()


@pytest.mark.parametrize("name", ["rouge-4", "rouge-l", "rouge-w", "rouge-s4"])
def test_limits_are_0_where_nothing_matches(name: str) -> None:
    """The program prints `0.00000 (95%-conf.int. 0.00000 - 0.00000)` there."""
    corpus = Corpus.build(["a b", "c"], [["d e"], ["f"]])
    parts = registry.metric(f"{name}(profile=rouge155)").evaluate(corpus).to_dict()
    for measure in ("precision", "recall", "f"):
        assert [parts[measure], parts[f"{measure}_low"], parts[f"{measure}_high"]] == [0, 0, 0]

"""How a study goes: agreement over time, and annotators to look at."""

from typing import Any

import numpy as np
import pytest

from nlgauge import DataError, SpecError
from nlgauge.data import Judgements
from nlgauge.human.live_summary import AnnotatorActivity, LiveSummary, live_summary
from nlgauge.human.stopping.decisions import decide
from nlgauge.report.pages.page import to_html
from nlgauge.report.pages.study_page import decisions_section, live_sections
from nlgauge.report.tables import grid
from nlgauge.report.tables.human.study_tables import activity_grid, over_time_grid, verdict
from nlgauge.stats.agreement import krippendorff

GOLD = {"g1": 5.0, "g2": 1.0, "g3": 3.0}


def study(items: int = 40) -> list[dict[str, Any]]:
    """Return ratings by four careful annotators and some whom the summary should find."""
    rng = np.random.default_rng(1)
    rows: list[dict[str, Any]] = []
    for i in range(items):
        truth = rng.integers(1, 6)
        for name in ("ann", "ben", "cem", "dia", "slow", "same", "odd"):
            value = float(np.clip(truth + rng.integers(-1, 2), 1, 5))
            value = {"same": 3.0, "odd": 6 - value}.get(name, value)
            seconds = rng.uniform(8, 12) * (6 if name == "slow" else 1)
            said = {"annotator": name, "seconds": seconds}
            rows.append({"item": f"i{i}", "system": "A", "value": value, **said})
            if i % 10 == 0:
                worse = value - 1 if name != "same" else value
                rows.append({"item": f"i{i}", "system": "A-degraded", "value": worse, **said})
    for name in ("ann", "odd"):
        for item, value in GOLD.items():
            given = value if name == "ann" else 6.0 - value + (value == 3)
            rows.append({"item": item, "annotator": name, "value": given, "seconds": 9.0})
    rows.append({"item": "i0", "system": "A", "annotator": "ann", "value": 0.0, "seconds": 9.0})
    return rows


@pytest.fixture(scope="module")
def summary() -> LiveSummary:
    judgements = Judgements.build(study())
    return live_summary(judgements, gold=GOLD, controls={"A-degraded": "A"}, looks=4)


def of(summary: LiveSummary, name: str) -> AnnotatorActivity:
    return next(a for a in summary.annotators if a.annotator == name)


def test_odd_annotators_are_flagged_and_others_are_not(summary: LiveSummary) -> None:
    assert {a.annotator: a.flags for a in summary.annotators} == {
        "odd": ("unlike the others", "failed gold"),
        "same": ("same answer again and again", "failed controls"),
        "slow": ("slow",),
        "ann": (), "ben": (), "cem": (), "dia": (),
    }  # fmt: skip


def test_numbers_of_an_annotator(summary: LiveSummary) -> None:
    ann, same = of(summary, "ann"), of(summary, "same")
    assert (ann.judgements, ann.gold, ann.gold_passed) == (41, 3, 3)
    assert (ann.controls, ann.controls_passed) == (4, 4)
    assert (ann.repeats, ann.repeated_alike) == (1, 0.0)
    assert (same.longest_run, same.controls_passed) == (40, 0)
    assert of(summary, "odd").gold_passed == 0
    assert of(summary, "slow").seconds > 45
    assert np.isnan(same.agreement)  # who always says the same correlates with nobody
    assert of(summary, "odd").agreement < -0.3


def test_agreement_over_time_is_alpha_of_what_came_before(summary: LiveSummary) -> None:
    assert [at.judgements for at in summary.over_time] == [70, 140, 211, 281]
    names = list(dict.fromkeys(row["annotator"] for row in study()))
    matrix = np.full((10, len(names)), np.nan)
    for row in study():
        if row.get("system") == "A" and int(row["item"][1:]) < 10 and row["value"] > 0:
            matrix[int(row["item"][1:]), names.index(row["annotator"])] = row["value"]
    assert summary.over_time[0].alpha == pytest.approx(krippendorff(matrix, "ordinal"))


def test_labels_and_comparisons_are_summarised_too() -> None:
    labels = [
        {"item": str(i), "annotator": a, "label": "xy"[i % 2]} for i in range(8) for a in "abc"
    ]
    found = live_summary(Judgements.build(labels))
    assert found.level == "nominal"
    assert found.over_time[-1].alpha == pytest.approx(1)
    assert of(found, "a").agreement == pytest.approx(1)
    turned = [
        {"item": str(i), "annotator": "a", "system": "A", "against": "B", "value": i % 2}
        for i in range(6)
    ]
    turned += [
        {"item": str(i), "annotator": "b", "system": "B", "against": "A", "value": 1 - i % 2}
        for i in range(6)
    ]
    assert of(live_summary(Judgements.build(turned)), "a").agreement == pytest.approx(1)


def test_one_annotator_no_overlap_and_constants() -> None:
    alone = [{"item": str(i), "annotator": "a", "value": i % 5} for i in range(20)]
    found = live_summary(Judgements.build(alone))
    assert found.over_time == ()
    assert (found.annotators[0].shared, found.annotators[0].flags) == (0, ())
    apart = [*alone, *({"item": f"b{i}", "annotator": "b", "value": 1} for i in range(20))]
    assert live_summary(Judgements.build(apart)).over_time == ()
    constant = [{"item": str(i), "annotator": a, "value": 3} for i in range(20) for a in "ab"]
    found = live_summary(Judgements.build(constant))
    assert found.over_time[-1].alpha == 1
    assert all(a.flags == () for a in found.annotators)  # there is no other answer to give


def test_what_cannot_be_summarised_is_refused() -> None:
    with pytest.raises(DataError, match="an item and an annotator"):
        live_summary(Judgements.build([{"system": "A", "value": 1}]))
    rows = [{"item": "1", "annotator": "a", "criterion": c, "value": 1} for c in "xy"]
    with pytest.raises(SpecError, match="choose one of: x, y"):
        live_summary(Judgements.build(rows))
    with pytest.raises(DataError, match="gold or control"):
        live_summary(Judgements.build(rows[:1]), gold={"1": 1.0})


def test_tables_and_page(summary: LiveSummary) -> None:
    text = grid.to_tsv([activity_grid(summary), over_time_grid(summary)])
    assert "unlike the others, failed gold" in text
    rows = [
        {"item": f"i{k}", "system": "<b>A", "against": "B", "value": float(k % 3 > 0)}
        for k in range(60)
    ]
    decisions = decide(Judgements.build(rows))
    page = to_html("Study", [decisions_section(decisions), *live_sections(summary)])
    assert "&lt;b&gt;A" in page
    assert "<b>A" not in page
    assert verdict(decisions.pairs[0]).startswith("about ")
    sure = decide(Judgements.build([dict(row, value=1.0) for row in rows]))
    assert verdict(sure.pairs[0]) == "<b>A is better"

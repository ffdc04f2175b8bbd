"""The evaluation plane: the paper's own grids, and every member computed one by one."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from support.command_line import run
from support.golden_files import GOLDEN
from support.judged_records import paired, records

from nlgauge import Corpus, DataError, SpecError
from nlgauge.cli import main
from nlgauge.core import registry
from nlgauge.core.facts import tasks
from nlgauge.data.judgements import Judgements
from nlgauge.meta.choose import axes
from nlgauge.meta.choose.plane import ALPHAS, ORDERS, Plane, evaluation_plane
from nlgauge.meta.correlation.paired_scores import PairedScores

PAPER = json.loads((GOLDEN / "plane" / "soricut_brill.json").read_text(encoding="utf-8"))["tables"]
# The members the paper names as best; table 3 has a tie.
BEST = {
    1: [(1, 3)],
    2: [(0, 4)],
    3: [(0, 1), (0.1, 1)],
    4: [(0, 1)],
    5: [(0, 2)],
    6: [(0.3, 2)],
}


@pytest.mark.parametrize("table", PAPER, ids=lambda table: table["table"])
def test_the_papers_maxima_lie_where_it_predicts_them(table) -> None:
    place = axes.guideline(table["criterion"], table["guideline"])
    plane = Plane(
        criterion=table["criterion"],
        group=None,
        level="system",
        points=7,
        alphas=ALPHAS,
        orders=ORDERS,
        r=np.sqrt(np.array(table["r2"][::-1]) / 100),
        zeros=np.zeros((4, 11)),
        region=axes.predict(axes.TASKS[table["task"]], place),
    )
    assert sorted((m.alpha, m.order) for m in plane.maxima) == BEST[table["table"]]
    assert plane.maxima[0].r2 == pytest.approx(max(map(max, table["r2"])) / 100)
    assert plane.as_predicted
    assert plane.best_predicted is not None
    assert plane.best_predicted.r2 == plane.maxima[0].r2


def test_the_papers_regions_exclude_each_others_maxima() -> None:
    """Tasks and guidelines that the paper sets against each other get regions that tell them
    apart.
    """
    fluency = axes.predict(axes.TASKS["MT"], axes.guideline("fluency"))
    coverage = axes.predict(axes.TASKS["AS"], axes.guideline("coverage"))
    assert fluency is not None and coverage is not None
    assert (1, 4) in fluency and (0, 1) in coverage
    assert (0, 4) not in fluency and (1, 1) not in coverage and (0, 4) not in coverage


@pytest.mark.parametrize(
    ("spelling", "task"),
    [
        *[("mt", "MT"), ("Machine Translation", "MT"), ("translation", "MT")],
        *[("summarisation", "AS"), ("summarization", "AS"), ("captioning", "IC")],
        *[("dialogue", "DG"), ("dialog", "DG"), ("data-to-text", "D2T"), ("data_to_text", "D2T")],
        *[("qg", "QG"), ("qa", "QA"), ("D2T", "D2T")],
    ],
)
def test_spellings_of_tasks(spelling: str, task: str) -> None:
    assert tasks.find_task(spelling) == task


def test_unknown_names() -> None:
    with pytest.raises(SpecError, match="did you mean sum"):
        tasks.find_task("sumarization")
    with pytest.raises(SpecError, match="known are MT"):
        tasks.find_task("knitting")
    with pytest.raises(SpecError, match="did you mean fluency"):
        axes.guideline("x", "fluancy")
    with pytest.raises(SpecError, match="from 0 to 1"):
        axes.guideline("x", "1.5")
    assert axes.guideline("engagingness").position is None
    assert axes.guideline("fluency_turker").position == 1


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "judged.jsonl"
    file.write_text("".join(json.dumps(r) + "\n" for r in records()), encoding="utf-8")
    return file


@pytest.mark.parametrize("spec", ["aev", "aev(stop=none,wordiness=1.1,stem=none)"])
@pytest.mark.parametrize("level", ["system", "segment"])
def test_every_member_is_the_metric_itself(path: Path, spec: str, level) -> None:
    planes = evaluation_plane(paired(path, spec), column=spec, level=level).planes
    rows = records()
    for plane in planes:
        if level == "system":
            parts = [[r for r in rows if r["system"] == f"s{k}"] for k in range(5)]
        else:
            parts = [[r] for r in rows]
        human = [np.mean([np.mean(r["human"][plane.criterion]) for r in part]) for part in parts]
        assert plane.points == len(parts)
        for i, order in enumerate(plane.orders):
            for j, alpha in enumerate(plane.alphas):
                metric = registry.metric(spec, alpha=alpha, max_order=order)
                scores = [
                    metric.evaluate(
                        Corpus.build([r["hypothesis"] for r in p], [r["references"] for r in p])
                    ).value
                    for p in parts
                ]
                expected = stats.linregress(scores, human).rvalue
                assert plane.r[i, j] == pytest.approx(expected, abs=1e-9)
                assert plane.zeros[i, j] == np.mean(np.array(scores) == 0)


def test_ratings_of_systems_as_a_whole(path: Path) -> None:
    given = paired(path)
    rows = [{"system": f"s{k}", "criterion": "rank", "value": 5 - k} for k in range(5)]
    whole = PairedScores(scores=given.scores, judgements=Judgements.build(rows), groups={})
    (plane,) = evaluation_plane(whole, task="mt", guidelines={"rank": 0.5}).planes
    assert plane.points == 5 and plane.region is not None
    assert (plane.region.order_low, plane.region.order_high) == (3, 4)
    with pytest.raises(SpecError, match="no criterion 'x'"):
        evaluation_plane(whole, criteria=["x"])
    with pytest.raises(DataError, match="same ids"):
        evaluation_plane(whole, level="segment")


def test_undefined_members_are_no_zeros(tmp_path: Path) -> None:
    """Systems that never match two words in a row have no AEv(., 2)."""
    rows = [
        {"id": str(i), "system": s, "references": ["a b c"], "hypothesis": h, "human": {"q": v}}
        for i, (s, h, v) in enumerate([("x", "a c", 3), ("y", "c", 1), ("z", "b a c", 5)])
    ]
    file = tmp_path / "few.jsonl"
    file.write_text("".join(json.dumps(r) + "\n" for r in rows), encoding="utf-8")
    (plane,) = evaluation_plane(paired(file, "aev(stop=none)"), column="aev(stop=none)").planes
    assert np.isnan(plane.r2[1:]).all() and not np.isnan(plane.r2[0]).any()
    assert (plane.zeros[1:] == 1).all()
    assert all(member.order == 1 for member in plane.maxima)


def test_the_command(path: Path, capsys) -> None:
    out = run(capsys, "plane", str(path), "--task", "mt")
    assert "fluency: R² in %" in out and "α 0.67–1, N 3–4" in out
    record = json.loads(
        run(capsys, "plane", str(path), "-f", "json", "--alpha", "0:1:0.5", "--order", "1:2")
    )
    first = record["planes"][0]
    assert np.shape(first["r2"]) == (2, 3) and first["alphas"] == [0, 0.5, 1]
    api = evaluation_plane(paired(path), alphas=[0, 0.5, 1], orders=[1, 2]).planes[0]
    assert first["r2"] == api.r2.tolist()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--task", "knitting"], "task 'knitting' is not known"),
        (["--criterion", "x"], "no criterion 'x'"),
        (["--guideline", "fluency"], "not of the form NAME=VALUE"),
        (["--guideline", "x=fluency"], "no criterion 'x'"),
        (["--member", "bleu"], "needs aev"),
        (["--split", "lang_pair"], "no field 'lang_pair'"),
    ],
)
def test_wrong_use(path: Path, arguments: list[str], message: str, capsys) -> None:
    assert main(["plane", str(path), *arguments]) in (2, 3)
    assert message in capsys.readouterr().err


def test_two_systems_are_too_few(tmp_path: Path, capsys) -> None:
    file = tmp_path / "two.jsonl"
    file.write_text("".join(json.dumps(r) + "\n" for r in records(systems=2)), encoding="utf-8")
    assert main(["plane", str(file)]) == 3
    assert "--level segment" in capsys.readouterr().err

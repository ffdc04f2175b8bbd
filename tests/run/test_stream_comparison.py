"""Comparisons of runs in shards: the same as of all segments at once, however they were cut."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from support.command_line import run
from support.stream_data import changed, run_folder, texts, write_records

import nlgauge
from nlgauge import DataError, SpecError
from nlgauge.cli import main
from nlgauge.core.signature import parse
from nlgauge.run.streams.local_engine import LocalEngine
from nlgauge.stats.poisson import poisson_p_value, poisson_sums

METRICS = ["bleu", "ter"]
REFS = texts(2, 300)
SYSTEMS = {"A": changed(REFS, 5, 0.3), "B": changed(REFS, 6, 0.4), "C": changed(REFS, 7, 0.4)}


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> Path:
    """All systems in one file, and each in a file of its own."""
    path = tmp_path_factory.mktemp("runs")
    write_records(path / "all.jsonl", SYSTEMS, REFS)
    for name, hyps in SYSTEMS.items():
        write_records(path / f"{name}.jsonl", {name: hyps}, REFS)
    drawn = {"confidence": True, "resamples": 120, "seed": 7}
    run_folder(path / "whole", str(path / "all.jsonl"), METRICS, rows=300, **drawn)
    run_folder(path / "parts", str(path / "all.jsonl"), METRICS, rows=47, **drawn)
    for name, rows in (("A", 50), ("B", 64), ("C", 300)):
        run_folder(
            path / f"only-{name}",
            str(path / f"{name}.jsonl"),
            METRICS,
            rows=rows,
            format="jsonl" if name == "B" else "parquet",
            **drawn,
        )
    return path


@pytest.fixture(scope="module")
def table():
    return nlgauge.score(SYSTEMS, REFS, metrics=METRICS)


FOLDERS = [["whole"], ["parts"], ["only-A", "only-B", "only-C"], ["only-C", "only-B", "only-A"]]


@pytest.mark.parametrize("names", FOLDERS, ids="+".join)
@pytest.mark.parametrize("test", ["poisson", "poisson-segments"])
def test_the_same_as_at_once(data: Path, table, names: list[str], test: str) -> None:
    """Scores, differences, intervals and p-values are those of the table in memory."""
    how = {"resamples": 120, "seed": 7, "correction": "holm"}
    pairs = [("A", "B"), ("C", "B")]
    expected = nlgauge.compare(table, test=test, interval="poisson", pairs=pairs, **how)
    how = how if test != "poisson" else {"correction": "holm"}  # the runs' own draws
    found = nlgauge.compare_stream(
        [str(data / name) for name in names], test=test, pairs=pairs, **how
    )
    assert found.differences == expected.differences
    assert set(found.scores) == set(expected.scores)
    assert found.signatures == expected.signatures
    assert "|bootstrap:poisson|" in found.signatures[0]
    assert parse(found.signatures[0]) == nlgauge.BLEU()


def test_t_is_that_of_scipy(data: Path, table) -> None:
    found = nlgauge.compare_stream([str(data / "parts")], test="t")
    for difference in found.differences:
        a, b = (
            table.segment_scores(s, difference.metric)
            for s in (difference.system, difference.other)
        )
        expected = stats.ttest_rel(a, b)
        assert difference.p_value == pytest.approx(expected.pvalue, rel=1e-9)
        assert difference.difference == pytest.approx((a - b).mean(), rel=1e-12)
    assert found.trials == 0
    whole = nlgauge.compare_stream([str(data / "whole")], test="t")
    assert [d.p_value for d in whole.differences] == [d.p_value for d in found.differences]
    assert [r.systems for r in found.rankings] == [
        tuple(sorted(SYSTEMS, key=lambda s: sign * table.segment_scores(s, m).mean()))
        for m, sign in (("bleu", -1), ("ter", 1))
    ]


def test_engines_change_nothing(data: Path) -> None:
    folders = [str(data / name) for name in ("only-A", "only-B", "parts")]
    here = nlgauge.compare_stream(folders, resamples=40)
    assert here.systems == ("only-A/A", "only-B/B", "parts/A", "parts/B", "C")
    with LocalEngine(2) as engine:
        found = nlgauge.compare_stream(folders, resamples=40, engine=engine)
    assert found.to_dict() == here.to_dict()
    same = found.difference("only-A/A", "parts/A", "bleu")
    assert (same.difference, same.p_value, same.better) == (0.0, 1.0, None)


def test_the_poisson_test_keeps_its_level() -> None:
    """Two samples of one distribution differ significantly at 0.1 in about a tenth of 400 pairs."""
    rng = np.random.default_rng(3)
    found = 0
    for trial in range(400):
        rows = rng.standard_normal((60, 2))
        sums = poisson_sums([rows, np.ones((60, 1))], first=0, resamples=199, seed=trial)
        means = sums[0] / sums[1]
        observed = float(rows[:, 0].mean() - rows[:, 1].mean())
        found += poisson_p_value(means[:, 1], means[:, 0], observed) <= 0.1
    # Four standard deviations of a binomial distribution around 40 of 400.
    assert 16 <= found <= 64


def test_sums_are_exact_where_floating_point_is_not() -> None:
    rows = np.full((40, 1), 2.0**25 + 2.0**-24)
    (whole,) = poisson_sums([rows], first=0, resamples=8, seed=1)
    parts = [
        poisson_sums([rows[a : a + 8]], first=a, resamples=8, seed=1)[0] for a in range(0, 40, 8)
    ]
    assert (sum(parts) == whole).all()
    (counts,) = poisson_sums([np.ones((40, 1))], first=0, resamples=8, seed=1)
    expected = [int(c) // 2**24 * (2**49 + 1) for c in counts[:, 0]]
    assert whole[:, 0].tolist() == expected


def test_what_cannot_be_compared(data: Path, tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"test=wilcoxon: needs all scores at once"):
        nlgauge.compare_stream([str(data / "whole")], test="wilcoxon")
    with pytest.raises(DataError, match=r"is not the folder of a run.*--segments FOLDER"):
        nlgauge.compare_stream([str(data)])
    with pytest.raises(DataError, match=r"there is only one system \(A\)"):
        nlgauge.compare_stream([str(data / "only-A")])
    short = write_records(tmp_path / "short.jsonl", {"D": SYSTEMS["A"][:99]}, REFS[:99])
    other = run_folder(tmp_path / "short", short, METRICS, rows=50)
    with pytest.raises(DataError, match=r"has 99 segments, and .*whole 300"):
        nlgauge.compare_stream([str(data / "whole"), other])
    with pytest.raises(SpecError, match=r"test=poisson: not all runs have resamples"):
        nlgauge.compare_stream(
            [other, run_folder(tmp_path / "again", short, METRICS, rows=99)], test="poisson"
        )
    reordered = write_records(tmp_path / "e.jsonl", {"E": SYSTEMS["A"][::-1]}, REFS[::-1])
    lines = (tmp_path / "e.jsonl").read_text().splitlines()
    ids = [f"s{299 - i}" for i in range(300)]
    (tmp_path / "e.jsonl").write_text(
        "".join(
            json.dumps(json.loads(x) | {"id": i}) + "\n" for x, i in zip(lines, ids, strict=True)
        )
    )
    folder = run_folder(tmp_path / "reordered", reordered, METRICS, rows=100)
    with pytest.raises(DataError, match=r"segment 1 has the id 's0' in .*, and 's299' in"):
        nlgauge.compare_stream([str(data / "parts"), folder])
    otherwise = run_folder(
        tmp_path / "other", str(data / "A.jsonl"), ["bleu(lowercase=yes)"], rows=100
    )
    with pytest.raises(DataError, match=r"there is no metric that all have"):
        nlgauge.compare_stream([str(data / "only-B"), otherwise])
    (tmp_path / "short" / "scores.json").unlink()
    with pytest.raises(DataError, match=r"the run was not finished; go on with it by --resume"):
        nlgauge.compare_stream([other])
    (tmp_path / "reordered" / "part-00001.json").unlink()
    with pytest.raises(DataError, match=r"the part after segment 100 of 300 is missing"):
        nlgauge.compare_stream([folder])
    damaged = tmp_path / "again" / "part-00000.parquet"
    damaged.write_bytes(damaged.read_bytes()[:-20])
    with pytest.raises(DataError, match=r"part-00000\.parquet: cannot be read as scores"):
        nlgauge.compare_stream(
            [str(tmp_path / "again"), run_folder(tmp_path / "third", short, METRICS, rows=40)]
        )


def test_command(data: Path, capsys) -> None:
    folders = [str(data / name) for name in ("only-A", "only-B")]
    shown = run(capsys, "compare", "--stream", *folders, "--resamples", "50")
    assert "Poisson bootstrap test on segment scores, 50 resamples" in shown
    record = json.loads(run(capsys, "compare", "--stream", *folders, "--test", "t", "-f", "json"))
    expected = nlgauge.compare_stream(folders, test="t")
    assert record == json.loads(json.dumps(expected.to_dict()))
    assert main(["compare", "--stream", *folders, "--anova"]) == 2
    assert "--anova: not with --stream" in capsys.readouterr().err
    assert main(["compare", "--stream", *folders, "--interval", "bca"]) == 2
    assert "there is only poisson" in capsys.readouterr().err
    assert main(["compare", "--stream", *folders, "--test", "t", "--fail-if-worse", "B", "A"]) == 10

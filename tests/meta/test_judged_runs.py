"""Judgements beside runs in shards: agreement is that of the same outputs in memory."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from support.command_line import run
from support.stream_data import changed, run_folder, texts, write_records

import nlgauge
from nlgauge import DataError, OutputScores, SpecError
from nlgauge.cli import main
from nlgauge.io import read_judgements
from nlgauge.meta import MetaSettings, PairedScores, correlate, read_judged_runs
from nlgauge.run.streams.local_engine import LocalEngine
from nlgauge.stats.poisson import poisson_counts, poisson_sums

METRICS = ["chrf", "ter"]
SIZE = 400
REFS = texts(2, SIZE)
SHARES = {"A": 0.2, "B": 0.35, "C": 0.5, "D": 0.6}
SYSTEMS = {name: changed(REFS, i, share) for i, (name, share) in enumerate(SHARES.items())}
JUDGED = [i for i in range(SIZE) if i % 9 == 4]


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> Path:
    """Runs of different shards over the same texts, and ratings of a ninth of the segments."""
    path = tmp_path_factory.mktemp("judged")
    source = write_records(path / "all.jsonl", SYSTEMS, REFS)
    run_folder(path / "whole", source, METRICS, rows=SIZE)
    run_folder(path / "parts", source, METRICS, rows=37, format="jsonl")
    rng = np.random.default_rng(4)
    with (path / "ratings.jsonl").open("w") as file:
        for system, share in SHARES.items():
            for i in JUDGED:
                value = 100 * (1 - share) + rng.normal(0, 20)
                record = {"system": system, "item": f"s{i}", "criterion": "quality", "value": value}
                file.write(json.dumps(record) + "\n")
    return path


@pytest.fixture(scope="module")
def table():
    corpora = [nlgauge.Corpus.build(h, REFS, name=n) for n, h in SYSTEMS.items()]
    ids = [f"s{i}" for i in range(SIZE)]
    suite = nlgauge.Suite({c.name: replace(c, ids=ids) for c in corpora})
    return nlgauge.score_suite(suite, METRICS)


SETTINGS = MetaSettings(
    levels=("segment", "segment-by-item", "system"),
    coefficients=("pearson", "kendall-b"),
    resamples=200,
    test="none",
)


@pytest.mark.parametrize("interval", ["jackknife", "percentile", "poisson"])
@pytest.mark.parametrize("name", ["whole", "parts"])
def test_the_same_as_of_the_judged_outputs(data: Path, table, name: str, interval: str) -> None:
    settings = replace(SETTINGS, interval=interval)
    judged = read_judged_runs([str(data / name)], [data / "ratings.jsonl"])
    found = correlate(judged.paired, settings=settings)
    scores = OutputScores.of_table(table)
    sampled = scores.take(np.isin(scores.items.codes, JUDGED))
    human = read_judgements(data / "ratings.jsonl")
    expected = correlate(
        PairedScores(scores=sampled, judgements=human, groups={}), settings=settings
    )
    for one, other in zip(found.agreements, expected.agreements, strict=True):
        if one.level != "system":
            assert one.value == pytest.approx(other.value, rel=1e-12)
            if interval != "poisson":  # the numbers of the items are others in a corpus of these
                assert (one.low, one.high) == pytest.approx((other.low, other.high), rel=1e-9)
    for metric, sign in (("chrf", 1), ("ter", -1)):
        corpus = [sign * table.score(s, metric).score for s in SYSTEMS]
        own = found.agreement(metric, level="system", coefficient="pearson")
        people = judged.paired.human_systems("quality")
        assert own.value == pytest.approx(stats.pearsonr(corpus, people)[0], rel=1e-12)
        assert (own.rated_outputs, own.outputs) == (4 * len(JUDGED), 4 * SIZE)
        assert own.low < own.value


def test_shards_engines_and_other_outputs_change_nothing(data: Path) -> None:
    settings = replace(SETTINGS, interval="poisson")
    folders = [str(data / "whole")]
    here = read_judged_runs(folders, [data / "ratings.jsonl"])
    expected = correlate(here.paired, settings=settings).to_dict()
    with LocalEngine(2) as engine:
        there = read_judged_runs([str(data / "parts")], [data / "ratings.jsonl"], engine=engine)
    assert correlate(there.paired, settings=settings).to_dict() == expected


def test_counts_are_those_of_the_sums() -> None:
    numbers = np.array([5, 3, 700])
    counts = poisson_counts(numbers, resamples=50, seed=9)
    for column, number in enumerate(numbers.tolist()):
        (sums,) = poisson_sums([np.ones((1, 1))], first=number, resamples=50, seed=9)
        assert (sums[:, 0] // 2**24 == counts[:, column]).all()


def test_what_does_not_fit(data: Path, tmp_path: Path) -> None:
    folder, ratings = str(data / "whole"), data / "ratings.jsonl"
    with pytest.raises(SpecError, match=r"bleu: not in the runs, which have chrf, ter"):
        read_judged_runs([folder], [ratings], metrics=["bleu"])
    with pytest.raises(DataError, match=r"there are no judgements"):
        read_judged_runs([folder], [])
    other = tmp_path / "other.jsonl"
    other.write_text('{"system": "Z", "item": "s1", "value": 3}\n')
    with pytest.raises(DataError, match=r"are about Z, and the runs have A, B, C, D"):
        read_judged_runs([folder], [other])
    source = tmp_path / "twice.jsonl"
    record = {"id": "s4", "ref": "a b c", "hyp:A": "a b", "hyp:B": "a c"}
    source.write_text((json.dumps(record) + "\n") + (json.dumps(record | {"id": "x"}) + "\n"))
    lines = source.read_text().splitlines()
    source.write_text("\n".join([*lines, *lines]) + "\n")
    twice = run_folder(tmp_path / "twice", str(source), METRICS, rows=2)
    with pytest.raises(DataError, match=r"'s4', which was judged, is that of the segments 1 and 3"):
        read_judged_runs([twice], [ratings])


def test_systems_that_were_judged_as_a_whole(data: Path, tmp_path: Path, table) -> None:
    ratings = tmp_path / "systems.jsonl"
    values = {"A": 4.0, "B": 3.0, "C": 2.5, "D": 1.0}
    records = ({"system": s, "criterion": "q", "value": v} for s, v in values.items())
    ratings.write_text("".join(json.dumps(record) + "\n" for record in records))
    judged = read_judged_runs([str(data / "parts")], [ratings], metrics=["ter"])
    found = correlate(judged.paired, settings=MetaSettings(levels=("system",)))
    corpus = [-table.score(s, "ter").score for s in SYSTEMS]
    expected = stats.pearsonr(corpus, list(values.values()))[0]
    assert found.agreement("ter").value == pytest.approx(expected, rel=1e-12)


def test_command(data: Path, capsys) -> None:
    arguments = [
        "meta",
        "--stream",
        str(data / "parts"),
        "--judgements",
        str(data / "ratings.jsonl"),
    ]
    record = json.loads(run(capsys, *arguments, "-f", "json", "--interval", "poisson"))
    assert record["settings"]["interval"] == "poisson"
    assert {found["metric"] for found in record["agreements"]} == set(METRICS)
    shown = run(capsys, *arguments, "-m", "chrf", "--interval", "poisson", "--all")
    assert "by Poisson bootstrap, 1000 resamples" in shown
    assert f"{4 * len(JUDGED)} of {4 * SIZE}" in shown
    assert main([*arguments, "--length-weighted"]) == 2
    assert "--length-weighted: not with --stream" in capsys.readouterr().err

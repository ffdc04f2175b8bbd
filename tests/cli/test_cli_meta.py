"""`nlgauge meta` from the command line: every way in, every way out."""

import json
from pathlib import Path

import pytest
from scipy import stats
from support.command_line import prepare, run

import nlgauge
from nlgauge.cli import main

TEXTS = {
    "good": ["the cat sat on the mat", "a dog runs in the park", "it rains a lot here"],
    "fair": ["the cat sat on a mat", "a dog ran in parks", "it rains here a lot"],
    "poor": ["cat mat", "dogs", "rain here it does"],
}
REFS = ["the cat sat on the mat", "a dog runs in the park", "it rains a lot here"]
RATINGS = {"good": [5, 5, 4], "fair": [4, 3, 4], "poor": [2, 1, 1]}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    prepare(tmp_path, monkeypatch)
    records, ratings, scores = [], [], ["system\tid\tcomet\terrors"]
    for system, texts in TEXTS.items():
        (tmp_path / f"{system}.txt").write_text("\n".join(texts) + "\n")
        for i, text in enumerate(texts):
            value = RATINGS[system][i]
            records.append(
                {
                    "id": str(i + 1),
                    "system": system,
                    "hypothesis": text,
                    "references": [REFS[i]],
                    "kind": "long" if i < 2 else "short",
                    "human": {"fluency": value, "effort": [6 - value, 6 - value]},
                }
            )
            ratings.append(
                {"item": str(i + 1), "system": system, "criterion": "fluency", "value": value}
            )
            scores.append(f"{system}\t{i + 1}\t{value + i / 10}\t{-value}")
    (tmp_path / "refs.txt").write_text("\n".join(REFS) + "\n")
    for name, rows in (("judged.jsonl", records), ("ratings.jsonl", ratings)):
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "scores.tsv").write_text("\n".join(scores) + "\n")
    return tmp_path


def found(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[tuple[str, ...], float]:
    """Values by metric, part, criterion and level."""
    record = json.loads(run(capsys, "meta", *arguments, "-f", "json", "-q"))
    return {
        (a["metric"], a["part"], a["criterion"], a["level"]): a["value"]
        for a in record["agreements"]
    }


def expected(level: str) -> float:
    """Of chrF with fluency, from nlgauge's scores and SciPy."""
    table = nlgauge.score(TEXTS, REFS, metrics=["chrf"])
    human = [sum(RATINGS[s]) / 3 for s in TEXTS]
    if level == "system":
        return float(stats.pearsonr([table[s, "chrf"].score for s in TEXTS], human)[0])
    chrf = [x for s in TEXTS for x in table.segment_scores(s, "chrf")]
    return float(stats.pearsonr(chrf, [r for s in TEXTS for r in RATINGS[s]])[0])


LEVELS = ("--level", "segment", "system")


def test_judged_records(capsys: pytest.CaptureFixture[str]) -> None:
    values = found(capsys, "judged.jsonl", "-m", "chrf", "ter", *LEVELS)
    for level in ("segment", "system"):
        assert values["chrf", "all", "fluency", level] == pytest.approx(expected(level))
        assert values["chrf", "all", "effort", level] == pytest.approx(-expected(level))
        assert values["ter", "all", "fluency", level] > 0


def test_texts_with_judgements_beside_them(capsys: pytest.CaptureFixture[str]) -> None:
    systems = [f"{name}.txt" for name in TEXTS]
    given = ["refs.txt", "-i", *systems, "-m", "chrf", "--judgements", "ratings.jsonl", *LEVELS]
    values = found(capsys, *given)
    for level in ("segment", "system"):
        assert values["chrf", "all", "fluency", level] == pytest.approx(expected(level))


def test_a_folder_of_mt_metrics_eval(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("sources", "references", "system-outputs/en-de", "human-scores"):
        (folder / "wmt" / name).mkdir(parents=True)
    (folder / "wmt/sources/en-de.txt").write_text("a\nb\nc\n")
    (folder / "wmt/references/en-de.refA.txt").write_text("\n".join(REFS) + "\n")
    lines = []
    for system, texts in TEXTS.items():
        path = folder / "wmt/system-outputs/en-de" / f"{system}.txt"
        path.write_text("\n".join(texts) + "\n")
        lines += [f"{system}\t{value}" for value in RATINGS[system]]
    (folder / "wmt/human-scores/en-de.fluency.seg.score").write_text("\n".join(lines) + "\n")
    values = found(capsys, "wmt", "-m", "chrf", *LEVELS)
    assert values["chrf", "all", "fluency", "segment"] == pytest.approx(expected("segment"))


def test_scores_of_other_tools(capsys: pytest.CaptureFixture[str]) -> None:
    alone = ["--scores", "scores.tsv", "--judgements", "ratings.jsonl", "--level", "segment"]
    values = found(capsys, *alone, "--lower-is-better", "errors")
    assert values["errors", "all", "fluency", "segment"] == pytest.approx(1)
    assert 0 < values["comet", "all", "fluency", "segment"] < 1
    beside = found(capsys, "judged.jsonl", "-m", "chrf", "--scores", "scores.tsv", *LEVELS)
    assert beside["chrf", "all", "fluency", "system"] == pytest.approx(expected("system"))
    assert ("comet", "all", "fluency", "system") in beside


def test_the_table_and_its_notes(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--criterion", "fluency", "--level", "segment", "-cin", "50", "--test", "steiger"]
    text = run(capsys, "meta", "judged.jsonl", "-m", "chrf", "wer", *options, "--all")
    for part in ("pearson, segment", "n = 9", "95% interval over items", "steiger", "cluster"):
        assert part in text
    latex = run(capsys, "meta", "judged.jsonl", "-m", "chrf", *options, "-f", "latex")
    assert r"\toprule" in latex
    tsv = run(capsys, "meta", "judged.jsonl", "-m", "chrf", *options, "-f", "tsv")
    assert tsv.splitlines()[0] == "metric\tfluency\tfluency_low\tfluency_high"


def test_split_combine_and_weights(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--split", "kind", "--combine", "sum", "--lower-is-better", "effort", "-cin", "0"]
    options += ["--level", "segment", "--length-weighted", "--test", "none"]
    values = found(capsys, "judged.jsonl", "-m", "chrf", *options)
    # 6 − value on the other scale, negated: their sum orders outputs as each does.
    for part in ("long", "short"):
        both = values["chrf", part, "sum(fluency,effort)", "segment"]
        assert both == pytest.approx(values["chrf", part, "fluency", "segment"])


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["judged.jsonl", "--criterion", "style"], 2, "about fluency, effort"),
        (["judged.jsonl", "-c", "gamma"], 2, "pearson"),
        (["judged.jsonl", "--lower-is-better", "style"], 2, "neither a criterion"),
        (["refs.txt", "-i", "good.txt"], 3, "--judgements"),
        ([], 2, "nothing to measure"),
        (["--scores", "scores.tsv"], 3, "--judgements"),
        (["refs.txt", "-i", "good.txt", "--split", "kind"], 2, "only records"),
        (["judged.jsonl", "--level", "document"], 2, "segment-by-item"),
    ],
)
def test_mistakes_are_explained(
    capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, message: str
) -> None:
    assert main(["meta", *arguments]) == code
    assert message in capsys.readouterr().err


def test_ratings_of_whole_systems_follow_their_part(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both parts have systems of the same names; in `short` people like them the other way."""
    ratings = [
        {"system": system, "kind": kind, "criterion": "overall", "value": value}
        for kind, values in (("long", (3, 2, 1)), ("short", (1, 2, 3)))
        for system, value in zip(TEXTS, values, strict=True)
    ]
    (folder / "systems.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ratings))
    values = found(
        capsys,
        *("judged.jsonl", "-m", "wer", "--split", "kind", "--judgements", "systems.jsonl"),
        *("-c", "spearman", "-cin", "0"),
    )
    # Word errors of good, fair, poor: 0, 3 of 12, 11 of 12; and 0, 2 of 5, 4 of 5.
    assert values["wer", "long", "overall", "system"] == pytest.approx(1)
    assert values["wer", "short", "overall", "system"] == pytest.approx(-1)

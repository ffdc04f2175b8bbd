"""Results show themselves: as the commands print them, in notebooks, as frames, as pages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy
import pandas
import polars
import pytest
from support.html_page import Page

import nlgauge
from nlgauge import meta
from nlgauge.cli import main
from nlgauge.core.results import Result

EXAMPLES = Path(__file__).parents[2] / "examples"
NEWS, JUDGED, SUMMARIES = (
    str(EXAMPLES / f"{name}.jsonl") for name in ("news", "judged", "summaries")
)


def records(path: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def table() -> nlgauge.ScoreTable:
    return nlgauge.score(records(NEWS), metrics=["bleu", "ter"])


@pytest.fixture(scope="module")
def results(table: nlgauge.ScoreTable) -> dict[str, Result]:
    from nlgauge.io import read_judgements, read_suite

    news, summaries = read_suite(NEWS), read_suite(SUMMARIES)
    of_aev = meta.read_judged(JUDGED, metrics=["aev"])
    return {
        "scores": table,
        "segments": table.by_segment(),
        "comparison": nlgauge.compare(table, trials=50, resamples=50),
        "meta": nlgauge.meta_evaluate(records(JUDGED), metrics=["chrf", "ter"]),
        "agreement": nlgauge.annotator_agreement(read_judgements(JUDGED), resamples=20),
        "explanation": nlgauge.explain_segment(table, "news-013", systems="coast"),
        "robustness": meta.robustness(
            next(iter(news)), ["bleu", "ter"], on="references", perturbations=["drop", "jumble"]
        ),
        "recommendation": meta.recommend("mt", "adequacy"),
        "plane": meta.evaluation_plane(of_aev.paired),
        "qarla": meta.qarla(meta.similarities(summaries, ["rouge-1", "rouge-l"])),
        "orange": meta.orange(meta.leave_one_out(summaries, ["rouge-1", "rouge-l"])),
    }


KINDS = (
    *("scores", "segments", "comparison", "meta", "agreement", "explanation"),
    *("robustness", "recommendation", "plane", "qarla", "orange"),
)
every_result = pytest.mark.parametrize("kind", KINDS)


@pytest.mark.parametrize(
    ("kind", "command"),
    [
        ("scores", ["score", NEWS, "-m", "bleu", "ter"]),
        (
            "comparison",
            ["compare", NEWS, "-m", "bleu", "ter", "--trials", "50", "--resamples", "50"],
        ),
        ("meta", ["meta", JUDGED, "-m", "chrf", "ter"]),
        ("agreement", ["agree", JUDGED, "-cin", "20"]),
        ("explanation", ["explain", NEWS, "-n", "news-013", "--system", "coast"]),
        (
            "robustness",
            ["robustness", NEWS, "-m", "bleu", "ter", "--perturbations", "drop", "jumble"],
        ),
        ("recommendation", ["recommend", "--task", "mt", "--criterion", "adequacy"]),
        ("plane", ["plane", JUDGED]),
        ("qarla", ["qarla", SUMMARIES, "-m", "rouge-1", "rouge-l"]),
        ("orange", ["orange", SUMMARIES, "-m", "rouge-1", "rouge-l"]),
    ],
)
def test_texts_and_records_are_the_commands(kind, command, results, capsys, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "1000")
    assert main(command) == 0
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    printed, found = "\n".join(lines).strip("\n"), str(results[kind])
    if kind == "meta":  # the last line says where the rest is: in options, or in methods
        printed, _, options = printed.rpartition("\n")
        found, _, methods = found.rpartition("\n")
        assert "--all" in options and "to_pandas()" in methods
    assert printed == found
    if kind != "explanation":
        assert main([*command, "-f", "json"]) == 0
        assert json.loads(capsys.readouterr().out) == json.loads(
            json.dumps(results[kind].to_dict())
        )


@every_result
def test_every_result_shows_itself(kind: str, results, tmp_path: Path) -> None:
    result = results[kind]
    frame = result.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and len(frame)
    other = result.to_polars()
    assert isinstance(other, polars.DataFrame)
    assert (other.columns, len(other)) == (list(frame.columns), len(frame))
    (tmp_path / "cell.html").write_text(result._repr_html_(), encoding="utf-8")
    shown_as = "pre" if kind == "explanation" else "table"
    assert shown_as in [tag for tag, _ in Page(tmp_path / "cell.html").tags]
    assert result.to_latex(caption="50 % & more", label="t").count(r"\begin{table}") >= 1
    assert r"\caption{50 \% \& more}" in result.to_latex(caption="50 % & more")
    assert "|---" in result.to_markdown()
    assert repr(result).startswith(f"<{type(result).__name__}: ") and "\n" not in repr(result)
    result.report(tmp_path / "page.html", title="A <title>")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<h1>A &lt;title&gt;</h1>" in text
    figures = result.plot()
    if kind not in ("segments", "recommendation"):  # which has figures of what was measured
        assert figures._repr_html_().count("<svg") == len(figures) > 0
        assert len(figures.save(tmp_path / "figures")) == len(figures)


def test_frames_have_the_numbers(table: nlgauge.ScoreTable, results) -> None:
    frame = table.to_pandas().set_index("system")
    for score in ("bleu", "ter"):
        assert frame[score]["north"] == table["north", score].score
    resampled = nlgauge.score({"a": ["x y", "z"]}, ["x y", "w"], metrics="ter", confidence=True)
    low, high = resampled.to_pandas().loc[0, ["ter_low", "ter_high"]]
    assert (low, high) == (resampled["ter"].interval.low, resampled["ter"].interval.high)
    segments = table.by_segment().to_pandas()
    assert len(segments) == table.segments * len(table.systems)
    chosen = segments[(segments.system == "coast") & (segments.id == "news-013")]
    assert chosen["ter"].item() == results["explanation"].to_pandas()["score"].iloc[-1]
    compared = results["comparison"].to_pandas()
    assert set(compared.columns) >= {"difference", "difference_low", "corrected_p", "better"}


def test_missing_libraries_are_named(table: nlgauge.ScoreTable, monkeypatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "polars", None)
    with pytest.raises(nlgauge.ResourceMissing, match="run: pip install polars"):
        table.to_polars()


def test_a_failed_assertion_tells_the_scores() -> None:
    table = nlgauge.score({"a": ["x y"]}, ["x z"], metrics="ter")
    assert repr(table) == "<ScoreTable: a ter 50>"
    assert repr(table["ter"]).startswith("<Score: ter 50, ter|nrefs:1|rev:")


def test_a_failed_assertion_names_what_is_not_the_row_itself() -> None:
    rows = [{"system": name, "x": 1.0 + (name == "b")} for name in "ab" for _ in range(9)]
    shown = repr(nlgauge.compare(rows, trials=20, resamples=20))
    assert shown.startswith("<Comparison: x a b difference -1, ")
    assert shown.endswith(", significant True, better b>")


def test_a_notebook_shows_what_an_explanation_matched() -> None:
    table = nlgauge.score({"a": ["one <b> two"]}, ["one <b> three"], metrics="bleu(tokenizer=none)")
    cell = nlgauge.explain_segment(table, 1)._repr_html_()
    assert cell.startswith("<pre>bleu") and "hypothesis  [one &lt;b&gt;] two" in cell


def test_colours_are_for_what_is_printed(results, tmp_path: Path, capsys, monkeypatch) -> None:
    """Notebooks and CI set FORCE_COLOR: what goes into a file, or a cell, is plain all the same."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    for result in results.values():
        assert "\x1b" not in str(result) + result._repr_html_()
    command = ["score", NEWS, "-m", "ter"]
    assert main([*command, "-o", str(tmp_path / "scores.txt")]) == 0
    assert "\x1b" not in (tmp_path / "scores.txt").read_text(encoding="utf-8")
    capsys.readouterr()
    assert main(command) == 0
    assert "\x1b" in capsys.readouterr().out


def test_figures_are_saved_in_formats_that_there_are(table, tmp_path: Path) -> None:
    figures = table.plot()
    with pytest.raises(nlgauge.SpecError, match="gif: no format of figures; use svg, png, pdf"):
        figures.save(tmp_path, ["svg", "gif"])
    assert not list(tmp_path.iterdir())
    assert {file.suffix for file in figures.save(tmp_path, "svg")} == {".svg"}


def test_a_score_is_used_as_a_number() -> None:
    table = nlgauge.score({"a": ["x y z"], "b": ["x y w"]}, ["x y w"], metrics=["ter", "wer"])
    score = table["a", "ter"]  # one of three words is wrong
    assert (f"{score:.1f}", f"{score}", round(score, 1), round(score)) == (
        "33.3",
        "ter = 33.33",
        33.3,
        33,
    )
    assert 33 < score < 34 and not score >= 34.0 and score <= numpy.float32(40)
    assert score > table["b", "ter"] and min(table["a", "ter"], table["b", "ter"]).score == 0
    with pytest.raises(TypeError, match="not supported"):
        score < table["a", "wer"]  # noqa: B015
    with pytest.raises(TypeError, match="not supported"):
        score < "34"  # noqa: B015


def test_daggers_mark_what_is_significantly_worse_than_the_best() -> None:
    rows = [
        {"system": name, "x": base + i % 2}
        for name, base in (("best", 9.0), ("near", 9.0), ("far", 1.0))
        for i in range(20)
    ]
    rows[20]["x"] -= 0.5
    latex = nlgauge.compare(rows, trials=200, resamples=50).to_latex()
    lines = [line for line in latex.splitlines() if line.endswith(r"\\")]
    assert lines[0] == r"System & x $\uparrow$ \\"
    assert lines[1] == r"best & \textbf{9.5000} \\"
    assert "dagger" not in lines[2]
    assert lines[3] == r"far & 1.5000$^{\dagger}$ \\"
    assert "†: significantly worse than the best system" in latex


def test_printing_in_a_notebook_is_text(monkeypatch) -> None:
    """Rich knows notebooks by their shell, and shows HTML there instead of writing to a file."""
    table = nlgauge.score({"a": ["x y"]}, ["x z"], metrics="ter")
    plain = str(table)
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    assert str(table) == plain and "50.00" in plain

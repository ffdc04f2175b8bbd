"""The page of every command: well formed, self-contained, with its tables, and with figures that
show the result's numbers.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats
from support.command_line import REFS1, REFS2, run
from support.html_page import Page

from nlgauge import Suite
from nlgauge.cli import COMMANDS, main
from nlgauge.core.table import ScoreTable
from nlgauge.io import read_suite
from nlgauge.meta.correlation.meta_result import correlate
from nlgauge.meta.correlation.reading import read_judged
from nlgauge.meta.correlation.settings import MetaSettings
from nlgauge.report.figures import Dendrogram, HeatMap, IntervalPlot, ScatterPlot
from nlgauge.report.figures.scatter import DRAWN
from nlgauge.report.figures.svg import to_svg
from nlgauge.report.pages.comparison_page import comparison_sections
from nlgauge.report.pages.meta_page import MOST_PLOTS, meta_sections
from nlgauge.report.pages.page import Section
from nlgauge.report.pages.relations import MOST_DRAWN, drawn
from nlgauge.run.comparison import compare
from nlgauge.run.scoring import score_suite

EXAMPLES = Path(__file__).parents[2] / "examples"
NEWS, JUDGED = str(EXAMPLES / "news.jsonl"), str(EXAMPLES / "judged.jsonl")
MEETINGS = str(EXAMPLES / "meetings.jsonl")
SIMILARITIES = str(Path(__file__).parents[1] / "golden" / "stats" / "similarities.json")
QUICK = ["--resamples", "50"]
# A command, and the kinds of figures that its page has: how often a title holds the text.
PAGES: dict[str, tuple[list[str], dict[str, int]]] = {
    "score": ([NEWS, "-m", "bleu", "chrf", "ter"], {"segments": 3, "Metrics that agree": 1}),
    "compare": (
        [NEWS, "-m", "bleu", "chrf", "ter", "--trials", "100", "--anova", *QUICK],
        {"Differences by": 3, "p-values,": 0, "segments": 3, "Metrics that agree": 1},
    ),
    "meta": (
        [JUDGED, "-m", "chrf", "ter", "sentbleu", "-cin", "20", "-q"],
        {"×": 12, "Metrics that agree": 1, "Pearson's r": 1},
    ),
    "plane": ([JUDGED, "--task", "mt"], {"Evaluation plane:": 2, "R² in %:": 2}),
    "recommend": (
        [JUDGED, "--task", "mt", "--criterion", "adequacy", "-m", "chrf", "ter", *QUICK],
        {"Agreement with adequacy": 1},
    ),
    "regress": (
        [JUDGED, "-m", "chrf", "length", "--criterion", "fluency"],
        {"fitted × observed": 1, "residuals": 2, "standardised": 1},
    ),
    "qarla": (
        ["--similarities", SIMILARITIES],
        {"QUEEN": 2, "KING": 1, "Metrics by the texts": 1, "same verdicts": 1},
    ),
    "orange": (["--similarities", SIMILARITIES], {"ORANGE": 1, "Ranks of references": 1}),
    "robustness": (
        [NEWS, "-m", "chrf", "ter", "--perturbations", "jumble", "drop", "case"],
        {"Meaning broken": 1, "Meaning kept": 1, "by severity": 2, "Broken text below kept": 1},
    ),
    "agree": ([JUDGED, "-cin", "20"], {"Agreement:": 2}),
    "analyse": (
        ["ranks", JUDGED, "-c", "fluency", "-cin", "20", "--prior", "1"],
        {"Bradley–Terry": 1, "Share of decided": 1},
    ),
    "baseline": (
        ["fb", MEETINGS, "--evaluate", "--sentences", "3", "-m", "rouge-1", "chrf"],
        {"Differences by": 2, "p-values,": 2},
    ),
    "experiment": (["meeting"], {}),
    "metrics": ([], {}),
    "doctor": ([], {}),
}
TABLES_ONLY = {"metrics", "doctor", "experiment"}
# Explanations have a page of their own kind; the others write files and no result.
OTHERS = {
    *("explain", "annotate", "build", "parse", "convert", "fetch", "rescale", "train"),
    "completion",
}


def titles(page: Page) -> list[str]:
    """The titles of figures; those for phones are the same once more."""
    drawn = [attrs for tag, attrs in page.tags if tag == "svg" and attrs.get("class") != "slim"]
    return [attrs["aria-label"] or "" for attrs in drawn]


def test_every_command_is_here() -> None:
    assert PAGES.keys() | OTHERS == COMMANDS.keys()


@pytest.mark.parametrize("command", PAGES)
def test_page(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments, expected = PAGES[command]
    file = tmp_path / "r.html"
    asked = ["--report", str(file), "--figures", str(tmp_path / "figs")]
    formats = ["-f", "tsv"] if command not in ("metrics", "doctor") else []
    printed = run(capsys, command, *arguments, *formats, *asked)
    page = Page(file)
    page.check_that_nothing_is_fetched()
    # The answer stands first, in words, wherever there is a question.
    assert ('id="in-short"' in file.read_text("utf-8")) == (command not in TABLES_ONLY)
    shown = titles(page)
    for title, count in expected.items():
        assert sum(title in label for label in shown) == count, (title, shown)
    assert len(list((tmp_path / "figs").glob("*.svg"))) == len(shown)
    tables = page.data("tables")
    latex = [file.read_text("utf-8") for file in (tmp_path / "figs").glob("*.tex")]
    assert len(latex) == len(tables) > 0
    lines = [line for text in latex for line in text.splitlines() if not line.startswith("%")]
    # Letters of Europe and quotation marks are all that plain LaTeX reads beside ASCII.
    assert {c for line in lines for c in line if ord(c) >= 0x180} <= set("‘’“”—")
    if formats and command != "score":  # whose table is another way round
        lines = {line for table in tables for line in table["tsv"].splitlines()}
        assert {line for line in printed.splitlines() if "\t" in line} <= lines


# An analysis, its judgements, and the titles of its figures.
ANALYSES: list[tuple[str, list[dict[str, Any]], list[str]]] = [
    ("systems", [{"item": "1", "system": "s", "criterion": "c", "value": 4}], ["Mean: c"]),
    ("coverage", [{"item": "1", "system": "s", "label": "most"}], ["Score", "Shares"]),
    (
        "answers",
        [
            {"item": "1", "system": "s", "criterion": c, "label": "correct"}
            for c in ("strict", "lenient")
        ],
        ["Score", "Shares"],
    ),
    (
        "meeting",
        [{"item": "m", "system": "s", "annotator": "p", "criterion": "concise", "value": 6}],
        ["Groups", "Statements"],
    ),
    (
        "comprehension",
        [{"item": "q", "system": "A", "criterion": "B", "label": "R"}],
        ["Summaries", "Questionnaires"],
    ),
    (
        "relevance",
        [
            {"item": "1", "system": s, "annotator": "p", "criterion": "e", "label": "relevant"}
            for s in ("full", "short")
        ],
        ["Relevance prediction"],
    ),
]


@pytest.mark.parametrize(("name", "rows", "expected"), ANALYSES)
def test_pages_of_analyses(
    name: str,
    rows: list[dict[str, Any]],
    expected: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    data, file = tmp_path / "r.jsonl", tmp_path / "r.html"
    data.write_text("".join(json.dumps(row) + "\n" for row in rows))
    run(capsys, "analyse", name, str(data), "--report", str(file))
    # Of a single system, no mean is the highest.
    assert ('id="in-short"' in file.read_text("utf-8")) == (name != "systems")
    shown = titles(Page(file))
    assert len(shown) == len(expected)
    assert all(a in b for a, b in zip(expected, shown, strict=True))


def figures(sections: Sequence[Section], title: str) -> list[Any]:
    (section,) = (s for s in sections if s.title == title)
    return list(section.figures)


def test_compare_draws_the_tables_numbers() -> None:
    news = read_suite([NEWS])
    texts = {name: list(corpus.hypotheses) for name, corpus in news.systems.items()}
    texts["mixed"] = [*texts["south"][:30], *texts["coast"][30:]]
    suite = Suite.build(texts, list(news.systems["south"].references))
    table = score_suite(suite, ["bleu", "ter"])
    result = compare(table, trials=50, resamples=50)
    sections = comparison_sections(result, table, suite)
    scores = figures(sections, "Scores")[1]
    assert isinstance(scores, IntervalPlot)
    best_first = sorted(suite.systems, key=lambda s: table[s, "ter"].score)
    assert list(scores.labels) == best_first
    assert scores.values == pytest.approx([table[s, "ter"].score for s in best_first])
    differences = figures(sections, "Differences")[0]
    assert differences.reference == 0
    for label, value in zip(differences.labels, differences.values, strict=True):
        a, b = label.split(" − ")
        assert value == pytest.approx(table[a, "bleu"].score - table[b, "bleu"].score)
    p = figures(sections, "Significance")[0]
    assert isinstance(p, HeatMap)
    for d in result.differences:
        if d.metric == "bleu":
            i, j = p.rows.index(d.system), p.columns.index(d.other)
            assert p.values[i, j] == p.values[j, i] == d.adjusted  # type: ignore[call-overload, index]
            assert p.marked[i, j] == d.significant  # type: ignore[call-overload, index]
    assert sections[-1].browser is not None
    assert [s.name for s in sections[-1].browser.scores] == ["bleu", "ter"]


def test_scores_of_other_tools_alone_have_no_texts() -> None:
    table = score_suite(read_suite([NEWS]), ["bleu"])
    sections = comparison_sections(compare(table, trials=50, resamples=10), table)
    assert all(section.browser is None for section in sections)


def test_meta_draws_the_points_and_their_correlation() -> None:
    judged = read_judged(JUDGED, metrics=["chrf", "ter", "sentbleu"])
    settings = MetaSettings(levels=("segment", "system"), resamples=20)
    result = correlate(judged.paired, criteria=["fluency"], settings=settings)
    sections = meta_sections(result, judged.paired, judged.outputs)
    human = judged.paired.human("fluency")
    scores = {name: judged.paired.scores.segment_scores(name) for name in result.metrics}
    plots = {f.title: f for f in figures(sections, "Metrics and people")}
    assert len(plots) == 6
    for name, own in scores.items():
        plot = plots[f"{name} × fluency: outputs"]
        assert isinstance(plot, ScatterPlot)
        fit = stats.linregress(own, human)
        assert plot.fit() == pytest.approx((fit.slope, fit.intercept, fit.rvalue, len(human)))
    forest = figures(sections, "Agreement with people")[0]
    shown = dict(zip(forest.labels, forest.values, strict=True))
    assert shown["chrf"] == pytest.approx(stats.pearsonr(scores["chrf"], human)[0])
    assert shown["ter"] == pytest.approx(-stats.pearsonr(scores["ter"], human)[0])
    heat, tree = figures(sections, "Agreement of the metrics")
    assert isinstance(tree, Dendrogram)
    i, j = heat.rows.index("chrf"), heat.columns.index("ter")
    # Lower is better by TER, so that its sign is turned.
    assert heat.values[i, j] == pytest.approx(-stats.pearsonr(scores["chrf"], scores["ter"])[0])
    browser = sections[-1].browser
    assert browser is not None
    rated = {s.name: s.values for s in browser.scores}["fluency"]
    assert np.nanmean(rated) == pytest.approx(human.mean())
    assert list(browser.traces) == ["ter", "sentbleu"]


def test_many_metrics_get_few_figures() -> None:
    names, note = drawn([f"m{i}" for i in range(40)])
    assert len(names) == MOST_DRAWN
    assert note.startswith(f"Drawn for the first {MOST_DRAWN} of 40 metrics: m0, m1")
    assert drawn(["a", "b"]) == (["a", "b"], "")
    specs = [f"chrf(beta={i})" for i in range(1, 30)]
    judged = read_judged(JUDGED, metrics=specs)
    settings = MetaSettings(resamples=0, test="none")
    sections = meta_sections(correlate(judged.paired, settings=settings), judged.paired)
    assert len(figures(sections, "Metrics and people")) == MOST_PLOTS
    (text,) = (s.text for s in sections if s.title == "Metrics and people")
    assert "the 6 best metrics" in text


def test_many_systems_take_time_in_proportion(tmp_path: Path, monkeypatch) -> None:
    """What is best is found once for a table, and not once for each of its cells."""
    found: list[str] = []
    best = ScoreTable.best
    monkeypatch.setattr(
        ScoreTable, "best", lambda self, name: found.append(name) or best(self, name)
    )
    names = [f"s{k}" for k in range(30)]
    record = {"references": ["a cat sat"], "hypotheses": dict.fromkeys(names, "a cat ran")}
    (tmp_path / "many.jsonl").write_text(json.dumps(record))
    assert (
        main(["score", f"{tmp_path}/many.jsonl", "-m", "chrf", "--report", f"{tmp_path}/r.html"])
        == 0
    )
    assert 0 < len(found) < 10


def test_many_points_are_drawn_by_lot() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.random((2, 3 * DRAWN))
    plot = ScatterPlot(title="t", x_label="x", y_label="y", x=x, y=y)
    svg = to_svg(plot)
    assert f"n = {3 * DRAWN}, of which {DRAWN} are drawn" in svg
    assert svg == to_svg(plot)
    assert DRAWN * 0.9 < svg.count("h0") <= DRAWN
    assert plot.fit()[2] == pytest.approx(np.corrcoef(x, y)[0, 1])  # of all


def test_given_scores_stand_beside_the_right_texts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They may come in another order than the texts."""
    rows = [f"{s}\t{i}\t{v + i}" for s, v in (("b", 10), ("a", 0)) for i in (3, 1, 2)]
    (tmp_path / "s.tsv").write_text("\n".join(["system\tid\tjudge", *rows]) + "\n")
    for name, lines in (("ref", REFS1), ("a", REFS1), ("b", REFS2)):
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    ref, a, b, scores, file = (str(tmp_path / n) for n in ("ref", "a", "b", "s.tsv", "r.html"))
    few = ["--trials", "99", "--resamples", "9"]
    run(capsys, "compare", ref, "-i", a, b, "--scores", scores, *few, "-q", "--report", file)
    page = Page(Path(file))
    (found,) = (json.loads(t) for at, t in page.scripts if "segments" in (at.get("id") or ""))
    assert found["systems"] == ["a", "b"]
    assert found["hypotheses"] == [REFS1, REFS2]
    place = [m["name"] for m in found["metrics"]].index("judge")
    assert [found["scores"][k][place] for k in (0, 1)] == [[1, 2, 3], [11, 12, 13]]


def test_two_points_are_not_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A line goes through any two points, with r = 1, and says nothing."""
    data, file = tmp_path / "two.jsonl", tmp_path / "r.html"
    rows = [
        {"id": str(i), "system": "s", "hypothesis": text, "references": ["a b"], "human": {"c": i}}
        for i, text in enumerate(("a b", "a c"))
    ]
    data.write_text("".join(json.dumps(row) + "\n" for row in rows))
    run(capsys, "meta", str(data), "-m", "chrf", "--report", str(file))
    assert not any("×" in title for title in titles(Page(file)))
    assert "too few to tell which metric agrees" in file.read_text("utf-8")


def test_a_system_has_one_colour_in_analyses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Worked out by hand: b is better, a comes first in the file and so has the first colour."""
    data, file = tmp_path / "r.jsonl", tmp_path / "r.html"
    rows = [
        {"item": "1", "system": system, "criterion": "c", "value": value}
        for system, value in (("a", 2), ("b", 4))
    ]
    data.write_text("".join(json.dumps(row) + "\n" for row in rows))
    run(capsys, "analyse", "systems", str(data), "--report", str(file))
    page = file.read_text("utf-8")
    for number, system in enumerate("ab"):
        assert f'<i class="dot b-series{number}"></i><span class="named">{system}</span>' in page
    best = page[: page.index("</circle>")].rpartition("<circle")[2]
    assert "f-series1" in best and "b: 4" in best


def test_the_page_has_the_warnings_of_the_run(tmp_path: Path, capsys) -> None:
    for name, text in (("ref", "猫坐在垫子上。"), ("a", "猫在垫子上。"), ("b", "狗坐在椅子上。")):
        (tmp_path / f"{name}.txt").write_text(f"{text}\n" * 4, encoding="utf-8")
    ref, *outputs = (str(tmp_path / f"{name}.txt") for name in ("ref", "a", "b"))
    page = tmp_path / "page.html"
    command = ["score", ref, "-i", *outputs, "-m", "bleu", "--report", str(page)]
    assert main(command) == 0
    assert capsys.readouterr().err.count("warning: the texts are Chinese") == 1
    html = page.read_text(encoding="utf-8")
    assert html.count("the texts are Chinese, without blanks between words") == 1
    assert html.index("<h2>In short") < html.index("<h2>Warnings") < html.index("<h2>Scores")
    assert main([*command, "-tok", "zh"]) == 0
    assert "<h2>Warnings" not in page.read_text(encoding="utf-8")

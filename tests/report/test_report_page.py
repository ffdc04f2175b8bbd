"""The report: a well-formed page that fetches nothing, shows the result's numbers and keeps texts
texts.
"""

import base64
import hashlib
from pathlib import Path

import numpy as np
import pytest
from support.command_line import HYPS, REFS1, WORSE, prepare, run, write
from support.evil_texts import EVIL, evil_suite
from support.figure_samples import samples
from support.html_page import Page

import nlgauge
from nlgauge import Corpus, Suite
from nlgauge.cli import main
from nlgauge.core.outputs import Outputs
from nlgauge.data.labels import Labels
from nlgauge.explain.explanation import explain
from nlgauge.report.pages.browser import BrowserScores, SegmentBrowser
from nlgauge.report.pages.folder import write_figures
from nlgauge.report.pages.metric_lines import metric_lines
from nlgauge.report.pages.page import Section, file_names, write_report
from nlgauge.report.pages.score_page import score_sections
from nlgauge.report.tables.grid import (
    P_VALUE,
    Estimate,
    Field,
    Grid,
    Strong,
    show,
    to_latex,
    to_tsv,
)
from nlgauge.run.scoring import score_outputs, score_suite


def made(path: Path, *sections: Section, **options) -> Page:
    write_report(path / "r.html", options.pop("title", "t"), sections, **options)
    return Page(path / "r.html")


GRID = Grid(
    "Correlations",
    (Field("metric"), Field("r"), Field("n", ".0f")),
    [["bleu", Estimate(0.123456, 0.1, 0.2), 5], ["ter", Strong(-0.5), None]],
    ("a note",),
)


def test_tables_show_and_hold_the_numbers(tmp_path: Path) -> None:
    page = made(tmp_path, Section(title="s", grids=[GRID]))
    cells = {text: attrs for attrs, text in page.cells}
    assert cells["0.123 [0.100, 0.200]"]["data-v"] == "0.123456"
    assert cells["-0.500"] == {"class": "num strong", "data-v": "-0.5"}
    assert cells["–"]["data-v"] == ""
    assert cells["bleu"] == {"scope": "row"}
    assert "a note" in page.text
    (table,) = page.data("tables")
    assert table["tsv"].splitlines()[:2] == [
        "metric\tr\tr_low\tr_high\tn",
        "bleu\t0.123456\t0.1\t0.2\t5",
    ]
    assert r"ter & \textbf{$-$0.500} & -- \\" in table["latex"]


def test_the_page_fetches_nothing(tmp_path: Path) -> None:
    made(
        tmp_path, Section(title="s", grids=[GRID], figures=list(samples().values()))
    ).check_that_nothing_is_fetched()


def test_only_the_pages_own_script_may_run(tmp_path: Path) -> None:
    page = made(tmp_path, Section(title="s"))
    (policy,) = (a["content"] or "" for t, a in page.tags if "http-equiv" in a and t == "meta")
    scripts = [text for attrs, text in page.scripts if "type" not in attrs]
    digests = [base64.b64encode(hashlib.sha256(code.encode()).digest()) for code in scripts]
    allowed = " ".join(f"'sha256-{digest.decode()}'" for digest in digests)
    assert policy.endswith(f"script-src {allowed}") and len(scripts) == 2
    assert "default-src 'none'" in policy


def test_provenance_has_no_date(tmp_path: Path) -> None:
    sections = [Section(title="s", grids=[GRID])]
    page = made(tmp_path, *sections, title="T & t", command="nlgauge meta 'a b'")
    assert "nlgauge meta 'a b'" in page.text
    assert f"nlgauge {nlgauge.__version__}" in page.text
    assert "T & t" in page.text
    assert (
        made(tmp_path, *sections, title="T & t", command="nlgauge meta 'a b'").source == page.source
    )


def test_texts_never_become_markup(tmp_path: Path) -> None:
    suite = evil_suite()
    table = score_suite(suite, ["bleu", "ter"], confidence=True, paired=True, resamples=20)
    page = made(tmp_path, *score_sections(table, suite), title=EVIL, command=EVIL)
    assert not [tag for tag, _ in page.tags if tag == "img"]
    assert [a for a, _ in page.scripts if "type" not in a] == [{}, {}]
    assert "alert(1)" not in next(text for attrs, text in page.scripts if "type" not in attrs)
    found = page.data("segments3")  # after the answer in words
    assert found["hypotheses"][0][0] == found["references"][0][0] == found["ids"][0] == EVIL
    assert found["systems"] == [EVIL, "b\u2028\x00"]


def test_half_a_surrogate_pair_can_be_written(tmp_path: Path) -> None:
    made(tmp_path, Section(title="s", grids=[Grid("\ud800", (Field("x"),), [["\udc80"]])]))


def test_the_score_report_has_the_tables_numbers(tmp_path: Path) -> None:
    suite = Suite.build({"A": HYPS, "B": WORSE}, REFS1)
    table = score_suite(suite, ["bleu", "chrf", "ter"], confidence=True, paired=True)
    sections = score_sections(table, suite)
    page = made(tmp_path, *sections)
    values = [attrs.get("data-v") for attrs, _ in page.cells]
    for score in table:
        assert repr(score.score) in values
    for p in table.p_values.values():
        assert f"(p = {p:.4f})" in page.text
    for column in table.columns:
        assert column.signature in page.text
    found = page.data(f"segments{[s.title for s in sections].index('Segments')}")
    for k, system in enumerate(table.systems):
        for m, column in enumerate(table.columns):
            theirs = table.segment_scores(system, column.name)
            assert found["scores"][k][m] == pytest.approx(theirs, abs=0.0005)
    assert [s.title for s in sections] == [
        "In short",
        "Scores",
        "Segment scores",
        "Agreement of the metrics",
        "Segments",
        "Metrics",
    ]
    classes = [attrs.get("class") for tag, attrs in page.tags if tag == "svg"]
    assert len(classes) - classes.count("slim") == 3 + 3 + 2
    # A map of three metrics is small enough for a phone as it is.
    assert classes.count("slim") == classes.count("wide") == 3 + 3 + 1


def test_one_system_and_one_metric(tmp_path: Path) -> None:
    suite = Suite.build({"A": ["a"]}, ["a"])
    page = made(tmp_path, *score_sections(score_suite(suite, ["bleu"]), suite))
    assert "Agreement of the metrics" not in page.text


def test_traces_are_those_of_explain() -> None:
    suite = Suite.build({"A": HYPS}, REFS1)
    browser = SegmentBrowser.of_suite(suite, score_suite(suite, ["bleu", "ter", "chrf"]))
    assert list(browser.traces) == ["bleu", "ter"]  # characters are not shown one by one
    hyp, ref, runs = browser.traces["bleu"][0][0]
    trace = explain(HYPS[0], REFS1[0], ["bleu"])[0].trace
    assert (hyp.split(), ref.split()) == (list(trace.hyp), list(trace.ref))
    links = {(i + k, j + k) for i, j, length in runs for k in range(length)}
    assert links == {(link.hyp, link.ref) for link in trace.links}  # type: ignore[union-attr]
    assert browser.traces["ter"][0][0][2] == "====S=="  # "a mat" became "the mat"


def test_large_texts_get_no_traces() -> None:
    suite = Suite.build({"A": ["word " * 250_000]}, ["word"])
    table = nlgauge.score(["word"], ["word"], metrics=["bleu"])
    assert (
        SegmentBrowser.of_suite(
            suite, nlgauge.ScoreTable(table.columns, {"A": table.rows["system"]}, 1)
        ).traces
        == {}
    )


def test_the_page_is_about_as_large_as_its_texts(tmp_path: Path) -> None:
    n = 2000
    browser = SegmentBrowser(
        ids=[str(i) for i in range(n)],
        systems=["A", "B"],
        hypotheses=[["word " * 20] * n] * 2,
        references=[["word " * 20]] * n,
        scores=[BrowserScores(name="m", values=np.random.default_rng(1).random((2, n)) * 100)],
    )
    made(tmp_path, Section(title="s", browser=browser))
    assert (tmp_path / "r.html").stat().st_size < 1.5 * 3 * n * 100


def test_a_missing_output_has_no_text_and_no_score(tmp_path: Path) -> None:
    browser = SegmentBrowser(
        ids=["1"],
        systems=["A", "B"],
        hypotheses=[["x"], [None]],
        references=[[]],
        scores=[BrowserScores(name="m", values=np.array([[0.5], [np.nan]]), digits=3)],
    )
    found = made(tmp_path, Section(title="s", browser=browser)).data("segments0")
    assert found["hypotheses"] == [["x"], [None]]
    assert found["scores"] == [[[0.5]], [[None]]]


def test_files_for_papers(tmp_path: Path) -> None:
    sections = [Section(title="s", grids=[GRID], figures=[samples()["scatter"]])]
    assert [name for name, _ in file_names(sections)] == [
        "01-correlations",
        "02-bleu-fluency-systems",
    ]
    folder = tmp_path / "new" / "folder"
    written = write_figures(folder, sections, ["svg"])
    assert [path.name for path in written] == ["01-correlations.tex", "02-bleu-fluency-systems.svg"]
    assert written[0].read_text().startswith("% Correlations\n\\begin{tabular}{lrr}")
    assert written[1].read_text().startswith("<?xml")


@pytest.fixture
def files(tmp_path: Path, monkeypatch) -> Path:
    return prepare(tmp_path, monkeypatch)


def test_command_line(files: Path, capsys) -> None:
    arguments = ("score", "ref.txt", "-i", "sysA.txt", "sysB.txt", "-m", "bleu", "ter")
    plain = run(capsys, *arguments)
    assert run(capsys, *arguments, "--report", "r.html", "--figures", "figs") == plain
    page = Page(files / "r.html")
    assert "nlgauge score ref.txt -i sysA.txt sysB.txt -m bleu ter --report r.html" in page.text
    assert len(list((files / "figs").glob("*.svg"))) == 2 + 2 + 1
    assert len(list((files / "figs").glob("*.tex"))) == 2


def test_a_report_that_cannot_be_written(files: Path, capsys) -> None:
    write(files / "file", ["x"])
    arguments = ["score", "ref.txt", "-i", "sysA.txt"]
    assert main([*arguments, "--report", "nowhere/r.html"]) == 3
    assert "nowhere/r.html: cannot be written" in capsys.readouterr().err
    assert main([*arguments, "--figures", "file/figs"]) == 3
    assert "file is a file; name a folder" in capsys.readouterr().err


def test_outputs_of_which_some_are_missing() -> None:
    corpus = Corpus.build(["a", "b", "c"], [["r1"], ["r2"], ["r1"]])
    outputs = Outputs(
        corpus=corpus,
        items=Labels.build(["1", "2", "1"]),
        systems=Labels.build(["A", "B", "B"]),
    )
    scores = score_outputs(outputs, ["chrf"])
    browser = SegmentBrowser.of_outputs(outputs, scores, {"fluency": np.array([5.0, 3.0, 4.0])})
    assert browser.hypotheses == [["a", None], ["c", "b"]]
    assert browser.references == [["r1"], ["r2"]]
    assert browser.data()["scores"][0] == [[0.0, None], [5.0, None]]
    assert browser.data()["scores"][1][1] == [4.0, 3.0]


def test_outputs_of_very_many_systems_are_segments_of_their_own() -> None:
    n = 70
    corpus = Corpus.build([f"hyp {i}" for i in range(n)], [[f"ref {i % 2}"] for i in range(n)])
    items, systems = [f"i{i % 2}" for i in range(n)], [f"s{i}" for i in range(n)]
    outputs = Outputs(corpus=corpus, items=Labels.build(items), systems=Labels.build(systems))
    scores = score_outputs(outputs, ["chrf"])
    browser = SegmentBrowser.of_outputs(outputs, scores, {"fluency": np.arange(n, dtype=float)})
    assert browser.systems == ("output",)
    assert browser.ids[:2] == ("i0 · s0", "i1 · s1")
    assert browser.hypotheses == [list(corpus.hypotheses)]
    assert browser.references[3] == ["ref 1"]
    assert browser.data()["scores"][0][1] == list(range(n))


def test_no_p_value_is_0() -> None:
    fields = (Field("metric"), Field("p", P_VALUE))
    grid = Grid("t", fields, [["a", 0.0004], ["b", Strong(0.0204)], ["c", 1.0], ["d", np.nan]])
    assert [show(row[1], P_VALUE) for row in grid.rows] == ["<0.001", "0.020", "1.000", "–"]
    assert to_tsv([grid]).splitlines()[1] == "a\t0.0004"  # in full
    assert r"a & \textless{}0.001 \\" in to_latex([grid])


def test_what_metrics_look_at() -> None:
    suite = Suite.build({"A": ["a b"]}, ["a c"], sources=["a d"])
    names = ["bleu", "distinct-1", "repetition", "compression"]
    lines = metric_lines(score_suite(suite, names).columns)
    looked = [line.partition(" looks at ")[2].partition(";")[0] for line in lines]
    assert looked == [
        "words and runs of words that texts share",
        "words of the outputs alone",
        "words of the outputs alone",
        "words of the outputs and of their sources",
    ]


def test_a_table_does_not_repeat_the_heading_of_its_section(tmp_path: Path) -> None:
    grid = Grid("Is it real? fluency", (Field("N \\ α"),), [[1.0]])
    write_report(tmp_path / "r.html", "t", [Section(title="Is it real?", grids=[grid])])
    page = (tmp_path / "r.html").read_text("utf-8")
    assert "<h3>fluency</h3>" in page
    assert "N\u00a0\\\u00a0α" in page  # not one below the other on a phone

"""Explanations of the example sentences of Isozaki et al. (2010), as text and as a page."""

import io
import json
import warnings
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar
from xml.etree import ElementTree

import numpy as np
import pytest
from rich.console import Console
from support.inputs import corpus_for

from nlgauge import DataError, SpecError, explain_segment
from nlgauge.cli import main
from nlgauge.core import registry
from nlgauge.core.metric import Info, Metric
from nlgauge.explain.explanation import explain, trace_of
from nlgauge.explain.traces import Alignment, Edits, Link
from nlgauge.io import read_suite
from nlgauge.report.explain.explanation_html import sections, to_svg
from nlgauge.report.explain.explanation_text import print_explanations
from nlgauge.report.pages.page import to_html

REF = "he was interested in world history because he read the book"
HYP = "he read the book because he was interested in world history"


def test_bleu_shows_the_runs_of_the_paper() -> None:
    (found,) = explain(HYP, REF, ["bleu"])
    assert isinstance(found.trace, Alignment)
    assert [len(run) for run in found.trace.runs()] == [4, 1, 6]
    assert found.score.score == pytest.approx(74.01, abs=0.005)


def test_ribes_links_the_words_of_the_word_order_list() -> None:
    (found,) = explain("Bob hit John yesterday", "John hit Bob yesterday", ["nkt"])
    assert found.trace.links == (Link(0, 2), Link(1, 1), Link(2, 0), Link(3, 3))


def test_meteor_names_the_stage_of_each_link() -> None:
    (found,) = explain("two computers hum", "two computer hum", ["meteor"])
    assert [link.label for link in found.trace.links] == ["exact", "stem", "exact"]


def test_words_are_shown_as_they_are_written() -> None:
    for spec in ("gtm", "wer(tokenizer=blank)", "wer(tokenizer=jiwer)"):
        trace = trace_of(registry.metric(spec), "a\xa0b c", "a\xa0b c")
        assert trace.hyp == ("a\xa0b", "c")


def test_ter_shows_shifts_before_edits() -> None:
    (found,) = explain(HYP, REF, ["ter"])
    trace = found.trace
    assert isinstance(trace, Edits)
    assert len(trace.shifts) == 2 and trace.hyp == tuple(REF.split())  # TER 2/11


def test_the_best_reference_is_shown_unless_told_otherwise() -> None:
    refs = ["something else entirely", HYP]
    assert explain(HYP, refs, ["ter"])[0].reference == 1
    assert explain(HYP, refs, ["ter"], reference=0)[0].reference == 0
    with pytest.raises(SpecError, match="reference 3: there are 2"):
        explain(HYP, refs, ["ter"], reference=2)


def kernel_metrics() -> list[str]:
    made = {name: registry.metric(name) for name in registry.names()}
    return [n for n, m in made.items() if m.info.needs == ("references",) and hasattr(m, "kernel")]


@pytest.mark.parametrize("name", kernel_metrics())
@pytest.mark.filterwarnings("ignore::nlgauge.NlgaugeWarning")
@pytest.mark.parametrize("pair", [(HYP, REF), ("", "a <b>"), ("x & y", ""), ("東京 の 夜", "東京")])
def test_every_kernel_metric_can_be_drawn(name: str, pair: tuple[str, str]) -> None:
    hyp, ref = pair
    found = explain(hyp, [ref], [name])
    trace = found[0].trace
    ElementTree.fromstring(to_svg(trace))  # well-formed
    assert found[0].score.value == corpus_score(name, hyp, ref)
    out = io.StringIO()
    print_explanations(found, Console(file=out, width=120))
    assert name in out.getvalue()


def corpus_score(name: str, hyp: str, ref: str) -> float:
    metric = registry.metric(name)
    return metric.evaluate(corpus_for(metric, [hyp], [[ref]])).value


def test_the_page_stands_alone() -> None:
    page = to_html("x", sections(explain("<script>x", "a & b", ["bleu", "ter"])))
    assert "<script>x" not in page and "&lt;script&gt;x" in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")


def test_command(tmp_path, capsys) -> None:
    page = tmp_path / "why.html"
    arguments = ["explain", "--hyp", HYP, "--ref", REF, "-m", "ter", "--html", str(page)]
    assert main(arguments) == 0
    assert "2 shifted" in capsys.readouterr().out
    html = page.read_text(encoding="utf-8")
    assert html.startswith("<!doctype html>")
    assert f"nlgauge explain --hyp &#x27;{HYP}" in html  # what it was made by
    assert main(["explain", "--hyp", HYP]) == 2


def test_pictures_by_their_ending(tmp_path, capsys) -> None:
    arguments = ["explain", "--hyp", HYP, "--ref", REF, "-m"]
    assert main([*arguments, "ter", "--picture", str(tmp_path / "one.svg")]) == 0
    assert main([*arguments, "ter", "bleu", "--picture", str(tmp_path / "two.svg")]) == 0
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["one.svg", "two-1-ter.svg", "two-2-bleu.svg"]
    ElementTree.fromstring((tmp_path / "one.svg").read_text(encoding="utf-8"))
    capsys.readouterr()
    assert main([*arguments, "ter", "--picture", str(tmp_path / "one.gif")]) == 2
    assert "one.gif: pictures end in .svg, .png, .pdf" in capsys.readouterr().err


@dataclass(frozen=True)
class SameLength(Metric):
    """Looks at the source only."""

    info: ClassVar[Info] = replace(registry.metric("bleu").info, name="same", needs=("sources",))

    def rows(self, corpus, state=None, *, threads=1):  # noqa: ARG002
        pairs = zip(corpus.hypotheses, corpus.sources, strict=True)
        return np.array([[float(len(a) == len(b))] for a, b in pairs])

    def score(self, totals):
        return totals[..., 0]

    def trace(self, hypothesis: str, reference: str) -> Alignment:
        return Alignment((hypothesis,), (reference,), ())


def test_metrics_of_the_source_are_shown_against_it() -> None:
    (found,) = explain("ab", ["other"], [SameLength()], source="xy")
    assert found.trace.ref == ("xy",) and found.score.value == 1
    assert (found.reference, found.against) == (None, "against the source")
    with pytest.raises(DataError, match="same needs sources"):
        explain("ab", ["other"], [SameLength()])


def two_systems(folder: Path) -> str:
    rows = [
        {"id": f"news-{i}", "system": system, "hypothesis": text, "references": ["a cat sat"]}
        for i in (1, 2)
        for system, text in (("north", "a cat sat"), ("south", f"a dog sat {i}"))
    ]
    path = folder / "data.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def test_every_system_is_explained_and_named(tmp_path: Path, capsys) -> None:
    data = two_systems(tmp_path)
    assert main(["explain", data, "-n", "news-2", "-m", "ter", "wer"]) == 0
    heads = [line for line in capsys.readouterr().out.splitlines() if "against" in line]
    assert heads == [
        "ter 0.00  north, segment 'news-2', against reference 1",
        "wer 0.0000  north, segment 'news-2', against reference 1",
        "ter 66.67  south, segment 'news-2', against reference 1",
        "wer 0.6667  south, segment 'news-2', against reference 1",
    ]


def test_one_system_is_chosen_by_name(tmp_path: Path, capsys) -> None:
    data = two_systems(tmp_path)
    assert main(["explain", data, "-n", "2", "-m", "ter", "--system", "south"]) == 0
    out = capsys.readouterr().out
    assert "south, segment 'news-2'" in out and "north" not in out
    assert main(["explain", data, "--system", "south", "east"]) == 2
    assert "no system 'east'; there are north, south" in capsys.readouterr().err


def test_pages_and_pictures_name_their_system(tmp_path: Path, capsys) -> None:
    page, picture = tmp_path / "why.html", tmp_path / "why.svg"
    arguments = ["explain", two_systems(tmp_path), "-m", "ter"]
    assert main([*arguments, "--html", str(page), "--picture", str(picture)]) == 0
    capsys.readouterr()
    text = page.read_text(encoding="utf-8")
    assert "ter 0.00: north, segment" in text and "ter 66.67: south, segment" in text
    names = sorted(path.name for path in tmp_path.glob("why-*"))
    assert [name[:11] for name in names] == ["why-1-ter-n", "why-2-ter-s"]


def test_words_of_one_letter_stand_apart_and_characters_together() -> None:
    shown = str(explain("a b c d", ["a b x d"], ["bleu", "chrf"]))
    words, characters = (line for line in shown.split("\n") if "hypothesis" in line)
    assert words.split("  ")[-1].strip() == "[a b] c [d]"
    assert characters.split("  ")[-1].strip() == "[ab]c[d]"


def test_a_segment_has_the_score_that_it_has_in_its_test_set(tmp_path: Path) -> None:
    """CIDEr weighs n-grams by the test set: alone, a text that is a reference itself has 0."""
    (tmp_path / "data.tsv").write_text(
        "id\thypothesis\treference1\treference2\n"
        "1\ta cat sat on a mat\tdogs bark loudly in parks\ta cat sat on a mat\n"
        "2\train fell\tit rained all day\train fell all day long\n"
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        suite = read_suite(tmp_path / "data.tsv")
        found = explain_segment(suite, "1", ["cider", "bertscore(idf=yes)"])
    assert found[0].reference == 1
    # (0 + 10) / 2 references, and the best of them
    assert [one.score.score for one in found] == pytest.approx([5, 1])


def test_of_very_many_runs_the_longest_are_listed(capsys) -> None:
    """Every second word of 30 is another one: 15 runs of one word."""
    hyp = " ".join(f"w{i}" for i in range(30))
    ref = " ".join(f"w{i}" if i % 2 else "x" for i in range(30))
    print_explanations(explain(hyp, ref, "bleu"))
    assert f"runs of neighbours: {', '.join('1' * 12)} and 3 more" in capsys.readouterr().out

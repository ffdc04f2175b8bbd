"""Maps of similarities, trees and frames: what they tell, that they fit, and that texts stay
texts.
"""

import io
import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console
from support.html_page import Page
from support.trace_samples import samples, similarities, tree

import nlgauge
from nlgauge import DataError, NlgaugeWarning
from nlgauge.core import registry
from nlgauge.core.metric import Score
from nlgauge.explain import builders
from nlgauge.explain.explanation import Explanation
from nlgauge.explain.traces import (
    Edits,
    Frames,
    FrameSpans,
    Match,
    Node,
    RoleSpan,
    TokenSimilarities,
    Trace,
    Trees,
)
from nlgauge.report.explain.explanation_html import sections
from nlgauge.report.explain.explanation_tables import tables
from nlgauge.report.explain.explanation_text import print_explanations
from nlgauge.report.figures import plots
from nlgauge.report.figures.canvas import LIGHT
from nlgauge.report.figures.svg import to_svg
from nlgauge.report.pages.page import to_html
from nlgauge.report.pictures import picture
from nlgauge.report.pictures.words import right_to_left, wrapped

SAMPLES = samples()
SVG = "{http://www.w3.org/2000/svg}"


def explanation(trace: Trace) -> Explanation:
    return Explanation("some-metric", Score("some", 0.5, 1.0, "some|v:1", {}), trace, 0)


def drawn(trace: Trace) -> ET.Element:
    return ET.fromstring(to_svg(picture(trace, "title")))


def texts(root: ET.Element) -> list[str]:
    return ["".join(e.itertext()).removeprefix(note(e)) for e in root.iter(f"{SVG}text")]


def note(element: ET.Element) -> str:
    title = element.find(f"{SVG}title")
    return "" if title is None else title.text or ""


def shown(trace: Trace, width: int = 100) -> str:
    out = io.StringIO()
    print_explanations([explanation(trace)], Console(file=out, width=width, highlight=False))
    return out.getvalue()


@pytest.mark.parametrize("name", SAMPLES)
def test_svg_is_well_formed_and_fits_its_sheet(name: str) -> None:
    figure = picture(SAMPLES[name], name)
    text = to_svg(figure)
    width, height = figure.size
    known = {f"{letter}-{role}" for letter in "fs" for role in LIGHT}
    used = {part for names in re.findall(r'class="([^"]*)"', text) for part in names.split()}
    assert used <= known
    assert re.findall(r"https?://[^\"]*", text) == ["http://www.w3.org/2000/svg"]
    for element in ET.fromstring(text).iter():
        places = re.findall(r"(-?[\d.]+) (-?[\d.]+)", element.get("d", ""))
        if element.tag == f"{SVG}text":
            places.append((element.get("x"), element.get("y")))
        assert "nan" not in element.get("d", "")
        for x, y in places:
            assert -1 <= float(x) <= width + 1 and -1 <= float(y) <= height + 1


@pytest.mark.parametrize("name", SAMPLES)
def test_the_terminal_shows_all_within_100_columns(name: str) -> None:
    found = shown(SAMPLES[name])
    assert "some-metric" in found
    if name != "deep trees":
        cells = Console(width=1000)
        assert max(cells.render_str(line).cell_len for line in found.splitlines()) <= 103


def test_each_cell_tells_its_number_and_what_it_is_best_of() -> None:
    root = drawn(SAMPLES["short"])
    cells = [note(e) for e in root.iter(f"{SVG}path") if " – " in note(e)]
    assert len(cells) == 7 * 7
    assert "cat – cat: 1.000 (best of both)" in cells
    assert "the – the: 1.000 (best of the row)" in cells  # the second one comes too late
    assert "1.00" in texts(root)


def test_numbers_are_left_out_where_there_is_no_room() -> None:
    found = texts(drawn(SAMPLES["long"]))
    assert "1.00" not in found and "tatklog" in found


def test_greedy_matches_by_hand() -> None:
    matrix = np.array([[0.9, 0.2, 0.9], [0.8, np.nan, 0.1], [np.nan, np.nan, np.nan]])
    assert builders.greedy(matrix) == (
        Match(0, 0, "both"),  # the first of two equal ones
        Match(0, 1, "ref"),
        Match(0, 2, "ref"),
        Match(1, 0, "hyp"),
    )
    assert builders.greedy(np.zeros((0, 3))) == ()
    assert builders.greedy(np.zeros((3, 0))) == ()


def test_transport_keeps_what_is_moved() -> None:
    flow = np.array([[0.25, 0.0], [1e-15, 0.75]])
    assert builders.transport(flow) == (Match(0, 0, "both", 0.25), Match(1, 1, "both", 0.75))


def test_flow_is_shown_as_a_share() -> None:
    trace = TokenSimilarities(
        hyp=("a", "b"),
        ref=("c",),
        matrix=np.array([[0.5], [0.0]]),
        matches=(Match(0, 0, "both", 1.5), Match(1, 0, "both", 0.5)),
        distance=True,
    )
    root = drawn(trace)
    assert {"75%", "25%"} <= set(texts(root))
    assert "a – c: 0.500 (75.0% of all is moved here)" in {note(e) for e in root.iter()}
    assert "similarity; dark is near" in texts(root)


def test_weights_are_bars_of_one_scale() -> None:
    trace = TokenSimilarities(
        hyp=("a", "b"),
        ref=("c",),
        matrix=np.ones((2, 1)),
        hyp_weights=np.array([1.0, 4.0]),
        ref_weights=np.array([2.0]),
    )
    lengths = {}
    for element in drawn(trace).iter(f"{SVG}path"):
        if "weight" in note(element):
            x, y = zip(*re.findall(r"(-?[\d.]+) (-?[\d.]+)", element.get("d", "")), strict=True)
            sides = [max(map(float, side)) - min(map(float, side)) for side in (x, y)]
            lengths[note(element)] = sides
    a, b, c = (lengths[f"{name}: weight {w}"] for name, w in (("a", 1), ("b", 4), ("c", 2)))
    assert b[0] == pytest.approx(4 * a[0]) == pytest.approx(2 * c[1])


def test_negative_numbers_have_another_colour() -> None:
    trace = TokenSimilarities(hyp=("a",), ref=("b", "c"), matrix=np.array([[-0.5, 0.5]]))
    fills = {
        note(e).partition(": ")[2]: e.get("fill")
        for e in drawn(trace).iter(f"{SVG}path")
        if note(e)
    }
    red, blue = ([int(fills[key][i : i + 2], 16) for i in (1, 5)] for key in ("−0.500", "0.500"))
    assert red[0] > red[1] and blue[1] > blue[0]  # orange, and blue


def test_what_is_not_compared_is_said() -> None:
    notes = {note(e) for e in drawn(SAMPLES["not compared"]).iter()}
    assert "a – a: not compared" in notes
    assert "</svg>" in texts(drawn(SAMPLES["undefined"]))


def test_shapes_must_agree() -> None:
    with pytest.raises(DataError, match=r"matrix \(1, 2\) for \(1, 1\) tokens"):
        TokenSimilarities(hyp=("a",), ref=("b",), matrix=np.zeros((1, 2)))
    with pytest.raises(DataError, match=r"ref_weights \(2,\) for 1 tokens"):
        TokenSimilarities(hyp=("a",), ref=("b",), matrix=np.eye(1), ref_weights=np.ones(2))


def test_the_map_of_a_terminal_aligns() -> None:
    rows = [
        line for line in shown(similarities("猫 坐 x", "那 猫 y", low=-0.9)).splitlines()
        if re.search(r"\d\.\d\d", line)
    ]  # fmt: skip
    assert len({Console(width=1000).render_str(line).cell_len for line in rows[1:4]}) == 1


def boxes(root: ET.Element) -> list[tuple[float, float, float, float]]:
    """Left, top, right and bottom of the nodes."""
    found = []
    for element in root.iter(f"{SVG}path"):
        if element.get("d", "").endswith("z"):
            x, y = zip(*re.findall(r"(-?[\d.]+) (-?[\d.]+)", element.get("d", "")), strict=True)
            xs, ys = list(map(float, x)), list(map(float, y))
            found.append((min(xs), min(ys), max(xs), max(ys)))
    return found


nodes = st.recursive(
    st.builds(
        lambda label, word: Node(label, (Node(word, word=True),), len(word) % 2),
        st.sampled_from(["N", "VBZ", "LONG-LABEL"]),
        st.sampled_from(["a", "word", "incomprehensibilities", "東京"]),
    ),
    lambda below: st.builds(
        lambda label, children: Node(label, tuple(children), len(children)),
        st.sampled_from(["S", "NP-SBJ"]),
        st.lists(below, min_size=1, max_size=4),
    ),
    max_leaves=40,
)


@settings(max_examples=40)
@given(nodes, nodes)
def test_nodes_never_overlap(hyp: Node, ref: Node) -> None:
    found = boxes(drawn(Trees(hyp, ref)))
    inner = [node for root in (hyp, ref) for node in root.walk() if not node.word]
    assert len(found) == len(inner)
    for k, a in enumerate(found):
        for b in found[k + 1 :]:
            assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


def test_words_stay_in_order_and_long_trees_grow_to_the_right() -> None:
    for name, axis in (("trees", "x"), ("long trees", "y")):
        trace = SAMPLES[name]
        assert isinstance(trace, Trees) and trace.hyp is not None
        words = [node.label for node in trace.hyp.walk() if node.word]
        placed = {}
        for element in drawn(trace).iter(f"{SVG}text"):
            placed.setdefault(element.text, float(element.get(axis, "")))
        places = [placed[word] for word in dict.fromkeys(words)]
        assert places == sorted(places)


def test_lines_are_thick_within_matched_levels() -> None:
    # S and two levels below it: four of five lines; the last belongs to an unmatched rest.
    hyp = tree("(S^3 (A^1 (B^1 x)) (C^1 (D^1 (E y))))")
    lines = [e for e in drawn(Trees(hyp, None)).iter(f"{SVG}path") if e.get("fill") == "none"]
    assert [e.get("stroke-width") for e in lines].count("2.5") == 4
    assert [e.get("stroke-dasharray") for e in lines].count("4 3") == 1
    said = texts(drawn(Trees(hyp, None)))
    assert "hypothesis: 5 of 6 nodes matched" in said and "reference: no tree" in said
    assert "S³" in said


def test_trees_of_a_terminal_stand_side_by_side() -> None:
    lines = shown(SAMPLES["trees"]).splitlines()
    assert lines[1].split() == ["hypothesis", "reference"]
    assert lines[3].split() == ["├", "[NP]", "├", "NP"]


def test_frames_tell_labels_fillers_and_similarities() -> None:
    root = drawn(SAMPLES["frames"])
    said = texts(root)
    assert {"“sat” – “was”", "0.71", "0.93", "0.38", "the cat", "ARGM-TMP"} <= set(said)
    assert "only in the reference: “mat”" in said
    assert "ARG0: the cat – a cat: 0.930" in {note(e) for e in root.iter()}
    (grid,) = tables(SAMPLES["frames"])
    assert list(grid.rows[1]) == [1, "ARG0", "the cat", "a cat", 0.93]
    assert grid.rows[4][2] is None  # a role of the reference alone
    assert re.search(r"ARG0 +the cat +a cat +0\.93", shown(SAMPLES["frames"]))


def test_fillers_that_overlap_are_both_shown() -> None:
    frame = FrameSpans(RoleSpan("V", 1, 2), (RoleSpan("A", 0, 3), RoleSpan("B", 2, 4)))
    said = texts(drawn(Frames(("a", "b", "c", "d"), (), (frame,), ())))
    assert {"V", "A", "B", "a b c", "d"} <= set(said)


def test_no_frames_are_no_picture_without_words() -> None:
    said = texts(drawn(SAMPLES["no frames"]))
    assert "no frames on either side" in said and "a </b>" in said


def test_the_page_holds_picture_and_table_and_nothing_from_elsewhere(tmp_path) -> None:
    shown = [explanation(SAMPLES[name]) for name in ("weights", "undefined")]
    (tmp_path / "p.html").write_text(to_html("x", sections(shown)), encoding="utf-8")
    page = Page(tmp_path / "p.html")
    (table,) = page.data("tables")
    head = table["tsv"].splitlines()[0].split("\t")
    assert head[:4] == ["hypothesis", "reference", "cosine", "best for"]
    assert "prefers-color-scheme:dark" in page.source
    assert "</svg>:" not in page.source.replace("&lt;/svg&gt;", "")


def test_right_to_left() -> None:
    assert right_to_left(["القطة", "cat"]) and not right_to_left(["cat", "12"])
    alone = drawn(replace(SAMPLES["arabic trees"], ref=None))
    places = {e.text: float(e.get("x", "")) for e in alone.iter(f"{SVG}text")}
    assert places["جلست"] > places["على"]  # the first word on the right
    for text, first, last in (
        ("القطة نامت طوال اليوم أمس", "القطة", "أمس"),
        ("the cat slept all day", "day", "the"),
    ):
        own = text.split()
        moved = registry.metric("ter").trace(" ".join(own[2:] + own[:2]), text)
        assert isinstance(moved, Edits) and moved.shifts
        root = drawn(moved)
        found = {
            word: float(element.get("x", ""))  # in the last row
            for element, word in zip(root.iter(f"{SVG}text"), texts(root), strict=True)
        }
        assert found[first] > found[last]


@given(st.text(st.sampled_from("abc 漢"), max_size=40), st.integers(1, 12))
def test_wrapped_lines_fit_and_lose_nothing(text: str, width: int) -> None:
    lines = wrapped(text, width, len)
    assert all(len(line) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_letters_that_no_font_has_are_told(monkeypatch) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(plots, "_fonts", lambda: ["DejaVu Sans"])
    with pytest.warns(NlgaugeWarning, match=r"png: 3 characters are in no font"):
        found = plots.rendered(picture(similarities("猫 坐", "在"), "t"), "png")
    assert found.startswith(b"\x89PNG")


def test_several_outputs_are_compared_first() -> None:
    table = nlgauge.score({"a": ["x y"], "b": ["x z"]}, ["x y"], metrics=["ter", "chrf"])
    answer, texts, first, *rest = sections(nlgauge.explain_segment(table, 1, ["ter", "chrf"]))
    assert answer.title == "In short"
    assert answer.lines[0] == "Of segment 1: a is best by both metrics."
    # What all of the page is about is said once.
    assert texts.title == "Texts of segment 1"
    assert [tuple(row) for row in texts.grids[0].rows] == [
        ("a", "x y"),
        ("b", "x z"),
        ("reference 1", "x y"),
    ]
    (grid,) = first.grids
    assert [field.name for field in grid.fields] == ["output", "ter ↓", "chrf ↑"]
    assert [row[:2] for row in grid.rows] == [["a", "0.00"], ["b", "50.00"]]
    assert [section.title for section in rest[::2]] == ["ter 0.00: a", "ter 50.00: b"]
    # A picture that is saved says it, too.
    assert rest[0].figures[0].title == "ter 0.00: a, segment 1"

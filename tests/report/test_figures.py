"""Figures: ticks and fits by hand, trees and contours against SciPy and the definition, files."""

import builtins
import math
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.cluster.hierarchy import dendrogram, linkage
from support.figure_samples import samples

from nlgauge.errors import ResourceMissing
from nlgauge.report.figures import Dendrogram, Distribution, HeatMap, IntervalPlot, ScatterPlot
from nlgauge.report.figures.axes import AxisScale, nice_ticks, tick_texts
from nlgauge.report.figures.canvas import (
    DARK,
    LIGHT,
    PHONE,
    clipped,
    clipped_pair,
    series,
    text_width,
)
from nlgauge.report.figures.colours import colour_at, ink_on
from nlgauge.report.figures.contour import contour_lines
from nlgauge.report.figures.plots import rendered
from nlgauge.report.figures.svg import to_svg

SVG = "{http://www.w3.org/2000/svg}"
FIGURES = samples()


def texts(figure) -> list[str]:
    return [
        "".join(part for part in [element.text or "", *(c.tail or "" for c in element)])
        for element in ET.fromstring(to_svg(figure)).iter(f"{SVG}text")
    ]


def test_twelve_systems_have_twelve_colours() -> None:
    for theme in (LIGHT, DARK):
        assert len({theme[series(i)] for i in range(12)}) == 12


@pytest.mark.parametrize("values", [(-1.49, 2.6), (0.0, 1000.0), (0.52, 0.63)])
def test_no_number_below_an_axis_is_cut_on_a_phone(values: tuple[float, float]) -> None:
    plot = IntervalPlot(title="t", labels="ab", values=values, narrow=True)
    for element in ET.fromstring(to_svg(plot)).iter(f"{SVG}text"):
        if element.get("text-anchor") == "middle" and element.text:
            x, half = float(element.get("x", "")), text_width(element.text) / 2
            assert x - half >= 0 and x + half <= PHONE


def notes(figure) -> list[str]:
    return [element.text or "" for element in ET.fromstring(to_svg(figure)).iter(f"{SVG}title")]


@pytest.mark.parametrize(
    ("low", "high", "most", "ticks"),
    [
        (0, 1, 6, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (0, 100, 6, [0, 20, 40, 60, 80, 100]),
        (-0.3, 0.3, 4, [-0.2, 0, 0.2]),
        (11.7, 13.2, 4, [12, 12.5, 13]),
        (1e-4, 3e-4, 3, [1e-4, 2e-4, 3e-4]),
        (2, 2, 5, [2]),
    ],
)
def test_ticks_are_round(low: float, high: float, most: int, ticks: list[float]) -> None:
    assert nice_ticks(low, high, most) == ticks


@given(st.floats(-1e6, 1e6), st.floats(1e-5, 1e6), st.integers(3, 12))
def test_ticks_lie_inside_and_are_few_and_even(low: float, span: float, most: int) -> None:
    ticks = nice_ticks(low, low + span, most)
    assert 1 <= len(ticks) <= most
    slack = 1e-6 * span + 4 * math.ulp(abs(low) + span)
    assert all(low - slack <= tick <= low + span + slack for tick in ticks)
    assert len(set(tick_texts(ticks))) == len(ticks)


def test_tick_texts_have_the_decimals_they_need() -> None:
    assert tick_texts([0, 0.5, 1]) == ["0.0", "0.5", "1.0"]
    assert tick_texts([-20, 0, 20]) == ["−20", "0", "20"]


def test_a_scale_is_linear() -> None:
    scale = AxisScale(10, 20, 100, 300)
    assert [scale(v) for v in (10, 15, 20)] == [100, 200, 300]
    assert AxisScale.over([np.nan, 5, 5], 0, 1).low < 5 < AxisScale.over([5], 0, 1).high
    assert AxisScale.over([], 0, 1)(0.5) == pytest.approx(0.5)


@pytest.mark.parametrize("roles", [LIGHT, DARK])
def test_letters_stand_out_from_the_paper(roles: dict[str, str]) -> None:
    for role in ("ink", "muted"):
        assert contrast(roles[role], roles["paper"]) > 4.5  # WCAG AA


def contrast(a: str, b: str) -> float:
    """As WCAG 2.1 defines it."""

    def luminance(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
        return 0.2126 * r + 0.7152 * g + 0.0722 * b

    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("kind", ["sequential", "diverging"])
def test_numbers_are_readable_on_every_colour(kind) -> None:
    for position in np.linspace(0, 1, 101):
        colour = colour_at(position, kind)
        assert contrast(ink_on(colour), colour) > 3.5


def test_the_sequential_colours_get_darker() -> None:
    to_white = [contrast(colour_at(p), "#ffffff") for p in np.linspace(0, 1, 50)]
    assert to_white == sorted(to_white)


@pytest.mark.parametrize("name", FIGURES)
def test_svg_is_well_formed_and_stands_alone(name: str) -> None:
    text = to_svg(FIGURES[name])
    root = ET.fromstring(text)
    assert root.tag == f"{SVG}svg"
    assert root.get("aria-label") == FIGURES[name].title
    assert root.get("role") == "img"
    assert "url(" not in text
    assert re.findall(r"https?://[^\"]*", text) == ["http://www.w3.org/2000/svg"]
    used = set(re.findall(r'class="([^"]*)"', text))
    known = {f"{letter}-{role}" for letter in "fs" for role in LIGHT}
    assert {part for names in used for part in names.split()} <= known
    assert "nan" not in " ".join(re.findall(r'(?:d|x|y|cx|cy)="([^"]*)"', text))


@pytest.mark.parametrize("name", FIGURES)
def test_marks_stay_on_the_sheet(name: str) -> None:
    figure = FIGURES[name]
    width, height = figure.size
    for element in ET.fromstring(to_svg(figure)).iter():
        route = re.findall(r"(-?[\d.]+) (-?[\d.]+)", element.get("d", ""))
        for x, y in route:
            assert -1 <= float(x) <= width + 1
            assert -1 <= float(y) <= height + 1


@pytest.mark.parametrize(
    ("name", "format", "magic"),
    [("correlations", "png", b"\x89PNG\r\n"), ("intervals", "pdf", b"%PDF-")],
)
def test_png_and_pdf(name: str, format, magic: bytes) -> None:
    pytest.importorskip("matplotlib")
    found = rendered(FIGURES[name], format)
    assert found.startswith(magic)
    assert found == rendered(FIGURES[name], format)  # no date, no chance
    if format == "png":
        pixels = [int.from_bytes(found[i : i + 4], "big") for i in (16, 20)]
        assert pixels == pytest.approx([side * 300 / 96 for side in FIGURES[name].size], abs=1)


def test_without_matplotlib_the_message_says_what_to_run(monkeypatch) -> None:
    real = builtins.__import__

    def refuse(name: str, *rest, **more):
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(ResourceMissing, match="run: nlgauge fetch plots"):
        rendered(FIGURES["intervals"], "png")
    assert rendered(FIGURES["intervals"], "svg").startswith(b"<?xml")


def test_scatter_fits_as_scipy_does() -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=50)
    y = 2 * x + rng.normal(size=50)
    theirs = stats.linregress(x, y)
    x, y = np.append(x, [np.nan, 1]), np.append(y, [1, np.nan])
    figure = ScatterPlot(title="t", x_label="x", y_label="y", x=x, y=y)
    slope, intercept, r, n = figure.fit()
    assert (slope, intercept, r) == pytest.approx(
        (theirs.slope, theirs.intercept, theirs.rvalue), abs=1e-12
    )
    assert n == 50
    assert f"r = {theirs.rvalue:.3f}, n = 50" in texts(figure)


def test_a_constant_has_no_line() -> None:
    figure = ScatterPlot(title="t", x_label="x", y_label="y", x=[1, 2, 3], y=[5, 5, 5])
    assert math.isnan(figure.fit()[2])
    assert "r undefined, n = 3" in texts(figure)


def test_distribution_tells_the_quartiles() -> None:
    sample = [1.0, 2.0, 3.0, 4.0, 5.0, float("nan")]
    told = notes(Distribution(title="t", labels=["s"], samples=[sample]))
    assert "s: 5 values, quartiles 2, 3, 4, mean 3" in told


def test_intervals_tell_their_bounds() -> None:
    figure = IntervalPlot(title="t", labels=["s"], values=[5], lows=[4.123], highs=[6])
    assert "s: 5.00 [4.12, 6.00]" in notes(figure)


def test_empty_figures_can_be_drawn() -> None:
    for figure in (
        IntervalPlot(title="t", labels=[], values=[]),
        Distribution(title="t", labels=["a"], samples=[[]]),
        ScatterPlot(title="t", x_label="x", y_label="y", x=[], y=[]),
        HeatMap(title="t", rows=["a"], columns=["b"], values=[[np.nan]]),
        Dendrogram(title="t", labels=["a"], merges=[]),
    ):
        ET.fromstring(to_svg(figure))


def test_heat_map_marks_what_is_significant() -> None:
    p = [[np.nan, 0.2], [0.0004, np.nan]]
    figure = HeatMap.of_p_values("t", ["a", "b"], ["a", "b"], p, alpha=0.05)
    written = texts(figure)
    assert "0.200" in written
    assert "<.001•" in written
    assert "b, a: <.001 (p < 0.05)" in notes(figure)
    assert "• p < 0.05" in written


def test_dendrogram_orders_leaves_as_scipy_does() -> None:
    points = np.random.default_rng(5).normal(size=(12, 3))
    merges = linkage(points, "average")
    names = [f"m{i}" for i in range(12)]
    figure = Dendrogram(title="t", labels=names, merges=merges)
    assert figure.order() == dendrogram(merges, no_plot=True)["leaves"]
    assert [text for text in texts(figure) if text in names] == [names[i] for i in figure.order()]


@given(st.integers(0, 10_000))
def test_contour_lines_lie_at_their_level(seed: int) -> None:
    values = np.random.default_rng(seed).normal(size=(5, 6))
    ends = [end for piece in contour_lines(values, 0.1) for end in piece]
    for column, row in ends:
        # Every end lies on a side of a cell, where the height is interpolated linearly.
        i, j = math.floor(row), math.floor(column)
        di, dj = row - i, column - j
        assert min(di, 1 - di, dj, 1 - dj) == pytest.approx(0, abs=1e-12)
        i1, j1 = min(i + 1, 4), min(j + 1, 5)
        height = (
            values[i, j] * (1 - di) * (1 - dj)
            + values[i1, j] * di * (1 - dj)
            + values[i, j1] * (1 - di) * dj
            + values[i1, j1] * di * dj
        )
        assert height == pytest.approx(0.1, abs=1e-9)
    # A line never stops inside the grid: each inner crossing belongs to the cells on both sides.
    rounded = [(round(c, 9), round(r, 9)) for c, r in ends]
    for c, r in set(rounded):
        at_the_rim = c in (0, 5) or r in (0, 4)
        assert rounded.count((c, r)) == (1 if at_the_rim else 2)


def test_long_names_are_cut() -> None:
    assert clipped("short", 100) == "short"
    # Of two names, both are seen, and a short one leaves its room to the other.
    pair = clipped_pair("a really long name − another long name", 120)
    assert pair.startswith("a re") and "… − anot" in pair and text_width(pair) <= 120
    assert clipped_pair("a really long name − b", 90).endswith("… − b")
    assert clipped_pair("a − another long name", 90).startswith("a − anoth")
    assert clipped_pair("a name without a partner", 60) == clipped("a name without a partner", 60)
    cut = clipped("a really long name of a system", 60)
    assert cut.endswith("…")
    assert text_width(cut) <= 60
    assert text_width("漢字") > text_width("ab")


def test_names_are_no_markup() -> None:
    figure = IntervalPlot(title="<script>&\"'\x00\ud800", labels=["</text><b>"], values=[1])
    root = ET.fromstring(to_svg(figure))
    assert "</text><b>" in texts(figure)
    assert "<script>" in root.get("aria-label", "")


def test_a_broad_map_is_turned_on_phones() -> None:
    names = [f"change {i}" for i in range(15)]
    values = np.arange(30).reshape(2, 15) / 30
    made = HeatMap(title="m", rows=["a", "b"], columns=names, values=values, marked=values > 0.9)
    phone = made.narrowed()
    assert phone.size[0] <= PHONE < made.size[0]
    assert (phone.rows, phone.columns) == (names, ["a", "b"])
    assert np.array_equal(phone.values, values.T) and np.array_equal(phone.marked, values.T > 0.9)
    tall = HeatMap(title="m", rows=names, columns=["a", "b"], values=values.T)
    assert tall.narrowed().rows == names

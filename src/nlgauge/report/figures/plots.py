"""Write figures as PNG and PDF; matplotlib is only a surface here, the figures draw themselves."""

from __future__ import annotations

import io
import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from nlgauge.errors import NlgaugeWarning, ResourceMissing, fetch
from nlgauge.report.figures.canvas import FONT, LIGHT, Anchor, Figure, Points
from nlgauge.report.figures.svg import to_svg
from nlgauge.report.formats import FigureFormat

INCH = 96  # pixels
POINT = 72 / INCH
DOTS = 300  # of a PNG, to an inch
# Fonts for the letters of East Asia on Linux, macOS and Windows.
WIDE_FONTS = (
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",
    "Noto Sans SC",
    "Noto Sans JP",
    "Noto Sans KR",
    "Source Han Sans SC",
    "WenQuanYi Zen Hei",
    "PingFang SC",
    "Hiragino Sans",
    "Apple SD Gothic Neo",
    "Microsoft YaHei",
    "Yu Gothic",
    "Malgun Gothic",
)


def check_matplotlib(format: FigureFormat) -> None:
    """Raise ResourceMissing if figures of a format other than svg cannot be drawn."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError:
        raise ResourceMissing(
            f"{format} figures need matplotlib (svg figures need nothing)", remedy=fetch("plots")
        ) from None


def rendered(figure: Figure, format: FigureFormat) -> bytes:
    """Return a file's contents; the same figure always gives the same bytes."""
    if format == "svg":
        return to_svg(figure).encode()
    check_matplotlib(format)
    import matplotlib
    from matplotlib.figure import Figure as Sheet

    width, height = figure.size
    # Fonts are embedded as outlines that journals accept.
    with matplotlib.rc_context({"pdf.fonttype": 42, "font.family": _fonts()}), _told(format):
        sheet = Sheet(figsize=(width / INCH, height / INCH), dpi=DOTS)
        axes = sheet.add_axes((0, 0, 1, 1))
        axes.set_xlim(0, width)
        axes.set_ylim(height, 0)
        axes.axis("off")
        figure.draw(_AxesCanvas(axes))
        out = io.BytesIO()
        metadata = {"CreationDate": None} if format == "pdf" else {"Software": None}
        sheet.savefig(out, format=format, dpi=DOTS, metadata=metadata)
    return out.getvalue()


def _fonts() -> list[str]:
    """Return the usual font, and for letters that it lacks those that are installed."""
    from matplotlib import font_manager

    known = set(font_manager.get_font_names())
    return ["DejaVu Sans", *(name for name in WIDE_FONTS if name in known)]


@contextmanager
def _told(format: str) -> Iterator[None]:
    """Give one warning for all letters that no font has."""
    log = logging.getLogger("matplotlib.font_manager")  # says that a font has no bold letters
    level = log.level
    log.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield
    finally:
        log.setLevel(level)
    missing = [str(w.message) for w in caught if "missing from font" in str(w.message)]
    if missing:
        warnings.warn(
            f"{format}: {len(set(missing))} characters are in no font that matplotlib finds; "
            "install Noto Sans CJK (or another font that has them), or write svg",
            NlgaugeWarning,
            stacklevel=4,
        )


def _colour(colour: str) -> str:
    return LIGHT.get(colour, colour)


class _AxesCanvas:
    """This canvas draws on axes whose units are pixels."""

    def __init__(self, axes: Any) -> None:
        self.axes = axes
        self.layer = 0  # later marks cover earlier ones

    def _next(self) -> int:
        self.layer += 1
        return self.layer

    def line(
        self,
        start: tuple[float, float],
        end: tuple[float, float],
        colour: str,
        *,
        width: float = 1,
        dashed: bool = False,
    ) -> None:
        self.path([start, end], colour, width=width, dashed=dashed)

    def path(
        self,
        points: Points,
        colour: str,
        *,
        width: float = 1,
        dashed: bool = False,
        note: str = "",  # noqa: ARG002
    ) -> None:
        x, y = np.asarray(points, np.float64).T
        style = (0, (4 / width, 3 / width)) if dashed else "-"
        self.axes.plot(
            x,
            y,
            color=_colour(colour),
            linewidth=width * POINT,
            linestyle=style,
            zorder=self._next(),
            solid_capstyle="butt",
        )

    def area(
        self,
        points: Points,
        fill: str,
        *,
        opacity: float = 1,
        edge: str = "",
        note: str = "",  # noqa: ARG002
    ) -> None:
        from matplotlib.patches import Polygon

        shape = Polygon(
            np.asarray(points, np.float64),
            closed=True,
            facecolor=_colour(fill),
            alpha=opacity,
            edgecolor=_colour(edge) if edge else "none",
            linewidth=POINT,
            zorder=self._next(),
        )
        self.axes.add_patch(shape)

    def disc(
        self,
        x: float,
        y: float,
        radius: float,
        fill: str,
        *,
        opacity: float = 1,
        note: str = "",  # noqa: ARG002
    ) -> None:
        self.dots([(x, y)], radius, fill, opacity=opacity)

    def dots(self, points: Points, radius: float, fill: str, *, opacity: float = 1) -> None:
        x, y = np.asarray(points, np.float64).reshape(-1, 2).T
        self.axes.plot(
            x,
            y,
            linestyle="none",
            marker="o",
            markersize=2 * radius * POINT,
            alpha=opacity,
            markeredgewidth=0,
            color=_colour(fill),
            zorder=self._next(),
        )

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = FONT,
        anchor: Anchor = "start",
        colour: str = "ink",
        bold: bool = False,
        upwards: bool = False,
        note: str = "",  # noqa: ARG002
    ) -> None:
        sides = {"start": "left", "middle": "center", "end": "right"}
        self.axes.text(
            x,
            y,
            text,
            fontsize=size * POINT,
            color=_colour(colour),
            zorder=self._next(),
            fontweight="bold" if bold else "normal",
            rotation=90 if upwards else 0,
            rotation_mode="anchor",
            ha=sides[anchor],
            va="baseline",
            parse_math=False,
        )

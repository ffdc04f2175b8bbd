"""Draw figures as SVG pictures.

Colours are classes, so that a page can theme them; a file of its own carries its colours with it.
"""

from __future__ import annotations

from html import escape

import numpy as np

from nlgauge.report.figures.canvas import FONT, LIGHT, Anchor, Figure, Points

FAMILY = "system-ui, 'Helvetica Neue', Arial, sans-serif"
# What a file needs; in a page, the style sheet has the same rules with variables.
STYLE = (
    f"text{{font-family:{FAMILY}}}"
    + "".join(f".f-{role}{{fill:{colour}}}" for role, colour in LIGHT.items())
    + "".join(f".s-{role}{{stroke:{colour}}}" for role, colour in LIGHT.items())
)


def to_svg(figure: Figure) -> str:
    """Return a figure as an SVG file that stands alone."""
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + inline(figure, f"<style>{STYLE}</style>")


def inline(figure: Figure, head: str = "") -> str:
    """Return a figure as an element for a page that has the rules of `STYLE`."""
    canvas = SvgCanvas()
    figure.draw(canvas)
    width, height = figure.size
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" '
        f'aria-label="{_clean(figure.title)}">{head}{"".join(canvas.parts)}</svg>\n'
    )


class SvgCanvas:
    """This canvas collects the elements of an SVG picture."""

    def __init__(self) -> None:
        self.parts: list[str] = []

    def line(
        self,
        start: tuple[float, float],
        end: tuple[float, float],
        colour: str,
        *,
        width: float = 1,
        dashed: bool = False,
    ) -> None:
        """Draw a line as a path of two points."""
        self.path([start, end], colour, width=width, dashed=dashed)

    def path(
        self, points: Points, colour: str, *, width: float = 1, dashed: bool = False, note: str = ""
    ) -> None:
        """Draw a path that is never filled."""
        dash = ' stroke-dasharray="4 3"' if dashed else ""
        thick = "" if width == 1 else f' stroke-width="{_number(width)}"'
        colours = _colours(stroke=colour)
        self._add(f'path d="{_route(points)}" fill="none"{colours}{thick}{dash}', note)

    def area(
        self, points: Points, fill: str, *, opacity: float = 1, edge: str = "", note: str = ""
    ) -> None:
        """Draw a shape as a closed path."""
        colours = _colours(fill=fill, stroke=edge)
        self._add(f'path d="{_route(points)}z"{colours}{_opacity(opacity)}', note)

    def disc(
        self, x: float, y: float, radius: float, fill: str, *, opacity: float = 1, note: str = ""
    ) -> None:
        """Draw a disc as a circle element."""
        place = f'cx="{_number(x)}" cy="{_number(y)}" r="{_number(radius)}"'
        self._add(f"circle {place}{_colours(fill=fill)}{_opacity(opacity)}", note)

    def dots(self, points: Points, radius: float, fill: str, *, opacity: float = 1) -> None:
        """Draw one path of round line ends; those on the same half pixel are drawn once."""
        array = np.asarray(points, np.float64).reshape(-1, 2)
        places = np.unique(np.round(array * 2) / 2, axis=0)
        route = "".join(f"M{_number(x)} {_number(y)}h0" for x, y in places.tolist())
        self._add(
            f'path d="{route}" fill="none" stroke-linecap="round"{_colours(stroke=fill)} '
            f'stroke-width="{_number(2 * radius)}" stroke-opacity="{opacity:g}"'
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
        note: str = "",
    ) -> None:
        """Write a text element; blanks at its ends are of no use here."""
        place = f'x="{_number(x)}" y="{_number(y)}" font-size="{_number(size)}"'
        side = "" if anchor == "start" else f' text-anchor="{anchor}"'
        weight = ' font-weight="600"' if bold else ""
        turn = f' transform="rotate(-90 {_number(x)} {_number(y)})"' if upwards else ""
        title = f"<title>{_clean(note)}</title>" if note else ""
        self.parts.append(
            f"<text {place}{side}{weight}{turn}{_colours(fill=colour)}>{title}{_clean(text)}</text>"
        )

    def _add(self, element: str, note: str = "") -> None:
        if note:
            self.parts.append(f"<{element}><title>{_clean(note)}</title></{element.split()[0]}>")
        else:
            self.parts.append(f"<{element}/>")


def _colours(*, fill: str = "", stroke: str = "") -> str:
    """Return roles as classes, and colours as attributes."""
    classes, attributes = [], ""
    for letter, name, colour in (("f", "fill", fill), ("s", "stroke", stroke)):
        if colour.startswith("#"):
            attributes += f' {name}="{colour}"'
        elif colour:
            classes.append(f"{letter}-{colour}")
    return attributes + (f' class="{" ".join(classes)}"' if classes else "")


def _opacity(opacity: float) -> str:
    return "" if opacity == 1 else f' fill-opacity="{opacity:g}"'


def _route(points: Points) -> str:
    return "M" + "L".join(f"{_number(x)} {_number(y)}" for x, y in points)


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _clean(text: str) -> str:
    """Return the text escaped, and without the control characters that XML cannot hold."""
    return escape(
        "".join(
            c if c >= " " and not "\ud800" <= c <= "\udfff" and c not in "\ufffe\uffff" else " "
            for c in text
        )
    )

"""Draw figures: each kind holds plain numbers and labels, and draws itself on any `Canvas`.

`to_svg` makes a file without any dependency, `rendered` a PNG or PDF with matplotlib.
"""

from typing import TYPE_CHECKING

from nlgauge.lazy import exports

if TYPE_CHECKING:
    from nlgauge.report.figures.canvas import Canvas as Canvas
    from nlgauge.report.figures.canvas import Figure as Figure
    from nlgauge.report.figures.contour import Contour as Contour
    from nlgauge.report.figures.dendrogram import Dendrogram as Dendrogram
    from nlgauge.report.figures.distribution import Distribution as Distribution
    from nlgauge.report.figures.heat_map import HeatMap as HeatMap
    from nlgauge.report.figures.interval_plot import IntervalPlot as IntervalPlot
    from nlgauge.report.figures.plots import rendered as rendered
    from nlgauge.report.figures.scatter import ScatterPlot as ScatterPlot
    from nlgauge.report.figures.svg import to_svg as to_svg

__all__, __getattr__, __dir__ = exports(
    __name__,
    {
        "nlgauge.report.figures.canvas": ["Canvas", "Figure"],
        "nlgauge.report.figures.contour": ["Contour"],
        "nlgauge.report.figures.dendrogram": ["Dendrogram"],
        "nlgauge.report.figures.distribution": ["Distribution"],
        "nlgauge.report.figures.heat_map": ["HeatMap"],
        "nlgauge.report.figures.interval_plot": ["IntervalPlot"],
        "nlgauge.report.figures.plots": ["rendered"],
        "nlgauge.report.figures.scatter": ["ScatterPlot"],
        "nlgauge.report.figures.svg": ["to_svg"],
    },
)

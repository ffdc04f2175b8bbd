"""Draw figures: each kind holds plain numbers and labels, and draws itself on any `Canvas`.

`svg.to_svg` makes a file without any dependency, `plots.rendered` a PNG or PDF with matplotlib.
"""

from nlgauge.report.figures.canvas import Figure
from nlgauge.report.figures.contour import Contour
from nlgauge.report.figures.dendrogram import Dendrogram
from nlgauge.report.figures.distribution import Distribution
from nlgauge.report.figures.heat_map import HeatMap
from nlgauge.report.figures.interval_plot import IntervalPlot
from nlgauge.report.figures.scatter import ScatterPlot

__all__ = [
    "Contour",
    "Dendrogram",
    "Distribution",
    "Figure",
    "HeatMap",
    "IntervalPlot",
    "ScatterPlot",
]

"""Draw what a metric saw: there is one kind of figure for each kind of trace."""

from __future__ import annotations

from nlgauge.explain.explanation import Explanation
from nlgauge.explain.traces import (
    Alignment,
    Edits,
    Frames,
    Graphs,
    MarkedText,
    TokenSimilarities,
    Trace,
)
from nlgauge.report.figures.canvas import Figure
from nlgauge.report.pictures.alignment import AlignmentPicture
from nlgauge.report.pictures.edits import EditsPicture
from nlgauge.report.pictures.frames import FramesPicture
from nlgauge.report.pictures.graphs import GraphsPicture
from nlgauge.report.pictures.marked_text import MarkedTextPicture
from nlgauge.report.pictures.similarity_map import SimilarityMap
from nlgauge.report.pictures.trees import TreesPicture


def picture(trace: Trace, title: str = "", other: str = "reference") -> Figure:
    """Return the figure of a trace; `other` is what the hypothesis is compared with."""
    if isinstance(trace, Alignment):
        return AlignmentPicture(title, trace)
    if isinstance(trace, Edits):
        return EditsPicture(title, trace)
    if isinstance(trace, Graphs):
        return GraphsPicture(title, trace)
    if isinstance(trace, TokenSimilarities):
        return SimilarityMap(title, trace, other)
    if isinstance(trace, Frames):
        return FramesPicture(title, trace, other)
    if isinstance(trace, MarkedText):
        return MarkedTextPicture(title, trace)
    return TreesPicture(title, trace, other)


def explained(explanation: Explanation) -> Figure:
    """Return the figure of an explanation, titled with metric, score and whose output it is."""
    title = f"{explanation.name} {explanation.score.shown()}"
    title += f": {explanation.of}" if explanation.of else ""
    return picture(explanation.trace, title, explanation.other)

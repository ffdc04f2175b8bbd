"""Explain why a segment got its score: `explain`, traces of metrics, and what builds them."""

from typing import TYPE_CHECKING

from nlgauge.lazy import exports

if TYPE_CHECKING:
    from nlgauge.explain.builders import edits as edits
    from nlgauge.explain.builders import greedy as greedy
    from nlgauge.explain.builders import linked as linked
    from nlgauge.explain.builders import recognition as recognition
    from nlgauge.explain.builders import runs as runs
    from nlgauge.explain.builders import shifts_and_edits as shifts_and_edits
    from nlgauge.explain.builders import subsequence as subsequence
    from nlgauge.explain.builders import transport as transport
    from nlgauge.explain.explanation import Explanation as Explanation
    from nlgauge.explain.explanation import Explanations as Explanations
    from nlgauge.explain.explanation import explain as explain
    from nlgauge.explain.traces import Alignment as Alignment
    from nlgauge.explain.traces import Edit as Edit
    from nlgauge.explain.traces import Edits as Edits
    from nlgauge.explain.traces import FramePair as FramePair
    from nlgauge.explain.traces import Frames as Frames
    from nlgauge.explain.traces import FrameSpans as FrameSpans
    from nlgauge.explain.traces import Graph as Graph
    from nlgauge.explain.traces import GraphItem as GraphItem
    from nlgauge.explain.traces import Graphs as Graphs
    from nlgauge.explain.traces import Link as Link
    from nlgauge.explain.traces import MarkedText as MarkedText
    from nlgauge.explain.traces import Match as Match
    from nlgauge.explain.traces import Node as Node
    from nlgauge.explain.traces import Relation as Relation
    from nlgauge.explain.traces import RolePair as RolePair
    from nlgauge.explain.traces import RoleSpan as RoleSpan
    from nlgauge.explain.traces import Shift as Shift
    from nlgauge.explain.traces import TokenSimilarities as TokenSimilarities
    from nlgauge.explain.traces import Trace as Trace
    from nlgauge.explain.traces import Trees as Trees

__all__, __getattr__, __dir__ = exports(
    __name__,
    {
        "nlgauge.explain.builders": [
            "edits",
            "greedy",
            "linked",
            "recognition",
            "runs",
            "shifts_and_edits",
            "subsequence",
            "transport",
        ],
        "nlgauge.explain.explanation": ["Explanation", "Explanations", "explain"],
        "nlgauge.explain.traces": [
            "Alignment",
            "Edit",
            "Edits",
            "FramePair",
            "FrameSpans",
            "Frames",
            "Graph",
            "GraphItem",
            "Graphs",
            "Link",
            "MarkedText",
            "Match",
            "Node",
            "Relation",
            "RolePair",
            "RoleSpan",
            "Shift",
            "TokenSimilarities",
            "Trace",
            "Trees",
        ],
    },
)

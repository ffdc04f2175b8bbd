"""Scene graphs for `nlgauge explain`."""

from __future__ import annotations

from nlgauge.explain.traces import Graph, GraphItem, Graphs, Relation
from nlgauge.metrics.syntax.scene_graph import GraphComparison, Place, SceneGraph


def graphs(found: GraphComparison) -> Graphs:
    """Show both graphs, with what each has in common with the other."""
    ours = {place for place in found.candidate.facts() if found.partners(place)}
    theirs = {partner for place in ours for partner in found.partners(place)}
    return Graphs(_graph(found.candidate, ours), _graph(found.references, theirs))


def _graph(graph: SceneGraph, matched: set[Place]) -> Graph:
    objects = (
        GraphItem(
            str(concept),
            (k,) in matched,
            tuple(GraphItem(str(a), (k, n) in matched) for n, a in enumerate(graph.attributes[k])),
        )
        for k, concept in enumerate(graph.objects)
    )
    relations = (
        Relation(source, str(relation), target, (source, target, n) in matched)
        for (source, target), relations in graph.relations.items()
        for n, relation in enumerate(relations)
    )
    return Graph(tuple(objects), tuple(relations))

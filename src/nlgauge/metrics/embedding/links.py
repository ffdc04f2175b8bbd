"""What a pair of texts was compared by, for `nlgauge explain`: best cosines, and flows."""

from __future__ import annotations

import numpy as np

from nlgauge.explain import Alignment, Link
from nlgauge.kernels import transport
from nlgauge.metrics.embedding.embedded import Pair


def best_cosines(pair: Pair) -> Alignment:
    """Each word and the one of the other text that it is most similar to."""
    i, j = pair.known()
    links: dict[tuple[int, int], float] = {}
    if i.size and j.size:
        cosines = pair.cosines()
        pairs = [
            *enumerate(cosines.argmax(axis=1).tolist()),
            *((k, c) for c, k in enumerate(cosines.argmax(axis=0).tolist())),
        ]
        links = {(int(i[k]), int(j[c])): float(cosines[k, c]) for k, c in pairs}
    return _aligned(pair, links, "cos", "every word's best cosine")


def flows(pair: Pair, *, unit: bool) -> Alignment:
    """How much of every word goes where, and how far that is."""
    i, j = pair.known()
    links: dict[tuple[int, int], float] = {}
    if i.size and j.size:
        costs = pair.distances(unit=unit)
        _, (moved,) = transport([np.ones(i.size)], [np.ones(j.size)], [costs], flows=True)
        links = {(int(i[k]), int(j[c])): float(costs[k, c]) for k, c in np.argwhere(moved > 0)}
    return _aligned(pair, links, "d", "how far words move")


def _aligned(pair: Pair, links: dict[tuple[int, int], float], what: str, note: str) -> Alignment:
    made = (Link(i, j, f"{what}={value:.2f}") for (i, j), value in sorted(links.items()))
    return Alignment(tuple(pair.hyp), tuple(pair.ref), tuple(made), note)

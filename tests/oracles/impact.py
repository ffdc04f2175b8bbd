"""IMPACT by listing every longest common subsequence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

Route = tuple[tuple[int, int], ...]  # pairs of positions


def routes(hyp: Sequence[str], ref: Sequence[str]) -> Iterator[Route]:
    """All longest common subsequences, as pairs of positions."""

    @cache
    def length(i: int, j: int) -> int:
        if i == len(hyp) or j == len(ref):
            return 0
        if hyp[i] == ref[j]:
            return 1 + length(i + 1, j + 1)
        return max(length(i + 1, j), length(i, j + 1))

    def walk(i: int, j: int, rest: int) -> Iterator[Route]:
        if rest == 0:
            yield ()
            return
        for a in range(i, len(hyp)):
            for b in range(j, len(ref)):
                if hyp[a] == ref[b] and length(a + 1, b + 1) == rest - 1:
                    for route in walk(a + 1, b + 1, rest - 1):
                        yield ((a, b), *route)

    return walk(0, 0, length(0, 0))


def parts(route: Route) -> list[tuple[int, int, int]]:
    """Contiguous parts of a route: first positions and length."""
    found: list[tuple[int, int, int]] = []
    for a, b in route:
        i, j, n = found[-1] if found else (-2, -2, 0)
        if (i + n, j + n) == (a, b) and n:
            found[-1] = (i, j, n + 1)
        else:
            found.append((a, b, 1))
    return found


def value(route: Route, hyp_size: int, ref_size: int, beta: float = 1.2) -> float:
    """What decides between routes."""
    return sum(
        n**beta * (1 - abs((i + 1) / hyp_size - (j + 1) / ref_size)) for i, j, n in parts(route)
    )


def score(
    hyp: Sequence[str], ref: Sequence[str], *, alpha: float = 0.1, beta: float = 1.2
) -> tuple[float, bool]:
    """IMPACT of one pair, and whether equally good routes left it open."""
    if not hyp or not ref:
        return 0.0, False
    h, r = list(hyp), list(ref)
    total, weight, open_choice = 0.0, 1.0, False
    while True:
        found = sorted(
            {(round(value(x, len(h), len(r), beta), 9), x) for x in routes(h, r)}, reverse=True
        )
        if not found[0][1]:
            break
        open_choice |= len(found) > 1 and found[0][0] == found[1][0]
        best = found[0][1]
        total += weight * sum(n**beta for _, _, n in parts(best))
        weight *= alpha
        h = [w for i, w in enumerate(h) if i not in {a for a, _ in best}]
        r = [w for j, w in enumerate(r) if j not in {b for _, b in best}]
        if not h or not r:
            break
    recall = (total / len(ref) ** beta) ** (1 / beta)
    precision = (total / len(hyp) ** beta) ** (1 / beta)
    if precision == 0 or recall == 0:
        return 0.0, open_choice
    gamma = precision / recall
    return (1 + gamma**2) * recall * precision / (recall + gamma**2 * precision), open_choice

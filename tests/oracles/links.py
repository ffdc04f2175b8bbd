"""METEOR's links by listing every largest matching, and GTM's runs by listing every run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

Link = tuple[int, int]


def matchings(pairs: Sequence[Link]) -> Iterator[list[Link]]:
    """All one-to-one subsets."""
    if not pairs:
        yield []
        return
    (i, j), rest = pairs[0], pairs[1:]
    yield from matchings(rest)
    for chosen in matchings([(a, b) for a, b in rest if a != i and b != j]):
        yield [(i, j), *chosen]


def crossings(links: Sequence[Link], others: Sequence[Link]) -> int:
    return sum((a - c) * (b - d) < 0 for a, b in links for c, d in others)


def chunks(links: Sequence[Link]) -> int:
    linked = set(links)
    return sum((i - 1, j - 1) not in linked for i, j in links)


def stage(pairs: Sequence[Link], before: Sequence[Link]) -> tuple[int, int, int, int]:
    """Links, crossings among them, crossings with earlier links and chunks of the best choice."""
    found = [
        (
            -len(links),
            crossings(links, links) // 2,
            crossings(links, before),
            chunks([*before, *links]),
        )
        for links in matchings(pairs)
    ]
    size, *rest = min(found)
    return (-size, *rest)  # type: ignore[return-value]


def pairs(
    hyp: Sequence[str], ref: Sequence[str], same: Callable[[str, str], bool], taken: Sequence[Link]
) -> list[Link]:
    hyps, refs = {i for i, _ in taken}, {j for _, j in taken}
    return [
        (i, j)
        for i, h in enumerate(hyp)
        for j, r in enumerate(ref)
        if i not in hyps and j not in refs and same(h, r)
    ]


def gtm(hyp: Sequence[str], refs: Sequence[Sequence[str]], exponent: float) -> float:
    """Sum of powers of run lengths as gtm.jar takes them: all runs sorted, used ones skipped."""
    joined: list[str | None] = []
    for ref in refs:
        joined += [*ref, None]
    runs = []
    for i in range(len(hyp)):
        for j in range(len(joined)):
            n = 0
            while i + n < len(hyp) and j + n < len(joined) and hyp[i + n] == joined[j + n]:
                n += 1
                runs.append((n, i, j))
    left = min(len(hyp), sum(map(len, refs)) / len(refs))
    total, hyps, others = 0.0, set(), set()
    for n, i, j in sorted(runs, reverse=True):
        if left <= 0:
            break
        length = min(n, left)
        steps = range(int(-(-length // 1)))
        if any(i + k in hyps or j + k in others for k in steps):
            continue
        hyps |= {i + k for k in steps}
        others |= {j + k for k in steps}
        left -= length
        total += length**exponent
    return total

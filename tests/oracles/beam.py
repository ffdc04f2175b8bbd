"""The best alignment of equal words, by looking at all of them."""

from itertools import product


def quality(links: list[tuple[int, int]]) -> tuple[int, int]:
    """Links, and minus the chunks they make."""
    ordered = sorted(links, key=lambda link: link[1])
    chunks = sum(
        k == 0 or (i, j) != (ordered[k - 1][0] + 1, ordered[k - 1][1] + 1)
        for k, (i, j) in enumerate(ordered)
    )
    return len(ordered), -chunks


def best(hyp: list[str], ref: list[str]) -> tuple[int, int]:
    """The quality of the best one-to-one alignment."""
    choices = [[None, *(i for i, w in enumerate(hyp) if w == r)] for r in ref]
    found = []
    for chosen in product(*choices):
        links = [(i, j) for j, i in enumerate(chosen) if i is not None]
        if len({i for i, _ in links}) == len(links):
            found.append(quality(links))
    return max(found)

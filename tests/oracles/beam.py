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


def searched(hyp: list[str], ref: list[str], beam: int) -> list[tuple[int, int]]:
    """The links that METEOR 1.5's search chooses, as its program goes about it: every alignment is
    kept as a whole, and what is not among the best is dropped at the next word.
    """
    offers = [[i for i, word in enumerate(hyp) if word == r] for r in ref]
    fixed = {
        j: found[0]
        for j, found in enumerate(offers)
        if len(found) == 1 and sum(found[0] in other for other in offers) == 1
    }
    # Covered words, chunks, distance, links, end of the last match or -1, next reference word.
    paths = [(0, 0, 0, (), -1, 0)]

    def taken(path: tuple, i: int, j: int) -> tuple:
        words, chunks, distance, links, end, _ = path
        return words + 2, chunks + (end not in (-1, i)), distance, (*links, (i, j)), i + 1, j + 1

    for j in range(len(ref)):
        kept = sorted(paths, key=lambda path: (-path[0], *path[1:3]))[:beam]
        paths = []
        for path in kept:
            if j in fixed:
                if j >= path[5]:
                    words, chunks, distance, *rest = taken(path, fixed[j], j)
                    path = (words, chunks, distance + abs(fixed[j] - j), *rest)
                paths.append(path)
                continue
            used = {i for i, _ in path[3]} | set(fixed.values())
            for i in offers[j]:
                if i not in used:
                    paths.append(taken(path, i, j))
                    path = (*path[:2], path[2] + abs(i - j), *path[3:])
            words, chunks, distance, links, end, following = path
            paths.append((words, chunks + (end >= 0), distance, links, -1, following + 1))
    kept = sorted(paths, key=lambda path: (-path[0], *path[1:3]))[:beam]
    best = min(kept, key=lambda path: (-path[0], path[1] + (path[4] >= 0), path[2]))
    return sorted(best[3], key=lambda link: link[1])

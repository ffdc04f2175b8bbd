"""QUEEN, KING and JACK as their definitions read: x[metric][a][b], texts by number."""

from itertools import permutations, product


def queen(x, metrics, a, models):
    rest = [m for m in models if m != a]
    tests = [
        all(x[k][a][m] >= x[k][m1][m2] for k in metrics)
        for m, m1, m2 in product(rest, repeat=3)
        if m1 != m2
    ]
    return sum(tests) / len(tests)


def kings(x, metrics, peers, models, strict=True):
    """One answer for each model."""
    answers = []
    for m in models:
        rest = [other for other in models if other != m]
        own = queen(x, metrics, m, rest)
        answers.append(
            all(
                own > queen(x, metrics, a, rest)
                or (not strict and own == queen(x, metrics, a, rest))
                for a in peers
            )
        )
    return answers


def jacks(x, metrics, peers, models):
    return [
        any(
            all(x[k][a][b] <= x[k][a][m] and x[k][b][a] <= x[k][b][m] for k in metrics)
            and queen(x, metrics, a, models) > 0
            and queen(x, metrics, b, models) > 0
            for a, b in permutations(peers, 2)
        )
        for m in models
    ]


def agreement(x, one, other, peers, models):
    """How often two metrics say the same of x(a, m) >= x(m', m'')."""
    same = [
        (x[one][a][m] >= x[one][m1][m2]) == (x[other][a][m] >= x[other][m1][m2])
        for a in peers
        for m, m1, m2 in product(models, repeat=3)
        if m1 != m2
    ]
    return sum(same) / len(same)

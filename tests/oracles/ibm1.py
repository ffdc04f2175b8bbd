"""IBM model 1 as it is written down: dictionaries and loops."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

NULL = "NULL"


def ibm1(
    given: Sequence[Sequence[str]], texts: Sequence[Sequence[str]], iterations: int
) -> dict[tuple[str, str], float]:
    """t(word | given word), from equal probabilities on."""
    vocabulary = {word for text in texts for word in text}
    table: dict[tuple[str, str], float] = defaultdict(lambda: 1 / len(vocabulary))
    for _ in range(iterations):
        counts: dict[tuple[str, str], float] = defaultdict(float)
        totals: dict[str, float] = defaultdict(float)
        for others, words in zip(given, texts, strict=True):
            for word in words:
                sources = [NULL, *others]
                norm = sum(table[other, word] for other in sources)
                for other in sources:
                    share = table[other, word] / norm
                    counts[other, word] += share
                    totals[other] += share
        table = defaultdict(
            float, {pair: count / totals[pair[0]] for pair, count in counts.items()}
        )
    return dict(table)

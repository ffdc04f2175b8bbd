"""What moves between two texts when the words they share stay, and whether it keeps its order."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from nlgauge.kernels import Floats

Targets = Mapping[str, list[str]]


@dataclass(frozen=True)
class TransportProblem:
    """Masses are whole numbers, in units of 1 / (words of hyp · words of ref)."""

    ref: Counter[str]
    hyp: Counter[str]
    left: dict[str, int]  # what the hypothesis has more of than the reference
    right: dict[str, int]

    @classmethod
    def build(cls, ref: Counter[str], hyp: Counter[str]) -> TransportProblem:
        """Build the problem of two bags of words."""
        r, h = ref.total(), hyp.total()
        more = {word: hyp[word] * r - ref[word] * h for word in sorted(ref | hyp)}
        return cls(
            ref,
            hyp,
            {word: mass for word, mass in more.items() if mass > 0},
            {word: -mass for word, mass in more.items() if mass < 0},
        )

    @property
    def moving(self) -> float:
        """Return the share of all mass that moves."""
        return sum(self.left.values()) / max(self.ref.total() * self.hyp.total(), 1)

    def targets(self, moved: Floats) -> Targets:
        """Return, for words of the reference, those of the hypothesis that get most of their
        mass.
        """
        r, h = self.ref.total(), self.hyp.total()
        flow = {w: {w: min(n * h, self.hyp[w] * r)} for w, n in self.ref.items() if self.hyp[w]}
        rows, columns = np.nonzero(moved)  # few of many, of which there is no second copy
        amounts = np.rint(moved[rows, columns] * sum(self.left.values())).astype(np.int64)
        hyp, ref = list(self.left), list(self.right)
        for i, j, amount in zip(rows.tolist(), columns.tolist(), amounts.tolist(), strict=True):
            if amount:
                flow.setdefault(ref[j], {})[hyp[i]] = amount
        return {w: [x for x in sorted(to) if to[x] == max(to.values())] for w, to in flow.items()}


def chunks_and_words(ref: Sequence[str], hyp: Sequence[str], targets: Targets) -> tuple[int, int]:
    """Count the runs of reference words that stay neighbours, and the words that go somewhere. Of
    several places of a word, the one nearest to where the run would go on counts.
    """
    places = _places(hyp)
    chunks = words = 0
    wanted = -1
    for word in ref:
        found = [place for target in targets.get(word, ()) for place in places[target]]
        if found:
            place = min(found, key=lambda p: (abs(p - wanted), p))
            chunks += place != wanted
            words += 1
            wanted = place + 1
    return chunks, words


def tool_chunks_and_words(
    ref: Sequence[str], hyp: Sequence[str], targets: Targets
) -> tuple[int, int]:
    """Count both as the authors' program does: runs are one too many if the first does not start
    the text, and nearest is what is near the last word. (0, 1) if a target is a part of a word.
    """
    places = _places(hyp)
    chunks, words, current = 1, 0, -1
    for word in ref:
        if word not in targets:
            continue
        lists = [places.get(target, []) for target in targets[word]]
        if not all(lists):
            return 0, 1
        place = _closest([_closest(found, current) for found in lists], current)
        chunks += place != current + 1
        words += 1
        current = place
    return chunks, words


def _places(words: Sequence[str]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for i, word in enumerate(words):
        places.setdefault(word, []).append(i)
    return places


def _closest(numbers: list[int], wanted: int) -> int:
    # Made for sorted numbers, and used for others, too.
    at = bisect_left(numbers, wanted)
    if at in (0, len(numbers)):
        return numbers[min(at, len(numbers) - 1)]
    before, after = numbers[at - 1], numbers[at]
    return after if after - wanted < wanted - before else before

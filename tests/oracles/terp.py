"""TERp's search as its description reads, on whole matrices and without any index."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

Words = Sequence[str]
Step = tuple[str, int, int]  # edit, words of the hypothesis, words of the reference


@dataclass(frozen=True)
class Search:
    insertion: float
    deletion: float
    substitution: float
    shift: float
    phrase: float
    beam: float
    size: int
    distance: int
    phrases: frozenset[tuple[tuple[str, ...], tuple[str, ...]]] = (
        frozenset()
    )  # reference, hypothesis
    stop: frozenset[str] = field(default_factory=frozenset)

    def phrases_at(self, hyp: Words, j: int, ref: Words, i: int) -> list[tuple[int, int]]:
        """Lengths, in the reference and in the hypothesis."""
        return [
            (len(a), len(b))
            for a, b in self.phrases
            if tuple(ref[i : i + len(a)]) == a and tuple(hyp[j : j + len(b)]) == b
        ]

    def align(self, hyp: Words, ref: Words) -> tuple[float, list[Step]]:
        cost: dict[tuple[int, int], float] = {(0, 0): 0.0}
        came: dict[tuple[int, int], Step] = {}

        def reach(i: int, j: int, more: float, step: Step) -> bool:
            better = (i, j) not in cost or more < cost[i, j]
            if better:
                cost[i, j], came[i, j] = more, step
            return better

        best, first, last = 999999.0, 0, 0
        for j in range(len(hyp) + 1):
            limit, best = best + self.beam, 999999.0
            start, end = first, last
            first, last = -1, -1
            assert start >= 0
            for i in range(start, len(ref) + 1):
                if j < len(hyp) and i > end:
                    break
                here = cost.get((i, j))
                if here is None or (j < len(hyp) and here > limit):
                    continue
                first = i if first < 0 else first
                last = i + 1
                if i < len(ref) and j < len(hyp):
                    same = hyp[j] == ref[i]
                    more = here + (0.0 if same else self.substitution)
                    if reach(i + 1, j + 1, more, ("match" if same else "substitute", 1, 1)) or same:
                        best = min(best, more)
                for a, b in self.phrases_at(hyp, j, ref, i):
                    reach(i + a, j + b, here + self.phrase, ("phrase", b, a))
                if j < len(hyp):
                    reach(i, j + 1, here + self.insertion, ("insert", 1, 0))
                deleted = ("delete", 0, 1)
                if i < len(ref) and reach(i + 1, j, here + self.deletion, deleted) and i >= end:
                    end = i + 1
        steps: list[Step] = []
        i, j = len(ref), len(hyp)
        while i or j:
            steps.append(came[i, j])
            i, j = i - steps[-1][2], j - steps[-1][1]
        return cost[len(ref), len(hyp)], steps[::-1]

    def run(self, hyp: Words, ref: Words) -> tuple[float, list[tuple[int, int, int]], list[Step]]:
        """The cost, the shifts (start, end, behind which word) and the steps after them."""
        words, shifts, shifting = list(hyp), [], 0.0
        cost, steps = self.align(words, ref)
        while True:
            chosen, low, paid = None, cost, 0.0
            listed = self.candidates(words, ref, steps)
            for length in sorted({length for length, _ in listed}, reverse=True):
                for shift in sorted(s for size, s in listed if size == length):
                    saved = cost - (paid + low)
                    if saved > 2 * length or (paid and saved == 2 * length):
                        break
                    other = self.align(moved(words, shift), ref)[0]
                    gain = (low + paid) - (other + self.shift)
                    if gain > 0 or (not paid and gain == 0):
                        chosen, low, paid = shift, other, self.shift
            if chosen is None:
                return cost + shifting, shifts, steps
            shifts.append(chosen)
            shifting += self.shift
            words = moved(words, chosen)
            cost, steps = self.align(words, ref)

    def candidates(self, hyp: Words, ref: Words, steps: list[Step]) -> set:
        to_hyp, to_ref, hyp_wrong, ref_wrong = [], [], [], []
        for edit, h, r in steps:
            both = bool(h and r)
            at = len(to_ref) - 1 + both, len(to_hyp) - 1 + both
            to_ref += [at[1]] * h
            to_hyp += [at[0]] * r
            hyp_wrong += [edit != "match"] * h
            ref_wrong += [edit != "match"] * r
        found = set()

        def grow(h: int, r: int, h_size: int, r_size: int) -> None:
            for more in range(self.size - h_size):
                h_end, r_end = h + h_size + more, r + r_size + more
                if h_end >= len(hyp) or r_end >= len(ref):
                    return
                near = (
                    to_ref[max(h_end - self.distance, 0)],
                    to_ref[min(h_end + self.distance, len(hyp) - 1)],
                )
                if near[0] <= r_end <= near[1]:
                    for a, b in self.phrases_at(hyp, h_end, ref, r_end):
                        grow(h, r, h_size + more + b, r_size + more + a)
                if hyp[h_end] != ref[r_end]:
                    return
                block, there = range(h, h_end + 1), range(r, r_end + 1)
                if not any(hyp_wrong[k] for k in block) or not any(ref_wrong[k] for k in there):
                    continue
                if self.stop.issuperset(hyp[k] for k in block):
                    continue
                if self.stop.issuperset(ref[k] for k in there):
                    continue
                if to_hyp[r] in block or abs(to_hyp[r] - h) > self.distance:
                    continue
                length = min(max(len(block), len(there)), self.size + 1)
                for at in range(r - 1, min(r + len(block), len(ref))):
                    if at < 0:
                        found.add((length, (h, h_end, -1)))
                    elif to_hyp[at] != h and (at == r or to_hyp[at] != to_hyp[r]):
                        found.add((length, (h, h_end, to_hyp[at])))

        for r in range(len(ref)):
            for h in range(len(hyp)):
                grow(h, r, 0, 0)
        return found


def moved(words: Words, shift: tuple[int, int, int]) -> list[str]:
    start, end, after = shift
    block, rest = list(words[start : end + 1]), [*words[:start], *words[end + 1 :]]
    if after < start:
        place = after + 1
    elif after > end:
        place = after + 1 - len(block)
    else:  # told to land inside itself, it moves right by as many words
        place = after
    return [*rest[:place], *block, *rest[place:]]

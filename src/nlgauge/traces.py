"""The comparisons behind metrics, for one pair of texts: what `Metric.trace` is made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nlgauge.explain import Alignment, Edit, Edits, Link, Shift
from nlgauge.kernels import Texts, native

Words = Sequence[str]


def linked(hyp: Words, ref: Words, pairs: Iterable[tuple[int, int]], note: str = "") -> Alignment:
    """An alignment from pairs of places."""
    return Alignment(tuple(hyp), tuple(ref), tuple(Link(i, j) for i, j in pairs), note)


def runs(hyp: Words, ref: Words) -> Alignment:
    """Common words, the longest common runs first: the n-grams both texts have."""
    found = native.gtm_runs(hyp, [ref])
    pairs = [(i + k, j + k) for i, _, j, length in found for k in range(length)]
    return linked(hyp, ref, pairs)


def subsequence(hyp: Words, ref: Words) -> Alignment:
    """A longest common subsequence."""
    return linked(hyp, ref, native.common_subsequence(Texts(hyp), Texts(ref)))


def edits(hyp: Words, ref: Words) -> Edits:
    """The fewest edits."""
    return Edits(tuple(hyp), tuple(ref), _script(native.edit_script(Texts(hyp), Texts(ref))))


def shifts_and_edits(
    hyp: Words, ref: Words, *, shift_size: int, shift_distance: int, candidates: int
) -> Edits:
    """TER's shifts, and the edits that are left."""
    moves, script = native.ter_script(
        Texts(hyp),
        Texts(ref),
        shift_size=shift_size,
        shift_distance=shift_distance,
        candidates=candidates,
    )
    shifts = tuple(Shift(*move) for move in moves)
    words = list(hyp)
    for shift in shifts:
        words = shift.apply(words)
    return Edits(tuple(words), tuple(ref), _script(script), shifts, tuple(hyp))


def _script(steps: Iterable[tuple[str, int, int]]) -> tuple[Edit, ...]:
    return tuple(
        Edit(
            operation,  # type: ignore[arg-type]
            None if operation == "delete" else i,
            None if operation == "insert" else j,
        )
        for operation, i, j in steps
    )

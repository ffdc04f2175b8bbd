"""Build traces: the comparisons behind metrics, for one pair of texts (`Metric.trace`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from nlgauge.explain.traces import Alignment, Edit, Edits, Floats, Link, Match, Shift
from nlgauge.kernels import Texts, native

Words = Sequence[str]


def linked(hyp: Words, ref: Words, pairs: Iterable[tuple[int, int]], note: str = "") -> Alignment:
    """Return an alignment from pairs of places."""
    return Alignment(tuple(hyp), tuple(ref), tuple(Link(i, j) for i, j in pairs), note)


def runs(hyp: Words, ref: Words) -> Alignment:
    """Align common words, the longest common runs first: the n-grams that both texts have."""
    found = native.gtm_runs(hyp, [ref])
    pairs = [(i + k, j + k) for i, _, j, length in found for k in range(length)]
    return linked(hyp, ref, pairs)


def subsequence(hyp: Words, ref: Words) -> Alignment:
    """Align a longest common subsequence of two texts."""
    return linked(hyp, ref, native.common_subsequence(Texts(hyp), Texts(ref)))


def edits(hyp: Words, ref: Words) -> Edits:
    """Return the fewest edits between two texts."""
    return Edits(tuple(hyp), tuple(ref), _script(native.edit_script(Texts(hyp), Texts(ref))))


def recognition(hyp: Words, ref: Words) -> Edits:
    """Return the fewest edits, in the alignment that jiwer counts."""
    script = _script(native.recognition_script(Texts(hyp), Texts(ref)))
    return Edits(tuple(hyp), tuple(ref), script)


def shifts_and_edits(
    hyp: Words, ref: Words, *, shift_size: int, shift_distance: int, candidates: int
) -> Edits:
    """Return TER's shifts, and the edits that are left."""
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


def terp(
    hyp: Words,
    ref: Words,
    moves: Sequence[tuple[int, int, int]],
    steps: Sequence[tuple[str, int, int]],
) -> Edits:
    """Return TERp's shifts and edits; the note names the stems, synonyms and phrases among them."""
    shifts = tuple(Shift(*move) for move in moves)
    words = list(hyp)
    for shift in shifts:
        words = shift.apply(words)
    script: list[tuple[str, int, int]] = []
    named: dict[str, list[str]] = {}
    i = j = 0
    for operation, more_hyp, more_ref in steps:
        both = min(more_hyp, more_ref)
        plain = operation if operation in ("match", "insert", "delete") else "substitute"
        script += [(plain, i + k, j + k) for k in range(both)]
        script += [("insert", i + k, j + both) for k in range(both, more_hyp)]
        script += [("delete", i + more_hyp, j + k) for k in range(both, more_ref)]
        if operation in ("stem", "synonym", "phrase"):
            sides = " ".join(words[i : i + more_hyp]), " ".join(ref[j : j + more_ref])
            named.setdefault(operation, []).append(" ~ ".join(sides))
        i, j = i + more_hyp, j + more_ref
    note = "; ".join(f"{kind}s: {', '.join(pairs)}" for kind, pairs in named.items())
    return Edits(tuple(words), tuple(ref), _script(script), shifts, tuple(hyp), note)


def greedy(nearness: Floats) -> tuple[Match, ...]:
    """Match each token with the most similar one of the other side, the first of several; what is
    not compared (NaN) is never the best.
    """
    known = np.where(np.isnan(nearness), -np.inf, nearness)
    if not known.size:
        return ()
    of_hyp, of_ref = known.argmax(axis=1), known.argmax(axis=0)
    precision = {(i, int(j)) for i, j in enumerate(of_hyp) if np.isfinite(known[i, j])}
    recall = {(int(i), j) for j, i in enumerate(of_ref) if np.isfinite(known[i, j])}
    sides = dict.fromkeys(precision, "hyp") | dict.fromkeys(recall, "ref")
    sides |= dict.fromkeys(precision & recall, "both")
    return tuple(Match(*cell, side) for cell, side in sorted(sides.items()))  # type: ignore[arg-type]


def transport(flow: Floats, least: float = 1e-9) -> tuple[Match, ...]:
    """Match the tokens between which anything is moved; `flow` is [hyp, ref]."""
    return tuple(
        Match(int(i), int(j), "both", float(flow[i, j])) for i, j in np.argwhere(flow > least)
    )


def _script(steps: Iterable[tuple[str, int, int]]) -> tuple[Edit, ...]:
    return tuple(
        Edit(
            operation,  # type: ignore[arg-type]
            None if operation == "delete" else i,
            None if operation == "insert" else j,
        )
        for operation, i, j in steps
    )

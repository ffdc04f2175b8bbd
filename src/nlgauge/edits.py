"""How a text becomes its reference: edit scripts, TER's shifts, common subsequences.

Words are given as lists; an edit is `(kind, i, j)` with `kind` one of match, substitute, insert (a
word only h has) and delete (a word only r has), and the places in h and in r.
"""

from __future__ import annotations

from collections.abc import Sequence

from nlgauge.kernels import Texts, native

Edit = tuple[str, int, int]
Shift = tuple[int, int, int]


def edit_script(hyp: Sequence[str], ref: Sequence[str]) -> list[Edit]:
    """The fewest edits; of equally few ones, with the fewest substitutions."""
    return native.edit_script(Texts(hyp), Texts(ref))


def common_subsequence(hyp: Sequence[str], ref: Sequence[str]) -> list[tuple[int, int]]:
    """Places of a longest common subsequence."""
    return native.common_subsequence(Texts(hyp), Texts(ref))


def ter_script(
    hyp: Sequence[str],
    ref: Sequence[str],
    *,
    max_shift_size: int = 10,
    max_shift_distance: int = 50,
    max_candidates: int = 1000,
) -> tuple[list[Shift], list[Edit]]:
    """TER's shifts `(start, length, target)`, and the edits that are left.

    A shift moves the block of `length` words at `start` to before the word at `target`, in the
    words as the shifts before it left them; see `shifted`.
    """
    return native.ter_script(
        Texts(hyp),
        Texts(ref),
        shift_size=max_shift_size,
        shift_distance=max_shift_distance,
        candidates=max_candidates,
    )


def shifted(words: Sequence[str], shift: Shift) -> list[str]:
    """The words after a shift."""
    start, length, target = shift
    block = list(words[start : start + length])
    if target < start:
        return [*words[:target], *block, *words[target:start], *words[start + length :]]
    return [*words[:start], *words[start + length : target], *block, *words[target:]]

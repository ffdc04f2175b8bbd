"""Two texts with their frames side by side, for `explain`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nlgauge.data.frames import Frame
from nlgauge.explain import traces
from nlgauge.kernels import Floats
from nlgauge.metrics.semantics.structure import GROUPS, Pair, RolePhrases

if TYPE_CHECKING:
    from nlgauge.metrics.semantics.meant import MeantText


def frames_trace(
    hyp: MeantText, ref: MeantText, pairs: list[list[Pair]] | None, weights: Floats
) -> traces.Frames:
    """Show aligned frames and roles; none if either text has no frames."""
    shown = ", ".join(f"{name} {w:.3g}" for name, w in zip(GROUPS, weights, strict=True))
    note = f"weights: {shown}"
    if pairs is None:
        note = "a text without frames: both are compared as one phrase"
    return traces.Frames(
        hyp.units.words,
        ref.units.words,
        _frames(hyp.frames, len(hyp.units)),
        _frames(ref.frames, len(ref.units)),
        tuple(_pair(hyp.roled, ref.roled, frame) for frame in pairs or ()),
        note=note,
    )


def _frames(frames: Sequence[Frame], words: int) -> tuple[traces.FrameSpans, ...]:
    return tuple(
        traces.FrameSpans(
            traces.RoleSpan("V", frame.predicate, frame.predicate + 1),
            tuple(traces.RoleSpan(role.label, role.start, role.end) for role in frame.roles),
            (1 + sum(role.end - role.start for role in frame.roles)) / words,
        )
        for frame in frames
    )


def _pair(hyp: RolePhrases, ref: RolePhrases, phrases: list[Pair]) -> traces.FramePair:
    (a, b, similarity), *roles = phrases
    i, j = _frame(hyp, a), _frame(ref, b)
    return traces.FramePair(
        i,
        j,
        similarity,
        tuple(traces.RolePair(x - a - 1, y - b - 1, value) for x, y, value in roles),
    )


def _frame(text: RolePhrases, phrase: int) -> int:
    return next(k for k, frame in enumerate(text.frames) if phrase in frame)

"""How alike the frames of two texts are: predicates are aligned, then what fills their roles.

Roles fall into groups, whose weights come last, so that they can be tuned without aligning again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nlgauge.data.frames import Frame, FrameSentence
from nlgauge.kernels import Floats, native

GROUPS = (
    *("predicate", "agent", "patient", "beneficiary", "time", "place", "cause"),
    "manner",  # and all others
)
FIXED = (0.25, *(1.0,) * (len(GROUPS) - 1))
_NUMBERED = {"A0": 1, "A1": 2, "A2": 3, "A3": 5, "A4": 5}
_MODIFIERS = {
    **dict.fromkeys(("TMP", "TM"), 4),
    **dict.fromkeys(("LOC", "DIR", "GOL"), 5),
    **dict.fromkeys(("CAU", "PNC", "PRP"), 6),
    **dict.fromkeys(("MNR", "EXT", "ADV", "PRD"), 7),
}
_PREPOSITIONS = ("TO", "FROM", "INTO")  # say where only if the role has no number
Spans = npt.NDArray[np.int64]
_TIE = 1e-10  # similarities that differ by less are equal


def group(label: str) -> int:
    """Return which of the groups a label of PropBank falls into, as in YiSi's
    yisi_srl.labelconfig.
    """
    name = re.sub(r"^(?:[CR]-)+", "", label)
    if name in ("V", "VB", "TARGET"):
        return 0
    name = re.sub(r"^ARG", "A", name)
    kind, _, function = name.partition("-")
    if kind == "AM" or kind not in _NUMBERED:
        # BNF is a beneficiary; whatever has no group of its own counts as manner.
        if function in _PREPOSITIONS:
            return 5
        return 3 if "BNF" in name else _MODIFIERS.get(function or kind, 7)
    return _MODIFIERS.get(function, _NUMBERED[kind])


@dataclass(frozen=True)
class RolePhrases:
    """The frames of one text as phrases: of each frame, the predicate's and then its roles'."""

    spans: Spans  # [phrases, 2]
    groups: npt.NDArray[np.int64]  # of each phrase
    frames: tuple[range, ...]  # which phrases belong to each frame

    @classmethod
    def build(cls, frames: Sequence[Frame]) -> RolePhrases:
        """Build the phrases of frames, whose predicates are single words."""
        spans: list[tuple[int, int]] = []
        groups: list[int] = []
        places = []
        for frame in frames:
            start = len(spans)
            spans.append((frame.predicate, frame.predicate + 1))
            spans += ((role.start, role.end) for role in frame.roles)
            groups += (0, *(group(role.label) for role in frame.roles))
            places.append(range(start, len(spans)))
        columns = np.array(spans, np.int64).reshape(-1, 2)
        return cls(columns, np.array(groups, np.int64), tuple(places))


@dataclass(frozen=True)
class RecalledRoles:
    """What one text's frames found in the other's, by group: similarities, and how many roles."""

    similar: Floats  # [frames, groups]
    counts: Floats  # [frames, groups]
    cover: Floats  # [frames]: words of the frame

    def value(self, weights: Sequence[float] | Floats, *, uniform: bool = False) -> float:
        """Return the mean of the frames, each the weighted mean of its roles; frames weigh as many
        words as they cover, or all alike. NaN without frames.
        """
        if not len(self.cover):
            return float("nan")
        own = np.asarray(weights, np.float64)
        whole = self.counts @ own
        shares = np.divide(self.similar @ own, whole, out=np.zeros(len(whole)), where=whole > 0)
        return float(shares.mean() if uniform else shares @ self.cover / self.cover.sum())


Pair = tuple[
    int, int, float
]  # phrases of the hypothesis and of the reference, and their similarity


def compare(
    hyp: RolePhrases, ref: RolePhrases, precision: Floats, recall: Floats, *, tool: bool = False
) -> tuple[RecalledRoles, RecalledRoles, list[list[Pair]]]:
    """Return both sides, and by aligned frames the aligned phrases, the predicates first.

    `precision` and `recall` are similarities of all phrases, [hyp, ref]: frames of the hypothesis
    are aligned by the one, those of the reference by the other. Roles match within a group; `tool`:
    YiSi (fd07bfc) aligns any, and then counts other groups for the reference only.
    """
    by_hyp = align(hyp, ref, precision, grouped=not tool)
    by_ref = by_hyp if precision is recall else align(hyp, ref, recall, grouped=not tool)
    same = hyp.groups[:, None] == ref.groups[None, :]
    found_hyp = {i: value for frame in by_hyp for i, j, value in frame if same[i, j]}
    found_ref = {j: value for frame in by_ref for i, j, value in frame if tool or same[i, j]}
    return _side(hyp, found_hyp), _side(ref, found_ref), by_ref


def align(
    hyp: RolePhrases, ref: RolePhrases, similar: Floats, *, grouped: bool
) -> list[list[Pair]]:
    """Find the best assignment of predicates and, within aligned frames, of roles."""
    left = [frame.start for frame in hyp.frames]
    right = [frame.start for frame in ref.frames]
    pairs = []
    for i, j in _assigned(similar[np.ix_(left, right)]):
        one, other = hyp.frames[i], ref.frames[j]
        table = similar[one.start + 1 : one.stop, other.start + 1 : other.stop]
        if grouped:
            kinds = hyp.groups[one.start + 1 : one.stop], ref.groups[other.start + 1 : other.stop]
            # Beyond what a match can be worth, so that none is given up for two that are none.
            table = np.where(np.equal.outer(*kinds), table, -1.0 - table.size)
        roles = [(one.start + 1 + a, other.start + 1 + b) for a, b in _assigned(table)]
        phrases = [(one.start, other.start), *roles]
        pairs.append(
            [
                (a, b, float(similar[a, b]))
                for a, b in phrases
                if not grouped or hyp.groups[a] == ref.groups[b]
            ]
        )
    return pairs


def _assigned(similar: Floats) -> Iterable[tuple[int, int]]:
    if min(similar.shape) == 0:
        return ()
    if max(similar.shape) == 1:
        return ((0, 0),)
    from scipy.optimize import linear_sum_assignment

    # Of assignments that are worth the same, the first ones, in order: what YiSi's solver finds.
    i, j = np.ogrid[: similar.shape[0], : similar.shape[1]]
    bonus = i * j / (1 + similar.size * min(similar.shape)) - (i + j)
    rows, columns = linear_sum_assignment(similar + _TIE * bonus, maximize=True)
    return zip(rows.tolist(), columns.tolist(), strict=True)


def _side(own: RolePhrases, found: dict[int, float]) -> RecalledRoles:
    similar = np.zeros((len(own.frames), len(GROUPS)))
    counts = np.zeros_like(similar)
    cover = np.zeros(len(own.frames))
    for k, frame in enumerate(own.frames):
        for phrase in frame:
            kind = own.groups[phrase]
            similar[k, kind] += found.get(phrase, 0.0)
            counts[k, kind] += 1
            cover[k] += own.spans[phrase, 1] - own.spans[phrase, 0]
    return RecalledRoles(similar, counts, cover)


def structure(
    hyp: RolePhrases,
    ref: RolePhrases,
    matrix: Floats,
    hyp_weights: Floats,
    ref_weights: Floats,
    *,
    order: int,
    role_weights: Sequence[float] | Floats,
    uniform: bool = False,
    tool: bool = False,
) -> tuple[float, float]:
    """Compute YiSi's P_struct and R_struct of two texts, from the similarities of their words [hyp,
    ref]: 0 if one text has no frames, NaN if neither has; the tool has 0 there, too.
    """
    if not hyp.frames or not ref.frames:
        nothing = 0.0 if hyp.frames or ref.frames or tool else float("nan")
        return nothing, nothing
    precision, recall = native.span_similarities(
        np.ascontiguousarray(matrix), hyp_weights, ref_weights, hyp.spans, ref.spans, order=order
    )
    own, other, _ = compare(hyp, ref, precision, recall, tool=tool)
    return own.value(role_weights, uniform=uniform), other.value(role_weights, uniform=uniform)


def frequencies(texts: Iterable[Sequence[FrameSentence]]) -> Floats:
    """Count how often each group occurs, predicates among them."""
    counts = np.zeros(len(GROUPS))
    for sentences in texts:
        for sentence in sentences:
            counts += np.bincount(RolePhrases.build(sentence.frames).groups, minlength=len(GROUPS))
    return counts

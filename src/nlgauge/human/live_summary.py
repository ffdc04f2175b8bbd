"""How a study goes while people judge: agreement so far, and annotators to look at.

The order of the rows is the order in which judgements arrived. Flags are hints for a talk with an
annotator, not reasons to leave somebody out: whoever differs from the others may be right.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from nlgauge.data.judgements import Judgements
from nlgauge.data.labels import NONE, Codes
from nlgauge.errors import DataError, SpecError
from nlgauge.human.annotator_agreement import one_way
from nlgauge.kernels import Floats
from nlgauge.stats.agreement import Level, cohen, krippendorff
from nlgauge.stats.correlation import pearson

Expected: TypeAlias = Mapping[str, float | str]
_LOOKS = 20
_FEW = 5  # judgements from which on there are flags
_TIMES = 3.0  # by which somebody is slow or fast beside the median of the others
_GOLD = 0.7  # share of gold or control items to pass
_RARE = 0.001  # number of runs by chance below which a run is odd
_STEPS = 11  # values on a scale whose steps are counted


@dataclass(frozen=True, kw_only=True)
class AnnotatorActivity:
    """An annotator's activity: how much, how fast, and how like the others."""

    annotator: str
    judgements: int
    seconds: float  # median for a judgement; NaN: not known
    agreement: float  # correlation with the others' mean; of categories, κ with what most said
    shared: int  # outputs that others judged, too
    longest_run: int  # of the same answer
    repeats: int  # outputs judged again
    repeated_alike: float  # share of them judged the same
    gold: int
    gold_passed: int
    controls: int
    controls_passed: int
    flags: tuple[str, ...]


@dataclass(frozen=True)
class AgreementAt:
    """This is Krippendorff's α after so many judgements."""

    judgements: int
    outputs: int  # with at least two annotators
    alpha: float


@dataclass(frozen=True, kw_only=True)
class LiveSummary:
    """A live summary has the agreement over time and all annotators, those with flags first."""

    criterion: str | None
    judgements: int
    outputs: int
    level: str
    over_time: tuple[AgreementAt, ...]
    annotators: tuple[AnnotatorActivity, ...]


def live_summary(
    judgements: Judgements,
    *,
    criterion: str | None = None,
    gold: Expected | None = None,
    tolerance: float = 0.0,
    controls: Mapping[str, str] | None = None,
    looks: int = _LOOKS,
) -> LiveSummary:
    """Summarise the judgements of one criterion so far.

    `gold` has the right value or label of some items; a value may be off by `tolerance`. `controls`
    has for a degraded system the one it was made from, which the same annotator must not rate
    lower. Judgements of neither count for agreement.
    """
    if looks < 1 or tolerance < 0:
        raise SpecError(f"looks={looks}, tolerance={tolerance}: 1 or more, and 0 or more")
    chosen = judgements if criterion is None else judgements.where(criterion=criterion)
    chosen = one_way(chosen.take((chosen.annotator.codes != NONE) & (chosen.item.codes != NONE)))
    if not len(chosen):
        raise DataError("no judgement has an item and an annotator; there is nothing to summarise")
    if criterion is None and len(names := chosen.criterion.used().names) > 1:
        raise SpecError(f"judgements of several criteria; choose one of: {', '.join(names)}")
    plain = chosen.take(
        [
            row
            for row, (item, system) in enumerate(zip(chosen.item, chosen.system, strict=True))
            if item not in (gold or ()) and system not in (controls or ())
        ]
    )
    if not len(plain):
        raise DataError(
            "all judgements are of gold or control items; there is nothing to summarise"
        )
    said = _Said.build(plain)
    matrix = said.matrix(len(plain))
    people = [
        _activity(chosen, said, matrix, name, gold or {}, tolerance, controls or {})
        for name in chosen.annotator.used().names
    ]
    flagged = _compared(people)
    return LiveSummary(
        criterion=criterion,
        judgements=len(plain),
        outputs=said.outputs,
        level=said.level,
        over_time=said.over_time(looks),
        annotators=tuple(sorted(flagged, key=lambda a: -len(a.flags))),
    )


@dataclass(frozen=True, eq=False)
class _Said:
    """What was said, as numbers: values, or codes of labels."""

    given: Judgements
    value: Floats
    output: Codes
    outputs: int
    level: Level

    @classmethod
    def build(cls, given: Judgements) -> _Said:
        keys = np.stack([given.item.codes, given.system.codes, given.against.codes])
        _, output = np.unique(keys, axis=1, return_inverse=True)
        rated = ~np.isnan(given.value)
        value = np.where(rated, given.value, given.label.codes.astype(np.float64))
        steps = np.unique(value)
        level: Level = "interval"
        if not rated.all() or (given.against.codes != NONE).any() or steps.size <= 2:
            level = "nominal"
        elif steps.size <= _STEPS and (steps % 1 == 0).all():
            level = "ordinal"
        output = output.reshape(-1)
        return cls(given, value, output, int(output.max()) + 1, level)

    def matrix(self, rows: int) -> Floats:
        """Return the first thing each annotator said of each output: [outputs, annotators]."""
        made = np.full((self.outputs, len(self.given.annotator.names)), np.nan)
        people = self.given.annotator.codes[:rows]
        # From the last to the first: what is written last stays.
        made[self.output[:rows][::-1], people[::-1]] = self.value[:rows][::-1]
        return made

    def over_time(self, looks: int) -> tuple[AgreementAt, ...]:
        found = []
        for rows in np.unique(np.linspace(0, len(self.value), looks + 1).round()[1:]).astype(int):
            matrix = self.matrix(rows)
            shared = int(((~np.isnan(matrix)).sum(axis=1) >= 2).sum())
            if shared:
                found.append(AgreementAt(int(rows), shared, krippendorff(matrix, self.level)))
        return tuple(found)


def _activity(
    chosen: Judgements,
    said: _Said,
    matrix: Floats,
    name: str,
    gold: Expected,
    tolerance: float,
    controls: Mapping[str, str],
) -> AnnotatorActivity:
    code = said.given.annotator.names.index(name)
    mine = np.flatnonzero(said.given.annotator.codes == code)
    agreement, shared = _with_others(matrix[:, code], np.delete(matrix, code, 1), said.level)
    seconds = said.given.seconds[mine]
    first: dict[int, float] = {}
    alike = []
    for output, value in zip(said.output[mine].tolist(), said.value[mine].tolist(), strict=True):
        if output in first:
            alike.append(abs(first[output] - value) <= tolerance)
        first.setdefault(output, value)
    run, odd = _longest_run(said.value[mine], said.value)
    own = chosen.take(chosen.annotator.codes == code)
    passed = [
        _right(row, gold[row["item"]], tolerance) for row in own.records() if row["item"] in gold
    ]
    held = _controls(own, controls)
    return AnnotatorActivity(
        annotator=name,
        judgements=len(mine),
        seconds=float(np.nanmedian(seconds)) if (~np.isnan(seconds)).any() else float("nan"),
        agreement=agreement,
        shared=shared,
        longest_run=run,
        repeats=len(alike),
        repeated_alike=float(np.mean(alike)) if alike else float("nan"),
        gold=len(passed),
        gold_passed=sum(passed),
        controls=len(held),
        controls_passed=sum(held),
        flags=("same answer again and again",) if odd else (),
    )


def _right(row: Mapping[str, object], expected: float | str, tolerance: float) -> bool:
    if isinstance(expected, str):
        return row.get("label") == expected
    value = row.get("value")
    return isinstance(value, float) and abs(value - expected) <= tolerance


def _controls(own: Judgements, controls: Mapping[str, str]) -> list[bool]:
    """Return whether each degraded output was rated lower than the one it was made from."""
    rated: dict[tuple[str, str], float] = {}
    for row in own.ratings().records():
        if "system" in row:
            rated.setdefault((row["item"], row["system"]), row["value"])
    return [
        rated[item, system] < rated[item, controls[system]]
        for item, system in rated
        if system in controls and (item, controls[system]) in rated
    ]


def _with_others(own: Floats, rest: Floats, level: Level) -> tuple[float, int]:
    """Return the agreement with the others, and on how many outputs."""
    counts = (~np.isnan(rest)).sum(axis=1)
    both = ~np.isnan(own) & (counts > 0)
    if not both.any():
        return float("nan"), 0
    if level != "nominal":
        others = np.nansum(rest[both], axis=1) / counts[both]
        return pearson(own[both], others), int(both.sum())
    most = [_plurality(row[~np.isnan(row)]) for row in rest[both]]
    return cohen(own[both], most), int(both.sum())


def _plurality(values: Floats) -> float:
    found, count = np.unique(values, return_counts=True)
    return float(found[count.argmax()])


def _longest_run(mine: Floats, everybody: Floats) -> tuple[int, bool]:
    """Return the longest run of one answer, and whether chance would hardly make it.

    In n answers, about n (1 − p) p^k runs of k or more of an answer with share p are by chance.
    """
    if not mine.size:
        return 0, False
    ends = np.flatnonzero(np.append(np.diff(mine) != 0, True))
    lengths = np.diff(np.concatenate([[-1], ends]))
    longest = int(lengths.argmax())
    share = float((everybody == mine[ends[longest]]).mean())
    length = int(lengths[longest])
    by_chance = mine.size * (1 - share) * share**length
    return length, share < 1 and length >= _FEW and by_chance < _RARE


def _compared(people: list[AnnotatorActivity]) -> list[AnnotatorActivity]:
    """Return the annotators with flags that follow from a look at all of them."""
    made = []
    for one in people:
        others = [a for a in people if a is not one and a.judgements >= _FEW]
        flags = list(one.flags)
        if one.judgements >= _FEW and others:
            usual = _median([a.seconds for a in others])
            if one.seconds > _TIMES * usual:
                flags.append("slow")
            if one.seconds * _TIMES < usual:
                flags.append("fast")
            if _unlike(one, _median([a.agreement for a in others])):
                flags.append("unlike the others")
        for name, passed, seen in (
            ("gold", one.gold_passed, one.gold),
            ("controls", one.controls_passed, one.controls),
        ):
            if seen >= 3 and passed < _GOLD * seen:
                flags.append(f"failed {name}")
        made.append(replace(one, flags=tuple(flags)))
    return made


def _unlike(one: AnnotatorActivity, usual: float) -> bool:
    """Return whether the agreement is, beyond chance, less than half of what is usual."""
    if one.shared < _FEW or not np.isfinite(one.agreement) or not usual > 0:
        return False
    error = 1.96 / np.sqrt(max(one.shared - 3, 1))
    return bool(np.tanh(np.arctanh(np.clip(one.agreement, -0.999, 0.999)) + error) < usual / 2)


def _median(values: list[float]) -> float:
    known = [value for value in values if np.isfinite(value)]
    return float(np.median(known)) if known else float("nan")

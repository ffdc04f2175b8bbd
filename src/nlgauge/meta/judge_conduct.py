"""Find out how judges behave: what they refuse, whether they contradict themselves, and whether
length or position sways them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from nlgauge.core.metric import totals
from nlgauge.core.outputs import OutputScores
from nlgauge.kernels import Floats
from nlgauge.stats.correlation import spearman

NOTHING = float("nan")


@dataclass(frozen=True, kw_only=True)
class JudgeConduct:
    """This is how one judge behaved over all outputs; NaN where nothing can be said."""

    metric: str
    signature: str  # with the prompt's hash and what the server said has answered
    judged: int
    unparsed: int
    refused: int
    unanswered: int
    sample_deviation: float = NOTHING  # between replies to the same question
    order_changed: float = NOTHING  # share of comparisons that the order of the texts decided
    position_bias: float = NOTHING  # 1: the first of two texts always wins, -1: the second
    score_and_length: float = NOTHING  # Spearman's correlation, positive if long texts score well
    people_and_length: Mapping[str, float] = field(default_factory=dict)  # by criterion


def judge_conduct(
    scores: OutputScores,
    lengths: Floats | None = None,
    human: Mapping[str, Floats] | None = None,
) -> tuple[JudgeConduct, ...]:
    """Describe the judges among the metrics. `lengths` are those of the outputs, and `human` are
    their ratings by criterion, as [outputs] with NaN where there is none.
    """
    found = []
    for column in scores.columns:
        if column.metric.info.family != "judge":
            continue
        parts = column.metric.parts(totals(scores.rows_of(column.name)))
        swayed: dict[str, float] = {}
        by_length = NOTHING
        if lengths is not None:
            by_length = spearman(scores.segment_scores(column.name), lengths)
            swayed = {name: spearman(said, lengths) for name, said in (human or {}).items()}
        found.append(
            JudgeConduct(
                metric=column.name,
                signature=column.signature,
                judged=parts["judged"],
                unparsed=parts["unparsed"],
                refused=parts["refused"],
                unanswered=parts["unanswered"],
                sample_deviation=parts.get("sample_deviation", NOTHING),
                order_changed=parts.get("order_changed", NOTHING),
                position_bias=parts.get("position_bias", NOTHING),
                score_and_length=by_length,
                people_and_length=swayed,
            )
        )
    return tuple(found)

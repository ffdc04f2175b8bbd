"""Ranking of all outputs of an item, with ties (Callison-Burch et al., 2007)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

from nlgauge.annotate.forms.protocol import Protocol, ProtocolInfo, Row, StudyTask
from nlgauge.annotate.forms.widgets import Option, RankList, Widget
from nlgauge.core.options import option


@dataclass(frozen=True, kw_only=True)
class RankOutputs(Protocol):
    """Ranks of several texts from 1, the best; equal ranks are ties."""

    info: ClassVar[ProtocolInfo] = ProtocolInfo(
        name="ranking",
        title="Ranking",
        unit="set",
        paper="Callison-Burch et al. (2007), (Meta-) evaluation of machine translation",
    )

    criterion: str = option("rank", "what the texts are ranked by")
    question: str = option("Rank the texts from best to worst.", "what annotators are asked")
    size: int = option(5, "most texts on one page; more are divided", low=2, high=10)

    def form(self, task: StudyTask) -> Sequence[Widget]:
        """Return the texts, each with a field for its rank."""
        texts = tuple(Option(str(i), "", text=out.text) for i, out in enumerate(task.outputs))
        hint = f"1 is the best, {len(texts)} the worst; equally good texts get the same rank."
        return [RankList(name=self.criterion, legend=self.question, hint=hint, options=texts)]

    def rows(self, task: StudyTask, answers: Mapping[str, Any]) -> list[Row]:
        """Return a comparison for every pair of the texts."""
        ranks = answers[self.criterion]
        return [
            compared(task, i, j, ranks[str(i)], ranks[str(j)], self.criterion)
            for i, j in combinations(range(len(task.outputs)), 2)
        ]


def compared(task: StudyTask, i: int, j: int, first: int, second: int, criterion: str) -> Row:
    """Return the comparison of two outputs of a task, of which the lower rank is better."""
    return {
        "item": task.outputs[i].item,
        "system": task.outputs[i].system,
        "against": task.outputs[j].system,
        "criterion": criterion,
        "value": 0.5 if first == second else float(first < second),
    }

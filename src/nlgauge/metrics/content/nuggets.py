"""Nuggets of answers to definition questions: TREC's F from assessors' labels (Voorhees, 2003)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from nlgauge.core.metric import Info, Mean
from nlgauge.core.options import option
from nlgauge.data.corpus import Corpus
from nlgauge.kernels import Floats
from nlgauge.metrics.content.annotations import Fields, annotations_of

NUGGETS = "a list of objects with id (text for pourpre) and vital (true or false) or weight"


@dataclass(frozen=True, kw_only=True)
class NuggetF(Mean):
    """TREC's nugget F, from the nuggets that assessors found in an answer.

    Annotation: {"nuggets": [{"id": 1, "vital": true}, ...], "found": [1, 6], "length": 347}.
    `found` are the nuggets that assessors saw in the answer. The answer is the hypothesis; where
    there is none, `length` gives its number of characters without white space. In place of
    `vital`, a nugget may have a `weight`, the number of assessors who call it vital (the nugget
    pyramid). Questions without a vital nugget score 0 and are counted as `undefined`.
    """

    info: ClassVar[Info] = Info(
        name="nugget-f",
        title="TREC nugget F",
        family="content",
        cell="human-judged",
        tasks=("QA",),
        criteria=("recall of facts", "brevity"),
        scale=1.0,
        needs=("annotations",),
        paper="Voorhees (2003), Overview of the TREC 2003 question answering track",
        checked_against="hand calculation on the example of Lin and Demner-Fushman (2005)",
    )

    beta: float = option(
        3.0, "how much more recall counts: 5 in TREC 2003, 3 later", low=0.0, high=1e6
    )
    allowance: float = option(100.0, "characters granted for every nugget found", low=0.0, high=1e9)

    def segment_rows(self, corpus: Corpus, state: None, *, threads: int) -> Floats:
        """Compute the columns: F, 1, recall, precision, undefined."""
        rows = []
        labelled = zip(corpus.hypotheses, annotations_of(corpus, self.info.name), strict=True)
        for answer, labels in labelled:
            weights = {n.name("id"): weight(n) for n in labels.objects("nuggets", NUGGETS)}
            found = dict.fromkeys(labels.names("found"))
            unknown = [nugget for nugget in found if nugget not in weights]
            if unknown:
                raise labels.wrong("found", f"ids of its nuggets, and {unknown[0]!r} is none")
            length = characters(answer)
            if length == 0 and "length" in labels:
                length = int(labels.number("length"))
            total = sum(weights.values())
            recall = sum(weights[nugget] for nugget in found) / total if total else 0.0
            rows.append(self._row(recall, len(found), length, total == 0))
        return np.array(rows)

    def _row(self, recall: float, found: int, length: int, undefined: bool) -> list[float]:
        granted = self.allowance * found
        if length == 0:
            precision, recall = 0.0, 0.0
        else:
            precision = 1.0 if length < granted else granted / length
        bottom = self.beta**2 * precision + recall
        f = (1 + self.beta**2) * precision * recall / bottom if bottom > 0 else 0.0
        return [f, 1.0, recall, precision, undefined]

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return means of recall and precision, and questions without vital nuggets."""
        recall, precision = (totals[2:4] / max(totals[1], 1)).tolist()
        return {"recall": recall, "precision": precision, "undefined": int(totals[4])}


def weight(nugget: Fields) -> float:
    """Return how much a nugget counts for recall."""
    return nugget.number("weight") if "weight" in nugget else float(nugget.flag("vital"))


def characters(answer: str) -> int:
    """Count the characters that are not white space."""
    return sum(map(len, answer.split()))

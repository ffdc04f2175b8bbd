"""Show which turns mattered: how far a reply's score falls when one of them was not said."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from nlgauge.data.contexts import Context
from nlgauge.data.corpus import Corpus
from nlgauge.metrics.dialogue.speakers import turns_of_system

if TYPE_CHECKING:
    from nlgauge.core.metric import Metric
    from nlgauge.explain.traces import TokenSimilarities


def turns_that_mattered(metric: Metric, corpus: Corpus) -> TokenSimilarities:
    """Return the fall of the score of a corpus of one segment without each of its turns; the one
    that mattered most is marked.
    """
    from nlgauge.explain.traces import Match, TokenSimilarities

    assert corpus.turns is not None  # as check_inputs has seen
    (hypothesis,), (turns,) = corpus.hypotheses, corpus.turns
    unknown: list[str | None] = [None] * len(turns)
    names = unknown if corpus.contexts is None else corpus.contexts.speakers_of(0)
    # Who speaks stays as it is without a turn.
    system = turns_of_system(names, replied=bool(hypothesis.strip()))
    said = [("system" if own else "user", text) for own, text in zip(system, turns, strict=True)]
    without = [[*said[:k], *said[k + 1 :]] or [("user", "")] for k in range(len(said))]
    every = replace(
        corpus.take([0] * (1 + len(said))), contexts=Context.build(turns=[said, *without])
    )
    scores = metric.score(metric.rows(every))
    falls = (scores[0] - scores[1:]) * (1 if metric.info.higher_is_better else -1)
    most = int(falls.argmax()) if len(falls) else 0
    return TokenSimilarities(
        hyp=(hypothesis,),
        ref=tuple(turns),
        matrix=np.asarray(falls, np.float64)[None, :],
        matches=(Match(0, most),) if len(falls) and falls[most] > 0 else (),
        measure="fall of the score without the turn",
    )

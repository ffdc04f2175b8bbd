"""Show which turns mattered: how far a reply's score falls when one of them was not said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from nlgauge.data.corpus import Corpus

if TYPE_CHECKING:
    from nlgauge.core.metric import Metric
    from nlgauge.explain.traces import TokenSimilarities


def turns_that_mattered(metric: Metric, hypothesis: str, turns: Sequence[str]) -> TokenSimilarities:
    """Return the fall of the score without each turn; the one that mattered most is marked."""
    from nlgauge.explain.traces import Match, TokenSimilarities

    # Who speaks stays as it is without a turn: every second one is the system's, as a reply is.
    own = len(turns) % 2 if hypothesis.strip() else 1
    said = [(("system", "user")[(k + own) % 2], text) for k, text in enumerate(turns)]
    without = [[*said[:k], *said[k + 1 :]] or [("user", "")] for k in range(len(said))]
    corpus = Corpus.build([hypothesis] * (len(turns) + 1), contexts=[said, *without])
    scores = metric.score(metric.rows(corpus))
    falls = (scores[0] - scores[1:]) * (1 if metric.info.higher_is_better else -1)
    most = int(falls.argmax()) if len(falls) else 0
    return TokenSimilarities(
        hyp=(hypothesis,),
        ref=tuple(turns),
        matrix=np.asarray(falls, np.float64)[None, :],
        matches=(Match(0, most),) if len(falls) and falls[most] > 0 else (),
        measure="fall of the score without the turn",
        note="references aside" if "references" in metric.info.uses else "",
    )

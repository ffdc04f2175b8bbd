"""What the first BEER looks at besides matched characters: function words, content words, and the
order of words.

In place of its permutation trees there are two measures of order: Kendall's tau of the words that
both texts have, from 0 to 1, and the share of linked words that are followed by the next linked
word in both texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from nlgauge.core.arithmetic import ratio
from nlgauge.data.corpus import Corpus, References
from nlgauge.kernels import Floats, Texts
from nlgauge.metrics.alignment.meteor import METEOR
from nlgauge.metrics.alignment.meteor_files import function_words
from nlgauge.metrics.order.rank import NKT
from nlgauge.metrics.trained.beer_features import MEASURES, measured

CLASSES = ("function", "content")
FIRST_FEATURES = (
    *(f"{name}_{measure}" for name in CLASSES for measure in MEASURES),
    *("order_kendall", "order_runs"),
)


def first_features(hyps: Sequence[str], refs: Sequence[str], *, threads: int = 1) -> Floats:
    """Return the features of pairs of texts that `BeerText` has made: [pairs, FIRST_FEATURES]."""
    counts = np.array(list(map(_counted, hyps, refs)), np.float64).reshape(-1, len(CLASSES), 3)
    corpus = Corpus(hypotheses=Texts(list(hyps)), references=References.single(Texts(list(refs))))
    kendall = NKT(tokenizer="none")
    linked = METEOR(tokenizer="none", lowercase=False, stages=("exact",))
    links, chunks = linked.rows(corpus, threads=threads)[:, :2].T
    runs = np.where(links == 1, 1.0, ratio(links - chunks, links - 1))
    order = kendall.score(kendall.rows(corpus, threads=threads))
    return np.column_stack([measured(counts).reshape(len(counts), -1), order, runs])


def _counted(hyp: str, ref: str) -> list[list[int]]:
    """Count words of the hypothesis, of the reference and of both, in each class."""
    known = function_words("en")
    sides = [Counter(text.split()) for text in (hyp, ref)]
    found = []
    for function in (True, False):
        left, right = (
            Counter({w: n for w, n in side.items() if (w.lower() in known) is function})
            for side in sides
        )
        found.append([left.total(), right.total(), (left & right).total()])
    return found

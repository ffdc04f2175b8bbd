"""Make a matrix of features of candidates: what their system said, their n-grams, and how far each
agrees with the other candidates of its list by metrics.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from nlgauge.baselines.reranking.log_linear import Integers
from nlgauge.data.corpus import Suite
from nlgauge.errors import SpecError
from nlgauge.io.texts.nbest import NBestList
from nlgauge.kernels import Floats
from nlgauge.run.scoring import score_suite

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

PEERS = 8  # candidates of a list that a metric compares each candidate with
GIVEN, NGRAM, AGREEMENT = "given ", "n-gram ", "agreement "


@dataclass(frozen=True)
class FeatureSettings:
    """These settings say which features candidates have beside those of their file."""

    orders: tuple[int, ...] = ()  # of n-grams
    least: int = 2  # lists in which an n-gram must occur
    metrics: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if any(order < 1 for order in self.orders):
            raise SpecError(f"n-grams of {self.orders}: orders are 1 and more")
        if self.least < 1:
            raise SpecError(f"least={self.least}: must be at least 1")


def list_starts(lists: Sequence[NBestList]) -> Integers:
    """Return where the candidates of each list start, and the number of all."""
    return np.cumsum([0, *(len(each.candidates) for each in lists)])


def feature_names(lists: Sequence[NBestList], settings: FeatureSettings) -> list[str]:
    """Return the names of the features of these lists: of n-grams, those in enough lists that some
    candidates have and others have not.
    """
    given = dict.fromkeys(
        name for each in lists for candidate in each.candidates for name in candidate.features
    )
    occurring: Counter[str] = Counter()
    for each in lists:
        counts = [_ngrams(candidate.text, settings.orders) for candidate in each.candidates]
        seen = {gram for own in counts for gram in own}
        occurring.update(g for g in seen if len({own.get(g, 0) for own in counts}) > 1)
    grams = sorted(gram for gram, n in occurring.items() if n >= settings.least)
    return [
        *(GIVEN + name for name in given),
        *(NGRAM + gram for gram in grams),
        *(AGREEMENT + metric for metric in settings.metrics),
    ]


def feature_matrix(
    lists: Sequence[NBestList],
    names: Sequence[str],
    settings: FeatureSettings,
    *,
    threads: int | None = None,
) -> csr_matrix:
    """Return a row for each candidate; features that a candidate lacks are 0."""
    from scipy.sparse import csr_matrix

    columns = {name: k for k, name in enumerate(names)}
    rows, places, values = [], [], []
    agreements = {m: agreement(lists, m, threads=threads) for m in settings.metrics}
    candidates = (candidate for each in lists for candidate in each.candidates)
    size = 0
    for row, candidate in enumerate(candidates):
        size += 1
        found = {GIVEN + name: value for name, value in candidate.features.items()}
        for gram, count in _ngrams(candidate.text, settings.orders).items():
            found[NGRAM + gram] = float(count)
        for metric, scores in agreements.items():
            found[AGREEMENT + metric] = float(scores[row])
        for name, value in found.items():
            if value and name in columns:
                rows.append(row)
                places.append(columns[name])
                values.append(value)
    return csr_matrix((values, (rows, places)), shape=(size, len(names)))


def agreement(lists: Sequence[NBestList], metric: str, *, threads: int | None = None) -> Floats:
    """Return the score of each candidate against the first others of its list as references, which
    needs no reference of the segment; error rates are negated.
    """
    texts, references = [], []
    for each in lists:
        for k, candidate in enumerate(each.candidates):
            others = [c.text for i, c in enumerate(each.candidates[: PEERS + 1]) if i != k]
            texts.append(candidate.text)
            references.append(others[:PEERS] or [candidate.text])
    table = score_suite(Suite.build({"all": texts}, references), [metric], threads=threads)
    scores = table.segment_scores("all", metric)
    return scores if table.column(metric).metric.info.higher_is_better else -scores


def _ngrams(text: str, orders: Iterable[int]) -> Counter[str]:
    words = text.split()
    return Counter(
        " ".join(words[i : i + order]) for order in orders for i in range(len(words) - order + 1)
    )

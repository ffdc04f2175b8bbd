"""Rerank n-best lists: a log-linear model learns to choose the candidate that a metric likes best
(Riezler and Maxwell, 2005, section 2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from nlgauge.baselines.reranking.candidate_features import (
    NGRAM,
    FeatureSettings,
    feature_matrix,
    feature_names,
    list_starts,
)
from nlgauge.baselines.reranking.log_linear import ChoiceData, Integers, fit_log_linear
from nlgauge.data.corpus import Suite
from nlgauge.errors import DataError
from nlgauge.io.texts.nbest import NBestList
from nlgauge.kernels import Floats
from nlgauge.run.scoring import score_suite

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

ORACLE = "sentbleu"


@dataclass(frozen=True, eq=False)
class Reranker:
    """A reranker has weights of features; those that were not selected are left out."""

    settings: FeatureSettings
    names: tuple[str, ...]
    weights: Floats
    scales: Floats  # what features are divided by
    objective: float
    tried: int  # features that passed the test of the gradient
    all_features: int

    @classmethod
    def train(
        cls,
        lists: Sequence[NBestList],
        references: Sequence[Sequence[str]],
        *,
        oracle: str = ORACLE,
        penalty: float = 1.0,
        settings: FeatureSettings | None = None,
        per_step: int = 100,
        threads: int | None = None,
    ) -> Reranker:
        """Learn to choose, in each list, the candidate with the best score of `oracle`, the first
        of equals. Features of files and metrics are divided by their standard deviation within
        lists, as the penalty is the same for all; counts of n-grams are not.
        """
        settings = settings or FeatureSettings()
        names = feature_names(lists, settings)
        if not names:
            raise DataError(
                "candidates have no features; give some in the file, or n-grams or metrics"
            )
        matrix = feature_matrix(lists, names, settings, threads=threads)
        starts = list_starts(lists)
        scales = np.array(
            [
                1.0 if name.startswith(NGRAM) else _spread(matrix[:, [k]].toarray()[:, 0], starts)
                for k, name in enumerate(names)
            ]
        )
        gold = starts[:-1] + oracle_choices(lists, references, oracle, threads=threads)
        data = ChoiceData(_divided(matrix, scales), starts, gold)
        fit = fit_log_linear(data, penalty=penalty, per_step=per_step)
        kept = np.flatnonzero(fit.weights)
        return cls(
            settings,
            tuple(names[k] for k in kept),
            fit.weights[kept],
            scales[kept],
            fit.objective,
            fit.tried,
            len(names),
        )

    def choices(self, lists: Sequence[NBestList], *, threads: int | None = None) -> Integers:
        """Return which candidate of each list the model likes best, the first of equals."""
        matrix = feature_matrix(lists, self.names, self.settings, threads=threads)
        scores = _divided(matrix, self.scales) @ self.weights
        return best_of_each(scores, list_starts(lists))

    def rerank(self, lists: Sequence[NBestList], *, threads: int | None = None) -> list[str]:
        """Return the text of each list that the model likes best."""
        return chosen_texts(lists, self.choices(lists, threads=threads))


def oracle_choices(
    lists: Sequence[NBestList],
    references: Sequence[Sequence[str]],
    oracle: str,
    *,
    threads: int | None = None,
) -> Integers:
    """Return which candidate of each list scores best against the references, by any metric."""
    if len(references) != len(lists):
        raise DataError(
            f"{len(lists)} n-best lists and references of {len(references)} segments; give one "
            "segment for each list, in the same order"
        )
    texts = [candidate.text for each in lists for candidate in each.candidates]
    repeated = [
        list(own) for own, each in zip(references, lists, strict=True) for _ in each.candidates
    ]
    table = score_suite(Suite.build({"all": texts}, repeated), [oracle], threads=threads)
    scores = table.segment_scores("all", oracle)
    if not table.column(oracle).metric.info.higher_is_better:
        scores = -scores
    return best_of_each(scores, list_starts(lists))


def best_of_each(scores: Floats, starts: Integers) -> Integers:
    """Return the place of the highest score in each list, the first of those that differ by
    rounding only.
    """
    rounded = np.round(scores, 12)
    pairs = zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)
    return np.array([int(np.argmax(rounded[i:j])) for i, j in pairs], np.int64)


def chosen_texts(lists: Sequence[NBestList], choices: Integers) -> list[str]:
    """Return the texts of the chosen candidates."""
    pairs = zip(lists, choices.tolist(), strict=True)
    return [each.candidates[choice].text for each, choice in pairs]


def compared_choices(
    lists: Sequence[NBestList],
    references: Sequence[Sequence[str]],
    reranker: Reranker,
    *,
    oracle: str = ORACLE,
    threads: int | None = None,
) -> Suite:
    """Return the first candidates, the reranked ones and the oracle's as systems to be compared."""
    first = np.zeros(len(lists), np.int64)
    systems = {
        "baseline": chosen_texts(lists, first),
        "reranked": reranker.rerank(lists, threads=threads),
        "oracle": chosen_texts(lists, oracle_choices(lists, references, oracle, threads=threads)),
    }
    return Suite.build(systems, [list(own) for own in references])


def _divided(matrix: csr_matrix, scales: Floats) -> csr_matrix:
    from scipy.sparse import diags

    return (matrix @ diags(1 / scales)).tocsr()


def _spread(column: Floats, starts: Integers) -> float:
    """Return the standard deviation of a feature around the means of its lists; 1 if it is 0."""
    sizes = np.diff(starts)
    means = np.add.reduceat(column, starts[:-1]) / sizes
    spread = float(np.sqrt(((column - np.repeat(means, sizes)) ** 2).mean()))
    return spread if spread > 1e-12 else 1.0

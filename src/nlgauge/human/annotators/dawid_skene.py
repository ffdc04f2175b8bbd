"""The model of Dawid and Skene (1979): each annotator has a matrix of confusions.

Given the true category, annotators err independently of each other; truth, confusions and the
shares of categories are found together by expectation and maximisation, from the shares of votes.
"""

from __future__ import annotations

import numpy as np

from nlgauge.human.annotators.label_table import LabelTable
from nlgauge.kernels import Floats

_STEPS = 10_000
_CHANGE = 1e-10  # of the log-likelihood, relative, at which it stands
_LEAST = 1e-300  # a probability of 0 has a logarithm, too


def dawid_skene(table: LabelTable) -> tuple[Floats, Floats, Floats, float]:
    """Return the probabilities of categories by output, the confusions [annotators, true, said],
    the shares of the categories, and the log-likelihood, at its maximum.
    """
    votes = table.votes()
    truth = votes / votes.sum(axis=1, keepdims=True)
    before = -np.inf
    for _ in range(_STEPS):
        confusions, shares = _estimates(table, truth)
        logs = np.log(np.maximum(confusions, _LEAST))
        said = logs[table.annotator, :, table.label].T  # [classes, rows]
        joint = np.stack([np.bincount(table.output, row, len(truth)) for row in said], axis=1)
        joint += np.log(np.maximum(shares, _LEAST))
        norm = np.logaddexp.reduce(joint, axis=1)
        truth = np.exp(joint - norm[:, None])
        likelihood = float(norm.sum())
        if likelihood - before <= _CHANGE * abs(likelihood):
            break
        before = likelihood
    return truth, confusions, shares, likelihood


def _estimates(table: LabelTable, truth: Floats) -> tuple[Floats, Floats]:
    """Return confusions and shares that fit the probabilities best."""
    people, classes = len(table.annotators), len(table.classes)
    counts = np.stack(
        [table.summed(table.annotator, people, truth[table.output, k]) for k in range(classes)],
        axis=1,
    )
    total = counts.sum(axis=2, keepdims=True)
    # Nothing is known of categories that an annotator never met.
    confusions = np.divide(counts, total, out=np.full_like(counts, 1 / classes), where=total > 0)
    return confusions, truth.mean(axis=0)

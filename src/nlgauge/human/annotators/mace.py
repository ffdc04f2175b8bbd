"""MACE, a model of annotators who know the answer or spam (Hovy et al., 2013).

An annotator knows the true category of an output with a probability of their own, the competence;
otherwise they answer by a habit that does not look at the output. True categories are equally
probable beforehand. Competences and habits are found by variational inference from several random
starts, of which the likeliest counts; priors are those of the authors' program.
"""

from __future__ import annotations

import numpy as np

from nlgauge.core.facts.defaults import SEED
from nlgauge.human.annotators.label_table import LabelTable
from nlgauge.kernels import Floats

RESTARTS = 10
_STEPS = 1000
_CHANGE = 1e-10  # of the log-likelihood, relative, at which it stands
_KNOWING = 0.5  # of the Beta prior on competence, both ways
_HABIT = 10.0  # of the Dirichlet prior on habits
_NOISE = 0.5  # by which starts differ from each other


def mace(
    table: LabelTable, *, restarts: int = RESTARTS, seed: int = SEED
) -> tuple[Floats, Floats, Floats, float]:
    """Return the probabilities of categories by output, competences [annotators], habits
    [annotators, classes], and the log-likelihood.
    """
    rng = np.random.default_rng(seed)
    runs = (_run(table, rng) for _ in range(restarts))
    return max(runs, key=lambda run: run[3])


def _run(table: LabelTable, rng: np.random.Generator) -> tuple[Floats, Floats, Floats, float]:
    people, classes = len(table.annotators), len(table.classes)
    spam = _shares(1 + _NOISE * rng.random((people, 2)))
    habit = _shares(1 + _NOISE * rng.random((people, classes)))
    before = -np.inf
    for _ in range(_STEPS):
        truth, spammed, likelihood = _expected(table, spam, habit)
        if abs(likelihood - before) <= _CHANGE * abs(likelihood):
            break
        before = likelihood
        by_habit = table.summed(table.annotator, people, spammed)
        known = np.bincount(table.annotator, 1 - spammed, people)
        spam = _variational(np.column_stack([by_habit.sum(axis=1), known]), _KNOWING)
        habit = _variational(by_habit, _HABIT)
    return truth, spam[:, 1], habit, likelihood


def _expected(table: LabelTable, spam: Floats, habit: Floats) -> tuple[Floats, Floats, float]:
    """Return the probabilities of categories, that each answer is spam, and the likelihood."""
    by_habit = spam[table.annotator, 0] * habit[table.annotator, table.label]
    known = by_habit + spam[table.annotator, 1]
    classes = len(table.classes)
    joint = np.full((len(table.outputs), classes), -np.log(classes))
    logs = np.log(by_habit)
    joint += np.bincount(table.output, logs, len(joint))[:, None]
    joint += table.votes(np.log(known) - logs)  # where the answer is the true category
    norm = np.logaddexp.reduce(joint, axis=1)
    truth = np.exp(joint - norm[:, None])
    right = truth[table.output, table.label]
    return truth, right * by_habit / known + (1 - right), float(norm.sum())


def _shares(counts: Floats) -> Floats:
    shares: Floats = counts / counts.sum(axis=1, keepdims=True)
    return shares


def _variational(counts: Floats, prior: float) -> Floats:
    """Return what a mean of logarithms makes of counts with a prior; it sums to less than 1."""
    from scipy.special import digamma

    given = counts + prior
    found: Floats = np.exp(digamma(given) - digamma(given.sum(axis=1, keepdims=True)))
    return found

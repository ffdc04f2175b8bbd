"""How far a discriminator of people and machines can be believed (Li et al., 2017)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from nlgauge.kernels import Floats

# What the accuracy of an evaluator should be on pairs of texts of which one is called human.
EXPECTED = {"human or machine": 1.0, "human or human": 0.5, "machine or machine": 0.5,
            "human or random": 1.0}  # fmt: skip


def adversarial_success(human: Floats, machine: Floats) -> float:
    """Return AdverSuc: one minus the accuracy with which probabilities of being human tell people
    from machines, both counted alike.
    """
    right = (np.mean(human > 0.5) + np.mean(machine <= 0.5)) / 2
    return float(1 - right)


def evaluator_reliability_error(accuracies: Mapping[str, float]) -> float:
    """Return ERE: the mean distance of accuracies from those in EXPECTED, by the names there."""
    return float(np.mean([abs(accuracies[name] - EXPECTED[name]) for name in accuracies]))

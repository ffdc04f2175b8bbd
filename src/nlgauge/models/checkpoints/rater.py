"""What checkpoints that rate segments have in common: samples in, batches, one number each out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from nlgauge.kernels import Floats, checked_threads

BATCH = 16  # samples that are read at once
Sample = Mapping[str, str]  # by role: src, mt, ref


class Rater(Protocol):
    """A rater gives each sample a number, which does not depend on other samples.

    Padding is masked, and numbers are in single precision: batches and devices change them by less
    than 1e-5.
    """

    def rate(self, samples: Sequence[Sample], *, threads: int = 1) -> Floats:
        """Return the number of each sample."""


def rated_in_batches(
    samples: Sequence[Sample], rate: Callable[[list[Sample]], Any], threads: int
) -> Floats:
    """Return what a function says of samples, which it is given in batches of like lengths, the
    longest first, so that what does not fit into memory fails at once.
    """
    import torch

    torch.set_num_threads(checked_threads(threads))
    order = sorted(range(len(samples)), key=lambda i: -sum(map(len, samples[i].values())))
    found = np.empty(len(samples))
    for at in range(0, len(order), BATCH):
        numbers = order[at : at + BATCH]
        with torch.inference_mode():
            found[numbers] = rate([samples[i] for i in numbers]).double().cpu().numpy()
    return found

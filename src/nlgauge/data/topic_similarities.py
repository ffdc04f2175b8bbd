"""Hold how alike the texts of each topic are by each metric: `TopicSimilarities`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from nlgauge.errors import DataError, SpecError
from nlgauge.kernels import Floats

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False, kw_only=True)
class TopicSimilarities:
    """These are x(a, b) for the texts a and b of each topic and each metric x; more is more alike.

    The texts are those of the peers (systems), then those of the models (human texts). NaN: a text
    with itself, one that does not exist, or a similarity that nobody asked for.
    """

    metrics: tuple[str, ...]
    peers: tuple[str, ...]
    models: tuple[str, ...]
    topics: tuple[str, ...]
    values: Floats  # [metrics, topics, texts, texts]
    signatures: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        texts = len(self.peers) + len(self.models)
        shape = (len(self.metrics), len(self.topics), texts, texts)
        if self.values.shape != shape:
            raise DataError(f"similarities of shape {self.values.shape}, expected {shape}")
        for what in ("metrics", "topics", "peers", "models"):
            if not getattr(self, what):
                raise DataError(f"similarities without {what}; at least one is needed")
        self._check()

    def _check(self) -> None:
        """Refuse pairs of texts that were compared by some metrics only."""
        known = ~np.isnan(self.values)
        needed: Bools = np.any(known, axis=0)
        exists = self.exists
        first = len(self.peers)
        needed[:, :, first:] |= exists[:, :, None] & exists[:, None, first:]
        lacking = needed & ~np.eye(exists.shape[1], dtype=bool) & ~known
        if lacking.any():
            metric, topic, a, b = np.argwhere(lacking)[0]
            raise DataError(
                f"{self.metrics[metric]}: no similarity of {self.texts[a]} to {self.texts[b]} for "
                f"{self.topics[topic]}, which others have; give it, or leave the metric out"
            )

    @property
    def texts(self) -> tuple[str, ...]:
        """Return the names of peers and models."""
        return self.peers + self.models

    @property
    def exists(self) -> Bools:
        """Return which texts there are: [topics, texts]."""
        known = ~np.isnan(self.values[..., len(self.peers) :])
        found: Bools = np.any(known, axis=(0, 3))
        return found

    @property
    def has_pairs_of_peers(self) -> bool:
        """Return whether peers were compared with each other."""
        first = len(self.peers)
        return not bool(np.isnan(self.values[..., :first, :first]).all())

    def positions(self, metrics: Sequence[str] | None) -> list[int]:
        """Return the places of the named metrics, or of all if None."""
        for name in metrics or ():
            if name not in self.metrics:
                known = ", ".join(self.metrics)
                raise SpecError(f"no similarity by {name!r} was computed; there is: {known}")
        return [self.metrics.index(name) for name in self.metrics if not metrics or name in metrics]

    def select(self, metrics: Sequence[str]) -> TopicSimilarities:
        """Return the similarities by the named metrics only."""
        chosen = self.positions(metrics)
        return replace(
            self,
            metrics=tuple(self.metrics[i] for i in chosen),
            values=self.values[chosen],
            signatures=tuple(self.signatures[i] for i in chosen) if self.signatures else (),
        )

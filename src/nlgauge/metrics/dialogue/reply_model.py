"""Metrics of replies whose network `nlgauge train` fits to dialogues, or to ratings of replies."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from nlgauge.core.metric import State
from nlgauge.core.options import option
from nlgauge.data.corpus import Corpus
from nlgauge.errors import DataError, ResourceMissing, SpecError
from nlgauge.kernels import Floats
from nlgauge.metrics.dialogue.utterances import SentenceMetric, UtteranceMetric, Utterances
from nlgauge.metrics.trained.feature_model import MODEL
from nlgauge.models.files.artefacts import reading
from nlgauge.models.files.shipped import shipped_model
from nlgauge.models.files.trained_model import TrainedModel, read_model
from nlgauge.models.networks.packed_layers import Arrays

RANGES = "ranges"  # of parts by row, of which each has its least and its largest number
Combine = Literal["min", "max", "mean", "geometric", "unreferenced"]
Range = tuple[float, float]
Ranges = tuple[Range, Range] | None  # of both parts; None: those of the model's file


@dataclass(frozen=True, kw_only=True)
class ReplyMetric(UtteranceMetric[State]):
    """A metric with a network that was trained on dialogues; a subclass says which."""

    model: str | None = option(None, MODEL)

    @staticmethod
    @abstractmethod
    def network(arrays: Arrays, inputs: int) -> Any:
        """Build the network for vectors of `inputs` numbers; raises ValueError or KeyError."""

    @abstractmethod
    def network_scores(self, network: Any, said: Utterances, *, threads: int) -> Floats:
        """Return what the network says of replies."""

    @abstractmethod
    def trained_with(self) -> dict[str, str]:
        """Name what a model looks texts up in, as its file and signatures have it."""

    @abstractmethod
    def inputs(self) -> int:
        """Return how many numbers a vector has that the network looks at."""

    def file(self) -> TrainedModel:
        """Read the model, and refuse one that was trained with other vectors."""
        path = self.model or shipped_model(self.info.name, self.info.name)
        found = read_model(path, self.info.name)
        for part, name in self.trained_with().items():
            if found.header.get(part) != name:
                raise ResourceMissing(
                    f"{path}: trained with the {part} {found.header.get(part)}, and this is "
                    f"{name}; give the {part} it was trained with, or train it again: nlgauge "
                    f"train {self.info.name} ..."
                )
        return found

    def resources(self) -> dict[str, str]:
        """Name the model's file, by its content, and what texts are looked up in."""
        return {"model": self.file().name, **self.trained_with()}

    def built(self) -> Any:
        """Return the network of the model's file."""
        return _network(type(self), self.file(), self.inputs())

    def replies_scored(self, said: Utterances, *, threads: int) -> Floats:
        """Return what the network of the model's file says."""
        return self.network_scores(self.built(), said, threads=threads)


@dataclass(frozen=True, kw_only=True)
class SentenceReplyMetric(ReplyMetric[State], SentenceMetric[State]):
    """A metric with a network on sentence vectors of an encoder."""

    def trained_with(self) -> dict[str, str]:
        """Name the encoder, by its weights."""
        return {"encoder": self.encoding_model().name}

    def inputs(self) -> int:
        """Return the width of the encoder's vectors."""
        return self.encoding_model().width


@dataclass(frozen=True, kw_only=True)
class BlendedMetric(ReplyMetric[Ranges]):
    """A metric that blends what a network says of a reply with how like its reference it is.

    Both parts are moved to 0 to 1 by ranges that stand in the model's file, or by those of the test
    set. A segment without references has the network's part alone.
    """

    combine: Combine = option(
        "min", "of the two parts, or the network's alone, which needs no references"
    )
    normalise: Literal["frozen", "testset"] = option(
        "frozen",
        "ranges of the parts: the model's own, or those of the test set, as the authors have it; "
        "segments then depend on each other, and a segment alone is refused",
    )

    @abstractmethod
    def likeness(self, corpus: Corpus, said: Utterances, *, threads: int) -> Floats:
        """Return how like its best reference each reply is; NaN without references."""

    def resources(self) -> dict[str, str]:
        """Name the model and, if they are its own, the ranges."""
        found = super().resources()
        if self.normalise == "frozen":
            named = (f"{low:.6g} to {high:.6g}" for low, high in self._ranges())
            found["ranges"] = ", ".join(named)
        return found

    def _ranges(self) -> tuple[Range, Range]:
        file = self.file()
        found = np.asarray(file.array(RANGES, 2), np.float64)
        if found.shape != (2, 2) or not (found[:, 0] < found[:, 1]).all():
            raise file.unfit("its ranges are none")
        (low, high), (least, most) = found.tolist()
        return (low, high), (least, most)

    def fit(self, corpus: Corpus) -> Ranges:
        """Return the ranges of a test set, if these are asked for."""
        if self.normalise == "frozen":
            return None
        if len(corpus) < 2:
            raise SpecError(
                f"{self.info.name}: normalise=testset needs the whole test set, and there is one "
                "segment; a stream of segments is scored with normalise=frozen"
            )
        said = self.read(corpus, threads=1)
        parts = self._parts(corpus, said, threads=1)
        return _range(parts[0]), _range(parts[1])

    def whole_only(self) -> str:
        """Refuse parts of a corpus if ranges are those of the test set."""
        return "" if self.normalise == "frozen" else "ranges are those of the whole test set"

    def fitted(self, corpus: Corpus) -> Ranges:
        """Return what `fit` does, once for each system."""
        return corpus.once(self, corpus.hypotheses, lambda: self.fit(corpus))

    def _parts(self, corpus: Corpus, said: Utterances, *, threads: int) -> tuple[Floats, Floats]:
        own = self.replies_scored(said, threads=threads)
        if self.combine == "unreferenced":
            return own, np.full(len(own), np.nan)
        return own, self.likeness(corpus, said, threads=threads)

    def segment_rows(self, corpus: Corpus, state: Ranges, *, threads: int) -> Floats:
        """Compute the columns: the score, 1, both parts, whether there is a reference, counts."""
        said = self.read(corpus, threads=threads)
        ranges = self._ranges() if state is None else state
        own, like = (
            np.clip((part - low) / max(high - low, 1e-12), 0.0, 1.0)
            for part, (low, high) in zip(
                self._parts(corpus, said, threads=threads), ranges, strict=True
            )
        )
        known = ~np.isnan(like)
        filled = np.where(known, like, own)
        score = _COMBINED[self.combine](own, filled)
        columns = [score, np.ones(len(score)), own, np.where(known, like, 0.0), known]
        return self.counted(corpus, np.column_stack(columns))

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return the means of both parts, and the share of segments with references."""
        segments, referenced = max(totals[1], 1), totals[4]
        found = {
            "unreferenced": float(totals[2] / segments),
            "with_references": float(referenced / segments),
        }
        if referenced:
            found["referenced"] = float(totals[3] / referenced)
        return {**found, **super().parts(totals)}


_COMBINED: dict[str, Callable[[Floats, Floats], Floats]] = {
    "min": np.minimum,
    "max": np.maximum,
    "mean": lambda a, b: (a + b) / 2,
    "geometric": lambda a, b: np.sqrt(a * b),
    "unreferenced": lambda a, _: a,
}


def _range(values: Floats) -> Range:
    known = values[~np.isnan(values)]
    return (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)


@lru_cache(maxsize=16)
def _network(metric: type[ReplyMetric], file: TrainedModel, inputs: int) -> Any:
    remedy = f"train it again: nlgauge train {file.metric} ... -o FILE"
    with reading(file.path, "its arrays do not fit each other", remedy):
        try:
            return metric.network(file.arrays, inputs)
        except DataError as error:
            raise ValueError(str(error)) from None

"""What metrics have in common whose checkpoint is a folder that the user has."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from nlgauge.core.best_reference import ReferencePairs
from nlgauge.core.metric import Mean
from nlgauge.core.options import option
from nlgauge.data.corpus import Corpus
from nlgauge.errors import DataError, ResourceMissing
from nlgauge.kernels import Floats
from nlgauge.models.checkpoints.rater import Sample
from nlgauge.models.files.checkpoint_folder import CheckpointFolder


@dataclass(frozen=True, kw_only=True)
class CheckpointMetric(Mean[None]):
    """Metrics of this kind ask a checkpoint for a number of each segment. Nothing is downloaded;
    the hash of the folder's files and its licence are part of the signature.
    """

    model: str | None = option(None, "folder of the checkpoint, as it was published")
    device: str = option("cpu", "of torch")

    def folder(self) -> CheckpointFolder:
        """Return the folder, or raise ResourceMissing."""
        if self.model is None:
            raise ResourceMissing(
                f"{self.info.name} needs the checkpoint of its authors; give the folder that has "
                f"it: {self.info.name}(model=FOLDER)"
            )
        return CheckpointFolder.at(Path(self.model))

    def resources(self) -> dict[str, str]:
        """Name the checkpoint by the hash of its files, and its licence."""
        return self.folder().facts()

    @abstractmethod
    def rated(self, samples: Sequence[Sample], *, threads: int) -> Floats:
        """Return what the checkpoint says of samples."""

    def reads_source(self) -> bool:
        """Return whether sources are a part of samples."""
        return "sources" in self.info.needs

    def reads_reference(self, corpus: Corpus) -> bool:
        """Return whether references are a part of samples: each is scored, and the best counts."""
        del corpus
        return "references" in self.info.needs

    def check_inputs(self, corpus: Corpus) -> None:
        """Refuse a corpus without sources, if these options read them."""
        if self.reads_source() and corpus.sources is None:
            raise DataError(
                f"{self.info.name} needs sources, and {corpus.name} has none; give them as a file "
                "(--source FILE), a field `source`, or sources="
            )
        super().check_inputs(corpus)

    def segment_rows(self, corpus: Corpus, state: None, *, threads: int) -> Floats:
        """Compute the columns: the score, of the best reference if it is read, and 1."""
        samples: list[dict[str, str]] = [{"mt": text} for text in corpus.hypotheses]
        if self.reads_source() and corpus.sources is not None:
            samples = [{**s, "src": t} for s, t in zip(samples, corpus.sources, strict=True)]
        pairs = None
        if self.reads_reference(corpus):
            pairs = ReferencePairs.of(corpus.references)
            both = zip(pairs.repeated(samples), corpus.references.flat, strict=True)
            samples = [{**sample, "ref": text} for sample, text in both]
        keys = [tuple(sample.items()) for sample in samples]
        distinct = {key: k for k, key in enumerate(dict.fromkeys(keys))}
        said = self.rated([dict(key) for key in distinct], threads=threads)
        scores = said[[distinct[key] for key in keys]]
        if pairs is not None:
            scores = pairs.best(scores, least=not self.info.higher_is_better)
        return np.column_stack([scores, np.ones(len(scores))])

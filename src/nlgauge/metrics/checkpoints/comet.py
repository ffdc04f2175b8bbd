"""COMET (Rei et al., 2020), COMETKiwi (Rei et al., 2022) and xCOMET (Guerreiro et al., 2024), by
the checkpoints of their authors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from nlgauge.core.metric import Info
from nlgauge.core.options import option
from nlgauge.data.corpus import Corpus
from nlgauge.errors import DataError
from nlgauge.kernels import Floats
from nlgauge.metrics.checkpoints.by_path import CheckpointMetric
from nlgauge.models.checkpoints.comet_model import CometModel, check_comet, find_comet
from nlgauge.models.checkpoints.rater import Sample

CHECKED = "unbabel-comet 2.2.7, on checkpoints with random weights"


@dataclass(frozen=True, kw_only=True)
class CometFamily(CheckpointMetric):
    """Metrics of this family run a checkpoint with the package of its authors."""

    kinds: ClassVar[tuple[str, ...]]  # classes of the package that can do what this metric does

    encoder: str | None = option(
        None, "folder with the settings and tokeniser of the encoder, if no cache has them"
    )

    def check_resources(self) -> None:
        """Refuse to start without the package or a checkpoint."""
        check_comet(self.folder())

    def resources(self) -> dict[str, str]:
        """Name the checkpoint and its licence."""
        self.check_resources()
        return super().resources()

    def checkpoint(self) -> CometModel:
        """Return the model, which must be one of the kinds that this metric can ask."""
        found = find_comet(self.folder(), self.encoder, self.device)
        if found.kind not in self.kinds:
            raise DataError(
                f"model={self.model}: a checkpoint of the kind {found.kind}, and {self.info.name} "
                f"needs {' or '.join(self.kinds)}; choose comet, comet-kiwi or xcomet to fit it"
            )
        return found

    def rated(self, samples: Sequence[Sample], *, threads: int) -> Floats:
        """Return the scores of samples."""
        return self.checkpoint().rate(samples, threads=threads)


@dataclass(frozen=True, kw_only=True)
class COMET(CometFamily):
    """What a network trained on ratings says of a translation, its source and a reference; the best
    of several references counts. Weights are those of a folder: COMET(model=FOLDER).
    """

    info: ClassVar[Info] = Info(
        name="comet",
        title="COMET",
        family="checkpoints",
        cell="CD·T·e2e",
        tasks=("MT",),
        criteria=("adequacy",),
        bounds=(float("-inf"), float("inf")),
        scale=1.0,
        needs=("sources", "references"),
        extras=("comet",),
        paper="Rei et al. (2020), COMET: a neural framework for MT evaluation",
        checked_against=CHECKED,
    )
    kinds: ClassVar[tuple[str, ...]] = ("regression_metric", "unified_metric")


@dataclass(frozen=True, kw_only=True)
class COMETKiwi(CometFamily):
    """What a network trained on ratings says of a translation and its source, without references.
    Weights are those of a folder: comet-kiwi(model=FOLDER).
    """

    info: ClassVar[Info] = Info(
        name="comet-kiwi",
        title="COMETKiwi",
        family="checkpoints",
        cell="CD·T·e2e",
        tasks=("MT",),
        criteria=("adequacy",),
        bounds=(float("-inf"), float("inf")),
        scale=1.0,
        needs=("sources",),
        extras=("comet",),
        paper="Rei et al. (2022), CometKiwi: IST-Unbabel 2022 submission for the quality "
        "estimation shared task",
        checked_against=CHECKED,
    )
    kinds: ClassVar[tuple[str, ...]] = ("referenceless_regression_metric", "unified_metric")


@dataclass(frozen=True, kw_only=True)
class XCOMET(CometFamily):
    """What a network says of a translation and its source that also marks errors; with references
    if every segment has some, of which the best counts. Scores are from 0 to 1.
    """

    info: ClassVar[Info] = Info(
        name="xcomet",
        title="xCOMET",
        family="checkpoints",
        cell="CD·T·e2e",
        tasks=("MT",),
        criteria=("adequacy",),
        bounds=(float("-inf"), 1.0),
        scale=1.0,
        needs=("sources",),
        uses=("references",),
        extras=("comet",),
        paper="Guerreiro et al. (2024), xCOMET: transparent machine translation evaluation through "
        "fine-grained error detection",
        checked_against=CHECKED,
    )
    kinds: ClassVar[tuple[str, ...]] = ("xcomet_metric",)

    def reads_reference(self, corpus: Corpus) -> bool:
        """Return whether every segment has a reference."""
        return bool((corpus.references.counts > 0).all())

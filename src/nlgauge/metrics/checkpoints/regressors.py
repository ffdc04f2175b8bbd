"""MetricX (Juraska et al., 2024) and BLEURT (Sellam et al., 2020), from folders of transformers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import ClassVar, Literal

from nlgauge.core.metric import Info
from nlgauge.core.options import option
from nlgauge.errors import ResourceMissing
from nlgauge.kernels import Floats
from nlgauge.metrics.checkpoints.by_path import CheckpointMetric
from nlgauge.models.checkpoints.rater import Sample
from nlgauge.models.checkpoints.transformers_raters import find_classifier, find_metricx
from nlgauge.models.files.torch_checkpoint import INSTALL

TOKEN = 250089  # of mT5's words, the one whose logit the authors trained
PAPER = (
    "Juraska et al. (2024), MetricX-24: the Google submission to the WMT 2024 metrics shared task"
)
CHECKED = "transformers, by the formula of the authors' program, on random weights"


@dataclass(frozen=True, kw_only=True)
class TransformersRater(CheckpointMetric):
    """Metrics of this kind run a checkpoint of transformers, by torch."""

    def resources(self) -> dict[str, str]:
        """Name the checkpoint and its licence."""
        found = super().resources()
        if not all(map(find_spec, ("torch", "transformers"))):
            raise ResourceMissing(f"{self.info.name}: needs torch and transformers", remedy=INSTALL)
        return found


@dataclass(frozen=True, kw_only=True)
class MetricXFamily(TransformersRater):
    """Metrics of this family say how bad a translation is, from 0 to 25, as in MQM."""

    version: Literal["23", "24"] = option(
        "24", "of MetricX: 23 reads a text and its reference or source, 24 reads sources always"
    )
    token: int = option(TOKEN, "number of the token whose logit is the rating", low=0, high=10**7)

    def rated(self, samples: Sequence[Sample], *, threads: int) -> Floats:
        """Return how bad samples are."""
        model = find_metricx(self.folder(), self.version, self.device)
        return model.ratings(samples, self.token, threads=threads)


@dataclass(frozen=True, kw_only=True)
class MetricXReference(MetricXFamily):
    """How bad a translation is, from 0 to 25, given its reference and, in version 24, its source.
    The reference with the best rating counts. Weights are those of a folder: model=FOLDER.
    """

    info: ClassVar[Info] = Info(
        name="metricx",
        title="MetricX",
        family="checkpoints",
        cell="CD·T·e2e",
        tasks=("MT",),
        criteria=("adequacy",),
        higher_is_better=False,
        bounds=(0.0, 25.0),
        scale=1.0,
        uses=("sources",),
        extras=("transformers",),
        paper=PAPER,
        checked_against=CHECKED,
    )

    def reads_source(self) -> bool:
        """Return whether this version reads sources beside references."""
        return self.version == "24"


@dataclass(frozen=True, kw_only=True)
class MetricXSource(MetricXFamily):
    """How bad a translation is, from 0 to 25, given its source alone. Weights are those of a folder
    of MetricX-QE, or of the hybrid MetricX-24: model=FOLDER.
    """

    info: ClassVar[Info] = Info(
        name="metricx-qe",
        title="MetricX without references",
        family="checkpoints",
        cell="CD·T·e2e",
        tasks=("MT",),
        criteria=("adequacy",),
        higher_is_better=False,
        bounds=(0.0, 25.0),
        scale=1.0,
        needs=("sources",),
        extras=("transformers",),
        paper=PAPER,
        checked_against=CHECKED,
    )


@dataclass(frozen=True, kw_only=True)
class BleurtCheckpoint(TransformersRater):
    """What an encoder with one output says of a reference and a text, such as a BLEURT that was
    converted for transformers; the best of several references counts. `bleurt` has our own weights.
    """

    info: ClassVar[Info] = Info(
        name="bleurt-hf",
        title="BLEURT, by a checkpoint of transformers",
        family="checkpoints",
        cell="CF·T·e2e",
        tasks=("MT", "D2T"),
        criteria=("adequacy",),
        bounds=(float("-inf"), float("inf")),
        scale=1.0,
        extras=("transformers",),
        paper="Sellam, Das & Parikh (2020), BLEURT: learning robust metrics for text generation",
        checked_against="transformers, on random weights",
    )

    def rated(self, samples: Sequence[Sample], *, threads: int) -> Floats:
        """Return what the encoder says."""
        return find_classifier(self.folder(), self.device).rate(samples, threads=threads)

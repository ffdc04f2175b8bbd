"""Fit LEIC: captions of people told from those of other images, from shuffled ones and from wrong
words.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
import torch
from torch.nn import functional

from nlgauge.data.corpus import Corpus
from nlgauge.data.labels import Codes
from nlgauge.errors import DataError
from nlgauge.kernels import Floats
from nlgauge.metrics.dialogue.leic import IMAGE, LEIC, REFERENCE
from nlgauge.metrics.dialogue.sentence_blend import best_cosines
from nlgauge.metrics.dialogue.utterances import Utterances
from nlgauge.models.networks.packed_layers import packed_arrays
from nlgauge.models.networks.sentence_regressor import pair_features
from nlgauge.models.predictors.predictor import Arrays
from nlgauge.train.networks.epochs import EpochSettings, train_epochs
from nlgauge.train.networks.regressors import LayeredNetwork
from nlgauge.train.recipe import FitRun, Recipe

CHANGES = 2  # of each caption: shuffled, and with words of others
REPLACED = 0.3  # share of words

Tensor = Any


@dataclass(frozen=True, eq=False)
class CaptionExamples:
    """These are captions that were read, and changed copies of those of people."""

    said: Utterances
    changed: Floats  # [CHANGES, texts, width]; of texts that people wrote, if any branch needs them


class CaptionModule(torch.nn.Module):  # type: ignore[misc]
    """A caption module compares captions with projected features of images."""

    def __init__(self, features: int, width: int) -> None:
        super().__init__()
        self.projection = torch.nn.Linear(features, width)
        self.network = LayeredNetwork(4 * width, [128], dropout=0.5, input_dropout=0.25)

    def forward(self, captions: Tensor, images: Tensor) -> Tensor:
        """Return the logit of each caption."""
        other = functional.normalize(self.projection(images), dim=1)
        scale = captions.shape[1] ** 0.5
        parts = [captions, other, (captions - other).abs(), captions * other * scale]
        return self.network(torch.cat(parts, dim=1) * scale)

    def arrays(self) -> dict[str, Any]:
        """Return the weights under the names of a model's file."""
        return {
            "projection.it.weight": self.projection.weight.detach().numpy().copy(),
            "projection.it.bias": self.projection.bias.detach().numpy().copy(),
            **self.network.arrays(),
        }


class LeicRecipe(Recipe[CaptionExamples]):
    """LEIC learns from what people wrote: their captions of one image, which are its rows'
    references. Ratings and systems' captions are not learnt from.

    The paper's changed captions are for images: against references, they make agreement with people
    worse (docs/results/dialogue.md).
    """

    metric: LEIC
    kinds = ()
    choices: ClassVar = {"changed": ("images", "all", "none")}  # branches that learn from copies
    settings = EpochSettings(epochs=6, batch=64, rate=1e-3, average=0.99)

    def prepare(self, corpus: Corpus, *, threads: int) -> CaptionExamples:
        """Read captions, shuffle their words, and replace some."""
        said = self.metric.read(corpus, threads=threads)
        _, vectors = self.metric.reader(corpus, threads=threads)
        changed = np.zeros((CHANGES, *said.vectors.shape))
        if any(self._changes(images) for images in self._branches()):
            people = np.unique(said.references.numbers)
            texts = [said.texts[k] for k in people]
            for kind, made in enumerate(changed_captions(texts)):
                changed[kind, people] = vectors(made)
        return CaptionExamples(said, changed)

    def _branches(self) -> list[bool]:
        """Return whether each branch that is asked for looks at images."""
        both = {"reference": [False], "image": [True], "both": [False, True]}
        return both[self.metric.context]

    def _changes(self, images: bool) -> bool:
        """Return whether a branch learns from changed captions."""
        return self.chosen["changed"] == "all" or (images and self.chosen["changed"] == "images")

    def take(self, prepared: CaptionExamples, rows: Codes) -> CaptionExamples:
        """Return what some captions need."""
        return CaptionExamples(prepared.said.take(rows), prepared.changed)

    def fit(self, prepared: CaptionExamples, ratings: Floats, run: FitRun) -> Arrays:
        """Train the branches that were asked for."""
        del ratings
        torch.set_num_threads(1)
        found: dict[str, Any] = {}
        if self.metric.context != "image":
            module: Any = LayeredNetwork(
                4 * self.metric.inputs(), [128], dropout=0.5, input_dropout=0.6
            )
            own = self._trained(module, prepared, run, images=False)
            found |= {REFERENCE + name: array for name, array in own.items()}
        if self.metric.context != "reference":
            features = prepared.said.features
            if features is None:
                raise DataError("leic: no features of images to learn from; give --features FILE")
            module = CaptionModule(features.shape[1], self.metric.inputs())
            own = self._trained(module, prepared, run, images=True)
            found |= {IMAGE + name: array for name, array in own.items()}
        return found

    def _trained(
        self, module: Any, prepared: CaptionExamples, run: FitRun, *, images: bool
    ) -> Arrays:
        torch.manual_seed(run.seed)
        said, refs = prepared.said, prepared.said.references
        # Rows with the same references are of one image.
        keys = [refs.numbers[a:b].tobytes() for a, b in pairwise(refs.starts)]
        firsts = [keys.index(key) for key in dict.fromkeys(keys)]
        pictures = refs.take(np.array(firsts, np.intp))
        rng = np.random.default_rng(run.seed)
        size = len(pictures.numbers)
        owners = pictures.segments

        def outputs(rows: list[int]) -> Tensor:
            true = pictures.numbers[rows]
            own = pictures.starts[owners[rows]]
            other = pictures.numbers[own + rng.integers(pictures.counts[owners[rows]])]
            foreign = pictures.numbers[rng.integers(size, size=len(rows))]
            kind = rng.integers(CHANGES, size=len(rows))
            sides = [said.vectors[true], said.vectors[foreign], prepared.changed[kind, true]]
            captions = np.concatenate(sides)
            if images:
                shown = said.features[np.array(firsts)[owners[rows]]]  # type: ignore[index]
                given = torch.tensor(np.tile(shown, (3, 1)), dtype=torch.float32)
                return module(torch.tensor(captions, dtype=torch.float32), given)
            against = np.tile(said.vectors[other], (3, 1))
            return module(torch.from_numpy(pair_features(captions, against)))

        broken_share = 0.25 if self._changes(images) else 0.0

        def loss(found: Tensor, rows: list[int]) -> Tensor:
            true, foreign, broken = found.split(len(rows))
            return (
                functional.softplus(-true).mean()
                + (1 - broken_share) * functional.softplus(foreign).mean()
                + broken_share * functional.softplus(broken).mean()
            )

        train_epochs(
            module,
            outputs,
            np.zeros(size),
            self.settings,
            loss=loss,
            seed=run.seed,
            progress=run.progress,
            checkpoint=run.checkpoint,
        )
        return packed_arrays(module.arrays())

    def predict(self, arrays: Arrays, prepared: CaptionExamples) -> Floats:
        """Return how probably people wrote captions, by the code that scores later."""
        network = self.metric.network(arrays, self.metric.inputs())
        return self.metric.network_scores(network, prepared.said, threads=1)

    def control(self, corpus: Corpus, prepared: CaptionExamples, *, threads: int) -> Floats:  # noqa: ARG002
        """Return the cosine of a caption and its best reference, and the caption's length."""
        said = prepared.said
        lengths = np.array([len(said.texts[k].split()) for k in said.replies])
        return np.column_stack([np.nan_to_num(best_cosines(said)), np.log1p(lengths)])

    def header(self) -> dict[str, Any]:
        """Name the encoder, the branches and the settings."""
        return {
            "features": [],
            **self.metric.trained_with(),
            "branches": self.metric.context,
            "changed": self.chosen["changed"],
            "settings": asdict(self.settings),
        }


def changed_captions(texts: list[str], seed: int = 1) -> tuple[list[str], list[str]]:
    """Return captions with their words shuffled, and with some words of other captions."""
    rng = np.random.default_rng(seed)
    known = [word for text in texts for word in text.split()]
    shuffled, replaced = [], []
    for text in texts:
        words = text.split()
        shuffled.append(" ".join(words[k] for k in rng.permutation(len(words))))
        others = rng.integers(len(known), size=len(words))
        wrong = rng.random(len(words)) < REPLACED
        replaced.append(
            " ".join(
                known[other] if changed else word
                for word, other, changed in zip(words, others, wrong, strict=True)
            )
        )
    return shuffled, replaced

"""Fit the networks of RUSE and ESIM to ratings."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import torch

from nlgauge.core.best_reference import ReferencePairs
from nlgauge.data.corpus import Corpus
from nlgauge.data.labels import Codes
from nlgauge.kernels import Floats
from nlgauge.metrics.trained.esim import ESIM
from nlgauge.metrics.trained.vector_model import SENSE, ReadTexts, VectorMetric
from nlgauge.models.networks.packed_layers import packed_arrays
from nlgauge.models.networks.pair_sense import KINDS, NEAR, PairSense, sense_features
from nlgauge.models.networks.sentence_regressor import pair_features
from nlgauge.models.predictors.predictor import Arrays
from nlgauge.train.fits import fit_common_sense
from nlgauge.train.networks.epochs import EpochSettings, train_epochs
from nlgauge.train.networks.regressors import ESIMModule, LayeredNetwork
from nlgauge.train.networks.targets import targets_of
from nlgauge.train.recipe import FitRun, Recipe

_BLOCK = 512  # pairs that are predicted together


@dataclass(frozen=True, eq=False)
class PairedTexts:
    """These are texts that were read, and which of them are compared."""

    texts: ReadTexts
    left: Codes  # by pair: the number of a text
    right: Codes
    pairs: ReferencePairs

    def take(self, rows: Codes) -> PairedTexts:
        """Return the pairs of some rows."""
        first, counts = self.pairs.first[rows], self.pairs.counts[rows]
        chosen = np.concatenate([np.arange(a, a + n) for a, n in zip(first, counts, strict=True)])
        pairs = ReferencePairs.counted(counts)
        return replace(self, left=self.left[chosen], right=self.right[chosen], pairs=pairs)


class VectorRecipe(Recipe[PairedTexts]):
    """A vector recipe trains a network by torch, on each row's first reference."""

    metric: VectorMetric
    settings: EpochSettings
    penalty = 3000.0

    @abstractmethod
    def module(self, inputs: int) -> Any:
        """Return the network before training."""

    @abstractmethod
    def outputs(self, module: Any, prepared: PairedTexts, rows: list[int]) -> torch.Tensor:
        """Run the network on pairs."""

    def prepare(self, corpus: Corpus, *, threads: int) -> PairedTexts:
        """Encode all texts of the rows."""
        store = self.metric.embeddings_in(corpus)
        texts = dict.fromkeys([*corpus.hypotheses, *corpus.references.flat])
        number = {text: i for i, text in enumerate(texts)}
        pairs = ReferencePairs.of(corpus.references)
        layers = self.metric.layers_trained()
        return PairedTexts(
            self.metric.read(store, list(number), layers, threads=threads),
            np.array(pairs.repeated([number[text] for text in corpus.hypotheses]), np.intp),
            np.array([number[text] for text in corpus.references.flat], np.intp),
            pairs,
        )

    def take(self, prepared: PairedTexts, rows: Codes) -> PairedTexts:
        """Return the pairs of some rows."""
        return prepared.take(rows)

    def fit(self, prepared: PairedTexts, ratings: Floats, run: FitRun) -> Arrays:
        """Train the network on ratings, what is broken being no better than bad, and fit common
        sense to what it says.
        """
        torch.set_num_threads(1)
        torch.manual_seed(run.seed)
        first = replace(
            prepared,
            left=prepared.left[prepared.pairs.first],
            right=prepared.right[prepared.pairs.first],
        )
        learnt = targets_of(ratings, run)
        module = self.module(self.inputs(prepared))
        train_epochs(
            module,
            lambda rows: self.outputs(module, first, learnt.rows[rows].tolist()),
            learnt.targets,
            self.settings,
            sides=learnt.sides,
            judged=learnt.held_out(run, self.settings.held_out),
            lengths=self.sizes(first, learnt.rows),
            seed=run.seed,
            progress=run.progress,
            checkpoint=run.checkpoint,
        )
        arrays = packed_arrays(module.arrays())
        return {**arrays, **self._sense(arrays, first, run)}

    def _sense(self, arrays: Arrays, first: PairedTexts, run: FitRun) -> Arrays:
        left, right = first.left.tolist(), first.right.tolist()
        features = sense_features(first.texts.sentences, left, right)
        chosen = [k for k, kind in enumerate(run.kinds) if kind is None or kind in KINDS]
        copies = features[:, : len(first.texts.sentences.means)].max(axis=1) < np.log(2 * NEAR)
        kinds = [run.kinds[k] or ("identical" if copies[k] else "written") for k in chosen]
        if set(kinds) <= {"written", "identical"}:
            return {}
        classifier = fit_common_sense(
            features[chosen], kinds, names=KINDS, weights={"halved": 5.0}, decay=3.0
        )
        rated = [int(k) for k in run.rated]
        said = self._predicted(
            arrays, replace(first, left=first.left[rated], right=first.right[rated])
        )
        # Copies are to stand above all else, but not so far that they weigh more than others.
        sense = PairSense(classifier, float(np.quantile(said, 0.02)), float(said.max()) + 0.05)
        return {SENSE + name: array for name, array in sense.arrays().items()}

    def predict(self, arrays: Arrays, prepared: PairedTexts) -> Floats:
        """Return predictions for the best reference, by the code that scores later."""
        return prepared.pairs.best(self._predicted(arrays, prepared))

    def _predicted(self, arrays: Arrays, prepared: PairedTexts) -> Floats:
        model = self.metric.build(arrays, self.inputs(prepared))
        found = [np.empty(0)]
        for at in range(0, len(prepared.left), _BLOCK):
            block = slice(at, at + _BLOCK)
            left, right = prepared.left[block], prepared.right[block]
            used = np.unique(np.concatenate([left, right]))
            found.append(
                self.metric.predicted(
                    model,
                    self.some(prepared.texts, used),
                    np.searchsorted(used, left).tolist(),
                    np.searchsorted(used, right).tolist(),
                    threads=1,
                )
            )
        return np.concatenate(found)

    def some(self, texts: ReadTexts, used: Codes) -> ReadTexts:
        """Return some of the texts that were read."""
        vectors = texts.vectors
        chosen = [vectors[k] for k in used] if isinstance(vectors, list) else vectors[used]
        sentences = replace(
            texts.sentences,
            means=texts.sentences.means[:, used],
            lengths=texts.sentences.lengths[used],
        )
        return ReadTexts(chosen, sentences)

    def inputs(self, prepared: PairedTexts) -> int:
        """Return how many numbers a vector has that the network looks at."""
        return int(prepared.texts.vectors[0].shape[-1])

    def sizes(self, prepared: PairedTexts, rows: Codes) -> list[int] | None:
        """Return the lengths of pairs, if those of a batch should be alike."""
        del prepared, rows
        return None

    def control(self, corpus: Corpus, prepared: PairedTexts, *, threads: int) -> Floats:  # noqa: ARG002
        """Return what RUSE looks at: both sentence vectors, their distances and products."""
        sentences = prepared.texts.sentences
        vectors = replace(sentences, means=sentences.means[-1:]).vectors()
        first = prepared.pairs.first
        features = pair_features(vectors[prepared.left[first]], vectors[prepared.right[first]])
        return features.astype(np.float64)

    def header(self) -> dict[str, Any]:
        """Name encoder, layers and settings."""
        return {
            "features": [],
            "encoder": self.metric.encoding_model().name,
            "layers": list(self.metric.layers_trained()),
            "settings": asdict(self.settings),
        }


class RuseRecipe(VectorRecipe):
    """RUSE's network is layers with ReLU on features of two sentence vectors."""

    settings = EpochSettings(epochs=12, batch=32, rate=1e-4, held_out=0.0)

    def module(self, inputs: int) -> LayeredNetwork:
        """Return two layers of 1,024, as the authors have them."""
        return LayeredNetwork(4 * inputs, [1024, 1024], dropout=0.5, input_dropout=0.25)

    def outputs(self, module: Any, prepared: PairedTexts, rows: list[int]) -> torch.Tensor:
        """Run the network on features of pairs."""
        vectors = prepared.texts.vectors
        features = pair_features(vectors[prepared.left[rows]], vectors[prepared.right[rows]])
        found: torch.Tensor = module(torch.from_numpy(features))
        return found


class EsimRecipe(VectorRecipe):
    """ESIM's network reads the vectors of pieces."""

    metric: ESIM
    settings = EpochSettings(
        epochs=10, batch=32, rate=4e-4, decay=0.0, patience=4, held_out=0.1, sorted_in=8
    )

    def module(self, inputs: int) -> ESIMModule:
        """Return the network of the width that was asked for."""
        return ESIMModule(inputs, self.metric.width, dropout=0.5)

    def outputs(self, module: Any, prepared: PairedTexts, rows: list[int]) -> torch.Tensor:
        """Run the network on pairs of texts."""
        vectors = prepared.texts.vectors
        hyps = [torch.from_numpy(vectors[prepared.left[k]]) for k in rows]
        refs = [torch.from_numpy(vectors[prepared.right[k]]) for k in rows]
        found: torch.Tensor = module(hyps, refs)
        return found

    def sizes(self, prepared: PairedTexts, rows: Codes) -> list[int]:
        """Return how many pieces both texts of a row have."""
        vectors = prepared.texts.vectors
        return [
            len(vectors[prepared.left[k]]) + len(vectors[prepared.right[k]]) for k in rows.tolist()
        ]

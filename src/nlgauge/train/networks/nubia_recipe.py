"""Fit the network that puts NUBIA's features together."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from nlgauge.core.best_reference import ReferencePairs
from nlgauge.data.corpus import Corpus
from nlgauge.data.labels import Codes
from nlgauge.kernels import Floats
from nlgauge.metrics.trained.nubia import NUBIA, NubiaModel
from nlgauge.models.cache.embeddings import embeddings_of
from nlgauge.models.predictors.predictor import Arrays, Scaler
from nlgauge.train.networks.epochs import EpochSettings, train_epochs
from nlgauge.train.networks.regressors import LayeredNetwork, mean_network
from nlgauge.train.networks.targets import targets_of
from nlgauge.train.recipe import FitRun, Recipe

_NETWORKS = 3  # whose mean is the model: one alone depends on its seed
_AGAIN = 4  # times that a changed reference is learnt from, as there are few
# Of what the network says, in deviations of ratings: the formula of calibration makes 0 of all that
# is below -1, which would be too many.
_SCALE = 0.5


@dataclass(frozen=True, eq=False)
class NubiaFeatures:
    """These are features of rows with their first reference, and of that reference alone."""

    features: Floats
    own: Floats
    copies: npt.NDArray[np.bool_]  # whether the text is the reference


class NubiaRecipe(Recipe[NubiaFeatures]):
    """The network has two small layers; what three of them say is calibrated as the authors do."""

    metric: NUBIA
    settings = EpochSettings(epochs=40, batch=64, rate=1e-3, held_out=0.0, average=0.99)

    def prepare(self, corpus: Corpus, *, threads: int) -> NubiaFeatures:
        """Compute the features of all pairs."""
        store = embeddings_of(corpus, "minilm")
        first = ReferencePairs.of(corpus.references).first.tolist()
        refs = [corpus.references.flat[k] for k in first]
        pairs = list(zip(refs, corpus.hypotheses, strict=True))
        return NubiaFeatures(
            self.metric.features(store, pairs, threads=threads),
            self.metric.features(store, [(ref, ref) for ref in refs], threads=threads),
            np.array([ref == hyp for ref, hyp in pairs]),
        )

    def take(self, prepared: NubiaFeatures, rows: Codes) -> NubiaFeatures:
        """Return the features of some rows."""
        return NubiaFeatures(prepared.features[rows], prepared.own[rows], prepared.copies[rows])

    def fit(self, prepared: NubiaFeatures, ratings: Floats, run: FitRun) -> Arrays:
        """Train the network; broken texts are no better than bad, and copies no worse than good."""
        torch.set_num_threads(1)
        learnt = targets_of(ratings, run, again=_AGAIN)
        scaler = Scaler.standard(prepared.features[run.rated])
        rows = torch.tensor(scaler(prepared.features)[learnt.rows], dtype=torch.float32)
        found = []
        for k in range(_NETWORKS):
            seed = _NETWORKS * run.seed + k
            torch.manual_seed(seed)
            module = LayeredNetwork(rows.shape[1], [32, 32], dropout=0.1, input_dropout=0.0)
            train_epochs(
                module,
                lambda batch, module=module: module(rows[batch]),  # type: ignore[misc]
                _SCALE * learnt.targets,
                self.settings,
                sides=learnt.sides,
                judged=learnt.held_out(run, self.settings.held_out),
                seed=seed,
                progress=run.progress,
                checkpoint=run.checkpoint
                and run.checkpoint.with_name(f"{run.checkpoint.name}.{k}"),
            )
            found.append(module.arrays())
        usual = prepared.own[run.rated, :-4].mean(axis=0)
        return {**mean_network(found), **scaler.arrays(), "own": usual}

    def predict(self, arrays: Arrays, prepared: NubiaFeatures) -> Floats:
        """Return calibrated scores, by the code that scores later."""
        model = NubiaModel.from_arrays(arrays, self.metric.feature_names())
        own = prepared.own.copy()
        if self.metric.calibration == "mean":
            own[:, :-4] = model.own
            own = np.where(prepared.copies[:, None], prepared.features, own)
        return model.calibrated(prepared.features, own)

    def control(self, corpus: Corpus, prepared: NubiaFeatures, *, threads: int) -> Floats:  # noqa: ARG002
        """Return the same features as the network sees."""
        return prepared.features

    def header(self) -> dict[str, Any]:
        """Name the models behind the features, and settings."""
        return {
            "features": [],
            **self.metric.models(),
            "looks_at": self.metric.looks_at,
            "settings": asdict(self.settings),
        }

"""Fit ADEM and ROBERTA-EVAL to ratings of replies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np
import torch

from nlgauge.data.corpus import Corpus
from nlgauge.data.labels import Codes
from nlgauge.data.run_context import RunContext
from nlgauge.errors import SpecError
from nlgauge.kernels import Floats
from nlgauge.metrics.dialogue.adem import HIGH, LOW
from nlgauge.metrics.dialogue.reply_model import ReplyMetric
from nlgauge.metrics.dialogue.roberta_eval import (
    FEATURES,
    STAGES,
    features_of_replies,
    matrices_of,
)
from nlgauge.metrics.dialogue.utterances import Utterances, cosines
from nlgauge.models.networks.packed_layers import packed_arrays
from nlgauge.models.predictors.linear_predictor import LinearPredictor
from nlgauge.models.predictors.predictor import Arrays, Scaler
from nlgauge.train.dialogue.dialogues import Dialogue
from nlgauge.train.dialogue.modules import BilinearModule
from nlgauge.train.dialogue.negatives import reply_rows
from nlgauge.train.networks.epochs import EpochSettings, train_epochs
from nlgauge.train.recipe import FitRun, Recipe

SHRINK = 10.0  # times the number of rows: how much weights of features are held together
AXES = 50  # that ADEM reduces vectors to


class RatedReplyRecipe(Recipe[Utterances]):
    """A recipe of this kind fits a metric to ratings of replies."""

    metric: ReplyMetric[Any]
    kinds = ()

    def prepare(self, corpus: Corpus, *, threads: int) -> Utterances:
        """Read all utterances of the corpus."""
        return self.metric.read(corpus, threads=threads)

    def take(self, prepared: Utterances, rows: Codes) -> Utterances:
        """Return what some replies need."""
        return prepared.take(rows)

    def predict(self, arrays: Arrays, prepared: Utterances) -> Floats:
        """Return ratings, by the code that scores later."""
        network = self.metric.network(arrays, self.metric.inputs())
        return self.metric.network_scores(network, prepared, threads=1)

    def control(self, corpus: Corpus, prepared: Utterances, *, threads: int) -> Floats:  # noqa: ARG002
        """Return the cosine of the last utterance and the reply, and the reply's length."""
        lengths = np.array([len(text.split()) for text in prepared.texts])
        reply = prepared.vectors[prepared.replies]
        last = cosines(prepared.vectors[prepared.turns.last], reply)
        return np.column_stack([last, np.log1p(lengths[prepared.replies])])

    def header(self) -> dict[str, Any]:
        """Name the encoder, by its weights."""
        return {"features": [], **self.metric.trained_with()}


class AdemRecipe(RatedReplyRecipe):
    """ADEM's matrices learn by squared error, from the identity on."""

    settings = EpochSettings(epochs=8, batch=32, rate=1e-3, decay=0.1, average=0.98)

    def fit(self, prepared: Utterances, ratings: Floats, run: FitRun) -> Arrays:
        """Reduce vectors to their main axes, and fit the matrices of both terms."""
        torch.set_num_threads(1)
        torch.manual_seed(run.seed)
        mean = prepared.vectors.mean(axis=0)
        _, _, axes = np.linalg.svd(prepared.vectors - mean, full_matrices=False)
        weight = axes[:AXES]
        small = (prepared.vectors - mean) @ weight.T
        arrays = {"axes.weight": weight, "axes.bias": -weight @ mean}
        reply, context = small[prepared.replies], prepared.turns.means(small)
        change, slope, shift = self._term(context, reply, ratings, run)
        arrays["context.weight"], terms = change, [(slope, shift)]
        refs = prepared.references
        rows = np.flatnonzero(refs.counts > 0)
        if len(rows) > len(ratings) // 2:
            first = small[refs.take(rows).numbers[refs.take(rows).starts[:-1]]]
            change, *term = self._term(first, reply[rows], ratings[rows], run)
        else:  # the matrix stays the identity, on the scale of the other term
            change, term = np.zeros_like(change), [slope, shift]
        arrays["reference.weight"] = change
        found = np.array([*terms, term])
        # From standardised ratings to those from 1 to 5, whatever the range of the data is.
        low, high = ratings.min(), ratings.max()
        found[:, 1] -= low
        found = found * (HIGH - LOW) / (high - low)
        found[:, 1] += LOW
        return {**packed_arrays(arrays), "terms": found}

    def _term(
        self, left: Floats, right: Floats, ratings: Floats, run: FitRun
    ) -> tuple[Floats, float, float]:
        """Return the change of a matrix, and the line from its products to ratings."""
        module = BilinearModule(left.shape[1])
        products = np.einsum("ij,ij->i", left, right)
        slope, shift = np.polyfit(products, ratings, 1)
        one, other = (torch.tensor(part, dtype=torch.float32) for part in (left, right))
        train_epochs(
            module,
            lambda rows: slope * module(one[rows], other[rows]) + shift,
            ratings,
            self.settings,
            seed=run.seed,
            progress=run.progress,
        )
        change = module.change.detach().numpy().astype(np.float64)
        products = np.einsum("ij,ij->i", left + left @ change, right)
        slope, shift = np.polyfit(products, ratings, 1)
        return change, float(slope), float(shift)

    def header(self) -> dict[str, Any]:
        """Name the encoder and the settings."""
        return {**super().header(), "settings": asdict(self.settings)}


@dataclass(frozen=True, eq=False)
class NextUtterances:
    """Next utterances are what a first stage learned: its matrices, under names of a file."""

    arrays: Arrays


class RobertaEvalRecipe(RatedReplyRecipe):
    """ROBERTA-EVAL learns next utterances from dialogues, and then ratings by few features."""

    settings = EpochSettings(epochs=2, batch=64, rate=1e-3, decay=0.0, average=0.99)
    first: NextUtterances | None = None

    def learn_first(
        self,
        dialogues: Sequence[Dialogue],
        seed: int,
        *,
        within: RunContext | None = None,
        threads: int = 1,
        progress: Callable[[str], None] = lambda _: None,
        **how: Any,  # noqa: ARG002
    ) -> None:
        """Learn to find next utterances among random ones, and among those of the same dialogue."""
        torch.set_num_threads(1)
        found: dict[str, Any] = {}
        for start, kinds in (("any.", ("random",) * 4), ("same.", ("conversation",))):
            torch.manual_seed(seed)
            rows = reply_rows(dialogues, kinds, per_dialogue=8, seed=seed)
            corpus = rows.corpus.within(within or RunContext())
            said = self.metric.read(corpus, threads=threads)
            examples = np.arange(len(rows)).reshape(-1, 1 + len(kinds))
            module = BilinearModule(self.metric.inputs())
            train_epochs(
                module,
                partial(_products, module, said, examples),
                np.zeros(len(examples)),
                self.settings,
                loss=lambda products, _: torch.nn.functional.cross_entropy(
                    10 * products, torch.zeros(len(products), dtype=torch.long)
                ),
                seed=seed,
                progress=progress,
            )
            found |= {start + name: array for name, array in module.arrays().items()}
        self.first = NextUtterances(packed_arrays(found))

    def fit(self, prepared: Utterances, ratings: Floats, run: FitRun) -> Arrays:  # noqa: ARG002
        """Fit the weights of features, which are held near each other; none may be negative."""
        from scipy.optimize import least_squares, nnls

        features = self._features(prepared)
        scaler = Scaler.standard(features)
        scaled = scaler(features)
        size = len(FEATURES)
        penalty = np.sqrt(SHRINK * len(ratings)) * np.eye(size)
        centred = ratings - ratings.mean()
        # Few ratings do not tell features apart: weights are held near each other, not near 0.
        together = scaled.sum(axis=1)
        common = max(0.0, float(together @ centred / (together @ together)))
        weights, _ = nnls(
            np.vstack([scaled, penalty]),
            np.concatenate([centred, np.sqrt(SHRINK * len(ratings)) * np.full(size, common)]),
        )
        predictor = LinearPredictor(scaler, weights, 0.0)
        said = predictor.predict(features)
        share = (ratings - ratings.min()) / max(np.ptp(ratings), 1e-12)

        def missed(line: Floats) -> Floats:
            return np.asarray(0.5 * (1 + np.tanh(0.5 * (line[0] + line[1] * said))) - share)

        line = least_squares(missed, [0.0, 1.0]).x
        line[1] = max(line[1], 1e-3)  # a rating never falls with the features
        return {**self._first().arrays, **predictor.arrays(), "logit": line}

    def _features(self, said: Utterances) -> Floats:
        matrices = matrices_of(self._first().arrays, self.metric.inputs())
        return features_of_replies(matrices, said, threads=1)

    def _first(self) -> NextUtterances:
        if self.first is None:
            raise SpecError(
                "roberta-eval: its first stage learns from dialogues; give them: --dialogues FILE"
            )
        return self.first

    def control(self, corpus: Corpus, prepared: Utterances, *, threads: int) -> Floats:
        """Return the features themselves, and the reply's length beside."""
        lengths = super().control(corpus, prepared, threads=threads)[:, 1:]
        return np.column_stack([self._features(prepared), lengths])

    def header(self) -> dict[str, Any]:
        """Name encoder, features and settings of the first stage."""
        return {
            **super().header(),
            "looks_at": list(FEATURES),
            "stages": list(STAGES),
            "settings": asdict(self.settings),
        }


def _products(module: Any, said: Utterances, examples: Codes, rows: list[int]) -> Any:
    chosen = examples[rows]
    last = torch.tensor(said.vectors[said.turns.last[chosen[:, 0]]], dtype=torch.float32)
    replies = torch.tensor(said.vectors[said.replies[chosen]], dtype=torch.float32)
    return module(last[:, None], replies)

"""Fit networks that tell true replies of dialogues from wrong ones: RUBER, SSREM and MAUDE."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np
import torch
from torch.nn import functional

from nlgauge.data.corpus import Corpus
from nlgauge.data.labels import Codes
from nlgauge.kernels import Floats
from nlgauge.metrics.dialogue.reply_model import RANGES, BlendedMetric, ReplyMetric
from nlgauge.metrics.dialogue.utterances import Utterances, cosines
from nlgauge.models.networks.packed_layers import packed_arrays
from nlgauge.models.predictors.predictor import Arrays
from nlgauge.train.dialogue.dialogues import Dialogue
from nlgauge.train.dialogue.modules import (
    BilinearModule,
    QuadraticModule,
    RuberModule,
    TurnModule,
)
from nlgauge.train.dialogue.negatives import BROKEN, ELSEWHERE, SAME_FILE, reply_rows
from nlgauge.train.judged_rows import JudgedRows
from nlgauge.train.networks.epochs import EpochSettings, train_epochs
from nlgauge.train.recipe import FitRun, Recipe

Tensor = Any
MARGIN = 0.5  # between the true reply and a wrong one, of RUBER


@dataclass(frozen=True, eq=False)
class ReplyExamples:
    """Examples are replies that were read, the true one before the wrong ones of each."""

    said: Utterances
    likeness: Floats | None  # to the true reply, where a metric looks at references


class DialogueRecipe(Recipe[ReplyExamples]):
    """A dialogue recipe learns from dialogues, of which it makes true and wrong replies."""

    metric: ReplyMetric[Any]
    kinds = ()
    learns_from_dialogues = True
    settings: EpochSettings
    negatives: ClassVar[tuple[str, ...]] = ("random",)
    per_dialogue: ClassVar[int] = 8

    def rows(
        self,
        dialogues: Sequence[Dialogue],
        seed: int,
        criterion: str | None = None,  # noqa: ARG002
    ) -> JudgedRows:
        """Return what is learnt of dialogues."""
        return reply_rows(dialogues, self.negatives, per_dialogue=self.per_dialogue, seed=seed)

    def prepare(self, corpus: Corpus, *, threads: int) -> ReplyExamples:
        """Read all utterances of the corpus."""
        said = self.metric.read(corpus, threads=threads)
        like = None
        if isinstance(self.metric, BlendedMetric):
            like = self.metric.likeness(corpus, said, threads=threads)
        return ReplyExamples(said, like)

    def take(self, prepared: ReplyExamples, rows: Codes) -> ReplyExamples:
        """Return what some replies need."""
        like = prepared.likeness
        return ReplyExamples(prepared.said.take(rows), None if like is None else like[rows])

    def predict(self, arrays: Arrays, prepared: ReplyExamples) -> Floats:
        """Return what the network says, by the code that scores later."""
        network = self.metric.network(arrays, self.metric.inputs())
        return self.metric.network_scores(network, prepared.said, threads=1)

    def control(self, corpus: Corpus, prepared: ReplyExamples, *, threads: int) -> Floats:  # noqa: ARG002
        """Return cosines of the reply with the last turn and with all, and logarithms of words."""
        said = prepared.said
        vectors = _means(said.vectors) if isinstance(said.vectors, list) else said.vectors
        lengths = np.array([len(text.split()) for text in said.texts])
        reply = vectors[said.replies]
        return np.column_stack(
            [
                cosines(vectors[said.turns.last], reply),
                cosines(said.turns.means(vectors), reply),
                np.log1p(lengths[said.replies]),
            ]
        )

    def header(self) -> dict[str, Any]:
        """Name the vectors, the negatives and the settings."""
        return {
            "features": [],
            **self.metric.trained_with(),
            "negatives": list(self.negatives),
            "settings": asdict(self.settings),
        }


class ReplyRecipe(DialogueRecipe):
    """A reply recipe trains a network to tell true replies from wrong ones."""

    # Of each batch: true replies to others that stand as wrong ones, beside those that were drawn.
    # Its rows are of one file, if they may be, and about as long as each other.
    others: ClassVar[int] = 0

    @abstractmethod
    def module(self, said: Utterances) -> Any:
        """Return the network before training."""

    @abstractmethod
    def outputs(self, module: Any, said: Utterances, examples: Codes) -> Tensor:
        """Run the network on examples, given as rows of replies: [examples, candidates]."""

    @abstractmethod
    def loss(self, found: Tensor) -> Tensor:
        """Return the loss of what the network says, the true replies being in the first column."""

    def fit(self, prepared: ReplyExamples, ratings: Floats, run: FitRun) -> Arrays:
        """Train the network to tell true replies from wrong ones."""
        torch.set_num_threads(1)
        torch.manual_seed(run.seed)
        examples = np.arange(len(ratings)).reshape(-1, 1 + len(self.negatives))
        module = self.module(prepared.said)
        train_epochs(
            module,
            lambda rows: self.outputs(
                module, prepared.said, with_others(examples[rows], self.others)
            ),
            np.zeros(len(examples)),
            self.settings,
            loss=lambda found, _: self.loss(found),
            lengths=_alike(prepared.said, run)[examples[:, 0]].tolist() if self.others else None,
            seed=run.seed,
            progress=run.progress,
            checkpoint=run.checkpoint,
        )
        arrays = packed_arrays(module.arrays())
        if prepared.likeness is None:
            return arrays
        own, like = self.predict(arrays, prepared), prepared.likeness
        ranges = np.array([[own.min(), own.max()], [like.min(), like.max()]])
        return {**arrays, RANGES: ranges}


class RuberRecipe(ReplyRecipe):
    """RUBER's network learns by a margin, from word vectors.

    Wrong replies are others of the batch, which cost no more reading; one that was drawn is for
    figures on what is held out.
    """

    settings = EpochSettings(epochs=2, batch=64, rate=1e-3, average=0.99, sorted_in=16)
    negatives = (SAME_FILE,)
    per_dialogue = 20
    others = 4

    def module(self, said: Utterances) -> RuberModule:
        """Return the network of the paper's widths."""
        words = np.concatenate([said.vectors[k] for k in said.replies])
        return RuberModule(words, 128, (256, 512, 128), dropout=0.3)

    def outputs(self, module: Any, said: Utterances, examples: Codes) -> Tensor:
        """Run the network on the words of queries, of their replies and of others of the batch."""
        chosen = np.delete(examples, 1, axis=1) if examples.shape[1] > 2 else examples
        queries = np.repeat(said.turns.last[chosen[:, :1]], chosen.shape[1], axis=1)
        texts, places = np.unique([queries, said.replies[chosen]], return_inverse=True)
        query, reply = torch.from_numpy(places.reshape(2, *chosen.shape))
        return module([torch.from_numpy(said.vectors[k]) for k in texts], query, reply)

    def loss(self, found: Tensor) -> Tensor:
        """Return by how much wrong replies come closer to the true one than the margin."""
        probable = torch.sigmoid(found)
        return functional.relu(MARGIN - probable[:, :1] + probable[:, 1:]).mean()


class RuberBertRecipe(ReplyRecipe):
    """RUBER-BERT's network learns as a classifier, from vectors of utterances."""

    settings = EpochSettings(epochs=2, batch=64, rate=5e-4, average=0.99)

    def module(self, said: Utterances) -> QuadraticModule:  # noqa: ARG002
        """Return the network of RUBER's widths."""
        width = self.metric.inputs()
        return QuadraticModule(
            width, (256, 512, 128), gain=10 / width, dropout=0.5, input_dropout=0.8
        )

    def outputs(self, module: Any, said: Utterances, examples: Codes) -> Tensor:
        """Run the network on vectors of queries and replies."""
        flat = examples.ravel()
        scale = np.sqrt(said.vectors.shape[1])
        queries, replies = (
            torch.tensor(said.vectors[rows] * scale, dtype=torch.float32)
            for rows in (said.turns.last[flat], said.replies[flat])
        )
        return module(queries, replies).view(examples.shape)

    def loss(self, found: Tensor) -> Tensor:
        """Return the cross-entropy of true and wrong replies, both alike."""
        return noise_contrast(found)


class SsremRecipe(ReplyRecipe):
    """SSREM's matrix learns by a softmax over the true reply and four others."""

    settings = EpochSettings(epochs=2, batch=64, rate=1e-3, decay=0.0, average=0.99)
    negatives = ELSEWHERE

    def module(self, said: Utterances) -> BilinearModule:  # noqa: ARG002
        """Return the identity, to start from."""
        return BilinearModule(self.metric.inputs())

    def outputs(self, module: Any, said: Utterances, examples: Codes) -> Tensor:
        """Run the matrix on the mean of turns, and on replies."""
        context = said.turns.take(examples[:, 0]).means(said.vectors)
        replies = torch.tensor(said.vectors[said.replies[examples]], dtype=torch.float32)
        return torch.tanh(module(torch.tensor(context, dtype=torch.float32)[:, None], replies))

    def loss(self, found: Tensor) -> Tensor:
        """Return the cross-entropy of the true reply; products of tanh are stretched."""
        return functional.cross_entropy(5 * found, torch.zeros(len(found), dtype=torch.long))


class MaudeRecipe(ReplyRecipe):
    """MAUDE's network learns from broken replies, and from other utterances of the dialogue and of
    the batch. What it reads of the turns learns to be like the vector of the true reply, too: a
    reply's place in a dialogue is much harder to learn than whether its words are in order.
    """

    settings = EpochSettings(epochs=4, batch=64, rate=1e-3, average=0.99, sorted_in=16)
    negatives = (SAME_FILE, "conversation", *BROKEN)
    per_dialogue = 10
    others = 16

    def module(self, said: Utterances) -> TurnModule:
        """Return a network that is smaller than the paper's, as its vectors are."""
        spoken = said.vectors[np.unique(said.turns.numbers)] * _scale(said)
        return TurnModule(spoken, 128, 200, dropout=0.3)

    def outputs(self, module: Any, said: Utterances, examples: Codes) -> Tensor:
        """Run the network on turns in order, and on replies."""
        turns = said.turns.take(examples[:, 0])
        parts = np.split(said.vectors[turns.numbers] * _scale(said), turns.starts[1:-1])
        replies = said.vectors[said.replies[examples]] * _scale(said)
        return module(
            [torch.tensor(part, dtype=torch.float32) for part in parts],
            torch.tensor(replies, dtype=torch.float32),
        )

    def loss(self, found: Tensor) -> Tensor:
        """Return the cross-entropy of true and wrong replies, drawn ones and others of the batch
        alike, and that of the true one among the others by products.
        """
        drawn = 1 + len(self.negatives)
        logits, products = found.unbind(dim=2)
        among = torch.cat([products[:, :1], products[:, drawn:]], dim=1) / 10
        true = torch.zeros(len(found), dtype=torch.long)
        missed = functional.cross_entropy(among, true) + noise_contrast(logits[:, :drawn]) / 2
        if logits.shape[1] > drawn:  # a batch of one row has no others
            others = torch.cat([logits[:, :1], logits[:, drawn:]], dim=1)
            missed = missed + noise_contrast(others) / 2
        return missed


def _scale(said: Utterances) -> float:
    """Return what makes the numbers of unit vectors about 1."""
    return float(np.sqrt(said.vectors.shape[1]))


def noise_contrast(found: Tensor) -> Tensor:
    """Return the binary cross-entropy of the first column, and of all others together."""
    true, wrong = found[:, :1], found[:, 1:]
    return (functional.softplus(-true).mean() + functional.softplus(wrong).mean()) / 2


def with_others(examples: Codes, count: int) -> Codes:
    """Return examples with up to `count` true replies of the examples after them as wrong ones."""
    steps = np.arange(1, min(count, len(examples) - 1) + 1)
    after = (np.arange(len(examples))[:, None] + steps) % len(examples)
    return np.column_stack([examples, examples[after, 0]])


def _alike(said: Utterances, run: FitRun) -> Codes:
    """Return numbers by which rows of one file and of about the same length stand together."""
    lengths = np.array([len(text) for text in said.texts], np.intp)
    own = lengths[said.turns.last] + lengths[said.replies]
    found: Codes = run.parts.codes.astype(np.intp) * (own.max() + 1) + own
    return found


def _means(texts: Sequence[Any]) -> Floats:
    """Return the mean word vectors of texts; 0 of a text without words."""
    return np.array([text.mean(axis=0) if len(text) else np.zeros(text.shape[1]) for text in texts])

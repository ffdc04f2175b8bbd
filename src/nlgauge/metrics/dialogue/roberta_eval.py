"""ROBERTA-EVAL: next utterances first, then ratings of replies (Zhao et al., 2020)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nlgauge.core.metric import Info
from nlgauge.kernels import Floats
from nlgauge.metrics.dialogue.reply_model import SentenceReplyMetric
from nlgauge.metrics.dialogue.utterances import Utterances, cosines
from nlgauge.models.networks.packed_layers import Arrays, unpacked_arrays
from nlgauge.models.networks.reply_networks import Bilinear, sigmoid
from nlgauge.models.predictors.linear_predictor import LinearPredictor
from nlgauge.text.word_lists import stop_words

# What a reply is judged by, each of which is better if larger.
FEATURES = ("cosine", "recent", "next", "same_conversation", "new_words", "question")
STAGES = {"next": "any.", "same_conversation": "same."}  # names of matrices by feature
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, eq=False)
class RatedReplies:
    """This is what both stages learned: matrices of next utterances, and weights of features."""

    matrices: dict[str, Bilinear]
    weights: LinearPredictor
    scale: tuple[float, float]  # of what the weights say, before it becomes a probability

    @classmethod
    def from_arrays(cls, arrays: Arrays, width: int) -> RatedReplies:
        """Rebuild what `nlgauge train` made ready for a file."""
        low, high = np.asarray(arrays["logit"], np.float64).tolist()
        return cls(matrices_of(arrays, width), LinearPredictor.from_arrays(arrays), (low, high))

    def predict(self, features: Floats) -> Floats:
        """Return ratings from 1 to 5."""
        shift, stretch = self.scale
        return 1 + 4 * sigmoid(shift + stretch * self.weights.predict(features))


def matrices_of(arrays: Arrays, width: int) -> dict[str, Bilinear]:
    """Return the matrices that were learnt from next utterances, by feature."""
    found = unpacked_arrays({k: v for k, v in arrays.items() if k.startswith(("any.", "same."))})
    return {name: Bilinear(found, width, f"{start}bilinear") for name, start in STAGES.items()}


@dataclass(frozen=True, kw_only=True)
class RobertaEval(SentenceReplyMetric[None]):
    """A rating from 1 to 5, by few features of a reply and the turns before it: cosines with the
    last and with recent ones, two matrices that learned to find next utterances, words that its
    speaker did not say before, and whether it asks. Their weights were fitted to ratings.

    The authors train all of RoBERTa; here an encoder stays as it is, and each utterance is encoded
    once, whatever it is compared with.
    """

    info: ClassVar[Info] = Info(
        name="roberta-eval",
        title="Next-utterance model fitted to ratings",
        family="dialogue",
        cell="CD·T·e2e",
        tasks=("DG",),
        criteria=("overall", "relevance"),
        bounds=(1.0, 5.0),
        scale=1.0,
        needs=("turns",),
        extras=("neural",),
        paper="Zhao, Lala & Kawahara (2020), Designing precise and robust dialogue response "
        "evaluators",
        checked_against="hand calculation",
        revision=2,
    )
    window: ClassVar[int] = 6

    @staticmethod
    def network(arrays: Arrays, inputs: int) -> RatedReplies:
        """Build matrices for vectors of `inputs` numbers, and the weights of features."""
        return RatedReplies.from_arrays(arrays, inputs)

    def network_scores(self, network: RatedReplies, said: Utterances, *, threads: int) -> Floats:
        """Return a rating of each reply."""
        return network.predict(features_of_replies(network.matrices, said, threads=threads))


def features_of_replies(matrices: dict[str, Bilinear], said: Utterances, *, threads: int) -> Floats:
    """Return what replies are judged by: [replies, FEATURES]."""
    last, reply = said.vectors[said.turns.last], said.vectors[said.replies]
    return np.column_stack(
        [
            cosines(last, reply),
            _recent_cosines(said),
            *(matrices[name](last, reply, threads=threads) for name in STAGES),
            _new_words(said),
            ["?" in said.texts[k] for k in said.replies],
        ]
    )


def _recent_cosines(said: Utterances) -> Floats:
    """Return the mean cosine of each reply and the turns before it, where a turn counts half as
    much as the one that follows it.
    """
    segments, shares = said.turns.segments, 0.5**said.turns.after
    turns, replies = said.vectors[said.turns.numbers], said.vectors[said.replies[segments]]
    found = np.bincount(segments, cosines(turns, replies) * shares, len(said))
    return np.asarray(found / np.bincount(segments, shares, len(said)))


def _new_words(said: Utterances) -> list[float]:
    """Return the share of each reply's words, stop words aside, that its speaker did not use in
    the turns before: every second one, from the last but one on.
    """
    words = [content_words(text) for text in said.texts]
    found = []
    for i, reply in enumerate(said.replies.tolist()):
        start, stop = said.turns.starts[i : i + 2].tolist()
        own = said.turns.numbers[start:stop][-2::-2].tolist()
        before: set[str] = set().union(*(words[k] for k in own))
        found.append(1 - len(words[reply] & before) / max(1, len(words[reply])))
    return found


def content_words(text: str) -> set[str]:
    """Return the words of a text in lower case, without stop words."""
    return set(_WORD.findall(text.lower())) - stop_words("smart")

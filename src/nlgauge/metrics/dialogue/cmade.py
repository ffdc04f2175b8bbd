"""CMADE: which of two whole dialogues is better? (Liang, Zou & Yu, 2020)."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from nlgauge.core.metric import Info
from nlgauge.data.corpus import Corpus
from nlgauge.errors import NlgaugeWarning
from nlgauge.kernels import Floats
from nlgauge.metrics.dialogue.reply_model import SentenceReplyMetric
from nlgauge.metrics.dialogue.speakers import every_second, turns_of_system
from nlgauge.metrics.dialogue.utterances import TextPlaces, Utterances, last_places
from nlgauge.models.networks.packed_layers import Arrays, unpacked_arrays
from nlgauge.models.networks.reply_networks import layers_of, relu, run_layers
from nlgauge.models.predictors.predictor import Scaler

LONGEST = 200  # turns of a dialogue that are looked at
FIGURES = 12  # numbers of a dialogue beside its vectors


class DialogueNetwork:
    """A dialogue network scales what is known of a dialogue, and has layers on it."""

    def __init__(self, arrays: Arrays, width: int) -> None:
        inputs = FIGURES + 2 * width
        self._scaler = Scaler.from_arrays(arrays)
        if self._scaler.shift.shape != (inputs,):
            raise ValueError(f"it looks at {len(self._scaler.shift)} numbers, not {inputs}")
        self._layers = layers_of(unpacked_arrays(arrays), inputs)

    def predict(self, features: Floats, *, threads: int) -> Floats:
        """Return scores, whose differences tell which dialogue is better."""
        return run_layers(self._layers, self._scaler(features), relu, threads=threads)


@dataclass(frozen=True, kw_only=True)
class CMADE(SentenceReplyMetric[None]):
    """A score of a whole dialogue: its difference to another's tells how probably that is worse.
    A segment's turns, and its reply if it has one, are the dialogue. Turns of speakers called bot,
    chatbot, machine, system or assistant are the system's, or else those of the second speaker;
    where speakers are not known, every second turn is, back from the reply or, without one, from
    the second turn on.
    """

    info: ClassVar[Info] = Info(
        name="cmade",
        title="Comparison model for automatic dialogue evaluation",
        family="dialogue",
        cell="CD·T·e2e",
        tasks=("DG",),
        criteria=("overall", "engagingness"),
        bounds=(float("-inf"), float("inf")),
        scale=1.0,
        needs=("turns",),
        extras=("neural",),
        paper="Liang, Zou & Yu (2020), Beyond user self-reported Likert scale ratings: a "
        "comparison model for automatic dialog evaluation",
        checked_against="the same network in torch",
        revision=2,
    )
    window: ClassVar[int] = LONGEST
    scores_dialogues: ClassVar[bool] = True

    @staticmethod
    def network(arrays: Arrays, inputs: int) -> DialogueNetwork:
        """Build the layers for vectors of `inputs` numbers."""
        return DialogueNetwork(arrays, inputs)

    def read(self, corpus: Corpus, *, threads: int) -> Utterances:
        """Return all utterances of a corpus, and which of them are the system's."""
        said = super().read(corpus, threads=threads)
        turns = corpus.turns
        if turns is not None:
            corpus.once("cmade, long", turns, lambda: _warn_of_long_dialogues(turns.counts))
        return replace(said, system=system_turns(corpus, self.window))

    def network_scores(self, network: DialogueNetwork, said: Utterances, *, threads: int) -> Floats:
        """Return a score of each dialogue."""
        return network.predict(dialogue_features(said), threads=threads)


def _warn_of_long_dialogues(counts: npt.NDArray[np.int64]) -> None:
    long = int((counts > LONGEST).sum())
    if long:
        warnings.warn(
            f"cmade: {long} of {len(counts)} dialogues have more than {LONGEST} turns; their last "
            f"{LONGEST} are looked at",
            NlgaugeWarning,
            stacklevel=2,
        )


def system_turns(corpus: Corpus, window: int) -> TextPlaces | None:
    """Return 1 for each turn that is the system's and 0 for others; None without speakers."""
    contexts = corpus.contexts
    if contexts is None or contexts.turns is None or contexts.speakers is None:
        return None
    found, unknown = [], 0
    for i, texts in enumerate(contexts.turns):
        speakers = contexts.speakers_of(i)
        names = [speakers[k] for k in last_places(texts, window)]
        unknown += None in names
        replied = bool(corpus.hypotheses[i].strip())
        found.append(turns_of_system(names, replied=replied))
    if unknown:
        warnings.warn(
            f"cmade: {unknown} of {len(corpus)} dialogues have turns without a speaker; every "
            "second turn of these is taken for the system's",
            NlgaugeWarning,
            stacklevel=2,
        )
    starts = np.concatenate([[0], np.cumsum([len(own) for own in found])]).astype(np.int64)
    return TextPlaces(np.concatenate([[], *found]).astype(np.intp), starts)


def dialogue_features(said: Utterances) -> Floats:
    """Return what is known of dialogues: [dialogues, FIGURES + 2 * width]."""
    lengths = np.array([len(text.split()) for text in said.texts])
    asks = np.array(["?" in text for text in said.texts])
    blank = np.array([not text.strip() for text in said.texts])
    found = []
    for i, reply in enumerate(said.replies.tolist()):
        turns = said.turns.numbers[said.turns.starts[i] : said.turns.starts[i + 1]]
        whole = turns if blank[reply] else np.append(turns, reply)
        if said.system is None:
            system = every_second(len(turns), replied=len(whole) > len(turns))
        else:  # and so is a reply
            known = said.system.numbers[said.turns.starts[i] : said.turns.starts[i + 1]] > 0
            system = np.append(known, True)[: len(whole)]
        found.append(_features(said.vectors[whole], lengths[whole], asks[whole], system))
    return np.array(found)


def _features(
    vectors: Floats,
    lengths: npt.NDArray[np.int64],
    asks: npt.NDArray[np.bool_],
    system: npt.NDArray[np.bool_],
) -> Floats:
    """Return numbers and mean vectors of one dialogue."""
    follows = np.einsum("ij,ij->i", vectors[1:], vectors[:-1])
    own, other = vectors[system], vectors[~system]
    answers, asked = follows[system[1:]], follows[~system[1:]]
    again = _pairs(own)
    numbers = [
        _mean(answers),
        float(answers.min()) if len(answers) else 0.0,
        _mean(asked),
        _mean(again),
        float(again.max()) if len(again) else 0.0,
        _mean(again > 0.9),
        _mean(_pairs(other)),
        _mean(np.log1p(lengths[system])),
        _mean(np.log1p(lengths[~system])),
        float(np.log1p(len(vectors))),
        float(np.std(lengths[system])) if system.any() else 0.0,
        _mean(asks[system]),
    ]
    width = vectors.shape[1]
    means = [part.mean(axis=0) if len(part) else np.zeros(width) for part in (own, other)]
    return np.concatenate([numbers, *means])


def _pairs(vectors: Floats) -> Floats:
    """Return the cosines of all pairs of vectors."""
    left, right = np.triu_indices(len(vectors), 1)
    found: Floats = np.einsum("ij,ij->i", vectors[left], vectors[right])
    return found


def _mean(values: npt.NDArray[np.generic]) -> float:
    return float(np.mean(values.astype(np.float64))) if len(values) else 0.0


def better_probability(first: Floats, second: Floats) -> Floats:
    """Return how probably each first dialogue is better than the second, from their scores."""
    return np.asarray(0.5 * (1 + np.tanh(0.5 * (first - second))))

"""Metrics that look at vectors of what was said: each utterance is encoded once for a whole run."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from nlgauge.core.metric import Mean, State
from nlgauge.core.options import option
from nlgauge.core.understanding.coverage import Lookup
from nlgauge.core.understanding.lookup import LookupMetric, TextSide
from nlgauge.data.corpus import Corpus
from nlgauge.data.labels import Codes
from nlgauge.data.text_lists import TextLists
from nlgauge.errors import NlgaugeWarning
from nlgauge.kernels import Floats
from nlgauge.metrics.dialogue.turn_trace import turns_that_mattered
from nlgauge.models.cache.embeddings import Embeddings, Pooling, embeddings_of, warn_of_long_texts
from nlgauge.models.encoders.encoder import HELP, Encoder, find_encoder
from nlgauge.models.lookups import PieceLookup

if TYPE_CHECKING:
    from nlgauge.explain.traces import Trace

Vectors = Callable[[list[str]], Any]  # of texts: [texts, width], or a list of such by text


@dataclass(frozen=True, eq=False)
class TextPlaces:
    """These are any number of texts for every segment, by their numbers among distinct ones."""

    numbers: Codes
    starts: npt.NDArray[np.int64]  # [segments + 1]

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """Return how many texts each segment has."""
        return np.diff(self.starts)

    @property
    def segments(self) -> Codes:
        """Return the segment of each text."""
        return np.repeat(np.arange(len(self.starts) - 1), self.counts)

    @property
    def last(self) -> Codes:
        """Return the last text of each segment."""
        return self.numbers[self.starts[1:] - 1]

    @property
    def after(self) -> Codes:
        """Return how many texts of its segment come after each text."""
        return np.repeat(self.starts[1:], self.counts) - 1 - np.arange(len(self.numbers))

    def take(self, rows: Codes) -> TextPlaces:
        """Return those of some segments."""
        counts = self.counts[rows]
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        within = np.arange(starts[-1]) - np.repeat(starts[:-1], counts)
        return TextPlaces(self.numbers[np.repeat(self.starts[rows], counts) + within], starts)

    def means(self, vectors: Floats) -> Floats:
        """Return the mean vector of each segment's texts; 0 where it has none."""
        sums = np.zeros((len(self.counts), vectors.shape[1]))
        np.add.at(sums, self.segments, vectors[self.numbers])
        return sums / np.maximum(self.counts, 1)[:, None]


@dataclass(frozen=True, eq=False)
class Utterances:
    """Utterances are distinct texts as vectors, and which of them each segment has."""

    texts: Sequence[str]
    vectors: Any  # [texts, width], or a list by text
    replies: Codes  # by segment
    turns: TextPlaces
    references: TextPlaces
    features: npt.NDArray[np.float32] | None = None
    system: TextPlaces | None = None  # beside turns: 1 of those of the system, 0 of others

    def __len__(self) -> int:
        return len(self.replies)

    def take(self, rows: Codes) -> Utterances:
        """Return the utterances of some segments."""
        return replace(
            self,
            replies=self.replies[rows],
            turns=self.turns.take(rows),
            references=self.references.take(rows),
            features=None if self.features is None else self.features[rows],
            system=None if self.system is None else self.system.take(rows),
        )


def read_utterances(corpus: Corpus, vectors: Vectors, key: object, *, window: int) -> Utterances:
    """Read replies, references and the last `window` turns of each segment, if there are any. What
    was said before is encoded once for all systems; `key` tells vectors from others.
    """
    said = corpus.turns
    turns = TextLists.build([[]] * len(corpus)) if said is None else said
    kept = corpus.once(("last turns", window), turns, lambda: last_turns(turns, window))
    before = list(dict.fromkeys(kept.flat))
    known = corpus.once(("utterances", key, window), turns, lambda: vectors(before))
    number = {text: i for i, text in enumerate(before)}
    spoken = dict.fromkeys([*corpus.hypotheses, *corpus.references.flat])
    new = [text for text in spoken if text not in number]
    number.update((text, i) for i, text in enumerate(new, len(number)))
    return Utterances(
        [*before, *new],
        _joined(known, vectors(new)) if new else known,
        _codes(number, corpus.hypotheses),
        TextPlaces(_codes(number, kept.flat), kept.starts),
        TextPlaces(_codes(number, corpus.references.flat), corpus.references.starts),
        corpus.features,
    )


def _tell_of_no_replies(corpus: Corpus) -> None:
    if len(corpus) > 1 and not any(text.strip() for text in corpus.hypotheses):
        warnings.warn(
            f"{corpus.name}: all {len(corpus)} replies are empty; if these are whole dialogues, "
            "score them with cmade",
            NlgaugeWarning,
            stacklevel=2,
        )


def last_turns(turns: TextLists, window: int) -> TextLists:
    """Return the last turns of each segment that are not blank, or a blank one."""
    return TextLists.build([[texts[k] for k in last_places(texts, window)] for texts in turns])


def last_places(texts: Sequence[str], window: int) -> list[int]:
    """Return where the last texts stand that are not blank, or the last one if all are."""
    said = [k for k, text in enumerate(texts) if text.strip()]
    return said[-window:] or list(range(len(texts)))[-1:]


def _joined(known: Any, new: Any) -> Any:
    return known + new if isinstance(known, list) else np.concatenate([known, new])


def _codes(number: dict[str, int], texts: Iterable[str]) -> Codes:
    return np.array([number[text] for text in texts], np.intp)


@dataclass(frozen=True, kw_only=True)
class UtteranceMetric(Mean[State], LookupMetric[State]):
    """A metric that looks at vectors of replies and of what was said before them."""

    other: ClassVar[str] = "turn"
    window: ClassVar[int] = 1  # turns that are looked at
    scores_dialogues: ClassVar[bool] = False  # whether a segment may be a dialogue without a reply

    def check_inputs(self, corpus: Corpus) -> None:
        """Refuse segments without turns, and tell of dialogues that are taken for replies."""
        super().check_inputs(corpus)
        if "turns" in self.info.needs and not self.scores_dialogues:
            corpus.once("replies", corpus.hypotheses, lambda: _tell_of_no_replies(corpus))

    @abstractmethod
    def reader(self, corpus: Corpus, *, threads: int) -> tuple[object, Vectors]:
        """Return what makes vectors of texts, after what tells it from others."""

    def sides(self, corpus: Corpus) -> tuple[TextSide, ...]:
        """Return replies, and what was said before them."""
        lookup, turns = self.lookup(), corpus.turns
        assert turns is not None  # as check_inputs has seen
        return (
            TextSide("hypotheses", corpus.hypotheses, lookup),
            TextSide("turns", turns.flat, lookup, turns.starts),
        )

    def read(self, corpus: Corpus, *, threads: int) -> Utterances:
        """Return all utterances of a corpus, each read once."""
        key, vectors = self.reader(corpus, threads=threads)
        return read_utterances(corpus, vectors, key, window=self.window)

    @abstractmethod
    def replies_scored(self, said: Utterances, *, threads: int) -> Floats:
        """Return a score of each reply to what was said before."""

    def explained(self, corpus: Corpus) -> Sequence[Trace | None] | None:
        """Show which turns mattered: how much lower the score is without each."""
        if "turns" not in self.info.needs:
            return None
        return [turns_that_mattered(self, corpus.take([i])) for i in range(len(corpus))]

    def segment_rows(self, corpus: Corpus, state: State, *, threads: int) -> Floats:
        """Compute the columns: the score, 1, counts of words."""
        scores = self.replies_scored(self.read(corpus, threads=threads), threads=threads)
        return self.counted(corpus, np.column_stack([scores, np.ones(len(scores))]))


@dataclass(frozen=True, kw_only=True)
class SentenceMetric(UtteranceMetric[State]):
    """A metric that looks at sentence vectors of an encoder."""

    encoder: str = option("minilm", HELP)
    device: str = option(
        "cpu", "of torch; encoders that run without it are always on the processor"
    )

    @property
    def pooled(self) -> Pooling:
        """Return how vectors of pieces become one."""
        return "mean"

    def encoding_model(self) -> Encoder:
        """Return the encoder, or raise ResourceMissing with the command to run."""
        return find_encoder(self.encoder, device=self.device)

    def resources(self) -> dict[str, str]:
        """Name the encoder, by the hash of its weights."""
        return {"encoder": self.encoding_model().name}

    def lookup(self) -> Lookup:
        """Return the encoder that texts are looked up in."""
        return PieceLookup(self.encoding_model())

    def store_of(self, corpus: Corpus) -> Embeddings:
        """Return the store of the corpus's embeddings; long turns are told of."""
        store = embeddings_of(corpus, self.encoder, device=self.device)
        turns = corpus.turns
        if turns is not None:
            warn_of_long_texts(corpus, store, "turns", turns.flat)
        return store

    def announce(self, corpus: Corpus) -> None:
        """Have texts encoded once for all metrics, whichever layers they look at."""
        self.store_of(corpus).expect([self.encoding_model().layers])

    def reader(self, corpus: Corpus, *, threads: int) -> tuple[object, Vectors]:
        """Return what makes vectors of length 1 of texts, from the encoder's last layer."""
        store, pooling = self.store_of(corpus), self.pooled
        layer = store.encoder.layers

        def vectors(texts: list[str]) -> Floats:
            return store.sentences(texts, [layer], pooling=pooling, threads=threads).vectors()

        return (store.encoder.name, pooling), vectors


def cosines(left: Floats, right: Floats) -> Floats:
    """Return the cosines of rows; 0 where one is 0."""
    lengths = np.linalg.norm(left, axis=1) * np.linalg.norm(right, axis=1)
    both = np.einsum("ij,ij->i", left, right)
    found: Floats = np.divide(both, lengths, out=np.zeros(len(both)), where=lengths > 0)
    return np.clip(found, -1.0, 1.0)

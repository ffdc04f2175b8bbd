"""Run the network behind parser and labeller: MiniLM, tuned for both, and a small head for each.

One encoding serves tags, constituents, predicates and roles. Spans are scored by the gaps at their
ends, and the best tree and the best roles are found exactly, in `native/structure`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from nlgauge.models.encoders.encoder import batches
from nlgauge.models.files.artefacts import reading
from nlgauge.models.structure.weights import REMEDY, Floats, StructureWeights
from nlgauge.models.structure.word_reader import PiecedSentence, WordReader

WINDOW = 2048  # sentences that are sorted by length
TOKENS = 8192  # pieces of sentences that are analysed together
CHUNK = 256  # predicates that are
Spans = dict[tuple[int, int], str]  # [start, end) in words: label or role


@dataclass(frozen=True)
class Analysis:
    """An analysis is what the network says about a sentence; what was not asked for is empty."""

    tags: list[str]
    constituents: Spans
    frames: dict[int, Spans]  # arguments by predicate; one is the predicate's own, V


class StructureNetwork:
    """The structure network is the weights, ready to run."""

    def __init__(self, weights: StructureWeights) -> None:
        self.name = weights.name
        self._weights = weights
        with reading(weights.name, "its arrays do not fit each other", REMEDY):
            self._prepare(weights)

    def _prepare(self, weights: StructureWeights) -> None:
        self._bert, self._layers, limit = weights.encoder()
        self.reader = WordReader(weights.base / "tokenizer.json", limit)
        self._of_word = weights.projection("tag", "predicate")
        self._of_gap = weights.projection("parse_left", "parse_right")
        self._labels = weights.span_scores("parse_label")
        self._of_gap_for_roles = weights.projection("role_left", "role_right")
        self._of_predicate = weights.projection("role_predicate")
        self._start_distances = weights.table("role_start")
        self._end_distances = weights.table("role_end")
        self._roles = weights.span_scores("role_label")

    def analyse(
        self,
        sentences: Sequence[Sequence[str]],
        *,
        trees: bool = True,
        frames: bool = True,
        predicates: Sequence[Sequence[int]] | None = None,
        threads: int = 1,
    ) -> Iterator[Analysis]:
        """Analyse sentences, which must have a word at least and fit the encoder; `predicates` are
        looked for unless they are given. Sentences of about the same length go together, within a
        window, so that memory does not depend on their number.
        """
        for at in range(0, len(sentences), WINDOW):
            pieced = [self.reader.sentence(words) for words in sentences[at : at + WINDOW]]
            found: dict[int, Analysis] = {}
            for numbers in batches([len(p.ids) for p in pieced], TOKENS):
                batch = _Batch(self, [pieced[i] for i in numbers], threads)
                given = None if predicates is None else [predicates[at + i] for i in numbers]
                tags = batch.tags()
                spans = batch.constituents() if trees else [Spans() for _ in numbers]
                arguments = batch.frames(given) if frames else [{} for _ in numbers]
                for k, i in enumerate(numbers):
                    found[i] = Analysis(tags[k], spans[k], arguments[k])
            for i in range(len(pieced)):
                yield found[i]


class _Batch:
    """A batch is sentences that are analysed together. A row of `words` and `gaps` is two pieces:
    the ends of a word, or the last before a gap between words and the first after it.
    """

    def __init__(
        self, network: StructureNetwork, batch: list[PiecedSentence], threads: int
    ) -> None:
        self.network, self.threads = network, threads
        self.sizes = np.array([len(p) for p in batch], np.int64)
        self.starts = np.cumsum([0, *self.sizes]).tolist()  # words; gaps are one more a sentence
        at = np.cumsum([0, *(len(p.ids) for p in batch)], dtype=np.int64)
        ids = np.concatenate([p.ids for p in batch])
        kinds = np.concatenate([p.shapes for p in batch])
        layers = [network._layers]
        states = network._bert.encode(ids, at, layers, threads=threads, kinds=kinds)[0]

        def rows(*pieces: list[npt.NDArray[np.int32]]) -> Floats:
            shifted = (
                np.concatenate([p + start for p, start in zip(some, at, strict=False)])
                for some in pieces
            )
            return np.concatenate([states[some] for some in shifted], axis=1)

        self.words = rows([p.first for p in batch], [p.last for p in batch])
        self.gaps = rows(
            [np.append(np.int32(0), p.last) for p in batch],
            [np.append(p.first, np.int32(len(p.ids) - 1)) for p in batch],
        )
        self.by_word = network._of_word(self.words, threads=threads)

    def tags(self) -> list[list[str]]:
        names = self.network._weights.tags
        best = self.by_word[:, : len(names)].argmax(axis=1).tolist()
        return [[names[t] for t in best[i:j]] for i, j in pairwise(self.starts)]

    def constituents(self) -> list[Spans]:
        names, found = self.network._weights.labels, [Spans() for _ in self.sizes]
        left, right = _halves(self.network._of_gap(self.gaps, threads=self.threads))
        rows = self.network._labels.trees(left, right, self.sizes, threads=self.threads)
        for sentence, start, end, label in rows.tolist():
            found[sentence][start, end] = names[label]
        return found

    def predicates(self) -> list[list[int]]:
        no = len(self.network._weights.tags)
        yes = self.by_word[:, no + 1] > self.by_word[:, no]
        return [np.flatnonzero(yes[i:j]).tolist() for i, j in pairwise(self.starts)]

    def frames(self, given: Sequence[Sequence[int]] | None) -> list[dict[int, Spans]]:
        given = self.predicates() if given is None else given
        found = [{p: Spans() for p in some} for some in given]
        gaps = self.network._of_gap_for_roles(self.gaps, threads=self.threads)
        problems = [(s, p) for s, some in enumerate(given) for p in some]
        for at in range(0, len(problems), CHUNK):
            self._arguments(*_halves(gaps), problems[at : at + CHUNK], found)
        return found

    def _arguments(
        self,
        left: Floats,
        right: Floats,
        problems: Sequence[tuple[int, int]],
        found: list[dict[int, Spans]],
    ) -> None:
        """Find the arguments; each predicate is a problem with all gaps of its sentence."""
        network, weights = self.network, self.network._weights
        rows = [self.starts[s] + p for s, p in problems]
        own = network._of_predicate(self.words[rows], threads=self.threads)
        starts, ends = [], []
        for (s, p), of_predicate in zip(problems, own, strict=True):
            n = int(self.sizes[s])
            gaps = slice(self.starts[s] + s, self.starts[s] + s + n + 1)
            away = np.arange(n + 1) - p
            near = np.clip([away, away - 1], -weights.reach, weights.reach) + weights.reach
            starts.append(left[gaps] + of_predicate + network._start_distances[near[0]])
            ends.append(right[gaps] + network._end_distances[near[1]])
        arguments = network._roles.arguments(
            np.concatenate(starts),
            np.concatenate(ends),
            self.sizes[[s for s, _ in problems]],
            np.array([p for _, p in problems], np.int64),
            verb=weights.roles.index("V"),
            threads=self.threads,
        )
        for problem, start, end, role in arguments.tolist():
            s, p = problems[problem]
            found[s][p][start, end] = weights.roles[role]


def _halves(x: Floats) -> tuple[Floats, Floats]:
    left, right = np.split(x, 2, axis=1)
    return np.ascontiguousarray(left), np.ascontiguousarray(right)

"""Parse English and label its roles with one network of our own (`trees=en`, `roles=en`)."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from nlgauge.data.constituents import Constituent
from nlgauge.data.frames import Frame, FrameSentence, Role, short
from nlgauge.errors import NlgaugeWarning
from nlgauge.models.encoders.encoder import minilm_folder
from nlgauge.models.structure.network import Spans, StructureNetwork
from nlgauge.models.structure.weights import StructureWeights
from nlgauge.models.structure.word_reader import TOGETHER
from nlgauge.models.syntax.spans import tree_of
from nlgauge.text.tokenizers.penn import penn_sentences, penn_words

T = TypeVar("T")


class StructureParser:
    """This parser finds the constituents of raw text."""

    def __init__(self, network: StructureNetwork) -> None:
        self.network = network
        self.name = network.name

    def trees(self, texts: Sequence[str], *, threads: int = 1) -> list[list[Constituent]]:
        """Return the trees of each text's sentences."""
        return _by_text(texts, lambda sentences: self.parse(sentences, threads=threads))

    def parse(self, sentences: Sequence[Sequence[str]], *, threads: int = 1) -> list[Constituent]:
        """Return the trees of sentences that are split into words; a sentence needs one at least.

        Parts of a sentence that is too long stand beside each other under TOP.
        """
        parts, owners = _parts(self.network, sentences)
        analyses = self.network.analyse(parts, frames=False, threads=threads)
        children: list[list[Constituent]] = [[] for _ in sentences]
        for words, owner, found in zip(parts, owners, analyses, strict=True):
            children[owner] += tree_of(words, found.tags, found.constituents).children
        return [Constituent("TOP", tuple(some)) for some in children]


class StructureLabeller:
    """This labeller finds the predicates of raw text and their roles."""

    def __init__(self, network: StructureNetwork) -> None:
        self.network = network
        self.name = network.name

    def frames(self, texts: Sequence[str], *, threads: int = 1) -> list[list[FrameSentence]]:
        """Return the frames of each text's sentences."""
        return _by_text(texts, lambda sentences: self.label(sentences, threads=threads))

    def label(
        self,
        sentences: Sequence[Sequence[str]],
        *,
        predicates: Sequence[Sequence[int]] | None = None,
        threads: int = 1,
    ) -> list[FrameSentence]:
        """Return the frames of sentences that are split into words; predicates are found, or given.

        Frames do not reach across the parts of a sentence that is too long.
        """
        parts, owners = _parts(self.network, sentences)
        starts, seen = [], [0] * len(sentences)
        for words, owner in zip(parts, owners, strict=True):
            starts.append(seen[owner])
            seen[owner] += len(words)
        given = None
        if predicates is not None:
            given = [
                [p - start for p in predicates[owner] if start <= p < start + len(words)]
                for words, owner, start in zip(parts, owners, starts, strict=True)
            ]
        analyses = self.network.analyse(parts, trees=False, predicates=given, threads=threads)
        found: list[list[Frame]] = [[] for _ in sentences]
        for words, owner, start, analysis in zip(parts, owners, starts, analyses, strict=True):
            found[owner] += [
                _frame(words, predicate, arguments, start)
                for predicate, arguments in analysis.frames.items()
            ]
        return [
            FrameSentence(tuple(words), tuple(frames))
            for words, frames in zip(sentences, found, strict=True)
        ]


def parser() -> StructureParser:
    """Return the parser that comes with the package; raise ResourceMissing if it cannot run."""
    return StructureParser(_network(minilm_folder("trees=en")))


def labeller() -> StructureLabeller:
    """Return the labeller that comes with the package; raise ResourceMissing if it cannot run."""
    return StructureLabeller(_network(minilm_folder("roles=en")))


@lru_cache(maxsize=1)
def _network(base: Path) -> StructureNetwork:
    return StructureNetwork(StructureWeights.read(base))


def _frame(words: Sequence[str], predicate: int, arguments: Spans, start: int) -> Frame:
    roles = tuple(
        Role(short(role), start + i, start + j)
        for (i, j), role in arguments.items()
        if role not in ("V", "C-V")
    )
    return Frame(start + predicate, roles, words[predicate].lower())


def _by_text(texts: Sequence[str], analyse: Callable[[list[list[str]]], list[T]]) -> list[list[T]]:
    """Return what `analyse` makes of all sentences, by text."""
    split = [[penn_words(sentence) for sentence in penn_sentences(text)] for text in texts]
    found = iter(analyse([words for sentences in split for words in sentences]))
    return [[next(found) for _ in sentences] for sentences in split]


def _parts(
    network: StructureNetwork, sentences: Sequence[Sequence[str]]
) -> tuple[list[list[str]], list[int]]:
    """Return sentences as they fit the encoder, and the number of the one that each is part of."""
    parts: list[list[str]] = []
    owners: list[int] = []
    cut = 0
    for number, words in enumerate(sentences):
        some = network.reader.parts(words)
        cut += len(some) > 1
        parts += some
        owners += [number] * len(some)
    if cut:
        warnings.warn(
            f"{cut} sentences of more than {TOGETHER} words or {network.reader.limit - 2} word "
            "pieces are analysed in parts",
            NlgaugeWarning,
            stacklevel=4,
        )
    return parts, owners

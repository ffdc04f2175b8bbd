"""Look words up in WordNet 3.0, which comes with the package, or in wordnets of OMW's format.

Words are in lower case, with "_" for blanks; a synset is a number, its key like 02084071-n.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from nlgauge.core.resources import digest, read_resource
from nlgauge.errors import DataError, SpecError
from nlgauge.kernels import native
from nlgauge.models.files.artefacts import array_at, check_starts, header_of, reading

Part = Literal["n", "v", "a", "r"]
Kind = Literal["synsets", "lemmas", "meteor", "nltk", "name", "jaws"]
Numbers = npt.NDArray[np.uint32]

_MAGIC = b"nlgauge wordnet 2\n"
_LONGEST_HEADER = 1 << 16
_ARRAYS = {
    "lemma_bytes": "|u1",
    "lemma_starts": "<u4",
    "sense_starts": "<u4",
    "senses": "<u4",
    "synset_offsets": "<u4",
    "part_starts": "<u4",
    "hypernym_starts": "<u4",
    "hypernyms": "<u4",
    "antonyms": "<u4",
    "exceptions": "|u1",
    "spelled_senses": "<u4",
    "spelled_starts": "<u4",
    "spelled_bytes": "|u1",
}
_VERBS = "nvar".index("v")


@dataclass(frozen=True, eq=False)
class WordNet:
    """A wordnet has lemmas, synsets and the relations between them."""

    name: str
    version: str
    arrays: Mapping[str, npt.NDArray[Any]]
    inflected: bool = True  # English forms are led back to their lemmas

    @cached_property
    def lexicon(self) -> native.Lexicon:
        """Return the lemmas and their synsets, for kernels."""
        a = self.arrays
        return native.Lexicon(
            lemma_bytes=a["lemma_bytes"],
            lemma_starts=a["lemma_starts"],
            sense_starts=a["sense_starts"],
            senses=a["senses"],
            offsets=a["synset_offsets"],
            part_starts=a["part_starts"],
            exceptions=a["exceptions"],
            inflected=self.inflected,
            spelled_senses=a["spelled_senses"],
            spelled_starts=a["spelled_starts"],
            spelled_bytes=a["spelled_bytes"],
        )

    def morphy(self, word: str, part: Part | None = None) -> list[str]:
        """Return the lemmas that a word is a form of, of one part of speech or all."""
        lexicon = self.lexicon
        found = (lexicon.bases(_written(word), p) for p in _numbers(part))
        return list(dict.fromkeys(lexicon.lemma(k) for bases in found for k in bases))

    def synsets(self, word: str, part: Part | None = None) -> list[int]:
        """Return all synsets of all lemmas of a word, frequent senses first."""
        lexicon = self.lexicon
        return list(
            dict.fromkeys(
                synset
                for p in _numbers(part)
                for lemma in lexicon.bases(_written(word), p)
                for synset in lexicon.senses(lemma, p)
            )
        )

    def sets(self, words: Sequence[str], kind: Kind = "synsets") -> tuple[Numbers, Numbers]:
        """Return what many words are compared by: all numbers, after where each word's start."""
        return self.lexicon.sets([_written(word) for word in words], kind)

    def are_synonyms(self, word: str, other: str) -> bool:
        """Return whether the words share a synset, in any sense."""
        starts, numbers = self.sets([word, other])
        return bool(np.intersect1d(numbers[: starts[1]], numbers[starts[1] :]).size)

    def words(self, synset: int) -> list[str]:
        """Return the lemmas of a synset, in alphabetical order."""
        starts, order = self._members
        return [self.lexicon.lemma(int(k)) for k in order[starts[synset] : starts[synset + 1]]]

    @cached_property
    def _members(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return the lemmas of all synsets, and where each synset's start."""
        senses = self.arrays["senses"]
        starts = self.arrays["sense_starts"].astype(np.int64)
        lemmas = np.repeat(np.arange(starts.size - 1), starts[1:] - starts[:-1])
        order = np.argsort(senses, kind="stable")
        size = self.arrays["synset_offsets"].size
        return np.searchsorted(senses[order], np.arange(size + 1)), lemmas[order]

    def key(self, synset: int) -> str:
        """Return how OMW and others call a synset: its offset and part of speech."""
        return f"{int(self.arrays['synset_offsets'][synset]):08d}-{'nvar'[self._part(synset)]}"

    def synset(self, key: str) -> int:
        """Return the synset of a key; satellite adjectives (-s) count as adjectives."""
        offset, _, letter = key.partition("-")
        part = "nvar".find(letter.replace("s", "a") or "?")
        if part >= 0 and offset.isdigit():
            first, last = self.arrays["part_starts"][part : part + 2].astype(np.int64)
            offsets = self.arrays["synset_offsets"][first:last]
            at = int(np.searchsorted(offsets, int(offset)))
            if at < offsets.size and offsets[at] == int(offset):
                return int(first) + at
        raise DataError(f"{self.name} has no synset {key!r}")

    def _part(self, synset: int) -> int:
        return int(np.searchsorted(self.arrays["part_starts"], synset, side="right")) - 1

    def antonyms(self, word: str) -> set[str]:
        """Return the opposites of a word, in any sense."""
        rows = self.arrays["antonyms"].reshape(-1, 4)
        lemmas = [self.lexicon.find(lemma) for lemma in self.morphy(word)]
        meant = np.isin(rows[:, 0], lemmas) & np.isin(rows[:, 1], self.synsets(word))
        return {self.lexicon.lemma(int(k)) for k in rows[meant, 2]}

    def hypernyms(self, synset: int) -> list[int]:
        """Return what the synset is a kind or an instance of."""
        starts = self.arrays["hypernym_starts"]
        above: list[int] = self.arrays["hypernyms"][starts[synset] : starts[synset + 1]].tolist()
        return above

    def _distances(self, synset: int) -> dict[int, int]:
        """Return all synsets above one, itself among them, and the shortest ways up to them.

        Verbs have no common root; one is added, as -1, above their highest synsets.
        """
        distances = {synset: 0}
        queue = [synset]
        for current in queue:
            for other in self.hypernyms(current):
                if other not in distances:
                    distances[other] = distances[current] + 1
                    queue.append(other)
        if self._part(synset) == _VERBS:
            tops = [s for s in queue if not self.hypernyms(s)] or queue[-1:]  # or two in a circle
            distances[-1] = 1 + min(distances[s] for s in tops)
        return distances

    def _depths(self, synset: int, below: tuple[int, ...] = ()) -> tuple[int, int]:
        """Return the shortest and the longest way up to the top.

        Two verbs of WordNet 3.0 are above each other; a way does not come back to where it was.
        """
        below = (*below, synset)
        above = self.hypernyms(synset)
        ways = [self._depths(other, below) for other in above if other not in below]
        return (1 + min(w[0] for w in ways), 1 + max(w[1] for w in ways)) if ways else (0, 0)

    def path_similarity(self, one: int, other: int) -> float | None:
        """Return 1 / (1 + edges on the shortest way between the synsets); None without a way."""
        way = _shortest(self._distances(one), self._distances(other))
        return None if way is None else 1 / (1 + way)

    def wup_similarity(self, one: int, other: int) -> float | None:
        """Return Wu and Palmer's similarity: twice the depth of the deepest common hypernym over
        the sum of both synsets' depths.

        As in NLTK, that hypernym is the one farthest from the top by its shortest way up, and its
        depth is the longest way up. Of several the deepest counts, in NLTK the first by name. A
        synset and itself have 1, in NLTK less where it has two ways up.
        """
        if one == other:
            return 1.0
        a, b = self._distances(one), self._distances(other)
        common = a.keys() & b.keys()
        if not common:
            return None
        depths = {s: self._depths(s) if s >= 0 else (-1, 0) for s in common}
        lowest = max(common, key=lambda s: (*depths[s], -a[s] - b[s], s))
        above = self._distances(lowest) if lowest >= 0 else {-1: 0}
        ways = (_shortest(a, above) or 0) + (_shortest(b, above) or 0)
        depth = depths[lowest][1] + 1
        return 2 * depth / (2 * depth + ways)


def _shortest(one: Mapping[int, int], other: Mapping[int, int]) -> int | None:
    """Return the shortest way over a synset above both."""
    return min((one[s] + other[s] for s in one.keys() & other.keys()), default=None)


def _written(word: str) -> str:
    return word.lower().replace(" ", "_")


def _numbers(part: Part | None) -> Iterable[int]:
    if part is None:
        return range(4)
    if part not in get_args(Part):
        raise SpecError(f"part of speech {part!r}: there are {', '.join(get_args(Part))}")
    return ("nvar".index(part),)


@cache
def wordnet() -> WordNet:
    """Return WordNet 3.0 (Princeton University, 2006)."""
    with as_file(files("nlgauge.models") / "data" / "wordnet-3.0.bin") as path:
        return read_wordnet(path)


def read_wordnet(path: Path) -> WordNet:
    """Open the file that the package brings; what its arrays say of each other is checked."""
    with reading(path, "is not a wordnet of this nlgauge", "install it again"):
        data = np.asarray(np.memmap(path, np.uint8, "r"))
        head = data[:_LONGEST_HEADER].tobytes()
        if not head.startswith(_MAGIC):
            raise ValueError("it starts otherwise")
        body = head.find(b"\n", len(_MAGIC)) + 1
        places = header_of(head[len(_MAGIC) : max(body, len(_MAGIC))])
        arrays = {}
        for name, kind in _ARRAYS.items():
            given, at, size = places[name]
            if given != kind:
                raise ValueError(f"{name} is of type {given}")
            arrays[name] = array_at(data[body:], kind, [size], at)
        found = WordNet("WordNet", "3.0", arrays)
        _check_relations(arrays, len(found.lexicon))
        return found


def _check_relations(arrays: Mapping[str, npt.NDArray[Any]], lemmas: int) -> None:
    """Check what the native lexicon does not look at: spelling, hypernyms and antonyms."""
    synsets = arrays["synset_offsets"].size
    if native.invalid_word(arrays["lemma_bytes"], arrays["lemma_starts"].astype(np.int64)) >= 0:
        raise ValueError("a lemma is not valid UTF-8")
    check_starts(arrays["hypernym_starts"], arrays["hypernyms"].size)
    rows = arrays["antonyms"].reshape(-1, 4)
    if arrays["hypernym_starts"].size != synsets + 1 or (arrays["hypernyms"] >= synsets).any():
        raise ValueError("hypernyms that are not there")
    if (rows[:, [0, 2]] >= lemmas).any() or (rows[:, [1, 3]] >= synsets).any():
        raise ValueError("antonyms that are not there")


@cache
def read_omw(path: str) -> WordNet:
    """Read a wordnet of the Open Multilingual Wordnet: lines of key, kind and value, tab-separated.

    Lines whose kind ends in "lemma" name a word of a synset of WordNet 3.0; relations are those of
    the English wordnet.
    """
    english = wordnet()
    senses: dict[bytes, list[int]] = {}
    for synset, word in _omw_lemmas(path, english):
        senses.setdefault(_written(word).encode(), []).append(synset)
    if not senses:
        raise DataError(f"wordnet={path}: no lemmas; a line is like 02084071-n<tab>lemma<tab>chien")
    lemmas = sorted(senses)
    # Parts of speech in their order, and within one the order of the file.
    starts = english.arrays["part_starts"][1:]
    lists = [
        sorted(senses[x], key=lambda s: int(np.searchsorted(starts, s, side="right")))
        for x in lemmas
    ]
    arrays = {
        **english.arrays,
        "lemma_bytes": np.frombuffer(b"".join(lemmas), np.uint8),
        "lemma_starts": _starts(map(len, lemmas)),
        "sense_starts": _starts(map(len, lists)),
        "senses": np.array([s for row in lists for s in row], np.uint32),
        "antonyms": np.zeros(0, np.uint32),
        "exceptions": np.zeros(0, np.uint8),
        "spelled_senses": np.zeros(0, np.uint32),
        "spelled_starts": np.zeros(1, np.uint32),
        "spelled_bytes": np.zeros(0, np.uint8),
    }
    return WordNet(path, digest("wordnet", path), arrays, inflected=False)


def _omw_lemmas(path: str, english: WordNet) -> Iterator[tuple[int, str]]:
    text = read_resource("wordnet", path).decode("utf-8", errors="replace")
    for number, line in enumerate(text.splitlines(), 1):
        fields = line.split("\t")
        if line.startswith("#") or len(fields) < 3 or not fields[1].endswith("lemma"):
            continue
        try:
            synset = english.synset(fields[0])
        except DataError as error:
            raise DataError(f"wordnet={path}, line {number}: {error}") from None
        yield synset, fields[2].strip()


def _starts(lengths: Iterable[int]) -> Numbers:
    return np.concatenate([[0], np.cumsum(list(lengths))]).astype(np.uint32)

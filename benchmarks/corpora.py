"""Deterministic synthetic corpora: references, and systems that are noisy copies of them.

    python benchmarks/corpora.py      # make all of them now, in benchmarks/data

Files are NAME.hyp, NAME.hyp2 (a second system) and NAME.ref0 to NAME.ref3, one segment per line.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import TextIO

import lexicon
import numpy as np
from lexicon import Ids, Lexicon

REVISION = 1  # raised when the texts change, so that old files are not used
HERE = Path(__file__).parent / "data" / f"v{REVISION}"
CHUNK = 50_000


@dataclass(frozen=True)
class Size:
    """How large a corpus is."""

    segments: int
    references: int
    systems: int
    seed: int


SIZES = {"S": Size(2_000, 4, 2, 1), "M": Size(50_000, 4, 2, 2), "L": Size(1_000_000, 1, 1, 3)}


@dataclass(frozen=True)
class Noise:
    """Shares of words substituted, deleted and inserted, and of segments with a block moved."""

    substituted: float
    deleted: float
    inserted: float
    moved: float


NOISE = {
    "hyp": Noise(0.26, 0.08, 0.08, 0.6),
    "hyp2": Noise(0.28, 0.085, 0.085, 0.62),
    "ref1": Noise(0.28, 0.09, 0.09, 0.5),
    "ref2": Noise(0.28, 0.09, 0.09, 0.5),
    "ref3": Noise(0.28, 0.09, 0.09, 0.5),
}


@dataclass(frozen=True)
class Corpus:
    """Lists of str, as every contestant gets them."""

    hyp: list[str]
    refs: list[list[str]]  # one list over all segments per reference
    hyp2: list[str]

    def __len__(self) -> int:
        return len(self.hyp)

    def first(self, n: int, references: int | None = None) -> Corpus:
        """The same str objects, of the first segments and references."""
        return Corpus(self.hyp[:n], [r[:n] for r in self.refs[:references]], self.hyp2[:n])


class Corpora:
    """The corpora of a folder, or generated ones."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or HERE
        self.generated = folder is None

    def path(self, name: str, part: str) -> Path:
        """The file of one part of a corpus, generated if need be."""
        path = self.folder / f"{name}.{part}"
        if not path.exists():
            if not self.generated:
                raise FileNotFoundError(f"{path.name} is not in the folder given with --corpus")
            generate(name, self.folder)
        return path

    def load(self, name: str, references: int = 4) -> Corpus:
        """All of a corpus."""

        def lines(part: str) -> list[str]:
            with self.path(name, part).open(encoding="utf-8", newline="\n") as file:
                return file.read().split("\n")[:-1]

        refs = [lines(f"ref{k}") for k in range(references)]
        return Corpus(lines("hyp"), refs, lines("hyp2"))


def generate(name: str, folder: Path) -> None:
    """Write all files of a corpus."""
    size = SIZES[name]
    rng = np.random.default_rng(size.seed)
    words = lexicon.build()
    parts = [*["hyp", "hyp2"][: size.systems], *(f"ref{k}" for k in range(size.references))]
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = {part: folder / f"{name}.{part}.part" for part in parts}
    for path in unfinished.values():
        path.write_text("")
    for start in range(0, size.segments, CHUNK):
        ids, lengths = _source(rng, words, min(CHUNK, size.segments - start))
        for part, path in unfinished.items():
            copy = (
                (ids, lengths) if part == "ref0" else _copy(rng, words, ids, lengths, NOISE[part])
            )
            with path.open("a", encoding="utf-8", newline="\n") as file:
                _write(words, *copy, file)
    for part, path in unfinished.items():
        path.rename(folder / f"{name}.{part}")


def systems(
    segments: int, noises: Mapping[str, Noise], seed: int
) -> tuple[list[str], dict[str, list[str]]]:
    """References, and one system for each kind of noise."""
    rng = np.random.default_rng(seed)
    words = lexicon.build()
    ids, lengths = _source(rng, words, segments)

    def lines(ids: Ids, lengths: Ids) -> list[str]:
        file = StringIO()
        _write(words, ids, lengths, file)
        return file.getvalue().split("\n")[:-1]

    copies = {name: lines(*_copy(rng, words, ids, lengths, n)) for name, n in noises.items()}
    return lines(ids, lengths), copies


def _source(rng: np.random.Generator, words: Lexicon, n: int) -> tuple[Ids, Ids]:
    """Sentences: ids of pieces, and how many each sentence has (log-normal, mean 24 words)."""
    spread = 0.55
    lengths = np.exp(rng.normal(np.log(26.5) - spread**2 / 2, spread, n)).astype(np.int64)
    lengths = lengths.clip(2, 150)
    ids = words.draw(rng, int(lengths.sum()))
    ids[np.cumsum(lengths) - 1] = words.stops[np.searchsorted([0.9, 0.97], rng.random(n))]
    return ids, lengths


def _copy(
    rng: np.random.Generator, words: Lexicon, ids: Ids, lengths: Ids, noise: Noise
) -> tuple[Ids, Ids]:
    """A noisy copy. Half of the substitutions are other forms of the same word."""
    ids = ids.copy()
    chance = rng.random(len(ids))
    inner = ids < words.stops[0]
    inflected = inner & (chance < noise.substituted / 2)
    replaced = inner & ~inflected & (chance < noise.substituted)
    ids[inflected] = words.variants[ids[inflected]]
    ids[replaced] = words.draw(rng, int(replaced.sum()))
    ids = _move_blocks(rng, ids, lengths, noise.moved)

    chance = rng.random(len(ids))
    inserted = chance > 1 - noise.inserted
    times = np.where(chance < noise.deleted, 0, np.where(inserted, 2, 1))
    segment = np.repeat(np.arange(len(lengths)), lengths)
    new_lengths = np.bincount(segment, weights=times, minlength=len(lengths)).astype(np.int64)
    first = (np.cumsum(times) - times)[inserted]  # of the two pieces that stand for one
    ids = np.repeat(ids, times)
    ids[first] = words.draw(rng, len(first))
    return ids, new_lengths


def _move_blocks(rng: np.random.Generator, ids: Ids, lengths: Ids, share: float) -> Ids:
    """Move one block of 1 to 4 pieces in a share of the segments, never the full stop."""
    n = len(lengths)
    size = 1 + rng.integers(0, 4, n)
    room = np.maximum(lengths - 1 - size, 0)
    source = (rng.random(n) * (room + 1)).astype(np.int64)
    target = (rng.random(n) * (room + 1)).astype(np.int64)
    moves = (rng.random(n) < share) & (lengths > 8)
    size[~moves] = 0

    start = np.repeat(np.cumsum(lengths) - lengths, lengths)
    size, source, target = (np.repeat(x, lengths) for x in (size, source, target))
    place = np.arange(len(ids)) - start
    in_block = (place >= source) & (place < source + size)
    rest = np.where(place < source, place, place - size)  # its place without the block
    moved = np.where(in_block, target + place - source, rest + size * (rest >= target))
    result = ids.copy()
    result[start + moved] = ids
    return result


def _write(words: Lexicon, ids: Ids, lengths: Ids, file: TextIO) -> None:
    pieces = [words.pieces[i] for i in ids.tolist()]
    end = 0
    for length in lengths.tolist():
        text = "".join(pieces[end : end + length]).strip()
        end += length
        file.write(text[:1].upper() + text[1:] + "\n")


if __name__ == "__main__":
    for name in SIZES:
        Corpora().path(name, "hyp")

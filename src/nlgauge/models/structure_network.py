"""The network behind parser and labeller: MiniLM, tuned for both, and a small head for each.

Its file holds what training changed in the encoder, as whole numbers and a scale for each row, and
the heads. The encoder itself comes from the package that `minilm` stands for.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from nlgauge.errors import DataError, ResourceMissing
from nlgauge.kernels import native
from nlgauge.models.bert import Shape, native_bert, read_weights
from nlgauge.models.encoders import INSTALL_MINILM, batches
from nlgauge.models.structure_words import Pieced, WordReader

Floats = npt.NDArray[np.float32]
FILE = Path(__file__).parent / "data" / "structure-en.safetensors"
CHANGED, SCALES = ".changed", ".scales"
TYPES = "embeddings.token_type_embeddings.weight"
TOKENS = 8192  # pieces of sentences that are analysed together
CHUNK = 256  # predicates that are


@dataclass(frozen=True)
class Argument:
    """A span [start, end) and its role."""

    start: int
    end: int
    role: str


@dataclass(frozen=True)
class Analysis:
    """What the network says about a sentence; what was not asked for is empty."""

    tags: list[str]
    spans: dict[tuple[int, int], str]
    frames: dict[int, list[Argument]]  # by predicate; one argument is the predicate's own, V


class StructureNetwork:
    """The weights, ready to run."""

    def __init__(self, base: Path, path: Path = FILE) -> None:
        info, own = read_structure(path)
        given = hashlib.sha256((base / "model.safetensors").read_bytes()).hexdigest()
        if given != info["base"]:
            raise ResourceMissing(
                f"{base}: not the encoder that {path.name} was made for ({info['base'][:12]}); "
                f"run: {INSTALL_MINILM} --force-reinstall"
            )
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        self.name = f"structure-en {digest[:12]} all-MiniLM-L6-v2 {given[:12]}"
        self.tags, self.labels, self.roles = info["tags"], info["labels"], info["roles"]
        self.reach: int = info["reach"]
        config = json.loads((base / "config.json").read_bytes())
        shape = Shape(config["num_attention_heads"], config["layer_norm_eps"])
        weights = {**read_weights(base / "model.safetensors")}
        for name, array in own.items():
            if name.endswith(CHANGED):
                changed = name.removesuffix(CHANGED)
                weights[changed] = weights[changed] + array * own[changed + SCALES][:, None]
            elif name in weights and name != TYPES:
                weights[name] = array.astype(np.float32)
        layers = self.layers = int(config["num_hidden_layers"])
        self._bert = native_bert(weights, layers, shape)
        # The encoder has the first segment in its positions.
        kinds = own[TYPES].astype(np.float32) - weights[TYPES][0]
        self._bert.set_kinds(np.ascontiguousarray(kinds))
        limit = int(config["max_position_embeddings"])
        self.reader = WordReader(base / "tokenizer.json", limit, INSTALL_MINILM)
        self._by_word = _projection(own, "tag", "predicate")
        self._by_gap = _projection(own, "parse_left", "parse_right")
        self._by_gap_role = _projection(own, "role_left", "role_right")
        self._by_predicate = _projection(own, "role_predicate")
        self._starts, self._ends = (
            own[f"role_{end}.weight"].astype(np.float32) for end in ("start", "end")
        )
        self._labels, self._roles = (
            native.SpanScores(_float(own[f"{head}.weight"]), _float(own[f"{head}.bias"]))
            for head in ("parse_label", "role_label")
        )

    def analyse(
        self,
        sentences: Sequence[Sequence[str]],
        *,
        trees: bool = True,
        frames: bool = True,
        predicates: Sequence[Sequence[int]] | None = None,
        threads: int = 1,
    ) -> list[Analysis]:
        """Sentences of at least one word each that fit the encoder; `predicates` are looked for
        unless they are given.
        """
        found: list[Analysis | None] = [None] * len(sentences)
        pieced = [self.reader.sentence(words) for words in sentences]
        for numbers in batches([len(p.ids) for p in pieced], TOKENS):
            given = None if predicates is None else [predicates[i] for i in numbers]
            batch = [pieced[i] for i in numbers]
            for i, analysis in zip(
                numbers, self._batch(batch, trees, frames, given, threads), strict=True
            ):
                found[i] = analysis
        return [analysis for analysis in found if analysis is not None]

    def _batch(
        self,
        batch: list[Pieced],
        trees: bool,
        frames: bool,
        given: Sequence[Sequence[int]] | None,
        threads: int,
    ) -> Iterator[Analysis]:
        starts = np.cumsum([0, *(len(p.ids) for p in batch)], dtype=np.int64)
        ids, kinds = (
            np.concatenate([getattr(p, name) for p in batch]) for name in ("ids", "shapes")
        )
        states = self._bert.encode(ids, starts, [self.layers], threads=threads, kinds=kinds)[0]
        sizes = np.array([len(p) for p in batch], np.int64)
        first, last = (
            np.concatenate([getattr(p, name) + s for p, s in zip(batch, starts, strict=False)])
            for name in ("first", "last")
        )
        by_word = self._by_word(_joined(states, first, last), threads=threads)
        words = [0, *accumulate(map(int, sizes))]
        tags = by_word[:, : len(self.tags)].argmax(axis=1)
        # A gap between words sees the last piece before it and the first one after it.
        before = np.concatenate([np.r_[0, p.last] + s for p, s in zip(batch, starts, strict=False)])
        after = np.concatenate(
            [np.r_[p.first, len(p.ids) - 1] + s for p, s in zip(batch, starts, strict=False)]
        )
        gaps = _joined(states, before, after)
        spans: list[dict[tuple[int, int], str]] = [{} for _ in batch]
        if trees:
            left, right = _halves(self._by_gap(gaps, threads=threads))
            for s, i, j, label in self._labels.trees(left, right, sizes, threads=threads).tolist():
                spans[s][i, j] = self.labels[label]
        found: list[dict[int, list[Argument]]] = [{} for _ in batch]
        if frames:
            if given is None:
                yes, no = len(self.tags) + 1, len(self.tags)
                is_one = by_word[:, yes] > by_word[:, no]
                given = [np.flatnonzero(is_one[a:b]).tolist() for a, b in pairwise(words)]
            own = _joined(states, first, last)
            self._arguments(gaps, own, words, sizes, given, found, threads)
        for k, (a, b) in enumerate(pairwise(words)):
            yield Analysis([self.tags[t] for t in tags[a:b]], spans[k], found[k])

    def _arguments(
        self,
        gaps: Floats,
        words: Floats,
        word_starts: list[int],
        sizes: npt.NDArray[np.int64],
        predicates: Sequence[Sequence[int]],
        found: list[dict[int, list[Argument]]],
        threads: int,
    ) -> None:
        """Some predicates at a time: each has all gaps of its sentence."""
        left, right = _halves(self._by_gap_role(gaps, threads=threads))
        problems = [(s, p) for s, some in enumerate(predicates) for p in some]
        for at in range(0, len(problems), CHUNK):
            some = problems[at : at + CHUNK]
            rows = np.array([word_starts[s] + p for s, p in some])
            own = self._by_predicate(np.ascontiguousarray(words[rows]), threads=threads)
            starts, ends = [], []
            for k, (s, p) in enumerate(some):
                n = int(sizes[s])
                gap = word_starts[s] + s  # a sentence has one gap more than words
                distance = np.arange(n + 1) - p
                at_start = np.clip(distance, -self.reach, self.reach) + self.reach
                at_end = np.clip(distance - 1, -self.reach, self.reach) + self.reach
                starts.append(left[gap : gap + n + 1] + own[k] + self._starts[at_start])
                ends.append(right[gap : gap + n + 1] + self._ends[at_end])
                found[s][p] = []
            of = np.array([p for _, p in some], np.int64)
            arguments = self._roles.arguments(
                np.concatenate(starts),
                np.concatenate(ends),
                sizes[[s for s, _ in some]],
                of,
                verb=self.roles.index("V"),
                threads=threads,
            )
            for k, i, j, role in arguments.tolist():
                s, p = some[k]
                found[s][p].append(Argument(i, j, self.roles[role]))


def read_structure(path: Path) -> tuple[dict[str, Any], dict[str, Floats]]:
    """What the file says about itself, and its arrays."""
    try:
        from safetensors import safe_open
    except ImportError:
        raise ResourceMissing(f"{path.name}: cannot be read; run: {INSTALL_MINILM}") from None
    try:
        with safe_open(path, framework="numpy") as file:
            info = json.loads(file.metadata()["structure"])
            return info, {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except Exception as error:  # whatever the library raises
        raise DataError(f"{path}: not a structure model ({error})") from None


def _projection(own: dict[str, Floats], *names: str) -> native.Projection:
    """Some linear layers of the same rows as one, filled up as the native core needs it."""
    weight = np.concatenate([_float(own[f"{name}.weight"]) for name in names])
    zeros = {name: np.zeros(len(own[f"{name}.weight"]), np.float32) for name in names}
    bias = np.concatenate([_float(own.get(f"{name}.bias", zeros[name])) for name in names])
    more = -len(weight) % 16
    return native.Projection(np.pad(weight, ((0, more), (0, 0))), np.pad(bias, (0, more)))


def _float(array: Any) -> Floats:
    return np.ascontiguousarray(array, np.float32)


def _joined(states: Floats, a: Any, b: Any) -> Floats:
    return np.concatenate([states[a], states[b]], axis=1)


def _halves(x: Floats) -> tuple[Floats, Floats]:
    half = x.shape[1] // 2
    return np.ascontiguousarray(x[:, :half]), np.ascontiguousarray(x[:, half:])

"""Turn sentences into arrays, and make batches of these."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from tokenizers import Tokenizer
from treebank import Sentence

from nlgauge.models.structure.word_reader import shape

REACH = 24  # words from a predicate after which distances are all alike
SAMPLE = 0.2  # of spans that are clearly no arguments


@dataclass(frozen=True)
class Labels:
    """Labels say what the scores of each head stand for; 0 of labels and roles is none."""

    tags: list[str]
    labels: list[str]
    roles: list[str]


@dataclass(frozen=True)
class Example:
    """An example is one sentence: its pieces, and the numbers of all that is to be learnt."""

    ids: np.ndarray
    shapes: np.ndarray
    first: np.ndarray
    last: np.ndarray
    tags: np.ndarray
    labels: np.ndarray  # of all spans, in the order of `all_spans`
    predicates: np.ndarray
    roles: np.ndarray  # [predicates, spans]
    near: np.ndarray  # [predicates, spans]: all that are easily mistaken for arguments


@dataclass(frozen=True)
class Batch:
    """A batch has several sentences; indices are into flattened pieces, words, gaps, predicates."""

    ids: np.ndarray
    mask: np.ndarray
    shapes: np.ndarray
    first: np.ndarray
    last: np.ndarray
    before: np.ndarray
    after: np.ndarray
    tags: np.ndarray
    is_predicate: np.ndarray
    left: np.ndarray
    right: np.ndarray
    labels: np.ndarray
    predicates: np.ndarray
    of: np.ndarray  # predicate and gap of each row that the ends of pairs point to
    gap: np.ndarray
    start: np.ndarray  # its distance from the predicate, as start and as end of an argument
    end: np.ndarray
    pair_left: np.ndarray
    pair_right: np.ndarray
    pair_roles: np.ndarray
    pair_weights: np.ndarray


@lru_cache(maxsize=512)
def all_spans(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return starts and ends of all spans of n words, by start, then end."""
    left, right = np.triu_indices(n + 1, 1)
    return left, right


def span_number(start: int, end: int, n: int) -> int:
    """Return where `all_spans` has a span."""
    return start * n - start * (start - 1) // 2 + end - start - 1


def example(sentence: Sentence, names: Labels, tokenizer: Tokenizer) -> Example:
    """Make an example of a sentence; labels and roles that training has not seen count as none."""
    n = len(sentence.words)
    pieces = [tokenizer.encode(w, add_special_tokens=False).ids or [100] for w in sentence.words]
    sizes = np.array([len(p) for p in pieces])
    ends = 1 + np.cumsum(sizes)
    number = {name: i for i, name in enumerate(names.labels)}
    labels = np.zeros(n * (n + 1) // 2, np.int64)
    for (start, end), label in sentence.spans.items():
        labels[span_number(start, end, n)] = number.get(label, 0)
    role_number = {name: i for i, name in enumerate(names.roles)}
    roles = np.zeros((len(sentence.frames), len(labels)), np.int64)
    near = np.tile(labels > 0, (len(sentence.frames), 1))
    left, right = all_spans(n)
    for row, close, frame in zip(roles, near, sentence.frames, strict=True):
        for (start, end), role in frame.arguments.items():
            row[span_number(start, end, n)] = role_number.get(role, 0)
            close |= (left == start) | (right == end)
    tag_number = {name: i for i, name in enumerate(names.tags)}
    return Example(
        ids=np.array([101, *(i for p in pieces for i in p), 102]),
        shapes=np.concatenate([[0], np.repeat([shape(w) for w in sentence.words], sizes), [0]]),
        first=ends - sizes,
        last=ends - 1,
        tags=np.array([tag_number.get(t, 0) for t in sentence.tags]),
        labels=labels,
        predicates=np.array([f.index for f in sentence.frames], np.int64),
        roles=roles,
        near=near,
    )


def collate(examples: Sequence[Example], rng: np.random.Generator | None = None) -> Batch:
    """Make one batch of sentences. With `rng`, of the spans that are clearly no arguments, a sample
    stands for all.
    """
    longest = max(len(e.ids) for e in examples)
    parts: dict[str, list[np.ndarray]] = {name: [] for name in Batch.__dataclass_fields__}
    word0 = gap0 = predicate0 = row0 = 0
    for i, e in enumerate(examples):
        n, base = len(e.tags), i * longest
        pad = longest - len(e.ids)
        left, right = all_spans(n)
        count = len(e.predicates)
        is_predicate = np.zeros(n, np.int64)
        is_predicate[e.predicates] = 1
        gaps = np.arange(n + 1)
        kept = e.near | (True if rng is None else rng.random(e.near.shape) < SAMPLE)
        of, span = np.nonzero(kept)
        weights = np.where(e.near, 1, 1 if rng is None else 1 / SAMPLE)[of, span]
        found = {
            "ids": np.pad(e.ids, (0, pad))[None],
            "mask": (np.arange(longest) < len(e.ids))[None],
            "shapes": np.pad(e.shapes, (0, pad))[None],
            "first": base + e.first,
            "last": base + e.last,
            "before": base + np.concatenate([[0], e.last]),
            "after": base + np.concatenate([e.first, [len(e.ids) - 1]]),
            "tags": e.tags,
            "is_predicate": is_predicate,
            "left": gap0 + left,
            "right": gap0 + right,
            "labels": e.labels,
            "predicates": word0 + e.predicates,
            "of": predicate0 + np.repeat(np.arange(count), n + 1),
            "gap": gap0 + np.tile(gaps, count),
            "start": distance(gaps - e.predicates[:, None]).ravel(),
            "end": distance(gaps - 1 - e.predicates[:, None]).ravel(),
            "pair_left": row0 + of * (n + 1) + left[span],
            "pair_right": row0 + of * (n + 1) + right[span],
            "pair_roles": e.roles[of, span],
            "pair_weights": weights,
        }
        for name, values in found.items():
            kind = np.float32 if name == "pair_weights" else np.int64
            parts[name].append(values.astype(kind))
        word0, gap0, predicate0 = word0 + n, gap0 + n + 1, predicate0 + count
        row0 += count * (n + 1)
    return Batch(**{name: np.concatenate(values) for name, values in parts.items()})


def distance(words: np.ndarray) -> np.ndarray:
    """Return numbers from 0 for distances up to REACH to both sides."""
    return np.clip(words, -REACH, REACH) + REACH


def batches(
    examples: Sequence[Example], budget: int, pairs: int, rng: np.random.Generator | None
) -> Iterator[list[int]]:
    """Yield numbers of sentences of about one length, up to so many pieces and pairs a batch."""
    lengths = np.array([len(e.ids) for e in examples])
    noise = rng.random(len(examples)) * 4 if rng is not None else 0
    order = np.argsort(lengths + noise, kind="stable")
    found: list[list[int]] = [[]]
    used = 0
    for i in order.tolist():
        used += examples[i].near.sum()
        if found[-1] and ((len(found[-1]) + 1) * lengths[i] > budget or used > pairs):
            found.append([])
            used = examples[i].near.sum()
        found[-1].append(i)
    if rng is not None:
        rng.shuffle(found)
    yield from found

"""Fit a paraphrase encoder: paraphrases shall be nearer than the hardest wrong sentence of a batch
by a margin (Wieting et al., 2019). NumPy only; the same data and seed give the same model.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from nlgauge.core.arithmetic import unit_vectors
from nlgauge.core.facts.choices import WrongSentences
from nlgauge.errors import DataError, SpecError
from nlgauge.models.encoders.paraphrase_encoder import (
    ParaphraseEncoder,
    Table,
    features,
    means,
    words_of,
)
from nlgauge.models.vectors.word_vectors import find_vectors
from nlgauge.stats.correlation import pearson
from nlgauge.train.adam import Adam

Pair = tuple[str, str]
Rated = tuple[str, str, float]
Rows = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class TrainingSettings:
    """These settings say how a paraphrase encoder is trained."""

    width: int = 300
    vectors: str | None = None  # words start from these; the width is theirs
    least: int = 1  # how often a feature must occur in the pairs
    margin: float = 0.4
    negatives: WrongSentences = "hardest"
    epochs: int = 10
    batch: int = 64
    rate: float = 0.001
    seed: int = 1

    def __post_init__(self) -> None:
        for name in ("width", "least", "epochs", "batch"):
            least = 2 if name == "batch" else 1
            if getattr(self, name) < least:
                raise SpecError(f"{name}={getattr(self, name)}: must be at least {least}")
        for name in ("margin", "rate"):
            if not getattr(self, name) > 0:
                raise SpecError(f"{name}={getattr(self, name)}: must be above 0")


def train(
    pairs: Sequence[Pair],
    settings: TrainingSettings,
    dev: Sequence[Rated] = (),
    progress: Callable[[str], None] | None = None,
) -> ParaphraseEncoder:
    """Return the encoder of the epoch with the best Pearson's correlation on `dev`, or the last."""
    if len(pairs) < 2:
        raise DataError(f"training: {len(pairs)} pairs; two at least are needed")
    encoder = untrained(pairs, settings)
    texts = encoder.numbered(text for pair in pairs for text in pair)
    left, right = texts[::2], texts[1::2]
    usable = [k for k in range(len(pairs)) if len(left[k]) and len(right[k])]
    rng = np.random.default_rng(settings.seed)
    optimiser = Adam(encoder.table.copy(), settings.rate)
    judged = _judge(encoder, dev)
    figures = [judged(encoder.table)]
    best = encoder.table
    for epoch in range(settings.epochs):
        losses = [
            _step(optimiser, [left[k] for k in batch], [right[k] for k in batch], settings, rng)
            for batch in _batches(rng.permutation(usable), settings.batch)
        ]
        figures.append(judged(optimiser.table))
        if not dev or figures[-1] >= np.nanmax(figures):
            best = optimiser.table.copy()
        if progress is not None:
            on_dev = f", Pearson {figures[-1]:.4f}" if dev else ""
            progress(f"epoch {epoch + 1}: loss {np.mean(losses):.4f}{on_dev}")
    record = {
        "settings": asdict(settings),
        "pairs": {"count": len(pairs), "sha256": _hash(pairs)},
        "dev": {"count": len(dev), "sha256": _hash(dev)} if dev else None,
        "pearson_on_dev_by_epoch": figures if dev else None,
        "features": len(encoder.names),
    }
    return replace(encoder, table=best, record=record)


def untrained(pairs: Sequence[Pair], settings: TrainingSettings) -> ParaphraseEncoder:
    """Return an encoder of all features of the pairs; given vectors of words are used, if any."""
    words = words_of(text for pair in pairs for text in pair)
    counts = Counter(feature for text in words for feature in features(text))
    names = sorted(name for name, count in counts.items() if count >= settings.least)
    rng = np.random.default_rng(settings.seed)
    vectors = None if settings.vectors is None else find_vectors(settings.vectors)
    if vectors is not None:
        # All words that have vectors are known, not only those of the pairs.
        own = [f"w {word}" for word in vectors.words()]
        names = sorted({*names, *own})
    width = settings.width if vectors is None else vectors.matrix.shape[1]
    table = rng.standard_normal((len(names), width)).astype(np.float32) / np.sqrt(width)
    if vectors is not None:
        table *= np.float32(0.1)
        rows = vectors.rows([name[2:] if name.startswith("w ") else "" for name in names])
        table[rows >= 0] = vectors.matrix[rows[rows >= 0]]
    return ParaphraseEncoder(tuple(names), table.astype(np.float32), {"settings": asdict(settings)})


def correlation(encoder: ParaphraseEncoder, rated: Sequence[Rated]) -> float:
    """Return Pearson's correlation of cosines and ratings."""
    return _judge(encoder, rated)(encoder.table)


def _judge(encoder: ParaphraseEncoder, rated: Sequence[Rated]) -> Callable[[Table], float]:
    texts = encoder.numbered(text for one, other, _ in rated for text in (one, other))
    scores = np.array([score for _, _, score in rated])

    def judged(table: Table) -> float:
        if not rated:
            return float("nan")
        found = unit_vectors(means(table, texts))
        return float(pearson((found[::2] * found[1::2]).sum(axis=1), scores))

    return judged


def _step(
    optimiser: Adam[Table],
    left: Sequence[Rows],
    right: Sequence[Rows],
    settings: TrainingSettings,
    rng: np.random.Generator,
) -> float:
    """Learn from one batch, and return its loss."""
    texts = [*left, *right]
    vectors = means(optimiser.table, texts)
    unit, lengths = unit_vectors(vectors), np.linalg.norm(vectors, axis=1, keepdims=True)
    size = len(left)
    cosines = unit @ unit.T
    partner = np.concatenate([np.arange(size, 2 * size), np.arange(size)])
    own = np.arange(2 * size)
    wrong = cosines.copy() if settings.negatives == "hardest" else rng.random(cosines.shape)
    # Neither the text nor its paraphrase, nor what is as good as equal to one of them.
    wrong[cosines > 1 - 1e-6] = -np.inf
    wrong[own, own] = wrong[own, partner] = -np.inf
    chosen = wrong.argmax(axis=1)
    loss = settings.margin - cosines[own, partner] + cosines[own, chosen]
    active = (loss > 0) & np.isfinite(wrong[own, chosen])
    weights = np.zeros_like(cosines)  # of each cosine in the loss
    np.add.at(weights, (own[active], partner[active]), -1.0)
    np.add.at(weights, (own[active], chosen[active]), 1.0)
    weights = (weights + weights.T) / (2 * size)
    # The cosine's gradient by a text's mean; a mean's by each of its rows.
    inner = (weights * cosines).sum(axis=1, keepdims=True)
    gradient = (weights @ unit - inner * unit) / np.maximum(lengths, 1e-12)
    counts = np.array([len(rows) for rows in texts])
    each = np.repeat(gradient / np.maximum(counts, 1)[:, None], counts, axis=0)
    rows, where = np.unique(np.concatenate(texts), return_inverse=True)
    order = np.argsort(where, kind="stable")
    starts = np.searchsorted(where[order], np.arange(len(rows)))
    optimiser.update(rows, np.add.reduceat(each[order], starts, axis=0).astype(np.float32))
    return float(np.where(active, loss, 0.0).mean())


def _batches(order: Rows, size: int) -> Iterator[Rows]:
    """Yield batches of two pairs and more."""
    for start in range(0, len(order), size):
        if len(order) - start >= 2:
            yield order[start : start + size]


def _hash(rows: Any) -> str:
    return hashlib.sha256(json.dumps(list(rows)).encode()).hexdigest()

"""Read the sentence pairs that the inference model is trained and tested on."""

from __future__ import annotations

import csv
import gzip
import json
import re
from dataclasses import dataclass
from pathlib import Path

from nlgauge.models.encoders.inference import CLASSES

SNLI_TRAIN, SNLI_DEV, SNLI_TEST, COUNTERFACTUAL = (
    f"nli_{name}.jsonl.gz" for name in ("snli_train100k", "snli_dev", "snli_test", "cad")
)
STS_TRAIN, STS_DEV, STS_TEST = (f"stsb-en-{part}.csv.gz" for part in ("train", "dev", "test"))


@dataclass(frozen=True)
class LabelledPair:
    """A labelled pair is two texts, with the number of a class or a similarity from 0 to 5."""

    first: str
    second: str
    label: float

    @property
    def texts(self) -> tuple[str, str]:
        """Return both texts."""
        return self.first, self.second

    @property
    def key(self) -> tuple[str, str]:
        """Return both texts without case, blanks and punctuation, to tell duplicates."""
        first, second = (re.sub(r"\W", "", text.lower()) for text in self.texts)
        return first, second


def inference_pairs(path: Path) -> list[LabelledPair]:
    """Read premises and hypotheses, one JSON object a line."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return [
        LabelledPair(row["premise"], row["hypothesis"], CLASSES.index(row["label"])) for row in rows
    ]


def similarity_pairs(path: Path) -> list[LabelledPair]:
    """Read lines of two texts and a similarity."""
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        return [LabelledPair(a, b, float(label)) for a, b, label in csv.reader(file)]


def training_pairs(folder: Path) -> tuple[list[LabelledPair], list[LabelledPair]]:
    """Return SNLI's training pairs and the counterfactual ones, without any of SNLI's dev and test
    sets: of the counterfactual ones, none whose premise is there.
    """
    held = [pair for name in (SNLI_DEV, SNLI_TEST) for pair in inference_pairs(folder / name)]
    seen, premises = {pair.key for pair in held}, {pair.key[0] for pair in held}
    snli = [pair for pair in inference_pairs(folder / SNLI_TRAIN) if pair.key not in seen]
    seen |= {pair.key for pair in snli}
    more = {
        pair.key: pair
        for pair in inference_pairs(folder / COUNTERFACTUAL)
        if pair.key not in seen and pair.key[0] not in premises
    }
    return snli, list(more.values())

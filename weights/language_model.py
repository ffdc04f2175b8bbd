"""Fit the language model that ships to English sentences, and write its file.

    python weights/language_model.py --ewt en_ewt-ud-train.conllu.gz \\
        --snli nli_snli_train.jsonl.gz --sts stsb-en-train.csv.gz \\
        --dev en_ewt-ud-dev.conllu.gz -o language-en.safetensors

A language model that saw the references of outputs would find them usual for that alone. Of these
sentences, none is a reference of WMT15, but many are of Flickr8k, whose pictures SNLI has, too.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
from collections.abc import Iterator
from pathlib import Path

from nlgauge.models.files.trained_model import write_model
from nlgauge.models.lexicon.ngram_model import NGramModel
from nlgauge.train.ngrams import fit_language_model, language_model_header

LICENCE = "CC BY-SA 4.0"


def treebank(path: str) -> Iterator[str]:
    """Yield the texts of a treebank in CoNLL-U."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            if line.startswith("# text = "):
                yield line.removeprefix("# text = ").strip()


def inference_pairs(path: str) -> Iterator[str]:
    """Yield premises and hypotheses."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            yield from (row["premise"], row["hypothesis"])


def similar_pairs(path: str) -> Iterator[str]:
    """Yield both sentences of rated pairs."""
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        for one, other, *_ in csv.reader(file):
            yield from (one, other)


def main() -> None:
    """Fit the model, measure it on the dev file, and write it."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("--ewt", "--snli", "--sts", "--dev", "-o"):
        parser.add_argument(name, required=True)
    given = parser.parse_args()
    readers = ((treebank, given.ewt), (inference_pairs, given.snli), (similar_pairs, given.sts))
    texts = {path: list(dict.fromkeys(read(path))) for read, path in readers}
    arrays = fit_language_model(text for found in texts.values() for text in found)
    loss = float(NGramModel(arrays).losses(treebank(given.dev)).mean())
    header = language_model_header(
        [(path, len(found), LICENCE) for path, found in texts.items()],
        {"dev": Path(given.dev).name},
        [{"name": "mean loss of a sentence's words", "value": loss, "on": "dev"}],
    )
    write_model(given.o, header, arrays)
    print(f"{given.o}: mean loss {loss:.3f} on {Path(given.dev).name}")


if __name__ == "__main__":
    main()

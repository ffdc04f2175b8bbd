"""Convert a model of the public BEER 2.0 (its folder of text files) to nlgauge's file.

    python weights/convert_beer.py beer/models/default src/nlgauge/models/data/beer-2.0.json

Models whose kernel multiplies features (polynomialDegree above 1) are refused.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from nlgauge.metrics.trained.beer_model import KIND

MEASURES = {"a": "min", "b": "max", "f.1.0": "f", "g.1.0": "g"}
LENGTHS = {
    "len_disbalance_char.d.1.0": "length_characters",
    "len_disbalance_word.d.1.0": "length_words",
}


def our_name(name: str) -> str:
    """Return what nlgauge calls a feature of the public program."""
    if name in LENGTHS:
        return LENGTHS[name]
    piece, _, measure = name.partition(".")
    piece = re.sub("^ngram", "word", piece).replace("skip1000000", "skip")
    return f"{piece}_{MEASURES[measure]}"


def weights_of(path: Path) -> list[float]:
    """Read the weights from a text file that LIBLINEAR wrote."""
    return [float(line) for line in path.read_text().partition("\nw\n")[2].split()]


def main(folder: Path, target: Path) -> None:
    """Read the public files, and write one of ours."""
    if "polynomialDegree=1\n" not in (folder / "kernel.properties").read_text():
        raise SystemExit(f"{folder}: only models without products of features can be converted")
    names = [line.split()[1] for line in (folder / "feature_names_mapping").open() if line.strip()]
    ranges = [
        [float(end) for end in line.split()]
        for line in (folder / "feature_values_scaling").open()
        if line.strip()
    ]
    weights = weights_of(folder / "core_model")
    intercept, slope = weights_of(folder / "output_scaling")
    features = [
        {"name": our_name(name), "low": low, "high": high, "weight": weight}
        for name, (low, high), weight in zip(names, ranges, weights, strict=True)
    ]
    record = {
        "kind": KIND,
        "about": {
            "source": f"BEER 2.0, model {folder.name}: https://github.com/stanojevic/beer",
            "licence": "Apache-2.0",
        },
        "intercept": intercept / 100,  # the program's scores are percentages until the end
        "slope": slope / 100,
        "features": features,
    }
    text = json.dumps(record, ensure_ascii=False, indent=1)
    text = re.sub(r"\{\s+(\"name\"[^}]*?)\s+\}", lambda m: f"{{{' '.join(m[1].split())}}}", text)
    target.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))

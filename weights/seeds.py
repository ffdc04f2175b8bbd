"""Train networks with several seeds, and write the first with what the others came to.

    python weights/seeds.py nubia "nubia(looks_at=published)" esim --seeds 1 2 3 \\
        --ratings wmt15_da_seg.jsonl.gz --test wmt16_da_seg.jsonl.gz --out FOLDER

No seed is chosen: the first ships, whatever the test says of it.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from feature_models import into_english

from nlgauge.core import registry
from nlgauge.models.files.trained_model import write_model
from nlgauge.train.recipes import recipe_of
from nlgauge.train.trainer import MODEL, TrainedMetric, TrainSettings, train_metric


def tested(found: TrainedMetric) -> float:
    """Return how well a model agrees with people on the test."""
    return next(figure.value for figure in found.figures["test"] if figure.name == MODEL)


def main() -> None:
    """Train each metric with all seeds, and write its file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("specs", nargs="+")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--ratings", type=Path, required=True)
    parser.add_argument("--test", type=Path, required=True)
    parser.add_argument("--licence", default="MIT (packaging of WMT research data)")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    rows, test = (into_english(path, args.licence) for path in (args.ratings, args.test))
    for spec in args.specs:
        metric: Any = registry.metric(spec)
        settings = [TrainSettings(seed=seed, folds=0, threads=1) for seed in args.seeds]
        found = [train_metric(recipe_of(metric), rows, s, test=test) for s in settings]
        others = dict(zip(map(str, args.seeds[1:]), map(tested, found[1:]), strict=True))
        print(spec, tested(found[0]), others, *found[0].notes, flush=True)
        header = {**found[0].header, "other_seeds": others}
        write_model(args.out / f"{spec_name(metric)}.safetensors", header, found[0].arrays)


def spec_name(metric: Any) -> str:
    """Return the name of the file that ships for a metric."""
    published = getattr(metric, "looks_at", "all") == "published"
    return f"{metric.info.name}-published" if published else str(metric.info.name)


if __name__ == "__main__":
    main()

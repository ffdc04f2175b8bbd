"""Fit COMPOSITE and NNEVAL as the package ships them, to experts' ratings of captions.

    python weights/captions.py composite nneval --ratings flickr8k_expert.jsonl.gz \\
        --kept FOLDER --out FOLDER

Folds keep a picture together. Beside Pearson's r, the files get Kendall's tau-c with the ratings of
single experts, as papers on captions have it: captions that are a reference themselves are left
out. The first seed ships, whatever the others come to. Scores that were computed once are kept.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from feature_models import KeptScores

from nlgauge.core import registry
from nlgauge.data.labels import Codes
from nlgauge.kernels import Floats
from nlgauge.models.files.trained_model import write_model
from nlgauge.stats.correlation import kendall_c
from nlgauge.train import human_recipe
from nlgauge.train.judged_rows import JudgedRows, read_judged_rows
from nlgauge.train.recipes import recipe_of
from nlgauge.train.trainer import CONTROL, MODEL, Training, TrainSettings, copies, train_metric

CRITERION = "expert"
RESAMPLES = 200  # of pictures
FOLDS = 5


class ExpertRatings:
    """Expert ratings are those of single experts, of captions that are no reference."""

    def __init__(self, path: Path, rows: JudgedRows) -> None:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            given = [json.loads(line)["human"][CRITERION] for line in file]
        own = np.flatnonzero(~copies(rows.corpus))
        self.ratings = np.array([rating for k in own.tolist() for rating in given[k]])
        self.rows = np.repeat(own, [len(given[k]) for k in own.tolist()])
        pictures = rows.groups[self.rows]
        self.by_picture = [np.flatnonzero(pictures == name) for name in np.unique(pictures)]

    def agreement(self, said: Floats, some: Codes) -> float:
        """Return tau-c of what is said of all rows and of some of the ratings."""
        return kendall_c(said[self.rows[some]], self.ratings[some])

    def figure(self, name: str, measured: Callable[[Codes], float]) -> dict[str, Any]:
        """Return a figure of all ratings, with its interval by resampling pictures."""
        rng = np.random.default_rng(1)
        count = len(self.by_picture)
        drawn = [
            measured(np.concatenate([self.by_picture[k] for k in rng.integers(count, size=count)]))
            for _ in range(RESAMPLES)
        ]
        low, high = np.quantile(drawn, [0.025, 0.975]).tolist()
        return {
            "name": name,
            "value": measured(np.arange(len(self.rows))),
            "interval": [low, high],
            "on": "folds",
            "measure": "Kendall tau-c",
        }


def above(experts: ExpertRatings, said: Floats, other: Floats, some: Codes) -> float:
    """Return how far one is above another."""
    return experts.agreement(said, some) - experts.agreement(other, some)


def main() -> None:
    """Fit the models by three seeds, and write the first with its figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("metrics", nargs="+")
    parser.add_argument("--ratings", type=Path, required=True)
    parser.add_argument("--licence", default="BSD-style (flickr8k expert judgements)")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--kept", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    rows = read_judged_rows([str(args.ratings)], criterion=CRITERION, licence=args.licence)
    experts = ExpertRatings(args.ratings, rows)
    human_recipe.features_of = KeptScores(args.kept).features_of
    for name in args.metrics:
        recipe = recipe_of(registry.metric(name))
        looked_at = [metric.info.name for metric, _ in recipe.metric.looked_at()]
        figures, others = [], {}
        for seed in args.seeds:
            settings = TrainSettings(seed=seed, folds=FOLDS, threads=1)
            training = Training(recipe, rows, settings, print)
            found = training.held_out()
            said = {
                "model": found[MODEL],
                "control": found[CONTROL],
                "CIDEr": training.features[:, looked_at.index("cider")],
            }
            if figures:
                everything = np.arange(len(experts.rows))
                others[str(seed)] = experts.agreement(said["model"], everything)
                continue
            for label, own in said.items():
                figures.append(experts.figure(label, partial(experts.agreement, own)))
            for label in ("control", "CIDEr"):
                measured = partial(above, experts, said["model"], said[label])
                figures.append(experts.figure(f"model above {label}", measured))
        settings = TrainSettings(seed=args.seeds[0], folds=FOLDS, threads=1)
        fitted = train_metric(recipe, rows, settings)
        header = {
            **fitted.header,
            "figures": [*fitted.header["figures"], *figures],
            "other_seeds": others,
        }
        print(name, header["figures"], others, header["common_sense"], flush=True)
        write_model(args.out / f"{name}.safetensors", header, fitted.arrays)


if __name__ == "__main__":
    main()

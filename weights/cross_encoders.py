"""Train BERT-MTE or BLEURT as the package ships them, from several seeds.

    python weights/cross_encoders.py bleurt --ratings FILE --test FILE --sentences FILE --out FOLDER

Ratings and test are judged files; of the test, which is looked at once for each seed, translations
into English count. Sentences, one a line, are what pre-training changes beside the references. A
model for each seed is written to the folder, with its figures in its header and its scores of the
test beside it; and the pre-trained network, which all seeds start from.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import torch

from nlgauge.core import registry
from nlgauge.data.corpus import Corpus
from nlgauge.kernels import Floats
from nlgauge.models.files.tensor_file import read_tensors, write_tensors
from nlgauge.models.files.trained_model import write_model
from nlgauge.models.predictors.predictor import Arrays
from nlgauge.train.cross_encoder_recipe import BleurtRecipe, CrossEncoderRecipe, SegmentPairs
from nlgauge.train.fits import fit_ridge
from nlgauge.train.held_out import FigureMaker
from nlgauge.train.judged_rows import JudgedRows, read_judged_rows
from nlgauge.train.recipe import FitRun
from nlgauge.train.synthetic import KINDS, changed_reference
from nlgauge.train.trainer import TrainSettings, percentile, train_metric

SENSE_ROWS = 100  # of the test, for each kind of change


class SharedStart(BleurtRecipe):
    """This recipe pre-trains once for all seeds."""

    path: Path

    def start(self, prepared: SegmentPairs, run: FitRun) -> Arrays:
        """Return the pre-trained network of the folder, or make it."""
        if not self.path.is_file():
            write_tensors(self.path, {}, super().start(prepared, run))
        return read_tensors(self.path)[1]


def into_english(path: Path, licence: str) -> JudgedRows:
    """Read rated translations into English."""
    rows = read_judged_rows([str(path)], split="lang_pair", licence=licence)
    english = [name.endswith("-en") for name in rows.parts.names]
    return rows.take(np.array(english)[rows.parts.codes])


def common_sense(
    recipe: CrossEncoderRecipe, arrays: Arrays, test: JudgedRows, real: Floats
) -> dict[str, float]:
    """Return where changed references stand among the scores of real translations, in percent."""
    references = [texts[0] for texts in test.corpus.references]
    drawn = np.random.default_rng(7).permutation(len(test))[:SENSE_ROWS].tolist()
    found = {}
    for kind in KINDS:
        texts = {k: changed_reference(kind, references, k, seed=7) for k in drawn}
        rows = [k for k, text in texts.items() if text is not None]
        changed = Corpus.build([texts[k] for k in rows], [[references[k]] for k in rows])
        said = recipe.predict(arrays, recipe.prepare(changed, threads=1))
        found[kind] = percentile(said, np.sort(real))
    return found


def main() -> None:
    """Train a model for each seed, and say how each does."""
    parser = argparse.ArgumentParser()
    parser.add_argument("metric", choices=["bert-mte", "bleurt"])
    parser.add_argument("--ratings", type=Path, required=True)
    parser.add_argument("--test", type=Path, required=True)
    parser.add_argument("--licence", default="MIT (packaging of WMT research data)")
    parser.add_argument("--sentences", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--control", action=argparse.BooleanOptionalAction, default=True)
    args = parser.parse_args()
    torch.set_num_threads(1)
    metric = registry.metric_class(args.metric)()
    recipe: Any = CrossEncoderRecipe(metric)
    if args.metric == "bleurt":
        sentences = args.sentences.read_text(encoding="utf-8").splitlines()
        recipe = SharedStart(metric, sentences)
        recipe.path = args.out / "pre-trained.safetensors"
    rows, test = (into_english(path, args.licence) for path in (args.ratings, args.test))
    maker = FigureMaker(test.ratings, test.parts, test.groups, seed=1)
    control = control_scores(recipe, rows, test) if args.control else None
    for seed in args.seeds:
        settings = TrainSettings(seed=seed, folds=0, checkpoints=args.out, threads=1)
        found = train_metric(recipe, rows, settings, progress=lambda line: print(line, flush=True))
        real = recipe.predict(found.arrays, recipe.prepare(test.corpus, threads=1))
        np.save(args.out / f"{args.metric}-{seed}.npy", real)
        figures = [maker.figure("model", real)]
        if control is not None:
            figures.append(maker.figure("control", control))
            figures.append(maker.figure("model above control", real, control))
        header = {
            **found.header,
            "figures": [{**figure.record(), "on": args.test.name} for figure in figures],
            "common_sense": common_sense(recipe, found.arrays, test, real),
            "versions": {**found.header["versions"], "torch": torch.__version__},
        }
        write_model(args.out / f"{args.metric}-{seed}.safetensors", header, found.arrays)
        print(seed, header["figures"], header["common_sense"], header["seconds"], flush=True)


def control_scores(recipe: Any, rows: JudgedRows, test: JudgedRows) -> Floats:
    """Return what a ridge regression on the scores of other metrics says of the test."""
    known, new = (recipe.control(some.corpus, None, threads=1) for some in (rows, test))
    return fit_ridge(known, (rows.ratings - rows.ratings.mean()) / rows.ratings.std()).predict(new)


if __name__ == "__main__":
    main()

"""Train BERT-MTE or BLEURT as the package ships them.

    python weights/cross_encoders.py bert-mte --ratings FILE --test FILE --out FOLDER
    python weights/cross_encoders.py bleurt-plain --ratings FILE --test FILE --out FOLDER
    python weights/cross_encoders.py bleurt --ratings FILE --test FILE --out FOLDER \\
        --pairs FILE... --campaign FILE... --treebank FILE --similarity FILE

Ratings and test are judged files; of the test, which is looked at once, translations into English
count. Pairs, under CC0 or of a WMT campaign, are judged files, too, of which only outputs and
references are read, and BLEURT's pre-training changes sentences of a treebank and of the STS
benchmark. The folder gets the model,
and its scores of the test, beside those of each network that it is the mean of. BLEURT is compared
with what is there of `bleurt-plain`, which is tuned alike and not pre-trained.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch

from nlgauge.core import registry
from nlgauge.core.resources import contents_hash
from nlgauge.data.corpus import Corpus
from nlgauge.kernels import Floats
from nlgauge.models.files.trained_model import write_model
from nlgauge.models.predictors.predictor import Arrays
from nlgauge.train.cross_encoder_recipe import BleurtRecipe, CrossEncoderRecipe
from nlgauge.train.fits import fit_ridge
from nlgauge.train.held_out import FigureMaker, HeldOutFigure
from nlgauge.train.judged_rows import JudgedRows, read_judged_rows
from nlgauge.train.synthetic import KINDS, changed_reference
from nlgauge.train.trainer import TrainSettings, copies, percentile, train_metric

Drawn = TypeVar("Drawn", str, tuple[str, str])
SENSE_ROWS = 100  # of the test, for each kind of change
MIT, CC0, SHARED = "MIT (packaging of WMT research data)", "CC0", "CC BY-SA 4.0"
RESEARCH = "WMT research data"
WORDS = 8, 30  # of sentences of the treebank
SENTENCES, OUTPUTS = 1000, 3000  # of each file


class PlainRecipe(BleurtRecipe):
    """This recipe is BLEURT's without pre-training."""

    def start(self, prepared: Any, ratings: Floats, run: Any) -> None:  # type: ignore[override]
        """Start from MiniLM as it is."""


def main() -> None:
    """Train a model, and say how it does."""
    parser = argparse.ArgumentParser()
    parser.add_argument("metric", choices=["bert-mte", "bleurt", "bleurt-plain"])
    for name in ("--ratings", "--test", "--out"):
        parser.add_argument(name, type=Path, required=True)
    for name in ("--pairs", "--campaign"):
        parser.add_argument(name, type=Path, nargs="*", default=[])
    for name in ("--treebank", "--similarity"):
        parser.add_argument(name, type=Path)
    args = parser.parse_args()
    torch.set_num_threads(1)
    rows, test = into_english(args.ratings), into_english(args.test)
    recipe, more = recipe_of(args)
    single = record_networks(recipe)
    settings = TrainSettings(folds=0, checkpoints=args.out, threads=1)
    found = train_metric(recipe, rows, settings, progress=lambda line: print(line, flush=True))
    ready = recipe.prepare(test.corpus, threads=1)
    scores = {"model": recipe.predict(found.arrays, ready)}
    scores |= {f"seed {seed}": recipe.predict(arrays, ready) for seed, arrays in single.items()}
    np.savez(args.out / f"{args.metric}.npz", **scores)
    header = {
        **found.header,
        "data": [*found.header["data"], *more],
        "licence": SHARED if args.metric == "bleurt" else "Apache-2.0",
        "figures": [
            {**figure.record(), "on": args.test.name, "measure": "Pearson"}
            for figure in figures_of(scores, control_scores(recipe, rows, test), test, args.out)
        ],
        "common_sense": common_sense(recipe, found.arrays, test, scores["model"]),
        "versions": {**found.header["versions"], "torch": torch.__version__},
    }
    write_model(args.out / f"{args.metric}.safetensors", header, found.arrays)
    print(json.dumps({name: header[name] for name in ("figures", "common_sense", "seconds")}))


def recipe_of(args: argparse.Namespace) -> tuple[CrossEncoderRecipe, list[dict[str, Any]]]:
    """Return the recipe of a metric, and the files that it reads beside the ratings."""
    metric = registry.metric_class(args.metric.removesuffix("-plain"))()
    if args.metric != "bleurt":
        return (CrossEncoderRecipe if args.metric == "bert-mte" else PlainRecipe)(metric), []
    pairs = [texts for path in (*args.pairs, *args.campaign) for texts in pairs_of(path)]
    sentences = [
        *drawn(treebank(args.treebank), SENTENCES),
        *drawn(similar(args.similarity), SENTENCES),
    ]
    files = [(path, CC0) for path in args.pairs] + [(path, RESEARCH) for path in args.campaign]
    files += [(path, SHARED) for path in (args.treebank, args.similarity)]
    described = [
        {"name": path.name, "sha256": contents_hash(path), "licence": licence}
        for path, licence in files
    ]
    return BleurtRecipe(metric, pairs=pairs, sentences=sentences), described


def record_networks(recipe: CrossEncoderRecipe) -> dict[int, Arrays]:
    """Return what will have the arrays of each network that is tuned, by its seed."""
    found: dict[int, Arrays] = {}
    tuned: Any = recipe.tuned

    def recorded(prepared: Any, ratings: Floats, run: Any, start: Any) -> Any:
        network = tuned(prepared, ratings, run, start)
        found[run.seed] = recipe.arrays_of(network, ratings, run)
        return network

    recipe.tuned = recorded  # type: ignore[method-assign]
    return found


def into_english(path: Path) -> JudgedRows:
    """Read rated translations into English."""
    rows = read_judged_rows([str(path)], split="lang_pair", licence=MIT)
    english = [name.endswith("-en") for name in rows.parts.names]
    return rows.take(np.array(english)[rows.parts.codes])


def pairs_of(path: Path) -> list[tuple[str, str]]:
    """Read outputs and their first references, and not what people said of them; of many, some."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    found = [(row["hypothesis"], row["references"][0]) for row in rows]
    found = [texts for texts in dict.fromkeys(found) if all(text.strip() for text in texts)]
    return drawn(found, OUTPUTS) if len(found) > OUTPUTS else found


def treebank(path: Path) -> list[str]:
    """Read the texts of a treebank that are neither short nor long."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        texts = [line.partition("=")[2].strip() for line in file if line.startswith("# text =")]
    least, most = WORDS
    return [text for text in texts if least <= len(text.split()) <= most]


def similar(path: Path) -> list[str]:
    """Read both sentences of rated pairs."""
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        return [text for one, other, _ in csv.reader(file) for text in (one, other)]


def drawn(texts: Sequence[Drawn], most: int) -> list[Drawn]:
    """Return some texts or pairs of them, none of them twice."""
    distinct = list(dict.fromkeys(texts))
    return [distinct[k] for k in np.random.default_rng(1).permutation(len(distinct))[:most]]


def control_scores(recipe: Any, rows: JudgedRows, test: JudgedRows) -> Floats:
    """Return what a ridge regression on the scores of other metrics says of the test."""
    known, new = (recipe.control(some.corpus, None, threads=1) for some in (rows, test))
    return fit_ridge(known, (rows.ratings - rows.ratings.mean()) / rows.ratings.std()).predict(new)


def figures_of(
    scores: dict[str, Floats], control: Floats, test: JudgedRows, folder: Path
) -> list[HeldOutFigure]:
    """Return how well scores agree with people, beside the control and without pre-training."""
    maker = FigureMaker(test.ratings, test.parts, test.groups, seed=1)
    found = [maker.figure(name, said) for name, said in scores.items()]
    found.append(maker.figure("control", control))
    found.append(maker.figure("model above control", scores["model"], control))
    without = folder / "bleurt-plain.npz"
    if without.is_file():
        with np.load(without) as others:
            found += [
                maker.figure(f"{name} above no pre-training", said, others[name])
                for name, said in scores.items()
            ]
    return found


def common_sense(
    recipe: CrossEncoderRecipe, arrays: Arrays, test: JudgedRows, real: Floats
) -> dict[str, float]:
    """Return where changed references stand among the scores of real translations, in percent."""
    references = [texts[0] for texts in test.corpus.references]
    some = np.random.default_rng(7).permutation(len(test))[:SENSE_ROWS].tolist()
    real = np.sort(real[~copies(test.corpus)])
    found = {}
    for kind in KINDS:
        texts = {k: changed_reference(kind, references, k, seed=7) for k in some}
        rows = [k for k, text in texts.items() if text is not None]
        changed = Corpus.build([texts[k] for k in rows], [[references[k]] for k in rows])
        said = recipe.predict(arrays, recipe.prepare(changed, threads=1))
        found[kind] = percentile(said, real)
    return found


if __name__ == "__main__":
    main()

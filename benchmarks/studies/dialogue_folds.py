"""Figures on what models were not fitted to: GAN-D and CMADE by worker, LEIC by image, and how
often metrics find the true reply in dialogues that none of them learned from.

    python benchmarks/studies/dialogue_folds.py DATA WORK [--only gan-d cmade leic replies]

DATA is as for `weights/dialogue.py`, and WORK the folder that it wrote to.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import kendalltau

from nlgauge import Corpus
from nlgauge.core import registry
from nlgauge.data.labels import Codes, Labels
from nlgauge.data.run_context import RunContext
from nlgauge.kernels import Floats
from nlgauge.meta import adversarial_success, evaluator_reliability_error
from nlgauge.stats.correlation import pearson
from nlgauge.train.dialogue.negatives import reply_rows
from nlgauge.train.held_out import folds_of
from nlgauge.train.judged_rows import JudgedRows
from nlgauge.train.recipe import FitRun
from nlgauge.train.recipes import recipe_of

sys.path.insert(0, str(Path(__file__).parent))
import dialogue as replies  # the study, which has the reader of judged records

FOLDS = 4
FAR = 0.5  # standard deviations between ratings of dialogues that are compared
UNSEEN = 100  # dialogues of each file, of which those that share utterances with tests are left out
REPLY_METRICS = (
    "reply-cosine", "ruber(combine=unreferenced)", "ruber-bert(combine=unreferenced)",
    "ssrem(combine=unreferenced)", "maude",
)  # fmt: skip


def held_out(recipe: Any, rows: JudgedRows, prepared: Any, folds: Codes, seed: int) -> Floats:
    """Return what models say of the rows of a fold that they were not fitted to."""
    ratings = (rows.ratings - rows.ratings.mean()) / rows.ratings.std()
    found = np.zeros(len(rows))
    for fold in range(FOLDS):
        kept, held = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        run = FitRun(
            seed=seed,
            groups=rows.groups[kept],
            parts=rows.parts.take(kept),
            kinds=[None] * len(kept),
            progress=lambda _: None,
        )
        arrays = recipe.fit(recipe.take(prepared, kept), ratings[kept], run)
        found[held] = recipe.predict(arrays, recipe.take(prepared, held))
    return found


def interval(values: Floats, groups: Codes, figure: Any) -> str:
    """Return a figure of rows with its 95 % interval over groups."""
    rng = np.random.default_rng(1)
    names = np.unique(groups)
    by_group = [np.flatnonzero(groups == name) for name in names]
    drawn = [
        figure(np.concatenate([by_group[k] for k in rng.integers(len(names), size=len(names))]))
        for _ in range(300)
    ]
    low, high = np.nanpercentile(drawn, [2.5, 97.5])
    return f"{figure(np.arange(len(values))):.3f} [{low:.3f}, {high:.3f}]"


def discriminator(training: Any, data: Path, work: Path, seed: int) -> None:
    """Print the accuracy of GAN-D, its agreement with ratings of dialogues, AdverSuc and ERE."""
    dialogues, _ = training.dialogues_for("gan-d", data, work)
    recipe = recipe_of(registry.metric("gan-d"))
    rows = recipe.rows(dialogues, seed)
    prepared = recipe.prepare(within(rows, work).corpus, threads=1)
    folds = folds_of(rows.groups, FOLDS, 1)
    said = held_out(recipe, rows, prepared, folds, seed)
    human = rows.ratings > 0
    right = (said > 0.5) == human
    print("GAN-D accuracy by worker:", interval(said, rows.groups, lambda k: right[k].mean()))
    of = np.array(_origins(dialogues, rows))
    means = np.array([np.mean(said[(of == k) & ~human]) for k in range(len(dialogues))])
    ratings = np.array([np.mean(list(d.ratings.values()) or [np.nan]) for d in dialogues])
    workers = Labels.build(d.group for d in dialogues).codes
    known = ~np.isnan(means) & ~np.isnan(ratings)
    print(
        "GAN-D, mean over a system's turns, r with ratings of dialogues:",
        interval(
            means[known], workers[known], lambda k: pearson(means[known][k], ratings[known][k])
        ),
    )
    print(f"AdverSuc: {adversarial_success(said[human], said[~human]):.3f}")
    rng = np.random.default_rng(1)
    accuracies = {
        "human or machine": (np.mean(said[human] > 0.5) + np.mean(said[~human] <= 0.5)) / 2,
        "human or human": _split(said[human], rng),
        "machine or machine": _split(said[~human], rng),
    }
    listing = ", ".join(f"{name} {value:.3f}" for name, value in accuracies.items())
    print(f"ERE: {evaluator_reliability_error(accuracies):.3f} ({listing})")


def _origins(dialogues: Any, rows: JudgedRows) -> list[int]:
    """Return the dialogue of each row: those of one follow each other."""
    return [k for k, d in enumerate(dialogues) for _ in range(1, len(d.texts))][: len(rows)]


def _split(said: Floats, rng: np.random.Generator) -> float:
    """Return the accuracy on texts of one kind, half of which are called human by chance."""
    called = rng.random(len(said)) < 0.5
    return float(np.mean((said > 0.5) == called))


def comparisons(training: Any, data: Path, work: Path, seed: int) -> None:
    """Print how often CMADE finds the better of two dialogues, by how it was trained."""
    dialogues, _ = training.dialogues_for("cmade", data, work)
    for chosen in (
        {},
        {"kept": "all"},
        {"ratings": "raw", "kept": "all"},
        {"start": "none", "ratings": "raw", "kept": "all"},
    ):
        recipe = recipe_of(registry.metric("cmade"), **chosen)
        rows = recipe.rows(dialogues, seed)
        prepared = recipe.prepare(within(rows, work).corpus, threads=1)
        folds = folds_of(rows.groups, FOLDS, 1)
        said = held_out(recipe, rows, prepared, folds, seed)
        print(f"CMADE {recipe.chosen}:", pair_accuracies(said, rows.ratings, folds), flush=True)


def pair_accuracies(said: Floats, ratings: Floats, folds: Codes) -> str:
    """Return the share of pairs within folds whose better one is found, of all and of those whose
    ratings are far apart.
    """
    right: Mapping[float, list[bool]] = {0.0: [], FAR * float(ratings.std()): []}
    for fold in range(FOLDS):
        rows = np.flatnonzero(folds == fold)
        left, other = (rows[k] for k in np.triu_indices(len(rows), 1))
        distance, told = ratings[left] - ratings[other], said[left] - said[other]
        for least, found in right.items():
            found += ((distance * told) > 0)[np.abs(distance) > least].tolist()
    shares = [np.mean(found) for found in right.values()]
    return f"{shares[0]:.3f} of all pairs, {shares[1]:.3f} of those half a deviation apart"


def captions(data: Path, work: Path, seed: int) -> None:
    """Print Kendall's tau-c of LEIC and of the cosine, for images that it was not fitted to."""
    records = [
        (name, record)
        for name in ("flickr8k_expert", "composite_flickr8k")
        for record in replies.read(data / "human" / f"{name}.jsonl.gz")
    ]
    recipe = recipe_of(registry.metric("leic"))
    rows = JudgedRows(
        corpus=Corpus.build(
            [r["hypothesis"] for _, r in records], [r["references"] for _, r in records]
        ),
        ratings=np.array([replies.rated(r) for _, r in records]),
        groups=Labels.build(r["segment_id"] for _, r in records).codes,
        parts=Labels.build(name for name, _ in records),
        criterion="correctness",
    )
    prepared = recipe.prepare(within(rows, work).corpus, threads=1)
    said = held_out(recipe, rows, prepared, folds_of(rows.groups, FOLDS, 1), seed)
    cosine = recipe.control(rows.corpus, prepared, threads=1)[:, 0]
    own = np.array([bool(r["candidate_is_own_caption"]) for _, r in records])
    for name in rows.parts.names:
        for what, chosen in (
            ("all", True),
            ("without those of people", ~own),
        ):
            k = np.flatnonzero((rows.parts.codes == rows.parts.names.index(name)) & chosen)
            for metric, scores in (("LEIC", said), ("cosine", cosine)):
                figure = interval(
                    scores[k],
                    rows.groups[k],
                    lambda j, k=k, s=scores: kendalltau(s[k[j]], rows.ratings[k[j]], variant="c")[
                        0
                    ],
                )
                print(f"{name}, {what}: {metric} {figure}", flush=True)


def next_utterances(training: Any, data: Path, work: Path, models: Path | None) -> None:
    """Print how often metrics prefer the true reply to another, by file: one of another dialogue of
    the file, or one of the same speaker in the same dialogue.
    """
    wrong = ("file", "conversation")
    for file in training.CHAT:
        found = training.unseen_dialogues(file, data, work, UNSEEN)
        rows = within(reply_rows(found, wrong, per_dialogue=6, seed=1), work)
        for name in REPLY_METRICS:
            scores = replies.scored(replies.spec(name, models), rows.corpus)
            true, *others = scores.reshape(-1, 1 + len(wrong)).T
            shares = (np.mean(true > other) + np.mean(true == other) / 2 for other in others)
            told = ", ".join(f"{kind} {s:.3f}" for kind, s in zip(wrong, shares, strict=True))
            print(f"{file}, {len(true)} replies: {name} {told}", flush=True)


def within(rows: JudgedRows, work: Path) -> JudgedRows:
    """Return rows whose vectors are kept in a folder."""
    cache = RunContext(embedding_cache=str(work / "cache"))
    return replace(rows, corpus=rows.corpus.within(cache))


def main() -> None:
    """Print what was asked for."""
    from importlib.util import module_from_spec, spec_from_file_location

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--only", nargs="+", default=["gan-d", "cmade", "leic", "replies"])
    parser.add_argument("--seed", type=int, default=1, help="of what is trained; folds stay")
    parser.add_argument("--models", type=Path, help="folder of models in place of those that ship")
    arguments = parser.parse_args()
    # The program of the same name that trains what ships, for the same dialogues.
    spec = spec_from_file_location(
        "dialogue_weights", Path(__file__).parents[2] / "weights" / "dialogue.py"
    )
    assert spec is not None and spec.loader is not None
    training = module_from_spec(spec)
    spec.loader.exec_module(training)
    if "gan-d" in arguments.only:
        discriminator(training, arguments.data, arguments.work, arguments.seed)
    if "cmade" in arguments.only:
        comparisons(training, arguments.data, arguments.work, arguments.seed)
    if "leic" in arguments.only:
        captions(arguments.data, arguments.work, arguments.seed)
    if "replies" in arguments.only:
        next_utterances(training, arguments.data, arguments.work, arguments.models)


if __name__ == "__main__":
    main()

"""Train the models of dialogue metrics that ship.

    python weights/dialogue.py DATA OUT [--only ssrem maude] [--folds 0]

DATA has `dialogue/` (files of dialogues) and `human/` (judged replies, whose utterances are not
learnt from). Each model takes some minutes on two processors. Utterances are encoded once for all
models, into OUT/cache.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from nlgauge.core import registry
from nlgauge.data.labels import Labels
from nlgauge.data.run_context import RunContext
from nlgauge.train.dialogue.dialogues import Dialogue, read_dialogues
from nlgauge.train.judged_rows import JudgedRows, described, read_judged_rows
from nlgauge.train.recipes import recipe_of
from nlgauge.train.trainer import TrainedMetric, TrainSettings, train_metric

SEED = 1
LICENCES = {
    "topicalchat": "CDLA-Sharing-1.0",
    "selfdialogue": "BSD-3-Clause",
    "syntheticpersona": "CC BY 4.0",
    "rated_dialogues": "MIT",
    "conture": "CC BY 4.0",
    "flickr8k_expert": "BSD-style",
}
# Dialogues that are drawn of each file.
CHAT = {"syntheticpersona": 500, "selfdialogue": 500, "topicalchat": 300}
DIALOGUES = {
    "ruber": dict.fromkeys(CHAT, 1000),  # reading words costs little beside encoding
    "ruber-bert": CHAT,
    "ssrem": {**CHAT, "rated_dialogues": 300},
    "maude": dict.fromkeys(CHAT, 1000),
    "roberta-eval": CHAT,  # its first stage
    "gan-d": {"rated_dialogues": 1500},
    "cmade": {"rated_dialogues": 1500},
}
RATED = {"roberta-eval": "conture", "adem": "conture", "leic": "flickr8k_expert"}
CRITERIA = {"conture": "overall", "flickr8k_expert": "expert"}
HELD_OUT = ("grade_dialogue", "engage", "conture", "dstc9_dialog")


def records(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the dialogues of a file, with persons and ratings where these are known."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            if "worker" in record:
                record["speakers"] = {"user": record["worker"], "bot": record["system"]}
                rated = [value for value in record["z scores"].values() if value is not None]
                if rated:
                    record["human"] = {"overall": float(np.mean(rated))}
            yield record


def drawn(data: Path, out: Path, name: str, count: int, after: int = 0) -> Path:
    """Write some dialogues of a file, drawn at random, to a file of their own; `after` so many."""
    path = out / (f"{name}-{after}-{after + count}.jsonl" if after else f"{name}-{count}.jsonl")
    if not path.is_file():
        found = list(records(data / "dialogue" / f"{name}.jsonl.gz"))
        random.Random(0).shuffle(found)
        text = "".join(
            json.dumps(row, ensure_ascii=False) + "\n" for row in found[after : after + count]
        )
        path.write_text(text, encoding="utf-8")
    return path


def dialogues_for(name: str, data: Path, out: Path) -> tuple[list[Dialogue], list[dict[str, Any]]]:
    """Return the dialogues that a model learns from, and what its card says of them."""
    paths = {str(drawn(data, out, file, count)): file for file, count in DIALOGUES[name].items()}
    found = read_dialogues(list(paths), without=test_files(data))
    return found, [described(path, LICENCES[file]) for path, file in paths.items()]


def test_files(data: Path) -> list[str]:
    """Return the files whose utterances are not learnt from."""
    return [str(data / "human" / f"{held}.jsonl.gz") for held in HELD_OUT]


def unseen_dialogues(file: str, data: Path, out: Path, count: int) -> list[Dialogue]:
    """Return dialogues of a file that no model of replies learns from."""
    after = max(counts.get(file, 0) for counts in DIALOGUES.values())
    path = drawn(data, out, file, count, after)
    return read_dialogues([str(path)], without=test_files(data))


def rated_rows(name: str, data: Path) -> JudgedRows:
    """Return rated replies or captions; those of one dialogue or image are held out together."""
    file = RATED[name]
    path = data / "human" / f"{file}.jsonl.gz"
    rows = read_judged_rows(
        [str(path)],
        criterion=CRITERIA[file],
        licence=LICENCES[file],
        id_fields=["segment_id", "system"],
        group="item",
    )
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        ids = [json.loads(line) for line in lines]
    if file == "conture":  # a system's dialogue is what stands before a turn's number
        names = [f"{row['system']} {row['segment_id'].rpartition('-')[0]}" for row in ids]
    else:
        names = [row["segment_id"] for row in ids]
    return replace(rows, groups=Labels.build(names).codes)


def train(name: str, data: Path, out: Path, folds: int, seed: int = SEED) -> TrainedMetric:
    """Train one model, and tell how long that took."""
    began = time.monotonic()
    recipe = recipe_of(registry.metric(name))
    cache = RunContext(embedding_cache=str(out / "cache"))
    found, said = dialogues_for(name, data, out) if name in DIALOGUES else ([], [])
    if name in RATED:
        rows = rated_rows(name, data)
        rows = replace(rows, data=(*rows.data, *said))
        if found:
            recipe.learn_first(found, seed, within=cache, progress=print)
    else:
        rows = replace(recipe.rows(found, seed), data=tuple(said))
    rows = replace(rows, corpus=rows.corpus.within(cache))
    checkpoints = out / f"{name}-{seed}"  # what an interrupted run goes on from
    checkpoints.mkdir(exist_ok=True)
    settings = TrainSettings(seed=seed, folds=folds, synthetic=0.0, checkpoints=checkpoints)
    trained = train_metric(recipe, rows, settings, progress=print)
    trained.write(str(out / f"{name}.safetensors"))
    print(f"{name}: {len(rows)} rows, {time.monotonic() - began:.0f} s", flush=True)
    for note in trained.notes:
        print(f"  {note}")
    return trained


def main() -> None:
    """Train what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--only", nargs="+", default=[*DIALOGUES, "adem", "leic"])
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=SEED)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    for name in arguments.only:
        train(name, arguments.data, arguments.out, arguments.folds, arguments.seed)


if __name__ == "__main__":
    main()

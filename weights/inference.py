"""Train the model of entailment and similarity that the package ships.

    python weights/inference.py --data FOLDER --out inference-en.safetensors

FOLDER has the files of SNLI, of its counterfactual copies and of the STS benchmark that nlp_data.py
names. The dev sets tell how far training is, and the test sets are looked at once, at its end. A
checkpoint beside the output is what an interrupted training goes on from.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import torch
from nlp_data import (
    COUNTERFACTUAL,
    SNLI_DEV,
    SNLI_TEST,
    SNLI_TRAIN,
    STS_DEV,
    STS_TEST,
    STS_TRAIN,
    LabelledPair,
    inference_pairs,
    similarity_pairs,
    training_pairs,
)
from torch.nn import functional

from nlgauge.core.resources import contents_hash
from nlgauge.models.encoders.bert import Bert
from nlgauge.models.encoders.encoder import find_encoder
from nlgauge.models.encoders.inference import CLASSES, METRIC, MOST, find_inference
from nlgauge.models.encoders.pair_pieces import pair_pieces
from nlgauge.models.files.trained_model import write_model
from nlgauge.train.networks.loop import Steps, run
from nlgauge.train.networks.pair_network import PairNetwork, by_length
from nlgauge.train.networks.torch_bert import Dropout

MEANING, SIMILARITY = "inference", "similarity"  # the heads
MOST_PIECES = 40  # of pairs of SNLI; longer ones are few and slow


def batches_of(
    bert: Bert, nli: list[LabelledPair], sts: list[LabelledPair], similarity: int, seed: int
) -> tuple[list, list]:
    """Return all pairs as pieces with their labels, and batches of them: entailment once, and so
    many pairs of similarity, more than once if need be, whose texts may change places.
    """
    rng = np.random.default_rng(seed)
    pieces = pair_pieces(bert, [pair.texts for pair in nli])
    short = [k for k, p in enumerate(pieces) if len(p) <= MOST_PIECES]
    pieces = [pieces[k] for k in short]
    items = [(MEANING, p, nli[k].label) for p, k in zip(pieces, short, strict=True)]
    batches = [list(rows) for rows in by_length(pieces, 32, rng)]
    order = np.concatenate([rng.permutation(len(sts)) for _ in range(similarity // len(sts) + 1)])
    drawn = [sts[k] for k in order[:similarity]]
    turned = [p.texts[::-1] if rng.random() < 0.5 else p.texts for p in drawn]
    pieces = pair_pieces(bert, turned)
    batches += [[len(items) + i for i in rows] for rows in by_length(pieces, 16, rng)]
    items += [(SIMILARITY, p, pair.label) for p, pair in zip(pieces, drawn, strict=True)]
    return items, [batches[i] for i in rng.permutation(len(batches))]


def train(bert: Bert, items: list, batches: list, *, seed: int, checkpoint: Path) -> PairNetwork:
    """Return the trained network: cross-entropy of classes, and of similarities as shares of 5."""
    torch.manual_seed(seed)
    network = PairNetwork(bert, {MEANING: len(CLASSES), SIMILARITY: 1}, seed=seed)
    dropout = Dropout(0.05, active=True)

    def loss(rows: list[int]) -> torch.Tensor:
        head = items[rows[0]][0]
        labels = torch.tensor([items[i][2] for i in rows])
        (said,) = network.outputs([items[i][1] for i in rows], [head], dropout)
        if head == MEANING:
            return functional.cross_entropy(said, labels.long())
        return functional.binary_cross_entropy_with_logits(said[:, 0], labels.float() / MOST)

    run(network, batches, loss, Steps(), progress=print, checkpoint=checkpoint)
    return network


def figure(name: str, what: str, values: np.ndarray) -> dict[str, object]:
    """Return a figure with its interval, from what resamples of the rows say; the first is all."""
    low, high = np.quantile(values[1:], [0.025, 0.975])
    return {
        "on": name,
        "name": "model",
        "measure": what,
        "value": values[0],
        "interval": [low, high],
    }


def figures(path: Path, folder: Path, *, seed: int = 1) -> list[dict[str, object]]:
    """Return accuracy and correlation on the dev and test sets, by the code that scores."""
    model, found = find_inference(str(path)), []
    for name in (SNLI_DEV, SNLI_TEST):
        pairs = inference_pairs(folder / name)
        logits, _ = model.predict([p.texts for p in pairs])
        right = logits.argmax(axis=1) == [p.label for p in pairs]
        rows = np.random.default_rng(seed).integers(len(right), size=(1000, len(right)))
        values = np.array([right.mean(), *right[rows].mean(axis=1)])
        found.append(figure(name, "accuracy", values))
    for name in (STS_DEV, STS_TEST):
        pairs = similarity_pairs(folder / name)
        _, said = model.predict([p.texts for p in pairs])
        gold = np.array([p.label for p in pairs])
        rows = np.random.default_rng(seed).integers(len(gold), size=(1000, len(gold)))
        chosen = [np.arange(len(gold)), *rows]
        values = np.array([np.corrcoef(said[r], gold[r])[0, 1] for r in chosen])
        found.append(figure(name, "Pearson", values))
    return found


def main() -> None:
    """Train the network, write its file, and write it again with its figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--pairs", type=int, default=21_500, help="of SNLI")
    parser.add_argument("--counterfactual", type=int, default=2_500)
    parser.add_argument("--similarity", type=int, default=8_200, help="pairs of STS-B")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(1)
    bert, rng = find_encoder("minilm"), np.random.default_rng(args.seed)
    snli, more = training_pairs(args.data)
    nli = [snli[i] for i in rng.permutation(len(snli))[: args.pairs]]
    nli += [more[i] for i in rng.permutation(len(more))[: args.counterfactual]]
    sts = similarity_pairs(args.data / STS_TRAIN)
    items, batches = batches_of(bert, nli, sts, args.similarity, args.seed)
    started = time.process_time()
    checkpoint = args.out.with_suffix(".checkpoint")
    network = train(bert, items, batches, seed=args.seed, checkpoint=checkpoint)
    minutes = (time.process_time() - started) / 60
    arrays = network.arrays(bert)
    header = header_of(args, bert.name, minutes)
    write_model(args.out, header, arrays)
    write_model(args.out, {**header, "figures": figures(args.out, args.data)}, arrays)


def header_of(args: argparse.Namespace, encoder: str, minutes: float) -> dict[str, object]:
    """Return what the file says about itself, figures aside."""
    licences = {
        SNLI_TRAIN: "CC BY-SA 4.0",
        COUNTERFACTUAL: "Apache-2.0",
        STS_TRAIN: "CC BY-SA 4.0",
    }
    rows = {
        SNLI_TRAIN: args.pairs,
        COUNTERFACTUAL: args.counterfactual,
        STS_TRAIN: args.similarity,
    }
    return {
        "metric": METRIC,
        "options": {},
        "features": [],
        "encoder": encoder,
        "licence": "CC BY-SA 4.0",
        "data": [
            {
                "name": name,
                "sha256": contents_hash(args.data / name),
                "licence": licence,
                "rows": rows[name],
            }
            for name, licence in licences.items()
        ],
        "split": {"held_out": [SNLI_DEV, SNLI_TEST, STS_DEV, STS_TEST]},
        "training": {"seed": args.seed, "cpu_minutes": round(minutes, 1)},
        "figures": [],
        "versions": {"torch": torch.__version__},
    }


if __name__ == "__main__":
    main()

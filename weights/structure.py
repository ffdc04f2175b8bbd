"""Train the constituency parser and role labeller that the package ships.

    python weights/structure.py --data FOLDER --base FOLDER --out FOLDER [--config FILE]

FOLDER of data: propbank_ewt_train.jsonl.gz and propbank_ewt_dev.jsonl.gz. Every epoch leaves a
checkpoint in --out, from which --resume continues; weights/export.py makes the shipped file of it.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from dataclasses import asdict
from pathlib import Path

import numpy as np
import torch
from batches import Labels, batches, collate, example
from network import Network, Sizes
from tokenizers import Tokenizer
from treebank import Sentence, read_sentences

from nlgauge.models.syntax.spans import labels_in


def label_names(sentences: list[Sentence]) -> Labels:
    """Return all labels that occur twice or more in the training data."""
    roles = (frame.arguments for s in sentences for frame in s.frames)
    return Labels(
        sorted({t for s in sentences for t in s.tags}),
        ["", *labels_in((s.spans for s in sentences), least=2)],
        ["", *labels_in(roles, least=2)],
    )


def main() -> None:
    """Train the network, epoch by epoch."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--base", type=Path, required=True, help="folder of the encoder's weights")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--config", type=Path, default=Path(__file__).with_suffix(".json"))
    parser.add_argument("--sentences", type=int, help="train on the first ones only")
    parser.add_argument("--resume", type=Path)
    args = parser.parse_args()
    config = json.loads(args.config.read_text())
    random.seed(config["seed"])
    torch.manual_seed(config["seed"])
    rng = np.random.default_rng(config["seed"])
    torch.set_num_threads(config["threads"])
    args.out.mkdir(parents=True, exist_ok=True)

    sentences = read_sentences(args.data / "propbank_ewt_train.jsonl.gz")
    names = label_names(sentences)
    (args.out / "labels.json").write_text(json.dumps(asdict(names)))
    tokenizer = Tokenizer.from_file(str(args.base / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    examples = [example(s, names, tokenizer) for s in sentences[: args.sentences]]
    held = read_sentences(args.data / "propbank_ewt_dev.jsonl.gz")[: args.sentences]
    dev = [example(s, names, tokenizer) for s in held]

    network = Network(args.base, Sizes(len(names.tags), len(names.labels), len(names.roles)))
    heads = network.heads()
    encoder = [p for p in network.encoder.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW(
        [
            {"params": encoder, "lr": config["encoder_rate"]},
            {"params": heads, "lr": config["head_rate"]},
        ],
        weight_decay=0.01,
        betas=(0.9, 0.98),
    )
    epochs = config["epochs"]
    per_epoch = len(list(batches(examples, config["pieces"], config["pairs"], rng)))
    steps, warm = epochs * per_epoch, config["warm_up"] * epochs * per_epoch

    def rate(step: int) -> float:
        return min((step + 1) / warm, max(0.0, (steps - step) / (steps - warm)))

    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, rate)
    start = 0
    if args.resume:
        state = torch.load(args.resume, weights_only=True)
        network.load_state_dict(state["network"])
        optimiser.load_state_dict(state["optimiser"])
        schedule.load_state_dict(state["schedule"])
        start = state["epoch"]
    for epoch in range(start, epochs):
        network.train()
        began, sums = time.time(), {}
        order = batches(examples, config["pieces"], config["pairs"], rng)
        for done, numbers in enumerate(order, start=1):
            losses = network.losses(collate([examples[i] for i in numbers], rng))
            optimiser.zero_grad()
            sum(losses.values()).backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimiser.step()
            schedule.step()
            for name, loss in losses.items():
                sums[name] = sums.get(name, 0.0) + loss.item()
            if done % 25 == 0:
                means = {name: round(total / done, 4) for name, total in sums.items()}
                print(
                    f"epoch {epoch + 1}, {done}/{per_epoch}, {time.time() - began:.0f} s: {means}",
                    flush=True,
                )
        torch.save(
            {
                "network": network.state_dict(),
                "optimiser": optimiser.state_dict(),
                "schedule": schedule.state_dict(),
                "epoch": epoch + 1,
            },
            args.out / f"epoch-{epoch + 1}.pt",
        )
        print(f"epoch {epoch + 1}: dev {held_out(network, dev, config)}", flush=True)


def held_out(network: Network, examples: list, config: dict) -> dict[str, float]:
    """Return the cross-entropies per word of held-out sentences."""
    network.eval()
    sums: dict[str, float] = {}
    words = 0
    with torch.inference_mode():
        for numbers in batches(examples, config["pieces"], config["pairs"], None):
            batch = collate([examples[i] for i in numbers])
            words += len(batch.tags)
            for name, loss in network.losses(batch).items():
                sums[name] = sums.get(name, 0.0) + loss.item() * len(batch.tags)
    return {name: round(total / words, 4) for name, total in sums.items()}


if __name__ == "__main__":
    main()

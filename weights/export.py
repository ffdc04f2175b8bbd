"""Make the package's file of a checkpoint.

    python weights/export.py CHECKPOINT --base FOLDER --out structure-en.safetensors

CHECKPOINT is a file that weights/structure.py left, beside its labels.json.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path

import numpy as np
from batches import REACH
from safetensors.numpy import load_file, save_file

from nlgauge.models.encoders.changes import changes


def exported(state: dict[str, np.ndarray], base: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return differences of the encoder's matrices in 8 bits by row, all else in 16 or 32 bits."""
    prefix = "encoder."
    own = {name.removeprefix(prefix): x for name, x in state.items() if name.startswith(prefix)}
    heads = {name: x for name, x in state.items() if not name.startswith(prefix)}
    return {
        **changes(own, base, bits=8),
        **{name: x.astype(np.float16 if x.ndim == 2 else np.float32) for name, x in heads.items()},
    }


def main() -> None:
    """Convert a checkpoint, and say how large the file is."""
    parser = argparse.ArgumentParser()
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    import torch

    path = args.base / "model.safetensors"
    loaded = torch.load(args.checkpoint, map_location="cpu", weights_only=True)["network"]
    state = {name: tensor.float().numpy() for name, tensor in loaded.items()}
    info = {
        "base": hashlib.sha256(path.read_bytes()).hexdigest(),
        "reach": REACH,
        "licence": "CC BY-SA 4.0",
        **json.loads((args.checkpoint.parent / "labels.json").read_text()),
    }
    save_file(exported(state, load_file(path)), args.out, metadata={"structure": json.dumps(info)})
    print(f"{args.out}: {args.out.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()

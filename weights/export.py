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

from nlgauge.models.structure.weights import CHANGED, SCALES


def exported(state: dict[str, np.ndarray], base: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return differences of the encoder's matrices in 8 bits by row, all else in 16 or 32 bits."""
    found = {}
    for name, array in state.items():
        own = name.removeprefix("encoder.") if name.startswith("encoder.") else None
        if own is None:
            found[name] = array.astype(np.float16 if array.ndim == 2 else np.float32)
        elif own.startswith("encoder.") and array.ndim == 2:
            change = array - base[own]
            scales = np.maximum(np.abs(change).max(axis=1), 1e-12) / 127
            found[own + CHANGED] = np.rint(change / scales[:, None]).astype(np.int8)
            found[own + SCALES] = scales.astype(np.float32)
        elif (array.ndim == 1 and own in base) or "token_type" in own:
            found[own] = array.astype(np.float32)
    return found


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

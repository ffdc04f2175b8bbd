"""A Llama model of random weights, as a GGUF file that is small enough to be kept.

tests/golden/models/tiny-llama.gguf is what `write_tiny_llama` writes.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

WIDTH, INNER, HEADS, KEY_HEADS, CONTEXT = 32, 64, 4, 2, 2048
WORDS = ("the", "to", "in", "at", "on", "alpha", "beta", "gamma", "delta", "one", "two", "three")


def byte_letters() -> list[str]:
    """The letter that stands for each byte in the vocabularies of GPT-2's kind."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = iter(range(256, 512))
    return [chr(b) if b in plain else chr(next(others)) for b in range(256)]


def merges() -> list[str]:
    """Merge the letters of words from the left, with a blank before them or without."""
    found = [
        f"{word[:k]} {word[k]}"
        for word in (*WORDS, *(f"Ġ{word}" for word in WORDS))
        for k in range(1, len(word))
    ]
    return list(dict.fromkeys(found))


def write_tiny_llama(path: Path, *, seed: int = 1, layers: int = 1, scaling: bool = False) -> None:
    import gguf
    from gguf import GGMLQuantizationType as Kind

    rng = np.random.default_rng(seed)
    words = [
        "<|endoftext|>",
        "<|im_end|>",
        *byte_letters(),
        *(m.replace(" ", "") for m in merges()),
    ]
    file = gguf.GGUFWriter(path, "llama")
    file.add_context_length(CONTEXT)
    file.add_embedding_length(WIDTH)
    file.add_block_count(layers)
    file.add_feed_forward_length(INNER)
    file.add_head_count(HEADS)
    file.add_head_count_kv(KEY_HEADS)
    file.add_layer_norm_rms_eps(1e-5)
    file.add_rope_freq_base(10000.0)
    file.add_vocab_size(len(words))
    if scaling:
        file.add_rope_scaling_factor(2.0)
    file.add_tokenizer_model("gpt2")
    file.add_tokenizer_pre("smollm")
    file.add_token_list(words)
    file.add_token_types([3, 3, *[1] * (len(words) - 2)])
    file.add_token_merges(merges())
    file.add_bos_token_id(0)
    file.add_eos_token_id(1)
    keys = WIDTH // HEADS * KEY_HEADS
    matrices = {
        "token_embd": (len(words), WIDTH),
        **{
            f"blk.{k}.{name}": size
            for k in range(layers)
            for name, size in {
                "attn_q": (WIDTH, WIDTH),
                "attn_k": (keys, WIDTH),
                "attn_v": (keys, WIDTH),
                "attn_output": (WIDTH, WIDTH),
                "ffn_gate": (INNER, WIDTH),
                "ffn_up": (INNER, WIDTH),
                "ffn_down": (WIDTH, INNER),
            }.items()
        },
    }
    for k, (name, size) in enumerate(matrices.items()):
        kind = (Kind.Q8_0, Kind.Q4_1, Kind.F16)[k % 3]
        drawn = rng.normal(0, 0.3, size).astype(np.float32)
        data = drawn.astype(np.float16) if kind == Kind.F16 else gguf.quants.quantize(drawn, kind)
        file.add_tensor(f"{name}.weight", data, raw_dtype=kind)
    norms = [f"blk.{k}.{name}" for k in range(layers) for name in ("attn_norm", "ffn_norm")]
    for name in (*norms, "output_norm"):
        drawn = 1 + rng.normal(0, 0.1, WIDTH)
        file.add_tensor(f"{name}.weight", drawn.astype(np.float32))
    file.write_header_to_file()
    file.write_kv_data_to_file()
    file.write_tensors_to_file()
    file.close()


if __name__ == "__main__":
    write_tiny_llama(Path(__file__).parents[1] / "golden" / "models" / "tiny-llama.gguf")

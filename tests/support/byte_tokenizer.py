"""A tokeniser of bytes for checkpoints that tests make; <s> and </s> stand around a text."""

from __future__ import annotations

from typing import Any

from support.tiny_llama import byte_letters

SPECIAL = ("<s>", "<pad>", "</s>", "<unk>")


def byte_tokenizer() -> Any:
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    vocabulary = {word: k for k, word in enumerate((*SPECIAL, *byte_letters()))}
    found = Tokenizer(models.BPE(vocab=vocabulary, merges=[], unk_token="<unk>"))
    found.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    found.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>",
        pair="<s> $A </s> </s> $B </s>",
        special_tokens=[("<s>", 0), ("</s>", 2)],
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=found,
        bos_token="<s>",
        cls_token="<s>",
        pad_token="<pad>",
        eos_token="</s>",
        sep_token="</s>",
        unk_token="<unk>",
    )

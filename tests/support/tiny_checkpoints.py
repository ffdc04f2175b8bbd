"""Checkpoints of random weights, small enough to be kept: COMET's, MetricX' and BLEURT's kinds.

tests/golden/models/tiny-* is what this program writes, with unbabel-comet installed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from support.byte_tokenizer import byte_tokenizer

ENCODER = {
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 24,
    "max_position_embeddings": 130,
    "initializer_range": 0.3,
    "bos_token_id": 0,
    "pad_token_id": 1,
    "eos_token_id": 2,
}
TOKEN = 9  # whose logit is a rating of MetricX
COMMON = {"nr_frozen_epochs": 0.0, "hidden_sizes": [12], "load_pretrained_weights": False}
MORE = {"sent_layer": "mix", "input_segments": ["mt", "src", "ref"]}
COMETS: dict[str, tuple[str, dict[str, Any]]] = {
    "comet": ("RegressionMetric", {"layer_norm": True}),
    "comet-kiwi": ("UnifiedMetric", {**MORE, "input_segments": ["mt", "src"]}),
    "comet-unified": ("UnifiedMetric", MORE),
    "comet-qe": ("ReferencelessRegression", {}),
    "xcomet": (
        "XCOMETMetric",
        {"sent_layer": "mix", "word_layer": 1, "encoder_model": "XLM-RoBERTa"},
    ),
}


def write_encoder(folder: Path) -> None:
    """Write the settings and the tokeniser of a small XLM-RoBERTa, without weights."""
    from transformers import XLMRobertaConfig

    tokenizer = byte_tokenizer()
    tokenizer.model_max_length = 128
    tokenizer.save_pretrained(folder)
    XLMRobertaConfig(vocab_size=len(tokenizer), **ENCODER).save_pretrained(folder)


def write_comet(folder: Path, encoder: Path, name: str, *, seed: int = 1) -> None:
    """Write a checkpoint as it is published; the encoder that it names is nowhere."""
    import comet.models
    import torch
    import yaml

    torch.manual_seed(seed)
    kind, options = COMETS[name]
    cls = getattr(comet.models, kind)
    network = cls(pretrained_model=str(encoder), local_files_only=True, **COMMON, **options)
    for parameter in network.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    hparams = {k: v for k, v in network.hparams.items() if k != "local_files_only"}
    hparams = {**hparams, "pretrained_model": "tiny-xlmr"}
    (folder / "checkpoints").mkdir(parents=True)
    (folder / "hparams.yaml").write_text(yaml.safe_dump(hparams))
    (folder / "README.md").write_text("---\nlicense: apache-2.0\n---\nRandom weights.\n")
    content = {
        "state_dict": network.state_dict(),
        "hyper_parameters": hparams,
        "pytorch-lightning_version": "2.0.0",
    }
    torch.save(content, folder / "checkpoints" / "model.ckpt")


def write_metricx(folder: Path, *, seed: int = 1) -> None:
    import torch
    from transformers import MT5Config, MT5ForConditionalGeneration

    torch.manual_seed(seed)
    tokenizer = byte_tokenizer()
    config = MT5Config(
        vocab_size=len(tokenizer),
        d_model=16,
        d_kv=8,
        d_ff=24,
        num_layers=2,
        num_heads=2,
        initializer_factor=1.0,
        pad_token_id=1,
        decoder_start_token_id=0,
    )
    network = MT5ForConditionalGeneration(config).eval()
    with torch.inference_mode():  # so that ratings of the token are between 0 and 25
        run = network(
            input_ids=torch.tensor([[70, 80, 90]]),
            decoder_input_ids=torch.tensor([[0]]),
            output_hidden_states=True,
        )
        said = run.decoder_hidden_states[-1][0, 0]
        network.lm_head.weight[TOKEN] += 8 * said / said.square().sum()
    network.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def write_classifier(folder: Path, *, seed: int = 1) -> None:
    import torch
    from transformers import XLMRobertaConfig, XLMRobertaForSequenceClassification

    torch.manual_seed(seed)
    tokenizer = byte_tokenizer()
    tokenizer.model_max_length = 128
    config = XLMRobertaConfig(vocab_size=len(tokenizer), num_labels=1, **ENCODER)
    XLMRobertaForSequenceClassification(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


if __name__ == "__main__":
    models = Path(__file__).parents[1] / "golden" / "models"
    write_encoder(models / "tiny-xlmr")
    for each in ("comet", "comet-kiwi", "xcomet"):
        write_comet(models / f"tiny-{each}", models / "tiny-xlmr", each)
    write_metricx(models / "tiny-metricx")
    write_classifier(models / "tiny-bleurt")

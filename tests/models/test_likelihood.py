"""Language models: the same weights run by transformers, texts in any company, files that do not
fit.
"""

from __future__ import annotations

import socket
import tracemalloc
from pathlib import Path

import pytest
from support.golden_files import GOLDEN
from support.tiny_llama import write_tiny_llama

import nlgauge
from nlgauge import Corpus, DataError, NlgaugeWarning, ResourceMissing, SpecError
from nlgauge.metrics import SourceLikelihood
from nlgauge.models.files.checkpoint_folder import CheckpointFolder
from nlgauge.models.likelihood import transformers_model
from nlgauge.models.likelihood.language_model import find_model, model_facts

pytest.importorskip("gguf")
TEXTS = ["The talks go on at ten.", "Zürich, in 1984: 日本 😀", "", "one  two\n", "alpha " * 40]
GIVEN = ["one two three", "", "The Zürich talks", "a", "beta gamma\n"]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("llama") / "tiny.gguf"
    write_tiny_llama(path, seed=2, layers=2)
    return path


def test_the_kept_file_is_what_the_program_writes(tmp_path: Path) -> None:
    write_tiny_llama(tmp_path / "again.gguf")
    kept = GOLDEN / "models" / "tiny-llama.gguf"
    assert (tmp_path / "again.gguf").read_bytes() == kept.read_bytes()


def test_a_text_gets_the_same_numbers_in_any_company(tiny: Path) -> None:
    model = find_model(str(tiny))
    together = model.log_probabilities(TEXTS, GIVEN)
    for text, given, found in zip(TEXTS, GIVEN, together, strict=True):
        assert model.log_probabilities([text], [given])[0].tolist() == found.tolist()
        assert len(found) and (found < 0).all()


def test_what_comes_later_changes_nothing_before(tiny: Path) -> None:
    model = find_model(str(tiny))
    long, short = (model.log_probabilities(["xyz, " * size])[0] for size in (60, 25))
    assert len(long) == 300
    assert long[: len(short)] == pytest.approx(short, rel=0, abs=1e-5)


def test_memory_grows_as_a_text_does_not_as_its_square(tiny: Path) -> None:
    model = find_model(str(tiny))
    peaks = []
    for size in (1000, 2000):
        tracemalloc.start()
        model.log_probabilities(["x" * size])
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 2.5 * peaks[0]


def test_texts_cannot_write_special_tokens(tiny: Path) -> None:
    model = find_model(str(tiny))
    (found,) = model.log_probabilities(["<|endoftext|>"])
    assert len(found) == len("<|endoftext|>")


def test_what_is_too_long_is_told(tiny: Path) -> None:
    model = find_model(str(tiny))
    with pytest.warns(NlgaugeWarning, match=r"1 texts.* 2048 pieces .*953 pieces at their ends"):
        (found,) = model.log_probabilities(["x" * 3000])
    assert len(found) == 2047
    with pytest.warns(NlgaugeWarning, match="955 pieces"):
        (cut,) = model.log_probabilities(["y z"], ["x" * 2999])
    (short,) = model.log_probabilities(["y z"], ["x" * 2044])
    assert cut.tolist() == short.tolist()  # the end of what is given stays


def test_files_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    write_tiny_llama(tmp_path / "stretched.gguf", scaling=True)
    with pytest.raises(DataError, match="stretches positions; give the folder"):
        find_model(str(tmp_path / "stretched.gguf"))
    data = (GOLDEN / "models" / "tiny-llama.gguf").read_bytes()
    for name, content in {"cut": data[: len(data) // 2], "none": b"", "text": b"GGUF" * 9}.items():
        path = tmp_path / f"{name}.gguf"
        path.write_bytes(content)
        with pytest.raises(DataError, match="no GGUF file of a Llama model"):
            find_model(str(path))
    with pytest.raises(ResourceMissing, match="there is no such file"):
        model_facts(str(tmp_path / "missing.gguf"))


def test_models_that_cannot_be_asked_say_which_can() -> None:
    sources = {"hypotheses": ["a"], "sources": ["b"], "metrics": ["likelihood-src(model=unset)"]}
    with pytest.raises(SpecError, match="n-grams do not see what a text is given"):
        nlgauge.score(**sources)


def test_the_licence_of_a_folder(tmp_path: Path) -> None:
    folder = CheckpointFolder.at(tmp_path)
    assert folder.licence == "not stated"
    (tmp_path / "LICENSE").write_text("\n  Apache License\nVersion 2.0")
    assert folder.licence == "Apache License"
    (tmp_path / "README.md").write_text("---\nlanguage: en\nlicense: cc-by-nc-sa-4.0\n---\n# x")
    assert folder.facts()["licence"] == "cc-by-nc-sa-4.0"
    (tmp_path / "config.json").write_text("{}")
    before = folder.name
    (tmp_path / "config.json").write_text("{ }")
    assert folder.name != before and folder.name.startswith(tmp_path.name)


# What follows needs transformers, which the usual tests do without: make test-checkpoints.


@pytest.fixture(scope="module")
def folders(tmp_path_factory) -> dict[str, Path]:
    """Small checkpoints with random weights, and a tokeniser of bytes."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    from support.byte_tokenizer import byte_tokenizer

    torch.manual_seed(1)
    torch.set_num_threads(1)
    tokenizer = byte_tokenizer()
    ids = {"bos_token_id": 0, "eos_token_id": 2, "pad_token_id": 1}
    left = transformers.GPT2Config(
        vocab_size=len(tokenizer), n_embd=32, n_layer=2, n_head=4, n_positions=256, **ids
    )
    both = transformers.BartConfig(
        vocab_size=len(tokenizer),
        d_model=32,
        encoder_layers=2,
        decoder_layers=2,
        encoder_attention_heads=4,
        decoder_attention_heads=4,
        encoder_ffn_dim=64,
        decoder_ffn_dim=64,
        max_position_embeddings=256,
        decoder_start_token_id=2,
        init_std=0.2,
        **ids,
    )
    found = {}
    for name, model in {
        "gpt2": transformers.GPT2LMHeadModel(left),
        "bart": transformers.BartForConditionalGeneration(both),
    }.items():
        found[name] = tmp_path_factory.mktemp(name)
        model.save_pretrained(found[name])
        tokenizer.save_pretrained(found[name])
    return found


@pytest.fixture
def no_network(monkeypatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("something asked the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


def test_gguf_equals_transformers(tiny: Path) -> None:
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    pytest.importorskip("accelerate")  # what transformers reads such files with
    options = {"gguf_file": tiny.name, "local_files_only": True}
    tokenizer = transformers.AutoTokenizer.from_pretrained(str(tiny.parent), **options)
    network = transformers.AutoModelForCausalLM.from_pretrained(
        str(tiny.parent), dtype=torch.float32, **options
    ).eval()
    found = find_model(str(tiny)).log_probabilities(TEXTS, GIVEN)
    for text, given, logs in zip(TEXTS, GIVEN, found, strict=True):
        before = [0, *tokenizer(given, add_special_tokens=False)["input_ids"]]
        own = tokenizer(text, add_special_tokens=False)["input_ids"] or [1]
        with torch.inference_mode():
            said = torch.log_softmax(network(torch.tensor([[*before, *own]])).logits[0], -1)
        expected = [float(said[len(before) - 1 + k, token]) for k, token in enumerate(own)]
        assert logs.tolist() == pytest.approx(expected, abs=1e-4)


@pytest.mark.usefixtures("no_network")
@pytest.mark.parametrize("budget", [1, 4096])
def test_left_to_right_checkpoints_equal_transformers(folders, budget: int, monkeypatch) -> None:
    import torch
    import transformers

    monkeypatch.setattr(transformers_model, "TOKENS", budget)
    folder = str(folders["gpt2"])
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    network = transformers.GPT2LMHeadModel.from_pretrained(folder).eval()
    found = find_model(folder).log_probabilities(TEXTS, GIVEN)
    for text, given, logs in zip(TEXTS, GIVEN, found, strict=True):
        before = [0, *tokenizer(given, add_special_tokens=False)["input_ids"]]
        own = tokenizer(text, add_special_tokens=False)["input_ids"] or [2]
        labels = torch.tensor([[*[-100] * len(before), *own]])
        with torch.inference_mode():
            loss = network(torch.tensor([[*before, *own]]), labels=labels).loss
        assert logs.mean() == pytest.approx(-float(loss), abs=1e-4)


@pytest.mark.usefixtures("no_network")
@pytest.mark.parametrize("budget", [1, 4096])
def test_checkpoints_with_an_encoder_are_bartscore(folders, budget: int, monkeypatch) -> None:
    import torch
    import transformers

    monkeypatch.setattr(transformers_model, "TOKENS", budget)
    folder = str(folders["bart"])
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    network = transformers.BartForConditionalGeneration.from_pretrained(folder).eval()
    expected = []
    for text, given in zip(TEXTS, GIVEN, strict=True):
        own = tokenizer(text, return_tensors="pt")["input_ids"]
        with torch.inference_mode():  # the mean over tokens that BARTScore returns, negated
            ids = tokenizer(given, return_tensors="pt")["input_ids"]
            loss = network(input_ids=ids, labels=own).loss
        expected.append(-float(loss))
    metric = SourceLikelihood(model=folder)
    corpus = Corpus.build(TEXTS, sources=GIVEN)
    assert metric.score(metric.rows(corpus)).tolist() == pytest.approx(expected, abs=1e-4)
    assert "licence:not stated" in metric.signature()


def test_wrong_folders_are_refused(folders, tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="given another; choose likelihood-src"):
        find_model(str(folders["bart"])).log_probabilities(["a"])
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(DataError, match="transformers cannot read it as"):
        find_model(str(tmp_path))
    with pytest.raises(DataError, match="device=nowhere"):
        find_model(str(folders["gpt2"]), device="nowhere")

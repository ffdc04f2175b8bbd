"""Encoders and what is kept of them: against torch, and a plain version of BERT."""

import json
import struct
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from oracles.bert import bert, random_weights
from support.golden_files import GOLDEN
from support.minilm import needs_minilm

from nlgauge import Corpus, DataError, NlgaugeWarning, ResourceMissing, RunContext, SpecError
from nlgauge.models.cache import embeddings
from nlgauge.models.cache.embeddings import Embeddings, embeddings_of
from nlgauge.models.encoders import encoder
from nlgauge.models.encoders.bert import Bert, Shape, read_weights
from nlgauge.models.encoders.encoder import Pieces, find_encoder
from nlgauge.models.encoders.piece_reader import clean

TEXTS = ["The cat sat on the mat.", "Zürich is nice", "", "a " * 40, "unbelievable!?"]


class Letters:
    """Reads each letter as a piece."""

    limit = 40

    def pieces(self, texts):
        found = []
        for text in texts:
            ids = np.array([1, *(2 + ord(c) % 29 for c in text[:38]), 0], np.int32)
            words = np.array([-1, *range(len(ids) - 2), -1], np.int32)
            strings = ("<", *text[:38], ">")
            spans = np.zeros((len(ids), 2), np.int32)
            found.append(Pieces(ids, strings, words, spans, max(0, len(text) - 38)))
        return found


@pytest.fixture(scope="module")
def weights() -> dict:
    rng = np.random.default_rng(1)
    return random_weights(rng, words=31, positions=40, width=64, inner=400, layers=3)


@pytest.fixture
def small(weights) -> Bert:
    return Bert(weights, Letters(), Shape(heads=2, epsilon=1e-5), "small 0123")


@pytest.fixture
def counted(small, monkeypatch) -> list[int]:
    """How many texts each call encodes."""
    sizes: list[int] = []
    encode = small.encode
    monkeypatch.setattr(
        small, "encode", lambda p, layers, **k: sizes.append(len(p)) or encode(p, layers, **k)
    )
    return sizes


def test_the_native_core_equals_a_plain_version(small, weights) -> None:
    pieces = small.pieces(TEXTS)
    for text, found in zip(pieces, small.encode(pieces, [0, 1, 2, 3]), strict=True):
        expected = np.stack(bert(weights, text.ids.tolist(), heads=2, epsilon=1e-5))
        np.testing.assert_allclose(found, expected, atol=2e-5)


def test_layers_come_in_the_order_asked_for(small) -> None:
    pieces = small.pieces(TEXTS)
    for found, one, other in zip(
        small.encode(pieces, [3, 1]),
        small.encode(pieces, [3]),
        small.encode(pieces, [1]),
        strict=True,
    ):
        assert found.tolist() == [*one.tolist(), *other.tolist()]
    with pytest.raises(SpecError, match="layer 4: small 0123 has layers 0 to 3"):
        small.encode(pieces, [4])


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_a_text_gets_the_same_vectors_in_any_company(small, threads: int) -> None:
    many = small.pieces([text[i:] for text in TEXTS for i in range(len(text) + 1)])
    together = small.encode(many, [3], threads=threads)
    for text, found in zip(many, together, strict=True):
        assert (small.encode([text], [3])[0] == found).all()


def test_changed_weights_change_vectors(small, weights) -> None:
    changed = dict(weights)
    changed["encoder.layer.2.output.dense.bias"] = weights["encoder.layer.2.output.dense.bias"] + 1
    other = Bert(changed, Letters(), Shape(heads=2, epsilon=1e-5), "changed")
    pieces = small.pieces(TEXTS[:1])
    (before,), (after,) = small.encode(pieces, [2, 3]), other.encode(pieces, [2, 3])
    assert (before[0] == after[0]).all() and (before[1] != after[1]).any()


def test_sizes_that_do_not_fit_are_refused(weights) -> None:
    for name in ("encoder.layer.1.output.dense.bias", "encoder.layer.0.intermediate.dense.weight"):
        broken = Bert({**weights, name: weights[name][:-1]}, Letters(), Shape(heads=2), "broken")
        with pytest.raises(DataError, match="another s"):
            broken.encode(broken.pieces(["a"]), [3])


def test_each_text_is_encoded_once(small, counted) -> None:
    store = Embeddings(small)
    first = store.encoded([*TEXTS, *TEXTS], [3])
    again = store.encoded(["new", *TEXTS], [3])
    assert sum(counted) == len(TEXTS) + 1
    for one, other in zip(first, again[1:], strict=False):
        assert (one.states == other.states).all()


@pytest.mark.parametrize("budget", [0, 5000])
def test_what_does_not_fit_in_memory_is_read_from_a_file(small, counted, budget: int) -> None:
    store = Embeddings(small, budget=budget)
    first, again = store.encoded(TEXTS, [1, 3]), store.encoded(TEXTS, [3, 1])
    assert sum(counted) == len(TEXTS)
    for one, other in zip(first, again, strict=True):
        assert (one.states == other.states[::-1]).all()


def test_layers_that_are_expected_are_kept_of_the_same_pass(small, counted) -> None:
    store = Embeddings(small)
    store.expect([1])
    first, alone = store.encoded(TEXTS, [3]), store.encoded(TEXTS, [1])
    assert sum(counted) == len(TEXTS)
    for text, both, one in zip(TEXTS, first, alone, strict=True):
        upper, lower = small.encode(small.pieces([text]), [3, 1])[0]
        assert (both.states[0] == upper).all() and both.states.shape[0] == 1
        assert (one.states[0] == lower).all()


def test_sentences_are_means_of_their_pieces(small) -> None:
    found = Embeddings(small).sentences(TEXTS, [3, 1])
    assert found.means.shape == (2, len(TEXTS), small.width)
    for k, text in enumerate(TEXTS):
        pieces = small.pieces([text])
        for row, layer in zip(found.means[:, k], [3, 1], strict=True):
            expected = small.encode(pieces, [layer])[0][0].astype(np.float64).mean(axis=0)
            assert row == pytest.approx(expected, abs=1e-12)
        assert found.lengths[k] == len(pieces[0]) - 2
    vectors = found.vectors()
    assert vectors.shape == (len(TEXTS), 2 * small.width)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1)


def test_metrics_of_one_run_share_one_pass(small, counted, monkeypatch) -> None:
    from nlgauge.core import registry
    from nlgauge.metrics.contextual import encoding
    from nlgauge.run.scoring import compute_rows

    for module in (embeddings, encoding):
        monkeypatch.setattr(module, "find_encoder", lambda *_, **__: small)
    corpus = Corpus.build(["AB", "b"], [["ab"], ["cd"]])
    specs = ("bertscore(layer=1)", "sim(lowercase=no)", "bertscore(layer=2,matches=0:1)")
    compute_rows([registry.metric(spec) for spec in specs], corpus, 1)
    assert sum(counted) == 4


def test_a_folder_keeps_vectors(small, counted, tmp_path: Path) -> None:
    first = Embeddings(small, str(tmp_path)).encoded(TEXTS, [2])
    again = Embeddings(small, str(tmp_path), budget=0).encoded(TEXTS, [2])
    assert sum(counted) == len(TEXTS)
    assert all((a.states == b.states).all() for a, b in zip(first, again, strict=True))
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="name a folder"):
        Embeddings(small, str(tmp_path / "file" / "below"))
    next(tmp_path.glob("*.states")).write_bytes(b"no database" * 100)
    with pytest.raises(DataError, match="delete the file"):
        Embeddings(small, str(tmp_path))


def test_systems_share_a_store_which_is_watched(small, monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr(embeddings, "find_encoder", lambda *_, **__: small)
    heard: list[int] = []
    context = RunContext(embedding_cache=str(tmp_path), on_encoded=heard.append)
    one = Corpus.build(["a", "b"], [["c"], ["d"]]).within(context)
    other = one.with_texts(one.references.flat, one.references.flat)
    assert embeddings_of(one, "small") is embeddings_of(other, "small")
    embeddings_of(one, "small").encoded("abc", [3])
    embeddings_of(other, "small").encoded("cd", [3])
    assert heard == [3, 4]
    assert list(tmp_path.glob("*.states"))


def test_texts_that_are_too_long_are_counted(small, monkeypatch) -> None:
    monkeypatch.setattr(embeddings, "find_encoder", lambda *_, **__: small)
    corpus = Corpus.build(["a" * 40, "b" * 38, "c" * 50], [["short"]] * 3)
    message = r"system: 2 of 3 texts are longer than the 40 pieces .* 14 pieces at their ends"
    with pytest.warns(NlgaugeWarning, match=message) as warned:
        embeddings_of(corpus, "small")
        embeddings_of(corpus, "small")
    assert len(warned) == 1


def test_blocks_are_bounded(small, monkeypatch) -> None:
    monkeypatch.setattr(embeddings, "BLOCK", 4 * 64 * 100)  # 100 pieces
    corpus = Corpus.build(["x" * 20] * 9, [["y" * 25]] * 9)
    blocks = list(Embeddings(small).blocks(corpus))
    assert [i for block in blocks for i in block] == list(range(9))
    assert {len(block) for block in blocks} == {2, 1}
    assert [len(b) for b in Embeddings(small).blocks(corpus, layers=4)] == [1] * 9


def test_batches_are_of_like_lengths() -> None:
    lengths = [3, 9, 4, 8, 500, 2]
    found = list(encoder.batches(lengths, 20))
    assert found == [[4], [1, 3], [2, 0, 5]]
    assert list(encoder.batches([], 20)) == []


def test_weights_are_read_in_any_precision(tmp_path: Path) -> None:
    numbers = np.array([[1.5, -2.0], [0.25, 3.0]], np.float32)
    stored = {
        "F32": numbers.tobytes(),
        "F16": numbers.astype(np.float16).tobytes(),
        "BF16": (numbers.view(np.uint32) >> 16).astype(np.uint16).tobytes(),
        "I64": np.arange(4).tobytes(),
    }
    header, body = {"__metadata__": {"format": "pt"}}, b""
    for kind, data in stored.items():
        header[f"bert.{kind}"] = {
            "dtype": kind,
            "shape": [2, 2],
            "data_offsets": [len(body), len(body) + len(data)],
        }
        body += data
    text = json.dumps(header).encode()
    path = tmp_path / "model.safetensors"
    path.write_bytes(struct.pack("<Q", len(text)) + text + body)
    found = read_weights(path)
    assert sorted(found) == ["BF16", "F16", "F32"]
    assert all((array == numbers).all() for array in found.values())
    path.write_bytes(b"no such file at all")
    with pytest.raises(DataError, match="not a file of safetensors"):
        read_weights(path)


def test_a_missing_model_gives_the_command(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr(encoder, "find_spec", lambda _: None)
    with pytest.raises(ResourceMissing, match="run: nlgauge fetch neural"):
        find_encoder("minilm")
    if find_spec("transformers") is None:
        with pytest.raises(ResourceMissing, match="run: nlgauge fetch transformers"):
            find_encoder(str(tmp_path))


@needs_minilm
def test_vectors_equal_those_of_torch() -> None:
    golden = json.loads((GOLDEN / "models" / "minilm.json").read_text())
    encoder = find_encoder("minilm")
    assert (encoder.layers, encoder.width, encoder.limit) == (6, 384, 512)
    texts = [case["text"] for case in golden["cases"]]
    pieces = encoder.pieces(texts)
    states = encoder.encode(pieces, golden["layers"], threads=2)
    for case, text, found in zip(golden["cases"], pieces, states, strict=True):
        assert text.ids.tolist() == case["ids"]
        dimensions = found[:, :, golden["dimensions"]]
        np.testing.assert_allclose(dimensions, np.array(case["vectors"]), rtol=0, atol=1e-5)


@needs_minilm
def test_pieces_know_their_words_and_places() -> None:
    (found,) = find_encoder("minilm").pieces(["  Zürich snowed.\n"])
    assert found.strings == ("[CLS]", "zurich", "snow", "##ed", ".", "[SEP]")
    assert found.words.tolist() == [-1, 0, 1, 1, 2, -1]
    assert found.spans.tolist() == [[0, 0], [2, 8], [9, 13], [13, 15], [15, 16], [0, 0]]
    long, empty, odd = find_encoder("minilm").pieces(["word " * 600, " ", "\ud800 a"])
    assert (len(long), long.lost) == (512, 90)
    assert empty.special.all() and len(empty) == 2
    assert "a" in odd.strings


@needs_minilm
def test_a_folder_is_a_model(tmp_path: Path) -> None:
    folder = encoder.minilm_folder()
    for name in ("config.json", "tokenizer.json", "tokenizer_config.json", "model.safetensors"):
        (tmp_path / name).symlink_to(folder / name)
    own = find_encoder(str(tmp_path))
    assert own.name == f"{tmp_path.name} 53aa51172d14"
    assert find_encoder("minilm").name == "all-MiniLM-L6-v2 53aa51172d14"
    (tmp_path / "tokenizer.json").unlink()
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(DataError, match="not a tokeniser"):
        find_encoder(str(tmp_path))
    (one,), (other,) = (e.encode(e.pieces(["a cat"]), [6]) for e in (own, find_encoder("minilm")))
    assert (one == other).all()


def test_half_characters_keep_the_places_of_what_is_behind_them() -> None:
    text = "é \ud800a b"
    assert len(clean(text)) == len(text)
    found = find_encoder("use").pieces([text])[0].spans
    assert found[-2].tolist() == [len(text) - 1, len(text)]  # the last word, before the end

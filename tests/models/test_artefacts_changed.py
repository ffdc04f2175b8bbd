"""Files of every binary format with any bytes changed: our errors, or finite numbers."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.artefact_files import (
    MATRIX,
    TEXTS,
    WORDS,
    small_wordnet,
    tensors,
    trained,
    vectors,
    word2vec,
    wordnet_file,
)

from nlgauge import Corpus, NlgaugeError
from nlgauge.core import registry
from nlgauge.metrics.trained.linear import KIND, LinearModel
from nlgauge.models.encoders.bert import read_weights
from nlgauge.models.encoders.paraphrase_encoder import find_paraphrase_encoder
from nlgauge.models.lexicon.wordnet import read_wordnet
from nlgauge.models.vectors.vector_files import check_vectors, read_vectors, write_vectors


@st.composite
def changes(draw: st.DrawFn) -> Callable[[bytes], bytes]:
    """Some bytes replaced, inserted or left out, most of them near the start."""
    steps = draw(
        st.lists(
            st.tuples(
                st.sampled_from(["put", "insert", "cut", "end", "digit"]),
                st.one_of(st.floats(0, 0.2), st.floats(0, 1)),
                st.one_of(
                    st.binary(min_size=1, max_size=8),
                    st.sampled_from(
                        [b"\xff" * 8, bytes(8), b"\0\0\x80\x7f", b"9" * 19, b"-", b"["]
                    ),
                ),
            ),
            min_size=1,
            max_size=4,
        )
    )

    def change(data: bytes) -> bytes:
        for kind, place, new in steps:
            at = int(place * len(data))
            if kind == "put":
                data = data[:at] + new + data[at + len(new) :]
            elif kind == "insert":
                data = data[:at] + new + data[at:]
            elif kind == "cut":
                data = data[:at] + data[at + len(new) :]
            elif kind == "end":
                data = data[:at]
            else:
                digit = next((i for i in range(at, len(data)) if data[i : i + 1].isdigit()), at)
                data = data[:digit] + new + data[digit + 1 :]
        return data

    return change


def use_vectors(path: Path) -> None:
    found = read_vectors(str(path))
    rows = found.rows([*WORDS, "dog"])
    assert np.isfinite(found.matrix[rows[rows >= 0]]).all()
    assert all(isinstance(word, str) for word in found.words())


def use_converted(path: Path) -> None:
    use_vectors(path)
    if path.read_bytes().startswith(b"nlgauge vectors 1\n"):
        check_vectors(str(path))


def use_weights(path: Path) -> None:
    for array in read_weights(path).values():
        assert np.isfinite(array).all()


def use_wordnet(path: Path) -> None:
    found = read_wordnet(path)
    for word in ("cat", "kine", "dogs"):
        for synset in found.synsets(word):
            found.hypernyms(synset), found.words(synset), found.key(synset)
        found.antonyms(word)
        found.sets([word], "meteor")
        found.sets([word], "nltk")


def use_trained(path: Path) -> None:
    assert np.isfinite(find_paraphrase_encoder(str(path)).encode(TEXTS)).all()


def use_linear(path: Path) -> None:
    found = registry.metric(f"regression(path={path})")
    assert np.isfinite(found.rows(Corpus.build(TEXTS, TEXTS))).all()


def nlv_file(path: Path) -> None:
    write_vectors(str(path), vectors())


def linear_file(path: Path) -> None:
    record = {"kind": KIND, "intercept": 0.5, "terms": [{"metric": "chrf", "coefficient": 0.25}]}
    path.write_text(LinearModel.from_record(record, "here").to_json())


READERS: dict[str, tuple[Callable[[Path], Any], Callable[[Path], None]]] = {
    "v.nlv": (nlv_file, use_converted),
    "v.bin": (lambda path: path.write_bytes(word2vec()), use_vectors),
    "v.npz": (lambda path: np.savez(path, words=np.array(WORDS), vectors=MATRIX), use_vectors),
    "v.npy": (lambda path: np.save(path, MATRIX), use_vectors),
    "model.safetensors": (lambda path: path.write_bytes(tensors()), use_weights),
    "wordnet.bin": (lambda path: path.write_bytes(wordnet_file(small_wordnet())), use_wordnet),
    "sim.npz": (lambda path: trained().write(str(path)), use_trained),
    "linear.json": (linear_file, use_linear),
}


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=60)
@given(change=changes())
def test_changed_bytes_never_do_harm(
    name: str, change: Callable[[bytes], bytes], tmp_path_factory: Any
) -> None:
    folder = tmp_path_factory.mktemp("changed")
    write, use = READERS[name]
    path = folder / name
    (folder / "v.words").write_text("\n".join(WORDS))
    write(path)
    use(path)
    path.write_bytes(change(path.read_bytes()))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            use(path)
        except NlgaugeError as error:
            assert name in str(error)

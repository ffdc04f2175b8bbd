"""ROUGE-C, the similarities of QARLA, sentences; and that odd texts never break them."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.strategies import odd_texts

from nlgauge import Corpus, DataError
from nlgauge.core import registry
from nlgauge.text.sentences import sentences

NEEDS = {"parent": "tables", "rouge-c": "sources", "sim-tvm": "sources"}
SPECS = (
    "parent",
    "parent(entailment=cooccurrence)",
    "rouge-c",
    "sim-r",
    "sim-rpre",
    "sim-tvm",
    "sim-avls",
)


def rows(spec, hyps, refs, texts):
    metric = registry.metric(spec)
    corpus = Corpus.build(
        hyps, refs, sources=texts, contexts=texts[::-1], tables=[{"a": text} for text in texts]
    )
    return metric, metric.rows(corpus, metric.fit(corpus))


@pytest.mark.parametrize("spec", SPECS)
@given(
    drawn=st.lists(
        st.tuples(odd_texts(), st.lists(odd_texts(), max_size=3), odd_texts()), min_size=1
    )
)
@settings(max_examples=30)
def test_scores_of_odd_texts_are_numbers(spec, drawn) -> None:
    hyps, refs, texts = map(list, zip(*drawn, strict=True))
    metric, found = rows(spec, hyps, refs, texts)
    scores = metric.score(found)
    assert ((scores >= 0) & (scores <= 1)).all()
    assert np.isfinite(found).all()


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize(
    ("hyp", "refs"),
    [
        ("cat " * 2000, ["cat " * 2000]),
        ("cat c. " * 15000, ["cat d. " * 15000]),
        ("word here", ["word here now"] * 1000),
        ("x" * 100_000, ["x" * 100_000]),
    ],
    ids=["repeats", "long", "references", "one word"],
)
def test_long_texts(spec, hyp, refs) -> None:
    metric, found = rows(spec, [hyp], [refs], [refs[0]])
    assert 0 < metric.score(found)[0] <= 1


def test_inputs_are_needed() -> None:
    for name, column in NEEDS.items():
        with pytest.raises(DataError, match=f"{name} needs {column}"):
            registry.metric(name).evaluate(Corpus.build(["x"], ["x"]))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n ", []),
        ("One. Two!", ["One.", "Two!"]),
        ('He said "no." She left?  Yes', ['He said "no.', "She left?", "Yes"]),
        ("First. Same\nSecond", ["First. Same", "Second"]),
        ("3.5 of 4.\n", ["3.5 of 4."]),
        ("一。二！三", ["一。", "二！", "三"]),
    ],
)
def test_sentences(text, expected) -> None:
    assert sentences(text) == expected


@given(drawn=st.lists(st.tuples(odd_texts(), odd_texts()), min_size=1, max_size=4))
@example(drawn=[("a \ud800b", "a \ud800c")])
@settings(max_examples=30)
def test_yisi_1_with_likeness_of_letters_is_yisi_0_for_odd_texts_too(drawn) -> None:
    hyps, refs = zip(*drawn, strict=True)
    corpus = Corpus.build(list(hyps), list(refs))
    own, plain = (
        metric.score(metric.rows(corpus, metric.fit(corpus)))
        for metric in map(registry.metric, ("yisi-1(similarity=substring)", "yisi-0"))
    )
    assert own == pytest.approx(plain, rel=0, abs=1e-12)

"""MER, WIL, WIP and CER against a plain reading of jiwer's alignment, and jiwer's own counts."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import edits
from support.strategies import words

from nlgauge import Corpus
from nlgauge.core import registry

MEASURES = ("mer", "wil", "wip")

pairs = st.sampled_from(["a", "ab", "abcdef"]).flatmap(
    lambda v: st.tuples(words(v, max_size=14), words(v, max_size=14))
)


def counts(spec: str, hyp: str, refs: list[str]) -> tuple[int, ...]:
    metric = registry.metric(spec)
    return tuple(metric.rows(Corpus.build([hyp], [refs]))[0].astype(int).tolist())


@given(pairs)
@settings(max_examples=150)
def test_counts_are_those_of_the_alignment_found_from_the_end(pair: tuple[str, str]) -> None:
    hyp, ref = pair
    expected = edits.recognition_counts(hyp.split(), ref.split())
    assert {counts(measure, hyp, [ref]) for measure in MEASURES} == {expected}


@given(pairs)
@settings(max_examples=50)
def test_the_explanation_shows_what_is_counted(pair: tuple[str, str]) -> None:
    hyp, ref = pair
    trace = registry.metric("wil").trace(hyp, ref)
    kinds = [edit.operation for edit in trace.script]
    names = ("match", "substitute", "insert", "delete")
    assert tuple(map(kinds.count, names)) == counts("wil", hyp, [ref])


def _numbers(seed: int, size: int, vocabulary: int) -> list[str]:
    state, numbers = seed, []
    for _ in range(size):
        state = (1103515245 * state + 12345) % 2**31
        numbers.append(str((state >> 16) % vocabulary))
    return numbers


@pytest.mark.parametrize(
    ("vocabulary", "expected"), [(3, (1933, 622, 216, 445)), (400, (89, 2677, 5, 234))]
)
def test_long_texts_are_cut_where_jiwer_cuts_them(vocabulary: int, expected: tuple) -> None:
    """The counts are jiwer 4.0.0's (rapidfuzz 3.14)."""
    ref = _numbers(1, 3000, vocabulary)
    hyp = [word for k, word in enumerate(ref) if k % 7]
    hyp[100:400] = _numbers(2, 500, vocabulary)
    hyp = hyp[1500:] + hyp[:1500]
    assert counts("mer", " ".join(hyp), [" ".join(ref)]) == expected


def test_each_measure_takes_the_reference_that_is_best_for_it() -> None:
    hyp, refs = "a b c d", ["a b x y", "a b c d e f g h i j"]
    assert counts("mer", hyp, refs) == (2, 2, 0, 0)
    assert counts("wip", hyp, refs) == (4, 0, 0, 6)
    assert registry.metric("wip").sentence_score(hyp, refs).value == pytest.approx(0.4)


characters = st.text("ab é漢🍕\t\u2009", max_size=30)


@given(characters, characters)
def test_character_errors_leave_out_blanks_at_the_ends(hyp: str, ref: str) -> None:
    found = registry.metric("cer").sentence_score(hyp, [ref]).parts
    h, r = list(hyp.strip()), list(ref.strip())
    assert found == {"errors": edits.levenshtein(h, r), "ref_len": len(r), "hyp_len": len(h)}

"""English words and sentences, by the treebanks' guidelines."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlgauge.text.tokenizers.penn import penn_sentences, penn_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I can't go.", "I ca n't go ."),
        ("She'll say it's John's.", "She 'll say it 's John 's ."),
        ("We cannot; they gonna win!", "We can not ; they gon na win !"),
        ("a well-known e-mail", "a well - known e-mail"),
        ("Mr. Smith of the U.S. paid $1,200.50 (20%).",
         "Mr. Smith of the U.S. paid $ 1,200.50 ( 20 % ) ."),
        ("See http://a.org/b?c=1, or me@b.com.", "See http://a.org/b?c=1 , or me@b.com ."),
        ('He said, "Stop."', 'He said , " Stop . "'),
        ("Well... yes!!! -- no?", "Well ... yes !!! -- no ?"),
        ("and/or at 3:29 p.m. on 12/31/2005", "and / or at 3:29 p.m. on 12/31/2005"),
        ("aged 8) and I. Newton", "aged 8 ) and I . Newton"),
        ("shouldn't've", "should n't 've"),
        ("", ""),
    ],
)  # fmt: skip
def test_words(text: str, words: str) -> None:
    assert penn_words(text) == words.split()


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three? four", ["One.", "Two!", "Three? four"]),
        ("Mr. Smith came. He saw.", ["Mr. Smith came.", "He saw."]),
        ('"Go." He went.', ['"Go."', "He went."]),
        ("a\n\n b ", ["a", "b"]),
        ("J. S. Bach died.", ["J. S. Bach died."]),
        (" \n\t", []),
    ],
)
def test_sentences(text: str, sentences: list[str]) -> None:
    assert penn_sentences(text) == sentences


@given(st.text())
def test_words_are_the_text(text: str) -> None:
    assert "".join(penn_words(text)) == "".join(text.split())
    assert "".join(" ".join(penn_sentences(text)).split()) == "".join(text.split())


@pytest.mark.parametrize("unit", ["a-", "a.", "'s", "1/", "x@", "http://", "((", ". A ", "a_"])
def test_long_texts_take_linear_time(unit: str) -> None:
    def spent(size: int) -> float:
        text = unit * (size // len(unit))
        started = time.process_time()
        for sentence in penn_sentences(text):
            penn_words(sentence)
        return time.process_time() - started

    assert spent(40_000) < 20 * spent(4_000) + 0.5

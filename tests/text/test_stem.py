"""Stems against NLTK and the tools' own rules; stop words, limits and plain tokenisers."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer
from support.strategies import texts

from nlgauge import SpecError
from nlgauge.text.preparation import Preparation
from nlgauge.text.stem import stem

DIALECTS = {
    "porter": PorterStemmer(PorterStemmer.ORIGINAL_ALGORITHM),
    "martin-porter": PorterStemmer(PorterStemmer.MARTIN_EXTENSIONS),
    "nltk-porter": PorterStemmer(PorterStemmer.NLTK_EXTENSIONS),
}
ENDINGS = (
    "ational tional enci anci izer abli bli alli entli eli ousli ization ation ator alism iveness "
    "fulness ousness aliti iviti biliti fulli logi icate ative alize iciti ical ful ness al ance "
    "ence er ic able ible ant ement ment ent sion tion ion ou ism ate iti ous ive ize ed ing eed "
    "ied ies sses ss s y e ll at bl iz"
).split()
FORMS = st.tuples(
    st.text("aeiouybcdlstzgwxé", max_size=6), st.lists(st.sampled_from(ENDINGS), max_size=3)
).map(lambda drawn: drawn[0] + "".join(drawn[1]))


@pytest.mark.parametrize("dialect", DIALECTS)
@given(word=FORMS)
def test_dialects(dialect: str, word: str) -> None:
    assert stem([word], dialect) == [DIALECTS[dialect].stem(word) if word else ""]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_irregular_and_short_words(dialect: str) -> None:
    words = "sky skies dying lying tying news innings howe proceed dies died is s yyed by Caf\xe9s"
    expected = [DIALECTS[dialect].stem(word) for word in words.split()]
    assert stem(words.split(), dialect) == expected


def test_rouge_155_strips_ment_and_ent_after_other_endings() -> None:
    words = ["accidental", "arguments", "elementals", "adoptions"]
    assert stem(words, "martin-porter") == ["accident", "argument", "element", "adopt"]
    assert stem(words, "rouge155-porter") == ["accid", "argum", "elem", "adopt"]  # by the tool


def test_unknown_dialect() -> None:
    with pytest.raises(SpecError, match="porter"):
        stem(["word"], "lovins")  # type: ignore[arg-type]


def test_rouge_155_words() -> None:
    preparation = Preparation("rouge155", stem="rouge155", stop="smart")
    found = preparation.words(
        ["The Geese were well-known to ALL 3.5 children's mice; Über k\u212a"]
    )
    assert found == [["goose", "3", "5", "child", "mouse", "ber"]]


@pytest.mark.parametrize(
    ("preparation", "expected"),
    [
        (Preparation(max_words=3), ["a", "b", "c"]),
        (Preparation(max_bytes=4), ["a", "b", "c"]),  # line ends are not counted
        (Preparation(max_bytes=8), ["a", "b", "c", "dé"]),
        (Preparation(max_bytes=6), ["a", "b", "c", "d"]),  # no half letters
        (Preparation("rouge155", max_words=3), ["a", "b"]),  # an empty word before the blank
    ],
)
def test_limits(preparation: Preparation, expected: list[str]) -> None:
    text = " a b\nc dé f" if preparation.tokenizer == "rouge155" else "a b\nc dé f"
    assert preparation.words([text]) == [expected]


@given(text=texts())
def test_rouge_tokenisers(text: str) -> None:
    lowered = re.findall("[a-z0-9]+", text.lower())
    assert Preparation("rouge", lowercase=True).words([text]) == [lowered]
    of_bytes = [w.decode().lower() for w in re.findall(b"[A-Za-z0-9]+", text.encode())]
    assert Preparation("rouge155").words([text]) == [of_bytes]


UNSPACED = re.compile(
    "[\u0e01-\u0eff\u3005-\u3007\u3031-\u312f\u3400-\u9fff\uff66-\uff9f\U00020000]"
)


@given(text=texts())
def test_unicode_tokeniser(text: str) -> None:
    blanked = "".join(c if unicodedata.category(c)[0] in "LMN" else " " for c in text)
    assert Preparation("unicode").words([text]) == [UNSPACED.sub(r" \g<0> ", blanked).split()]

"""Tokenisers: against sacreBLEU on nasty texts, and the published examples."""

import os
import subprocess
import sys
import unicodedata
from functools import cache
from importlib import metadata
from pathlib import Path

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st
from support import peer
from support.command_line import started
from support.strategies import CASED, MARKS, PIECES, SPACES, SURROGATES, texts

from nlgauge.errors import SpecError
from nlgauge.text.preparation import TOKENIZERS, Preparation, Tokenizer, by_name
from nlgauge.text.preparation import tokenizer as named
from nlgauge.text.tokenizers.hidden_blanks import EMPTY
from nlgauge.text.tokenizers.sentence_pieces import KEPT as USERS_OWN

SAMPLE = "Powell said: \"We'd not be alone; that's for sure.\""


def words(name: str, text: str, *, lowercase: bool = False) -> list[str]:
    return Preparation(name, lowercase=lowercase).words([text])[0]


def same_category(character: str) -> bool:
    """Whether `regex`, whose Unicode is newer, sees the character as `unicodedata` does."""
    category = unicodedata.category(character)
    return category != "Cn" and bool(regex.match(rf"\p{{{category}}}", character))


AGREED = tuple(piece for piece in PIECES if all(map(same_category, piece)))


@pytest.mark.parametrize("name", ["13a", "zh", "char", "none"])
@given(text=texts((*PIECES, *SURROGATES)))
@settings(max_examples=250)
def test_words_are_those_of_sacrebleu(name: str, text: str) -> None:
    assert words(name, text) == peer.words(name, text)


@given(text=texts(AGREED) | st.text(st.characters().filter(same_category), max_size=12))
@settings(max_examples=250)
def test_international_words_are_those_of_sacrebleu(text: str) -> None:
    assert words("intl", text) == peer.words("intl", text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("love\U0001fa77you", "love \U0001fa77 you"),  # pink heart, Unicode 15
        ("a\U0001fae8b", "a \U0001fae8 b"),  # shaking face, Unicode 15
        ("5\u20c16", "5 \u20c1 6"),  # Saudi riyal sign, Unicode 17
        ("a\u1b7fb", "a \u1b7f b"),  # a Balinese mark of punctuation, Unicode 16
    ],
)
def test_symbols_that_are_newer_than_python(text: str, expected: str) -> None:
    """sacreBLEU knows them by the package regex, whatever Python it runs in."""
    assert words("intl", text) == expected.split() == peer.words("intl", text)


@pytest.mark.parametrize("name", ["13a", "intl", "zh", "char", "none"])
@given(text=texts(AGREED))
@settings(max_examples=50)
def test_case_is_folded_before_words_are_split(name: str, text: str) -> None:
    assert words(name, text, lowercase=True) == peer.words(name, text, lowercase=True)


@cache
def characters() -> list[str]:
    """Every character both see alike; of letters without case and private ones a sample."""
    return [
        c
        for i, c in enumerate(map(chr, range(sys.maxunicode + 1)))
        if same_category(c) and (unicodedata.category(c) not in ("Lo", "Co") or i % 61 == 0)
    ]


@pytest.mark.parametrize("name", ["13a", "intl", "zh", "char", "none"])
def test_every_character_between_letters_and_digits(name: str) -> None:
    samples = [f"a{c}b 1{c}2 {c}" for c in characters()]
    for text, found in zip(samples, Preparation(name).words(samples), strict=True):
        assert found == peer.words(name, text), f"U+{ord(text[1]):04X}"


def test_white_space_is_that_of_str_split() -> None:
    characters = list(map(chr, [*range(0x10000), *range(0x10000, sys.maxunicode, 97)]))
    found = Preparation("space").words(f"a{c}b" for c in characters)
    for c, ours in zip(characters, found, strict=True):
        assert ours == f"a{c}b".split(), f"U+{ord(c):04X}"


@given(texts())
def test_space_splits_like_str_split(text: str) -> None:
    assert words("space", text) == words("none", text) == text.split()


@pytest.mark.parametrize("long", [63, 64, 65, 127, 128, 129, 200])
def test_words_across_blocks_of_bytes(long: int) -> None:
    for c in (".", "é.", "-", "\u3000", "&amp;", "1.5"):
        text = "x" * long + c + "y" * long
        for name in ("13a", "intl", "zh", "none"):
            assert words(name, text) == peer.words(name, text)


def lowered(text: str) -> str:
    """One text through the native case folding, its white space kept."""
    mark = "\ufffc"
    (found,) = Preparation("space", lowercase=True).words([text.replace(" ", mark)])
    return "".join(found).replace(mark, " ")


def test_lower_case_of_every_character() -> None:
    characters = [c for c in map(chr, range(sys.maxunicode + 1)) if not c.isspace()]
    found = Preparation("space", lowercase=True).words(characters)
    wrong = [c for c, ours in zip(characters, found, strict=True) if ours != [c.lower()]]
    assert wrong == []


@given(st.lists(st.sampled_from((*CASED, *MARKS, *"aA.1: '·\u00b7", "\u2019")), max_size=12))
@settings(max_examples=400)
def test_lower_case_in_context(pieces: list[str]) -> None:
    text = "".join(pieces)
    assert lowered(text) == text.lower()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ΟΔΟΣ", "οδος"),
        ("Σ", "σ"),
        ("ΑΣΑ", "ασα"),
        ("ΑΣ.", "ας."),
        ("ΑΣ'Α", "ασ'α"),
        ("Α\u0301Σ", "α\u0301ς"),
        ("1Σ", "1σ"),
        ("İSTANBUL", "i\u0307stanbul"),
        ("K", "k"),
    ],
)
def test_lower_case_by_hand(text: str, expected: str) -> None:
    assert lowered(text) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("nopunct", "Powell said We d not be alone that s for sure"),
        ("mteval", "Powell said : \" We'd not be alone ; that's for sure . \""),
        ("contract", 'Powell said : " we would not be alone ; that is for sure . "'),
    ],
)
def test_published_sample(name: str, expected: str) -> None:
    assert " ".join(words(name, SAMPLE)) == expected


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (
            "mteval",
            "3.14, well-known (rock 'n' roll) - 1,000.",
            "3.14 , well-known ( rock ' n ' roll ) - 1,000 .",
        ),
        ("nopunct", "3.14, well-known", "3 14 well known"),
        (
            "contract",
            "I won't; she can't, they've, I'm, you'll, we're",
            "I will not ; she can not , they have , i am , you will , we are",
        ),
        ("contract", "He DIDN'T", "He DID not"),
        ("contract", "It’s", "it is"),
        ("13a", "1,000.5-2 (a.b).", "1,000.5 - 2 ( a . b ) ."),
        ("zh", "我有3.5个。", "我 有 3.5 个 。"),
    ],
)
def test_words_by_hand(name: str, text: str, expected: str) -> None:
    assert " ".join(words(name, text)) == expected


JAPANESE = (
    "今日は良い天気です。",
    "東京都に住んでいます",
    "カタカナ",
    "ABC 123",
    " ",
    "、",
    "\n",
    "😀",
)
KOREAN = ("안녕하세요.", "저는 서울에 삽니다", "한국어", "ABC 123", " ", ",", "\n", "😀")


@pytest.mark.parametrize(
    ("name", "pieces"), [("ja-mecab", JAPANESE), ("ko-mecab", KOREAN)], ids=["ja", "ko"]
)
@given(data=st.data())
@settings(max_examples=40)
def test_dictionary_words_are_those_of_sacrebleu(name, pieces, data) -> None:
    text = "".join(data.draw(st.lists(st.sampled_from((*pieces, *SPACES)), max_size=6)))
    assert words(name, text) == peer.words(name, text)


def test_dictionary_is_in_the_resources() -> None:
    assert named("ja-mecab").resources()["ja-mecab"].endswith("-IPA")
    assert named("ko-mecab").resources()["ko-mecab"].endswith("-KO")
    assert named("th").resources() == {"th": metadata.version("pythainlp")}
    others = {*TOKENIZERS} - {"ja-mecab", "ko-mecab", "th", *USERS_OWN}
    assert not any(named(name).resources() for name in others)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("none", ["a", "b", "c", "d", "e", "f"]),
        ("ascii", ["a\xa0b", "c", "d\ve", "f"]),  # Java's StringTokenizer
        ("posix", ["a\xa0b", "c", "d", "e", "f"]),  # bytes.split in Python, isspace in C
        ("blank", ["a\xa0b\tc", "d\ve", "f\t"]),  # Moses
        ("jiwer", ["a\xa0b\tc", "d\ve", "f"]),
    ],
)
def test_which_white_space_splits(name: str, expected: list[str]) -> None:
    assert words(name, "a\xa0b\tc  d\ve f\t") == expected


def test_perl_lower_cases_bytes() -> None:
    """What perl -ne 'print join "|", split " ", lc' prints."""
    found = words("posix-lower", "İSTANBUL Straße ŒUVRE A\xa0B\vC")
    assert found == ["İstanbul", "straße", "Œuvre", "a\xa0b", "c"]


@pytest.mark.parametrize("text", ["", " ", "a", " a", "a  b ", "a\tb\xa0c"])
def test_every_blank_splits(text: str) -> None:
    assert [w.replace(EMPTY, "") for w in words("each-blank", text)] == text.split(" ")


def test_a_name_belongs_to_one_tokeniser() -> None:
    with pytest.raises(ValueError, match="two tokenisers are called 'space'"):
        by_name([*TOKENIZERS.values(), Tokenizer("space", "again")])


def test_unknown_tokeniser() -> None:
    with pytest.raises(SpecError, match=r"tokenizer=ja: .*; did you mean ja-mecab\? there are"):
        Preparation("ja")
    with pytest.raises(SpecError, match=r"tokenizer=13b: no such tokeniser; there are .*13a"):
        Preparation("13b")


@pytest.mark.parametrize("writable", [True, False])
def test_thai_leaves_the_home_as_it_is(writable: bool, tmp_path: Path) -> None:
    home = tmp_path / "home"
    if writable:
        home.mkdir()
    else:
        home.write_text("no folder can be made in here")
    env = {**os.environ, "HOME": str(home)}
    script = "from nlgauge.text.tokenizers.languages import thai; print(thai.tokenise('แมวไปบ้าน'))"
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", script], env=env, capture_output=True, check=False
    )
    assert done.stdout.decode().split() == ["แมว", "ไป", "บ้าน"]
    assert not writable or not list(home.iterdir())
    found = started("doctor", "-f", "json", env=env)
    assert found.returncode == 0, found.stderr
    assert not writable or not list(home.iterdir())

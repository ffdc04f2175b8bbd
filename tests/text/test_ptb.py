"""Words as Stanford's PTBTokenizer 3.4.1 has them; expectations are that program's output, written
by `edu.stanford.nlp.process.PTBTokenizer -preserveLines` of stanford-corenlp-3.4.1.jar, each text
before a line that starts with a capital letter.
"""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.golden_files import GOLDEN

from nlgauge.text.tokenizers.lexer import Lexer, Rule
from nlgauge.text.tokenizers.ptb import ptb_words, tokenise

CASES = json.loads((GOLDEN / "coco" / "ptb.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("text", CASES, ids=ascii)
def test_words(text: str) -> None:
    assert tokenise(text) == CASES[text]


@given(st.text())
def test_any_text_has_words(text: str) -> None:
    words = ptb_words(text)
    assert all(word and " " not in word for word in words)


def test_characters_outside_the_basic_plane_are_left_out() -> None:
    assert ptb_words("a \U0001f600 b\U00010400c") == ["a", "b", "c"]


@pytest.mark.parametrize(
    "unit", ["a", "a-", "a.", "'", "1", "1/", "x@", "<a ", "((", ". ", "www.", "&", "n't", "a.c "]
)
def test_long_texts_take_linear_time(unit: str) -> None:
    def spent(size: int) -> float:
        text = unit * (size // len(unit))
        started = time.process_time()
        ptb_words(text)
        return time.process_time() - started

    spent(2_000)
    assert spent(16_000) < 20 * spent(2_000) + 0.5


class TestLexer:
    def test_the_longest_match_wins_and_then_the_first_rule(self) -> None:
        lexer = Lexer([Rule("short", "ab"), Rule("long", "a[a-z]+"), Rule("other", "ab")], {})
        assert lexer.match("ab ", 0, set()) == ("short", 2)
        assert lexer.match("abc", 0, set()) == ("long", 3)
        assert lexer.match("AB", 0, set()) == ("short", 2)
        assert lexer.match("x", 0, set()) == ("", 1)

    def test_contexts_count_but_are_not_taken(self) -> None:
        lexer = Lexer([Rule("plain", "[a-z]+"), Rule("before", "[a-z]+", "[0-9a-z]*[0-9]")], {})
        assert lexer.match("abc1", 0, set()) == ("before", 3)
        assert lexer.match("abc-", 0, set()) == ("plain", 3)

    def test_repetitions_names_and_classes(self) -> None:
        names = {"d": str.isdigit, "year": "{d}{4}|'{d}{2,3}"}
        lexer = Lexer([Rule("year", "{year}"), Rule("not", "[^{d}x\\]]")], names)
        assert lexer.match("1999", 0, set()) == ("year", 4)
        assert lexer.match("199", 0, set()) == ("", 1)
        assert lexer.match("'9999", 0, set()) == ("year", 4)
        assert lexer.match("]", 0, set()) == ("", 1)
        assert lexer.match("X", 0, set()) == ("not", 1)

    def test_a_pattern_that_cannot_be_read(self) -> None:
        with pytest.raises(ValueError, match="no pattern before"):
            Lexer([Rule("wrong", "a)b")], {})

"""The words of a question by what they do in it: entities, words that ask, content, function."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cache
from typing import Literal, NamedTuple

from nlgauge.text.preparation import Preparation
from nlgauge.text.word_lists import stop_words

CLASSES = ("entities", "question", "content", "function")
Profile = Literal["public", "paper"]

_ASKING = frozenset("what which why who whom whose where when how".split())
_WITH_NEXT = ("what", "which")  # the word after these says what is asked for
# SMART has it; in "how many" it is what a question is about, and the public code's scores show
# that it is no function word there.
_NOT_FUNCTION = frozenset({"many"})


class QuestionWords(NamedTuple):
    """The words of each class, and whether the text has any of it, be it but a question mark."""

    words: tuple[list[str], ...]
    present: tuple[bool, ...]


@cache
def function_words() -> frozenset[str]:
    """Return SMART's stop words without those that ask."""
    return stop_words("smart") - _ASKING - _NOT_FUNCTION


def split_questions(
    texts: Iterable[str], profile: Profile, function: Collection[str]
) -> list[QuestionWords]:
    """Sort the words of each text into the classes, in lower case and without punctuation."""
    sort = _public if profile == "public" else _paper
    if profile == "paper":
        sorted_words = [sort(words, function) for words in Preparation("ptb").words(texts)]
    else:
        sorted_words = [sort(text.split(), function) for text in texts]
    # The public code tokenises the words of a class as a text of their own.
    joined = [" ".join(words) for classes in sorted_words for words in classes]
    tokens = Preparation("ptb-coco").words(joined)
    size = len(CLASSES)
    return [
        QuestionWords(
            tuple(tokens[size * i : size * (i + 1)]),
            tuple(map(bool, joined[size * i : size * (i + 1)])),
        )
        for i in range(len(sorted_words))
    ]


def _asks(word: str) -> bool:
    """Tell whether a word asks; the public code knows it in lower case and capitalised only."""
    return word.lower() in _ASKING and word[1:] == word[1:].lower()


def _public(words: list[str], function: Collection[str]) -> tuple[list[str], ...]:
    """Sort words as the public code does, where a word may be in two classes, or in none."""
    question = []
    for i, word in enumerate(words):
        if _asks(word):
            question += words[i : i + 2] if word.lower() in _WITH_NEXT else [word]
    later = words[1:] if words and words[0].lower() in _ASKING else words
    entities = [word for word in later if word[0].isupper()]
    asked = set(question)
    content = [
        word
        for word in words
        if word not in asked and not word[0].isupper() and word not in function
    ]
    return entities, question, content, [w.lower() for w in words if w.lower() in function]


def _paper(words: list[str], function: Collection[str]) -> tuple[list[str], ...]:
    """Sort every word into one class."""
    entities: list[str] = []
    question: list[str] = []
    content: list[str] = []
    functional: list[str] = []
    after = False
    for word in words:
        asks = word.lower() in _ASKING
        if asks or after:
            question.append(word)
        elif word.lower() in function:
            functional.append(word)
        else:
            (entities if word[0].isupper() else content).append(word)
        after = asks and word.lower() in _WITH_NEXT
    return entities, question, content, functional

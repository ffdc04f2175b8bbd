"""Prepare texts for metrics: tokenisers by name, case, stop words, stems and boundaries. Common
tokenisers run inside the native kernels; the others are written in Python, turn a text into its
words joined by blanks, and are applied once per corpus.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from nlgauge.data.corpus import Corpus
from nlgauge.errors import SpecError
from nlgauge.kernels import Reading, Texts, native
from nlgauge.text.stem import STEMMINGS, snowball_stem
from nlgauge.text.tokenizers.hidden_blanks import EMPTY, reveal
from nlgauge.text.word_lists import STOP_LISTS, stop_words

STEM_HELP = "how words are stemmed: none, porter ..."
STOP_HELP = "list of words that are left out: none, smart"
Boundaries = Literal["none", "start", "end", "both"]
# Lengths and single words stay what they are: only longer n-grams see the artificial words.
BOUNDARIES_HELP = "artificial words at the text's ends, seen by n-grams of two and more"
_START, _END = "\U0001fffe", "\U0001ffff"  # noncharacters, which are never text
_AS_IS = ("none", "none", False, 0, 0)


class Tokenizer(NamedTuple):
    """A named way to split a text into words."""

    name: str
    description: str
    native: str | None = None  # the kernels' own tokeniser
    module: str | None = None  # a module with `tokenise(text) -> str`, and maybe `version()`
    trimmed: bool = True  # the module does not see white space at the end of a line

    def function(self) -> Callable[[str], str]:
        """Return the Python function; raise ResourceMissing if it lacks something."""
        function: Callable[[str], str] = import_module(
            f"nlgauge.text.tokenizers.{self.module}"
        ).tokenise
        return function

    def split(self, text: str) -> str:
        """Return the words of one text, joined by blanks."""
        if self.native is None:
            return self.function()(text)
        return " ".join(native.tokenize(Texts([text]), self.native, False, None)[0])

    def resources(self) -> dict[str, str]:
        """Return the dictionary that the tokeniser depends on, if any."""
        if self.module is None:
            return {}
        version = getattr(import_module(f"nlgauge.text.tokenizers.{self.module}"), "version", None)
        return {} if version is None else {self.name: version()}


class PieceTokenizer(Tokenizer):
    """This tokeniser is a SentencePiece model in a file that the user has."""

    def function(self) -> Callable[[str], str]:
        """Return the function that reads the file; raise ResourceMissing if it is not there."""
        from nlgauge.text.tokenizers import sentence_pieces

        return sentence_pieces.tokeniser(self.name)

    def resources(self) -> dict[str, str]:
        """Return the hash of the file."""
        from nlgauge.text.tokenizers import sentence_pieces

        return {"sentencepiece": sentence_pieces.version(self.name)}


def by_name(tokenizers: Iterable[Tokenizer]) -> dict[str, Tokenizer]:
    """Return the tokenisers under their names, and refuse a name that is given twice."""
    named: dict[str, Tokenizer] = {}
    for one in tokenizers:
        if one.name in named:
            raise ValueError(f"two tokenisers are called {one.name!r}")
        named[one.name] = one
    return named


_PIECES = "sentence_pieces"
TOKENIZERS = by_name(
    (
        Tokenizer("none", "split at white space: the text is tokenised already", "space"),
        Tokenizer("space", "split at white space", "space"),
        Tokenizer("ascii", "split at ASCII white space, as Java's StringTokenizer does", "ascii"),
        Tokenizer("char", "every character but white space is a word", "char"),
        Tokenizer("13a", "mteval-v13a, the tokeniser of WMT and of sacreBLEU", "13a"),
        Tokenizer("13a-lower", "13a with A-Z in lower case, as mteval by default", "13a-lower"),
        Tokenizer("intl", "mteval-v14's international tokeniser", "intl"),
        Tokenizer("mteval-intl", "intl with entities resolved, as mteval-v14 does", "mteval-intl"),
        Tokenizer("zh", "Chinese characters one by one, the rest as 13a", "zh"),
        Tokenizer("rouge", "runs of a-z and digits, as in rouge-score", "rouge"),
        Tokenizer("rouge155", "the same, of ASCII in lower case, as in ROUGE-1.5.5", "rouge155"),
        Tokenizer(
            "unicode", "letters and digits of any script; CJK and Thai one by one", "unicode"
        ),
        Tokenizer("ja-mecab", "Japanese words by MeCab with IPADIC", module="languages.ja_mecab"),
        Tokenizer("ko-mecab", "Korean words by MeCab-ko", module="languages.ko_mecab"),
        Tokenizer("th", "Thai words by PyThaiNLP's newmm", module="languages.thai"),
        Tokenizer("ar-normalised", "intl, of Arabic in one spelling", module="languages.arabic"),
        Tokenizer("hi-normalised", "intl, of Hindi in one spelling", module="languages.hindi"),
        PieceTokenizer("flores101", "spBLEU's pieces, of sacreBLEU's file", module=_PIECES),
        PieceTokenizer("flores200", "the same, for 200 languages", module=_PIECES),
        PieceTokenizer("spm", "flores101, as sacreBLEU calls it, too", module=_PIECES),
        Tokenizer("nopunct", "punctuation separates words and is deleted", module="nopunct"),
        Tokenizer("mteval", "punctuation marks are words of their own", module="mteval"),
        Tokenizer("posix", "split at ASCII white space, as C and Perl do", module="posix"),
        Tokenizer("posix-lower", "posix with A-Z in lower case", module="posix_lower"),
        Tokenizer("blank", "split at blanks only, as Moses", module="blank", trimmed=False),
        Tokenizer(
            "each-blank",
            "split at every blank, with empty words between two, as pycocoevalcap's ROUGE",
            module="each_blank",
            trimmed=False,
        ),
        Tokenizer("jiwer", "split at blanks, as jiwer", module="jiwer"),
        Tokenizer("penn", "English words as our parsers see them", module="penn"),
        Tokenizer("ptb", "English words as Stanford's PTBTokenizer 3.4.1 has them", module="ptb"),
        Tokenizer("ptb-coco", "ptb, lower case, no punctuation: COCO's tools", module="ptb_coco"),
        Tokenizer(
            "ptb-coco-tied", "the same, split at blanks as COCO's ROUGE", module="ptb_coco_tied"
        ),
        Tokenizer("contract", "mteval, and English contractions expanded", module="contract"),
    )
)


def tokenizer(name: str) -> Tokenizer:
    """Return the tokeniser of that name; `spm:FILE` is a SentencePiece model."""
    if name.startswith("spm:"):
        return PieceTokenizer(name, "pieces of a SentencePiece model", module=_PIECES)
    if name not in TOKENIZERS:
        of_language = [known for known in TOKENIZERS if known.startswith(f"{name}-")]
        near = f"did you mean {of_language[0]}? " if of_language else ""
        raise SpecError(
            f"tokenizer={name}: no such tokeniser; {near}there are {', '.join(TOKENIZERS)}, "
            "spm:FILE"
        )
    return TOKENIZERS[name]


@cache  # the same function for the same settings: what it made of a text is kept by function
def _stemming(tokenizer: Tokenizer, language: str, stop: str) -> Callable[[str], str]:
    """Return a tokeniser that leaves the stems of another one's words, by Snowball's rules."""

    def stems(text: str) -> str:
        left_out = stop_words(stop)
        words = (word for word in tokenizer.split(text).split(" ") if word not in left_out)
        return " ".join(snowball_stem(language, word) for word in words)

    return stems


@cache
def _enclosing(tokenizer: Tokenizer, ends: Boundaries) -> Callable[[str], str]:
    """Return a tokeniser that puts the words of a text between artificial ones."""
    start = f"{_START} " if ends in ("start", "both") else ""
    end = f" {_END}" if ends in ("end", "both") else ""
    return lambda text: f"{start}{tokenizer.split(text)}{end}"


@dataclass(frozen=True)
class Preparation:
    """How texts are made ready for a metric: length, case, words, stop words, stems."""

    tokenizer: str = "none"
    lowercase: bool = False
    # In place of a named tokeniser: a hashable function from a text to blank-separated words.
    rewrite: Callable[[str], str] | None = None
    rewrite_references: Callable[[str], str] | None = None  # where it is another than `rewrite`
    stem: str = "none"  # of text.stem.STEMMINGS
    stop: str = "none"  # of text.word_lists.STOP_LISTS: these words are left out
    lines: bool = False  # lines are sentences, and are tokenised one by one
    max_words: int = 0  # only the first so many; 0: all
    max_bytes: int = 0
    restart: bool = False  # ROUGE-1.5.5: with every line, bytes are counted from 0 again
    boundaries: Boundaries = "none"  # artificial words that enclose every text
    never_empty: bool = False  # a text without words has one without characters: pycocoevalcap

    def __post_init__(self) -> None:
        tokenizer(self.tokenizer)
        for field, names in (("stem", STEMMINGS), ("stop", STOP_LISTS)):
            if getattr(self, field) not in names:
                raise SpecError(f"{field}={getattr(self, field)}: there are {', '.join(names)}")
        altered = self.rewrite is not None or self.boundaries != "none" or self.lines
        if STEMMINGS[self.stem].language and altered:
            raise SpecError(f"stem={self.stem}: not with lines or boundaries, nor with profiles")

    def reading(self) -> Reading | None:
        """Return what the kernels do besides tokenising, if anything."""
        if (self.stem, self.stop, self.lines, self.max_words, self.max_bytes) == _AS_IS:
            return None
        stemming = STEMMINGS[self.stem]
        return Reading(
            stemmer=stemming.dialect,
            shortest=stemming.shortest,
            exceptions=stemming.exceptions(),
            # Stems of other languages are made before, and words are left out before that.
            stop_words=set() if stemming.language else set(stop_words(self.stop)),
            lines=self.lines,
            max_words=self.max_words,
            max_bytes=self.max_bytes,
            restart=self.restart,
        )

    def english_only(self) -> tuple[str, ...]:
        """Name the steps that were made for English."""
        stop = () if self.stop == "none" else (f"stop words ({self.stop})",)
        foreign = self.stem == "none" or STEMMINGS[self.stem].language
        return stop if foreign else ("Porter's stems", *stop)

    def resources(self) -> dict[str, str]:
        """Return what the tokeniser and the stemmer depend on, if anything."""
        return {**tokenizer(self.tokenizer).resources(), **STEMMINGS[self.stem].resources()}

    def words(self, texts: Iterable[str]) -> list[list[str]]:
        """Return the words of each text as a metric with this preparation sees them, but
        boundaries.
        """
        if self.boundaries != "none":
            return replace(self, boundaries="none").words(texts)
        rewrite, kind = self._steps()
        if rewrite is None:
            return native.tokenize(Texts(list(texts)), kind, self.lowercase, self.reading())
        return reveal(native.tokenize(self._rewritten(texts, rewrite), kind, False, self.reading()))

    def numbered(self, texts: Texts) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64], Texts]:
        """Return the words of all texts by number, where each text's begin, and what they are."""
        rewrite, kind = self._steps()
        if rewrite is None:
            return native.number_words(texts, kind, self.lowercase, self.reading())
        return native.number_words(self._rewritten(texts, rewrite), kind, False, self.reading())

    def _steps(self) -> tuple[Callable[[str], str] | None, str]:
        named = tokenizer(self.tokenizer)
        if language := STEMMINGS[self.stem].language:
            return _stemming(named, language, self.stop), "space"
        if self.boundaries != "none":
            return _enclosing(named, self.boundaries), "space"
        if self.rewrite is not None or (self.never_empty and named.native):
            return self.rewrite or str, named.native or "space"
        return (None, named.native) if named.native else (named.function(), "space")

    def _rewritten(self, texts: Iterable[str], rewrite: Callable[[str], str]) -> Texts:
        # A text is rewritten once, however often it occurs.
        trimmed = tokenizer(self.tokenizer).trimmed
        done: dict[str, str] = {}
        result = []
        for text in texts:
            words = done.get(text)
            if words is None:
                lowered = text.lower() if self.lowercase else text
                lines = lowered.split("\n") if self.lines else [lowered]
                if trimmed:
                    lines = [line.rstrip() for line in lines]
                words = "\n".join(map(rewrite, lines))
                if self.never_empty and not words.strip():
                    words = EMPTY
                done[text] = words
            result.append(words)
        return Texts(result)


def prepare(corpus: Corpus, preparation: Preparation) -> tuple[Corpus, str, bool]:
    """Return the corpus, the native tokeniser and the case folding that kernels are left with."""
    rewrite, kind = preparation._steps()
    if rewrite is None:
        return corpus, kind, preparation.lowercase

    def column(texts: Texts, function: Callable[[str], str]) -> Texts:
        return corpus.once(
            (preparation, function), texts, lambda: preparation._rewritten(texts, function)
        )

    return (
        corpus.with_texts(
            column(corpus.hypotheses, rewrite),
            column(corpus.references.flat, preparation.rewrite_references or rewrite),
        ),
        kind,
        False,
    )

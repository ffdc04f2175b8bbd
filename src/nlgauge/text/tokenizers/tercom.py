"""Normalise text as tercom does: as sacreBLEU 2.6 carries it over from the Java tool, and as the
Java tool (0.10.0) has it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from nlgauge.text.tokenizers.hidden_blanks import BLANKS, BUT_ASCII, EMPTY

Rules = tuple[tuple[str, str], ...]

# The first pattern looks for a hyphen after the line end, not before it; the tool has it so.
_WESTERN: Rules = (
    (r"\n-", ""),
    (r"\n", " "),
    ("&quot;", '"'),
    ("&amp;", "&"),
    ("&lt;", "<"),
    ("&gt;", ">"),
    (r"\A|\Z", " "),
    (r"([{-~[-` -&(-+:-@/])", r" \1 "),
    ("'s ", " 's "),
    ("'s$", " 's"),
    (r"([^0-9])([.,])", r"\1 \2 "),
    (r"([.,])([^0-9])", r" \1 \2"),
    (r"([0-9])(-)", r"\1 \2 "),
)

_ASIAN_PUNCTUATION = r"([\u3001\u3002\u3008-\u3011\u3014-\u301f\uff61-\uff65\u30fb])"
_FULL_WIDTH_PUNCTUATION = r"([\uff0e\uff0c\uff1f\uff1a\uff1b\uff01\uff02\uff08\uff09])"

# Ideographs stand alone. The kana rules of the tool were meant to split kana from their
# neighbours, but their misplaced anchors only ever match a text that is nothing but kana.
_ASIAN: Rules = (
    (r"([\u4e00-\u9fff\u3400-\u4dbf])", r" \1 "),
    (r"([\u31c0-\u31ef\u2e80-\u2eff])", r" \1 "),
    (r"([\u3300-\u33ff\uf900-\ufaff\ufe30-\ufe4f])", r" \1 "),
    (r"([\u3200-\u3f22])", r" \1 "),
    *(
        (rf"(^|^[{kana}])([{kana}]+)(?=$|^[{kana}])", r"\1 \2 ")
        for kana in (r"\u3040-\u309f", r"\u30a0-\u30ff", r"\u31f0-\u31ff")
    ),
    (_ASIAN_PUNCTUATION, r" \1 "),
    (_FULL_WIDTH_PUNCTUATION, r" \1 "),
)

_NO_PUNCTUATION: Rules = ((r'[.,?:;!"()]', ""),)
_NO_ASIAN_PUNCTUATION: Rules = ((_ASIAN_PUNCTUATION, ""), (_FULL_WIDTH_PUNCTUATION, ""))


@dataclass(frozen=True)
class Tercom:
    """Rules that normalise and remove punctuation, each with or without Asian scripts."""

    normalized: bool = False
    no_punct: bool = False
    asian_support: bool = False
    times: int = 1

    def __call__(self, text: str) -> str:
        """Return the words of a text, joined by blanks."""
        for _ in range(self.times):
            if not text:  # the padding of the western rules is for real texts
                return ""
            for pattern, replacement in self._rules:
                text = pattern.sub(replacement, text)
            text = " ".join(text.split())
        return text

    @cached_property
    def _rules(self) -> list[tuple[re.Pattern[str], str]]:
        rules: Rules = ()
        if self.normalized:
            rules += _WESTERN + (_ASIAN if self.asian_support else ())
        if self.no_punct:
            rules += _NO_PUNCTUATION + (_NO_ASIAN_PUNCTUATION if self.asian_support else ())
        return [(re.compile(pattern), replacement) for pattern, replacement in rules]


def _kana(block: str) -> tuple[str, str]:
    """Return a pattern for a run of one kana block between other characters."""
    return (rf"(\A|[^{block}])([{block}]+)(?=\Z|[^{block}])", r"\1 \2 ")


# Java's rules where they differ: the western ones remove a tag first, the Asian ones know where the
# enclosed letters end and split kana from their neighbours.
_JAVA_WESTERN: Rules = (("<skipped>", ""), ("-\n", ""), *_WESTERN[1:])
_JAVA_ASIAN: Rules = (
    *_ASIAN[:3],
    (r"([\u3200-\u32ff])", r" \1 "),
    *map(_kana, (r"\u3040-\u309f", r"\u30a0-\u30ff", r"\u31f0-\u31ff")),
    *_ASIAN[-2:],
)
_RUN = re.compile(f"[{BLANKS}]+")


@dataclass(frozen=True)
class JavaTercom(Tercom):
    """Rules as the Java tool has them: only ASCII white space splits, and words may be empty."""

    def __call__(self, text: str) -> str:
        """Return the words of a text, joined by blanks; nothing for an empty line."""
        text = text.strip(BLANKS)
        if not text:
            return ""
        for pattern, replacement in self._rules:
            text = pattern.sub(replacement, text)
        words = _RUN.split(text)
        if len(words) > 1:  # what Java's split leaves of a text with blanks
            while words and not words[-1]:
                words.pop()
        return " ".join(word.translate(BUT_ASCII) or EMPTY for word in words)

    @cached_property
    def _rules(self) -> list[tuple[re.Pattern[str], str]]:
        rules: Rules = ()
        if self.normalized:
            rules += _JAVA_WESTERN + (_JAVA_ASIAN if self.asian_support else ())
            rules += ((rf"\A[{BLANKS}]+|(?<![{BLANKS}])[{BLANKS}]+\Z", ""),)
        if self.no_punct:
            rules += _NO_PUNCTUATION + (_NO_ASIAN_PUNCTUATION if self.asian_support else ())
        return [(re.compile(pattern), replacement) for pattern, replacement in rules]


_CONTROLS = "".join(map(chr, range(33)))  # what Java's trim takes off


@dataclass(frozen=True)
class Terp(JavaTercom):
    """Rules as TERp has them: tercom's for one line without runs of blanks, and no empty words.

    So does the program of terp.v1; the sources at github.com/snover/terp treat dots otherwise.
    """

    def __call__(self, text: str) -> str:
        """Return the words of a text, joined by blanks."""
        text = _RUN.sub(" ", text.strip(_CONTROLS))
        for pattern, replacement in self._rules if text else ():
            text = pattern.sub(replacement, text)
        return _RUN.sub(" ", text.strip(_CONTROLS)).translate(BUT_ASCII)

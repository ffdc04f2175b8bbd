"""Cut words into the pieces of a vocabulary, as BERT models do (WordPiece; Wu et al., 2016).

What comes out is what the package `tokenizers` makes of the same `tokenizer.json`, without that
package and the network stack that it brings.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from nlgauge.models.encoders.piece_characters import (
    MARKS,
    PUNCTUATION,
    SPACES,
    is_chinese,
    is_removed,
)

_ASCII_WORDS = re.compile(r"[0-9A-Za-z]+|[!-/:-@\[-`{-~]")
_ASCII_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_MOST_KNOWN = 100_000  # words whose pieces are kept


class Cut(NamedTuple):
    """A cut is how a word falls into pieces."""

    ids: tuple[int, ...]
    strings: tuple[str, ...]
    ends: tuple[int, ...]  # of each piece, in characters of the word


class FoundWord(NamedTuple):
    """A found word is a cut and where in a text each character of the word was."""

    cut: Cut
    places: range | list[int]


@dataclass(frozen=True, eq=False)
class WordPieces:
    """Word pieces have a vocabulary and the settings by which texts are made plainer before."""

    vocabulary: Mapping[str, int]
    unknown: str
    prefix: str  # of pieces within a word
    longest: int  # characters of a word that is looked at
    clean: bool
    chinese: bool  # each Chinese character is a word
    strip_accents: bool
    lowercase: bool
    start: int  # the ids of what stands at the ends of a text
    end: int
    added: Mapping[str, int]  # pieces that texts may hold as they are, such as [SEP]

    @classmethod
    def described(cls, settings: Mapping[str, Any]) -> WordPieces | None:
        """Return what a `tokenizer.json` describes, or None if it is of another kind."""
        try:
            model, plain, added = (
                settings["model"],
                settings["normalizer"],
                settings["added_tokens"],
            )
            if (model["type"], plain["type"], settings["pre_tokenizer"]["type"]) != (
                "WordPiece",
                "BertNormalizer",
                "BertPreTokenizer",
            ):
                return None
            flags = ("single_word", "lstrip", "rstrip", "normalized")
            if any(token[flag] for token in added for flag in flags):
                return None
            start, end = _ends(settings["post_processor"])
            vocabulary = model["vocab"]
            lowercase, strip_accents = plain["lowercase"], plain["strip_accents"]
            return cls(
                vocabulary=vocabulary,
                unknown=model["unk_token"],
                prefix=model["continuing_subword_prefix"],
                longest=model["max_input_chars_per_word"],
                clean=plain["clean_text"],
                chinese=plain["handle_chinese_chars"],
                strip_accents=lowercase if strip_accents is None else strip_accents,
                lowercase=lowercase,
                start=vocabulary[start],
                end=vocabulary[end],
                added={token["content"]: token["id"] for token in added},
            )
        except (KeyError, TypeError, ValueError):
            return None

    @property
    def unknown_id(self) -> int:
        """Return the id of the piece for words that cannot be cut."""
        return self.vocabulary[self.unknown]

    def words(self, text: str) -> Iterator[FoundWord]:
        """Yield the words of a text, in order."""
        at = 0
        if self._marks is not None:
            for found in self._marks.finditer(text):
                yield from self._plain_words(text[at : found.start()], at)
                content = found.group()
                cut = Cut((self.added[content],), (content,), (len(content),))
                yield FoundWord(cut, range(found.start(), found.end()))
                at = found.end()
        yield from self._plain_words(text[at:] if at else text, at)

    def ids(self, text: str) -> list[int]:
        """Return the ids of all pieces of a text."""
        return [id for word in self.words(text) for id in word.cut.ids]

    def _plain_words(self, text: str, at: int) -> Iterator[FoundWord]:
        if text.isascii() and not _ASCII_CONTROLS.search(text):
            for found in _ASCII_WORDS.finditer(text.lower() if self.lowercase else text):
                yield FoundWord(
                    self._cut(found.group()), range(at + found.start(), at + found.end())
                )
            return
        word, places = "", list[int]()
        for place, character in enumerate(text, at):
            for plain in self._plain(character):
                if plain in SPACES or plain in PUNCTUATION or plain in "\x0b\x0c\x85":
                    if word:
                        yield FoundWord(self._cut(word), places)
                        word, places = "", []
                    if plain in PUNCTUATION:
                        yield FoundWord(self._cut(plain), range(place, place + 1))
                else:
                    word += plain
                    places.append(place)
        if word:
            yield FoundWord(self._cut(word), places)

    def _plain(self, character: str) -> str:
        """Return what becomes of a character: nothing, one, or some with spaces around."""
        found = self._characters.get(character)
        if found is None:
            found = self._characters[character] = self._plainer(character)
        return found

    def _plainer(self, character: str) -> str:
        if self.clean:
            if is_removed(character):
                return ""
            if character in SPACES:
                return " "
        found = character
        if self.strip_accents:
            found = unicodedata.normalize("NFD", found)
            found = "".join(part for part in found if part not in MARKS)
        if self.lowercase:
            found = "".join(part.lower() for part in found)
        return f" {found} " if self.chinese and is_chinese(character) else found

    def _cut(self, word: str) -> Cut:
        found = self._known.get(word)
        if found is None:
            found = self._new_cut(word)
            if len(self._known) < _MOST_KNOWN:
                self._known[word] = found
        return found

    def _new_cut(self, word: str) -> Cut:
        """Take the longest piece that fits, again and again."""
        strings: list[str] = []
        ends: list[int] = []
        at = 0
        while at < len(word) <= self.longest:
            prefix = self.prefix if at else ""
            for end in range(len(word), at, -1):
                if prefix + word[at:end] in self.vocabulary:
                    break
            else:
                break
            strings.append(prefix + word[at:end])
            ends.append(end)
            at = end
        if at < len(word):
            return Cut((self.unknown_id,), (self.unknown,), (len(word),))
        return Cut(tuple(self.vocabulary[piece] for piece in strings), tuple(strings), tuple(ends))

    @cached_property
    def _known(self) -> dict[str, Cut]:
        return {}

    @cached_property
    def _characters(self) -> dict[str, str]:
        return {}

    @cached_property
    def _marks(self) -> re.Pattern[str] | None:
        contents = sorted(map(re.escape, self.added), key=len, reverse=True)
        return re.compile("|".join(contents)) if contents else None


def _ends(processor: Mapping[str, Any]) -> tuple[str, str]:
    """Return what stands before and after a text."""
    if processor["type"] == "BertProcessing":
        return processor["cls"][0], processor["sep"][0]
    first, text, last = processor["single"]
    if processor["type"] != "TemplateProcessing" or "Sequence" not in text:
        raise ValueError("another kind of processor")
    return first["SpecialToken"]["id"], last["SpecialToken"]["id"]

"""The stages of METEOR's aligner by name. Another stage is one line here and a native class."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from nlgauge.errors import SpecError
from nlgauge.kernels import native
from nlgauge.models.lexicon.wordnet import wordnet
from nlgauge.text.stem import Dialect

# Words that carry little meaning of their own; METEOR's first paper names no list.
STOP_WORDS = tuple(
    """a an the this that these those and or but nor if then than as so of at by for from in
    into on onto to with without over under about after before between through during against
    is am are was were be been being do does did have has had will would shall should can
    could may might must not no i you he she it we they me him her us them my your his its our
    their who whom which what whose there here when where why how all any both each few more
    most other some such only own same too very""".split()
)

Linking = Literal["best", "last"]


@dataclass(frozen=True)
class StagePlace:
    """Where a stage stands: what the stages before it are called, and what they share."""

    before: tuple[str, ...]
    stemmer: Dialect
    stop_words: bool  # the exact stage links them
    linking: Linking


def _synonyms(place: StagePlace) -> native.Stage:
    """Link words that share a synset. NLTK 3.10 asks instead whether a synset of the
    hypothesis word has a lemma that is written like the reference word, and its stem stage leaves
    stems behind, so that they are what it looks up: "big" and "large" meet only without that stage.
    """
    if place.linking == "best":
        return _word_sets("synsets", "synsets")
    return _word_sets("nltk", "name", place.stemmer if "stem" in place.before else "none")


def _word_sets(hyp: str, ref: str, stemmer: str = "none") -> native.Stage:
    return native.WordSetStage(lexicon=wordnet().lexicon, hyp=hyp, ref=ref, stemmer=stemmer)


_STAGES: dict[str, Callable[[StagePlace], native.Stage]] = {
    "exact": lambda at: native.ExactStage(skip=() if at.stop_words else STOP_WORDS),
    "stem": lambda at: native.StemStage(dialect=at.stemmer),
    "synonym": _synonyms,
    "wn_stem": lambda _: _word_sets("lemmas", "lemmas"),
}
_ASK_WORDNET = ("synonym", "wn_stem")


def check(names: Sequence[str]) -> None:
    """Refuse stages that do not exist."""
    for name in names:
        if name not in _STAGES:
            raise SpecError(f"stages={':'.join(names)}: no stage {name!r}; there are {[*_STAGES]}")


def ask_wordnet(names: Sequence[str]) -> bool:
    """Return whether one of the stages looks words up in WordNet."""
    return any(name in names for name in _ASK_WORDNET)


def resources(names: Sequence[str]) -> dict[str, str]:
    """Name what the stages look up outside of nlgauge's own code."""
    return {"wordnet": wordnet().version} if ask_wordnet(names) else {}


def english_only(names: Sequence[str]) -> tuple[str, ...]:
    """Name what the stages use that was made for English."""
    used = {"stem": "Porter's stems", "synonym": "WordNet", "wn_stem": "WordNet"}
    return tuple(dict.fromkeys(used[name] for name in names if name in used))


def make(
    names: Sequence[str], stemmer: Dialect, stop_words: bool, linking: Linking
) -> list[native.Stage]:
    """Make the stages of these names; `stop_words` tells whether the exact one links stop words."""
    check(names)
    return [
        _STAGES[name](StagePlace(tuple(names[:k]), stemmer, stop_words, linking))
        for k, name in enumerate(names)
    ]

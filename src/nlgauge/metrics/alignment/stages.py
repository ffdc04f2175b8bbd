"""The stages of METEOR's aligner by name. Another stage is one line here and a native class."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nlgauge.errors import SpecError
from nlgauge.kernels import native
from nlgauge.models.wordnet import wordnet
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

_STAGES: dict[str, Callable[[Dialect, bool], native.Stage]] = {
    "exact": lambda _, stop_words: native.ExactStage(skip=() if stop_words else STOP_WORDS),
    "stem": lambda stemmer, _: native.StemStage(dialect=stemmer),
    "synonym": lambda *_: native.WordSetStage(lexicon=wordnet().lexicon, kind="synsets"),
    "wn_stem": lambda *_: native.WordSetStage(lexicon=wordnet().lexicon, kind="lemmas"),
}


def check(names: Sequence[str]) -> None:
    """Refuse stages that do not exist."""
    for name in names:
        if name not in _STAGES:
            raise SpecError(f"stages={':'.join(names)}: no stage {name!r}; there are {[*_STAGES]}")


def resources(names: Sequence[str]) -> dict[str, str]:
    """What the stages look up outside of nlgauge's own code."""
    asks = {"synonym", "wn_stem"} & set(names)
    return {"wordnet": wordnet().version} if asks else {}


def make(names: Sequence[str], stemmer: Dialect, stop_words: bool) -> list[native.Stage]:
    """The stages of these names; `stop_words` tells whether the exact one links stop words."""
    check(names)
    return [_STAGES[name](stemmer, stop_words) for name in names]

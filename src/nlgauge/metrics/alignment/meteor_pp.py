"""METEOR++ and METEOR++ 2.0 (Guo et al., 2018; Guo and Hu, 2019)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from nlgauge.core import resources
from nlgauge.core.metric import Info
from nlgauge.core.options import LARGEST, option
from nlgauge.errors import DataError
from nlgauge.kernels import Floats
from nlgauge.metrics.alignment import meteor_files as files
from nlgauge.metrics.alignment.meteor_next import METEOR15


@dataclass(frozen=True, kw_only=True)
class MeteorPP(METEOR15):
    """METEOR 1.5 with copy words, which hardly any paraphrase changes: names, and words without a
    synonym. They are a third class of words beside content and function words, and match
    themselves only. How the authors weighted them is not published.
    """

    info: ClassVar[Info] = replace(
        METEOR15.info,
        name="meteor-pp",
        title="METEOR++",
        tasks=("MT",),
        paper="Guo et al. (2018), Meteor++: incorporating copy knowledge into MT evaluation",
        checked_against="hand calculation; METEOR 1.5 where there are no copy words",
    )

    copy_words: str | None = option(
        None, "file with one word a line; none: content words that share no synset of WordNet"
    )
    copy_weight: float = option(1.0, "weight of copy words", low=0.0, high=1000.0)

    def resources(self) -> dict[str, str]:
        """Name the list of copy words, too."""
        found = super().resources()
        if self.copy_words is not None:
            found["copy_words"] = resources.digest("copy_words", self.copy_words)
        return found

    def _needs_wordnet(self) -> bool:
        return self.copy_words is None or super()._needs_wordnet()

    def _classes(self) -> dict[str, Any]:
        given = self.copy_words
        return {
            **super()._classes(),
            "parameters": (*self._parameters(), self.copy_weight),
            "copies": True,
            "copy_words": set() if given is None else set(files.read_words("copy_words", given)),
            "lonely_copies": given is None,
        }

    def _class_weights(self) -> Floats:
        return np.append(super()._class_weights(), self.copy_weight)


@dataclass(frozen=True, kw_only=True)
class MeteorPP2(MeteorPP):
    """METEOR++ with syntactic paraphrases such as "not only … but also": patterns whose fixed words
    stand in their order in both texts. They take words that nothing else has matched, and count one
    chunk for each contiguous piece.
    """

    info: ClassVar[Info] = replace(
        MeteorPP.info,
        name="meteor-pp2",
        title="METEOR++ 2.0",
        paper="Guo and Hu (2019), Meteor++ 2.0: adopt syntactic level paraphrase knowledge",
        checked_against="hand calculation; METEOR++ where there are no patterns",
    )

    patterns: str | None = option(
        None, "file with lines like: not only ... but also ||| as well as; none: no patterns"
    )
    pattern_weight: float = option(0.6, "weight of words in patterns", low=0.0, high=1.0)
    gap: int = option(4, "most words between two fixed words of a pattern", low=0, high=LARGEST)

    def resources(self) -> dict[str, str]:
        """Name the file of patterns, too."""
        found = super().resources()
        if self.patterns is not None:
            found["patterns"] = resources.digest("patterns", self.patterns)
        return found

    def _classes(self) -> dict[str, Any]:
        classes = super()._classes()
        patterns = [] if self.patterns is None else read_patterns(self.patterns)
        weights = [*self._weights(), self.pattern_weight] if patterns else list(self._weights())
        return {**classes, "weights": weights, "patterns": patterns, "gap": self.gap}


def read_patterns(path: str) -> list[tuple[list[str], list[str]]]:
    """Read pairs of patterns, each as its fixed words."""
    text = resources.read_resource("patterns", path).decode("utf-8", errors="replace")
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        sides = [[w for w in side.split() if w != "..."] for side in line.split("|||")]
        if len(sides) < 2 or not sides[0] or not sides[1]:
            raise DataError(f"patterns={path}, line {number}: expected pattern ||| pattern")
        found.append((sides[0], sides[1]))
    return found

"""Make pairs of a changed sentence and the sentence itself, for the pre-training of BLEURT.

Words are left out, filled in anew, reordered, or changed as `nlgauge robustness` does. What is
filled in was seen between the same neighbours, or beside one of them, elsewhere in the sentences.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from nlgauge.meta.stress.perturbations import perturbation
from nlgauge.meta.stress.perturbations.perturbation import Original

Pair = tuple[str, str]  # the changed sentence, and the sentence
DROPPED, FILLED, BOTH = "dropped", "filled", "dropped and filled"
PLAIN = {"identical": 2, "halved": 1, "shuffled": 2, "unrelated": 3, "empty": 1}
# How often each change is drawn; what a perturbation cannot change is changed otherwise.
CHANGES = {
    DROPPED: 12,
    FILLED: 24,
    BOTH: 20,
    "jumble": 3,
    "roles": 2,
    "agreement": 5,
    "negation": 5,
    "antonyms": 4,
    "entities": 3,
    "numbers": 3,
    "drop": 4,
    "repeat": 2,
    "synonyms": 6,
    "paraphrase": 4,
    "voice": 2,
    **PLAIN,
}
# Changes of few words that make a sentence wrong.
WRONG = frozenset({"roles", "agreement", "negation", "antonyms", "entities", "numbers"})


class WordFilling:
    """A word filling draws words for a gap by how often they stood beside its neighbours."""

    def __init__(self, sentences: Sequence[str]) -> None:
        self.after: dict[str, Counter[str]] = defaultdict(Counter)
        self.before: dict[str, Counter[str]] = defaultdict(Counter)
        self.words: Counter[str] = Counter()
        for sentence in sentences:
            words = ["<", *sentence.split(), ">"]
            self.words.update(words[1:-1])
            for left, right in pairwise(words):
                self.after[left][right] += 1
                self.before[right][left] += 1

    def draw(self, left: str, right: str, old: str, rng: np.random.Generator) -> str:
        """Return another word for a gap than the one that stood there."""
        after, before = self.after[left], self.before[right]
        both = [w for w in after if w in before and w not in (old, "<", ">")]
        found = both or [w for w in (*after, *before) if w not in (old, "<", ">")]
        if not found:
            return old
        weights = np.array([(after[w] + 0.01) * (before[w] + 0.01) / self.words[w] for w in found])
        return found[int(rng.choice(len(found), p=weights / weights.sum()))]


class ChangedSentences:
    """These draw changes of sentences, one after the other, from a seed."""

    def __init__(self, sentences: Sequence[str], *, seed: int) -> None:
        self.sentences = sentences
        self.filling = WordFilling(sentences)
        self.rng = np.random.default_rng(seed)

    def pairs(self, sentences: Sequence[str]) -> list[tuple[Pair, str]]:
        """Return each sentence after a change, with the sentence, and the change."""
        names, weights = list(CHANGES), np.array(list(CHANGES.values()), float)
        found = []
        for text in sentences:
            name = names[int(self.rng.choice(len(names), p=weights / weights.sum()))]
            changed = self._changed(name, text)
            if changed is None:
                name, changed = BOTH, self._changed(BOTH, text)
            found.append(((changed or "", text), name))
        return found

    def _changed(self, name: str, text: str) -> str | None:
        words, rng = text.split(), self.rng
        severity = float(rng.beta(1.2, 2.5))
        if name in (DROPPED, FILLED, BOTH):
            if name != DROPPED:
                words = self._filled(words, severity)
            if name != FILLED:
                words = [word for word in words if rng.random() > severity] or words[:1]
            return " ".join(words)
        if name == "identical":
            return text
        if name == "empty":
            return ""
        if name == "halved":
            return " ".join(words[: len(words) // 2])
        if name == "shuffled":
            return " ".join(rng.permutation(words).tolist())
        if name == "unrelated":
            return self.sentences[int(rng.integers(len(self.sentences)))]
        others = [self.sentences[i] for i in rng.integers(len(self.sentences), size=20)]
        change = perturbation(name)
        return change(Original(text, others=others), severity, seed=int(rng.integers(1 << 30)))

    def _filled(self, words: list[str], share: float) -> list[str]:
        """Fill words anew, alone or two in a row, from left to right."""
        padded = ["<", *words, ">"]
        for i in range(1, len(padded) - 1):
            if self.rng.random() < share:
                padded[i] = self.filling.draw(padded[i - 1], padded[i + 1], padded[i], self.rng)
        return padded[1:-1]

"""Replies that are wrong in a known way: said elsewhere, by others, or broken."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

import numpy as np

from nlgauge.data.contexts import Context
from nlgauge.data.corpus import Corpus
from nlgauge.data.labels import Labels
from nlgauge.errors import DataError, SpecError
from nlgauge.io.files import warn
from nlgauge.train.dialogue.dialogues import Dialogue
from nlgauge.train.judged_rows import JudgedRows

TRUE = "true"
BROKEN = ("dropped", "shuffled", "repeated")  # by what MAUDE does to words
ELSEWHERE = ("random", "conversation", "partner", "speaker")  # where SSREM finds others
SAME_FILE = "file"  # another dialogue of the same file, whose style does not tell it apart
KINDS = (*ELSEWHERE, SAME_FILE, *BROKEN)
Place = tuple[int, int]  # dialogue and turn


class NegativeReplies:
    """Negatives are drawn for a true reply, of any kind; where there is none of a kind, it is a
    random one, and counted.
    """

    def __init__(self, dialogues: Sequence[Dialogue], rng: np.random.Generator) -> None:
        self.dialogues, self.rng = dialogues, rng
        self.missing: dict[str, int] = defaultdict(int)
        self._said = [(i, k) for i, d in enumerate(dialogues) for k in range(len(d.texts))]
        self._by_speaker: dict[tuple[str, ...], list[Place]] = defaultdict(list)
        self._by_file: dict[str, list[Place]] = defaultdict(list)
        for i, k in self._said:
            self._by_file[dialogues[i].file].append((i, k))
            person, partner = self._persons(i, k)
            if person is not None:
                self._by_speaker[(person,)].append((i, k))
                if partner is not None:
                    self._by_speaker[(person, partner)].append((i, k))

    def _persons(self, i: int, k: int) -> tuple[str | None, str | None]:
        """Return who said a turn, and to whom, if that is known beyond the dialogue."""
        dialogue = self.dialogues[i]
        own = dialogue.speakers[k]
        others = {name for name in dialogue.speakers if name not in (None, own)}
        known = dialogue.persons
        partner = known.get(next(iter(others)) or "") if len(others) == 1 else None
        return known.get(own or ""), partner

    def draw(self, kind: str, i: int, k: int) -> str:
        """Return a wrong reply in the place of turn k of dialogue i."""
        text = self.dialogues[i].texts[k]
        if kind in BROKEN:
            return self._broken(kind, text)
        if kind not in KINDS:
            raise SpecError(f"negatives: {kind!r} is not one of {', '.join(KINDS)}")
        found = None
        if kind == SAME_FILE:
            found = self._chosen(self._by_file[self.dialogues[i].file], text, other_than=i)
        elif kind != "random":
            found = self._chosen(self._places(kind, i, k), text)
        if found is None:
            self.missing[kind] += kind != "random"
            found = self._chosen(self._said, text, other_than=i)
        return text if found is None else found

    def _places(self, kind: str, i: int, k: int) -> list[Place]:
        dialogue = self.dialogues[i]
        if kind == "conversation":
            own = dialogue.speakers[k]
            return [(i, j) for j, name in enumerate(dialogue.speakers) if name == own and j != k]
        person, partner = self._persons(i, k)
        key = (person,) if kind == "speaker" else (person, partner)
        if None in key:
            return []
        return self._by_speaker[tuple(str(name) for name in key)]

    def _chosen(self, places: Sequence[Place], text: str, other_than: int = -1) -> str | None:
        """Draw a text that differs from the true one; a few draws find one, if there is any."""
        for _ in range(8 if places else 0):
            i, k = places[int(self.rng.integers(len(places)))]
            found = self.dialogues[i].texts[k]
            if i != other_than and found != text:
                return found
        return None

    def _broken(self, kind: str, text: str) -> str:
        words = text.split()
        if kind == "dropped":
            kept = [word for word in words if self.rng.random() < 0.5]
            return " ".join(kept) if len(kept) < len(words) else " ".join(words[1:])
        if kind == "shuffled":
            return " ".join(words[j] for j in self.rng.permutation(len(words)))
        again = [word for word in words for _ in range(int(self.rng.integers(1, 4)))]
        return " ".join(again if len(again) > len(words) else words * 2)


def reply_rows(
    dialogues: Sequence[Dialogue],
    kinds: Sequence[str],
    *,
    per_dialogue: int,
    seed: int,
    label: Callable[[Dialogue, int], float] | None = None,
) -> JudgedRows:
    """Return replies of dialogues, each true one before a wrong one of every kind: rated 1 and 0.

    All have the true reply as their reference. With a `label`, replies are rated by it. Up to
    `per_dialogue` of a dialogue's turns are drawn.
    """
    rng = np.random.default_rng(seed)
    negatives = NegativeReplies(dialogues, rng)
    hyps, refs, contexts, ratings, groups, origins, files = [], [], [], [], [], [], []
    for i, dialogue in enumerate(dialogues):
        turns = rng.permutation(np.arange(1, len(dialogue.texts)))[:per_dialogue]
        for k in sorted(turns.tolist()):
            before = list(zip(dialogue.speakers[:k], dialogue.texts[:k], strict=True))
            for kind in (TRUE, *kinds):
                true = kind == TRUE
                hyps.append(dialogue.texts[k] if true else negatives.draw(kind, i, k))
                refs.append([dialogue.texts[k]])
                contexts.append(before)
                ratings.append(float(true) if label is None else label(dialogue, k))
                groups.append(dialogue.group)
                origins.append(kind)
                files.append(dialogue.file)
    for kind, count in negatives.missing.items():
        if count:
            warn(
                f"{count} of {len(hyps) // (1 + len(kinds))} replies have no other of the same "
                f"{kind}, as speakers are not known across dialogues (field `speakers`) or said "
                "nothing else; a random one stands for it"
            )
    if not hyps:
        raise DataError("the dialogues have no reply to learn from")
    return JudgedRows(
        corpus=Corpus.build(
            hyps, refs, contexts=Context.build(turns=contexts), annotations=origins
        ),
        ratings=np.array(ratings),
        groups=Labels.build(groups).codes,
        parts=Labels.build(files),
        criterion="true reply" if label is None else "label",
    )

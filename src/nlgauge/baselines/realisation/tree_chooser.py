"""Choose a supertag for every word of a tree: the Tree Chooser of FERGUS.

The model has P(number of daughters and frame | word, tag) of every node, and over all edges P(word
and tag of a daughter | what it is to its mother, word and tag of its mother). Each slot of the
frame is filled by one daughter, and all others are adjuncts. The best choice is found bottom-up.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log

from nlgauge.baselines.realisation.lexeme_tree import LexemeTree, downward_nodes
from nlgauge.baselines.realisation.smoothed import Smoothed
from nlgauge.baselines.realisation.tree_tables import (
    MANY,
    ROOT_TAG,
    ROOT_WORD,
    TreeTables,
    is_argument,
    shape,
)

MOST_TAGS, MOST_FRAMES = 10, 40  # of a word
MOST_KEPT = 1 << 19  # probabilities that are kept for the next tree
NO_ARGUMENTS = 0  # the number of this frame; the root has no other


@dataclass(frozen=True)
class Supertagged:
    """A supertagged tree has a tag for each node, and the side of each that is an argument."""

    tags: tuple[int, ...]
    sides: tuple[int | None, ...]  # None: an adjunct


@dataclass(frozen=True)
class _Choice:
    """A choice is the best of a subtree whose top has a certain tag."""

    score: float
    below: tuple[tuple[int, int, int | None], ...]  # daughter, its tag, its side


class TreeModel:
    """A tree model has the probabilities of words and supertags, from the counts of a treebank."""

    def __init__(self, tables: TreeTables) -> None:
        self.tables = tables
        self.numbers = {word: k for k, word in enumerate(tables.words)}
        tags = len(tables.tags)
        parts = {pos: k for k, pos in enumerate(dict.fromkeys(pos for pos, _ in tables.tags))}
        self.parts = [parts[pos] for pos, _ in tables.tags]
        self.relations = [relation for _, relation in tables.tags]
        # What a daughter is to its mother: an argument of some relation, or an adjunct.
        self.kinds = [relation if is_argument(relation) else "" for relation in self.relations]
        self._tags, self._words = Smoothed(tags), Smoothed(len(tables.words))
        self._frames = Smoothed(_joint(len(tables.frames), 0))
        self._edges: dict[tuple[int, int, int, int], float] = {}
        self._framings: dict[tuple[int, int, int], list[tuple[tuple[str, ...], float, int]]] = {}
        own: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
        for word, tag, mother, mothers_tag, _, times in tables.edges.tolist():
            self._tags.add(tag, self._tag_contexts(tag, mother, mothers_tag), times)
            self._words.add(word, self._word_contexts(tag, mother, mothers_tag), times)
            own[word][tag] += times
        self.candidates = {
            word: sorted(found, key=lambda tag: (-found[tag], tag))[:MOST_TAGS]
            for word, found in own.items()
        }
        seen: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
        for word, tag, daughters, frame, times in tables.framed.tolist():
            self._frames.add(_joint(frame, daughters), self._frame_contexts(word, tag), times)
            seen[self.parts[tag]][frame] += times
        self._usual = {
            part: sorted(found, key=lambda frame: (-found[frame], frame))[:MOST_FRAMES]
            for part, found in seen.items()
        }
        usual: dict[int, int] = defaultdict(int)
        for found in own.values():
            for tag, times in found.items():
                usual[tag] += times
        self._anywhere = sorted(usual, key=lambda tag: (-usual[tag], tag))[:MOST_TAGS]

    def number(self, word: str) -> int | None:
        """Return the number of a word, or of its shape if it is unknown; None if that is, too."""
        known = self.numbers.get(word.lower())
        return self.numbers.get(shape(word)) if known is None else known

    def edge(self, word: int, tag: int, mother: int, mothers_tag: int) -> float:
        """Return the logarithm of P(word, tag | mother, mother's tag)."""
        key = word, tag, mother, mothers_tag
        found = self._edges.get(key)
        if found is None:
            found = log(self._tags(tag, self._tag_contexts(tag, mother, mothers_tag)))
            found += log(self._words(word, self._word_contexts(tag, mother, mothers_tag)))
            if len(self._edges) >= MOST_KEPT:
                self._edges.clear()
            self._edges[key] = found
        return found

    def framings(
        self, word: int, tag: int, daughters: int
    ) -> list[tuple[tuple[str, ...], float, int]]:
        """Return frames that a word with so many daughters can have, of those with the same
        relations the best: their relations, the logarithm of their probability, and their number,
        the most probable first.
        """
        key = word, tag, min(daughters, MANY)
        if key not in self._framings:
            contexts = self._frame_contexts(word, tag)
            best: dict[tuple[str, ...], tuple[float, int]] = {}
            for frame in self._usual.get(self.parts[tag], [NO_ARGUMENTS]):
                relations = tuple(relation for relation, _ in self.tables.frames[frame])
                score = log(self._frames(_joint(frame, key[2]), contexts))
                if score > best.get(relations, (-inf, 0))[0]:
                    best[relations] = score, frame
            if len(self._framings) >= MOST_KEPT >> 4:
                self._framings.clear()
            listed = [(relations, *found) for relations, found in best.items()]
            self._framings[key] = sorted(listed, key=lambda each: -each[1])
        return self._framings[key]

    def candidates_of(self, word: int | None) -> Sequence[int]:
        """Return the tags that a word may have; any usual one if nothing is known of it."""
        return self._anywhere if word is None else self.candidates.get(word, self._anywhere)

    def _tag_contexts(self, tag: int, mother: int, mothers_tag: int) -> tuple[object, ...]:
        kind, part = self.kinds[tag], self.parts[mothers_tag]
        return kind, (kind, part), (kind, mothers_tag, 0), (kind, part, mother, 0)

    def _word_contexts(self, tag: int, mother: int, mothers_tag: int) -> tuple[object, ...]:
        return (), self.parts[tag], (tag,), (tag, self.parts[mothers_tag]), (tag, mother, 0)

    def _frame_contexts(self, word: int, tag: int) -> tuple[object, ...]:
        return (), self.parts[tag], (tag,), (self.parts[tag], word)


def _joint(frame: int, daughters: int) -> int:
    """Return one number for a frame and a number of daughters."""
    return frame * (MANY + 1) + daughters


def choose_tags(model: TreeModel, tree: LexemeTree) -> Supertagged:
    """Return the most probable supertags of a tree."""
    words = [model.number(word) for word in tree.words]
    daughters = tree.daughters()
    top = len(words)
    downward = downward_nodes(daughters)
    chosen: dict[int, dict[int, _Choice]] = {}
    for node in reversed(downward):
        word = ROOT_WORD if node == top else words[node]
        tags = [ROOT_TAG] if node == top else model.candidates_of(word)
        chosen[node] = {
            tag: _best_below(model, word, tag, [(d, words[d], chosen[d]) for d in daughters[node]])
            for tag in tags
        }
    tags = [ROOT_TAG] * (top + 1)
    sides: list[int | None] = [None] * top
    for node in downward:
        for daughter, tag, side in chosen[node][tags[node]].below:
            tags[daughter], sides[daughter] = tag, side
    return Supertagged(tuple(tags[:top]), tuple(sides))


Daughter = tuple[int, int | None, dict[int, _Choice]]


def _best_below(
    model: TreeModel, word: int | None, tag: int, daughters: Sequence[Daughter]
) -> _Choice:
    """Return the best frame of a word with this tag, and the best tags of its daughters for it."""
    mother = -1 if word is None else word
    free: list[tuple[float, int]] = []  # the best tag as an adjunct
    bound: list[dict[str, tuple[float, int]]] = []  # the best tag for each relation of arguments
    for _, own, below in daughters:
        best = (-inf, ROOT_TAG)
        by_relation: dict[str, tuple[float, int]] = {}
        for candidate, choice in below.items():
            score = choice.score + model.edge(-1 if own is None else own, candidate, mother, tag)
            relation = model.kinds[candidate]
            if not relation:
                best = max(best, (score, -candidate))
            elif score > by_relation.get(relation, (-inf, 0))[0]:
                by_relation[relation] = score, candidate
        free.append((best[0], -best[1]))
        bound.append(by_relation)
    possible = {relation for own in bound for relation in own}
    most = sum(max([adjunct, *own.values()])[0] for adjunct, own in zip(free, bound, strict=True))
    found: _Choice | None = None
    for relations, score, frame in model.framings(mother, tag, len(daughters)):
        if found is not None and score + most <= found.score:
            break  # no frame that follows can be better
        if len(relations) > len(daughters) or not possible.issuperset(relations):
            continue
        filled = _filled(relations, free, bound)
        if filled is not None and (found is None or score + filled[0] > found.score):
            slots = model.tables.frames[frame]
            found = _Choice(
                score + filled[0],
                tuple(
                    (daughters[k][0], tag_, None if slot < 0 else slots[slot][1])
                    for k, (tag_, slot) in enumerate(filled[1])
                ),
            )
    return found or _without_frame(daughters, free, bound)


def _without_frame(
    daughters: Sequence[Daughter],
    free: Sequence[tuple[float, int]],
    bound: Sequence[dict[str, tuple[float, int]]],
) -> _Choice:
    """Return the best tags where no frame fits; none of the daughters has to be an argument."""
    penalty, below = -20.0, []
    for (daughter, *_), adjunct, arguments in zip(daughters, free, bound, strict=True):
        score, tag = max([adjunct, *arguments.values()])
        penalty += score
        below.append((daughter, tag, None))
    return _Choice(penalty, tuple(below))


def _filled(
    relations: Sequence[str],
    free: Sequence[tuple[float, int]],
    bound: Sequence[dict[str, tuple[float, int]]],
) -> tuple[float, list[tuple[int, int]]] | None:
    """Fill all slots with a daughter each, so that the sum is the greatest; return it, and the tag
    and slot (-1: none) of each daughter. None if it cannot be done.
    """
    states: dict[int, tuple[float, tuple[tuple[int, int], ...]]] = {0: (0.0, ())}
    for adjunct, arguments in zip(free, bound, strict=True):
        following: dict[int, tuple[float, tuple[tuple[int, int], ...]]] = {}
        for mask, (score, below) in states.items():
            options = [(mask, adjunct, -1)] if adjunct[0] > -inf else []
            options += [
                (mask | 1 << slot, arguments[relation], slot)
                for slot, relation in enumerate(relations)
                if not mask >> slot & 1 and relation in arguments
            ]
            for after, (more, tag), slot in options:
                if score + more > following.get(after, (-inf, ()))[0]:
                    following[after] = score + more, (*below, (tag, slot))
        states = following
    found = states.get((1 << len(relations)) - 1)
    return None if found is None else (found[0], list(found[1]))

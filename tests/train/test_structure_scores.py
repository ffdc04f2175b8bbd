"""Scorers of trees and roles, by cases that were counted by hand."""

from __future__ import annotations

import math

import pytest
from bracketing import score_trees
from counts import Counts
from role_scoring import score_frames

from nlgauge.data.constituents import Constituent
from nlgauge.data.frames import Frame, Role
from nlgauge.errors import DataError
from nlgauge.models.syntax.spans import spans_of, tree_of


def tree(text: str) -> Constituent:
    """From brackets in which every word is separated by white space."""
    open_: list[tuple[str, list[Constituent]]] = [("", [])]
    tokens = text.replace("(", " ( ").replace(")", " ) ").split()
    for before, token in zip(["", *tokens], tokens, strict=False):
        if token == ")":
            label, children = open_.pop()
            open_[-1][1].append(
                children[0] if label is None else Constituent(label, tuple(children))
            )
        elif token != "(" and before == "(":
            open_.append((token, []))
        elif token != "(":
            label, _ = open_.pop()
            open_.append((None, [Constituent(label, word=token)]))
    return open_[0][1][0]


SEEN = "(TOP (S (NP (PRP I)) (VP (VBD saw) (NP (DT the) (NN man))) (. .)))"


def test_equal_trees() -> None:
    # S, NP, VP, NP; neither TOP nor tags
    score = score_trees([tree(SEEN)], [tree(SEEN)])
    assert score.brackets == Counts(4, 4, 4)
    assert (score.complete, score.tags) == (1, Counts(5, 5, 5))


def test_attachment() -> None:
    right = "(TOP (S (NP (PRP I)) (VP (VBD saw) (NP (NP (NN x)) (PP (IN on) (NP (NN y)))))))"
    other = "(TOP (S (NP (PRP I)) (VP (VBD saw) (NP (NN x)) (PP (IN on) (NP (NN y))))))"
    # 7 brackets against 6: only the NP "x on y" is missed.
    assert score_trees([tree(right)], [tree(other)]).brackets == Counts(6, 6, 7)


def test_punctuation_does_not_count() -> None:
    # The full stop inside or outside of the VP makes no difference, as in evalb.
    inside = "(TOP (S (NP (PRP I)) (VP (VBD saw) (NP (DT the) (NN man)) (. .))))"
    score = score_trees([tree(SEEN)], [tree(inside)])
    assert score.brackets == Counts(4, 4, 4)
    assert score.complete == 1


def test_brackets_around_punctuation_only() -> None:
    right = "(TOP (S (NP (PRP I)) (VP (VBD ran)) (. .)))"
    other = "(TOP (S (NP (PRP I)) (VP (VBD ran)) (X (. .))))"
    assert score_trees([tree(right)], [tree(other)]).brackets == Counts(3, 3, 3)


def test_equal_labels_and_wrong_ones() -> None:
    right = "(TOP (VP (VB give) (PRT (RP up))))"
    other = "(TOP (VP (VB give) (ADVP (RB up))))"
    score = score_trees([tree(right)], [tree(other)])
    assert score.brackets == Counts(2, 2, 2)
    assert score.tags == Counts(1, 2, 2)
    third = "(TOP (VP (VB give) (NP (RB up))))"
    assert score_trees([tree(right)], [tree(third)]).brackets == Counts(1, 2, 2)


def test_repeated_brackets_count_once_each() -> None:
    right = "(TOP (NP (NP (NN x))))"
    other = "(TOP (NP (NN x)))"
    assert score_trees([tree(right)], [tree(other)]).brackets == Counts(1, 1, 2)


def test_other_words_of_the_same_text() -> None:
    right = "(TOP (NP (NN e) (HYPH -) (NN mail)))"
    other = "(TOP (NP (NN e-mail)))"
    score = score_trees([tree(right)], [tree(other)])
    assert score.brackets == Counts(1, 1, 1)
    assert score.tags == Counts(0, 1, 3)


def test_another_text_is_refused() -> None:
    with pytest.raises(DataError, match="tree 2: not the same text"):
        score_trees([tree(SEEN)] * 2, [tree(SEEN), tree("(TOP (NP (NN x)))")])
    with pytest.raises(DataError, match="2 right trees, but 1"):
        score_trees([tree(SEEN)] * 2, [tree(SEEN)])


def test_nothing_has_no_shares() -> None:
    assert math.isnan(score_trees([], []).brackets.f1)
    assert Counts(2, 4, 8).precision == 0.5
    assert Counts(2, 4, 8).recall == 0.25
    assert Counts(2, 4, 8).f1 == pytest.approx(2 * 0.5 * 0.25 / 0.75)


def test_spans_of_trees() -> None:
    seen = tree("(TOP (S (VP (VB go) (NP (NP (NN home))))))")
    assert spans_of(seen) == {(0, 2): "S+VP", (1, 2): "NP+NP"}
    assert tree_of(["go", "home"], ["VB", "NN"], spans_of(seen)) == seen


def frame(predicate: int, *roles: tuple[str, int, int]) -> Frame:
    return Frame(predicate, tuple(Role(*role) for role in roles))


def test_roles_must_match_in_words_and_label() -> None:
    right = [[frame(1, ("A0", 0, 1), ("A1", 2, 5), ("AM-TMP", 5, 6))]]
    other = [[frame(1, ("A0", 0, 1), ("A2", 2, 5), ("AM-TMP", 5, 7), ("A4", 8, 9))]]
    scores = score_frames(right, other)
    assert scores.arguments == Counts(1, 4, 3)
    assert scores.by_role["A1"] == Counts(0, 0, 1)
    assert (scores.complete, scores.predicates) == (0, Counts(1, 1, 1))


def test_verbs_do_not_count() -> None:
    right = [[frame(1, ("V", 1, 2), ("C-V", 3, 4), ("A1", 2, 3))]]
    scores = score_frames(right, [[frame(1, ("A1", 2, 3))]])
    assert scores.arguments == Counts(1, 1, 1)
    assert scores.complete == 1


def test_continuations_belong_to_their_argument() -> None:
    right = [[frame(2, ("A1", 0, 2), ("C-A1", 3, 5))]]
    assert score_frames(right, right).arguments == Counts(1, 1, 1)
    # Half of an argument is no argument.
    assert score_frames(right, [[frame(2, ("A1", 0, 2))]]).arguments == Counts(0, 1, 1)
    # A continuation of nothing is an argument.
    alone = [[frame(2, ("C-A1", 3, 5))]]
    assert score_frames([[frame(2, ("A1", 3, 5))]], alone).arguments == Counts(1, 1, 1)
    # References are arguments of their own.
    refers = [[frame(2, ("A1", 0, 1), ("R-A1", 1, 2))]]
    assert score_frames(refers, [[frame(2, ("A1", 0, 1))]]).arguments == Counts(1, 1, 2)


def test_frames_without_counterpart() -> None:
    right = [[frame(1, ("A0", 0, 1))], []]
    other = [[], [frame(0, ("A1", 1, 2))]]
    # As the official scorer has it: all missed, and what nobody asked for is passed over.
    assert score_frames(right, other).arguments == Counts(0, 0, 1)
    assert score_frames(right, other, predicates="found").arguments == Counts(0, 1, 1)
    assert score_frames(right, other).predicates == Counts(0, 1, 1)

"""Best–worst scaling, by hand."""

import numpy as np
import pytest

from nlgauge import DataError
from nlgauge.human.best_worst import BestWorst, implied_wins, scale_elements, split_halves
from nlgauge.human.design.tuples import best_worst_tuples

CHOICES = [
    BestWorst(("a", "b", "c", "d"), "a", "d"),
    BestWorst(("a", "b", "c", "d"), "b", "d"),
    BestWorst(("a", "b", "e", "f"), "a", "f"),
]


def test_scores_are_shares_of_best_minus_worst() -> None:
    found = {e.element: (e.score, e.shown) for e in scale_elements(CHOICES)}
    assert found == {
        "a": (2 / 3, 3), "b": (1 / 3, 3), "c": (0, 2), "d": (-1, 2), "e": (0, 1), "f": (-1, 1),
    }  # fmt: skip
    assert scale_elements(CHOICES)[0].element == "a"


def test_a_choice_of_four_tells_five_of_six_pairs() -> None:
    names, wins = implied_wins(CHOICES[:1])
    assert names == ("a", "b", "c", "d")
    assert wins.tolist() == [[0, 1, 1, 1], [0, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 0]]


def test_halves_of_good_choices_agree() -> None:
    quality = {f"e{k}": k for k in range(40)}
    tuples = best_worst_tuples(list(quality), times=8)
    rng = np.random.default_rng(1)
    choices = []
    for chosen in tuples:
        for _ in range(4):
            seen = {e: quality[e] + rng.normal(0, 5) for e in chosen}
            choices.append(BestWorst(chosen, max(seen, key=seen.get), min(seen, key=seen.get)))  # type: ignore[arg-type]
    assert split_halves(choices, splits=10).spearman > 0.9
    ranked = [e.element for e in scale_elements(choices)]
    assert np.corrcoef(range(40), [-quality[e] for e in ranked])[0, 1] > 0.95


def test_impossible_choices_are_refused() -> None:
    with pytest.raises(DataError, match="two different ones of a, b"):
        BestWorst(("a", "b"), "a", "a")
    with pytest.raises(DataError, match="no choices"):
        scale_elements([])
    with pytest.raises(DataError, match="no tuple was judged twice"):
        split_halves(CHOICES[1:])

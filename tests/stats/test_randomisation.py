"""Approximate randomisation against all swaps counted one by one."""

from itertools import combinations, product

import numpy as np
import pytest

import nlgauge
from nlgauge.core.metric import totals
from nlgauge.errors import SpecError
from nlgauge.stats import randomisation as module
from nlgauge.stats.randomisation import randomisation

REFS = [f"{w} b c d e" for w in "apqrstuv"]
GOOD = [*REFS[:6], "a x c y e", "z z"]
POOR = ["a b x d", *REFS[1:3], "q", "r b c", "s b d c e", *REFS[6:]]


def test_p_value_is_the_share_of_all_swaps() -> None:
    table = nlgauge.score({"good": GOOD, "poor": POOR}, REFS, metrics=["ter"])
    a, b = (table.rows_of(system, "ter") for system in ("good", "poor"))
    metric = nlgauge.TER()
    actual = abs(metric.score(totals(a)) - metric.score(totals(b)))
    extreme = 0
    for swaps in product([0, 1], repeat=len(REFS)):
        first = sum((b if s else a)[i] for i, s in enumerate(swaps))
        second = sum((a if s else b)[i] for i, s in enumerate(swaps))
        extreme += abs(metric.score(first) - metric.score(second)) >= actual - 1e-12
    found = randomisation(table, trials=20_000)["good", "poor", "ter"]
    assert found == pytest.approx(extreme / 2 ** len(REFS), abs=0.02)


def test_equal_systems_and_bad_trials() -> None:
    table = nlgauge.score({"one": GOOD, "two": GOOD}, REFS, metrics=["bleu", "ter"])
    assert set(randomisation(table, trials=100).values()) == {1.0}
    with pytest.raises(SpecError, match="trials=0"):
        randomisation(table, trials=0)


@pytest.mark.parametrize("n", [1, 3, 47])
def test_blocks_of_swaps_are_one_stream(n: int, monkeypatch) -> None:
    monkeypatch.setattr(module, "_BLOCK", 50 * n)
    found = np.vstack([picks.sums([np.eye(n)], threads=1)[0] for picks in module._swaps(n, 203, 5)])
    expected = np.random.default_rng(5).integers(2, size=(203, n), dtype=bool)
    np.testing.assert_array_equal(found, expected)


def test_threads_do_not_show() -> None:
    systems = {"good": GOOD, "poor": POOR, "turned": POOR[::-1]}
    table = nlgauge.score(systems, REFS, metrics=["bleu", "chrf", "ter"])
    one, three = (randomisation(table, trials=500, threads=n) for n in (1, 3))
    assert one == three
    assert len(one) == 9


@pytest.mark.parametrize("held", [1, 4 * 500 * 12])  # two and four systems of BLEU's statistics
def test_systems_in_groups_have_the_p_values_of_each_pair_alone(held: int, monkeypatch) -> None:
    texts = {f"s{i}": [*GOOD[: 8 - i], *POOR[8 - i :]] for i in range(9)}
    table = nlgauge.score(texts, REFS, metrics=["bleu"])
    pairs = list(combinations(texts, 2))
    alone = [randomisation(table, [pair], trials=500)[(*pair, "bleu")] for pair in pairs]
    monkeypatch.setattr(module, "_SUMS", held)
    found = randomisation(table, trials=500)
    assert list(found) == [(a, b, "bleu") for a, b in pairs]
    assert list(found.values()) == alone
    with_first = randomisation(table, pairs[:8], trials=500)
    assert list(with_first.values()) == alone[:8]


def test_no_group_needs_more_sums_than_fit() -> None:
    systems = [f"s{i}" for i in range(10)]
    pairs = list(combinations(systems, 2))
    groups = list(module._groups(pairs, systems, 4))
    assert sorted(pair for group in groups for pair in group) == sorted(pairs)
    assert all(len({system for pair in group for system in pair}) <= 4 for group in groups)
    assert [len(group) for group in module._groups(pairs[:9], systems, 4)] == [4, 4, 1]

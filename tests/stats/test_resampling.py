"""Bootstrap intervals and paired p-values, against sacreBLEU's own."""

import warnings

import numpy as np
import pytest
from sacrebleu.significance import PairedTest, _bootstrap_resample
from support import peer
from support.golden_files import one_line, read_corpus

import nlgauge
from nlgauge import SpecError, Suite
from nlgauge.run.scoring import score_suite
from nlgauge.stats import resampling

NAMES = ("sysA", "sysB", "sysC")
TOOLS = {"bleu": peer.bleu(tokenize="13a"), "chrf": peer.chrf(), "ter": peer.ter()}
RESAMPLES = 200


def texts() -> tuple[dict[str, list[str]], list[list[str]]]:
    rows = read_corpus("news")
    systems = {
        name: [one_line(r["hypothesis"]) for r in rows if r["system"] == name] for name in NAMES
    }
    refs = [[one_line(r["references"][0])] for r in rows if r["system"] == NAMES[0]]
    return systems, refs


@pytest.fixture(scope="module")
def table() -> nlgauge.ScoreTable:
    systems, refs = texts()
    return score_suite(
        Suite.build(systems, refs), list(TOOLS), confidence=True, paired=True, resamples=RESAMPLES
    )


@pytest.mark.parametrize("name", TOOLS)
def test_intervals_are_those_of_sacrebleu(name: str, table, monkeypatch) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", "12345")
    systems, refs = texts()
    for system in NAMES:
        stats = peer.statistics(TOOLS[name], systems[system], refs)
        _, resampled = _bootstrap_resample(stats, TOOLS[name], RESAMPLES)
        scores = np.sort([s.score for s in resampled])
        cut = RESAMPLES // 40
        found = table[system, name].interval
        theirs = (scores[cut], scores[RESAMPLES - cut - 1], scores.mean())
        assert (found.low, found.high, found.mean) == pytest.approx(theirs, rel=1e-5)
        assert (found.level, found.resamples, found.seed) == (0.95, RESAMPLES, 12345)


def test_p_values_are_those_of_sacrebleu(table, monkeypatch) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", "12345")
    systems, refs = texts()
    columns = [[r[0] for r in refs]]
    test = PairedTest(list(systems.items()), TOOLS, columns, test_type="bs", n_samples=RESAMPLES)
    _, results = test()
    for name, tool in TOOLS.items():
        theirs = next(v for k, v in results.items() if k.lower().startswith(name[:3]))
        for system, result in zip(NAMES[1:], theirs[1:], strict=True):
            assert table[system, name].p_value == pytest.approx(result.p_value, abs=1e-12), tool
            assert table[system, name].score == pytest.approx(result.score)
        assert table[NAMES[0], name].p_value is None


def test_equal_systems_are_not_told_apart() -> None:
    systems, refs = texts()
    twins = Suite.build({"one": systems["sysA"], "two": systems["sysA"]}, refs)
    found = score_suite(twins, ["bleu", "ter"], paired=True, resamples=50)
    assert [found["two", name].p_value for name in ("bleu", "ter")] == [1.0, 1.0]


def test_clearly_different_systems_are_told_apart(table) -> None:
    assert table["sysC", "bleu"].p_value == pytest.approx(1 / (RESAMPLES + 1))


def test_p_value_by_hand() -> None:
    # Differences 1, 3, 8 have the mean 4; centred: -3, -1, 4; one exceeds 2: (1 + 1) / (3 + 1).
    baseline, system = np.array([0.0, 0.0, 0.0]), np.array([1.0, -3.0, 8.0])
    assert resampling.paired_p_value(baseline, system, 2.0) == 0.5
    assert resampling.paired_p_value(baseline, system, -2.0) == 0.5
    assert resampling.paired_p_value(baseline, system, 4.0) == 0.25
    assert resampling.paired_p_value(baseline, system, 0.0) == 1.0


@pytest.mark.parametrize(
    ("level", "low", "high"), [(0.95, 2, 77), (0.9, 4, 75), (0.5, 20, 59), (0.999, 0, 79)]
)
def test_interval_by_hand(level: float, low: float, high: float) -> None:
    # Of 80 scores 0..79, (1 - level) / 2 are cut off at each end.
    scores = np.random.default_rng(0).permutation(80).astype(float)
    found = resampling.interval(scores, level=level)
    assert (found.low, found.high, found.mean) == (low, high, 39.5)


@pytest.mark.parametrize("n", [1, 2, 3, 300, 3000])
def test_draws_are_those_of_numpy(n: int) -> None:
    rows = np.arange(n * 5, dtype=float).reshape(n, 5)
    rows[:, 1] *= 0.25  # neither whole nor small numbers
    rows[:, 4] -= 1000
    found = resampling.bootstrap_totals([rows[:, :2], rows[:, 2:]], resamples=31, seed=3)
    drawn = np.random.default_rng(3).choice(n, size=(31, n), replace=True)
    np.testing.assert_array_equal(np.hstack(found), rows[drawn].sum(axis=1))
    assert [part.shape for part in found] == [(31, 2), (31, 3)]


def test_seeds() -> None:
    systems, refs = texts()
    suite = Suite.build({"A": systems["sysA"]}, refs)
    same, again, other = (
        score_suite(suite, ["bleu"], confidence=True, resamples=50, seed=seed)["bleu"].interval
        for seed in (1, 1, 2)
    )
    assert same == again
    assert (same.low, same.mean) != (other.low, other.mean)


@pytest.mark.parametrize("resamples", [0, -1])
def test_too_few_resamples(resamples: int) -> None:
    with pytest.raises(SpecError, match=f"resamples={resamples}: must be at least 1"):
        resampling.bootstrap_totals([np.ones((2, 2))], resamples=resamples)


@pytest.mark.parametrize("level", [0, 1, 95])
def test_impossible_levels(level: float) -> None:
    with pytest.raises(SpecError, match=f"level={level}"):
        resampling.interval(np.ones(3), level=level)


def test_only_what_was_asked_for() -> None:
    suite = Suite.build({"A": ["a b"] * 2, "B": ["a c"] * 2}, ["a b"] * 2)
    confident = score_suite(suite, ["ter"], confidence=True, resamples=10)
    assert confident["B", "ter"].p_value is None
    assert confident["B", "ter"].interval.low == 50
    assert score_suite(suite, ["ter"])["B", "ter"].interval is None


@pytest.mark.parametrize("several", [False, True])
def test_one_segment_has_no_interval(several: bool) -> None:
    hyps = ["a cat sat on the mat", "a dog ran"] if several else ["a cat sat on the mat"]
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        nlgauge.score(hyps, ["a cat sat", "a dog"][: len(hyps)], metrics="chrf", confidence=True)
    found = [
        str(each.message) for each in said if "every resample is the same" in str(each.message)
    ]
    assert len(found) == (0 if several else 1)

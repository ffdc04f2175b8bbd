"""Batches, merged parts and other libraries give the numbers of all texts at once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import nlgauge
from nlgauge import DataError, SpecError

HYPS = ["the cat sat", "a dog ran off", "it rains", "nobody came", "the end"]
REFS = [["the cat sat down"], ["a dog ran", "dogs ran off"], ["it rains"], ["no one came"], ["end"]]
METRICS = ["bleu", "chrf", "ter", "cider"]


def whole() -> dict[str, float]:
    table = nlgauge.score(HYPS, REFS, metrics=METRICS)
    return {name: table[name].score for name in METRICS}


@given(st.lists(st.integers(1, 3), min_size=1, max_size=4), st.booleans())
def test_batches_do_not_show(sizes: list[int], merged: bool) -> None:
    running, other = nlgauge.RunningScore(METRICS), nlgauge.RunningScore(METRICS)
    start = 0
    for k, size in enumerate([*sizes, len(HYPS)]):
        batch = slice(start, start + size)
        if HYPS[batch]:
            chosen = other if merged and k % 2 else running
            chosen.update(HYPS[batch], REFS[batch])
        start += size
    if merged:
        running.merge(other)
    assert len(running) == len(HYPS)
    assert running.compute() == pytest.approx(whole(), abs=1e-12)


def test_reset_and_mistakes() -> None:
    running = nlgauge.RunningScore(nlgauge.TER())
    running.update(["a"], ["b"])
    assert running.compute() == {"ter": 100}
    running.reset()
    running.update(["a"], ["a"])
    assert running.compute() == {"ter": 0}
    running.reset()
    with pytest.raises(DataError, match="call update"):
        running.compute()
    with pytest.raises(SpecError, match="cannot be merged"):
        running.merge(nlgauge.RunningScore("bleu"))


def test_evaluate() -> None:
    pytest.importorskip("datasets")
    evaluate = pytest.importorskip("evaluate")
    ours = nlgauge.as_evaluate("chrf")
    assert ours.compute(predictions=HYPS, references=REFS)["chrf"] == pytest.approx(whole()["chrf"])
    ours.add_batch(predictions=HYPS[:2], references=[refs[0] for refs in REFS[:2]])
    ours.add(prediction=HYPS[2], reference=REFS[2][0])
    first = nlgauge.score(HYPS[:3], [refs[0] for refs in REFS[:3]], metrics="chrf")
    assert ours.compute()["chrf"] == pytest.approx(first["chrf"].score)
    both = evaluate.combine([nlgauge.as_evaluate("ter"), nlgauge.as_evaluate("bleu")])
    found = both.compute(predictions=HYPS, references=REFS)
    assert (found["ter"], found["bleu"]) == pytest.approx((whole()["ter"], whole()["bleu"]))


def test_torchmetrics() -> None:
    torchmetrics = pytest.importorskip("torchmetrics")
    ours = nlgauge.as_torchmetric("chrf")
    for k in range(len(HYPS)):
        ours.update(HYPS[k : k + 1], REFS[k : k + 1])
    assert float(ours.compute()) == pytest.approx(whole()["chrf"])
    theirs, ours = torchmetrics.text.TranslationEditRate(), nlgauge.as_torchmetric("ter")
    for metric in (theirs, ours):
        metric.update(HYPS, [refs[:1] for refs in REFS])
    assert float(ours.compute()) == pytest.approx(100 * float(theirs.compute()), abs=1e-4)
    ours.reset()
    with pytest.raises(SpecError, match="the whole test set"):
        nlgauge.as_torchmetric("cider")


def test_lm_eval() -> None:
    known = pytest.importorskip("lm_eval.api.registry")
    (name,) = nlgauge.register_in_lm_eval("ter")
    assert name == "nlgauge_ter"
    pairs = [(refs, hyp) for refs, hyp in zip(REFS, HYPS, strict=True)]
    assert known.get_aggregation(name)(pairs) == pytest.approx(whole()["ter"])
    assert known.is_higher_better(name) is False
    assert nlgauge.register_in_lm_eval("ter") == [name]  # such as by a cell that is run again
    with pytest.raises(SpecError, match="registered with other options"):
        nlgauge.register_in_lm_eval("ter(normalized=yes)")


def test_missing_libraries_are_named(monkeypatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "lm_eval.api.metrics", None)
    with pytest.raises(nlgauge.ResourceMissing, match="run: pip install lm-eval"):
        nlgauge.register_in_lm_eval("ter")

"""The fuzzer finds what is broken, and its ledger claims nothing that was not done."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import fuzz
from support import fuzz_ledger, fuzz_texts
from support.fuzz_ledger import Ledger

from nlgauge.core import registry
from nlgauge.metrics import BLEU


@dataclass(frozen=True, kw_only=True)
class Unbounded(BLEU):
    """BLEU that is beyond its bounds for texts that equal a reference."""

    def score(self, totals):
        return super().score(totals) * 1.5


def test_a_run_goes_on_where_it_was_ended(tmp_path: Path, monkeypatch) -> None:
    ledger = Ledger(tmp_path / "ledger.jsonl")
    bleu = fuzz.Fuzz("bleu", 1)
    assert bleu.run(ledger, 2 * fuzz.BATCH, 50, seconds=0) == []  # the first batch at least
    assert ledger.coverage(1)["bleu"].fast == fuzz.BATCH
    ledger.path.write_text(ledger.path.read_text("utf-8") + '{"code": "ended while wri', "utf-8")
    assert bleu.run(ledger, fuzz.BATCH, 50, seconds=60) == []  # there is enough
    assert len(ledger.batches(1)) == 1
    assert not ledger.batches(2)
    monkeypatch.setattr(fuzz_ledger, "code", lambda _: "other code")
    assert not ledger.batches(1)


def test_what_broke_is_told_and_run_again(tmp_path: Path, monkeypatch) -> None:
    ledger = Ledger(tmp_path / "ledger.jsonl")
    monkeypatch.setattr(registry, "metric", lambda _: Unbounded())
    (first, *_) = fuzz.Fuzz("bleu", 1).run(ledger, fuzz.BATCH, 50, seconds=0)
    assert "score 1.5 beyond (0.0, 1.0)" in first
    assert "--seed=1 --only=0:2000 --metrics bleu" in first
    assert json.loads(ledger.path.read_text("utf-8"))["broken"][0] == first
    assert not ledger.batches(1)


def test_segments_follow_from_seed_batch_and_metric_alone() -> None:
    hyps, refs = fuzz_texts.segments(1, 3, "bleu", 400)
    assert fuzz_texts.segments(1, 3, "bleu", 400) == (hyps, refs)
    for other in ((2, 3, "bleu"), (1, 4, "bleu"), (1, 3, "ter"), (1, 30, "bleu")):
        assert fuzz_texts.segments(*other, 400)[0] != hyps
    assert {len(row) for row in refs} == {1, 2, 3}
    assert "" in hyps
    equal = sum(hyp in row for hyp, row in zip(hyps, refs, strict=True))
    shared = sum(
        bool(set(hyp.split()) & set(row[0].split())) for hyp, row in zip(hyps, refs, strict=True)
    )
    assert 40 < equal < 240 < shared

"""Reads the golden files: what official tools, papers and hand calculations say.

A file has `metric`, `source`, `tolerance` and `cases`. A case has a `spec`, a `corpus` (of
tests/golden/corpora) with its `system`, or its texts `inline`; what is `expected` of the corpus
score and its parts, and of the `segments`, maybe under another spec (`segment_spec`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from nlgauge import Corpus

GOLDEN = Path(__file__).parent / "golden"


@dataclass(frozen=True)
class Case:
    metric: str
    spec: str
    expected: dict[str, Any]
    tolerance: float
    corpus: str = ""
    system: str = ""
    references: str = "all"
    unit_weights: bool = False
    inline: dict[str, Any] | None = None
    segments: list[float] | None = None
    segment_spec: str | None = None
    source: str = ""
    extra: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.spec}-{self.corpus or 'inline'}-{self.system}-{self.references}"

    def read(self) -> Corpus:
        if self.inline is not None:
            return Corpus.build(**self.inline)
        rows = [row for row in read_corpus(self.corpus) if row["system"] == self.system]
        refs = [[one_line(r) for r in row["references"]] for row in rows]
        if self.references != "all":
            k = ("first", "second").index(self.references)
            refs = [r[k : k + 1] for r in refs]
        weights = [[1.0] * len(r) for r in refs] if self.unit_weights else None
        hyps = [one_line(row["hypothesis"]) for row in rows]
        return Corpus.build(hyps, refs, reference_weights=weights)


def one_line(text: str) -> str:
    return text.replace("\n", " ")


@cache
def read_corpus(name: str) -> list[dict[str, Any]]:
    path = GOLDEN / "corpora" / f"{name}.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def metrics_with_golden_files() -> set[str]:
    return {path.stem for path in GOLDEN.glob("*.json")}


def cases() -> Iterator[Case]:
    for path in sorted(GOLDEN.glob("*.json")):
        content = json.loads(path.read_text(encoding="utf-8"))
        for case in content["cases"]:
            case.setdefault("tolerance", content["tolerance"])
            yield Case(metric=content["metric"], **case)

"""Reads the golden files: what official tools, papers and hand calculations say.

A file has `metric`, `source`, `tolerance` and `cases`. A case has a `spec`, a `corpus` (of
tests/golden/corpora) with its `system`, or its texts `inline`; what is `expected` of the corpus
score and its parts, and of the `segments`, maybe under another spec (`segment_spec`). GOLDEN in
a spec is the folder of the golden files. A judge's case has the `replies` that a server gives to
each output (of a comparison: to "first | second"), or the probabilities of its `grades`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from nlgauge import Corpus, RunContext
from nlgauge.core import options
from nlgauge.data import JudgeServer

GOLDEN = Path(__file__).parents[1] / "golden"


@dataclass(frozen=True)
class Case:
    metric: str
    spec: str
    expected: dict[str, Any]
    tolerance: float
    corpus: str = ""
    system: str = ""
    references: str = "all"
    without: tuple[str, ...] = ()
    lines: bool = False  # texts keep their line breaks
    unit_weights: bool = False
    inline: dict[str, Any] | None = None
    segments: list[float] | None = None
    segment_spec: str | None = None
    source: str = ""
    extra: dict[str, Any] = field(default_factory=dict)
    replies: dict[str, str] = field(default_factory=dict)  # of a judge, by the output
    grades: dict[str, dict[str, float]] = field(default_factory=dict)  # and their probabilities

    def __str__(self) -> str:
        return f"{self.spec}-{self.corpus or 'inline'}-{self.system}-{self.references}"

    def read(self) -> Corpus:
        if self.inline is not None:
            return Corpus.build(**self.inline)
        rows = [
            row
            for row in read_corpus(self.corpus)
            if row["system"] == self.system and row["id"] not in self.without
        ]
        as_read = str if self.lines else one_line
        refs = [[as_read(r) for r in row["references"]] for row in rows]
        if self.references != "all":
            chosen = ("first", "second").index(self.references)
            refs = [r[chosen : chosen + 1] for r in refs]
        weights = [[1.0] * len(r) for r in refs] if self.unit_weights else None
        hyps = [as_read(row["hypothesis"]) for row in rows]
        columns = {
            f"{name}s": [row[name] for row in rows]
            for name in ("source", "context", "table", "annotation")
            if name in rows[0]
        }
        return Corpus.build(hyps, refs, reference_weights=weights, **columns)


@contextmanager
def served(case: Case) -> Iterator[Corpus]:
    """The texts of a case; for a judge, with a server that gives the replies of the case."""
    if not case.replies and not case.grades:
        yield case.read()
        return
    from support.judge_host import scripted_host

    with scripted_host(case.replies, case.grades) as host:
        server = JudgeServer(url=host.url, most_unusable=1.0)
        yield case.read().within(RunContext(judge=server))


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
            case["spec"] = case["spec"].replace("GOLDEN", options.encode(str(GOLDEN)))
            yield Case(metric=content["metric"], **case)

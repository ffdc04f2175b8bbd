"""The evaluation plane on real judgements: where do the maxima lie, and where should they?

python benchmarks/studies/evaluation_plane.py DATA_DIR

DATA_DIR holds summeval.jsonl.gz (records with a field `human`), and wmt18_sys_toen.jsonl.gz
(records with `lang_pair` and `hypotheses`) beside wmt18_sys_da.json ({pair: {system: rating}}).
"""

from __future__ import annotations

import gzip
import json
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
from rich.console import Console

from nlgauge.core.outputs import OutputScores
from nlgauge.data.corpus import Suite
from nlgauge.data.judgements import Judgements
from nlgauge.io.judgements.judged_outputs import read_outputs
from nlgauge.meta.choose.plane import Plane, Planes, evaluation_plane
from nlgauge.meta.correlation.paired_scores import PairedScores
from nlgauge.report.tables.meta.plane_tables import plane_grids
from nlgauge.report.tables.printing import print_grids
from nlgauge.run.scoring import score_outputs, score_suite

FAMILY = "aev"


def summeval(folder: Path, level: str) -> Planes:
    outputs, judgements = read_outputs(folder / "summeval.jsonl.gz")
    assert judgements is not None
    scores = score_outputs(outputs, [FAMILY])
    paired = PairedScores(scores=scores, judgements=judgements, groups={})
    return evaluation_plane(paired, task="summarisation", level=level)  # type: ignore[arg-type]


def wmt18(folder: Path) -> Planes:
    """One plane per language pair, and the mean of their R²."""
    ratings = json.loads((folder / "wmt18_sys_da.json").read_text(encoding="utf-8"))
    records: dict[str, list[dict]] = {}
    with gzip.open(folder / "wmt18_sys_toen.jsonl.gz", "rt", encoding="utf-8") as file:
        for record in map(json.loads, file):
            records.setdefault(record["lang_pair"], []).append(record)
    planes: list[Plane] = []
    for pair, rows in sorted(records.items()):
        if pair == "tr-en":  # its ratings look wrong
            continue
        systems = {s: [row["hypotheses"][s] for row in rows] for s in rows[0]["hypotheses"]}
        suite = Suite.build(systems, [row["references"] for row in rows])
        judgements = Judgements.build(
            [{"system": s, "criterion": "da", "value": v} for s, v in ratings[pair].items()]
        )
        paired = PairedScores(
            scores=OutputScores.of_table(score_suite(suite, [FAMILY])),
            judgements=judgements,
            groups={},
        )
        found = evaluation_plane(paired, task="mt")
        planes += (replace(plane, group=pair) for plane in found.planes)
    mean = np.sqrt(np.mean([plane.r2 for plane in planes], axis=0))
    points = sum(plane.points for plane in planes)
    planes.append(replace(planes[0], group="mean of R²", r=mean, points=points))
    return Planes(tuple(planes), "MT", found.signature)


def main() -> None:
    folder, out = Path(sys.argv[1]), Console(width=140)
    for name, compute in (
        ("summeval, systems", lambda: summeval(folder, "system")),
        ("summeval, segments", lambda: summeval(folder, "segment")),
        ("wmt18, systems", lambda: wmt18(folder)),
    ):
        start = time.perf_counter()
        planes = compute()
        out.print(f"{name}: {time.perf_counter() - start:.1f} s with reading", style="bold")
        print_grids(plane_grids(planes), out)


if __name__ == "__main__":
    main()

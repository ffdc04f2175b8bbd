"""Systems and sets of metrics measured by human summaries alone (Amigó et al., 2005)."""

from __future__ import annotations

from nlgauge.experiments.experiment import ComparedRow, ComparedTable, ExperimentData
from nlgauge.io.texts.suites import read_suite
from nlgauge.meta.without_people.metric_sets import Qarla, qarla
from nlgauge.meta.without_people.similarities import similarities

BEST = ("sim-rpre(variant=w,words=content)", "sim-tvm")  # the paper's best set
METRICS = (
    *(f"sim-r(variant={v})" for v in "12lw"),
    *(f"sim-rpre(variant={v})" for v in "12l"),
    BEST[0],
    "sim-tvm(size=8)",
    BEST[1],
    "sim-avls",
)


def run(given: ExperimentData) -> list[ComparedTable]:
    """Return KING of metrics and of their best set, and QUEEN of systems and people."""
    suite = read_suite(given.files["summaries"])
    found = similarities(suite, METRICS, threads=given.threads)
    result = qarla(found, sets=[BEST])
    alone = max(result.single, key=lambda one: one.king)
    gain = 100 * (result.best.king / alone.king - 1) if alone.king else float("nan")
    papers = result.given[0]
    notes = (
        f"ours: {len(result.peers)} systems and {len(result.models)} people on {result.used} texts",
        "the paper's: DUC 2004, tasks 2 and 5",
    )
    sets = [
        ComparedRow("best set", (", ".join(result.best.metrics),), ("Rpre-W-1.2.b, TVM.512",)),
        ComparedRow("best metric alone", (alone.metrics[0],), ("Rpre-W-1.2.b",)),
    ]
    kings = [
        ComparedRow("KING of the best set", (result.best.king,), (None,)),
        ComparedRow("KING of the best metric alone", (alone.king,), (None,)),
        ComparedRow("gain of the set, in per cent", (gain,), ("17 and 23",)),
        ComparedRow("KING of the paper's set", (papers.king,), (None,)),
        ComparedRow("JACK of the paper's set", (papers.jack,), (None,)),
    ]
    return [
        ComparedTable(
            "Which metrics tell people from systems",
            ("metrics",),
            ("metrics",),
            sets,
            notes,
            label="what",
        ),
        ComparedTable("How well they do", ("value",), ("value",), kings, notes, label="what"),
        _queens(result, notes),
    ]


def _queens(result: Qarla, notes: tuple[str, ...]) -> ComparedTable:
    names = (*result.peers, *result.models)
    values = dict(zip(names, result.given[0].queens.tolist(), strict=True))
    ordered = sorted(names, key=lambda name: -values[name])
    rows = [
        ComparedRow(
            f"{name} ({'person' if name in result.models else 'system'})", (values[name],), (None,)
        )
        for name in ordered
    ]
    lowest = min(values[name] for name in result.models)
    highest = max(values[name] for name in result.peers)
    above = "yes" if lowest > highest else "no"
    rows.append(ComparedRow("all people above all systems", (above,), ("yes",)))
    return ComparedTable(
        "QUEEN by the paper's set", ("QUEEN",), ("QUEEN",), rows, notes, label="summaries"
    )

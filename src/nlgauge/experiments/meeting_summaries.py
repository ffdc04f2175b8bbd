"""Four summarisers of meetings, by metrics and by what people said (Murray et al., 2005)."""

from __future__ import annotations

from nlgauge.baselines.document import Length
from nlgauge.baselines.feature_based.extract_table import held_out_models, summarise_all
from nlgauge.core.table import ScoreTable
from nlgauge.data.corpus import Suite
from nlgauge.errors import DataError
from nlgauge.experiments.experiment import ComparedRow, ComparedTable, ExperimentData, OurFigure
from nlgauge.io.annotations.extracts import read_marked
from nlgauge.run.scoring import score_suite

# What people said of important points, on manual and on automatic transcripts (tables 1 and 2).
PAPER = {
    "fb1": (5.03, 3.53),
    "fb2": (4.83, 3.50),
    "mmr": (4.67, 3.73),
    "lsa": (4.53, 4.13),
    "lead": (None, None),
    "random": (None, None),
}
SHARE = 0.2


def run(given: ExperimentData) -> list[ComparedTable]:
    """Return ROUGE of each summariser, and how far it extracts what people did."""
    documents = read_marked(given.files["meetings"])
    if len(documents) < 2:
        raise DataError(f"{len(documents)} meeting; FB1 and FB2 learn from others, so give two")
    models = held_out_models(documents, folds=len(documents))
    found = summarise_all(documents, models, length=Length(share=SHARE), seed=given.seed)
    suite = Suite.build(found.texts, [document.summaries for document in documents])
    table = score_suite(
        suite, ["rouge-1", "rouge-2"], confidence=True, seed=given.seed, threads=given.threads
    )
    rows = [
        ComparedRow(
            name,
            (
                _score(table, name, "rouge-1"),
                _score(table, name, "rouge-2"),
                float(found.overlap(name).mean()),
            ),
            paper,
        )
        for name, paper in PAPER.items()
    ]
    return [
        ComparedTable(
            "Summarisers of meetings",
            ("ROUGE-1", "ROUGE-2", "F1 with extracts"),
            ("people, manual", "people, ASR"),
            rows,
            (
                f"ours: {len(documents)} meetings, each summarised by what the others teach, "
                f"{100 * SHARE:g} % of the sentences",
                "the paper's: six ICSI meetings, how far people agreed that the important points "
                "are in the summary; ROUGE is shown in pictures only",
                "Spearman's correlation of ROUGE-1 and what people said is .500 on ASR there, and "
                ".388 over all eight; `nlgauge meta` computes it where people judged summaries",
            ),
            label="summariser",
        )
    ]


def _score(table: ScoreTable, system: str, metric: str) -> OurFigure:
    score = table.score(system, metric)
    interval = table.intervals.get((system, metric))
    bounds = (None, None) if interval is None else (interval.low, interval.high)
    return OurFigure(score.score, *bounds)

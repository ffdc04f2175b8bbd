"""Accuracies of a realiser and of its baseline (Bangalore, Rambow and Whittaker, 2000)."""

from __future__ import annotations

from nlgauge.baselines.realisation.accuracies import score_realisations
from nlgauge.baselines.realisation.fergus import METHODS, Fergus
from nlgauge.baselines.realisation.lexeme_tree import LexemeTree
from nlgauge.experiments.experiment import ComparedRow, ComparedTable, ExperimentData, OurFigure
from nlgauge.io.annotations.conllu import read_conllu
from nlgauge.run.comparison import compare

# LR and FERGUS in tables 2 and 4.
PAPER = {
    "ssa": (0.41, 0.58),
    "gsa": (0.56, 0.72),
    "sta": (0.41, 0.65),
    "gta": (0.63, 0.76),
    "ua": (-0.08, 0.44),
    "qla": (-0.12, 0.42),
}


def run(given: ExperimentData) -> list[ComparedTable]:
    """Return all accuracies with intervals, and the tests of FERGUS against LR."""
    train, test = (
        [s.parse for path in given.files[name] for s in read_conllu(path)]
        for name in ("train", "test")
    )
    realiser = Fergus.train(train, where=", ".join(given.files["train"]), seed=given.seed)
    trees = [LexemeTree.of(parse) for parse in test]
    realised: dict[str, list[str]] = {
        method: [
            own[0].text for own in realiser.realise(trees, method=method, threads=given.threads)
        ]
        for method in METHODS
    }
    table, _ = score_realisations(test, realised, metrics=list(PAPER), threads=given.threads)
    result = compare(table, baseline="lr", seed=given.seed, threads=given.threads)
    scores = {(s.system, s.metric): s for s in result.scores}
    rows = []
    for metric, paper in PAPER.items():
        figures = [OurFigure.of(scores[method, metric]) for method in METHODS]
        p_value = result.difference("fergus", "lr", metric).p_value
        rows.append(ComparedRow(metric, (*figures, p_value), paper))
    note = (
        f"ours: {len(test)} trees, learnt from {len(train)}; the paper's: 100 sentences of the "
        "Wall Street Journal, learnt from a million words"
    )
    return [
        ComparedTable(
            "Accuracies of realised sentences",
            (*METHODS, "p of fergus against lr"),
            ("lr", "fergus"),
            rows,
            (note, "p: approximate randomisation, two-sided"),
            format=".4f",
            label="accuracy",
        )
    ]

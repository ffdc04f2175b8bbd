"""What tests say of a reranker, and of rerankers that are alike (Riezler and Maxwell, 2005).

N-best lists come from a realiser. It learns from one half of the treebank, the reranker from lists
of the other half; both are compared on the test trees.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from nlgauge.baselines.realisation.fergus import Fergus, nbest_lists
from nlgauge.baselines.realisation.lexeme_tree import LexemeTree
from nlgauge.baselines.reranking.candidate_features import FeatureSettings
from nlgauge.baselines.reranking.reranker import Reranker, chosen_texts
from nlgauge.core.table import ScoreTable
from nlgauge.data.corpus import Suite
from nlgauge.data.parses import Parse
from nlgauge.errors import DataError, ResourceMissing
from nlgauge.experiments.experiment import ComparedRow, ComparedTable, ExperimentData, Figure
from nlgauge.io.annotations.conllu import read_conllu
from nlgauge.io.texts.nbest import NBestCandidate, NBestList
from nlgauge.metrics.syntax.relations import DepF
from nlgauge.run.comparison import Comparison, compare
from nlgauge.run.scoring import score_suite
from nlgauge.stats.multiplicity import experiment_wise_error

BEST = 20  # candidates of a list
SETTINGS = FeatureSettings((2, 3), 2)
ORACLE = "sentbleu(tokenizer=none)"
METRICS = {"nist": "nist(tokenizer=none)", "bleu": "bleu(tokenizer=none)", "dep-f": "dep-f"}
# Baseline, reranker, and p by approximate randomisation and bootstrap (table 1).
PAPER = {
    "nist": (6.43, 6.58, "< .0001", "< .0001"),
    "bleu": (0.301, 0.298, 0.158, 0.1),
    "dep-f": (0.385, 0.383, 0.424, None),
}
ALIKE = ((0.03, 0.014), (0.025, 0.013), (0.05, 0.028), (0.079, 0.039), (0.028, 0.013))  # table 2
COLUMNS = ("baseline", "reranked", "p, randomisation", "p, bootstrap")
TESTS = ("randomisation", "bootstrap-shift")


def run(given: ExperimentData) -> list[ComparedTable]:
    """Return the tests of the reranker and of variants of it with irrelevant features."""
    train, test = (
        [s.parse for path in given.files[name] for s in read_conllu(path)]
        for name in ("train", "test")
    )
    if len(train) < 4:
        raise DataError(f"{len(train)} trees to learn from; give at least 4")
    realiser = Fergus.train(train[0::2], seed=given.seed)
    lists = _lists(realiser, train[1::2], given)
    references = [[" ".join(parse.words)] for parse in train[1::2]]
    tested = _lists(realiser, test, given)
    chosen = {"baseline": [each.candidates[0].text for each in tested]}
    rng = np.random.default_rng(given.seed)
    for number in range(1, len(ALIKE) + 2):
        # The first has no irrelevant features; the others a few more each.
        own, seen = (_disturbed(each, number - 1, rng) for each in (lists, tested))
        reranker = Reranker.train(
            own, references, oracle=ORACLE, settings=SETTINGS, threads=given.threads
        )
        chosen[f"system {number}"] = chosen_texts(seen, reranker.choices(seen))
    suite = Suite.build(chosen, [" ".join(parse.words) for parse in test])
    table = _scored(suite, given)
    return [_table_of_tests(table, given, len(test)), _table_of_variants(table, given)]


def _lists(realiser: Fergus, parses: Sequence[Parse], given: ExperimentData) -> list[NBestList]:
    """Return n-best lists of trees; a tree with one order has the same candidate twice."""
    trees = [LexemeTree.of(parse) for parse in parses]
    return nbest_lists(realiser.realise(trees, best=BEST, threads=given.threads))


def _disturbed(lists: Sequence[NBestList], count: int, rng: np.random.Generator) -> list[NBestList]:
    """Add features that say nothing new: the score of the search with a little noise."""
    return [
        replace(
            each,
            candidates=tuple(
                NBestCandidate(
                    c.text,
                    {
                        **c.features,
                        **{
                            f"copy{k}": c.features["search"] + float(rng.normal(0, 0.5))
                            for k in range(count)
                        },
                    },
                )
                for c in each.candidates
            ),
        )
        for each in lists
    ]


def _scored(suite: Suite, given: ExperimentData) -> ScoreTable:
    """Score all systems, with dependencies if there is a parser, and with short names."""
    metrics = dict(METRICS)
    try:
        DepF().resources()
    except ResourceMissing:
        del metrics["dep-f"]
    table = score_suite(suite, list(metrics.values()), threads=given.threads)
    columns = (replace(c, name=name) for c, name in zip(table.columns, metrics, strict=True))
    return replace(table, columns=tuple(columns))


def _compared(
    table: ScoreTable, baseline: str, others: Sequence[str], given: ExperimentData
) -> list[Comparison]:
    pairs = [(other, baseline) for other in others]
    return [
        compare(table, pairs=pairs, test=test, seed=given.seed, threads=given.threads)
        for test in TESTS
    ]


def _table_of_tests(table: ScoreTable, given: ExperimentData, size: int) -> ComparedTable:
    first, second = _compared(table, "baseline", ["system 1"], given)
    rows = []
    for metric, paper in PAPER.items():
        if metric not in first.metrics:
            rows.append(ComparedRow(metric, (None,) * len(paper), paper))
            continue
        scores = {s.system: s for s in first.scores if s.metric == metric}
        scale = first.scales[first.metrics.index(metric)]
        figures = []
        for name in ("baseline", "system 1"):
            value, interval = scores[name].score / scale, scores[name].interval
            bounds = (None, None)
            if interval is not None:
                bounds = (interval.low / scale, interval.high / scale)
            figures.append(Figure(value, *bounds))
        tests = [c.difference("system 1", "baseline", metric).p_value for c in (first, second)]
        rows.append(ComparedRow(metric, (*figures, *tests), paper))
    return ComparedTable(
        "A reranker against the first candidates",
        COLUMNS,
        COLUMNS,
        rows,
        (
            f"ours: {size} trees, {BEST}-best lists of a realiser; the paper's: 2,000 sentences of "
            "Europarl, 1000-best lists",
            "dep-f: the F-score of dependencies; it needs a parser (nlgauge fetch syntax)",
        ),
        format=".4f",
    )


def _table_of_variants(table: ScoreTable, given: ExperimentData) -> ComparedTable:
    others = [f"system {number}" for number in range(2, len(ALIKE) + 2)]
    found = _compared(table, "system 1", others, given)
    rows = [
        ComparedRow(
            f"{other} against system 1",
            tuple(c.difference(other, "system 1", "bleu").p_value for c in found),
            paper,
        )
        for other, paper in zip(others, ALIKE, strict=True)
    ]
    error = experiment_wise_error(0.05, len(others))
    return ComparedTable(
        "p-values of rerankers that differ in irrelevant features",
        COLUMNS[2:],
        COLUMNS[2:],
        rows,
        (
            f"differences by BLEU; {len(others)} comparisons at .05 each have a chance of "
            f"{error:.3f} of a false alarm",
        ),
    )

"""What tests say of a reranker, and of rerankers that are alike (Riezler and Maxwell, 2005).

If no n-best lists are given, they come from a realiser: it learns from one half of a treebank, the
reranker from lists of the other half, and both are compared on the test trees.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from nlgauge.baselines.realisation.fergus import Fergus, nbest_lists
from nlgauge.baselines.realisation.lexeme_tree import LexemeTree
from nlgauge.baselines.reranking.candidate_features import FeatureSettings
from nlgauge.baselines.reranking.reranker import Reranker, chosen_texts
from nlgauge.core.facts.choices import PairedTest
from nlgauge.core.table import ScoreTable
from nlgauge.data.corpus import Suite
from nlgauge.data.parses import Parse
from nlgauge.errors import DataError, ResourceMissing, SpecError
from nlgauge.experiments.experiment import ComparedRow, ComparedTable, ExperimentData, OurFigure
from nlgauge.io.annotations.conllu import read_conllu
from nlgauge.io.files import read_lines
from nlgauge.io.texts.nbest import NBestCandidate, NBestList, read_nbest
from nlgauge.metrics.syntax.relations import DepF
from nlgauge.run.comparison import Comparison, compare
from nlgauge.run.scoring import score_suite
from nlgauge.stats.multiplicity import experiment_wise_error

BEST = 20  # candidates of a list
SETTINGS = FeatureSettings((2, 3), 2)
ORACLE = "sentbleu(tokenizer=none)"
METRICS = {"nist": "nist(tokenizer=none)", "bleu": "bleu(tokenizer=none)", "dep-f": "dep-f"}
# Scores of baseline and reranker, and p by approximate randomisation and bootstrap (table 1).
PAPER: dict[str, tuple[tuple[float, float], tuple[float | str | None, ...]]] = {
    "nist": ((6.43, 6.58), ("< .0001", "< .0001")),
    "bleu": ((0.301, 0.298), (0.158, 0.1)),
    "dep-f": ((0.385, 0.383), (0.424, None)),
}
ALIKE = ((0.03, 0.014), (0.025, 0.013), (0.05, 0.028), (0.079, 0.039), (0.028, 0.013))  # table 2
SYSTEMS, TESTED = ("baseline", "reranked"), ("randomisation", "bootstrap")
LISTS = {"train-lists", "train-references", "test-lists", "test-references"}
TESTS: tuple[PairedTest, ...] = ("randomisation", "bootstrap-shift")


def run(given: ExperimentData) -> list[ComparedTable]:
    """Return the tests of the reranker and of variants of it with irrelevant features."""
    (lists, references), (tested, right) = _given_lists(given) or _realised_lists(given)
    chosen = {"baseline": [each.candidates[0].text for each in tested]}
    rng = np.random.default_rng(given.seed)
    for number in range(1, len(ALIKE) + 2):
        # The first has no irrelevant features; the others a few more each.
        own, seen = (_disturbed(each, number - 1, rng) for each in (lists, tested))
        reranker = Reranker.train(
            own, references, oracle=ORACLE, settings=SETTINGS, threads=given.threads
        )
        chosen[f"system {number}"] = chosen_texts(seen, reranker.choices(seen))
    table = _scored(Suite.build(chosen, right), given)
    return [*_tables_of_tests(table, given), _table_of_variants(table, given)]


Lists = tuple[list[NBestList], list[list[str]]]  # with the references of each


def _given_lists(given: ExperimentData) -> tuple[Lists, Lists] | None:
    """Read n-best lists and their references, if they were given."""
    if not LISTS & given.files.keys():
        return None
    if missing := LISTS - given.files.keys():
        raise SpecError(f"no data {', '.join(sorted(missing))}; give lists and references of both")
    found = []
    for part in ("train", "test"):
        lists = read_nbest(given.files[f"{part}-lists"])
        columns = [list(read_lines(path)) for path in given.files[f"{part}-references"]]
        if any(len(column) != len(lists) for column in columns):
            raise DataError(
                f"{part}: {len(lists)} n-best lists, and references with "
                f"{', '.join(str(len(column)) for column in columns)} lines; give one for each list"
            )
        found.append((lists, [list(row) for row in zip(*columns, strict=True)]))
    return found[0], found[1]


def _realised_lists(given: ExperimentData) -> tuple[Lists, Lists]:
    """Make n-best lists of trees: of the half that the realiser did not see, and of the test."""
    if not {"train", "test"} <= given.files.keys():
        raise SpecError("give train and test, treebanks in CoNLL-U, or n-best lists of both")
    train, test = (
        [s.parse for path in given.files[name] for s in read_conllu(path)]
        for name in ("train", "test")
    )
    if len(train) < 4:
        raise DataError(f"{len(train)} trees to learn from; give at least 4")
    realiser = Fergus.train(train[0::2], seed=given.seed)
    parts = [
        (_lists(realiser, parses, given), [[" ".join(parse.words)] for parse in parses])
        for parses in (train[1::2], test)
    ]
    return parts[0], parts[1]


def _lists(realiser: Fergus, parses: Sequence[Parse], given: ExperimentData) -> list[NBestList]:
    """Return n-best lists of trees."""
    trees = [LexemeTree.of(parse) for parse in parses]
    return nbest_lists(realiser.realise(trees, best=BEST, threads=given.threads))


def _disturbed(lists: Sequence[NBestList], count: int, rng: np.random.Generator) -> list[NBestList]:
    """Add features that say nothing new: the sum of all others with a little noise."""
    return [
        replace(
            each,
            candidates=tuple(
                NBestCandidate(
                    c.text,
                    {
                        **c.features,
                        **{
                            f"copy{k}": sum(c.features.values()) + float(rng.normal(0, 0.5))
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
    columns = (c._replace(name=name) for c, name in zip(table.columns, metrics, strict=True))
    return replace(table, columns=tuple(columns))


def _compared(
    table: ScoreTable, baseline: str, others: Sequence[str], given: ExperimentData
) -> list[Comparison]:
    pairs = [(other, baseline) for other in others]
    return [
        compare(table, pairs=pairs, test=test, seed=given.seed, threads=given.threads)
        for test in TESTS
    ]


def _tables_of_tests(table: ScoreTable, given: ExperimentData) -> list[ComparedTable]:
    found = _compared(table, "baseline", ["system 1"], given)
    scores = {(s.system, s.metric): s for s in found[0].scores}
    rows: list[ComparedRow] = []
    tests: list[ComparedRow] = []
    for metric, (values, p_values) in PAPER.items():
        figures: tuple[OurFigure | None, ...] = (None, None)
        ours: tuple[float | None, ...] = (None, None)
        if metric in found[0].metrics:
            scale = found[0].scales[found[0].metrics.index(metric)]
            names = ("baseline", "system 1")
            figures = tuple(OurFigure.of(scores[name, metric], scale) for name in names)
            ours = tuple(c.difference("system 1", "baseline", metric).p_value for c in found)
        rows.append(ComparedRow(metric, figures, values))
        tests.append(ComparedRow(metric, ours, p_values))
    notes = (
        f"ours: {table.segments} lists; the paper's: 2,000 sentences of Europarl, 1000-best lists",
        "dep-f: the F-score of dependencies; it needs a parser (nlgauge fetch syntax)",
    )
    return [
        ComparedTable(
            "A reranker and the first candidates", SYSTEMS, SYSTEMS, rows, notes, format=".4f"
        ),
        ComparedTable("p of their difference", TESTED, TESTED, tests, notes, format=".4f"),
    ]


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
        TESTED,
        TESTED,
        rows,
        (
            f"differences by BLEU; {len(others)} comparisons at .05 each have a chance of "
            f"{error:.3f} of a false alarm",
        ),
        label="comparison",
    )

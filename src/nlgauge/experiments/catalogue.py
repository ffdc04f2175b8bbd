"""List the experiments: where each is, what paper it is from, and which data it takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module

from nlgauge.errors import SpecError
from nlgauge.experiments.experiment import ComparedTable, DataNeed, ExperimentData

_JUDGED = DataNeed("judged", "outputs with judgements, as for `nlgauge meta`", ("judged.jsonl",))


@dataclass(frozen=True)
class Experiment:
    """An experiment has a paper whose design it follows, and a module that runs it."""

    title: str
    paper: str
    needs: tuple[DataNeed, ...]
    module: str


EXPERIMENTS: Mapping[str, Experiment] = {
    "plane": Experiment(
        "which n-gram metric explains most of the judgements",
        "Soricut and Brill (2004), A unified framework for automatic evaluation",
        (_JUDGED,),
        "plane_maxima",
    ),
    "order": Experiment(
        "rankings of systems by word order and by other metrics",
        "Isozaki et al. (2010), Automatic evaluation of translation quality for distant languages",
        (_JUDGED,),
        "order_ranking",
    ),
    "syntax": Experiment(
        "syntactic metrics and fluency",
        "Liu and Gildea (2005), Syntactic features for evaluation of machine translation",
        (
            _JUDGED,
            DataNeed("parses", "dependency parses of all texts (.conllu, .mrg)", optional=True),
            DataNeed("trees", "constituent trees of all texts (.mrg)", optional=True),
        ),
        "syntax_fluency",
    ),
    "preprocessing": Experiment(
        "preprocessing of texts and normalisation of judgements",
        "Leusch et al. (2005), Preprocessing and normalization for automatic evaluation",
        (_JUDGED,),
        "preprocessing_effects",
    ),
    "qarla": Experiment(
        "systems and sets of metrics measured by human summaries",
        "Amigó et al. (2005), QARLA: a framework for the evaluation of text summarization systems",
        (
            DataNeed(
                "summaries",
                "summaries of systems with three references or more, and `source`",
                ("summaries.jsonl",),
            ),
        ),
        "qarla_sets",
    ),
    "significance": Experiment(
        "what tests say of a reranker, and of systems that are alike",
        "Riezler and Maxwell (2005), On some pitfalls in automatic evaluation and significance",
        (
            DataNeed("train", "a treebank in CoNLL-U", ("treebank-train.conllu",), optional=True),
            DataNeed("test", "trees to make lists of", ("treebank-test.conllu",), optional=True),
            *(
                DataNeed(f"{part}-{what}", f"n-best lists, or their {what}", optional=True)
                for part in ("train", "test")
                for what in ("lists", "references")
            ),
        ),
        "significance_pitfalls",
    ),
    "meteor": Experiment(
        "METEOR, its stages and its parts",
        "Banerjee and Lavie (2005), METEOR: an automatic metric for MT evaluation",
        (_JUDGED,),
        "meteor_stages",
    ),
    "meeting": Experiment(
        "four summarisers of meetings",
        "Murray et al. (2005), Evaluating automatic summaries of meeting recordings",
        (
            DataNeed(
                "meetings",
                "marked documents, as for `nlgauge baseline fb`",
                ("meetings.jsonl",),
            ),
        ),
        "meeting_summaries",
    ),
    "generation": Experiment(
        "accuracies of a realiser and its baseline",
        "Bangalore et al. (2000), Evaluation metrics for generation",
        (
            DataNeed("train", "a treebank in CoNLL-U to learn from", ("treebank-train.conllu",)),
            DataNeed("test", "trees in CoNLL-U to realise", ("treebank-test.conllu",)),
        ),
        "generation_accuracies",
    ),
}


def run_experiment(name: str, data: ExperimentData | None = None) -> list[ComparedTable]:
    """Run the experiment of that name, on our examples unless files are given."""
    if name not in EXPERIMENTS:
        raise SpecError(f"experiment {name!r}: there are {', '.join(EXPERIMENTS)}")
    found = EXPERIMENTS[name]
    run = import_module(f"nlgauge.experiments.{found.module}").run
    tables: list[ComparedTable] = run((data or ExperimentData()).filled(found.needs))
    return tables

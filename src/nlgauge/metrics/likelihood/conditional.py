"""How probable a text is given its source, or given a reference: the family of BARTScore (Yuan et
al., 2021) and GPTScore (Fu et al., 2023).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from nlgauge.core.best_reference import ReferencePairs
from nlgauge.core.metric import Info, Mean
from nlgauge.core.options import option
from nlgauge.data.corpus import Corpus
from nlgauge.kernels import Floats
from nlgauge.metrics.likelihood.asking import LikelihoodMetric
from nlgauge.models.likelihood.language_model import HELP

PAPER = "Yuan, Neubig & Liu (2021), BARTScore: evaluating generated text as text generation"
CHECKED = "transformers, on the same weights"


@dataclass(frozen=True, kw_only=True)
class ConditionalLikelihood(Mean[None], LikelihoodMetric):
    """What metrics have in common that give a language model one text, and ask it for another."""

    model: str | None = option("smollm2", HELP)
    before: str = option("", "text before what is given, such as an instruction")
    between: str = option("\n", "text after what is given; models with an encoder do without it")

    def means(self, texts: Sequence[str], given: Sequence[str], *, threads: int) -> Floats:
        """Return the mean logarithm of each text's tokens, given another text."""
        between = self.between if self.language_model().one_run else ""
        prompts = [f"{self.before}{text}{between}" for text in given]
        return np.array([logs.mean() for logs in self.asked(texts, prompts, threads=threads)])


@dataclass(frozen=True, kw_only=True)
class SourceLikelihood(ConditionalLikelihood):
    """The mean logarithm of the probability of a text's tokens, given its source. With a checkpoint
    of BART it is BARTScore's faithfulness, with one that reads from left to right GPTScore.

    It is 0 at best. Texts that are usual anyway score well, whatever the source says: `perplexity`
    tells how much that is.
    """

    info: ClassVar[Info] = Info(
        name="likelihood-src",
        title="Likelihood given the source",
        family="likelihood",
        cell="CD·T·feature",
        tasks=("AS", "DG"),
        criteria=("faithfulness",),
        bounds=(float("-inf"), 0.0),
        scale=1.0,
        needs=("sources",),
        extras=("likelihood",),
        paper=PAPER,
        checked_against=CHECKED,
    )

    def segment_rows(self, corpus: Corpus, state: None, *, threads: int) -> Floats:
        """Compute the columns: the mean logarithm, and 1."""
        sources = list(corpus.sources or ())
        means = self.means(list(corpus.hypotheses), sources, threads=threads)
        return np.column_stack([means, np.ones(len(means))])


@dataclass(frozen=True, kw_only=True)
class ReferenceLikelihood(ConditionalLikelihood):
    """The mean logarithm of the probability of a text's tokens given the reference (precision), of
    the reference's given the text (recall), or the mean of both, as in BARTScore. The best of
    several references counts.
    """

    info: ClassVar[Info] = Info(
        name="likelihood-ref",
        title="Likelihood given the reference, and of it",
        family="likelihood",
        cell="CF·T·feature",
        tasks=("MT", "AS", "D2T"),
        criteria=("adequacy",),
        bounds=(float("-inf"), 0.0),
        scale=1.0,
        extras=("likelihood",),
        paper=PAPER,
        checked_against=CHECKED,
    )

    measure: Literal["precision", "recall", "both"] = option(
        "both", "text given reference, reference given text, or the mean of both"
    )

    def segment_rows(self, corpus: Corpus, state: None, *, threads: int) -> Floats:
        """Compute the columns: the score of the best reference, 1, and its precision and recall as
        far as they are asked for.
        """
        pairs = ReferencePairs.of(corpus.references)
        hyps, refs = pairs.repeated(list(corpus.hypotheses)), list(corpus.references.flat)
        columns = {
            "precision": lambda: self.means(hyps, refs, threads=threads),
            "recall": lambda: self.means(refs, hyps, threads=threads),
        }
        found = np.column_stack([columns[name]() for name in self._measures()])
        scores = found.mean(axis=1)
        best = pairs.chosen(scores)
        return np.column_stack([scores[best], np.ones(len(best)), found[best]])

    def _measures(self) -> tuple[str, ...]:
        return ("precision", "recall") if self.measure == "both" else (self.measure,)

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return the means of precision and recall."""
        means = totals[2:] / max(totals[1], 1)
        return dict(zip(self._measures(), means.tolist(), strict=True))

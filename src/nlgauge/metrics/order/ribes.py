"""RIBES: word order, precision and brevity as in its public tool (Hirao et al., 2014)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from nlgauge.core.metric import Info, MeanMetric
from nlgauge.core.options import option
from nlgauge.explain import builders
from nlgauge.explain.traces import Trace
from nlgauge.kernels import Floats, Kernel, native
from nlgauge.metrics.order.rank import mean_factors


@dataclass(frozen=True, kw_only=True)
class RIBES(MeanMetric):
    """NKT · P^alpha · BP^beta, with contexts as wide as it takes to tell equal words apart.

    NLTK's `ribes_score` is not this tool: it keeps case, looks to the right before the left, not
    always at the widest context, and knows no one-word references. Before 3.10 it also counted
    only pairs in runs of consecutive words.
    """

    info: ClassVar[Info] = Info(
        name="ribes",
        title="Rank-based Intuitive Bilingual Evaluation Score",
        family="order",
        cell="CF·U·word-other",
        tasks=("MT",),
        criteria=("adequacy",),
        scale=1.0,
        paper="Hirao et al. (2014), Evaluating translation quality with word order correlations",
        checked_against="RIBES.py 1.03.1; NLTK 3.10.4 (profile=nltk)",
    )

    tokenizer: str = option("none", "how texts are split into words")
    lowercase: bool = option(True, "ignore case; no is the tool's -c")
    alpha: float = option(0.25, "exponent of the precision", low=0.0, high=100.0)
    beta: float = option(0.10, "exponent of the brevity penalty", low=0.0, high=100.0)
    skip_empty: bool = option(
        True, "leave out segments whose references are all empty, the tool's -z; no: they score 0"
    )
    profile: Literal["official", "nltk"] = option(
        "official",
        "nltk: its contexts, and 0 for single words; its other habits are lowercase=no and "
        "skip_empty=no",
    )

    @property
    def _contexts(self) -> str:
        return "ribes" if self.profile == "official" else "nltk"

    def kernel(self, state: None = None) -> Kernel:
        """Return the kernel, whose columns are score, 1, NKT, P, R, BP, reference words in the
        list, |h|, |r|.
        """
        return native.WordOrder(
            measure="kendall",
            contexts=self._contexts,
            order=1.0,
            precision=self.alpha,
            recall=0.0,
            f=0.0,
            brevity=self.beta,
            beta=1.0,
            bend=False,
            skip_empty=self.skip_empty,
            distance=False,
        )

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return means of the factors over segments."""
        return mean_factors(totals)

    def trace_words(self, hyp: list[str], ref: list[str]) -> Trace:
        """Show the words whose order is compared."""
        return builders.linked(hyp, ref, native.word_order(hyp, ref, contexts=self._contexts))

"""Comparison of two texts by a language model, in both orders (Zheng et al., 2023)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from nlgauge.core.info import Info
from nlgauge.core.options import option
from nlgauge.data.corpus import Corpus
from nlgauge.kernels import Floats
from nlgauge.metrics.judge.judge_metric import SPREAD, JudgeMetric, Verdict
from nlgauge.metrics.judge.verdicts import read_choice
from nlgauge.models.judges.chat_replies import ReplyChoice
from nlgauge.models.judges.questions import JudgeQuestion

_COLUMNS = ("comparisons", "ties", "disagreements", "first", "second")


def joined(shown_first: float, shown_second: float) -> float:
    """Return the verdict on a text from what was said when it stood first, and when second: each 1
    if the first text won, 0 if the second did, and 0.5 for a tie. A win counts if both orders agree
    on it; otherwise it is a tie.
    """
    won = (shown_first, 1.0 - shown_second)
    return won[0] if won[0] == won[1] else 0.5


@dataclass(frozen=True, kw_only=True)
class JudgePairwise(JudgeMetric):
    """The share of comparisons that an output wins against its references, as a language model
    judges them; ties count half.

    The references may be another system's outputs. Every pair is shown in both orders; if the order
    changes the verdict, it is a tie, and counts as a disagreement.
    """

    kind: ClassVar = ("choice",)
    further: ClassVar[int] = len(_COLUMNS)
    info: ClassVar[Info] = Info(
        name="judge-pairwise",
        title="Comparisons by a language model",
        family="judge",
        cell="CD·T·e2e",
        tasks=("DG", "AS", "MT"),
        uses=("sources", "contexts"),
        extras=("judge",),
        paper="Zheng et al. (2023), Judging LLM-as-a-judge with MT-bench and chatbot arena",
        checked_against="hand calculation",
    )

    prompt: str = option("pairwise", "name of a prompt that ships, or a file of one's own (.toml)")

    def questions(self, corpus: Corpus) -> Sequence[tuple[int, int]]:
        """Return two questions for each reference: the output first, and the output second."""
        counts = corpus.references.counts.tolist()
        return [(i, k) for i, count in enumerate(counts) for k in range(2 * count)]

    def question(self, corpus: Corpus, i: int, k: int) -> JudgeQuestion:
        """Return the comparison with reference `k // 2`; the output stands second if `k` is odd."""
        reference, second = divmod(k, 2)
        pair = [corpus.hypotheses[i], corpus.references[i][reference]]
        first, other = reversed(pair) if second else pair
        texts = self.texts(corpus, i) | {"first": [first], "second": [other]}
        return self.worded(texts)

    def verdict(self, corpus: Corpus, i: int, replies: Sequence[Sequence[ReplyChoice]]) -> Verdict:
        """Join the verdicts of both orders, reference by reference and sample by sample."""
        values, ties, disagreements, first, second = [], 0, 0, 0, 0
        refused = any(choice.refused for choices in replies for choice in choices)
        for k in range(0, len(replies), 2):
            for one, other in zip(replies[k], replies[k + 1], strict=True):
                said = [None if c.refused else read_choice(c.text) for c in (one, other)]
                if said[0] is None or said[1] is None:
                    continue
                values.append(joined(said[0], said[1]))
                ties += values[-1] == 0.5
                disagreements += said[0] != 1.0 - said[1]
                first += (said[0] == 1.0) + (said[1] == 1.0)
                second += (said[0] == 0.0) + (said[1] == 0.0)
        more = (len(values), ties, disagreements, first, second)
        return Verdict(values, "refused" if refused else "unparsed", more)

    def answer(self, k: int, choices: Sequence[ReplyChoice]) -> str:
        """Return what was answered, and in which order the texts were shown."""
        place = "second" if k % 2 else "first"
        return f"against reference {k // 2 + 1}, shown {place}: {super().answer(k, choices)}"

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Add the share of ties, how often the order changed the verdict, and how much more often
        the first text won than the second, whichever that was: 0 if the order does not matter.
        """
        found = super().parts(totals)
        pairs, ties, disagreements, first, second = totals[SPREAD + 1 :].tolist()
        if pairs:
            found |= {"ties": ties / pairs, "order_changed": disagreements / pairs}
            found["position_bias"] = (first - second) / (2 * pairs)
        return found

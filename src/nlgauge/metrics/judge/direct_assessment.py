"""Direct assessment by a language model: one number for each output (Kocmi and Federmann, 2023)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from nlgauge.core.info import Info
from nlgauge.core.options import option
from nlgauge.data.corpus import Corpus
from nlgauge.metrics.judge.judge_metric import JudgeMetric, Verdict, usable
from nlgauge.metrics.judge.verdicts import read_number
from nlgauge.models.judges.chat_replies import ReplyChoice


@dataclass(frozen=True, kw_only=True)
class JudgeDA(JudgeMetric):
    """A language model gives each output a number from 0 to 100, as in GEMBA-DA; the wording is
    our own.
    """

    kind: ClassVar = ("number",)
    info: ClassVar[Info] = Info(
        name="judge-da",
        title="Direct assessment by a language model",
        family="judge",
        cell="CD·T·e2e",
        tasks=("MT", "AS"),
        needs=(),
        uses=("sources", "references", "contexts"),
        extras=("judge",),
        paper="Kocmi and Federmann (2023), Large language models are state-of-the-art evaluators "
        "of translation quality",
        checked_against="hand calculation",
    )

    prompt: str = option("da", "name of a prompt that ships, or a file of one's own (.toml)")

    def verdict(self, corpus: Corpus, i: int, replies: Sequence[Sequence[ReplyChoice]]) -> Verdict:
        """Return the numbers of the replies, from 0 to 1."""
        prompt = self.template()
        low, high = prompt.lowest, prompt.highest
        values, failure = usable(replies[0], lambda text: read_number(text, low, high))
        return Verdict([(value - low) / (high - low) for value in values], failure)

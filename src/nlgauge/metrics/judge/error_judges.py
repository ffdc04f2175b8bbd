"""Error spans by a language model: MQM and ESA (Kocmi and Federmann, 2023; Kocmi et al., 2024)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from nlgauge.core.info import Info
from nlgauge.core.options import option
from nlgauge.data.corpus import Corpus
from nlgauge.data.error_spans import ErrorSpan
from nlgauge.explain.traces import MarkedText, Trace
from nlgauge.kernels import Floats
from nlgauge.metrics.judge.judge_metric import SPREAD, JudgeMetric, Verdict
from nlgauge.metrics.judge.verdicts import read_errors
from nlgauge.models.judges.chat_replies import ReplyChoice

# As in GEMBA-MQM: https://aclanthology.org/2023.wmt-1.64, section 3.
GEMBA_WEIGHTS: Mapping[str, float] = {"critical": 25.0, "major": 5.0, "minor": 1.0, "neutral": 0.0}
MOST = 25.0  # that the errors of a segment cost together
_COUNTED = ("critical", "major", "minor")


class ErrorJudge(JudgeMetric):
    """A judge whose replies list the errors of an output."""

    further: ClassVar[int] = len(_COUNTED) + 1  # errors by severity, and those not in the text

    @abstractmethod
    def value(self, errors: Sequence[ErrorSpan], score: Any) -> float | None:
        """Return the score of an output with these errors; None if the reply lacks it."""

    def verdict(self, corpus: Corpus, i: int, replies: Sequence[Sequence[ReplyChoice]]) -> Verdict:
        """Return the scores of the replies, and the errors of the first that can be read."""
        values: list[float] = []
        first: tuple[ErrorSpan, ...] = ()
        for choice in replies[0]:
            found = None if choice.refused else read_errors(choice.text, corpus.hypotheses[i])
            value = None if found is None else self.value(*found)
            if found is not None and value is not None:
                first = first if values else found[0]
                values.append(value)
        refused = any(choice.refused for choice in replies[0])
        counts = [sum(e.severity == name for e in first) for name in _COUNTED]
        lost = sum(error.start is None for error in first)
        return Verdict(values, "refused" if refused else "unparsed", (*counts, lost))

    def error_spans(self, corpus: Corpus) -> list[tuple[ErrorSpan, ...] | None]:
        """Return the errors that the judge finds in each output; None where there is no verdict."""
        found: list[tuple[ErrorSpan, ...] | None] = [None] * len(corpus)

        def read(i: int, replies: Sequence[Sequence[ReplyChoice]] | None) -> None:
            for choice in () if replies is None else replies[0]:
                errors = None if choice.refused else read_errors(choice.text, corpus.hypotheses[i])
                if errors is not None and self.value(*errors) is not None:
                    found[i] = errors[0]
                    return

        self._ask(corpus, self.questions(corpus), read)
        return found

    def traces(self, corpus: Corpus) -> list[Trace | None]:
        """Show the errors over each text."""
        note = f"errors that {self.judge} marked"
        found = zip(corpus.hypotheses, self.error_spans(corpus), strict=True)
        return [None if errors is None else MarkedText(hyp, errors, note) for hyp, errors in found]

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Add how many errors there are by severity, and how many are not in the text."""
        names = (*_COUNTED, "not_in_text")
        counts = totals[SPREAD + 1 :].tolist()
        return super().parts(totals) | dict(zip(names, map(int, counts), strict=True))


@dataclass(frozen=True, kw_only=True)
class JudgeMQM(ErrorJudge):
    """A language model lists errors; the score is minus the sum of their weights, as in GEMBA-MQM:
    25 for a critical error, 5 for a major one and 1 for a minor one, and at most 25 in all.
    """

    kind: ClassVar = ("errors",)
    info: ClassVar[Info] = Info(
        name="judge-mqm",
        title="Errors marked by a language model (MQM)",
        family="judge",
        cell="CD·T·e2e",
        tasks=("MT",),
        bounds=(-MOST, 0.0),
        scale=1.0,
        needs=(),
        uses=("sources", "references", "contexts"),
        extras=("judge",),
        paper="Kocmi and Federmann (2023), GEMBA-MQM: detecting translation quality error spans "
        "with GPT-4",
        checked_against="hand calculation",
    )

    prompt: str = option("mqm", "name of a prompt that ships, or a file of one's own (.toml)")
    max_tokens: int = option(1024, "most tokens of a reply", low=1, high=32_768)

    def value(self, errors: Sequence[ErrorSpan], score: Any) -> float:
        """Return minus the weights of the errors, and no less than -25."""
        total = sum(GEMBA_WEIGHTS[error.severity] for error in errors)
        return -min(MOST, total) if total else 0.0


@dataclass(frozen=True, kw_only=True)
class JudgeESA(ErrorJudge):
    """A language model marks errors, and then gives the output a number from 0 to 100."""

    kind: ClassVar = ("scored-errors",)
    info: ClassVar[Info] = Info(
        name="judge-esa",
        title="Error spans and a number by a language model (ESA)",
        family="judge",
        cell="CD·T·e2e",
        tasks=("MT",),
        needs=(),
        uses=("sources", "references", "contexts"),
        extras=("judge",),
        paper="Kocmi et al. (2024), Error span annotation: a balanced approach for human "
        "evaluation of machine translation",
        checked_against="hand calculation",
    )

    prompt: str = option("esa", "name of a prompt that ships, or a file of one's own (.toml)")
    max_tokens: int = option(1024, "most tokens of a reply", low=1, high=32_768)

    def value(self, errors: Sequence[ErrorSpan], score: Any) -> float | None:
        """Return the number of the reply, from 0 to 1."""
        prompt = self.template()
        low, high = prompt.lowest, prompt.highest
        if isinstance(score, bool) or not isinstance(score, int | float):
            return None
        return (score - low) / (high - low) if low <= score <= high else None

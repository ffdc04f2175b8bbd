"""Rubrics: a language model gives a number for one quality, and its doubts count (G-Eval)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

from nlgauge.core.info import Info
from nlgauge.core.options import option
from nlgauge.data.corpus import Corpus
from nlgauge.errors import ServerFailed, SpecError
from nlgauge.explain.traces import Trace
from nlgauge.kernels import Floats
from nlgauge.metrics.judge.judge_metric import SPREAD, JudgeMetric, Verdict, usable
from nlgauge.metrics.judge.verdicts import read_number, weighted_number
from nlgauge.models.judges.chat_client import NoLogProbabilities
from nlgauge.models.judges.chat_replies import ReplyChoice
from nlgauge.models.judges.questions import JudgeQuestion
from nlgauge.models.judges.spending import JudgeEstimate

CANDIDATES = 20  # the most that servers return
_ONE_DIGIT = 9  # longer numbers may be several tokens, whose probabilities are not those of numbers
_SHOWN = 5  # likeliest grades, in explanations


@contextmanager
def _need_of_probabilities() -> Iterator[None]:
    """Say what to do if a server refuses what was asked for."""
    try:
        yield
    except NoLogProbabilities as error:
        raise ServerFailed(
            f"judge-rubric: the server returns no probabilities ({error}); use weighting=samples"
        ) from None


@dataclass(frozen=True, kw_only=True)
class JudgeRubric(JudgeMetric):
    """A language model grades one quality; the score is the mean of the grades that it might have
    given, weighted by their probabilities.

    Where the server returns no probabilities, several replies are drawn and their mean is the
    score. `prompt` names the quality, or is a file of one's own.
    """

    kind: ClassVar = ("number",)
    alone: ClassVar[bool] = True
    further: ClassVar[int] = 1  # the probability of all grades together
    info: ClassVar[Info] = Info(
        name="judge-rubric",
        title="Grades for one quality by a language model",
        family="judge",
        cell="CD·T·e2e",
        tasks=("AS", "DG", "MT"),
        bounds=(1.0, 5.0),
        scale=1.0,
        needs=(),
        uses=("sources", "references", "contexts"),
        extras=("judge",),
        paper="Liu et al. (2023), G-Eval: NLG evaluation using GPT-4 with better human alignment",
        checked_against="hand calculation",
    )

    prompt: str = option("coherence", "coherence, consistency, fluency, relevance, or a file")
    weighting: Literal["auto", "probabilities", "samples"] = option(
        "auto", "what grades are weighted by; auto: probabilities, if the server returns them"
    )
    temperature: float = option(1.0, "how freely samples are drawn", low=0.0, high=2.0)
    samples: int = option(20, "replies that are drawn without probabilities", low=1, high=128)

    @property
    def bounds(self) -> tuple[float, float]:
        """Return the lowest and the highest grade of the prompt."""
        prompt = self.template()
        return float(prompt.lowest), float(prompt.highest)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.weighting == "probabilities" and self._long():
            raise SpecError(
                f"judge-rubric(prompt={self.prompt},weighting=probabilities): grades over "
                f"{_ONE_DIGIT} may be several tokens; use weighting=samples, or fewer grades"
            )

    def _long(self) -> bool:
        return self.template().highest > _ONE_DIGIT or self.template().lowest < 0

    def question(self, corpus: Corpus, i: int, k: int) -> JudgeQuestion:
        """Return the question; with `k` = 0 for the probabilities of grades, with 1 for samples."""
        if k == 0:
            # Probabilities are the same whatever is drawn; so nothing is left to chance.
            own: dict[str, Any] = {"temperature": 0.0, "top_logprobs": CANDIDATES}
            return self.worded(self.texts(corpus, i), **own)
        return self.worded(self.texts(corpus, i))

    def questions(self, corpus: Corpus) -> Sequence[tuple[int, int]]:
        """Return one question about each segment."""
        return [(i, int(self.weighting == "samples")) for i in range(len(corpus))]

    def inquiry(self, corpus: Corpus, listed: Sequence[tuple[int, int]]) -> Any:
        """Return the inquiry; for probabilities, one reply is enough."""
        found = super().inquiry(corpus, listed)
        return found if listed and listed[0][1] else replace(found, samples=1)

    def settled(self, corpus: Corpus) -> JudgeRubric:
        """Return the same rubric with its weighting decided, by one question if need be."""
        samples = replace(self, weighting="samples")
        if self.weighting == "samples" or (self.weighting == "auto" and self._long()):
            return samples
        seen: list[ReplyChoice] = []

        def heard(_: int, choices: Sequence[ReplyChoice] | None) -> None:
            seen.extend(choices or ())

        try:
            self.inquiry(corpus, [(0, 0)]).ask(heard)
        except NoLogProbabilities:
            if self.weighting == "probabilities":
                raise
        if any(choice.candidates for choice in seen):
            return replace(self, weighting="probabilities")
        if self.weighting == "auto":
            return samples
        if any(choice.text and not choice.refused for choice in seen):
            raise NoLogProbabilities("it answers without them")
        return self

    def segment_rows(self, corpus: Corpus, state: None, *, threads: int) -> Floats:
        """Ask about every segment, by the weighting that the server allows."""
        with _need_of_probabilities():
            settled = self.settled(corpus)
            self._session(corpus).settled[self] = settled
            return JudgeMetric.segment_rows(settled, corpus, state, threads=threads)

    def resources_found(self, corpus: Corpus) -> dict[str, str]:
        """Return what has answered, and what grades were weighted by."""
        settled = self._session(corpus).settled.get(self)
        if settled is None:
            return {}
        return JudgeMetric.resources_found(settled, corpus) | {"weighting": settled.weighting}

    def estimate(self, corpus: Corpus) -> JudgeEstimate:
        """Estimate the dearest that it can be: auto asks for samples if it must."""
        if self.weighting == "auto":
            return replace(self, weighting="samples").estimate(corpus)
        return super().estimate(corpus)

    def verdict(self, corpus: Corpus, i: int, replies: Sequence[Sequence[ReplyChoice]]) -> Verdict:
        """Return the weighted grade, or the grades of all samples."""
        prompt = self.template()
        low, high = prompt.lowest, prompt.highest
        values, failure = usable(replies[0], lambda text: read_number(text, low, high))
        if self.weighting == "samples":
            return Verdict(values, failure, (1.0,))
        (choice,) = replies[0]
        found = None if choice.refused else weighted_number(choice.candidates, low, high)
        return Verdict((), failure) if found is None else Verdict([found[0]], more=(found[1],))

    def answers(self, corpus: Corpus) -> list[Trace | None]:
        """Show what was answered, by the weighting that the server allows."""
        with _need_of_probabilities():
            return JudgeMetric.answers(self.settled(corpus), corpus)

    def answer(self, k: int, choices: Sequence[ReplyChoice]) -> str:
        """Return the grades that were given, or the likeliest ones with their probabilities."""
        if self.weighting == "samples" or not choices[0].candidates:
            return super().answer(k, choices)
        likely = sorted(choices[0].candidates[0], key=lambda found: -found[1])[:_SHOWN]
        return ", ".join(f"“{token.strip()}” {math.exp(p):.1%}" for token, p in likely)

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Add how much probability the grades have together, on average."""
        found = super().parts(totals)
        if totals[1] > 0:
            found["grade_probability"] = float(totals[SPREAD + 1] / totals[1])
        return found

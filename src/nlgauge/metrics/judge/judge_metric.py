"""Judges are metrics: each segment is put to a language model, and its verdict is the score.

Replies that cannot be read, refusals and questions without an answer are counted, and the segment
is left out: its score is NaN, never 0. If more are left out than the server's settings allow, the
run fails.
"""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean, pstdev
from typing import Any, ClassVar, Literal

import numpy as np

from nlgauge.core.metric import Mean
from nlgauge.core.options import option
from nlgauge.data.corpus import Corpus
from nlgauge.data.judge_server import JudgeServer
from nlgauge.errors import DataError, NlgaugeWarning, ResourceMissing, SpecError
from nlgauge.explain.traces import MarkedText, Trace
from nlgauge.kernels import Floats
from nlgauge.metrics.judge.verdicts import shortened_reply
from nlgauge.models.judges.asking import Inquiry
from nlgauge.models.judges.chat_client import client_library
from nlgauge.models.judges.chat_replies import ReplyChoice
from nlgauge.models.judges.prompt_files import Prompt, ReplyKind, find_prompt
from nlgauge.models.judges.questions import JudgeQuestion
from nlgauge.models.judges.reply_store import ReplyStore
from nlgauge.models.judges.spending import JudgeEstimate

Failure = Literal["unparsed", "refused", "unanswered"]
FAILURES: tuple[Failure, ...] = ("unparsed", "refused", "unanswered")
SPREAD = 2 + len(FAILURES)  # the column with the deviation between samples
_MOST_NAMED = 3  # versions in a signature


@dataclass(frozen=True)
class Verdict:
    """A verdict is what the replies to the questions about one segment come to."""

    values: Sequence[float] = ()  # one for each usable reply; none: there is no verdict
    failure: Failure = "unparsed"  # why, if there is none
    more: Sequence[float] = ()  # further columns of the row


@dataclass(eq=False)
class JudgeSession:
    """A session holds the replies of one run, and what the server says has answered."""

    store: ReplyStore
    served: dict[Any, set[str]] = field(default_factory=dict)  # by metric
    settled: dict[Any, Any] = field(default_factory=dict)  # metrics as the server made them


@dataclass(frozen=True, kw_only=True)
class JudgeMetric(Mean[None]):
    """A metric that a language model computes; subclasses say what is asked and what replies
    mean.
    """

    kind: ClassVar[tuple[ReplyKind, ...]]  # of prompts that fit
    alone: ClassVar[bool] = False  # whether an output can be judged without anything beside it
    reads_words: ClassVar[bool] = False
    further: ClassVar[int] = 0  # columns that `Verdict.more` fills

    judge: str = option("", "name of the model, as the server calls it")
    prompt: str = option("da", "name of a prompt that ships, or a file of one's own (.toml)")
    temperature: float = option(0.0, "how freely the model words its reply", low=0.0, high=2.0)
    samples: int = option(1, "replies to each question, whose mean is the score", low=1, high=128)
    max_tokens: int = option(16, "most tokens of a reply", low=1, high=32_768)
    source_language: str = option("", "language of the sources, as the judge is told")
    target_language: str = option("", "language of the outputs, as the judge is told")

    def template(self) -> Prompt:
        """Return the prompt; one of the wrong kind is refused."""
        found = find_prompt(self.prompt)
        if found.kind not in self.kind:
            raise SpecError(
                f"{self.info.name}(prompt={self.prompt}): replies to it are of kind {found.kind}, "
                f"and {self.info.name} reads {' or '.join(self.kind)}"
            )
        return found

    def shown_files(self) -> dict[str, str]:
        """Return what the judge is told, and what it is asked."""
        prompt = self.template()
        return {"told": prompt.system.strip(), "asked": prompt.prompt.strip()}

    def resources(self) -> dict[str, str]:
        """Return the hash of the prompt; what has answered is known when it has."""
        return {"prompt": self.template().digest}

    def check_resources(self) -> None:
        """Raise ResourceMissing if no model is named, or the library is missing that asks it."""
        client_library()
        self.resources()
        if not self.judge:
            raise ResourceMissing(
                f"{self.info.name}: no judge is named; give a model, as the server calls it: "
                f"{self.info.name}(judge=NAME) (--judge-model NAME), and its server (--judge-url)"
            )

    def resources_found(self, corpus: Corpus) -> dict[str, str]:
        """Return what the server said has answered."""
        versions = sorted(self._session(corpus).served.get(self, ()))
        if len(versions) > _MOST_NAMED:
            versions = [*versions[:_MOST_NAMED], f"{len(versions) - _MOST_NAMED} more"]
        return {"server": " + ".join(versions)} if versions else {}

    def whole_only(self) -> str:
        """Refuse parts of a stream, whose signatures would not know what has answered."""
        return "a judge's signature names the versions that answered all segments"

    def check_inputs(self, corpus: Corpus) -> None:
        """Refuse a run without a server, and texts that the prompt needs and the corpus lacks."""
        super().check_inputs(corpus)
        self._server(corpus)
        holes = self.template().holes()
        there = {name for name in holes if self._column(corpus, name)}
        for name, needed in holes.items():
            if needed and name not in there:
                raise DataError(
                    f"{self.info.name}: the prompt {self.prompt} needs a {name} for every "
                    f"segment, and {corpus.name} has none"
                )
        if not self.alone and not there & {"source", "reference", "context", "second"}:
            raise DataError(
                f"{self.info.name}: {corpus.name} has neither sources nor references nor contexts; "
                "an output cannot be judged without anything to hold it against"
            )

    def _column(self, corpus: Corpus, name: str) -> bool:
        """Return whether every segment has a text of that name."""
        if name == "source":
            return corpus.sources is not None
        if name in ("reference", "second"):
            return bool((corpus.references.counts > 0).all())
        if name == "context":
            return corpus.contexts is not None
        return True if name in ("output", "first") else bool(getattr(self, name))

    def texts(self, corpus: Corpus, i: int) -> dict[str, Sequence[str]]:
        """Return the texts of a segment by the names that prompts have for them."""
        turns = None if corpus.contexts is None else corpus.turns
        return {
            "output": [corpus.hypotheses[i]],
            "source": [] if corpus.sources is None else [corpus.sources[i]],
            "reference": corpus.references[i],
            "context": [] if turns is None else turns[i],
        }

    def questions(self, corpus: Corpus) -> Sequence[tuple[int, int]]:
        """Return the questions in order: each the segment, and its number there."""
        return [(i, 0) for i in range(len(corpus))]

    def question(self, corpus: Corpus, i: int, k: int) -> JudgeQuestion:
        """Return question `k` about segment `i`."""
        return self.worded(self.texts(corpus, i))

    def worded(self, texts: Mapping[str, Sequence[str]], **settings: Any) -> JudgeQuestion:
        """Return the question that the prompt makes of texts."""
        prompt = self.template()
        holes = prompt.holes()
        words = {name: getattr(self, name) for name in ("source_language", "target_language")}
        system, text = prompt.filled({n: t for n, t in texts.items() if n in holes}, words)
        given: dict[str, Any] = {
            "model": self.judge,
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
        }
        return JudgeQuestion(system=system, text=text, **given | settings)

    @abstractmethod
    def verdict(self, corpus: Corpus, i: int, replies: Sequence[Sequence[ReplyChoice]]) -> Verdict:
        """Return what the replies to the questions about a segment come to."""

    def segment_rows(self, corpus: Corpus, state: None, *, threads: int) -> Floats:
        """Ask about every segment. Columns: the score, 1, failures of each kind, the deviation
        between samples, and those of the metric.
        """
        rows = np.zeros((len(corpus), SPREAD + 1 + self.further))
        bad: dict[int, str] = {}

        def read(i: int, replies: Sequence[Sequence[ReplyChoice]] | None) -> None:
            verdict = (
                Verdict(failure="unanswered")
                if replies is None
                else self.verdict(corpus, i, replies)
            )
            if verdict.values:
                spread = pstdev(verdict.values) if len(verdict.values) > 1 else 0.0
                rows[i, :2] = fmean(verdict.values), 1.0
                rows[i, SPREAD] = spread
                rows[i, SPREAD + 1 :] = verdict.more or 0.0
            else:
                rows[i, 2 + FAILURES.index(verdict.failure)] = 1.0
                said = (choice.text for choices in replies or () for choice in choices)
                bad[i] = f"{verdict.failure}, {shortened_reply(said)!r}"

        self._ask(corpus, self.questions(corpus), read)
        self._check_failures(corpus, bad)
        return rows

    def explained(self, corpus: Corpus) -> Sequence[Trace | None]:
        """Show the errors that the judge marks, or what it answered to each question."""
        return self.traces(corpus) or self.answers(corpus)

    def answers(self, corpus: Corpus) -> list[Trace | None]:
        """Show what the judge answered to each question."""
        found: list[Trace | None] = [None] * len(corpus)
        note = f"what {self.judge} answered"

        def read(i: int, replies: Sequence[Sequence[ReplyChoice]] | None) -> None:
            if replies is not None:
                said = tuple(self.answer(k, choices) for k, choices in enumerate(replies))
                found[i] = MarkedText(corpus.hypotheses[i], (), note, said)

        self._ask(corpus, self.questions(corpus), read)
        return found

    def answer(self, k: int, choices: Sequence[ReplyChoice]) -> str:
        """Return what was answered to question `k` about a segment, for people to read."""
        said = Counter(shortened_reply([choice.text]) for choice in choices)
        return ", ".join(f"“{text}”" + f" × {n}" * (n > 1) for text, n in said.most_common())

    def _ask(self, corpus: Corpus, listed: Sequence[tuple[int, int]], read: Any) -> None:
        """Ask questions; `read` hears the replies to all those about a segment at once."""
        wanted: dict[int, int] = {}
        for i, _ in listed:
            wanted[i] = wanted.get(i, 0) + 1
        waiting: dict[int, dict[int, Sequence[ReplyChoice] | None]] = {}
        served = self._session(corpus).served.setdefault(self, set())

        def heard(j: int, choices: Sequence[ReplyChoice] | None) -> None:
            i, k = listed[j]
            served.update(choice.served for choice in choices or () if choice.served)
            own = waiting.setdefault(i, {})
            own[k] = choices
            if len(own) == wanted[i]:
                del waiting[i]
                found = [own[number] for number in sorted(own)]
                read(i, None if any(each is None for each in found) else found)

        self.inquiry(corpus, listed).ask(heard)

    def inquiry(self, corpus: Corpus, listed: Sequence[tuple[int, int]]) -> Inquiry:
        """Return the inquiry that these questions are."""
        return Inquiry(
            server=self._server(corpus),
            store=self._session(corpus).store,
            count=len(listed),
            question=lambda j: self.question(corpus, *listed[j]),
            samples=self.samples,
            progress=corpus.context.on_judged,
        )

    def estimate(self, corpus: Corpus) -> JudgeEstimate:
        """Estimate requests, tokens and cost of scoring a corpus, without asking anything."""
        self.check_inputs(corpus)
        return self.inquiry(corpus, self.questions(corpus)).estimate(len(corpus))

    def _check_failures(self, corpus: Corpus, bad: Mapping[int, str]) -> None:
        """Tell which segments are left out, and refuse to go on without too many."""
        if not bad:
            return
        most = self._server(corpus).most_unusable
        share = f"{self.info.name}: {len(bad)} of {len(corpus)} segments of {corpus.name}"
        first = f"the first is {corpus.segment_name(min(bad))}: {bad[min(bad)]}"
        if len(bad) > most * len(corpus):
            raise DataError(
                f"{share} have no verdict, more than {most:.1%} (--judge-most-unusable); {first}"
            )
        warnings.warn(
            f"{share} have no verdict, and are left out; {first}", NlgaugeWarning, stacklevel=2
        )

    def score(self, totals: Floats) -> Floats:
        """Return the mean of the segments with a verdict; NaN if there is none."""
        return np.where(totals[..., 1] > 0, super().score(totals), np.nan)

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return how many segments have a verdict, why others have none, and how far samples of
        the same segment are apart.
        """
        counts = {str(name): int(totals[2 + k]) for k, name in enumerate(FAILURES)}
        found: dict[str, Any] = {"judged": int(totals[1]), **counts}
        if self.samples > 1 and totals[1] > 0:
            found["sample_deviation"] = float(totals[SPREAD] / totals[1]) * self.info.scale
        return found

    def _server(self, corpus: Corpus) -> JudgeServer:
        if corpus.context.judge is None:
            raise ResourceMissing(
                f"{self.info.name}: no server is named; give its address: --judge-url URL, or "
                "RunContext(judge=JudgeServer(url=...))"
            )
        return corpus.context.judge

    def _session(self, corpus: Corpus) -> JudgeSession:
        """Return the session of the run, which all systems share."""
        server = self._server(corpus)
        return corpus.once(
            ("judge session", server, self.judge),
            corpus.references,
            lambda: JudgeSession(ReplyStore(server, self.judge)),
        )


def usable(choices: Sequence[ReplyChoice], read: Any) -> tuple[list[float], Failure]:
    """Return the values of the replies that can be read, and why the others cannot."""
    values = [found for c in choices if not c.refused and (found := read(c.text)) is not None]
    return values, "refused" if any(choice.refused for choice in choices) else "unparsed"

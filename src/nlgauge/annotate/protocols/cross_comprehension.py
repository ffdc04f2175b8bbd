"""The cross-comprehension test (Kolluru and Gotoh, 2005), in three steps.

Authors write a summary of a document, and questions that it answers. Readers answer the questions
of one author from the summary of another, or from that of a machine. A judge compares each answer
with that of the question's author.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from nlgauge.annotate.forms.protocol import (
    FollowUp,
    Protocol,
    ProtocolInfo,
    Row,
    ShownOutput,
    StudyTask,
)
from nlgauge.annotate.forms.widgets import (
    CheckList,
    Form,
    FormAnswers,
    Option,
    RadioChoice,
    Widget,
    Writing,
)
from nlgauge.core.options import option
from nlgauge.errors import SpecError

AUTHOR, READER, JUDGE = "author", "reader", "judge"
_LABELS = {
    "R": ("Relevant", "it says what the author's answer says"),
    "P": ("Partially relevant", "it says some of it"),
    "I": ("Irrelevant", "it says something else"),
    "N": ("Not found", "there is no answer"),
}
_NONE = "none"


@dataclass(frozen=True, kw_only=True)
class CrossComprehensionTest(Protocol):
    """Summaries and questions by authors, answers by readers, labels by a judge."""

    info: ClassVar[ProtocolInfo] = ProtocolInfo(
        name="cross-comprehension",
        title="Cross-comprehension",
        unit="item",
        paper="Kolluru and Gotoh (2005), On the subjectivity of human authored summaries",
        needs=("document",),
        role=AUTHOR,
        later_roles=(READER, JUDGE),
    )

    longest: int = option(600, "characters that a summary may have", low=20, high=20_000)
    fewest: int = option(2, "questions that an author must write", low=1, high=10)
    most: int = option(4, "questions that an author may write", low=1, high=10)
    readers: int = option(1, "readers who answer each question", low=1, high=100)

    def check_options(self) -> None:
        """Refuse fewer questions at most than at least."""
        if self.fewest > self.most:
            raise SpecError(
                f"fewest={self.fewest}, most={self.most}: fewest must not be above most"
            )

    def heading(self, task: StudyTask) -> str:
        """Return what is done in this step."""
        return ("Write a summary and questions", "Answer from the summary", "Compare the answers")[
            task.stage
        ]

    def shown_context(self, task: StudyTask, fields: Sequence[str]) -> Sequence[str]:
        """Show the document to authors only."""
        del fields
        return ["document"] if task.stage == 0 else []

    def shows_outputs(self, task: StudyTask) -> bool:
        """Return False: what is read stands in the form."""
        del task
        return False

    def form(self, task: StudyTask) -> Sequence[Widget]:
        """Return the form of the step."""
        return (self._author, self._reader, self._judge)[task.stage](task)

    def _author(self, task: StudyTask) -> list[Widget]:
        del task
        summary = Writing(
            name="summary", legend="Summary", rows=5, most=self.longest,
            hint="Say in your own words what the document is about.",
        )  # fmt: skip
        made: list[Widget] = [summary]
        for k in range(1, self.most + 1):
            needed = k <= self.fewest
            hint = (
                "The summary answers it; it is not answered by yes or no."
                if k == 1
                else ""
                if needed
                else "May be left empty."
            )
            made += [
                Writing(
                    name=f"question{k}", legend=f"Question {k}", rows=1, hint=hint,
                    required=needed, most=500,
                ),
                Writing(
                    name=f"answer{k}", legend=f"Answer to question {k}", rows=1, required=needed,
                    most=1000,
                ),
            ]  # fmt: skip
        return made

    def _reader(self, task: StudyTask) -> list[Widget]:
        data = task.data
        return [
            Writing(
                name="answer", legend=data["question"], required=False, rows=2, most=1000,
                hint=f"Answer from this summary alone:\n{data['summary']}",
            ),
            CheckList(
                name=_NONE, legend="Or", options=(Option(_NONE, "The summary has no answer to it"),)
            ),
        ]  # fmt: skip

    def _judge(self, task: StudyTask) -> list[Widget]:
        data = task.data
        options = tuple(Option(key, *texts) for key, texts in _LABELS.items())
        hint = (
            f"Question: {data['question']}\nAnswer of its author: {data['expected']}\n"
            f"Answer of a reader: {data['answer']}"
        )
        legend = "How relevant is the reader's answer?"
        return [RadioChoice(name="label", legend=legend, hint=hint, options=options)]

    def read(self, task: StudyTask, form: Form) -> FormAnswers:
        """Return the answers: readers answer or say that there is none, questions have answers."""
        found = super().read(task, form)
        answers = found.answers
        if task.stage == 1 and bool(answers.get("answer")) == bool(answers.get(_NONE)):
            found.errors["answer"] = "Please answer, or say that the summary has no answer."
        if task.stage == 0:
            for k in range(self.fewest + 1, self.most + 1):
                question, answer = (answers.get(f"{n}{k}") for n in ("question", "answer"))
                if bool(question) != bool(answer):
                    found.errors[f"answer{k}"] = "A question and its answer belong together."
        return found

    def rows(self, task: StudyTask, answers: Mapping[str, Any]) -> list[Row]:
        """Return labels, as `nlgauge analyse comprehension` reads them."""
        if task.stage == 0 or (task.stage == 1 and not answers[_NONE]):
            return []
        data = task.data
        place = {"item": data["id"], "criterion": data["author"], "system": data["summariser"]}
        return [place | {"label": "N" if task.stage == 1 else answers["label"]}]

    def follow_ups(
        self,
        task: StudyTask,
        answers: Mapping[str, Any],
        annotator: str,
        item: Sequence[ShownOutput],
        earlier: Sequence[tuple[str, Mapping[str, Any]]],
    ) -> list[FollowUp]:
        """Return the questions to answer from others' summaries, or the answer to judge."""
        if task.stage == 2:
            return []
        if task.stage == 1:
            if answers[_NONE]:
                return []
            data = {**task.data, "answer": answers["answer"]}
            names = (annotator, task.data["author"], task.data["summariser"])
            return [
                FollowUp(stage=2, data=data, words_of=names, role=JUDGE, wanted=1, excluded=names)
            ]
        mine = (annotator, answers["summary"])
        found = []
        for author, theirs in earlier:
            found += self._asked(task, author, theirs, *mine)
            found += self._asked(task, annotator, answers, author, theirs["summary"])
        for output in item:
            found += self._asked(task, annotator, answers, output.system, output.text)
        return found

    def _asked(
        self,
        task: StudyTask,
        author: str,
        answers: Mapping[str, Any],
        summariser: str,
        summary: str,
    ) -> list[FollowUp]:
        """Return the questions of one author, to be answered from one summary."""
        return [
            FollowUp(
                stage=1,
                data={
                    "id": f"{task.item}/{author}/{k}",
                    "author": author,
                    "question": answers[f"question{k}"],
                    "expected": answers[f"answer{k}"],
                    "summariser": summariser,
                    "summary": summary,
                },
                words_of=(author, summariser),
                role=READER,
                wanted=self.readers,
                excluded=(author, summariser),
            )
            for k in range(1, self.most + 1)
            if answers.get(f"question{k}")
        ]

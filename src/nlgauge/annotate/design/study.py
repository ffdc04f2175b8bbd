"""A study: what is asked, about what, and who is asked how often."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from nlgauge.annotate.forms.protocol import Protocol, Unit
from nlgauge.core import options
from nlgauge.core.facts.defaults import SEED
from nlgauge.core.options import option

# Fields of records that can be shown beside an output, with their headings.
CONTEXT = {
    "source": "Source",
    "question": "Question",
    "context": "Conversation",
    "document": "Document",
    "table": "Data",
    "image": "Picture",
    "references": "Reference",
}
TaskDesign = Literal["balanced", "blocks", "adaptive"]


@dataclass(frozen=True, kw_only=True)
class _Table:
    """A table of the study file, whose keys are its fields."""

    def __post_init__(self) -> None:
        options.check(self)


@dataclass(frozen=True, kw_only=True)
class AssignmentSettings(_Table):
    """How tasks are given to annotators."""

    annotators: int = option(3, "annotators for each task", low=1, high=10_000)
    most_tasks: int = option(0, "tasks that one annotator gets; 0: all", low=0, high=1_000_000)
    design: TaskDesign = option("balanced", "balanced: the least judged task that is new to them; "
        "blocks: drawn before, for a known number of annotators; adaptive: rather what compares "
        "systems that are not yet told apart")  # fmt: skip
    slots: int = option(0, "annotators that blocks are drawn for", low=0, high=10_000)
    repeats: float = option(0.0, "share of tasks that are given a second time", low=0, high=0.5)
    controls: float = option(0.0, "share of tasks given again with a spoilt text", low=0, high=0.5)
    control_by: str = option("jumble", "how texts are spoilt: a perturbation of `robustness`")
    exploration: float = option(0.2, "share of adaptive tasks that are drawn evenly",
        low=0.01, high=1)  # fmt: skip
    release_hours: float = option(24.0, "hours until an unanswered task goes to someone else",
        low=0.01, high=10_000)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class GoldSettings(_Table):
    """How items with known answers are used."""

    every: int = option(10, "one gold item among so many tasks; 0: none but those of screening",
        low=0, high=10_000)  # fmt: skip
    attempts: int = option(2, "attempts that annotators have", low=1, high=10)
    failures: int = option(0, "failed gold items after which an annotator is thanked; 0: never",
        low=0, high=10_000)  # fmt: skip
    tolerance: float = option(0.0, "difference up to which a number is right", low=0, high=1e9)


@dataclass(frozen=True, kw_only=True)
class ScreeningSettings(_Table):
    """What annotators must get right before their work counts."""

    items: int = option(0, "gold items at the start; 0: no screening", low=0, high=1000)
    passed: int = option(0, "gold items of these that must be right", low=0, high=1000)


@dataclass(frozen=True)
class FormPage:
    """A page holds the questions that are asked of the same unit."""

    number: int
    unit: Unit
    role: str
    questions: tuple[Protocol, ...]

    @property
    def can_return(self) -> bool:
        """Return whether annotators may go back to it."""
        return all(question.info.can_return for question in self.questions)


@dataclass(frozen=True, kw_only=True)
class Study:
    """A study as its file describes it."""

    title: str
    questions: tuple[Protocol, ...]
    language: str = "en"
    text_language: str = ""
    seed: int = SEED
    consent: str = ""
    instructions: str = ""
    show: tuple[str, ...] = ()
    contact: str = ""
    metrics: tuple[str, ...] = ()  # whose correlation with the judgements the status shows
    margin: float | None = None  # largest difference between systems that is of no interest
    assignment: AssignmentSettings = field(default_factory=AssignmentSettings)
    gold: GoldSettings = field(default_factory=GoldSettings)
    screening: ScreeningSettings = field(default_factory=ScreeningSettings)

    @cached_property
    def pages(self) -> Sequence[FormPage]:
        """Return the questions, grouped by what they are asked of; steps of their own stay so."""
        found: dict[tuple[Unit, str, int], list[Protocol]] = {}
        for number, question in enumerate(self.questions):
            alone = number + 1 if not question.info.can_return or question.info.role else 0
            key = (question.info.unit, question.info.role, alone)
            found.setdefault(key, []).append(question)
        return [
            FormPage(number, unit, role, tuple(questions))
            for number, ((unit, role, _), questions) in enumerate(found.items())
        ]

    @property
    def later_roles(self) -> set[str]:
        """Return the roles of annotators who only get tasks that answers led to."""
        return {role for question in self.questions for role in question.info.later_roles}

"""Say what a protocol is: a frozen dataclass whose fields are its options in the study file.

A protocol turns a task into a form, and the answers into rows of `Judgements`. What all of them
share, such as links, saving, time and repeats, they know nothing of.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from nlgauge.annotate.forms.widgets import Form, FormAnswers, Widget, read_form
from nlgauge.core import options
from nlgauge.errors import DataError, SpecError

# What a task shows: one output; two; all of an item; some of any items; the item without outputs.
Unit = Literal["output", "pair", "set", "tuple", "item"]
Row = dict[str, Any]  # some of the fields of `Judgements`


@dataclass(frozen=True)
class ShownOutput:
    """An output is shown without the name of its system."""

    item: str
    system: str
    text: str


@dataclass(frozen=True, kw_only=True)
class StudyTask:
    """A task is what an annotator does on one page."""

    item: str  # empty if the outputs are of several
    record: Mapping[str, Any]  # the item's fields: source, references, context ...
    outputs: tuple[ShownOutput, ...]
    stage: int = 0
    data: Mapping[str, Any] = field(default_factory=dict)  # what an earlier answer led to

    @property
    def output(self) -> ShownOutput:
        """Return the only output of the task."""
        (output,) = self.outputs
        return output


@dataclass(frozen=True, kw_only=True)
class FollowUp:
    """A follow-up is a task that an answer leads to.

    Only annotators with the `role` get it; those in `excluded` never do. If one of `words_of`, who
    wrote what it shows, has their answers deleted, it goes, too.
    """

    stage: int
    data: Mapping[str, Any]
    words_of: tuple[str, ...]
    outputs: tuple[ShownOutput, ...] = ()
    role: str = ""
    excluded: tuple[str, ...] = ()
    wanted: int | None = None  # annotators; None: as many as for other tasks


@dataclass(frozen=True)
class ProtocolInfo:
    """Facts about a protocol, for the catalogue and for making tasks."""

    name: str
    title: str
    unit: Unit
    paper: str
    needs: tuple[str, ...] = ()  # fields that records must have
    role: str = ""  # of the annotators who get the first tasks
    later_roles: tuple[str, ...] = ()  # of those who get the tasks that answers lead to
    can_return: bool = True  # annotators may look at earlier answers and change them
    criteria: tuple[str, ...] = ()  # of its judgements, unless the study file or records name them


@dataclass(frozen=True, kw_only=True)
class Protocol(ABC):
    """The base of protocols: options are checked when one is made."""

    info: ClassVar[ProtocolInfo]

    def __post_init__(self) -> None:
        options.check(self)
        self.check_options()

    def check_options(self) -> None:  # noqa: B027, as most have nothing to check
        """Refuse options that do not fit each other."""

    def check_record(self, record: Mapping[str, Any]) -> None:
        """Refuse a record that lacks what the form shows."""
        for name in self.info.needs:
            if not record.get(name):
                raise DataError(f"no {name!r}, which {self.info.name} shows; add it")

    def criteria(self, item: str, record: Mapping[str, Any]) -> Sequence[str]:
        """Return the criteria of judgements about an item, which are those that gold can name."""
        del item, record
        return self.info.criteria or (getattr(self, "criterion", self.info.name),)

    @abstractmethod
    def form(self, task: StudyTask) -> Sequence[Widget]:
        """Return the widgets of the form."""

    def read(self, task: StudyTask, form: Form) -> FormAnswers:
        """Return the answers that the browser sent, and what is wrong with them."""
        return read_form(self.form(task), form)

    @abstractmethod
    def rows(self, task: StudyTask, answers: Mapping[str, Any]) -> list[Row]:
        """Return what the answers say as rows of `Judgements`, without annotator and time."""

    def heading(self, task: StudyTask) -> str:
        """Return the heading of the page."""
        del task
        return self.info.title

    def shown_context(self, task: StudyTask, fields: Sequence[str]) -> Sequence[str]:
        """Return which fields of the record are shown beside the form."""
        del task
        return fields

    def shows_outputs(self, task: StudyTask) -> bool:
        """Return whether the outputs are shown above the form, and not inside of it."""
        return len(task.outputs) == 1

    def first_stage(self, systems: Sequence[str]) -> int:
        """Return the stage of the task about outputs of these systems; lower ones come first."""
        del systems
        return 0

    def fixed_rows(self, record: Mapping[str, Any]) -> list[Row]:
        """Return rows that are known before anyone is asked, such as labels of the corpus."""
        del record
        return []

    @property
    def leads_on(self) -> bool:
        """Return whether answers lead to further tasks."""
        return type(self).follow_ups is not Protocol.follow_ups

    def follow_ups(
        self,
        task: StudyTask,
        answers: Mapping[str, Any],
        annotator: str,
        item: Sequence[ShownOutput],
        earlier: Sequence[tuple[str, Mapping[str, Any]]],
    ) -> list[FollowUp]:
        """Return the tasks that an answer leads to. `item` are all outputs of the task's item,
        `earlier` what others answered to the same task before.
        """
        del task, answers, annotator, item, earlier
        return []


def required(criterion: str, protocol: str) -> None:
    """Refuse a question without a criterion."""
    if not criterion:
        raise SpecError(f"{protocol}: no criterion; name what is asked, such as 'fluency'")


def rating(output: ShownOutput, criterion: str, value: float) -> Row:
    """Return the row of a value that was given to an output."""
    return {"item": output.item, "system": output.system, "criterion": criterion, "value": value}

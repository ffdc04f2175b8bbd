"""Post-editing: annotators correct a text; the effort is measured and rated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from nlgauge.annotate.forms.protocol import Protocol, ProtocolInfo, Row, StudyTask, rating
from nlgauge.annotate.forms.unit_lists import corpus_value
from nlgauge.annotate.forms.widgets import Widget, Writing
from nlgauge.annotate.protocols.likert import steps
from nlgauge.core.options import option
from nlgauge.data.corpus import Corpus
from nlgauge.human.scales import POSTEDIT


@dataclass(frozen=True, kw_only=True)
class PostEditing(Protocol):
    """A text to be corrected, and a rating of how much there was to do.

    Values: `hter`, the edit rate from the text to its correction, where less is better; `keys`, how
    often something was typed; `effort`, the rating. The time is in the column seconds.
    """

    info: ClassVar[ProtocolInfo] = ProtocolInfo(
        name="post-editing",
        title="Post-editing",
        unit="output",
        paper="Snover et al. (2006), A study of translation edit rate",
        criteria=("hter", "keys", "effort"),
    )

    question: str = option("Correct the text.", "what annotators are asked")
    hint: str = option("Change as little as possible.", "how it shall be done")
    rated: bool = option(True, "ask how much there was to change")

    def form(self, task: StudyTask) -> Sequence[Widget]:
        """Return the text in a field, and the rating."""
        text = task.output.text
        edited = Writing(
            name="text", legend=self.question, hint=self.hint, given=text, rows=6, measured=True
        )
        asked = steps("effort", "How much of the text was to be changed?", POSTEDIT)
        return [edited, asked] if self.rated else [edited]

    def rows(self, task: StudyTask, answers: Mapping[str, Any]) -> list[Row]:
        """Return the edit rate, the number of keys and the rating."""
        output, edited = task.output, answers["text"]
        rate = corpus_value("ter", Corpus.build([output.text], [[edited["text"]]]))
        rows = [rating(output, "hter", rate)]
        if edited["keys"] is not None:
            rows.append(rating(output, "keys", float(edited["keys"])))
        if self.rated:
            rows.append(rating(output, "effort", float(answers["effort"])))
        return rows

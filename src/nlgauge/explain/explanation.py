"""Why a segment got its score: how its words were matched or edited, or what it says.

A metric's `trace` compares one hypothesis with one reference and returns an `Alignment`, `Edits`,
`Graphs`, `TokenSimilarities`, `Trees` or `Frames`; everything that shows them works on these alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from nlgauge.core import registry
from nlgauge.core.metric import Metric, Score
from nlgauge.data import columns
from nlgauge.data.corpus import Corpus, References
from nlgauge.errors import DataError, SpecError
from nlgauge.explain.traces import Frames, TokenSimilarities, Trees

Operation = Literal["match", "substitute", "delete", "insert"]


@dataclass(frozen=True)
class Link:
    """A word of the hypothesis matched to one of the reference."""

    hyp: int
    ref: int
    label: str = ""  # what kind of match, where a metric knows several


@dataclass(frozen=True)
class Alignment:
    """Words (or characters) of both sides and the links between them."""

    hyp: tuple[str, ...]
    ref: tuple[str, ...]
    links: tuple[Link, ...]
    note: str = ""

    def runs(self) -> list[list[Link]]:
        """Links that are neighbours on both sides, grouped; in the order of the hypothesis."""
        groups: list[list[Link]] = []
        for link in sorted(self.links, key=lambda link: (link.hyp, link.ref)):
            last = groups[-1][-1] if groups else None
            if last is not None and (link.hyp, link.ref) == (last.hyp + 1, last.ref + 1):
                groups[-1].append(link)
            else:
                groups.append([link])
        return groups


@dataclass(frozen=True)
class Edit:
    """One step between the texts. A word that only the hypothesis has is inserted, one that only
    the reference has is deleted; the place is None on the side that lacks it.
    """

    operation: Operation
    hyp: int | None
    ref: int | None


@dataclass(frozen=True)
class Shift:
    """The words [start, start + length) moved to before `target`, all counted before the move."""

    start: int
    length: int
    target: int

    def apply(self, words: Sequence[str]) -> list[str]:
        """The words after the shift."""
        start, end, target = self.start, self.start + self.length, self.target
        block = words[start:end]
        if target < start:
            return [*words[:target], *block, *words[target:start], *words[end:]]
        return [*words[:start], *words[end:target], *block, *words[target:]]


@dataclass(frozen=True)
class Edits:
    """Words of both sides and the steps between them; `hyp` as it stands after all shifts."""

    hyp: tuple[str, ...]
    ref: tuple[str, ...]
    script: tuple[Edit, ...]
    shifts: tuple[Shift, ...] = ()
    before_shifts: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class GraphItem:
    """An object or an attribute, and whether the other side has it too."""

    name: str
    matched: bool
    attributes: tuple[GraphItem, ...] = ()


@dataclass(frozen=True)
class Relation:
    """Between two objects, by their places."""

    source: int
    name: str
    target: int
    matched: bool


@dataclass(frozen=True)
class Graph:
    """What a text says: objects with their attributes, and relations between objects."""

    objects: tuple[GraphItem, ...]
    relations: tuple[Relation, ...]

    def matches(self) -> list[bool]:
        """Whether the other side has each object, attribute and relation."""
        found = [x.matched for node in self.objects for x in (node, *node.attributes)]
        return [*found, *(relation.matched for relation in self.relations)]


@dataclass(frozen=True)
class Graphs:
    """The scene graphs of both sides."""

    hyp: Graph
    ref: Graph
    note: str = ""


Trace = Alignment | Edits | Graphs | TokenSimilarities | Trees | Frames


@dataclass(frozen=True)
class Explanation:
    """One metric's view of one segment: its score, and the comparison with one reference, or
    with the source where the metric looks at that.
    """

    name: str
    score: Score
    trace: Trace
    reference: int | None  # which one, from 0; None: the source
    of: str = ""  # whose output it is and of which segment, if that is known

    @property
    def called(self) -> str:
        """The metric and, if that is known, whose output it looked at."""
        return f"{self.name}: {self.of}" if self.of else self.name

    @property
    def other(self) -> str:
        """What the hypothesis is compared with."""
        return "source" if self.reference is None else "reference"

    @property
    def against(self) -> str:
        """The same with its number, after what the hypothesis is."""
        which = "the source" if self.reference is None else f"reference {self.reference + 1}"
        return f"{self.of}, against {which}" if self.of else f"against {which}"


def explain(
    hypothesis: str,
    references: str | Iterable[str] = (),
    metrics: registry.Metrics = ("bleu", "ter"),
    *,
    reference: int | None = None,
    source: str | None = None,
) -> list[Explanation]:
    """Explain a segment by each metric that can; against the given reference or its best one."""
    refs = (
        [references] if isinstance(references, str) else columns.entries("references", references)
    )
    for text in (hypothesis, *refs, *([] if source is None else [source])):
        _check_characters(text)
    if reference is not None and not 0 <= reference < len(refs):
        raise SpecError(f"reference {reference + 1}: there are {len(refs)}")
    explanations = []
    for given in registry.listed(metrics):
        metric = registry.metric(given) if isinstance(given, str) else given
        name = given if isinstance(given, str) else registry.spec(given)
        corpus = Corpus.build([hypothesis], [refs], sources=None if source is None else [source])
        metric.check_inputs(corpus)
        if source is not None and "references" not in metric.info.needs:
            which, other = None, source
        else:
            which = _best(metric, corpus) if reference is None else reference
            other = refs[which]
        trace = metric.trace(hypothesis, other)
        if trace is None:
            raise SpecError(f"{name} has no words or edits to show; try bleu, ter or meteor")
        explanations.append(Explanation(name, metric.evaluate(corpus), trace, which))
    return explanations


def _check_characters(text: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise DataError(
            f"{text[:40]!r}: {text[error.start]!r} is half of a surrogate pair and no character; "
            "write the text as UTF-8"
        ) from None


def _best(metric: Metric, corpus: Corpus) -> int:
    """The reference with the best score of its own; the first of several."""
    (refs,) = corpus.references
    if len(refs) == 1:
        return 0
    sign = 1 if metric.info.higher_is_better else -1
    alone = (replace(corpus, references=References.build([[ref]])) for ref in refs)
    # Not `evaluate`, which would say for each reference what it says once for all.
    scores = [sign * float(metric.score(metric.rows(one, metric.fitted(one))[0])) for one in alone]
    return scores.index(max(scores))

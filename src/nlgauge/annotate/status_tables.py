"""Make the tables and figures of a study's status."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nlgauge.annotate.status import CriterionStatus, StudyStatus
from nlgauge.annotate.store.progress import StudyProgress
from nlgauge.report.answers.people_verdicts import decisions_said, reliable
from nlgauge.report.answers.verdicts import section
from nlgauge.report.figures import Figure, IntervalPlot
from nlgauge.report.pages.page import Section
from nlgauge.report.pages.study_page import decisions_section, live_sections
from nlgauge.report.tables.grid import Cell, Estimate, Field, Grid
from nlgauge.report.tables.human.study_tables import weighted_grid
from nlgauge.report.tables.meta.meta_tables import agreement_grids


def status_grids(status: StudyStatus) -> list[Grid]:
    """Return the tables of a status, for a terminal."""
    return [grid for section in status_sections(status) for grid in section.grids]


def status_sections(status: StudyStatus) -> list[Section]:
    """Return the sections of a status: progress, then criterion by criterion, then metrics."""
    found = [*section(_said(status)), Section(title="Progress", grids=[_progress(status)])]
    several = len(status.criteria) > 1
    for criterion in status.criteria:
        for part in _sections(criterion):
            title = f"{criterion.criterion}: {part.title}" if several else part.title
            found.append(replace(part, title=title))
    if status.metrics is not None:
        found.append(
            Section(title="Metrics and people so far", grids=agreement_grids(status.metrics))
        )
    return found


def _said(status: StudyStatus) -> list[str]:
    """Say how far the study is, what is decided, and how far annotators agree."""
    progress = status.progress
    share = f" of {progress.wanted} ({_done(progress):.0%})" if progress.wanted else ""
    who = "1 annotator" if progress.active == 1 else f"{progress.active} annotators"
    said = [f"{progress.answered}{share} answers are given, by {who}."]
    said += decisions_said([c.decisions for c in status.criteria if c.decisions is not None])
    for criterion in status.criteria:
        if criterion.live is not None and criterion.live.over_time:
            last = criterion.live.over_time[-1]
            said.append(
                f"{criterion.criterion}: annotators agree by Krippendorff's α {last.alpha:.3f} "
                f"over {last.outputs} outputs{reliable(last.alpha)}."
            )
    return said


def _done(progress: StudyProgress) -> float:
    return progress.answered / progress.wanted if progress.wanted else 0.0


def _progress(status: StudyStatus) -> Grid:
    progress = status.progress
    rows: list[Sequence[Cell]] = [
        ("items", progress.items),
        ("tasks", progress.tasks),
        ("answers wanted", progress.wanted),
        ("answers given", progress.answered),
        ("done", f"{_done(progress):.1%}"),
        ("annotators with a link", progress.annotators),
        ("annotators who answered", progress.active),
    ]
    notes = (f"design {progress.design_hash[:12]}, seed {progress.seed}", *status.notes)
    return Grid("Progress", (Field("what"), Field("number", ".0f")), rows, notes)


def _sections(criterion: CriterionStatus) -> list[Section]:
    found = [_systems(criterion)]
    if criterion.decisions is not None:
        found.append(decisions_section(criterion.decisions))
    if criterion.weighted:
        found.append(Section(title="Weighted means", grids=[weighted_grid(criterion.weighted)]))
    if criterion.live is not None:
        found += live_sections(criterion.live)
    return found


def _systems(criterion: CriterionStatus) -> Section:
    rows: list[Sequence[Cell]] = [
        (s.system, s.judgements, Estimate(s.mean, s.low, s.high)) for s in criterion.systems
    ]
    named = Field("system", coloured=tuple(s.system for s in criterion.systems))
    fields = (named, Field("judgements"), Field("mean"))
    notes = ("intervals hold at every look", *criterion.notes)
    figures: list[Figure] = [
        IntervalPlot(
            title=f"Means: {criterion.criterion}",
            labels=[s.system for s in criterion.systems],
            values=[s.mean for s in criterion.systems],
            lows=[s.low for s in criterion.systems],
            highs=[s.high for s in criterion.systems],
            axis=criterion.criterion,
            groups=range(len(criterion.systems)),
        )
    ]
    grid = Grid("Systems", fields, rows, notes)
    return Section(title="Systems", grids=[grid], figures=figures)

"""Tell how a study stands: progress, systems, decisions, annotators, metrics."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nlgauge.annotate.design.study import Study
from nlgauge.annotate.design.study_records import GOLD
from nlgauge.annotate.store.database import StudyDatabase
from nlgauge.annotate.store.progress import StudyProgress, progress_of
from nlgauge.annotate.store.studies import load_records, load_settings
from nlgauge.core.facts.defaults import ALPHA
from nlgauge.core.outputs import Outputs
from nlgauge.data.corpus import Corpus
from nlgauge.data.judgements import Judgements
from nlgauge.data.labels import NONE, Labels
from nlgauge.errors import NlgaugeError, NlgaugeWarning
from nlgauge.human.live_summary import LiveSummary, live_summary
from nlgauge.human.stopping.decisions import Decisions, decide
from nlgauge.human.stopping.weighted_means import WeightedMean, weighted_means
from nlgauge.io.judgements.study_judgements import judgements_of, selected
from nlgauge.meta.correlation.meta_result import MetaResult, correlate
from nlgauge.meta.correlation.paired_scores import PairedScores
from nlgauge.meta.correlation.settings import MetaSettings
from nlgauge.run.scoring import score_outputs
from nlgauge.stats.anytime.mixture import anytime_interval

SPOILT = " (spoilt)"  # what the system of a control is called


@dataclass(frozen=True)
class SystemSoFar:
    """A system so far: its mean, with an interval that holds at every look."""

    system: str
    judgements: int
    mean: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class CriterionStatus:
    """What is known by one criterion; None where there is too little yet, as `notes` say."""

    criterion: str
    judgements: int
    systems: tuple[SystemSoFar, ...]
    decisions: Decisions | None
    live: LiveSummary | None
    weighted: tuple[WeightedMean, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class StudyStatus:
    """How a study stands at one moment."""

    title: str
    progress: StudyProgress
    criteria: tuple[CriterionStatus, ...]
    metrics: MetaResult | None
    notes: tuple[str, ...]


def study_status(database: StudyDatabase, *, metrics: Sequence[str] | None = None) -> StudyStatus:
    """Look at a study; `metrics` in place of those that its file names."""
    study = load_settings(database).study
    rows = database.read(
        lambda db: db.rows(f"SELECT {selected()}, kind FROM judgements ORDER BY answer")
    )
    every = judgements_of([row[:-1] for row in rows]) if rows else None
    kinds = np.array([row[-1] for row in rows])
    notes: list[str] = []
    criteria: list[CriterionStatus] = []
    correlated = None
    if every is not None:
        criteria = [
            _criterion(database, study, every, kinds, criterion)
            for criterion in _criteria(every.take(kinds == "main"))
        ]
        wanted = study.metrics if metrics is None else metrics
        if wanted:
            correlated = _correlated(database, every.take(kinds == "main"), wanted, notes)
    return StudyStatus(
        title=study.title,
        progress=progress_of(database),
        criteria=tuple(criteria),
        metrics=correlated,
        notes=tuple(notes),
    )


def _criteria(main: Judgements) -> list[str]:
    """Return the criteria with numbers of systems; labels have no means."""
    rated = main.take(~np.isnan(main.value) & (main.system.codes != NONE))
    return list(rated.criterion.used().names)


def _criterion(
    database: StudyDatabase, study: Study, every: Judgements, kinds: Any, criterion: str
) -> CriterionStatus:
    own = np.array([name == criterion for name in every.criterion])
    main = every.take(own & (kinds == "main"))
    notes: list[str] = []

    def tried(work: Any) -> Any:
        try:
            return work()
        except NlgaugeError as error:
            notes.append(str(error))
            return None

    judged = _with_controls(every.take(own & (kinds != "")), kinds[own])
    systems = main.system.used().names
    spoilt = {f"{name}{SPOILT}": name for name in systems if f"{name}{SPOILT}" in
              judged.system.names}  # fmt: skip
    adaptive = study.assignment.design == "adaptive"
    return CriterionStatus(
        criterion=criterion,
        judgements=len(main),
        systems=_systems(main),
        decisions=tried(lambda: decide(main, criterion=criterion, margin=study.margin)),
        live=tried(
            lambda: live_summary(
                judged, criterion=criterion, gold=_gold(database, criterion),
                tolerance=study.gold.tolerance, controls=spoilt,
            )
        ),
        weighted=tried(lambda: weighted_means(main, criterion=criterion)) or () if adaptive else (),
        notes=tuple(notes),
    )  # fmt: skip


def _with_controls(judged: Judgements, kinds: Any) -> Judgements:
    """Return judgements in which controls are of systems of their own."""
    names = (
        f"{name}{SPOILT}" if kind == "control" and name is not None else name
        for name, kind in zip(judged.system, kinds, strict=True)
    )
    return replace(judged, system=Labels.build(names))


def _gold(database: StudyDatabase, criterion: str) -> dict[str, float | str]:
    """Return the right answers of gold items; of several labels there is not one right one."""
    found = {}
    for name, record in load_records(database):
        expected = record[GOLD].get(criterion) if isinstance(record.get(GOLD), Mapping) else None
        if isinstance(expected, int | float | str) and not isinstance(expected, bool):
            found[name] = expected
    return found


def _systems(main: Judgements) -> tuple[SystemSoFar, ...]:
    """Return the systems with their means, best first; of comparisons, shares of wins."""
    compared = main.comparisons()
    if len(compared):
        both = Labels.build([*compared.system, *compared.against])
        value = np.concatenate([compared.value, 1 - compared.value])
        item = np.concatenate([compared.item.codes, compared.item.codes])
    else:
        rated = main.ratings()
        both, value, item = rated.system, rated.value, rated.item.codes
    both = both.used()
    found = []
    for code, name in enumerate(both.names):
        own = both.codes == code
        spread = float(np.var(value))
        interval = anytime_interval(
            value[own], np.unique(item[own], return_inverse=True)[1], alpha=ALPHA, pseudo=spread
        )
        found.append(SystemSoFar(name, int(own.sum()), interval.mean, interval.low, interval.high))
    return tuple(sorted(found, key=lambda system: -system.mean))


def _correlated(
    database: StudyDatabase, main: Judgements, metrics: Sequence[str], notes: list[str]
) -> MetaResult | None:
    outputs = study_outputs(database)
    rated = main.take(~np.isnan(main.value) & (main.against.codes == NONE))
    rated = rated.take(rated.system.codes != NONE)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NlgaugeWarning)
            scores = score_outputs(outputs, list(metrics))
            return correlate(
                PairedScores(scores=scores, judgements=rated, groups={}),
                settings=MetaSettings(test="none", resamples=0),
            )
    except NlgaugeError as error:
        notes.append(f"metrics: {error}")
        return None


def study_outputs(database: StudyDatabase) -> Outputs:
    """Return the outputs of a study with their sources and references, as `meta` scores them."""
    records = dict(load_records(database))
    rows = database.read(
        lambda db: db.rows(
            """SELECT name, system, text FROM output JOIN item ON item.id = item
            ORDER BY output.id"""
        )
    )
    chosen = [row for row in rows if GOLD not in records[row[0]]]
    references = [records[name].get("references", []) for name, _, _ in chosen]
    sources = [records[name].get("source") for name, _, _ in chosen]
    columns: dict[str, Any] = {}
    if all(isinstance(source, str) for source in sources):
        columns["sources"] = sources
    return Outputs(
        corpus=Corpus.build(
            [text for _, _, text in chosen], references if all(references) else None,
            name="outputs", **columns,
        ),
        items=Labels.build(name for name, _, _ in chosen),
        systems=Labels.build(system for _, system, _ in chosen),
    )  # fmt: skip

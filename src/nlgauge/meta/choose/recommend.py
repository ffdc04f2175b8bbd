"""Which metric to use for a task and a criterion: by the evaluation plane, by the literature and,
where there are judgements, by measurement.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from nlgauge.core import registry
from nlgauge.core.facts import tasks
from nlgauge.core.facts.choices import MeasuredCorrelation, Points
from nlgauge.core.facts.defaults import RESAMPLES, SEED
from nlgauge.core.metric import Metric
from nlgauge.core.outputs import Outputs
from nlgauge.core.results import Result
from nlgauge.data.corpus import Corpus
from nlgauge.data.judgements import Judgements
from nlgauge.errors import DataError, ResourceMissing, SpecError
from nlgauge.meta.choose import axes, by_language, taxonomy
from nlgauge.meta.choose.axes import Region
from nlgauge.meta.choose.measured import MeasuredAgreement, check_resamples, measure
from nlgauge.meta.correlation.paired_scores import PairedScores
from nlgauge.metrics.ngram.aev import AEv
from nlgauge.metrics.trained.regression import Regression

SLOW_FAMILIES = ("likelihood",)  # seconds for each text: measured where they are named


@dataclass(frozen=True)
class Candidate:
    """A candidate is a metric that the literature has for the task."""

    name: str
    title: str
    family: str
    role: taxonomy.Role
    fits: bool  # it is made for the criterion
    needs: tuple[str, ...]
    missing: str  # why it cannot run here, with the remedy; "" if it can
    reason: str


@dataclass(frozen=True, kw_only=True, repr=False)
class Recommendation(Result):
    """A recommendation gives three answers, from the general to the particular; each may be
    missing.
    """

    task: str
    criterion: str | None
    region: Region | None  # of the evaluation plane
    member: str | None  # the spec of AEv in its middle
    candidates: tuple[Candidate, ...]  # best first
    elsewhere: tuple[str, ...]  # what the survey lists for the task and is not in nlgauge
    measured: tuple[MeasuredAgreement, ...]  # best first
    level: Points
    correlation: str
    notes: tuple[str, ...] = ()  # about the language, if it is known


def recommend(
    task: str,
    criterion: str | None = None,
    *,
    outputs: Outputs | None = None,
    judgements: Judgements | None = None,
    metrics: Sequence[str] | None = None,
    guideline: str | float | None = None,
    level: Points = "segment",
    correlation: MeasuredCorrelation = "pearson",
    resamples: int = RESAMPLES,
    seed: int = SEED,
    threads: int | None = None,
    lang: str | None = None,
) -> Recommendation:
    """Recommend metrics for a task, in any usual spelling, and a criterion such as coverage; for
    the language of the outputs, if that is known (`lang="de"`, or a pair such as "en-de").

    With `outputs` and `judgements`, `metrics` (default: all candidates that can run on them, but
    likelihoods) are ranked by their correlation with the ratings; `guideline` places a criterion
    on the plane whose name does not tell.
    """
    short = tasks.find_task(task)
    check_resamples(resamples)
    if judgements is not None:
        criterion = _rated(judgements, criterion)
    elif criterion is not None and guideline is None:
        _check_criterion(criterion, short)
    place = axes.guideline(criterion or "any criterion", guideline)
    region = axes.predict(axes.TASKS[short], place)
    member = None if region is None else AEv(alpha=region.alpha, max_order=region.order)
    spec = None if member is None else registry.spec(member)
    corpus = None if outputs is None else outputs.corpus
    candidates = candidates_for(short, criterion, corpus)
    if lang is not None:
        candidates = by_language.in_language(candidates, lang)
    measured: tuple[MeasuredAgreement, ...] = ()
    if outputs is not None and judgements is not None and criterion is not None:
        from nlgauge.run.scoring import score_outputs

        quick = [c.name for c in candidates if not c.missing and c.family not in SLOW_FAMILIES]
        chosen = list(metrics or quick)
        if spec is not None and spec not in chosen:
            chosen.append(spec)
        shared = {} if lang is None else {"lang": lang}
        scores = score_outputs(outputs, chosen, shared_options=shared, threads=threads)
        paired = PairedScores(scores=scores, judgements=judgements, groups=outputs.groups)
        measured = measure(
            paired,
            criterion,
            level=level,
            correlation=correlation,
            resamples=resamples,
            seed=seed,
        )
    known = {*registry.names()}
    return Recommendation(
        task=short,
        criterion=criterion,
        region=region,
        member=spec,
        candidates=candidates,
        elsewhere=tuple(
            name
            for name in taxonomy.survey_names()
            if name not in known and taxonomy.survey_role(name, short)
        ),
        measured=measured,
        level=level,
        correlation=correlation,
        notes=() if lang is None else by_language.language_notes(lang),
    )


def _rated(judgements: Judgements, criterion: str | None) -> str:
    known = judgements.ratings().criterion.used().names
    if criterion is None and len(known) == 1:
        return known[0]
    if criterion not in known:
        what = "give a criterion" if criterion is None else f"no criterion {criterion!r}"
        raise SpecError(f"{what}; the ratings have: {', '.join(known)}")
    return criterion


def _check_criterion(criterion: str, task: str) -> None:
    """Refuse a name that is no known criterion: it is probably a slip."""
    if tasks.find_criterion(criterion) is None:
        close = tasks.near_criteria(criterion)
        hint = f"did you mean {' or '.join(close)}?" if close else "it is no known criterion."
        about = tasks.TASKS[task]
        raise SpecError(
            f"criterion {criterion!r}: {hint} Outputs of {about.name} are judged by "
            f"{', '.join(about.criteria)}; for another one, say what its judges looked at with "
            "--guideline"
        )


def candidates_for(
    task: str, criterion: str | None, corpus: Corpus | None = None
) -> tuple[Candidate, ...]:
    """Return metrics of the registry proposed or adopted for a task, best first: of those that can
    run (on the corpus, if there is one), those made for the criterion, then those proposed; of
    these, one that was measured best.
    """
    from nlgauge.run.doctor import metric_remedies

    missing = metric_remedies()
    found = []
    for cls in registry.classes():
        info = cls.info
        surveyed = taxonomy.survey_role(info.name, task)
        role = surveyed or ("proposed" if task in info.tasks else None)
        if role is None or cls is Regression:  # a model of one's own is not literature
            continue
        fits = criterion is not None and any(_alike(criterion, c) for c in info.criteria)
        why = f"{role} for {tasks.TASKS[task].name}"
        why += " (Sai et al., table 3)" if surveyed else " by its authors"
        if fits:
            why += f", made for {', '.join(info.criteria)}"
        if (where := taxonomy.measured_best(info.name, task)) is not None:
            why = f"measured best for {tasks.TASKS[task].name} ({where})"
        remedy = missing[info.name]
        if remedy and not remedy.startswith(info.name):  # a command, and no sentence
            remedy = f"{info.name}: run: {remedy}"
        candidate = Candidate(
            info.name, info.title, info.family, role, fits, info.needs, remedy, why
        )
        found.append(candidate if corpus is None or remedy else _tried(candidate, cls, corpus))
    # Of equals, those that the survey has stand first: they are the known ones.
    known = {name: i for i, name in enumerate(taxonomy.survey_names())}
    order = sorted(
        found,
        key=lambda c: (
            bool(c.missing),
            not c.fits,
            c.role != "proposed",
            taxonomy.measured_best(c.name, task) is None,
            known.get(c.name, 99),
        ),
    )
    return tuple(order)


def _alike(one: str, other: str) -> bool:
    """Return whether two names mean one criterion, or criteria that judges look at alike."""
    first, second = tasks.find_criterion(one), tasks.find_criterion(other)
    if first is None or second is None:
        return tasks.normal(one) == tasks.normal(other)
    return first == second or (first.guideline is not None and first.guideline == second.guideline)


def _tried(candidate: Candidate, cls: type[Metric], corpus: Corpus) -> Candidate:
    try:
        cls().check_inputs(corpus)
    except (DataError, ResourceMissing, SpecError) as error:
        return replace(candidate, missing=str(error))
    return candidate

"""Say in words what is found out about metrics: which agrees with people, and which to use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nlgauge.core.facts.defaults import ALPHA
from nlgauge.core.facts.tasks import TASKS
from nlgauge.meta.choose.metric_regression import MetricRegression
from nlgauge.meta.choose.plane import Planes
from nlgauge.meta.choose.recommend import Recommendation
from nlgauge.meta.correlation.meta_result import MetaResult
from nlgauge.meta.correlation.metric_agreement import MetricAgreement
from nlgauge.meta.correlation.settings import PREFERENCES
from nlgauge.meta.stress.robustness import PerturbationOutcome, Robustness
from nlgauge.meta.without_people.metric_sets import Qarla
from nlgauge.meta.without_people.orange import Orange
from nlgauge.report.answers.verdicts import (
    FEW_SEGMENTS,
    FEW_SYSTEMS,
    MOST_SAID,
    joined,
    named,
    section,
)
from nlgauge.report.pages.page import Section
from nlgauge.report.tables.meta.plane_tables import member_text, plane_title
from nlgauge.report.tables.meta.qarla_tables import set_name
from nlgauge.report.tables.meta.regression_tables import ALIKE, model_name

FEW_TEXTS = 10  # that a perturbation changed, below which a share of them says little
# Where a correlation is measured, by its level.
PLACES = {
    "segment": "over all outputs",
    "segment-by-item": "among the outputs of each item",
    "segment-by-system": "among the outputs of each system",
    "system": "between systems",
}
COEFFICIENT_NAMES = {
    "pearson": "Pearson's r",
    "spearman": "Spearman's ρ",
    "kendall": "Kendall's τ",
}


def meta_answer(result: MetaResult) -> list[Section]:
    """Say which metrics agree best with people, criterion by criterion, with intervals.

    Criteria by which it is the same metrics share a sentence; what may be chance is only named.
    """
    tops = _tops(result)
    if result.agreements and not tops:
        return section(["The ratings are too few to tell which metric agrees with people."])
    shared: dict[tuple[object, ...], list[_Best]] = {}
    for top in tops:
        who = () if top.may_be_chance else (top.metrics, top.rivals)
        shared.setdefault((top.may_be_chance, *top.kind, *who), []).append(top)
    # What is sure comes first.
    ordered = sorted(shared.values(), key=lambda found: found[0].may_be_chance)
    said = [_doubtful(found) if found[0].may_be_chance else _agreeing(found) for found in ordered]
    if (rest := len(said) - MOST_SAID) > 0:
        said = [*said[:MOST_SAID], f"{rest} more {'is' if rest == 1 else 'are'} in the tables."]
    few = {
        f"{top.first.points} {_unit(top.first)}"
        for top in tops
        if top.first.points < (FEW_SYSTEMS if top.first.level == "system" else FEW_SEGMENTS)
    }
    if few:
        said.append(
            f"{joined(sorted(few))} are few: only large correlations can be told from chance."
        )
    return section(said)


@dataclass(frozen=True)
class _Best:
    """The metrics that agree best with one criterion at one level, and those not told from them."""

    first: MetricAgreement
    metrics: tuple[str, ...]
    rivals: tuple[str, ...]

    @property
    def kind(self) -> tuple[str, str, str]:
        """Return what the sentence that tells of it is about."""
        return self.first.part, self.first.level, self.first.coefficient

    @property
    def may_be_chance(self) -> bool:
        """Return whether the interval holds 0."""
        return self.first.low <= 0 <= self.first.high


def _tops(result: MetaResult) -> list[_Best]:
    groups: dict[tuple[str, ...], list[MetricAgreement]] = {}
    for one in result.agreements:
        if one.value == one.value and not one.too_few:
            key = (one.part, one.criterion, one.level, one.coefficient)
            groups.setdefault(key, []).append(one)
    tests = {(t.part, t.criterion, t.level, t.coefficient): t for t in result.significance}
    tops = []
    for found in groups.values():
        value = max(one.value for one in found)
        best = [one for one in found if one.value == value]
        names = tuple(one.metric for one in best)
        one = best[0]
        test = tests.get((one.part, one.criterion, one.level, one.coefficient))
        first = zip(test.metrics, test.clusters, strict=True) if test is not None else ()
        rivals = tuple(name for name, cluster in first if cluster == 1 and name not in names)
        tops.append(_Best(one, names, rivals))
    return tops


def _agreeing(found: Sequence[_Best]) -> str:
    """Say with which criteria some metrics agree best, at one level."""
    first = found[0]
    listed = joined(f"{top.first.criterion}: {_shown(top.first)}" for top in found)
    verb = "agrees" if len(first.metrics) == 1 else "agree"
    near = f"; {named(first.rivals)} may be as good" if first.rivals else ""
    part = _part(first)
    return f"{joined(first.metrics)} {verb} best{part} with {listed} ({_measured(found)}){near}."


def _shown(found: MetricAgreement) -> str:
    ends = "" if found.low != found.low else f" [{found.low:.3f}, {found.high:.3f}]"
    return f"{found.value:.3f}{ends}"


def _doubtful(found: Sequence[_Best]) -> str:
    """Say with which criteria the best metric may agree by chance, at one level."""
    criteria = joined(top.first.criterion for top in found)
    return (
        f"The best agreement{_part(found[0])} with {criteria} may be chance ({_measured(found)})."
    )


def _part(top: _Best) -> str:
    return "" if top.first.part == "all" else f" in {top.first.part}"


def _measured(found: Sequence[_Best]) -> str:
    """Say by which coefficient, between what, and over how many of them."""
    first = found[0].first
    counts = sorted({top.first.points for top in found})
    points = f"{counts[0]} to {counts[-1]}" if len(counts) > 1 else f"{counts[0]}"
    coefficient = COEFFICIENT_NAMES.get(first.coefficient, first.coefficient)
    return f"{coefficient} {PLACES[first.level]}, {points} {_unit(first)}"


def _unit(found: MetricAgreement) -> str:
    if found.coefficient in PREFERENCES:
        return "pairs"
    return "systems" if found.level == "system" else "outputs"


def robustness_answer(result: Robustness) -> list[Section]:
    """Say how many kinds of broken and of kept meaning each metric answers rightly."""
    said = []
    for column in result.columns:
        own = [found for (name, _), found in result.outcomes.items() if name == column.name]
        broken = [found for found in own if found.breaking and found.texts]
        kept = [found for found in own if not found.breaking and found.texts]
        parts = [_passed("notices {} ways to break the meaning", broken)] if broken else []
        parts += [_passed("stays the same under {} changes that keep it", kept)] if kept else []
        said.append(
            f"{column.name} {joined(parts)}." if parts else f"{column.name}: nothing tried."
        )
    shares = {name: share for name, share in result.separation.items() if share == share}
    if len(shares) > 1:
        best = max(shares, key=lambda name: shares[name])
        said.append(
            f"{best} tells the two kinds apart best: in {shares[best]:.1%} of pairs the broken "
            "text scores lower than the kept one; by chance it would be half of them."
        )
    said.append(
        f"A text counts if its score moves by more than {result.epsilon:g} of the metric's range; "
        f"a change is noticed, or left alone, if it is so in {result.threshold:.0%} of its texts "
        "or more."
    )
    few = {o.perturbation for o in result.outcomes.values() if 0 < o.texts < FEW_TEXTS}
    if few:
        tried = [trial.perturbation for trial in result.trials if trial.perturbation in few]
        said.append(f"{joined(tried)} fit fewer than {FEW_TEXTS} texts, which say little.")
    return section(said)


def _passed(sentence: str, tried: Sequence[PerturbationOutcome]) -> str:
    """Say how many of the perturbations went well, and which did not if these are the fewer."""
    failed = [found.perturbation for found in tried if not found.passed]
    named = f" (not {joined(failed)})" if 0 < len(failed) <= len(tried) / 2 else ""
    return sentence.format(f"{len(tried) - len(failed)} of {len(tried)}") + named


def recommendation_answer(found: Recommendation) -> list[Section]:
    """Say which metric to use: by ratings if there are any, else by the literature."""
    said = []
    if found.measured:
        best = found.measured[0]
        near = [other.name for other in found.measured[1:] if other.near_best]
        what = "systems" if found.level == "system" else "outputs"
        rest = f"; {named(near)} may be as good" if near else ""
        said.append(
            f"Use {best.name}: it agrees best with {found.criterion}, "
            f"{COEFFICIENT_NAMES.get(found.correlation, found.correlation)} "
            f"{best.value:.3f} [{best.low:.3f}, {best.high:.3f}] over {best.points} {what}{rest}."
        )
        if best.points < (FEW_SYSTEMS if found.level == "system" else FEW_SEGMENTS):
            said.append(f"{best.points} {what} are few: other ratings may have another winner.")
    runnable = [candidate for candidate in found.candidates if not candidate.missing]
    if runnable:
        start = "By the literature, use" if not found.measured else "The literature has"
        names = joined([candidate.name for candidate in runnable[:3]])
        said.append(f"{start} {names} for {TASKS[found.task].name}.")
    if not found.measured:
        said.append("Ratings of your own outputs would tell more: `nlgauge recommend FILE`.")
    return section(said)


def plane_answer(planes: Planes) -> list[Section]:
    """Say which n-gram metric agrees best with each criterion, and whether that was predicted."""
    said = []
    for plane in planes.planes[:MOST_SAID]:
        if not plane.maxima:
            continue
        best, there = plane.maxima[0], plane.best_predicted
        line = f"{plane_title(plane)}: {member_text(best.alpha, best.order)} agrees best, "
        line += f"R² {best.r2:.1%} over {plane.points} {plane.level}s"
        if _may_be_chance(best.r2, plane.points):
            line += ", which may be chance"
        elif plane.r[plane.orders.index(best.order), plane.alphas.index(best.alpha)] < 0:
            line += ", but against the ratings: higher scores go with lower ones"
        if plane.as_predicted:
            line += ", where it was predicted"
        elif there is not None:
            member = member_text(there.alpha, there.order)
            line += f"; where it was predicted, {member} is best with {there.r2:.1%}"
        said.append(f"{line}.")
    if said and min(plane.points for plane in planes.planes) < FEW_SYSTEMS:
        said.append("So few points say little: more of them may have another maximum.")
    return section(said)


def _may_be_chance(r2: float, points: int) -> bool:
    """Return whether a share of the variance is one that scores drawn by lot might explain, too."""
    from scipy.special import stdtr

    if points < 3 or r2 >= 1:
        return points < 3
    t = np.sqrt(r2 * (points - 2) / (1 - r2))
    return bool(2 * stdtr(points - 2, -t) >= ALPHA)


def orange_answer(result: Orange) -> list[Section]:
    """Say which metric ranks references highest, and which do no better than chance."""
    best = int(np.nanargmin(result.orange))
    # A rank drawn by lot is (length + 1) / 2 on average.
    chance = float(np.nanmean((result.lengths + 1) / (2 * result.lengths)))
    said = [
        f"{result.metrics[best]} ranks references highest among the systems' outputs: ORANGE "
        f"{result.orange[best]:.3f}, where ranks drawn by lot would have {chance:.3f}."
    ]
    worse = [
        name
        for name, value in zip(result.metrics, result.orange.tolist(), strict=True)
        if value >= chance
    ]
    if worse:
        does = "does" if len(worse) == 1 else "do"
        said.append(f"{named(worse)} {does} no better than a lot.")
    return section(said)


def qarla_answer(result: Qarla) -> list[Section]:
    """Say which system comes closest to the references, and which metrics tell them apart."""
    best, peers = result.best, len(result.peers)
    queens = best.queens
    first = int(np.nanargmax(queens[:peers]))
    own = float(np.nanmean(queens[peers:]))
    return section(
        [
            f"{set_name(best)} tells references from systems best: KING {best.king:.3f} is the "
            "share of references that come out above every system.",
            f"{result.peers[first]} is the system closest to the references: QUEEN "
            f"{queens[first]:.3f}, and {own:.3f} for the references themselves.",
        ]
    )


def regression_answer(models: Sequence[MetricRegression]) -> list[Section]:
    """Say how much of the ratings each model explains, and by which terms."""
    said = []
    for model in models[:MOST_SAID]:
        fit = model.fit
        terms = fit.coefficients[1:]
        sure = [f"{t.name} ({'+' if t.value > 0 else '−'})" for t in terms if t.p < ALPHA]
        chance = [term.name for term in terms if not term.p < ALPHA]
        line = f"{joined([t.name for t in terms])} explain" + ("s" if len(terms) == 1 else "")
        line += f" {fit.r2:.1%} of the variance of {model_name(model)} over {fit.n} outputs"
        if sure:
            line += f"; {joined(sure)} {'is' if len(sure) == 1 else 'are'} significant"
        if chance:
            line += f"; what {joined(chance)} {'adds' if len(chance) == 1 else 'add'} may be chance"
        said.append(f"{line}.")
    alike = {t.name: None for model in models for t in model.fit.coefficients[1:] if t.vif > ALIKE}
    if alike:
        said.append(
            f"{named(list(alike))} {'repeats' if len(alike) == 1 else 'repeat'} what other terms "
            "say, so that the signs tell little on their own."
        )
    return section(said)

"""Say in words what a result comes to: the answer that stands first on a page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nlgauge.core.facts.defaults import ALPHA
from nlgauge.core.facts.tasks import TASKS
from nlgauge.core.table import ScoreTable
from nlgauge.human.annotator_agreement import Agreement
from nlgauge.human.stopping.decisions import Decisions
from nlgauge.meta.choose.plane import Planes
from nlgauge.meta.choose.recommend import Recommendation
from nlgauge.meta.correlation.meta_result import MetaResult
from nlgauge.meta.correlation.metric_agreement import MetricAgreement
from nlgauge.meta.stress.robustness import PerturbationOutcome, Robustness
from nlgauge.report.pages.page import Section
from nlgauge.report.tables.human.agreement_tables import criterion_title
from nlgauge.report.tables.meta.plane_tables import member_text, plane_title
from nlgauge.run.comparison import Comparison, Difference

TITLE = "In short"
MOST_SAID = 8  # sentences about agreement, or rivals
FEW_SEGMENTS = 100  # below which only large differences can be told from chance
FEW_SYSTEMS = 10  # below which a correlation over systems says little
# Krippendorff (2004): what annotators agree on so far can be relied on, or with caution.
RELIABLE, TENTATIVE = 0.8, 0.667


def score_answer(table: ScoreTable) -> list[Section]:
    """Say which system is best; nothing of a single one."""
    if len(table.systems) < 2:
        return []
    best = {column.name: tuple(table.best(column.name)) for column in table.columns}
    said = _tested(table) or ["Whether the differences are real, `nlgauge compare` tells."]
    return _section([_best(best), *said, *_few(table.segments)])


def comparison_answer(result: Comparison) -> list[Section]:
    """Say which system is best, and whether its lead may be chance."""
    best = {}
    for metric, higher in zip(result.metrics, result.higher_is_better, strict=True):
        scores = {s.system: s.score for s in result.scores if s.metric == metric}
        top = (max if higher else min)(scores.values())
        best[metric] = tuple(system for system, score in scores.items() if score == top)
    said = [_best(best)]
    winners = {systems for systems in best.values() if len(systems) == 1}
    for (winner,) in sorted(winners):
        said += _lead(result, winner, [metric for metric, own in best.items() if own == (winner,)])
    return _section([*said, *_few(result.segments)])


def meta_answer(result: MetaResult) -> list[Section]:
    """Say which metric agrees best with people, criterion by criterion, with intervals.

    Criteria by which it is the same metric share a sentence.
    """
    tops: dict[tuple[str, ...], MetricAgreement] = {}
    for found in result.agreements:
        key = (found.part, found.criterion, found.level, found.coefficient)
        known = found.value == found.value and not found.too_few
        if known and (key not in tops or found.value > tops[key].value):
            tops[key] = found
    shared: dict[tuple[str | bool, ...], list[MetricAgreement]] = {}
    for top in tops.values():
        chance = top.low <= 0 <= top.high
        alike = (top.metric, top.part, top.level, top.coefficient, chance)
        shared.setdefault(alike, []).append(top)
    few = {
        f"{top.points} {'systems' if top.level == 'system' else 'outputs'}"
        for top in tops.values()
        if top.points < (FEW_SYSTEMS if top.level == "system" else FEW_SEGMENTS)
    }
    said = [_agreeing(best) for best in shared.values()]
    if len(said) > MOST_SAID:
        said = [*said[:MOST_SAID], f"{len(said) - MOST_SAID} more are in the tables."]
    if few:
        said.append(
            f"{_and(sorted(few))} are few: only large correlations can be told from chance."
        )
    return _section(said)


def _agreeing(best: Sequence[MetricAgreement]) -> str:
    """Say with which criteria one metric agrees best, at one level."""
    first = best[0]
    where = "" if first.part == "all" else f" in {first.part}"
    listed = _and(
        f"{top.criterion}: {top.value:.3f}"
        + (f" [{top.low:.3f}, {top.high:.3f}]" if top.low == top.low else "")
        for top in best
    )
    counts = sorted({top.points for top in best})
    points = f"{counts[0]} to {counts[-1]}" if len(counts) > 1 else f"{counts[0]}"
    which = ("which", "both of which")[len(best) - 1] if len(best) < 3 else "all of which"
    chance = f", {which} may be chance" if first.low <= 0 <= first.high else ""
    return (
        f"{first.metric} agrees best{where} with {listed} "
        f"({first.coefficient}, {first.level} level, {points} points){chance}."
    )


def robustness_answer(result: Robustness) -> list[Section]:
    """Say how many kinds of broken and of kept meaning each metric answers rightly."""
    said = []
    for column in result.columns:
        own = [found for (name, _), found in result.outcomes.items() if name == column.name]
        broken = [found for found in own if found.breaking and found.texts]
        kept = [found for found in own if not found.breaking and found.texts]
        parts = [_passed("notices {} ways to break the meaning", broken)] if broken else []
        parts += [_passed("stays the same under {} changes that keep it", kept)] if kept else []
        said.append(f"{column.name} {_and(parts)}." if parts else f"{column.name}: nothing tried.")
    shares = {name: share for name, share in result.separation.items() if share == share}
    if len(shares) > 1:
        best = max(shares, key=lambda name: shares[name])
        said.append(
            f"{best} tells the two kinds apart best: in {shares[best]:.1%} of pairs the broken "
            "text scores lower than the kept one; by chance it would be half of them."
        )
    return _section(said)


def _passed(sentence: str, tried: Sequence[PerturbationOutcome]) -> str:
    """Say how many of the perturbations went well, and which did not if these are the fewer."""
    failed = [found.perturbation for found in tried if not found.passed]
    named = f" (not {_and(failed)})" if 0 < len(failed) <= len(tried) / 2 else ""
    return sentence.format(f"{len(tried) - len(failed)} of {len(tried)}") + named


def recommendation_answer(found: Recommendation) -> list[Section]:
    """Say which metric to use: by ratings if there are any, else by the literature."""
    said = []
    if found.measured:
        best = found.measured[0]
        near = [other.name for other in found.measured[1:] if other.near_best]
        what = "systems" if found.level == "system" else "outputs"
        rest = f"; {_and(near[:MOST_SAID])} may be as good" if near else ""
        said.append(
            f"Use {best.name}: it agrees best with {found.criterion}, {found.correlation} "
            f"{best.value:.3f} [{best.low:.3f}, {best.high:.3f}] over {best.points} {what}{rest}."
        )
        if best.points < (FEW_SYSTEMS if found.level == "system" else FEW_SEGMENTS):
            said.append(f"{best.points} {what} are few: other ratings may have another winner.")
    runnable = [candidate for candidate in found.candidates if not candidate.missing]
    if runnable:
        start = "By the literature, use" if not found.measured else "The literature has"
        names = _and([candidate.name for candidate in runnable[:3]])
        said.append(f"{start} {names} for {TASKS[found.task].name}.")
    if not found.measured:
        said.append("Ratings of your own outputs would tell more: `nlgauge recommend FILE`.")
    return _section(said)


def plane_answer(planes: Planes) -> list[Section]:
    """Say which n-gram metric agrees best with each criterion, and whether that was predicted."""
    said = []
    for plane in planes.planes[:MOST_SAID]:
        if not plane.maxima:
            continue
        best, there = plane.maxima[0], plane.best_predicted
        line = f"{plane_title(plane)}: {member_text(best.alpha, best.order)} agrees best, "
        line += f"R² {best.r2:.1%} over {plane.points} {plane.level}s"
        if plane.as_predicted:
            line += ", where it was predicted"
        elif there is not None:
            member = member_text(there.alpha, there.order)
            line += f"; where it was predicted, {member} is best with {there.r2:.1%}"
        said.append(f"{line}.")
    if said and min(plane.points for plane in planes.planes) < FEW_SYSTEMS:
        said.append("So few points say little: more of them may have another maximum.")
    return _section(said)


def decisions_answer(found: Sequence[Decisions]) -> list[Section]:
    """Say for each criterion which systems are better, and what it takes to know more."""
    said = []
    for decisions in found:
        name = f"{decisions.criterion}: " if decisions.criterion else ""
        decided = _decided(decisions)
        equal = [f"{p.first} and {p.second}" for p in decisions.pairs if p.verdict == "equal"]
        if equal:
            decided.append(f"no difference of interest between {_and(equal[:MOST_SAID])}")
        if decisions.open:
            more = "no end in sight" if decisions.more is None else f"about {decisions.more} more"
            decided.append(
                f"{len(decisions.open)} of {len(decisions.pairs)} pairs are open "
                f"({more}{'' if decisions.more is None else ' judgements'})"
            )
        said.append(f"{name}{'; '.join(decided)}." if decided else f"{name}nothing to decide.")
    return _section(said)


def _decided(decisions: Decisions) -> list[str]:
    """Return which system is better than which others."""
    found = []
    for system in decisions.systems:
        worse = [
            pair.second if pair.first == system else pair.first
            for pair in decisions.pairs
            if pair.better == system
        ]
        if worse:
            found.append(f"{system} is better than {_and(worse)}")
    return found


def agreement_answer(result: Agreement) -> list[Section]:
    """Say for each criterion how far annotators agree, by the measure that fits its values."""
    said = []
    for criterion in result.criteria:
        measure = criterion.measure(criterion.headline)
        span = f" [{measure.low:.3f}, {measure.high:.3f}]" if measure.low == measure.low else ""
        verdict = _reliable(measure.value) if measure.name.startswith("Krippendorff") else ""
        said.append(
            f"{criterion_title(criterion)}: {measure.name} {measure.value:.3f}{span}{verdict}."
        )
    return _section(said)


def _reliable(alpha: float) -> str:
    """Say what Krippendorff allows to conclude from annotators who agree so far."""
    if alpha != alpha:
        return ""
    if alpha >= RELIABLE:
        return f"; {RELIABLE:g} and more can be relied on, says Krippendorff"
    if alpha >= TENTATIVE:
        return f"; between {TENTATIVE:g} and {RELIABLE:g}, conclusions are tentative"
    return f"; below {TENTATIVE:g}, single ratings are not to be relied on"


def _best(best: dict[str, tuple[str, ...]]) -> str:
    """Say which systems have the best scores."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for metric, systems in best.items():
        groups.setdefault(systems, []).append(metric)
    parts = []
    for systems, metrics in groups.items():
        verb = "is best" if len(systems) == 1 else "are best together"
        every = "both metrics" if len(metrics) == 2 else f"all {len(metrics)} metrics"
        alone = len(groups) == 1 and len(metrics) > 1
        parts.append(f"{_and(systems)} {verb} by {every if alone else _and(metrics)}")
    return "; ".join(parts) + "."


def _tested(table: ScoreTable) -> list[str]:
    """Say which systems differ from the first, if they were tested against it."""
    if not table.p_values:
        return []
    first = table.systems[0]
    chance = [f"{s} by {m}" for (s, m), p in table.p_values.items() if not p < ALPHA]
    if not chance:
        return [f"All differences to {first} are significant."]
    if len(chance) == len(table.p_values):
        return [f"No difference to {first} is significant."]
    sure = len(table.p_values) - len(chance)
    listed = _and([*chance[:MOST_SAID], *(["others"] if len(chance) > MOST_SAID else [])])
    return [
        f"{sure} of {len(table.p_values)} differences to {first} are significant; "
        f"that of {listed} may be chance."
    ]


def _lead(result: Comparison, winner: str, metrics: Sequence[str]) -> list[str]:
    """Say over whom the lead of a system is significant, and over whom it may be chance."""
    found = [d for d in result.differences if d.metric in metrics and winner in (d.system, d.other)]
    if not found:
        return []
    chance = [d for d in found if not (d.significant and d.better == winner)]
    if not chance:
        return [f"The lead of {winner} is significant over every system it was compared with."]
    rivals: dict[str, list[str]] = {}
    for difference in chance[:MOST_SAID]:
        rivals.setdefault(_rival(difference, winner), []).append(difference.metric)
    listed = _and(f"{rival} by {_and(own)}" for rival, own in rivals.items())
    sure = len(found) - len(chance)
    start = f"The lead of {winner} is significant in {sure} of {len(found)} comparisons; "
    rest = f"over {listed} it may be chance."
    return [start + rest if sure else f"The lead of {winner} {rest.replace(' it', '')}"]


def _rival(difference: Difference, winner: str) -> str:
    return difference.other if difference.system == winner else difference.system


def _few(segments: int) -> list[str]:
    if segments >= FEW_SEGMENTS:
        return []
    return [f"{segments} segments are few: only large differences can be told from chance."]


def _and(names: Iterable[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def _section(said: Sequence[str]) -> list[Section]:
    return [Section(title=TITLE, lines=said)] if said else []

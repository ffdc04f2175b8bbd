"""Say in words what judgements come to: who is better, and whether annotators agree."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nlgauge.human.aggregation import RatedSystems
from nlgauge.human.annotator_agreement import Agreement
from nlgauge.human.ranking import Ranking
from nlgauge.human.stopping.decisions import Decisions
from nlgauge.report.answers.verdicts import MOST_SAID, joined, named, section
from nlgauge.report.pages.page import Section
from nlgauge.report.tables.human.agreement_tables import criterion_title
from nlgauge.report.tables.human.study_tables import rounded

# Krippendorff (2004): what annotators agree on so far can be relied on, or with caution.
RELIABLE, TENTATIVE = 0.8, 0.667


def decisions_answer(found: Sequence[Decisions]) -> list[Section]:
    """Say for each criterion which systems are better, and what it takes to know more."""
    return section(decisions_said(found))


def decisions_said(found: Sequence[Decisions]) -> list[str]:
    """Return the sentences of `decisions_answer` without their section."""
    said = []
    for decisions in found:
        name = f"{decisions.criterion}: " if decisions.criterion else ""
        decided = _decided(decisions)
        equal = [f"{p.first} and {p.second}" for p in decisions.pairs if p.verdict == "equal"]
        if equal:
            decided.append(f"no difference of interest between {named(equal)}")
        if decisions.open:
            more = (
                "no end in sight"
                if decisions.more is None
                else f"about {rounded(decisions.more)} more"
            )
            decided.append(
                f"{len(decisions.open)} of {len(decisions.pairs)} pairs are open "
                f"({more}{'' if decisions.more is None else ' judgements'})"
            )
        said.append(f"{name}{'; '.join(decided)}." if decided else f"{name}nothing to decide.")
    return said


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
            found.append(f"{system} is better than {joined(worse)}")
    return found


def agreement_answer(result: Agreement) -> list[Section]:
    """Say for each criterion how far annotators agree, by the measure that fits its values."""
    said = []
    for criterion in result.criteria:
        measure = criterion.measure(criterion.headline)
        span = f" [{measure.low:.3f}, {measure.high:.3f}]" if measure.low == measure.low else ""
        verdict = reliable(measure.value) if measure.name.startswith("Krippendorff") else ""
        said.append(
            f"{criterion_title(criterion)}: {measure.name} {measure.value:.3f}{span}{verdict}."
        )
    return section(said)


def reliable(alpha: float) -> str:
    """Say what Krippendorff allows to conclude from annotators who agree so far."""
    if alpha != alpha:
        return ""
    if alpha >= RELIABLE:
        return f"; {RELIABLE:g} and more can be relied on, says Krippendorff"
    if alpha >= TENTATIVE:
        return f"; between {TENTATIVE:g} and {RELIABLE:g}, conclusions are tentative"
    return f"; below {TENTATIVE:g}, single ratings are not to be relied on"


def ranks_answer(result: Ranking) -> list[Section]:
    """Say in which order systems come, and which orders may be chance."""
    clusters: dict[int, list[str]] = {}
    for found in result.systems:
        clusters.setdefault(found.cluster, []).append(found.system)
    parts = []
    for systems in list(clusters.values())[:MOST_SAID]:
        together = " (whose order may be chance)" if len(systems) > 1 else ""
        parts.append(f"{joined(systems)}{together}")
    rest = len(clusters) - MOST_SAID
    parts += [f"{rest} more clusters"] if rest > 0 else []
    name = f"{result.criterion}: " if result.criterion else ""
    verb = "comes" if len(next(iter(clusters.values()))) == 1 else "come"
    first, *others = parts
    said = f"{name}{first} {verb} first"
    said += "".join(f", then {part}" for part in others)
    return section([f"{said}; ranks are by expected wins in {result.comparisons} comparisons."])


def systems_answer(result: RatedSystems) -> list[Section]:
    """Say for each criterion which system has the best mean."""
    said = []
    for criterion in dict.fromkeys(s.criterion for s in result.systems):
        own = [s for s in result.systems if s.criterion == criterion and s.system is not None]
        known = [s for s in own if not np.isnan(s.mean)]
        if len(known) < 2:
            continue
        top = max(s.mean for s in known)
        best = [s.system or "–" for s in known if s.mean == top]
        verb = "has" if len(best) == 1 else "have"
        name = f"{criterion}: " if criterion else ""
        said.append(f"{name}{joined(best)} {verb} the highest mean, {top:.2f}.")
    if said:
        said = said[:MOST_SAID]
        said.append("Whether the differences are real, `nlgauge analyse decisions` tells.")
    return section(said)

"""Say in words what analyses of judgements come to: use, comprehension, grades, questionnaires."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nlgauge.human.comprehension import CrossComprehension
from nlgauge.human.grades import Grades
from nlgauge.human.relevance import RelevancePrediction
from nlgauge.human.statements import Questionnaire
from nlgauge.report.answers.verdicts import FEW_SEGMENTS, MOST_SAID, named, section
from nlgauge.report.pages.page import Section

CAREFUL = 0.5  # correlation with reversed statements from which people seem to have read them


def relevance_answer(result: RelevancePrediction) -> list[Section]:
    """Say which surrogate is judged most as the full text is, and what it saves."""
    known = [s for s in result.surrogates if s.prediction == s.prediction]
    known.sort(key=lambda s: -s.prediction)
    said = [
        f"{s.surrogate} is judged as the full text is in {s.prediction:.1%} of "
        f"{s.judged} judgements{_saved(s.time_saved)}."
        for s in known[:MOST_SAID]
    ]
    return section([*said, *_few({s.surrogate: s.judged for s in known})])


def _saved(share: float) -> str:
    if share != share:
        return ""
    if share < 0:
        return f", and takes {-share:.1%} more time"
    return f", and saves {share:.1%} of the time"


def comprehension_answer(result: CrossComprehension) -> list[Section]:
    """Say how many questions of others summaries answer, and how machines do beside people."""
    overall = result.overall
    said = [
        f"Summaries answer {overall.at_least_partial:.1%} of the {overall.answers} questions of "
        "other authors, at least in part."
    ]
    shares = {a.name: a.at_least_partial for a in result.summaries}
    if len(shares) > 1:
        said.append(f"{_extremes(shares, '.1%')}.")
    said += [
        f"The summary of {pair.machine.name} answers {pair.machine.at_least_partial:.1%}, those of "
        f"people {pair.human.at_least_partial:.1%} of the same questions."
        for pair in result.machines[:MOST_SAID]
    ]
    return section([*said, *_few({"all": overall.answers})])


def grades_answer(result: Grades) -> list[Section]:
    """Say which system has the best grades, part by part."""
    said = []
    for part in list(dict.fromkeys(g.part for g in result.systems))[:MOST_SAID]:
        own = {g.system: g.score for g in result.systems if g.part == part}
        said.append(f"{'' if part is None else f'{part}: '}{_extremes(own, '.3f')}.")
    return section([*said, *_few({f"{g.system} {g.part}": g.judged for g in result.systems})])


def questionnaire_answer(result: Questionnaire) -> list[Section]:
    """Say which system is rated best in each group, and whether people seem to have taken care."""
    said = []
    for group in dict.fromkeys(g.group for g in result.groups):
        own = {g.system: g.mean for g in result.groups if g.group == group}
        said.append(f"{group}, of {result.points} points: {_extremes(own, '.2f')}.")
    known = [c.correlation for c in result.consistency if c.correlation == c.correlation]
    if known:
        agree = "go together" if min(known) >= CAREFUL else "do not always go together"
        care = "" if min(known) >= CAREFUL else ": some may not have read with care"
        said.append(
            f"Answers to statements and to their reversed twins {agree} "
            f"(r from {min(known):.2f} to {max(known):.2f}){care}.".replace("-", "−")
        )
    return section(said)


def _extremes(values: Mapping[str, float], format: str) -> str:
    """Say who has the highest value and who the lowest."""
    known = {name: value for name, value in values.items() if value == value}
    if not known:
        return "nothing is known"
    high, low = max(known.values()), min(known.values())
    best = [name for name, value in known.items() if value == high]
    worst = [name for name, value in known.items() if value == low]
    if high == low:
        return f"{_have(best)} {high:{format}}"
    top = f"{_have(best)} the highest value, {high:{format}}"
    return f"{top}; {_have(worst)} the lowest, {low:{format}}"


def _have(names: Sequence[str]) -> str:
    return f"{named(names)} {'has' if len(names) == 1 else 'have'}"


def _few(judged: Mapping[str, int]) -> list[str]:
    """Say that judgements are few, if they are, and how many the smallest number is of."""
    least = min(judged.values(), default=FEW_SEGMENTS)
    if least >= FEW_SEGMENTS:
        return []
    each = " of each" if len(judged) > 1 else ""
    return [f"{least} judgements{each} are few: only large differences can be told from chance."]

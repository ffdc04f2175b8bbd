"""Draw the analyses of judgements; the functions are called as those of the tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from nlgauge.human.aggregation import RatedSystems
from nlgauge.human.comprehension import Answers, CrossComprehension
from nlgauge.human.grades import Grades
from nlgauge.human.ranking import Ranking
from nlgauge.human.relevance import RelevancePrediction
from nlgauge.human.statements import Questionnaire
from nlgauge.human.stopping.decisions import Decisions
from nlgauge.report.answers.analysis_verdicts import (
    comprehension_answer,
    grades_answer,
    questionnaire_answer,
    relevance_answer,
)
from nlgauge.report.answers.people_verdicts import decisions_answer, ranks_answer, systems_answer
from nlgauge.report.figures import Figure, HeatMap, IntervalPlot
from nlgauge.report.pages.page import Section
from nlgauge.report.pages.study_page import differences_figure

MOST_SYSTEMS = 60  # of a matrix


_ANSWERS: dict[type, Callable[[Any], list[Section]]] = {
    RatedSystems: systems_answer,
    Ranking: ranks_answer,
    Decisions: lambda found: decisions_answer([found]),
    RelevancePrediction: relevance_answer,
    CrossComprehension: comprehension_answer,
    Grades: grades_answer,
    Questionnaire: questionnaire_answer,
}


def answer(result: object) -> list[Section]:
    """Say in words what an analysis comes to."""
    return _ANSWERS[type(result)](result)


def systems(result: RatedSystems) -> list[Figure]:
    """Draw the means of each criterion, best first."""
    figures: list[Figure] = []
    numbers = {s: i for i, s in enumerate(dict.fromkeys(s.system for s in result.systems))}
    for criterion in dict.fromkeys(s.criterion for s in result.systems):
        own = [s for s in result.systems if s.criterion == criterion and s.system is not None]
        own.sort(key=lambda s: -np.nan_to_num(s.mean, nan=-np.inf))
        title, names = criterion or "ratings", [s.system or "–" for s in own]
        if own:
            figures.append(
                IntervalPlot(
                    title=f"Mean: {title}",
                    labels=names,
                    values=[s.mean for s in own],
                    axis="mean",
                    groups=[numbers[s.system] for s in own],
                )
            )
    return figures


def decisions(result: Decisions) -> list[Figure]:
    """Draw the differences of all pairs with their intervals."""
    return [differences_figure(result)]


def ranks(result: Ranking) -> list[Figure]:
    """Draw strengths with 95 % intervals, and who won against whom."""
    names = [s.system for s in result.systems]
    strengths = np.array([s.strength for s in result.systems])
    reach = 1.96 * np.array([s.strength_error for s in result.systems])
    figures: list[Figure] = []
    if not np.isnan(strengths).all():
        figures.append(
            IntervalPlot(
                title="Bradley–Terry strengths",
                labels=names,
                values=strengths,
                lows=strengths - reach,
                highs=strengths + reach,
                axis="log scale, ± 1.96 standard errors",
                groups=range(len(result.systems)),
                reference=0.0,
            )
        )
    if len(names) <= MOST_SYSTEMS:
        met = result.wins + result.wins.T
        shares = np.divide(result.wins, met, out=np.full(met.shape, np.nan), where=met > 0)
        figures.append(
            HeatMap(
                title="Share of decided comparisons won",
                rows=names,
                columns=names,
                values=shares,
                limits=(0, 1),
                colours="diverging",
            )
        )
    return figures


def relevance(result: RelevancePrediction) -> list[Figure]:
    """Draw what a surrogate is worth, and what it saves."""
    names = [t.surrogate for t in result.surrogates]
    columns = {
        "Relevance prediction": [t.prediction for t in result.surrogates],
        "Agreement with gold": [t.gold_agreement for t in result.surrogates],
        "Time saved": [t.time_saved for t in result.surrogates],
    }
    return [
        IntervalPlot(
            title=title,
            labels=names,
            values=values,
            axis="share",
            format=".3f",
            groups=range(len(names)),
        )
        for title, values in columns.items()
        if not np.isnan(values).all()
    ]


def comprehension(result: CrossComprehension) -> list[Figure]:
    """Draw the labels of each author's summaries, and of the answers to each author's questions."""
    figures: list[Figure] = [
        _labels("Summaries", (*result.summaries, result.overall)),
        _labels("Questionnaires", result.questionnaires),
    ]
    if result.machines:
        pairs = [answers for pair in result.machines for answers in (pair.machine, pair.human)]
        figures.append(_labels("Machines", pairs))
    return figures


def _labels(title: str, rows: Sequence[Answers]) -> Figure:
    return HeatMap(
        title=f"{title}: shares of answers",
        rows=[a.name for a in rows],
        columns=["relevant", "partial", "irrelevant", "not found"],
        values=[[a.relevant, a.partial, a.irrelevant, a.not_found] for a in rows],
        limits=(0, 1),
    )


def grades(result: Grades) -> list[Figure]:
    """Draw scores, and the shares of the grades behind them."""
    names = [g.system if g.part is None else f"{g.system}, {g.part}" for g in result.systems]
    systems = list(dict.fromkeys(g.system for g in result.systems))
    return [
        IntervalPlot(
            title="Score",
            labels=names,
            values=[g.score for g in result.systems],
            axis="score",
            format=".3f",
            groups=[systems.index(g.system) for g in result.systems],
        ),
        HeatMap(
            title="Shares of grades",
            rows=names,
            columns=list(result.systems[0].shares),
            values=[list(g.shares.values()) for g in result.systems],
            limits=(0, 1),
        ),
    ]


def questionnaire(result: Questionnaire) -> list[Figure]:
    """Draw means by system: of groups of statements, and of statements as they were answered."""
    groups = {(g.system, g.group): g.mean for g in result.groups}
    statements = {(s.system, s.statement): s.mean for s in result.statements}
    figures: list[Figure] = []
    for title, means in (("Groups", groups), ("Statements, as answered", statements)):
        rows = list(dict.fromkeys(what for _, what in means))
        columns = list(dict.fromkeys(system for system, _ in means))
        values = [[means.get((system, what), np.nan) for system in columns] for what in rows]
        figures.append(
            HeatMap(
                title=title, rows=rows, columns=columns, values=values, limits=(1, result.points)
            )
        )
    return figures

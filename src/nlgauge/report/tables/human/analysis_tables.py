"""Make the tables of the analyses of judgements."""

from __future__ import annotations

from collections.abc import Sequence

from nlgauge.human.aggregation import RatedSystems
from nlgauge.human.comprehension import Answers, CrossComprehension
from nlgauge.human.grades import GradedSystem, Grades
from nlgauge.human.ranking import Ranking
from nlgauge.human.relevance import Relevance, RelevancePrediction
from nlgauge.human.statements import Questionnaire
from nlgauge.human.stopping.decisions import Decisions
from nlgauge.report.tables.grid import Cell, Field, Grid
from nlgauge.report.tables.human.study_tables import decisions_grid

Rows = list[Sequence[Cell]]


def systems(result: RatedSystems) -> list[Grid]:
    """Return the means of systems, and the weights of annotators."""
    scaled = any(s.share is not None for s in result.systems)
    named = tuple(dict.fromkeys(s.system or "–" for s in result.systems))
    fields = [Field("criterion"), Field("system", coloured=named)]
    fields += [Field("outputs"), Field("ratings")]
    fields += [Field("mean"), Field("z"), Field("by agreement")]
    fields += [Field("share of scale")] if scaled else []
    rows: Rows = []
    for s in result.systems:
        share = (s.share,) if scaled else ()
        name = s.criterion or "–"
        rows.append((name, s.system or "–", s.outputs, s.ratings, s.mean, s.z, s.weighted, *share))
    note = (
        f"z: per annotator and criterion, {result.deviation} standard deviation; by agreement: "
        "annotators weighted by their correlation with the others"
    )
    weights: Rows = [
        (criterion or "–", annotator, weight)
        for criterion, of in result.weights.items()
        for annotator, weight in of.items()
    ]
    made = [Grid("Systems", tuple(fields), rows, (note,))]
    if weights:
        fields = [Field("criterion"), Field("annotator"), Field("weight")]
        made.append(Grid("Annotators", tuple(fields), weights))
    return made


def ranks(result: Ranking) -> list[Grid]:
    """Return the systems in the order of their ranks."""
    named = tuple(s.system for s in result.systems)
    fields = (
        *(Field("cluster"), Field("ranks"), Field("system", coloured=named)),
        *(Field("wins"), Field("ties"), Field("losses")),
        *(Field("won"), Field("won + ½ tied"), Field("expected wins")),
        *(Field("strength"), Field("± s.e."), Field("μ", ".2f"), Field("σ", ".2f")),
    )
    rows: Rows = []
    for s in result.systems:
        span = f"{s.rank_low}–{s.rank_high}" if s.rank_low < s.rank_high else str(s.rank_low)
        shares = (s.win_share, s.half_share, s.expected_wins)
        model = (s.strength, s.strength_error, s.mu, s.sigma)
        rows.append((s.cluster, span, s.system, s.wins, s.ties, s.losses, *shares, *model))
    notes = (
        f"{result.comparisons} comparisons; ranks: {result.confidence:.0%} of "
        f"{result.resamples} resamples of items, by expected wins, seed {result.seed}",
        "strength: Bradley–Terry, log scale with mean 0; μ, σ: TrueSkill",
        *result.notes,
    )
    title = f"Ranks: {result.criterion}" if result.criterion else "Ranks"
    return [Grid(title, fields, rows, notes)]


def decisions(result: Decisions) -> list[Grid]:
    """Return the pairs of systems and what is known of them."""
    return [decisions_grid(result)]


def relevance(result: RelevancePrediction) -> list[Grid]:
    """Return relevance prediction overall and by event, and scores by cell."""
    notes = [f"full text: {result.full_seconds:.2f} s, gold {result.full_gold_agreement:.3f}"]
    if result.unpaired:
        notes.append(f"{result.unpaired} judgements without one of the full text are left out")
    names = tuple(t.surrogate for t in result.surrogates)
    made = [_relevance("Relevance prediction", names, result.surrogates, tuple(notes))]
    if len(result.events) > len(result.surrogates):
        made.append(_relevance("By event", names, result.events, ()))
    scores: Rows = [
        (t.surrogate, metric, cell, mean)
        for t in result.surrogates
        for metric, cells in t.scores.items()
        for cell, mean in cells.items()
    ]
    if scores:
        fields = (
            Field("surrogate", coloured=names),
            Field("score"),
            Field("judged"),
            Field("mean", ".4f"),
        )
        made.append(Grid("Scores by judgement of surrogate / full text", fields, scores))
    return made


def _relevance(
    title: str, names: tuple[str, ...], tables: Sequence[Relevance], notes: tuple[str, ...]
) -> Grid:
    named = any(t.event is not None for t in tables)
    fields = [
        Field("surrogate", coloured=names),
        *([Field("event")] if named else []),
        Field("judged"),
    ]
    fields += [Field(n) for n in ("Rel/Rel", "Rel/NonRel", "NonRel/Rel", "NonRel/NonRel")]
    fields += [Field("prediction"), Field("κ"), Field("gold"), Field("seconds", ".2f")]
    fields.append(Field("time saved", ".1%"))
    rows: Rows = []
    for t in tables:
        event = (t.event or "–",) if named else ()
        cells = (t.both, t.false_positives, t.false_negatives, t.neither)
        shares = (t.prediction, t.kappa, t.gold_agreement, t.seconds, t.time_saved)
        rows.append((t.surrogate, *event, t.judged, *cells, *shares))
    return Grid(title, tuple(fields), rows, notes)


def comprehension(result: CrossComprehension) -> list[Grid]:
    """Return the answers by summary, by questionnaire and of machines."""
    notes = [f"{result.own} answers to an author's own questions left out"] if result.own else []
    made = [
        _answers("Summaries, asked by others", (*result.summaries, result.overall), tuple(notes)),
        _answers("Questionnaires, put to others' summaries", result.questionnaires, ()),
    ]
    if result.machines:
        rows = [answers for pair in result.machines for answers in (pair.machine, pair.human)]
        note = "the same questions put to machine and people; compare, do not read alone"
        made.append(_answers("Machines", rows, (note,)))
    return made


def _answers(title: str, rows: Sequence[Answers], notes: tuple[str, ...]) -> Grid:
    names = ("R", "P", "I", "N", "R + P", "found")
    fields = (Field("author"), Field("answers"), *(Field(name) for name in names))
    table: Rows = []
    for a in rows:
        labels = (a.relevant, a.partial, a.irrelevant, a.not_found)
        table.append((a.name, a.answers, *labels, a.at_least_partial, a.found))
    return Grid(title, fields, table, notes)


def grades(result: Grades) -> list[Grid]:
    """Return the grades of systems, then of their parts."""
    note = "weights: " + ", ".join(f"{name} {w:g}" for name, w in result.weights.items())
    names = tuple(dict.fromkeys(g.system for g in result.systems))
    made = [_graded("Systems", names, result.systems, (note,))]
    if result.parts:
        made.append(_graded("By part", names, result.parts, ()))
    return made


def _graded(
    title: str, names: tuple[str, ...], graded: Sequence[GradedSystem], notes: tuple[str, ...]
) -> Grid:
    named = any(g.part is not None for g in graded)
    fields = [Field("system", coloured=names), *([Field("part")] if named else []), Field("judged")]
    fields += [Field("score"), *(Field(name) for name in graded[0].shares)]
    rows: Rows = []
    for g in graded:
        part = (g.part or "–",) if named else ()
        rows.append((g.system, *part, g.judged, g.score, *g.shares.values()))
    return Grid(title, tuple(fields), rows, notes)


def questionnaire(result: Questionnaire) -> list[Grid]:
    """Return the means of groups and statements, and their consistency."""
    groups: Rows = [(g.system, g.group, g.answers, g.mean) for g in result.groups]
    statements: Rows = [(s.system, s.statement, s.answers, s.mean) for s in result.statements]
    twins: Rows = [(c.statement, c.twin, c.answers, c.correlation) for c in result.consistency]
    turned = f"1 to {result.points}; reversed statements are turned, so high is good"
    return [
        Grid("Groups", _named("system", "group", "answers", "mean"), groups, (turned,)),
        Grid(
            "Statements, as answered", _named("system", "statement", "answers", "mean"), statements
        ),
        Grid(
            "Consistency",
            _named("statement", "reversed twin", "answers", "r"),
            twins,
            ("of a statement and its twin, turned: near 1 if people took care",),
        ),
    ]


def _named(*names: str) -> tuple[Field, ...]:
    return tuple(Field(name) for name in names)

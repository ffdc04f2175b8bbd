"""Say in words what a result comes to: the answer that stands first on a page."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from nlgauge.core.facts.defaults import ALPHA
from nlgauge.core.metric import Score
from nlgauge.core.table import ScoreTable
from nlgauge.report.pages.page import Section
from nlgauge.report.tables.score_tables import number_format
from nlgauge.run.comparison import Comparison, Difference

TITLE = "In short"
MOST_SAID = 8  # sentences about agreement, or rivals
FEW_SEGMENTS = 100  # below which only large differences can be told from chance
# The signs of five differences can be turned in 32 ways: no p of two sides is below 2/32.
TOO_FEW_SEGMENTS = 5
FEW_SYSTEMS = 10  # below which a correlation over systems says little


def score_answer(table: ScoreTable, width: int = 2) -> list[Section]:
    """Say which system is best; of a single one, what it scores."""
    if len(table.systems) < 2:
        return section(_alone(table, width))
    best = {column.name: tuple(table.best(column.name)) for column in table.columns}
    said = _tested(table) or ["Whether the differences are real, `nlgauge compare` tells."]
    if table.p_values and table.segments <= TOO_FEW_SEGMENTS:
        said = []  # the official tests find differences of so few to be significant
    return section([best_said(best, table.systems), *said, *_few(table.segments)])


def _alone(table: ScoreTable, width: int) -> list[str]:
    """Say what the only system scores, and what it takes to say more."""
    (system,) = table.systems
    shown = [
        f"{column.name} {_shown(table.score(system, column.name), number_format(column, width))}"
        for column in table.columns[:MOST_SAID]
    ]
    rest = len(table.columns) - len(shown)
    more = [f"{rest} more in the table"] if rest else []
    said = [
        f"{system} scores {joined([*shown, *more])}.",
        "A score alone says little: `nlgauge compare` tests it against another system's.",
    ]
    if table.segments < FEW_SEGMENTS:
        said.append(f"{_count(table.segments)} few: other texts may score quite differently.")
    return said


def _shown(score: Score, format: str) -> str:
    """Return a score with its interval, if it has one."""
    span = score.interval
    ends = "" if span is None else f" [{span.low:{format}}, {span.high:{format}}]"
    return f"{score.score:{format}}{ends}"


def comparison_answer(result: Comparison) -> list[Section]:
    """Say which system is best, and whether its lead may be chance."""
    best = {}
    for metric, higher in zip(result.metrics, result.higher_is_better, strict=True):
        scores = {s.system: s.score for s in result.scores if s.metric == metric}
        top = (max if higher else min)(scores.values())
        best[metric] = tuple(system for system, score in scores.items() if score == top)
    said = [best_said(best, result.systems)]
    for winners in dict.fromkeys(best.values()):
        said += _lead(result, winners, [metric for metric, own in best.items() if own == winners])
    return section([*said, *_few(result.segments)])


def best_said(best: Mapping[str, tuple[str, ...]], systems: Collection[str]) -> str:
    """Say which systems have the best scores."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for metric, winners in best.items():
        groups.setdefault(winners, []).append(metric)
    parts = []
    for winners, metrics in groups.items():
        if len(winners) == 1:
            who = f"{winners[0]} is best"
        elif len(winners) == len(systems):
            who = f"{_all(winners)} are equal"
        else:
            who = f"{joined(winners)} are best together"
        parts.append(f"{who} by {_by(metrics, len(best))}")
    return "; ".join(parts) + "."


def _all(systems: Sequence[str]) -> str:
    return joined(systems) if len(systems) < 4 else f"All {len(systems)} systems"


def _by(metrics: Sequence[str], of: int) -> str:
    """Name some metrics, or say that they are all there are."""
    if len(metrics) < of or of == 1:
        return joined(metrics)
    return "both metrics" if of == 2 else f"all {of} metrics"


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
    listed = joined([*chance[:MOST_SAID], *(["others"] if len(chance) > MOST_SAID else [])])
    verb = "is" if sure == 1 else "are"
    return [
        f"{sure} of {len(table.p_values)} differences to {first} {verb} significant; "
        f"{'that' if len(chance) == 1 else 'those'} of {listed} may be chance."
    ]


def _lead(result: Comparison, winners: Sequence[str], metrics: Sequence[str]) -> list[str]:
    """Say over whom the lead of the best is significant, and over whom it may be chance."""
    found = [
        d
        for d in result.differences
        if d.metric in metrics and (d.system in winners) != (d.other in winners)
    ]
    if not found:
        return []
    chance = [d for d in found if not (d.significant and d.better in winners)]
    start = f"The lead of {joined(winners)}"
    if not chance:
        over = list(dict.fromkeys(_rival(d, winners) for d in found))
        others = len(result.systems) - len(winners)
        whom = joined(over) if len(over) < 4 else f"all {len(over)} others"
        whom = whom if len(over) < 4 or len(over) == others else f"{len(over)} systems"
        return [f"{start} over {whom} is significant by {_by(metrics, len(result.metrics))}."]
    listed = _rivals(chance, winners)
    sure = len(found) - len(chance)
    if not sure:
        return [f"{start} over {listed} may be chance."]
    return [
        f"{start} is significant in {sure} of {len(found)} comparisons; "
        f"over {listed} it may be chance."
    ]


def _rivals(chance: Sequence[Difference], winners: Sequence[str]) -> str:
    """Name rivals with the metrics by which they may be as good."""
    by_rival: dict[str, dict[str, None]] = {}
    for difference in chance:
        by_rival.setdefault(_rival(difference, winners), {})[difference.metric] = None
    by_metrics: dict[tuple[str, ...], list[str]] = {}
    for rival, metrics in list(by_rival.items())[:MOST_SAID]:
        by_metrics.setdefault(tuple(metrics), []).append(rival)
    parts = [f"{joined(rivals)} by {joined(metrics)}" for metrics, rivals in by_metrics.items()]
    rest = len(by_rival) - MOST_SAID
    return ", over ".join([*parts, *([f"{rest} more"] if rest > 0 else [])])


def _rival(difference: Difference, winners: Sequence[str]) -> str:
    return difference.other if difference.system in winners else difference.system


def _few(segments: int) -> list[str]:
    """Say that a sample is small, if it is."""
    if segments >= FEW_SEGMENTS:
        return []
    if segments <= TOO_FEW_SEGMENTS:
        return [f"{_count(segments)} too few for any test to be trusted."]
    return [f"{_count(segments)} few: only large differences can be told from chance."]


def _count(segments: int) -> str:
    return "1 segment is" if segments == 1 else f"{segments} segments are"


def joined(names: Iterable[str]) -> str:
    """Return names as a sentence lists them."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def named(names: Sequence[str], most: int = MOST_SAID) -> str:
    """Return the first names as a sentence lists them, and how many others there are."""
    rest = len(names) - most
    others = [f"{rest} other{'' if rest == 1 else 's'}"] if rest > 0 else []
    return joined([*names[:most], *others])


def section(said: Sequence[str]) -> list[Section]:
    """Return the section that stands first on a page; none if there is nothing to say."""
    return [Section(title=TITLE, lines=said)] if said else []

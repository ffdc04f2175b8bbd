"""Make the tables of a study: what is decided, how annotators do, and what power it has."""

from __future__ import annotations

import math
from collections.abc import Sequence

from nlgauge.human.design.balance import Balance
from nlgauge.human.live_summary import LiveSummary
from nlgauge.human.stopping.decisions import Decisions, PairDecision
from nlgauge.human.stopping.power import Power
from nlgauge.human.stopping.weighted_means import WeightedMean
from nlgauge.report.tables.grid import Cell, Estimate, Field, Grid, Strong


def verdict(pair: PairDecision) -> str:
    """Return in words what is known of a pair of systems."""
    if pair.better is not None:
        return f"{pair.better} is better"
    if pair.verdict == "equal":
        return "no difference of interest"
    if pair.more is None:
        return "no end in sight"
    return f"about {rounded(pair.more)} more judgements"


def decisions_grid(found: Decisions) -> Grid:
    """Return the pairs of systems with their differences and verdicts."""
    rows: list[Sequence[Cell]] = []
    for pair in found.pairs:
        told = verdict(pair)
        rows.append(
            (
                f"{pair.first} − {pair.second}",
                _estimate(pair.difference, pair.low, pair.high),
                pair.judgements,
                pair.items,
                told if pair.verdict == "open" else Strong(told),
            )
        )
    unit = "share of wins minus one half" if found.compared else "difference of ratings"
    notes = [
        f"{unit}; intervals of all pairs hold at every look with {1 - found.alpha:.0%} probability",
        *found.notes,
    ]
    if found.margin is not None:
        notes.insert(1, f"differences within ±{found.margin:g} are of no interest")
    fields = (
        Field("pair"),
        Field("difference", "+.3f"),
        Field("judgements"),
        Field("items"),
        Field("verdict"),
    )
    return Grid("Who is better", fields, rows, tuple(notes))


def weighted_grid(means: Sequence[WeightedMean]) -> Grid:
    """Return plain means beside those weighted by inverse propensities."""
    rows: list[Sequence[Cell]] = [
        (
            m.first if m.second is None else f"{m.first} − {m.second}",
            m.judgements,
            m.plain,
            _estimate(m.mean, m.low, m.high),
        )
        for m in means
    ]
    fields = (Field("system"), Field("judgements"), Field("plain mean"), Field("weighted mean"))
    note = "weighted by inverse propensities, so that allocation to open pairs does not bias them"
    return Grid("Means under adaptive allocation", fields, rows, (note,))


def over_time_grid(summary: LiveSummary) -> Grid:
    """Return the agreement after growing numbers of judgements."""
    rows: list[Sequence[Cell]] = [(at.judgements, at.outputs, at.alpha) for at in summary.over_time]
    fields = (Field("judgements"), Field("outputs with two annotators"), Field("α"))
    note = f"Krippendorff α ({summary.level})"
    return Grid("Agreement over time", fields, rows, (note,))


def activity_grid(summary: LiveSummary) -> Grid:
    """Return the annotators, those with flags first."""
    rows: list[Sequence[Cell]] = []
    for a in summary.annotators:
        flags = ", ".join(a.flags)
        rows.append(
            (
                a.annotator,
                a.judgements,
                a.seconds,
                a.agreement,
                a.longest_run,
                f"{a.gold_passed}/{a.gold}" if a.gold else None,
                f"{a.controls_passed}/{a.controls}" if a.controls else None,
                a.repeated_alike,
                Strong(flags) if flags else "",
            )
        )
    fields = (
        Field("annotator"),
        Field("judgements"),
        Field("seconds", ".1f"),
        Field("agreement"),
        Field("longest run"),
        Field("gold"),
        Field("controls"),
        Field("repeats alike"),
        Field("flags"),
    )
    notes = (
        "seconds: median of a judgement; agreement: "
        + (
            "κ with what most others said"
            if summary.level == "nominal"
            else "correlation with the others' mean"
        ),
        "flags are hints for a talk, not reasons to leave somebody out",
    )
    return Grid("Annotators", fields, rows, notes)


def power_grid(found: Power) -> Grid:
    """Return the power for growing numbers of items, and what the power aimed at takes."""
    rows: list[Sequence[Cell]] = [
        (at.items, at.judgements, at.fixed, at.anytime, at.false_winners) for at in found.rows
    ]
    study = found.study
    needed = "; ".join(
        f"{name}: {f'{n} items, {study.judgements(n)} judgements' if n else 'more items'}"
        for name, n in (
            ("planned once", found.fixed_items),
            ("looking at any time", found.anytime_items),
        )
    )
    notes = [
        f"power {found.target:g} takes, {needed}",
        f"effect {study.effect:g} sd, {study.systems} systems, {study.kind}, α {found.alpha:g} for "
        f"all pairs; {found.simulations} simulations, seed {found.seed}",
    ]
    if found.median_items is not None:
        judgements = study.judgements(found.median_items)
        notes.insert(
            1,
            f"looking at any time, half of the studies have found the best system after "
            f"{found.median_items} items, {judgements} judgements",
        )
    fields = (
        Field("items"),
        Field("judgements"),
        Field("planned once", ".2f"),
        Field("any time", ".2f"),
        Field("false winners", ".3f"),
    )
    return Grid("Power", fields, rows, tuple(notes))


def balance_grid(found: Balance) -> Grid:
    """Return how evenly a design spreads what it spreads."""
    rows: list[Sequence[Cell]] = [(s.what, s.least, s.most) for s in found.spreads]
    return Grid(
        "Balance of the design",
        (Field("what"), Field("least"), Field("most")),
        rows,
        found.problems,
    )


def _estimate(value: float, low: float, high: float) -> Estimate:
    """Return an estimate, without its interval while that is infinite."""
    return Estimate(value, low, high) if math.isfinite(high - low) else Estimate(value)


def rounded(n: int) -> int:
    """Return a number with two digits that count, as more would promise too much."""
    step = int("1" + "0" * max(len(str(n)) - 2, 0))
    return -(-n // step) * step

"""How often a study that is looked at after every judgement names a false winner: simulations.

python benchmarks/studies/anytime_stopping.py [--simulations 2000] [--judgements 2000] [--seed 1]

Differences between two systems arrive one by one; effects are in standard deviations of a
difference. Prints Markdown tables for docs/explanation/stopping.md: rules for stopping by kinds of
judgements; several judgements of an item; all pairs of four systems; differences of no interest;
and adaptive allocation, with plain and weighted means.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq
from scipy.stats import norm
from scipy.stats import t as student

from nlgauge.human.stopping.allocation import EXPLORE
from nlgauge.stats.anytime.betting import betting_excludes
from nlgauge.stats.anytime.mixture import anytime_interval, anytime_path, radius

ALPHA = 0.05
FIRST_LOOK = 10  # judgements before which nobody would peek
CHUNK = 250  # simulated studies at once


@dataclass(frozen=True)
class Kind:
    """Differences of one kind of judgement, with an effect in their standard deviations."""

    name: str
    end: float  # differences lie between −end and end; infinity: anywhere
    chances: Callable[[float], tuple[np.ndarray, np.ndarray]] | None  # shift -> values, chances

    def draw(self, effect: float, shape: tuple[int, int], rng: np.random.Generator) -> np.ndarray:
        if self.chances is None:
            return rng.standard_normal(shape) + effect
        values, chances = self.at(effect)
        return values[np.searchsorted(np.cumsum(chances)[:-1], rng.random(shape), side="right")]

    def at(self, effect: float) -> tuple[np.ndarray, np.ndarray]:
        """Return the values and their chances at the shift that makes the effect."""

        def off(shift: float) -> float:
            values, chances = self.chances(shift)
            mean = values @ chances
            return mean / np.sqrt(((values - mean) ** 2) @ chances) - effect

        return self.chances(brentq(off, -3, 3))

    def mean(self, effect: float) -> float:
        if self.chances is None:
            return effect
        values, chances = self.at(effect)
        return float(values @ chances)

    @property
    def pseudo(self) -> float:
        """Return the further deviation that `decide` counts."""
        if self.chances is None:
            return 1.0
        values, chances = self.chances(0.0)
        return 0.25 if self.end == 0.5 else float(values**2 @ chances)


def steps(points: int, centre: float) -> Callable[[float], tuple[np.ndarray, np.ndarray]]:
    """Return the chances of differences of two rounded ratings."""

    def chances(shift: float) -> tuple[np.ndarray, np.ndarray]:
        cuts = np.arange(points - 1) - (points - 2) / 2 - centre
        first, second = (
            np.diff(norm.cdf(np.concatenate([[-np.inf], cuts - move, [np.inf]])))
            for move in (shift, 0.0)
        )
        return np.arange(1.0 - points, points), np.convolve(first, second[::-1])

    return chances


def preference(shift: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the chances of losses, ties and wins."""
    lose, win = norm.cdf(-0.3 - shift), norm.sf(0.3 - shift)
    return np.array([-0.5, 0.0, 0.5]), np.array([lose, 1 - lose - win, win])


KINDS = (
    Kind("continuous", np.inf, None),
    Kind("5 steps", 4.0, steps(5, 0.8)),
    Kind("yes or no", 1.0, steps(2, 0.8)),
    Kind("preference", 0.5, preference),
)


def significant(values: np.ndarray) -> np.ndarray:
    """Return whether a t test of the first n values is significant, for each n."""
    n = np.arange(1, values.shape[-1] + 1)
    mean = np.cumsum(values, axis=-1) / n
    squares = np.maximum(np.cumsum(values**2, axis=-1) - n * mean**2, 0)
    error = np.sqrt(squares / np.maximum(n - 1, 1) / n)
    found = np.abs(mean) > student.isf(ALPHA / 2, np.maximum(n - 1, 1)) * error
    found[..., : FIRST_LOOK - 1] = False
    return found


def looks(kind: Kind, effect: float, values: np.ndarray) -> Iterator[tuple[str, np.ndarray, float]]:
    """Yield each rule, whether it has stopped by each judgement, and its coverage at all looks."""
    found = significant(values)
    yield "peeking at every judgement", np.logical_or.accumulate(found, axis=1), np.nan
    fifty = np.zeros_like(found)
    fifty[:, 49::50] = found[:, 49::50]
    yield "peeking at every 50th", np.logical_or.accumulate(fifty, axis=1), np.nan
    end = np.zeros_like(found)
    end[:, -1] = found[:, -1]
    yield "planned once, at the end", end, np.nan
    means, radii = anytime_path(values, alpha=ALPHA, pseudo=kind.pseudo)
    held = (np.abs(means - kind.mean(effect)) <= radii).all(axis=1).mean()
    yield "mixture", np.logical_or.accumulate(np.abs(means) > radii, axis=1), held
    if np.isfinite(kind.end):
        out = betting_excludes(values, -kind.end, kind.end, 0.0, alpha=ALPHA)
        truth = betting_excludes(values, -kind.end, kind.end, kind.mean(effect), alpha=ALPHA)
        yield "betting", out, 1 - truth[:, -1].mean()


def rules(simulations: int, judgements: int, seed: int) -> None:
    print(
        "| judgements | rule | false winners | coverage | power at .1 | median | at .2 | median |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for kind in KINDS:
        rows: dict[str, list[str]] = {}
        for effect in (0.0, 0.1, 0.2):
            rng = np.random.default_rng(seed)
            parts: dict[str, list[np.ndarray]] = {}
            held: dict[str, list[float]] = {}
            for _ in range(simulations // CHUNK):
                values = kind.draw(effect, (CHUNK, judgements), rng)
                for name, stopped, coverage in looks(kind, effect, values):
                    count = np.where(stopped.any(axis=1), stopped.argmax(axis=1) + 1, np.inf)
                    parts.setdefault(name, []).append(count)
                    held.setdefault(name, []).append(coverage)
            for name, counts in parts.items():
                ends = np.concatenate(counts)
                share = f"{np.isfinite(ends).mean():.3f}"
                if not effect:
                    covered = np.mean(held[name])
                    rows[name] = [share, "–" if np.isnan(covered) else f"{covered:.3f}"]
                else:
                    middle = np.median(ends)
                    told = f"{middle:.0f}" if np.isfinite(middle) else "–"
                    rows[name] += [share, told]
        for name, cells in rows.items():
            print("|", " | ".join([kind.name, name, *cells]), "|", flush=True)


def clustered(simulations: int, seed: int) -> None:
    """Items that differ in the difference, each judged up to five times, in passes or at random."""
    print("\n| items | judgements of each | false winners | items ignored |\n|---|---|---|---|")
    rng = np.random.default_rng(seed)
    for items, times, order in (
        (100, 5, "in passes"),
        (100, 5, "at random"),
        (400, 3, "in passes"),
    ):
        wrong, ignored = 0, 0
        for _ in range(simulations // 4):
            own = np.sqrt(0.4) * rng.standard_normal(items)
            visits = (
                np.concatenate([rng.permutation(items) for _ in range(times)])
                if order == "in passes"
                else rng.integers(0, items, items * times)
            )
            values = own[visits] + np.sqrt(0.6) * rng.standard_normal(visits.size)
            means, radii = anytime_path(values, alpha=ALPHA, pseudo=1.0)
            ignored += bool((np.abs(means) > radii).any())
            for n in range(20, visits.size + 1, 5):
                found = anytime_interval(values[:n], visits[:n], alpha=ALPHA, pseudo=1.0)
                if found.low > 0 or found.high < 0:
                    wrong += 1
                    break
        count = simulations // 4
        cells = [str(items), f"{times}, {order}", f"{wrong / count:.3f}", f"{ignored / count:.3f}"]
        print("|", " | ".join(cells), "|", flush=True)


def four_systems(simulations: int, seed: int) -> None:
    """All pairs of four systems, rated by one annotator for each item."""
    print("\n| systems | any false winner | best found | median judgements |\n|---|---|---|---|")
    for name, best in (("four equal", 0.0), ("one better by .2", 0.2)):
        rng = np.random.default_rng(seed)
        wrong, found, ends = 0, 0, []
        for _ in range(simulations // 4):
            ratings = rng.standard_normal((4, 1500)) / np.sqrt(2)
            ratings[0] += best
            pairs = [(a, b) for a in range(4) for b in range(a + 1, 4)]
            differences = np.stack([ratings[a] - ratings[b] for a, b in pairs])
            means, radii = anytime_path(differences, alpha=ALPHA / 6, pseudo=1.0)
            crossed = np.abs(means) > radii
            equal = crossed if not best else crossed[3:]
            wrong += bool(equal.any())
            if best:
                known = np.logical_or.accumulate(crossed[:3], axis=1).all(axis=0)
                found += bool(known.any())
                ends.append(4 * (known.argmax() + 1) if known.any() else np.inf)
        count = simulations // 4
        more = [f"{found / count:.3f}", f"{np.median(ends):.0f}"] if best else ["–", "–"]
        print("|", " | ".join([name, f"{wrong / count:.3f}", *more]), "|", flush=True)


def equivalence(simulations: int, judgements: int, seed: int) -> None:
    """How often a difference is said to be within .2 of zero."""
    print("\n| true difference | 'no difference of interest' | median |\n|---|---|---|")
    for effect in (0.0, 0.1, 0.2):
        rng = np.random.default_rng(seed)
        ends = []
        for _ in range(simulations // CHUNK):
            values = rng.standard_normal((CHUNK, judgements)) + effect
            means, radii = anytime_path(values, alpha=ALPHA, pseudo=1.0)
            inside = np.abs(means) + radii < 0.2
            ends.append(np.where(inside.any(axis=1), inside.argmax(axis=1) + 1, np.inf))
        counts = np.concatenate(ends)
        middle = np.median(counts)
        told = f"{middle:.0f}" if np.isfinite(middle) else "–"
        print(f"| {effect:g} | {np.isfinite(counts).mean():.3f} | {told} |", flush=True)


def adaptive(simulations: int, seed: int) -> None:
    """Three pairs of systems of which undecided ones are judged more often, many studies at once.

    Means are taken after a fixed number of judgements; every judgement is followed by a look.
    """
    effects, last, start = np.array([0.5, 0.3, 0.0]), 300, 10
    rng = np.random.default_rng(seed)
    runs, arms = np.arange(5 * simulations), len(effects)
    count = np.full((runs.size, arms), start)
    first = rng.standard_normal((runs.size, arms, start)) + effects[:, None]
    total, squares = first.sum(axis=2), (first**2).sum(axis=2)
    weighted = np.zeros_like(total)
    wrong = np.zeros(runs.size, bool)
    for _ in range(last):
        mean = total / count
        variance = (np.maximum(squares / count - mean**2, 0) + 1 / count) / count
        found = np.abs(mean) > radius(variance, count, count, alpha=ALPHA / arms, horizon=50)
        wrong |= found[:, 2] | (found & (mean < 0)).any(axis=1)
        wanted = np.where(found.all(axis=1, keepdims=True), 1.0, ~found)
        odds = EXPLORE / arms + (1 - EXPLORE) * wanted / wanted.sum(axis=1, keepdims=True)
        arm = (rng.random((runs.size, 1)) > np.cumsum(odds, axis=1)[:, :-1]).sum(axis=1)
        value = rng.standard_normal(runs.size) + effects[arm]
        weighted += mean
        weighted[runs, arm] += (value - mean[runs, arm]) / odds[runs, arm]
        total[runs, arm] += value
        squares[runs, arm] += value**2
        count[runs, arm] += 1
    print(f"\nany false winner: {wrong.mean():.3f}")
    print("\n| true difference | plain: bias | weighted: bias | judgements |\n|---|---|---|---|")
    for k, effect in enumerate(effects):
        cells = [
            f"{e.mean():+.4f} ± {1.96 * e.std() / np.sqrt(runs.size):.4f}"
            for e in (total[:, k] / count[:, k] - effect, weighted[:, k] / last - effect)
        ]
        print("|", " | ".join([f"{effect:g}", *cells, f"{count[:, k].mean():.0f}"]), "|")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=2000)
    parser.add_argument("--judgements", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rules(arguments.simulations, arguments.judgements, arguments.seed)
    clustered(arguments.simulations, arguments.seed)
    four_systems(arguments.simulations, arguments.seed)
    equivalence(arguments.simulations, arguments.judgements, arguments.seed)
    adaptive(arguments.simulations, arguments.seed)


if __name__ == "__main__":
    main()

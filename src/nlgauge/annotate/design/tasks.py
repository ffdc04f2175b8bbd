"""Make the tasks of a study from its items, page by page, and draw their order."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from nlgauge.annotate.design.study import FormPage, Study
from nlgauge.annotate.design.study_records import GOLD, StudyItem
from nlgauge.annotate.protocols.best_worst import BestWorstScaling
from nlgauge.errors import DataError
from nlgauge.human.design.tuples import best_worst_tuples

Output = tuple[str, str]  # item, system


@dataclass(frozen=True)
class DrawnTask:
    """A task before anyone has got it."""

    page: int
    stage: int
    kind: str  # main or gold
    item: str | None  # None: outputs are of several items
    outputs: tuple[Output, ...]
    draw: int
    role: str = ""


def draw_tasks(study: Study, items: Sequence[StudyItem]) -> list[DrawnTask]:
    """Return all tasks of all pages in a random order that the seed settles."""
    rng = random.Random(study.seed)
    found: list[tuple[FormPage, str, str | None, tuple[Output, ...]]] = []
    for page in study.pages:
        for kind in ("main", "gold"):
            chosen = [item for item in items if (GOLD in item.record) == (kind == "gold")]
            found += [
                (page, kind, item, outputs)
                for item, outputs in _units(page, chosen, rng, study.seed)
            ]
    draws = list(range(len(found)))
    rng.shuffle(draws)
    if not any(kind == "main" for _, kind, _, _ in found):
        raise DataError("there is no task; every record is gold, or no item has enough outputs")
    return [
        DrawnTask(page.number, _stage(page, outputs), kind, item, outputs, draw, page.role)
        for (page, kind, item, outputs), draw in zip(found, draws, strict=True)
    ]


def _stage(page: FormPage, outputs: Sequence[Output]) -> int:
    return max(
        question.first_stage([system for _, system in outputs]) for question in page.questions
    )


def _units(
    page: FormPage, items: Sequence[StudyItem], rng: random.Random, seed: int
) -> Iterator[tuple[str | None, tuple[Output, ...]]]:
    if page.unit == "tuple":
        yield from _tuples(page, items, seed)
        return
    for item in items:
        outputs = [(item.name, system) for system in item.outputs]
        if page.unit == "item":
            yield item.name, ()
        elif page.unit == "output":
            yield from ((item.name, (output,)) for output in outputs)
        elif page.unit == "pair":
            yield from ((item.name, pair) for pair in combinations(outputs, 2))
        else:
            yield from ((item.name, part) for part in _parts(page, outputs, rng))


def _parts(
    page: FormPage, outputs: list[Output], rng: random.Random
) -> Iterator[tuple[Output, ...]]:
    """Divide the outputs of an item into sets of about the same size."""
    size = min(getattr(question, "size", len(outputs)) for question in page.questions)
    order = rng.sample(range(len(outputs)), len(outputs))
    count = -(-len(outputs) // size)
    for k in range(count):
        if len(part := sorted(order[k::count])) > 1:
            yield tuple(outputs[place] for place in part)


def _tuples(
    page: FormPage, items: Sequence[StudyItem], seed: int
) -> Iterator[tuple[str | None, tuple[Output, ...]]]:
    (question, *others) = page.questions
    if others or not isinstance(question, BestWorstScaling):
        raise DataError("best-worst scaling has tuples of its own; ask one such question")
    pools = [[(i.name, s) for s in i.outputs] for i in items]
    if not question.within_items:
        pools = [[output for pool in pools for output in pool]]
    for number, pool in enumerate(filter(None, pools)):
        if len(pool) < question.size:
            raise DataError(
                f"tuples of {question.size} texts need as many; there are {len(pool)}"
                + (f" of item {pool[0][0]!r}" if question.within_items else "")
            )
        places = list(map(str, range(len(pool))))
        for drawn in best_worst_tuples(
            places, size=question.size, times=question.times, seed=seed + number
        ):
            chosen = tuple(pool[place] for place in sorted(map(int, drawn)))
            together = {item for item, _ in chosen}
            yield (together.pop() if len(together) == 1 else None), chosen

"""Draw before a study which annotator gets which tasks, by the annotator's number (slot)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import partial
from math import comb

from nlgauge.annotate.design.study import FormPage, Study
from nlgauge.annotate.design.tasks import DrawnTask
from nlgauge.errors import DataError
from nlgauge.human.design.assignment import assign

Plan = list[list[int]]  # for each slot, the numbers of its tasks, from 0, in their order


def draw_plan(study: Study, tasks: Sequence[DrawnTask]) -> Plan:
    """Return the plan of designs that need one; an empty one lets tasks be given as they are
    needed.
    """
    staged = [question for question in study.questions if not question.info.can_return]
    if staged and not study.assignment.slots:
        raise DataError(
            f"{staged[0].info.name} is counterbalanced over annotators; give their number as slots "
            "in [assignment]"
        )
    main = [number for number, task in enumerate(tasks) if task.kind == "main"]
    if staged:
        return [_in_stages(study.seed, slot, tasks, main) for slot in range(study.assignment.slots)]
    if study.assignment.design == "blocks":
        return _blocks(study, tasks, main)
    return []


def _in_stages(seed: int, slot: int, tasks: Sequence[DrawnTask], main: Sequence[int]) -> list[int]:
    """Order the tasks of one annotator by stage; in the first, the kinds of texts take turns, and
    which comes first is turned on by one from annotator to annotator.
    """
    rng = random.Random(f"{seed}/{slot}")
    kinds = sorted({tasks[n].outputs[0][1] for n in main if tasks[n].stage == 0})
    turn = {kind: (place + slot) % len(kinds) for place, kind in enumerate(kinds)}
    items = sorted({str(tasks[n].item) for n in main})
    rng.shuffle(items)
    place = {item: number for number, item in enumerate(items)}

    def order(number: int) -> tuple[int, int, int]:
        task = tasks[number]
        return task.stage, turn.get(task.outputs[0][1], 0), place[str(task.item)]

    return sorted(main, key=order)


def _blocks(study: Study, tasks: Sequence[DrawnTask], main: Sequence[int]) -> Plan:
    """Give every task to as many annotators as asked for, and every annotator about equally many;
    where all systems have outputs for all items, the systems are balanced, too.
    """
    settings = study.assignment
    slots = [str(slot) for slot in range(settings.slots)]
    plan: Plan = [[] for _ in slots]
    for page in study.pages:
        own = [number for number in main if tasks[number].page == page.number]
        for slot, number in _assigned(study, page, tasks, own, slots):
            plan[slot].append(number)
    longest = max(map(len, plan))
    if 0 < settings.most_tasks < longest:
        raise DataError(
            f"most_tasks = {settings.most_tasks}, but {len(main)} tasks for {settings.annotators} "
            f"annotators each are {longest} for each of {settings.slots}; raise slots"
        )
    return plan


def _assigned(
    study: Study, page: FormPage, tasks: Sequence[DrawnTask], own: Sequence[int],
    slots: Sequence[str],
) -> Iterator[tuple[int, int]]:  # fmt: skip
    """Yield slots and their tasks of one page, in the order of each slot."""
    items = sorted({str(tasks[number].item) for number in own})
    systems = sorted({system for number in own for _, system in tasks[number].outputs})
    together = {"output": 1, "pair": 2, "set": len(systems)}.get(page.unit, 0)
    known = {_shown(str(tasks[n].item), [s for _, s in tasks[n].outputs]): n for n in own}
    draw = partial(
        assign, annotators=slots, per_output=study.assignment.annotators, seed=study.seed
    )
    if together and len(known) == len(items) * comb(len(systems), together):
        drawn = draw(items, systems, together=together)
        for slot in drawn.slots:
            yield int(slot.annotator), known[_shown(slot.item, slot.systems)]
    else:  # each task stands for itself
        for slot in draw(list(map(str, own)), ["task"]).slots:
            yield int(slot.annotator), int(slot.item)


def _shown(item: str, systems: Sequence[str]) -> tuple[str, ...]:
    return (item, *sorted(systems))

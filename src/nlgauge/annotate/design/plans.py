"""Draw before a study which annotator gets which tasks, by the annotator's number (slot)."""

from __future__ import annotations

import random
from collections.abc import Sequence

from nlgauge.annotate.design.study import Study
from nlgauge.annotate.design.tasks import DrawnTask
from nlgauge.errors import DataError

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
    """Give every task to as many annotators as asked for, and every annotator equally many."""
    settings = study.assignment
    if settings.annotators > settings.slots:
        raise DataError(
            f"annotators = {settings.annotators} for each task, but there are slots for "
            f"{settings.slots}; raise slots"
        )
    order = sorted(main, key=lambda number: tasks[number].draw)
    plan: Plan = [[] for _ in range(settings.slots)]
    place = 0
    for number in order:
        for _ in range(settings.annotators):
            plan[place % settings.slots].append(number)
            place += 1
    if settings.most_tasks:
        for chosen in plan:
            if len(chosen) > settings.most_tasks:
                raise DataError(
                    f"most_tasks = {settings.most_tasks}, but {len(main)} tasks for "
                    f"{settings.annotators} annotators each are {len(chosen)} for each of "
                    f"{settings.slots}; raise slots"
                )
    return plan

"""Power by simulation, against closed forms where there are any."""

import argparse
import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import nct
from scipy.stats import t as student

from nlgauge import SpecError
from nlgauge.cli.study import power as command
from nlgauge.human.stopping.power import PlannedStudy, Power, power


def closed_form(effect: float, deviation: float, n: int, alpha: float) -> float:
    """Return the power of a paired t test, towards the effect."""
    limit = student.isf(alpha / 2, n - 1)
    return float(nct.sf(limit, n - 1, effect / deviation * np.sqrt(n)))


def at(found: Power, items: int) -> float:
    return next(row.fixed for row in found.rows if row.items == items)


@pytest.mark.parametrize(("per_output", "systems"), [(1, 2), (3, 2), (2, 3)])
def test_power_is_that_of_the_t_test(per_output: int, systems: int) -> None:
    study = PlannedStudy(effect=0.3, systems=systems, per_output=per_output)
    found = power(study, items=100, simulations=3000, seed=1)
    # Items and annotators cancel; outputs differ by the interaction, judgements by the rest.
    deviation = np.sqrt(2 * (0.2 + 0.5 / per_output))
    for items in (20, 50, 100):
        expected = closed_form(0.3, deviation, items, 0.05 / len(study.pairs))
        assert at(found, items) == pytest.approx(expected, abs=0.03)


def test_the_number_needed_is_where_the_curve_passes_the_target() -> None:
    study = PlannedStudy(effect=0.5, item=0, interaction=0, annotator=0)
    found = power(study, items=200, simulations=2000, target=0.8)
    needed = next(n for n in range(2, 200) if closed_form(0.5, np.sqrt(2), n, 0.05) >= 0.8)
    assert found.fixed_items == pytest.approx(needed, abs=6)
    assert found.anytime_items is not None
    assert found.anytime_items > needed
    assert power(study, items=20, simulations=50).anytime_items is None


def test_different_annotators_cost_power() -> None:
    options = {"effect": 0.3, "annotator": 0.5, "item": 0.1, "interaction": 0.1}
    same = power(PlannedStudy(**options), items=100, simulations=300)  # type: ignore[arg-type]
    other = power(
        PlannedStudy(same_annotator=False, **options),
        items=100,
        simulations=300,  # type: ignore[arg-type]
    )
    assert at(other, 100) < at(same, 100) - 0.1


@pytest.mark.parametrize("kind", ["continuous", "likert", "binary", "pairwise"])
def test_equal_systems_have_few_false_winners(kind) -> None:  # type: ignore[no-untyped-def]
    found = power(PlannedStudy(effect=0.0, systems=3, kind=kind), items=300, simulations=300)
    assert found.rows[-1].false_winners <= 0.05
    better = power(PlannedStudy(effect=0.8, systems=2, kind=kind), items=300, simulations=100)
    assert better.rows[-1].anytime > 0.9
    assert np.isnan(better.rows[-1].false_winners)


def test_rounding_keeps_to_the_scale() -> None:
    study = PlannedStudy(kind="likert", points=4, effect=3.0)
    values = study.differences(50, 4, np.random.default_rng(1))
    assert values.shape == (4, 1, 50)
    assert np.isin(values, np.arange(-3, 4)).all()
    pairs = PlannedStudy(kind="pairwise", systems=3)
    assert np.isin(pairs.differences(50, 4, np.random.default_rng(1)), [-0.5, 0, 0.5]).all()
    assert pairs.judgements(10) == 30
    assert study.judgements(10) == 20


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"item": 0.9, "annotator": 0.3}, "at most 1 together"),
        ({"systems": 1}, "systems=1"),
        ({"per_output": 11}, "per_output=11"),
        ({"effect": float("nan")}, "effect=nan"),
    ],
)
def test_studies_that_cannot_be_are_refused(options: dict[str, float], message: str) -> None:
    with pytest.raises(SpecError, match=message):
        PlannedStudy(**options)  # type: ignore[arg-type]


def test_the_command_writes_what_the_library_returns(tmp_path: Path) -> None:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    out = tmp_path / "power.json"
    options = "--effect 0.4 --systems 3 --items 60 --simulations 50 --kind likert -f json -o"
    arguments = parser.parse_args([*options.split(), str(out)])
    command.run(arguments)
    written = json.loads(out.read_text(encoding="utf-8"))
    study = PlannedStudy(effect=0.4, systems=3, kind="likert")
    found = power(study, items=60, simulations=50, seed=arguments.seed)
    assert written["rows"][-1]["anytime"] == found.rows[-1].anytime
    assert written["study"]["systems"] == 3

"""Designs of studies: what is promised to be balanced is, for all numbers."""

from collections import Counter
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nlgauge import SpecError
from nlgauge.human.design.assignment import Assignment, assign
from nlgauge.human.design.balance import check_balance
from nlgauge.human.design.latin_squares import counterbalanced, crossed, williams_square
from nlgauge.human.design.tuples import best_worst_tuples, tuple_balance


def named(letter: str, count: int) -> list[str]:
    return [f"{letter}{k}" for k in range(count)]


@st.composite
def drawn(draw: st.DrawFn) -> Assignment:
    items, systems = draw(st.integers(1, 40)), draw(st.integers(1, 5))
    annotators = draw(st.integers(1, 9))
    return assign(
        named("i", items),
        named("s", systems),
        named("a", annotators),
        per_output=draw(st.integers(1, annotators)),
        together=draw(st.integers(1, systems)),
        seed=draw(st.integers(0, 99)),
    )


@given(drawn())
@settings(max_examples=150, deadline=None)
def test_every_output_has_its_annotators_and_loads_are_even(made: Assignment) -> None:
    judged: dict[tuple[str, frozenset[str]], list[str]] = {}
    for slot in made.slots:
        judged.setdefault((slot.item, frozenset(slot.systems)), []).append(slot.annotator)
    groups = list(combinations(made.systems, made.together))
    assert len(judged) == len(made.items) * len(groups)
    for who in judged.values():
        assert len(who) == len(set(who)) == made.per_output
    balance = check_balance(made)
    load = balance.spread("outputs of an annotator")
    assert load.most - load.least <= 1
    of_system = balance.spread("outputs of a system by an annotator")
    # In whole rounds it is even; the last one may go round the circle of annotators again.
    whole = len(made.items) % len(made.annotators) == 0
    assert of_system.most - of_system.least <= (0 if whole else 2)
    if len(groups) * made.per_output <= len(made.annotators):
        assert balance.spread("times an annotator sees an item").most == 1


@given(drawn())
@settings(max_examples=60, deadline=None)
def test_orders_of_each_annotator_are_even(made: Assignment) -> None:
    for slots in made.by_annotator().values():
        assert [slot.position for slot in slots] == list(range(len(slots)))
        for group in combinations(made.systems, made.together):
            own = [slot for slot in slots if set(slot.systems) == set(group)]
            places = Counter((s, k) for slot in own for k, s in enumerate(slot.systems))
            counts = [places[s, k] for s in group for k in range(made.together)]
            # Rows of the square in turn: no place has had more than one turn more in each round
            # of its rows, of which an odd number of systems has two for each place.
            assert max(counts) - min(counts) <= 2


@given(drawn(), st.integers(2, 6))
@settings(max_examples=40, deadline=None)
def test_systems_are_mixed_wherever_somebody_stops(made: Assignment, part: int) -> None:
    groups = len(list(combinations(made.systems, made.together)))
    for slots in made.by_annotator().values():
        totals = Counter(frozenset(slot.systems) for slot in slots)
        least = min(totals.values(), default=0) if len(totals) == groups else 0
        start = slots[: min(len(slots) // part, least * groups)]
        counts = Counter(frozenset(slot.systems) for slot in start)
        if start and len(counts) == groups:
            assert max(counts.values()) - min(counts.values()) <= 1


def test_the_same_seed_draws_the_same_and_another_does_not() -> None:
    given_names = named("i", 30), named("s", 3), named("a", 5)
    assert assign(*given_names, seed=4).slots == assign(*given_names, seed=4).slots
    assert assign(*given_names, seed=4).slots != assign(*given_names, seed=5).slots


def test_copies_come_half_a_list_later_and_gold_in_every_stretch() -> None:
    made = assign(
        named("i", 60), named("s", 2), named("a", 4), repeats=0.1, controls=0.1,
        gold=["g1", "g2", "g3"], gold_every=10, seed=3,
    )  # fmt: skip
    for slots in made.by_annotator().values():
        plain = [s for s in slots if s.kind == "plain"]
        for kind in ("repeat", "control"):
            copies = [s for s in slots if s.kind == kind]
            assert len(copies) == round(0.1 * len(plain))
            for copy in copies:
                first = next(s for s in plain if (s.item, s.systems) == (copy.item, copy.systems))
                assert copy.position - first.position >= len(plain) // 2
        gold = [s.position for s in slots if s.kind == "gold"]
        assert len(gold) == -(-(len(slots) - len(gold)) // 9)
        assert all(1 <= b - a <= 19 for a, b in pairwise(gold))
        turns = Counter(s.item for s in slots if s.kind == "gold")
        assert max(turns.values()) - min(turns.values()) <= 1


def test_overlap_of_annotators_is_spread() -> None:
    made = assign(named("i", 100), named("s", 2), named("a", 10), per_output=2, seed=1)
    met = check_balance(made).spread("outputs that two annotators share")
    assert met.least >= 1  # 200 outputs over 45 pairs: 4.4 on average
    assert met.most <= 9


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"per_output": 4}, "per_output=4"),
        ({"together": 3}, "together=3"),
        ({"repeats": 0.8}, "repeats=0.8"),
        ({"gold_every": 1}, "gold_every=1"),
    ],
)
def test_designs_that_cannot_be_are_refused(options: dict[str, float], message: str) -> None:
    with pytest.raises(SpecError, match=message):
        assign(named("i", 5), named("s", 2), named("a", 3), **options)  # type: ignore[arg-type]
    with pytest.raises(SpecError, match="annotators must be different"):
        assign(["i"], ["s"], ["a", "a"])


def test_one_annotator_for_each_output_is_told() -> None:
    made = assign(named("i", 5), named("s", 2), named("a", 3), per_output=1)
    assert check_balance(made).problems == (
        "no output has two annotators, so agreement cannot be measured",
    )


@given(st.integers(1, 12))
def test_williams_squares_balance_places_and_neighbours(conditions: int) -> None:
    rows = williams_square(conditions)
    times = len(rows) // conditions
    places = Counter((c, k) for row in rows for k, c in enumerate(row))
    assert set(places.values()) == {times}
    after = Counter(pair for row in rows for pair in pairwise(row))
    if conditions > 1:
        assert len(after) == conditions * (conditions - 1)
        assert set(after.values()) == {times}


@given(st.integers(2, 6), st.integers(1, 40), st.integers(0, 9))
def test_counterbalanced_orders_end_with_the_full_text(n: int, subjects: int, seed: int) -> None:
    kinds = [*named("k", n), "full"]
    orders = counterbalanced(kinds, subjects, seed=seed, last="full")
    assert len(orders) == subjects
    for order in orders:
        assert sorted(order) == sorted(kinds)
        assert order[-1] == "full"
    whole = len(williams_square(n))
    places = Counter((c, k) for order in orders[:whole] for k, c in enumerate(order))
    if subjects >= whole:
        assert len({places[c, k] for c in kinds[:-1] for k in range(n)}) == 1


@given(st.integers(1, 20), st.integers(1, 4), st.integers(1, 15), st.integers(0, 9))
def test_subjects_see_each_document_once_and_forms_evenly(
    documents: int, kinds: int, subjects: int, seed: int
) -> None:
    plan = crossed(named("d", documents), named("k", kinds), subjects, seed=seed)
    for seen in plan:
        counts = [sum(k == kind for k in seen.values()) for kind in named("k", kinds)]
        assert len(seen) == documents
        assert max(counts) - min(counts) <= 1
    for document in named("d", documents):
        counts = [sum(seen[document] == kind for seen in plan) for kind in named("k", kinds)]
        assert max(counts) - min(counts) <= 1


@given(st.integers(4, 60), st.integers(2, 5), st.integers(1, 9), st.integers(0, 99))
@settings(max_examples=60, deadline=None)
def test_tuples_show_elements_equally_often(n: int, size: int, times: int, seed: int) -> None:
    size = min(size, n)
    tuples = best_worst_tuples(named("e", n), size=size, times=times, seed=seed)
    assert all(len(set(chosen)) == size for chosen in tuples)
    balance = tuple_balance(tuples)
    assert balance.tuples == -(-n * times // size)
    assert balance.most_shown - balance.least_shown <= (0 if n * times % size == 0 else 1)


@pytest.mark.parametrize("n", [40, 100, 501])
def test_no_pair_meets_twice_where_numbers_allow(n: int) -> None:
    balance = tuple_balance(best_worst_tuples(named("e", n), size=4, times=8))
    assert balance.tuples == 2 * n
    assert balance.repeated_pairs == 0
    assert (balance.least_in_place, balance.most_in_place) == (2, 2)


def test_tuples_larger_than_the_elements_are_refused() -> None:
    with pytest.raises(SpecError, match="size=4"):
        best_worst_tuples(named("e", 3))
    with pytest.raises(SpecError, match="twice"):
        best_worst_tuples(["a", "a", "b", "c"])

"""Agreement on errors: hand calculations, a brute-force oracle, and what must always hold."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlgauge import DataError
from nlgauge.data import ErrorSpan, Judgements
from nlgauge.data.error_spans import character_marks
from nlgauge.human import marked_errors, match_spans, span_agreement, weighted_errors


def span(start: int | None, end: int | None, severity: str = "major") -> ErrorSpan:
    return ErrorSpan(start=start, end=end, severity=severity)


def test_spans_and_characters_by_hand() -> None:
    """`The cat sat on a mat`: one marks [4,7) major and [15,20) minor, the other [4,7) minor,
    [12,16) minor and something missing.
    """
    first = [span(4, 7), span(15, 20, "minor")]
    second = [span(4, 7, "minor"), span(12, 16, "minor"), span(None, None)]
    found = match_spans(first, second)
    assert (found.exact, found.overlapping, found.spans) == (1, 2, 4)  # F1 0.5 and 1
    # Both marked 4, 5, 6 (of other severity) and 15; one marked 3 + 5, the other 3 + 4.
    assert (found.characters, found.severe, found.marked) == (4, 2.5, 15)


def test_each_error_is_matched_once() -> None:
    long, short = [span(0, 10)], [span(0, 2), span(3, 5), span(8, 10)]
    assert match_spans(long, short).overlapping == 1
    # Taken in order, the first would take the only partner of the second.
    assert match_spans([span(0, 9), span(0, 3)], [span(2, 3), span(5, 6)]).overlapping == 2


places = st.tuples(st.integers(0, 12), st.integers(1, 6))
spans = st.lists(
    st.builds(
        lambda place, severity: span(place[0], place[0] + place[1], severity),
        places,
        st.sampled_from(["minor", "major", "critical"]),
    ),
    max_size=4,
)


def overlap_oracle(first: list[ErrorSpan], second: list[ErrorSpan]) -> int:
    """Try every way to pair the errors."""
    few, many = sorted(([e.place for e in first], [e.place for e in second]), key=len)
    best = 0
    for chosen in permutations(many, len(few)):
        pairs = zip(few, chosen, strict=True)
        best = max(best, sum(a < d and c < b for (a, b), (c, d) in pairs))
    return best


@given(spans, spans)
def test_matches_are_those_of_an_exhaustive_search(first, second) -> None:
    found = match_spans(first, second)
    assert found.overlapping == overlap_oracle(first, second)
    marked = [{i for e in side for i in range(*e.place)} for side in (first, second)]
    assert found.characters == len(marked[0] & marked[1])
    assert found.marked == len(marked[0]) + len(marked[1])
    assert found.exact <= found.overlapping <= min(len(first), len(second))
    assert found.characters / 2 <= found.severe <= found.characters
    assert match_spans(second, first) == found
    same = match_spans(first, first)
    assert same.exact == len(first) and same.severe == len(marked[0])


def errors(item: str, annotator: str, *marks: tuple[int | None, int | None, str]) -> list[dict]:
    place = {"item": item, "system": "s", "annotator": annotator}
    rows: list[dict] = [place | {"criterion": "mqm", "value": 0.0}]
    for start, end, severity in marks:
        row = place | {"criterion": "mqm-errors", "label": "other", "severity": severity}
        rows.append(row if start is None else row | {"start": start, "end": end})
    return rows


RATED = [
    *errors("1", "ann", (4, 7, "major"), (15, 20, "minor")),
    *errors("1", "bob", (4, 7, "minor"), (12, 16, "minor"), (None, None, "major")),
    *errors("2", "ann"),
    *errors("2", "bob", (0, 5, "minor")),
    *errors("3", "ann", (0, 2, "critical")),
]


def test_agreement_of_annotators_by_hand() -> None:
    result = span_agreement(Judgements.build(RATED), lengths={("1", "s"): 20, ("2", "s"): 10})
    (pair,) = result.pairs
    assert (pair.first, pair.second, pair.outputs, pair.spans) == ("ann", "bob", 2, (2, 3))
    assert pair.exact_f1 == pytest.approx(2 * 1 / 5)
    assert pair.overlap_f1 == pytest.approx(2 * 2 / 5)
    assert pair.character_f1 == pytest.approx(2 * 4 / 20)
    assert pair.severity_f1 == pytest.approx(2 * 2.5 / 20)
    assert pair.low <= pair.character_f1 <= pair.high
    assert -1 <= result.character_alpha <= 1


def test_alpha_is_1_if_all_mark_alike_and_below_if_not() -> None:
    alike = [*errors("1", "a", (0, 3, "minor")), *errors("1", "b", (0, 3, "minor"))]
    found = span_agreement(Judgements.build(alike), lengths={("1", "s"): 9})
    assert found.character_alpha == 1.0
    with pytest.raises(DataError, match="no text of system 's' for item '1'"):
        span_agreement(Judgements.build(alike), lengths={})
    with pytest.raises(DataError, match="no output has errors marked by two"):
        span_agreement(Judgements.build(errors("1", "a", (0, 1, "minor"))))


def test_severities_are_weighed() -> None:
    judgements = Judgements.build(RATED)
    found = weighted_errors(judgements, {"minor": 1, "major": 5, "critical": 25})
    values = {(r["item"], r["annotator"]): r["value"] for r in found.records()}
    assert values == {
        ("1", "ann"): -6, ("1", "bob"): -7, ("2", "ann"): 0, ("2", "bob"): -1, ("3", "ann"): -25
    }  # fmt: skip
    with pytest.raises(DataError, match="severity 'critical' has no weight; there are minor"):
        weighted_errors(judgements, {"minor": 1, "major": 5})


def test_who_looked_and_marked_nothing_is_known() -> None:
    found = marked_errors(Judgements.build(RATED))
    assert found["2", "s"] == {"ann": [], "bob": [span(0, 5, "minor")][:0] + found["2", "s"]["bob"]}
    assert "bob" not in found["3", "s"]


@pytest.mark.parametrize(
    "mark",
    [{"start": 1}, {"start": 3, "end": 3}, {"start": -1, "end": 2}, {"start": 0.5, "end": 2}],
)
def test_impossible_places_are_refused(mark: dict[str, float]) -> None:
    row = {"item": "1", "criterion": "mqm-errors", "label": "x", "severity": "minor"} | mark
    with pytest.raises(DataError, match="judgement 1: marks the characters"):
        Judgements.build([row])


def test_marks_of_another_text_are_refused() -> None:
    assert character_marks(4, [span(1, 3, "minor"), span(2, 4, "major")]) == [
        "", "minor", "major", "major"
    ]  # fmt: skip
    with pytest.raises(DataError, match="the text has 3 characters"):
        character_marks(3, [span(1, 4)])

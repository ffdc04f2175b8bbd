"""Traces: edit scripts really turn one text into the other, with as many edits as TER counts."""

from hypothesis import given, settings
from oracles.edits import levenshtein
from support.strategies import related, words

from nlgauge import TER
from nlgauge.explain.builders import edits, shifts_and_edits, subsequence
from nlgauge.explain.traces import Edit, Edits, Shift

LIMITS = {"shift_size": 10, "shift_distance": 50, "candidates": 1000}


def follow(trace: Edits) -> list[str]:
    """What the script makes of the hypothesis; checks that places grow and matches match."""
    result, i, j = [], 0, 0
    for edit in trace.script:
        assert edit.hyp == (None if edit.operation == "delete" else i)
        assert edit.ref == (None if edit.operation == "insert" else j)
        if edit.operation == "match":
            assert trace.hyp[i] == trace.ref[j]
        if edit.operation != "insert":
            result.append(trace.ref[j])
        i += edit.operation != "delete"
        j += edit.operation != "insert"
    assert (i, j) == (len(trace.hyp), len(trace.ref))
    return result


def errors(trace: Edits) -> int:
    return sum(edit.operation != "match" for edit in trace.script)


@given(words("abcd", max_size=30), words("abcd", max_size=30))
def test_edits(hyp_text: str, ref_text: str) -> None:
    hyp, ref = hyp_text.split(), ref_text.split()
    trace = edits(hyp, ref)
    assert follow(trace) == ref
    assert errors(trace) == levenshtein(hyp, ref)


@given(words("abcd", max_size=30), words("abcd", max_size=30))
def test_subsequence(hyp_text: str, ref_text: str) -> None:
    hyp, ref = hyp_text.split(), ref_text.split()
    places = [(link.hyp, link.ref) for link in subsequence(hyp, ref).links]
    assert [hyp[i] for i, _ in places] == [ref[j] for _, j in places]
    assert places == sorted(set(places)) and len({j for _, j in places}) == len(places)
    # Without substitutions, |h| + |r| - 2 lcs words are inserted and deleted.
    row = [0] * (len(ref) + 1)
    for h in hyp:
        diagonal = 0
        for j, r in enumerate(ref, start=1):
            diagonal, row[j] = row[j], diagonal + 1 if h == r else max(row[j], row[j - 1])
    assert len(places) == row[-1]


@given(related("abcdefgh", min_size=1, max_size=60))
@settings(max_examples=50)
def test_shifts_and_edits(pair: tuple[str, list[str]]) -> None:
    hyp, (ref_text,) = pair
    trace = shifts_and_edits(hyp.split(), ref_text.split(), **LIMITS)
    assert follow(trace) == ref_text.split()
    assert sorted(trace.hyp) == sorted(trace.before_shifts)
    parts = TER(case_sensitive=True).sentence_score(hyp, [ref_text]).parts
    assert len(trace.shifts) + errors(trace) == parts["edits"]


def test_by_hand() -> None:
    assert edits(["a", "b"], ["x", "a", "c"]).script == (
        Edit("delete", None, 0),
        Edit("match", 0, 1),
        Edit("substitute", 1, 2),
    )
    assert edits(["a"], []).script == (Edit("insert", 0, None),)
    trace = shifts_and_edits(["c", "d", "a", "b"], ["a", "b", "c", "d"], **LIMITS)
    assert trace.shifts == (Shift(0, 2, 4),)
    assert trace.hyp == ("a", "b", "c", "d")

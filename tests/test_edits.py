"""Edit scripts really turn one text into the other, with as many edits as the distance says."""

from hypothesis import given, settings
from oracles.edits import levenshtein
from strategies import related, words

from nlgauge import TER
from nlgauge.edits import common_subsequence, edit_script, shifted, ter_script


def follow(script, hyp, ref) -> list[str]:
    """What the script makes of the hypothesis; checks that places grow and matches match."""
    result, i, j = [], 0, 0
    for kind, at_hyp, at_ref in script:
        assert (at_hyp, at_ref) == (i, j)
        if kind == "match":
            assert hyp[i] == ref[j]
        if kind != "insert":
            result.append(ref[j])
        i += kind != "delete"
        j += kind != "insert"
    assert (i, j) == (len(hyp), len(ref))
    return result


def errors(script) -> int:
    return sum(kind != "match" for kind, _, _ in script)


@given(words("abcd", max_size=30), words("abcd", max_size=30))
def test_edit_script(hyp_text: str, ref_text: str) -> None:
    hyp, ref = hyp_text.split(), ref_text.split()
    script = edit_script(hyp, ref)
    assert follow(script, hyp, ref) == ref
    assert errors(script) == levenshtein(hyp, ref)


@given(words("abcd", max_size=30), words("abcd", max_size=30))
def test_common_subsequence(hyp_text: str, ref_text: str) -> None:
    hyp, ref = hyp_text.split(), ref_text.split()
    places = common_subsequence(hyp, ref)
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
def test_ter_script(pair: tuple[str, list[str]]) -> None:
    hyp, (ref_text,) = pair
    now, ref = hyp.split(), ref_text.split()
    shifts, script = ter_script(now, ref)
    for shift in shifts:
        now = shifted(now, shift)
    assert follow(script, now, ref) == ref
    parts = TER(case_sensitive=True).sentence_score(hyp, [ref_text]).parts
    assert len(shifts) + errors(script) == parts["edits"]


def test_by_hand() -> None:
    assert edit_script(["a", "b"], ["x", "a", "c"]) == [
        ("delete", 0, 0),
        ("match", 0, 1),
        ("substitute", 1, 2),
    ]
    assert edit_script(["a"], []) == [("insert", 0, 0)]
    assert ter_script(["c", "d", "a", "b"], ["a", "b", "c", "d"])[0] == [(0, 2, 4)]
    assert ter_script([], ["a"]) == ([], [("delete", 0, 0)])

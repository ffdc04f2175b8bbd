"""TER's edits and lengths, against sacreBLEU's port of tercom."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import peer
from support.strategies import related, segments, texts, words

from nlgauge import TER, Corpus

# The texts are odd on purpose.
pytestmark = pytest.mark.filterwarnings("ignore::nlgauge.errors.TextWarning")


def assert_same(hyps: list[str], refs: list[list[str]], **options) -> None:
    theirs = peer.ter(**options)
    expected = peer.statistics(theirs, hyps, refs)
    metric = TER(**options)
    corpus = Corpus.build(hyps, refs)
    assert metric.rows(corpus).tolist() == expected
    assert metric.evaluate(corpus).score == pytest.approx(
        theirs._aggregate_and_compute(expected).score, abs=1e-9
    )


@pytest.mark.parametrize("vocabulary", ["a", "ab", "abcd", "abcdefghijklmnop"])
@given(data=st.data())
@settings(max_examples=30)
def test_short_texts(vocabulary: str, data) -> None:
    drawn = data.draw(segments(words(vocabulary, max_size=12), max_refs=3))
    hyps, refs = map(list, zip(*drawn, strict=True))
    assert_same(hyps, refs)


@pytest.mark.parametrize(
    ("vocabulary", "size"),
    [
        ("ab", (13, 35)),
        ("abcde", (13, 40)),
        ("abcde", (50, 66)),
        ("abcdefghijklmnopqrstuvwxyz", (63, 66)),
    ],
    ids=["two words", "five words", "five words, one mask", "many words, one mask"],
)
@given(data=st.data())
@settings(max_examples=2)
def test_shifted_blocks(vocabulary: str, size, data) -> None:
    hyp, refs = data.draw(related(vocabulary, min_size=size[0], max_size=size[1], refs=2))
    assert_same([hyp], [refs])


# Unlike texts leave the beam, like ones of few words run into the limit of candidates.
@pytest.mark.parametrize("vocabulary", ["abcdef", "abcdefghijklmnopqrstuvwxyz"])
@given(data=st.data())
@settings(max_examples=1)
def test_long_texts(vocabulary: str, data) -> None:
    hyp, refs = data.draw(related(vocabulary, min_size=90, max_size=130))
    assert_same([hyp], [refs])


@given(
    hyp=words("abcdefgh", min_size=0, max_size=150),
    ref=words("abcdefgh", min_size=0, max_size=150),
)
@settings(max_examples=10)
def test_unrelated_texts(hyp: str, ref: str) -> None:
    assert_same([hyp], [[ref]])


@pytest.mark.parametrize("sizes", [(1, 120), (120, 1), (2, 150), (30, 90), (90, 30), (100, 60)])
def test_lengths_far_apart(sizes: tuple[int, int]) -> None:
    hyp, ref = (" ".join("abcdefg"[i * i % 7] for i in range(size)) for size in sizes)
    assert_same([hyp], [[ref]])


@pytest.mark.slow
@pytest.mark.parametrize("vocabulary", ["ab", "abc", "abcdef", "abcdefghijklmnopqrstuvwxyz"])
@given(data=st.data())
@settings(max_examples=12)
def test_many_long_texts(vocabulary: str, data) -> None:
    hyp, refs = data.draw(related(vocabulary, min_size=20, max_size=150))
    assert_same([hyp], [refs])


SWITCHES = ("normalized", "no_punct", "asian_support", "case_sensitive")
switches = st.fixed_dictionaries(dict.fromkeys(SWITCHES, st.booleans()))


@given(text=texts(max_size=15), options=switches)
@settings(max_examples=300)
def test_words_of_every_normalisation(text: str, options: dict[str, bool]) -> None:
    (found,) = TER(**options).preparation().words([text])
    assert found == peer.ter(**options)._preprocess_segment(text).split()


@given(
    drawn=segments(words(("a", "b", "C", "d.", "1,5", "(x)", "中文", "。")), max_refs=3),
    options=switches,
)
@settings(max_examples=50)
def test_statistics_of_every_normalisation(drawn, options: dict[str, bool]) -> None:
    hyps, refs = map(list, zip(*drawn, strict=True))
    assert_same(hyps, refs, **options)


@pytest.mark.parametrize("text", ["..9-", "it's's "])
def test_references_that_a_second_normalisation_changes(text: str) -> None:
    # sacreBLEU normalises references twice: when it collects them and when it splits them.
    assert_same([text, "a b"], [[text], [text, "a"]], normalized=True)


@pytest.mark.parametrize(
    ("options", "edits"),
    [
        ({}, 1),  # the block "d e" moves to the front
        ({"max_shift_size": 1}, 2),  # two moves of one word
        ({"max_shift_distance": 2}, 4),  # too far: two deletions, two insertions
        ({"max_candidates": 1}, 4),  # the search stops before the first move
    ],
)
def test_limits_by_hand(options: dict[str, int], edits: int) -> None:
    found = TER(**options).sentence_score("a b c d e", ["d e a b c"])
    assert found.parts == {"edits": edits, "ref_len": 5.0}


@pytest.mark.parametrize(
    ("hyp", "refs", "expected"),
    [
        ("", [""], 0.0),
        ("a b", [""], 1.0),
        ("", ["a b"], 1.0),
        ("a", ["a b c d"], 3 / 4),
        ("a b", ["a b c", "x"], 1 / 2),  # one edit, mean length 2
    ],
)
def test_rates_by_hand(hyp: str, refs: list[str], expected: float) -> None:
    assert TER().sentence_score(hyp, refs).value == expected

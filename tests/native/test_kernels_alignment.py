"""METEOR's links, GTM's runs and what is made of them, against brute force."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import links as oracle
from support.strategies import related, segments, words

from nlgauge import Corpus, SpecError
from nlgauge.core import registry
from nlgauge.kernels import native
from nlgauge.metrics.alignment.meteor import METEOR
from nlgauge.metrics.alignment.stages import STOP_WORDS

# The texts are odd on purpose.
pytestmark = pytest.mark.filterwarnings("ignore::nlgauge.errors.TextWarning")

EXACT = METEOR(stages=("exact",))


def check_stage(found, hyp, ref, same, before, stage) -> list[tuple[int, int]]:
    """The links of one stage must be as good as the best choice by brute force."""
    mine = [(i, j) for i, j, k in found if k == stage]
    assert len({i for i, _ in mine}) == len({j for _, j in mine}) == len(mine)
    assert all(same(hyp[i], ref[j]) for i, j in mine)
    result = (
        len(mine),
        oracle.crossings(mine, mine) // 2,
        oracle.crossings(mine, before),
        oracle.chunks([*before, *mine]),
    )
    assert result == oracle.stage(oracle.pairs(hyp, ref, same, before), before)
    return [*before, *mine]


@pytest.mark.parametrize("vocabulary", ["ab", "abc", "abcdef"])
@given(data=st.data())
@settings(max_examples=100)
def test_exact_links(vocabulary: str, data) -> None:
    hyp = data.draw(words(vocabulary, max_size=6)).split()
    ref = data.draw(words(vocabulary, max_size=6)).split()
    check_stage(EXACT.align(hyp, ref), hyp, ref, str.__eq__, [], 0)


FORMS = ("run", "running", "runs", "cat", "cats", "walk", "walked", "x")


@given(
    hyp=st.lists(st.sampled_from(FORMS), max_size=6),
    ref=st.lists(st.sampled_from(FORMS), max_size=6),
)
@settings(max_examples=200)
def test_two_stages(hyp: list[str], ref: list[str]) -> None:
    def stem(word: str) -> str:
        return word.removesuffix("ning").removesuffix("ed").removesuffix("s")

    found = METEOR().align(hyp, ref)
    before = check_stage(found, hyp, ref, str.__eq__, [], 0)
    check_stage(found, hyp, ref, lambda a, b: stem(a) == stem(b), before, 1)


@given(hyp=words("abcde", max_size=6), ref=words("abcde", max_size=6))
@settings(max_examples=200)
def test_stage_of_pairs(hyp: str, ref: str) -> None:
    # "a" goes with "b", and "b" with "c", but "a" not with "c": no classes of words.
    related = {("a", "b"), ("b", "c"), ("d", "e"), ("c", "e")}
    stages = [native.ExactStage(skip=()), native.PairStage(pairs=sorted(related))]
    h, r = hyp.split(), ref.split()
    found = native.align_stages(h, r, stages, "best")
    before = check_stage(found, h, r, str.__eq__, [], 0)
    check_stage(found, h, r, lambda a, b: (a, b) in related or (b, a) in related, before, 1)


@given(hyp=words("abc", min_size=30, max_size=200), ref=words("abc", min_size=30, max_size=200))
@settings(max_examples=20)
def test_long_texts_link_as_many_words_as_there_are(hyp: str, ref: str) -> None:
    h, r = hyp.split(), ref.split()
    found = EXACT.align(h, r)
    assert len(found) == sum(min(h.count(w), r.count(w)) for w in "abc")
    assert len({i for i, _, _ in found}) == len({j for _, j, _ in found}) == len(found)


def test_links_by_hand() -> None:
    assert METEOR().align(["the", "computers"], ["the", "computer"]) == [(0, 0, 0), (1, 1, 1)]
    assert EXACT.align(["the", "computers"], ["the", "computer"]) == [(0, 0, 0)]
    # The second "the" crosses nothing.
    assert EXACT.align("the cat the".split(), "cat the".split()) == [(1, 0, 0), (2, 1, 0)]
    # NLTK takes the last word of the reference.
    last = METEOR(linking="last")
    assert last.align(["a", "b"], ["a", "b", "a"]) == [(0, 2, 0), (1, 1, 0)]
    assert METEOR().align(["a", "b"], ["a", "b", "a"]) == [(0, 0, 0), (1, 1, 0)]


@given(hyp=words("abcde", max_size=6), ref=words("abcde", max_size=6))
@settings(max_examples=100)
def test_last_links_of_pairs(hyp: str, ref: str) -> None:
    related = {("a", "b"), ("b", "c"), ("d", "e"), ("c", "e")}
    h, r = hyp.split(), ref.split()
    expected, free = [], set(range(len(r)))
    for i in reversed(range(len(h))):
        for j in sorted(free, reverse=True):
            if (h[i], r[j]) in related or (r[j], h[i]) in related:
                expected.append((i, j, 0))
                free.remove(j)
                break
    found = native.align_stages(h, r, [native.PairStage(pairs=sorted(related))], "last")
    assert found == sorted(expected)


@pytest.mark.parametrize(
    ("stages", "hyp", "ref", "expected"),
    [
        ("exact:synonym", "a big house", "a large house", 0.9815),
        ("exact:wn_stem", "the geese", "the goose", 0.9375),
        # NLTK 3.10.4 itself: its stem stage leaves stems, and the stem "larg" is no word.
        ("exact:stem:synonym", "a big house", "a large house", 0.3333),
        ("exact:stem:synonym", "a big car", "a big auto", 0.9815),
        # A lemma of "Paris" is written so; the reference is not.
        ("exact:synonym", "french capital", "french paris", 0.25),
    ],
)
def test_stages_that_ask_wordnet_link_from_the_end(stages, hyp, ref, expected) -> None:
    metric = registry.metric(f"meteor-nltk(stages={stages})")
    assert metric.sentence_score(hyp, [ref]).value == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize("stages", ["exact:synonym", "exact:stem:synonym", "synonym", "wn_stem"])
def test_uni_prf_has_the_links_of_meteor(stages: str) -> None:
    # "big" and "grown" are "large"; only one order of links takes both words of the reference.
    hyp, ref = "large big geese running", "grown large goose run"
    links = METEOR(stages=tuple(stages.split(":"))).align(hyp.split(), ref.split())
    found = registry.metric(f"uni-prf(stages={stages},measure=recall)").sentence_score(hyp, [ref])
    assert found.value == len(links) / 4


def test_stop_words_are_left_alone_on_demand() -> None:
    metric = METEOR(stages=("exact",), stop_words=False)
    assert metric.align("the cat sat".split(), "the cat sat".split()) == [(1, 1, 0), (2, 2, 0)]
    assert "the" in STOP_WORDS


def test_stages_have_names() -> None:
    with pytest.raises(SpecError, match=r"no stage 'magic'; there are .*exact.*stem"):
        registry.metric("meteor(stages=exact:magic)")


def test_system_score_of_summed_counts() -> None:
    # Links 2 + 3, chunks 1 + 3, hypothesis words 2 + 3, words of the best references 2 + 3.
    corpus = Corpus.build(["a b", "c b a"], [["x", "a b"], ["a b c"]])
    found = EXACT.evaluate(corpus)
    assert found.value == pytest.approx(1 - 0.5 * (4 / 5) ** 3, abs=1e-15)
    mean = registry.metric("meteor(average=macro,stages=exact)").evaluate(corpus)
    assert mean.value == pytest.approx((1 - 0.5 / 8 + 0.5) / 2, abs=1e-15)


@pytest.mark.parametrize("exponent", [1.0, 1.5, 2.0, 12.0])
@given(drawn=segments(words("abcd", max_size=12), max_refs=3))
@settings(max_examples=60)
def test_gtm(exponent: float, drawn) -> None:
    metric = registry.metric(f"gtm(exponent={exponent})")
    rows = metric.rows(Corpus.build([h for h, _ in drawn], [r for _, r in drawn]))
    for row, (hyp, refs) in zip(rows, drawn, strict=True):
        total = oracle.gtm(hyp.split(), [r.split() for r in refs], exponent)
        assert row[0] == pytest.approx(total ** (1 / exponent), rel=1e-12)
        assert row[1:3].tolist() == [
            len(hyp.split()),
            sum(len(r.split()) for r in refs) / len(refs),
        ]


@given(data=st.data())
@settings(max_examples=20)
def test_gtm_of_rearranged_texts(data) -> None:
    hyp, refs = data.draw(related("abcdefghijkl", min_size=20, max_size=60, refs=2))
    row = registry.metric("gtm(exponent=2)").rows(Corpus.build([hyp], [refs]))[0]
    total = oracle.gtm(hyp.split(), [r.split() for r in refs], 2)
    assert row[0] == pytest.approx(total**0.5, rel=1e-12)


def test_runs_by_hand() -> None:
    # Turian et al. count runs of 6, 4 and 1 words in these sentences of Isozaki et al. (2010).
    ref = "he was interested in world history because he read the book".split()
    hyp = "he read the book because he was interested in world history".split()
    assert native.gtm_runs(hyp, [ref]) == [(5, 0, 0, 6), (0, 0, 7, 4), (4, 0, 6, 1)]
    # Of several references: hypothesis word, reference, its word, length.
    refs = [["a", "b", "x"], ["y", "c", "d"]]
    assert native.gtm_runs(["a", "b", "c"], refs) == [(0, 0, 0, 2), (2, 1, 1, 1)]


@pytest.mark.parametrize(
    ("spec", "expected"),
    [("gtm", 1.0), ("gtm(references=best)", 0.75), ("gtm(references=best,exponent=2)", 0.5590)],
)
def test_references_together_or_the_best(spec: str, expected: float) -> None:
    # Each word is in some reference of four words; the best one has a run of two and one of one.
    refs = ["a b d x", "c d y z"]
    assert registry.metric(spec).sentence_score("a b c d", refs).value == pytest.approx(
        expected, abs=5e-5
    )


@pytest.mark.parametrize(
    "spec", ["gtm", "meteor", "meteor-nltk", "uni-prf", "uni-prf(words=order)"]
)
def test_nothing_to_link(spec: str) -> None:
    metric = registry.metric(spec)
    for hyp, refs in (("", ["a b"]), ("a b", [""]), ("", [""]), ("a", ["", "b"])):
        assert metric.sentence_score(hyp, refs).value == 0.0


@pytest.mark.parametrize("spec", ["gtm", "gtm(exponent=3)", "meteor", "uni-prf"])
@pytest.mark.parametrize(
    ("hyp", "ref"),
    [
        ("a " * 2000, "a " * 2000),
        ("a " * 50_000, "a " * 50_000),
        ("a b b a " * 500, "a b b a " * 500),
        (" ".join(map(str, range(20_000))), " ".join(map(str, range(20_000)))),
    ],
    ids=["2,000", "50,000", "four", "distinct"],
)
def test_long_equal_texts(spec: str, hyp: str, ref: str) -> None:
    assert registry.metric(spec).sentence_score(hyp, [ref]).value == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize("spec", ["gtm(exponent=2)", "meteor", "nkt", "ribes", "impact"])
@pytest.mark.parametrize("size", [2000, 20_000])
def test_long_scrambled_texts_take_bounded_time(spec: str, size: int) -> None:
    hyp = " ".join("abcdefg"[i * i % 7] for i in range(size))
    ref = " ".join("gbadefc"[i * i * i % 7] for i in range(size - 100))
    assert 0 <= registry.metric(spec).sentence_score(hyp, [ref]).value <= 1


@pytest.mark.parametrize("spec", ["gtm", "meteor", "ribes", "nsrp", "impact", "uni-prf"])
def test_a_thousand_references(spec: str) -> None:
    refs = [f"a b c {k} d e" for k in range(1000)]
    assert 0 < registry.metric(spec).sentence_score("a b c d e", refs).value <= 1

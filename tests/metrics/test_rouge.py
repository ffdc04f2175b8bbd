"""The ROUGE family against the literature's examples, plain Python and rouge-score."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import rouge as oracle
from rouge_score import rouge_scorer
from support.strategies import related, texts, words

from nlgauge import Corpus, SpecError
from nlgauge.core import registry
from nlgauge.metrics.ngram import rouge155

# The texts are odd on purpose.
pytestmark = pytest.mark.filterwarnings("ignore::nlgauge.errors.TextWarning")

# Isozaki et al. (2010), Banerjee and Lavie (2005), Lin (2004).
R0 = "he was interested in world history because he read the book"
H0 = "he read the book because he was interested in world history"
R6, H6 = "the president then spoke to the audience", "the president spoke to the audience"
GUNMAN = "police killed the gunman"
KILL = ("police kill the gunman", "the gunman kill police", "the gunman police killed")


@pytest.mark.parametrize(
    ("spec", "hyp", "ref", "expected"),
    [
        ("rouge-l", H0, R0, 0.5455),
        ("rouge-s", H0, R0, 0.4364),
        ("rouge-s4", H0, R0, 0.55),
        ("rouge-su", H0, R0, 0.5303),
        ("rouge-l", H6, R6, 0.9231),
        ("rouge-w", H6, R6, 0.8316),
        *(("rouge-l", h, GUNMAN, e) for h, e in zip(KILL, (0.75, 0.5, 0.5), strict=True)),
        *(("rouge-s", h, GUNMAN, e / 6) for h, e in zip(KILL, (3, 1, 2), strict=True)),
        ("rouge-w(weight=2)", "A B C D H I K", "A B C D E F G", 4 / 7),
        ("rouge-w(weight=2)", "A H B K C I D", "A B C D E F G", 2 / 7),
        # ROUGE-1.5.5 raises the length of nine words to the power of 1.44 in place of 1.2.
        (
            "rouge-w(profile=rouge155,measure=recall)",
            "one two three four five six seven eight nine",
            "one two three four five six seven eight nine",
            0.64439,
        ),
        ("rouge-su(profile=rouge155)", "word", "word", 0.0),
        ("rouge-1", "日本語の文", "日本語の本", 0.8),
        ("rouge-1", "Привет мир", "привет, мир!", 1.0),
        ("rouge1", "Привет мир", "привет, мир!", 0.0),
        ("rouge-1(stem=yes)", "dogs were walking", "a dog was walked", 4 / 7),
        ("rouge-1(stop=yes)", "the dog and the cat", "a dog", 2 / 3),
        ("rouge-1(max_words=2)", "a b c d", "a b x y", 1.0),
        ("rouge-1(max_bytes=3)", "a b c d", "a b x y", 1.0),
        ("rouge-1(beta=2)", "a b c d", "a b", 5 * 0.5 / (4 * 0.5 + 1)),
        ("rouge-1(measure=precision)", "a b c d", "a b", 0.5),
        ("rouge-lsum", "a b\nc d", "c d\na b", 1.0),
        # pycocoevalcap 1.2 itself: "".split(" ") has one word.
        ("rouge-l(profile=coco)", "", "", 1.0),
        ("rouge-l(profile=coco)", "", "a", 0.0),
        ("rouge-l(profile=coco)", "a  b", "a b", 0.82993),
        ("rouge-l(profile=coco,tokenizer=13a)", "", "", 1.0),
        ("rouge-l", "a b\nc d", "c d\na b", 0.5),
    ],
)
def test_examples(spec: str, hyp: str, ref: str, expected: float) -> None:
    assert registry.metric(spec).sentence_score(hyp, [ref]).value == pytest.approx(
        expected, abs=5e-5
    )


def test_two_limits_are_refused() -> None:
    with pytest.raises(SpecError, match="max_words"):
        registry.metric("rouge-1(max_words=3,max_bytes=4)")


COUNTS = {
    "rouge-1": lambda h, r: oracle.rouge_n(h, r, 1),
    "rouge-2": lambda h, r: oracle.rouge_n(h, r, 2),
    "rouge-9": lambda h, r: oracle.rouge_n(h, r, 9),
    "rouge-l": oracle.rouge_l,
    "rouge-w": lambda h, r: oracle.rouge_w(h, r, 1.2),
    "rouge-s": lambda h, r: oracle.rouge_s(h, r, None, False),
    "rouge-s(gap=0)": lambda h, r: oracle.rouge_s(h, r, 0, False),
    "rouge-su(gap=4)": lambda h, r: oracle.rouge_s(h, r, 4, True),
}


@pytest.mark.parametrize("size", [(0, 8), (60, 70), (120, 200), (250, 270)], ids=str)
@pytest.mark.parametrize("spec", COUNTS)
@given(data=st.data())
@settings(max_examples=6)
def test_counts(spec: str, size: tuple[int, int], data) -> None:
    low, high = size
    vocabulary = data.draw(st.sampled_from(["a", "abc", "abcdefghijkl"]))
    hyp, (ref,) = data.draw(related(vocabulary, min_size=low, max_size=high))
    metric = registry.metric(spec)
    row = metric.rows(Corpus.build([hyp], [[ref]]))[0]
    expected = COUNTS[spec](hyp.split(), ref.split())
    assert row[4:7].tolist() == pytest.approx(expected, rel=1e-9)
    root = 1.2 if spec == "rouge-w" else 1.0
    assert row[:3].tolist() == pytest.approx(oracle.scores(expected, root=root), abs=1e-9)


@given(
    hyp=st.lists(words("abcde", max_size=9), max_size=4),
    ref=st.lists(words("abcde", max_size=9), max_size=4),
)
def test_summary_level(hyp: list[str], ref: list[str]) -> None:
    row = registry.metric("rouge-lsum").rows(Corpus.build(["\n".join(hyp)], [["\n".join(ref)]]))[0]
    assert row[4:7].tolist() == list(
        oracle.rouge_lsum([line.split() for line in hyp], [line.split() for line in ref])
    )


@given(
    hyp=words("abcd", max_size=9), refs=st.lists(words("abcd", max_size=9), min_size=2, max_size=4)
)
def test_several_references(hyp: str, refs: list[str]) -> None:
    def f(chosen: list[str]) -> float:
        counts = [oracle.rouge_n(hyp.split(), r.split(), 1) for r in chosen]
        return oracle.scores(tuple(map(sum, zip(*counts, strict=True))))[2]

    def best(chosen: list[str]) -> float:
        return max(f([r]) for r in chosen)

    without = [refs[:k] + refs[k + 1 :] for k in range(len(refs))]
    expected = {
        "average": f(refs),
        "best": best(refs),
        "jackknife": np.mean([best(rest) for rest in without]),
        "jackknife-average": np.mean([f(rest) for rest in without]),
    }
    for mode, value in expected.items():
        metric = registry.metric(f"rouge-1(references={mode})")
        assert metric.sentence_score(hyp, refs).value == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("stem", [False, True])
@given(data=st.data())
@settings(max_examples=60)
def test_rouge_score(stem: bool, data) -> None:
    text = texts() | st.lists(
        st.sampled_from("Running runs flies dying news, skies. the\n generally 3.5".split(" "))
    ).map(" ".join)
    hyp = data.draw(text)
    refs = data.draw(st.lists(text, min_size=1, max_size=3))
    types = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
    expected = rouge_scorer.RougeScorer(types, use_stemmer=stem).score_multi(refs, hyp)
    for name in types:
        score = registry.metric(name, stem=stem).sentence_score(hyp, refs)
        found = [score.parts[part] for part in ("precision", "recall", "f")]
        assert found == pytest.approx(list(expected[name]), abs=1e-9), name


def test_average_of_rouge_155() -> None:
    # The tool's procedure in Perl 5.36, with its srand and rand.
    rows = np.arange(1.0, 10.0)[:, None] / 10
    resampled = rouge155.resampled(rows, lambda sums: sums / len(rows))
    assert rouge155.average(resampled[:, 0], 90) == (0.49966, 0.35556, 0.64444)


def test_order_of_rouge_155() -> None:
    assert rouge155.sorted_as_text(["1", "2", "10", "9", "11"]) == [0, 2, 4, 1, 3]

"""Options have limits, within which every score is finite and inside of the declared bounds."""

import dataclasses
import pydoc
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.batch_checks import problems
from support.inputs import ANNOTATED, METRICS, SPECS, best, corpus_for
from support.option_values import draw_metric, is_number
from support.strategies import odd_texts, segments, words

from nlgauge import BLEU, Corpus, Metric, SpecError
from nlgauge.core import options, registry
from nlgauge.core.metric import totals
from nlgauge.metrics import DeltaBLEU

EVERY = (*METRICS, *ANNOTATED)
LONG = " ".join(f"w{k * k % 37}" for k in range(300))
TEXTS = odd_texts() | words("abc") | st.sampled_from(["", " ", "a", LONG, "a " * 120])


@pytest.mark.parametrize("name", registry.METRICS)
def test_every_number_has_limits(name: str) -> None:
    cls = registry.metric_class(name)
    hints = options.types_of(cls)
    for f in dataclasses.fields(cls):
        if is_number(hints[f.name]):
            low, high = f.metadata["low"], f.metadata["high"]
            assert low is not None and high is not None and low < high, f.name


@pytest.mark.parametrize("spec", SPECS)
def test_bounds_without_options_are_those_of_the_catalogue(spec: str) -> None:
    default = type(registry.metric(spec))
    assert all(low <= high for low, high in (default.info.bounds, registry.metric(spec).bounds))
    if not any(f.default is dataclasses.MISSING for f in dataclasses.fields(default)):
        assert default().bounds == default.info.bounds


@pytest.mark.filterwarnings("ignore::nlgauge.errors.NlgaugeWarning")
@pytest.mark.parametrize("spec", EVERY)
@given(drawn=segments(TEXTS, min_size=2), seed=st.integers(0, 2**32))
@settings(max_examples=8, deadline=None)
def test_any_options_within_their_limits(spec: str, drawn, seed: int) -> None:
    rng = random.Random(seed)
    metric = draw_metric(rng, registry.metric(spec))
    most = 100 if "parser=chain" in spec else None  # chains of words make deep trees
    hyps, refs = [h[:most] for h, _ in drawn], [[r[:most] for r in rs] for _, rs in drawn]
    corpus = corpus_for(metric, hyps, refs)
    assert problems(metric, corpus, rng) == [], registry.spec(metric)


PERFECT = [s for s in METRICS if registry.metric(s).info.perfect_on_itself]


@pytest.mark.parametrize("spec", PERFECT)
@given(
    ref=words("abcdefg", min_size=10, max_size=25),
    hyp=words("abcdefg", min_size=1, max_size=25),
    seed=st.integers(0, 2**32),
)
@settings(max_examples=8, deadline=None)
def test_no_text_beats_the_reference_itself(spec: str, ref: str, hyp: str, seed: int) -> None:
    metric = draw_metric(random.Random(seed), registry.metric(spec))
    if getattr(metric, "words", "") == "order" or not getattr(metric, "stop_words", True):
        return  # repeated words are not in NKT's list; stop words count, but are never linked
    if metric.bounds != metric.info.bounds:
        return  # smoothing may give more than a match does
    corpus = corpus_for(metric, [ref, hyp], [[ref], [ref]], unit_weights=True)
    same, other = metric.score(metric.rows(corpus, metric.fit(corpus))).tolist()
    sign = 1 if metric.info.higher_is_better else -1
    assert sign * same >= sign * other - 1e-12, registry.spec(metric)


@pytest.mark.parametrize(
    "spec",
    [
        "parent(smoothing=-0.44,entailment=cooccurrence)",
        "parent(smoothing=3)",
        "gtm(exponent=1e308)",
        "cider-d(sigma=1e-300)",
        "rouge-w(weight=1e300)",
        "nugget-f(beta=1e300)",
        "rouge-s(gap=99999999999)",
        "bleu(weights=1:1:1:1e300)",
        "ps(weights=-1:1:1:1)",
        "meteor-1.5(weights=1:2:1)",
    ],
)
def test_what_is_beyond_the_limits_is_refused(spec: str) -> None:
    with pytest.raises(SpecError, match="must be"):
        registry.metric(spec)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("rouge-w(weight=1e300)", r"^rouge-w\(weight=1e\+300\): must be at most 5$"),
        ("rouge-s4(gap=-3)", r"^rouge-s4\(gap=-3\): must be at least 0$"),
        ("GTM(exponent=99)", r"^gtm\(exponent=99\): must be at most 50$"),
        ("cider-d(sigma=1e-300)", r"^cider-d\(sigma=1e-300\): must be 0"),
        ("bleu(max_order=inf)", r"^bleu\(max_order"),
    ],
)
def test_refused_options_are_named_as_they_were_written(spec: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        registry.metric(spec)


def test_refused_options_of_a_class_are_named_as_the_metric() -> None:
    with pytest.raises(SpecError, match=r"^bleu\(max_order=0\): must be at least 1$"):
        BLEU(max_order=0)
    with pytest.raises(SpecError, match=r"^bleu\(lowercase='yes'\): expected"):
        BLEU(lowercase="yes")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "spec", ["nktp(recall=5)", "nsr(f=2.9)", "nkt(order=0,recall=1)", "uni-prf(words=order)"]
)
def test_recall_counts_a_word_once(spec: str) -> None:
    hyps = [" ".join(random.Random(k).choices("abc", k=9)) for k in range(300)]
    refs = [[" ".join(random.Random(-k).choices("abc", k=4))] for k in range(300)]
    metric = registry.metric(spec)
    assert metric.score(metric.rows(Corpus.build(hyps, refs))).max() <= 1


@pytest.mark.parametrize(
    ("hyp", "spec", "expected"),
    [
        # The model: 1.4728 STA - 0.1015 S - 0.0228 length - 0.2127, for one word.
        ("yes", "ua(parser=chain,length=yes)", 1.4728 - 0.0228 - 0.2127),
        ("", "ua(parser=chain,length=yes)", -0.0228 - 0.2127),
        ("", "ua(parser=chain)", -0.4458 / 0.8689),
        ("yes", "qla(parser=chain,length=yes)", 1.2134 - 0.0280 - 0.0689),
        ("", "sta(parser=chain)", 0.0),
        ("no", "gta(parser=chain)", 0.0),
        ("yes", "sta(parser=chain)", 1.0),
    ],
)
def test_a_sentence_of_one_word_is_a_treelet(hyp: str, spec: str, expected: float) -> None:
    metric = registry.metric(spec)
    found = metric.sentence_score(hyp, ["yes"]).value
    assert found == pytest.approx(expected, abs=1e-12)
    assert found <= metric.bounds[1]


@pytest.mark.parametrize("mean", ["geometric", "arithmetic"])
@pytest.mark.parametrize("weights", [[-1.0], [-0.1, -1.0], [1.0, -1.0], [-0.5, 0.1]])
def test_ratings_below_zero(mean: str, weights: list[float]) -> None:
    # Matches in what people disliked are worth nothing, and never more than those they liked.
    metric = registry.metric(f"delta-bleu(max_order=2,mean={mean})")
    refs = ["a b c", "b c d"][: len(weights)]
    hyps = ["a b c", "b c d", "c b a", "a a a", "x"]
    corpus = Corpus.build(hyps, [refs] * 5, reference_weights=[weights] * 5)
    rows = metric.rows(corpus)
    values = [*metric.score(rows).tolist(), float(metric.score(totals(rows)))]
    assert all(0 <= value <= 1 for value in values)
    if max(weights) <= 0:
        assert values == [0.0] * 6


def test_bounds_follow_options() -> None:
    assert registry.metric("character(clip=no)").bounds == (0, np.inf)
    assert registry.metric("bleu(smooth=method5)").bounds == (0, 4 / 3)
    assert registry.metric("bleu(smooth=floor,smooth_value=2)").bounds == (0, 2)
    assert best(registry.metric("ua(parser=chain,length=yes)")) == pytest.approx(1.2373)


def test_help_lists_the_options() -> None:
    found = pydoc.plain(pydoc.render_doc(BLEU))
    assert "max_order=4 (a whole number, 1 to 9)" in found
    assert "smooth=exp (one of none, floor," in found
    assert "Options:" not in BLEU.description() and BLEU.description() in BLEU.__doc__


@pytest.mark.parametrize("name", registry.METRICS)
def test_every_option_is_documented(name: str) -> None:
    cls = registry.metric_class(name)
    for f in dataclasses.fields(cls):
        assert f"\n    {f.name}=" in cls.__doc__
        assert f.metadata["help"].split()[0] in cls.__doc__


def test_options_of_a_class_are_listed_once() -> None:
    """A class that adds options has a list of its own, also of those that it inherits."""
    assert [c.__doc__.count("Options:") for c in (BLEU, DeltaBLEU)] == [1, 1]
    assert "Options:" not in Metric.__doc__

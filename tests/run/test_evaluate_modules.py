"""`load` with the names of evaluate's modules, against what those modules call.

evaluate fetches its modules from a hub, so each is rebuilt here from the package beneath it, in the
few lines that the module adds.
"""

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.translate.gleu_score import corpus_gleu
from rouge_score import rouge_scorer, scoring
from support import peer
from support.strategies import texts

import nlgauge
from nlgauge import DataError, NlgaugeWarning, SpecError

HYPS = ["The cats sat on the mat.\nThey slept there.", "A dog runs in parks", "It rains", "go on"]
REFS = ["A cat sat on the mat.\nIt was sleeping.", "the dog ran in a park", "It rained", "go"]
MANY = [[REFS[0], "Cats sit."], [REFS[1]], [REFS[2], "it rains"], ["Go on!", "on we go", "go"]]


class Blanks:
    """rouge-score takes an object; evaluate wraps a function into one."""

    def tokenize(self, text: str) -> list[str]:
        return text.split(" ")


def evaluates_rouge(
    predictions: list[str], references: list[Any], seed: int, **options: Any
) -> Any:
    types = options.get("rouge_types") or ["rouge1", "rouge2", "rougeL", "rougeLsum"]
    stem = options.get("use_stemmer", False)
    tokenizer = Blanks() if "tokenizer" in options else None
    scorer = rouge_scorer.RougeScorer(types, use_stemmer=stem, tokenizer=tokenizer)
    pairs = zip(references, predictions, strict=True)
    scores = [
        scorer.score(ref, hyp) if isinstance(ref, str) else scorer.score_multi(ref, hyp)
        for ref, hyp in pairs
    ]
    if not options.get("use_aggregator", True):
        return {kind: [score[kind].fmeasure for score in scores] for kind in types}
    aggregator = scoring.BootstrapAggregator()
    for score in scores:
        aggregator.add_scores(score)
    state = np.random.get_state()
    np.random.seed(seed)
    result = {kind: bounds.mid.fmeasure for kind, bounds in aggregator.aggregate().items()}
    np.random.set_state(state)
    return result


@pytest.mark.parametrize("references", [REFS, MANY], ids=["one", "several"])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"use_stemmer": True},
        {"use_aggregator": False},
        {"rouge_types": ["rougeLsum", "rouge3"]},
        {"use_aggregator": False, "tokenizer": lambda text: text.split(" ")},
    ],
    ids=["default", "stemmer", "segments", "types", "tokenizer"],
)
def test_rouge_is_evaluates(references: list[Any], options: dict[str, Any]) -> None:
    found = nlgauge.load("rouge", seed=7).compute(
        predictions=HYPS, references=references, **options
    )
    theirs = evaluates_rouge(HYPS, references, 7, **options)
    assert list(found) == list(theirs)
    for kind, value in theirs.items():
        assert found[kind] == pytest.approx(value, abs=1e-12), kind


@given(st.lists(st.tuples(texts(), texts()), min_size=1, max_size=4))
@settings(max_examples=30, deadline=None)
def test_rouge_of_any_texts(pairs: list[tuple[str, str]]) -> None:
    hyps, refs = [h for h, _ in pairs], [r for _, r in pairs]
    found = nlgauge.load("rouge").compute(predictions=hyps, references=refs, use_aggregator=False)
    theirs = evaluates_rouge(hyps, refs, 0, use_aggregator=False)
    for kind, values in theirs.items():
        assert found[kind] == pytest.approx(values, abs=1e-12)


def test_rouge_is_four_floats_and_the_same_every_time() -> None:
    found = nlgauge.load("rouge").compute(predictions=HYPS, references=REFS)
    assert list(found) == ["rouge1", "rouge2", "rougeL", "rougeLsum"]
    assert all(type(value) is float for value in found.values())
    assert found == nlgauge.load("rouge").compute(predictions=HYPS, references=REFS)
    one = nlgauge.load("rouge").compute(predictions=HYPS, references=REFS, rouge_types="rougeL")
    assert list(one) == ["rougeL"]


def nmt_bleu(hyps: list[list[str]], refs: list[list[list[str]]], order: int, smooth: bool) -> Any:
    """BLEU by the definition in TensorFlow's NMT tutorial, in plain Python."""

    def grams(words: list[str], n: int) -> Counter[tuple[str, ...]]:
        return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))

    precisions = []
    for n in range(1, order + 1):
        found = possible = 0
        for hyp, own in zip(hyps, refs, strict=True):
            most: Counter[tuple[str, ...]] = Counter()
            for ref in own:
                most |= grams(ref, n)
            found += (grams(hyp, n) & most).total()
            possible += max(len(hyp) - n + 1, 0)
        found, possible = found + smooth, possible + smooth
        precisions.append(found / possible if possible else 0.0)
    hyp_length = sum(map(len, hyps))
    ref_length = sum(min(map(len, own)) for own in refs)
    ratio = hyp_length / ref_length
    penalty = 1.0 if ratio > 1 else math.exp(1 - 1 / ratio)
    mean = math.prod(precisions) ** (1 / order)
    return penalty * mean, precisions, penalty, ratio, hyp_length, ref_length


@pytest.mark.parametrize("smooth", [False, True])
@pytest.mark.parametrize("order", [2, 4])
def test_bleu_is_evaluates(order: int, smooth: bool) -> None:
    split = peer.bleu(tokenize="13a").tokenizer
    hyps = [split(h).split() for h in HYPS]
    refs = [[split(r).split() for r in own] for own in MANY]
    found = nlgauge.load("bleu").compute(
        predictions=HYPS, references=MANY, max_order=order, smooth=smooth
    )
    theirs = nmt_bleu(hyps, refs, order, smooth)
    keys = "bleu precisions brevity_penalty length_ratio translation_length reference_length"
    assert list(found) == keys.split()
    for value, expected in zip(found.values(), theirs, strict=True):
        assert value == pytest.approx(expected, abs=1e-12)


def test_the_shortest_reference_counts_for_bleu() -> None:
    hyps = ["good morning my dear", "see you soon"]
    refs = [["good morning my dear", "good morning!"], ["see you soon"]]
    found = nlgauge.load("bleu").compute(predictions=hyps, references=refs)
    assert found["bleu"] == pytest.approx(1)
    assert found["length_ratio"] == pytest.approx(7 / 6)  # "good morning !" has three words


def test_bleu_with_a_tokenizer_of_the_user() -> None:
    found = nlgauge.load("bleu", max_order=2).compute(
        predictions=["a b|c d|e"], references=["a b|c d|f"], tokenizer=lambda t: t.split("|")
    )
    assert (found["precisions"], found["translation_length"]) == ([2 / 3, 1 / 2], 3)


def test_bleu_of_nothing() -> None:
    found = nlgauge.load("bleu").compute(predictions=[""], references=["a"])
    assert (found["bleu"], found["brevity_penalty"], found["length_ratio"]) == (0, 0, 0)


@pytest.mark.parametrize(
    ("options", "theirs"),
    [
        ({}, {}),
        ({"lowercase": True, "tokenize": "intl"}, {}),
        ({"smooth_method": "floor", "smooth_value": 0.5}, {}),
        ({"use_effective_order": True, "force": True}, {"effective_order": True}),
    ],
)
def test_sacrebleu_is_evaluates(options: dict[str, Any], theirs: dict[str, Any]) -> None:
    theirs = theirs or options  # where the tool's option has another name
    refs = [[ref, hyp] for ref, hyp in zip(REFS, reversed(HYPS), strict=True)]
    found = nlgauge.load("sacrebleu", **options).compute(predictions=HYPS, references=refs)
    tool = peer.score(peer.bleu(**{"tokenize": "13a", **theirs}), HYPS, refs)
    for name in ("score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len"):
        assert found.pop(name) == pytest.approx(getattr(tool, name)), name
    assert not found


@pytest.mark.parametrize("options", [{}, {"word_order": 2, "lowercase": True}, {"beta": 3}])
def test_chrf_is_evaluates(options: dict[str, Any]) -> None:
    found = nlgauge.load("chrf").compute(predictions=HYPS, references=REFS, **options)
    tool = peer.score(peer.chrf(**options), HYPS, [[ref] for ref in REFS])
    assert found == {
        "score": pytest.approx(tool.score),
        "char_order": tool.char_order,
        "word_order": tool.word_order,
        "beta": tool.beta,
    }


@pytest.mark.parametrize(
    ("options", "theirs"),
    [
        ({}, {}),
        ({"case_sensitive": True, "normalized": True}, {}),
        ({"ignore_punct": True}, {"no_punct": True}),
        (
            {"normalized": True, "support_zh_ja_chars": True},
            {"normalized": True, "asian_support": True},
        ),
    ],
)
def test_ter_is_evaluates(options: dict[str, Any], theirs: dict[str, Any]) -> None:
    theirs = theirs or options  # where the tool's option has another name
    hyps = [hyp.replace("\n", " ") for hyp in HYPS]
    refs = [[ref.replace("\n", " "), hyp] for ref, hyp in zip(REFS, reversed(hyps), strict=True)]
    found = nlgauge.load("ter").compute(predictions=hyps, references=refs, **options)
    tool = peer.score(peer.ter(**theirs), hyps, refs)
    assert found == {
        "score": pytest.approx(tool.score),
        "num_edits": tool.num_edits,
        "ref_length": pytest.approx(tool.ref_length),
    }


def test_meteor_of_the_modules_own_example() -> None:
    """0.6944 is what its documentation prints for Papineni's sentences."""
    hyp = (
        "It is a guide to action which ensures that the military always obeys the commands of the "
        "party"
    )
    ref = "It is a guide to action that ensures that the military will forever heed Party commands"
    for tokenizer in ("13a", str.split):
        found = nlgauge.load("meteor").compute(
            predictions=[hyp], references=[ref], tokenizer=tokenizer
        )
        assert list(found) == ["meteor"]
        assert found["meteor"] == pytest.approx(0.6944, abs=5e-5)
    # The mean of segments, and no penalty if gamma is 0: F of 1 of 2 and 1 of 1.
    found = nlgauge.load("meteor", gamma=0).compute(
        predictions=["a b", "a b"], references=["a", "a b"]
    )
    assert found["meteor"] == pytest.approx((1 / (0.9 + 0.1 * 2) + 1) / 2)
    with pytest.raises(SpecError, match="white space"):
        nlgauge.load("meteor").compute(
            predictions=["a b"], references=["a"], tokenizer=lambda text: [text]
        )


def test_bertscore_has_a_value_for_every_segment() -> None:
    found = nlgauge.load("bertscore").compute(predictions=HYPS[1:3], references=REFS[1:3])
    assert list(found) == ["precision", "recall", "f1", "hashcode"]
    table = nlgauge.score(HYPS[1:3], REFS[1:3], metrics=["bertscore-p", "bertscore-r", "bertscore"])
    for key, name in (("precision", "bertscore-p"), ("recall", "bertscore-r"), ("f1", "bertscore")):
        assert found[key] == pytest.approx(table.segment_scores("system", name).tolist())
    assert nlgauge.load(found["hashcode"]).metric.info.name == "bertscore"


def test_languages_of_bertscore() -> None:
    given = {"predictions": ["a dog"], "references": ["a cat"]}
    plain = nlgauge.load("bertscore").compute(**given)
    with pytest.warns(NlgaugeWarning, match="numbers differ; give model_type"):
        assert nlgauge.load("bertscore").compute(**given, lang="en") == plain
    # Who names the model knows which one it is.
    assert nlgauge.load("bertscore").compute(**given, lang="en", model_type="minilm") == plain
    with pytest.raises(SpecError, match=r"lang='zh'.*English only.*model_type"):
        nlgauge.load("bertscore").compute(**given, lang="zh")
    with pytest.raises(SpecError, match="baseline_path"):
        nlgauge.load("bertscore").compute(**given, rescale_with_baseline=True)
    with pytest.raises(SpecError, match="num_layers"):
        nlgauge.load("bertscore").compute(**given, all_layers=True)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("rouge", {"lang": "en"}, "evaluate's rouge has no option 'lang'; it has: rouge_types"),
        ("bleu", {"tokenize": "zh"}, r"no option 'tokenize'; it has: tokenizer.*load\('bleu\(\)'"),
        ("chrf", {"lang": "en"}, "no option 'lang'"),
        ("rouge", {"rouge_types": ["rouge0"]}, "'rouge0'; there is rouge1"),
        ("rouge", {"rouge_types": [1]}, "1; there is rouge1"),
        ("sacrebleu", {"tokenize": "xyz"}, "tokenizer=xyz"),
    ],
)
def test_options_that_a_module_lacks(name: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(SpecError, match=message):
        nlgauge.load(name).compute(predictions=["a"], references=["a"], **options)


def test_options_are_checked_when_loading() -> None:
    with pytest.raises(SpecError, match="no option 'smoth'"):
        nlgauge.load("bleu", smoth=True)


@pytest.mark.parametrize("name", ["rouge", "bleu", "sacrebleu", "chrf", "ter", "meteor"])
def test_modules_need_texts_and_references(name: str) -> None:
    for predictions, references in (([], []), (["a"], [[]])):
        with pytest.raises(DataError):
            nlgauge.load(name).compute(predictions=predictions, references=references)


def test_meteor_links_words_of_one_synset() -> None:
    """As NLTK 3.10.4 does: two links in one chunk. Its stem stage leaves stems, so that it looks
    for larg in WordNet and not for large.
    """
    for hyp, ref, expected in (
        ("a car", "a auto", 1 - 0.5 / 8),
        ("a big house", "a large house", 2 / 3 * 0.5),
    ):
        found = nlgauge.load("meteor").compute(predictions=[hyp], references=[ref])
        assert found["meteor"] == pytest.approx(expected)


@pytest.mark.parametrize("options", [{}, {"min_len": 2}, {"min_len": 2, "max_len": 6}])
def test_google_bleu_is_evaluates(options: dict[str, int]) -> None:
    split = peer.bleu(tokenize="13a").tokenizer
    theirs = corpus_gleu(
        [[split(ref).split() for ref in own] for own in MANY],
        [split(hyp).split() for hyp in HYPS],
        **options,
    )
    found = nlgauge.load("google_bleu", **options).compute(predictions=HYPS, references=MANY)
    assert found == {"google_bleu": pytest.approx(theirs, abs=1e-12)}


def test_google_bleu_with_a_tokenizer_of_the_user() -> None:
    found = nlgauge.load("google_bleu", max_len=1).compute(
        predictions=["a b|c"], references=["a b|d|e"], tokenizer=lambda text: text.split("|")
    )
    assert found == {"google_bleu": pytest.approx(1 / 3)}


def test_error_rates_are_numbers() -> None:
    texts = {"predictions": ["we  met at noon", "it rains"], "references": ["we met at ten", "it"]}
    for options in ({}, {"concatenate_texts": True}):
        # One word of four is another one, and one of one is too many.
        assert nlgauge.load("wer").compute(**texts, **options) == pytest.approx(2 / 5)
    # A blank too many, three edits from "ten" to "noon", and the six characters of " rains".
    assert nlgauge.load("cer").compute(**texts) == pytest.approx((1 + 3 + 6) / (13 + 2))


@pytest.mark.parametrize(
    ("options", "share"),
    [
        ({}, 1 / 4),
        ({"ignore_case": True}, 2 / 4),
        ({"ignore_punctuation": True, "ignore_case": True}, 3 / 4),
        ({"ignore_numbers": True}, 1 / 4),  # "42" and "43" leave nothing that could match
        ({"regexes_to_ignore": [r"\d$", "!"]}, 3 / 4),
    ],
)
def test_exact_match_is_a_share(options: dict[str, Any], share: float) -> None:
    hyps, refs = ["yes", "No", "Stop!", "42"], ["yes", "no", "Stop", "43"]
    found = nlgauge.load("exact_match").compute(predictions=hyps, references=refs, **options)
    assert found == {"exact_match": share}


def test_what_knows_one_reference_refuses_several() -> None:
    for name in ("wer", "cer", "exact_match"):
        with pytest.raises(DataError, match=r"references\[1\] has 2 texts"):
            nlgauge.load(name).compute(predictions=["a", "b"], references=[["a"], ["b", "c"]])
    with pytest.raises(SpecError, match="a list of regular expressions"):
        nlgauge.load("exact_match").compute(
            predictions=["a"], references=["a"], regexes_to_ignore="a"
        )
    with pytest.raises(DataError, match="nothing to match"):
        nlgauge.load("exact_match").compute(predictions=[], references=[])

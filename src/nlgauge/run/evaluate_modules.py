"""Compute what the modules of Hugging Face's `evaluate` do, with their keys, defaults and options.

Each function is one module, and its keyword arguments are the options that the module takes. They
follow evaluate 0.4 and the packages beneath it: rouge-score 0.1.2, sacreBLEU, NLTK, bert-score and
jiwer.
"""

from __future__ import annotations

import inspect
import math
import re
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from nlgauge.core import registry
from nlgauge.core.facts.defaults import RESAMPLES, SEED
from nlgauge.core.metric import Metric, Score, totals
from nlgauge.data.corpus import Corpus
from nlgauge.errors import NlgaugeWarning, SpecError
from nlgauge.kernels import Floats, Texts
from nlgauge.run.evaluate_rates import cer, exact_match, wer

Predictions = Sequence[str]
References = Sequence[Sequence[str]]
Result = dict[str, Any]
Module = Callable[..., Result | float]
Splitter = Callable[[str], Sequence[str]]  # a user's tokeniser

ROUGE_TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")
_ROUGE_TYPE = re.compile("rouge([1-9]|L|Lsum)")


def check_options(name: str, given: Iterable[str]) -> None:
    """Refuse options that a module does not have."""
    parameters = inspect.signature(MODULES[name]).parameters.values()
    known = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY]
    for option in given:
        if option not in known:
            raise SpecError(
                f"evaluate's {name} has no option {option!r}; it has: {', '.join(known)}. For "
                f"options of our own metric write load({name + '()'!r}, option=value)"
            )


def rouge(
    predictions: Predictions,
    references: References,
    *,
    rouge_types: Sequence[str] | None = None,
    use_aggregator: bool = True,
    use_stemmer: bool = False,
    tokenizer: Splitter | None = None,
    seed: int = SEED,
) -> Result:
    """Return F of each type: rouge-score's aggregate, or a list with one value per segment.

    The aggregate is the median of the means of 1000 resamples. evaluate draws them anew in every
    process unless its module was loaded with a `seed`; the same seed gives the same numbers here.
    """
    types = [rouge_types] if isinstance(rouge_types, str) else rouge_types or ROUGE_TYPES
    random = np.random.RandomState(seed)  # what evaluate seeds and rouge-score draws from
    texts = Corpus.build(predictions, references)
    found: Result = {}
    for kind in types:
        if not isinstance(kind, str) or not _ROUGE_TYPE.fullmatch(kind):
            raise SpecError(f"rouge_types: {kind!r}; there is rouge1 to rouge9, rougeL, rougeLsum")
        metric, corpus = registry.metric(kind, stem=use_stemmer), texts
        if tokenizer is not None:
            metric = registry.changed(metric, {"tokenizer": "none", "stem": False})
            corpus = _split(texts, tokenizer, by_line=kind == "rougeLsum")
        scores = _segment_scores(metric, corpus)
        found[kind] = _resampled_median(scores, random) if use_aggregator else scores.tolist()
    return found


def bleu(
    predictions: Predictions,
    references: References,
    *,
    tokenizer: Splitter | None = None,
    max_order: int = 4,
    smooth: bool = False,
) -> Result:
    """Return BLEU from 0 to 1 as TensorFlow's NMT tutorial computes it: not smoothed, or with 1
    added to all counts; the shortest reference is the one whose length counts.
    """
    metric = registry.metric("bleu", max_order=max_order, ref_length="shortest")
    corpus = Corpus.build(predictions, references)
    if tokenizer is not None:
        metric = registry.changed(metric, {"tokenizer": "none"})
        corpus = _split(corpus, tokenizer)
    metric.check_inputs(corpus)
    sums = totals(metric.rows(corpus))
    hyp, ref = int(sums[0]), int(sums[1])
    matches, grams = sums[2 : 2 + max_order] + smooth, sums[2 + max_order :] + smooth
    precisions = [
        m / g if g else 0.0 for m, g in zip(matches.tolist(), grams.tolist(), strict=True)
    ]
    ratio = hyp / ref if hyp and ref else 0.0
    penalty = 1.0 if ratio > 1 else math.exp(1 - 1 / ratio) if ratio else 0.0
    mean = math.exp(sum(map(math.log, precisions)) / max_order) if min(precisions) > 0 else 0.0
    return {
        "bleu": penalty * mean,
        "precisions": precisions,
        "brevity_penalty": penalty,
        "length_ratio": ratio,
        "translation_length": hyp,
        "reference_length": ref,
    }


def sacrebleu(
    predictions: Predictions,
    references: References,
    *,
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    force: bool = False,
    lowercase: bool = False,
    tokenize: str | None = None,
    use_effective_order: bool = False,
) -> Result:
    """Return sacreBLEU's BLEU from 0 to 100. `force` says that tokenised text is meant to be so."""
    del force  # only silences a warning that these calls do not give
    score = _score(
        registry.metric(
            "bleu",
            smooth=smooth_method,
            smooth_value=smooth_value,
            lowercase=lowercase,
            tokenizer=tokenize or "13a",
            effective_order=use_effective_order,
        ),
        predictions,
        references,
    )
    parts = score.parts
    return {
        "score": score.score,
        **{name: parts[name] for name in ("counts", "totals", "precisions")},
        "bp": parts["brevity_penalty"],
        "sys_len": parts["hyp_len"],
        "ref_len": parts["ref_len"],
    }


def chrf(
    predictions: Predictions,
    references: References,
    *,
    char_order: int = 6,
    word_order: int = 0,
    beta: float = 2,
    lowercase: bool = False,
    whitespace: bool = False,
    eps_smoothing: bool = False,
) -> Result:
    """Return chrF from 0 to 100, and the options that tell which one it is."""
    metric = registry.metric(
        "chrf",
        char_order=char_order,
        word_order=word_order,
        beta=beta,
        lowercase=lowercase,
        whitespace=whitespace,
        eps_smoothing=eps_smoothing,
    )
    score = _score(metric, predictions, references).score
    return {"score": score, "char_order": char_order, "word_order": word_order, "beta": beta}


def ter(
    predictions: Predictions,
    references: References,
    *,
    normalized: bool = False,
    ignore_punct: bool = False,
    support_zh_ja_chars: bool = False,
    case_sensitive: bool = False,
) -> Result:
    """Return TER in percent, the edits and the mean length of the references."""
    metric = registry.metric(
        "ter",
        normalized=normalized,
        no_punct=ignore_punct,
        asian_support=support_zh_ja_chars,
        case_sensitive=case_sensitive,
    )
    score = _score(metric, predictions, references)
    return {
        "score": score.score,
        "num_edits": score.parts["edits"],
        "ref_length": float(score.parts["ref_len"]),
    }


def meteor(
    predictions: Predictions,
    references: References,
    *,
    alpha: float = 0.9,
    beta: float = 3,
    gamma: float = 0.5,
    tokenizer: Splitter | str = "13a",
) -> Result:
    """Return the mean of NLTK's METEOR over the segments.

    evaluate splits words by NLTK's `word_tokenize`, which needs a trained model of sentence ends;
    give that function as `tokenizer` to get evaluate's numbers to the last digit.
    """
    metric = registry.metric("meteor-nltk", alpha=alpha, beta=beta, gamma=gamma)
    corpus = Corpus.build(predictions, references)
    if isinstance(tokenizer, str):
        metric = registry.changed(metric, {"tokenizer": tokenizer})
    else:
        split = tokenizer
        metric = registry.changed(metric, {"tokenizer": "none"})
        corpus = _rewritten(corpus, lambda text: _joined(split(text)))
    return {"meteor": metric.evaluate(corpus).value}


def google_bleu(
    predictions: Predictions,
    references: References,
    *,
    tokenizer: Splitter | None = None,
    min_len: int = 1,
    max_len: int = 4,
) -> Result:
    """Return NLTK's GLEU of the whole corpus, from 0 to 1."""
    metric = registry.metric("gleu", min_order=min_len, max_order=max_len)
    corpus = Corpus.build(predictions, references)
    if tokenizer is not None:
        metric = registry.changed(metric, {"tokenizer": "none"})
        corpus = _split(corpus, tokenizer)
    return {"google_bleu": metric.evaluate(corpus).value}


def bertscore(
    predictions: Predictions,
    references: References,
    *,
    lang: str | None = None,
    model_type: str | None = None,
    num_layers: int | None = None,
    idf: bool = False,
    device: str | None = None,
    rescale_with_baseline: bool = False,
    baseline_path: str | None = None,
    verbose: bool = False,
    batch_size: int = 64,
    nthreads: int = 4,
    all_layers: bool = False,
    use_fast_tokenizer: bool = False,
) -> Result:
    """Return precision, recall and F of every segment; the hashcode is our signature.

    `model_type` is a model of ours or a folder, `baseline_path` a file of `nlgauge rescale`. The
    last four options change no number here.
    """
    del verbose, batch_size, use_fast_tokenizer
    _check_model(lang, model_type)
    if all_layers:
        raise SpecError("all_layers=True: one layer at a time; give num_layers")
    if rescale_with_baseline and baseline_path is None:
        raise SpecError(
            "rescale_with_baseline=True needs baseline_path, a file that `nlgauge rescale` wrote"
        )
    metric = registry.metric(
        "bertscore",
        model=model_type or "minilm",
        layer=num_layers,
        idf=idf,
        device=device or "cpu",
        baseline=baseline_path if rescale_with_baseline else None,
    )
    corpus = Corpus.build(predictions, references)
    metric.check_inputs(corpus)
    rows = metric.rows(corpus, threads=nthreads)
    columns = zip(("precision", "recall", "f1"), rows[:, 2:5].T.tolist(), strict=True)
    return {**dict(columns), "hashcode": metric.signature(corpus)}


MODULES: dict[str, Module] = {
    module.__name__: module
    for module in (
        *(rouge, bleu, sacrebleu, chrf, ter, meteor, google_bleu, bertscore),
        *(wer, cer, exact_match),
    )
}


def _score(metric: Metric, predictions: Predictions, references: References) -> Score:
    return metric.evaluate(Corpus.build(predictions, references))


def _segment_scores(metric: Metric, corpus: Corpus) -> Floats:
    metric.check_inputs(corpus)
    return metric.score(metric.rows(corpus))


def _resampled_median(scores: Floats, random: np.random.RandomState) -> float:
    n = len(scores)
    means = [scores[random.choice(n, size=n)].mean() for _ in range(RESAMPLES)]
    return float(np.percentile(means, 50))


def _split(corpus: Corpus, tokenizer: Splitter, *, by_line: bool = False) -> Corpus:
    """Return the texts as a user's tokeniser splits them. Words become numbers, so that they may
    hold anything, also blanks.
    """
    numbers: dict[str, str] = {}

    def words(text: str) -> str:
        return " ".join(numbers.setdefault(word, str(len(numbers))) for word in tokenizer(text))

    def lines(text: str) -> str:
        return "\n".join(words(line) for line in text.split("\n"))

    return _rewritten(corpus, lines if by_line else words)


def _rewritten(corpus: Corpus, rewrite: Callable[[str], str]) -> Corpus:
    flat = corpus.references.flat
    return corpus.with_texts(
        Texts([rewrite(text) for text in corpus.hypotheses]),
        Texts([rewrite(text) for text in flat]),
    )


def _joined(words: Sequence[str]) -> str:
    for word in words:
        if not word or word.split() != [word]:
            raise SpecError(f"tokenizer: the word {word!r} is empty or has white space in it")
    return " ".join(words)


def _check_model(lang: str | None, model_type: str | None) -> None:
    """Say where the model is not the one that evaluate would take for the language."""
    if lang is None or model_type is not None:
        return
    if lang.lower() not in ("en", "en-sci"):
        raise SpecError(
            f"lang={lang!r}: the model that comes with nlgauge reads English only; give a model of "
            "that language as model_type, by the path of its folder"
        )
    warnings.warn(
        f"lang={lang!r}: evaluate takes a large model of its own for it, nlgauge its small one, so "
        "that numbers differ; give model_type to choose",
        NlgaugeWarning,
        stacklevel=4,
    )

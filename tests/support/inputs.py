"""Corpora for any registered metric: the one place that knows what a metric needs besides texts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from support.golden_files import GOLDEN

from nlgauge import Corpus, Metric, ResourceMissing
from nlgauge.core import options, registry

# Configurations whose code differs from the defaults', besides the presets.
VARIANTS = (
    "bleu(boundaries=both,ref_length=average,smooth=floor)",
    "bleu(mean=arithmetic,ref_length=best,smooth=eps,lowercase=yes)",
    "bleu(tokenizer=intl,max_order=9,ref_length=avg_nearest)",
    "bleu(tokenizer=mteval)",
    "bleu(smooth=method6,max_order=9)",
    "bleu(smooth=method4,profile=nltk,max_order=2,effective_order=yes)",
    "delta-bleu(boundaries=start,smooth=exp)",
    "chrf(char_order=10,word_order=3,whitespace=yes,eps_smoothing=yes,lowercase=yes)",
    "ter(normalized=yes,no_punct=yes,asian_support=yes,case_sensitive=yes)",
    "meteor(stages=exact:wn_stem:synonym:stem)",
    "meteor-1.5(language=it,task=li,normalize=lower,beam=3)",
    "meteor-1.5(normalize=nopunct,characters=yes,task=util)",
    "hwcm(parser=chain,profile=moses)",
    "hwcm(parser=chain,profile=asiya,order=2)",
    "hwcm(parser=chain,zero=0.001,lowercase=yes)",
    "dep-f(parser=chain,root=yes)",
    "stm(trees=flat,profile=asiya,lowercase=yes)",
    "cp-o(trees=flat,of=constituents)",
)
# What `columns_for` can make up; metrics that need more have tests of their own.
FROM_TEXTS = {"references", "reference_weights", "sources", "contexts", "tables"}


# Metrics that cannot do without a file, a parser or vectors: they get what needs no installation.
WORDS = options.encode(str(GOLDEN / "models" / "words.txt"))
MODELS = options.encode(str(GOLDEN / "models"))
WITH_FILE = {
    "regression": f"regression(path={options.encode(str(GOLDEN / 'models' / 'ssa.json'))})",
    **{
        name: f"{name}(parser=chain)"
        for name in registry.METRICS
        if "syntax" in registry.metric_class(name).info.extras
    },
    **{
        name: f"{name}(vectors={WORDS})"
        for name in registry.METRICS
        if "vectors" in registry.metric_class(name).info.extras
    },
    **{
        name: f"{name}({how}=vectors,vectors={WORDS})"
        for name, how in (
            ("yisi-1", "similarity"),
            ("yisi-2", "similarity"),
            ("simile", "embeddings"),
        )
    },
    **{
        name: f"{name}(trees=flat)"
        for name in registry.METRICS
        if "trees" in options.types_of(registry.metric_class(name))
    },
    **{name: f"{name}(roles=none,similarity=exact)" for name in ("meant", "meant-2")},
    **{
        name: f"{name}(model={MODELS}/tiny-llama.gguf)"
        for name in ("likelihood-src", "likelihood-ref")
    },
    "composite": f"composite(inputs=meteor:cider,model={MODELS}/composite.safetensors)",
    "nneval": f"nneval(inputs=meteor:cider:bleu-1:bleu-4,model={MODELS}/nneval.safetensors)",
    "xmeant": f"xmeant(roles=none,table={options.encode(str(GOLDEN / 'srl' / 'lex.txt'))})",
}


def _made_from_texts(spec: str) -> bool:
    metric = registry.metric(spec)
    try:
        metric.resources()
    except ResourceMissing:  # a preset that names another package's file
        return False
    # Judges ask a server: see `JUDGES`.
    return metric.info.family != "judge" and set(metric.info.needs) <= FROM_TEXTS


@cache
def _lists() -> dict[str, tuple[str, ...]]:
    metrics = tuple(
        filter(_made_from_texts, (WITH_FILE.get(name, name) for name in registry.METRICS))
    )
    presets = (p for p in registry.PRESETS if not registry.metric(p).info.extras)
    return {"METRICS": metrics, "SPECS": (*metrics, *filter(_made_from_texts, presets), *VARIANTS)}


def __getattr__(name: str) -> tuple[str, ...]:
    """Make `METRICS` and `SPECS` for those who ask: that opens all models."""
    if name not in ("METRICS", "SPECS"):
        raise AttributeError(name)
    return _lists()[name]


# Those that look at what annotators said; `annotation` makes it up.
ANNOTATED = tuple(
    name for name in registry.METRICS if registry.metric_class(name).info.needs == ("annotations",)
)
# Those that ask a server, of which a test has one of its own.
JUDGES = tuple(
    f"{name}(judge=m)"
    for name in registry.METRICS
    if registry.metric_class(name).info.family == "judge"
)
# Those that look at the turns before a reply; references stand for them.
REPLYING = tuple(
    name for name in registry.METRICS if registry.metric_class(name).info.needs == ("turns",)
)


def corpus_for(
    metric: Metric,
    hyps: Sequence[str],
    refs: Sequence[Sequence[str]],
    *,
    unit_weights: bool = False,
) -> Corpus:
    """The texts, and stand-ins for whatever else the metric looks at."""
    columns = columns_for(metric, refs, unit_weights=unit_weights)
    if "annotations" in metric.info.needs:
        columns["annotations"] = list(map(annotation, hyps, refs))
    return Corpus.build(hyps, refs, **columns)


def annotation(hyp: str, refs: Sequence[str]) -> dict[str, Any]:
    """What annotators could have said of a text: its words and those of references are units."""
    models = [sorted(set(ref.split())) for ref in refs] + [["unit"]]
    units = sorted({unit for model in models for unit in model})
    peer = [unit for unit in units if unit in hyp.split()]
    return {
        "models": models,
        "peer": peer,
        "utilities": {unit: len(unit) for unit in units},
        "chosen": peer or units[:1],
        "nuggets": [
            {"id": unit, "text": unit, "vital": k % 2 == 0} for k, unit in enumerate(units)
        ],
        "found": peer,
        "words": units,
        "summaries": [sorted(map(units.index, model)) for model in models],
    }


def columns_for(
    metric: Metric, refs: Sequence[Sequence[str]], *, unit_weights: bool = False
) -> dict[str, Any]:
    """The columns of `Corpus.build` besides texts that the metric needs."""
    columns: dict[str, Any] = {}
    if "reference_weights" in metric.info.needs:
        # Tenths, so that sums are inexact; the first reference is rated best.
        columns["reference_weights"] = [
            [1.0 if unit_weights else (10 - 3 * k % 20) / 10 for k in range(len(r))] for r in refs
        ]
    if "sources" in metric.info.needs:
        columns["sources"] = [r[0] for r in refs]
    if "contexts" in metric.info.needs:
        columns["contexts"] = [r[-1] for r in refs]
    if "turns" in metric.info.needs:
        columns["contexts"] = [list(r) for r in refs]
    if "tables" in metric.info.needs:
        columns["tables"] = [[["name", r[0]]] for r in refs]
    return columns


def best(metric: Metric) -> float:
    """The better bound of the metric's range."""
    return metric.bounds[1 if metric.info.higher_is_better else 0]

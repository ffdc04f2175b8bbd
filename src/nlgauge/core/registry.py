"""The one table of metrics: names, presets and aliases. CLI, docs and tests read it."""

from __future__ import annotations

import dataclasses
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module

from nlgauge.core import options, plugins
from nlgauge.core.metric import Metric
from nlgauge.errors import NlgaugeWarning, SpecError, did_you_mean

Metrics = str | Metric | Iterable[str | Metric]  # one, or several; each by name or as an object

METRICS = {
    "bleu": "nlgauge.metrics.ngram.bleu:BLEU",
    "delta-bleu": "nlgauge.metrics.ngram.bleu:DeltaBLEU",
    "nist": "nlgauge.metrics.ngram.nist:NIST",
    "ps": "nlgauge.metrics.ngram.aev:PS",
    "rs": "nlgauge.metrics.ngram.aev:RS",
    "aev": "nlgauge.metrics.ngram.aev:AEv",
    "cider": "nlgauge.metrics.ngram.cider:CIDEr",
    "cider-d": "nlgauge.metrics.ngram.cider:CIDErD",
    "gleu": "nlgauge.metrics.ngram.gleu:GLEU",
    "ol": "nlgauge.metrics.ngram.overlap:WordOverlap",
    "exact-match": "nlgauge.metrics.ngram.answers:ExactMatch",
    "token-f1": "nlgauge.metrics.ngram.answers:TokenF1",
    "compression": "nlgauge.metrics.ngram.companions:Compression",
    "novelty": "nlgauge.metrics.ngram.companions:Novelty",
    "repetition": "nlgauge.metrics.ngram.companions:Repetition",
    "rouge-n": "nlgauge.metrics.ngram.rouge_n:RougeN",
    "rouge-l": "nlgauge.metrics.ngram.rouge_l:RougeL",
    "rouge-w": "nlgauge.metrics.ngram.rouge_w:RougeW",
    "rouge-s": "nlgauge.metrics.ngram.rouge_s:RougeS",
    "rouge-su": "nlgauge.metrics.ngram.rouge_s:RougeSU",
    "chrf": "nlgauge.metrics.character.chrf:ChrF",
    "character": "nlgauge.metrics.character.character:CharacTER",
    "eed": "nlgauge.metrics.character.eed:EED",
    "yisi-0": "nlgauge.metrics.character.yisi:YiSi0",
    "yisi-1": "nlgauge.metrics.contextual.yisi:YiSi1",
    "yisi-2": "nlgauge.metrics.contextual.yisi:YiSi2",
    "source-sim": "nlgauge.metrics.contextual.source_similarity:SourceSimilarity",
    "bertscore": "nlgauge.metrics.contextual.bertscore:BERTScore",
    "bertr": "nlgauge.metrics.contextual.bertscore:BERTr",
    "moverscore": "nlgauge.metrics.contextual.moverscore:MoverScore",
    "sms": "nlgauge.metrics.embedding.sentence_mover:SMS",
    "ter": "nlgauge.metrics.edit.ter:TER",
    "terp": "nlgauge.metrics.edit.terp:TERp",
    "gtm": "nlgauge.metrics.alignment.gtm:GTM",
    "meteor": "nlgauge.metrics.alignment.meteor:METEOR",
    "meteor-1.5": "nlgauge.metrics.alignment.meteor_next:METEOR15",
    "meteor-pp": "nlgauge.metrics.alignment.meteor_pp:MeteorPP",
    "meteor-pp2": "nlgauge.metrics.alignment.meteor_pp:MeteorPP2",
    "uni-prf": "nlgauge.metrics.alignment.uniprf:UniPRF",
    "nkt": "nlgauge.metrics.order.rank:NKT",
    "nsr": "nlgauge.metrics.order.rank:NSR",
    "nktp": "nlgauge.metrics.order.rank:NKTP",
    "nsrp": "nlgauge.metrics.order.rank:NSRP",
    "kendall-distance": "nlgauge.metrics.order.rank:KendallDistance",
    "ribes": "nlgauge.metrics.order.ribes:RIBES",
    "impact": "nlgauge.metrics.order.impact:IMPACT",
    "wer": "nlgauge.metrics.edit.wer:WER",
    "mwer": "nlgauge.metrics.edit.wer:MWER",
    "mer": "nlgauge.metrics.edit.recognition:MER",
    "wil": "nlgauge.metrics.edit.recognition:WIL",
    "wip": "nlgauge.metrics.edit.recognition:WIP",
    "cer": "nlgauge.metrics.edit.recognition:CER",
    "per": "nlgauge.metrics.edit.per:PER",
    "mper": "nlgauge.metrics.edit.per:MPER",
    "iter": "nlgauge.metrics.edit.iter:ITER",
    "invwer": "nlgauge.metrics.edit.invwer:INVWER",
    "cder": "nlgauge.metrics.edit.cder:CDER",
    "ssa": "nlgauge.metrics.edit.accuracy:SSA",
    "gsa": "nlgauge.metrics.edit.accuracy:GSA",
    "rouge-c": "nlgauge.metrics.grounded.rouge_c:RougeC",
    "parent": "nlgauge.metrics.grounded.parent:PARENT",
    "nugget-f": "nlgauge.metrics.content.nuggets:NuggetF",
    "pourpre": "nlgauge.metrics.content.pourpre:POURPRE",
    "pyramid": "nlgauge.metrics.content.units:Pyramid",
    "factoid": "nlgauge.metrics.content.units:Factoid",
    "rel-util": "nlgauge.metrics.content.units:RelativeUtility",
    "word-network": "nlgauge.metrics.content.network:WordNetwork",
    "sim-r": "nlgauge.metrics.content.similarity:SimR",
    "sim-rpre": "nlgauge.metrics.content.similarity:SimRpre",
    "sim-tvm": "nlgauge.metrics.content.similarity:SimTVM",
    "sim-avls": "nlgauge.metrics.content.similarity:SimAVLS",
    "hwcm": "nlgauge.metrics.syntax.fragments:HWCM",
    "dstm": "nlgauge.metrics.syntax.fragments:DSTM",
    "dtkm": "nlgauge.metrics.syntax.kernel:DTKM",
    "dep-f": "nlgauge.metrics.syntax.relations:DepF",
    "stm": "nlgauge.metrics.syntax.constituents:STM",
    "tkm": "nlgauge.metrics.syntax.constituents:TKM",
    "cp-o": "nlgauge.metrics.syntax.constituents:CPOverlap",
    "dp-o": "nlgauge.metrics.syntax.overlap:DPOverlap",
    "meant": "nlgauge.metrics.semantics.meant:MEANT",
    "meant-2": "nlgauge.metrics.semantics.meant:MEANT2",
    "xmeant": "nlgauge.metrics.semantics.xmeant:XMEANT",
    "sta": "nlgauge.metrics.syntax.treelets:STA",
    "gta": "nlgauge.metrics.syntax.treelets:GTA",
    "ua": "nlgauge.metrics.syntax.treelets:UA",
    "qla": "nlgauge.metrics.syntax.treelets:QLA",
    "sim-gram": "nlgauge.metrics.syntax.grammar:SimGram",
    "spice": "nlgauge.metrics.syntax.spice:SPICE",
    "spider": "nlgauge.metrics.syntax.spice:SPIDEr",
    "greedy": "nlgauge.metrics.embedding.cosine:GreedyMatching",
    "emb-avg": "nlgauge.metrics.embedding.cosine:EmbeddingAverage",
    "extrema": "nlgauge.metrics.embedding.cosine:VectorExtrema",
    "ruber-ref": "nlgauge.metrics.embedding.ruber:RuberReferenced",
    "wmd": "nlgauge.metrics.embedding.wmd:WMD",
    "wmd-sim": "nlgauge.metrics.embedding.wmd:WMDSimilarity",
    "wmd-o": "nlgauge.metrics.embedding.wmdo:WMDO",
    "we-wpi": "nlgauge.metrics.embedding.we_wpi:WEWPI",
    "beer": "nlgauge.metrics.trained.beer:BEER",
    "bert-mte": "nlgauge.metrics.trained.cross_encoders:BERTMTE",
    "bleurt": "nlgauge.metrics.trained.cross_encoders:BLEURT",
    "blend": "nlgauge.metrics.trained.blend:BLEND",
    "gauge": "nlgauge.metrics.trained.gauge:Gauge",
    "composite": "nlgauge.metrics.trained.human_or_machine:Composite",
    "ks-svm": "nlgauge.metrics.trained.human_or_machine:KSSVM",
    "nneval": "nlgauge.metrics.trained.human_or_machine:NNEval",
    "regression": "nlgauge.metrics.trained.regression:Regression",
    "simile": "nlgauge.metrics.trained.simile:SIMILE",
    "nubia": "nlgauge.metrics.trained.nubia:NUBIA",
    "ruse": "nlgauge.metrics.trained.ruse:RUSE",
    "esim": "nlgauge.metrics.trained.esim:ESIM",
    "q-bleu": "nlgauge.metrics.trained.answerability:QBLEU",
    "q-nist": "nlgauge.metrics.trained.answerability:QNIST",
    "q-meteor": "nlgauge.metrics.trained.answerability:QMETEOR",
    "q-rouge": "nlgauge.metrics.trained.answerability:QROUGE",
    "distinct": "nlgauge.metrics.dialogue.diversity:Distinct",
    "self-bleu": "nlgauge.metrics.dialogue.diversity:SelfBLEU",
    "reply-length": "nlgauge.metrics.dialogue.reply_length:ReplyLength",
    "reply-cosine": "nlgauge.metrics.dialogue.reply_cosine:ReplyCosine",
    "ruber": "nlgauge.metrics.dialogue.ruber:RUBER",
    "ruber-bert": "nlgauge.metrics.dialogue.ruber:RuberBERT",
    "ssrem": "nlgauge.metrics.dialogue.ssrem:SSREM",
    "adem": "nlgauge.metrics.dialogue.adem:ADEM",
    "roberta-eval": "nlgauge.metrics.dialogue.roberta_eval:RobertaEval",
    "gan-d": "nlgauge.metrics.dialogue.gan_d:GanDiscriminator",
    "cmade": "nlgauge.metrics.dialogue.cmade:CMADE",
    "leic": "nlgauge.metrics.dialogue.leic:LEIC",
    "maude": "nlgauge.metrics.dialogue.maude:MAUDE",
    "judge-da": "nlgauge.metrics.judge.direct_assessment:JudgeDA",
    "judge-mqm": "nlgauge.metrics.judge.error_judges:JudgeMQM",
    "judge-esa": "nlgauge.metrics.judge.error_judges:JudgeESA",
    "judge-rubric": "nlgauge.metrics.judge.rubric:JudgeRubric",
    "judge-pairwise": "nlgauge.metrics.judge.pairwise_judge:JudgePairwise",
    "perplexity": "nlgauge.metrics.likelihood.perplexity:Perplexity",
    "likelihood-src": "nlgauge.metrics.likelihood.conditional:SourceLikelihood",
    "likelihood-ref": "nlgauge.metrics.likelihood.conditional:ReferenceLikelihood",
    "comet": "nlgauge.metrics.checkpoints.comet:COMET",
    "comet-kiwi": "nlgauge.metrics.checkpoints.comet:COMETKiwi",
    "xcomet": "nlgauge.metrics.checkpoints.comet:XCOMET",
    "metricx": "nlgauge.metrics.checkpoints.regressors:MetricXReference",
    "metricx-qe": "nlgauge.metrics.checkpoints.regressors:MetricXSource",
    "bleurt-hf": "nlgauge.metrics.checkpoints.regressors:BleurtCheckpoint",
}

# Well-known configurations; a spec's own options are added to the preset's.
PRESETS = {
    "rouge-s4": "rouge-s(gap=4)",
    "rouge-su4": "rouge-su(gap=4)",
    "sentbleu": "bleu(effective_order=yes)",
    "bleu-s": "bleu(smooth=add-k,smooth_value=1)",
    "mteval-bleu": "bleu(tokenizer=13a-lower,smooth=mteval)",
    "coco-bleu": "bleu(tokenizer=ptb-coco,smooth=coco)",
    **{
        f"coco-bleu-{n}": f"bleu(tokenizer=ptb-coco,smooth=coco,max_order={n})"
        for n in (1, 2, 3, 4)
    },
    "nltk-bleu": "bleu(tokenizer=none,smooth=none,profile=nltk)",
    "mteval-nist": "nist(tokenizer=13a-lower,lowercase=no,profile=mteval)",
    "terph": "terp(profile=terph)",
    "nltk-nist": "nist(tokenizer=none,lowercase=no,profile=nltk)",
    "nltk-ribes": "ribes(lowercase=no,skip_empty=no,profile=nltk)",
    "coco-cider": "cider-d(tokenizer=ptb-coco,lowercase=no)",
    "coco-rouge-l": "rouge-l(profile=coco,tokenizer=ptb-coco-tied)",
    **{f"rouge-{n}": f"rouge-n(order={n})" for n in range(1, 10)},
    "rouge-lsum": "rouge-l(level=summary)",
    # The names of Google's rouge-score stand for its numbers.
    **{f"rouge{n}": f"rouge-n(order={n},profile=rouge-score)" for n in range(1, 10)},
    "rougel": "rouge-l(profile=rouge-score)",
    "rougelsum": "rouge-l(profile=rouge-score,level=summary)",
    "chrf-p": "chrf(word_order=1)",
    "chrf-pp": "chrf(word_order=2)",
    "meteor-nltk": "meteor(linking=last,stemmer=nltk-porter,average=macro)",
    "meteor-exact-stem": "meteor(stages=exact:stem)",
    "meteor-coco": "meteor-1.5(pretokenizer=ptb-coco,paraphrases=pycocoevalcap)",
    "meteor-next": "meteor-1.5(task=adq,delta=0.5)",
    "meteor-u": "meteor-1.5(language=other,task=universal,normalize=lower)",
    "beer-wmt15": "beer(model=beer-wmt15,tokenizer=13a,lowercase=yes)",
    "hwcm-moses": "hwcm(profile=moses)",
    "hwcm-asiya": "hwcm(profile=asiya)",
    "umeant": "meant(role_weights=frequency)",
    "stm-asiya": "stm(profile=asiya)",
    "cp-op": "cp-o(of=tags)",
    "cp-oc": "cp-o(of=constituents)",
    "dp-ol": "dp-o(of=levels)",
    "dp-oc": "dp-o(of=tags)",
    "dp-or": "dp-o(of=relations)",
    "pyramid-modified": "pyramid(variant=modified)",
    "bertscore-p": "bertscore(measure=precision)",
    "bertscore-r": "bertscore(measure=recall)",
    "moverscore-v2": "moverscore(version=v2)",
    "sim": "simile(alpha=0)",
    "sim-source": "source-sim(matching=0)",
    "wms": "sms(units=words)",
    "s+wms": "sms(units=both)",
    "greedy-sentences": "sms(matching=greedy)",
    "distinct-1": "distinct(order=1)",
    "distinct-2": "distinct(order=2)",
    "wmd-gensim": "wmd(lowercase=no,unit=yes,profile=gensim)",
}

ALIASES = {
    "bert-score": "bertscore",
    "em": "exact-match",
    "distinct-n": "distinct",
    "f1": "token-f1",
    "sacrebleu": "bleu",
    "sentence-bleu": "sentbleu",
    "deltableu": "delta-bleu",
    "google-bleu": "gleu",
    "ciderd": "cider-d",
    "yisi0": "yisi-0",
    "meant2": "meant-2",
    "meant-2.0": "meant-2",
    "yisi1": "yisi-1",
    "yisi2": "yisi-2",
    "rouge": "rouge-1",
    "rougew": "rouge-w",
    "rouge-w-1.2": "rouge-w",
    "rouges": "rouge-s",
    "rougesu": "rouge-su",
    "rouge-s*": "rouge-s",
    "rouge-su*": "rouge-su",
    "chrf+": "chrf-p",
    "chrf++": "chrf-pp",
    "chrf2": "chrf",
    "meteor15": "meteor-1.5",
    "meteor-universal": "meteor-u",
    "meteor++": "meteor-pp",
    "meteor++2": "meteor-pp2",
    "meteor++2.0": "meteor-pp2",
    "chrf2++": "chrf-pp",
    "bartscore": "likelihood-ref",
    "gptscore": "likelihood-src",
    "cometkiwi": "comet-kiwi",
    "greedy-matching": "greedy",
    "embedding-average": "emb-avg",
    "vector-extrema": "extrema",
    "wmdo": "wmd-o",
    "g-eval": "judge-rubric",
    "gemba": "judge-da",
    "gemba-da": "judge-da",
    "gemba-mqm": "judge-mqm",
    "ter-plus": "terp",
    "terpa": "terp",
}

# Well-known metrics that are no part of nlgauge; their scores are read from files.
ELSEWHERE = (
    *("prism", "unieval", "mauve", "questeval", "summac", "alignscore", "factcc"),
    *("clipscore", "infolm", "depthscore", "frugalscore", "docbertscore", "tigerscore"),
)

# Names for many metrics at once: those of these families whose needs are met.
GROUPS = {
    "all-lexical": ("ngram", "alignment", "edit", "order", "character", "content", "grounded"),
    "all-syntax": ("syntax",),
    "all-embedding": ("embedding", "contextual"),
    "all-semantics": ("semantics",),
}

# Lists of configurations: what the COCO caption tools print, and the similarities of QARLA's paper
# (but the one of parts of speech).
SETS = {
    "coco": (
        *(f"coco-bleu-{n}" for n in (1, 2, 3, 4)),
        *("meteor-coco", "coco-rouge-l", "coco-cider", "spice"),
    ),
    "qarla": (
        *(
            f"{name}(variant={variant},words={words})"
            for name in ("sim-r", "sim-rpre")
            for variant in ("1", "2", "3", "4", "l", "w", "s", "su")
            for words in ("all", "content", "stems")
        ),
        *(f"sim-tvm(size={n})" for n in (1, 4, 8, 16, 32, 64, 128, 256, 512)),
        "sim-avls",
    ),
}

_SPEC = re.compile(r"([^()\s]+)\s*(?:\((.*)\))?", re.DOTALL)


# Metrics that were made of functions in this process.
_MADE: dict[str, type[Metric]] = {}


def register(name: str, cls: type[Metric]) -> None:
    """Let a metric that was made in this process be known by its name."""
    key = _canonical(name)
    if key in METRICS or key in PRESETS or not _SPEC.fullmatch(key) or "(" in key or "|" in key:
        raise SpecError(f"a metric cannot be called {name!r}: the name is taken, or is no word")
    _MADE[key] = cls  # a cell of a notebook may be run again
    metric_class.cache_clear()


def names() -> list[str]:
    """Return the names of all metrics, without presets and aliases."""
    return [
        *METRICS,
        *plugins.targets(),
        *(name for name in _MADE if name not in plugins.targets()),
    ]


def homes() -> dict[str, list[str]]:
    """Return the metric classes that each module of `nlgauge.metrics` defines."""
    found: dict[str, list[str]] = {}
    for target in METRICS.values():
        module, _, name = target.partition(":")
        found.setdefault(module, []).append(name)
    return found


def _canonical(name: str) -> str:
    key = name.strip().lower().replace("_", "-")
    return ALIASES.get(key, key)


@cache
def metric_class(name: str) -> type[Metric]:
    """Return the class registered under a name or alias."""
    key = _canonical(name)
    if key in PRESETS:
        key = _split(PRESETS[key])[0]
    if key in _MADE:
        return _MADE[key]
    target = METRICS.get(key) or plugins.targets().get(key)
    if target is None and any(re.match(rf"{known}(?![a-z])", key) for known in ELSEWHERE):
        raise SpecError(
            f"{name} is no part of nlgauge; compute it with its own program, and give its segment "
            f"scores: --scores {key}.tsv for compare and meta (nlgauge.compare and meta_evaluate "
            "take them as columns of a data frame)"
        )
    if target is None:
        hint = did_you_mean(key, [*names(), *PRESETS, *ALIASES], "see: nlgauge metrics")
        raise SpecError(f"no metric is called {name!r}; {hint}")
    if key not in METRICS:
        return plugins.load(key, target)
    module, _, attribute = target.partition(":")
    cls: type[Metric] = getattr(import_module(module), attribute)
    return cls


def _split(spec: str) -> tuple[str, dict[str, str]]:
    """Split `name(a=1,b=2)` into the name and the options as written."""
    match = _SPEC.fullmatch(spec.strip())
    if match is None:
        raise SpecError(f"metric {spec!r}: write name or name(option=value,...)")
    name, inner = match.groups()
    given: dict[str, str] = {}
    for entry in filter(None, (part.strip() for part in (inner or "").split(","))):
        key, equals, value = (part.strip() for part in entry.partition("="))
        if not equals:
            raise SpecError(f"metric {spec!r}: {entry!r} is not of the form option=value")
        if key in given:
            raise SpecError(f"metric {spec!r}: option {key!r} is given twice")
        given[key] = value
    return name, given


def metric(spec: str, **overrides: object) -> Metric:
    """Return a metric from a spec such as `bleu(tokenizer=zh)`, a preset, an alias or a
    signature.
    """
    if "|" in spec:
        from nlgauge.core.signature import parse

        return changed(parse(spec), overrides)
    name, given = _split(spec)
    key = _canonical(name)
    cls = metric_class(name)
    if key in PRESETS:
        given = {**_split(PRESETS[key])[1], **given}
    hints = options.types_of(cls)
    _check_options(key, given, hints)
    values = {k: options.decode(v, hints[k], f"{key}({k}") for k, v in given.items()}
    return changed(cls(**values), overrides)


def given_options(spec: str | Metric) -> frozenset[str]:
    """Return the names of the options that a spec sets, or its preset; those of a signature are
    all set.
    """
    if isinstance(spec, Metric):
        return frozenset()
    if "|" in spec:
        return frozenset(options.types_of(type(metric(spec))))
    name, given = _split(spec)
    return frozenset({**_split(PRESETS.get(_canonical(name), "none"))[1], **given})


def changed(metric: Metric, overrides: Mapping[str, object]) -> Metric:
    """Return the metric with some options set otherwise."""
    _check_options(metric.info.name, overrides, options.types_of(type(metric)))
    return dataclasses.replace(metric, **overrides) if overrides else metric


def _check_options(name: str, given: Iterable[str], known: Mapping[str, object]) -> None:
    for option in given:
        if option not in known:
            hint = did_you_mean(option, list(known), f"it has {', '.join(known)}")
            raise SpecError(f"{name} has no option {option!r}; {hint}")


def spec(metric: Metric) -> str:
    """Return the shortest spec that gives this metric: its name and what differs from the
    defaults.
    """
    hints = options.types_of(type(metric))
    changed = [
        f"{f.name}={options.encode(getattr(metric, f.name), hints[f.name])}"
        for f in dataclasses.fields(metric)
        if getattr(metric, f.name) != f.default
    ]
    return f"{metric.info.name}({','.join(changed)})" if changed else metric.info.name


def listed(metrics: Metrics) -> list[str | Metric]:
    """Return metrics as a list; one alone may be given as such."""
    if isinstance(metrics, str | Metric):
        return [metrics]
    if not isinstance(metrics, Iterable):
        raise SpecError(f"metrics={metrics!r:.60}: give names or metrics, such as ['bleu', 'chrf']")
    found = list(metrics)
    for given in found:
        if isinstance(given, type) and issubclass(given, Metric):
            raise SpecError(
                f"{given.__name__} is a class; give a metric, such as {given.__name__}()"
            )
        if callable(given) and not isinstance(given, str | Metric):
            raise SpecError(
                f"metrics: {given!r:.60} is a function; write @nlgauge.metric() above it, and it "
                "is a metric"
            )
        if not isinstance(given, str | Metric):
            raise SpecError(
                f"metrics: {type(given).__name__} {given!r:.60} is neither a metric nor the name "
                "of one; see: nlgauge metrics"
            )
    return found


def classes() -> Iterator[type[Metric]]:
    """Return every registered metric class; a third party's that cannot be loaded is passed over,
    with a warning that names it.
    """
    yield from map(metric_class, METRICS)
    for name in names()[len(METRICS) :]:
        if (cls := _loaded(name)) is not None:
            yield cls


def _loaded(plugin: str) -> type[Metric] | None:
    try:
        return metric_class(plugin)
    except SpecError as error:
        warnings.warn(str(error), NlgaugeWarning, stacklevel=3)
        return None


def members(group: str) -> list[str] | None:
    """Return the metrics of a group or set; None if that is no name of one."""
    if group in SETS:
        return list(SETS[group])
    families = GROUPS.get(group)
    if families is None:
        return None
    return [c.info.name for c in classes() if c.info.family in families]


def presets_of(name: str) -> dict[str, str]:
    """Return the presets of a metric and their specs."""
    return {preset: text for preset, text in PRESETS.items() if _split(text)[0] == name}


def aliases_of(name: str) -> dict[str, str]:
    """Return other names of a metric or of its presets."""
    meant = {name, *presets_of(name)}
    return {alias: target for alias, target in ALIASES.items() if target in meant}

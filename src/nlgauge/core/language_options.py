"""Choose the options of metrics for a language, from the one table of languages.

What was given by hand, or differs from the default, stays as it is. All choices are options, so
that signatures name them. What only knows English is refused for other languages.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from nlgauge.core import options, registry
from nlgauge.core.metric import Metric
from nlgauge.core.understanding.lookup import LookupMetric
from nlgauge.data.corpus import Corpus
from nlgauge.data.run_context import RunContext
from nlgauge.errors import DataError, ResourceMissing, SpecError
from nlgauge.text.languages import Language

ASCII_ONLY = ("rouge", "rouge155")
# With the multilingual encoder: benchmarks/studies/languages.py.
MEASURED_BEST: dict[str, dict[str, Any]] = {
    "yisi-1": {
        **{"units": "both", "order": 2, "shorter": True, "weights": "model", "alpha": 0.6},
        "layer": 1,
    },
    "yisi-2": {"units": "both", "order": 1, "weights": "model", "alpha": 0.5, "layer": 1},
}
METEOR_15 = ("meteor-1.5", "meteor-pp", "meteor-pp2")


def language_options(
    metric: Metric,
    language: Language,
    given: Iterable[str] = (),
    *,
    source: Language | None = None,
) -> dict[str, Any]:
    """Return the options that a language changes; `given` are those that somebody has chosen.

    Of metrics that look at sources, the encoder must know the language of the sources, too.
    """
    hints = options.types_of(type(metric))
    usual = {
        f.name
        for f in dataclasses.fields(metric)
        if getattr(metric, f.name) == f.default and f.name not in set(given)
    }
    found: dict[str, Any] = {}
    encoder = _encoder(metric, language, source)
    if getattr(metric, "model", None) == "minilm" and encoder == "use":
        found["model"] = encoder
        if getattr(metric, "embeddings", "") == "vectors":
            found["embeddings"] = "encoder"
        found.update(_measured_best(metric, usual))
    if language.english:
        return {name: value for name, value in found.items() if name in usual}
    if "tokenizer" in usual and "tokenizer" not in metric.unused_options():
        found.update(_tokenizer(metric, language))
    if getattr(metric, "stem", None) == "porter":
        found["stem"] = language.stem
    if getattr(metric, "stop", None) == "smart":
        found["stop"] = language.stop
    if "asian_support" in hints and language.script in ("Han", "Kana"):
        found.update(normalized=True, asian_support=True)
    if metric.info.name in METEOR_15:
        found.update(_meteor(metric, language))
    if "stages" in usual and "synonym" in getattr(metric, "stages", ()):
        found["stages"] = ("exact",)  # its stems and synonyms are English
    if "articles" in hints:  # which are English, as is the punctuation that is left out before
        found.update(articles=True, tokenizer="unicode")
    if metric.info.name == "terp":
        found.update(stems=False, synonyms=False)
    return {name: value for name, value in found.items() if name in usual}


def fitted_to(
    metric: Metric,
    language: Language,
    given: Iterable[str] = (),
    *,
    source: Language | None = None,
) -> Metric:
    """Return a metric with the options of a language; raise DataError if it knows English only."""
    made = registry.changed(metric, language_options(metric, language, given, source=source))
    check_language(made, language)
    return made


@dataclass(frozen=True)
class LanguageChoice:
    """A choice is what a language changes about a metric, or why it refuses it."""

    metric: Metric
    options: dict[str, Any]
    refused: str = ""

    def shown(self) -> str:
        """Return the options as they are written in specs; "as usual" if there are none."""
        hints = options.types_of(type(self.metric))
        written = (f"{k}={options.encode(v, hints[k])}" for k, v in self.options.items())
        return self.refused or ",".join(written) or "as usual"


def choice(spec: str, language: Language, source: Language | None = None) -> LanguageChoice:
    """Return what a language changes about the metric of a spec."""
    metric = registry.metric(spec)
    chosen = language_options(metric, language, registry.given_options(spec), source=source)
    made = registry.changed(metric, chosen)
    return LanguageChoice(made, chosen, _refusal(made, language, source))


def _refusal(metric: Metric, language: Language, source: Language | None) -> str:
    """Say why a metric cannot judge a language; what is not installed may say so later."""
    try:
        check_language(metric, language)
        codes = language.code, (source or language).code
        context = RunContext(language=codes[0], source_language=codes[1])
        corpus = Corpus.build([""], [""], sources=[""]).within(context)
        asking = (term for term in metric.terms() if isinstance(term, LookupMetric))
        for side in (side for term in asking if term.asks_model() for side in term.sides(corpus)):
            doubt = side.doubt(corpus)
            if doubt is not None and doubt.refused:
                return f"{side.lookup.name} {doubt.told}"
    except DataError as error:
        return str(error).partition("(")[2].partition(")")[0] + ": English only"
    except (ResourceMissing, SpecError):
        return ""
    return ""


def check_language(metric: Metric, language: Language) -> None:
    """Refuse a metric with parts that were made for English, if texts are in another language."""
    if language.english:
        return
    parts = dict.fromkeys(
        part for term in (metric, *metric.terms()) for part in term.english_only()
    )
    if parts:
        raise DataError(
            f"{metric.info.name}: knows English only ({', '.join(parts)}), and texts are in "
            f"{language.name} (lang={language.code}); choose other options, or chrf"
        )


def _encoder(metric: Metric, language: Language, source: Language | None) -> str:
    """Return the encoder that knows the languages of all texts that a metric compares, or ""."""
    if source is None or "sources" not in metric.info.needs:
        return language.encoder
    names = {language.encoder, source.encoder}
    return "" if "" in names else max(names)  # use knows English as well


def _tokenizer(metric: Metric, language: Language) -> dict[str, str]:
    """Return a tokeniser where the metric's own does not find the language's words."""
    if language.tokenizer:
        return {"tokenizer": language.tokenizer}
    preparation = metric.preparation()
    own = "" if preparation is None else preparation.tokenizer
    return {"tokenizer": "unicode"} if own in ASCII_ONLY else {}


def _measured_best(metric: Metric, usual: set[str]) -> dict[str, Any]:
    """Return what measured best with the multilingual encoder, if nobody has chosen otherwise."""
    best = MEASURED_BEST.get(metric.info.name, {})
    fits = getattr(metric, "similarity", "encoder") == "encoder" and {*best} <= usual
    return best if fits else {}


def _meteor(metric: Metric, language: Language) -> dict[str, Any]:
    """Return METEOR's own language where it needs no file of its program, or METEOR Universal."""
    known = getattr(metric, "language", "en") != "en"
    if known:
        return {}
    words = {"normalize": "lower", "pretokenizer": language.words}
    if language.meteor:
        return {"language": language.meteor, "task": "li", **words}
    return {"language": "other", "task": "universal", **words}

"""Say it when a metric meets text that it does not understand (docs/explanation/understanding.md).

One call before work starts looks at all metrics and texts of a run. Each kind of doubt becomes one
warning that names the metrics and the remedy; where a model knows nothing of most texts, there is
no number at all.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from nlgauge.core.metric import Metric
from nlgauge.core.understanding.effort import warn_of_effort
from nlgauge.data.corpus import Corpus
from nlgauge.errors import TextWarning
from nlgauge.text import scripts
from nlgauge.text.preparation import Preparation

# What is warned about, as shares; docs/explanation/understanding.md says how they were found.
OTHER_SCRIPT = 0.50  # of letters are not Latin, under a metric made for English
DELETED_LETTERS = 0.10  # of letters a tokeniser knows nothing but a to z
UNBROKEN = 0.30  # of characters are of a script without blanks between words
EMPTY_TEXTS = 0.10  # of a side's texts have no word at all, ...
FEWEST_EMPTY = 3  # if they are as many as that
DECOMPOSED = 0.05  # more of one column's texts than of another's have letters in several parts
FEWEST_MARKS = 3  # punctuation marks that tell raw from tokenised text

# Tokenisers made for running text, those that split at blanks only, and those that know a to z.
DETOKENISED = frozenset({"13a", "13a-lower", "intl", "mteval-intl", "zh", "ja-mecab", "ko-mecab"})
AT_BLANKS = frozenset({"none", "space", "ascii", "jiwer"})
ASCII_ONLY = frozenset({"rouge", "rouge155"})


def check(metrics: Mapping[str, Metric], corpora: Iterable[Corpus]) -> None:
    """Warn about texts that metrics may not understand; raise DataError where they cannot."""
    run = _Run(_with_terms(metrics), list(corpora))
    for message in run.doubts():
        warnings.warn(message, TextWarning, stacklevel=4)
    warn_of_effort(run.metrics, run.corpora)


def _with_terms(metrics: Mapping[str, Metric]) -> dict[str, Metric]:
    """Replace a metric that is made of others by these."""
    return {
        f"{name}: {term.info.name}" if term is not metric else name: term
        for name, metric in metrics.items()
        for term in metric.terms()
    }


class _Run:
    def __init__(self, metrics: dict[str, Metric], corpora: Sequence[Corpus]) -> None:
        self.metrics, self.corpora = metrics, corpora

    def doubts(self) -> Iterator[str]:
        yield from self._empty()
        yield from self._decomposed()
        yield from self._tokenised()
        yield from self._raw()
        yield from self._unbroken()
        yield from self._deleted()
        yield from self._english()
        if any(metric.asks_model() for metric in self.metrics.values()):
            from nlgauge.core.understanding.unknown_words import unknown_words

            yield from unknown_words(self.metrics, self.corpora)

    @cached_property
    def texts(self) -> dict[str, list[str]]:
        """Return samples of the references, and of each system's hypotheses."""
        size = max(50, scripts.SAMPLE // len(self.corpora))
        systems = {c.name: scripts.sample(c.hypotheses, size) for c in self.corpora}
        references = scripts.sample(self.corpora[0].references.flat)
        return {**({"the references": references} if references else {}), **systems}

    @cached_property
    def prepared(self) -> dict[str, Preparation]:
        """Return how each metric that compares words makes texts ready."""
        found = {name: metric.preparation() for name, metric in self.metrics.items()}
        return {n: p for n, p in found.items() if p is not None and self.metrics[n].reads_words}

    def _with_tokenizer(self, tokenizers: frozenset[str]) -> list[str]:
        return [
            name
            for name, preparation in self.prepared.items()
            if preparation.rewrite is None and preparation.tokenizer in tokenizers
        ]

    def _empty(self) -> Iterator[str]:
        first = self.corpora[0]
        if first.annotations is not None or first.contexts is not None:
            return  # beside which hypotheses may be left out
        counts = {column: texts.count("") for column, texts in self.texts.items()}
        found = [
            f"{count / len(self.texts[column]):.0%} of {column}"
            for column, count in counts.items()
            if count >= FEWEST_EMPTY and count >= EMPTY_TEXTS * len(self.texts[column])
        ]
        if found:
            more = f" and of {len(found) - 5} more" if len(found) > 5 else ""
            yield (
                f"empty texts: {_list(found[:5])}{more}. They count as they are; check what should "
                "have written them"
            )

    def _decomposed(self) -> Iterator[str]:
        shares = {column: scripts.decomposed_share(texts) for column, texts in self.texts.items()}
        (least, low), *_, (most, high) = sorted([*shares.items()] * 2, key=lambda item: item[1])
        if high - low >= DECOMPOSED:
            yield (
                f"{most}: {high:.0%} of the texts have letters in several parts (é as e and ´: not "
                f"Unicode's NFC), but {low:.0%} of {least}, so that equal letters differ; bring "
                "all texts into one form, such as unicodedata.normalize('NFC', text)"
            )

    def _tokenised(self) -> Iterator[str]:
        names = self._with_tokenizer(DETOKENISED)
        if not names:
            return
        found = {}
        for corpus in self.corpora:
            stops, spaced = scripts.full_stops(self.texts[corpus.name])
            if spaced >= FEWEST_MARKS and spaced * 2 > stops:
                found[corpus.name] = f"{corpus.name}: {spaced} of {stops}"
        if found:
            yield (
                f"{'; '.join(found.values())} sentences end in a separate full stop, so the text "
                f"looks tokenised; scores of {_list(names)} are made for detokenised text. "
                "Detokenise it, or choose tokenizer=none"
            )

    def _raw(self) -> Iterator[str]:
        names = [
            n for n in self._with_tokenizer(AT_BLANKS) if hasattr(self.metrics[n], "tokenizer")
        ]
        if not names:
            return
        for column, texts in self.texts.items():
            attached, separate = scripts.punctuation(texts)
            if attached >= FEWEST_MARKS and attached > separate:
                yield (
                    f"{column}: {attached} of {attached + separate} punctuation marks stick to a "
                    f"word, so the text looks raw, but {_list(names)} split it at blanks only "
                    '("end." is not "end"). Tokenise it, or choose a tokeniser: -tok 13a '
                    "(tokenizer=13a)"
                )
                return

    def _unbroken(self) -> Iterator[str]:
        texts = [text for column in self.texts.values() for text in column]
        if not self.prepared or not scripts.may_be_unbroken(texts):
            return
        texts = texts[:: max(1, len(texts) // 200)]
        by_script: dict[str, list[str]] = {}
        seen: dict[Preparation, str | None] = {}
        for name, preparation in self.prepared.items():
            if preparation not in seen:
                words = (word for text in preparation.words(texts) for word in text)
                seen[preparation] = scripts.unbroken(words, UNBROKEN)
            script = seen[preparation]
            if script is not None:
                by_script.setdefault(script, []).append(name)
        for script, names in by_script.items():
            if script == "Chinese or Japanese":
                script = "Japanese" if scripts.has_kana(texts) else "Chinese"
            from nlgauge.core.language_options import language_options
            from nlgauge.text.languages import find_language

            language = find_language(script)
            best = language.words
            named = self.corpora[0].context.language is not None
            say = "" if named else f"say --lang {language.code}, or "
            other = "" if best == "char" else ", or char"
            fixed = [n for n in names if not hasattr(self.metrics[n], "tokenizer")]
            served = [n for n in fixed if not named and language_options(self.metrics[n], language)]
            cut = [n for n in fixed if n not in served]
            rest = f" {_list(served)}: --lang {language.code} alone." if served else ""
            rest += f" {_list(cut)}: cut the texts into words before." if cut else ""
            take = "take" if len(names) > 1 else "takes"
            yield (
                f"the texts are {script}, without blanks between words, and {_list(names)} {take} "
                f"whole phrases for words; {say}choose a tokeniser: -tok {best} "
                f"(tokenizer={best}{other}).{rest}"
            )

    def _deleted(self) -> Iterator[str]:
        names = self._with_tokenizer(ASCII_ONLY)
        if not names:
            return
        for column, texts in self.texts.items():
            share = scripts.non_ascii_share(texts)
            if share >= DELETED_LETTERS:
                yield (
                    f"{column}: {share:.0%} of the letters are not a to z, and the tokeniser of "
                    f"{_list(names)} deletes them; choose another, such as tokenizer=unicode"
                )
                return

    def _english(self) -> Iterator[str]:
        names = {name: metric.english_only() for name, metric in self.metrics.items()}
        names = {name: what for name, what in names.items() if what}
        if not names:
            return
        what = "; ".join(f"{name}: {', '.join(what)}" for name, what in names.items())
        believed = self.corpora[0].context.language == "en"
        together = [text for texts in self.texts.values() for text in texts]
        for column, texts in [*self.texts.items(), ("the texts", together)]:
            seen = _other_script(texts) or ("" if believed else _other_words(texts))
            if seen:
                yield (
                    f"{column}: {seen}, and these parts know English only: {what}. They do nothing "
                    "for such text, or invent structure: choose metrics or options without them"
                )
                return


def _other_script(texts: Sequence[str]) -> str:
    """Say that most letters are of another script than English, if they are."""
    letters = scripts.letters_by_script(texts)
    share = 1 - letters["Latin"] / max(1, letters.total())
    if not letters or share < OTHER_SCRIPT:
        return ""
    (script, _), *_ = (letters - Counter({"Latin": letters["Latin"]})).most_common(1)
    return f"{share:.0%} of the letters are not Latin (most are {script})"


def _other_words(texts: Sequence[str]) -> str:
    """Say that words which are common in English are missing, if they are."""
    from nlgauge.text.english import common_words

    found = common_words(texts)
    if not found.foreign:
        return ""
    common = found.own + found.shared
    return (
        f"{common} of {found.words} words are common in English, where two of five are (if this is "
        "English, say --lang en)"
    )


def _list(names: Sequence[str]) -> str:
    return ", ".join(names)

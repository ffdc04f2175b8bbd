"""METEOR-NEXT, METEOR 1.5 and METEOR Universal (Denkowski and Lavie, 2010, 2011, 2014)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version as package_version
from typing import Any, ClassVar, Literal

import numpy as np

from nlgauge.core.arithmetic import ratio, weighted_harmonic_mean
from nlgauge.core.metric import Info, KernelMetric
from nlgauge.core.options import option
from nlgauge.core.resources import digest
from nlgauge.data.corpus import Corpus
from nlgauge.errors import SpecError
from nlgauge.explain.traces import Alignment, Link, Trace
from nlgauge.kernels import Floats, Kernel, native
from nlgauge.metrics.alignment import meteor_files as files
from nlgauge.metrics.alignment.meteor_tasks import (
    NAMES,
    NORMALISED,
    WITHOUT_STEMMER,
    Language,
    Task,
    default_modules,
    tuned,
)
from nlgauge.models.lexicon.wordnet import WordNet, read_omw, wordnet
from nlgauge.text.preparation import Preparation, tokenizer
from nlgauge.text.stem import snowball, snowball_names, snowball_stem

MODULES = ("exact", "stem", "synonym", "paraphrase")


@dataclass(frozen=True, kw_only=True)
class METEOR15(KernelMetric):
    """Weighted matches of words and phrases, content words before function words.

    Fmean · (1 - gamma · (chunks / matches)^beta); the corpus score is that of summed counts.
    Paraphrases are matched only where a table is given; the authors' own for English is that of an
    installed pycocoevalcap, and the preset `meteor-coco` uses it.
    """

    info: ClassVar[Info] = Info(
        name="meteor-1.5",
        title="METEOR 1.5",
        family="alignment",
        cell="CF·U·word-ngram",
        tasks=("MT", "AS", "DG", "IC", "QA", "D2T", "QG"),
        criteria=("adequacy", "fluency"),
        scale=1.0,
        paper="Denkowski and Lavie (2014), Meteor Universal",
        checked_against="meteor-1.5.jar",
        revision=2,
    )

    language: Language = option("en", "of the texts")
    task: Task = option("rank", "whose parameters are used")
    normalize: Literal["punct", "nopunct", "lower", "none"] = option(
        "punct", "its own tokeniser with or without punctuation, lower case only, or nothing"
    )
    pretokenizer: str = option(
        "none", "splits words before METEOR's own tokeniser, if that is used: ptb-coco ..."
    )
    modules: tuple[str, ...] | None = option(None, "like exact:stem; none: those of the language")
    weights: tuple[float, ...] | None = option(
        None, "of the modules; none: those of the task", low=0.0, high=1.0
    )
    alpha: float | None = option(None, "weight of recall in the mean", low=0.0, high=1.0)
    beta: float | None = option(None, "exponent of the penalty", low=0.0, high=100.0)
    gamma: float | None = option(None, "largest penalty", low=0.0, high=1.0)
    delta: float | None = option(None, "weight of content words", low=0.0, high=1.0)
    beam: int = option(40, "partial alignments that are kept", low=1, high=100_000)
    characters: bool = option(False, "count characters instead of words")
    function_words: str | None = option(
        None, "file with one word a line; none: METEOR's list, en: its list of English"
    )
    paraphrases: str | None = option(None, "table in METEOR's format, or pycocoevalcap for its own")
    wordnet: str | None = option(None, "OMW file for the synonyms of other languages")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.normalize in ("punct", "nopunct") and self.language not in NORMALISED:
            raise SpecError(
                f"normalize={self.normalize}: METEOR has a tokeniser for {', '.join(NORMALISED)} "
                f"only; tokenise {self.language} before, and give normalize=lower"
            )
        for name in self._modules():
            if name not in MODULES:
                raise SpecError(f"modules={name}: there are {', '.join(MODULES)}")
        if "stem" in self._modules() and self.language in WITHOUT_STEMMER:
            raise SpecError(f"modules=stem: there is no stemmer for language={self.language}")
        if "synonym" in self._modules() and self.language != "en" and self.wordnet is None:
            raise SpecError(
                f"modules=synonym: language={self.language} needs a wordnet; give wordnet=file.tab"
            )
        if "paraphrase" in self._modules() and self.paraphrases is None:
            raise SpecError(
                "modules=paraphrase needs a table; give paraphrases=file.gz, or "
                f"paraphrases={files.PACKAGE} if it is installed"
            )
        tokenizer(self.pretokenizer)
        self._parameters()
        self._weights()

    def _modules(self) -> tuple[str, ...]:
        if self.modules is not None:
            return self.modules
        names = default_modules(self.language, self.task)
        return tuple(n for n in names if n != "paraphrase" or self.paraphrases is not None)

    def _parameters(self) -> tuple[float, float, float, float]:
        """Return alpha, beta, gamma and delta."""
        given = (self.alpha, self.beta, self.gamma, self.delta)
        published = tuned(self.language, self.task)
        if published is None and None in given:
            raise SpecError(
                f"task={self.task}: METEOR has no parameters of it for {self.language}; "
                "give task=li, or alpha, beta, gamma and delta"
            )
        values = published[0] if published else (0.0,) * 4
        alpha, beta, gamma, delta = (
            v if g is None else g for v, g in zip(values, given, strict=True)
        )
        return alpha, beta, gamma, delta

    def _weights(self) -> tuple[float, ...]:
        """Return the weight of each module. The task's belong to places, whatever module stands
        there.
        """
        size = len(self._modules())
        if self.weights is not None:
            if len(self.weights) != size:
                raise SpecError(f"weights: {size} modules need {size} weights")
            return self.weights
        published = tuned(self.language, self.task)
        if published is None:
            raise SpecError(f"task={self.task}: no weights for {self.language}; give weights")
        return (*published[1], *(0.0,) * size)[:size]

    def parameters(self) -> dict[str, tuple[float, ...]]:
        """Return alpha, beta, gamma, delta and the modules' weights: given ones, or the task's."""
        names = ("alpha", "beta", "gamma", "delta")
        values = ((value,) for value in self._parameters())
        return {**dict(zip(names, values, strict=True)), "weights": self._weights()}

    def preparation(self) -> Preparation:
        """Return how texts become words: Java splits at ASCII blanks only."""
        if self.normalize in ("punct", "nopunct"):
            rewrite = files.Normaliser(self.language, self.normalize == "punct", self.pretokenizer)
            return Preparation("ascii", rewrite=rewrite)
        words = "ascii" if self.pretokenizer == "none" else self.pretokenizer
        return Preparation(words, lowercase=self.normalize == "lower")

    def resources(self) -> dict[str, str]:
        """Name WordNet, and the files that are read."""
        found = {}
        found.update(tokenizer(self.pretokenizer).resources())
        if self._needs_wordnet():
            found["wordnet"] = self._wordnet().version
        if self.function_words not in (None, files.ENGLISH_WORDS):
            found["function_words"] = digest("function_words", self.function_words)
        if self.paraphrases is not None and "paraphrase" in self._modules():
            path = files.table_path(self.paraphrases, self.language)
            found["paraphrases"] = digest("paraphrases", path)
        if self._needs_snowball():
            snowball(self._stemmer())
            found["snowballstemmer"] = package_version("snowballstemmer")
            if self._stemmer() != NAMES[self.language]:
                found["stemmer"] = self._stemmer()
        return found

    def check_resources(self) -> None:
        """Refuse to start without the lists of METEOR's program that the language has."""
        super().check_resources()
        self._function_words()
        if self.normalize in ("punct", "nopunct"):
            files.abbreviations(self.language)

    def english_only(self) -> tuple[str, ...]:
        """Name the modules and lists of language=en."""
        if self.language != "en":
            return ()
        used = {"stem": "stems", "synonym": "WordNet", "paraphrase": "paraphrases"}
        modules = (used[name] for name in self._modules() if name in used)
        return (*modules, *(("function words",) if self.function_words is None else ()))

    def _needs_wordnet(self) -> bool:
        return "synonym" in self._modules()

    def _wordnet(self) -> WordNet:
        return wordnet() if self.wordnet is None else read_omw(self.wordnet)

    def _needs_snowball(self) -> bool:
        return self.language != "en" and "stem" in self._modules()

    def kernel_for(self, corpus: Corpus, state: None) -> Kernel:
        """Return the kernel with stems of all words, where the language's stemmer is not native."""
        if not self._needs_snowball():
            return self.kernel(state)
        return self._native(self._stems([*corpus.hypotheses, *corpus.references.flat]))

    def _stems(self, texts: list[str]) -> dict[str, str]:
        words = {word for text in self.preparation().words(texts) for word in text}
        # Half characters, which no encoding knows, have no stems.
        known = (w for w in words if w.encode("utf-8", "ignore").decode() == w)
        stemmer = self._stemmer()
        return {word: snowball_stem(stemmer, word) for word in known}

    def _stemmer(self) -> str:
        """Return what Snowball calls the stemmer that METEOR 1.5 has: Snowball 3 gave the name of
        Dutch to another one.
        """
        name = NAMES[self.language]
        older = f"{name}_porter"
        return older if older in snowball_names() else name

    def _function_words(self) -> frozenset[str]:
        if self.function_words is None:
            return files.function_words(self.language)
        # METEOR 1.5 takes the list of English for every -l, unless it is told another by -s.
        if self.function_words == files.ENGLISH_WORDS:
            return files.function_words("en")
        return files.read_words("function_words", self.function_words)

    def kernel(self, state: None = None) -> native.MeteorNext:
        """Return the kernel, whose columns `native/alignment/meteor_next.hpp` describes."""
        return self._native({})

    def _native(self, stems: dict[str, str]) -> native.MeteorNext:
        modules = self._modules()
        table = None
        if "paraphrase" in modules and self.paraphrases is not None:
            table = files.read_table(files.table_path(self.paraphrases, self.language))
        return native.MeteorNext(
            modules=list(modules),
            stems=stems,
            beam=self.beam,
            characters=self.characters,
            function_words=set(self._function_words()),
            lexicon=self._wordnet().lexicon if self._needs_wordnet() else None,
            own_synonyms=self.wordnet is None,
            paraphrases=table,
            **self._classes(),
        )

    def _classes(self) -> dict[str, Any]:
        """Return what METEOR++ does otherwise."""
        return {
            "weights": list(self._weights()),
            "parameters": (*self._parameters(), 0.0),
            "copies": False,
            "copy_words": set(),
            "lonely_copies": False,
            "patterns": [],
            "gap": 0,
        }

    def _class_weights(self) -> Floats:
        delta = self._parameters()[3]
        return np.array([delta, 1 - delta])

    def _ratios(self, totals: Floats) -> tuple[Floats, Floats]:
        """Return precision and recall; the weights of modules include those of patterns."""
        of_class = self._class_weights()
        weights = np.array(self._classes()["weights"])
        shape = (*totals.shape[:-1], 1 + weights.size, 2, of_class.size)
        counts = totals[..., :-3].reshape(shape) @ of_class  # [..., lengths and modules, h and r]
        matched = np.einsum("...ks,k->...s", counts[..., 1:, :], weights)
        ratios = ratio(matched, counts[..., 0, :])
        return ratios[..., 0], ratios[..., 1]

    def _fmean(self, totals: Floats) -> Floats:
        precision, recall = self._ratios(totals)
        alpha = self._parameters()[0]
        return weighted_harmonic_mean(precision, recall, alpha)

    def _penalty(self, totals: Floats) -> Floats:
        _, beta, gamma, _ = self._parameters()
        fragmentation = ratio(totals[..., -3], (totals[..., -2] + totals[..., -1]) / 2)
        penalty: Floats = np.where(fragmentation > 0, gamma * fragmentation**beta, 0.0)
        return penalty

    def score(self, totals: Floats) -> Floats:
        """Compute the formula on summed counts."""
        value: Floats = np.maximum(self._fmean(totals) * (1 - self._penalty(totals)), 0.0)
        return value

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return precision, recall, penalty and chunks."""
        precision, recall = self._ratios(totals)
        return {
            "precision": float(precision),
            "recall": float(recall),
            "fmean": float(self._fmean(totals)),
            "penalty": float(self._penalty(totals)),
            # The jar adds up no chunk for a complete match, and calls it one.
            "chunks": int(totals[-3]) or int(totals[-2] > 0),
        }

    def trace_words(self, hyp: list[str], ref: list[str]) -> Trace:
        """Show the matches, each with its module; words of phrases are linked in their order."""
        stems = self._stems([" ".join(hyp), " ".join(ref)]) if self._needs_snowball() else {}
        found = self._native(stems).align(hyp, ref)
        return Alignment(tuple(hyp), tuple(ref), tuple(self._links(found)))

    def _links(self, found: list[tuple[int, int, int, int, int]]) -> Iterator[Link]:
        names = (*self._modules(), "pattern")
        for i, hyp_size, j, ref_size, module in found:
            for k in range(max(hyp_size, ref_size)):
                yield Link(
                    i + max(min(k, hyp_size - 1), 0),
                    j + max(min(k, ref_size - 1), 0),
                    names[module],
                )

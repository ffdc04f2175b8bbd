"""What a metric is: a frozen dataclass that turns segments into rows of sufficient statistics, and
a vectorised function from summed statistics to a score.

    segment scores = metric.score(rows)              # [n, k] -> [n]
    corpus score   = metric.score(totals(rows))      # [k]    -> scalar
    bootstrap      = metric.score(weights @ rows)    # [b, k] -> [b]
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, final

import numpy as np

from nlgauge import kernels
from nlgauge.core import options
from nlgauge.core.exact.counts import Counts
from nlgauge.core.exact.sums import exact_totals as exact_totals
from nlgauge.core.exact.sums import totals as totals
from nlgauge.core.failures import failing_segment, guarded, refuse_no_numbers
from nlgauge.core.info import Info as Info
from nlgauge.core.score_value import Interval as Interval
from nlgauge.core.score_value import Score as Score
from nlgauge.core.score_value import decimals as decimals
from nlgauge.data.corpus import Corpus
from nlgauge.errors import DataError
from nlgauge.kernels import Floats, Kernel
from nlgauge.text.preparation import Preparation, prepare

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    from nlgauge.explain.traces import Trace

    # What a metric's `fit` returns; `Metric` without it is a metric of any kind.
    State = TypeVar("State", default=Any)
else:
    from typing import TypeVar

    State = TypeVar("State")


_REMEDIES = {
    "sources": "; give them as a file (--source FILE), a field `source`, or sources=",
    "turns": "; give what was said before as contexts (field `turns` or `context`), or the lines "
    "of sources",
    "features": "; give a row of numbers by id in a file (--features FILE.npz)",
}


@dataclass(frozen=True, kw_only=True)
class Metric(ABC, Generic[State]):
    """A metric: its fields are its options, and all of them appear in the signature.

    A subclass says how segments become rows (`segment_rows`) and rows a score (`score`). What it
    must know of a whole test set before is `State`, which `fit` returns.
    """

    info: ClassVar[Info]
    reads_words: ClassVar[bool] = True  # and not only characters

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        options.document(cls)
        # A metric may define `rows` itself; it then serves as the hook, and fits by itself, too.
        if "rows" in cls.__dict__ and getattr(cls.segment_rows, "__isabstractmethod__", False):
            cls.segment_rows = cls.__dict__["rows"]  # type: ignore[method-assign]
            del cls.rows

    def __post_init__(self) -> None:
        options.check(self)

    @classmethod
    def description(cls) -> str:
        """Return the docstring of the class without the list of its options."""
        return options.description(cls)

    @property
    def bounds(self) -> tuple[float, float]:
        """Return the range of scores with these options; by default the one of `info`."""
        return self.info.bounds

    def count_part(self, part: Corpus) -> Counts:  # noqa: ARG002
        """Count in a part of a corpus what must be known of all of it, such as document
        frequencies: tables that `merged_counts` adds up; or None.
        """
        return None

    def settle(self, counts: Counts) -> State:
        """Return what rows depend on, from the counts of a whole corpus."""
        return counts  # type: ignore[no-any-return]

    def fit(self, corpus: Corpus) -> State:
        """Return what depends on the whole corpus: it is counted, and settled."""
        return self.settle(self.count_part(corpus))

    def counts_hypotheses(self) -> bool:
        """Return whether what is counted differs between systems with the same references."""
        return False

    def whole_only(self) -> str:
        """Say why a corpus cannot be scored in parts; nothing if it can."""
        own = type(self)
        counts = own.count_part is not Metric.count_part or own.fit is Metric.fit
        return "" if counts else "its fit looks at the whole corpus at once"

    def fitted(self, corpus: Corpus) -> State:
        """Return what `fit` does, computed once for all systems that share what is counted."""
        source = corpus.hypotheses if self.counts_hypotheses() else corpus.references
        return corpus.once(self, source, lambda: self.fit(corpus))

    @final
    def rows(self, corpus: Corpus, state: State | None = None, *, threads: int = 1) -> Floats:
        """Return the sufficient statistics of each segment: float64[n, k].

        `state` is what `fit` returned for the whole corpus, where `corpus` is a part of it; without
        it, the metric is fitted to `corpus`.
        """
        self._check_columns(corpus)
        if state is None:
            with guarded(self, "fit"):
                state = self.fitted(corpus)
        known: Any = state

        def compute(part: Corpus) -> Floats:
            return self.segment_rows(part, known, threads=threads)

        with guarded(self, "rows", lambda: failing_segment(corpus, compute)):
            return refuse_no_numbers(self, corpus, compute(corpus))

    @abstractmethod
    def segment_rows(self, corpus: Corpus, state: State, *, threads: int) -> Floats:
        """Compute what `rows` returns, given what `fit` returned."""

    @abstractmethod
    def score(self, totals: Floats) -> Floats:
        """Compute the scores of (summed) statistics: [..., k] -> [...]."""

    def parts(self, totals: Floats) -> dict[str, Any]:  # noqa: ARG002
        """Return what else the statistics of one text or corpus tell: precisions, counts,
        penalties.
        """
        return {}

    def separable(self, rows: Floats) -> Floats:
        """Return rows whose sums are meaningful for any subset of segments, so that tests may
        resample them: without what a tool adds for a whole corpus.
        """
        return rows

    def trace(self, hypothesis: str, reference: str) -> Trace | None:  # noqa: ARG002
        """Return how the words of one pair were matched or edited, for `nlgauge explain`; None
        leaves it at the common n-grams of the words that `preparation` finds, if it finds any.
        """
        return None

    def traces(self, corpus: Corpus) -> Sequence[Trace | None] | None:  # noqa: ARG002
        """Return what the metric shows of each segment of a corpus, where that takes more than a
        pair of texts; None leaves it to `trace`.
        """
        return None

    def explained(self, corpus: Corpus) -> Sequence[Trace | None] | None:
        """Return what `explain` shows of each segment: what pages show, or more."""
        return self.traces(corpus)

    def preparation(self) -> Preparation | None:
        """Return how texts are split into words; None if the metric leaves that to a model."""
        return None

    def english_only(self) -> tuple[str, ...]:
        """Name what these options use that was made for English."""
        preparation = self.preparation()
        return () if preparation is None else preparation.english_only()

    def asks_model(self) -> bool:
        """Return whether texts are looked up in a model, as a `LookupMetric` does."""
        return False

    def unused_options(self) -> frozenset[str]:
        """Name the options that change nothing, the others being what they are."""
        return frozenset()

    def terms(self) -> tuple[Metric, ...]:
        """Return the metrics that this one is made of; by default itself."""
        return (self,)

    def shown_files(self) -> dict[str, str]:
        """Return texts that the metric is made of, such as prompts, by what they are; the catalogue
        shows them.
        """
        return {}

    def resources(self) -> dict[str, str]:
        """Name and version of whatever outside of nlgauge can change a number; raises
        ResourceMissing if that is not there.
        """
        return {}

    def resources_found(self, corpus: Corpus) -> dict[str, str]:  # noqa: ARG002
        """Name and version of what turned out only while a corpus was scored, such as what a
        server says has answered.
        """
        return {}

    def check_resources(self) -> None:
        """Raise ResourceMissing if anything that scoring needs, apart from texts, is not there."""
        self.resources()

    def check_inputs(self, corpus: Corpus) -> None:
        """Refuse a corpus that lacks something this metric looks at, and to start without its
        resources: all that can be known before work starts.
        """
        for column in ("references", "turns", "facts", "documents"):
            lists = getattr(corpus, column) if column in self.info.needs else None
            if lists is None:
                continue
            counts = lists.counts_of_said if column == "turns" else lists.counts
            missing = np.flatnonzero(counts == 0).tolist()
            if missing:
                raise DataError(
                    f"{self.info.name} needs {column}, but {corpus.segment_name(missing[0])} "
                    f"of {corpus.name} has none ({len(missing)} of {len(corpus)} segments)"
                    + ("" if len(missing) == len(corpus) else "; records: --skip-unusable")
                )
        self._check_columns(corpus)
        self.check_resources()

    def _check_columns(self, corpus: Corpus) -> None:
        for column in self.info.needs:
            if getattr(corpus, column) is None:
                raise DataError(
                    f"{self.info.name} needs {column}, and {corpus.name} has none"
                    + _REMEDIES.get(column, "")
                )

    def announce(self, corpus: Corpus) -> None:
        """Tell shared stores what rows will ask them for, so that they need not work twice."""
        for metric in self.terms():
            if metric is not self:
                metric.announce(corpus)

    def signature(self, corpus: Corpus | None = None) -> str:
        """Return everything that can change the number, in one line; `nlgauge.load` takes it
        back.
        """
        from nlgauge.core.signature import signature

        return signature(self, corpus)

    def evaluate(self, corpus: Corpus, *, threads: int = 1, fit_on: Corpus | None = None) -> Score:
        """Compute the score of a whole corpus, or of a part of the one that it is fitted on."""
        from nlgauge.core.understanding import guards

        self.check_inputs(corpus)
        guards.check({self.info.name: self}, [corpus])
        state = None if fit_on is None else self.fitted(fit_on)
        sums = totals(self.rows(corpus, state, threads=threads))
        signature = self.signature(corpus)
        with guarded(self, "score"):
            return self.scored(sums, signature)

    def scored(self, sums: Floats, signature: str) -> Score:
        """Wrap the score of summed statistics."""
        value = float(self.score(sums))
        return Score(self.info.name, value, self.info.scale, signature, self.parts(sums))

    def corpus_score(
        self, hypotheses: Iterable[str], references: Iterable[Iterable[str | None]]
    ) -> Score:
        """Compute the score of a corpus as in sacreBLEU: `references` has one list over all
        segments per reference.
        """
        return self.evaluate(Corpus.build(hypotheses, reference_sets=references))

    def sentence_score(self, hypothesis: str, references: Iterable[str]) -> Score:
        """Compute the score of one segment with its references."""
        if isinstance(references, str):
            raise DataError("references: a list of str is needed, also for one reference")
        return self.evaluate(Corpus.build([hypothesis], [references]))


class WordMetric(Metric[State]):
    """A metric that looks at prepared words (or characters) of texts."""

    def preparation(self) -> Preparation:
        """Return how texts are made ready; by default what the usual options say."""
        return Preparation(
            getattr(self, "tokenizer", "none"),
            lowercase=getattr(self, "lowercase", False),
            stem=getattr(self, "stem", "none"),
            stop=getattr(self, "stop", "none"),
        )

    def resources(self) -> dict[str, str]:
        """Return the version of the tokeniser's dictionary, if it has one."""
        return self.preparation().resources()

    def trace(self, hypothesis: str, reference: str) -> Trace | None:
        """Show how the words that the metric sees were compared."""
        hyp, ref = self.preparation().words([hypothesis, reference])
        return self.trace_words(hyp, ref)

    def trace_words(self, hyp: list[str], ref: list[str]) -> Trace | None:  # noqa: ARG002
        """Compare two lists of words; None leaves it at their common n-grams."""
        return None


class KernelMetric(WordMetric[State]):
    """A metric whose rows a native kernel computes."""

    @abstractmethod
    def kernel(self, state: State) -> Kernel:
        """Return the kernel, configured; `state` is what `fit` returned."""

    def kernel_for(self, corpus: Corpus, state: State) -> Kernel:  # noqa: ARG002
        """Return the kernel for the texts of a corpus, where it must know more of them."""
        return self.kernel(state)

    def finish(self, rows: Floats, state: State) -> Floats:  # noqa: ARG002
        """Do what is left to do when the kernel's rows of a whole corpus are there."""
        return rows

    def segment_rows(self, corpus: Corpus, state: State, *, threads: int) -> Floats:
        """Compute the rows in one pass of the kernel."""
        return rows_of([(self, state)], corpus, threads=threads)[0]


class Mean(Metric[State]):
    """A metric whose corpus score is the mean of its segment scores.

    The first column of its rows is the score, the second 1; others are for `parts`.
    """

    def score(self, totals: Floats) -> Floats:
        """Return the mean of the segments' scores."""
        mean: Floats = np.divide(
            totals[..., 0],
            totals[..., 1],
            out=np.zeros(totals.shape[:-1]),
            where=totals[..., 1] > 0,
        )
        return mean


class MeanMetric(Mean[State], KernelMetric[State]):
    """A mean of segment scores that a kernel computes."""


def rows_of(
    fitted: Sequence[tuple[KernelMetric, Any]],
    corpus: Corpus,
    *,
    threads: int = 1,
    on_rows: Callable[[int], None] | None = None,
) -> list[Floats]:
    """Compute the rows of several metrics with the same preparation in one pass over the texts.

    Each metric comes with what its `fit` returned; `on_rows` hears how many rows are done.
    """
    preparation = fitted[0][0].preparation()
    prepared, tokenizer, lowercase = prepare(corpus, preparation)
    computed = kernels.rows(
        prepared,
        [metric.kernel_for(corpus, state) for metric, state in fitted],
        tokenizer=tokenizer,
        lowercase=lowercase,
        reading=preparation.reading(),
        threads=threads,
        on_rows=on_rows,
    )
    return [m.finish(rows, state) for (m, state), rows in zip(fitted, computed, strict=True)]

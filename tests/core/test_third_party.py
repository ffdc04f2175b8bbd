"""Metrics of third parties: what is wrong with them is said by name, and harms nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from support.command_line import prepare

from nlgauge import Corpus, score
from nlgauge.cli import main
from nlgauge.core import registry
from nlgauge.core.extending import plugins
from nlgauge.core.metric import Info, Metric
from nlgauge.errors import MetricFailed, NlgaugeWarning, SpecError


@dataclass(frozen=True, kw_only=True)
class Ratio(Metric):
    """Words of the hypothesis by those of the reference: fails where the latter has none."""

    info: ClassVar[Info] = Info(
        name="ratio",
        title="",
        family="ngram",
        cell="",
        tasks=(),
        scale=1.0,
        paper="",
        checked_against="",
    )

    def rows(self, corpus, state=None, *, threads=1):  # noqa: ARG002
        pairs = zip(corpus.hypotheses, corpus.references, strict=True)
        return np.array([[len(h.split()) / len(r[0].split()), 1] for h, r in pairs])

    def score(self, totals):
        return totals[..., 0] / totals[..., 1]


class Flat(Ratio):
    def rows(self, corpus, state=None, *, threads=1):  # noqa: ARG002
        return np.ones(len(corpus))


class Words(Ratio):
    def rows(self, corpus, state=None, *, threads=1):  # noqa: ARG002
        return [["a", "b"]] * len(corpus)


class Unknown(Ratio):
    def rows(self, corpus, state=None, *, threads=1):  # noqa: ARG002
        return np.array([[float(i), 1 if i == 1 else np.nan] for i in range(len(corpus))])


class NoScore(Ratio):
    def score(self, totals):  # noqa: ARG002
        return [][0]


class OneScore(Ratio):
    def score(self, totals):  # noqa: ARG002
        return np.asarray(1.0)


class BadFit(Ratio):
    def fit(self, corpus):  # noqa: ARG002
        return {}["x"]


class Longest(Ratio):
    """Defines the hook, and looks at all references before."""

    def fit(self, corpus):
        return max(len(ref.split()) for ref in corpus.references.flat)

    def segment_rows(self, corpus, state, *, threads):  # noqa: ARG002
        return np.array([[len(hyp.split()) / state, 1] for hyp in corpus.hypotheses])


@dataclass(frozen=True, kw_only=True)
class OwnLongest(Metric):
    """The same, but for `rows` in place of the hook."""

    info: ClassVar[Info] = Ratio.info

    def fit(self, corpus):
        return max(len(ref.split()) for ref in corpus.references.flat)

    def rows(self, corpus, state=None, *, threads=1):  # noqa: ARG002
        return np.array([[len(hyp.split()) / state, 1] for hyp in corpus.hypotheses])

    score = Ratio.score


class Doubled(OwnLongest):
    def rows(self, corpus, state=None, *, threads=1):
        return 2 * super().rows(corpus, state, threads=threads)


def test_a_metric_that_works() -> None:
    assert score(["a b", "c"], ["a", "c d"], metrics=[Ratio()])["ratio"].value == 1.25


@pytest.mark.parametrize("metric", [Longest(), OwnLongest()])
def test_rows_fit_whichever_method_a_metric_defines(metric: Metric) -> None:
    corpus = Corpus.build(["a b", "c"], ["a", "c d"])
    assert metric.rows(corpus).tolist() == [[1, 1], [0.5, 1]]
    assert metric.rows(corpus, 4, threads=2).tolist() == [[0.5, 1], [0.25, 1]]
    assert metric.evaluate(corpus).value == 0.75
    assert score(["a b", "c"], ["a", "c d"], metrics=[metric])["ratio"].value == 0.75


def test_rows_may_build_on_those_of_another_metric() -> None:
    corpus = Corpus.build(["a b", "c"], ["a", "c d"])
    assert Doubled().rows(corpus).tolist() == [[2, 2], [1, 2]]


def test_a_metric_without_rows_cannot_be_made() -> None:
    class Nothing(Metric):
        score = Ratio.score

    with pytest.raises(TypeError, match="segment_rows"):
        Nothing()


@pytest.mark.parametrize(
    ("cls", "message"),
    [
        (
            Ratio,
            r"ratio \(test_third_party.Ratio\): rows raised ZeroDivisionError: .* at segment 3",
        ),
        (Flat, r"float64 of shape \(3,\).*a row for each of the 3 segments"),
        (Words, "expected numbers"),
        (Unknown, "not a finite number at segment 1 of system, one of 2"),
        (NoScore, "score raised IndexError"),
        (OneScore, r"shape \(\) for 3 rows"),
        (BadFit, "fit raised KeyError"),
    ],
)
def test_failures_name_metric_and_segment(cls: type[Metric], message: str) -> None:
    with pytest.raises(MetricFailed, match=message) as raised:
        score(["a b", "c", "d"], ["a", "c", "" if cls is Ratio else "d"], metrics=["bleu", cls()])
    assert cls.__name__ in str(raised.value)


def test_our_own_errors_stay_as_they_are(monkeypatch) -> None:
    bleu = type(registry.metric("bleu"))
    monkeypatch.setattr(bleu, "fit", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError) as raised:
        score(["a"], ["a"], metrics=["bleu"])
    notes = getattr(raised.value, "__notes__", ["bleu (nlgauge: fit failed"])
    assert len(notes) == 1 and notes[0].startswith("bleu (nlgauge") and "fit failed" in notes[0]


def test_errors_of_our_own_are_placed(monkeypatch) -> None:
    """Also where metrics share one pass over the texts."""

    def finish(self, rows, state):  # noqa: ARG001
        return 1 / (rows[:, 1:2] > 1).all() + rows

    monkeypatch.setattr(type(registry.metric("wer")), "finish", finish)
    with (
        np.errstate(divide="raise"),
        pytest.raises(FloatingPointError) as raised,
    ):
        score(["a b", "c"], ["a b", "c"], metrics=["per(lowercase=no)", "wer"])
    for note in getattr(raised.value, "__notes__", []):
        assert note.startswith("wer (nlgauge") and note.endswith(
            "rows failed at segment 2 of system"
        )


def test_failures_are_named_whatever_was_called() -> None:
    corpus = Corpus.build(["a", "b"], ["a", ""])
    for call in (Ratio().rows, Ratio().evaluate):
        with pytest.raises(MetricFailed, match=r"ratio \(.*ZeroDivisionError.* at segment 2"):
            call(corpus)
    with pytest.raises(MetricFailed, match="score raised IndexError"):
        NoScore().evaluate(corpus.take([0]))


@pytest.fixture
def broken(monkeypatch):
    """Entry points of which only one can be loaded."""
    found = {
        "gone": "no_such_module_xyz:Metric",
        "lost": "nlgauge.metrics.ngram.bleu:NoSuchClass",
        "no-metric": "json:loads",
        "ratio": "test_third_party:Ratio",
    }
    monkeypatch.setattr(plugins, "targets", lambda: found)
    registry.metric_class.cache_clear()
    yield list(found)[:3]
    registry.metric_class.cache_clear()


def test_broken_entry_points_are_passed_over(broken: list[str]) -> None:
    with pytest.warns(NlgaugeWarning) as warned:
        classes = list(registry.classes())
    assert classes[-1] is Ratio and len(classes) == len(registry.METRICS) + 1
    messages = [str(w.message) for w in warned]
    assert [name for name in broken for m in messages if f"metric {name!r}" in m] == broken
    with pytest.raises(SpecError, match=r"entry point nlgauge.metrics = no_such_module_xyz:Metric"):
        registry.metric("gone")
    with pytest.warns(NlgaugeWarning):
        assert "bleu" in (registry.members("all-lexical") or [])


@pytest.mark.parametrize(
    "arguments",
    [["metrics"], ["doctor"], ["score", "ref.txt", "-i", "sysA.txt", "-m", "ratio", "all-syntax"]],
    ids=lambda a: a[0],
)
def test_commands_go_on(broken: list[str], tmp_path, monkeypatch, capsys, arguments) -> None:
    prepare(tmp_path, monkeypatch)
    assert main(arguments) == 0
    captured = capsys.readouterr()
    assert ("ratio" if arguments != ["doctor"] else f"{len(registry.METRICS) + 1} can run") in (
        captured.out
    )
    assert all(f"warning: metric {name!r}" in captured.err for name in broken)

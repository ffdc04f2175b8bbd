"""What users may rely on: the public names and the facts about every metric."""

import dataclasses
import subprocess
import sys

import pytest

import nlgauge
from nlgauge.core import registry

# Of version 0.1. A name may join; none may leave without a line in CHANGELOG.md.
PUBLIC = {
    *("BLEU", "ChrF", "DeltaBLEU", "TER"),
    *("Corpus", "References", "RunContext", "Suite", "Texts"),
    *("Info", "Interval", "Metric", "Score", "ScoreTable"),
    *("DataError", "NlgaugeError", "NlgaugeWarning", "ResourceMissing", "SpecError"),
    "TextWarning",
    *("Comparison", "compare"),
    *("LoadedMetric", "LoadedModule", "load", "score", "score_suite", "__version__"),
}

every_class = pytest.mark.parametrize("cls", list(registry.classes()), ids=registry.names())


def test_public_names() -> None:
    assert set(nlgauge.__all__) == PUBLIC
    assert all(hasattr(nlgauge, name) for name in PUBLIC)
    with pytest.raises(AttributeError, match="scor"):
        _ = nlgauge.scor


def test_import_loads_no_heavy_library() -> None:
    heavy = ("rich", "torch", "scipy", "pandas", "pyarrow", "sacrebleu")
    code = f"import nlgauge, sys; print([m for m in {heavy} if m in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


@every_class
def test_facts_are_complete(cls: type[nlgauge.Metric]) -> None:
    info = cls.info
    for text in (info.name, info.title, info.family, info.paper, info.checked_against):
        assert text.strip() == text != ""
    assert info.name == info.name.lower()
    assert registry.metric_class(info.name) is cls
    assert info.cell
    assert info.tasks
    assert info.bounds[0] < info.bounds[1]
    assert info.scale > 0
    assert info.revision >= 1
    assert cls.__doc__


@every_class
def test_every_option_is_explained_and_keyword_only(cls: type[nlgauge.Metric]) -> None:
    for field in dataclasses.fields(cls):
        assert field.metadata["help"], field.name
        assert field.kw_only, field.name
        assert field.default is not dataclasses.MISSING, field.name
    with pytest.raises(TypeError):
        cls("13a")


@every_class
def test_metrics_cannot_be_changed(cls: type[nlgauge.Metric]) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        cls().tokenizer = "none"
    assert hash(cls()) == hash(cls())

"""Signatures, specs, presets, messages: the contract around names and options."""

import dataclasses
import re
import typing

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from support.golden_files import GOLDEN

import nlgauge
from nlgauge import Corpus, SpecError
from nlgauge.core import options, registry
from nlgauge.core.signature import parse
from nlgauge.metrics.checkpoints.by_path import CheckpointMetric
from nlgauge.metrics.dialogue.reply_model import ReplyMetric
from nlgauge.metrics.trained.feature_model import LearnedMetric
from nlgauge.text.preparation import TOKENIZERS
from nlgauge.text.tokenizers.sentence_pieces import KEPT as USERS_OWN

# Texts a field of type str may hold; the types of all other fields say it themselves.
TEXTS = {
    "tokenizer": sorted({*TOKENIZERS} - {*USERS_OWN}),
    "pretokenizer": ["none", "ptb-coco", "13a"],
    "stem": ["none", "porter"],
    "stop": ["none", "smart"],
    "stages": ["exact", "stem", "synonym", "wn_stem"],
    "modules": ["exact", "stem", "synonym"],
    "parser": ["en", "chain"],
    "only": ["1", "nn", "none"],
    "trees": ["en", "flat"],
    "roles": ["en", "none"],
    "source_roles": ["none", str(GOLDEN / "srl")],
    "before": ["", "Sum up:"],
    "between": ["\n", "=>"],
    "judge": ["", "some-model", "a|b:c=d,(e)"],
    "source_language": ["", "German"],
    "target_language": ["", "Czech"],
    "vectors": ["glove", str(GOLDEN / "models" / "words.txt")],
}
FILES = {
    *("df", "counts", "path", "model", "device", "baseline", "encoder"),
    *("table", "inverse", "inference"),
    *("function_words", "paraphrases", "wordnet", "copy_words", "patterns", "prompt"),
}  # options that name a file: tested with the metrics that have them
FEATURES = {"inputs", "vectors", "pooling"}  # of learned metrics, which need another model then


def values(field: dataclasses.Field, hint: object) -> st.SearchStrategy:
    """Admissible values, from the field's type and its limits."""
    low, high = field.metadata.get("low"), field.metadata.get("high")
    kinds = [hint] if typing.get_origin(hint) is typing.Literal else typing.get_args(hint) or [hint]
    if typing.get_origin(hint) is tuple:
        kinds = [hint]
    return st.one_of([_values_of(field.name, kind, low, high) for kind in kinds])


def _values_of(name: str, kind: object, low: float | None, high: float | None):
    if typing.get_origin(kind) is typing.Literal:
        return st.sampled_from(typing.get_args(kind))
    if typing.get_origin(kind) is tuple:
        inner = _values_of(name, typing.get_args(kind)[0], 0.0, None)
        return st.lists(inner, min_size=1, max_size=4).map(tuple)
    if kind is type(None):
        return st.none()
    if kind is bool:
        return st.booleans()
    if kind is int:
        top = 2**31 - 1 if high is None else int(high)
        return st.integers(int(low or 0), top)
    if kind is float:
        top = 1e9 if high is None else high
        return st.floats(low or 0.0, top, allow_nan=False).map(abs)  # no minus zero
    return st.sampled_from(TEXTS[name])


def changeable(cls: type[nlgauge.Metric]) -> list[dataclasses.Field]:
    chosen = FEATURES if issubclass(cls, (LearnedMetric, ReplyMetric)) else set()
    if cls.info.name == "nubia":
        chosen = {"language"}  # which is a file here, and a code elsewhere
    if issubclass(cls, CheckpointMetric):
        return []  # it has no signature without a folder: tests/models/test_checkpoints.py
    return [f for f in dataclasses.fields(cls) if f.name not in (*FILES, *chosen)]


@st.composite
def configurations(draw: st.DrawFn, cls: type[nlgauge.Metric]) -> dict[str, object]:
    hints = options.types_of(cls)
    fields = changeable(cls)
    some = draw(st.lists(st.sampled_from(fields), max_size=3)) if fields else []
    chosen = {f.name: draw(values(f, hints[f.name])) for f in some}
    if isinstance(chosen.get("weights"), tuple) and hasattr(cls(), "max_order"):
        chosen["max_order"] = len(chosen["weights"])
    return chosen


def made(cls: type[nlgauge.Metric], chosen: dict[str, object]) -> nlgauge.Metric:
    try:
        return cls(**chosen)
    except SpecError:
        assume(False)
        raise


CLASSES = [cls for cls in registry.classes() if changeable(cls)]
every_class = pytest.mark.parametrize("cls", CLASSES, ids=[cls.info.name for cls in CLASSES])
# Some options exclude each other, so that some configurations are refused.
few = settings(max_examples=20, suppress_health_check=[HealthCheck.filter_too_much])


@every_class
@given(data=st.data())
@few
def test_every_change_of_an_option_changes_the_signature(cls, data) -> None:
    metric = made(cls, data.draw(configurations(cls)))
    hints = options.types_of(cls)
    field = data.draw(st.sampled_from(changeable(cls)))
    value = data.draw(values(field, hints[field.name]))
    assume(value != getattr(metric, field.name))
    changed = made(cls, {**vars(metric), field.name: value})
    assert changed.signature() != metric.signature()


def another(field: dataclasses.Field, hint: object, orders: int) -> object:
    """An admissible value that is not the default."""
    default = field.default
    kinds = [hint] if typing.get_origin(hint) in (typing.Literal, tuple) else typing.get_args(hint)
    kind = next((k for k in kinds or [hint] if k is not type(None)), None)
    if typing.get_origin(kind) is typing.Literal:
        return next(v for v in typing.get_args(kind) if v != default)
    if typing.get_origin(kind) is tuple:
        inner = typing.get_args(kind)[0]
        return (TEXTS[field.name][1],) if inner is str else (inner(1),) * orders
    if kind is bool:
        return not default
    if kind is str:
        return next(text for text in TEXTS[field.name] if text != default)
    high = field.metadata.get("high")
    step = 1 if kind is int else 0.5
    start = default if default is not None else 0
    return start + step if high is None or start + step <= high else start - step


@every_class
def test_every_option_can_be_changed_from_its_default(cls) -> None:
    default = 3 if hasattr(cls(), "modules") else 1  # a weight for each module or order
    orders = getattr(cls(), "max_order", default)
    for field in changeable(cls):
        value = another(field, options.types_of(cls)[field.name], orders)
        assert cls(**{field.name: value}).signature() != cls().signature(), field.name


@every_class
@given(data=st.data())
@few
def test_signatures_and_specs_rebuild_the_metric(cls, data) -> None:
    metric = made(cls, data.draw(configurations(cls)))
    assert parse(metric.signature()) == metric
    assert registry.metric(metric.signature()) == metric
    assert registry.metric(registry.spec(metric)) == metric
    assert nlgauge.load(metric.signature()).metric == metric


def test_a_signature_by_hand() -> None:
    assert nlgauge.ChrF().signature() == (
        "chrf|char_order:6|word_order:0|beta:2|lowercase:no|whitespace:no|eps_smoothing:no|rev:1|"
        f"nlgauge:{nlgauge.__version__}"
    )
    one, some = Corpus.build(["a"], ["b"]), Corpus.build(["a", "b"], [["b"], ["c", "d"]])
    assert "chrf|nrefs:1|" in nlgauge.ChrF().signature(one)
    assert "chrf|nrefs:var|" in nlgauge.ChrF().signature(some)
    weighted = nlgauge.BLEU(max_order=2, weights=(0.25, 0.75), smooth="floor")
    assert "|weights:0.25:0.75|" in weighted.signature()
    assert registry.spec(weighted) == "bleu(max_order=2,smooth=floor,weights=0.25:0.75)"
    assert registry.spec(nlgauge.BLEU()) == "bleu"


def test_the_dictionary_is_in_the_signature() -> None:
    assert re.search(r"\|with\.ja-mecab:.*-IPA\|", nlgauge.BLEU(tokenizer="ja-mecab").signature())


@every_class
def test_none_and_the_text_none_are_not_mixed_up(cls) -> None:
    for field in changeable(cls):
        kinds = typing.get_args(options.types_of(cls)[field.name])
        if str in kinds and type(None) in kinds and "none" in TEXTS[field.name]:
            absent, text = cls(**{field.name: None}), cls(**{field.name: "none"})
            assert absent.signature() != text.signature(), field.name


@pytest.mark.parametrize("preset", registry.PRESETS)
def test_presets_are_specs_of_registered_metrics(preset: str) -> None:
    assert registry.metric(preset) == registry.metric(registry.PRESETS[preset])
    assert registry.PRESETS[preset].partition("(")[0] in registry.METRICS


def test_presets_by_hand() -> None:
    assert registry.metric("bleu-s") == nlgauge.BLEU(smooth="add-k", smooth_value=1)
    assert registry.metric("sentbleu") == nlgauge.BLEU(effective_order=True)
    assert registry.metric("chrf++") == nlgauge.ChrF(word_order=2)
    assert registry.metric("CHRF_PP(beta=1)") == nlgauge.ChrF(word_order=2, beta=1)
    assert registry.metric(" chrf+ ( word_order = 3 ) ") == nlgauge.ChrF(word_order=3)


@pytest.mark.parametrize("alias", registry.ALIASES)
def test_aliases_mean_registered_names(alias: str) -> None:
    target = registry.ALIASES[alias]
    assert target in {*registry.METRICS, *registry.PRESETS}
    assert registry.metric(alias) == registry.metric(target)
    assert alias not in {*registry.METRICS, *registry.PRESETS}


@pytest.mark.parametrize(
    ("spec", "names", "remedy"),
    [
        ("blue", "'blue'", "did you mean bleu"),
        ("qqqq", "'qqqq'", "nlgauge metrics"),
        ("bleu(smoth=exp)", "bleu has no option 'smoth'", "did you mean smooth"),
        ("ter(zzzz=1)", "ter has no option 'zzzz'", "it has normalized, no_punct"),
        ("bleu(smooth=foo)", "smooth=foo", "one of none, floor, add-k, exp, eps"),
        ("bleu(lowercase=maybe)", "lowercase=maybe", "yes or no"),
        ("bleu(max_order=10)", "max_order=10", "9"),
        ("bleu(max_order=2.5)", "max_order=2.5", "a whole number"),
        ("bleu(weights=0.5:0.5)", "2 given for max_order=4", "give one each"),
        ("bleu(tokenizer=13b)", "tokenizer=13b", "13a"),
        ("chrf(beta=-1)", "beta=-1", "at least 0"),
        ("chrf(char_order=0)", "char_order=0", "at least one order"),
        ("ter(max_shift_size=0)", "max_shift_size=0", "at least 1"),
        ("bleu(exp)", "'exp'", "option=value"),
        ("bleu(smooth=exp,smooth=none)", "'smooth'", "twice"),
        ("bleu(", "'bleu('", "name(option=value,...)"),
        ("", "''", "name(option=value,...)"),
        ("bleu|smoth:exp", "'smoth'", "no option"),
        ("bleu|exp", "'exp'", "name:value"),
        ("bleu|rev:99", "revision 99", "revision 1"),
        ("bleu|rev:x", "rev", "x"),
    ],
)
def test_messages_name_the_fault_and_the_remedy(spec: str, names: str, remedy: str) -> None:
    with pytest.raises(SpecError) as caught:
        registry.metric(spec)
    assert names in str(caught.value)
    assert remedy in str(caught.value)


def test_a_signature_refuses_unknown_overrides() -> None:
    with pytest.raises(SpecError, match="smoth"):
        registry.metric(nlgauge.BLEU().signature(), smoth="exp")


@pytest.mark.parametrize(
    "given",
    [
        {"cls": nlgauge.ChrF, "beta": float("inf")},
        {"cls": nlgauge.ChrF, "beta": 1e200},
        {"cls": nlgauge.BLEU, "smooth": "add-k", "smooth_value": float("inf")},
        {"cls": nlgauge.BLEU, "weights": (0.0, 0.0, 0.0, 0.0)},
        {"cls": nlgauge.BLEU, "weights": (-1.0, 1.0, 1.0, 1.0)},
        {"cls": nlgauge.TER, "max_candidates": 2**31},
    ],
    ids=lambda given: ",".join(f"{k}={v}" for k, v in given.items() if k != "cls"),
)
def test_values_without_a_meaning_are_refused(given: dict) -> None:
    cls = given.pop("cls")
    with pytest.raises(SpecError, match=list(given)[-1]):
        cls(**given).sentence_score("a b c d", ["a b x y"])

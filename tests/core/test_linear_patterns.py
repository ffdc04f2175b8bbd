"""No regular expression of the package takes more than linear time, whatever the text."""

from __future__ import annotations

import pkgutil
import re
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import nlgauge
from nlgauge.core.registry import metric
from nlgauge.io import read_suite
from nlgauge.meta.stress.perturbations.words import parts
from nlgauge.text.preparation import TOKENIZERS, Preparation
from nlgauge.text.tokenizers.penn import penn_words
from nlgauge.text.tokenizers.sentence_pieces import KEPT as USERS_OWN
from nlgauge.text.tokenizers.tercom import JavaTercom, Tercom

LENGTH = 8000  # characters: a quadratic pattern takes 30 million steps and more, a linear one 10^4
SECONDS = 0.15
REPEATED = [
    *("a", "a-", ".", "!", "-", "(", "[", "'", " ", "\n", " \n", "1", "1,", "1/", "a.", "a'", "'s"),
    *("a@", "a&", "http://.", "<doc ", "&#1", "a=", "a='", "[a ", "(a", "…", "。", "あ", "x. "),
]
ENDS = ["", "a", "x!"]
TEXTS = [
    start + unit * (LENGTH // len(unit)) + end
    for start, unit, end in [
        *(("", unit, end) for unit in REPEATED for end in ENDS),
        ("a", " ", "a"), ("a", "-", "a"), (".", ")", "a"), ("<doc ", "a-", ">"), ("a", "\t", "("),
    ]
]  # fmt: skip


Pattern = tuple[str, re.Pattern[str], bool]  # name, pattern, whether it is used from any place on


def patterns() -> Iterator[Pattern]:
    """All that modules keep, and the rules of the TER tokenisers."""
    for module in pkgutil.walk_packages(nlgauge.__path__, "nlgauge."):
        if ".train" in module.name or module.name.endswith("__main__"):
            continue
        found = import_module(module.name)
        source = Path(str(found.__file__)).read_text(errors="replace")  # one is native
        for name, value in vars(found).items():
            if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
                anywhere = re.search(rf"\b{name}\.(findall|finditer|search|sub|split)\(", source)
                yield f"{module.name}.{name}", value, anywhere is not None
    for cls in (Tercom, JavaTercom):
        made = cls(normalized=True, no_punct=True, asian_support=True)
        for number, (pattern, _) in enumerate(made._rules):
            yield f"{cls.__name__} {number}", pattern, True


FOUND = {(p.pattern, p.flags): (name, p, anywhere) for name, p, anywhere in patterns()}


def seconds(action) -> float:
    start = time.process_time()
    action()
    return time.process_time() - start


@pytest.mark.parametrize(("name", "pattern", "anywhere"), FOUND.values(), ids=lambda v: str(v)[:50])
def test_every_pattern(name: str, pattern: re.Pattern[str], anywhere: bool) -> None:
    use = pattern.findall if anywhere else pattern.fullmatch
    for text in TEXTS:
        assert seconds(lambda text=text: use(text)) < SECONDS, (name, text[:20])


def test_patterns_are_found() -> None:
    names = {name for name, *_ in FOUND.values()}
    assert {
        "nlgauge.io.texts.datasets.sgml._ATTRIBUTE",
        "nlgauge.text.tokenizers.penn._END",
    } <= names


@pytest.mark.parametrize("name", sorted({*TOKENIZERS} - {*USERS_OWN}))
def test_every_tokeniser(name: str) -> None:
    Preparation(name).words(["a"])  # reads the dictionary, if there is one
    for text in TEXTS[::9] if name.endswith("mecab") else TEXTS[::3]:
        took = seconds(lambda text=text: Preparation(name).words([text]))
        assert took < 2 * SECONDS, (name, text[:20])


@pytest.mark.parametrize(
    "action",
    [
        lambda: parts("a" + "-" * 30_000 + "a"),
        lambda: penn_words("a" + "'s" * 30_000),
        lambda: metric("bleu" + " " * 30_000 + "()"),
    ],
    ids=["parts of a piece", "contractions", "specs"],
)
def test_functions_with_patterns(action) -> None:
    assert seconds(action) < 2 * SECONDS


@pytest.mark.parametrize("inside", ["a-" * 100_000, " " * 200_000, "a=" * 100_000])
def test_sgml(tmp_path: Path, inside: str) -> None:
    ref, hyp = tmp_path / "r.sgm", tmp_path / "h.sgm"
    ref.write_text(f'<refset><doc docid="d" {inside}><seg id="1">a</seg></doc></refset>')
    hyp.write_text(f'<tstset><doc docid="d"><seg id="1">a{" " * 200_000}b</seg></doc></tstset>')
    assert seconds(lambda: read_suite(ref, hyp)) < 2

